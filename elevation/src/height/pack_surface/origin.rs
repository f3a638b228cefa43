//! Which of the sources of a pack answers at a place?

use super::PackSurface;
use crate::{
    cube::face_of,
    height::elevation_source::Location,
    pack::{SourceRecord, origins::Origin},
    tile::posting_m,
};

impl PackSurface {
    /// What the height at a place comes from: by the finest tile there, and in packs that do not tell, the topmost source that may
    /// have data there.
    pub fn origin_at(&self, at: &Location) -> Option<Origin> {
        let (face, s, t) = face_of(at.normal);
        let (x, y) = (0.5 * (s + 1.0), 0.5 * (t + 1.0));
        let tile = self.finest(face, x, y, u32::MAX);
        let told = tile.as_ref().and_then(|tile| {
            let (x, y) = tile.quads(x, y);
            Some(tile.origins.as_ref()?.at(x, y))
        });
        told.or_else(|| u16::try_from(self.topmost_at(at)?).ok().map(Origin::whole))
    }

    /// The topmost source whose data may lie at a place.
    fn topmost_at(&self, at: &Location) -> Option<usize> {
        self.areas.iter().position(|area| area.holds(at))
    }

    /// Metres between the vertices at a place.
    pub(super) fn vertices_m(&self, at: &Location) -> f64 {
        let (face, s, t) = face_of(at.normal);
        posting_m(self.finest_id(face, 0.5 * (s + 1.0), 0.5 * (t + 1.0), u32::MAX).level)
    }

    /// Of the vertices at a place, or of the topmost source that may have data there if that is coarser.
    pub fn finest_posting_m(&self, at: &Location) -> f64 {
        let vertices_m = self.vertices_m(at);
        self.topmost_at(at).map_or(vertices_m, |source| vertices_m.max(self.areas[source].posting_m))
    }

    /// A source of the manifest.
    pub fn source(&self, k: u16) -> &SourceRecord {
        &self.pack.manifest().sources[usize::from(k)]
    }
}
