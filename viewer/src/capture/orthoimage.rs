//! How does a picture become one whose pixels are evenly spaced in longitude and latitude? An orthoimage: drawn from far above, and
//! resampled at the place of each pixel on the ground.

use glam::{DVec2, DVec3};
use image::RgbImage;
use rayon::prelude::*;
use terrain::geodesy::{self, Ellipsoid};

use crate::camera::ground::CLEARANCE_M;
use crate::camera::{Camera, Pose};

/// Distance of the eye over the longer side of the picture: no slope but a cliff hides another, and relief is shaded as from nearby.
const DISTANCE: f64 = 5.0;
/// Nearest eye, metres: pictures are drawn from where they are asked for.
const NEAREST_M: f64 = 2.0 * CLEARANCE_M;
/// Farthest eye, metres.
const FARTHEST_M: f64 = 2e7;
/// Most degrees between a line of sight and straight down.
const MOST_SLANT_DEG: f64 = 60.0;
/// Most pixels between two places along the edges whose lines of sight are tried.
const STEP_PX: u32 = 8;
/// Pixels drawn beyond the farthest that is needed.
const MARGIN_PX: f64 = 2.0;

/// Why ground cannot be shown as an orthoimage.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OrthoimageError {
    /// It reaches round the Earth, or over a pole.
    #[error(
        "a GeoTIFF is drawn from above its middle and shows up to about 90 degrees of ground, half of them to each side, and no pole; this view goes from latitude {south_deg:.1} to {north_deg:.1} over {width_deg:.1} degrees of longitude: choose less ground, like --fit 6,45,9,47"
    )]
    TooWide {
        /// Southern edge.
        south_deg: f64,
        /// Northern edge.
        north_deg: f64,
        /// Degrees of longitude from edge to edge.
        width_deg: f64,
    },
    /// A line of sight from above the middle would be too far from straight down.
    #[error(
        "a GeoTIFF is drawn from above its middle, and an edge of this view is {rise_m:.0} m above that, too steep to be seen from there: choose more ground, or a lower --exaggerate"
    )]
    TooSteep {
        /// Height of the ground at an edge above that in the middle, metres.
        rise_m: f64,
    },
}

/// Pixels evenly spaced in longitude and latitude, north up, as wide as high on the ground in their middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PixelGrid {
    /// The planet that they are on.
    pub ellipsoid: Ellipsoid,
    /// Longitude of the western edge, degrees.
    pub west_deg: f64,
    /// Latitude of the northern edge, degrees.
    pub north_deg: f64,
    /// Degrees of longitude and of latitude a pixel.
    pub pixel_deg: (f64, f64),
    /// Columns and rows.
    pub size_px: (u32, u32),
}

impl PixelGrid {
    /// Pixels of so many metres around a place in degrees.
    ///
    /// # Errors
    /// [`OrthoimageError::TooWide`].
    pub fn around(
        ellipsoid: Ellipsoid,
        (lat_deg, lon_deg): (f64, f64),
        pixel_m: f64,
        size_px: (u32, u32),
    ) -> Result<PixelGrid, OrthoimageError> {
        let (lon_m, lat_m) = degree_m(ellipsoid, lat_deg);
        let pixel_deg = (pixel_m / lon_m, pixel_m / lat_m);
        let grid = PixelGrid {
            ellipsoid,
            west_deg: lon_deg - 0.5 * pixel_deg.0 * f64::from(size_px.0),
            north_deg: lat_deg + 0.5 * pixel_deg.1 * f64::from(size_px.1),
            pixel_deg,
            size_px,
        };
        if grid.is_narrow() { Ok(grid) } else { Err(grid.too_wide()) }
    }

    /// The smallest pixels that show all between west, south, east and north in degrees; east below west crosses 180 degrees.
    ///
    /// # Errors
    /// [`OrthoimageError::TooWide`].
    pub fn covering(
        ellipsoid: Ellipsoid,
        [west, south, east, north]: [f64; 4],
        size_px: (u32, u32),
    ) -> Result<PixelGrid, OrthoimageError> {
        let width_deg = if east < west { east + 360.0 - west } else { east - west };
        let (lat_deg, lon_deg) = (0.5 * (south + north), west + 0.5 * width_deg);
        let (lon_m, lat_m) = degree_m(ellipsoid, lat_deg);
        let pixel_m = (width_deg * lon_m / f64::from(size_px.0)).max((north - south) * lat_m / f64::from(size_px.1));
        PixelGrid::around(ellipsoid, (lat_deg, lon_deg), pixel_m, size_px)
    }

    /// Latitude and longitude in degrees at columns and rows, which begin at the north-western corner; pixels have their middles at halves.
    pub fn place_deg(&self, column: f64, row: f64) -> (f64, f64) {
        (self.north_deg - row * self.pixel_deg.1, self.west_deg + column * self.pixel_deg.0)
    }

    fn middle_deg(&self) -> (f64, f64) {
        self.place_deg(0.5 * f64::from(self.size_px.0), 0.5 * f64::from(self.size_px.1))
    }

    /// Metres a pixel in the middle.
    fn pixel_m(&self) -> f64 {
        self.pixel_deg.1 * degree_m(self.ellipsoid, self.middle_deg().0).1
    }

    fn normal(&self, column: f64, row: f64) -> DVec3 {
        let (lat_deg, lon_deg) = self.place_deg(column, row);
        geodesy::n_vector(lat_deg.to_radians(), lon_deg.to_radians())
    }

    /// Whether it has latitudes and no place twice.
    fn is_narrow(&self) -> bool {
        let (south_deg, _) = self.place_deg(0.0, f64::from(self.size_px.1));
        self.north_deg < 90.0 && south_deg > -90.0 && self.width_deg() < 180.0
    }

    fn width_deg(&self) -> f64 {
        self.pixel_deg.0 * f64::from(self.size_px.0)
    }

    fn too_wide(&self) -> OrthoimageError {
        let (south_deg, _) = self.place_deg(0.0, f64::from(self.size_px.1));
        OrthoimageError::TooWide { south_deg, north_deg: self.north_deg, width_deg: self.width_deg() }
    }
}

/// Metres of a degree of longitude and of latitude on the ellipsoid.
fn degree_m(ellipsoid: Ellipsoid, lat_deg: f64) -> (f64, f64) {
    let (sin, cos) = lat_deg.to_radians().sin_cos();
    let [across_m, along_m] = ellipsoid.radii_m(sin);
    ((across_m * cos).max(1e-3).to_radians(), along_m.to_radians())
}

/// A picture that is drawn to become an orthoimage.
#[derive(Debug, Clone, Copy)]
pub struct Orthoimage {
    /// The pixels of the orthoimage.
    pub grid: PixelGrid,
    /// Where the picture is drawn from.
    pub camera: Camera,
    /// The field of view of the picture, up and down.
    pub fov_y_rad: f64,
    /// The size of the picture.
    pub size_px: (u32, u32),
}

impl Orthoimage {
    /// The picture that holds all pixels of a grid, on ground at the heights of a function.
    ///
    /// # Errors
    /// [`OrthoimageError`].
    pub fn new(grid: PixelGrid, height_m: impl Fn(DVec3) -> f64) -> Result<Orthoimage, OrthoimageError> {
        let (lat_deg, lon_deg) = grid.middle_deg();
        let n = geodesy::n_vector(lat_deg.to_radians(), lon_deg.to_radians());
        let pixel_m = grid.pixel_m();
        let wished_m = DISTANCE * pixel_m * f64::from(grid.size_px.0.max(grid.size_px.1));
        let (distance_m, middle_m) = (wished_m.clamp(NEAREST_M, FARTHEST_M), height_m(n));
        let pose = Pose { lat_deg, lon_deg, height_m: middle_m + distance_m, heading_deg: 0.0, pitch_deg: -90.0 };
        let camera = Camera::on(grid.ellipsoid, &pose);
        // The size of a pixel at the ground in the middle; a picture of any size has the same pixels there.
        let fov_y_rad = |rows: f64| 2.0 * (0.5 * rows * pixel_m / distance_m).atan();
        let (columns, rows) = (f64::from(grid.size_px.0), f64::from(grid.size_px.1));
        let mut reach_px = DVec2::new(0.5 * columns, 0.5 * rows);
        let most_slant_cos = MOST_SLANT_DEG.to_radians().cos();
        for (column, row) in border(grid.size_px) {
            let n = grid.normal(column, row);
            let ground_m = height_m(n);
            let point_m = grid.ellipsoid.ecef(n, ground_m);
            let sight = (camera.eye_m - point_m).normalize();
            let at = camera.project(point_m, columns / rows, fov_y_rad(rows));
            let Some(at) = at.filter(|_| n.dot(sight) >= most_slant_cos) else {
                let too_steep = OrthoimageError::TooSteep { rise_m: ground_m - middle_m };
                return Err(if wished_m > FARTHEST_M { grid.too_wide() } else { too_steep });
            };
            reach_px = reach_px.max(at.abs() * 0.5 * DVec2::new(columns, rows));
        }
        // As many more on both sides, so that pixels in the middle stay where they are.
        let more = |reach: f64, pixels: u32| 2 * ((reach - 0.5 * f64::from(pixels)).max(0.0) + MARGIN_PX).ceil() as u32;
        let size_px =
            (grid.size_px.0 + more(reach_px.x, grid.size_px.0), grid.size_px.1 + more(reach_px.y, grid.size_px.1));
        Ok(Orthoimage { grid, camera, fov_y_rad: fov_y_rad(f64::from(size_px.1)), size_px })
    }

    /// The orthoimage of the picture, of ground at the heights of a function.
    pub fn resampled(&self, picture: &RgbImage, height_m: impl Fn(DVec3) -> f64 + Sync) -> RgbImage {
        let aspect = f64::from(self.size_px.0) / f64::from(self.size_px.1);
        let half_px = 0.5 * DVec2::new(f64::from(self.size_px.0), f64::from(self.size_px.1));
        let mut image = RgbImage::new(self.grid.size_px.0, self.grid.size_px.1);
        let columns = self.grid.size_px.0.max(1) as usize;
        image.par_chunks_exact_mut(3 * columns).enumerate().for_each(|(row, pixels)| {
            for (column, pixel) in pixels.chunks_exact_mut(3).enumerate() {
                let n = self.grid.normal(column as f64 + 0.5, row as f64 + 0.5);
                let seen = self.camera.project(self.grid.ellipsoid.ecef(n, height_m(n)), aspect, self.fov_y_rad);
                // All places of the grid are before the eye.
                let seen = seen.unwrap_or_default();
                pixel.copy_from_slice(&colour(picture, (DVec2::new(seen.x, -seen.y) + 1.0) * half_px - 0.5));
            }
        });
        image
    }
}

/// Places along the edges of a grid: corners, and others at most some pixels apart.
fn border((columns, rows): (u32, u32)) -> impl Iterator<Item = (f64, f64)> {
    let along = |pixels: u32| {
        let parts = pixels.div_ceil(STEP_PX);
        (0..=parts).map(move |part| f64::from(pixels) * f64::from(part) / f64::from(parts))
    };
    let (right, bottom) = (f64::from(columns), f64::from(rows));
    let level = along(columns).flat_map(move |column| [(column, 0.0), (column, bottom)]);
    level.chain(along(rows).flat_map(move |row| [(0.0, row), (right, row)]))
}

/// The colour at a point, in pixels from the middle of the first: between those of four pixels.
fn colour(picture: &RgbImage, at: DVec2) -> [u8; 3] {
    let last = DVec2::new(f64::from(picture.width().max(1) - 1), f64::from(picture.height().max(1) - 1));
    let at = at.clamp(DVec2::ZERO, last);
    let (first, part) = (at.floor(), at - at.floor());
    let next = (first + 1.0).min(last);
    let of = |x: f64, y: f64| picture.get_pixel(x as u32, y as u32).0.map(f64::from);
    let (a, b, c, d) = (of(first.x, first.y), of(next.x, first.y), of(first.x, next.y), of(next.x, next.y));
    std::array::from_fn(|i| {
        let (above, below) = (a[i] + (b[i] - a[i]) * part.x, c[i] + (d[i] - c[i]) * part.x);
        (above + (below - above) * part.y).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    /// Ground with slopes of up to 45 degrees.
    fn rough_m(n: DVec3) -> f64 {
        let (lat, lon) = geodesy::lat_lon(n);
        1_500.0 + 600.0 * (lat * 1e4).sin() * (lon * 1e4).cos()
    }

    /// Law: each pixel has the colour of the place that it says, within half a pixel, from a stadium to half a continent, on rough ground too.
    /// The colours of the picture are functions of where its lines of sight meet the ground.
    #[test]
    fn pixels_show_the_places_that_they_say() {
        for (lat_deg, lon_deg, pixel_m) in
            [(46.0, 8.0, 0.3), (46.0, 8.0, 30.0), (-70.0, 179.9, 30.0), (0.0, 20.0, 3_000.0), (50.0, -100.0, 30_000.0)]
        {
            let grid = PixelGrid::around(Ellipsoid::WGS84, (lat_deg, lon_deg), pixel_m, (96, 64)).expect("narrow");
            let ground_m = |n: DVec3| if pixel_m < 1_000.0 { rough_m(n) } else { 0.0 };
            let ortho = Orthoimage::new(grid, ground_m).expect("narrow");
            let place = |x: u32, y: u32| {
                let (width, height) = (f64::from(ortho.size_px.0), f64::from(ortho.size_px.1));
                let (x, y) = (2.0 * (f64::from(x) + 0.5) / width - 1.0, 1.0 - 2.0 * (f64::from(y) + 0.5) / height);
                let ray = ortho.camera.ray(x, y, width / height, ortho.fov_y_rad);
                let mut t = 0.0;
                for _ in 0..50 {
                    let p = ortho.camera.eye_m + ray * t;
                    let above_m = Ellipsoid::WGS84.geodetic(p).height_m - ground_m(Ellipsoid::WGS84.normal_at(p));
                    t += above_m / -ray.dot(Ellipsoid::WGS84.normal_at(p));
                }
                let (lat, lon) = geodesy::lat_lon(Ellipsoid::WGS84.normal_at(ortho.camera.eye_m + ray * t));
                let east_deg = (lon.to_degrees() - grid.west_deg + 180.0).rem_euclid(360.0) - 180.0;
                (east_deg / grid.pixel_deg.0, (grid.north_deg - lat.to_degrees()) / grid.pixel_deg.1)
            };
            // A column or row is two shades apart.
            let shade = |pixels: f64| (40.0 + 2.0 * pixels).round() as u8;
            let picture = RgbImage::from_fn(ortho.size_px.0, ortho.size_px.1, |x, y| {
                let (column, row) = place(x, y);
                Rgb([shade(column), shade(row), 0])
            });
            let image = ortho.resampled(&picture, ground_m);
            for (column, row, pixel) in image.enumerate_pixels() {
                let off = |pixels: u32, channel: u8| (f64::from(channel) - 40.0) / 2.0 - (f64::from(pixels) + 0.5);
                let (x, y) = (off(column, pixel[0]), off(row, pixel[1]));
                // A quarter of a pixel is lost by rounding to a shade.
                assert!(x.abs().max(y.abs()) <= 0.5, "{pixel_m} m a pixel, {column}, {row}: {x} {y} off");
            }
        }
    }

    #[test]
    fn a_box_is_covered_and_pixels_are_square_in_the_middle() {
        for bbox in [[6.0, 45.0, 9.0, 46.5], [179.0, -10.0, -179.0, 10.0], [7.0, 46.0, 7.001, 46.2]] {
            let [west, south, east, north] = bbox;
            let grid = PixelGrid::covering(Ellipsoid::WGS84, bbox, (200, 100)).expect("narrow");
            let (bottom, right) = grid.place_deg(200.0, 100.0);
            let east = if east < west { east + 360.0 } else { east };
            let inside = |low: f64, high: f64| low <= high + 1e-9;
            assert!(inside(grid.west_deg, west) && inside(east, right), "{grid:?}");
            assert!(inside(bottom, south) && inside(north, grid.north_deg), "{grid:?}");
            let (lon_m, lat_m) = degree_m(Ellipsoid::WGS84, grid.middle_deg().0);
            assert!((grid.pixel_deg.0 * lon_m / (grid.pixel_deg.1 * lat_m) - 1.0).abs() < 1e-9);
        }
    }

    /// Law: wide and small views are drawn from where they say, and only ground too steep to be seen from there is refused, as that.
    #[test]
    fn shape_and_size_of_a_view_are_free() {
        for (size_px, pixel_m) in [((2000, 100), 3.0), ((100, 2000), 3.0), ((64, 48), 2e-4)] {
            let grid = PixelGrid::around(Ellipsoid::WGS84, (46.0, 8.0), pixel_m, size_px).expect("narrow");
            let ortho = Orthoimage::new(grid, |_| 1_500.0).expect("level");
            assert!(ortho.camera.height_m() - 1_500.0 > CLEARANCE_M, "{size_px:?}: it would be raised");
            let [width, height] =
                [(ortho.size_px.0, size_px.0), (ortho.size_px.1, size_px.1)].map(|(of, least)| of - least);
            assert!((2..=6).contains(&width) && (2..=6).contains(&height), "{:?} for {size_px:?}", ortho.size_px);
        }
        let grid = PixelGrid::around(Ellipsoid::WGS84, (46.0, 8.0), 1.0, (100, 100)).expect("narrow");
        let pit_m = |n: DVec3| if n.dot(grid.normal(50.0, 50.0)) > 1.0 - 1e-13 { 0.0 } else { 4_000.0 };
        assert_eq!(Orthoimage::new(grid, pit_m).err(), Some(OrthoimageError::TooSteep { rise_m: 4_000.0 }));
    }

    #[test]
    fn ground_beyond_sight_and_poles_are_refused() {
        let refused = |bbox| match PixelGrid::covering(Ellipsoid::WGS84, bbox, (200, 100)) {
            Ok(grid) => Orthoimage::new(grid, |_| 0.0).is_err(),
            Err(_) => true,
        };
        assert!(
            refused([-180.0, -90.0, 180.0, 90.0])
                && refused([0.0, 80.0, 90.0, 90.0])
                && refused([0.0, -60.0, 9.0, 70.0])
        );
        assert!(!refused([-10.0, 35.0, 30.0, 60.0]));
    }
}
