//! Which of the sources of a pack answers at a place?

use glam::DVec3;

use super::{PackSurface, SampledTile};
use crate::{
    cube::face_of,
    height::{elevation_source::Location, filled_quads::FilledQuads, layer_info::Area, patch::Patch, raster::Quad},
    pack::origins::{Origin, Origins},
    tile::posting_m,
};

impl PackSurface {
    /// What the height at a place comes from: by the finest tile there, and in packs that do not tell, the topmost source that may
    /// have data there.
    pub fn origin_at(&self, at: &Location) -> Option<Origin> {
        let told = self.at_place(at.normal, |tile, x, y| Some(tile.origins.as_ref()?.at(x, y)));
        told.flatten().or_else(|| u16::try_from(self.topmost_at(at)?.0).ok().map(Origin::whole))
    }

    /// The topmost layer whose data may lie at a place, and its first source.
    fn topmost_at(&self, at: &Location) -> Option<&(usize, Area)> {
        self.layers.iter().find(|(_, area)| area.holds(at.normal, [at.lon_deg, at.lat_deg]))
    }

    /// Metres between the vertices at a place.
    pub(super) fn vertices_m(&self, at: &Location) -> f64 {
        let (face, s, t) = face_of(at.normal);
        posting_m(
            self.pack.manifest().ellipsoid,
            self.finest_id(face, 0.5 * (s + 1.0), 0.5 * (t + 1.0), u32::MAX).level,
        )
    }

    /// Of the vertices at a place, or of the topmost source that may have data there if that is coarser.
    pub fn finest_posting_m(&self, at: &Location) -> f64 {
        let vertices_m = self.vertices_m(at);
        self.topmost_at(at).map_or(vertices_m, |(_, area)| vertices_m.max(area.posting_m))
    }

    /// Where its ground is filled, in the quads of a patch: by their middles, where tiles tell it quad by quad.
    pub(super) fn filled_quads_of(&self, patch: &Patch) -> FilledQuads {
        let middles = patch.middles();
        let quad = |node: usize| {
            let is_filled = self.at_place(middles.normal(node), |tile, x, y| {
                tile.origins.as_ref().is_some_and(|origins| origins.is_filled_quad(x, y))
            });
            Quad { is_filled: is_filled == Some(true), is_void: is_filled == Some(true), ..Quad::OWN }
        };
        FilledQuads::Quads((0..middles.len()).map(quad).collect())
    }

    /// Whether places of a patch, which lies in one tile, may be of several sources of one layer: where tiles tell them vertex by vertex.
    pub(super) fn is_mixed_in(&self, patch: &Patch) -> bool {
        let middle = patch.middles();
        let middle = middle.normal(middle.len() / 2);
        let is_mixed = self.at_place(middle, |tile, _, _| tile.origins.as_ref().is_some_and(Origins::has_vertices));
        is_mixed == Some(true)
    }

    /// Asks the finest tile at a normal, by the quads from its corner.
    fn at_place<T>(&self, normal: DVec3, ask: impl FnOnce(&SampledTile, f64, f64) -> T) -> Option<T> {
        let (face, s, t) = face_of(normal);
        let (x, y) = (0.5 * (s + 1.0), 0.5 * (t + 1.0));
        let tile = self.finest(face, x, y, u32::MAX)?;
        let (x, y) = tile.quads(x, y);
        Some(ask(&tile, x, y))
    }
}
