//! How do shards become a pack? Their tiles are consecutive, so the pack is one shard after the other.

use std::path::{Path, PathBuf};

use super::{
    Manifest, Outcome, Pack, PackError, Progress, Shard,
    format::TILE_BYTES,
    progress::{Cost, Step, Teller},
    writer::{Work, Writer},
};

/// Joins all shards of a pack, given in any order: the result is the pack that one run would have made, byte for byte.
///
/// # Errors
/// [`PackError::Unmergeable`] if one is missing, there twice or of another pack; what [`Pack::open`] and [`super::Bake::run`]
/// answer.
pub fn merge(
    shards: &[PathBuf],
    out: &Path,
    overwrite: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Outcome, PackError> {
    let mut packs = shards.iter().map(|shard| Pack::open_any(shard)).collect::<Result<Vec<_>, _>>()?;
    packs.sort_by_key(|pack| pack.manifest().shard.map_or(0, |shard| shard.index));
    let manifest = whole(&packs)?;
    let mut writer = match Writer::open(out, &manifest, overwrite)? {
        Work::Done => return Ok(Outcome::UpToDate),
        Work::Append(writer) => writer,
    };
    // Copying is fast, so what an earlier run has left is not worth a comparison.
    writer.rewind(0)?;
    let mut teller = Teller::new((0, manifest.tiles, writer.bytes()), Cost::MERGE, progress);
    for pack in &packs {
        for entry in pack.records() {
            let record = pack.record(&entry.header, entry.offset)?;
            writer.append(entry.header, &record[TILE_BYTES..])?;
            let done = writer.tiles().len() as u64;
            if done.is_multiple_of(64) {
                teller.tell(Step::Heights, done, writer.bytes());
            }
        }
    }
    teller.tell(Step::Heights, manifest.tiles, writer.bytes());
    let bytes = writer.commit(&manifest, &mut teller)?;
    Ok(Outcome::Written(Progress { bytes, ..teller.now() }))
}

/// The manifest of the pack whose shards these are, all of them, in order.
fn whole(packs: &[Pack]) -> Result<Manifest, PackError> {
    let Some(first) = packs.first() else {
        return Err(PackError::Option { what: "shards", value: "none".to_owned(), rule: "give all shards of a pack" });
    };
    let manifest = Manifest { shard: None, ..first.manifest().clone() };
    let count = first.manifest().shard.map_or(0, |shard| shard.count);
    for (k, pack) in packs.iter().enumerate() {
        let refuse = |reason: String| Err(PackError::Unmergeable { file: pack.path().into(), reason });
        let Some(shard) = pack.manifest().shard else {
            return refuse("a whole pack already, not a shard of one".to_owned());
        };
        let same = Manifest { shard: None, ..pack.manifest().clone() } == manifest && shard.count == count;
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
        let Shard { index, .. } = shard;
        let range = shard.range(manifest.tiles);
        if pack.len() as u64 != range.end - range.start {
            return refuse(format!("shard {index} of {count} has {} tiles of {}", pack.len(), range.end - range.start));
        }
    }
    match packs.last().filter(|_| (packs.len() as u64) < count) {
        Some(last) => {
            let reason = format!("shard {} of {count} is missing", packs.len() + 1);
            Err(PackError::Unmergeable { file: last.path().into(), reason })
        }
        None => Ok(manifest),
    }
}
