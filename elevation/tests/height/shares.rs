//! Shares of a pack from many files: each reads the files near it, and no pack is of two states of a file.

use std::{
    collections::BTreeSet,
    fs,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use elevation::{
    bake::{Bake, BakeError, BakeOptions, Outcome, merge, merge_packs},
    height::OpenOptions,
    pack::{Pack, PackBytes, PackError, Shard, WaitPolicy},
};
use rand::{Rng, rngs::StdRng, seq::SliceRandom};
use tempfile::TempDir;

use super::raster_files::Frame;
use crate::random;

const VOID: f32 = -9999.0;

/// Files side by side, columns and rows of them, of random ground with voids.
struct Cells {
    folder: TempDir,
    frames: Vec<Frame>,
}

impl Cells {
    fn new(rng: &mut StdRng, [columns, rows]: [usize; 2], side: usize, posting_deg: f64) -> Self {
        let (folder, cell_deg) = (TempDir::new().expect("a temporary folder"), side as f64 * posting_deg);
        // Where nobody takes longitudes for latitudes.
        let (west, north) = (rng.random_range(95.0..110.0), rng.random_range(0.0..30.0));
        let frame = |k: usize| {
            let (west, north) = (west + (k % columns) as f64 * cell_deg, north - (k / columns) as f64 * cell_deg);
            Frame::north_up("EPSG:4326", (side, side), west, north, posting_deg)
        };
        let cells = Self { folder, frames: (0..columns * rows).map(frame).collect() };
        (0..cells.frames.len()).for_each(|k| cells.write(rng, k));
        cells
    }

    /// Writes a file, which has as many bytes whatever its ground is.
    fn write(&self, rng: &mut StdRng, k: usize) {
        let frame = &self.frames[k];
        let (side, _) = frame.size;
        let [a, b, c] = [0; 3].map(|_| rng.random_range(0.05..0.4f32));
        let corner = [0; 2].map(|_| rng.random_range(0..side));
        let width = if rng.random::<bool>() { rng.random_range(0..side / 2) } else { 0 };
        let value = |at: usize| {
            let (x, y) = (at % side, at / side);
            let is_void = (corner[0]..corner[0] + width).contains(&x) && (corner[1]..corner[1] + width).contains(&y);
            let (x, y) = (x as f32, y as f32);
            if is_void { VOID } else { 700.0 * ((a * x).sin() + (b * y).cos() + (c * (x + y)).sin()) }
        };
        let values = (0..side * side).map(value).collect();
        frame.write::<f32>(&self.file(k), values).close().expect("closed");
    }

    fn name(k: usize) -> String {
        format!("cell-{k:03}.tif")
    }

    fn file(&self, k: usize) -> PathBuf {
        self.folder.path().join(Self::name(k))
    }

    fn job(&self, open: &OpenOptions, shard: Option<Shard>) -> Bake {
        let options = BakeOptions::default().with_max_level(Some(2)).with_shard(shard);
        Bake::new(&[self.folder.path().to_path_buf()], open, &options).unwrap_or_else(|error| panic!("{error}"))
    }
}

fn options(rng: &mut StdRng) -> OpenOptions {
    let default = OpenOptions::default().with_nodata(Some(VOID.into()));
    // Of less memory, files are read in parts.
    if rng.random::<bool>() { default.with_layer_bytes(2 << 20) } else { default }
}

fn run(job: &Bake, out: &Path, overwrite: bool) -> Result<Outcome, BakeError> {
    job.run(out, overwrite, &mut |_| {})
}

/// Names of the files that a shard says it was read from.
fn read_for(shard: &Path) -> BTreeSet<String> {
    let pack = Pack::open_any(shard).unwrap_or_else(|error| panic!("{error}"));
    pack.manifest().read.iter().flat_map(|read| &read.read).map(|file| file.name.clone()).collect()
}

/// Law: shares of many files, made and joined in any order, are the pack of one run. A share whose files have not changed stays; one that
/// was read from a file that has changed is stale. Shards of two states of a file are refused; those of one state, whatever it is, are the
/// pack of one run from that state.
#[test]
fn no_pack_is_of_two_states() {
    let (mut rng, work) = (random::rng(), TempDir::new().unwrap());
    let at = |name: &str| work.path().join(name);
    let (mut by_one, mut by_several, mut rounds) = (0, 0, 0);
    while by_one == 0 || by_several == 0 || rounds < 2 {
        rounds += 1;
        assert!(rounds < 20, "files that one share reads: {by_one}, that several do: {by_several}");
        let open = options(&mut rng);
        let shape = [rng.random_range(2..5), rng.random_range(1..4)];
        let (side, posting_deg) = (rng.random_range(60..300), rng.random_range(0.02..0.08));
        let cells = Cells::new(&mut rng, shape, side, posting_deg);
        let whole = |open: &OpenOptions| {
            run(&cells.job(open, None), &at("whole.pack"), true).unwrap();
            fs::read(at("whole.pack")).unwrap()
        };
        let count = if rounds % 2 == 0 { rng.random_range(1..3) } else { rng.random_range(3..9) };
        let mut order: Vec<u64> = (1..=count).collect();
        order.shuffle(&mut rng);
        let shard = |index: u64| (cells.job(&open, Some(Shard { index, count })), at(&format!("{index}.pack")));
        for &index in &order {
            let (job, out) = shard(index);
            run(&job, &out, true).unwrap();
        }
        order.shuffle(&mut rng);
        let shards: Vec<PathBuf> = order.iter().map(|index| at(&format!("{index}.pack"))).collect();
        let joined = || merge(&shards, &at("joined.pack"), true, &mut |_| {});
        joined().unwrap();
        assert!(fs::read(at("joined.pack")).unwrap() == whole(&open), "{count} shards");

        let changed = rng.random_range(0..cells.frames.len());
        cells.write(&mut rng, changed);
        let name = Cells::name(changed);
        let (readers, others): (Vec<u64>, Vec<u64>) =
            order.iter().partition(|index| read_for(&at(&format!("{index}.pack"))).contains(&name));
        assert!(!readers.is_empty(), "{name}");
        for &index in &others {
            let (job, out) = shard(index);
            assert_eq!(run(&job, &out, false).unwrap(), Outcome::UpToDate);
        }
        for (k, &index) in readers.iter().enumerate() {
            let (job, out) = shard(index);
            assert_eq!(run(&job, &out, false), Err(PackError::Stale { file: out.clone() }.into()));
            run(&job, &out, true).unwrap();
            if k + 1 < readers.len() {
                let refused = joined().unwrap_err();
                assert!(matches!(refused, BakeError::Pack(PackError::Unmergeable { .. })), "{refused}");
                assert!(refused.to_string().contains(&name), "{refused}");
            }
        }
        joined().unwrap();
        assert!(fs::read(at("joined.pack")).unwrap() == whole(&open), "{count} shards after a change");
        *if readers.len() > 1 { &mut by_several } else { &mut by_one } += 1;
    }
}

/// Law: a share depends on no other heights than those of the files that it says it was read from.
#[test]
fn a_share_reads_the_files_near_it() {
    const CELLS: usize = 72;
    let (mut rng, work) = (random::rng(), TempDir::new().unwrap());
    let cells = Cells::new(&mut rng, [CELLS, 1], 20, 0.1);
    let open = options(&mut rng);
    let (count, mut all, mut some) = (rng.random_range(5..9), BTreeSet::new(), 0);
    for index in 1..=count {
        let shard = Some(Shard { index, count });
        let [out, again] = ["", " again"].map(|word| work.path().join(format!("{index}{word}.pack")));
        run(&cells.job(&open, shard), &out, false).unwrap();
        let read = read_for(&out);
        (0..CELLS).filter(|k| !read.contains(&Cells::name(*k))).for_each(|k| cells.write(&mut rng, k));
        run(&cells.job(&open, shard), &again, false).unwrap();
        assert!(fs::read(&out).unwrap() == fs::read(&again).unwrap(), "share {index} of {count}");
        some += u32::from((1..CELLS).contains(&read.len()));
        all.extend(read);
    }
    assert!(all.len() == CELLS && some > 0, "{} files, {some} shares read some", all.len());
}

/// Law: joining that is interrupted, killed with runs missing in the middle, or fails of a damaged shard leaves what the next run makes the
/// same pack of, whether that joins or bakes; and no pack before.
#[test]
fn joining_is_continued() {
    let (mut rng, work) = (random::rng(), TempDir::new().unwrap());
    let at = |name: &str| work.path().join(name);
    let cells = Cells::new(&mut rng, [2, 2], 80, 0.08);
    let open = options(&mut rng);
    let count = rng.random_range(2..5);
    let shards: Vec<PathBuf> = (1..=count).map(|index| at(&format!("{index}.pack"))).collect();
    for (index, shard) in (1..).zip(&shards) {
        run(&cells.job(&open, Some(Shard { index, count })), shard, false).unwrap();
    }
    let (out, part) = (at("a.pack"), at("a.pack.part"));
    run(&cells.job(&open, None), &out, false).unwrap();
    let whole = fs::read(&out).unwrap();
    fs::remove_file(&out).unwrap();
    let packs = || shards.iter().map(|shard| Pack::open_any(shard).unwrap()).collect::<Vec<_>>();
    let is_whole = || {
        let is_whole = fs::read(&out).unwrap() == whole && !part.exists();
        fs::remove_file(&out).unwrap();
        is_whole
    };

    let mut told = 0;
    merge_packs(packs(), &out, false, &mut |_| {
        told += 1;
        true
    })
    .unwrap();
    assert!(is_whole());
    for _ in 0..3 {
        let mut left = rng.random_range(1..told);
        let stopped = merge_packs(packs(), &out, false, &mut |_| {
            left -= 1;
            left > 0
        });
        assert_eq!(stopped, Err(PackError::Interrupted { file: out.clone() }.into()));
        assert!(!out.exists());
    }
    merge_packs(packs(), &out, false, &mut |_| true).unwrap();
    assert!(is_whole());

    let tiles = whole.windows(4).position(|bytes| bytes == b"ERRS").expect("errors");
    for k in 0..4 {
        let mut left = whole[..rng.random_range(tiles / 2..tiles)].to_vec();
        let hole = rng.random_range(tiles / 8..left.len());
        let length = rng.random_range(1..left.len() / 2).min(left.len() - hole);
        left[hole..hole + length].fill(0);
        fs::write(&part, left).unwrap();
        if k % 2 == 0 {
            merge(&shards, &out, false, &mut |_| {}).unwrap();
        } else {
            run(&cells.job(&open, None), &out, false).unwrap();
        }
        assert!(is_whole(), "{hole} {length}");
    }

    let damaged = &shards[rng.random_range(0..shards.len())];
    let sound = fs::read(damaged).unwrap();
    let mut bytes = sound.clone();
    let tiles = bytes.windows(4).position(|bytes| bytes == b"TILE").expect("tiles");
    let errors = bytes.windows(4).position(|bytes| bytes == b"ERRS").unwrap_or(bytes.len());
    bytes[rng.random_range(tiles..errors)] ^= 1 << rng.random_range(0..8);
    fs::write(damaged, bytes).unwrap();
    let refused = merge(&shards, &out, false, &mut |_| {}).unwrap_err();
    assert!(matches!(&refused, BakeError::Pack(PackError::Corrupt { file, .. }) if file == damaged), "{refused}");
    assert!(refused.to_string().contains("checksum") && !out.exists(), "{refused}");
    fs::write(damaged, sound).unwrap();
    merge(&shards, &out, false, &mut |_| {}).unwrap();
    assert!(is_whole());
}

/// A shard that is elsewhere, of which it is known what was told to be read, and not read yet.
#[derive(Debug)]
struct Elsewhere {
    bytes: Vec<u8>,
    told: Mutex<Told>,
}

#[derive(Debug, Default)]
struct Told {
    parts: BTreeSet<u64>,
    untold: u32,
}

impl PackBytes for Elsewhere {
    fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read(&self, offset: u64, bytes: &mut [u8], _: WaitPolicy) -> std::io::Result<()> {
        let mut told = self.told.lock().unwrap();
        told.untold += u32::from(!told.parts.contains(&offset));
        bytes.copy_from_slice(&self.bytes[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn prefetch(&self, parts: &[Range<u64>]) {
        self.told.lock().unwrap().parts.extend(parts.iter().map(|part| part.start));
    }

    fn forget(&self, offset: u64) {
        self.told.lock().unwrap().parts.remove(&offset);
    }
}

/// Law: shards that are elsewhere are joined to the same bytes. Every part is told before it is read, and heights are forgotten once they are.
#[test]
fn shards_elsewhere_are_told_what_is_read() {
    let (mut rng, work) = (random::rng(), TempDir::new().unwrap());
    let at = |name: &str| work.path().join(name);
    let cells = Cells::new(&mut rng, [2, 1], 80, 0.08);
    let open = options(&mut rng);
    let count = rng.random_range(2..5);
    let mut shards: Vec<Arc<Elsewhere>> = Vec::new();
    for index in 1..=count {
        run(&cells.job(&open, Some(Shard { index, count })), &at("shard.pack"), true).unwrap();
        shards.push(Arc::new(Elsewhere { bytes: fs::read(at("shard.pack")).unwrap(), told: Mutex::default() }));
    }
    let whole = at("whole.pack");
    run(&cells.job(&open, None), &whole, false).unwrap();
    let pack = |(k, shard): (usize, &Arc<Elsewhere>)| {
        Pack::any_of_bytes(Path::new(&format!("{k}.pack")), shard.clone()).unwrap_or_else(|error| panic!("{error}"))
    };
    let packs = shards.iter().enumerate().map(pack).collect();
    shards.iter().for_each(|shard| *shard.told.lock().unwrap() = Told::default());
    merge_packs(packs, &at("joined.pack"), false, &mut |_| true).unwrap();
    assert!(fs::read(at("joined.pack")).unwrap() == fs::read(whole).unwrap());
    for shard in shards {
        let told = shard.told.lock().unwrap();
        let errors = shard.bytes.windows(4).position(|bytes| bytes == b"ERRS").unwrap_or(shard.bytes.len()) as u64;
        assert_eq!((told.untold, told.parts.range(..errors).count()), (0, 0));
    }
}
