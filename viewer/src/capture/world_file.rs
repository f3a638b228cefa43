//! Where on Earth are the pixels of a picture that looks straight down? Six numbers in a file beside it, as GIS programs
//! read them.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::atomic_file::AtomicFile;
use super::image_file::ImageFormat;
use crate::camera::Camera;

/// Farthest from straight down, degrees.
const STRAIGHT_DOWN_DEG: f64 = 0.1;
/// Farthest that a corner of the picture may lie from where the six numbers put it, pixels: on a wider view the Earth is
/// too round for them.
const MOST_OFF_PX: f64 = 1.0;
/// Part of the picture's half across which the size of a pixel is taken.
const STEP: f64 = 0.1;

/// From columns and rows to longitude and latitude on WGS84, degrees: `x = a col + b row + c`, `y = d col + e row + f`,
/// at the middle of pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldFile {
    /// Degrees of longitude a column, a row, and of the first pixel.
    pub x: [f64; 3],
    /// Degrees of latitude a column, a row, and of the first pixel.
    pub y: [f64; 3],
}

impl WorldFile {
    /// Of a picture of level ground at `ground_m` above the datum; none if it does not look straight down, or too far.
    pub fn of(camera: &Camera, fov_y_rad: f64, size_px: (u32, u32), ground_m: f64) -> Option<WorldFile> {
        if camera.pose().pitch_deg > -90.0 + STRAIGHT_DOWN_DEG {
            return None;
        }
        let (width, height) = (f64::from(size_px.0), f64::from(size_px.1));
        let (lat0, lon0) = ground_at(camera, 0.0, 0.0, width / height, fov_y_rad, ground_m)?;
        let at = |x: f64, y: f64| {
            let (lat, lon) = ground_at(camera, x, y, width / height, fov_y_rad, ground_m)?;
            // From the middle, the short way round.
            Some((lat - lat0, (lon - lon0 + 180.0).rem_euclid(360.0) - 180.0))
        };
        let across = |plus: (f64, f64), minus: (f64, f64), pixels: f64| {
            ((plus.0 - minus.0) / pixels, (plus.1 - minus.1) / pixels)
        };
        let (lat_col, lon_col) = across(at(STEP, 0.0)?, at(-STEP, 0.0)?, STEP * width);
        // Rows go down, the picture's y goes up.
        let (lat_row, lon_row) = across(at(0.0, -STEP)?, at(0.0, STEP)?, STEP * height);
        let (col0, row0) = (0.5 * (width - 1.0), 0.5 * (height - 1.0));
        let file = WorldFile {
            x: [lon_col, lon_row, lon0 - lon_col * col0 - lon_row * row0],
            y: [lat_col, lat_row, lat0 - lat_col * col0 - lat_row * row0],
        };
        let pixel_deg = lat_col.hypot(lat_row);
        let off_px = |x: f64, y: f64| {
            let (lat, lon) = at(x, y)?;
            let (col, row) = (0.5 * x * width, -0.5 * y * height);
            let off_lat = lat - (lat_col * col + lat_row * row);
            let off_lon = (lon - (lon_col * col + lon_row * row)) * lat0.to_radians().cos();
            Some(off_lat.hypot(off_lon) / pixel_deg)
        };
        let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
        corners.iter().all(|&(x, y)| off_px(x, y).is_some_and(|off| off <= MOST_OFF_PX)).then_some(file)
    }

    /// The lines of the file.
    pub fn to_text(self) -> String {
        let ([a, b, c], [d, e, f]) = (self.x, self.y);
        [a, d, b, e, c, f].map(|number| format!("{number:.15}\n")).concat()
    }

    /// The file beside a picture: `a.pgw` for `a.png`, `a.jgw` for `a.jpg`, `a.wld` for others.
    pub fn path_for(picture: &Path) -> PathBuf {
        picture.with_extension(match ImageFormat::of(picture) {
            Some(ImageFormat::Png) => "pgw",
            Some(ImageFormat::Jpeg) => "jgw",
            Some(ImageFormat::WebP | ImageFormat::Exr) | None => "wld",
        })
    }

    /// Whether the file beside a picture can be written.
    ///
    /// # Errors
    /// What the system says.
    pub fn check_beside(picture: &Path) -> io::Result<()> {
        AtomicFile::create(&WorldFile::path_for(picture)).map(drop)
    }

    /// Writes the file beside a picture.
    ///
    /// # Errors
    /// What the system says.
    pub fn write_beside(self, picture: &Path) -> io::Result<()> {
        let mut out = AtomicFile::create(&WorldFile::path_for(picture))?;
        out.write_all(self.to_text().as_bytes())?;
        out.commit()
    }
}

/// Latitude and longitude in degrees where the ray through a point of the picture comes down to a height; none if it does
/// not.
fn ground_at(camera: &Camera, x: f64, y: f64, aspect: f64, fov_y_rad: f64, ground_m: f64) -> Option<(f64, f64)> {
    let ray = camera.ray(x, y, aspect, fov_y_rad);
    let mut t = 0.0;
    // Newton's method on the height along the ray, which falls almost evenly.
    for _ in 0..12 {
        let p = camera.eye_m + ray * t;
        let falls = -ray.dot(camera.ellipsoid.normal_at(p));
        if falls < 0.05 {
            return None;
        }
        t += (camera.ellipsoid.height_m(p) - ground_m) / falls;
    }
    let place = camera.ellipsoid.geodetic(camera.eye_m + ray * t);
    ((place.height_m - ground_m).abs() < 0.01).then_some((place.lat_rad.to_degrees(), place.lon_rad.to_degrees()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;

    const FOV: f64 = 0.8;

    fn down(lat_deg: f64, lon_deg: f64, height_m: f64, heading_deg: f64) -> Camera {
        Camera::from_pose(&Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg: -90.0 })
    }

    /// Law: the six numbers put every pixel where its ray meets the ground, within a pixel, whichever way is up and across
    /// 180 degrees too.
    #[test]
    fn pixels_lie_where_their_rays_meet_the_ground() {
        let size = (640, 400);
        for (lat, lon, heading) in [(46.0, 8.0, 0.0), (-33.0, 151.0, 77.0), (0.0, 179.9999, 200.0)] {
            let camera = down(lat, lon, 3_500.0, heading);
            let file = WorldFile::of(&camera, FOV, size, 500.0).expect("straight down");
            for (col, row) in [(0.0, 0.0), (639.0, 399.0), (0.0, 399.0), (320.0, 100.0)] {
                let (x, y) = ((col + 0.5) / 320.0 - 1.0, 1.0 - (row + 0.5) / 200.0);
                let (is_lat, is_lon) = ground_at(&camera, x, y, 1.6, FOV, 500.0).expect("ground");
                let at = |[a, b, c]: [f64; 3]| a * col + b * row + c;
                let off_lon = (at(file.x) - is_lon + 180.0).rem_euclid(360.0) - 180.0;
                let pixel_deg = (2.0 * 3_000.0 * (0.5 * FOV).tan() / 400.0 / 6.371e6f64).to_degrees();
                let off = (at(file.y) - is_lat).hypot(off_lon * is_lat.to_radians().cos()) / pixel_deg;
                assert!(off < 1.0, "{lat} {lon} {heading}: {off} px");
            }
            if heading == 0.0 {
                assert!(file.x[0] > 0.0 && file.y[1] < 0.0 && file.y[0].abs() < 1e-9, "north is up: {file:?}");
            }
        }
    }

    #[test]
    fn views_that_six_numbers_cannot_tell_have_none() {
        let of = |camera: &Camera| WorldFile::of(camera, FOV, (1280, 720), 0.0);
        assert_eq!(of(&down(46.0, 8.0, 3e6, 0.0)), None, "too wide");
        assert_eq!(of(&down(90.0, 0.0, 5e3, 0.0)), None, "no longitudes at a pole");
        assert_eq!(of(&down(46.0, 8.0, 5e3, 0.0).turned(0.0, 0.1)), None, "not straight down");
        assert!(of(&down(46.0, 8.0, 5e3, 0.0)).is_some());
    }

    #[test]
    fn the_file_has_six_lines_in_their_order() {
        let file = WorldFile { x: [1.0, 2.0, 3.0], y: [4.0, 5.0, 6.0] };
        let numbers: Vec<f64> = file.to_text().lines().map(|line| line.parse().expect("a number")).collect();
        assert_eq!(numbers, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    }
}
