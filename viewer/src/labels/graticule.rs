//! Where can meridians and parallels be labelled? On each of them half-way between two of the others.

use glam::DVec3;
use terrain::geodesy::{lat_lon, n_vector};

use super::anchor::LabelAnchor;
use super::label_view::LabelView;
use super::subject::{Subject, digits, thousandths};

/// Steps of the graticule to each side of the eye: further away lines are too close on screen.
const STEPS: i32 = 11;

/// Spots on lines `step_deg` apart, a whole number of thousandths; those on the side of the picture where labels stand come first.
pub(super) fn in_view(eye: &LabelView<'_>, step_deg: f64, ground_m: f64) -> Vec<LabelAnchor> {
    let step = thousandths(step_deg);
    let digits = digits(step);
    let (lat_rad, lon_rad) = lat_lon(eye.camera.normal());
    let number = |rad: f64, step: i32| (rad.to_degrees() * 1000.0 / f64::from(step)).floor() as i32;
    let row = number(lat_rad, step);
    let size_pt = eye.size_pt();
    let all_ground = is_all_ground(eye);
    let mut found: Vec<(f64, LabelAnchor)> = Vec::new();
    let spots = (row - STEPS..=row + STEPS).filter(|row| (row * step).abs() < 90_000).flat_map(|row| {
        let apart = between_meridians(step, row);
        let (column, columns) = (number(lon_rad, apart), STEPS.min(180_000 / apart));
        (column - columns..column + columns).map(move |column| (row, column, apart))
    });
    for (row, column, apart) in spots {
        for is_parallel in [true, false] {
            // In halves of a step: on the line, and half-way to the next of the others.
            let (lat, lon) = if is_parallel { (2 * row, 2 * column + 1) } else { (2 * row + 1, 2 * column) };
            let [half_lat_deg, half_lon_deg] = [step, apart].map(|step| f64::from(step) / 2000.0);
            let (lat_deg, lon_deg) = (f64::from(lat) * half_lat_deg, f64::from(lon) * half_lon_deg);
            // Where meridians meet, none has a place of its own.
            if !is_parallel && lat_deg.abs() > 88.0 {
                continue;
            }
            let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
            // Cheaply at first: most of them are not in the picture.
            let Some(about) = eye.on_screen(eye.camera.ellipsoid.ecef(n, ground_m)) else { continue };
            if about.cmplt(-0.1 * size_pt).any() || about.cmpgt(1.1 * size_pt).any() {
                continue;
            }
            let height_m = eye.seen.height_m(n);
            let position_m = eye.camera.ellipsoid.ecef(n, height_m);
            let next = if is_parallel {
                (lat_deg + 2.0 * half_lat_deg, lon_deg)
            } else {
                (lat_deg, lon_deg + 2.0 * half_lon_deg)
            };
            let next_m = eye.camera.ellipsoid.ecef(n_vector(next.0.to_radians(), next.1.to_radians()), height_m);
            let east = DVec3::new(-n.y, n.x, 0.0).normalize_or_zero();
            let line =
                if is_parallel { Subject::Parallel(row * step) } else { Subject::Meridian(wrapped(column * apart)) };
            let along = if is_parallel { east } else { n.cross(east) };
            let anchor =
                LabelAnchor { subject: line, position_m, up: n, along, to_next_m: next_m - position_m, digits };
            // A map has its labels at the left and at the bottom, a globe through the middle.
            let part = about / size_pt;
            let away = match (all_ground, is_parallel) {
                (true, true) => part.x - 0.06,
                (true, false) => part.y - 0.92,
                (false, true) => part.x - 0.5,
                (false, false) => part.y - 0.5,
            };
            found.push((away.abs(), anchor));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.into_iter().map(|(_, anchor)| anchor).collect()
}

/// Between the meridians that are seen above and below a parallel, thousandths of a degree: towards a pole only some of them are drawn, as
/// `grid_lines` of `shaders/viewer/ground_overlays.wgsl` chooses.
fn between_meridians(step: i32, row: i32) -> i32 {
    let tenth = if 10 * step > 20_600 { 30_000 } else { 10 * step };
    let hundredth = if 100 * step > 10_300 { 90_000 } else { 100 * step };
    let lat_rad = (f64::from(step) / 1000.0 * (f64::from(row) + 0.5)).to_radians();
    let is_wide = |apart: &i32| f64::from(*apart) * lat_rad.cos() > 0.4 * f64::from(step);
    [step, tenth].into_iter().find(is_wide).unwrap_or(hundredth)
}

/// Whether there is no sky in the picture: the rays through its corners meet the Earth.
fn is_all_ground(eye: &LabelView<'_>) -> bool {
    let radius_m = eye.camera.ellipsoid.semi_minor_m();
    let sine = radius_m / eye.camera.eye_m.length().max(radius_m);
    let down = -eye.camera.eye_m.normalize_or_zero();
    [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].into_iter().all(|(x, y)| {
        let cos = eye.camera.ray(x, y, eye.viewport.aspect(), eye.lens.fov_y_rad).dot(down);
        cos > 0.0 && 1.0 - cos * cos < sine * sine
    })
}

/// Thousandths of a degree in (-180 000, 180 000].
fn wrapped(lon: i32) -> i32 {
    180_000 - (180_000 - lon).rem_euclid(360_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meridians_are_further_apart_towards_the_poles() {
        let of_two_degrees = [0, 30, 37, -42, 43, 44].map(|row| between_meridians(2_000, row));
        assert_eq!(of_two_degrees, [2_000, 2_000, 20_000, 20_000, 20_000, 90_000]);
        assert_eq!([0, 700, 889].map(|row| between_meridians(100, row)), [100, 1_000, 10_000]);
        assert_eq!([0, 4, 5].map(|row| between_meridians(15_000, row)), [15_000, 30_000, 90_000]);
    }

    #[test]
    fn longitudes_wrap_at_the_date_line() {
        assert_eq!([-180_000, 180_000, 185_000, -185_000, 0].map(wrapped), [180_000, 180_000, -175_000, 175_000, 0]);
    }
}
