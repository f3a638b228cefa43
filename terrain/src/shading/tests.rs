//! Does the device find the texels of a pixel, and do they say what the data say?

use gpu::Gpu;
use rand::Rng;

use glam::{DVec3, Vec4};

use super::*;
use crate::{
    View,
    geodesy::{Ellipsoid, Geodetic, n_vector},
    height::{ArraySystem, GlobalGrid, OpenOptions, RasterArray, Registration},
    metric::tests::bodies,
    pixel_tiles::tests::{self, PIXEL_RAD, eye_and_ground, somewhere_below, straight_down},
    random,
};

const ANSWER: &str = "
//!import terrain/shading
alias Found = array<vec4f, 2>;
fn answer(position_m: vec3f, n: vec3f) -> Found {
    let point = shading_at(pixel_place(position_m, n, shading_view), n, true);
    return Found(vec4f(point.gradient, point.height_m), vec4f(point.fine));
}
";

/// Height and gradient on the device at places in metres from the eye, with their normals; none where no tile is.
fn ask(gpu: &Gpu, tiles: &ShadingTiles, places: &[(DVec3, DVec3)]) -> Vec<Option<(f64, DVec3)>> {
    let found: Vec<[Vec4; 2]> = tests::ask(gpu, tiles, ANSWER, places);
    let known = |[point, known]: [Vec4; 2]| (known.x > 0.0).then(|| (f64::from(point.w), point.truncate().as_dvec3()));
    found.into_iter().map(known).collect()
}

/// Postings of 4 km.
fn hills() -> Arc<Relief> {
    let grid = GlobalGrid::from_fn(10_000, 5_001, Registration::Node, |lon_deg, lat_deg| {
        let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
        1_500.0 * (120.0 * n.x).sin() * (150.0 * n.y).cos() + 300.0 * (200.0 * n.z).sin()
    });
    Arc::new(Relief::from_grid(grid).unwrap())
}

/// Law: a texture that grows keeps the texels of its tiles, and is bound anew only then; it has fewer layers than tiles may be there, until
/// these are.
#[test]
fn tiles_stay_when_their_texture_grows() {
    let gpu = Gpu::new(&Default::default()).unwrap();
    let (relief, mut rng) = (hills(), random::rng());
    let budget = 1 << 9;
    let mut tiles = ShadingTiles::new(&gpu.device, &relief, budget).unwrap();
    let mut bound = tiles.bindings();
    assert!(bound.layers() < budget);
    let mut eye = || {
        let (eye_m, _) = eye_and_ground(&mut rng, Ellipsoid::WGS84, 0.0);
        let place = Ellipsoid::WGS84.geodetic(eye_m);
        Geodetic { height_m: 300_000.0, ..place }.to_ecef(Ellipsoid::WGS84)
    };
    let first = straight_down(eye());
    tiles.update_complete(&first, &gpu.queue).unwrap();
    let mut rng = random::rng();
    let normals = std::iter::repeat_with(|| somewhere_below(&mut rng, Ellipsoid::WGS84, first.eye_m)).take(300);
    let places: Vec<(DVec3, DVec3)> = normals.map(|n| (Ellipsoid::WGS84.ecef(n, 0.0) - first.eye_m, n)).collect();
    let before = ask(&gpu, &tiles, &places);
    let mut has_grown = false;
    while !has_grown || tiles.counts().resident < budget / 2 {
        tiles.update_complete(&straight_down(eye()), &gpu.queue).unwrap();
        let now = tiles.bindings();
        assert_eq!(now == bound, now.layers() == bound.layers(), "bound anew where it grew");
        assert!((tiles.counts().resident..=budget).contains(&now.layers()));
        has_grown |= now != bound;
        bound = now;
    }
    tiles.update_complete(&first, &gpu.queue).unwrap();
    assert_eq!(ask(&gpu, &tiles, &places), before);
}

/// Law: at every place of the view the height is that of the data, to what a texel as large as a pixel leaves out, and so is the
/// gradient; however high the data are drawn, on every face, over edges of tiles and faces.
#[test]
fn pixels_are_told_the_heights_and_gradients_of_the_data() {
    let gpu = Gpu::new(&Default::default()).unwrap();
    let (data, mut rng) = (hills(), random::rng());
    for exaggeration in [1.0, 8.0] {
        let relief = Arc::new(data.exaggerated(exaggeration));
        let mut tiles = ShadingTiles::new(&gpu.device, &relief, 1 << 9).unwrap();
        for _ in 0..4 {
            let (eye_m, _) = eye_and_ground(&mut rng, Ellipsoid::WGS84, 0.0);
            let place = Ellipsoid::WGS84.geodetic(eye_m);
            let eye_m = Geodetic { height_m: rng.random_range(30_000.0..300_000.0), ..place }.to_ecef(Ellipsoid::WGS84);
            tiles.update_complete(&straight_down(eye_m), &gpu.queue).unwrap();
            assert!(tiles.is_complete() && tiles.counts().wanted <= tiles.counts().budget);
            let normals = std::iter::repeat_with(|| somewhere_below(&mut rng, Ellipsoid::WGS84, eye_m)).take(500);
            let places: Vec<(DVec3, DVec3)> =
                normals.map(|n| (Ellipsoid::WGS84.ecef(n, relief.sample(n).height_m) - eye_m, n)).collect();
            let found = ask(&gpu, &tiles, &places);
            let (mut off_m, mut steepest_m) = (0.0, 0.0);
            for ((position_m, n), found) in places.iter().zip(&found) {
                let (height_m, g) = found.expect("the view has all of its tiles");
                let pixel_m = position_m.length() * PIXEL_RAD;
                let g_of_data = |step_m: f64| {
                    let slope = elevation::slope::Slope::of(data.ellipsoid(), |n| data.sample(n).height_m, *n, step_m);
                    *n - slope.normal(*n) / slope.normal(*n).dot(*n)
                };
                let exact = g_of_data(pixel_m.max(2_000.0));
                // Over a pixel the height changes by its slope, and a mean over it is half of that off at most.
                let allowed_m = 1.0 + 1.5 * pixel_m.max(4_000.0) * exact.length().max(0.02);
                let away_m = (height_m - data.sample(*n).height_m).abs();
                assert!(away_m < allowed_m, "{away_m} m off, a pixel is {pixel_m} m");
                off_m += g.distance(exact);
                steepest_m += exact.length();
            }
            assert!(off_m < 0.25 * steepest_m, "gradients are {off_m} of {steepest_m} off in all");
        }
    }
}

/// A square of values in degrees, by the corner in its north-west, above a relief.
fn under_fine(below: &Relief, values: Vec<f32>, [west_deg, north_deg]: [f64; 2], posting_deg: f64) -> Arc<Relief> {
    let nothing_to_do = |_: &mut [f64], _: &mut [f64]| ();
    let fine = RasterArray {
        name: "fine",
        size: [values.len().isqrt(); 2],
        values,
        geo_transform: [west_deg, posting_deg, 0.0, north_deg, 0.0, -posting_deg],
        system: ArraySystem {
            name: "degrees",
            definition: "",
            is_geographic: true,
            to_wgs84: &nothing_to_do,
            from_wgs84: &nothing_to_do,
        },
        scale: 1.0,
        offset: 0.0,
    };
    Arc::new(below.under_array(fine, &OpenOptions::default()).unwrap())
}

/// Law: so it is on other bodies, where fine data lie on bare ground.
#[test]
fn pixels_of_other_bodies_are_told_those_of_theirs() {
    const POSTING_DEG: f64 = 0.02;
    let (gpu, mut rng) = (Gpu::new(&Default::default()).unwrap(), random::rng());
    for ellipsoid in bodies().into_iter().skip(1) {
        let posting_m = ellipsoid.semi_major_m() * POSTING_DEG.to_radians();
        let bare =
            Relief::from_grid_on(ellipsoid, GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 0.0)).unwrap();
        let [west_deg, north_deg] = [rng.random_range(-180.0..170.0), rng.random_range(-50.0..60.0)];
        let wave = |k: usize| (0.15 * k as f64).sin() as f32;
        let values = (0..160_000).map(|k| posting_m as f32 * (wave(k % 400) + 1.5 * wave(k / 400)));
        let relief = under_fine(&bare, values.collect(), [west_deg, north_deg], POSTING_DEG);
        assert_eq!(relief.ellipsoid(), ellipsoid);
        let mut tiles = ShadingTiles::new(&gpu.device, &relief, 1 << 9).expect("fine data");
        let middle = Geodetic::from_degrees(north_deg - 4.0, west_deg + 4.0, 0.02 * ellipsoid.semi_major_m());
        let eye_m = middle.to_ecef(ellipsoid);
        tiles.update_complete(&straight_down(eye_m), &gpu.queue).unwrap();
        let normals = std::iter::repeat_with(|| somewhere_below(&mut rng, ellipsoid, eye_m)).take(500);
        let places: Vec<(DVec3, DVec3)> =
            normals.map(|n| (ellipsoid.ecef(n, relief.sample(n).height_m) - eye_m, n)).collect();
        let (mut off_m, mut steepest_m) = (0.0, 0.0);
        for ((position_m, n), found) in places.iter().zip(ask(&gpu, &tiles, &places)) {
            let (height_m, g) = found.expect("the view has all of its tiles");
            let step_m = posting_m.max(position_m.length() * PIXEL_RAD);
            let slope = elevation::slope::Slope::of(ellipsoid, |n| relief.sample(n).height_m, *n, 0.5 * step_m);
            let exact = *n - slope.normal(*n) / slope.normal(*n).dot(*n);
            let away_m = (height_m - relief.sample(*n).height_m).abs();
            assert!(away_m < 1.0 + 1.5 * step_m * exact.length().max(0.02), "{away_m} m off on {ellipsoid:?}");
            off_m += g.distance(exact);
            steepest_m += exact.length();
        }
        assert!(steepest_m > 20.0 && off_m < 0.1 * steepest_m, "gradients are {off_m} of {steepest_m} off in all");
    }
}

/// Law: with fewer tiles than a view wants, the ground under the eye has one, only coarser; without fine data there are none.
#[test]
fn few_tiles_answer_everywhere_and_coarse_data_need_none() {
    let gpu = Gpu::new(&Default::default()).unwrap();
    let coarse = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 100.0);
    assert!(ShadingTiles::new(&gpu.device, &Arc::new(Relief::from_grid(coarse).unwrap()), 64).is_none());
    let relief = hills();
    let mut tiles = ShadingTiles::new(&gpu.device, &relief, 32).unwrap();
    let eye_m = Geodetic::from_degrees(44.0, 46.0, 400_000.0).to_ecef(Ellipsoid::WGS84);
    let view = View { eye_m, forward: -eye_m, up: DVec3::Z, fov_y_rad: 0.9, size_px: (3840, 2160) };
    tiles.update_complete(&view, &gpu.queue).unwrap();
    assert!(tiles.is_complete() && tiles.counts().resident == 32);
    let n = Ellipsoid::WGS84.normal_at(eye_m);
    let found = ask(&gpu, &tiles, &[(Ellipsoid::WGS84.ecef(n, 0.0) - eye_m, n)]);
    assert!(found[0].is_some());
}

/// Law: there is room for all tiles that fine data of a small place can have, and for no more, so that none gives way to another however
/// the eye moves.
#[test]
fn a_small_place_takes_little_room() {
    let gpu = Gpu::new(&Default::default()).unwrap();
    let mut rng = random::rng();
    let coarse = Relief::from_grid(GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 100.0)).unwrap();
    let (lon_deg, lat_deg) = (rng.random_range(-180.0..180.0), rng.random_range(-60.0..60.0));
    let values = (0..90_000).map(|_| rng.random_range(0.0..100.0)).collect();
    let relief = under_fine(&coarse, values, [lon_deg, lat_deg], 1.0 / 1200.0);
    let mut tiles = ShadingTiles::new(&gpu.device, &relief, 1 << 9).unwrap();
    let mut seen: Vec<_> = Vec::new();
    for _ in 0..12 {
        let (lon_deg, lat_deg) = (lon_deg + rng.random_range(0.0..0.25), lat_deg - rng.random_range(0.0..0.25));
        let eye_m =
            Geodetic::from_degrees(lat_deg, lon_deg, 10_f64.powf(rng.random_range(2.5..6.0))).to_ecef(Ellipsoid::WGS84);
        tiles.update_complete(&straight_down(eye_m), &gpu.queue).unwrap();
        seen.extend(tiles.resident().into_iter().map(|(id, _)| id));
    }
    seen.sort_unstable();
    seen.dedup();
    let layers = tiles.counts().budget;
    assert!(seen.len() > 8 && seen.len() == tiles.resident().len(), "{} of {}", tiles.resident().len(), seen.len());
    assert!(layers < 1 << 9, "{layers} layers for {} tiles", seen.len());
}
