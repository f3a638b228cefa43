//! Which data does a height come from, beyond its layer: which file of a folder, which source of a pack?

use std::ops::Range;

use glam::DVec3;

use super::Relief;
use crate::{
    height::{
        elevation_source::{Location, RecordShare, Spacing},
        layer::Layer,
        layer_info::MemberFile,
        patch::Patch,
    },
    pack::origins::{FineOrigins, Origin, Origins, SIDE, STEP, WHOLE},
    tile::{TileId, posting_m},
};

/// Nodes along the side of the smallest squares that are looked at.
const LEAST: usize = 8;

/// The data of a layer that answer at a place: the file of a folder, what a pack was made from there, else the layer itself.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceAt<'a> {
    /// Name of the data.
    pub name: String,
    /// The datum of their heights as the relief has them.
    pub datum: &'a str,
    /// The datum of the data as they are, before they are brought to the one that was asked for.
    pub source_datum: &'a str,
    /// Name of the data within the layer that they are blended with.
    pub blended_with: Option<String>,
}

impl Relief {
    /// The data of a layer that answer at a normal.
    ///
    /// ```
    /// use elevation::height::{GlobalGrid, Location, Registration, Relief};
    /// let relief = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 7.0))?;
    /// let place = Location::at(46.0, 8.0).normal;
    /// let found = relief.source_at(relief.sample(place).layer, place);
    /// // A grid is one source, and its heights are brought to no other datum.
    /// assert_eq!((&found.name, &found.blended_with), (&relief.layers()[0].name, &None));
    /// assert_eq!((found.datum, found.source_datum), (relief.source_datum(0), relief.source_datum(0)));
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn source_at(&self, layer: usize, n: DVec3) -> SourceAt<'_> {
        let Layer { source, info, .. } = &*self.layers[layer];
        let within = source.record_share(&Location::of(n), Spacing::Any);
        let data = within.as_ref().and_then(|within| source.data(within.most));
        let (name, source_datum) = data.unwrap_or_else(|| (info.name.clone(), &info.datum));
        let (blended_with, _) = within.and_then(|within| source.data(within.other?)).unzip();
        let asked = &self.infos[layer].datum;
        // A datum that was asked for is that of all layers.
        let datum = if *asked == info.datum { source_datum } else { asked };
        SourceAt { name, datum, source_datum, blended_with }
    }

    /// Of the data within a layer that answer at a normal: their share, and whether they are filled there, as far as a pack knows.
    pub(crate) fn share_within(&self, layer: usize, n: DVec3) -> (f64, bool) {
        let within = self.layers[layer].source.record_share(&Location::of(n), Spacing::Any);
        within.map_or((1.0, false), |within| (within.share, within.filled))
    }

    /// Metres between heights of a layer by which slopes are told at a normal.
    pub(crate) fn slope_step_m(&self, layer: usize, n: DVec3) -> f64 {
        self.layers[layer].source.slope_step_m(&Location::of(n))
    }

    /// The files of a layer that are read one by one, if they are; nothing is opened below a pack.
    pub(crate) fn members(&self, layer: usize) -> Option<Vec<MemberFile>> {
        self.layers.get(layer)?.source.members()
    }

    /// Whether heights of one of these were asked for.
    pub(crate) fn is_read(&self, layer: usize, number: u32) -> bool {
        self.layers.get(layer).is_some_and(|layer| layer.source.is_read(number))
    }

    /// From now on [`is_read`](Self::is_read) is of what is asked for after this.
    pub(crate) fn clear_read_flags(&self) {
        self.layers.iter().for_each(|layer| layer.source.clear_read_flags());
    }

    /// What the heights of a tile come from, by the numbers of [`Relief::sources`], of which each layer has some; `None` if they are
    /// more than a pack can tell apart. More finely where that is asked for at the tile's vertices, and there is something to tell.
    pub(crate) fn origins(&self, id: TileId, numbers: &[Range<usize>], vertices: Option<&Patch>) -> Option<Origins> {
        let spacing = Spacing::Vertices(posting_m(self.ellipsoid(), id.level));
        let nodes = (0..SIDE as u32).flat_map(|y| (0..SIDE as u32).map(move |x| (x * STEP, y * STEP)));
        let places = nodes.map(|(x, y)| Location::of(id.place(x, y).point().normal()));
        let lattice = places.map(|at| self.origin(&at, spacing, numbers)).collect::<Option<Vec<_>>>()?;
        let spacing = Spacing::Grid(posting_m(self.ellipsoid(), id.level));
        let quads = vertices.and_then(|vertices| self.filled_quads(vertices, spacing));
        let of_vertices = vertices.and_then(|vertices| self.origins_of(vertices, &lattice, spacing, numbers));
        Some(Origins::new(lattice, FineOrigins::new(of_vertices.as_deref(), quads.as_deref())))
    }

    /// What the heights of all vertices of a tile come from, where the lattice tells too little of it: where several of a layer's data
    /// are near.
    fn origins_of(
        &self,
        vertices: &Patch,
        lattice: &[Origin],
        spacing: Spacing,
        numbers: &[Range<usize>],
    ) -> Option<Vec<Origin>> {
        let coarse = Origins::new(lattice.to_vec(), None);
        let columns = vertices.columns();
        let mut all: Option<Vec<Origin>> = None;
        for square in self.mixed_squares(vertices, numbers) {
            let (patch, [across, down]) = (vertices.part(&square), square);
            let places = patch.places();
            let nodes = patch.all_places(&places, [0..patch.columns(), 0..patch.rows()]);
            for (k, (normal, lon_deg, lat_deg)) in nodes.enumerate() {
                let (x, y) = (across.start + k % across.len(), down.start + k / across.len());
                let at = Location { lon_deg, lat_deg, ..Location::of(normal) };
                let (found, told) = (self.origin(&at, spacing, numbers)?, coarse.at(x as f64, y as f64));
                if all.is_none() && found == (Origin { filled: found.filled, ..told }) {
                    continue;
                }
                let of_lattice = |k: usize| coarse.at((k % columns) as f64, (k / columns) as f64);
                all.get_or_insert_with(|| (0..vertices.len()).map(of_lattice).collect())[y * columns + x] = found;
            }
        }
        all
    }

    /// Squares of the nodes of a patch in which several of a layer's data may answer.
    fn mixed_squares(&self, patch: &Patch, numbers: &[Range<usize>]) -> Vec<[Range<usize>; 2]> {
        let layers = || self.layers.iter().zip(numbers).filter(|(_, numbers)| numbers.len() > 1);
        let is_mixed = |square: &[Range<usize>; 2]| {
            let part = patch.part(square);
            let places = part.places();
            let part = (part, places);
            layers().any(|(layer, _)| layer.source.is_mixed(&part))
        };
        let whole = [0..patch.columns(), 0..patch.rows()];
        let (mut found, mut open) = (Vec::new(), vec![whole]);
        while let Some(square) = open.pop() {
            let [columns, rows] = &square;
            if layers().next().is_none() || !is_mixed(&square) {
                continue;
            }
            let side = columns.len().max(rows.len());
            if side <= LEAST {
                found.push(square);
                continue;
            }
            let half = |along: &Range<usize>| {
                let middle = along.start + (side / 2).min(along.len());
                [along.start..middle, middle..along.end]
            };
            let parts =
                half(rows).into_iter().flat_map(|rows| half(columns).map(move |columns| [columns, rows.clone()]));
            open.extend(parts.filter(|[columns, rows]| !columns.is_empty() && !rows.is_empty()));
        }
        found
    }

    fn origin(&self, at: &Location, spacing: Spacing, numbers: &[Range<usize>]) -> Option<Origin> {
        let (sample, _) = self.of_data(0, (at.normal, at.lon_deg, at.lat_deg), spacing);
        let within = |layer: usize| {
            let numbers = &numbers[layer];
            let number = |k: u32| u16::try_from(numbers.clone().nth(k as usize)?).ok().filter(|k| *k < u16::MAX);
            let mut found = self.layers[layer].source.record_share(at, spacing).unwrap_or(RecordShare::WHOLE);
            // All data of a layer with one number have it.
            if numbers.len() == 1 {
                found = RecordShare { filled: found.filled, ..RecordShare::WHOLE };
            }
            let RecordShare { most, share, other, filled } = found;
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
