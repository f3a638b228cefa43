//! A pack by its parts.

use serde_json::{Value, json};

use super::Bytes;

/// Most bytes that a payload is repeated to: a little more than any tile has.
const MOST_PLAIN: usize = 4 * 257 * 257 + 16;
/// Most tiles of a recipe: each is decoded several times.
const MOST_TILES: usize = 40;
/// Most bytes that are damaged after all is sealed.
const MOST_DAMAGE: usize = 8;

/// What a fuzzer has to say about a pack.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipe {
    /// JSON, or not.
    pub manifest: Vec<u8>,
    /// Tiles in their order, each with its errors.
    pub tiles: Vec<Part>,
    /// Combined with the number of tiles in the footer by exclusive or.
    pub count: u32,
    /// Places in the sealed file, and what is combined with the byte there by exclusive or.
    pub damage: Vec<(u32, u8)>,
}

/// A tile and its errors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Face and level.
    pub face_level: [u8; 2],
    /// Column, row, lowest and highest step.
    pub numbers: [u32; 4],
    /// Heights.
    pub heights: Payload,
    /// The largest code.
    pub largest: u8,
    /// Error codes.
    pub errors: Payload,
    /// Added to the place where the errors lie.
    pub shift: u8,
}

/// What zstd makes of it stands in the file, or the bytes themselves do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Payload {
    /// Bytes that `bytes` are repeated to before they are squeezed; `None`: they are squeezed already.
    pub plain: Option<u32>,
    /// A few, or all.
    pub bytes: Vec<u8>,
}

impl Payload {
    fn read(from: &mut Bytes<'_>) -> Self {
        let plain = from.word();
        let length = from.word() as usize;
        Self { plain: plain.checked_sub(1), bytes: from.piece(length).to_vec() }
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.plain.map_or(0, |plain| plain + 1).to_le_bytes());
        out.extend((self.bytes.len() as u32).to_le_bytes());
        out.extend(&self.bytes);
    }

    /// As it stands in a file.
    pub fn squeezed(&self) -> Vec<u8> {
        let Some(plain) = self.plain else { return self.bytes.clone() };
        let mut plain = vec![0; (plain as usize).min(MOST_PLAIN)];
        if !self.bytes.is_empty() {
            plain.iter_mut().zip(self.bytes.iter().cycle()).for_each(|(out, byte)| *out = *byte);
        }
        zstd::bulk::compress(&plain, 1).expect("memory for zstd")
    }
}

impl Part {
    /// From a fuzzer's bytes.
    pub fn read(from: &mut Bytes<'_>) -> Self {
        Self {
            face_level: [from.byte(), from.byte()],
            numbers: [from.word(), from.word(), from.word(), from.word()],
            heights: Payload::read(from),
            largest: from.byte(),
            errors: Payload::read(from),
            shift: from.byte(),
        }
    }

    /// The bytes that it is read from.
    pub fn written(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.face_level);
        self.numbers.iter().for_each(|n| out.extend(n.to_le_bytes()));
        self.heights.write(out);
        out.push(self.largest);
        self.errors.write(out);
        out.push(self.shift);
    }
}

impl Recipe {
    /// From a fuzzer's bytes: any bytes are a recipe.
    pub fn read(from: &mut Bytes<'_>) -> Self {
        let length = from.word() as usize;
        let manifest = from.piece(length).to_vec();
        let tiles = (0..usize::from(from.byte()).min(MOST_TILES)).map(|_| Part::read(from)).collect();
        let count = from.word();
        let damage = (0..usize::from(from.byte()).min(MOST_DAMAGE)).map(|_| (from.word(), from.byte())).collect();
        Self { manifest, tiles, count, damage }
    }

    /// The bytes that it is read from.
    pub fn write(&self) -> Vec<u8> {
        let mut out = (self.manifest.len() as u32).to_le_bytes().to_vec();
        out.extend(&self.manifest);
        out.push(self.tiles.len() as u8);
        self.tiles.iter().for_each(|tile| tile.write(&mut out));
        out.extend(self.count.to_le_bytes());
        out.push(self.damage.len() as u8);
        self.damage.iter().for_each(|(at, byte)| {
            out.extend(at.to_le_bytes());
            out.push(*byte);
        });
        out
    }

    /// The pack. One without errors is a shard.
    pub fn seal(&self, with_errors: bool) -> Vec<u8> {
        let mut out = b"OROGENPK".to_vec();
        out.extend(4u32.to_le_bytes());
        out.extend((self.manifest.len() as u32).to_le_bytes());
        out.extend(&self.manifest);
        out.extend(checksum(&[&out]));
        let mut index: Vec<[u8; 64]> = Vec::new();
        for tile in &self.tiles {
            let payload = tile.heights.squeezed();
            let header = tile_header(tile, &payload);
            out.extend(header);
            out.extend(payload);
            let mut entry = [0; 64];
            entry[..36].copy_from_slice(&header);
            index.push(entry);
        }
        for (tile, entry) in self.tiles.iter().zip(&mut index).rev().filter(|_| with_errors) {
            let payload = tile.errors.squeezed();
            let header = errors_header(tile, &payload);
            entry[36..56].copy_from_slice(&header);
            entry[56..].copy_from_slice(&(out.len() as u64 + u64::from(tile.shift)).to_le_bytes());
            out.extend(header);
            out.extend(payload);
        }
        let offset = out.len() as u64;
        let index = zstd::bulk::compress(index.as_flattened(), 9).expect("memory for zstd");
        out.extend(&index);
        let count = self.tiles.len() as u64 ^ u64::from(self.count);
        let mut footer = [offset, index.len() as u64, count].map(u64::to_le_bytes).as_flattened().to_vec();
        footer.extend(checksum(&[&index]));
        footer.extend(checksum(&[&footer]));
        out.extend(footer);
        out.extend(b"OROGENIX");
        for (at, byte) in &self.damage {
            let at = *at as usize % out.len();
            out[at] ^= byte;
        }
        out
    }

    /// The shards of it: `count` of about equal number, whose manifests say so if there is one to say it in, with errors or without.
    pub fn shards(&self, count: u64, with_errors: bool) -> Vec<Vec<u8>> {
        let total = self.tiles.len() as u64;
        let start = |index: u64| (total * index / count) as usize;
        let manifest = |index: u64| match serde_json::from_slice(&self.manifest) {
            Ok(Value::Object(mut members)) => {
                members.insert("tiles".to_owned(), json!(total));
                let (first, end) = (start(index - 1), start(index));
                let share = json!({ "index": index, "count": count, "first": first, "tiles": end - first });
                members.insert("shard".to_owned(), share);
                // What the bytes say of it is kept.
                members.entry("read").or_insert_with(|| {
                    let read = json!({ "number": 0, "name": "a.tif", "hash": "0".repeat(64) });
                    json!({ "files": 1, "read": [read] })
                });
                Value::Object(members).to_string().into_bytes()
            }
            _ => self.manifest.clone(),
        };
        let shard = |index: u64| {
            let tiles = self.tiles[start(index - 1)..start(index)].to_vec();
            Self { manifest: manifest(index), tiles, ..self.clone() }.seal(with_errors)
        };
        (1..=count).map(shard).collect()
    }
}

/// What precedes a tile's payload.
pub fn tile_header(tile: &Part, payload: &[u8]) -> [u8; 36] {
    let mut out = [0; 36];
    out[..4].copy_from_slice(b"TILE");
    out[4..6].copy_from_slice(&tile.face_level);
    let numbers = tile.numbers.into_iter().chain([payload.len() as u32]);
    out[8..28].chunks_exact_mut(4).zip(numbers).for_each(|(out, n)| out.copy_from_slice(&n.to_le_bytes()));
    let check = checksum(&[&out[..28], payload]);
    out[28..].copy_from_slice(&check);
    out
}

/// What precedes the payload of a tile's errors.
fn errors_header(tile: &Part, payload: &[u8]) -> [u8; 20] {
    let mut out = [0; 20];
    out[..4].copy_from_slice(b"ERRS");
    out[4] = tile.largest;
    out[8..12].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    let number = [u32::from(tile.face_level[0]), u32::from(tile.face_level[1]), tile.numbers[0], tile.numbers[1]];
    let check = checksum(&[number.map(u32::to_le_bytes).as_flattened(), &out[..12], payload]);
    out[12..].copy_from_slice(&check);
    out
}

/// The first eight bytes of BLAKE3 over parts in order.
pub fn checksum(parts: &[&[u8]]) -> [u8; 8] {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    let mut out = [0; 8];
    out.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    out
}
