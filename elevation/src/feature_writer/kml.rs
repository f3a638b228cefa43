//! How are features written as KML (OGC 12-007r2)? Not by GDAL: of its two drivers one writes points without colours and lines that go
//! through mountains, the other one names that hold `]]>` so that no program reads them (GDAL 3.6).

use super::{NamedFeature, plain, wrapped_line, wrapped_lon};
use crate::features::{LonLat, Shape};

/// Width of lines, pixels.
const WIDTH_PX: u32 = 3;

/// A document of placemarks.
pub(super) fn text(features: &[NamedFeature]) -> String {
    let placemarks: String = features.iter().map(placemark).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n<Document>\n{placemarks}</Document>\n</kml>\n"
    )
}

fn placemark(feature: &NamedFeature) -> String {
    let name = escaped(&feature.name);
    let note = match feature.note.is_empty() {
        true => String::new(),
        false => format!("<description>{}</description>\n", escaped(&feature.note)),
    };
    let measures = feature.measures.iter();
    let measures: String =
        measures.map(|(name, number)| format!("<Data name=\"{name}\"><value>{number}</value></Data>")).collect();
    let measures = match measures.is_empty() {
        true => measures,
        false => format!("<ExtendedData>{measures}</ExtendedData>\n"),
    };
    let (style, geometry) = (style(feature), geometry(feature));
    format!("<Placemark>\n<name>{name}</name>\n{note}<Style>{style}</Style>\n{measures}{geometry}\n</Placemark>\n")
}

fn style(feature: &NamedFeature) -> String {
    let [red, green, blue, _] = feature.colour;
    let colour = |alpha: u8| format!("<color>{alpha:02x}{blue:02x}{green:02x}{red:02x}</color>");
    let line = format!("<LineStyle>{}<width>{WIDTH_PX}</width></LineStyle>", colour(255));
    match feature.shape {
        Shape::Point(_) => format!("<IconStyle>{}</IconStyle>", colour(255)),
        Shape::Line(_) => line,
        // A fifth filled, as it is drawn here.
        Shape::Area(_) => format!("{line}<PolyStyle>{}</PolyStyle>", colour(51)),
    }
}

/// On the ground; lines follow it.
fn geometry(feature: &NamedFeature) -> String {
    match &feature.shape {
        Shape::Point([lon, lat]) => {
            let height = feature.height_m().map(|height_m| format!(",{height_m}")).unwrap_or_default();
            format!("<Point><coordinates>{},{lat}{height}</coordinates></Point>", wrapped_lon(*lon))
        }
        Shape::Line(corners) => format!("<LineString><tessellate>1</tessellate>{}</LineString>", coordinates(corners)),
        Shape::Area(rings) => {
            let ring = |(number, ring): (usize, &Vec<LonLat>)| {
                let side = if number == 0 { "outerBoundaryIs" } else { "innerBoundaryIs" };
                format!("<{side}><LinearRing>{}</LinearRing></{side}>", coordinates(ring))
            };
            let rings: String = rings.iter().enumerate().map(ring).collect();
            format!("<Polygon><tessellate>1</tessellate>{rings}</Polygon>")
        }
    }
}

fn coordinates(line: &[LonLat]) -> String {
    let places: Vec<String> = wrapped_line(line).iter().map(|[lon, lat]| format!("{lon},{lat}")).collect();
    format!("<coordinates>{}</coordinates>", places.join(" "))
}

/// A text between tags.
fn escaped(text: &str) -> String {
    plain(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a pin has its colour, blue first, its height and its text without tags in it; a line follows the ground, and crosses 180 degrees
    /// with longitudes within.
    #[test]
    fn pins_and_lines_are_those_of_google_earth() {
        let colour = [255, 214, 140, 255];
        let feature = |shape, name: &str, note: &str, measures| NamedFeature {
            shape,
            name: name.to_owned(),
            note: note.to_owned(),
            colour,
            measures,
        };
        let pin = feature(Shape::Point([190.0, -45.5]), "<b>&\u{1}", "a\nb", vec![("height_m", 12.5)]);
        let line = feature(Shape::Line(vec![[170.0, 0.0], [190.0, 10.0]]), "A to B", "", Vec::new());
        let text = text(&[pin, line]);
        for part in [
            "<name>&lt;b&gt;&amp;</name>\n<description>a\nb</description>\n",
            "<IconStyle><color>ff8cd6ff</color></IconStyle>",
            "<ExtendedData><Data name=\"height_m\"><value>12.5</value></Data></ExtendedData>",
            "<Point><coordinates>-170,-45.5,12.5</coordinates></Point>",
            "<tessellate>1</tessellate><coordinates>170,0 180,5 -170,10</coordinates>",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
