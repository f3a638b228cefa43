//! How is an index read that anybody may have written? Tile by tile as it is unsqueezed, so that memory is taken for tiles that
//! are there and not for numbers that state them.

use std::io::{BufReader, ErrorKind, Read};

use super::{
    bytes::{PackBytes, Stream},
    codec,
    compression::Decoder,
    format::{CHECK_BYTES, ENTRY_BYTES, Entry, Footer, TILE_BYTES},
    origins,
};

/// Most tiles of a pack: every place on Earth at 5 m has fewer.
const MOST_TILES: u64 = 1 << 28;

/// Bytes of the index that are asked for at once.
const PIECE: u64 = 1 << 20;

/// Most bytes that zstd makes of so many.
const fn most_squeezed(plain: u64) -> u64 {
    plain + plain / 128 + 512
}

/// Most bytes of the payload of a tile's heights or errors.
pub(crate) const MOST_PAYLOAD: u64 = most_squeezed(codec::MOST_PLAIN as u64) + origins::MOST_BYTES;

/// Bytes on their way through a hash.
struct Hashing<R> {
    from: R,
    hasher: blake3::Hasher,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.hasher.update(&buffer[..read]);
        Ok(read)
    }
}

/// The tiles of the index that a footer speaks of, the first of which lies at `start`.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read(from: &dyn PackBytes, footer: &Footer, start: u64) -> Result<Vec<Entry>, String> {
    // Checksums do not compress, so an index is never squeezed to a sixteenth; and every tile is there, with its header.
    let tiles = footer.tiles.min(MOST_TILES + 1);
    let plain = tiles * ENTRY_BYTES as u64;
    let fit = tiles * TILE_BYTES as u64 <= footer.offset;
    if tiles > MOST_TILES || plain / 16 > footer.bytes || footer.bytes > most_squeezed(plain) || !fit {
        return Err(format!("an impossible number of tiles: {} in {} bytes", footer.tiles, footer.bytes));
    }
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::UnexpectedEof => "the index ends in the middle".to_owned(),
        _ => format!("index: {error}"),
    };
    let stream = Stream::new(from, footer.offset..footer.offset.saturating_add(footer.bytes));
    let piece = footer.bytes.min(PIECE) as usize;
    let hashing = Hashing { from: BufReader::with_capacity(piece, stream), hasher: blake3::Hasher::new() };
    let mut index = Decoder::new(hashing).map_err(unreadable)?;
    let mut tiles: Vec<Entry> = Vec::new();
    let mut offset = start;
    for _ in 0..footer.tiles {
        let mut bytes = [0; ENTRY_BYTES];
        index.read_exact(&mut bytes).map_err(unreadable)?;
        let entry = Entry::from_bytes(&bytes, offset).filter(|entry| fits(entry, footer.offset));
        let entry = entry.ok_or_else(|| format!("entry {} of the index is no tile of this file", tiles.len()))?;
        offset = entry.end().unwrap_or(u64::MAX);
        tiles.try_reserve(1).map_err(|_| format!("no memory for {} tiles", footer.tiles))?;
        tiles.push(entry);
    }
    if index.read(&mut [0]).map_err(unreadable)? > 0 {
        return Err(format!("the index has more than its {} tiles", footer.tiles));
    }
    let hash = index.into_inner().hasher.finalize();
    if hash.as_bytes()[..CHECK_BYTES] != footer.checksum {
        return Err("the checksum of the index is wrong".to_owned());
    }
    Ok(tiles)
}

/// Whether a tile and its errors have no more bytes than any, and end before `end`.
fn fits(entry: &Entry, end: u64) -> bool {
    let payloads = [Some(entry.header.bytes), entry.errors.map(|(errors, _)| errors.bytes)];
    payloads.into_iter().flatten().all(|bytes| u64::from(bytes) <= MOST_PAYLOAD)
        && entry.end().is_some_and(|tile_end| tile_end <= end)
}

#[cfg(test)]
mod tests;
