use std::sync::Arc;

use glam::DVec3;
use gpu::{Gpu, GpuOptions};
use half::f16;
use image::RgbImage;
use rand::Rng;
use terrain::cube::{FacePoint, ONE};
use terrain::geodesy::Ellipsoid;
use terrain::height::Relief;
use terrain::surface::Surface;

use super::SHADOW_TILE_TEXELS;
use crate::app::App;
use crate::camera::{Camera, Pose};
use crate::capture::CaptureRequests;
use crate::frame::{Context, Viewport};
use crate::overlays::Overlays;
use crate::plugin;
use crate::render::{RenderMode, RenderModes, Renderer, ShadingPath, SunMode};
use crate::scene::{Scene, SceneOptions};
use crate::terrain::Pace;

const SIZE: (u32, u32) = (144, 96);
const FOV_RAD: f64 = 0.7;

/// What of the sun a place sees, by rays to its limbs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SunVisibility {
    All,
    Some,
    None,
}

fn app(relief: &Arc<Relief>, pose: &Pose, sun: SunMode, shading: ShadingPath) -> App {
    let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
    let options = SceneOptions::default()
        .with_relief(Some(relief.clone()))
        .with_overlays(Overlays::SHADOWS)
        .with_sun(sun)
        .with_fov_deg(FOV_RAD.to_degrees());
    let samplings = RenderModes::only(RenderMode { samples: 1, shading });
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let scene = Scene::load(&gpu, &options, format, samplings).expect("a scene");
    let viewport = Viewport { size_px: SIZE, pixels_per_point: 1.0 };
    let mut app = scene.into_app(gpu, Camera::from_pose(pose), viewport);
    plugin::headless(&mut app, Pace::Settled);
    app
}

fn picture(app: &mut App) -> RgbImage {
    app.world.resource_mut::<CaptureRequests>().request();
    app.frame(0.0).expect("a frame");
    app.world.resource_mut::<CaptureRequests>().take().expect("a picture")
}

/// What the pixels of a view see of the sun, and how the ground there faces it; nothing for pixels of the sky.
fn by_rays(relief: &Arc<Relief>, camera: &Camera, sun: DVec3) -> Vec<Option<(SunVisibility, f64)>> {
    let surface = Surface::new(relief.clone());
    let half = (0.5 * FOV_RAD).tan();
    let aspect = f64::from(SIZE.0) / f64::from(SIZE.1);
    let at = |pixel: u32, size: u32| (2.0 * f64::from(pixel) + 1.0) / f64::from(size) - 1.0;
    let pixels = (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| (x, y)));
    let seen = |(x, y)| {
        let (x, y) = (at(x, SIZE.0), at(y, SIZE.1));
        let ray = camera.forward() + half * (aspect * x * camera.right() - y * camera.up());
        let hit = surface.ray(camera.eye_m, ray, 3e6).expect("a ray")?;
        let point_m = hit.place.to_ecef(Ellipsoid::WGS84);
        let n = Ellipsoid::WGS84.normal_at(point_m);
        let facing = surface.normal(n).dot(sun);
        let sees = |raised: f64| {
            let limb = sun + raised * 4.65e-3 * n;
            surface.ray(point_m + 0.01 * n, limb, 1e6).expect("a ray").is_none()
        };
        let seen = match (sees(1.0), sees(-1.0)) {
            (true, true) => SunVisibility::All,
            (false, _) => SunVisibility::None,
            (true, false) => SunVisibility::Some,
        };
        Some((seen, facing))
    };
    pixels.map(seen).collect()
}

/// Pixels, those in shadow, and those that are wrong though all pixels beside them see what they do.
fn count(
    relief: &Arc<Relief>,
    pose: &Pose,
    (azimuth_deg, elevation_deg): (f64, f64),
    shading: ShadingPath,
) -> [usize; 3] {
    let sun = SunMode::Follow { azimuth_deg, elevation_deg };
    let camera = Camera::from_pose(pose);
    let rays = by_rays(relief, &camera, sun.direction(&camera));
    let mut app = app(relief, pose, sun, shading);
    let shadowed = picture(&mut app);
    app.world.insert_resource(Overlays::default());
    let open = picture(&mut app);
    let sum = |picture: &RgbImage, x, y| picture.get_pixel(x, y).0.iter().map(|&c| f64::from(c)).sum::<f64>();
    let (width, height) = SIZE;
    let at = |x: u32, y: u32| rays[(y * width + x) as usize];
    let mut counts = [0; 3];
    for (x, y) in (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| (x, y))) {
        let Some((seen, facing)) = at(x, y) else { continue };
        counts[0] += 1;
        counts[1] += usize::from(seen == SunVisibility::None);
        let beside = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)));
        if beside.into_iter().any(|(x, y)| at(x, y).is_none_or(|(other, _)| other != seen)) {
            continue;
        }
        let (dark, bright) = (sum(&shadowed, x, y), sum(&open, x, y));
        let is_wrong = match seen {
            SunVisibility::All => dark < bright - 6.0,
            SunVisibility::Some => false,
            // Ground that faces away has little to lose.
            SunVisibility::None => facing > 0.05 && dark > 0.96 * bright,
        };
        counts[2] += usize::from(is_wrong);
    }
    counts
}

/// Law: what a pixel sees of the sun is what rays to it see, but for pixels at the edge of a shadow; over data that are finer than the map, by
/// both ways to shade.
#[test]
fn shadows_of_fine_data_are_those_of_rays() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jacksboro.tif");
    let relief = Relief::open(&[file], &terrain::height::OpenOptions::default()).expect("the raster");
    let relief = Arc::new(relief);
    for (height_m, pitch_deg, sun, shading) in [
        (9_000.0, -60.0, (120.0, 12.0), ShadingPath::Forward),
        (4_000.0, -25.0, (250.0, 6.0), ShadingPath::Deferred),
        (25_000.0, -80.0, (330.0, 20.0), ShadingPath::Forward),
    ] {
        let pose = Pose { lat_deg: 36.3, lon_deg: -84.25, height_m, heading_deg: 30.0, pitch_deg };
        let [pixels, shadow, wrong] = count(&relief, &pose, sun, shading);
        assert!(wrong * 200 <= pixels, "{wrong} of {pixels} from {height_m} m");
        assert!(shadow * 100 > pixels, "{shadow} of {pixels}");
    }
}

/// The same over coarse data, where the map tells, whose texels are twice the postings.
#[test]
fn shadows_of_coarse_data_are_those_of_rays() {
    let relief = Arc::new(Relief::embedded().expect("the relief that ships"));
    for (lat_deg, lon_deg, height_m, sun) in [
        (28.0, 86.0, 300_000.0, (100.0, 3.0)),
        (46.5, 8.0, 150_000.0, (220.0, 2.0)),
        (-32.0, -70.0, 900_000.0, (80.0, 1.0)),
    ] {
        let pose = Pose { lat_deg, lon_deg, height_m, heading_deg: 0.0, pitch_deg: -88.0 };
        let [pixels, shadow, wrong] = count(&relief, &pose, sun, ShadingPath::Forward);
        assert!(wrong * 50 <= pixels, "{wrong} of {pixels} from {height_m} m");
        assert!(shadow * 100 > pixels, "{shadow} of {pixels}");
    }
}

/// The share of an evenly bright sky that ground sees above the highest of other ground, and above the plane through what is `side_m` to
/// each side: in so many directions, as far as `reach_m`.
fn sky_share(surface: &Surface, n: DVec3, (side_m, reach_m): (f64, f64)) -> f64 {
    const DIRECTIONS: u32 = 32;
    let radius_m = Ellipsoid::WGS84.semi_major_m();
    let height_m = |n: DVec3| surface.relief().sample(n).height_m;
    let ground_m = height_m(n);
    let (east, north) = n.any_orthonormal_pair();
    let shares = (0..DIRECTIONS).map(|direction| {
        let (sin, cos) = (f64::from(direction) * std::f64::consts::TAU / f64::from(DIRECTIONS)).sin_cos();
        let towards = cos * east + sin * north;
        let rise = |along_m: f64| {
            let angle = along_m / radius_m;
            (height_m(n * angle.cos() + towards * angle.sin()) - ground_m) / along_m - 0.5 * angle
        };
        let slope = (0.5 * (rise(side_m) + rise(-side_m))).atan();
        let mut away_m = side_m;
        let mut highest = rise(side_m);
        while away_m < reach_m {
            away_m *= 1.03;
            highest = highest.max(rise(away_m));
        }
        (highest.atan() - slope).max(0.0).cos().powi(2)
    });
    shares.sum::<f64>() / f64::from(DIRECTIONS)
}

/// Law: the share of the sky that a texel of a tile sees is that above the horizons of the data, to 0.02 on average and 0.08 in 99 of 100.
#[test]
fn the_sky_of_fine_data_is_that_above_horizons() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jacksboro.tif");
    let relief = Arc::new(Relief::open(&[file], &terrain::height::OpenOptions::default()).expect("the raster"));
    let pose = Pose { lat_deg: 36.3, lon_deg: -84.25, height_m: 9_000.0, heading_deg: 30.0, pitch_deg: -60.0 };
    let sun = SunMode::Follow { azimuth_deg: 120.0, elevation_deg: 12.0 };
    let mut app = app(&relief, &pose, sun, ShadingPath::Forward);
    picture(&mut app);
    let gpu = app.world.resource::<Context>().0.clone();
    let builder = app.world.resource::<Renderer>().shadows().builder.as_ref().expect("shadows");
    let tiles = builder.tiles.as_ref().expect("tiles");
    let layers = tiles.made.layers();
    let texels: Vec<[u16; 4]> = gpu::transfer::download_texture(&gpu, &tiles.layers).expect("texels");
    let deepest = layers.keys().map(|id| id.level).max().expect("tiles");
    let mut finest: Vec<_> = layers.iter().filter(|(id, _)| id.level == deepest).collect();
    finest.sort_unstable_by_key(|(id, _)| (id.face, id.j, id.i));

    let surface = Surface::new(relief.clone());
    let texel_m = 4.0 * terrain::tile::posting_m(Ellipsoid::WGS84, deepest);
    let mut rng = crate::random::rng();
    let mut off = Vec::new();
    for _ in 0..20_000 {
        if off.len() == 400 {
            break;
        }
        let (id, layer) = finest[rng.random_range(0..finest.len())];
        // Without the rim.
        let (x, y) = (rng.random_range(1..=128), rng.random_range(1..=128));
        let unit = ONE >> (deepest + 8);
        let (u, v) = ((id.i * 256 + 2 * x - 1) * unit, (id.j * 256 + 2 * y - 1) * unit);
        let n = FacePoint { face: id.face, u, v }.point().normal();
        let (lat_deg, lon_deg) = (n.z.asin().to_degrees(), n.y.atan2(n.x).to_degrees());
        if !(36.17..36.44).contains(&lat_deg) || !(-84.4..-84.09).contains(&lon_deg) {
            continue;
        }
        let exact = sky_share(&surface, n, (texel_m, 118.0 * texel_m));
        let at = ((layer * SHADOW_TILE_TEXELS + y) * SHADOW_TILE_TEXELS + x) as usize;
        off.push((f16::from_bits(texels[at][2]).to_f64() - exact).abs());
    }
    assert_eq!(off.len(), 400, "tiles over the data");
    off.sort_unstable_by(f64::total_cmp);
    let mean = off.iter().sum::<f64>() / off.len() as f64;
    assert!(mean <= 0.02 && off[off.len() * 99 / 100] <= 0.08, "{mean}, {:?}", &off[off.len() - 10..]);
}
