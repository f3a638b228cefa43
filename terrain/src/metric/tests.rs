//! Is the metric the same on the device, and does it cull nothing that may be seen?

use super::*;
use crate::cube::FacePoint;
use crate::geodesy::{Ellipsoid, Geodetic, n_vector};
use crate::height::{GlobalGrid, Registration, Relief};
use crate::view::{Occluder, nearest_m};
use glam::DVec3;
use kernels::device::DeviceFunction;
use rand::{Rng, SeedableRng, rngs::StdRng};

#[test]
fn the_shader_is_what_this_file_generates() {
    const METRIC: &str = device::module!(
        RISE_OVER_REACH,
        BOUND_OVER_REACH,
        BOUND_OVER_ERROR,
        ASTRAY_OVER_REACH,
        MERGE_BELOW,
        MORPH_DEPTH,
        projected_distance,
        ratio_of,
        bounds_between,
        bounds_by_slope,
        seen_ratio,
        morph_weight,
        reach_over_edge,
        least_error_m,
    );
    let question =
        "How urgent is a vertex, and how far has it moved to its place? A pure function of the vertex and the view.";
    crate::generated::check("metric.wgsl", question, "metric", METRIC);
    let question = "How urgent is a vertex whose error is `ratio` times what is tolerated? Quarter octaves.";
    crate::generated::check("pool/bucket_of_ratio.wgsl", question, "metric", bucket_of_ratio::WGSL);
}

/// The Earth, the Moon, Mars, and a body as small and as flat as one with relief may well be.
pub(crate) fn bodies() -> [Ellipsoid; 4] {
    [Ellipsoid::WGS84, Ellipsoid::MOON, Ellipsoid::MARS, Ellipsoid::new(300e3, 300e3 * (1.0 - 0.0199)).unwrap()]
}

fn random(i: u32, salt: u32) -> f32 {
    crate::key_words::mix32(200 * i + salt) as f32 / u32::MAX as f32
}

/// Law: the device's ratios and weights are the CPU's to a few units in the last place, its buckets the CPU's but at their
/// borders, least errors bit-equal.
#[test]
fn the_metric_means_the_same_on_the_device() {
    let gpu = gpu::Gpu::new(&Default::default()).unwrap();
    let kernels = kernels::Kernels::new(&gpu.device);
    let eye = Geodetic::from_degrees(46.0, 8.0, 6_000.0);
    let view = crate::View {
        eye_m: eye.to_ecef(Ellipsoid::WGS84),
        forward: DVec3::Y,
        up: eye.normal(),
        fov_y_rad: 0.9,
        size_px: (1920, 1080),
    };
    let occluder = Occluder::below(Ellipsoid::WGS84, -10_376.0);
    let metric = view.frustum(occluder).unwrap().metric(&Quality::default(), 12_000.0);
    let near = |a: &f32, b: &f32| (a - b).abs() <= 1e-5 * a.abs();
    let rows: Vec<_> = (0..4_000)
        .map(|i| {
            let length_m = 2f32.powf(25.0 * random(i, 0));
            let reach_m = length_m * (0.5 + 0.375 * random(i, 3));
            // Apart from where the ground comes to the eye's feet, and distances cancel.
            let to_vertex_m = length_m * 2f32.powf(8.0 * random(i, 1));
            // Seen at an angle of 6 degrees or more, where the squares do not cancel.
            let angle = 0.1 + 1.4 * random(i, 4);
            let position_m = to_vertex_m * Vec3::new(angle.sin(), 0.0, -angle.cos());
            (metric, projected_distance(position_m, Vec3::Z), CutEdge { length_m, reach_m }, length_m * random(i, 2))
        })
        .filter(|row| (row.1.distance_m / row.2.reach_m - 1.0).abs() > 0.1)
        .filter(|row| (metric.nearest_m / (BOUND_OVER_ERROR * row.3) - 1.0).abs() > 0.1)
        .collect();
    kernels::testing::check_function::<ratio_of>(&kernels, &gpu, &rows, near).unwrap();
    let ratios: Vec<f32> = rows.iter().map(|&row| ratio_of::call(row)).collect();
    let weights: Vec<_> = ratios.iter().map(|&ratio| (ratio, metric.morph_scale)).collect();
    kernels::testing::check_function::<morph_weight>(&kernels, &gpu, &weights, |a, b| {
        (a - b).abs() <= 1e-6 * a.max(1.0)
    })
    .unwrap();
    let inside = |ratio: f32| (4.0 * ratio.log2()).fract().abs() > 1e-3 || ratio < 1.0;
    let buckets: Vec<_> = ratios.iter().filter(|&&ratio| inside(ratio)).map(|&ratio| (ratio,)).collect();
    assert!(buckets.len() > 3_000);
    kernels::testing::check_function::<bucket_of_ratio>(&kernels, &gpu, &buckets, |a, b| a == b).unwrap();
}

/// Law: no corner of the two triangles that a vertex cuts is farther from it than it is said to reach, at all depths and places of every
/// body, cube edges and corners among them; where cells are square the half of the edge is hardly exceeded.
#[test]
fn triangles_reach_no_farther_than_said() {
    let reach = |id: crate::bisection::HeapId, ellipsoid: Ellipsoid| {
        let triangle = id.triangle();
        let m = triangle.midpoint();
        let edge = crate::bisection::corners::bisected_edge(m.on_face());
        let at = |point: crate::cube::CubePoint| ellipsoid.ecef(point.normal(), 0.0);
        let edge_m = at(edge.start.point()).distance(at(edge.end.point()));
        let farthest_m = triangle.0.map(|corner| at(corner).distance(at(m))).into_iter().fold(0.0, f64::max);
        (farthest_m / edge_m, f64::from(reach_over_edge(edge)) * reach_scale(ellipsoid))
    };
    let (mut worst, mut sum) = (0.0f64, 0.0);
    let count = 120_000;
    for i in 0..count {
        let root = crate::bisection::HeapId::root(i % crate::bisection::ROOTS);
        let bits = (0..i % 45).fold(root, |id, step| {
            // One in four goes to a corner of the cube.
            let bit = if i % 4 == 0 { 1 } else { crate::key_words::mix32(i * 64 + step) & 1 };
            id.child(u64::from(bit))
        });
        let ellipsoid = bodies()[i as usize / 12 % 4];
        let (farthest, said) = reach(bits, ellipsoid);
        worst = worst.max(farthest / said);
        sum += said / farthest;
        assert!(said <= f64::from(REACH_OVER_EDGE) * reach_scale(ellipsoid) * 1.01, "{said}");
    }
    assert!(worst <= 1.0, "{worst}");
    assert!(sum / f64::from(count) < 1.1, "{}", sum / f64::from(count));
}

/// A grid of hills of some kilometres beside a plain, and a ridge of 4 km, so many times as high.
fn hills_on(ellipsoid: Ellipsoid, times: f64) -> Relief {
    let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |lon_deg, lat_deg| {
        let hills =
            900.0 * (3.1 * lon_deg).sin() * (2.7 * lat_deg).cos() + 300.0 * (17.0 * lon_deg + 11.0 * lat_deg).sin();
        let ridge = 4_000.0 * (-((lat_deg - 0.3 * lon_deg) / 1.5).powi(2)).exp();
        times * if lon_deg > 90.0 { 1_200.0 } else { hills + ridge }
    });
    Relief::from_grid_on(ellipsoid, grid).unwrap()
}

/// Some place, its height, and an eye above it, from metres to the height of satellites, by the size of the body.
fn eye_over(relief: &Relief, rng: &mut StdRng) -> (DVec3, f64, DVec3) {
    let n = n_vector(rng.random_range(-1.5..1.5), rng.random_range(-3.1..3.1));
    let ground_m = relief.sample(n).height_m;
    (
        n,
        ground_m,
        relief.ellipsoid().ecef(n, ground_m + relief.ellipsoid().size() * 2f64.powf(rng.random_range(1.0..22.0))),
    )
}

fn aside(n: DVec3, angle_rad: f64, rng: &mut StdRng) -> DVec3 {
    let (a, b) = n.any_orthonormal_pair();
    let (sin, cos) = rng.random_range(0.0..std::f64::consts::TAU).sin_cos();
    (n * angle_rad.cos() + (a * cos + b * sin) * angle_rad.sin()).normalize()
}

/// Law: no move along a vertical of any ground looks larger to an eye than a move by as much, seen square, from the distance that is
/// called the nearest, but for a tenth where ground rises between the directions looked at; over level ground it is twice the height.
/// Bodies are as rough as they are large.
#[test]
fn no_ground_moves_farther_than_the_nearest() {
    let reliefs = bodies().map(|of| hills_on(of, of.size()));
    let mut rng = StdRng::seed_from_u64(17);
    for round in 0..800 {
        let relief = &reliefs[round % 4];
        let ellipsoid = relief.ellipsoid();
        let (n, ground_m, eye_m) = eye_over(relief, &mut rng);
        let nearest_m = nearest_m(relief, eye_m);
        let clearance_m = ellipsoid.geodetic(eye_m).height_m - ground_m;
        assert!(nearest_m <= 2.0001 * clearance_m);
        if n.y.atan2(n.x).to_degrees() > 95.0 && clearance_m < 1e4 * relief.ellipsoid().size() {
            assert!(nearest_m > 1.99 * clearance_m, "{nearest_m} of {clearance_m} m above a plain");
        }
        for _ in 0..200 {
            let away_rad = clearance_m / ellipsoid.semi_major_m() * 2f64.powf(rng.random_range(-4.0..5.0));
            let vertical = aside(n, away_rad.min(3.0), &mut rng);
            let height_m = relief.sample(vertical).height_m;
            let [foot, moved] = [0.0, 1e-3 * clearance_m].map(|by| ellipsoid.ecef(vertical, height_m + by) - eye_m);
            let moved_rad = foot.angle_between(moved);
            let most_rad = 1e-3 * clearance_m / nearest_m;
            assert!(moved_rad < 1.1 * most_rad, "{moved_rad} of {most_rad} rad, {clearance_m} m above {n}");
        }
    }
}

/// Law: no ground that an eye can see is called hidden. Rays from places on the ground to the eye are followed in f64: where the
/// place is called hidden, alone or as part of what is around another place, the ray passes through ground.
#[test]
fn what_may_be_seen_is_never_hidden() {
    let mut rng = StdRng::seed_from_u64(29);
    for ellipsoid in bodies() {
        none_is_hidden_on(&hills_on(ellipsoid, 1.0), &mut rng);
    }
}

fn none_is_hidden_on(relief: &Relief, rng: &mut StdRng) {
    let (ellipsoid, radius_m) = (relief.ellipsoid(), relief.ellipsoid().semi_major_m());
    let (mut hidden, mut near) = (0, 0);
    for _ in 0..100 {
        let (n, ground_m, eye_m) = eye_over(relief, rng);
        let view = crate::View { eye_m, forward: DVec3::Y, up: n, fov_y_rad: 0.9, size_px: (640, 480) };
        let frustum = view.frustum(Occluder::around(relief, eye_m)).unwrap();
        let clearance_m = ellipsoid.geodetic(eye_m).height_m - ground_m;
        let horizon_rad = (2.0 * (clearance_m + 1.0) / radius_m).sqrt();
        for _ in 0..20 {
            let middle = aside(n, (horizon_rad * 2f64.powf(rng.random_range(-1.0..4.0))).min(3.1), rng);
            let height_m = relief.sample(middle).height_m;
            let reach_m = relief.ellipsoid().size() * 2f64.powf(rng.random_range(0.0..17.0));
            let mut places: Vec<DVec3> =
                (0..4).map(|_| aside(middle, rng.random_range(0.0..0.99) * reach_m / radius_m, rng)).collect();
            places.push(middle);
            let highest_m = places.iter().map(|n| relief.sample(*n).height_m).fold(f64::MIN, f64::max);
            let from_eye_m = ellipsoid.ecef(middle, height_m) - eye_m;
            if !frustum.beyond_horizon(from_eye_m, height_m, reach_m, highest_m - height_m) {
                near += 1;
                continue;
            }
            hidden += 1;
            for place in places {
                let foot_m = ellipsoid.ecef(place, relief.sample(place).height_m) - eye_m;
                let blocked = (1..500).any(|k| {
                    let at = eye_m + foot_m * (f64::from(k) / 500.0).powi(2);
                    ellipsoid.height_m(at) < relief.sample(ellipsoid.normal_at(at)).height_m
                });
                assert!(blocked, "ground at {place} is seen from {clearance_m} m above {n} of {ellipsoid:?}");
            }
        }
    }
    assert!(hidden > 300 && near > 300, "{hidden} hidden, {near} not");
}

/// Law: near hills hide far mountains: from two metres above a plain nothing that lies as high is left 30 km away, and of mountains of
/// 4 km nothing 300 km away.
#[test]
fn the_horizon_is_that_of_the_ground_around() {
    let reliefs = bodies().map(|of| hills_on(of, 1.0));
    let places = [(10.0f64, 135.0f64), (-40.0, 150.0), (70.0, 120.0)];
    let all = reliefs.iter().flat_map(|relief| places.map(|place| (relief, place)));
    // On a small body the hills are too near to the last one for bounds of large blocks.
    for (relief, (lat_deg, lon_deg)) in all.filter(|(relief, place)| relief.ellipsoid().size() > 0.1 || place.0 < 60.0)
    {
        let ellipsoid = relief.ellipsoid();
        let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
        let eye_m = ellipsoid.ecef(n, relief.sample(n).height_m + 2.0);
        let view = crate::View { eye_m, forward: DVec3::Y, up: n, fov_y_rad: 0.9, size_px: (640, 480) };
        let frustum = view.frustum(Occluder::around(relief, eye_m)).unwrap();
        let hidden = |away_m: f64, height_m: f64| {
            let place = aside(n, away_m / ellipsoid.semi_major_m(), &mut StdRng::seed_from_u64(1));
            frustum.beyond_horizon(ellipsoid.ecef(place, height_m) - eye_m, height_m, 500.0, 10.0)
        };
        let near = [30_000.0, 3_000.0].map(|away_m| hidden(away_m, 1_200.0));
        assert_eq!(near, [true, false], "at {lat_deg} {lon_deg} on {ellipsoid:?}");
        assert!(hidden(300_000.0, 4_000.0));
    }
}

/// Law: of a sphere that is called outside of the picture all is outside in f64, but for a millionth of its distance.
#[test]
fn what_may_show_is_never_culled() {
    let occluder = Occluder::below(Ellipsoid::WGS84, -10_376.0);
    let vector = |i: u32, salt: u32| {
        let axis = |k: u32| f64::from(random(i, salt + k)) - 0.5;
        DVec3::new(axis(0), axis(1), axis(2)).normalize()
    };
    let mut outside = 0;
    for i in 0..4_000 {
        let eye_m = Ellipsoid::WGS84.ecef(vector(i, 0), 2f64.powf(1.0 + 24.0 * f64::from(random(i, 9))));
        let view = crate::View { eye_m, forward: vector(i, 5), up: vector(i, 6), fov_y_rad: 0.9, size_px: (640, 480) };
        let frustum = view.frustum(occluder).unwrap();
        let metric = frustum.metric(&Quality::default(), 0.0);
        let centre_m =
            Ellipsoid::WGS84.ecef((vector(i, 0) + vector(i, 3) * f64::from(random(i, 7))).normalize(), 1_000.0);
        let radius_m = 2f64.powf(20.0 * f64::from(random(i, 8)));
        let relative_m = centre_m - eye_m;
        if !may_show(metric, relative_m.as_vec3(), radius_m as f32) {
            outside += 1;
            assert!(!frustum.may_show(relative_m, radius_m - 1e-6 * relative_m.length()), "{i}");
        }
    }
    assert!(outside > 500, "{outside} outside");
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
