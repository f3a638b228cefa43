//! How long do the horizons of a raster take? `cargo run --release -p orogen-analysis --example horizons_speed [CELLS] [DIRECTIONS]`

use std::{sync::Arc, time::Instant};

use analysis::{Grid, Horizons, HorizonsOptions};
use elevation::geodesy::Geodetic;
use elevation::height::{GlobalGrid, Registration, Relief};
use elevation::surface::Surface;

/// Hills of many sizes: each octave half as wide and 0.55 as high.
fn hills(lon_deg: f64, lat_deg: f64) -> f64 {
    let octave = |k: i32| {
        let (wave, turn) = (2f64.powi(k), f64::from(k) * 0.7);
        let (u, v) = (lon_deg * turn.cos() + lat_deg * turn.sin(), lat_deg * turn.cos() - lon_deg * turn.sin());
        0.55f64.powi(k) * ((wave * u).sin() * (wave * v + turn).cos()).abs()
    };
    3_000.0 * (0..9).map(octave).sum::<f64>()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number = |k: usize, usual: usize| std::env::args().nth(k).map_or(Ok(usual), |word| word.parse());
    let (side, directions) = (number(1, 2_000)?, number(2, 8)?);
    let grid = GlobalGrid::from_fn(21_600, 10_801, Registration::Node, |lon, lat| hills(lon * 6.0, lat * 6.0));
    let surface = Surface::new(Arc::new(Relief::from_grid(grid)?));
    let cells = Grid::around(Geodetic::from_degrees(46.0, 8.0, 0.0), 200.0 * side as f64, 400.0)?;
    let start = Instant::now();
    let mut last = start;
    Horizons::each(&surface, &cells, &HorizonsOptions::default().with_directions(directions), |k, band| {
        let took = last.elapsed();
        last = Instant::now();
        let mean = band.iter().map(|rad| f64::from(*rad)).sum::<f64>() / band.len() as f64;
        let ns = took.as_nanos() as f64 / band.len() as f64;
        println!("direction {k}: {ns:.1} ns a cell, mean horizon {:.2} degrees", mean.to_degrees());
    })?;
    println!("{} cells, {directions} directions: {:.2} s", cells.cells(), start.elapsed().as_secs_f64());
    Ok(())
}
