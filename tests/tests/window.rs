//! Does the window show what the headless renderer draws? The program in a virtual X server.

use std::{path::Path, process::Command};

use image::{RgbImage, imageops};
use tests::{
    picture::compare,
    program,
    program::{bare, finish, run},
};

const AT: &str = "15,60,16000000";
const LOOK: &str = "0,-90";
const SIZE: &str = "640x400";

/// The program inside `xvfb-run`, which gives it a display of its own.
fn in_a_display(arguments: &[&str]) -> Command {
    let program = bare(program!());
    let mut command = Command::new("xvfb-run");
    command.args(["-a", "-s", "-screen 0 1024x768x24"]).arg(program.get_program()).args(arguments);
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

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
    let folder = tempfile::tempdir().unwrap();
    let (window, headless) = (folder.path().join("window.png"), folder.path().join("headless.png"));
    let same = ["--software", "--samples", "4", "--pixel-error", "1.5", "--at", AT, "--look", LOOK, "--size", SIZE];
    let shot = window.to_str().unwrap();
    let flown = finish(&mut in_a_display(&[&same[..], &["--frames", "60", "--screenshot", shot]].concat()));
    flown.expect_code(0);
    run(program!(), &[&["render"], &same[..], &["-o", headless.to_str().unwrap()]].concat()).expect_code(0);

    let (window, headless) = (open(&window), open(&headless));
    assert_eq!(window.dimensions(), headless.dimensions());
    let difference = compare(&middle(&window), &middle(&headless)).unwrap();
    assert!(difference.is_tolerable(), "{difference:?}");
    // The line of figures is drawn over it.
    assert_ne!(compare(&window, &headless).unwrap().mean, compare(&middle(&window), &middle(&headless)).unwrap().mean);
}

#[test]
fn a_window_cannot_be_made_of_nothing() {
    finish(&mut in_a_display(&["--size", "0x0"])).expect_refusal(2, &["--size"]);
}
