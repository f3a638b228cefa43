//! Packs as a user makes and uses them: progress that survives kill -9, a full disk, damage, shards, and the same answers.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use tempfile::TempDir;
use tests::{
    program,
    program::{Run, finish, program_command, run},
    reference_data::data_file,
};

fn orogen(words: &[&str]) -> Run {
    run(program!(), words)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The sample raster over the embedded relief, to the posting of the latter: 510 tiles and a few.
fn bake(out: &Path) -> Vec<String> {
    ["bake", text(&data_file("jacksboro.tif")), "-o", text(out)].map(str::to_owned).to_vec()
}

/// Law: a run that is killed, again and again, and continued, makes the same bytes; and what it makes is sound and answers.
#[test]
fn killed_and_continued() {
    let folder = TempDir::new().unwrap();
    let (whole, again) = (folder.path().join("whole.pack"), folder.path().join("again.pack"));
    finish(program_command(program!()).args(bake(&whole))).expect_code(0);
    let part = folder.path().join("again.pack.part");
    let bytes = fs::metadata(&whole).unwrap().len() as f64;
    let mut killed = 0;
    // The last one among the errors, which come after all heights.
    for share in [0.05, 0.33, 0.5, 0.93] {
        // On two threads there is time between two looks at the file, however many cores there are.
        let mut command = program_command(program!());
        command.args(bake(&again)).env("RAYON_NUM_THREADS", "2").stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let begun = Instant::now();
        // When so much has been written.
        while fs::metadata(&part).map_or(0.0, |m| m.len() as f64) < share * bytes
            && begun.elapsed() < Duration::from_secs(300)
        {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
            sleep(Duration::from_millis(5));
        }
        child.kill().unwrap(); // SIGKILL
        killed += u32::from(!child.wait().unwrap().success());
        assert!(!again.exists() && part.exists(), "an unfinished pack has no name");
    }
    assert_eq!(killed, 4);
    let run = finish(program_command(program!()).args(bake(&again))).expect_code(0);
    assert!(run.stderr.contains("by earlier runs"), "{run:#?}");
    assert!(fs::read(&again).unwrap() == fs::read(&whole).unwrap(), "not the same bytes");
    assert!(!part.exists());

    // It is there already; it is sound; it says what it is.
    let run = finish(program_command(program!()).args(bake(&again))).expect_code(0);
    assert!(run.stderr.contains("already"), "{run:#?}");
    let verified = orogen(&["verify", text(&again)]).expect_code(0);
    assert!(verified.stdout.contains("are sound"), "{verified:#?}");
    let info = orogen(&["info", text(&again)]).expect_code(0);
    for word in ["jacksboro.tif", "EGM96 height", "ETOPO5", "mean sea level", "Levels"] {
        assert!(info.stdout.contains(word), "{word}: {info:#?}");
    }
    let json = orogen(&["info", "--json", text(&again)]).expect_code(0);
    let value: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(value["manifest"]["sources"][0]["name"], serde_json::json!("jacksboro.tif"));

    // Jacksboro lies where it lies in the raster, by way of tiles of 76 m; the data are every 92 m.
    let height = |file: &Path| {
        let run = orogen(&["query", "height", "--json", "--at", "36.3301,-84.1838", text(file)]).expect_code(0);
        let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        (answer[0]["height_m"].as_f64().unwrap(), answer[0]["posting_m"].as_f64().unwrap())
    };
    let ((tile_m, posting_m), (raster_m, _)) = (height(&again), height(&data_file("jacksboro.tif")));
    assert!((tile_m - raster_m).abs() < 3.0 && (92.0..94.0).contains(&posting_m), "{tile_m} {raster_m} {posting_m}");

    // A mesh on the CPU asks for the errors of single vertices, as nothing above does.
    let picture = folder.path().join("ground.png");
    let words =
        ["render", "--software", "--mesh", "cpu", "--at", "36.3,-84.2,3000", "--look", "0,-30", "--size", "64x48"];
    let mut child = program_command(program!()).args(words).arg("-o").arg(&picture).arg(&again).spawn().unwrap();
    let begun = Instant::now();
    let done = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status.success(),
            None if begun.elapsed() > Duration::from_secs(600) => {
                child.kill().unwrap();
                break false;
            }
            None => sleep(Duration::from_millis(20)),
        }
    };
    assert!(done && picture.exists(), "no picture of the pack in {:?}", begun.elapsed());

    // A damaged tile: verification says where, a query that needs it fails, the picture of it is not passed off as sound.
    let mut bytes = fs::read(&again).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    let damaged = folder.path().join("damaged.pack");
    fs::write(&damaged, bytes).unwrap();
    let verified = orogen(&["verify", text(&damaged)]).expect_code(1);
    assert!(
        verified.stdout.contains("damaged at byte") && verified.stderr.contains("damaged in 1 place of"),
        "{verified:#?}"
    );
}

#[test]
fn a_disk_that_is_full_loses_nothing() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("a.pack");
    // A limit on the size of files stands in for the end of the disk; the signal that comes with it is ignored.
    let words = ["-c", "trap '' XFSZ; ulimit -f 1000; exec \"$0\" \"$@\"", text(program!())];
    let mut limited = Command::new("bash");
    limited.args(words).args(["bake", "--max-level", "2", "-o", text(&out)]).env("NODEVICE_SELECT", "1");
    finish(&mut limited).expect_refusal(1, &["a.pack.part", "tiles are kept", "make room"]);
    let run = orogen(&["bake", "--max-level", "2", "-o", text(&out)]).expect_code(0);
    assert!(run.stderr.contains("by earlier runs"), "{run:#?}");
    let fresh = folder.path().join("fresh.pack");
    orogen(&["bake", "--max-level", "2", "-o", text(&fresh)]).expect_code(0);
    assert!(fs::read(&out).unwrap() == fs::read(&fresh).unwrap());
}

#[test]
fn shards_are_joined() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let shards: Vec<PathBuf> = (1..=2).map(|k| at(&format!("{k}.pack"))).collect();
    for (k, shard) in shards.iter().enumerate() {
        let share = format!("{}/2", k + 1);
        orogen(&["bake", "--max-level", "1", "--shard", &share, "-o", text(shard)]).expect_code(0);
    }
    orogen(&["query", "height", "--at", "1,2", text(&shards[0])]).expect_refusal(1, &["1.pack", "pack merge"]);
    orogen(&["pack", "merge", text(&shards[1]), "-o", text(&at("a.pack"))])
        .expect_refusal(1, &["shard 1 of 2 is missing"]);
    orogen(&["pack", "merge", text(&shards[1]), text(&shards[0]), "-o", text(&at("a.pack"))]).expect_code(0);
    orogen(&["bake", "--max-level", "1", "-o", text(&at("b.pack"))]).expect_code(0);
    assert!(fs::read(at("a.pack")).unwrap() == fs::read(at("b.pack")).unwrap());
}

#[test]
fn wrong_uses_are_refused() {
    let folder = TempDir::new().unwrap();
    let letter = folder.path().join("letter.pack");
    fs::write(&letter, "Dear reader, this is no pack.\n").unwrap();
    orogen(&["verify", text(&letter)]).expect_refusal(1, &["letter.pack", "not a pack"]);
    orogen(&["verify", "missing.pack"]).expect_refusal(1, &["missing.pack"]);
    orogen(&["bake", "--max-level", "0", "-o", text(&letter)]).expect_refusal(1, &["letter.pack", "--overwrite"]);
    orogen(&["bake", "-o", "a.pack", "missing.tif"]).expect_refusal(1, &["missing.tif"]);
    orogen(&["bake", "--max-level", "0", "-o", "no/such/folder/a.pack"]).expect_refusal(1, &["no/such/folder"]);
    orogen(&["bake"]).expect_refusal(2, &["-o"]);
    orogen(&["bake", "-o", "a.pack", "--bbox", "1,2,3"]).expect_refusal(2, &["--bbox"]);
    orogen(&["bake", "-o", "a.pack", "--bbox", "9,45,6,46"]).expect_refusal(1, &["west"]);
    orogen(&["bake", "-o", "a.pack", "--shard", "3/2"]).expect_refusal(2, &["--shard"]);
    orogen(&["bake", "-o", "a.pack", "--max-level", "23"]).expect_refusal(2, &["--max-level"]);
    assert!(!Path::new("a.pack").exists() && !Path::new("a.pack.part").exists());
    let estimate = orogen(&["bake", "--max-level", "1", "--estimate", "--json"]).expect_code(0);
    let value: serde_json::Value = serde_json::from_str(&estimate.stdout).unwrap();
    assert_eq!((value["tiles"].as_u64(), value["levels"][1]["tiles"].as_u64()), (Some(30), Some(24)));
}

/// Law: what a damaged pack fails of is told once, in the words of the program; and a face that cannot be read does not hold up
/// a picture.
#[test]
fn damage_is_told_once() {
    let folder = TempDir::new().unwrap();
    let (pack, picture) = (folder.path().join("a.pack"), folder.path().join("a.png"));
    let line = ["bake", "--max-level", "2", "-o", text(&pack)];
    orogen(&line).expect_code(0);
    let mut bytes = fs::read(&pack).unwrap();
    let (first, last) = (bytes.len() / 100, bytes.len() * 9 / 10);
    for at in (first..last).step_by(2003) {
        bytes[at] ^= 0x5a;
    }
    fs::write(&pack, bytes).unwrap();
    let begun = Instant::now();
    let queried = orogen(&["query", "height", "--at", "36.3,-84.2", text(&pack)]).expect_code(1);
    assert_eq!(queried.stderr.lines().count(), 1, "{queried:#?}");
    assert!(queried.stderr.starts_with("orogen: ") && queried.stderr.contains("checksum of tile "), "{queried:#?}");
    // What answers in place of what cannot be read is not passed off as an answer, and no raster is left of it.
    assert_eq!(queried.stdout.lines().count(), 1, "{queried:#?}");
    assert!(queried.stderr.contains("answers are left out"), "{queried:#?}");
    let raster = folder.path().join("seen.tif");
    let words =
        ["query", "viewshed", "--at", "36.3,-84.2", "--radius", "200000", "--cell", "5000", "-o", text(&raster)];
    orogen(&[&words[..], &[text(&pack)]].concat()).expect_code(1);
    assert!(!raster.exists());
    let words = ["--software", "--no-cache", "--at", "36.3,-84.2,9000000", "--size", "32x24", "-o", text(&picture)];
    let drawn = orogen(&[&["render"], &words[..], &[text(&pack)]].concat()).expect_code(1);
    assert_eq!(drawn.stderr.matches("damaged at byte").count(), 1, "{drawn:#?}");
    assert!(begun.elapsed() < Duration::from_secs(120), "damaged tiles are read again and again");
    let checked = orogen(&["verify", text(&pack)]).expect_code(1);
    assert!(checked.stderr.contains("damaged in ") && !checked.stderr.contains("TileId"), "{checked:#?}");
}
