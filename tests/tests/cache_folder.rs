//! What becomes of a picture where tiles cannot be kept? Nothing: one line says so, and nothing half-written is left.
#![cfg(unix)]

use std::{
    fs::{self, Permissions},
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;
use tests::{
    program,
    program::{Run, finish, install, program_command},
    reference_data::data_file,
};

/// A folder that everybody may enter, with a copy of the program in it and a cache.
struct SharedFolder {
    folder: TempDir,
}

impl SharedFolder {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        let shared = Self { folder };
        install(program!(), &shared.at("program"));
        fs::copy(data_file("jacksboro.tif"), shared.at("hills.tif")).unwrap();
        // In a checkout that only its owner may read, nobody could not.
        fs::set_permissions(shared.at("hills.tif"), Permissions::from_mode(0o644)).unwrap();
        fs::create_dir(shared.at("cache")).unwrap();
        shared
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Draws the sample's hills, with tiles from the cache, by a command that ends in the program's.
    fn draw(&self, command: &mut Command) -> (Run, Vec<u8>) {
        let picture = self.at("a.png");
        let fixed = [
            "--software",
            "--mesh",
            "gpu",
            "--triangles",
            "8192",
            "--size",
            "96x64",
            "--samples",
            "1",
            "--at",
            "36.4,-84.2,4000",
        ];
        command.arg("render").arg(self.at("hills.tif")).args(fixed).arg("-o").arg(&picture);
        let run = finish(command.arg("--cache-dir").arg(self.at("cache")).current_dir(self.folder.path()));
        let run = run.expect_code(0);
        let bytes = fs::read(&picture).unwrap();
        fs::remove_file(picture).unwrap();
        (run, bytes)
    }

    fn draw_as_usual(&self) -> (Run, Vec<u8>) {
        self.draw(&mut program_command(&self.at("program")))
    }

    /// As somebody whom permissions bind.
    fn draw_as_nobody(&self) -> (Run, Vec<u8>) {
        let mut command = program_command(&self.at("program"));
        if fs::metadata(self.folder.path()).unwrap().uid() == 0 {
            command.uid(65_534).gid(65_534).env("XDG_RUNTIME_DIR", self.folder.path());
        }
        self.draw(&mut command)
    }

    /// Names and sizes of what is in the cache.
    fn cached(&self) -> Vec<(PathBuf, u64)> {
        let entries = fs::read_dir(self.at("cache")).unwrap().map(|entry| entry.unwrap());
        let mut all: Vec<_> = entries.map(|entry| (entry.path(), entry.metadata().unwrap().len())).collect();
        all.sort();
        all
    }
}

/// The lines that warn of the cache.
fn warnings<'a>(run: &'a Run, cache: &Path) -> Vec<&'a str> {
    run.stderr.lines().filter(|line| line.contains(cache.to_str().unwrap())).collect()
}

/// Law: whatever the folder is, the picture is the same; where it cannot be written, one line names it, and nothing changes there.
#[test]
fn folders_that_cannot_be_written() {
    let shared = SharedFolder::new();
    let cache = shared.at("cache");
    let mode = |mode: u32| fs::set_permissions(&cache, Permissions::from_mode(mode)).unwrap();
    // Empty, and only to be read.
    mode(0o555);
    let (run, expected) = shared.draw_as_nobody();
    assert_eq!(warnings(&run, &cache).len(), 1, "{run:#?}");
    assert!(shared.cached().is_empty());
    // With tiles, and with what is known of the files.
    mode(0o755);
    let (run, picture) = shared.draw_as_usual();
    assert!(warnings(&run, &cache).is_empty(), "{run:#?}");
    assert!(picture == expected, "not the same picture");
    let before = shared.cached();
    assert!(before.iter().any(|(path, bytes)| path.extension().is_some_and(|e| e == "tiles") && *bytes > 10_000));
    // With tiles, and only to be read.
    before.iter().for_each(|(path, _)| fs::set_permissions(path, Permissions::from_mode(0o444)).unwrap());
    mode(0o555);
    let (run, picture) = shared.draw_as_nobody();
    assert_eq!(warnings(&run, &cache).len(), 1, "{run:#?}");
    assert!(picture == expected, "not the same picture");
    assert_eq!(shared.cached(), before);
    // A file in its place.
    mode(0o755);
    fs::remove_dir_all(&cache).unwrap();
    fs::write(&cache, "in the way").unwrap();
    let (run, picture) = shared.draw_as_usual();
    assert_eq!(warnings(&run, &cache).len(), 1, "{run:#?}");
    assert!(picture == expected, "not the same picture");
    assert_eq!(fs::read(&cache).unwrap(), b"in the way");
}

/// Law: on a full disk tiles are kept as far as they fit, one line says that no more are, and those that are there serve the next
/// picture.
#[test]
fn a_full_disk() {
    let shared = SharedFolder::new();
    let cache = shared.at("cache");
    // A limit on the size of files stands in for the end of the disk; the signal that comes with it is ignored.
    let mut limited = program_command(Path::new("bash"));
    limited.args(["-c", "trap '' XFSZ; ulimit -f 300; exec \"$0\" \"$@\""]).arg(shared.at("program"));
    let (run, expected) = shared.draw(&mut limited);
    assert_eq!(warnings(&run, &cache).len(), 1, "{run:#?}");
    let full = shared.cached();
    assert!(full.iter().all(|(_, bytes)| *bytes <= 300 << 10), "{full:?}");
    let (run, picture) = shared.draw_as_usual();
    assert!(warnings(&run, &cache).is_empty(), "{run:#?}");
    assert!(picture == expected, "not the same picture");
    let of_tiles = |all: &[(PathBuf, u64)]| all.iter().map(|(_, bytes)| bytes).sum::<u64>();
    assert!(of_tiles(&shared.cached()) > of_tiles(&full));
}
