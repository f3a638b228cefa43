//! What does each library make its users compile, and what of it may change under them? What `cargo tree` says of features and
//! dependencies; types that may grow.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use tests::{CRATES, files_below, program::finish};

/// Packages that a build of `package` on this machine needs, without itself.
fn needed(package: &str, features: &[&str]) -> BTreeSet<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut tree = Command::new(env!("CARGO"));
    tree.current_dir(root).args(["tree", "--locked", "--offline", "--edges", "normal", "--prefix", "none"]);
    tree.args(["--package", package]).args(features);
    let found = finish(&mut tree);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    let names = found.stdout.lines().filter_map(|line| line.split_whitespace().next());
    let names: BTreeSet<String> = names.filter(|name| *name != package).map(str::to_owned).collect();
    assert!(!names.is_empty(), "{package} needs nothing");
    names
}

const BARE: &[&str] = &["--no-default-features"];
const GPU: [&str; 4] = ["wgpu", "wgpu-core", "naga", "orogen-gpu"];
const GDAL: [&str; 2] = ["gdal", "gdal-sys"];

#[track_caller]
fn assert_without(package: &str, features: &[&str], unwanted: &[&str]) {
    let needed = needed(package, features);
    let found: Vec<_> = unwanted.iter().filter(|name| needed.contains(**name)).collect();
    assert!(found.is_empty(), "{package} {features:?} needs {found:?}");
}

/// Law: who computes on the CPU alone compiles no wgpu, and few crates.
#[test]
fn primitives_on_the_cpu_need_few_crates() {
    assert_without("orogen-kernels", BARE, &GPU);
    let needed = needed("orogen-kernels", BARE);
    assert!(needed.len() < 20, "{} crates: {needed:?}", needed.len());
}

#[test]
fn a_tree_needs_no_gpu() {
    assert_without("orogen-cbt", &[], &GPU);
}

/// Law: heights of packs need neither a graphics card nor GDAL; GDAL needs no graphics card, and the planet no GDAL.
#[test]
fn elevation_needs_neither_gpu_nor_gdal() {
    assert_without("orogen-elevation", BARE, &[GPU.as_slice(), &GDAL].concat());
    assert_without("orogen-elevation", &[], &GPU);
    assert_without("orogen-analysis", BARE, &[GPU.as_slice(), &GDAL].concat());
    assert_without("orogen-analysis", &[], &GPU);
    assert_without("orogen-terrain", BARE, &GDAL);
    assert_without("orogen-sources", &[], &GPU);
    assert_without("orogen-sources", BARE, &[GPU.as_slice(), &GDAL].concat());
}

/// Law: the Python package needs GDAL only if it is asked for, and whoever wants no pictures compiles no wgpu.
#[test]
fn the_python_package_needs_no_gdal_and_only_pictures_need_a_gpu() {
    assert_without("orogen-python", &[], &GDAL);
    assert_without("orogen-python", BARE, &[GPU.as_slice(), &GDAL].concat());
    assert_without("orogen-python", &["--no-default-features", "--features", "gdal"], &GPU);
}

/// Law: pictures need no library of windows; the program without its window is made of the same.
#[test]
fn pictures_need_no_window() {
    let windows = ["winit", "egui-winit", "x11rb", "wayland-client", "arboard"];
    assert_without("orogen-python", &[], &windows);
    assert_without("orogen", BARE, &windows);
    assert_without("benches", &[], &windows);
}

/// Law: who composes shaders chooses what runs them, and who reads foreign text needs neither.
#[test]
fn the_lowest_crates_need_no_device() {
    assert_without("orogen-shaders", &[], &["wgpu", "wgpu-core", "orogen-gpu"]);
    assert_without("orogen-foreign", &[], &[GPU.as_slice(), &GDAL].concat());
}

/// Law: the device layer knows neither primitives nor planets.
#[test]
fn the_device_layer_stands_below_primitives() {
    assert_without(
        "orogen-gpu",
        &[],
        &["orogen-kernels", "orogen-cbt", "orogen-elevation", "orogen-terrain", "orogen"],
    );
}

/// Whether a public type is one that gains variants or fields: an enum of errors, a struct of choices.
fn grows(declaration: &str) -> bool {
    let name = |kind: &str| declaration.strip_prefix(kind)?.split(|c: char| !c.is_alphanumeric()).next();
    let ends = |name: &str, ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    name("pub enum ").is_some_and(|name| name.ends_with("Error"))
        || name("pub struct ")
            .is_some_and(|name| ends(name, &["Options", "Config", "Caps", "Quality", "Tuning"]) || name == "View")
}

/// Law: errors and options may gain variants and fields without breaking their users.
#[test]
fn errors_and_options_may_grow() {
    let (mut seen, mut closed) = (0, Vec::new());
    for name in CRATES.iter().filter(|name| !["benches", "python"].contains(name)) {
        for file in files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src")) {
            let text = fs::read_to_string(&file).expect("Rust");
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate().filter(|(_, line)| grows(line)) {
                let attributes = lines[..at].iter().rev().take_while(|line| line.starts_with(['#', '/']));
                seen += 1;
                if !attributes.into_iter().any(|line| *line == "#[non_exhaustive]") {
                    closed.push(format!("{}: {line}", file.display()));
                }
            }
        }
    }
    assert!(seen > 50, "{seen} types seen");
    assert!(closed.is_empty(), "#[non_exhaustive] is missing: {closed:#?}");
}
