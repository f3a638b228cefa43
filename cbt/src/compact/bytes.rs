//! What do the bytes of a saved compact tree look like? A mark of 8 bytes, the depth, the bitfield; all little-endian.

use crate::storage::{Storage, bitfield_words, check_depth, word_mask};
use crate::words::Words;
use crate::{Compact, Error};

/// The first 8 bytes: name and version of the format.
const MARK: &[u8; 8] = b"CBTbits1";

/// Mark, depth as u64, words of the bitfield as u64.
pub(super) fn save(depth: u32, bits: &Words) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(16 + 8 * bits.len());
    bytes.extend_from_slice(MARK);
    bytes.extend_from_slice(&u64::from(depth).to_le_bytes());
    bytes.extend_from_slice(&bits.to_bytes());
    bytes
}

/// The tree, its sums zero. Bits past the capacity are dropped.
pub(super) fn load(bytes: &[u8]) -> Result<Compact, Error> {
    let layout = Compact::LAYOUT;
    let foreign = |because| Error::Foreign { layout, because };
    let (mark, rest) = bytes.split_first_chunk::<8>().ok_or_else(|| foreign("fewer than 16 bytes"))?;
    let (depth, rest) = rest.split_first_chunk::<8>().ok_or_else(|| foreign("fewer than 16 bytes"))?;
    if mark != MARK {
        return Err(foreign("it does not begin with CBTbits1"));
    }
    let depth = u32::try_from(u64::from_le_bytes(*depth)).map_err(|_| foreign("its depth exceeds 32 bits"))?;
    check_depth(depth)?;
    let (expected, found) = (16 + 8 * bitfield_words(depth) as u64, bytes.len() as u64);
    if expected != found {
        return Err(Error::Length { layout, depth, expected, found });
    }
    let mut tree = Compact::allocate(depth)?;
    let words = rest.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
    let mask = word_mask(depth);
    tree.bits.plain(|bits| bits.iter_mut().zip(words).for_each(|(to, from)| *to = from & mask));
    Ok(tree)
}
