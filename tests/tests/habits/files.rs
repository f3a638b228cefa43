//! How are files opened, arranged and taken away?

use std::{
    fs,
    path::{Path, PathBuf},
};

use image::RgbImage;
use serde_json::Value;

use super::{
    session::{DesktopSession, MIDDLE, Motion, json},
    view::distance_m,
};

/// The raster of a place that ships with the source.
fn raster() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jacksboro.tif").canonicalize().unwrap()
}

/// Its middle.
const JACKSBORO: [f64; 3] = [36.5, -84.3, 300.0];

/// A place on the areas that a test drops, and the line of the menu there that copies the fields of the topmost, pixels
/// below it.
const INSIDE: (i16, i16) = (330, 214);
const FIELDS_PX: i16 = 229;

/// Names of the files of a scene: vector data, the last on top, and elevation.
fn names(scene: &Value) -> Vec<String> {
    let of_kind = |kind: &str| scene[kind].as_array().cloned().unwrap_or_default();
    let files = ["vectors", "elevation"].map(of_kind).concat();
    let name = |file: &Value| file["file"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    files.iter().map(name).collect()
}

/// Law: a file that is dropped on the window is opened, and the camera flies to it; the fields of a feature are in the
/// menu of its place; Ctrl with arrows and Delete arranges the files, and a saved scene has them as they lie.
#[test]
fn files_are_dropped_and_arranged() {
    let mut session = DesktopSession::new(Motion::Reduced, &["--at", "10,20,3000000"]);
    session.view_at_rest();
    session.drop_files(&[&raster()]);
    let there = session.view_that("Jacksboro", |view| distance_m(view.eye, JACKSBORO) < 3e5);
    assert_eq!(names(&session.scene()), ["jacksboro.tif"], "{there:?}");
    session.gallery_shot("70-dropped", "A raster was dropped on the window.");

    let [lat, lon, _] = session.place(MIDDLE);
    let square =
        |d: f64| [[lon - d, lat - d], [lon + d, lat - d], [lon + d, lat + d], [lon - d, lat + d], [lon - d, lat - d]];
    let files = ["one", "two"].map(|name| {
        let geometry = serde_json::json!({"type": "Polygon", "coordinates": [square(0.05)]});
        let feature = serde_json::json!({"type": "Feature", "properties": {"wood": name}, "geometry": geometry});
        let file = session.folder().join(format!("{name}.geojson"));
        fs::write(&file, serde_json::json!({"type": "FeatureCollection", "features": [feature]}).to_string()).unwrap();
        file
    });
    // What cannot be opened is told, and the window rests.
    let text = session.folder().join("notes.txt");
    fs::write(&text, "nothing to draw").unwrap();
    session.drop_files(&[&text]);
    session.wait("why it is not opened", |session| session.stderr_so_far().contains("notes.txt").then_some(()));
    session.screenshot_at_rest();
    session.drop_files(&[&files[0], &files[1]]);
    session.wait("three files", |session| Some(session.scene()).filter(|scene| names(scene).len() == 3));
    assert_eq!(names(&session.scene()), ["one.geojson", "two.geojson", "jacksboro.tif"]);
    session.view_that("the areas", |view| distance_m(view.eye, [lat, lon, 0.0]) < 2e4);
    session.screenshot_at_rest();
    let fields = session.copied(|session| session.choose(INSIDE, FIELDS_PX), false);
    assert_eq!(fields, "wood: two");
    session.open_menu(INSIDE);
    session.gallery_shot("71-fields", "The menu of a place tells the fields of the features there.");
    session.press("Esc");

    session.press("Ctrl+Down");
    session.view();
    session.press("Ctrl+Shift+Down");
    let is_so =
        |session: &mut DesktopSession, expected: &[&str]| Some(()).filter(|()| names(&session.scene()) == expected);
    session.wait("the other order", |session| is_so(session, &["two.geojson", "one.geojson", "jacksboro.tif"]));
    session.gallery_shot("72-layers", "Ctrl and arrows choose and move files.");
    session.press("Ctrl+h");
    session.wait("a hidden file", |session| Some(()).filter(|()| session.scene()["vectors"][0]["hidden"] == true));
    session.press("Ctrl+Delete");
    session.wait("two files", |session| is_so(session, &["one.geojson", "jacksboro.tif"]));
    let plain = session.screenshot();
    session.press("Ctrl+o");
    session.wait_for_difference("the list of files", &plain, |changed| changed > 50_000);
    let all = session.screenshot();
    session.write("two.geojson");
    session.wait_for_difference("the file that fits", &all, |changed| changed > 2_000);
    session.gallery_shot_now("73-choose", "Ctrl+O chooses files.");
    session.press("Enter");
    session.wait("three files again", |session| is_so(session, &["one.geojson", "two.geojson", "jacksboro.tif"]));
    session.press("h");
    session.view_that("home", |view| distance_m(view.eye, JACKSBORO) > 1e6);
    session.press("Ctrl+Down");
    session.view();
    session.press("Ctrl+Home");
    session.view_that("all of a file", |view| distance_m(view.eye, JACKSBORO) < 3e5);
}

/// Law: a place that is named in its menu is in the file beside the settings and is drawn there; its menu says what was said of it, and
/// removes it; scenes are without it.
#[test]
fn places_are_named() {
    /// Lines of the menu, pixels below the place: there alone, and with the fields of a placemark.
    const ADD_PX: i16 = 198;
    const COPY_PX: i16 = 200;
    const REMOVE_PX: i16 = 361;
    let mut session = DesktopSession::new(Motion::Reduced, &["--at", "45.97,7.3,9000", "--look", "90,-20"]);
    session.screenshot_at_rest();
    let [lat, lon, _] = session.place(INSIDE);
    session.choose(INSIDE, ADD_PX);
    // The sample of the first colour is seen: what is typed is for the box.
    let is_sample = |pixel: &&image::Rgb<u8>| pixel.0 == [230, 159, 0];
    session.wait("the box", |session| (session.screenshot().pixels().filter(is_sample).count() > 200).then_some(()));
    session.write("Base camp");
    session.press("Enter");
    let file = session.folder().join("placemarks.geojson");
    let count = |file: &Path| {
        fs::read(file).ok().map(|text| serde_json::from_slice::<Value>(&text).unwrap()["features"].clone())
    };
    let kept = session.wait("a placemark", |_| count(&file));
    assert_eq!(kept[0]["properties"]["name"], "Base camp", "{kept}");
    let at = &kept[0]["geometry"]["coordinates"];
    assert!(distance_m([at[1].as_f64().unwrap(), at[0].as_f64().unwrap(), 0.0], [lat, lon, 0.0]) < 100.0, "{kept}");
    let drawn = session.screenshot_at_rest();
    assert!(session.scene()["vectors"].is_null());
    // Without markers they are what is saved.
    let saved = json(&session.saved("Ctrl+s", "orogen-placemarks", ".geojson"));
    assert_eq!(saved["features"][0]["properties"], kept[0]["properties"], "{saved}");
    let fields = session.copied(|session| session.choose(INSIDE, COPY_PX), false);
    assert_eq!(fields, "marker-color: #e69f00\nname: Base camp");
    session.choose(INSIDE, REMOVE_PX);
    session.wait("no placemark", |_| count(&file).filter(|left| left.as_array().is_some_and(Vec::is_empty)));
    session.point((900, 300));
    session.wait_for_difference("it is gone", &drawn, |changed| changed > 100);
}

/// Law: a button of the layers draws heights so many times as high, over the same view, and the scene says so; what was
/// seen stays until the new ground is there; one more press of the key closes the layers.
#[test]
fn heights_are_drawn_higher() {
    let mut session = DesktopSession::new(Motion::Reduced, &["--at", "46.1,7.7,9000", "--look", "0,-20"]);
    let plain = session.screenshot_at_rest();
    let before = session.view_at_rest();
    assert_eq!(session.scene()["exaggeration"], 1.0);
    session.press("F3");
    session.point((780, 300));
    session.screenshot_at_rest();
    session.wheel((780, 300), -40);
    session.screenshot_at_rest();
    // The button of what is drawn now is marked; right of it is that of more.
    let [right, middle] = session.marked();
    session.click(1, (right + 16, middle));
    session.wait("other heights", |session| Some(()).filter(|()| session.title() != "Orogen"));
    let mut seen = Vec::new();
    let mut flying = 0;
    session.wait("the flight", |session| {
        seen.push(session.screenshot());
        // Its first frames, too.
        flying += usize::from(session.title() == "Orogen");
        Some(()).filter(|()| flying > 60)
    });
    // Beside the layers; in the middle a note tells what is waited for.
    let ground = |picture: &RgbImage| {
        let part = image::imageops::crop_imm(picture, 0, 360, 600, 160).to_image();
        part.pixels().map(|pixel| pixel.0.map(f64::from)).collect::<Vec<_>>()
    };
    let (was, len) = (ground(&plain), ground(&plain).len() as f64);
    for (number, picture) in seen.iter().enumerate() {
        let now = ground(picture);
        let off = now.iter().zip(&was).flat_map(|(now, was)| (0..3).map(|c| (now[c] - was[c]).abs()));
        let off = off.sum::<f64>() / (3.0 * len);
        assert!(off < 30.0, "picture {number} of {}: {off}", seen.len());
    }
    assert_eq!(session.scene()["exaggeration"], 1.5);
    session.gallery_shot("74-exaggeration", "Heights are drawn 1.5 times as high.");
    session.press("F3");
    let after = session.view_at_rest();
    // It is raised where the ground comes closer.
    assert!(after.eye[..2] == before.eye[..2] && after.pitch_deg == before.pitch_deg, "{before:?} {after:?}");
    session.wait_for_difference("higher ground", &plain, |changed| changed > 50_000);
}
