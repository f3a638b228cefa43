//! What are heights in a coordinate system measured from, and in what unit? Its vertical axis, as PROJ describes it.

use serde_json::Value;

use foreign::{unit::metres_per_unit, vertical::VerticalDatum};

use super::{
    datum_name::{ELLIPSOID, NOT_STATED, WGS84_IN_SPACE, name},
    error::HeightError,
};

/// The vertical axis of a coordinate system.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VerticalAxis {
    /// Name of what heights are measured from.
    pub datum: String,
    /// Name of its unit, and metres of one.
    pub unit: (String, f64),
    /// Whether it points down: its numbers are depths.
    pub down: bool,
}

impl VerticalAxis {
    /// That of a compound system, or the third of one in space, in PROJJSON (<https://proj.org/specifications/projjson.html>);
    /// `None` of a system in the plane.
    pub fn in_definition(definition: &Value) -> Option<Self> {
        if let Some(parts) = definition["components"].as_array() {
            return parts.iter().find_map(Self::in_definition);
        }
        if definition["type"] == "BoundCRS" {
            return Self::in_definition(&definition["source_crs"]);
        }
        let axes = definition["coordinate_system"]["axis"].as_array()?;
        let (axis, down) = axes.iter().find_map(|axis| match axis["direction"].as_str() {
            Some("up") => Some((axis, false)),
            Some("down") => Some((axis, true)),
            _ => None,
        })?;
        let unit = &axis["unit"];
        let name = unit.as_str().or(unit["name"].as_str()).unwrap_or("metre");
        // PROJ's factors have fifteen digits; what a name means is exact.
        let metres = metres_per_unit(name).or(unit["conversion_factor"].as_f64())?;
        let datum = if axes.len() == 3 { ELLIPSOID } else { definition["name"].as_str().unwrap_or("unnamed") };
        Some(Self { datum: datum.to_owned(), unit: (name.to_owned(), metres), down })
    }
}

/// What heights are measured from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Datum {
    /// Its name; [`NOT_STATED`] where nothing is known.
    pub name: String,
    /// A system that PROJ reads: degrees, and heights above it. Empty where nothing is known.
    pub system: String,
}

impl Datum {
    /// That of a system in PROJJSON, unless the user says another.
    ///
    /// # Errors
    /// [`HeightError::NoVerticalDatum`] if what he says is none.
    pub fn of(definition: &Value, said: Option<VerticalDatum>) -> Result<Self, HeightError> {
        let stated = VerticalAxis::in_definition(definition);
        let Some(said) = said else {
            let system = stated.as_ref().map(|_| system_of(definition)).unwrap_or_default();
            return Ok(Self { name: stated.map_or_else(|| NOT_STATED.to_owned(), |axis| axis.datum), system });
        };
        let system = match said {
            VerticalDatum::Epsg(code) => format!("EPSG:{}+{code}", plane_of(definition).unwrap_or(4326)),
            // That of WGS 84, whatever ellipsoid longitudes and latitudes are of.
            VerticalDatum::Ellipsoid => WGS84_IN_SPACE.to_owned(),
        };
        Ok(Self { name: name(said)?, system })
    }
}

/// The code of EPSG of a part of a definition.
fn code_of(part: &Value) -> Option<u64> {
    (part["id"]["authority"] == "EPSG").then(|| part["id"]["code"].as_u64())?
}

/// What the longitudes and latitudes of a part of a definition are of.
fn base_of(part: &Value) -> &Value {
    if part["type"] == "ProjectedCRS" { &part["base_crs"] } else { part }
}

fn axes_of(part: &Value) -> usize {
    part["coordinate_system"]["axis"].as_array().map_or(0, Vec::len)
}

/// The code of EPSG of the longitudes and latitudes of a system.
fn plane_of(definition: &Value) -> Option<u64> {
    let base = base_of(definition["components"].get(0).unwrap_or(definition));
    code_of(base).filter(|_| axes_of(base) == 2)
}

/// A system with the heights of another, and longitudes and latitudes for its plane where codes say all of it: as PROJ reads it.
fn system_of(definition: &Value) -> String {
    let parts = definition["components"].as_array().map_or(&[][..], Vec::as_slice);
    let codes = match parts {
        [_, vertical] => {
            plane_of(definition).zip(code_of(vertical)).map(|(plane, code)| format!("EPSG:{plane}+{code}"))
        }
        _ => {
            let base = base_of(definition);
            code_of(base).filter(|_| axes_of(base) == 3).map(|code| format!("EPSG:{code}"))
        }
    };
    codes.unwrap_or_else(|| definition.to_string())
}

#[cfg(all(test, feature = "gdal"))]
mod tests {
    use super::*;
    use crate::height::proj;

    /// Law: what PROJ reads again has the heights of the system, in short where codes say all of it.
    #[test]
    fn systems_are_read_again() {
        for (stated, short) in [
            ("EPSG:4269+5703", Some("EPSG:4269+5703")),
            ("EPSG:26914+6360", Some("EPSG:4269+6360")),
            ("EPSG:6319", Some("EPSG:6319")),
            ("+proj=utm +zone=33 +datum=WGS84 +vunits=us-ft +geoidgrids=egm96_15.gtx +type=crs", None),
        ] {
            let definition = proj::definition(stated).expect("PROJ knows it");
            let datum = Datum::of(&definition, None).expect("nothing is said");
            assert!(short.is_none_or(|short| datum.system == short), "{datum:?}");
            let again = proj::definition(&datum.system).expect("PROJ reads it");
            assert_eq!(VerticalAxis::in_definition(&again), VerticalAxis::in_definition(&definition));
        }
        let plane = proj::definition("EPSG:26914").expect("PROJ knows it");
        let said = |datum: &str| Datum::of(&plane, datum.parse().ok()).expect("a datum");
        assert_eq!(
            Datum::of(&plane, None).expect("nothing is said"),
            Datum { name: NOT_STATED.into(), ..Datum::default() }
        );
        assert_eq!(said("EPSG:5703"), Datum { name: "NAVD88 height".into(), system: "EPSG:4269+5703".into() });
        assert_eq!(said("ellipsoid"), Datum { name: ELLIPSOID.into(), system: "EPSG:4979".into() });
        assert!(Datum::of(&plane, Some(VerticalDatum::Epsg(4326))).is_err());
    }
}
