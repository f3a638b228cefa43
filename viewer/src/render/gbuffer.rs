//! What does the G-buffer hold of the ground for a shading pass? Besides depth 64 bits a sample: the height, the slope of
//! the mesh, and how much that counts. Where the ground is and which way is up there follow from the depth.

use glam::{Vec2, Vec3};
use kernels::device;
use terrain::geodesy::single::{AXIS_RATIO, ECCENTRICITY_SQUARED, SEMI_MAJOR_M};

/// Bits of the two slopes of a sample, and of the weight above them.
#[device]
const SLOPE_BITS: u32 = 12;
/// Steps of a bent slope from level to vertical.
#[device]
const SLOPE_STEPS: f32 = 2047.0;
/// Steps of the weight.
#[device]
const WEIGHT_STEPS: f32 = 255.0;
/// Least part of the way to vertical that is left: the steepest slope is one less than its reciprocal.
#[device]
const STEEPEST: f32 = 1.0 / 4096.0;

/// A slope as a number of steps: fine where the ground is level, coarse where it is steep.
#[device]
fn slope_steps(slope: f32) -> u32 {
    (slope / (1.0 + slope.abs()) * SLOPE_STEPS + (SLOPE_STEPS + 1.5)) as u32
}

/// Slopes along two axes, metres a metre, and a weight from 0 to 1, in 32 bits.
#[device]
fn pack_slope(slope: Vec2, weight: f32) -> u32 {
    let along = slope_steps(slope.x) | slope_steps(slope.y) << SLOPE_BITS;
    along | ((weight * WEIGHT_STEPS + 0.5) as u32) << (2 * SLOPE_BITS)
}

/// The slope of a number of steps.
#[device]
fn slope_of(steps: u32) -> f32 {
    let bent = (steps as f32 - (SLOPE_STEPS + 1.0)) / SLOPE_STEPS;
    bent / (1.0 - bent.abs()).max(STEEPEST)
}

/// Both slopes, and the weight as z.
#[device]
fn unpack_slope(bits: u32) -> Vec3 {
    let mask = (1u32 << SLOPE_BITS) - 1;
    let weight = (bits >> (2 * SLOPE_BITS)) as f32 / WEIGHT_STEPS;
    Vec3::new(slope_of(bits & mask), slope_of(bits >> SLOPE_BITS & mask), weight)
}

/// A vector across the unit vector `from`, turned with it along the shortest arc to the unit vector `to`. Nothing that an eye
/// above `from` sees is opposite.
#[device]
fn carried(v: Vec3, from: Vec3, to: Vec3) -> Vec3 {
    v - (from + to) * (v.dot(to) / (1.0 + from.dot(to)).max(1e-3))
}

/// A unit vector across another: the first axis of slopes; the second is across both.
#[device]
fn first_axis(up: Vec3) -> Vec3 {
    let pole: Vec3 = if up.z.abs() < 0.9 { Vec3::new(0.0, 0.0, 1.0) } else { Vec3::new(1.0, 0.0, 0.0) };
    pole.cross(up).normalize()
}

/// A gradient across `n` as slopes along the axes of the unit normal `up` under the eye, which all of a frame share.
#[device]
fn slope_of_gradient(gradient: Vec3, n: Vec3, up: Vec3) -> Vec2 {
    let level = carried(gradient, n, up);
    let axis = first_axis(up);
    Vec2::new(level.dot(axis), level.dot(up.cross(axis)))
}

/// The way back.
#[device]
fn gradient_of_slope(slope: Vec2, n: Vec3, up: Vec3) -> Vec3 {
    let axis = first_axis(up);
    carried(axis * slope.x + up.cross(axis) * slope.y, up, n)
}

/// Unit geodetic normal at a place in metres from the middle of the Earth, in the space where the ellipsoid is a sphere.
///
/// With h above the ellipsoid and N its radius of curvature across the meridian, x and y are N + h times those of the normal,
/// and z is N (1 - e^2) + h times. N + h is the distance from the middle here, and N the equator's radius, but for the flattening
/// of what is multiplied by e^2: at the top of Everest that turns the normal by 1e-7, as much as rounding does.
#[device]
fn normal_at(sphere_m: Vec3) -> Vec3 {
    let radius_m = sphere_m.length();
    let stretch = AXIS_RATIO * radius_m / (radius_m - ECCENTRICITY_SQUARED * SEMI_MAJOR_M);
    Vec3::new(sphere_m.x, sphere_m.y, sphere_m.z * stretch).normalize()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use terrain::geodesy::{self, Geodetic};

    use super::*;
    use terrain::geodesy::Ellipsoid;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const TEXT: &str = device::module!(pack_slope, unpack_slope, slope_of_gradient, gradient_of_slope, normal_at);
        let header = "// What does the G-buffer hold of the ground for a shading pass?\n\
                      // Generated from viewer/src/render/gbuffer.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/gbuffer.wgsl");
        device::check_generated(path, header, TEXT).unwrap();
    }

    /// Law: slopes come back to half a thousandth where the ground is level and to a thousandth of the angle everywhere, and the weights 0
    /// and 1 as they were.
    #[test]
    fn slopes_come_back() {
        for i in -400..=400 {
            let slope = Vec2::new((i as f32 * 0.0055).sinh() * 3.0, -i as f32 * 0.01);
            let weight = (i + 400) as f32 / 800.0;
            let back = unpack_slope(pack_slope(slope, weight));
            for (got, want) in [(back.x, slope.x), (back.y, slope.y)] {
                assert!((got - want).abs() <= 2.6e-4 * (1.0 + want.abs()).powi(2), "{got} for {want}");
            }
            assert!((back.z - weight).abs() <= 0.5 / 255.0 + 1e-6, "{} for {weight}", back.z);
        }
        let ends = [0.0, 1.0].map(|weight| unpack_slope(pack_slope(Vec2::new(-1e9, 1e9), weight)));
        assert_eq!([ends[0].z, ends[1].z], [0.0, 1.0]);
        assert!(ends.iter().all(|end| end.x < -1e3 && end.y > 1e3 && end.is_finite()), "{ends:?}");
        assert_eq!(unpack_slope(pack_slope(Vec2::ZERO, 0.0)), Vec3::ZERO);
    }

    /// Law: a gradient comes back from slopes along the eye's axes, wherever the eye is and whatever it sees.
    #[test]
    fn gradients_come_back() {
        for (lat, lon) in [(0.0, 0.0), (1.4, 0.3), (1.57, -2.0), (-0.9, 3.1), (0.45, 1.5)] {
            let up = geodesy::n_vector(lat, lon);
            for (away, to) in [(0.0, 0.0), (1e-5, 1.0), (0.3, 2.0), (1.2, 4.0), (1.55, 5.5)] {
                let (east, north, _) = geodesy::east_north_up(up);
                let n = up * f64::cos(away) + (east * f64::cos(to) + north * f64::sin(to)) * f64::sin(away);
                let gradient = n.cross(DVec3::new(0.3, -0.5, 0.7));
                let [up, n, gradient] = [up, n, gradient].map(|v| v.as_vec3());
                let back = gradient_of_slope(slope_of_gradient(gradient, n, up), n, up);
                assert!((back - gradient).length() < 1e-5, "{back} for {gradient}");
            }
        }
    }

    /// Law: the normal is that of the place, to a metre on the ground, from the deepest trench to the highest summit.
    #[test]
    fn normals_are_geodetic() {
        for lat_deg in (-90..=90).step_by(5) {
            for height_m in [-11_000.0, 0.0, 2_000.0, 8_849.0] {
                let place = Geodetic::from_degrees(f64::from(lat_deg), f64::from(lat_deg * 7), height_m);
                let sphere_m = place.to_ecef(Ellipsoid::WGS84)
                    * DVec3::new(1.0, 1.0, Ellipsoid::WGS84.semi_major_m() / Ellipsoid::WGS84.semi_minor_m());
                let off = normal_at(sphere_m.as_vec3()).as_dvec3() - place.normal();
                assert!(off.length() * Ellipsoid::WGS84.semi_major_m() < 1.5, "{lat_deg} degrees, {height_m} m: {off}");
            }
        }
    }
}
