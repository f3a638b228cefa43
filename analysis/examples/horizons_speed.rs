//! How long do the horizons of a raster take? `cargo run --release -p orogen-analysis --example horizons_speed [SIDE] [DIRECTIONS]`
//!
//! With the feature `gpu`, `--gpu` at the end measures a graphics device, by its own clock where it has one. `--sightlines` measures the
//! longest lines of sight over a raster of the same ground, with cells of `CELL_M` metres (30).
//!
//! Over synthetic ground with cells of 30 m: hills of all sizes from 60 km to 120 m, each half as wide as the one before and 0.55 as high.

use std::{sync::Arc, time::Instant};

use analysis::{Grid, Horizons, HorizonsOptions};
use elevation::geodesy::{Ellipsoid, Geodetic};
use elevation::height::{Elevation, ElevationSource, HeightBounds, LayerInfo, Location, Region, Relief, Spacing};
use elevation::surface::Surface;

const BOX: [f64; 4] = [-180.0, -90.0, 180.0, 90.0];
const RANGE_M: (f64, f64) = (-100.0, 4_900.0);

#[derive(Debug)]
struct Hills;

impl ElevationSource for Hills {
    fn sample(&self, at: &Location, _: Spacing) -> Option<Elevation> {
        let (x, y) = (at.lon_deg * 77.0, at.lat_deg * 111.0);
        let octave = |k: i32| {
            let (wave, turn) = (0.1 * 2f64.powi(k), f64::from(k) * 0.7);
            let (u, v) = (x * turn.cos() + y * turn.sin(), y * turn.cos() - x * turn.sin());
            0.55f64.powi(k) * ((wave * u).sin() * (wave * v + turn).cos()).abs()
        };
        Some(Elevation::whole(2_000.0 * (0..10).map(octave).sum::<f64>()))
    }

    fn bounds(&self, _: &Region) -> Option<HeightBounds> {
        Some(HeightBounds::of(RANGE_M))
    }

    fn posting_m(&self, _: &Location) -> f64 {
        30.0
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number = |k: usize, usual: usize| std::env::args().nth(k).map_or(Ok(usual), |word| word.parse());
    let (side, directions) = (number(1, 2_000)?, number(2, 8)?);
    let relief = Relief::of_source(LayerInfo::synthetic("hills", 30.0, BOX, RANGE_M), Arc::new(Hills));
    let surface = Surface::new(Arc::new(relief));
    let cells = Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(46.0, 8.0, 0.0), 15.0 * side as f64, 30.0)?;
    let options = HorizonsOptions::default().with_directions(directions);
    let is_given = |option: &str| std::env::args().any(|word| word == option);
    if is_given("--sightlines") {
        return sightlines(&surface, side, directions, is_given("--gpu"));
    }
    if is_given("--gpu") {
        return on_device(&surface, &cells, &options);
    }
    let start = Instant::now();
    let mut last = start;
    Horizons::each(&surface, &cells, &options, |k, band| {
        let took = last.elapsed();
        last = Instant::now();
        println!("direction {k}: {}", told(took.as_secs_f64(), &band));
    })?;
    println!("{} cells, {directions} directions: {:.2} s", cells.cells(), start.elapsed().as_secs_f64());
    Ok(())
}

/// The longest lines of sight over a raster of the hills in memory, with cells in degrees; eyes are in its middle two thirds.
fn sightlines(
    hills: &Surface,
    side: usize,
    directions: usize,
    on_device: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    use analysis::{Sightlines, SightlinesOptions};
    use elevation::height::{ArraySystem, GlobalGrid, OpenOptions, RasterArray, Registration};
    use rayon::prelude::*;
    let cell_m: f64 = std::env::var("CELL_M").map_or(Ok(30.0), |word| word.parse())?;
    let posting_deg = cell_m / 111_200.0;
    // As wide as high in metres.
    let (wide_deg, half) = (posting_deg / 46f64.to_radians().cos(), 0.5 * side as f64);
    let (west, north) = (8.0 - wide_deg * half, 46.0 + posting_deg * half);
    let row = |row: usize| {
        let normal = |column: usize| {
            let [down, right] = [row, column].map(|k| k as f64 + 0.5);
            Geodetic::from_degrees(north - posting_deg * down, west + wide_deg * right, 0.0).normal()
        };
        let normals: Vec<_> = (0..side).map(normal).collect();
        hills.heights_m(&normals).into_iter().map(|height_m| height_m as f32)
    };
    let start = Instant::now();
    let values: Vec<f32> = (0..side).into_par_iter().flat_map_iter(row).collect();
    println!("raster: {:.2} s", start.elapsed().as_secs_f64());
    let same = |_: &mut [f64], _: &mut [f64]| {};
    let system =
        ArraySystem { name: "WGS 84", definition: "", is_geographic: true, to_wgs84: &same, from_wgs84: &same };
    let geo_transform = [west, wide_deg, 0.0, north, 0.0, -posting_deg];
    let name = "hills";
    let raster = RasterArray { name, size: [side; 2], values, geo_transform, system, scale: 1.0, offset: 0.0 };
    let sea = Relief::from_grid(GlobalGrid::from_fn(8, 5, Registration::Node, |_, _| 0.0))?;
    let surface = Surface::new(Arc::new(sea.under_array(raster, &OpenOptions::default())?));
    let [high_deg, wide_deg] = [posting_deg, wide_deg].map(|deg| deg * side as f64 / 3.0);
    let options = SightlinesOptions::default().with_directions(directions).with_cell_m(Some(cell_m)).with_lines(1_000);
    let (start, last) = (Instant::now(), std::sync::Mutex::new((0, Instant::now())));
    let told = |part: usize, parts: usize| {
        let Ok(mut last) = last.lock() else { return };
        if part == last.0 {
            return;
        }
        if part.is_power_of_two() || part.is_multiple_of(directions.div_ceil(4)) || part + 1 == parts {
            println!("direction {part} of {}: {:.3} s", parts - 1, start.elapsed().as_secs_f64());
        }
        *last = (part, Instant::now());
    };
    let area = [8.0 - wide_deg, 46.0 - high_deg, 8.0 + wide_deg, 46.0 + high_deg];
    let found = if on_device {
        by_device(&surface, area, &options, told)?
    } else {
        Sightlines::new(&surface, area, &options, told)?
    };
    let proofs_s = last.lock().map_err(|error| error.to_string())?.1.elapsed().as_secs_f64();
    println!(
        "{} eyes, {} lines: {:.2} s, proofs {proofs_s:.2} s",
        found.eyes,
        found.lines.len(),
        start.elapsed().as_secs_f64()
    );
    for line in found.lines.iter().take(3) {
        println!("{:.0} m at {:.2} degrees", line.distance_m, line.azimuth_rad.to_degrees());
    }
    Ok(())
}

#[cfg(feature = "gpu")]
fn by_device(
    surface: &Surface,
    area: [f64; 4],
    options: &analysis::SightlinesOptions,
    told: impl Fn(usize, usize) + Sync,
) -> Result<analysis::Sightlines, Box<dyn std::error::Error>> {
    let gpu = gpu::Gpu::new(&gpu::GpuOptions::from_env())?;
    println!("{}", gpu.caps.adapter);
    let should_continue = |part: usize, parts: usize| {
        told(part, parts);
        true
    };
    Ok(analysis::Sightlines::on_device_while(&gpu, surface, area, options, should_continue)?)
}

#[cfg(not(feature = "gpu"))]
fn by_device(
    _: &Surface,
    _: [f64; 4],
    _: &analysis::SightlinesOptions,
    _: impl Fn(usize, usize) + Sync,
) -> Result<analysis::Sightlines, Box<dyn std::error::Error>> {
    Err("built without the feature gpu".into())
}

fn told(took_s: f64, band: &[f32]) -> String {
    let mean = band.iter().map(|rad| f64::from(*rad)).sum::<f64>() / band.len() as f64;
    let ns = 1e9 * took_s / band.len() as f64;
    format!("{ns:.2} ns a cell, mean horizon {:.2} degrees", mean.to_degrees())
}

#[cfg(feature = "gpu")]
fn on_device(surface: &Surface, cells: &Grid, options: &HorizonsOptions) -> Result<(), Box<dyn std::error::Error>> {
    let gpu = gpu::Gpu::new(&gpu::GpuOptions::from_env())?;
    println!("{}", gpu.caps.adapter);
    let start = Instant::now();
    let ground = analysis::HorizonGround::new(surface, cells, options, &|| true)?;
    println!("heights: {:.2} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let on_device = analysis::DeviceHorizonGround::new(&gpu, &ground)?;
    println!("kernels and upload: {:.2} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let mut last = start;
    on_device.each(cells, &|| true, |k, band| {
        let took = last.elapsed();
        last = Instant::now();
        println!("direction {k}: {}", told(took.as_secs_f64(), &band));
    })?;
    println!("{} cells, {} directions: {:.2} s", cells.cells(), options.directions, start.elapsed().as_secs_f64());
    for (what, time) in on_device.times(cells, 1)? {
        println!("{what}: {:.3} ms of the device for a direction", 1e3 * time.as_secs_f64());
    }
    Ok(())
}

#[cfg(not(feature = "gpu"))]
fn on_device(_: &Surface, _: &Grid, _: &HorizonsOptions) -> Result<(), Box<dyn std::error::Error>> {
    Err("built without the feature gpu".into())
}
