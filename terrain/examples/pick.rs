//! Where does a ray meet the planet that is drawn? A mesh on the device over the Himalaya, picked in the middle of the picture,
//! beside the surface that it converges to, with what rays cost on the device and picks on the CPU.
//!
//! `cargo run --release -p orogen-terrain --example pick`

use std::{error::Error, sync::Arc, time::Instant};

use glam::DVec3;
use gpu::{Gpu, GpuOptions, timing::PassTimer, transfer};
use kernels::lbvh::{Hit, Outcome, Ray};
use terrain::{
    GpuTerrain, MeshRays, Options, View,
    geodesy::{Ellipsoid, Geodetic},
    height::Relief,
    surface::Surface,
};

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let gpu = Gpu::new(&GpuOptions::from_env())?;
    let relief = Arc::new(Relief::embedded()?);
    let surface = Surface::new(relief.clone());
    let mut terrain = GpuTerrain::new(&gpu.device, relief, Options::default())?;

    // 3 km above the ground, south of Everest, looking north and down.
    let at = Geodetic::from_degrees(27.4, 86.9, 0.0).normal();
    let (_, north, up) = terrain::geodesy::east_north_up(at);
    let eye_m = Ellipsoid::WGS84.ecef(at, surface.height_m(at) + 3_000.0);
    let view = View::perspective(eye_m, north - 0.1 * up, up, 0.8, (1920, 1080));
    while !terrain.report().settled {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        terrain.update_complete(&view, &gpu.queue, &mut encoder)?;
        gpu.queue.submit([encoder.finish()]);
        gpu.wait()?;
    }

    // A million, or what a CPU that plays a device gets done.
    let side = if gpu.caps.is_software() { 256 } else { 1024 };
    let (alone, many) = (directions(&view, 1, 1), directions(&view, side, side));
    let (hits, build_us, alone_us) = trace(&gpu, &terrain, &alone)?;
    let (_, _, many_us) = trace(&gpu, &terrain, &many)?;
    let Outcome::Hit(hit) = hits[0].outcome() else { return Err("there is ground ahead".into()) };
    let direction = view.forward.normalize();
    let show = |what: &str, place: Geodetic, distance_m: f64| {
        let (lat_deg, lon_deg) = (place.lat_rad.to_degrees(), place.lon_rad.to_degrees());
        println!("{what:<8} {lat_deg:.5} N {lon_deg:.5} E, {:.1} m high, {distance_m:.1} m away", place.height_m);
    };
    show("mesh", Ellipsoid::WGS84.geodetic(eye_m + direction * f64::from(hit.t)), f64::from(hit.t));
    if let Some(exact) = surface.ray(eye_m, direction, 1e7)? {
        show("surface", exact.place, exact.distance_m);
    }
    let us = |us: Option<f64>| us.map_or_else(|| "no timestamps".to_owned(), |us| format!("{us:.0} µs"));
    let triangles = terrain.report().triangles;
    println!(
        "{}: tree of {triangles} triangles {}, 1 ray {}, {} rays {}",
        gpu.caps.adapter,
        us(build_us),
        us(alone_us),
        many.len(),
        us(many_us)
    );
    for (what, above_m, down) in
        [("from the air", 3_000.0, 0.1), ("from the ground", 2.0, 0.0), ("from space", 2e6, 3.0)]
    {
        let eye_m = Ellipsoid::WGS84.ecef(at, surface.height_m(at) + above_m);
        let view = view.with_eye_m(eye_m).with_forward(north - down * up);
        println!("CPU, {what}: {}", pick_times(&surface, &view));
    }
    Ok(())
}

/// Through the middles of so many columns and rows of a view, of unit length.
fn directions(view: &View, columns: u32, rows: u32) -> Vec<DVec3> {
    let forward = view.forward.normalize();
    let right = forward.cross(view.up).normalize();
    let (up, tan) = (right.cross(forward), (0.5 * view.fov_y_rad).tan());
    let aspect = f64::from(view.size_px.0) / f64::from(view.size_px.1);
    let middle = |k: u32, of: u32| 2.0 * (f64::from(k) + 0.5) / f64::from(of) - 1.0;
    let direction = |k: u32| {
        let (x, y) = (middle(k % columns, columns), middle(k / columns, rows));
        (forward + right * x * tan * aspect - up * y * tan).normalize()
    };
    (0..columns * rows).map(direction).collect()
}

/// What rays from the eye meet, and the least time in µs of making the tree and of tracing, where the device has timestamps.
fn trace(gpu: &Gpu, terrain: &GpuTerrain, directions: &[DVec3]) -> Result<Traced, Box<dyn Error>> {
    // Once: the tree's buffers and bind groups. Origins are relative to the eye; directions may have any length.
    let rays = MeshRays::new(&gpu.device, terrain, directions.len() as u32)?;
    let batch: Vec<Ray> = directions.iter().map(|d| Ray::new([0.0; 3], d.as_vec3().to_array())).collect();
    gpu.queue.write_buffer(rays.rays(), 0, bytemuck::cast_slice(&batch));
    // Each frame: the tree where the mesh has changed, and the rays. The first run compiles and is not timed.
    let record = |build: bool, trace: bool| -> Result<Option<f64>, Box<dyn Error>> {
        let mut best_us: Option<f64> = None;
        for _ in 0..10 {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            let encode = |pass: &mut wgpu::ComputePass<'_>| {
                if build {
                    rays.encode_build(pass);
                }
                if trace {
                    rays.encode_trace(pass);
                }
            };
            let mut timer = PassTimer::new(gpu, 0);
            match &mut timer {
                Some(timer) => timer.encode_with(&mut encoder, encode),
                None => encode(&mut encoder.begin_compute_pass(&Default::default())),
            }
            gpu.queue.submit([encoder.finish()]);
            if let Some(timer) = timer {
                let us = timer.read(gpu)?.0.as_secs_f64() * 1e6;
                best_us = Some(best_us.map_or(us, |best| best.min(us)));
            }
        }
        Ok(best_us)
    };
    let (build_us, trace_us) = (record(true, false)?, record(false, true)?);
    Ok((transfer::download(gpu, rays.hits())?, build_us, trace_us))
}

/// Hits, µs of the tree, µs of the rays.
type Traced = (Vec<Hit>, Option<f64>, Option<f64>);

/// How long a pick takes on the CPU, all over a view: where the ray meets the ground, and what is there. Of three tries the
/// shortest.
fn pick_times(surface: &Surface, view: &View) -> String {
    let pick = |direction: &DVec3| {
        let start = Instant::now();
        let met = surface.ray(view.eye_m, *direction, 1e8).ok().flatten();
        let ground = met.map(|met| surface.ground(met.place.normal()));
        (start.elapsed().as_secs_f64() * 1e6, ground.is_some())
    };
    let best =
        |direction| [pick(direction), pick(direction), pick(direction)].into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    let mut times: Vec<(f64, bool)> = directions(view, 64, 36).iter().filter_map(best).collect();
    let ground = times.iter().filter(|(_, ground)| *ground).count();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| times[(share * (times.len() - 1) as f64) as usize].0;
    let rays = times.len();
    format!(
        "{ground} of {rays} meet the ground; median {:.1} µs, 99 % {:.1}, longest {:.1}",
        at(0.5),
        at(0.99),
        at(1.0)
    )
}
