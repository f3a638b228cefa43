//! Which few triangles are the ground of an area, within an error?
//!
//! A right-triangulated irregular network (RTIN: Evans, Kirkpatrick and Townsend, 2001) over a lattice of samples. Right triangles are
//! halved at the middle of their longest side, so neighbours fit without cracks where both sides of a side are halved together.

use elevation::{geodesy::Geodetic, surface::Surface};
use glam::DVec3;
use rayon::prelude::*;

use crate::degrees::{DEGREE_M, most_cos};
use crate::horizon::{HorizonError, ShouldContinue, run_cancellable};
use crate::memory::check_memory;
use crate::option::check;

/// Samples of a lattice at most.
const MOST_SAMPLES: f64 = (1u64 << 24) as f64;
/// Bytes that a sample takes at most: places, errors as they are found, and where none is left out a vertex and two triangles.
const BYTES_A_SAMPLE: usize = 192;
/// Latitudes beyond which meridians are too close for a lattice.
const MOST_LAT_DEG: f64 = 89.0;
/// Squares along the shorter side of the area at least: the largest triangles are half of one.
const SQUARES: usize = 4;

/// Triangles over the ground of an area.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The places of vertices, on the surface.
    pub vertices: Vec<Geodetic>,
    /// Three vertices each, counterclockwise from above.
    pub triangles: Vec<[u32; 3]>,
    /// Samples along longitude and latitude among which the triangles were chosen.
    pub samples: [usize; 2],
}

/// A right triangle of the lattice: the ends of its longest side, then the corner opposite, each a column and a row.
type Triangle = [[usize; 2]; 3];

struct Lattice {
    /// Samples along longitude and latitude.
    size: [usize; 2],
    /// Side of a square in samples, a power of two.
    side: usize,
    places: Vec<Geodetic>,
    /// Positions, ECEF; not a number where there is no ground.
    positions_m: Vec<DVec3>,
}

impl Mesh {
    /// Triangles over a box of longitudes and latitudes in degrees (west, south, east, north; east may exceed 180), chosen among samples
    /// at most `spacing_m` apart, as long as `should_continue` says so.
    ///
    /// No sample is more than `error_m` above or below the plane of the triangle that it is in, along its vertical, in straight
    /// lines of space: every one is looked at. Between samples the mesh knows nothing of the ground: take the posting of the data for
    /// the spacing. Where a height is not a number the mesh has a hole.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use analysis::Mesh;
    /// use elevation::height::{GlobalGrid, Registration, Relief};
    /// use elevation::surface::Surface;
    ///
    /// let plain = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 100.0);
    /// let surface = Surface::new(Arc::new(Relief::from_grid(plain)?));
    /// let mesh = Mesh::new(&surface, [8.0, 45.0, 8.1, 45.1], 1.0, 90.0, &|| true)?;
    /// // Its triangles are no larger than half a square, although the ground is flat.
    /// assert!(mesh.triangles.len() < 200);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`HorizonError::Option`]: numbers that cannot be; [`HorizonError::Memory`]; [`HorizonError::Stopped`].
    pub fn new(
        surface: &Surface,
        [west, south, east, north]: [f64; 4],
        error_m: f64,
        spacing_m: f64,
        should_continue: ShouldContinue<'_>,
    ) -> Result<Self, HorizonError> {
        check("an error", error_m, error_m >= 0.0, "0 m or more")?;
        check("a spacing", spacing_m, spacing_m > 0.0, "above 0 m")?;
        check(
            "a southern edge",
            south,
            (-MOST_LAT_DEG..north).contains(&south),
            "from -89 to below the northern edge",
        )?;
        check("a northern edge", north, north <= MOST_LAT_DEG, "at most 89")?;
        check("a western edge", west, (-360.0..=360.0).contains(&west), "from -360 to 360")?;
        let (wide, high) = (east - west, north - south);
        check("a width", wide, wide > 0.0 && wide <= 360.0, "above 0 and at most 360 degrees")?;
        let ellipsoid = surface.relief().ellipsoid();
        let degree_m = DEGREE_M * ellipsoid.size();
        let steps = [wide * most_cos(south, north), high].map(|deg| (deg * degree_m / spacing_m).ceil().max(1.0));
        let rule = "at most 16 777 216: take a larger spacing or a smaller area";
        check("a number of samples", steps[0] * steps[1], steps[0] * steps[1] <= MOST_SAMPLES, rule)?;
        let steps = steps.map(|steps| steps as usize);
        let side = 1 << (steps[0].min(steps[1]) / SQUARES).max(1).ilog2();
        let size = steps.map(|steps| steps.div_ceil(side) * side + 1);
        check("a number of samples", (size[0] * size[1]) as f64, ((size[0] * size[1]) as f64) <= MOST_SAMPLES, rule)?;
        check_memory(size[0] * size[1], BYTES_A_SAMPLE)?;
        let place = |k: usize| {
            let part = |k: usize, count: usize| k as f64 / (count - 1) as f64;
            let (lat, lon) = (south + high * part(k / size[0], size[1]), west + wide * part(k % size[0], size[0]));
            Geodetic::from_degrees(lat, lon, 0.0)
        };
        let mut places: Vec<Geodetic> = (0..size[0] * size[1]).into_par_iter().map(place).collect();
        run_cancellable(should_continue, |should_continue| {
            places.par_iter_mut().with_min_len(256).take_any_while(|_| should_continue()).for_each(|place| {
                place.height_m = surface.height_m(place.normal());
            });
            let positions_m = places.par_iter().map(|place| place.to_ecef(ellipsoid)).collect();
            let lattice = Lattice { size, side, places, positions_m };
            lattice.mesh(&lattice.errors_m(should_continue), error_m)
        })
    }
}

impl Lattice {
    fn index(&self, [column, row]: [usize; 2]) -> usize {
        row * self.size[0] + column
    }

    /// The triangle with a number among those that have been halved so often: two of each square, each of which has so many halves.
    fn triangle(&self, number: usize, halvings: u32) -> Triangle {
        let (square, path) = (number >> (halvings + 1), number & ((2 << halvings) - 1));
        let across = (self.size[0] - 1) / self.side;
        let [left, bottom] = [square % across * self.side, square / across * self.side];
        let [right, top] = [left + self.side, bottom + self.side];
        let (sw, ne) = ([left, bottom], [right, top]);
        let mut triangle = if path >> halvings == 0 { [ne, sw, [right, bottom]] } else { [sw, ne, [left, top]] };
        for k in (0..halvings).rev() {
            triangle = halves(triangle)[path >> k & 1];
        }
        triangle
    }

    /// For each sample, how far off a sample may be if triangles whose longest side has it in the middle are not halved: the most
    /// of both of them and of all their parts.
    fn errors_m(&self, should_continue: ShouldContinue<'_>) -> Vec<f64> {
        let mut errors_m = vec![0.0f64; self.places.len()];
        let squares = (self.size[0] - 1) / self.side * ((self.size[1] - 1) / self.side);
        // Triangles that are halved so often have legs of one sample.
        let last = 2 * self.side.ilog2();
        for halvings in (0..=last).rev() {
            let error_m = |number: usize| {
                let triangle = self.triangle(number, halvings);
                let own_m = if should_continue() { self.error_m(triangle) } else { 0.0 };
                let parts = halves(triangle).into_iter().filter_map(middle);
                let most_m = parts.map(|part| errors_m[self.index(part)]).fold(own_m, f64::max);
                middle(triangle).map(|at| (self.index(at), most_m))
            };
            let found: Vec<(usize, f64)> = (0..squares << (halvings + 1)).into_par_iter().filter_map(error_m).collect();
            found.into_iter().for_each(|(at, error_m)| errors_m[at] = errors_m[at].max(error_m));
        }
        errors_m
    }

    /// How far off its plane the samples in a triangle are; without bound where some are not known.
    fn error_m(&self, triangle: Triangle) -> f64 {
        let [a, b, c] = triangle.map(|corner| self.positions_m[self.index(corner)]);
        let across = (b - a).cross(c - a);
        let edge = |k: usize| (triangle[k].map(|k| k as i64), triangle[(k + 1) % 3].map(|k| k as i64));
        let edges = [0, 1, 2].map(edge);
        let range = |axis: usize| {
            let along = triangle.map(|corner| corner[axis]);
            along.into_iter().min().unwrap_or(0)..=along.into_iter().max().unwrap_or(0)
        };
        let (mut most_m, mut known, mut unknown) = (0.0f64, false, false);
        for row in range(1) {
            for column in range(0) {
                let [x, y] = [column as i64, row as i64];
                let inside = |(from, to): &([i64; 2], [i64; 2])| {
                    (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]) >= 0
                };
                if !edges.iter().all(inside) {
                    continue;
                }
                let at = self.index([column, row]);
                let position_m = self.positions_m[at];
                if position_m.is_nan() {
                    unknown = true;
                } else {
                    known = true;
                    let off_m = (a - position_m).dot(across) / self.places[at].normal().dot(across);
                    most_m = most_m.max(off_m.abs());
                }
            }
        }
        if known && unknown { f64::INFINITY } else { most_m }
    }

    /// The largest triangles within an error.
    fn mesh(&self, errors_m: &[f64], error_m: f64) -> Mesh {
        const NONE: u32 = u32::MAX;
        let mut numbers = vec![NONE; self.places.len()];
        let mut mesh = Mesh { vertices: Vec::new(), triangles: Vec::new(), samples: self.size };
        let squares = (self.size[0] - 1) / self.side * ((self.size[1] - 1) / self.side);
        let mut open: Vec<Triangle> = (0..2 * squares).rev().map(|number| self.triangle(number, 0)).collect();
        while let Some(triangle) = open.pop() {
            if middle(triangle).is_some_and(|at| errors_m[self.index(at)] > error_m) {
                open.extend(halves(triangle));
                continue;
            }
            let corners = triangle.map(|corner| self.index(corner));
            if corners.iter().any(|at| self.positions_m[*at].is_nan()) {
                continue;
            }
            let number = |at: usize| {
                if numbers[at] == NONE {
                    numbers[at] = mesh.vertices.len() as u32;
                    mesh.vertices.push(self.places[at]);
                }
                numbers[at]
            };
            mesh.triangles.push(corners.map(number));
        }
        mesh
    }
}

/// The middle of the longest side, if it is a sample.
fn middle([a, b, _]: Triangle) -> Option<[usize; 2]> {
    let sum = [a[0] + b[0], a[1] + b[1]];
    (sum[0] % 2 == 0 && sum[1] % 2 == 0).then(|| sum.map(|sum| sum / 2))
}

/// The two halves of a triangle that has a middle.
fn halves(triangle: Triangle) -> [Triangle; 2] {
    let [a, b, c] = triangle;
    let m = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    [[c, a, m], [b, c, m]]
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::Rng;

    use super::*;
    use crate::{random::rng, terrains::rough};
    use elevation::geodesy::Ellipsoid;

    /// Law: every sample is within the error of a triangle over it; each side has two triangles or is at the edge of the area; all
    /// triangles face up; and a smaller error takes no fewer of them, and none takes all samples.
    #[test]
    fn samples_are_within_the_error() {
        let mut rng = rng();
        let surface = rough(&mut rng);
        let (west, south) = (rng.random_range(-180.0..180.0), rng.random_range(-60.0..60.0));
        let bbox = [west, south, west + rng.random_range(1.0..3.0), south + rng.random_range(1.0..3.0)];
        let mut before = 0;
        for error_m in [2_000.0, 500.0, 100.0, 0.0] {
            let mesh = Mesh::new(&surface, bbox, error_m, 6_000.0, &|| true).unwrap();
            let [columns, rows] = mesh.samples;
            let most = 2 * (columns - 1) * (rows - 1);
            assert!(mesh.triangles.len() >= before, "{} after {before}", mesh.triangles.len());
            before = mesh.triangles.len();
            assert!(error_m > 0.0 || before == most, "{before} of {columns} x {rows} samples");
            let mut sides: HashMap<[u32; 2], i32> = HashMap::new();
            for [a, b, c] in &mesh.triangles {
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    *sides.entry([*from.min(to), *from.max(to)]).or_default() += if from < to { 1 } else { -1 };
                }
            }
            let is_edge = |v: u32| {
                let Geodetic { lat_rad, lon_rad, .. } = mesh.vertices[v as usize];
                let near = |rad: f64, deg: f64| (rad - deg.to_radians()).sin().abs() < 1e-12;
                [near(lon_rad, bbox[0]), near(lat_rad, bbox[1]), near(lon_rad, bbox[2]), near(lat_rad, bbox[3])]
            };
            for ([from, to], count) in sides {
                let edges = is_edge(from).into_iter().zip(is_edge(to)).any(|(a, b)| a && b);
                assert!(if edges { count.abs() == 1 } else { count == 0 }, "a side has {count} more one way");
            }
            let mut found = vec![f64::INFINITY; columns * rows];
            let of = |v: &u32| {
                let Geodetic { lat_rad, lon_rad, .. } = mesh.vertices[*v as usize];
                let turn = (lon_rad.to_degrees() - bbox[0] + 1e-9).rem_euclid(360.0) - 1e-9;
                let part = [turn / (bbox[2] - bbox[0]), (lat_rad.to_degrees() - bbox[1]) / (bbox[3] - bbox[1])];
                [part[0] * (columns - 1) as f64, part[1] * (rows - 1) as f64].map(f64::round)
            };
            for triangle in &mesh.triangles {
                let [a, b, c] = triangle.map(|v| mesh.vertices[v as usize].to_ecef(Ellipsoid::WGS84));
                let up = (b - a).cross(c - a);
                assert!(up.dot(a) > 0.0);
                let corners = triangle.each_ref().map(of);
                let (low, high) = (corners[0].map(|_| 0), [columns, rows]);
                let span = |axis: usize| {
                    let along = corners.map(|corner| corner[axis] as usize);
                    let first = along.into_iter().min().unwrap().max(low[axis]);
                    first..=along.into_iter().max().unwrap().min(high[axis] - 1)
                };
                for (row, column) in span(1).flat_map(|row| span(0).map(move |column| (row, column))) {
                    let p = [column as f64, row as f64];
                    let left = |k: usize| {
                        let (from, to) = (corners[k], corners[(k + 1) % 3]);
                        (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0])
                    };
                    if (0..3).any(|k| left(k) < 0.0) {
                        continue;
                    }
                    let lat = bbox[1] + (bbox[3] - bbox[1]) * p[1] / (rows - 1) as f64;
                    let lon = bbox[0] + (bbox[2] - bbox[0]) * p[0] / (columns - 1) as f64;
                    let place = Geodetic::from_degrees(lat, lon, 0.0);
                    let n = place.normal();
                    let position = Geodetic { height_m: surface.height_m(n), ..place }.to_ecef(Ellipsoid::WGS84);
                    let off_m = ((a - position).dot(up) / n.dot(up)).abs();
                    let best = &mut found[row * columns + column];
                    *best = best.min(off_m);
                }
            }
            let most_m = found.into_iter().fold(0.0, f64::max);
            assert!(most_m <= error_m + 1e-3, "{most_m} for {error_m}");
        }
    }

    /// Law: what cannot be is refused, and who wants no more gets none.
    #[test]
    fn impossible_meshes() {
        let surface = rough(&mut rng());
        let bbox = [8.0, 45.0, 9.0, 46.0];
        let of = |bbox: [f64; 4], error_m: f64, spacing_m: f64| Mesh::new(&surface, bbox, error_m, spacing_m, &|| true);
        assert!(of(bbox, -1.0, 1_000.0).is_err() && of(bbox, f64::NAN, 1_000.0).is_err());
        assert!(of(bbox, 1.0, 0.0).is_err() && of(bbox, 1.0, 1e-3).is_err() && of(bbox, 1.0, 1e-300).is_err());
        assert!(of([9.0, 45.0, 8.0, 46.0], 1.0, 1e3).is_err() && of([8.0, 46.0, 9.0, 45.0], 1.0, 1e3).is_err());
        assert!(of([8.0, 45.0, 9.0, 90.0], 1.0, 1e3).is_err() && of([f64::NAN, 45.0, 9.0, 46.0], 1.0, 1e3).is_err());
        assert_eq!(Mesh::new(&surface, bbox, 1.0, 1_000.0, &|| false), Err(HorizonError::Stopped));
        // An area smaller than the spacing is two triangles.
        assert_eq!(of([8.0, 45.0, 8.001, 45.001], 1.0, 1e6).unwrap().triangles.len(), 2);
    }
}
