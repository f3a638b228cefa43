//! Which file of a mosaic alone answers on a patch? Its nodes and quads are asked of that one together, not of all files one by one.

use std::slice::from_ref;

use smallvec::SmallVec;

use super::{
    super::{
        elevation_source::{OnPatches, Spacing},
        fills::Fills,
        parts,
        patch::{Longitudes, Patch, Places},
        resample::Spots,
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
        patches: &'a [(Patch, Places)],
        spacing: Spacing,
    ) -> Option<(u32, Vec<Spots<'a>>)> {
        if members.len() > FEW {
            return None;
        }
        // The spots on a member, and whether they are on its texels or within one of them.
        let near = |k: u32| -> Option<(Vec<Spots<'a>>, bool)> {
            let header = &self.members[k as usize].header;
            let mut spots = self.place(k)?.placement.spots_near(header.cap, patches)?;
            let ([columns, rows], beyond) = match self.detail(k, spacing) {
                Detail::Overview(scale) => {
                    spots = spots.into_iter().map(|spots| spots.scaled(scale)).collect();
                    (overview_grid(header.info.grid, self.overview), OVERVIEW_FEATHER)
                }
                _ => (header.info.grid, header.feather),
            };
            let miss = |beyond: f64| spots.iter().all(|spots| spots.miss((columns, rows), beyond));
            let (is_far, is_beside) = (miss(f64::from(beyond) + 1.0), miss(1.0));
            (!is_far).then_some((spots, !is_beside))
        };
        let mut members: SmallVec<[u32; FEW]> = members.iter().copied().collect();
        members.sort_unstable_by(|a, b| self.order(*a, *b));
        // Those that are finer and have some of their own beside the places have a share.
        let mut finer: SmallVec<[u32; FEW]> = SmallVec::new();
        let mut others = members.into_iter();
        let (k, spots) = loop {
            let k = others.next()?;
            match near(k) {
                Some((spots, true)) => break (k, spots),
                Some((_, false)) => finer.push(k),
                None => {}
            }
        };
        // Where all of this one's texels are valid nothing coarser counts, nor does one of its lattice beyond its texels.
        let has_share = |other: u32| self.are_beside(k, other) && near(other).is_some_and(|(_, touches)| touches);
        if finer.into_iter().any(|other| !self.are_beside(k, other)) || others.any(has_share) {
            return None;
        }
        Some((k, spots))
    }

    /// Heights on patches where one of some members answers alone.
    pub(super) fn alone_on_patches(
        &self,
        members: &[u32],
        patches: &[(Patch, Places)],
        spacing: Spacing,
    ) -> Option<OnPatches> {
        let (k, spots) = self.alone(members, patches, spacing)?;
        let spots = &spots[..];
        match self.detail(k, spacing) {
            Detail::SmallParts => Some(OnPatches::ByNode),
            Detail::Around => {
                let grid = self.members[k as usize].header.info.grid;
                let texels = if self.is_large(k) {
                    parts::texels(grid, self.side, spots, |part| self.part(k, self.side, part))?
                } else {
                    self.full(k)?.window(spots)?
                };
                Some(OnPatches::of(&texels, spots, patches))
            }
            Detail::Overview(_) => {
                let [columns, rows] = overview_grid(self.members[k as usize].header.info.grid, self.overview);
                if !spots.iter().all(|spots| spots.lie_on((columns, rows))) {
                    return None;
                }
                Some(OnPatches::of(&self.overview(k)?.window(spots)?, spots, patches))
            }
        }
    }

    /// Members whose footprints touch the places of patches.
    pub(super) fn members_on(&self, patches: &[(Patch, Places)]) -> Vec<u32> {
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
    pub(super) fn fills_of(&self, patch: &(Patch, Places)) -> Fills {
        let members = self.members_on(from_ref(patch));
        if members.is_empty() {
            return Fills::Nothing;
        }
        let Some((k, spots)) = self.alone(&members, from_ref(patch), Spacing::Any) else { return Fills::BySquare };
        let ([spots], columns) = (&spots[..], patch.0.columns()) else { return Fills::BySquare };
        let grid = self.members[k as usize].header.info.grid;
        let found = if self.is_large(k) {
            Fills::of(spots, columns, parts::quads(grid, self.side, |part| self.part(k, self.side, part)))
        } else {
            let (own, mut raster) = ([[0, 0], grid.map(|n| n as i64)], None);
            Fills::of(spots, columns, |rect| {
                // Not read where quads are too large.
                if raster.is_none() {
                    raster = self.full(k);
                }
                Some(raster.as_ref()?.quad(rect, own))
            })
        };
        match &found {
            // What this one leaves to others of the layer may be filled in those.
            Fills::Quads(quads) if members.len() > 1 && quads.iter().any(|quad| !quad.is_filled && !quad.is_whole) => {
                Fills::BySquare
            }
            _ => found,
        }
    }
}
