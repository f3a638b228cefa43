//! Does what a manifest states of its sources fit the tiles that there are?

use crate::{
    bake::pack_tiles::{PackTiles, TileExtent},
    geodesy::{Ellipsoid, Overlap},
    height::Area,
    pack::{Manifest, Pack, SourceRecord, origins::Origins},
    tile::{TileId, level_of, posting_m},
};

/// Room around boxes in degrees and caps, as a cosine: numbers of a manifest are read to their last digit but one.
const ROOM: (f64, f64) = (1e-9, 1e-12);

/// Where the sources of a pack lie, as its manifest states.
pub(super) struct SourceClaims {
    areas: Vec<Area>,
    wanted: PackTiles,
}

impl SourceClaims {
    pub fn of(manifest: &Manifest) -> Self {
        let areas: Vec<Area> = manifest.sources.iter().map(|source| area(manifest.ellipsoid, source)).collect();
        let base_level = manifest.sources.last().map_or(0, |bottom| bottom.level).min(manifest.max_level);
        let wanted = PackTiles::new(
            manifest.ellipsoid,
            areas.clone(),
            manifest.max_level,
            base_level,
            manifest.bbox_deg.map(widened),
        );
        Self { areas, wanted }
    }

    /// Postings that are not of their level, and the first tile that is finer than all sources that lie there.
    pub fn contradictions(&self, pack: &Pack) -> impl Iterator<Item = String> {
        let ellipsoid = pack.manifest().ellipsoid;
        let levels = pack.manifest().sources.iter().filter(|source| !is_of_level(ellipsoid, source)).map(|source| {
            let SourceRecord { name, posting_m, level, .. } = source;
            let (name, posting) = (foreign::sanitized(name), foreign::number(*posting_m));
            let right = level_of(ellipsoid, source.posting_m);
            format!(
                "the manifest states {name} with postings of {posting} m and level {level}; these are of level {right}"
            )
        });
        // Those of a shard come without their parents.
        let tile = if pack.manifest().shard.is_none() { self.wanted.first_outside(pack.ids()) } else { None };
        let tile = tile.map(|id| format!("{id} is there, and the manifest states no source that is as fine there"));
        levels.chain(tile).collect::<Vec<_>>().into_iter()
    }

    /// A source that answers in a tile and lies elsewhere, by the manifest.
    pub fn misplaced_source(&self, id: TileId, origins: &Origins) -> Option<String> {
        let mut extent = TileExtent::of(id);
        let elsewhere = |k: &u16| extent.overlap(&self.areas[usize::from(*k)]) == Overlap::None;
        let source = origins.sources().into_iter().find(elsewhere)?;
        Some(format!("{id} is made from source {}, which the manifest states elsewhere", source + 1))
    }
}

/// Where a source lies, with its level for a posting.
fn area(ellipsoid: Ellipsoid, source: &SourceRecord) -> Area {
    let cap = source.cap().map(|(middle, cos_radius)| (middle, cos_radius - ROOM.1));
    Area { cap, bbox_deg: widened(source.bbox_deg), posting_m: posting_m(ellipsoid, source.level) }
}

fn widened([west, south, east, north]: [f64; 4]) -> [f64; 4] {
    [west - ROOM.0, south - ROOM.0, east + ROOM.0, north + ROOM.0]
}

fn is_of_level(ellipsoid: Ellipsoid, source: &SourceRecord) -> bool {
    [1.0 - 1e-9, 1.0 + 1e-9].into_iter().any(|around| level_of(ellipsoid, source.posting_m * around) == source.level)
}
