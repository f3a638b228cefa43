//! How many triangles does a view take, and how long does an update last? Settles the mesh over the Himalaya at heights
//! from orbit to the ground and prints a table. No GPU is needed.
//!
//! `cargo run --release -p orogen-terrain --example triangles_by_height [-- FILES...]`

use std::{sync::Arc, time::Instant};

use terrain::{
    DEFAULT_TILES, Quality, View,
    geodesy::{Ellipsoid, Geodetic},
    height::{OpenOptions, Relief},
    mesh::Mesh,
    pool::{Pool, VisitOrder},
};

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let started = Instant::now();
    let files: Vec<std::path::PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    let relief = Arc::new(Relief::open(&files, &OpenOptions::default())?);
    println!("relief read in {:.0?}", started.elapsed());
    let started = Instant::now();
    relief.coarse_errors();
    println!("errors of the lattice built in {:.0?}", started.elapsed());

    let slots = 1 << 17;
    let mut pool = Pool::new(slots, 58)?;
    let mut mesh = Mesh::new(relief.clone(), slots as u32, DEFAULT_TILES);
    mesh.sync_with_pool(&pool);
    let quality = Quality::default();
    let n = Geodetic::from_degrees(27.7, 86.9, 0.0).normal();
    let north = terrain::geodesy::east_north_up(n).1;
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    println!(
        "{:>12} {:>10} {:>6} {:>10} {:>10} {:>10} {:>10}",
        "height m", "triangles", "steps", "settle ms", "look ms", "update ms", "write ms"
    );
    for height_m in [20_000_000.0, 8_000_000.0, 1_000_000.0, 100_000.0, 10_000.0, 2_000.0, 200.0, 2.0] {
        let tilt = if height_m > 2e6 { 0.0 } else { 1.2f64 };
        let view = View::perspective(
            Ellipsoid::WGS84.ecef(n, relief.sample(n).height_m + height_m),
            -n * tilt.cos() + north * tilt.sin(),
            north,
            60f64.to_radians(),
            (1280, 720),
        );
        let frustum = mesh.frustum(&view)?;
        let started = Instant::now();
        mesh.update_tiles_complete(&frustum, &quality);
        let (mut steps, mut quiet) = (0, 0);
        while quiet < 4 {
            mesh.update_priorities(&frustum, &quality);
            let stats = pool.update(&mesh, VisitOrder::Parallel);
            mesh.sync_with_pool(&pool);
            quiet = if stats.splits + stats.merges == 0 { quiet + 1 } else { 0 };
            steps += 1;
        }
        let settle = started.elapsed();
        let time = |work: &mut dyn FnMut()| {
            let started = Instant::now();
            (0..10).for_each(|_| work());
            started.elapsed().as_secs_f64() * 100.0
        };
        let look = time(&mut || mesh.update_priorities(&frustum, &quality));
        let update = time(&mut || {
            pool.update(&mesh, VisitOrder::Parallel);
            mesh.sync_with_pool(&pool);
        });
        let write = time(&mut || {
            mesh.write_vertices(view.eye_m, &quality, &mut vertices);
            mesh.write_indices(&pool, &mut indices);
        });
        println!(
            "{height_m:>12} {:>10} {steps:>6} {:>10.1} {look:>10.2} {update:>10.2} {write:>10.2}",
            pool.live(),
            settle.as_secs_f64() * 1e3,
        );
    }
    Ok(())
}
