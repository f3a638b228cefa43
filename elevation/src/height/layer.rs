//! What is one elevation layer: a raster, its place on the Earth, and what the user should know about it?

use std::slice::from_ref;

use foreign::vertical::VerticalDatum;
use glam::DVec3;

use super::{
    elevation_source::{Elevation, ElevationSource, LayerSource, Location, PatchHeights, Spacing},
    error::HeightError,
    filled_quads::FilledQuads,
    layer_info::{Area, LayerInfo, MemoryUse},
    pack_surface::PackSurface,
    patch::{Patch, PatchCoordinates},
    placement::{Affine, Placement},
    raster::{Quad, Raster, RasterSample, Wrap},
    region::{HeightBounds, Region, hull},
    resample::SamplePositions,
};
use crate::{
    geodesy::{Ellipsoid, Overlap},
    pack::SourceRecord,
    tile::level_of,
};

/// Metres of a degree of latitude, close enough to compare postings.
pub(crate) fn metres_per_degree(ellipsoid: Ellipsoid) -> f64 {
    111_195.0 * ellipsoid.size()
}

/// Elevation from one source, and what is known about it.
#[derive(Debug)]
pub(crate) struct Layer {
    pub source: Box<dyn LayerSource>,
    pub info: LayerInfo,
    /// Texels over which its weight falls to nothing beside its data; 1 where it knows no feather.
    pub feather: u32,
    /// Metres between postings where they are farthest apart; infinite of what has some of all postings.
    pub coarsest_m: f64,
    /// Of the files of a raster that was read as a whole, when it was opened.
    #[cfg(feature = "gdal")]
    pub opened: Option<super::fingerprint::Fingerprint>,
}

/// A raster in its place.
#[derive(Debug)]
pub(crate) struct PlacedRaster {
    pub raster: Raster,
    pub placement: Placement,
    /// Middle and cosine of the radius of a cap that holds the raster and its feather.
    pub cap: Option<(DVec3, f64)>,
    /// West, south, east, north of the raster and its feather.
    pub bbox_deg: [f64; 4],
    /// Distance of postings in metres.
    pub posting_m: f64,
}

impl PlacedRaster {
    /// Height and weight at a place, if there is any.
    #[inline]
    pub fn raster_sample(&self, at: &Location) -> Option<RasterSample> {
        let &Location { normal: n, lon_deg, lat_deg, interpolation } = at;
        if let Some((middle, cos_radius)) = self.cap
            && n.dot(middle) < cos_radius
        {
            return None;
        }
        let (x, y) = self.placement.texel(n, lon_deg, lat_deg);
        self.raster.sample(interpolation, x, y)
    }
}

impl ElevationSource for PlacedRaster {
    fn sample(&self, at: &Location, _: Spacing) -> Option<Elevation> {
        self.raster_sample(at).map(Elevation::from)
    }

    fn bounds(&self, region: &Region) -> Option<HeightBounds> {
        let overlap = region.within(self.cap);
        if overlap == Overlap::None {
            return None;
        }
        let rects = self.placement.rects(region).into_iter().flatten();
        let bounds = rects.map(|rect| self.raster.bounds(region.interpolation, rect)).fold(None, hull)?;
        Some(if overlap == Overlap::All { bounds } else { HeightBounds { least: 0.0, ..bounds } })
    }

    fn posting_m(&self, _: &Location) -> f64 {
        self.posting_m
    }
}

impl LayerSource for PlacedRaster {
    fn areas(&self) -> Vec<Area> {
        vec![Area { cap: self.cap, bbox_deg: self.bbox_deg, posting_m: self.posting_m }]
    }

    fn patch_heights(&self, patches: &[(Patch, PatchCoordinates)], _: Spacing) -> PatchHeights {
        let Some(positions) = self.placement.positions_near(self.cap, patches) else { return PatchHeights::Empty };
        if positions.iter().all(|positions| positions.are_outside(self.raster.size(), self.raster.reach())) {
            return PatchHeights::Empty;
        }
        self.raster
            .window(&positions)
            .map_or(PatchHeights::BySquare, |window| PatchHeights::of(&window, &positions, patches))
    }

    fn filled_quads(&self, patch: &(Patch, PatchCoordinates)) -> FilledQuads {
        let Some(positions) = self.placement.positions_near(self.cap, from_ref(patch)) else {
            return FilledQuads::Empty;
        };
        let (columns, rows) = self.raster.size();
        let [positions] = &positions[..] else { return FilledQuads::BySquare };
        if positions.are_outside((columns, rows), self.raster.reach()) {
            return FilledQuads::Empty;
        }
        let own = [[0, 0], [columns as i64, rows as i64]];
        let extent = SamplePositions::extent(from_ref(positions), columns, rows);
        if extent.is_some_and(|extent| self.raster.quad(extent.rect(), own) == Quad::OWN) {
            return FilledQuads::Own;
        }
        FilledQuads::of(positions, patch.0.columns(), |rect| Some(self.raster.quad(rect, own)))
    }

    fn texel(&self, at: &Location) -> Option<(f64, f64)> {
        Some(self.placement.texel(at.normal, at.lon_deg, at.lat_deg))
    }

    #[cfg(feature = "gdal")]
    fn in_degrees(&self) -> bool {
        self.placement.is_in_degrees()
    }

    fn memory_use(&self) -> Option<MemoryUse> {
        Some(MemoryUse { bytes: self.raster.bytes(), most: None })
    }

    fn is_complete(&self) -> bool {
        self.raster.is_complete()
    }

    fn overshoot_m(&self) -> [f64; 2] {
        self.raster.overshoot_m()
    }
}

impl Layer {
    /// What a pack made from it says of it: itself, or what it was made from.
    pub fn records(&self) -> Vec<SourceRecord> {
        if let Some(records) = self.source.records(&self.info) {
            return records;
        }
        let area = self.source.rough_areas().into_iter().next();
        let (cap, bbox_deg) = area.map_or((None, self.info.bbox_deg), |area| (area.cap, area.bbox_deg));
        let info = &self.info;
        let name = std::path::Path::new(&info.name).file_name();
        vec![SourceRecord {
            name: name.map_or_else(|| info.name.clone(), |name| name.to_string_lossy().into_owned()),
            folder: String::new(),
            crs: info.crs.clone(),
            datum: info.datum.clone(),
            posting_m: info.posting_m,
            level: level_of(info.ellipsoid, info.posting_m),
            bbox_deg,
            cap: cap.map(|(middle, cos_radius)| (middle.to_array(), cos_radius)),
            attribution: info.attribution.clone(),
            remarks: info.remarks_of_record(),
        }]
    }

    /// Whether everything that it was opened from is still there and the same.
    ///
    /// # Errors
    /// [`HeightError::Missing`] or [`HeightError::Changed`]; what has gone wrong since it was opened.
    pub fn check(&self) -> Result<(), HeightError> {
        if let Some(failure) = self.source.failure() {
            return Err(failure);
        }
        #[cfg(feature = "gdal")]
        self.opened.as_ref().map_or(Ok(()), |opened| opened.check_now())?;
        self.source.check()
    }

    /// A layer that looks itself after the files that it reads.
    pub fn of(source: impl LayerSource + 'static, info: LayerInfo) -> Self {
        Self {
            source: Box::new(source),
            coarsest_m: info.posting_m,
            info,
            feather: 1,
            #[cfg(feature = "gdal")]
            opened: None,
        }
    }

    /// A layer whose axes are longitude and latitude, from `width * height` values, NaN where void.
    pub fn geographic(geo_transform: [f64; 6], values: Vec<f32>, feather: u32, info: LayerInfo) -> Option<Self> {
        let [width, height] = info.grid;
        let wrap = wrap(geo_transform, width, height);
        let placement = Placement::Geographic(Affine::from_geo_transform(geo_transform, width, height)?);
        let raster = Raster::new(width, height, values, wrap, feather);
        let placed = PlacedRaster { raster, placement, cap: None, bbox_deg: info.bbox_deg, posting_m: info.posting_m };
        Some(Self { feather, ..Self::of(placed, info) })
    }

    /// A pack of tiles, whose heights are above what is said, if anything is; see [`PackSurface::new`].
    ///
    /// # Errors
    /// [`HeightError::NoVerticalDatum`] if that is no datum.
    pub fn pack(pack: crate::pack::Pack, said: Option<VerticalDatum>, level: Option<u32>) -> Result<Self, HeightError> {
        let surface = PackSurface::new(pack, said, level)?;
        let info = surface.info();
        Ok(Self { coarsest_m: f64::INFINITY, ..Self::of(surface, info) })
    }
}

/// How a longitude-latitude raster continues around the Earth; `None` if it does not go around.
///
/// It goes around when at most half a column is missing. It reaches a pole when the pole is at most one and a quarter rows
/// beyond its last row: on the row (node-registered) or half a row beyond it (cell-registered).
pub(crate) fn wrap(g: [f64; 6], width: usize, height: usize) -> Option<Wrap> {
    if g[2] != 0.0 || g[4] != 0.0 || height < 2 {
        return None;
    }
    let mut period = 360.0 / g[1].abs();
    // A step that is not quite right, like 0.08333411 for 1/12, is right by what it means.
    if (period - width as f64).abs() < 0.1 {
        period = width as f64;
    }
    if width as f64 + 0.5 < period || width < 2 {
        return None;
    }
    let row_of = |lat: f64| (lat - g[3]) / g[5] - 0.5;
    let (a, b) = (row_of(90.0), row_of(-90.0));
    let (first, last) = if a < b { (a, b) } else { (b, a) };
    let end = (height - 1) as f64;
    let snap = |row: f64, to: f64| if (row - to).abs() < 0.01 { to } else { row };
    Some(Wrap {
        period,
        first_pole: ((-1.25..=0.01).contains(&first)).then(|| snap(snap(first, 0.0), -0.5)),
        last_pole: ((end - 0.01..=end + 1.25).contains(&last)).then(|| snap(snap(last, end), end + 0.5)),
    })
}

/// Lowest and highest value and the share of NaN.
pub(crate) fn statistics(values: &[f32]) -> ((f64, f64), f64) {
    use rayon::prelude::*;
    let fold =
        |(low, high, voids): (f32, f32, usize), v: &f32| (low.min(*v), high.max(*v), voids + usize::from(v.is_nan()));
    let none = || (f32::INFINITY, f32::NEG_INFINITY, 0);
    let (low, high, voids) =
        values.par_iter().fold(none, fold).reduce(none, |a, b| (a.0.min(b.0), a.1.max(b.1), a.2 + b.2));
    let range = if low <= high { (f64::from(low), f64::from(high)) } else { (0.0, 0.0) };
    (range, voids as f64 / values.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_goes_around_and_reaches_the_poles() {
        let node = [-180.0 - 1.0 / 24.0, 1.0 / 12.0, 0.0, 90.0 + 1.0 / 24.0, 0.0, -1.0 / 12.0];
        let w = wrap(node, 4320, 2161).expect("global");
        assert_eq!(w, Wrap { period: 4320.0, first_pole: Some(0.0), last_pole: Some(2160.0) });
        let cell = [0.0, 0.25, 0.0, -90.0, 0.0, 0.25];
        let w = wrap(cell, 1440, 720).expect("global, south up");
        assert_eq!(w, Wrap { period: 1440.0, first_pole: Some(-0.5), last_pole: Some(719.5) });
        let srtm = [-180.0, 0.1, 0.0, 60.0, 0.0, -0.1];
        assert_eq!(wrap(srtm, 3600, 1200), Some(Wrap { period: 3600.0, first_pole: None, last_pole: None }));
        assert_eq!(wrap(srtm, 3598, 1200), None);
        // A step stored 1e-5 too large still means one turn.
        assert_eq!(wrap([0.0, 0.083_334_11, 0.0, 90.0, 0.0, -0.1], 4320, 1800).map(|w| w.period), Some(4320.0));
    }

    #[test]
    fn statistics_skip_voids() {
        assert_eq!(statistics(&[1.0, f32::NAN, -3.0, 2.0]), ((-3.0, 2.0), 0.25));
        assert_eq!(statistics(&[f32::NAN]), ((0.0, 0.0), 1.0));
    }
}
