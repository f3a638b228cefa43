//! How does a program show one planet several times? Four views in one picture: from the air, from low, from space, and as a map.
//! `cargo run --release -p orogen-terrain --example four_views [FILE.png]`

use glam::DVec3;
use gpu::{Gpu, GpuOptions, pipeline::RenderTarget, transfer};
use std::{error::Error, sync::Arc};
use terrain::geodesy::Ellipsoid;
use terrain::{GroundPipeline, Options, Planet, Quality, View, geodesy::Geodetic, height::Relief};

const SIZE: (u32, u32) = (640, 360);

/// From a place of a height towards another one.
fn view(from: (f64, f64, f64), to: (f64, f64)) -> View {
    let (eye, target) = (Geodetic::from_degrees(from.0, from.1, from.2), Geodetic::from_degrees(to.0, to.1, 0.0));
    let eye_m = eye.to_ecef(Ellipsoid::WGS84);
    View::perspective(eye_m, target.to_ecef(Ellipsoid::WGS84) - eye_m, eye.normal(), 0.8, SIZE)
}

fn main() {
    run().unwrap_or_else(|error| {
        eprintln!("four_views: {error}");
        std::process::exit(1)
    })
}

fn run() -> Result<(), Box<dyn Error>> {
    let (gpu, format) = (Gpu::new(&GpuOptions::from_env())?, wgpu::TextureFormat::Rgba8UnormSrgb);
    let mut target = RenderTarget::new(format, 4);
    let ground = GroundPipeline::new(&gpu.device, &target, "by_height.wgsl", GroundPipeline::BY_HEIGHT)?;
    let options = Options::default().with_quality(Quality::default().with_pixel_error(0.1));
    let alps = Geodetic::from_degrees(46.3, 9.0, 0.0);
    let views = [
        view((42.5, 8.5, 250_000.0), (46.3, 8.5)),
        view((44.6, 8.0, 9_000.0), (46.3, 8.0)),
        view((25.0, 10.0, 9_000_000.0), (30.0, 10.0)),
        View::orthographic(alps.to_ecef(Ellipsoid::WGS84), -alps.normal(), DVec3::Z, 600_000.0, SIZE),
    ];
    // The first view brings the elevation; the others share it.
    let mut planets = vec![Planet::new(&gpu.device, Arc::new(Relief::embedded()?), options)?];
    for _ in 1..views.len() {
        planets.push(planets[0].another_view(&gpu.device, options)?);
    }
    let picture = transfer::render_texture(&gpu.device, "picture", (2 * SIZE.0, 2 * SIZE.1), format);
    let mut settled = false;
    while !settled {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        settled = true;
        for (planet, view) in planets.iter_mut().zip(&views) {
            settled &= planet.update_complete(view, &gpu.queue, &mut encoder)?.settled;
        }
        let mut pass = target.begin_pass(&gpu.device, &mut encoder, &picture.create_view(&Default::default()));
        for (k, (planet, view)) in (0u32..).zip(planets.iter().zip(&views)) {
            let (x, y) = (k % 2 * SIZE.0, k / 2 * SIZE.1);
            pass.set_viewport(x as f32, y as f32, SIZE.0 as f32, SIZE.1 as f32, 0.0, 1.0);
            ground.draw(&gpu.queue, &mut pass, planet, view);
        }
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        gpu.wait()?;
    }
    let pixels: Vec<[u8; 4]> = transfer::download_texture(&gpu, &picture)?;
    let path = std::env::args().nth(1).unwrap_or_else(|| "four-views.png".into());
    let image = image::RgbaImage::from_raw(2 * SIZE.0, 2 * SIZE.1, pixels.concat()).ok_or("too few pixels")?;
    image.save(&path)?;
    let triangles: Vec<u32> = planets.iter_mut().map(|planet| planet.poll().triangles).collect();
    println!("{path}: {triangles:?} triangles, mesh on the {}", planets[0].backend());
    Ok(())
}
