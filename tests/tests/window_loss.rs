//! What becomes of a flight in the window whose device is lost? The program as it is, on lavapipe, in a virtual X server.
//!
//! Driven: winit's loop, the surface and its swapchain, a frame whose submission answers VK_ERROR_DEVICE_LOST with a picture
//! acquired and not shown, the new adapter, device and swapchain of the same window, the planet loaded again, and the frames
//! after it. The loss comes from below: a layer of Vulkan between wgpu and lavapipe takes the device away
//! (`window_loss/layer.rs`); the program has no part in it.
//!
//! Not driven: a loss that only a fence or the display tells (on lavapipe every loss is told by a submission), a driver that does
//! not come back, and other backends than Vulkan.
#![cfg(target_os = "linux")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use image::imageops;
use tempfile::TempDir;
use tests::{
    image_comparison::compare,
    program,
    program::{Run, finish, in_a_display},
};

/// The layer, made for the test, and where the loader of Vulkan finds it.
fn layer() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/window_loss/layer.rs");
    let library = folder.path().join("libtakes_devices_away.so");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-o"]).arg(&library).arg(source);
    let made = rustc.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let manifest = r#"{ "file_format_version": "1.2.0", "layer": {
        "name": "VK_LAYER_OROGEN_takes_devices_away", "type": "GLOBAL", "library_path": "./libtakes_devices_away.so",
        "api_version": "1.3.0", "implementation_version": "1", "description": "Takes devices away" } }"#;
    fs::write(folder.path().join("layer.json"), manifest).unwrap();
    folder
}

/// Flies for some frames and takes a picture of the last, while devices are lost after so many drawings of the planet. A picture that rests is
/// drawn once.
fn fly(layer: &TempDir, losses: &str, more: &[&str]) -> (Run, PathBuf) {
    let shot = layer.path().join(format!("lost-{losses}.png"));
    let words = ["--software", "--samples", "4", "--pixel-error", "0.2", "--size", "640x400", "--frames", "40"];
    let place = ["--at", "15,60,16000000", "--look", "0,-90", "--screenshot", shot.to_str().unwrap()];
    let mut windowed = in_a_display(program!(), &[&words[..], &place, more].concat());
    let command = &mut windowed.command;
    command.env("VK_LAYER_PATH", layer.path());
    command.env("VK_INSTANCE_LAYERS", "VK_LAYER_OROGEN_takes_devices_away").env("OROGEN_LOSSES", losses);
    (finish(command), shot)
}

/// Law: a flight whose device is lost says so in one line, goes on where it was, and its last picture is that of a flight without
/// a loss; what is kept on the way is kept.
#[test]
fn a_flight_goes_on_after_a_loss() {
    let layer = layer();
    let (whole, expected) = fly(&layer, "", &[]);
    assert_eq!(whole.expect_code(0).stderr, "");
    let (lost, picture) = fly(&layer, "1", &[]);
    let said = lost.expect_code(0).stderr;
    assert!(said.lines().count() == 1 && said.contains("was lost") && said.contains("goes on"), "{said}");
    let middle = |path: &Path| {
        let picture = image::open(path).unwrap().to_rgb8();
        let (width, height) = picture.dimensions();
        imageops::crop_imm(&picture, width / 4, height / 4, width / 2, height / 2).to_image()
    };
    let difference = compare(&middle(&picture), &middle(&expected)).unwrap();
    assert!(difference.is_tolerable(), "{difference:?}");
}

/// Law: a device that is lost again at once ends the flight with one line more and a code, not with a panic or without end.
#[test]
fn a_second_loss_at_once_ends_the_flight() {
    let layer = layer();
    let (run, picture) = fly(&layer, "1,1", &[]);
    let said = run.expect_code(1).stderr;
    assert!(said.lines().count() == 2 && said.contains("second time within 10 s"), "{said}");
    assert!(said.contains("--software") && !said.contains("internal error") && !picture.exists(), "{said}");
}

/// Law: a device that is lost before the planet was ever seen in full, or with which frames are measured, ends the program with
/// one line.
#[test]
fn losses_that_are_not_survived() {
    let layer = layer();
    let words = ["bench", "--window", "--software", "--path", "poles", "--size", "160x90", "--fps", "1", "--json"];
    let mut windowed = in_a_display(program!(), &[&words[..], &["--pixel-error", "0.05"]].concat());
    let command = &mut windowed.command;
    command.env("VK_LAYER_PATH", layer.path());
    command.env("VK_INSTANCE_LAYERS", "VK_LAYER_OROGEN_takes_devices_away").env("OROGEN_LOSSES", "3");
    let run = finish(command).expect_code(1);
    assert!(run.stdout.is_empty() && run.stderr.lines().count() == 1 && run.stderr.contains("lost"), "{run:?}");
}
