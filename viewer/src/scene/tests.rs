//! Is a scene loaded as its options say?

use super::*;
use terrain::geodesy::Ellipsoid;

/// Law: a file of water is read once for an option and its clones, and again only where it could not be read.
#[test]
fn a_file_of_water_is_read_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lakes.geojson");
    let options = SceneOptions::default().with_water(Some(WaterFile::new(path.clone())));
    assert!(options.drawn_water(Ellipsoid::WGS84).is_err(), "it is not there");
    let ring = "[[10,45],[10.1,45],[10.1,45.1],[10,45]]";
    let lake =
        format!(r#"{{"type":"Feature","properties":{{}},"geometry":{{"type":"Polygon","coordinates":[{ring}]}}}}"#);
    std::fs::write(&path, format!(r#"{{"type":"FeatureCollection","features":[{lake}]}}"#)).expect("written");
    let first = options.drawn_water(Ellipsoid::WGS84).expect("lakes").expect("drawn");
    std::fs::remove_file(&path).expect("removed");
    let again = options.clone().with_fov_deg(30.0).water(Ellipsoid::WGS84).expect("still known");
    assert!(Arc::ptr_eq(&first, &again));
}
