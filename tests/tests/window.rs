//! Does the window show what the headless renderer draws? The program in a virtual X server.

use std::path::Path;

use image::{RgbImage, imageops};
use tests::{
    image_comparison::compare,
    program,
    program::{finish, in_a_display, run},
};

const AT: &str = "15,60,16000000";
const LOOK: &str = "0,-90";
const SIZE: &str = "640x400";

fn open(path: &Path) -> RgbImage {
    image::open(path).unwrap().to_rgb8()
}

/// The middle of a picture, where no text of the head-up display stands.
fn middle(picture: &RgbImage) -> RgbImage {
    let (width, height) = picture.dimensions();
    imageops::crop_imm(picture, width / 4, height / 4, width / 2, height / 2).to_image()
}

#[test]
fn the_window_shows_the_headless_picture() {
    looks_the_same("forward", 60);
}

/// What a compute shader writes reaches the window by a copy.
#[test]
fn the_window_shows_the_headless_picture_shaded_after_the_triangles() {
    looks_the_same("deferred", 20);
}

fn looks_the_same(shading: &str, frames: u32) {
    let folder = tempfile::tempdir().unwrap();
    let (window, headless) = (folder.path().join("window.png"), folder.path().join("headless.png"));
    let same = ["--software", "--samples", "4", "--pixel-error", "1.5", "--at", AT, "--look", LOOK, "--size", SIZE];
    // The window begins with names, borders and stars.
    let same = [&same[..], &["--shading", shading, "--overlays", "none"]].concat();
    let frames = frames.to_string();
    let shot = window.to_str().unwrap();
    let flown = finish(
        &mut in_a_display(program!(), &[&same[..], &["--frames", &frames, "--screenshot", shot]].concat()).command,
    );
    flown.expect_code(0);
    run(program!(), &[&["render"], &same[..], &["-o", headless.to_str().unwrap()]].concat()).expect_code(0);

    let (window, headless) = (open(&window), open(&headless));
    assert_eq!(window.dimensions(), headless.dimensions());
    let difference = compare(&middle(&window), &middle(&headless)).unwrap();
    assert!(difference.is_tolerable(), "{difference:?}");
    // The line of figures is drawn over it.
    assert_ne!(compare(&window, &headless).unwrap().mean, compare(&middle(&window), &middle(&headless)).unwrap().mean);
}

/// Law: settings that cannot be understood are told in one line and set aside, and the flight goes on; so it does with a key that is
/// none, which is told and stays in the file; those that can be understood are used, and an option of the command line leaves them as they are.
#[test]
fn settings_are_used_and_bad_ones_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let (settings, aside) = (folder.path().join("settings.json"), folder.path().join("settings.json.bad"));
    let fly = |more: &[&str]| {
        let words = ["--software", "--pixel-error", "4", "--size", "320x200", "--frames", "5"];
        finish(in_a_display(program!(), &[&words[..], more].concat()).command.env("OROGEN_SETTINGS", &settings))
            .expect_code(0)
    };
    std::fs::write(&settings, "{ \"format\": \"orogen-settings\", \"speed\": \"fast\" }").unwrap();
    let said = fly(&[]).stderr;
    assert!(said.lines().count() == 1 && said.contains("set aside as") && aside.exists(), "{said}");

    let keys = "{\"format\":\"orogen-settings\",\"version\":1,\"settings\":{\"keys\":{\"home\":[\"Hyper+J\"]}}}";
    std::fs::write(&settings, keys).unwrap();
    let said = fly(&[]).stderr;
    assert!(said.lines().count() == 1 && said.contains("Hyper+J") && said.contains("stays H or Home"), "{said}");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), keys);
    std::fs::remove_file(&settings).unwrap();

    let kept = "{\"format\":\"orogen-settings\",\"version\":1,\"settings\":{\"overlays\":[\"slope\"],\"speed\":2.0}}";
    let shot = |name: &str| {
        let path = folder.path().join(name);
        assert_eq!(fly(&["--screenshot", path.to_str().unwrap()]).stderr, "");
        open(&path)
    };
    let plain = shot("plain.png");
    std::fs::write(&settings, kept).unwrap();
    let sloped = shot("sloped.png");
    assert!(!compare(&middle(&plain), &middle(&sloped)).unwrap().is_tolerable(), "the slope is drawn");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), kept, "nothing was changed, so nothing is written");
}

/// Law: the window flies the same path at the same steps as the headless bench, and tells the same parts.
#[test]
fn a_flight_in_the_window_is_measured() {
    let words = ["bench", "--window", "--software", "--path", "poles", "--size", "160x90", "--fps", "1", "--json"];
    let run = finish(&mut in_a_display(program!(), &words).command).expect_code(0);
    let value: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(value["frames"], 26, "{value}");
    let median = |part: &str| value[part]["median"].as_f64().unwrap_or_else(|| panic!("{part}: {value}"));
    assert!(
        median("frame_ms") >= median("record_ms") && median("update_ms") > 0.0 && median("draw_ms") > 0.0,
        "{value}"
    );
    assert!(median("triangles") > 100.0, "{value}");
}

#[test]
fn a_window_cannot_be_made_of_nothing() {
    finish(&mut in_a_display(program!(), &["--size", "0x0"]).command).expect_refusal(2, &["--size"]);
}
