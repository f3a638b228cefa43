//! Which data does a height come from, beyond its layer: which file of a folder, which source of a pack?

use std::ops::Range;

use glam::DVec3;

use super::Relief;
use crate::{
    height::{
        elevation_source::{Location, Spacing, Within},
        patch::Patch,
    },
    pack::origins::{Fine, Origin, Origins, SIDE, STEP, WHOLE},
    tile::{TileId, posting_m},
};

impl Relief {
    /// Name and datum of a layer's data that answer at a normal: of the file in a folder, of what a pack was made from there,
    /// and else of the layer.
    pub fn source_at(&self, layer: usize, n: DVec3) -> (String, &str) {
        let (info, opened) = (&self.infos[layer], &self.layers[layer]);
        let within = opened.source.within(&Location::of(n));
        let Some((name, datum)) = within.and_then(|within| opened.source.data(within.most)) else {
            return (info.name.clone(), &info.datum);
        };
        // A datum that was asked for is that of all layers.
        (name, if info.datum == opened.info.datum { datum } else { &info.datum })
    }

    /// Name of what the data of [`Relief::source_at`] are blended with within the layer: another file of a folder, or another of
    /// what a pack was made from.
    pub fn blended_within(&self, layer: usize, n: DVec3) -> Option<String> {
        let source = &self.layers[layer].source;
        let (name, _) = source.data(source.within(&Location::of(n))?.other?)?;
        Some(name)
    }

    /// Of the data within a layer that answer at a normal: their share, and whether they are filled there, as far as a pack knows.
    pub(crate) fn share_within(&self, layer: usize, n: DVec3) -> (f64, bool) {
        let within = self.layers[layer].source.within(&Location::of(n));
        within.map_or((1.0, false), |within| (within.share, within.filled))
    }

    /// Metres between heights of a layer by which slopes are told at a normal: in packs those of the finest data that may be there,
    /// since the ground around a void is not without them.
    pub(crate) fn slope_step_m(&self, layer: usize, n: DVec3) -> f64 {
        let pack = self.layers[layer].source.as_pack();
        pack.map_or_else(|| self.posting_of_m(layer, n), |pack| pack.finest_posting_m(&Location::of(n)))
    }

    /// What the heights of a tile come from, by the numbers of [`Relief::sources`], of which each layer has some; `None` if they are
    /// more than a pack can tell apart. More finely where that is asked for at the tile's vertices, and there is something to tell.
    pub(crate) fn origins(&self, id: TileId, numbers: &[Range<usize>], vertices: Option<&Patch>) -> Option<Origins> {
        let spacing = Spacing::Vertices(posting_m(id.level));
        let nodes = (0..SIDE as u32).flat_map(|y| (0..SIDE as u32).map(move |x| (x * STEP, y * STEP)));
        let places = nodes.map(|(x, y)| Location::of(id.place(x, y).point().normal()));
        let lattice = places.map(|at| self.origin(&at, spacing, numbers)).collect::<Option<Vec<_>>>()?;
        let quads = vertices.and_then(|vertices| self.filled_quads(vertices, spacing));
        Some(Origins::new(lattice, Fine::new(None, quads.as_deref())))
    }

    fn origin(&self, at: &Location, spacing: Spacing, numbers: &[Range<usize>]) -> Option<Origin> {
        let (sample, _) = self.of_data(0, (at.normal, at.lon_deg, at.lat_deg), spacing);
        let within = |layer: usize| {
            let numbers = &numbers[layer];
            // Of a layer with one number all data have it.
            let number =
                |k: u32| if numbers.len() == 1 { Some(numbers.start) } else { numbers.clone().nth(k as usize) };
            let number = |k: u32| u16::try_from(number(k)?).ok().filter(|k| *k < u16::MAX);
            let found = self.layers[layer].source.within(at).filter(|_| numbers.len() > 1);
            let Within { most, share, other, filled } = found.unwrap_or(Within::WHOLE);
            let other = other.map_or(Some(None), |other| number(other).map(Some))?;
            Some((number(most)?, share, other, filled))
        };
        let (source, share, other_within, filled) = within(sample.layer)?;
        let other = match sample.blended_with {
            Some(layer) => Some(within(layer)?.0),
            None => other_within,
        };
        let share = sample.share * share;
        let of_whole = (share * f64::from(WHOLE)) as u8;
        Some(Origin {
            source,
            share: if share < 1.0 { of_whole.clamp(1, WHOLE - 1) } else { WHOLE },
            other,
            filled: sample.filled || filled,
        })
    }
}
