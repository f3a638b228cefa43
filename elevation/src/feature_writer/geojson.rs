//! How are features written as GeoJSON (RFC 7946)? One on a line, with colours as the simplestyle specification names them.

use serde_json::{Map, Value, json};

use super::NamedFeature;
use crate::features::Shape;

/// A collection of features.
pub(super) fn text(features: &[NamedFeature]) -> String {
    let lines: Vec<String> = features.iter().map(|feature| value(feature).to_string()).collect();
    format!("{{\"type\":\"FeatureCollection\",\"features\":[\n{}\n]}}\n", lines.join(",\n"))
}

fn value(feature: &NamedFeature) -> Value {
    let mut properties = Map::new();
    properties.insert("name".into(), json!(feature.name));
    properties.insert(feature.colour_field().into(), json!(feature.colour_text()));
    if !feature.note.is_empty() {
        properties.insert("description".into(), json!(feature.note));
    }
    properties.extend(feature.measures.iter().map(|(name, number)| ((*name).into(), json!(number))));
    let geometry = match &feature.shape {
        Shape::Point(place) => json!({ "type": "Point", "coordinates": place }),
        Shape::Line(corners) => json!({ "type": "LineString", "coordinates": corners }),
        Shape::Area(rings) => json!({ "type": "Polygon", "coordinates": rings }),
    };
    json!({ "type": "Feature", "properties": properties, "geometry": geometry })
}
