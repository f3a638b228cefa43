//! Where below the datum is it wet? The sea is what lies below 0 m and is joined to the deepest place; the rest is dry land,
//! or a lake whose height nobody knows.

use glam::DVec3;
use half::f16;
use terrain::height::ShadeCube;

/// Level of the shading map that is searched: cells of 14 to 18 km.
const MIP: u32 = 1;
/// So many cells of land in a row are taken for a strait that the data do not show.
const STRAIT_CELLS: u8 = 3;

/// Land below the datum, on a cube in the layout of [`ShadeCube`].
#[derive(Debug)]
pub struct Sea {
    /// Cells along a face's side.
    size: usize,
    /// Six faces of rows: whether what is below 0 m here, or beside here, is not sea.
    dry: Vec<bool>,
}

impl Sea {
    /// Fills the sea from the deepest place.
    pub fn of(cube: &ShadeCube) -> Sea {
        let size = cube.size(MIP) as usize;
        // Bits of a 16-bit float: those of one below 0 are more the farther below, and more than those of a zero with a sign.
        let heights = cube.heights(MIP);
        let below_zero = f16::NEG_ZERO.to_bits() + 1..=f16::NEG_INFINITY.to_bits();
        let wet: Vec<bool> = heights.iter().map(|bits| below_zero.contains(bits)).collect();
        let deepest = (0..wet.len()).filter(|&cell| wet[cell]).max_by_key(|&cell| heights[cell]);
        let mut sea = Sea { size, dry: Vec::new() };
        // Cells of land that may still be crossed, plus one; 0 where the search has not come.
        let mut reach = vec![0u8; wet.len()];
        let mut open: Vec<usize> = deepest.into_iter().collect();
        open.iter().for_each(|&cell| reach[cell] = STRAIT_CELLS + 1);
        while let Some(cell) = open.pop() {
            for next in sea.neighbours(cell) {
                let left = if wet[next] { STRAIT_CELLS + 1 } else { reach[cell] - 1 };
                if left > reach[next] {
                    reach[next] = left;
                    open.push(next);
                }
            }
        }
        // The shore of a lake is the lake's: finer data may be wet there.
        let mut dry = vec![false; wet.len()];
        for lake in (0..wet.len()).filter(|&cell| wet[cell] && reach[cell] == 0) {
            dry[lake] = true;
            sea.neighbours(lake).into_iter().for_each(|shore| dry[shore] = true);
        }
        sea.dry = dry;
        sea
    }

    /// Whether ground below 0 m at a unit geodetic normal is under the sea.
    pub fn covers(&self, n: DVec3) -> bool {
        !self.dry[self.cell(n)]
    }

    /// For each row of a map with `size` texels along the side of a face, the row of cells that it is in; for each column alike.
    pub fn cells(&self, size: usize) -> Vec<usize> {
        (0..size).map(|i| ((2 * i + 1) * self.size / (2 * size)).min(self.size - 1)).collect()
    }

    /// Whether ground below 0 m is under the sea, by the columns of a row of cells.
    pub fn covered_row(&self, layer: usize, row: usize) -> impl Fn(usize) -> bool {
        let dry = &self.dry[(layer * self.size + row) * self.size..][..self.size];
        |column| !dry[column]
    }

    fn cell(&self, n: DVec3) -> usize {
        let (layer, s, t) = face(n);
        let at = |v: f64| (((v + 1.0) * 0.5 * self.size as f64) as usize).min(self.size - 1);
        (layer * self.size + at(t)) * self.size + at(s)
    }

    /// The four cells beside a cell, over the edges of faces too.
    fn neighbours(&self, cell: usize) -> [usize; 4] {
        let n = self.size;
        let (layer, y, x) = (cell / (n * n), cell / n % n, cell % n);
        if x > 0 && x + 1 < n && y > 0 && y + 1 < n {
            return [cell - 1, cell + 1, cell - n, cell + n];
        }
        let at = |i: usize, by: f64| (2.0 * (i as f64 + by) + 1.0) / n as f64 - 1.0;
        [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)]
            .map(|(dx, dy)| self.cell(ShadeCube::direction(layer, at(x, dx), at(y, dy))))
    }
}

/// The face that a direction points at, and where.
fn face(d: DVec3) -> (usize, f64, f64) {
    let a = d.abs();
    if a.x >= a.y && a.x >= a.z {
        let layer = usize::from(d.x < 0.0);
        (layer, if layer == 0 { -d.z } else { d.z } / a.x, -d.y / a.x)
    } else if a.y >= a.z {
        let layer = 2 + usize::from(d.y < 0.0);
        (layer, d.x / a.y, if layer == 2 { d.z } else { -d.z } / a.y)
    } else {
        let layer = 4 + usize::from(d.z < 0.0);
        (layer, if layer == 4 { d.x } else { -d.x } / a.z, -d.y / a.z)
    }
}

#[cfg(test)]
mod tests {
    use terrain::geodesy::n_vector;
    use terrain::height::{GlobalGrid, Registration, Relief};

    use super::*;

    fn at(lat_deg: f64, lon_deg: f64) -> DVec3 {
        n_vector(f64::to_radians(lat_deg), f64::to_radians(lon_deg))
    }

    #[test]
    fn faces_and_directions_are_inverse() {
        for layer in 0..6 {
            for (s, t) in [(0.1, -0.7), (-0.9, 0.3), (0.0, 0.0)] {
                let (l, u, v) = face(ShadeCube::direction(layer, s, t));
                assert_eq!(l, layer);
                assert!((u - s).abs() < 1e-12 && (v - t).abs() < 1e-12);
            }
        }
    }

    /// Land from 60 S to 60 N of one half of the Earth, with a deep lake and a bay behind a strait that is not there.
    #[test]
    fn a_lake_below_the_sea_is_dry_and_a_bay_behind_a_thin_wall_is_not() {
        let inside = |lat: f64, lon: f64, (lat0, lon0): (f64, f64), half: f64| {
            (lat - lat0).abs() < half && (lon - lon0).abs() < half
        };
        let height = |lat: f64, lon: f64| {
            let land = lat.abs() < 60.0 && lon > 0.0;
            if !land || inside(lat, lon, (20.0, 90.0), 5.0) || inside(lat, lon, (-54.6, 100.0), 5.0) {
                -100.0 - f64::from(!land)
            } else {
                50.0
            }
        };
        let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |lon, lat| height(lat, lon));
        let relief = Relief::from_grid(grid).expect("a grid of the Earth");
        let sea = Sea::of(&ShadeCube::build(&relief, 512));
        assert!(sea.covers(at(0.0, -90.0)) && sea.covers(at(85.0, 10.0)), "the ocean");
        assert!(!sea.covers(at(20.0, 90.0)) && !sea.covers(at(24.9, 90.0)), "the lake and its shore");
        assert!(sea.covers(at(-54.6, 100.0)), "the bay");
        let cube_edge = sea.neighbours(sea.cell(at(0.0, 44.99)));
        assert!(cube_edge.into_iter().any(|cell| cell / (sea.size * sea.size) == 2), "from face 0 to face 2");
    }

    #[test]
    #[cfg(feature = "gdal")]
    fn the_black_sea_is_sea_and_the_caspian_is_not() {
        let relief = crate::scene::open_relief(&[], &Default::default()).expect("the embedded relief");
        let sea = Sea::of(&ShadeCube::build(&relief, ShadeCube::DEFAULT_SIZE));
        for (lat, lon) in [(43.0, 34.0), (36.0, 18.0), (20.0, 38.0), (58.0, 20.0), (46.0, 36.8), (26.5, 52.0)] {
            assert!(sea.covers(at(lat, lon)), "{lat} {lon} is sea");
        }
        for (lat, lon) in [(42.0, 50.5), (45.0, 49.5), (29.7, 27.2)] {
            assert!(!sea.covers(at(lat, lon)), "{lat} {lon} is not");
        }
    }
}
