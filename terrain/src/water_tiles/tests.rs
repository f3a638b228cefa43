//! Does the device find what outlines say of a pixel?

use gpu::{Gpu, pipeline::ComputeKernel, transfer};
use rand::Rng;

use glam::{DVec3, Vec2, Vec4};

use super::*;
use crate::{
    View,
    geodesy::{Geodetic, ecef, from_ecef, normal_at},
    height::{GlobalGrid, Registration},
    pixel_tiles::eye_and_ground,
    random,
    water::Cover,
};

const ASK: &str = "
//!import terrain/water_tiles
struct Asked { position_m: vec3f, spare: f32, n: vec3f, padding: f32 }
@group(0) @binding(0) var<storage, read> asked: array<Asked>;
@group(0) @binding(1) var<storage, read_write> found: array<vec2f>;
@compute @workgroup_size(64)
fn ask(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&asked) { return; }
    let water = water_at(asked[id.x].position_m, asked[id.x].n, MOST_LEVELS, true);
    found[id.x] = vec2f(water.sea, water.lake);
}
";

/// Law: at every place of a view a pixel is sea or lake as outlines say, but for those within some pixels of a shore, from orbit to the
/// ground, on every face.
#[test]
fn pixels_are_told_what_outlines_say() {
    let gpu = Gpu::new(&Default::default()).unwrap();
    let mut rng = random::rng();
    let flat = GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 0.0);
    let relief = Arc::new(Relief::from_grid(flat).unwrap());
    let water = Water::earth();
    let composed = crate::composer().bind("ask", "ask.wgsl", ASK).compose("ask").unwrap();
    let kernel = ComputeKernel::new(&gpu.device, &composed, "ask", &Default::default()).unwrap();
    let mut seen = [0; 3];
    for case in 0..12 {
        let mut tiles = WaterTiles::new(&gpu.device, water, &relief);
        // Where there is something to see: near Lake Superior, Stockholm, the Aegean, and anywhere.
        let place = match case % 4 {
            0 => Geodetic::from_degrees(47.0, -86.0, 0.0),
            1 => Geodetic::from_degrees(59.4, 18.0, 0.0),
            2 => Geodetic::from_degrees(37.0, 25.2, 0.0),
            _ => from_ecef(eye_and_ground(&mut rng, 0.0).0),
        };
        let eye_m = Geodetic { height_m: 10f64.powf(rng.random_range(2.0..6.5)), ..place }.to_ecef();
        let view = View { eye_m, forward: -eye_m, up: DVec3::new(0.3, 0.5, 0.8), fov_y_rad: 0.8, size_px: (320, 180) };
        tiles.update_complete(&view, &gpu.queue).unwrap();
        assert!(tiles.is_complete() && tiles.counts().wanted <= tiles.counts().budget);
        let pixel_rad = 2.0 * (0.4f64).tan() / 180.0;
        let places: Vec<(DVec3, DVec3)> = (0..800)
            .map(|_| {
                let aside_m = DVec3::from_array(std::array::from_fn(|_| rng.random_range(-0.2..0.2)));
                let n = normal_at(eye_m + aside_m * from_ecef(eye_m).height_m);
                (ecef(n, 0.0) - eye_m, n)
            })
            .collect();
        let asked: Vec<[Vec4; 2]> =
            places.iter().map(|(position_m, n)| [position_m.as_vec3().extend(0.0), n.as_vec3().extend(0.0)]).collect();
        let asked = transfer::upload(&gpu.device, "asked", &asked);
        let found = transfer::upload(&gpu.device, "found", &vec![Vec2::ZERO; places.len()]);
        let buffers = [("asked", asked.as_entire_binding()), ("found", found.as_entire_binding())];
        let own = kernel.bind_group(&gpu.device, 0, &buffers).unwrap();
        let bindings = tiles.bindings();
        let group = kernel.bind_group(&gpu.device, bindings.group(), &bindings.named()).unwrap();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, &own, &[]);
        pass.set_bind_group(bindings.group(), &group, &[]);
        pass.dispatch_workgroups((places.len() as u32).div_ceil(64), 1, 1);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        let found: Vec<Vec2> = transfer::download(&gpu, &found).unwrap();
        for ((position_m, n), found) in places.iter().zip(found) {
            // Texels are at least 76 m wide.
            let around_m = (1.5 * position_m.length() * pixel_rad).max(120.0);
            let (east, north, _) = crate::geodesy::east_north_up(*n);
            let covers: Vec<Cover<'_>> = (0..16)
                .map(|k| {
                    let (sin, cos) = (std::f64::consts::FRAC_PI_8 * f64::from(k)).sin_cos();
                    water.at((*n + (east * cos + north * sin) * (around_m / 6.4e6)).normalize())
                })
                .collect();
            let here = water.at(*n);
            if covers.iter().any(|cover| *cover != here) {
                continue;
            }
            let (kind, expected) = match here {
                Cover::Land => (0, Vec2::ZERO),
                Cover::Sea => (1, Vec2::X),
                Cover::Lake(_) => (2, Vec2::Y),
            };
            seen[kind] += 1;
            let off = (found - expected).abs().max_element();
            // What is smaller than a pixel is a part of it.
            assert!(off < 0.35, "case {case}: {found} where {here:?}, {} m away", position_m.length());
        }
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}
