//! Can every library be published? Its archive has its licence and its README, includes nothing from outside, and all of them build
//! from their archives.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use tests::{files_below, program::finish};

/// Packages in the order in which they can be published.
const PACKAGES: [&str; 13] = [
    "orogen-data",
    "orogen-water",
    "orogen-foreign",
    "orogen-shaders",
    "orogen-gpu",
    "orogen-kernels-device",
    "orogen-kernels",
    "orogen-cbt",
    "orogen-elevation",
    "orogen-analysis",
    "orogen-terrain",
    "orogen-sources",
    "orogen",
];

/// Bytes that the registry takes.
const MOST_BYTES: u64 = 10 << 20;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A crate that has the kernels under another name, as its `Cargo.toml` may say.
const RENAMED: &str = r#"
[package]
name = "renamed"
edition = "2024"

[dependencies]
primitives = { package = "orogen-kernels", version = "0.1.0" }
bytemuck = { version = "1", features = ["derive"] }
"#;
const RENAMED_CODE: &str = "
extern crate primitives as kernels;
use primitives::device;

/// Twice.
#[device]
pub fn twice(x: u32) -> u32 {
    x + x
}

/// A pair.
#[device]
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Pair {
    /// One.
    pub a: u32,
    /// The other.
    pub b: u32,
}
";

/// Paths of files that the code in a file includes, but in its tests.
fn included(text: &str) -> Vec<&str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let parts = ["include_bytes!(\"", "include_str!(\""].into_iter().flat_map(|call| code.split(call).skip(1));
    parts.filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn archives_are_whole() {
    // Beside what is compiled already: dependencies are compiled once.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let folder = target.join("packages");
    let _ = std::fs::remove_dir_all(&folder);
    let mut package = Command::new(env!("CARGO"));
    package.current_dir(root()).args(["package", "--locked", "--offline", "--no-verify", "--allow-dirty", "--quiet"]);
    package.arg("--target-dir").arg(&folder);
    for name in PACKAGES {
        package.args(["-p", name]);
    }
    finish(&mut package).expect_code(0);
    let unpacked = |name: &str| folder.join(format!("{name}-{}", env!("CARGO_PKG_VERSION")));
    for name in PACKAGES {
        let archive = folder.join(format!("package/{name}-{}.crate", env!("CARGO_PKG_VERSION")));
        let bytes = archive.metadata().expect("an archive").len();
        assert!(bytes <= MOST_BYTES, "{name}: {bytes} bytes");
        finish(Command::new("tar").arg("-xzmf").arg(&archive).arg("-C").arg(&folder)).expect_code(0);
        let unpacked = unpacked(name);
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(unpacked.join(file).metadata().is_ok_and(|file| file.len() > 100), "{name} has no {file}");
        }
        if name == "orogen" {
            let parts = std::fs::read(unpacked.join("THIRD-PARTY.md")).expect("THIRD-PARTY.md");
            assert_eq!(parts, std::fs::read(root().join("THIRD-PARTY.md")).expect("the list of parts"));
        }
        // The shaders of a crate are links in the repository, and files in its archive.
        let shaders = root().join("shaders").join(name.strip_prefix("orogen-").unwrap_or("viewer"));
        if shaders.is_dir() {
            let archived = files_below(&unpacked.join("shaders").join(shaders.file_name().expect("a name")));
            assert_eq!(archived.len(), files_below(&shaders).len(), "{name}");
            assert!(unpacked.join("build.rs").metadata().is_ok_and(|file| file.is_file()), "{name} has no build.rs");
        }
        for file in files_below(&unpacked.join("src")) {
            let text = std::fs::read_to_string(&file).expect("Rust");
            assert!(!text.contains("#[path = \"../../"), "{} has a module outside of it", file.display());
            for path in included(&text) {
                let path = file.parent().expect("a folder").join(path);
                let path =
                    path.canonicalize().unwrap_or_else(|_| panic!("{} lacks {}", file.display(), path.display()));
                assert!(path.starts_with(unpacked.canonicalize().expect("a folder")), "{} leaves it", file.display());
            }
        }
    }
    // All of them as one workspace, in the versions and profiles of this one.
    let renamed = folder.join("renamed");
    std::fs::create_dir_all(renamed.join("src")).expect("a folder");
    std::fs::write(renamed.join("Cargo.toml"), RENAMED).expect("written");
    std::fs::write(renamed.join("src/lib.rs"), RENAMED_CODE).expect("written");
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the workspace");
    let profiles = &manifest[manifest.find("[profile").expect("profiles")..];
    let patches: String = PACKAGES.map(|name| format!("{name} = {{ path = {:?} }}\n", unpacked(name))).concat();
    let members =
        String::from("[workspace]\nresolver = \"3\"\nmembers = [\"orogen*\", \"renamed\"]\n[patch.crates-io]\n");
    std::fs::write(folder.join("Cargo.toml"), members + &patches + profiles).expect("written");
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("copied");
    let mut check = Command::new(env!("CARGO"));
    check.current_dir(&folder).args(["check", "--offline", "--quiet", "--workspace", "--target-dir"]).arg(target);
    finish(&mut check).expect_code(0);
    std::fs::remove_dir_all(&folder).expect("removed");
}
