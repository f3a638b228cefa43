//! How are header, tiles, index and footer laid out? All numbers little-endian, every part with a checksum of its own.

use std::path::Path;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{FilesRead, PackError, Shard, Share};
use crate::{
    cube::FACES,
    geodesy::Ellipsoid,
    tile::{MAX_TILE_LEVEL, TileId},
};

/// Version of all that is written here, the codes of errors among it; readers know one.
pub(crate) const VERSION: u32 = 4;
const MAGIC: [u8; 8] = *b"OROGENPK";
const FOOTER_MAGIC: [u8; 8] = *b"OROGENIX";
/// Begins a tile's header.
pub(crate) const TILE_MAGIC: [u8; 4] = *b"TILE";
/// Largest manifest: no honest one comes near.
const MOST_MANIFEST_BYTES: u32 = 64 << 20;
/// Bytes before the manifest.
pub(crate) const PREFIX_BYTES: usize = 16;
/// Bytes of a checksum.
pub(crate) const CHECK_BYTES: usize = 8;
/// Bytes of a tile's header.
pub(crate) const TILE_BYTES: usize = 36;
/// Bytes of the header of a tile's errors.
pub(crate) const ERRORS_BYTES: usize = 20;
/// Bytes of a tile in the index: both headers, and where the errors lie.
pub(crate) const ENTRY_BYTES: usize = TILE_BYTES + ERRORS_BYTES + 8;
/// Bytes of the footer.
pub(crate) const FOOTER_BYTES: usize = 48;

/// A layer of elevation that went into a pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceRecord {
    /// File name without its folders.
    pub name: String,
    /// Name of the folder or list that it is a file of, without those around it; empty where it is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// Name of its coordinate reference system.
    pub crs: String,
    /// Name of its vertical datum, or "not stated".
    pub datum: String,
    /// Distance of its postings.
    pub posting_m: f64,
    /// Level of tiles that is as fine.
    pub level: u32,
    /// West, south, east, north.
    pub bbox_deg: [f64; 4],
    /// Middle and cosine of the radius of a cap that holds it; `None`: all of the Earth.
    pub cap: Option<([f64; 3], f64)>,
    /// What its makers want to be said where it is shown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub attribution: String,
    /// What may make its heights wrong, in words, as it was known when the pack was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl SourceRecord {
    /// Checks that the numbers are those of data on the Earth.
    fn check(&self) -> Result<(), String> {
        let texts = [
            ("a name", &self.name),
            ("a folder", &self.folder),
            ("a CRS", &self.crs),
            ("a datum", &self.datum),
            ("an attribution", &self.attribution),
        ];
        for (what, text) in texts {
            check_text(what, text)?;
        }
        if self.remarks.len() > MOST_REMARKS {
            return Err(format!("{} remarks on a source", self.remarks.len()));
        }
        self.remarks.iter().try_for_each(|remark| check_text("a remark", remark))?;
        if !(POSTINGS_M.0..=POSTINGS_M.1).contains(&self.posting_m) {
            return Err(format!(
                "a posting of {} m, {} to {} are possible",
                foreign::number(self.posting_m),
                POSTINGS_M.0,
                POSTINGS_M.1
            ));
        }
        if self.level > MAX_TILE_LEVEL {
            return Err(format!("a source of level {}", self.level));
        }
        check_box(&self.bbox_deg, 540.0)?;
        match self.cap() {
            Some((middle, _)) if (middle.length() - 1.0).abs() >= 1e-6 || !middle.is_finite() => {
                Err(format!("a cap round {:?}, which is no direction", middle.to_array()))
            }
            Some((_, cos)) if !(-1.0..=1.0).contains(&cos) => {
                Err(format!("a cap whose radius has the cosine {}", foreign::number(cos)))
            }
            _ => Ok(()),
        }
    }

    /// The cap as vectors.
    pub(crate) fn cap(&self) -> Option<(DVec3, f64)> {
        self.cap.map(|(middle, cos_radius)| (DVec3::from_array(middle), cos_radius))
    }
}

/// What a pack is and what it was made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Hash of the contents of all sources and of every option, in hexadecimal digits; of a shard, of the options and of what headers say.
    pub key: String,
    /// Heights are multiples of this: a power of two.
    pub height_step_m: f64,
    /// Finest level.
    pub max_level: u32,
    /// The planet that it is of; packs of the Earth do not state it.
    #[serde(default, skip_serializing_if = "is_earth")]
    pub ellipsoid: Ellipsoid,
    /// Where levels finer than the base are, if not everywhere that sources have them: west, south, east, north.
    pub bbox_deg: Option<[f64; 4]>,
    /// Tiles of the whole pack.
    pub tiles: u64,
    /// Which share of them is here; `None`: all.
    pub shard: Option<Share>,
    /// Of a shard, the contents of the files that it was read from; `None` of a whole pack, the key of which has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<FilesRead>,
    /// The layers, topmost first.
    pub sources: Vec<SourceRecord>,
}

fn is_earth(ellipsoid: &Ellipsoid) -> bool {
    *ellipsoid == Ellipsoid::WGS84
}

/// Distances of postings that data of the Earth can have: a millimetre to its girth.
const POSTINGS_M: (f64, f64) = (1e-3, 4e7);
/// Most bytes of a name of the manifest.
const MOST_TEXT: usize = 4096;
/// Most remarks on a source.
pub(crate) const MOST_REMARKS: usize = 64;

fn check_text(what: &str, text: &str) -> Result<(), String> {
    if text.len() > MOST_TEXT { Err(format!("{what} of {} bytes", text.len())) } else { Ok(()) }
}

/// That a box lies on the Earth; those across the antimeridian go on beyond 180 degrees, to `most_deg`.
fn check_box(b: &[f64; 4], most_deg: f64) -> Result<(), String> {
    let [west, south, east, north] = *b;
    let on_earth =
        -90.0 <= south && south <= north && north <= 90.0 && -most_deg <= west && west <= east && east <= most_deg;
    let [west, south, east, north] = b.map(foreign::number);
    if on_earth { Ok(()) } else { Err(format!("a box from {west} to {east} E and {south} to {north} N")) }
}

impl Manifest {
    /// Checks what no checksum can: that the numbers are usable.
    pub(crate) fn check(&self) -> Result<(), String> {
        let step = self.height_step_m;
        if !((crate::tile::TEXEL_STEP_M..=256.0).contains(&step) && step.log2().fract() == 0.0) {
            return Err(format!("a height step of {step} m"));
        }
        if self.max_level > MAX_TILE_LEVEL {
            return Err(format!("level {}", self.max_level));
        }
        if let Some(Share { shard: Shard { index, count }, first, tiles }) = self.shard {
            if index == 0 || index > count {
                return Err(format!("shard {index} of {count}"));
            }
            if first.checked_add(tiles).is_none_or(|end| end > self.tiles) {
                return Err(format!("a shard of {tiles} tiles after {first} of {}", self.tiles));
            }
        }
        if self.sources.is_empty() {
            return Err("no sources".to_owned());
        }
        self.bbox_deg.as_ref().map_or(Ok(()), |b| check_box(b, 720.0))?;
        check_text("the key", &self.key)?;
        if let Some(read) = &self.read {
            read.check()?;
            read.read.iter().try_for_each(|file| check_text("a file name", &file.name))?;
        }
        self.sources.iter().try_for_each(SourceRecord::check)
    }

    /// Heights of tiles are at most this many steps above the lowest possible one.
    pub(crate) fn most_steps(&self) -> u32 {
        ((1u32 << 24) - 1) / self.texel_steps()
    }

    /// Steps of a texel in one step of the pack.
    pub(crate) fn texel_steps(&self) -> u32 {
        (self.height_step_m / crate::tile::TEXEL_STEP_M) as u32
    }

    /// The header of a pack.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let json = serde_json::to_vec(self)?;
        let mut bytes = Vec::with_capacity(PREFIX_BYTES + json.len() + CHECK_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(json);
        let check = checksum(&[&bytes]);
        bytes.extend(check);
        Ok(bytes)
    }
}

/// Length of the whole header, from its first [`PREFIX_BYTES`].
pub(crate) fn header_bytes(file: &Path, prefix: &[u8]) -> Result<usize, PackError> {
    let foreign = |reason: &str| PackError::Foreign { file: file.into(), reason: reason.to_owned() };
    if prefix.len() < PREFIX_BYTES || prefix[..8] != MAGIC {
        return Err(foreign("it does not begin like one"));
    }
    let found = number(&prefix[8..]);
    if found != VERSION {
        return Err(PackError::Version { file: file.into(), found, known: VERSION });
    }
    let length = number(&prefix[12..]);
    if length > MOST_MANIFEST_BYTES {
        return Err(foreign("its manifest is too long"));
    }
    Ok(PREFIX_BYTES + length as usize + CHECK_BYTES)
}

/// The manifest of a whole header.
pub(crate) fn manifest(file: &Path, header: &[u8]) -> Result<Manifest, PackError> {
    let corrupt = |reason: String| PackError::Corrupt { file: file.into(), offset: 0, reason };
    let (bytes, check) = header.split_at(header.len() - CHECK_BYTES);
    if checksum(&[bytes]) != check {
        return Err(corrupt("the checksum of the header is wrong".to_owned()));
    }
    let manifest: Manifest =
        serde_json::from_slice(&bytes[PREFIX_BYTES..]).map_err(|error| corrupt(format!("manifest: {error}")))?;
    manifest.check().map_err(|what| corrupt(format!("the manifest states {what}")))?;
    if manifest.shard.is_some() != manifest.read.is_some() {
        let what = if manifest.read.is_some() { "files of a shard, and none" } else { "a shard of no files" };
        return Err(corrupt(format!("the manifest states {what}")));
    }
    Ok(manifest)
}

/// What precedes a tile's payload, and stands in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileHeader {
    pub id: TileId,
    /// Lowest and highest height in steps.
    pub range: [u32; 2],
    /// Length of the payload.
    pub bytes: u32,
    /// Of the fields above and the payload.
    pub checksum: [u8; CHECK_BYTES],
}

impl TileHeader {
    /// The header of a payload.
    pub fn new(id: TileId, range: [u32; 2], payload: &[u8]) -> Self {
        let unsigned = Self { id, range, bytes: payload.len() as u32, checksum: [0; CHECK_BYTES] };
        let checksum = unsigned.checksum_with(payload);
        Self { checksum, ..unsigned }
    }

    /// What the checksum has to be, with this payload.
    pub fn checksum_with(&self, payload: &[u8]) -> [u8; CHECK_BYTES] {
        checksum(&[&self.to_bytes()[..TILE_BYTES - CHECK_BYTES], payload])
    }

    /// Whether a record is this header with its payload.
    pub fn is_sound(&self, record: &[u8]) -> bool {
        record[..TILE_BYTES] == self.to_bytes() && self.checksum_with(&record[TILE_BYTES..]) == self.checksum
    }

    pub fn to_bytes(self) -> [u8; TILE_BYTES] {
        let mut out = [0; TILE_BYTES];
        out[..4].copy_from_slice(&TILE_MAGIC);
        out[4..8].copy_from_slice(&[self.id.face as u8, self.id.level as u8, 0, 0]);
        let numbers = [self.id.i, self.id.j, self.range[0], self.range[1], self.bytes];
        for (out, n) in out[8..28].chunks_exact_mut(4).zip(numbers) {
            out.copy_from_slice(&n.to_le_bytes());
        }
        out[28..].copy_from_slice(&self.checksum);
        out
    }

    /// `None` if it is not the header of a possible tile.
    pub fn from_bytes(bytes: &[u8; TILE_BYTES]) -> Option<Self> {
        let [face, level, zeros @ ..] = [bytes[4], bytes[5], bytes[6], bytes[7]];
        let [i, j, low, high, length] = [8, 12, 16, 20, 24].map(|at| number(&bytes[at..]));
        let mut checksum = [0; CHECK_BYTES];
        checksum.copy_from_slice(&bytes[28..]);
        let id = TileId { face: u32::from(face), level: u32::from(level), i, j };
        let possible = bytes[..4] == TILE_MAGIC
            && zeros == [0; 2]
            && id.face < FACES
            && id.level <= MAX_TILE_LEVEL
            && i.max(j) < 1 << id.level
            && low <= high;
        possible.then_some(Self { id, range: [low, high], bytes: length, checksum })
    }
}

/// What precedes the payload of a tile's errors, and stands in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ErrorsHeader {
    /// The largest code.
    pub largest: u8,
    /// Length of the payload.
    pub bytes: u32,
    /// Of the tile's number, the fields above and the payload.
    pub checksum: [u8; CHECK_BYTES],
}

impl ErrorsHeader {
    /// The header of a payload.
    pub fn new(id: TileId, largest: u8, payload: &[u8]) -> Self {
        let unsigned = Self { largest, bytes: payload.len() as u32, checksum: [0; CHECK_BYTES] };
        let checksum = unsigned.checksum_with(id, payload);
        Self { checksum, ..unsigned }
    }

    /// What the checksum has to be, with this payload.
    pub fn checksum_with(&self, id: TileId, payload: &[u8]) -> [u8; CHECK_BYTES] {
        let number = [id.face, id.level, id.i, id.j].map(u32::to_le_bytes);
        checksum(&[number.as_flattened(), &self.to_bytes()[..ERRORS_BYTES - CHECK_BYTES], payload])
    }

    pub fn to_bytes(self) -> [u8; ERRORS_BYTES] {
        let mut out = [0; ERRORS_BYTES];
        out[..5].copy_from_slice(&[b'E', b'R', b'R', b'S', self.largest]);
        out[8..12].copy_from_slice(&self.bytes.to_le_bytes());
        out[12..].copy_from_slice(&self.checksum);
        out
    }

    /// `None` if it is no such header.
    pub fn from_bytes(bytes: &[u8; ERRORS_BYTES]) -> Option<Self> {
        let mut checksum = [0; CHECK_BYTES];
        checksum.copy_from_slice(&bytes[12..]);
        let sound = bytes[..4] == *b"ERRS" && bytes[5..8] == [0; 3];
        sound.then(|| Self { largest: bytes[4], bytes: number(&bytes[8..]), checksum })
    }
}

/// A tile in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub header: TileHeader,
    /// Where the header lies in the file.
    pub offset: u64,
    /// Its errors and where they lie; shards lack some.
    pub errors: Option<(ErrorsHeader, u64)>,
}

impl Entry {
    /// As it stands in the index. Where a tile lies follows from those before it.
    pub fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut out = [0; ENTRY_BYTES];
        out[..TILE_BYTES].copy_from_slice(&self.header.to_bytes());
        if let Some((header, offset)) = self.errors {
            out[TILE_BYTES..TILE_BYTES + ERRORS_BYTES].copy_from_slice(&header.to_bytes());
            out[TILE_BYTES + ERRORS_BYTES..].copy_from_slice(&offset.to_le_bytes());
        }
        out
    }

    /// A tile of the index that lies at `offset`; `None` if it is none.
    pub fn from_bytes(bytes: &[u8; ENTRY_BYTES], offset: u64) -> Option<Self> {
        let (header, rest) = bytes.split_first_chunk::<TILE_BYTES>()?;
        let (errors, at) = rest.split_first_chunk::<ERRORS_BYTES>()?;
        let header = TileHeader::from_bytes(header)?;
        if rest.iter().all(|byte| *byte == 0) {
            return Some(Self { header, offset, errors: None });
        }
        let at = u64::from_le_bytes(at.try_into().ok()?);
        Some(Self { header, offset, errors: Some((ErrorsHeader::from_bytes(errors)?, at)) })
    }

    /// Bytes of its record.
    pub fn bytes(&self) -> u64 {
        TILE_BYTES as u64 + u64::from(self.header.bytes)
    }

    /// Where the next tile lies.
    pub fn end(&self) -> Option<u64> {
        self.offset.checked_add(self.bytes())
    }
}

/// Where the index lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Footer {
    /// Offset of the index: the end of the last errors.
    pub offset: u64,
    /// Its length, compressed.
    pub bytes: u64,
    /// Tiles in it.
    pub tiles: u64,
    /// Of the compressed index.
    pub checksum: [u8; CHECK_BYTES],
}

impl Footer {
    pub fn to_bytes(self) -> [u8; FOOTER_BYTES] {
        let mut out = [0; FOOTER_BYTES];
        for (out, n) in out[..24].chunks_exact_mut(8).zip([self.offset, self.bytes, self.tiles]) {
            out.copy_from_slice(&n.to_le_bytes());
        }
        out[24..32].copy_from_slice(&self.checksum);
        let check = checksum(&[&out[..32]]);
        out[32..40].copy_from_slice(&check);
        out[40..].copy_from_slice(&FOOTER_MAGIC);
        out
    }

    /// `None` if it is not the end of a whole pack.
    pub fn from_bytes(bytes: &[u8; FOOTER_BYTES]) -> Option<Self> {
        let long = |at: usize| u64::from(number(&bytes[at..])) | u64::from(number(&bytes[at + 4..])) << 32;
        let mut check = [0; CHECK_BYTES];
        check.copy_from_slice(&bytes[24..32]);
        let sound = bytes[40..] == FOOTER_MAGIC && checksum(&[&bytes[..32]]) == bytes[32..40];
        sound.then(|| Self { offset: long(0), bytes: long(8), tiles: long(16), checksum: check })
    }
}

/// The first bytes of BLAKE3 over parts in order.
pub(crate) fn checksum(parts: &[&[u8]]) -> [u8; CHECK_BYTES] {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    let mut out = [0; CHECK_BYTES];
    out.copy_from_slice(&hasher.finalize().as_bytes()[..CHECK_BYTES]);
    out
}

/// The u32 at the beginning of some bytes, of which there are enough.
fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tile_headers_round_trip(face in 0..6u32, level in 0..=22u32, i in any::<u32>(), j in any::<u32>(), noise in any::<[u8; 36]>()) {
            let mask = (1 << level) - 1;
            let id = TileId { face, level, i: i & mask, j: j & mask };
            let header = TileHeader::new(id, [3, 9], b"payload");
            prop_assert_eq!(TileHeader::from_bytes(&header.to_bytes()), Some(header));
            prop_assert_eq!(header.checksum_with(b"payload"), header.checksum);
            prop_assert_ne!(header.checksum_with(b"payloae"), header.checksum);
            let mut foreign = noise;
            foreign[..4].copy_from_slice(b"TILE");
            if let Some(header) = TileHeader::from_bytes(&foreign) {
                prop_assert!(header.id.i < 1 << header.id.level);
            }
        }

        #[test]
        fn footers_round_trip(offset in any::<u64>(), bytes in any::<u64>(), flip in 0..384usize) {
            let footer = Footer { offset, bytes, tiles: 5, checksum: [9; 8] };
            let mut out = footer.to_bytes();
            prop_assert_eq!(Footer::from_bytes(&out), Some(footer));
            out[flip / 8] ^= 1 << (flip % 8);
            prop_assert_eq!(Footer::from_bytes(&out), None);
        }
    }
}
