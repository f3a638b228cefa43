//! What is told of a tile more finely than on the lattice? Which sources answer, vertex by vertex, where several of one layer are
//! blended; and which quads have filled ground, where data have voids. Tiles without either lack it.

use std::collections::HashMap;

use super::{NONE, Origin};
use crate::{
    pack::compression,
    tile::{TILE_QUADS, TILE_VERTICES},
};

/// Quads of a tile.
pub(crate) const QUADS: usize = (TILE_QUADS * TILE_QUADS) as usize;
const VERTICES: usize = TILE_VERTICES * TILE_VERTICES;
/// Most pairs of sources that a tile tells apart.
const MOST_PAIRS: usize = u8::MAX as usize;
/// Bytes of a pair.
const PAIR: usize = 4;
/// Bytes of which quads are filled.
const BITS: usize = QUADS / 8;
/// Bytes before they are squeezed, at most.
const MOST_PLAIN: usize = 2 + MOST_PAIRS * PAIR + 2 * VERTICES + BITS;
/// Bytes of a frame, at most.
pub(super) const MOST_BYTES: u64 = (MOST_PLAIN + MOST_PLAIN / 128 + 512) as u64;
/// What is there.
const HAS_VERTICES: u8 = 1;
const HAS_QUADS: u8 = 2;

/// Of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FineOrigins {
    vertices: Option<Vertices>,
    /// A bit for each quad, row by row: whether ground somewhere in it is filled.
    quads: Option<Box<[u8]>>,
}

/// The sources of each vertex, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Vertices {
    /// The source with the largest share, and the next one where the height is blended.
    pairs: Vec<(u16, Option<u16>)>,
    /// Which pair, and the share of its first, of [`WHOLE`](super::WHOLE).
    which: Vec<u8>,
    shares: Vec<u8>,
}

impl FineOrigins {
    /// From the origins of all vertices and from whether quads are filled; `None` if neither is told. Vertices of more pairs of
    /// sources than a tile tells apart are left to the lattice.
    pub fn new(vertices: Option<&[Origin]>, quads: Option<&[bool]>) -> Option<Self> {
        let vertices = vertices.and_then(Vertices::new);
        let bits = |quads: &[bool]| {
            let byte = |eight: &[bool]| eight.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
            quads.chunks(8).map(byte).collect()
        };
        let quads = quads.map(bits);
        (vertices.is_some() || quads.is_some()).then_some(Self { vertices, quads })
    }

    /// What a place comes from, quads from the tile's corner, where the lattice says `coarse`.
    pub fn at(&self, x: f64, y: f64, coarse: Origin) -> Origin {
        let origin = self.vertices.as_ref().map_or(coarse, |vertices| vertices.at(x, y, coarse.filled));
        Origin { filled: self.is_filled(x, y).unwrap_or(coarse.filled), ..origin }
    }

    /// Whether the quad of a place has filled ground, if that is told.
    pub fn is_filled(&self, x: f64, y: f64) -> Option<bool> {
        let along = |quads: f64| (quads.max(0.0) as usize).min(TILE_QUADS as usize - 1);
        let quad = along(y) * TILE_QUADS as usize + along(x);
        self.quads.as_ref().map(|bits| bits[quad / 8] >> (quad % 8) & 1 == 1)
    }

    /// The pairs of sources that are spoken of.
    pub fn pairs(&self) -> impl Iterator<Item = (u16, Option<u16>)> + '_ {
        self.vertices.iter().flat_map(|vertices| vertices.pairs.iter().copied())
    }

    /// The content of a frame, not squeezed.
    pub fn bytes(&self) -> Vec<u8> {
        let flag = |is_there: bool, flag: u8| if is_there { flag } else { 0 };
        let mut out = vec![flag(self.vertices.is_some(), HAS_VERTICES) | flag(self.quads.is_some(), HAS_QUADS)];
        if let Some(Vertices { pairs, which, shares }) = &self.vertices {
            out.push(pairs.len() as u8);
            for (source, other) in pairs {
                out.extend(source.to_le_bytes());
                out.extend(other.unwrap_or(NONE).to_le_bytes());
            }
            out.extend(which);
            out.extend(shares);
        }
        out.extend(self.quads.iter().flatten());
        out
    }

    /// The content of a frame.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn decode(content: &[u8]) -> Result<Self, String> {
        let plain = compression::decompress(content, MOST_PLAIN).map_err(|error| format!("zstd: {error}"))?;
        let cut = || "sources of vertices that end in the middle".to_owned();
        let (flags, rest) = plain.split_first().ok_or_else(cut)?;
        if *flags == 0 || *flags > HAS_VERTICES | HAS_QUADS {
            return Err(format!("sources of vertices of kind {flags}"));
        }
        let (vertices, rest) = if flags & HAS_VERTICES == 0 {
            (None, rest)
        } else {
            let (count, rest) = rest.split_first().ok_or_else(cut)?;
            let (pairs, rest) = rest.split_at_checked(usize::from(*count) * PAIR).ok_or_else(cut)?;
            let (which, rest) = rest.split_at_checked(VERTICES).ok_or_else(cut)?;
            let (shares, rest) = rest.split_at_checked(VERTICES).ok_or_else(cut)?;
            let most = which.iter().max().unwrap_or(&0);
            if most >= count {
                return Err(format!("pair {most} of {count} pairs of sources"));
            }
            let pair = |[a, b, c, d]: &[u8; PAIR]| {
                (u16::from_le_bytes([*a, *b]), Some(u16::from_le_bytes([*c, *d])).filter(|other| *other != NONE))
            };
            let pairs = pairs.as_chunks::<PAIR>().0.iter().map(pair).collect();
            (Some(Vertices { pairs, which: which.to_vec(), shares: shares.to_vec() }), rest)
        };
        let bits = if flags & HAS_QUADS == 0 { 0 } else { BITS };
        if rest.len() != bits {
            return Err(format!("{} bytes of filled quads in place of {bits}", rest.len()));
        }
        Ok(Self { vertices, quads: (bits > 0).then(|| rest.into()) })
    }
}

impl Vertices {
    fn new(origins: &[Origin]) -> Option<Self> {
        debug_assert_eq!(origins.len(), VERTICES);
        let mut numbers: HashMap<(u16, Option<u16>), u8> = HashMap::new();
        let (mut pairs, mut which) = (Vec::new(), Vec::with_capacity(origins.len()));
        for origin in origins {
            let pair = (origin.source, origin.other);
            let number = *numbers.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                (pairs.len() - 1).min(MOST_PAIRS) as u8
            });
            which.push(number);
        }
        let shares = origins.iter().map(|origin| origin.share).collect();
        (pairs.len() <= MOST_PAIRS).then_some(Self { pairs, which, shares })
    }

    /// Of the vertex nearest to a place.
    fn at(&self, x: f64, y: f64, filled: bool) -> Origin {
        let along = |quads: f64| (quads.round().max(0.0) as usize).min(TILE_VERTICES - 1);
        let vertex = along(y) * TILE_VERTICES + along(x);
        let (source, other) = self.pairs[usize::from(self.which[vertex])];
        Origin { source, share: self.shares[vertex], other, filled }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::WHOLE, *};
    use rand::Rng;

    /// Law: at each vertex the origin is the one that was given, in each quad whether it is filled; of too many pairs of sources
    /// nothing is told.
    #[test]
    fn vertices_and_quads_are_told() {
        let mut rng = crate::random::rng();
        for sources in [1, 5, 15] {
            let mut origin = || Origin {
                source: rng.random_range(0..sources),
                share: rng.random_range(1..=WHOLE),
                other: Some(rng.random_range(0..sources)).filter(|other| *other > 0),
                filled: false,
            };
            let origins: Vec<Origin> = (0..VERTICES).map(|_| origin()).collect();
            let quads: Vec<bool> = (0..QUADS).map(|_| rng.random_bool(0.1)).collect();
            let fine = FineOrigins::new(Some(&origins), Some(&quads)).unwrap();
            let squeezed = compression::compress(&fine.bytes(), 1).unwrap();
            assert!(FineOrigins::decode(&squeezed) == Ok(fine.clone()));
            for _ in 0..2000 {
                let [column, row] = [0, 1].map(|_| rng.random_range(0..TILE_QUADS as usize));
                let (x, y) = (column as f64 + rng.random_range(0.0..0.5), row as f64 + rng.random_range(0.0..0.5));
                let expected = Origin {
                    filled: quads[row * TILE_QUADS as usize + column],
                    ..origins[row * TILE_VERTICES + column]
                };
                assert_eq!(fine.at(x, y, Origin::whole(7)), expected);
            }
        }
        let various: Vec<Origin> = (0..VERTICES).map(|k| Origin::whole((k % 256) as u16)).collect();
        assert_eq!(FineOrigins::new(Some(&various), None), None);
    }
}
