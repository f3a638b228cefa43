use std::{cell::Cell, fs::File, time::Instant};

use tempfile::TempDir;

use super::*;

/// A file that has lain there long enough.
fn write_old(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(UNIX_EPOCH + Duration::from_secs(1_600_000_000))
        .unwrap();
}

/// Waits until what was written last is past.
fn wait() {
    std::thread::sleep(TICK + Duration::from_millis(50));
}

/// The hash of a file, and whether it was read for it.
fn look(hashes: &mut FileHashCache, file: &Path) -> (Hash, bool) {
    let was_read = Cell::new(false);
    let hash = hashes.contents_by(file, |file| {
        was_read.set(true);
        contents(file)
    });
    (hash.unwrap(), was_read.get())
}

/// Law: a file is read once, by whatever name, and again when its length or one of its times has changed; the answer is
/// always the hash of what it holds.
#[test]
fn unchanged_files_are_not_read_again() {
    let (folder, cache) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let file = folder.path().join("a.tif");
    write_old(&file, "heights");
    wait();
    let hash = blake3::hash(b"heights");
    let look_anew = |file: &Path| {
        let mut hashes = FileHashCache::open(&cache.path().join("not/yet/there"));
        let answer = look(&mut hashes, file);
        hashes.save().unwrap();
        answer
    };
    assert_eq!(look_anew(&file), (hash, true));
    assert_eq!(look_anew(&file), (hash, false));
    assert_eq!(look_anew(&folder.path().join("./a.tif")), (hash, false));
    // Longer, at the same time.
    write_old(&file, "heights, more");
    assert_eq!(look_anew(&file), (blake3::hash(b"heights, more"), true));
    // As long as before, at another time: not remembered, as it might change again within the tick. A machine that keeps the
    // test waiting for longer than that has told nothing.
    let within_a_tick = (0..20).any(|_| {
        let begun = Instant::now();
        write_old(&file, "Heights");
        assert_eq!(look_anew(&file), (blake3::hash(b"Heights"), true));
        write_old(&file, "heightS");
        assert_eq!(look_anew(&file), (blake3::hash(b"heightS"), true));
        let again = look_anew(&file);
        let in_time = begun.elapsed() < TICK;
        assert!(again == (blake3::hash(b"heightS"), true) || !in_time, "{again:?}");
        in_time
    });
    assert!(within_a_tick);
    write_old(&file, "heightS");
    wait();
    assert_eq!(look_anew(&file), (blake3::hash(b"heightS"), true));
    assert_eq!(look_anew(&file), (blake3::hash(b"heightS"), false));
    // Times set back after a change of the same length, as copying with times does.
    #[cfg(unix)]
    {
        write_old(&file, "HEIGHTS");
        assert_eq!(look_anew(&file), (blake3::hash(b"HEIGHTS"), true));
    }
    fs::remove_file(&file).unwrap();
    assert!(FileHashCache::open(cache.path()).contents(&file).is_err());
}

/// Law: whatever is done to the memory, no answer is wrong, and the next one that is learned makes it whole again; a file that
/// does not begin as a memory is somebody else's, and stays.
#[test]
fn damaged_and_foreign_memories() {
    let (folder, cache) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let files: Vec<PathBuf> = (0..3).map(|k| folder.path().join(format!("{k}.tif"))).collect();
    files.iter().for_each(|file| write_old(file, &file.to_string_lossy()));
    wait();
    let mut hashes = FileHashCache::open(cache.path());
    let expected: Vec<Hash> = files.iter().map(|file| look(&mut hashes, file).0).collect();
    hashes.save().unwrap();
    let memory = cache.path().join(FileHashCache::NAME);
    let whole = fs::read(&memory).unwrap();
    assert_eq!(whole.len(), MAGIC.len() + 3 * RECORD_BYTES + CHECKSUM_BYTES);
    let mut broken: Vec<Vec<u8>> = (0..whole.len()).map(|cut| whole[..cut].to_vec()).collect();
    for at in 0..whole.len() {
        broken.push(whole.clone());
        broken.last_mut().unwrap()[at] ^= 0x10;
    }
    broken.push([&whole[..], &whole].concat());
    broken.push(b"something else entirely".to_vec());
    broken.push(b"orogen".repeat(10));
    for (k, bytes) in broken.into_iter().enumerate() {
        fs::write(&memory, &bytes).unwrap();
        let mut hashes = FileHashCache::open(cache.path());
        for (file, expected) in files.iter().zip(&expected) {
            assert_eq!(look(&mut hashes, file), (*expected, true), "{k}");
        }
        let is_ours = OURS.starts_with(&bytes[..OURS.len().min(bytes.len())]);
        assert_eq!(
            hashes.save().err().map(|error| error.kind()),
            (!is_ours).then_some(ErrorKind::AlreadyExists),
            "{k}"
        );
        assert_eq!(fs::read(&memory).unwrap(), if is_ours { &whole[..] } else { &bytes }, "{k}");
    }
}

/// Law: programs at once never see a torn memory, and what the last of them learned is there.
#[test]
fn two_at_once() {
    let (folder, cache) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let files: Vec<PathBuf> = (0..40).map(|k| folder.path().join(format!("{k}.tif"))).collect();
    files.iter().for_each(|file| write_old(file, &file.to_string_lossy()));
    wait();
    std::thread::scope(|scope| {
        for half in files.chunks(20) {
            let cache = cache.path();
            scope.spawn(move || {
                for file in half {
                    let mut hashes = FileHashCache::open(cache);
                    look(&mut hashes, file);
                    hashes.save().unwrap();
                    let bytes = fs::read(cache.join(FileHashCache::NAME)).unwrap();
                    assert!(records(&bytes).is_some_and(|records| !records.is_empty()));
                }
            });
        }
    });
    // Nothing is left of the work, and one after the other nothing is lost.
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 1);
    for file in &files {
        let mut hashes = FileHashCache::open(cache.path());
        look(&mut hashes, file);
        hashes.save().unwrap();
    }
    let mut hashes = FileHashCache::open(cache.path());
    assert!(
        files.iter().all(|file| look(&mut hashes, file) == (blake3::hash(file.to_string_lossy().as_bytes()), false))
    );
}

/// A folder that cannot be written: hashes are told all the same, and no half of a memory is left.
#[test]
fn nowhere_to_remember() {
    let folder = TempDir::new().unwrap();
    let (file, in_the_way) = (folder.path().join("a.tif"), folder.path().join("cache"));
    write_old(&file, "heights");
    fs::write(&in_the_way, "a file").unwrap();
    wait();
    let mut hashes = FileHashCache::open(&in_the_way);
    assert_eq!(look(&mut hashes, &file).0, blake3::hash(b"heights"));
    assert!(hashes.save().is_err());
    assert_eq!(fs::read(&in_the_way).unwrap(), b"a file");
}
