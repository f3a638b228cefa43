//! In which rectangles of a raster may the places of a region be?

use super::{Affine, Placement};
use crate::height::region::{Rect, Region};

/// Texels by which a rectangle is widened for rounding.
const ROUNDING: f64 = 1e-7;

impl Placement {
    /// Rectangles of columns and rows that hold all places of a region which the raster may have.
    pub fn rects(&self, region: &Region) -> [Option<Rect>; 2] {
        match self {
            Self::Geographic(affine) => affine.rects(region),
            Self::Table(table) => [table.rect(region), None],
        }
    }
}

impl Affine {
    fn rects(&self, region: &Region) -> [Option<Rect>; 2] {
        let mut lon = region.lon_deg - self.lon_mid;
        lon -= 360.0 * (lon / 360.0).round();
        let (west, east) = (lon - region.lon_reach_deg, lon + region.lon_reach_deg);
        if region.lon_reach_deg >= 180.0 {
            return [Some(self.rect(region, -180.0, 180.0)), None];
        }
        // Longitudes are taken within 180 degrees of the middle, so a region there is on both sides of the raster.
        if west < -180.0 {
            return [Some(self.rect(region, west + 360.0, 180.0)), Some(self.rect(region, -180.0, east))];
        }
        if east > 180.0 {
            return [Some(self.rect(region, west, 180.0)), Some(self.rect(region, -180.0, east - 360.0))];
        }
        [Some(self.rect(region, west, east)), None]
    }

    /// The rectangle of longitudes relative to the middle, and all latitudes of the region.
    fn rect(&self, region: &Region, west: f64, east: f64) -> Rect {
        let c = &self.c;
        let (south, north) = (region.lat_deg - region.lat_reach_deg, region.lat_deg + region.lat_reach_deg);
        let (lon, half_lon) = (0.5 * (west + east), 0.5 * (east - west));
        let (lat, half_lat) = (0.5 * (south + north), 0.5 * (north - south));
        let middle = (c[0] + c[1] * lon + c[2] * lat, c[3] + c[4] * lon + c[5] * lat);
        let reach = (
            c[1].abs() * half_lon + c[2].abs() * half_lat + ROUNDING,
            c[4].abs() * half_lon + c[5].abs() * half_lat + ROUNDING,
        );
        Rect::around(middle, reach)
    }
}
