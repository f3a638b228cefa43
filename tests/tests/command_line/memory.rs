//! What does too little memory get on the command line? A line, and exit code 1.

use super::*;

/// Law: whatever the limit, the program ends by itself, with its work done or with a line of its own that says what it lacks;
/// below what its libraries take the system's loader says so.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (picture, pack) = (folder.path().join("a.png"), folder.path().join("a.pack"));
    let (picture, pack) = (picture.to_str().unwrap(), pack.to_str().unwrap());
    let raster = tests::reference_data::data_file("jacksboro.tif");
    let raster = raster.to_str().unwrap();
    let query = ["query", "height", "--at", "36.33,-84.18", raster];
    let render = [
        "render",
        "--software",
        "--no-cache",
        "--at",
        "36.3,-84.2,9000",
        "--size",
        "64x48",
        "--overwrite",
        "-o",
        picture,
    ];
    let bake = ["bake", "-o", pack, raster];
    let mut refused = 0;
    for kib in [100_000, 240_000, 280_000, 320_000, 400_000, 450_000, 500_000, 600_000, 800_000, 900_000, 1_000_000] {
        // A pack takes a while where there is memory for it.
        let verbs: &[&[&str]] = if kib < 350_000 { &[&query, &render, &bake] } else { &[&query, &render] };
        for words in verbs {
            let mut limited = program_command(Path::new("/bin/sh"));
            limited.args(["-c", &format!("ulimit -c 0; ulimit -v {kib}; exec \"$0\" \"$@\"")]);
            let run = finish(limited.arg(program!()).args(*words));
            match run.code {
                Some(0) => {}
                Some(1) => {
                    // Drivers have lines of their own, and so have threads that fail together.
                    let says = |line: &str| line.starts_with("orogen: ") && line.contains("memory");
                    assert!(run.stderr.lines().any(says), "{kib} KiB: {run:#?}");
                    assert!(!run.stderr.contains("internal error"), "{kib} KiB: {run:#?}");
                    refused += 1;
                }
                Some(127) => assert!(run.stderr.contains("shared librar"), "{kib} KiB: {run:#?}"),
                _ => panic!("{kib} KiB: {run:#?}"),
            }
        }
    }
    assert!(refused > 4, "these limits are too high to see anything: {refused}");
}
