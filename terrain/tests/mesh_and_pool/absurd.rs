//! Cameras that nobody means.

use std::f64::consts::PI;

use glam::DVec3;
use terrain::View;

/// Views that are none: not finite, without a direction, a field or a pixel.
pub fn refused(sound: View) -> Vec<View> {
    let mut views = Vec::new();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for axis in 0..3 {
            let with = |mut v: DVec3| {
                v[axis] = bad;
                v
            };
            views.push(sound.with_eye_m(with(sound.eye_m)));
            views.push(sound.with_forward(with(sound.forward)));
            views.push(sound.with_up(with(sound.up)));
        }
    }
    views.push(sound.with_forward(DVec3::ZERO));
    views.push(sound.with_up(DVec3::ZERO));
    views.push(sound.with_up(-3.0 * sound.forward));
    let fields = [0.0, -1.0, PI, 7.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    views.extend(fields.map(|fov_y_rad| sound.with_fov_y_rad(fov_y_rad)));
    views.extend([(0, 0), (0, 200), (320, 0)].map(|size_px| sound.with_size_px(size_px)));
    views
}

/// Views that are, however odd: in the middle of the Earth, further than f32 can tell, through a pinhole, over half the sky.
pub fn odd(sound: View) -> Vec<View> {
    let mut views = Vec::new();
    for far_m in [0.0, f64::MIN_POSITIVE, 1e-3, 1.0, 3e6, 6.3e6, 1e9, 1e13, 1e20, 1e40, 1e160, 1e308] {
        views.push(sound.with_eye_m(sound.eye_m.normalize() * far_m));
        views.push(sound.with_eye_m(DVec3::Z * far_m));
    }
    let fields = [f64::MIN_POSITIVE, 1e-160, 1e-40, 1e-20, 1e-9, 1e-3, 3.1, PI - 1e-9, PI.next_down()];
    views.extend(fields.map(|fov_y_rad| sound.with_fov_y_rad(fov_y_rad)));
    let sizes = [(1, 1), (1, u32::MAX), (u32::MAX, 1), (u32::MAX, u32::MAX)];
    views.extend(sizes.map(|size_px| sound.with_size_px(size_px)));
    let lengths = [1e-100, 1e100];
    views.extend(lengths.map(|length| sound.with_forward(sound.forward * length).with_up(sound.up / length)));
    views
}
