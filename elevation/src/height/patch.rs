//! Which places are asked for together? The nodes of a grid on a face of the cube, far cheaper than one by one: what depends on
//! one axis is computed once for the axis.
//!
//! Longitude and latitude come from the gnomonic coordinates in world axis order, not from the normal. So a node on an edge
//! of the cube has the same bits from both faces. On the four faces around the equator the longitude is a function of one
//! axis alone. They agree with those of the normal to rounding.

use std::{ops::Range, slice::from_ref};

use glam::DVec3;
use multiversion::multiversion;

use super::{angle::atan2, region::Region};

const DEG: f64 = 180.0 / std::f64::consts::PI;

/// Nodes of a face: every column with every row, columns fastest.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    face: u32,
    /// Gnomonic coordinates of the columns (along u) and the rows (along v).
    x: Vec<f64>,
    y: Vec<f64>,
}

/// Longitudes of a patch's nodes in degrees.
#[derive(Clone, Debug)]
pub(crate) enum Longitudes {
    /// One for each column.
    Columns(Vec<f64>),
    /// One for each row.
    Rows(Vec<f64>),
    /// One for each node.
    Nodes(Vec<f64>),
}

/// Longitudes and latitudes of a patch's nodes in degrees.
#[derive(Clone, Debug)]
pub(crate) struct PatchCoordinates {
    pub lon_deg: Longitudes,
    /// One for each node.
    pub lat_deg: Vec<f64>,
}

impl Patch {
    /// Nodes at gnomonic coordinates, in [-1, 1] or a little beyond.
    pub fn new(face: u32, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { face, x, y }
    }

    pub fn columns(&self) -> usize {
        self.x.len()
    }

    pub fn rows(&self) -> usize {
        self.y.len()
    }

    /// Nodes along the longer side.
    pub fn side(&self) -> usize {
        self.columns().max(self.rows())
    }

    /// Columns and rows of squares of so many nodes a side, which cover it; the last ones may be smaller.
    pub fn squares(&self, side: usize) -> impl Iterator<Item = [Range<usize>; 2]> + use<> {
        let size = [self.columns(), self.rows()];
        let along = move |axis: usize| (0..size[axis]).step_by(side).map(move |at| at..(at + side).min(size[axis]));
        along(1).flat_map(move |rows| along(0).map(move |columns| [columns, rows.clone()]))
    }

    /// Some of its columns and rows.
    pub fn part(&self, [columns, rows]: &[Range<usize>; 2]) -> Self {
        Self::new(self.face, self.x[columns.clone()].to_vec(), self.y[rows.clone()].to_vec())
    }

    /// The middles of the quads between its nodes.
    pub fn middles(&self) -> Self {
        let between = |x: &[f64]| x.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        Self::new(self.face, between(&self.x), between(&self.y))
    }

    pub fn len(&self) -> usize {
        self.x.len() * self.y.len()
    }

    /// Unit normal of a node: the bits of [`crate::cube::CubePoint::normal`] where the node is such a point.
    pub fn normal(&self, node: usize) -> DVec3 {
        self.normal_at(node % self.x.len(), node / self.x.len())
    }

    /// Gnomonic coordinates of the columns.
    pub fn column_coordinates(&self) -> &[f64] {
        &self.x
    }

    /// For a row's points on the cube, and a plane through its middle with a unit normal: their distance from it is a constant and a factor times the
    /// column's coordinate.
    pub fn plane_in_row(&self, row: usize, normal: DVec3) -> [f64; 2] {
        let (y, axis) = (self.y[row], (self.face / 2) as usize);
        let [a, b, c] = [normal[axis], normal[(axis + 1) % 3], normal[(axis + 2) % 3]];
        if self.face.is_multiple_of(2) { [a + c * y, b] } else { [b * y - a, c] }
    }

    /// Gnomonic coordinate of a row.
    pub fn row_coordinate(&self, row: usize) -> f64 {
        self.y[row]
    }

    /// A cap that holds all nodes.
    pub fn region(&self) -> Region {
        let ends = |size: usize| [0, size.saturating_sub(1)];
        let corners = ends(self.rows()).map(|row| ends(self.columns()).map(|column| self.normal_at(column, row)));
        let corners = corners.as_flattened();
        let middle = corners.iter().sum::<DVec3>().normalize();
        // A cap of less than half the sphere is convex, and great circles bound the nodes. By the chord, which is accurate for small angles.
        let angle = |corner: &DVec3| 2.0 * (0.5 * middle.distance(*corner)).min(1.0).asin();
        Region::cap(middle, corners.iter().map(angle).fold(0.0, f64::max))
    }

    /// Unit normal, longitude and latitude in degrees of the nodes of some columns and rows, row by row.
    pub fn all_places<'a>(
        &'a self,
        places: &'a PatchCoordinates,
        [columns, rows]: [Range<usize>; 2],
    ) -> impl Iterator<Item = (DVec3, f64, f64)> + 'a {
        rows.flat_map(move |row| {
            columns.clone().map(move |column| {
                let (lon_deg, lat_deg) = places.of(column, row, self.columns());
                (self.normal_at(column, row), lon_deg, lat_deg)
            })
        })
    }

    #[inline]
    fn normal_at(&self, column: usize, row: usize) -> DVec3 {
        let (x, y) = (self.x[column], self.y[row]);
        let axis = (self.face / 2) as usize;
        let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut p = [0.0; 3];
        (p[axis], p[b], p[c]) = if self.face.is_multiple_of(2) { (1.0, x, y) } else { (-1.0, y, x) };
        DVec3::from_array(p).normalize()
    }

    /// Unit normal of a node, and its longitude and latitude in degrees.
    pub fn place(&self, places: &PatchCoordinates, node: usize) -> (DVec3, f64, f64) {
        let (lon_deg, lat_deg) = places.at(node, self.columns());
        (self.normal(node), lon_deg, lat_deg)
    }

    /// Longitude and latitude of all nodes.
    pub fn places(&self) -> PatchCoordinates {
        let fixed = if self.face.is_multiple_of(2) { 1.0 } else { -1.0 };
        let (columns, nodes) = (self.columns(), self.len());
        let mut lat_deg = vec![0.0; nodes];
        // A longitude and the distance to the axis, for each value along an equatorial face's second axis.
        let meridians = |across: &[f64], around: &dyn Fn(f64) -> (f64, f64)| -> (Vec<f64>, Vec<f64>) {
            across.iter().map(|&a| around(a)).map(|(y, x)| (atan2(y, x) * DEG, (x * x + y * y).sqrt())).unzip()
        };
        let x_fixed = |y: f64| (y, fixed);
        let y_fixed = |x: f64| (fixed, x);
        match self.face {
            // u runs around the axis, v along it.
            0 | 3 => {
                let (lon, from_axis) =
                    if self.face == 0 { meridians(&self.x, &x_fixed) } else { meridians(&self.x, &y_fixed) };
                for (row, &z) in lat_deg.chunks_exact_mut(columns).zip(&self.y) {
                    latitudes(&[z], &from_axis, row);
                }
                PatchCoordinates { lon_deg: Longitudes::Columns(lon), lat_deg }
            }
            // v runs around the axis, u along it.
            1 | 2 => {
                let (lon, from_axis) =
                    if self.face == 1 { meridians(&self.y, &x_fixed) } else { meridians(&self.y, &y_fixed) };
                for (row, &r) in lat_deg.chunks_exact_mut(columns).zip(&from_axis) {
                    latitudes(&self.x, &[r], row);
                }
                PatchCoordinates { lon_deg: Longitudes::Rows(lon), lat_deg }
            }
            // The poles: (u, v) are (x, y) in the north and (y, x) in the south.
            _ => {
                let mut lon_deg = vec![0.0; nodes];
                let rows = lon_deg.chunks_exact_mut(columns).zip(lat_deg.chunks_exact_mut(columns));
                for ((lon, lat), v) in rows.zip(&self.y) {
                    let (x, y) = if fixed > 0.0 { (&self.x[..], from_ref(v)) } else { (from_ref(v), &self.x[..]) };
                    polar(x, y, fixed, lon, lat);
                }
                PatchCoordinates { lon_deg: Longitudes::Nodes(lon_deg), lat_deg }
            }
        }
    }
}

/// Latitudes of points at heights above the equator's plane and at distances from the axis; one of them is one for all.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn latitudes(z: &[f64], from_axis: &[f64], lat_deg: &mut [f64]) {
    match (z, from_axis) {
        (&[z], _) => lat_deg.iter_mut().zip(from_axis).for_each(|(lat, &r)| *lat = atan2(z, r) * DEG),
        (_, &[r]) => lat_deg.iter_mut().zip(z).for_each(|(lat, &z)| *lat = atan2(z, r) * DEG),
        _ => {}
    }
}

/// Longitudes and latitudes of points on a polar face; x or y is one for all.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn polar(x: &[f64], y: &[f64], z: f64, lon_deg: &mut [f64], lat_deg: &mut [f64]) {
    let (along_x, one, many) = match (x, y) {
        (_, &[y]) => (true, y, x),
        (&[x], _) => (false, x, y),
        _ => return,
    };
    // A loop for each, so that both are vectorised.
    for (lon, &many) in lon_deg.iter_mut().zip(many) {
        let (x, y) = if along_x { (many, one) } else { (one, many) };
        *lon = atan2(y, x) * DEG;
    }
    for (lat, &many) in lat_deg.iter_mut().zip(many) {
        // Squares are added in the order of the axes, from whichever face.
        let (x, y) = if along_x { (many, one) } else { (one, many) };
        *lat = atan2(z, (x * x + y * y).sqrt()) * DEG;
    }
}

impl PatchCoordinates {
    /// Longitude and latitude of a node of a patch of so many columns.
    #[inline]
    pub fn at(&self, node: usize, columns: usize) -> (f64, f64) {
        self.of(node % columns, node / columns, columns)
    }

    #[inline]
    fn of(&self, column: usize, row: usize, columns: usize) -> (f64, f64) {
        let node = row * columns + column;
        let lon_deg = match &self.lon_deg {
            Longitudes::Columns(lon) => lon[column],
            Longitudes::Rows(lon) => lon[row],
            Longitudes::Nodes(lon) => lon[node],
        };
        (lon_deg, self.lat_deg[node])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cube::{CubePoint, FACES, FacePoint, ONE, warp},
        geodesy::lat_lon,
    };
    use std::collections::HashMap;

    /// Law: all nodes lie in the cap, whose radius is no more than that of the farthest corner.
    #[test]
    fn caps_hold_patches() {
        use rand::Rng;
        let mut rng = crate::random::rng();
        for _ in 0..300 {
            let mut along = || {
                let (first, length) = (rng.random_range(-1.0..1.0f64), 10f64.powf(rng.random_range(-6.0..0.3)));
                (0..rng.random_range(1..9)).map(|k| (first + length * f64::from(k) / 8.0).min(1.01)).collect::<Vec<_>>()
            };
            let (x, y) = (along(), along());
            let patch = Patch::new(rng.random_range(0..6), x, y);
            let region = patch.region();
            for node in 0..patch.len() {
                let away = 2.0 * (0.5 * region.n.distance(patch.normal(node))).asin();
                assert!(away <= region.radius_rad, "{away} of {}", region.radius_rad);
            }
        }
    }

    /// Law: a node's place is that of its normal, to rounding, and the same bits from every face that has it.
    #[test]
    fn places_are_functions_of_the_point() {
        let coordinates: Vec<u32> = [0, 1, ONE / 7, ONE / 3, ONE / 2, ONE - ONE / 5, ONE - 1, ONE].to_vec();
        let warped: Vec<f64> = coordinates.iter().map(|&i| warp(i)).collect();
        let mut seen: HashMap<CubePoint, (u64, u64)> = HashMap::new();
        let mut shared = 0;
        for face in 0..FACES {
            let patch = Patch::new(face, warped.clone(), warped.clone());
            let places = patch.places();
            for node in 0..patch.len() {
                let (u, v) = (coordinates[node % 8], coordinates[node / 8]);
                let point = FacePoint { face, u, v }.point();
                assert_eq!(patch.normal(node), point.normal());
                let (lon, lat) = places.at(node, 8);
                let (expected_lat, expected_lon) = lat_lon(point.normal());
                assert!((lat - expected_lat.to_degrees()).abs() < 1e-13, "{point:?}");
                let turn = (lon - expected_lon.to_degrees()).abs();
                assert!(turn < 1e-13 || lat.abs() == 90.0, "{point:?} {lon} {expected_lon}");
                let bits = (lon.to_bits(), lat.to_bits());
                shared += usize::from(seen.insert(point, bits).is_some_and(|before| {
                    assert_eq!(before, bits, "{point:?}");
                    true
                }));
            }
        }
        assert_eq!(shared, 12 * 6 + 8 * 2);
    }
}
