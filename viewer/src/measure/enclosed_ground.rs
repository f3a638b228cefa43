//! What ground lies inside a closed path? Its surface, and what is to be taken away or filled up for a level, as fine as some cells.

use glam::{DVec2, DVec3};
use rayon::prelude::*;
use terrain::geodesy::Geodetic;
use terrain::surface::Surface;

use super::leg::Leg;

/// Cells along the longer side of what holds the path.
const CELLS: usize = 160;
/// Lines along which a row of cells is cut by the path.
const LINES: usize = 4;
/// Corners farther than this from the middle, as the cosine, have no common plane that keeps sizes.
const FARTHEST: f64 = 0.9;

/// The ground inside a closed path, by the data at the corners of cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnclosedGround {
    /// Area of the ground itself, square metres: slopes have more than the ellipsoid below.
    pub surface_m2: f64,
    /// The mean height of the path, metres: the level of both volumes.
    pub level_m: f64,
    /// Ground above the level, cubic metres: to be cut for a plain there.
    pub above_m3: f64,
    /// Room below it, cubic metres: to be filled.
    pub below_m3: f64,
    /// Side of the cells, metres.
    pub cell_m: f64,
}

impl EnclosedGround {
    /// Inside the corners of a path, which surrounds so many square metres of the ellipsoid along the ways between them. None of a part of
    /// the Earth that is not nearly plane, and of nothing.
    pub(super) fn inside(data: &Surface, corners: &[Geodetic], legs: &[impl AsRef<Leg>], area_m2: f64) -> Option<Self> {
        let ellipsoid = data.relief().ellipsoid();
        let middle = corners.iter().map(|corner| corner.normal()).sum::<DVec3>().try_normalize()?;
        let (east, north) = middle.any_orthonormal_pair();
        // Seen from the middle of the Earth, great circles are straight lines of a plane.
        let in_plane = |corner: &Geodetic| {
            let normal = corner.normal();
            let ahead = normal.dot(middle);
            (ahead > FARTHEST).then(|| DVec2::new(normal.dot(east), normal.dot(north)) / ahead)
        };
        let outline: Vec<DVec2> = corners.iter().map(in_plane).collect::<Option<_>>()?;
        let low = outline.iter().copied().reduce(DVec2::min)?;
        let high = outline.iter().copied().reduce(DVec2::max)?;
        let cell = (high - low).max_element() / CELLS as f64;
        if !(cell > 0.0 && area_m2 > 0.0) {
            return None;
        }
        let [columns, rows] = (high - low).to_array().map(|side| ((side / cell).ceil() as usize).clamp(1, CELLS));
        let cell_m = cell * ellipsoid.mean_radius_m();
        let corner = |column: usize, row: usize| {
            let at = low + cell * DVec2::new(column as f64, row as f64);
            let normal = (middle + at.x * east + at.y * north).normalize();
            let height_m = data.relief().overview_m(normal, cell_m);
            Corner { flat_m: ellipsoid.ecef(normal, 0.0), ground_m: ellipsoid.ecef(normal, height_m), height_m }
        };
        let level_m = mean_height_m(legs)?;
        let row_of = |row: usize| -> Vec<Corner> { (0..=columns).map(|column| corner(column, row)).collect() };
        let lines: Vec<Vec<Corner>> = (0..=rows).into_par_iter().map(row_of).collect();
        let mut sums = Sums::default();
        for (row, two) in lines.windows(2).enumerate() {
            let [below, above] = [&two[0], &two[1]];
            let shares = shares(&outline, low, cell, (columns, row));
            for (column, share) in shares.into_iter().enumerate().filter(|(_, share)| *share > 0.0) {
                let quad = [below[column], below[column + 1], above[column + 1], above[column]];
                sums.add(share, quad, level_m);
            }
        }
        // The plane and the chords of cells are nearly as large as the ellipsoid's ground, whose size is known.
        let scale = (sums.flat_m2 > 0.0).then(|| area_m2 / sums.flat_m2)?;
        Some(Self {
            surface_m2: scale * sums.surface_m2,
            level_m,
            above_m3: scale * sums.above_m3,
            below_m3: scale * sums.below_m3,
            cell_m,
        })
    }
}

/// The ground at the corner of a cell.
#[derive(Clone, Copy)]
struct Corner {
    /// On the ellipsoid, ECEF metres.
    flat_m: DVec3,
    ground_m: DVec3,
    height_m: f64,
}

/// Sums over cells.
#[derive(Default)]
struct Sums {
    flat_m2: f64,
    surface_m2: f64,
    above_m3: f64,
    below_m3: f64,
}

impl Sums {
    /// Adds a share of a cell, whose corners go around.
    fn add(&mut self, share: f64, quad: [Corner; 4], level_m: f64) {
        let area_m2 = |of: fn(Corner) -> DVec3| {
            let [a, b, c, d] = quad.map(of);
            0.5 * ((b - a).cross(c - a).length() + (c - a).cross(d - a).length())
        };
        let flat_m2 = share * area_m2(|corner| corner.flat_m);
        self.flat_m2 += flat_m2;
        self.surface_m2 += share * area_m2(|corner| corner.ground_m);
        for corner in quad {
            let above_m = corner.height_m - level_m;
            self.above_m3 += 0.25 * flat_m2 * above_m.max(0.0);
            self.below_m3 += 0.25 * flat_m2 * (-above_m).max(0.0);
        }
    }
}

/// How much of each cell of a row lies inside an outline.
fn shares(outline: &[DVec2], low: DVec2, cell: f64, (columns, row): (usize, usize)) -> Vec<f64> {
    let mut shares = vec![0.0; columns];
    for line in 0..LINES {
        let y = low.y + cell * (row as f64 + (line as f64 + 0.5) / LINES as f64);
        let edges = outline.iter().zip(outline.iter().cycle().skip(1));
        let mut cuts: Vec<f64> = edges
            .filter(|(a, b)| (a.y > y) != (b.y > y))
            .map(|(a, b)| (a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y) - low.x) / cell)
            .collect();
        cuts.sort_by(f64::total_cmp);
        for span in cuts.chunks_exact(2) {
            let (first, last) = (span[0].max(0.0), span[1].min(columns as f64));
            for (column, share) in shares.iter_mut().enumerate().take(last.ceil() as usize).skip(first as usize) {
                let inside = last.min(column as f64 + 1.0) - first.max(column as f64);
                *share += inside.max(0.0) / LINES as f64;
            }
        }
    }
    shares
}

/// The mean height along a path.
fn mean_height_m(legs: &[impl AsRef<Leg>]) -> Option<f64> {
    let (mut length_m, mut sum) = (0.0, 0.0);
    for two in legs.iter().flat_map(|leg| leg.as_ref().profile.windows(2)) {
        let step_m = two[1].distance_m - two[0].distance_m;
        length_m += step_m;
        sum += step_m * 0.5 * (two[0].place.height_m + two[1].place.height_m);
    }
    (length_m > 0.0).then(|| sum / length_m)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::Rng as _;
    use terrain::geodesy::Ellipsoid;
    use terrain::height::{Elevation, ElevationSource, HeightBounds, LayerInfo, Location, Region, Relief, Spacing};

    use super::super::enclosed_area::area_m2;
    use super::*;

    /// A cone, or a plain that rises to the north, around a place; metres on the sphere of the mean radius.
    #[derive(Debug)]
    struct Shape {
        middle: DVec3,
        slope: f64,
        is_cone: bool,
    }

    const R_M: f64 = 6_371_008.8;
    const BASE_M: f64 = 500.0;

    impl ElevationSource for Shape {
        fn sample(&self, at: &Location, _: Spacing) -> Option<Elevation> {
            let away_m = R_M * at.normal.angle_between(self.middle);
            let north_m = R_M * (at.normal.z.asin() - self.middle.z.asin());
            let along_m = if self.is_cone { -away_m } else { north_m };
            Some(Elevation::whole(BASE_M + self.slope * along_m))
        }

        fn bounds(&self, _: &Region) -> Option<HeightBounds> {
            Some(HeightBounds::of((-1e5, 1e5)))
        }

        fn posting_m(&self, _: &Location) -> f64 {
            30.0
        }
    }

    /// What a closed path surrounds of such ground: its area on the ellipsoid, and its ground.
    fn inside(lat_deg: f64, lon_deg: f64, shape: (f64, bool), corners: &[(f64, f64)]) -> (f64, EnclosedGround) {
        let middle = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
        let source = Shape { middle: middle.normal(), slope: shape.0, is_cone: shape.1 };
        let info = LayerInfo::synthetic("shape", 30.0, [-180.0, -90.0, 180.0, 90.0], (-1e5, 1e5));
        let surface = Surface::new(Arc::new(Relief::of_source(info, Arc::new(source))));
        let metre_deg = 1.0_f64.to_degrees() / R_M;
        let place = |(east_m, north_m): &(f64, f64)| {
            let lon = lon_deg + east_m * metre_deg / lat_deg.to_radians().cos();
            let n = Geodetic::from_degrees(lat_deg + north_m * metre_deg, lon, 0.0);
            Geodetic { height_m: surface.relief().sample(n.normal()).height_m, ..n }
        };
        let corners: Vec<Geodetic> = corners.iter().map(place).collect();
        let ends = corners.iter().zip(corners.iter().cycle().skip(1));
        let legs: Vec<Arc<Leg>> = ends.map(|(from, to)| Arc::new(Leg::between(&surface, *from, *to))).collect();
        let area_m2 = area_m2(Ellipsoid::WGS84, &corners).expect("no crossing");
        let ground = EnclosedGround::inside(&surface, &corners, &legs, area_m2).expect("ground");
        (area_m2, ground)
    }

    /// Law: over a plain that rises, the ground is as much larger than the ellipsoid as its slope says, and a square needs s a³ / 8 cut
    /// and filled; anywhere on Earth, across 180 degrees too. A level plain needs nothing.
    #[test]
    fn a_plain_that_rises_is_cut_and_filled_alike() {
        let mut rng = crate::random::rng();
        for slope in [0.0, 0.05, 0.4] {
            let (lat, lon) = (rng.random_range(-70.0..70.0), rng.random_range(-180.0..180.0));
            let half_m = rng.random_range(200.0..3_000.0);
            let square = [(-half_m, -half_m), (half_m, -half_m), (half_m, half_m), (-half_m, half_m)];
            let (area_m2, ground) = inside(lat, lon, (slope, false), &square);
            let expected_m3 = slope * 2.0 * half_m / 8.0 * area_m2;
            let told = format!("{lat} {lon} {half_m} {slope}: {area_m2} {ground:?} {expected_m3}");
            assert!((ground.surface_m2 / area_m2 / slope.hypot(1.0) - 1.0).abs() < 4e-3, "{told}");
            assert!((ground.level_m - BASE_M).abs() < 1.0 + slope * half_m * 0.01, "{told}");
            let room_m3 = 0.02 * expected_m3 + 1e-3 * area_m2;
            assert!((ground.above_m3 - expected_m3).abs() < room_m3, "{told}");
            assert!((ground.below_m3 - expected_m3).abs() < room_m3, "{told}");
        }
    }

    /// Law: a cone above a ring around it is a third of its base times its height, and nothing is to be filled.
    #[test]
    fn a_cone_is_a_third_of_its_base_times_its_height() {
        let ring: Vec<(f64, f64)> = (0..90)
            .map(|k| (f64::from(k) * 4.0).to_radians())
            .map(|angle| (1_000.0 * angle.cos(), 1_000.0 * angle.sin()))
            .collect();
        let (area_m2, ground) = inside(30.0, 179.999, (0.3, true), &ring);
        let expected_m3 = area_m2 * 300.0 / 3.0;
        assert!((ground.above_m3 / expected_m3 - 1.0).abs() < 0.02, "{ground:?} {expected_m3}");
        assert!(ground.below_m3 < 0.01 * expected_m3, "{ground:?}");
        assert!((ground.surface_m2 / area_m2 / 0.3_f64.hypot(1.0) - 1.0).abs() < 5e-3, "{ground:?} {area_m2}");
    }

    /// Law: the shares of all cells together are the outline's area, whichever way it goes around and wherever it dents.
    #[test]
    fn shares_are_what_the_outline_holds() {
        let mut rng = crate::random::rng();
        for _ in 0..50 {
            let count = rng.random_range(3..20);
            let mut star: Vec<DVec2> = (0..count)
                .map(|k| DVec2::from_angle(std::f64::consts::TAU * f64::from(k) / f64::from(count)))
                .map(|way| way * rng.random_range(0.2..1.0))
                .collect();
            let edges = star.iter().zip(star.iter().cycle().skip(1));
            let area = 0.5 * edges.map(|(a, b)| a.perp_dot(*b)).sum::<f64>();
            if count % 2 == 0 {
                star.reverse();
            }
            let (low, cell) = (DVec2::splat(-1.0), 0.02);
            let found: f64 = (0..100).flat_map(|row| shares(&star, low, cell, (100, row))).sum();
            assert!((found * cell * cell - area).abs() < 0.01, "{star:?}: {} {area}", found * cell * cell);
        }
    }
}
