//! At which column and row of a raster is a place? Longitude and latitude by an affine map, other systems by a table.

mod bounds;

use glam::DVec3;
use multiversion::multiversion;

use super::{
    patch::{Longitudes, Patch, PatchCoordinates},
    resample::{Rows, SamplePositions},
    warp_table::WarpTable,
};
use crate::geodesy::Overlap;

/// Maps a unit normal, with its longitude and latitude in degrees, to a texel position.
#[derive(Debug)]
pub(crate) enum Placement {
    /// The raster's axes are linear in longitude and latitude (possibly rotated).
    Geographic(Affine),
    /// Any other coordinate system, tabulated when the raster was opened.
    Table(WarpTable),
}

impl Placement {
    /// Whether the raster's axes are longitude and latitude.
    #[cfg(feature = "gdal")]
    pub fn is_in_degrees(&self) -> bool {
        matches!(self, Self::Geographic(_))
    }

    /// Column and row, `(0, 0)` at the centre of the first texel; NaN where the coordinate system does not reach.
    #[inline]
    pub fn texel(&self, n: DVec3, lon_deg: f64, lat_deg: f64) -> (f64, f64) {
        match self {
            Self::Geographic(affine) => affine.texel(lon_deg, lat_deg),
            Self::Table(table) => table.texel(n, lon_deg, lat_deg),
        }
    }

    /// Columns and rows of the nodes of patches; `None` where all of them lie outside of a cap, given by its middle and the cosine of its radius.
    pub fn positions_near<'a>(
        &self,
        cap: Option<(DVec3, f64)>,
        patches: &'a [(Patch, PatchCoordinates)],
    ) -> Option<Vec<SamplePositions<'a>>> {
        let is_near = |(patch, _): &(Patch, PatchCoordinates)| patch.region().within(cap) != Overlap::None;
        patches.iter().any(is_near).then(|| self.positions_of(patches))
    }

    /// Columns and rows of the nodes of patches.
    pub fn positions_of<'a>(&self, patches: &'a [(Patch, PatchCoordinates)]) -> Vec<SamplePositions<'a>> {
        patches.iter().map(|(patch, places)| self.positions(patch, places)).collect()
    }

    /// Columns and rows of the nodes of a patch: [`Placement::texel`] for each.
    fn positions<'a>(&self, patch: &Patch, places: &'a PatchCoordinates) -> SamplePositions<'a> {
        if let Self::Geographic(affine) = self
            && let Some(positions) = affine.positions(places)
        {
            return positions;
        }
        if let Self::Table(table) = self
            && let Some((x, y)) = table.texels_of(patch)
        {
            return SamplePositions::new(Longitudes::Nodes(x), y.into());
        }
        let all = patch.all_places(places, [0..patch.columns(), 0..patch.rows()]);
        let (x, y): (_, Vec<f64>) = all.map(|(n, lon_deg, lat_deg)| self.texel(n, lon_deg, lat_deg)).unzip();
        SamplePositions::new(Longitudes::Nodes(x), y.into())
    }
}

/// Affine map from longitude and latitude in degrees to texels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    /// Column = c[0] + c[1] lon + c[2] lat, row = c[3] + c[4] lon + c[5] lat, with lon relative to `lon_mid`.
    c: [f64; 6],
    /// Longitude of the raster's middle, -180 to 180: longitudes are taken within 180 degrees of it.
    lon_mid: f64,
}

impl Affine {
    /// From GDAL's geotransform (`x = g0 + g1 P + g2 L`, `y = g3 + g4 P + g5 L`, `P, L` at texel *corners*) of a raster of
    /// `width * height` texels. `None` if it cannot be inverted.
    pub fn from_geo_transform(g: [f64; 6], width: usize, height: usize) -> Option<Self> {
        let lon_mid = g[0] + 0.5 * (g[1] * width as f64 + g[2] * height as f64);
        let inverse = invert([g[0] - lon_mid, g[1], g[2], g[3], g[4], g[5]])?;
        let mut c = inverse;
        c[0] -= 0.5;
        c[3] -= 0.5;
        Some(Self { c, lon_mid: lon_mid - 360.0 * (lon_mid / 360.0).round() })
    }

    /// Column and row of a longitude and latitude in degrees.
    #[inline]
    pub fn texel(&self, lon_deg: f64, lat_deg: f64) -> (f64, f64) {
        let (c, lon) = (&self.c, self.east_of_middle(lon_deg));
        (c[0] + c[1] * lon + c[2] * lat_deg, c[3] + c[4] * lon + c[5] * lat_deg)
    }

    #[inline]
    fn east_of_middle(&self, lon_deg: f64) -> f64 {
        // Both are within 180 degrees of Greenwich.
        let lon = lon_deg - self.lon_mid;
        let turns = if lon > 180.0 {
            -360.0
        } else if lon < -180.0 {
            360.0
        } else {
            0.0
        };
        lon + turns
    }

    /// The same for many places, if columns are meridians and rows are parallels.
    fn positions<'a>(&self, places: &'a PatchCoordinates) -> Option<SamplePositions<'a>> {
        let c = &self.c;
        if c[2] != 0.0 || c[4] != 0.0 {
            return None;
        }
        let columns = |lon_deg: &[f64]| columns_of(self, lon_deg);
        let x = match &places.lon_deg {
            Longitudes::Columns(lon) => Longitudes::Columns(columns(lon)),
            Longitudes::Rows(lon) => Longitudes::Rows(columns(lon)),
            Longitudes::Nodes(lon) => Longitudes::Nodes(columns(lon)),
        };
        let y = Rows { of_nodes: places.lat_deg.as_slice().into(), offset: c[3], factor: c[5] };
        Some(SamplePositions::new(x, y))
    }
}

/// Columns of longitudes, where columns are meridians.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn columns_of(affine: &Affine, lon_deg: &[f64]) -> Vec<f64> {
    let mut columns = vec![0.0; lon_deg.len()];
    columns.iter_mut().zip(lon_deg).for_each(|(x, lon)| *x = affine.c[0] + affine.c[1] * affine.east_of_middle(*lon));
    columns
}

/// Inverse of a geotransform: corner coordinates `P, L` from `x, y`. `None` if it is degenerate or not finite.
pub(crate) fn invert(g: [f64; 6]) -> Option<[f64; 6]> {
    let determinant = g[1] * g[5] - g[2] * g[4];
    let scale = (g[1].abs() + g[2].abs()) * (g[4].abs() + g[5].abs());
    if !g.iter().all(|c| c.is_finite()) || !determinant.is_finite() || determinant.abs() <= 1e-12 * scale {
        return None;
    }
    let (a, b, c, d) = (g[5] / determinant, -g[2] / determinant, -g[4] / determinant, g[1] / determinant);
    Some([-(a * g[0] + b * g[3]), a, b, -(c * g[0] + d * g[3]), c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_of_a_rotated_geotransform() {
        let g = [10.0, 0.5, 0.1, 50.0, 0.2, -0.4];
        let inverse = invert(g).expect("regular");
        let (p, l) = (3.0, 7.0);
        let (x, y) = (g[0] + g[1] * p + g[2] * l, g[3] + g[4] * p + g[5] * l);
        assert!((inverse[0] + inverse[1] * x + inverse[2] * y - p).abs() < 1e-12);
        assert!((inverse[3] + inverse[4] * x + inverse[5] * y - l).abs() < 1e-12);
        assert_eq!(invert([0.0, 1.0, 2.0, 0.0, 2.0, 4.0]), None);
        assert_eq!(invert([0.0, f64::NAN, 0.0, 0.0, 0.0, 1.0]), None);
        assert_eq!(invert([0.0; 6]), None);
    }

    #[test]
    fn longitudes_wrap_to_the_raster() {
        // 0-360, one degree, area-registered.
        let affine = Affine::from_geo_transform([0.0, 1.0, 0.0, 90.0, 0.0, -1.0], 360, 180).expect("regular");
        assert_eq!(affine.texel(-179.5, 89.5), (180.0, 0.0));
        assert_eq!(affine.texel(179.5, -89.5), (179.0, 179.0));
        assert_eq!(affine.texel(-0.5, 0.5), (359.0, 89.0));
        // However many turns away the origin is.
        let far = Affine::from_geo_transform([36_000_005.0, 0.5, 0.0, 50.0, 0.0, -0.5], 20, 20).expect("regular");
        assert_eq!(far.texel(10.25, 44.75), (10.0, 10.0));
    }
}
