//! Is the metric the same on the device, and does it cull nothing that may be seen?

use super::*;
use crate::cube::FacePoint;
use crate::geodesy::{Geodetic, ecef};
use kernels::device::DeviceFunction;

#[test]
fn the_shader_is_what_this_file_generates() {
    const URGENCY: &str = device::module!(
        BOUND_OVER_REACH,
        BOUND_OVER_ERROR,
        MORPH_DEPTH,
        ratio_of,
        seen_ratio,
        morph_weight,
        reach_over_edge,
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
    let metric = Metric::new(&view.frame(occluder).unwrap(), occluder, &Quality::default(), 0.0);
    let near = |a: &f32, b: &f32| (a - b).abs() <= 1e-6 * a.abs();
    let rows: Vec<_> = (0..4_000)
        .map(|i| {
            let length_m = 2f32.powf(25.0 * random(i, 0));
            let reach_m = length_m * (0.5 + 0.375 * random(i, 3));
            // Apart from where the ground comes to the eye's feet, and distances cancel.
            let to_vertex_m = length_m * 2f32.powf(8.0 * random(i, 1));
            (metric, to_vertex_m, CutEdge { length_m, reach_m }, length_m * random(i, 2))
        })
        .filter(|row| (row.1 / row.2.reach_m - 1.0).abs() > 0.1)
        .filter(|row| (metric.clearance_m / (BOUND_OVER_ERROR * row.3) - 1.0).abs() > 0.1)
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

/// Law: no corner of the two triangles that a vertex cuts is farther from it than it is said to reach, at all depths and places,
/// cube edges and corners among them; where cells are square the half of the edge is hardly exceeded.
#[test]
fn triangles_reach_no_farther_than_said() {
    let reach = |id: crate::bisection::HeapId| {
        let triangle = id.triangle();
        let m = triangle.midpoint();
        let edge = crate::bisection::corners::bisected_edge(m.on_face());
        let at = |point: crate::cube::CubePoint| ecef(point.normal(), 0.0);
        let edge_m = at(edge.start.point()).distance(at(edge.end.point()));
        let farthest_m = triangle.0.map(|corner| at(corner).distance(at(m))).into_iter().fold(0.0, f64::max);
        (farthest_m / edge_m, f64::from(reach_over_edge(edge)))
    };
    let (mut worst, mut sum) = (0.0f64, 0.0);
    let count = 60_000;
    for i in 0..count {
        let root = crate::bisection::HeapId::root(i % crate::bisection::ROOTS);
        let bits = (0..i % 45).fold(root, |id, step| {
            // One in four goes to a corner of the cube.
            let bit = if i % 4 == 0 { 1 } else { crate::pool::mix32(i * 64 + step) & 1 };
            id.child(u64::from(bit))
        });
        let (farthest, said) = reach(bits);
        worst = worst.max(farthest / said);
        sum += said / farthest;
        assert!(said <= f64::from(REACH_OVER_EDGE) * 1.01, "{said}");
    }
    assert!(worst <= 1.0, "{worst}");
    assert!(sum / f64::from(count) < 1.1, "{}", sum / f64::from(count));
}

/// Law: on level ground, and on ground that slopes by 3 in 4, no point of the surface that is moved along the vertical by less
/// than a third of the eye's height moves farther in the picture than a move by as much at the judged distance.
#[test]
fn nothing_within_reach_moves_farther_than_judged() {
    let clearance_m = 100.0f64;
    for slope in [-0.75f64, -0.3, 0.0, 0.2, 0.75] {
        for error_m in [0.01, 1.0, 5.0] {
            let distance_m = f64::from(metric_distance_m(clearance_m as f32, 5_000.0, 6_000.0, error_m as f32));
            for i in 1..4_000 {
                let x = 0.5 * f64::from(i);
                let direction = |lift_m: f64| (slope * x - clearance_m + lift_m).atan2(x);
                let moved_rad = (direction(error_m) - direction(0.0)).abs();
                assert!(moved_rad <= 1.001 * error_m / distance_m, "{moved_rad} rad at {x} m, slope {slope}");
            }
        }
    }
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
        let metric = Metric::new(&frame, occluder, &Quality::default(), 0.0);
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
    let one = ONE;
    assert_eq!(least_error_m(edge(one / 2, one / 2)), SAGITTA_M[0]);
    assert_eq!(least_error_m(edge(one / 2, 0)), SAGITTA_M[1]);
    assert_eq!(least_error_m(edge(one / 16, one / 16)), SAGITTA_M[6]);
    assert_eq!(least_error_m(edge(one / 32, one / 32)), 0.0);
}
