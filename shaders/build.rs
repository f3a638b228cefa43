//! Which WGSL modules does the crate embed? Every `*.wgsl` file in a folder beside `src/`: adding a file needs no Rust edit.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Folders of this crate that hold Rust, not shaders.
const NOT_SHADERS: [&str; 3] = ["src", "tests", "examples"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("embedded.rs");
    // Cargo walks a folder named here recursively, so new files and new folders are seen.
    println!("cargo::rerun-if-changed={}", root.display());

    let mut files = Vec::new();
    for entry in fs::read_dir(&root)? {
        let path = entry?.path();
        let is_shader_folder =
            path.is_dir() && !NOT_SHADERS.iter().any(|name| path.file_name().is_some_and(|file| file == *name));
        if is_shader_folder {
            collect(&path, &mut files)?;
        }
    }
    files.sort();

    let mut table = fs::File::create(out)?;
    writeln!(table, "&[")?;
    for file in files {
        let relative = file.strip_prefix(&root).expect("collected below the root");
        let name = relative.with_extension("").to_string_lossy().replace('\\', "/");
        writeln!(
            table,
            "    EmbeddedModule {{ name: {name:?}, file: {:?}, text: include_str!({:?}) }},",
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
