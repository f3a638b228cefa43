//! Between which heights is a layer in a region?

use super::{Layer, Placed, Source};
use crate::height::region::{Bounds, Overlap, Region, hull};

impl Layer {
    /// Bounds in a region; `None` if there is nothing.
    pub fn bounds(&self, region: &Region) -> Option<Bounds> {
        match &self.source {
            Source::Raster(placed) => placed.bounds(region),
            Source::Pack(pack) => Some(Bounds::of(pack.bounds_m(region))),
            #[cfg(feature = "gdal")]
            Source::Embedded(embedded) => embedded.whole()?.bounds(region),
            #[cfg(feature = "gdal")]
            Source::Mosaic(mosaic) => mosaic.bounds(region),
            #[cfg(feature = "gdal")]
            Source::Windows(windows) => windows.bounds(region),
        }
    }
}

impl Placed {
    fn bounds(&self, region: &Region) -> Option<Bounds> {
        let overlap = self.cap.map_or(Overlap::All, |(middle, cos_radius)| region.within(middle, cos_radius.acos()));
        if overlap == Overlap::None {
            return None;
        }
        let rects = self.placement.rects(region).into_iter().flatten();
        let bounds = rects.map(|rect| self.raster.bounds(rect)).fold(None, hull)?;
        Some(if overlap == Overlap::All { bounds } else { Bounds { least: 0.0, ..bounds } })
    }
}
