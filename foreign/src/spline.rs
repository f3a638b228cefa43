//! Smooth values through keys at uneven times: cubic Hermite curves that do not overshoot (scalars) and
//! great-circle tracks (unit vectors).

use glam::DVec3;

/// Slopes at the keys of a monotone cubic (Fritsch & Carlson, SIAM J. Numer. Anal. 17, 1980): between
/// two keys the curve never leaves their range. Flat at both ends, so motion starts and ends at rest.
///
/// `times` strictly increase; one slope a key.
pub fn monotone_slopes(times: &[f64], values: &[f64]) -> Vec<f64> {
    let secants: Vec<f64> =
        times.windows(2).zip(values.windows(2)).map(|(t, v)| (v[1] - v[0]) / (t[1] - t[0])).collect();
    let mut slopes = vec![0.0; values.len()];
    for key in 1..values.len().saturating_sub(1) {
        let (before, after) = (secants[key - 1], secants[key]);
        if before * after > 0.0 {
            // Weighted harmonic mean (Fritsch & Butland 1984) for uneven times.
            let (h0, h1) = (times[key] - times[key - 1], times[key + 1] - times[key]);
            let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
            slopes[key] = (w0 + w1) / (w0 / before + w1 / after);
        }
    }
    slopes
}

/// Velocities at the keys of a track of unit vectors: through the neighbours, zero at both ends.
pub fn track_velocities(times: &[f64], points: &[DVec3]) -> Vec<DVec3> {
    let mut velocities = vec![DVec3::ZERO; points.len()];
    for key in 1..points.len().saturating_sub(1) {
        let (h0, h1) = (times[key] - times[key - 1], times[key + 1] - times[key]);
        let before = (points[key] - points[key - 1]) / h0;
        let after = (points[key + 1] - points[key]) / h1;
        let tangent = (before * h1 + after * h0) / (h0 + h1);
        let flat = tangent - points[key] * points[key].dot(tangent);
        // A stop or a sharp turn next to a long leg must not swing out.
        let limit = 2.0 * before.length().min(after.length());
        velocities[key] = flat.clamp_length_max(limit);
    }
    velocities
}

/// Cubic Hermite basis at `u` in [0, 1]: weights of (start, start slope, end, end slope).
///
/// ```
/// use foreign::spline::hermite;
/// assert_eq!([hermite(0.0), hermite(1.0)], [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
/// let [start, _, end, _] = hermite(0.3);
/// assert!((start + end - 1.0).abs() < 1e-12);
/// ```
pub fn hermite(u: f64) -> [f64; 4] {
    let (u2, u3) = (u * u, u * u * u);
    [2.0 * u3 - 3.0 * u2 + 1.0, u3 - 2.0 * u2 + u, 3.0 * u2 - 2.0 * u3, u3 - u2]
}

/// The leg that `t` falls in and the part of it that has passed; clamped to the keys.
pub fn leg(times: &[f64], t: f64) -> (usize, f64) {
    let last = times.len().saturating_sub(2);
    let key = times.partition_point(|&key| key <= t).saturating_sub(1).min(last);
    let span = times[(key + 1).min(times.len() - 1)] - times[key];
    let u = if span > 0.0 { ((t - times[key]) / span).clamp(0.0, 1.0) } else { 0.0 };
    (key, u)
}

/// A scalar at leg `key`, part `u`.
///
/// ```
/// use foreign::spline::{leg, monotone_slopes, scalar};
/// let (times, values) = ([0.0, 1.0, 4.0], [10.0, 20.0, 21.0]);
/// let slopes = monotone_slopes(&times, &values);
/// let at = |t: f64| scalar(&times, &values, &slopes, leg(&times, t));
/// assert_eq!((at(0.0), at(1.0), at(9.0)), (10.0, 20.0, 21.0));
/// assert!(at(2.0) > 20.0 && at(2.0) < 21.0); // it does not overshoot
/// ```
pub fn scalar(times: &[f64], values: &[f64], slopes: &[f64], (key, u): (usize, f64)) -> f64 {
    let next = (key + 1).min(values.len() - 1);
    let [a, da, b, db] = hermite(u);
    let span = times[next] - times[key];
    values[key] * a + slopes[key] * span * da + values[next] * b + slopes[next] * span * db
}

/// A unit vector at leg `key`, part `u`.
///
/// The end points blend by angle along their great circle, not along the chord, so that long legs keep
/// an even pace; the velocities add their Hermite parts.
///
/// ```
/// use foreign::spline::{leg, track, track_velocities};
/// use glam::DVec3;
/// let (times, points) = ([0.0, 2.0], [DVec3::X, DVec3::Y]);
/// let halfway = track(&times, &points, &track_velocities(&times, &points), leg(&times, 1.0));
/// assert!(halfway.distance(DVec3::new(1.0, 1.0, 0.0).normalize()) < 1e-12);
/// ```
pub fn track(times: &[f64], points: &[DVec3], velocities: &[DVec3], (key, u): (usize, f64)) -> DVec3 {
    let next = (key + 1).min(points.len() - 1);
    let [_, da, b, db] = hermite(u);
    let span = times[next] - times[key];
    let between = slerp(points[key], points[next], b);
    (between + velocities[key] * span * da + velocities[next] * span * db).normalize()
}

/// Great-circle interpolation of unit vectors.
fn slerp(a: DVec3, b: DVec3, u: f64) -> DVec3 {
    let angle = a.cross(b).length().atan2(a.dot(b));
    if angle < 1e-9 {
        return a;
    }
    (a * ((1.0 - u) * angle).sin() + b * (u * angle).sin()) / angle.sin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_pass_through_their_keys_and_never_overshoot() {
        let times = [0.0, 1.0, 1.5, 4.0, 9.0];
        let values = [3.0, 3.0, 10.0, 9.0, -5.0];
        let slopes = monotone_slopes(&times, &values);
        for i in 0..=900 {
            let t = f64::from(i) * 0.01;
            let at = leg(&times, t);
            let v = scalar(&times, &values, &slopes, at);
            let (low, high) = (values[at.0].min(values[at.0 + 1]), values[at.0].max(values[at.0 + 1]));
            assert!(v >= low - 1e-12 && v <= high + 1e-12, "{t}: {v}");
        }
        for (t, v) in times.iter().zip(values) {
            assert!((scalar(&times, &values, &slopes, leg(&times, *t)) - v).abs() < 1e-12);
        }
    }

    #[test]
    fn a_track_has_no_jump_and_no_kink() {
        let n = |lat: f64, lon: f64| {
            let ((sin, cos), (east, along)) = (lat.to_radians().sin_cos(), lon.to_radians().sin_cos());
            DVec3::new(cos * along, cos * east, sin)
        };
        // Over the north pole and across the antimeridian.
        let points = [n(60.0, 0.0), n(85.0, 0.0), n(80.0, 180.0), n(40.0, -179.0)];
        let times = [0.0, 3.0, 5.0, 11.0];
        let velocities = track_velocities(&times, &points);
        let at = |t: f64| track(&times, &points, &velocities, leg(&times, t));
        let dt = 1e-3;
        let mut before: Option<DVec3> = None;
        for i in 1..11_000 {
            let velocity = (at(f64::from(i) * dt) - at(f64::from(i - 1) * dt)) / dt;
            if let Some(before) = before {
                assert!((velocity - before).length() < 2e-3, "kink at {}", f64::from(i) * dt);
            }
            before = Some(velocity);
        }
        for (t, p) in times.iter().zip(points) {
            assert!((at(*t) - p).length() < 1e-12);
        }
    }

    #[test]
    fn times_outside_the_keys_hold_the_ends() {
        let times = [1.0, 2.0, 4.0];
        assert_eq!(leg(&times, 0.0), (0, 0.0));
        assert_eq!(leg(&times, 9.0), (1, 1.0));
        assert_eq!(leg(&[3.0], 9.0), (0, 0.0));
    }
}
