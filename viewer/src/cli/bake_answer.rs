//! What does `orogen bake` answer? What a pack would take, in words or as JSON, and as JSON what was made.

use std::path::Path;
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};
use terrain::bake::{Deviation, Estimate, Outcome, Progress};
use terrain::geodesy::Ellipsoid;
use terrain::height::LayerInfo;
use terrain::pack::{LevelCount, Pack};
use terrain::tile::posting_m;

use super::elevation::remarks_json;
use super::progress::format_duration;

/// What a pack would take.
pub fn estimated(
    ellipsoid: Ellipsoid,
    estimate: &Estimate,
    layers: &[LayerInfo],
    as_json: bool,
) -> anyhow::Result<String> {
    let tiles: u64 = estimate.levels.iter().map(|level| level.tiles).sum();
    let bytes: f64 = estimate.levels.iter().map(|level| level.bytes).sum();
    let seconds = |work: Duration| work.as_secs_f64() / estimate.threads.max(1) as f64;
    let total_s: f64 = estimate.levels.iter().map(|level| seconds(level.work)).sum();
    if as_json {
        let levels = estimate.levels.iter().map(|level| {
            json!({
                "level": level.level,
                "posting_m": posting_m(ellipsoid, level.level),
                "tiles": level.tiles,
                "bytes": level.bytes.round(),
                "seconds": seconds(level.work),
            })
        });
        let all = json!({
            "tiles": tiles,
            "bytes": bytes.round(),
            "seconds": total_s,
            "threads": estimate.threads,
            "levels": levels.collect::<Vec<_>>(),
            "remarks": remarks_json(layers),
        });
        return Ok(format!("{all:#}\n"));
    }
    let mut text = String::from("level   posting        tiles          size        time\n");
    let mut row = |level: &str, posting: &str, tiles: u64, bytes: f64, seconds: f64| {
        let (bytes, time) = (HumanBytes(bytes as u64).to_string(), format_duration(seconds));
        text += &format!("{level:<7} {posting:>9} {:>10} {bytes:>13} {time:>11}\n", HumanCount(tiles).to_string());
    };
    for level in &estimate.levels {
        let posting = format!("{:.1} m", posting_m(ellipsoid, level.level));
        row(&level.level.to_string(), &posting, level.tiles, level.bytes, seconds(level.work));
    }
    row("all", "", tiles, bytes, total_s);
    Ok(format!("{text}extrapolated from a few tiles of each level, on {} threads\n", estimate.threads))
}

/// What was made.
#[derive(Debug)]
pub struct BakeReport {
    /// How it went.
    pub outcome: Outcome,
    /// How long it took.
    pub elapsed: Duration,
    /// How far heights are from those of the data, if that is known.
    pub deviation: Option<Deviation>,
}

impl BakeReport {
    /// Of a pack that was there already.
    pub const UP_TO_DATE: BakeReport =
        BakeReport { outcome: Outcome::UpToDate, elapsed: Duration::ZERO, deviation: None };

    /// As JSON: the pack, the name of the file that it goes to, and the layers that it is made of.
    pub fn json(&self, pack: &Pack, out: &Path, layers: &[LayerInfo]) -> Value {
        let ellipsoid = pack.manifest().ellipsoid;
        let levels = pack.levels().into_iter().map(|LevelCount { level, tiles, bytes }| {
            json!({ "level": level, "posting_m": posting_m(ellipsoid, level), "tiles": tiles, "bytes": bytes })
        });
        let found = match self.outcome {
            Outcome::UpToDate => pack.len() as u64,
            Outcome::Written(Progress { found, .. }) => found,
        };
        let deviation = self
            .deviation
            .map(|Deviation { places, rms_m, most_m }| json!({ "places": places, "rms_m": rms_m, "most_m": most_m }));
        json!({
            "pack": out.display().to_string(),
            "written": self.outcome != Outcome::UpToDate,
            "tiles": pack.len(),
            "found": found,
            // An object on a server has no length that is known here.
            "bytes": std::fs::metadata(pack.path()).map_or_else(|_| tile_bytes(pack), |file| file.len()),
            "seconds": self.elapsed.as_secs_f64(),
            "levels": levels.collect::<Vec<_>>(),
            "deviation": deviation,
            "remarks": remarks_json(layers),
        })
    }
}

fn tile_bytes(pack: &Pack) -> u64 {
    pack.levels().iter().map(|level| level.bytes).sum()
}
