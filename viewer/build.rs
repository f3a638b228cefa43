//! Which WGSL modules does a crate embed? The build script of every crate that has some: every `*.wgsl` file below the folder
//! `shaders/` of that crate, so that adding a file needs no Rust edit.
//!
//! In the repository `build.rs` of these crates is a link to this file, and `shaders/<crate>` in them is a link to the folder of that
//! name here. In an archive of `cargo package` both are what they link to.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR")).join("shaders");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("wgsl.rs");
    println!("cargo::rerun-if-changed=build.rs");

    let mut files = Vec::new();
    for entry in fs::read_dir(&root)? {
        let folder = entry?.path();
        // Cargo walks a folder named here recursively, so new files and new folders are seen.
        println!("cargo::rerun-if-changed={}", folder.canonicalize()?.display());
        collect(&folder, &mut files)?;
    }
    files.sort();

    let mut table = fs::File::create(out)?;
    writeln!(table, "&[")?;
    for file in files {
        let relative = file.strip_prefix(&root).expect("collected below the root");
        let name = relative.with_extension("").to_string_lossy().replace('\\', "/");
        writeln!(
            table,
            "    ::shaders::EmbeddedModule {{ name: {name:?}, file: {:?}, text: include_str!({:?}) }},",
            format!("shaders/{name}.wgsl"),
            file.to_string_lossy(),
        )?;
    }
    writeln!(table, "]")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "wgsl") {
            files.push(path);
        }
    }
    Ok(())
}
