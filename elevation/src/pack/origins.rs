//! Which source answers where in a tile? On a lattice of every few vertices, which separates wide voids of a source, and what lies
//! beyond its rim, from its data. Where that is too coarse, vertex by vertex and quad by quad ([`FineOrigins`]).
//!
//! Each stands behind the heights as a frame that zstd skips, so that programs that do not know it read the heights all the same. A
//! frame ends with its length, by which it is found; the lattice is the last.

mod fine;

pub(crate) use fine::FineOrigins;

use super::compression;
use crate::tile::TILE_QUADS;

/// Quads between two places of the lattice.
pub(crate) const STEP: u32 = 4;
/// Places along a side of a tile.
pub(crate) const SIDE: usize = (TILE_QUADS / STEP) as usize + 1;
/// The largest share: all of a height.
pub(crate) const WHOLE: u8 = u8::MAX;
/// Most bytes of the frames: places that are all different, squeezed.
pub(crate) const MOST_BYTES: u64 = (32 << 10) + fine::MOST_BYTES;

/// Begins a frame of zstd that is to be skipped.
const MAGIC: [u8; 4] = 0x184D_2A5B_u32.to_le_bytes();
/// Ends that of the lattice, behind its length: that of all before, as a number of 32 bits.
const LATTICE: [u8; 4] = *b"ORIG";
/// Ends that of what is finer.
const FINE: [u8; 4] = *b"FINE";
/// Bytes of a place: source, other source, share, whether it is filled.
const PLANES: usize = 6;
/// No other source.
const NONE: u16 = u16::MAX;
const EFFORT: i32 = 5;

/// What a height comes from: sources by their numbers in the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The source with the largest share.
    pub source: u16,
    /// That share, of [`WHOLE`].
    pub share: u8,
    /// The source with the next largest share, where the height is blended.
    pub other: Option<u16>,
    /// Whether the source has no height of its own there, but one that is filled or continued from those around.
    pub filled: bool,
}

impl Origin {
    /// A source alone.
    pub fn whole(source: u16) -> Self {
        Self { source, share: WHOLE, other: None, filled: false }
    }

    /// The share, from 0 to 1.
    pub fn share(self) -> f64 {
        f64::from(self.share) / f64::from(WHOLE)
    }

    fn bytes(self) -> [u8; PLANES] {
        let ([a, b], [c, d]) = (self.source.to_le_bytes(), self.other.unwrap_or(NONE).to_le_bytes());
        [a, b, c, d, self.share, u8::from(self.filled)]
    }

    fn of([a, b, c, d, share, filled]: [u8; PLANES]) -> Self {
        let other = Some(u16::from_le_bytes([c, d])).filter(|other| *other != NONE);
        Self { source: u16::from_le_bytes([a, b]), share, other, filled: filled != 0 }
    }
}

/// Of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origins {
    /// One where it is the same all over, else one for each place of the lattice, row by row.
    lattice: Vec<Origin>,
    fine: Option<FineOrigins>,
}

impl Origins {
    /// Of [`SIDE`] rows of as many places, and what is told more finely.
    pub fn new(mut lattice: Vec<Origin>, fine: Option<FineOrigins>) -> Self {
        if lattice.windows(2).all(|pair| pair[0] == pair[1]) {
            lattice.truncate(1);
        }
        Self { lattice, fine }
    }

    /// The one nearest to a place, quads from the tile's corner.
    pub fn at(&self, x: f64, y: f64) -> Origin {
        let along = |quads: f64| ((quads / f64::from(STEP)).round().max(0.0) as usize).min(SIDE - 1);
        let coarse = *self.lattice.get(along(y) * SIDE + along(x)).unwrap_or(&self.lattice[0]);
        self.fine.as_ref().map_or(coarse, |fine| fine.at(x, y, coarse))
    }

    /// Whether a place lies in a quad of which is told that it has filled ground.
    pub fn is_filled_quad(&self, x: f64, y: f64) -> bool {
        self.fine.as_ref().and_then(|fine| fine.is_filled(x, y)).unwrap_or(false)
    }

    /// Whether sources are told vertex by vertex.
    pub fn has_vertices(&self) -> bool {
        self.fine.iter().flat_map(FineOrigins::pairs).next().is_some()
    }

    /// The sources that answer somewhere in the tile, each once.
    pub fn sources(&self) -> Vec<u16> {
        let of_lattice = self.lattice.iter().map(|origin| (origin.source, origin.other));
        let fine = self.fine.iter().flat_map(FineOrigins::pairs);
        let mut sources: Vec<u16> =
            of_lattice.chain(fine).flat_map(|(source, other)| [Some(source), other]).flatten().collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// The frames.
    ///
    /// # Errors
    /// No memory for zstd.
    pub fn encode(&self) -> std::io::Result<Vec<u8>> {
        let bytes: Vec<[u8; PLANES]> = self.lattice.iter().map(|origin| origin.bytes()).collect();
        let planes: Vec<u8> = (0..PLANES).flat_map(|plane| bytes.iter().map(move |bytes| bytes[plane])).collect();
        let fine = self.fine.as_ref().map(|fine| frame(&fine.bytes(), FINE)).transpose()?.unwrap_or_default();
        Ok([fine, frame(&planes, LATTICE)?].concat())
    }

    /// From the contents of frames in which `sources` are spoken of.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn decode(Frames { lattice, fine }: Frames<'_>, sources: usize) -> Result<Self, String> {
        let planes =
            compression::decompress(lattice, PLANES * SIDE * SIDE).map_err(|error| format!("zstd: {error}"))?;
        let count = planes.len() / PLANES;
        if planes.len() % PLANES != 0 || ![1, SIDE * SIDE].contains(&count) {
            return Err(format!("sources of {count} places"));
        }
        let origin = |k: usize| Origin::of(std::array::from_fn(|plane| planes[plane * count + k]));
        let lattice = (0..count).map(origin).collect();
        let found = Self { lattice, fine: fine.map(FineOrigins::decode).transpose()? };
        let most = found.sources().pop().unwrap_or(0);
        if usize::from(most) < sources { Ok(found) } else { Err(format!("source {most} of {sources}")) }
    }
}

/// The contents of the frames behind heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frames<'a> {
    lattice: &'a [u8],
    fine: Option<&'a [u8]>,
}

/// The heights of a payload, and the frames behind them, if there are any.
pub(crate) fn split(payload: &[u8]) -> (&[u8], Option<Frames<'_>>) {
    let Some((rest, lattice)) = split_frame(payload, LATTICE) else { return (payload, None) };
    match split_frame(rest, FINE) {
        Some((heights, fine)) => (heights, Some(Frames { lattice, fine: Some(fine) })),
        None => (rest, Some(Frames { lattice, fine: None })),
    }
}

/// A frame of some bytes, squeezed.
fn frame(plain: &[u8], end: [u8; 4]) -> std::io::Result<Vec<u8>> {
    let content = compression::compress(plain, EFFORT)?;
    let length = (content.len() as u32).to_le_bytes();
    let rest = (content.len() + length.len() + end.len()) as u32;
    Ok([&MAGIC[..], &rest.to_le_bytes(), &content, &length, &end].concat())
}

/// What precedes a frame with an end, and its content, if there is one.
fn split_frame(bytes: &[u8], end: [u8; 4]) -> Option<(&[u8], &[u8])> {
    let (rest, length) = bytes.strip_suffix(&end)?.split_last_chunk::<4>()?;
    let (rest, content) = rest.split_at_checked(rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?)?;
    let (rest, _) = rest.split_last_chunk::<4>()?;
    Some((rest.strip_suffix(&MAGIC)?, content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::codec;
    use proptest::prelude::*;

    /// Law: what was said is read, and a program that knows of no frames reads the heights before them.
    #[test]
    fn frames_are_skipped() {
        let steps: Vec<u32> = (0..codec::TEXELS).map(|k| (k * 7 % 1000) as u32).collect();
        let heights = codec::encode(&steps, true).unwrap();
        assert!(split(&heights) == (&heights[..], None));
        let place = |k: usize| Origin {
            source: (k % 3) as u16,
            share: (k * 31 % 255) as u8,
            other: (!k.is_multiple_of(5)).then_some((k % 4) as u16),
            filled: k.is_multiple_of(7),
        };
        let various: Vec<Origin> = (0..SIDE * SIDE).map(place).collect();
        let quads: Vec<bool> = (0..fine::QUADS).map(|k| k % 11 == 3).collect();
        let vertices: Vec<Origin> = (0..codec::TEXELS).map(place).collect();
        for (places, fine) in [
            (vec![Origin::whole(2); SIDE * SIDE], None),
            (various.clone(), None),
            (various.clone(), FineOrigins::new(None, Some(&quads))),
            (various.clone(), FineOrigins::new(Some(&vertices), None)),
            (various, FineOrigins::new(Some(&vertices), Some(&quads))),
        ] {
            let origins = Origins::new(places.clone(), fine.clone());
            let frames = origins.encode().unwrap();
            assert!(
                frames.len() as u64 <= MOST_BYTES && (places[0] != places[1] || frames.len() < 40),
                "{}",
                frames.len()
            );
            let payload = [&heights[..], &frames].concat();
            let (rest, found) = split(&payload);
            assert!(rest == heights);
            assert!(Origins::decode(found.unwrap(), 4) == Ok(origins.clone()));
            assert!(Origins::decode(found.unwrap(), 2).is_err());
            assert!(codec::decode(&payload, None, 1 << 20) == Ok(steps.clone()));
            let at = |x: usize, y: usize| origins.at((4 * x) as f64 + 1.9, (4 * y) as f64 - 1.9);
            assert!(fine.is_some() || (0..SIDE).all(|y| (0..SIDE).all(|x| at(x, y) == places[y * SIDE + x])));
        }
    }

    proptest! {
        /// Law: foreign bytes are refused or understood; nothing panics.
        #[test]
        fn foreign_bytes(noise in prop::collection::vec(any::<u8>(), 0..60), repeat in 1..900usize, squeeze in any::<bool>(), is_fine in any::<bool>()) {
            let noise = if squeeze { zstd::bulk::compress(&noise.repeat(repeat), 1).unwrap() } else { noise };
            let sound = zstd::bulk::compress(&[0; PLANES], 1).unwrap();
            let foreign = if is_fine { Frames { lattice: &sound, fine: Some(&noise) } } else { Frames { lattice: &noise, fine: None } };
            for frames in [split(&noise).1.unwrap_or(foreign), foreign] {
                let _understood = Origins::decode(frames, 3).map(|origins| (origins.at(9.0, 300.0), origins.at(256.0, 256.0)));
            }
        }
    }
}
