//! How is the ground measured, and what is seen from a place?

use std::fs;

use rand::Rng as _;
use serde_json::Value;
use tests::random::rng;

use super::{
    ALPS,
    session::{DesktopSession, MIDDLE, Motion, json},
    view::distance_m,
};

/// Places of the points of a GeoJSON file: degrees and metres.
pub fn points(geojson: &Value) -> Vec<[f64; 3]> {
    let features = geojson["features"].as_array().unwrap();
    let of_points = features.iter().filter(|feature| feature["geometry"]["type"] == "Point");
    let place = |feature: &Value| {
        let at = &feature["geometry"]["coordinates"];
        let height_m = feature["properties"]["height_m"].as_f64().unwrap();
        [at[1].as_f64().unwrap(), at[0].as_f64().unwrap(), height_m]
    };
    of_points.map(place).collect()
}

/// A property of the path of a GeoJSON file.
fn of_path(geojson: &Value, name: &str) -> Option<f64> {
    let features = geojson["features"].as_array().unwrap();
    features.iter().filter(|f| f["geometry"]["type"] != "Point").find_map(|f| f["properties"][name].as_f64())
}

/// Goes on with the path.
fn shift_click(session: &mut DesktopSession, at: (i16, i16)) {
    session.key("Shift", true);
    session.click(1, at);
    session.key("Shift", false);
    session.view();
}

/// The markers, as they are saved.
fn saved(session: &mut DesktopSession) -> Value {
    json(&session.saved("Ctrl+s", "orogen-markers", ".geojson"))
}

/// Law: two clicks mark two places and measure between them; with Shift further ones make a path, and the first one
/// once more an area; Ctrl+Z takes the last one away, Esc all, and then Ctrl+Z brings the path back. What is saved is
/// what was clicked.
#[test]
fn clicks_measure() {
    let mut rng = rng();
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    // Places of the three corners of a triangle, beside the box that tells what is measured.
    let corners = [(240..340, 300..370), (420..560, 140..200), (600..640, 180..220)];
    let corners = corners.map(|(x, y)| (rng.random_range(x), rng.random_range(y)));
    let places = corners.map(|at| session.place(at));
    let away_m = |n: usize, m: usize| distance_m([places[n][0], places[n][1], 0.0], [places[m][0], places[m][1], 0.0]);
    session.press("m");
    // However slow frames are, both count.
    corners[..2].iter().for_each(|corner| session.click(1, *corner));
    session.view();
    let two = saved(&mut session);
    let marked = points(&two);
    assert_eq!(marked.len(), 2, "{two}");
    assert!(marked.iter().zip(places).all(|(marked, place)| distance_m(*marked, place) < 3e3), "{two} {places:?}");
    let length_m = of_path(&two, "length_m").unwrap();
    assert!((length_m / away_m(0, 1) - 1.0).abs() < 0.01, "{two}");
    session.gallery_shot("20-measure", "Two clicks: distance, climb, line of sight and profile.");

    shift_click(&mut session, corners[2]);
    let three = saved(&mut session);
    assert_eq!(points(&three).len(), 3);
    let around_m = away_m(0, 1) + away_m(1, 2);
    assert!((of_path(&three, "length_m").unwrap() / around_m - 1.0).abs() < 0.01, "{three}");
    shift_click(&mut session, corners[0]);
    let area_m2 = of_path(&saved(&mut session), "area_m2").unwrap();
    let [a, b, c] = [away_m(0, 1), away_m(1, 2), away_m(2, 0)];
    let half = 0.5 * (a + b + c);
    let expected_m2 = (half * (half - a) * (half - b) * (half - c)).sqrt();
    assert!((area_m2 / expected_m2 - 1.0).abs() < 0.03, "{area_m2} {expected_m2}");
    let around = saved(&mut session);
    let of = |field: &str| of_path(&around, field).unwrap();
    assert!(of("ground_area_m2") > 0.99 * area_m2 && of("ground_area_m2") < 1.2 * area_m2, "{around}");
    // What lies inside is nowhere as far from the level as heights on Earth are apart.
    assert!(of("above_level_m3") >= 0.0 && of("above_level_m3") + of("below_level_m3") < 2e4 * area_m2, "{around}");
    session.gallery_shot("21-area", "Shift+click goes on with a path, and closes it to an area.");

    session.press("Ctrl+z");
    session.view();
    let open = saved(&mut session);
    assert_eq!((points(&open).len(), of_path(&open, "area_m2")), (3, None));
    session.press("Esc");
    session.view();
    let files = session.files("orogen-markers", "").len();
    session.press("Ctrl+s");
    session.view_at_rest();
    assert_eq!(session.files("orogen-markers", "").len(), files, "there is nothing to save");
    for left in [3, 2] {
        session.press("Ctrl+z");
        session.view();
        assert_eq!(points(&saved(&mut session)).len(), left);
    }
}

/// Law: markers and their path are saved in the format of the settings, whose file has them all.
#[test]
fn markers_are_saved_in_the_format_of_the_settings() {
    let settings = r#"{"reduced_motion": true, "vector_format": "gpx"}"#;
    let settings = format!(r#"{{"format": "orogen-settings", "version": 1, "settings": {settings}}}"#);
    let mut session = DesktopSession::with_settings(&settings, &ALPS);
    session.press("m");
    [(300, 330), (480, 170)].into_iter().for_each(|at| session.click(1, at));
    session.view();
    let file = session.saved("Ctrl+s", "orogen-markers", ".gpx");
    let text = fs::read_to_string(file).unwrap();
    assert_eq!((text.matches("<wpt ").count(), text.matches("<trk>").count()), (2, 1), "{text}");
    assert!(text.contains("<name>A</name>") && text.contains("length_m "), "{text}");
}

/// Law: I tints what is seen from under the cursor, K shows the skyline; Esc ends each, and the picture is as before.
#[test]
fn what_is_seen_is_shown_and_ended() {
    let mut session = DesktopSession::new(Motion::Reduced, &["--at", "46.1,7.7,60000", "--look", "0,-80"]);
    // The hint goes with the first key.
    session.press("n");
    session.point(MIDDLE);
    let plain = session.screenshot_at_rest();
    for (key, name, caption) in [
        ("i", "22-seen", "What is seen from under the cursor is orange."),
        ("k", "23-skyline", "The skyline around the eye."),
    ] {
        session.press(key);
        session.wait_for_difference(key, &plain, |changed| changed > 2_000);
        session.gallery_shot(name, caption);
        session.press("Esc");
        session.wait_for_difference("the picture before", &plain, |changed| changed == 0);
    }
}
