//! How do shards become a pack? Their tiles are consecutive, so the pack is one shard after the other.

use std::{
    collections::BTreeMap,
    ops::Range,
    path::{Path, PathBuf},
};

use super::{
    BakeError, Outcome, Progress, Step,
    error_inputs::ErrorInputs,
    key,
    progress::{ProgressReporter, StepCost},
    writer::{PackState, Writer},
};
use crate::pack::{FileRead, Manifest, Pack, PackError, PartKind, Share, reader::check_tree};

/// Bytes of tiles that a thread copies at once, about, and tiles, at most.
const RUN_BYTES: u64 = 1 << 20;
const RUN_TILES: usize = 64;
/// Runs for each thread until it is told how far the work is.
const RUNS_PER_THREAD: usize = 4;
/// The same for all threads where shards are elsewhere: they and those after them are asked for together, and kept in memory until they are
/// read.
const RUNS_AWAY: usize = 32;

/// Joins all shards of a pack, given in any order: the result is the pack that one run would have made, byte for byte.
///
/// ```
/// # #[cfg(feature = "gdal")] {
/// use elevation::{bake::{Bake, BakeOptions, merge}, height::OpenOptions, pack::{Pack, Shard}};
/// # let folder = std::env::temp_dir().join(format!("orogen-merge-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let shards = [1, 2].map(|index| folder.join(format!("{index}.pack")));
/// for (index, file) in (1..).zip(&shards) {
///     let options = BakeOptions::default().with_max_level(Some(0)).with_shard(Some(Shard { index, count: 2 }));
///     Bake::new(&[], &OpenOptions::default(), &options)?.run(file, false, &mut |_| {})?;
/// }
/// let whole = folder.join("whole.pack");
/// merge(&shards, &whole, false, &mut |_| {})?;
/// assert_eq!(Pack::open(&whole)?.len(), 6);
/// # std::fs::remove_dir_all(&folder)?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PackError::Unmergeable`] if one is missing, there twice or of another pack; what [`Pack::open`] and [`super::Bake::run`]
/// answer.
pub fn merge(
    shards: &[PathBuf],
    out: &Path,
    overwrite: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Outcome, BakeError> {
    let packs = shards.iter().map(|shard| Pack::open_any(shard)).collect::<Result<Vec<_>, _>>()?;
    merge_packs(packs, out, overwrite, &mut |now| {
        progress(now);
        true
    })
}

/// The same of shards that are open, on a disk or a server, as long as `progress` says that it goes on.
///
/// ```
/// # #[cfg(feature = "gdal")] {
/// use elevation::{bake::{Bake, BakeOptions, Outcome, merge_packs, merged}, height::OpenOptions, pack::{Pack, Shard}};
/// # let folder = std::env::temp_dir().join(format!("orogen-merge-packs-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let shards = [2, 1].map(|index| folder.join(format!("{index}.pack")));
/// for (index, file) in [2, 1].into_iter().zip(&shards) {
///     let options = BakeOptions::default().with_max_level(Some(0)).with_shard(Some(Shard { index, count: 2 }));
///     Bake::new(&[], &OpenOptions::default(), &options)?.run(file, false, &mut |_| {})?;
/// }
/// let open = || shards.iter().map(|file| Pack::open_any(file)).collect::<Result<Vec<_>, _>>();
/// let whole = folder.join("whole.pack");
/// assert!(merge_packs(open()?, &whole, false, &mut |_| false).is_err());
/// merge_packs(open()?, &whole, false, &mut |_| true)?;
/// assert_eq!(merge_packs(open()?, &whole, false, &mut |_| true)?, Outcome::UpToDate);
/// assert_eq!(merged(&mut open()?)?, *Pack::open(&whole)?.manifest());
/// # std::fs::remove_dir_all(&folder)?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`merge`], and [`PackError::Interrupted`].
pub fn merge_packs(
    mut packs: Vec<Pack>,
    out: &Path,
    overwrite: bool,
    progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<Outcome, BakeError> {
    let manifest = merged(&mut packs)?;
    let mut writer = match Writer::open(out, &manifest, overwrite)? {
        PackState::UpToDate => return Ok(Outcome::UpToDate),
        PackState::Incomplete(writer) => writer,
    };
    // Copying is fast, so what an earlier run has left is not worth a comparison.
    writer.rewind(0)?;
    let mut reporter = ProgressReporter::new(out, (0, manifest.tiles, writer.bytes()), StepCost::MERGE, progress)?;
    let runs: Vec<(&Pack, Range<usize>)> = packs.iter().flat_map(runs_of).collect();
    let is_away = packs.iter().any(Pack::is_remote);
    let together = if is_away { RUNS_AWAY } else { RUNS_PER_THREAD * rayon::current_num_threads() };
    for (k, batch) in runs.chunks(together).enumerate() {
        let ahead = &runs[k * together..runs.len().min((k + 2) * together)];
        for of_one in ahead.chunk_by(|(a, _), (b, _)| std::ptr::eq(*a, *b)) {
            let numbers = of_one.iter().flat_map(|(_, numbers)| numbers.clone());
            of_one[0].0.prefetch_records(numbers, PartKind::Heights);
        }
        writer.append_runs(batch)?;
        reporter.report(Step::Heights, writer.tiles().len() as u64, writer.bytes())?;
    }
    reporter.report(Step::Heights, manifest.tiles, writer.bytes())?;
    let bytes = writer.commit(&manifest, &ErrorInputs::FromShards(&packs), &mut reporter)?;
    Ok(Outcome::Written(Progress { bytes, ..reporter.last() }))
}

/// The tiles of a shard in runs, by their numbers.
fn runs_of(pack: &Pack) -> Vec<(&Pack, Range<usize>)> {
    let (mut runs, mut first, mut bytes) = (Vec::new(), 0, 0);
    for (k, entry) in pack.records().iter().enumerate() {
        bytes += entry.bytes();
        if bytes >= RUN_BYTES || k + 1 - first == RUN_TILES || k + 1 == pack.len() {
            runs.push((pack, first..k + 1));
            (first, bytes) = (k + 1, 0);
        }
    }
    runs
}

/// The manifest of the pack whose shards these are, all of them; they are brought into their order.
///
/// # Errors
/// [`PackError::Unmergeable`] if one is missing, there twice or of another pack.
pub fn merged(packs: &mut [Pack]) -> Result<Manifest, BakeError> {
    packs.sort_by_key(|pack| pack.manifest().shard.map_or(0, |share| share.shard.index));
    let Some(first) = packs.first() else {
        return Err(BakeError::Option { what: "shards", value: "none".to_owned(), rule: "give all shards of a pack" });
    };
    let manifest = of_all(first.manifest());
    let count = first.manifest().shard.map_or(0, |share| share.shard.count);
    let mut next = 0;
    for (k, pack) in packs.iter().enumerate() {
        let refuse = |reason: String| Err(PackError::Unmergeable { file: pack.path().into(), reason }.into());
        let Some(Share { shard, first: begin, tiles }) = pack.manifest().shard else {
            return refuse("a whole pack already, not a shard of one".to_owned());
        };
        let same = of_all(pack.manifest()) == manifest && shard.count == count;
        if !same {
            return refuse(format!("not of the same pack as {}: other data or options", first.path().display()));
        }
        let expected = k as u64 + 1;
        if shard.index < expected {
            return refuse(format!("shard {} of {count} is given twice", shard.index));
        }
        if shard.index > expected {
            return refuse(format!("shard {expected} of {count} is missing"));
        }
        if begin != next {
            return refuse(format!(
                "shard {expected} of {count} begins after {begin} tiles, those before it end after {next}: make all of them by one program"
            ));
        }
        next += tiles;
    }
    if let Some(last) = packs.last().filter(|_| (packs.len() as u64) < count) {
        let reason = format!("shard {} of {count} is missing", packs.len() + 1);
        return Err(PackError::Unmergeable { file: last.path().into(), reason }.into());
    }
    if next != manifest.tiles {
        let reason = format!("shards of {next} tiles of {}", manifest.tiles);
        return Err(PackError::Unmergeable { file: first.path().into(), reason }.into());
    }
    // No shard can tell by itself whether the parents of its tiles are there.
    let ids = || packs.iter().flat_map(Pack::ids);
    let by_id = ids().zip(0..).collect();
    check_tree(ids(), &by_id).map_err(|reason| {
        let reason = format!("with the other shards it is no pack: {reason}");
        PackError::Unmergeable { file: first.path().into(), reason }
    })?;
    let key = joined_key(packs, &manifest.key)?;
    Ok(Manifest { key, ..manifest })
}

/// What a shard says of the pack.
fn of_all(shard: &Manifest) -> Manifest {
    Manifest { shard: None, read: None, ..shard.clone() }
}

/// The key of a pack from the files that its shards were read from: each in one state, and all of them.
fn joined_key(packs: &[Pack], head: &str) -> Result<String, PackError> {
    let refuse = |pack: &Pack, reason: String| PackError::Unmergeable { file: pack.path().into(), reason };
    let mut all: BTreeMap<u64, (&FileRead, &Pack)> = BTreeMap::new();
    let mut files = None;
    for pack in packs {
        let Some(read) = &pack.manifest().read else { continue };
        if files.replace(read.files).is_some_and(|files| files != read.files) {
            return Err(refuse(pack, format!("of {} files, and others of more or fewer: other data", read.files)));
        }
        for file in &read.read {
            let (first, other) = *all.entry(file.number).or_insert((file, pack));
            if first.hash != file.hash {
                let (name, other) = (foreign::sanitized(&file.name), other.path().display());
                let reason = format!("{name} was another when {other} was made from it: make one of the two again");
                return Err(refuse(pack, reason));
            }
        }
    }
    let missing = (0..=all.len() as u64).find(|number| !all.contains_key(number));
    if let (Some(missing), Some(pack)) =
        (missing.filter(|missing| files.is_some_and(|files| *missing < files)), packs.first())
    {
        return Err(refuse(
            pack,
            format!("no shard says what file {} of its sources was: bake without --shard", missing + 1),
        ));
    }
    Ok(key::of_hashes(head, all.values().map(|(file, _)| &*file.hash)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::bake::{error_inputs::OtherShards, pack_tiles::PackTiles};
    use crate::pack::{FilesRead, Shard, SourceRecord, codec, format::TileHeader};
    use crate::tile::{TILE_VERTICES, TileId};

    fn manifest(tiles: u64, shard: Option<Share>) -> Manifest {
        let source = SourceRecord {
            name: "a.tif".to_owned(),
            folder: String::new(),
            crs: "WGS 84".to_owned(),
            datum: "not stated".to_owned(),
            posting_m: 10_000.0,
            level: 1,
            bbox_deg: [-180.0, -90.0, 180.0, 90.0],
            cap: None,
            attribution: String::new(),
            remarks: Vec::new(),
        };
        let sources = vec![source];
        let ellipsoid = crate::geodesy::Ellipsoid::WGS84;
        Manifest {
            key: String::new(),
            height_step_m: 0.25,
            max_level: 1,
            ellipsoid,
            bbox_deg: None,
            tiles,
            read: shard.map(|_| FilesRead { files: 0, read: Vec::new() }),
            shard,
            sources,
        }
    }

    /// Merges two shards of flat tiles, the checksums of which are all right.
    fn joined(ids: &[TileId]) -> Result<Outcome, BakeError> {
        joined_with(ids, 0)
    }

    /// The same, where the second one states fewer tiles before it than there are.
    fn joined_with(ids: &[TileId], fewer: u64) -> Result<Outcome, BakeError> {
        let folder = tempfile::tempdir().unwrap();
        let shards = [1, 2].map(|index| {
            let half = ids.len() as u64 / 2;
            let (first, tiles) = if index == 1 { (0, half) } else { (half, ids.len() as u64 - half) };
            let share = Share { shard: Shard { index, count: 2 }, first: first - first.min(fewer), tiles };
            let (path, manifest) = (folder.path().join(index.to_string()), manifest(ids.len() as u64, Some(share)));
            let PackState::Incomplete(mut writer) = Writer::open(&path, &manifest, false).unwrap() else {
                panic!("it is new")
            };
            for id in &ids[first as usize..(first + tiles) as usize] {
                let flat = codec::encode(&vec![0; TILE_VERTICES * TILE_VERTICES], id.level == 0).unwrap();
                writer.append(TileHeader::new(*id, [0, 0], &flat), &flat).unwrap();
            }
            let tell = &mut |_| true;
            let mut reporter = ProgressReporter::new(&path, (0, 0, 0), StepCost::MERGE, tell).unwrap();
            // As if no tile were in the other one.
            let flat = Arc::new(vec![0; TILE_VERTICES * TILE_VERTICES]);
            let tops = ids.iter().map(|id| (*id, flat.clone())).collect();
            let wanted = PackTiles::new(crate::geodesy::Ellipsoid::WGS84, Vec::new(), 1, 0, None);
            let rest = ErrorInputs::OtherShards(OtherShards { tops, wanted: &wanted, ends: [None; 2] });
            writer.commit(&manifest, &rest, &mut reporter).unwrap();
            path
        });
        merge(&shards, &folder.path().join("out"), false, &mut |_| {})
    }

    /// Law: shards that are sound one by one, but no tree together, are refused before anything is made of them.
    #[test]
    fn shards_of_no_tree() {
        let faces: Vec<TileId> = (0..6).map(TileId::root).collect();
        let child = |face: u32| TileId { face, level: 1, i: 1, j: 0 };
        let overlapping = joined_with(&faces, 1).unwrap_err().to_string();
        assert!(overlapping.contains("begins after 2 tiles, those before it end after 3"), "{overlapping}");
        let whole = [&faces[..1], &[child(0)], &faces[1..]].concat();
        assert!(matches!(joined(&whole), Ok(Outcome::Written(_))));
        let reason = |ids: &[TileId]| joined(ids).unwrap_err().to_string();
        assert!(reason(&faces[..5]).contains("face 5 is missing"), "{}", reason(&faces[..5]));
        assert!(reason(&[&whole[..], &[child(0)]].concat()).contains("there twice"));
        let before = [&faces[..5], &[child(5)], &faces[5..]].concat();
        assert!(reason(&before).contains("no parent before it"), "{}", reason(&before));
    }
}
