//! Is the ground drawn where it is, by the caller's own function, from both meshes?

use std::sync::Arc;

use glam::DVec3;
use gpu::{Gpu, GpuOptions, pipeline::RenderTarget, transfer};
use terrain::{
    Backend, GroundPipeline, Options, Planet, View,
    geodesy::{Ellipsoid, Geodetic},
    height::{GlobalGrid, Registration, Relief},
};

const SIDE: u32 = 33;

fn gpu() -> Gpu {
    Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)")
}

/// Law: position and height that the function gets are those of the surface; where vertices have no normal it gets the triangle's.
#[test]
fn the_ground_is_what_the_surface_is() {
    let gpu = gpu();
    let device = &gpu.device;
    let hills = GlobalGrid::from_fn(360, 181, Registration::Node, |lon_deg, lat_deg| {
        1_500.0 * (8.0 * lon_deg.to_radians()).sin() * (5.0 * lat_deg.to_radians()).cos()
    });
    let relief = Arc::new(Relief::from_grid(hills).unwrap());
    let format = wgpu::TextureFormat::Rgba32Float;
    let mut target = RenderTarget::new(format, 1);
    let place = "fn shade(ground: Ground) -> vec4f { return vec4f(ground.position_m, ground.height_m); }";
    let slope = "fn shade(ground: Ground) -> vec4f { return vec4f(ground.normal, dot(ground.normal, ground.up)); }";
    let pipelines = [place, slope].map(|text| GroundPipeline::new(device, &target, "test.wgsl", text).unwrap());
    for backend in Backend::ALL {
        let options = Options::default().with_backend(Some(backend)).with_pool_slots(1 << 12);
        let mut planet = Planet::new(device, relief.clone(), options).unwrap();
        for (lat, lon, height_m) in [(40.0, 7.0, 30_000.0), (-70.0, 100.0, 400_000.0), (5.0, -160.0, 8_000_000.0)] {
            let eye = Geodetic::from_degrees(lat, lon, height_m);
            let (eye_m, up) = (eye.to_ecef(Ellipsoid::WGS84), eye.normal());
            let forward = 0.3 * DVec3::Z.cross(up).normalize() - up;
            let view = View::perspective(eye_m, forward, up, 0.4, (SIDE, SIDE));
            let picture = transfer::render_texture(device, "picture", view.size_px, format);
            let mut drawn = |ground: &GroundPipeline| -> Vec<[f32; 4]> {
                loop {
                    let mut encoder = device.create_command_encoder(&Default::default());
                    let report = planet.update_complete(&view, &gpu.queue, &mut encoder).unwrap();
                    let colour = picture.create_view(&Default::default());
                    let mut pass = target.begin_pass(device, &mut encoder, &colour);
                    ground.draw(&gpu.queue, &mut pass, &planet, &view);
                    drop(pass);
                    gpu.queue.submit([encoder.finish()]);
                    gpu.wait().unwrap();
                    if report.settled {
                        return transfer::download_texture(&gpu, &picture).unwrap();
                    }
                }
            };
            let [places, slopes] = pipelines.each_ref().map(&mut drawn);
            // From far away the corners show the sky.
            let ground = places.iter().zip(&slopes).filter(|(place, _)| **place != [0.0, 0.0, 0.0, 1.0]);
            assert!(ground.clone().count() > places.len() / 2);
            for (place, slope) in ground {
                let [x, y, z, height_m] = place.map(f64::from);
                let at = Ellipsoid::WGS84.geodetic(eye_m + DVec3::new(x, y, z));
                let case = format!("{backend} {lat} {lon}: {at:?}");
                // A pixel of error, seen as steeply as here.
                let tolerated_m = 5.0 * DVec3::new(x, y, z).length() * view.fov_y_rad / f64::from(SIDE);
                assert!((at.height_m - height_m).abs() < tolerated_m, "{case}: {height_m} m carried");
                assert!((relief.sample(at.normal()).height_m - height_m).abs() < tolerated_m, "{case}: {height_m} m");
                // The ground is level but for one in fifty, triangles from orbit but for a sixth.
                assert!((slope[3] - 1.0).abs() < 0.05, "{case}: {slope:?}");
            }
        }
    }
}

#[test]
fn a_wrong_function_is_refused_with_its_line() {
    let target = RenderTarget::new(wgpu::TextureFormat::Rgba8Unorm, 1);
    let device = &gpu().device;
    let wrong = GroundPipeline::new(device, &target, "mine.wgsl", "\nfn shade(ground: Ground) -> vec4f { return 1 }\n");
    let error = wrong.err().expect("no semicolon").to_string();
    assert!(error.starts_with("mine.wgsl:2:"), "{error}");
    GroundPipeline::new(device, &target, "by height", GroundPipeline::BY_HEIGHT).unwrap();
}
