//! How does a program without a window make a picture of the planet? `cargo run --release -p orogen-terrain --example picture [FILE.png]`

use gpu::pipeline::{RenderKernel, RenderTarget, Uniform};
use gpu::{Gpu, transfer};
use std::{error::Error, sync::Arc};
use terrain::{Options, Planet, Quality, TerrainVertex, View, geodesy::Geodetic, height::Relief};

const SHADER: &str = "//!import terrain/vertex
struct Pixel { @builtin(position) clip: vec4f, @location(0) height_m: f32, @location(1) position_m: vec3f }
@group(0) @binding(0) var<uniform> clip_from_eye: mat4x4f;
@vertex fn vertex(v: TerrainVertex) -> Pixel {
    return Pixel(clip_from_eye * vec4f(v.position_m, 1.0), v.height_m, v.position_m);
}
@fragment fn fragment(in: Pixel) -> @location(0) vec4f {
    let normal = normalize(cross(dpdy(in.position_m), dpdx(in.position_m))); // that of the triangle
    let light = 1.6 * max(dot(normal, normalize(vec3f(0.3, 0.8, 0.35))), 0.03); // low in the east
    let ground = mix(vec3f(0.2, 0.32, 0.12), vec3f(0.9), smoothstep(300.0, 2800.0, in.height_m));
    return vec4f(light * select(vec3f(0.1, 0.25, 0.45), ground, in.height_m > 0.0), 1.0);
}";

fn main() {
    run().unwrap_or_else(|error| {
        eprintln!("picture: {error}");
        std::process::exit(1)
    })
}

fn run() -> Result<(), Box<dyn Error>> {
    let (width, height) = (1280, 720); // rows are whole multiples of 256 bytes
    let (gpu, format) = (Gpu::new(&gpu::GpuOptions::from_env())?, wgpu::TextureFormat::Rgba8UnormSrgb);
    let mut target = RenderTarget::new(format, 4);
    let shader = terrain::composer().bind("picture", "picture.rs", SHADER).compose("picture")?;
    let buffers = &[Some(TerrainVertex::LAYOUT)];
    let options = target.options().with_vertex("vertex").with_fragment(Some("fragment")).with_buffers(buffers);
    let pipeline = RenderKernel::new(&gpu.device, &shader, &options)?;
    let camera = Uniform::new(&gpu.device, "camera");
    let bindings = pipeline.bind_group(&gpu.device, 0, &[("clip_from_eye", camera.binding())])?;
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
    let (dimension, label, view_formats) = (wgpu::TextureDimension::D2, None, &[][..]);
    let picture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label,
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension,
        format,
        usage,
        view_formats,
    });
    let pixels = transfer::storage::<u32>(&gpu.device, "pixels", width * height);

    // Over the Gulf of Genoa, towards the Alps.
    let eye = Geodetic::from_degrees(42.5, 8.5, 250_000.0);
    let (up, ahead) = (eye.normal(), Geodetic::from_degrees(46.3, 8.5, 0.0).to_ecef());
    let view =
        View { eye_m: eye.to_ecef(), forward: ahead - eye.to_ecef(), up, fov_y_rad: 0.8, size_px: (width, height) };
    // A tenth of the tolerated error of a pixel: triangles are shaded by their own normals here.
    let fine = Options::default().with_quality(Quality::default().with_pixel_error(0.1));
    let mut planet = Planet::new(&gpu.device, Arc::new(Relief::embedded()?), fine)?;
    camera.write(&gpu.queue, &view.clip_from_eye(100.0));
    loop {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let settled = planet.update_complete(&view, &gpu.queue, &mut encoder)?.settled;
        let mut pass = target.begin_pass(&gpu.device, &mut encoder, &picture.create_view(&Default::default()));
        pass.set_pipeline(pipeline.pipeline());
        pass.set_bind_group(0, &bindings, &[]);
        planet.draw(&mut pass);
        drop(pass);
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None };
        let copied = wgpu::TexelCopyBufferInfo { buffer: &pixels, layout };
        encoder.copy_texture_to_buffer(picture.as_image_copy(), copied, size);
        gpu.queue.submit([encoder.finish()]);
        gpu.wait()?;
        if settled {
            break;
        }
    }
    let bytes: Vec<u8> = transfer::download::<u32>(&gpu, &pixels)?.into_iter().flat_map(u32::to_le_bytes).collect();
    let path = std::env::args().nth(1).unwrap_or_else(|| "planet.png".into());
    image::RgbaImage::from_raw(width, height, bytes).ok_or("too few pixels")?.save(&path)?;
    let triangles = planet.poll().triangles;
    println!("{path}: {triangles} triangles, mesh on the {}", planet.backend());
    Ok(())
}
