//! How is a pack read? The index is in memory, tiles come from the file when they are asked for.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use rustc_hash::FxHashMap;

mod records;

use super::{
    PackError, Share,
    bytes::{FileBytes, PackBytes, PartKind, PartStore, WaitPolicy, is_pack_address, read_new, thread_wait_policy},
    codec::{self, Parent},
    error_codec,
    format::{self, ERRORS_BYTES, Entry, ErrorsHeader, FOOTER_BYTES, Footer, Manifest, PREFIX_BYTES, TILE_BYTES},
    index,
    origins::{self, Origins},
};
use crate::tile::{TILE_QUADS, TILE_VERTICES, Texel, Tile, TileId, decode_error_m};

/// A pack of tiles, open for reading by any number of threads.
///
/// ```no_run
/// use elevation::{pack::Pack, tile::TileId};
/// let pack = Pack::open("alps.pack".as_ref())?;
/// let tile = pack.tile(TileId::root(0))?.expect("every pack has the whole Earth");
/// println!("{} tiles, heights {:?} m on the first face", pack.len(), tile.range_m());
/// # Ok::<(), elevation::pack::PackError>(())
/// ```
#[derive(Debug)]
pub struct Pack {
    path: PathBuf,
    bytes: Arc<dyn PackBytes>,
    /// Whether nobody waits for parts that are elsewhere, unless a thread says so.
    never_waits: AtomicBool,
    /// Parts on disk of a pack that is elsewhere.
    kept: Option<Arc<dyn PartStore>>,
    manifest: Manifest,
    /// Tiles as they lie in the file.
    tiles: Vec<Entry>,
    by_id: FxHashMap<TileId, u32>,
}

/// What the index of a pack says of a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileSummary {
    /// Lowest and highest vertex in metres.
    pub range_m: (f64, f64),
    /// Largest error of the vertices that first appear in the tile, against everything finer in the pack, in metres: how far
    /// a mesh may be off that stops at the parent tile.
    pub error_m: f64,
}

/// What a pack holds of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelCount {
    /// The level.
    pub level: u32,
    /// Its tiles.
    pub tiles: u64,
    /// Their bytes in the file.
    pub bytes: u64,
}

impl Pack {
    /// Opens a whole pack.
    ///
    /// # Errors
    /// [`PackError`]: no such file, not a pack, of another version, damaged, or a shard of a pack.
    pub fn open(path: &Path) -> Result<Self, PackError> {
        Self::open_any(path)?.whole()
    }

    /// Opens a whole pack of which a program has the bytes; `name` is what it is called in messages.
    ///
    /// # Errors
    /// As [`Pack::open`].
    pub fn of_bytes(name: &Path, bytes: Arc<dyn PackBytes>) -> Result<Self, PackError> {
        Self::any_of_bytes(name, bytes)?.whole()
    }

    /// The pack, if it is whole.
    pub(crate) fn whole(self) -> Result<Self, PackError> {
        match self.manifest.shard {
            Some(Share { shard, .. }) => Err(PackError::IsShard { file: self.path, shard }),
            None => Ok(self),
        }
    }

    /// Opens a pack or one of its shards, of which tiles cannot be decoded: their parents may be elsewhere.
    ///
    /// # Errors
    /// As [`Pack::open`], without the last.
    pub fn open_any(path: &Path) -> Result<Self, PackError> {
        let file = foreign::open_regular(path).map_err(PackError::io(path, "open it"))?;
        let bytes = FileBytes::new(file).map_err(PackError::io(path, "read its length"))?;
        Self::any_of_bytes(path, Arc::new(bytes))
    }

    /// The same of bytes that a program has.
    ///
    /// # Errors
    /// As [`Pack::open_any`].
    pub fn any_of_bytes(path: &Path, bytes: Arc<dyn PackBytes>) -> Result<Self, PackError> {
        let length = bytes.length();
        let (header, manifest) = read_header(path, &*bytes)?;
        let corrupt =
            |offset: u64, reason: &str| PackError::Corrupt { file: path.into(), offset, reason: reason.into() };
        let end = length.saturating_sub(FOOTER_BYTES as u64);
        let mut footer = [0; FOOTER_BYTES];
        bytes.read(end, &mut footer, WaitPolicy::Retry).map_err(PackError::io(path, "read its end"))?;
        let footer = Footer::from_bytes(&footer)
            .ok_or_else(|| corrupt(end, "its last bytes are no end of a pack: some are missing, or too many"))?;
        if footer.offset < header.len() as u64 || footer.offset.checked_add(footer.bytes) != Some(end) {
            return Err(corrupt(end, "the index is not where it should be"));
        }
        let tiles =
            index::read(&*bytes, &footer, header.len() as u64).map_err(|reason| corrupt(footer.offset, &reason))?;
        let mut pack = Self::of(path, bytes, manifest, tiles);
        let what = format!("pack {} {} {:?}", path.display(), pack.manifest.key, footer.checksum);
        pack.kept = pack.bytes.parts_of(&what);
        pack.check_tiles().map_err(|reason| corrupt(footer.offset, &reason))?;
        pack.check_errors(footer.offset).map_err(|reason| corrupt(footer.offset, &reason))?;
        Ok(pack)
    }

    /// A pack that is being made: tiles that lie in its log, without errors yet.
    ///
    /// # Errors
    /// [`PackError::Io`].
    pub(crate) fn unfinished(
        path: &Path,
        file: File,
        manifest: &Manifest,
        tiles: Vec<Entry>,
    ) -> Result<Self, PackError> {
        let bytes = FileBytes::new(file).map_err(PackError::io(path, "read its length"))?;
        Ok(Self::of(path, Arc::new(bytes), manifest.clone(), tiles))
    }

    /// From now on nobody waits for tiles that are elsewhere, unless a thread does ([`super::in_one_try`],
    /// [`super::with_wait_policy`]).
    pub(crate) fn set_non_blocking(&self) {
        self.never_waits.store(true, Ordering::Relaxed);
    }

    fn is_kept(&self, id: TileId, kind: PartKind) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.has(id, kind))
    }

    fn wait_policy(&self) -> WaitPolicy {
        let own = || if self.never_waits.load(Ordering::Relaxed) { WaitPolicy::Never } else { WaitPolicy::Retry };
        thread_wait_policy().unwrap_or_else(own)
    }

    /// Whether tiles are elsewhere.
    pub(crate) fn is_remote(&self) -> bool {
        self.bytes.is_remote()
    }

    /// Tells where the errors of a tile lie.
    pub(crate) fn set_errors(&mut self, id: TileId, header: ErrorsHeader, offset: u64) {
        if let Some(k) = self.by_id.get(&id) {
            self.tiles[*k as usize].errors = Some((header, offset));
        }
    }

    /// The index, as far as it is known.
    pub(crate) fn into_entries(self) -> Vec<Entry> {
        self.tiles
    }

    fn of(path: &Path, bytes: Arc<dyn PackBytes>, manifest: Manifest, tiles: Vec<Entry>) -> Self {
        let by_id: FxHashMap<TileId, u32> =
            tiles.iter().enumerate().map(|(k, entry)| (entry.header.id, k as u32)).collect();
        Self { path: path.into(), bytes, never_waits: AtomicBool::new(false), kept: None, manifest, tiles, by_id }
    }

    /// That tiles and their errors fill the file up to `end`; a shard may lack some.
    fn check_errors(&self, end: u64) -> Result<(), String> {
        let tiles_end = self.tiles.last().map_or(Some(end), Entry::end).unwrap_or(u64::MAX);
        let is_shard = self.manifest.shard.is_some();
        let mut errors_bytes = 0u64;
        for entry in &self.tiles {
            match entry.errors {
                Some((header, offset)) => {
                    let bytes = ERRORS_BYTES as u64 + u64::from(header.bytes);
                    if offset < tiles_end || offset.checked_add(bytes).is_none_or(|errors_end| errors_end > end) {
                        return Err(format!("the errors of {} are not where they should be", entry.header.id));
                    }
                    errors_bytes += bytes;
                }
                None if is_shard => {}
                None => return Err(format!("{} has no errors", entry.header.id)),
            }
        }
        let filled = tiles_end.checked_add(errors_bytes) == Some(end);
        if filled { Ok(()) } else { Err("the index does not match the tiles".to_owned()) }
    }

    /// That tiles are those that the manifest speaks of, and of a whole pack that they are a tree.
    fn check_tiles(&self) -> Result<(), String> {
        let finest = self.manifest.max_level;
        if let Some(tile) = self.tiles.iter().find(|t| t.header.id.level > finest) {
            return Err(format!("{} is finer than the manifest says", tile.header.id));
        }
        let stated = self.manifest.tiles;
        let here = self.manifest.shard.map_or(stated, |share| share.tiles);
        if here != self.tiles.len() as u64 {
            return Err(format!("the manifest states {here} tiles, the index has {}", self.tiles.len()));
        }
        let most = self.manifest.most_steps();
        if let Some(tile) = self.tiles.iter().find(|t| t.header.range[1] > most) {
            return Err(format!("{} is higher than any ground: {} steps", tile.header.id, tile.header.range[1]));
        }
        if self.manifest.shard.is_none() {
            return check_tree(self.ids(), &self.by_id);
        }
        if self.by_id.len() == self.tiles.len() { Ok(()) } else { Err("a tile is there twice".to_owned()) }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is and what it was made from.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Number of tiles.
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Whether there is no tile at all, as in a shard of fewer tiles than shards.
    pub fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// Whether a tile is there.
    pub fn contains(&self, id: TileId) -> bool {
        self.by_id.contains_key(&id)
    }

    /// All tiles, parents before children.
    pub fn ids(&self) -> impl Iterator<Item = TileId> {
        self.tiles.iter().map(|tile| tile.header.id)
    }

    /// What the index says of a tile; `None` if it is not there. Errors that a shard does not know are infinite.
    pub fn summary(&self, id: TileId) -> Option<TileSummary> {
        let Entry { header, errors, .. } = self.by_id.get(&id).map(|k| &self.tiles[*k as usize])?;
        let [low, high] = header.range;
        Some(TileSummary {
            range_m: (self.height_m(low), self.height_m(high)),
            error_m: errors.map_or(f64::INFINITY, |(errors, _)| decode_error_m(errors.largest)),
        })
    }

    /// Lowest and highest vertex of all tiles in metres.
    pub fn range_m(&self) -> (f64, f64) {
        let ranges = self.tiles.iter().map(|tile| tile.header.range);
        let [low, high] = ranges.fold([u32::MAX, 0], |[low, high], range| [low.min(range[0]), high.max(range[1])]);
        (self.height_m(low.min(high)), self.height_m(high))
    }

    /// Tiles and bytes by level.
    pub fn levels(&self) -> Vec<LevelCount> {
        let mut levels: Vec<LevelCount> =
            (0..=self.manifest.max_level).map(|level| LevelCount { level, tiles: 0, bytes: 0 }).collect();
        for Entry { header, errors, .. } in &self.tiles {
            let level = &mut levels[header.id.level as usize];
            level.tiles += 1;
            level.bytes += u64::from(header.bytes) + TILE_BYTES as u64;
            level.bytes += errors.map_or(0, |(errors, _)| u64::from(errors.bytes) + ERRORS_BYTES as u64);
        }
        levels.retain(|level| level.tiles > 0);
        levels
    }

    /// Reads and decodes a tile and, from the coarsest on, its ancestors; `None` if it is not there.
    ///
    /// # Errors
    /// [`PackError::Corrupt`], [`PackError::Io`].
    pub fn tile(&self, id: TileId) -> Result<Option<Tile>, PackError> {
        if !self.contains(id) {
            return Ok(None);
        }
        let mut chain: Vec<TileId> = std::iter::successors(Some(id), |id| id.parent()).collect();
        let mut steps: Option<Vec<u32>> = None;
        while let Some(id) = chain.pop() {
            let parent = steps.take();
            let parent = parent.as_ref().map(|steps| |x: usize, y: usize| steps[y * TILE_VERTICES + x]);
            steps = Some(self.steps(id, parent.as_ref().map(|steps| steps as Parent<'_>))?);
        }
        let codes = self.codes(id)?;
        let scale = self.manifest.texel_steps();
        let texels = steps.map(|steps| {
            steps.iter().zip(&codes).map(|(step, code)| Texel((step * scale) << 8 | u32::from(*code))).collect()
        });
        Ok(texels.map(|texels| Tile::from_texels(id, texels, 1.0)))
    }

    /// Height in metres of a number of steps.
    pub(crate) fn height_m(&self, steps: u32) -> f64 {
        f64::from(steps) * self.manifest.height_step_m + crate::tile::TEXEL_BASE_M
    }

    /// Heights of a tile that is there, in steps; `parent` gives those of its parent's texels.
    pub(crate) fn steps(&self, id: TileId, parent: Option<Parent<'_>>) -> Result<Vec<u32>, PackError> {
        Ok(self.steps_and_origins(id, parent)?.0)
    }

    /// The same with what they come from, if the pack tells.
    pub(crate) fn steps_and_origins(
        &self,
        id: TileId,
        parent: Option<Parent<'_>>,
    ) -> Result<(Vec<u32>, Option<Origins>), PackError> {
        let Entry { header, offset, .. } = self.entry(id)?;
        let record = self.record(&header, offset)?;
        let corrupt = |reason: String| PackError::Corrupt { file: self.path.clone(), offset, reason };
        let half = TILE_QUADS as usize / 2;
        let (x0, y0) = ((id.i & 1) as usize * half, (id.j & 1) as usize * half);
        let quarter = parent.map(|parent| move |x: usize, y: usize| parent(x0 + x, y0 + y));
        let quarter = quarter.as_ref().map(|steps| steps as Parent<'_>);
        if quarter.is_none() != (id.level == 0) {
            return Err(corrupt(format!("{id} cannot be decoded without its parent")));
        }
        let (heights, origins) = origins::split(&record[TILE_BYTES..]);
        let in_tile = |reason: String| corrupt(format!("{id}: {reason}"));
        let origins = origins.map(|origins| Origins::decode(origins, self.manifest.sources.len()));
        let origins = origins.transpose().map_err(in_tile)?;
        let steps = codec::decode(heights, quarter, self.manifest.most_steps()).map_err(in_tile)?;
        let (low, high) = steps.iter().fold((u32::MAX, 0), |(l, h), s| (l.min(*s), h.max(*s)));
        if [low, high] != header.range {
            return Err(corrupt(format!("{id} does not have the heights that the index states")));
        }
        Ok((steps, origins))
    }

    /// Error codes of a tile that is there, against everything finer in the pack; 0 for vertices of coarser tiles.
    pub(crate) fn codes(&self, id: TileId) -> Result<Vec<u8>, PackError> {
        let entry = self.entry(id)?;
        let offset = entry.errors.map_or(entry.offset, |(_, offset)| offset);
        let Some((header, payload)) = self.errors_of(&entry)? else {
            return Err(self.corrupt(offset, format!("{id} has no errors")));
        };
        let codes = error_codec::decode(&payload, id.level == 0)
            .map_err(|reason| self.corrupt(offset, format!("errors of {id}: {reason}")))?;
        if codes.iter().max() != Some(&header.largest) {
            return Err(self.corrupt(offset, format!("{id} does not have the errors that the index states")));
        }
        Ok(codes)
    }

    /// Whether errors of a tile that is there are known.
    pub(crate) fn has_errors(&self, id: TileId) -> bool {
        self.by_id.get(&id).is_some_and(|k| self.tiles[*k as usize].errors.is_some())
    }

    fn entry(&self, id: TileId) -> Result<Entry, PackError> {
        let entry = self.by_id.get(&id).map(|k| self.tiles[*k as usize]);
        entry.ok_or_else(|| self.corrupt(0, format!("{id} is not there")))
    }

    fn corrupt(&self, offset: u64, reason: String) -> PackError {
        PackError::Corrupt { file: self.path.clone(), offset, reason }
    }

    /// The index in the order of the file.
    pub(crate) fn records(&self) -> &[Entry] {
        &self.tiles
    }
}

/// That every tile comes once, after its parent, and that the Earth has all its faces; `by_id` tells where each comes.
pub(crate) fn check_tree(ids: impl Iterator<Item = TileId>, by_id: &FxHashMap<TileId, u32>) -> Result<(), String> {
    for (k, id) in ids.enumerate() {
        if by_id.get(&id).is_none_or(|at| *at as usize != k) {
            return Err(format!("{id} is there twice"));
        }
        if id.parent().is_some_and(|parent| by_id.get(&parent).is_none_or(|at| *at as usize > k)) {
            return Err(format!("{id} has no parent before it"));
        }
    }
    let missing = (0..crate::cube::FACES).find(|&face| !by_id.contains_key(&TileId::root(face)));
    missing.map_or(Ok(()), |face| Err(format!("face {face} is missing")))
}

/// The header at the beginning of a pack, as bytes and understood.
fn read_header(path: &Path, from: &dyn PackBytes) -> Result<(Vec<u8>, Manifest), PackError> {
    let beginning = |length: usize| {
        let length = from.length().min(length as u64);
        read_new(from, 0..length, WaitPolicy::Retry).map_err(PackError::io(path, "read it"))
    };
    let length = format::header_bytes(path, &beginning(PREFIX_BYTES)?)?;
    let header = beginning(length)?;
    if header.len() < length {
        let (offset, reason) = (header.len() as u64, "it ends in the middle of the header".to_owned());
        return Err(PackError::Corrupt { file: path.into(), offset, reason });
    }
    let manifest = format::manifest(path, &header)?;
    Ok((header, manifest))
}

/// Whether a file begins like a pack, of whatever version, whole or in shards; or the name is that of one on a server
/// ([`is_pack_address`]).
pub fn is_pack(path: &Path) -> bool {
    if is_pack_address(path) {
        return true;
    }
    // A pipe would be waited for.
    if !std::fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return false;
    }
    let mut prefix = [0; PREFIX_BYTES];
    let read = foreign::open_regular(path).and_then(|mut file| file.read_exact(&mut prefix));
    read.is_ok() && !matches!(format::header_bytes(path, &prefix), Err(PackError::Foreign { .. }))
}
