use super::*;
use crate::height::{GlobalGrid, Registration};
use crate::tile::{TILE_VERTICES, Texel};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use tempfile::TempDir;

const PLENTY: u64 = 1 << 40;

/// A tile that is not easily squeezed.
fn tile(i: u32) -> Tile {
    let noise = |k: usize| (k as u32 ^ i << 16).wrapping_mul(2_654_435_761) >> 20;
    let texels = (0..TILE_VERTICES * TILE_VERTICES).map(|k| Texel(noise(k) << 8 | noise(k + 1) & 255)).collect();
    Tile::from_texels(TileId { face: 1, level: 9, i, j: 7 }, texels, 1.0)
}

fn id(i: u32) -> TileId {
    tile(i).id()
}

#[test]
fn tiles_come_back_as_they_were() {
    let folder = TempDir::new().unwrap();
    let inner = folder.path().join("not/yet/there");
    let cache = TileCache::with_key(&inner, "abc", PLENTY);
    assert_eq!(cache.get(id(1)), None);
    (1..4).for_each(|i| cache.put(&tile(i)));
    assert_eq!(cache.get(id(2)), Some(tile(2)));
    let bytes = cache.bytes();
    cache.put(&tile(2));
    assert_eq!(cache.bytes(), bytes, "it is there already");
    drop(cache);
    let again = TileCache::with_key(&inner, "abc", PLENTY);
    assert_eq!((again.get(id(1)), again.get(id(3))), (Some(tile(1)), Some(tile(3))));
    // Other data have other tiles.
    assert_eq!(TileCache::with_key(&inner, "abd", PLENTY).get(id(1)), None);
}

/// Law: whatever a dead process or a bad disk leaves, a tile is found as it was or not at all.
#[test]
fn half_written_and_damaged_logs() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(&TileCache::file_names("abc")[0]);
    let cache = TileCache::with_key(folder.path(), "abc", PLENTY);
    (0..3).for_each(|i| cache.put(&tile(i)));
    drop(cache);
    let whole = fs::read(&path).unwrap();
    for cut in [0, 1, 35, 36, 1000, whole.len() / 2, whole.len() - 1, whole.len()] {
        fs::write(&path, &whole[..cut]).unwrap();
        let cache = TileCache::with_key(folder.path(), "abc", PLENTY);
        let there = (0..3).filter(|i| cache.get(id(*i)).is_some_and(|got| got == tile(*i))).count();
        assert_eq!(there, 3 * cut / whole.len(), "cut at {cut}");
        (0..3).for_each(|i| cache.put(&tile(i)));
        assert!((0..3).all(|i| cache.get(id(i)) == Some(tile(i))), "cut at {cut}");
    }
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x20;
        fs::write(&path, &bytes).unwrap();
        let cache = TileCache::with_key(folder.path(), "abc", PLENTY);
        for i in 0..3 {
            assert!(cache.get(id(i)).is_none_or(|got| got == tile(i)), "damage at {at}");
            cache.put(&tile(i));
            assert_eq!(cache.get(id(i)), Some(tile(i)), "damage at {at}");
        }
    }
}

/// Law: the bytes on disk stay within the budget, and tiles in use outlive those that are not.
#[test]
fn a_budget_is_kept() {
    let folder = TempDir::new().unwrap();
    let one = {
        let cache = TileCache::with_key(folder.path(), "other", PLENTY);
        cache.put(&tile(0));
        cache.bytes()
    };
    let most = 6 * one + one / 2;
    let cache = TileCache::with_key(folder.path(), "abc", most);
    for i in 0..40 {
        cache.put(&tile(i));
        assert!(cache.bytes() <= most);
        assert_eq!(cache.get(id(0)), Some(tile(0)), "used all the time, at {i}");
    }
    assert!((1..30).all(|i| cache.get(id(i)).is_none()) && cache.get(id(39)).is_some());
    drop(cache);
    // Those of other data go first.
    TileCache::with_key(folder.path(), "abc", one);
    assert!(!folder.path().join(&TileCache::file_names("other")[0]).exists());
}

/// Law: whatever else lies in the folder of a cache stays as it is, under the name of a log too, however small the budget.
#[test]
fn files_of_others_stay() {
    let folder = TempDir::new().unwrap();
    let [young, old] = TileCache::file_names("other");
    let theirs = [
        "precious.tiles".to_owned(),
        "precious.young.tiles".to_owned(),
        "city.old.tiles".to_owned(),
        young.replace(".young", ""),
        young.to_uppercase(),
        format!("0{young}"),
        format!("{old}.bak"),
        "a.tif".to_owned(),
    ];
    for name in &theirs {
        fs::write(folder.path().join(name), name.repeat(1000)).unwrap();
    }
    fs::create_dir(folder.path().join(&young)).unwrap();
    // A log of another key, and what has the name of one and is none.
    let log = TileCache::with_key(folder.path(), "another", PLENTY);
    log.put(&tile(0));
    drop(log);
    let [log, _] = TileCache::file_names("another");
    let foreign = [old, TileCache::file_names("third")[0].clone()];
    for name in &foreign {
        fs::write(folder.path().join(name), "notes on TILES\n".repeat(1000)).unwrap();
    }
    let cache = TileCache::with_key(folder.path(), "abc", 1);
    (0..4).for_each(|i| cache.put(&tile(i)));
    drop(cache);
    TileCache::with_key(folder.path(), "abc", 1);
    for name in &theirs {
        let bytes = fs::read_to_string(folder.path().join(name));
        assert!(bytes.is_ok_and(|bytes| bytes == name.repeat(1000)), "{name}");
    }
    for name in &foreign {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "notes on TILES\n".repeat(1000), "{name}");
    }
    assert!(folder.path().join(&young).is_dir() && !folder.path().join(&log).exists());
}

/// Law: a full log is renamed within its folder, whatever the folder is called.
#[test]
fn folders_with_the_name_of_a_log() {
    let folder = TempDir::new().unwrap();
    let inner = folder.path().join("a.young.tiles");
    let cache = TileCache::with_key(&inner, "abc", 1);
    (0..4).for_each(|i| cache.put(&tile(i)));
    assert!(cache.is_writing() && cache.get(id(3)) == Some(tile(3)));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Law: where nothing can be written, or someone else writes, what is there is read and nothing fails.
#[test]
fn busy_and_impossible_folders() {
    let folder = TempDir::new().unwrap();
    let first = TileCache::with_key(folder.path(), "abc", PLENTY);
    first.put(&tile(1));
    let second = TileCache::with_key(folder.path(), "abc", PLENTY);
    assert!(first.is_writing() && !second.is_writing());
    second.put(&tile(2));
    assert_eq!((second.get(id(1)), second.get(id(2))), (Some(tile(1)), None));
    let file = folder.path().join("file");
    fs::write(&file, "in the way").unwrap();
    let none = TileCache::with_key(&file.join("folder"), "abc", PLENTY);
    none.put(&tile(1));
    assert_eq!((none.get(id(1)), none.is_writing(), none.bytes()), (None, false, 0));
}

/// Law: what a thread squeezed is written once, and not at all if another failed meanwhile: so one line warns, not one a thread.
#[test]
fn squeezed_by_two_threads_at_once() {
    let folder = TempDir::new().unwrap();
    let cache = TileCache::with_key(folder.path(), "abc", PLENTY);
    let squeezed = pack::record::to_bytes(&tile(1)).unwrap();
    cache.put(&tile(1));
    let bytes = cache.bytes();
    cache.append(id(1), &squeezed);
    assert_eq!(cache.bytes(), bytes, "another thread kept it");
    cache.locked(Logs::stop);
    cache.append(id(2), &pack::record::to_bytes(&tile(2)).unwrap());
    assert_eq!((cache.bytes(), cache.get(id(2))), (bytes, None), "another thread failed");
}

/// A full disk: the file may not grow beyond what a device of Linux takes, which is nothing.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let folder = TempDir::new().unwrap();
    let cache = TileCache::with_key(folder.path(), "abc", PLENTY);
    cache.put(&tile(1));
    cache.locked(|logs| logs.write_into(fs::File::options().read(true).write(true).open("/dev/full").unwrap()));
    cache.put(&tile(2));
    assert!(!cache.is_writing());
    assert_eq!(cache.get(id(2)), None);
    drop(cache);
    let again = TileCache::with_key(folder.path(), "abc", PLENTY);
    assert_eq!(again.get(id(1)), Some(tile(1)), "what was kept is kept");
}

/// A relief of a few hills.
fn hills() -> Relief {
    let grid = GlobalGrid::from_fn(72, 37, Registration::Node, |lon, lat| 2_000.0 * (3.0 * lon).sin() * lat.cos());
    Relief::from_grid(grid).unwrap()
}

/// Law: errors of the lattice come back as they were found, whatever was damaged; other data, other levels and exaggerated ground have others.
#[test]
fn errors_of_the_lattice_are_kept() {
    let folder = TempDir::new().unwrap();
    let cache = |key: &str| Arc::new(TileCache::with_key(folder.path(), key, PLENTY));
    let found = CoarseErrors::build(&hills(), 4);
    assert_eq!(cache("abc").coarse_errors(&hills(), 4), found);
    let file = |key: &str| folder.path().join(format!("{}{}", blake3::hash(key.as_bytes()).to_hex(), lattice::END));
    let whole = fs::read(file("abc")).unwrap();
    // What is kept answers, and not the relief.
    let flat = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 0.0)).unwrap();
    assert_eq!(cache("abc").coarse_errors(&flat, 4), found);
    assert_ne!(cache("abd").coarse_errors(&flat, 4), found);
    assert_eq!(
        cache("abc").coarse_errors(&hills().exaggerated(2.0), 4),
        CoarseErrors::build(&hills().exaggerated(2.0), 4)
    );
    let mut rng = StdRng::from_rng(&mut rand::rng());
    for _ in 0..40 {
        let mut bytes = whole.clone();
        match rng.random_range(0..3) {
            0 => bytes.truncate(rng.random_range(0..whole.len())),
            1 => bytes.push(0),
            _ => bytes[rng.random_range(0..whole.len())] ^= 1 << rng.random_range(0..8),
        }
        fs::write(file("abc"), &bytes).unwrap();
        assert_eq!(cache("abc").coarse_errors(&hills(), 4), found);
        if bytes.starts_with(lattice::MAGIC) {
            assert_eq!(fs::read(file("abc")).unwrap(), whole, "they are written anew");
        } else {
            assert_eq!(fs::read(file("abc")).unwrap(), bytes, "it is not ours");
            fs::remove_file(file("abc")).unwrap();
        }
    }
    // Another level takes the place of the one that was kept.
    assert_eq!(cache("abc").coarse_errors(&hills(), 3), CoarseErrors::build(&hills(), 3));
}

/// Law: errors of other keys are forgotten for want of room, as tiles are, and nobody else's file of such a name.
#[test]
fn errors_count_in_the_budget() {
    let folder = TempDir::new().unwrap();
    let cache = |key: &str, most_bytes: u64| Arc::new(TileCache::with_key(folder.path(), key, most_bytes));
    let foreign = folder.path().join(format!("{}{}", "0".repeat(64), lattice::END));
    fs::write(&foreign, "notes").unwrap();
    for key in ["a", "b"] {
        cache(key, PLENTY).coarse_errors(&hills(), 4);
    }
    let kept = || {
        fs::read_dir(folder.path())
            .unwrap()
            .flatten()
            .filter(|e| e.path().extension().is_some_and(|end| end == "errors"))
            .count()
    };
    assert_eq!(kept(), 3);
    cache("c", 2_000).coarse_errors(&hills(), 4);
    assert_eq!(kept(), 2, "its own, and the foreign one");
    assert_eq!(fs::read_to_string(foreign).unwrap(), "notes");
}
