//! What are markers in a file for other programs, and for `--vector`? A point for each, and the path.

use foreign::style::Colour;
use terrain::feature_writer::{HEIGHT_M, NamedFeature};
use terrain::features::Shape;
use terrain::geodesy::{Ellipsoid, Geodetic};

use super::enclosed_area::signed_area_m2;
use super::leg::{corners_deg, degrees};
use super::markers::{Markers, name_of};

/// Colour of pins and lines.
const COLOUR: Colour = [255, 214, 140, 255];

impl Markers {
    /// Points with their names and heights, and the path with its lengths in metres. A closed one has its area and that of the ground in
    /// square metres, and the volumes above and below its mean height in cubic metres. Lines have corners where the geodesic bends between
    /// longitudes and latitudes. None without a marker.
    pub fn features(&self) -> Vec<NamedFeature> {
        let points = self.markers().iter().enumerate().map(|(number, marker)| {
            let (lat, lon) = degrees(marker.place);
            feature(Shape::Point([lon, lat]), name_of(number), vec![(HEIGHT_M, marker.place.height_m)])
        });
        points.chain((self.legs().len() > 0).then(|| self.path_feature())).collect()
    }

    fn path_feature(&self) -> NamedFeature {
        let places: Vec<Geodetic> = self.markers().iter().map(|marker| marker.place).collect();
        let mut measures =
            vec![("length_m", self.total(|leg| leg.ellipsoid_m)), ("ground_length_m", self.total(|leg| leg.surface_m))];
        measures.extend(self.area_m2().map(|area_m2| ("area_m2", area_m2)));
        if let Some(ground) = self.enclosed() {
            measures.extend([
                ("ground_area_m2", ground.surface_m2),
                ("level_m", ground.level_m),
                ("above_level_m3", ground.above_m3),
                ("below_level_m3", ground.below_m3),
            ]);
        }
        let shape = match self.is_closed() {
            true => Shape::Area(vec![ring(self.ellipsoid(), places)]),
            false => Shape::Line(line(self.ellipsoid(), &places)),
        };
        feature(shape, format!("A to {}", name_of(self.end())), measures)
    }
}

fn feature(shape: Shape, name: String, measures: Vec<(&'static str, f64)>) -> NamedFeature {
    NamedFeature { shape, name, note: String::new(), colour: COLOUR, measures }
}

/// Corners of a line along geodesics, longitude and latitude; longitudes go on beyond 180 degrees.
fn line(ellipsoid: Ellipsoid, places: &[Geodetic]) -> Vec<[f64; 2]> {
    let legs = places.windows(2).flat_map(|two| corners_deg(ellipsoid, two[0], two[1]));
    let last = places.last().map(|last| degrees(*last));
    let mut corners: Vec<[f64; 2]> = legs.chain(last.map(|(lat, lon)| [lon, lat])).collect();
    let mut before = corners.first().map_or(0.0, |first| first[0]);
    for [lon, _] in &mut corners {
        // Only whole turns are added: a longitude that needs none stays as it is to the last digit.
        *lon += 360.0 * ((before - *lon) / 360.0).round();
        before = *lon;
    }
    corners
}

/// The ring of a closed path: what it surrounds lies to the left, and one around a pole goes along that too.
fn ring(ellipsoid: Ellipsoid, mut places: Vec<Geodetic>) -> Vec<[f64; 2]> {
    if signed_area_m2(ellipsoid, &places) < 0.0 {
        // From A on, whose longitude is that of its marker.
        places[1..].reverse();
    }
    places.extend(places.first().copied());
    let mut corners = line(ellipsoid, &places);
    let (Some(first), Some(last)) = (corners.first().copied(), corners.last().copied()) else { return corners };
    if (last[0] - first[0]).abs() > 180.0 {
        // To the left of the way east is the north.
        let pole = if last[0] > first[0] { 90.0 } else { -90.0 };
        corners.extend([[last[0], pole], [first[0], pole], first]);
    }
    if let Some(last) = corners.last_mut() {
        // To the last digit.
        *last = first;
    }
    corners
}

#[cfg(all(test, feature = "gdal"))]
mod tests {
    use serde_json::Value;
    use terrain::feature_file::read_features;
    use terrain::feature_writer::VectorFormat;
    use terrain::features::{Feature, Shape, Style};

    use super::*;
    use crate::terrain::flat;

    /// Some markers, closed if there are three or more and that is wanted, and what our own reader finds in their file.
    fn read_back(places: &[(f64, f64)], closes: bool) -> (Markers, Vec<Feature>, Value) {
        let (surface, mut markers) = (flat(100.0), Markers::default());
        for (lat, lon) in places {
            markers.extend(Geodetic::from_degrees(*lat, *lon, 100.0), &surface);
        }
        assert!(!closes || markers.close(&surface));
        let text = VectorFormat::GeoJson.encode(&markers.features()).expect("text");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("markers.geojson");
        std::fs::write(&file, &text).expect("written");
        let features = read_features(&file, &Default::default(), Style::default()).expect("features");
        (markers, features, serde_json::from_slice(&text).expect("JSON"))
    }

    fn is_same(place: [f64; 2], lat: f64, lon: f64) -> bool {
        let turned = (place[0] - lon + 540.0).rem_euclid(360.0) - 180.0;
        (place[1] - lat).abs() < 1e-9 && (turned.abs() < 1e-9 || lat.abs() == 90.0)
    }

    /// Law: what is written is read by our own reader with the same places to 1e-9 degrees, names and colours, and with the lengths and the
    /// area that were measured; near by, across 180 degrees, around both poles, and half around the Earth.
    #[test]
    fn what_is_written_is_read() {
        let near = [(46.0, 7.1), (46.01, 7.2), (46.05, 7.123_456_789_012)];
        let date_line = [(-10.0, 178.0), (-10.0, -178.0), (5.0, -179.0)];
        let north = [(80.0, 10.0), (75.0, 130.0), (70.0, -110.0)];
        let south = [(-70.0, 0.0), (-80.0, -120.0), (-75.0, 120.0)];
        let far = [(48.0, 2.0), (35.0, 139.0), (-33.9, 151.2), (37.7, -122.4), (60.0, -10.0)];
        let poles = [(90.0, 0.0), (0.0, 0.0), (0.0, 90.0)];
        for (places, closes) in [
            (&near[..1], false),
            (&near[..2], false),
            (&near, true),
            (&date_line, false),
            (&date_line, true),
            (&north, true),
            (&south, true),
            (&far, false),
            (&poles, true),
        ] {
            let (markers, features, written) = read_back(places, closes);
            assert_eq!(features.len(), places.len() + usize::from(places.len() > 1), "{places:?}");
            for (number, (feature, (lat, lon))) in features.iter().zip(places).enumerate() {
                let Shape::Point(place) = feature.shape else { panic!("{feature:?}") };
                assert!(is_same(place, *lat, *lon), "{place:?} {lat} {lon}");
                assert_eq!(feature.label.as_ref().map(|label| label.text.clone()), Some(name_of(number)));
                assert_eq!(feature.style.color, [255, 214, 140, 255]);
            }
            let Some(path) = features.get(places.len()) else { continue };
            let corners = match &path.shape {
                Shape::Line(corners) if !closes => corners,
                Shape::Area(rings) if closes && rings.len() == 1 => &rings[0],
                other => panic!("{other:?}"),
            };
            for (lat, lon) in places {
                assert!(corners.iter().any(|corner| is_same(*corner, *lat, *lon)), "{lat} {lon} in {corners:?}");
            }
            let [lon, _] = corners[0];
            assert!((lon - places[0].1).abs() < 1e-9 || places[0].0.abs() == 90.0, "A is elsewhere: {lon}");
            let properties = &written["features"][places.len()]["properties"];
            let length_m: f64 = markers.legs().map(|leg| leg.ellipsoid_m).sum();
            assert_eq!(properties["length_m"].as_f64(), Some(length_m));
            assert_eq!((properties["area_m2"].as_f64(), closes), (markers.area_m2(), markers.area_m2().is_some()));
        }
        assert_eq!(Markers::default().features(), []);
    }

    /// Law: of a ring the surrounded ground lies to the left, whichever way it was clicked, it ends where it begins, and by its own
    /// longitudes and latitudes it is as large as the ground it surrounds, that around a pole with the pole.
    #[test]
    fn rings_go_around_to_the_left() {
        for (places, least, most) in [
            (vec![(46.0, 7.0), (46.0, 8.0), (47.0, 8.0), (47.0, 7.0)], 0.9, 1.1),
            (vec![(-10.0, 178.0), (-10.0, -178.0), (5.0, -179.0)], 20.0, 40.0),
            (vec![(80.0, 0.0), (80.0, 90.0), (80.0, 180.0), (80.0, -90.0)], 1_500.0, 3_600.0),
            (vec![(-80.0, 0.0), (-80.0, 90.0), (-80.0, 180.0), (-80.0, -90.0)], 1_500.0, 3_600.0),
        ] {
            for turns in [false, true] {
                let mut corners: Vec<Geodetic> =
                    places.iter().map(|(lat, lon)| Geodetic::from_degrees(*lat, *lon, 0.0)).collect();
                if turns {
                    corners.reverse();
                }
                let ring = ring(Ellipsoid::WGS84, corners);
                assert_eq!(ring.first(), ring.last());
                let twice: f64 = ring.windows(2).map(|two| two[0][0] * two[1][1] - two[1][0] * two[0][1]).sum();
                assert!((least..most).contains(&(0.5 * twice)), "{places:?} {turns} {}", 0.5 * twice);
            }
        }
    }
}
