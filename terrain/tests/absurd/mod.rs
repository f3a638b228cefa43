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
            views.push(View { eye_m: with(sound.eye_m), ..sound });
            views.push(View { forward: with(sound.forward), ..sound });
            views.push(View { up: with(sound.up), ..sound });
        }
    }
    views.push(View { forward: DVec3::ZERO, ..sound });
    views.push(View { up: DVec3::ZERO, ..sound });
    views.push(View { up: -3.0 * sound.forward, ..sound });
    let fields = [0.0, -1.0, PI, 7.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    views.extend(fields.map(|fov_y_rad| View { fov_y_rad, ..sound }));
    views.extend([(0, 0), (0, 200), (320, 0)].map(|size_px| View { size_px, ..sound }));
    views
}

/// Views that are, however odd: in the middle of the Earth, further than f32 can tell, through a pinhole, over half the sky.
pub fn odd(sound: View) -> Vec<View> {
    let mut views = Vec::new();
    for far_m in [0.0, f64::MIN_POSITIVE, 1e-3, 1.0, 3e6, 6.3e6, 1e9, 1e13, 1e20, 1e40, 1e160, 1e308] {
        views.push(View { eye_m: sound.eye_m.normalize() * far_m, ..sound });
        views.push(View { eye_m: DVec3::Z * far_m, ..sound });
    }
    let fields = [f64::MIN_POSITIVE, 1e-160, 1e-40, 1e-20, 1e-9, 1e-3, 3.1, PI - 1e-9, PI.next_down()];
    views.extend(fields.map(|fov_y_rad| View { fov_y_rad, ..sound }));
    let sizes = [(1, 1), (1, u32::MAX), (u32::MAX, 1), (u32::MAX, u32::MAX)];
    views.extend(sizes.map(|size_px| View { size_px, ..sound }));
    let lengths = [1e-100, 1e100];
    views.extend(lengths.map(|length| View { forward: sound.forward * length, up: sound.up / length, ..sound }));
    views
}
