//! Are several views of one planet what each would be alone? Meshes over shared tiles, drawn in one pass; maps among them.

use glam::{DVec3, Vec3};
use gpu::{Gpu, GpuOptions, pipeline::RenderTarget, transfer};
use rand::Rng;
use terrain::{
    Backend, GroundPipeline, Options, Planet, View,
    geodesy::{Ellipsoid, Geodetic},
};

use super::{random, reliefs::HILLS};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;
const PLACE: &str = "fn shade(ground: Ground) -> vec4f { return vec4f(ground.position_m, ground.height_m); }";
const SIZE: (u32, u32) = (48, 32);

fn gpu() -> Gpu {
    Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)")
}

fn options(backend: Backend) -> Options {
    Options::default().with_backend(Some(backend)).with_pool_slots(1 << 12).with_tiles(96)
}

/// Down on a place, at a slant.
fn view(lat_deg: f64, lon_deg: f64, height_m: f64) -> View {
    let eye = Geodetic::from_degrees(lat_deg, lon_deg, height_m);
    let (eye_m, up) = (eye.to_ecef(Ellipsoid::WGS84), eye.normal());
    View::perspective(eye_m, 0.3 * DVec3::Z.cross(up).normalize() - up, up, 0.5, SIZE)
}

/// Pictures of views side by side, the first one at column `first`, drawn in one pass of each frame until all have settled.
fn pictures(gpu: &Gpu, planets: &mut [Planet], (first, views): (usize, &[View]), complete: bool) -> Vec<Vec<[f32; 4]>> {
    let device = &gpu.device;
    let mut target = RenderTarget::new(FORMAT, 1);
    let ground = GroundPipeline::new(device, &target, "test.wgsl", PLACE).unwrap();
    let (width, height) = SIZE;
    let columns = width * (first + views.len()) as u32;
    let picture = transfer::render_texture(device, "picture", (columns, height), FORMAT);
    for _ in 0..3_000 {
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut settled = true;
        for (planet, view) in planets.iter_mut().zip(views) {
            let report = match complete {
                true => planet.update_complete(view, &gpu.queue, &mut encoder),
                false => planet.update(view, &gpu.queue, &mut encoder),
            };
            settled &= report.unwrap().settled;
        }
        let mut pass = target.begin_pass(device, &mut encoder, &picture.create_view(&Default::default()));
        for (k, (planet, view)) in planets.iter().zip(views).enumerate() {
            pass.set_viewport(((first + k) as u32 * width) as f32, 0.0, width as f32, height as f32, 0.0, 1.0);
            ground.draw(&gpu.queue, &mut pass, planet, view);
        }
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        gpu.wait().unwrap();
        if settled {
            let pixels: Vec<[f32; 4]> = transfer::download_texture(gpu, &picture).unwrap();
            let rows = || pixels.chunks_exact(columns as usize);
            let part = |k: usize| rows().flat_map(|row| row[k * width as usize..][..width as usize].to_vec()).collect();
            return (first..first + views.len()).map(part).collect();
        }
    }
    panic!("not settled after 3000 frames");
}

/// Law: a view beside others is drawn as it is alone, pixel for pixel, through its own camera.
#[test]
fn a_view_is_what_it_is_alone() {
    let (gpu, relief, mut rng) = (gpu(), HILLS.clone(), random::rng());
    for backend in Backend::ALL {
        // Apart, so that no view has finer tiles by another's wish.
        let mut any =
            |lon_deg: f64| view(rng.random_range(-60.0..60.0), lon_deg, 10f64.powf(rng.random_range(4.5..5.5)));
        let views = [any(-120.0), any(0.0), any(120.0)];
        let first = Planet::new(&gpu.device, relief.clone(), options(backend)).unwrap();
        let mut planets = vec![first];
        for _ in 1..views.len() {
            planets.push(planets[0].another_view(&gpu.device, options(backend)).unwrap());
        }
        let together = pictures(&gpu, &mut planets, (0, &views), true);
        for (k, (view, drawn)) in views.iter().zip(&together).enumerate() {
            let mut alone = [Planet::new(&gpu.device, relief.clone(), options(backend)).unwrap()];
            assert!(*drawn == pictures(&gpu, &mut alone, (k, &[*view]), true)[0], "{backend}: {view:?}");
            let ground = drawn.iter().filter(|pixel| **pixel != [0.0, 0.0, 0.0, 1.0]).count();
            assert!(ground > drawn.len() / 2);
        }
    }
}

/// Law: frame by frame, over one budget of tiles, all views settle, and then nothing is asked for any more; when a view goes, its
/// wishes go with it.
#[test]
fn views_share_a_budget() {
    let (gpu, relief) = (gpu(), HILLS.clone());
    let views = [view(45.0, -120.0, 60_000.0), view(-20.0, 0.0, 90_000.0), view(10.0, 120.0, 40_000.0)];
    let wanted = |planets: &mut [Planet], views: &[View]| {
        pictures(&gpu, planets, (0, views), false);
        planets[0].tiles()
    };
    let make = || Planet::new(&gpu.device, relief.clone(), options(Backend::Gpu)).unwrap();
    let mut planets = vec![make()];
    for _ in 1..views.len() {
        planets.push(planets[0].another_view(&gpu.device, options(Backend::Gpu)).unwrap());
    }
    let all = wanted(&mut planets, &views);
    assert_eq!((all.in_flight, all.wanted <= all.resident), (0, true), "{all:?}");
    assert!(all.resident <= all.budget);
    let alone = wanted(&mut [make()], &views[..1]).wanted;
    assert!(all.wanted > alone, "{all:?}, alone {alone}");
    planets.truncate(1);
    // Another view, so that tiles are chosen again.
    let near = views[0].with_eye_m(views[0].eye_m * (1.0 + 1e-9));
    assert_eq!(wanted(&mut planets, &[near]).wanted, alone);
}

#[test]
fn views_are_counted() {
    let (gpu, relief) = (gpu(), HILLS.clone());
    let small = options(Backend::Gpu).with_pool_slots(64);
    let planet = Planet::new(&gpu.device, relief, small).unwrap();
    let limit = terrain::streaming::MOST_VIEWS as usize;
    let mut others: Vec<Planet> = (1..limit).map(|_| planet.another_view(&gpu.device, small).unwrap()).collect();
    let refused = planet.another_view(&gpu.device, small).err().unwrap().to_string();
    assert!(refused.contains("at most 32 views"), "{refused}");
    others.pop();
    planet.another_view(&gpu.device, small).unwrap();
}

/// Law: in an orthographic view each pixel shows the place that lies straight below it, to the stated share of its distance from the
/// plane through the middle, from a field to half the Earth.
#[test]
fn maps_are_orthographic() {
    let (gpu, relief, mut rng) = (gpu(), HILLS.clone(), random::rng());
    for backend in Backend::ALL {
        let mut planets = [Planet::new(&gpu.device, relief.clone(), options(backend)).unwrap()];
        for height_m in [2_000.0, 300_000.0, 12_000_000.0] {
            let middle = Geodetic::from_degrees(rng.random_range(-80.0..80.0), rng.random_range(-180.0..180.0), 0.0);
            let (middle_m, down) = (middle.to_ecef(Ellipsoid::WGS84), -middle.normal());
            let map = View::orthographic(middle_m, down, DVec3::Z, height_m, SIZE);
            let right = down.cross(DVec3::Z).normalize();
            let (up, pixel_m) = (right.cross(down), height_m / f64::from(SIZE.1));
            let picture = &pictures(&gpu, &mut planets, (0, &[map]), true)[0];
            let mut seen = 0;
            for (k, &[x, y, z, height]) in picture.iter().enumerate() {
                if [x, y, z, height] == [0.0, 0.0, 0.0, 1.0] {
                    continue;
                }
                seen += 1;
                let (column, row) = (k % SIZE.0 as usize, k / SIZE.0 as usize);
                let aside_m = (column as f64 + 0.5 - f64::from(SIZE.0) / 2.0) * pixel_m;
                let above_m = (f64::from(SIZE.1) / 2.0 - row as f64 - 0.5) * pixel_m;
                let at_m = map.eye_m + Vec3::new(x, y, z).as_dvec3();
                let from_middle_m = at_m - middle_m;
                let off_m = (from_middle_m.dot(right) - aside_m).hypot(from_middle_m.dot(up) - above_m);
                // Positions are 32-bit numbers of metres from the eye.
                let rounding_m = 2e-7 * (map.eye_m - middle_m).length();
                let allowed_m = from_middle_m.dot(down).abs() * 1.5e-3 + rounding_m;
                assert!(off_m < allowed_m, "{backend}, {height_m} m: {off_m} m of {allowed_m}");
            }
            assert!(seen > picture.len() / 3);
        }
    }
}
