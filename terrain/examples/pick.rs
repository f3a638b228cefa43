//! Where does a ray meet the planet that is drawn? A mesh on the device over the Himalaya, picked in the middle of the picture,
//! beside the surface that it converges to, with what a batch of rays costs.
//!
//! `cargo run --release -p terrain --example pick`

use std::{error::Error, sync::Arc};

use kernels::{
    gpu::{Gpu, GpuOptions},
    lbvh::{Hit, Outcome, Ray},
    timing::PassTimer,
    transfer,
};
use terrain::{
    GpuTerrain, MeshRays, Options, View,
    geodesy::{Geodetic, ecef, from_ecef},
    gpu_terrain::DEFAULT_TILES,
    height::Relief,
    surface::Surface,
};

/// Rays of the batch: one from the eye ahead, the others around it.
const RAYS: u32 = 1 << 16;

fn main() -> Result<(), Box<dyn Error>> {
    let gpu = Gpu::new(&GpuOptions::default())?;
    let relief = Arc::new(Relief::embedded()?);
    let surface = Surface::new(relief.clone());
    let mut terrain = GpuTerrain::new(&gpu.device, relief, Options::default(), DEFAULT_TILES)?;

    // 3 km above the ground, south of Everest, looking north and down.
    let at = Geodetic::from_degrees(27.4, 86.9, 0.0).normal();
    let (east, north, up) = terrain::geodesy::east_north_up(at);
    let eye_m = ecef(at, surface.height_m(at) + 3_000.0);
    let view = View { eye_m, forward: north - 0.1 * up, up, fov_y_rad: 0.8, size_px: (1920, 1080) };
    while !terrain.report().settled {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        terrain.update_complete(&view, &gpu.queue, &mut encoder)?;
        gpu.queue.submit([encoder.finish()]);
        gpu.wait()?;
    }

    // Once: the tree's buffers and bind groups. Origins are relative to the eye; directions may have any length.
    let rays = MeshRays::new(&gpu.device, &terrain, RAYS)?;
    let batch: Vec<Ray> = (0..RAYS)
        .map(|k| {
            let aside = f64::from(k) / f64::from(RAYS);
            let direction = view.forward + east * aside - up * 0.1 * aside;
            Ray::new([0.0; 3], direction.normalize().as_vec3().to_array())
        })
        .collect();
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
            let mut timer = PassTimer::new(&gpu, 0);
            match &mut timer {
                Some(timer) => timer.encode_with(&mut encoder, encode),
                None => encode(&mut encoder.begin_compute_pass(&Default::default())),
            }
            gpu.queue.submit([encoder.finish()]);
            if let Some(timer) = timer {
                let us = timer.read(&gpu)?.0.as_secs_f64() * 1e6;
                best_us = Some(best_us.map_or(us, |best| best.min(us)));
            }
        }
        Ok(best_us)
    };
    let (build_us, trace_us) = (record(true, false)?, record(false, true)?);

    let hits: Vec<Hit> = transfer::download(&gpu, rays.hits())?;
    let Outcome::Hit(hit) = hits[0].outcome() else { return Err("there is ground ahead".into()) };
    let direction = view.forward.normalize();
    let show = |what: &str, place: Geodetic, distance_m: f64| {
        let (lat_deg, lon_deg) = (place.lat_rad.to_degrees(), place.lon_rad.to_degrees());
        println!("{what:<8} {lat_deg:.5} N {lon_deg:.5} E, {:.1} m high, {distance_m:.1} m away", place.height_m);
    };
    show("mesh", from_ecef(eye_m + direction * f64::from(hit.t)), f64::from(hit.t));
    if let Some(exact) = surface.ray(eye_m, direction, 1e7)? {
        show("surface", exact.place, exact.distance_m);
    }
    let triangles = terrain.report().triangles;
    match build_us.zip(trace_us) {
        Some((build, trace)) => {
            println!("{}: tree of {triangles} triangles {build:.0} µs, {RAYS} rays {trace:.0} µs", gpu.caps.adapter)
        }
        None => println!("{} has no timestamps", gpu.caps.adapter),
    }
    Ok(())
}
