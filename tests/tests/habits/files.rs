//! How are files opened, arranged and taken away?

use std::{
    fs,
    path::{Path, PathBuf},
};

use image::RgbImage;
use serde_json::Value;

use super::{
    desk::{Desk, MIDDLE, Motion},
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
const INSIDE: (i16, i16) = (420, 240);
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
    let mut desk = Desk::new(Motion::Reduced, &["--at", "10,20,3000000"]);
    desk.rest();
    desk.drop_files(&[&raster()]);
    let there = desk.view_that("Jacksboro", |view| distance_m(view.eye, JACKSBORO) < 3e5);
    assert_eq!(names(&desk.scene()), ["jacksboro.tif"], "{there:?}");
    desk.shoot("70-dropped", "A raster was dropped on the window.");

    let [lat, lon, _] = desk.place(MIDDLE);
    let square =
        |d: f64| [[lon - d, lat - d], [lon + d, lat - d], [lon + d, lat + d], [lon - d, lat + d], [lon - d, lat - d]];
    let files = ["one", "two"].map(|name| {
        let geometry = serde_json::json!({"type": "Polygon", "coordinates": [square(0.05)]});
        let feature = serde_json::json!({"type": "Feature", "properties": {"wood": name}, "geometry": geometry});
        let file = desk.folder().join(format!("{name}.geojson"));
        fs::write(&file, serde_json::json!({"type": "FeatureCollection", "features": [feature]}).to_string()).unwrap();
        file
    });
    desk.drop_files(&[&files[0], &files[1]]);
    desk.wait("three files", |desk| Some(desk.scene()).filter(|scene| names(scene).len() == 3));
    assert_eq!(names(&desk.scene()), ["one.geojson", "two.geojson", "jacksboro.tif"]);
    desk.view_that("the areas", |view| distance_m(view.eye, [lat, lon, 0.0]) < 2e4);
    let fields = desk.copied(|desk| desk.choose(INSIDE, FIELDS_PX), false);
    assert_eq!(fields, "wood: two");
    desk.open_menu(INSIDE);
    desk.shoot("71-fields", "The menu of a place tells the fields of the features there.");
    desk.press("Esc");

    desk.press("Ctrl+Down");
    desk.view();
    desk.press("Ctrl+Shift+Down");
    let is_so = |desk: &mut Desk, expected: &[&str]| Some(()).filter(|()| names(&desk.scene()) == expected);
    desk.wait("the other order", |desk| is_so(desk, &["two.geojson", "one.geojson", "jacksboro.tif"]));
    desk.shoot("72-layers", "Ctrl and arrows choose and move files.");
    desk.press("Ctrl+Delete");
    desk.wait("two files", |desk| is_so(desk, &["one.geojson", "jacksboro.tif"]));
    let plain = desk.see();
    desk.press("Ctrl+o");
    desk.see_differing("the list of files", &plain, |changed| changed > 50_000);
    let all = desk.see();
    desk.write("two.geojson");
    desk.see_differing("the file that fits", &all, |changed| changed > 2_000);
    desk.shoot_now("73-choose", "Ctrl+O chooses files.");
    desk.press("Enter");
    desk.wait("three files again", |desk| is_so(desk, &["one.geojson", "two.geojson", "jacksboro.tif"]));
    desk.press("h");
    desk.view_that("home", |view| distance_m(view.eye, JACKSBORO) > 1e6);
    desk.press("Ctrl+Down");
    desk.view();
    desk.press("Ctrl+Home");
    desk.view_that("all of a file", |view| distance_m(view.eye, JACKSBORO) < 3e5);
}

/// Law: a button of the layers draws heights so many times as high, over the same view, and the scene says so; what was
/// seen stays until the new ground is there; one more press of the key closes the layers.
#[test]
fn heights_are_drawn_higher() {
    let mut desk = Desk::new(Motion::Reduced, &["--at", "46.1,7.7,9000", "--look", "0,-20"]);
    let plain = desk.see_still();
    let before = desk.rest();
    assert_eq!(desk.scene()["exaggeration"], 1.0);
    desk.press("F3");
    desk.point((780, 300));
    desk.see_still();
    desk.wheel((780, 300), -40);
    desk.see_still();
    // The button of what is drawn now is marked; right of it is that of more.
    let [right, middle] = desk.marked();
    desk.click(1, (right + 16, middle));
    desk.wait("other heights", |desk| Some(()).filter(|()| desk.title() != "Orogen"));
    let mut seen = Vec::new();
    let mut flying = 0;
    desk.wait("the flight", |desk| {
        seen.push(desk.see());
        // Its first frames, too.
        flying += usize::from(desk.title() == "Orogen");
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
    assert_eq!(desk.scene()["exaggeration"], 1.5);
    desk.shoot("74-exaggeration", "Heights are drawn 1.5 times as high.");
    desk.press("F3");
    let after = desk.rest();
    // It is raised where the ground comes closer.
    assert!(after.eye[..2] == before.eye[..2] && after.pitch_deg == before.pitch_deg, "{before:?} {after:?}");
    desk.see_differing("higher ground", &plain, |changed| changed > 50_000);
}
