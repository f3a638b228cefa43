//! Can every library be published? Its archive has its licence and its README, includes nothing from outside, and those that need
//! few other crates build from it.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use tests::program::finish;

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

/// Those that are built from their archives: they need few other crates. `cargo package` builds all of them.
const BUILT: [&str; 2] = ["orogen-foreign", "orogen-cbt"];

/// Bytes that the registry takes.
const MOST_BYTES: u64 = 10 << 20;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every file in a folder and below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Paths of files that the code in a file includes, but in its tests.
fn included(text: &str) -> Vec<&str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let parts = ["include_bytes!(\"", "include_str!(\""].into_iter().flat_map(|call| code.split(call).skip(1));
    parts.filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn archives_are_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut package = Command::new(env!("CARGO"));
    package.current_dir(root()).args(["package", "--locked", "--offline", "--no-verify", "--allow-dirty", "--quiet"]);
    package.arg("--target-dir").arg(folder.path());
    for name in PACKAGES {
        package.args(["-p", name]);
    }
    finish(&mut package).expect_code(0);
    let unpacked = |name: &str| folder.path().join(format!("{name}-{}", env!("CARGO_PKG_VERSION")));
    for name in PACKAGES {
        let archive = folder.path().join(format!("package/{name}-{}.crate", env!("CARGO_PKG_VERSION")));
        let bytes = archive.metadata().expect("an archive").len();
        assert!(bytes <= MOST_BYTES, "{name}: {bytes} bytes");
        finish(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(folder.path())).expect_code(0);
        let unpacked = unpacked(name);
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(unpacked.join(file).metadata().is_ok_and(|file| file.len() > 100), "{name} has no {file}");
        }
        // The shaders of a crate are links in the repository, and files in its archive.
        let shaders = root().join("shaders").join(name.strip_prefix("orogen-").unwrap_or("viewer"));
        if shaders.is_dir() {
            let archived = files(&unpacked.join("shaders").join(shaders.file_name().expect("a name")));
            assert_eq!(archived.len(), files(&shaders).len(), "{name}");
            assert!(unpacked.join("build.rs").metadata().is_ok_and(|file| file.is_file()), "{name} has no build.rs");
        }
        for file in files(&unpacked.join("src")) {
            let text = std::fs::read_to_string(&file).expect("Rust");
            for path in included(&text) {
                let path = file.parent().expect("a folder").join(path);
                let path =
                    path.canonicalize().unwrap_or_else(|_| panic!("{} lacks {}", file.display(), path.display()));
                assert!(path.starts_with(unpacked.canonicalize().expect("a folder")), "{} leaves it", file.display());
            }
        }
    }
    for name in BUILT {
        let mut check = Command::new(env!("CARGO"));
        check.args(["check", "--offline", "--quiet", "--manifest-path"]).arg(unpacked(name).join("Cargo.toml"));
        // What no feature here asks for is looked up all the same.
        for other in PACKAGES {
            check.arg("--config").arg(format!("patch.crates-io.{other}.path={:?}", unpacked(other)));
        }
        finish(check.arg("--target-dir").arg(folder.path().join("build"))).expect_code(0);
    }
}
