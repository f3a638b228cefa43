//! How are a tile's error codes squeezed? The errors of axis vertices as what they lack of those of the diagonal ones beside them.
//!
//! A diagonal vertex is at least as wrong as the four axis vertices that follow it, and often just as wrong as one of them. Where an
//! axis vertex has two diagonal neighbours in the tile, the smaller of them is what is expected. Diagonal vertices are stored
//! first, as differences along their rows; a tile without a parent also has the vertices of even column and row, as they are.

use super::{codec::TEXELS, compression};
use crate::tile::TILE_VERTICES as N;

/// zstd's level.
const EFFORT: i32 = 5;

/// Squeezes the codes of a tile; `root` tiles have all of them.
///
/// # Errors
/// No memory for zstd.
pub(crate) fn encode(codes: &[u8], root: bool) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(count(root));
    for y in odd() {
        let mut before = 0u8;
        for x in odd() {
            let code = codes[y * N + x];
            out.push(code.wrapping_sub(before));
            before = code;
        }
    }
    for (at, expected) in axes() {
        out.push(expected(codes).wrapping_sub(codes[at]));
    }
    if root {
        out.extend(coarser().map(|at| codes[at]));
    }
    compression::compress(&out, EFFORT)
}

/// The codes of a payload, 0 for vertices of coarser tiles.
///
/// # Errors
/// What is wrong with the bytes.
pub(crate) fn decode(payload: &[u8], root: bool) -> Result<Vec<u8>, String> {
    let bytes = compression::decompress(payload, count(root)).map_err(|error| format!("zstd: {error}"))?;
    if bytes.len() != count(root) {
        return Err(format!("{} error codes in place of {}", bytes.len(), count(root)));
    }
    let mut bytes = bytes.into_iter();
    let mut codes = vec![0; TEXELS];
    let mut next = || bytes.next().unwrap_or_default();
    for y in odd() {
        let mut before = 0u8;
        for x in odd() {
            before = before.wrapping_add(next());
            codes[y * N + x] = before;
        }
    }
    for (at, expected) in axes() {
        codes[at] = expected(&codes).wrapping_sub(next());
    }
    if root {
        coarser().for_each(|at| codes[at] = next());
    }
    Ok(codes)
}

/// Codes in a payload.
fn count(root: bool) -> usize {
    let even = N.div_ceil(2);
    if root { TEXELS } else { TEXELS - even * even }
}

fn odd() -> impl Iterator<Item = usize> {
    (1..N).step_by(2)
}

fn even() -> impl Iterator<Item = usize> {
    (0..N).step_by(2)
}

/// Vertices that coarser tiles have too.
fn coarser() -> impl Iterator<Item = usize> {
    even().flat_map(|y| even().map(move |x| y * N + x))
}

/// Axis vertices, and the code that is expected of each.
fn axes() -> impl Iterator<Item = (usize, impl Fn(&[u8]) -> u8)> {
    let rows = even().flat_map(|y| odd().map(move |x| (y * N + x, (y, N))));
    let columns = odd().flat_map(|y| even().map(move |x| (y * N + x, (x, 1))));
    rows.chain(columns).map(|(at, (across, stride))| {
        // Its neighbours across the line that it halves; on a side of the tile there is one.
        let expected = move |codes: &[u8]| match across {
            0 => codes[at + stride],
            _ if across == N - 1 => codes[at - stride],
            _ => codes[at + stride].min(codes[at - stride]),
        };
        (at, expected)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        /// Law: decoding inverts encoding, whatever the codes.
        #[test]
        fn round_trip(seed in any::<u64>(), root in any::<bool>()) {
            let noise = |k: usize| ((k as u64 + 1).wrapping_mul(seed | 1) >> 31) as u8;
            let coarser = |k: usize| (k % N).is_multiple_of(2) && (k / N).is_multiple_of(2);
            let codes: Vec<u8> = (0..TEXELS).map(|k| if !root && coarser(k) { 0 } else { noise(k) }).collect();
            let payload = encode(&codes, root).unwrap();
            prop_assert_eq!(decode(&payload, root), Ok(codes));
        }

        /// Law: foreign bytes are refused or decoded; nothing panics.
        #[test]
        fn foreign_bytes(noise in prop::collection::vec(any::<u8>(), 0..300), squeeze in any::<bool>(), root in any::<bool>()) {
            let bytes = if squeeze { zstd::bulk::compress(&noise.repeat(TEXELS / noise.len().max(1)), 1).unwrap() } else { noise };
            if let Ok(codes) = decode(&bytes, root) {
                prop_assert_eq!(codes.len(), TEXELS);
            }
        }
    }
}
