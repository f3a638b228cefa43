//! Is what is written what our own reader finds?

use rand::{Rng as _, rngs::StdRng, seq::IndexedRandom as _};

use super::{HEIGHT_M, NamedFeature, VectorFormat};
use crate::{
    feature_file::read_features,
    features::{Attributes, Feature, LonLat, Shape, Style},
    random::rng,
};

const FORMATS: [VectorFormat; 4] =
    [VectorFormat::GeoJson, VectorFormat::Kml, VectorFormat::Gpx, VectorFormat::GeoPackage];
/// What is hard to write, and what is not.
const PIECES: [&str; 24] = [
    "<",
    "&",
    "\"",
    "'",
    ">",
    "]]>",
    "&amp;",
    "<b>",
    "<![CDATA[",
    "%s",
    "\\",
    "/",
    "{",
    "#",
    ";",
    ",",
    "0",
    "null",
    "é",
    "е\u{301}",
    "水",
    "שלום",
    "😀",
    "👩\u{200d}🚀",
];

/// A text of one line: words of pieces.
fn words(rng: &mut StdRng) -> String {
    let word =
        |rng: &mut StdRng| -> String { (0..rng.random_range(1..4)).map(|_| *PIECES.choose(rng).unwrap()).collect() };
    let words: Vec<String> = (0..rng.random_range(1..4)).map(|_| word(rng)).collect();
    words.join(" ").chars().take(60).collect::<String>().trim().to_owned()
}

/// A place anywhere; poles and 180 degrees are frequent.
fn place(rng: &mut StdRng) -> LonLat {
    let lon = [-180.0, 180.0, 0.0, rng.random_range(-180.0..180.0), rng.random_range(-180.0..180.0)];
    let lat = [-90.0, 90.0, 0.0, rng.random_range(-90.0..90.0), rng.random_range(-90.0..90.0)];
    [*lon.choose(rng).unwrap(), *lat.choose(rng).unwrap()]
}

fn point(rng: &mut StdRng) -> NamedFeature {
    NamedFeature {
        shape: Shape::Point(place(rng)),
        name: words(rng),
        note: if rng.random() { words(rng) } else { String::new() },
        colour: [rng.random(), rng.random(), rng.random(), 255],
        measures: if rng.random() { vec![(HEIGHT_M, rng.random_range(-11_000.0..9_000.0))] } else { Vec::new() },
    }
}

fn read_back(format: VectorFormat, features: &[NamedFeature]) -> Vec<Feature> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("features").with_extension(format.extension());
    std::fs::write(&file, format.encode(features).unwrap()).unwrap();
    read_features(&file, &Default::default(), Style::default()).unwrap()
}

/// Law: GPX has longitudes of -180 and more, and below 180, as its schema says.
#[test]
fn longitudes_of_gpx_are_below_180() {
    let line = Shape::Line(vec![[170.0, 1.0], [180.0, 2.0], [190.0, 3.0]]);
    let shapes = [Shape::Point([180.0, 0.0]), Shape::Point([-180.0, 0.0]), line];
    let named = |shape| NamedFeature {
        shape,
        name: String::from("A"),
        note: String::new(),
        colour: [0, 0, 0, 255],
        measures: Vec::new(),
    };
    let text = VectorFormat::Gpx.encode(&shapes.map(named)).expect("GPX");
    let text = String::from_utf8(text).expect("text");
    let lons: Vec<f64> =
        text.split("lon=\"").skip(1).map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect();
    assert!(lons.len() >= 5 && lons.iter().all(|lon| (-180.0..180.0).contains(lon)), "{text}");
}

fn is_same(a: LonLat, b: LonLat) -> bool {
    let turned = (a[0] - b[0] + 540.0).rem_euclid(360.0) - 180.0;
    (a[1] - b[1]).abs() < 1e-7 && (turned.abs() < 1e-7 || a[1].abs() == 90.0)
}

/// What is said of a feature in fields of these names, on one line.
fn field<'a>(feature: &'a Feature, names: [&str; 2]) -> Option<&'a str> {
    let mut fields = feature.attributes.iter().flat_map(Attributes::iter);
    fields.find(|(name, _)| names.iter().any(|known| name.eq_ignore_ascii_case(known))).map(|(_, text)| text)
}

/// Law: points of any names anywhere on the Earth that are written in any format are read by our own reader in their order, at their places
/// to 1e-7 degrees, with their names, notes and heights, and in GeoJSON and GeoPackages with their colours.
#[test]
fn points_are_read_as_they_are_written() {
    let mut rng = rng();
    for _ in 0..20 {
        let count = rng.random_range(1..30);
        let written: Vec<NamedFeature> = (0..count).map(|_| point(&mut rng)).collect();
        for format in FORMATS {
            let found = read_back(format, &written);
            assert_eq!(found.len(), written.len(), "{format:?}");
            for (found, written) in found.iter().zip(&written) {
                let (Shape::Point(at), Shape::Point(expected)) = (&found.shape, &written.shape) else {
                    panic!("{format:?} {found:?}")
                };
                assert!(is_same(*at, *expected), "{format:?} {at:?} {expected:?}");
                assert_eq!(found.label.as_ref().map(|label| &label.text), Some(&written.name), "{format:?}");
                assert_eq!(field(found, ["description", "desc"]).unwrap_or_default(), written.note, "{format:?}");
                let height_m = field(found, [HEIGHT_M, "ele"]).map(|text| text.parse::<f64>().unwrap());
                let off_m = height_m.zip(written.height_m()).map_or(0.0, |(found, written)| (found - written).abs());
                assert!(height_m.is_some() == written.height_m().is_some() && off_m < 1e-6, "{format:?} {found:?}");
                if matches!(format, VectorFormat::GeoJson | VectorFormat::GeoPackage) {
                    assert_eq!(found.style.color, written.colour, "{format:?}");
                }
            }
        }
    }
}

/// Law: a line, also one with a long edge across 180 degrees, is read with all of its corners in all formats and goes the same way; so does
/// what surrounds an area, which is a track in GPX.
#[test]
fn lines_and_areas_are_read_as_they_are_written() {
    let of = |shape| NamedFeature {
        shape,
        name: String::from("A to C"),
        note: String::new(),
        colour: [255, 214, 140, 255],
        measures: vec![("length_m", 1234.5)],
    };
    let span = |line: &[LonLat]| {
        let lons = line.iter().map(|[lon, _]| *lon);
        lons.clone().fold(f64::MIN, f64::max) - lons.fold(f64::MAX, f64::min)
    };
    for corners in [
        vec![[7.0, 46.0], [8.25, 46.5], [8.0, 47.123_456_789]],
        vec![[150.0, 0.0], [210.0, 10.0], [200.0, -20.0]],
        vec![[-170.0, 60.0], [-181.0, 70.0], [-195.0, 50.0]],
    ] {
        let ring = [corners.clone(), corners[..1].to_vec()].concat();
        for shape in [Shape::Line(corners.clone()), Shape::Area(vec![ring])] {
            for format in FORMATS {
                let found = read_back(format, &[of(shape.clone())]);
                assert_eq!(found.len(), 1, "{format:?} {found:?}");
                let line = match (&found[0].shape, &shape) {
                    (Shape::Line(line), Shape::Line(_)) => line,
                    (Shape::Line(line), Shape::Area(_)) if format == VectorFormat::Gpx => line,
                    (Shape::Area(rings), Shape::Area(_)) => &rings[0],
                    other => panic!("{format:?} {other:?}"),
                };
                for corner in &corners {
                    assert!(line.iter().any(|at| is_same(*at, *corner)), "{format:?} {corner:?} in {line:?}");
                }
                assert!((span(line) - span(&corners)).abs() < 1e-6, "{format:?} {line:?}");
                let told = field(&found[0], ["length_m", "desc"]).unwrap();
                assert!(told.ends_with("1234.5"), "{format:?} {told}");
            }
        }
    }
}
