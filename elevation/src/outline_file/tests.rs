use std::fs;

use rand::Rng;

use super::*;
use crate::{
    geodesy::n_vector,
    random,
    water::{Cover, Water},
};

/// A file of features, each with its properties and its geometry.
fn file(crs: &str, features: &[(&str, String)]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("water.geojson");
    let features: Vec<String> = features
        .iter()
        .map(|(properties, geometry)| {
            format!(r#"{{"type": "Feature", "properties": {{{properties}}}, "geometry": {geometry}}}"#)
        })
        .collect();
    fs::write(&path, format!(r#"{{"type": "FeatureCollection", {crs}"features": [{}]}}"#, features.join(","))).unwrap();
    (folder, path)
}

fn polygon(rings: &[&[[f64; 2]]]) -> String {
    format!(r#"{{"type": "Polygon", "coordinates": {:?}}}"#, rings)
}

/// A closed square around a place.
fn square([x, y]: [f64; 2], half: f64) -> Vec<[f64; 2]> {
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]]
        .map(|[a, b]| [x + a * half, y + b * half])
        .to_vec()
}

fn at(water: &Water, lat_deg: f64, lon_deg: f64) -> Cover<'_> {
    water.at(n_vector(lat_deg.to_radians(), lon_deg.to_radians()))
}

/// Law: places in a polygon and in none of its holes are in the lake, whichever way its rings go round, also over 180 degrees and far from
/// where lines of longitude and latitude are great circles; elsewhere all is as it was.
#[test]
fn polygons_are_lakes_whichever_way_they_go() {
    let mut rng = random::rng();
    for case in 0..20 {
        let (lon, lat) = match case % 4 {
            0 => (180.0, rng.random_range(-60.0..60.0)),
            _ => (rng.random_range(-170.0..170.0), rng.random_range(-75.0..75.0)),
        };
        // Edges across 180 degrees are at most 15 degrees long: a longer one could go the other way.
        let most: f64 = if case % 4 == 0 { 7.5 } else { 10.0 };
        let half = 10f64.powf(rng.random_range(-2.0..most.log10()));
        let (mut outer, mut hole) = (square([lon, lat], half), square([lon, lat], 0.4 * half));
        for ring in [&mut outer, &mut hole] {
            if rng.random() {
                ring.reverse();
            }
            // As files have them that end at 180 degrees.
            ring.iter_mut().for_each(|[lon, _]| *lon = (*lon + 180.0).rem_euclid(360.0) - 180.0);
        }
        let (_folder, path) = file("", &[(r#""name": "Tarn", "level_m": -3.5"#, polygon(&[&outer, &hole]))]);
        let outlines = read_outlines(&path).unwrap();
        let expected = Lake { name: "Tarn".to_owned(), level_m: Some(-3.5) };
        assert_eq!(outlines[0].body, Body::Lake(expected.clone()));
        let water = Water::earth_with(outlines);
        for _ in 0..200 {
            let [x, y] = [0, 1].map(|_| rng.random_range(-1.5..1.5) * half);
            let far = f64::max(f64::abs(x), f64::abs(y)) / half;
            // Edges are stored to metres.
            let to_edge_deg = half * f64::min((far - 1.0).abs(), (far - 0.4).abs());
            if to_edge_deg < 1e-3 || (lat + y).abs() > 89.0 {
                continue;
            }
            let found = at(&water, lat + y, lon + x);
            match (0.4..1.0).contains(&far) {
                true => assert_eq!(found, Cover::Lake(&expected), "case {case}: {lat} {lon} {half}, {x} {y}"),
                false if matches!(at(Water::earth(), lat + y, lon + x), Cover::Lake(_)) => {}
                false => {
                    assert_eq!(found, at(Water::earth(), lat + y, lon + x), "case {case}: {lat} {lon} {half}, {x} {y}")
                }
            }
        }
    }
}

#[test]
fn lakes_that_ship_give_way_and_land_takes_the_place_of_all_land() {
    // The middle of Lake Geneva, in Swiss coordinates.
    let most = square([530_000.0, 140_000.0], 22_000.0);
    let crs = r#""crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::21781"}}, "#;
    assert!(matches!(at(Water::earth(), 46.45, 6.55), Cover::Lake(_)));
    let (_folder, path) = file(crs, &[(r#""name": "Lac""#, polygon(&[&most]))]);
    let water = Water::earth_with(read_outlines(&path).unwrap());
    assert_eq!(at(&water, 46.41, 6.55), Cover::Lake(&Lake { name: "Lac".to_owned(), level_m: None }));
    assert_eq!(at(&water, 46.40, 6.87), Cover::Land, "the rest of the lake that ships");
    assert!(matches!(at(&water, 47.7, -87.5), Cover::Lake(lake) if lake.name == "Lake Superior"));

    // An island in an ocean that covers all else; lakes stay.
    let (_folder, path) = file("", &[(r#""cover": "land""#, polygon(&[&square([-30.0, 30.0], 2.0)]))]);
    let water = Water::earth_with(read_outlines(&path).unwrap());
    assert_eq!(at(&water, 31.0, -29.0), Cover::Land);
    assert_eq!(at(&water, 40.7, -100.0), Cover::Sea);
    assert!(matches!(at(&water, 47.7, -87.5), Cover::Lake(_)));
}

#[test]
fn what_is_no_outline_is_told() {
    let square = polygon(&[&square([5.0, 5.0], 1.0)]);
    let folder = tempfile::tempdir().unwrap();
    let missing = read_outlines(&folder.path().join("none.gpkg")).unwrap_err().to_string();
    assert!(missing.contains("no such file"), "{missing}");
    let text = folder.path().join("text.gpkg");
    fs::write(&text, "no package").unwrap();
    let refused = |path: &Path| read_outlines(path).unwrap_err().to_string();
    assert!(refused(&text).contains("ogr2ogr"), "{}", refused(&text));
    let (_folder, path) = file("", &[("", r#"{"type": "Point", "coordinates": [7, 46]}"#.to_owned())]);
    assert!(refused(&path).contains("no polygons"), "{}", refused(&path));
    let (_folder, path) = file("", &[("", "null".to_owned()), (r#""cover": "swamp""#, square.clone())]);
    assert!(refused(&path).contains(r#"cover="swamp": expected lake or land"#), "{}", refused(&path));
    let (_folder, path) = file("", &[("", polygon(&[&[[0.0, 0.0], [5.0, 95.0], [9.0, 0.0], [0.0, 0.0]]]))]);
    assert!(refused(&path).contains("not on the Earth"), "{}", refused(&path));
    let (_folder, path) = file("", &[("", polygon(&[&[[0.0, 0.0], [150.0, 0.0], [20.0, 40.0], [0.0, 0.0]]]))]);
    assert!(refused(&path).contains("third around the Earth"), "{}", refused(&path));
    let (_folder, path) =
        file("", &[("", polygon(&[&[[-180.0, -9.0], [180.0, -9.0], [180.0, 9.0], [-180.0, 9.0], [-180.0, -9.0]]]))]);
    assert!(refused(&path).contains("third around the Earth"), "{}", refused(&path));
    // What goes there and back has no inside, and other features are read.
    let line = polygon(&[&[[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]]]);
    let (_folder, path) = file("", &[("", line), (r#""cover": "lake", "level_m": "n/a""#, square)]);
    let read = read_outlines(&path).unwrap();
    assert!(matches!(&read[..], [Outline { body: Body::Lake(Lake { level_m: None, .. }), .. }]), "{read:?}");
}

/// Law: a file on disk has nothing fetched, whatever addresses it names.
#[test]
fn addresses_in_files_are_not_asked() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let address = server.local_addr().unwrap();
    let crs =
        format!(r#""crs": {{"type": "link", "properties": {{"href": "http://{address}/crs", "type": "proj4"}}}}, "#);
    let (_folder, path) = file(&crs, &[("", polygon(&[&square([5.0, 5.0], 1.0)]))]);
    // Refused, or read without it.
    let _read = read_outlines(&path);
    for name in [format!("http://{address}/a.geojson"), format!("GEOJSON:http://{address}/a.geojson")] {
        assert!(read_outlines(Path::new(&name)).unwrap_err().to_string().contains("no such file"));
    }
    assert_eq!(server.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}
