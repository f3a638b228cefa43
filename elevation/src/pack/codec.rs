//! How is a tile squeezed? What the parent holds is left out, the rest is stored as differences to a prediction.
//!
//! Texels with even column and row are the parent's. The others are predicted from them. One in the middle of four is predicted
//! by their mean. One between two is predicted by the cubic through the four nearest on its line, (-1, 9, 9, -1) / 16, or by
//! the mean of the two where the line ends. A tile without a parent is predicted texel by texel from those before it (left +
//! above - diagonal). Differences are zigzag-coded, split into planes of bytes, and compressed by zstd.

use super::compression;
use crate::tile::TILE_VERTICES;

/// Texels of a tile.
pub(crate) const TEXELS: usize = TILE_VERTICES * TILE_VERTICES;
/// Bytes of a height difference: 25 bits with its sign.
const PLANES: usize = 4;
/// Bytes of the heights of a tile before they are squeezed, at most.
pub(crate) const MOST_PLAIN: usize = PLANES * TEXELS;
/// zstd's level: higher ones gain a few parts in a hundred and take several times as long.
const EFFORT: i32 = 5;

/// Heights that a parent lends to one of its quarters: by column and row of the quarter, 0 ..= 128.
pub(crate) type Parent<'a> = &'a dyn Fn(usize, usize) -> u32;

/// Squeezes the heights of a tile in steps above the lowest possible one; `root` tiles have no parent.
///
/// # Errors
/// No memory for zstd.
pub(crate) fn encode(steps: &[u32], root: bool) -> std::io::Result<Vec<u8>> {
    let count = if root { TEXELS } else { new_texels().count() };
    let mut planes = vec![0u8; PLANES * count];
    let mut k = 0;
    let mut store = |at: usize, predicted: i32| {
        let difference = (steps[at] as i32).wrapping_sub(predicted);
        let zigzag = ((difference << 1) ^ (difference >> 31)) as u32;
        for (plane, byte) in zigzag.to_le_bytes().into_iter().enumerate() {
            planes[plane * count + k] = byte;
        }
        k += 1;
    };
    if root {
        (0..TEXELS).for_each(|at| store(at, gradient(steps, at)));
    } else {
        new_texels().for_each(|(at, kind)| store(at, kind.predict(steps, at)));
    }
    compression::compress(&planes, EFFORT)
}

/// The heights of a payload, in steps, which are at most `most` steps; `parent` is `None` for root tiles.
///
/// # Errors
/// What is wrong with the bytes.
pub(crate) fn decode(payload: &[u8], parent: Option<Parent<'_>>, most: u32) -> Result<Vec<u32>, String> {
    let count = if parent.is_none() { TEXELS } else { new_texels().count() };
    let planes = compression::decompress(payload, PLANES * count).map_err(|error| format!("zstd: {error}"))?;
    if planes.len() != PLANES * count {
        return Err(format!("{} bytes in place of {}", planes.len(), PLANES * count));
    }
    let mut steps = vec![0; TEXELS];
    if let Some(parent) = parent {
        for (y, row) in steps.chunks_exact_mut(TILE_VERTICES).step_by(2).enumerate() {
            row.iter_mut().step_by(2).enumerate().for_each(|(x, step)| *step = parent(x, y));
        }
    }
    let mut k = 0;
    let mut largest = 0;
    let mut restore = |steps: &mut [u32], at: usize, predicted: i32| {
        let zigzag = u32::from_le_bytes([0, 1, 2, 3].map(|plane| planes[plane * count + k]));
        let difference = (zigzag >> 1) as i32 ^ -((zigzag & 1) as i32);
        steps[at] = predicted.wrapping_add(difference) as u32;
        largest = largest.max(steps[at]);
        k += 1;
    };
    if parent.is_none() {
        (0..TEXELS).for_each(|at| {
            let predicted = gradient(&steps, at);
            restore(&mut steps, at, predicted);
        });
    } else {
        new_texels().for_each(|(at, kind)| {
            let predicted = kind.predict(&steps, at);
            restore(&mut steps, at, predicted);
        });
    }
    if largest > most { Err(format!("a height of {largest} steps, {most} are possible")) } else { Ok(steps) }
}

/// Where a texel that the parent lacks lies between those that it has.
#[derive(Clone, Copy)]
enum Kind {
    /// In the middle of four.
    Diagonal,
    /// Between two, `stride` texels apart on each side; `inner`: the line goes on by another on both sides.
    Axis { stride: usize, inner: bool },
}

impl Kind {
    /// Steps expected of the texel.
    #[inline]
    fn predict(self, steps: &[u32], at: usize) -> i32 {
        // Heights are checked only at the end, so foreign bytes may overflow here.
        let h = |at: usize| steps[at] as i32;
        match self {
            Self::Diagonal => {
                let (above, below) = (at - TILE_VERTICES, at + TILE_VERTICES);
                let sum = h(above - 1).wrapping_add(h(above + 1)).wrapping_add(h(below - 1)).wrapping_add(h(below + 1));
                sum.wrapping_add(2) >> 2
            }
            Self::Axis { stride, inner } => {
                let near = h(at - stride).wrapping_add(h(at + stride));
                if !inner {
                    return near.wrapping_add(1) >> 1;
                }
                let far = h(at - 3 * stride).wrapping_add(h(at + 3 * stride));
                near.wrapping_mul(9).wrapping_sub(far).wrapping_add(8) >> 4
            }
        }
    }
}

/// Texels that the parent lacks, in the order in which they are stored.
fn new_texels() -> impl Iterator<Item = (usize, Kind)> {
    const LAST: usize = TILE_VERTICES - 1;
    let at = |x: usize, y: usize| y * TILE_VERTICES + x;
    let odd = || (1..LAST).step_by(2);
    let even = || (0..=LAST).step_by(2);
    let inner = |along: usize| (3..=LAST - 3).contains(&along);
    let diagonal = odd().flat_map(move |y| odd().map(move |x| (at(x, y), Kind::Diagonal)));
    let rows = even().flat_map(move |y| odd().map(move |x| (at(x, y), Kind::Axis { stride: 1, inner: inner(x) })));
    let columns =
        odd().flat_map(move |y| even().map(move |x| (at(x, y), Kind::Axis { stride: TILE_VERTICES, inner: inner(y) })));
    diagonal.chain(rows).chain(columns)
}

/// Steps expected of a texel of a root tile from those before it.
#[inline]
fn gradient(steps: &[u32], at: usize) -> i32 {
    let h = |at: usize| steps[at] as i32;
    match (at % TILE_VERTICES, at / TILE_VERTICES) {
        (0, 0) => 0,
        (_, 0) => h(at - 1),
        (0, _) => h(at - TILE_VERTICES),
        _ => h(at - 1).wrapping_add(h(at - TILE_VERTICES)).wrapping_sub(h(at - TILE_VERTICES - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOST: u32 = (1 << 24) - 1;

    fn random(seed: u64, roughness: u32) -> Vec<u32> {
        let mut state = seed | 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        (0..TEXELS).map(|i| (i as u32 * 20 + (next() >> (31 - roughness.min(31)))) & MOST).collect()
    }

    #[test]
    fn new_texels_are_those_that_the_parent_lacks() {
        let mut seen = vec![false; TEXELS];
        new_texels().for_each(|(at, _)| assert!(!std::mem::replace(&mut seen[at], true)));
        for (at, seen) in seen.into_iter().enumerate() {
            let even = |x: usize| x.is_multiple_of(2);
            let parents = even(at % TILE_VERTICES) && even(at / TILE_VERTICES);
            assert_eq!(seen, !parents);
        }
    }

    #[test]
    fn a_plane_costs_nothing() {
        let steps: Vec<u32> =
            (0..TEXELS).map(|i| (1000 + 16 * (i % TILE_VERTICES) + 48 * (i / TILE_VERTICES)) as u32).collect();
        let payload = encode(&steps, false).unwrap();
        assert!(payload.len() < 100, "{}", payload.len());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Law: decoding inverts encoding, whatever the heights.
        #[test]
        fn round_trip(seed in any::<u64>(), roughness in 0..25u32, root in any::<bool>()) {
            let steps = random(seed, roughness);
            let payload = encode(&steps, root).unwrap();
            let parent = |x: usize, y: usize| steps[2 * y * TILE_VERTICES + 2 * x];
            let parent: Option<Parent<'_>> = if root { None } else { Some(&parent) };
            prop_assert_eq!(decode(&payload, parent, MOST), Ok(steps.clone()));
        }

        /// Law: foreign bytes are refused or decoded to heights that are possible; nothing panics.
        #[test]
        fn foreign_bytes(mut noise in prop::collection::vec(any::<u8>(), 0..400), squeeze in any::<bool>(), root in any::<bool>()) {
            if squeeze {
                noise = zstd::bulk::compress(&noise.repeat(5 * TEXELS / noise.len().max(1) + 1), 1).unwrap();
            }
            let parent = |x: usize, y: usize| (x * y) as u32;
            let parent: Option<Parent<'_>> = if root { None } else { Some(&parent) };
            if let Ok(steps) = decode(&noise, parent, MOST) {
                prop_assert!(steps.iter().all(|s| *s <= MOST));
            }
        }

        /// The same with payloads of the right length, so that decoding gets to the end.
        #[test]
        fn foreign_planes(seed in any::<u64>(), root in any::<bool>()) {
            let count = if root { TEXELS } else { new_texels().count() };
            let noise: Vec<u8> = (0..4 * count as u64).map(|i| (i.wrapping_mul(seed | 1) >> 29) as u8).collect();
            let payload = zstd::bulk::compress(&noise, 1).unwrap();
            let parent = |_: usize, _: usize| MOST;
            let parent: Option<Parent<'_>> = if root { None } else { Some(&parent) };
            if let Ok(steps) = decode(&payload, parent, MOST) {
                prop_assert!(steps.iter().all(|s| *s <= MOST));
            }
        }
    }
}
