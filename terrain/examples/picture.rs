//! How does a program without a window make a picture of the planet? `cargo run --release -p orogen-terrain --example picture [FILE.png]`

use gpu::{Gpu, GpuOptions, pipeline::RenderTarget, transfer};
use std::{error::Error, sync::Arc};
use terrain::geodesy::Ellipsoid;
use terrain::{GroundPipeline, Options, Planet, Quality, View, geodesy::Geodetic, height::Relief};

const SHADE: &str = "fn shade(ground: Ground) -> vec4f {
    let light = 1.6 * max(dot(normalize(ground.normal), normalize(vec3f(0.3, 0.8, 0.35))), 0.03); // low in the east
    let land = mix(vec3f(0.2, 0.32, 0.12), vec3f(0.9), smoothstep(300.0, 2800.0, ground.height_m));
    return vec4f(light * select(vec3f(0.1, 0.25, 0.45), land, ground.height_m > 0.0), 1.0);
}";

fn main() {
    run().unwrap_or_else(|error| {
        eprintln!("picture: {error}");
        std::process::exit(1)
    })
}

fn run() -> Result<(), Box<dyn Error>> {
    let (gpu, format) = (Gpu::new(&GpuOptions::from_env())?, wgpu::TextureFormat::Rgba8UnormSrgb);
    let mut target = RenderTarget::new(format, 4);
    let ground = GroundPipeline::new(&gpu.device, &target, "picture.rs", SHADE)?;
    // A twentieth of a pixel of error: triangles are shaded by their own normals here.
    let options = Options::default().with_quality(Quality::default().with_pixel_error(0.05));
    let mut planet = Planet::new(&gpu.device, Arc::new(Relief::embedded()?), options)?;

    // Over the Gulf of Genoa, towards the Alps.
    let (eye, alps) = (
        Geodetic::from_degrees(42.5, 8.5, 250_000.0),
        Geodetic::from_degrees(46.3, 8.5, 0.0).to_ecef(Ellipsoid::WGS84),
    );
    let (eye_m, up, size_px) = (eye.to_ecef(Ellipsoid::WGS84), eye.normal(), (1280, 720));
    let view = View::perspective(eye_m, alps - eye_m, up, 0.8, size_px);
    let picture = transfer::render_texture(&gpu.device, "picture", size_px, format);
    let mut settled = false;
    while !settled {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        settled = planet.update_complete(&view, &gpu.queue, &mut encoder)?.settled;
        let mut pass = target.begin_pass(&gpu.device, &mut encoder, &picture.create_view(&Default::default()));
        ground.draw(&gpu.queue, &mut pass, &planet, &view);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        gpu.wait()?;
    }
    let pixels: Vec<[u8; 4]> = transfer::download_texture(&gpu, &picture)?;
    let path = std::env::args().nth(1).unwrap_or_else(|| "planet.png".into());
    let image = image::RgbaImage::from_raw(size_px.0, size_px.1, pixels.concat()).ok_or("too few pixels")?;
    image.save(&path)?;
    let triangles = planet.poll().triangles;
    println!("{path}: {triangles} triangles, mesh on the {}", planet.backend());
    Ok(())
}
