//! Is the metric the same on the device, and does it cull nothing that may be seen?

use super::*;
use crate::cube::FacePoint;
use crate::geodesy::{Geodetic, ecef};
use kernels::device::DeviceFunction;

#[test]
fn the_shader_is_what_this_file_generates() {
    const URGENCY: &str = device::module!(
        BOUND_OVER_EDGE,
        BOUND_OVER_ERROR,
        MORPH_DEPTH,
        ratio_of,
        seen_ratio,
        morph_weight,
        least_error_m,
    );
    let question =
        "How urgent is a vertex, and how far has it moved to its place? A pure function of the vertex and the view.";
    crate::generated::check("urgency.wgsl", question, "metric", URGENCY);
    let question = "How urgent is a vertex whose error is `ratio` times what is tolerated? Quarter octaves.";
    crate::generated::check("pool/bucket_of_ratio.wgsl", question, "metric", bucket_of_ratio::WGSL);
}

fn random(i: u32, salt: u32) -> f32 {
    crate::pool::mix32(200 * i + salt) as f32 / u32::MAX as f32
}

/// Law: the device's ratios and weights are the CPU's to a few units in the last place, its buckets the CPU's but at their
/// borders, least errors bit-equal.
#[test]
fn the_metric_means_the_same_on_the_device() {
    let gpu = kernels::gpu::Gpu::new(&Default::default()).unwrap();
    let kernels = kernels::Kernels::new(&gpu.device).unwrap();
    let eye = Geodetic::from_degrees(46.0, 8.0, 6_000.0);
    let view = crate::View {
        eye_m: eye.to_ecef(),
        forward: DVec3::Y,
        up: eye.normal(),
        fov_y_rad: 0.9,
        size_px: (1920, 1080),
    };
    let occluder = Occluder::below(-10_376.0);
    let metric = Metric::new(&view.frame(occluder).unwrap(), occluder, &Quality::default());
    let near = |a: &f32, b: &f32| (a - b).abs() <= 1e-6 * a.abs();
    let rows: Vec<_> = (0..4_000)
        .map(|i| {
            let edge_m = 2f32.powf(25.0 * random(i, 0));
            // Apart from where the ground comes to the eye's feet, and distances cancel.
            let to_vertex_m = edge_m * 2f32.powf(8.0 * random(i, 1));
            (metric, to_vertex_m, edge_m, edge_m * random(i, 2))
        })
        .filter(|row| (row.1 / (REACH_OVER_EDGE * row.2) - 1.0).abs() > 0.1)
        .collect();
    kernels::laws::check_function::<ratio_of>(&kernels, &gpu, &rows, near).unwrap();
    let ratios: Vec<f32> = rows.iter().map(|&row| ratio_of::call(row)).collect();
    let weights: Vec<_> = ratios.iter().map(|&ratio| (ratio, metric.morph_scale)).collect();
    kernels::laws::check_function::<morph_weight>(&kernels, &gpu, &weights, |a, b| (a - b).abs() <= 1e-6 * a.max(1.0))
        .unwrap();
    let inside = |ratio: f32| (4.0 * ratio.log2()).fract().abs() > 1e-3 || ratio < 1.0;
    let buckets: Vec<_> = ratios.iter().filter(|&&ratio| inside(ratio)).map(|&ratio| (ratio,)).collect();
    assert!(buckets.len() > 3_000);
    kernels::laws::check_function::<bucket_of_ratio>(&kernels, &gpu, &buckets, |a, b| a == b).unwrap();
}

/// Law: of a sphere that is called hidden no point can see the eye past the occluder; one that is called outside is outside in
/// f64, but for a millionth of its distance.
#[test]
fn what_may_be_seen_is_never_culled() {
    let occluder = Occluder::below(-10_376.0);
    let vector = |i: u32, salt: u32| {
        let axis = |k: u32| f64::from(random(i, salt + k)) - 0.5;
        DVec3::new(axis(0), axis(1), axis(2)).normalize()
    };
    let (mut hidden, mut outside) = (0, 0);
    for i in 0..4_000 {
        let eye_m = ecef(vector(i, 0), 2f64.powf(1.0 + 24.0 * f64::from(random(i, 9))));
        let view = crate::View { eye_m, forward: vector(i, 5), up: vector(i, 6), fov_y_rad: 0.9, size_px: (640, 480) };
        let frame = view.frame(occluder).unwrap();
        let metric = Metric::new(&frame, occluder, &Quality::default());
        let centre_m = ecef((vector(i, 0) + vector(i, 3) * f64::from(random(i, 7))).normalize(), 1_000.0);
        let radius_m = 2f64.powf(20.0 * f64::from(random(i, 8)));
        let relative_m = centre_m - eye_m;
        if beyond_horizon(metric, relative_m.as_vec3(), radius_m as f32) {
            hidden += 1;
            let eye = eye_m * occluder.inverse_axes;
            for k in 0..20 {
                let point = (centre_m + vector(i, 100 + 3 * k) * radius_m) * occluder.inverse_axes;
                let along = point - eye;
                let nearest = eye + along * (-eye.dot(along) / along.length_squared()).clamp(0.0, 1.0);
                assert!(nearest.length() < 1.0, "{i}: a visible point is called hidden");
            }
        }
        if !may_show(metric, relative_m.as_vec3(), radius_m as f32) {
            outside += 1;
            assert!(!frame.may_show(relative_m, radius_m - 1e-6 * relative_m.length()), "{i}");
        }
    }
    assert!(hidden > 500 && outside > 500, "{hidden} hidden, {outside} outside");
}

#[test]
fn least_errors_are_those_of_the_lattices_depths() {
    let edge = |u: u32, v: u32| crate::bisection::corners::bisected_edge(FacePoint { face: 0, u, v });
    let one = crate::cube::ONE;
    assert_eq!(least_error_m(edge(one / 2, one / 2)), SAGITTA_M[0]);
    assert_eq!(least_error_m(edge(one / 2, 0)), SAGITTA_M[1]);
    assert_eq!(least_error_m(edge(one / 16, one / 16)), SAGITTA_M[6]);
    assert_eq!(least_error_m(edge(one / 32, one / 32)), 0.0);
}
