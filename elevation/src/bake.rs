//! How is a pack made? Tiles are built in parallel, batch by batch, and appended in their order.

mod deviation;
mod error;
mod error_inputs;
mod estimate;
mod files;
mod hashes;
mod key;
mod merge;
mod pack_tiles;
mod progress;
mod saturate;
mod tile_work;
mod verify;
mod writer;

use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use derive_setters::Setters;
use rayon::prelude::*;

use crate::{
    geodesy::Ellipsoid,
    height::{LayerInfo, OpenOptions, Relief},
    pack::{FilesRead, Manifest, Pack, PackError, Shard, SourceRecord, codec, format::TileHeader},
    tile::{MAX_TILE_LEVEL, TEXEL_BASE_M, TEXEL_RANGE_M, TileId, height_step_m},
    tile_build::{heights_m, nodes},
};
pub use deviation::Deviation;
pub use error::BakeError;
use error_inputs::{ErrorInputs, OtherShards, is_before};
pub use estimate::{Estimate, LevelEstimate};
use files::SourceFiles;
pub(crate) use hashes::FileHashCache;
pub(crate) use key::of_contents as key_of_contents;
pub use merge::{merge, merge_packs, merged};
use pack_tiles::PackTiles;
pub use progress::{Progress, Step};
use progress::{ProgressReporter, StepCost};
use tile_work::{Survey, WorkModel};
pub use verify::{Verification, verify, verify_pack};
use writer::{PackState, Writer};

/// Tiles of a batch for each thread: enough to keep all busy, few enough to bound memory (2 MB a tile) and what is lost
/// when the run is killed.
const BATCH_PER_THREAD: usize = 8;

/// What a pack shall hold.
#[derive(Clone, Debug, Default, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct BakeOptions {
    /// Where tiles finer than the bottom layer are wanted: west, south, east, north in degrees. `None`: wherever layers are.
    pub bbox_deg: Option<[f64; 4]>,
    /// Finest level; `None`: as fine as the layers.
    pub max_level: Option<u32>,
    /// Only a share of the work.
    pub shard: Option<Shard>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The pack was there already, made from the same data with the same options.
    UpToDate,
    /// The pack was written.
    Written(Progress),
}

/// A pack about to be made.
///
/// ```no_run
/// use elevation::{height::OpenOptions, bake::{Bake, BakeOptions}};
/// let bake = Bake::new(&["alps.tif".into()], &OpenOptions::default(), &BakeOptions::default())?;
/// bake.run("alps.pack".as_ref(), false, &mut |p| eprintln!("{} %", 100 * p.work / p.all_work))?;
/// # Ok::<(), elevation::bake::BakeError>(())
/// ```
#[derive(Debug)]
pub struct Bake {
    relief: Relief,
    /// What the key is made of, once somebody asks: files are read through for it.
    sources: Vec<PathBuf>,
    files: SourceFiles,
    open: OpenOptions,
    recipe: String,
    /// Of a share, numbers of the files that it may be read from, once they are asked for.
    near: OnceLock<Vec<usize>>,
    /// Without the key.
    manifest: Manifest,
    /// The numbers of the sources of each layer.
    numbers: Vec<Range<usize>>,
    wanted: PackTiles,
    /// The first tile that is made, and the first one after those.
    ends: [Option<TileId>; 2],
    /// Tiles by level.
    counts: Vec<u64>,
}

impl Bake {
    /// Opens the sources, the first on top, and finds out which tiles they need.
    ///
    /// # Errors
    /// [`BakeError::Source`] for a file that cannot be used, [`BakeError::Option`] for an option that is out of range.
    pub fn new(files: &[PathBuf], open: &OpenOptions, options: &BakeOptions) -> Result<Self, BakeError> {
        check(options)?;
        // A tile and its parent have the same heights at the vertices that they share.
        let open = &OpenOptions { pack_level: Some(options.max_level.unwrap_or(MAX_TILE_LEVEL)), ..open.clone() };
        let relief = Relief::open(files, open)?;
        let by_layer = relief.sources();
        let numbers = by_layer.iter().scan(0, |next, records| {
            let first = std::mem::replace(next, *next + records.len());
            Some(first..*next)
        });
        let numbers = numbers.collect();
        let layers: Vec<SourceRecord> = by_layer.into_iter().flatten().collect();
        let base_level = layers.last().map_or(0, |bottom| bottom.level);
        let most = options.max_level.unwrap_or(MAX_TILE_LEVEL);
        let max_level = layers.iter().map(|layer| layer.level).max().unwrap_or(0).min(most);
        let areas = relief.layer_areas();
        let wanted = PackTiles::new(relief.ellipsoid(), areas, max_level, base_level.min(max_level), options.bbox_deg);
        let (share, ends, mut counts) = match options.shard {
            Some(shard) => {
                let weights = WorkModel::of(&relief);
                let survey = Survey::of(&wanted, &weights);
                let (share, ends) = survey.share(&wanted, &weights, shard);
                (Some(share), ends, survey.counts)
            }
            None => (None, [Some(TileId::root(0)), None], wanted.count(|_, _, _| true)),
        };
        counts.resize(max_level as usize + 1, 0);
        let recipe = format!("{:?} {max_level}", options.bbox_deg);
        let manifest = Manifest {
            key: String::new(),
            height_step_m: height_step_m(relief.ellipsoid(), max_level),
            max_level,
            ellipsoid: relief.ellipsoid(),
            bbox_deg: options.bbox_deg,
            tiles: counts.iter().sum(),
            shard: share,
            read: None,
            sources: layers,
        };
        // What no reader would take is not begun.
        let refused = |value| BakeError::Option { what: "data that state", value, rule: "no pack can hold them" };
        manifest.check().map_err(refused)?;
        let (sources, files) = (files.to_vec(), SourceFiles::of(&relief, files));
        // What was looked at has had its part in the manifest.
        relief.clear_read_flags();
        let (open, near) = (open.clone(), OnceLock::new());
        Ok(Self { relief, sources, files, open, recipe, near, manifest, numbers, wanted, ends, counts })
    }

    /// The planet that they are of.
    pub fn ellipsoid(&self) -> Ellipsoid {
        self.relief.ellipsoid()
    }

    /// What is known about the sources, topmost first.
    pub fn layers(&self) -> &[LayerInfo] {
        self.relief.layers()
    }

    /// Remarks on heights that have been read since the sources were opened, each with the name of its source.
    pub fn read_remarks(&self) -> Vec<String> {
        self.relief.read_remarks()
    }

    /// What the pack will state of itself, but for its key.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The same with the key, of the data that the relief was opened from, or none: all sources are read through, or those files that a
    /// share may be read from.
    fn manifest_with_key(&self) -> Result<Manifest, BakeError> {
        if self.manifest.shard.is_none() {
            return self.whole_manifest();
        }
        let near = self.near.get_or_init(|| self.files.near(self.tiles().1.map(|(id, _)| id)));
        let read = FilesRead { files: self.files.count() as u64, read: self.files.read(near, &self.open)? };
        let manifest = Manifest { key: self.key_head(), read: Some(read), ..self.manifest.clone() };
        self.check_sources()?;
        Ok(manifest)
    }

    /// What the whole pack will state of itself, with the key: all sources are read through.
    fn whole_manifest(&self) -> Result<Manifest, BakeError> {
        let all: Vec<usize> = (0..self.files.count()).collect();
        let read = self.files.read(&all, &self.open)?;
        let key = key::of_hashes(&self.key_head(), read.iter().map(|file| &*file.hash));
        self.check_sources()?;
        Ok(Manifest { key, shard: None, ..self.manifest.clone() })
    }

    fn key_head(&self) -> String {
        key::head(&self.sources, &self.open, &self.recipe, self.relief.is_shifted(), self.files.key_texts())
    }

    /// The tiles that belong to the pack, or to the shard of it, and how many there are.
    fn tiles(&self) -> (u64, impl Iterator<Item = (TileId, bool)> + '_) {
        let tiles = self.manifest.shard.map_or(self.manifest.tiles, |share| share.tiles);
        let from = self.ends[0].map(|first| self.wanted.with_ends_from(first));
        (tiles, from.into_iter().flatten().take(tiles as usize))
    }

    /// Makes the pack, continuing what an earlier run has left; `progress` is told after every batch of every step.
    ///
    /// # Errors
    /// [`PackError::Stale`] or [`PackError::Occupied`] for what must not be overwritten, [`PackError::Busy`],
    /// [`PackError::Full`] with everything kept that was written, [`BakeError::Source`] if a source cannot be read.
    pub fn run(&self, out: &Path, overwrite: bool, progress: &mut dyn FnMut(Progress)) -> Result<Outcome, BakeError> {
        self.run_while(out, overwrite, &mut |now| {
            progress(now);
            true
        })
    }

    /// What tells the pack about to be made from all others, whatever its shares: hexadecimal digits, the same for the same data and
    /// options; `None` where it is there and is not to be made again. All sources are read through for it.
    ///
    /// # Errors
    /// As [`run`](Self::run) for what is there and must not be overwritten.
    pub fn pending_key(&self, out: &Path, overwrite: bool) -> Result<Option<String>, BakeError> {
        let manifest = self.whole_manifest()?;
        if !writer::may_write(out, &manifest, overwrite)? {
            return Ok(None);
        }
        let bytes = manifest.to_bytes().map_err(|e| PackError::io(out, "describe it")(e.into()))?;
        Ok(Some(blake3::hash(&bytes).to_hex().to_string()))
    }

    /// Whether a pack is the one that this makes, of the same data and options. All sources are read through for it, or those files that a
    /// share may be read from.
    ///
    /// ```
    /// # #[cfg(feature = "gdal")] {
    /// use elevation::{bake::{Bake, BakeOptions}, height::OpenOptions, pack::Pack};
    /// # let file = std::env::temp_dir().join(format!("orogen-makes-{}.pack", std::process::id()));
    /// let bake = |level| Bake::new(&[], &OpenOptions::default(), &BakeOptions::default().with_max_level(Some(level)));
    /// bake(0)?.run(&file, false, &mut |_| {})?;
    /// let pack = Pack::open(&file)?;
    /// assert!(bake(0)?.matches(&pack)? && !bake(1)?.matches(&pack)?);
    /// # std::fs::remove_file(&file)?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BakeError::Source`] if a source cannot be read.
    pub fn matches(&self, pack: &Pack) -> Result<bool, BakeError> {
        Ok(self.manifest_with_key()? == *pack.manifest())
    }

    /// The same as [`run`](Self::run) as long as `progress` says that it goes on; the next run continues it.
    ///
    /// ```
    /// # #[cfg(feature = "gdal")] {
    /// use elevation::{bake::{Bake, BakeError, BakeOptions, Outcome, Step}, height::OpenOptions, pack::PackError};
    /// # let file = std::env::temp_dir().join(format!("orogen-run-while-{}.pack", std::process::id()));
    /// let options = BakeOptions::default().with_max_level(Some(0));
    /// let bake = Bake::new(&[], &OpenOptions::default(), &options)?;
    /// let stopped = bake.run_while(&file, false, &mut |_| false);
    /// assert!(matches!(stopped, Err(BakeError::Pack(PackError::Interrupted { .. }))) && !file.exists());
    /// assert!(bake.pending_key(&file, false)?.is_some()); // it is still to be made
    /// let Outcome::Written(made) = bake.run_while(&file, false, &mut |_| true)? else { panic!("nothing was written") };
    /// assert_eq!((made.step, made.done, made.tiles, made.work), (Step::Errors, 6, 6, made.all_work));
    /// assert_eq!((bake.pending_key(&file, false)?, bake.read_remarks().len()), (None, 0)); // it is there, and nothing looked wrong
    /// # std::fs::remove_file(&file)?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run), and [`PackError::Interrupted`].
    pub fn run_while(
        &self,
        out: &Path,
        overwrite: bool,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<Outcome, BakeError> {
        let manifest = self.manifest_with_key()?;
        let mut writer = match Writer::open(out, &manifest, overwrite)? {
            PackState::UpToDate => return Ok(Outcome::UpToDate),
            PackState::Incomplete(writer) => writer,
        };
        let (count, mut tiles) = self.tiles();
        let found = {
            let expected = self.tiles().1;
            writer.tiles().iter().zip(expected).take_while(|(tile, (id, _))| tile.id == *id).count()
        };
        writer.rewind(found)?;
        let counts = (found as u64, count, writer.bytes());
        let mut reporter = ProgressReporter::new(out, counts, StepCost::BAKE, progress)?;
        let mut tiles = tiles.by_ref().skip(found);
        loop {
            let batch: Vec<(TileId, bool)> =
                tiles.by_ref().take(BATCH_PER_THREAD * rayon::current_num_threads()).collect();
            if batch.is_empty() {
                break;
            }
            let records: Vec<(_, TileHeader, Vec<u8>)> =
                batch.into_par_iter().map(|tile| self.record(tile)).collect::<Result<_, _>>()?;
            self.check_sources()?;
            for (_, header, payload) in records {
                writer.append(header, &payload)?;
            }
            reporter.report(Step::Heights, writer.tiles().len() as u64, writer.bytes())?;
        }
        let rest = match self.manifest.shard {
            Some(_) => ErrorInputs::OtherShards(self.other_shards()?),
            None => ErrorInputs::LogOnly,
        };
        // Data that changed after they were read into memory have not been mixed with others, but are not those of the key.
        self.check_sources()?;
        let bytes = writer.commit(&manifest, &rest, &mut reporter)?;
        Ok(Outcome::Written(Progress { bytes, ..reporter.last() }))
    }

    /// What the errors of a share's tiles need of the other ones.
    fn other_shards(&self) -> Result<OtherShards<'_>, BakeError> {
        let [first, _] = self.ends;
        let is_top = |id: &TileId| {
            let is_elsewhere = |parent: TileId| first.is_some_and(|first| is_before(parent, first));
            Some(*id) == first || id.parent().is_some_and(is_elsewhere)
        };
        let tops: Vec<TileId> = self.tiles().1.map(|(id, _)| id).filter(is_top).collect();
        let tops =
            tops.into_par_iter().map(|id| Ok((id, Arc::new(self.steps(id)?)))).collect::<Result<_, BakeError>>()?;
        Ok(OtherShards { tops, wanted: &self.wanted, ends: self.ends })
    }

    /// Heights of a tile in steps.
    fn steps(&self, id: TileId) -> Result<Vec<u32>, BakeError> {
        let (per_metre, most) = (1.0 / self.manifest.height_step_m, f64::from(self.manifest.most_steps()));
        // Not negative, so cutting rounds down.
        let step = |height_m: f64| ((height_m - TEXEL_BASE_M) * per_metre + 0.5).clamp(0.0, most) as u32;
        let heights_m = heights_m(&self.relief, id);
        let (low_m, high_m) = TEXEL_RANGE_M;
        if let Some(height_m) = heights_m.iter().find(|height_m| !(low_m..=high_m).contains(*height_m)) {
            let rule = "packs hold heights from -16 384 to 16 384 m: give --valid-range";
            return Err(BakeError::Option { what: "a height of", value: format!("{height_m:.0} m"), rule });
        }
        Ok(heights_m.into_iter().map(step).collect())
    }

    /// Builds and squeezes a tile, which may be the finest one somewhere; also its heights in steps.
    fn record(&self, (id, is_end): (TileId, bool)) -> Result<(Vec<u32>, TileHeader, Vec<u8>), BakeError> {
        let steps = self.steps(id)?;
        let range = steps.iter().fold([u32::MAX, 0], |[low, high], s| [low.min(*s), high.max(*s)]);
        let vertices = is_end.then(|| nodes(self.relief.ellipsoid(), id, 0).0);
        let origins = self.relief.origins(id, &self.numbers, vertices.as_ref()).map(|origins| origins.encode());
        let squeezed = codec::encode(&steps, id.level == 0)
            .and_then(|heights| Ok([heights, origins.transpose()?.unwrap_or_default()].concat()));
        let payload = squeezed.map_err(PackError::io(Path::new("zstd"), "squeeze a tile"))?;
        Ok((steps, TileHeader::new(id, range, &payload), payload))
    }

    /// A source that could not be read has answered with what lies below it, and one that has changed, or is not known to be read, is not
    /// that of the key: nothing of that may be kept.
    fn check_sources(&self) -> Result<(), BakeError> {
        self.relief.check()?;
        let beside = self.near.get().and_then(|near| self.files.read_beside(&self.relief, near));
        beside.map_or(Ok(()), |file| Err(BakeError::Unforeseen { file: file.into() }))
    }
}

fn check(options: &BakeOptions) -> Result<(), BakeError> {
    let refuse = |what, value: String, rule| Err(BakeError::Option { what, value, rule });
    if let Some([west, south, east, north]) = options.bbox_deg {
        let sound = (-90.0..=90.0).contains(&south)
            && (-90.0..=90.0).contains(&north)
            && (-360.0..=360.0).contains(&west)
            && (-360.0..=720.0).contains(&east)
            && south < north
            && west < east
            && east - west <= 360.0;
        if !sound {
            let rule =
                "west, south, east, north in degrees, west < east (beyond 180 across the antimeridian), south < north";
            return refuse("box", format!("{west},{south},{east},{north}"), rule);
        }
    }
    if let Some(level) = options.max_level.filter(|level| *level > MAX_TILE_LEVEL) {
        return refuse("level", level.to_string(), "the deepest is 22");
    }
    match options.shard {
        Some(Shard { index, count }) if index == 0 || index > count => {
            refuse("shard", format!("{index}/{count}"), "the first of N is 1/N, the last N/N")
        }
        _ => Ok(()),
    }
}
