//! What are heights in a coordinate system measured from, and in what unit? Its vertical axis, as PROJ describes it.

use serde_json::Value;

use foreign::unit::metres_per_unit;

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
        let datum = if axes.len() == 3 { "ellipsoid" } else { definition["name"].as_str().unwrap_or("unnamed") };
        Some(Self { datum: datum.to_owned(), unit: (name.to_owned(), metres), down })
    }
}
