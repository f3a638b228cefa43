//! How is a pack read? The index is in memory, tiles come from the file when they are asked for.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use rustc_hash::FxHashMap;

use super::{
    PackError,
    codec::{self, Grid, Parent},
    format::{self, FOOTER_BYTES, Footer, Manifest, PREFIX_BYTES, TILE_BYTES, TileHeader, checksum},
};
use crate::tile::{TILE_QUADS, TILE_VERTICES, Texel, Tile, TileId};

/// A pack of tiles, open for reading by any number of threads.
///
/// ```no_run
/// use terrain::{pack::Pack, tile::TileId};
/// let pack = Pack::open("alps.pack".as_ref())?;
/// let tile = pack.tile(TileId::root(0))?.expect("every pack has the whole Earth");
/// println!("{} tiles, heights {:?} m on the first face", pack.len(), tile.range_m());
/// # Ok::<(), terrain::pack::PackError>(())
/// ```
#[derive(Debug)]
pub struct Pack {
    path: PathBuf,
    file: Mutex<File>,
    manifest: Manifest,
    /// Tiles as they lie in the file, with their offsets.
    tiles: Vec<(TileHeader, u64)>,
    by_id: FxHashMap<TileId, u32>,
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
        let pack = Self::open_any(path)?;
        match pack.manifest.shard {
            Some(shard) => Err(PackError::IsShard { file: path.into(), shard }),
            None => Ok(pack),
        }
    }

    /// Opens a pack or one of its shards, of which tiles cannot be decoded: their parents may be elsewhere.
    ///
    /// # Errors
    /// As [`Pack::open`], without the last.
    pub fn open_any(path: &Path) -> Result<Self, PackError> {
        let mut file = File::open(path).map_err(PackError::io(path, "open it"))?;
        let length = file.metadata().map_err(PackError::io(path, "read its length"))?.len();
        let (header, manifest) = read_header(path, &mut file)?;
        let corrupt =
            |offset: u64, reason: &str| PackError::Corrupt { file: path.into(), offset, reason: reason.into() };
        let end = length.saturating_sub(FOOTER_BYTES as u64);
        let mut footer = [0; FOOTER_BYTES];
        read_at(&mut file, end, &mut footer).map_err(PackError::io(path, "read its end"))?;
        let footer = Footer::from_bytes(&footer).ok_or_else(|| corrupt(end, "it ends in the middle"))?;
        if footer.offset < header.len() as u64 || footer.offset.checked_add(footer.bytes) != Some(end) {
            return Err(corrupt(end, "the index is not where it should be"));
        }
        // Checksums do not compress, so an index is never squeezed to an eighth.
        let plain = footer.tiles.checked_mul(TILE_BYTES as u64).filter(|plain| plain / 8 <= footer.bytes);
        let Some(plain) = plain else { return Err(corrupt(end, "an impossible number of tiles")) };
        let mut index = vec![0; footer.bytes as usize];
        read_at(&mut file, footer.offset, &mut index).map_err(PackError::io(path, "read its index"))?;
        if checksum(&[&index]) != footer.checksum {
            return Err(corrupt(footer.offset, "the checksum of the index is wrong"));
        }
        let index = zstd::bulk::decompress(&index, plain as usize)
            .map_err(|error| corrupt(footer.offset, &format!("index: {error}")))?;
        let tiles = located(&index, header.len() as u64)
            .filter(|(tiles, end)| tiles.len() as u64 == footer.tiles && *end == footer.offset)
            .map(|(tiles, _)| tiles)
            .ok_or_else(|| corrupt(footer.offset, "the index does not match the tiles"))?;
        let by_id: FxHashMap<TileId, u32> = tiles.iter().enumerate().map(|(k, (t, _))| (t.id, k as u32)).collect();
        let pack = Self { path: path.into(), file: Mutex::new(file), manifest, tiles, by_id };
        pack.check_tree().map_err(|reason| corrupt(footer.offset, &reason))?;
        Ok(pack)
    }

    /// That every tile has a parent, and the Earth all its faces.
    fn check_tree(&self) -> Result<(), String> {
        let finest = self.manifest.max_level;
        if let Some((tile, _)) = self.tiles.iter().find(|(t, _)| t.id.level > finest) {
            return Err(format!("{:?} is finer than the manifest says", tile.id));
        }
        if self.by_id.len() != self.tiles.len() {
            return Err("a tile is there twice".to_owned());
        }
        if self.manifest.shard.is_some() {
            return Ok(());
        }
        let orphan = self.tiles.iter().find(|(t, _)| t.id.parent().is_some_and(|parent| !self.contains(parent)));
        if let Some((tile, _)) = orphan {
            return Err(format!("{:?} has no parent", tile.id));
        }
        let face = (0..crate::cube::FACES).find(|&face| !self.contains(TileId::root(face)));
        face.map_or(Ok(()), |face| Err(format!("face {face} is missing")))
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
        self.tiles.iter().map(|(tile, _)| tile.id)
    }

    /// Lowest and highest vertex of all tiles in metres.
    pub fn range_m(&self) -> (f64, f64) {
        let [low, high] =
            self.tiles.iter().fold([u32::MAX, 0], |[low, high], (t, _)| [low.min(t.range[0]), high.max(t.range[1])]);
        (self.height_m(low.min(high)), self.height_m(high))
    }

    /// Tiles and bytes by level.
    pub fn levels(&self) -> Vec<LevelCount> {
        let mut levels: Vec<LevelCount> =
            (0..=self.manifest.max_level).map(|level| LevelCount { level, tiles: 0, bytes: 0 }).collect();
        for (tile, _) in &self.tiles {
            let level = &mut levels[tile.id.level as usize];
            level.tiles += 1;
            level.bytes += u64::from(tile.bytes) + TILE_BYTES as u64;
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
        let mut grid: Option<Grid> = None;
        while let Some(id) = chain.pop() {
            let parent = grid.take();
            let parent = parent.as_ref().map(|grid| |x: usize, y: usize| grid.steps[y * TILE_VERTICES + x]);
            grid = Some(self.grid(id, parent.as_ref().map(|steps| steps as Parent<'_>))?);
        }
        let scale = self.manifest.texel_steps();
        let texels = grid.map(|grid| {
            grid.steps
                .iter()
                .zip(&grid.codes)
                .map(|(step, code)| Texel((step * scale) << 8 | u32::from(*code)))
                .collect()
        });
        Ok(texels.map(|texels| Tile::from_texels(id, texels)))
    }

    /// Height in metres of a number of steps.
    pub(super) fn height_m(&self, steps: u32) -> f64 {
        f64::from(steps) * self.manifest.height_step_m + crate::tile::TEXEL_BASE_M
    }

    /// Steps and codes of a tile that is there; `parent` gives the steps of its parent's texels.
    pub(super) fn grid(&self, id: TileId, parent: Option<Parent<'_>>) -> Result<Grid, PackError> {
        let (header, offset, payload) = self.payload(id)?;
        let corrupt = |reason: String| PackError::Corrupt { file: self.path.clone(), offset, reason };
        let half = TILE_QUADS as usize / 2;
        let (x0, y0) = ((id.i & 1) as usize * half, (id.j & 1) as usize * half);
        let quarter = parent.map(|parent| move |x: usize, y: usize| parent(x0 + x, y0 + y));
        let quarter = quarter.as_ref().map(|steps| steps as Parent<'_>);
        if quarter.is_none() != (id.level == 0) {
            return Err(corrupt(format!("{id:?} cannot be decoded without its parent")));
        }
        let grid = codec::decode(&payload, quarter, self.manifest.most_steps())
            .map_err(|reason| corrupt(format!("{id:?}: {reason}")))?;
        let (low, high) = grid.steps.iter().fold((u32::MAX, 0), |(l, h), s| (l.min(*s), h.max(*s)));
        if [low, high] != header.range {
            return Err(corrupt(format!("{id:?} does not have the heights that the index states")));
        }
        Ok(grid)
    }

    /// The bytes of a tile, checked, with its header and where they lie.
    fn payload(&self, id: TileId) -> Result<(TileHeader, u64, Vec<u8>), PackError> {
        let Some(&(header, offset)) = self.by_id.get(&id).map(|k| &self.tiles[*k as usize]) else {
            let reason = format!("{id:?} is not there");
            return Err(PackError::Corrupt { file: self.path.clone(), offset: 0, reason });
        };
        let record = self.record(&header, offset)?;
        Ok((header, offset, record[TILE_BYTES..].to_vec()))
    }

    /// Header and payload of a tile as they lie in the file, checked.
    pub(super) fn record(&self, header: &TileHeader, offset: u64) -> Result<Vec<u8>, PackError> {
        let mut record = vec![0; TILE_BYTES + header.bytes as usize];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        read_at(&mut file, offset, &mut record).map_err(PackError::io(&self.path, "read a tile"))?;
        drop(file);
        let sound =
            record[..TILE_BYTES] == header.to_bytes() && header.checksum_with(&record[TILE_BYTES..]) == header.checksum;
        let reason = || format!("the checksum of {:?} is wrong", header.id);
        if sound { Ok(record) } else { Err(PackError::Corrupt { file: self.path.clone(), offset, reason: reason() }) }
    }

    /// Headers and offsets in the order of the file.
    pub(super) fn records(&self) -> &[(TileHeader, u64)] {
        &self.tiles
    }
}

/// The header at the beginning of a file, as bytes and understood.
pub(super) fn read_header(path: &Path, file: &mut File) -> Result<(Vec<u8>, Manifest), PackError> {
    let mut header = Vec::new();
    let mut read_to = |header: &mut Vec<u8>, length: usize| {
        let missing = (length - header.len()) as u64;
        file.by_ref().take(missing).read_to_end(header).map_err(PackError::io(path, "read it"))
    };
    read_to(&mut header, PREFIX_BYTES)?;
    let length = format::header_bytes(path, &header)?;
    read_to(&mut header, length)?;
    if header.len() < length {
        let (offset, reason) = (header.len() as u64, "it ends in the middle of the header".to_owned());
        return Err(PackError::Corrupt { file: path.into(), offset, reason });
    }
    let manifest = format::manifest(path, &header)?;
    Ok((header, manifest))
}

/// Whether a file begins like a pack, of whatever version, whole or in shards.
pub fn is_pack(path: &Path) -> bool {
    let mut prefix = [0; PREFIX_BYTES];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut prefix));
    read.is_ok() && !matches!(format::header_bytes(path, &prefix), Err(PackError::Foreign { .. }))
}

/// Tiles of an index with their offsets, and the end of the last; `None` if it is no index.
fn located(index: &[u8], start: u64) -> Option<(Vec<(TileHeader, u64)>, u64)> {
    let mut offset = start;
    let mut tiles = Vec::with_capacity(index.len() / TILE_BYTES);
    for bytes in index.chunks(TILE_BYTES) {
        let header = TileHeader::from_bytes(bytes.try_into().ok()?)?;
        tiles.push((header, offset));
        offset = offset.checked_add(TILE_BYTES as u64 + u64::from(header.bytes))?;
    }
    Some((tiles, offset))
}

fn read_at(file: &mut File, offset: u64, bytes: &mut [u8]) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}
