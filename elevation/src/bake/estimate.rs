//! How long will a pack take, and how large will it be? Told from a few tiles of each level.

use std::{
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use web_time::Instant;

use super::{Bake, BakeError, progress::StepCost, saturate::expected_codes};
use crate::{
    pack::{
        PackError, error_codec,
        format::{ERRORS_BYTES, TILE_BYTES},
    },
    progress::Stage,
    tile::{TEXEL_BASE_M, TileId},
};

/// Tiles of each level that are built for an estimate.
const SAMPLES: u64 = 8;
/// Work of a level after which no more of its tiles are begun for an estimate: coarse ones lie on many files.
const ENOUGH: Duration = Duration::from_secs(1);

/// What was built of a level for an estimate.
#[derive(Clone, Debug, Default)]
struct SampleTotals {
    count: u64,
    bytes: usize,
    work: Duration,
}

/// What a level will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelEstimate {
    /// The level.
    pub level: u32,
    /// Its tiles.
    pub tiles: u64,
    /// Their bytes, extrapolated.
    pub bytes: f64,
    /// Time of one thread for them, extrapolated.
    pub work: Duration,
}

/// What a pack will take.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// By level, coarsest first.
    pub levels: Vec<LevelEstimate>,
    /// Threads that work at the same time.
    pub threads: usize,
}

impl Bake {
    /// Extrapolates from a few tiles of each level, evenly spread over the whole pack.
    ///
    /// ```
    /// # #[cfg(feature = "gdal")] {
    /// use elevation::{bake::{Bake, BakeOptions}, height::OpenOptions};
    /// let options = BakeOptions::default().with_max_level(Some(0));
    /// let bake = Bake::new(&[], &OpenOptions::default(), &options)?;
    /// let estimate = bake.estimate()?;
    /// assert_eq!((estimate.levels[0].tiles, bake.manifest().tiles, bake.layers().len()), (6, 6, 1));
    /// # }
    /// # Ok::<(), elevation::bake::BakeError>(())
    /// ```
    ///
    /// # Errors
    /// [`BakeError::Source`] if a source cannot be read.
    pub fn estimate(&self) -> Result<Estimate, BakeError> {
        let mut seen = vec![0; self.counts.len()];
        let mut chosen: Vec<(u128, (TileId, bool))> = Vec::new();
        for (id, is_end) in self.wanted.with_ends() {
            let (level, count) = (id.level as usize, self.counts[id.level as usize]);
            // The k-th of `count` is chosen where k * SAMPLES / count steps up: always where there are few.
            let share = |k: u64| u128::from(k) * u128::from(SAMPLES) / u128::from(count);
            let sample = share(seen[level]);
            if sample != share(seen[level] + 1) {
                chosen.push((sample, (id, is_end)));
            }
            seen[level] += 1;
        }
        // A first one of each level, then a second one: on all threads, whatever a level costs.
        chosen.sort_by_key(|(sample, (id, _))| (*sample, id.level));
        let stage = Stage::begin("building samples of tiles", chosen.len() as u64);
        let (next, built) = (AtomicUsize::new(0), Mutex::new(vec![SampleTotals::default(); self.counts.len()]));
        let lock = || built.lock().unwrap_or_else(PoisonError::into_inner);
        let build = || -> Result<(), BakeError> {
            while let Some((_, (id, is_end))) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                let level = id.level as usize;
                if lock()[level].work <= ENOUGH {
                    let started = Instant::now();
                    let (steps, _, payload) = self.record((*id, *is_end))?;
                    let work = started.elapsed();
                    let bytes = payload.len() + TILE_BYTES + self.errors_bytes(*id, &steps)?;
                    let of_level = &mut lock()[level];
                    *of_level = SampleTotals {
                        count: of_level.count + 1,
                        bytes: of_level.bytes + bytes,
                        work: of_level.work + work,
                    };
                }
                stage.step();
            }
            Ok(())
        };
        rayon::broadcast(|_| build()).into_iter().collect::<Result<(), BakeError>>()?;
        let share = (StepCost::BAKE.heights + StepCost::BAKE.errors) as f64 / StepCost::BAKE.heights as f64;
        let built = built.into_inner().unwrap_or_else(PoisonError::into_inner);
        let levels = self.counts.iter().zip(&built).enumerate().filter(|(_, (tiles, _))| **tiles > 0);
        let levels = levels.map(|(level, (&tiles, built))| {
            let scale = tiles as f64 / built.count.max(1) as f64;
            LevelEstimate {
                level: level as u32,
                tiles,
                bytes: built.bytes as f64 * scale,
                work: built.work.mul_f64(scale * share),
            }
        });
        let levels = levels.collect();
        self.check_sources()?;
        Ok(Estimate { levels, threads: rayon::current_num_threads() })
    }

    /// About the bytes of a tile's errors.
    fn errors_bytes(&self, id: TileId, steps: &[u32]) -> Result<usize, BakeError> {
        let height_m = |steps: &u32| f64::from(*steps) * self.manifest.height_step_m + TEXEL_BASE_M;
        let codes = expected_codes(self.relief.ellipsoid(), id, &steps.iter().map(height_m).collect::<Vec<_>>());
        let payload = error_codec::encode(&codes, id.level == 0);
        Ok(ERRORS_BYTES + payload.map_err(PackError::io(Path::new("zstd"), "squeeze errors"))?.len())
    }
}
