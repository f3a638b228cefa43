//! Which file of a mosaic alone answers on a patch? Its nodes and quads are asked of that one together, not of all files one by one.

use std::slice::from_ref;

use smallvec::SmallVec;

use super::{
    super::{
        elevation_source::{PatchHeights, Spacing},
        filled_quads::FilledQuads,
        parts,
        patch::{Longitudes, Patch, PatchCoordinates},
        resample::SamplePositions,
    },
    Detail, Mosaic, OVERVIEW_FEATHER, overview_grid,
};

/// Most members of which one is looked for that answers alone.
const FEW: usize = 4;

impl Mosaic {
    /// The one of some members of which the heights at places of patches are wherever it has valid texels there: no other has a share in
    /// them; and where these places are on it. Of many members none is looked for.
    fn alone<'a>(
        &self,
        members: &[u32],
        patches: &'a [(Patch, PatchCoordinates)],
        spacing: Spacing,
    ) -> Option<(u32, Vec<SamplePositions<'a>>)> {
        if members.len() > FEW {
            return None;
        }
        // The positions on a member, and whether they are on its texels or within one of them.
        let near = |k: u32| -> Option<(Vec<SamplePositions<'a>>, bool)> {
            let header = &self.members[k as usize].header;
            let mut positions = self.place(k)?.placement.positions_near(header.cap, patches)?;
            let ([columns, rows], beyond) = match self.detail(k, spacing) {
                Detail::Overview(scale) => {
                    positions = positions.into_iter().map(|positions| positions.scaled(scale)).collect();
                    (overview_grid(header.info.grid, self.overview), OVERVIEW_FEATHER)
                }
                _ => (header.info.grid, header.feather),
            };
            let miss = |beyond: f64| positions.iter().all(|positions| positions.are_outside((columns, rows), beyond));
            let (is_far, is_beside) = (miss(f64::from(beyond) + 1.0), miss(1.0));
            (!is_far).then_some((positions, !is_beside))
        };
        let mut members: SmallVec<[u32; FEW]> = members.iter().copied().collect();
        members.sort_unstable_by(|a, b| self.order(*a, *b));
        // Those that are finer and have some of their own beside the places have a share.
        let mut finer: SmallVec<[u32; FEW]> = SmallVec::new();
        let mut others = members.into_iter();
        let (k, positions) = loop {
            let k = others.next()?;
            match near(k) {
                Some((positions, true)) => break (k, positions),
                Some((_, false)) => finer.push(k),
                None => {}
            }
        };
        // Where all of this one's texels are valid nothing coarser counts, nor does one of its lattice beyond its texels.
        let has_share = |other: u32| self.are_adjacent(k, other) && near(other).is_some_and(|(_, touches)| touches);
        if finer.into_iter().any(|other| !self.are_adjacent(k, other)) || others.any(has_share) {
            return None;
        }
        Some((k, positions))
    }

    /// Heights on patches where one of some members answers alone.
    pub(super) fn single_member_patches(
        &self,
        members: &[u32],
        patches: &[(Patch, PatchCoordinates)],
        spacing: Spacing,
    ) -> Option<PatchHeights> {
        let (k, positions) = self.alone(members, patches, spacing)?;
        let positions = &positions[..];
        match self.detail(k, spacing) {
            Detail::SmallParts => Some(PatchHeights::ByNode),
            Detail::Full => {
                let grid = self.members[k as usize].header.info.grid;
                let texels = if self.is_large(k) {
                    parts::texels(grid, self.side, positions, |part| self.part(k, self.side, part))?
                } else {
                    self.full(k)?.window(positions)?
                };
                Some(PatchHeights::of(&texels, positions, patches))
            }
            Detail::Overview(_) => {
                let [columns, rows] = overview_grid(self.members[k as usize].header.info.grid, self.overview);
                if !positions.iter().all(|positions| positions.are_inside((columns, rows))) {
                    return None;
                }
                Some(PatchHeights::of(&self.overview(k)?.window(positions)?, positions, patches))
            }
        }
    }

    /// Members whose footprints touch the places of patches.
    pub(super) fn members_on(&self, patches: &[(Patch, PatchCoordinates)]) -> Vec<u32> {
        let around = |range: (f64, f64), values: &[f64]| values.iter().fold(range, |(l, h), x| (l.min(*x), h.max(*x)));
        let mut ranges = [(f64::INFINITY, f64::NEG_INFINITY); 2];
        for (_, places) in patches {
            let (Longitudes::Columns(lon) | Longitudes::Rows(lon) | Longitudes::Nodes(lon)) = &places.lon_deg;
            ranges = [around(ranges[0], lon), around(ranges[1], &places.lat_deg)];
        }
        let [(west, east), (south, north)] = ranges;
        let mut members: Vec<u32> = self.index.touching_box([west, south], [east, north]).collect();
        members.dedup();
        members
    }

    /// Where ground is filled in the quads of a patch.
    pub(super) fn filled_quads_of(&self, patch: &(Patch, PatchCoordinates)) -> FilledQuads {
        let members = self.members_on(from_ref(patch));
        if members.is_empty() {
            return FilledQuads::Empty;
        }
        let Some((k, positions)) = self.alone(&members, from_ref(patch), Spacing::Any) else {
            return FilledQuads::BySquare;
        };
        let ([positions], columns) = (&positions[..], patch.0.columns()) else { return FilledQuads::BySquare };
        let grid = self.members[k as usize].header.info.grid;
        let found = if self.is_large(k) {
            FilledQuads::of(positions, columns, parts::quads(grid, self.side, |part| self.part(k, self.side, part)))
        } else {
            let (own, mut raster) = ([[0, 0], grid.map(|n| n as i64)], None);
            FilledQuads::of(positions, columns, |rect| {
                // Not read where quads are too large.
                if raster.is_none() {
                    raster = self.full(k);
                }
                Some(raster.as_ref()?.quad(rect, own))
            })
        };
        match &found {
            // What this one leaves to others of the layer may be filled in those.
            FilledQuads::Quads(quads)
                if members.len() > 1 && quads.iter().any(|quad| !quad.is_filled && !quad.is_whole) =>
            {
                FilledQuads::BySquare
            }
            _ => found,
        }
    }
}
