//! What are heights in a coordinate system measured from, and in what unit? Its vertical axis, as PROJ describes it.

use serde_json::Value;

use foreign::{unit::metres_per_unit, vertical::VerticalDatum};

use super::{
    datum_name::{ELLIPSOID, NOT_STATED, WGS84, name, system, without_unit},
    error::HeightError,
};
use crate::geodesy::Ellipsoid;

/// Metres by which the axes of one ellipsoid may differ: that of GRS 1980 is 0.1 mm from that of WGS 84.
const SAME_M: f64 = 1e-3;

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
        let own_name = || without_unit(definition["name"].as_str().unwrap_or("unnamed")).to_owned();
        let datum = if axes.len() == 3 { ellipsoid_of(definition) } else { own_name() };
        Some(Self { datum, unit: (name.to_owned(), metres), down })
    }
}

/// The name of the ellipsoid that heights in a system in space are above; one that is that of WGS 84, or as good as, has none of its own.
fn ellipsoid_of(definition: &Value) -> String {
    let base = base_of(definition);
    let frame = ["datum", "datum_ensemble"].into_iter().map(|key| &base[key]["ellipsoid"]);
    let Some(ellipsoid) = frame.into_iter().find(|found| found.is_object()) else { return ELLIPSOID.to_owned() };
    // A number of metres, or one with its unit.
    let number = |key: &str| {
        let given = &ellipsoid[key];
        let metres = given["unit"]["conversion_factor"].as_f64().unwrap_or(1.0);
        given.as_f64().or(given["value"].as_f64().map(|value| value * metres))
    };
    let Some(major_m) = number("semi_major_axis").or(number("radius")) else { return ELLIPSOID.to_owned() };
    let flattened_m = number("inverse_flattening").map(|inverse| major_m - major_m / inverse);
    let minor_m = number("semi_minor_axis").or(flattened_m).unwrap_or(major_m);
    if (major_m - Ellipsoid::WGS84.semi_major_m()).abs() < SAME_M
        && (minor_m - Ellipsoid::WGS84.semi_minor_m()).abs() < SAME_M
    {
        return ELLIPSOID.to_owned();
    }
    let name = ellipsoid["name"].as_str().filter(|name| !matches!(*name, "unknown" | "unnamed"));
    name.map_or_else(|| format!("{ELLIPSOID} of {major_m} x {minor_m:.3} m"), |name| format!("{ELLIPSOID} of {name}"))
}

/// What heights are measured from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Datum {
    /// Its name; [`NOT_STATED`] where nothing is known.
    pub name: String,
    /// A system that PROJ reads: degrees, and heights above it. Empty where nothing is known.
    pub system: String,
    /// The vertical axis that the file's system has, if any.
    pub axis: Option<VerticalAxis>,
}

impl Datum {
    /// That of a system in PROJJSON, unless the user says another.
    ///
    /// # Errors
    /// [`HeightError::NoVerticalDatum`] if what he says is none.
    pub fn of(definition: &Value, said: Option<VerticalDatum>) -> Result<Self, HeightError> {
        let axis = VerticalAxis::in_definition(definition);
        let (name, system) = match (said, &axis) {
            (Some(said), _) => (name(said)?, system(said, plane_of(definition).unwrap_or(WGS84))),
            (None, Some(axis)) => (axis.datum.clone(), system_of(definition)),
            (None, None) => (NOT_STATED.to_owned(), String::new()),
        };
        Ok(Self { name, system, axis })
    }
}

/// The code of EPSG of a part of a definition.
fn code_of(part: &Value) -> Option<u64> {
    (part["id"]["authority"] == "EPSG").then(|| part["id"]["code"].as_u64())?
}

/// What the longitudes and latitudes of a part of a definition are of.
pub(crate) fn base_of(part: &Value) -> &Value {
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
        let is = |name: &str, system: &str| Datum { name: name.into(), system: system.into(), axis: None };
        assert_eq!(said("EPSG:5703"), is("NAVD88 height", "EPSG:4269+5703"));
        assert_eq!(said("ellipsoid"), is(ELLIPSOID, "EPSG:4979"));
        assert!(Datum::of(&plane, Some(VerticalDatum::Epsg(4326))).is_err());
    }

    /// Law: heights in space are above the ellipsoid of their system, by its name unless it is that of WGS 84, or as good as.
    #[test]
    fn ellipsoids_have_names() {
        for (stated, name) in [
            ("EPSG:4979", ELLIPSOID),
            ("EPSG:6319", ELLIPSOID),
            ("EPSG:4985", "ellipsoid of WGS 72"),
            ("EPSG:9267", "ellipsoid of Bessel 1841"),
            ("+proj=utm +zone=33 +ellps=bessel +towgs84=1,2,3 +type=crs", "ellipsoid of Bessel 1841"),
            ("+proj=longlat +R=6371000 +type=crs", "ellipsoid of 6371000 x 6371000.000 m"),
        ] {
            let Some(mut definition) = proj::definition(stated) else { panic!("PROJ knows {stated}") };
            let plane = if definition["type"] == "BoundCRS" { &mut definition["source_crs"] } else { &mut definition };
            let axes = plane["coordinate_system"]["axis"].as_array_mut().expect("axes");
            if axes.len() < 3 {
                axes.push(serde_json::json!({ "name": "Ellipsoidal height", "direction": "up", "unit": "metre" }));
            }
            assert_eq!(Datum::of(&definition, None).map(|datum| datum.name).ok().as_deref(), Some(name), "{stated}");
        }
    }
}
