//! How long do the horizons of a raster take? `cargo run --release -p orogen-analysis --example horizons_speed [SIDE] [DIRECTIONS]`
//!
//! Over synthetic ground with cells of 30 m: hills of all sizes from 60 km to 120 m, each half as wide as the one before and 0.55 as high.

use std::{sync::Arc, time::Instant};

use analysis::{Grid, Horizons, HorizonsOptions};
use elevation::geodesy::Geodetic;
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
    let cells = Grid::around(Geodetic::from_degrees(46.0, 8.0, 0.0), 15.0 * side as f64, 30.0)?;
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
