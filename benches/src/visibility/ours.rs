//! What do we see, and what is true? Our viewsheds and horizons, and exact rays to random cells.

use std::time::Instant;
use terrain::geodesy::Ellipsoid;

use analysis::{Grid, Horizons, HorizonsOptions, Viewshed, ViewshedOptions};
use anyhow::ensure;
use benches::clock::Clock;
use rand::{Rng, rngs::StdRng};
use rayon::prelude::*;
use terrain::{geodesy::Geodetic, surface::Surface};

use super::{
    Options,
    raster::Scene,
    report::{Cells, HorizonsTime},
};

/// Random cells within the radius, and whether exact rays over the exact and over the bilinear surface see them.
pub struct Truth {
    pub cells: Vec<(usize, [bool; 2])>,
    /// Cells within the radius.
    pub within: usize,
}

impl Truth {
    /// Looks at the cells one by one.
    pub fn of(surfaces: [&Surface; 2], scene: &Scene, options: &Options, rng: &mut StdRng) -> anyhow::Result<Self> {
        let grid = Grid::around(Ellipsoid::WGS84, scene.eye, scene.half as f64 * scene.cell_m, scene.cell_m)?;
        let within = (0..scene.side * scene.side).filter(|cell| scene.holds(*cell)).count();
        let drawn = std::iter::repeat_with(|| rng.random_range(0..scene.side * scene.side));
        let drawn: Vec<usize> = drawn.filter(|cell| scene.holds(*cell)).take(options.rays).collect();
        let seen = |cell: usize, surface: &Surface| {
            let standing = |place: Geodetic, above_m: f64| {
                let height_m = surface.height_m(place.normal()) + above_m;
                Geodetic { height_m, ..place }
            };
            let target = standing(grid.place(cell % scene.side, cell / scene.side), 0.0);
            surface.sees(standing(scene.eye, options.eye_height), target, 0.0)
        };
        let cells = drawn.into_par_iter().map(|cell| {
            let [exact, bilinear] = surfaces;
            Ok((cell, [seen(cell, exact)?, seen(cell, bilinear)?]))
        });
        Ok(Self { cells: cells.collect::<anyhow::Result<_>>()?, within })
    }
}

/// Our viewshed over a surface.
pub fn viewshed(name: &str, surface: &Surface, scene: &Scene, options: &Options) -> anyhow::Result<Cells> {
    let asked =
        ViewshedOptions::within(scene.radius_m).with_eye_height_m(options.eye_height).with_cell_m(Some(scene.cell_m));
    let clock = Clock::of_all_threads();
    let shed = Viewshed::new(surface, scene.eye, &asked, |_, _| {})?;
    let seconds = clock.seconds();
    ensure!(shed.side == scene.side, "a viewshed of {} cells a side, not {}", shed.side, scene.side);
    let seen = shed.cells.iter().map(|cell| *cell == Viewshed::SEEN).collect();
    Ok(Cells { program: "orogen".into(), surface: name.into(), seconds, seen })
}

/// Our horizons of the raster's inner half; one direction less than all of them is what they cost.
pub fn horizons(surface: &Surface, scene: &Scene, options: &Options) -> anyhow::Result<HorizonsTime> {
    let grid = Grid::around(Ellipsoid::WGS84, scene.eye, 0.5 * scene.half as f64 * scene.cell_m, scene.cell_m)?;
    let timed = |directions: usize| -> anyhow::Result<(f64, f64)> {
        let (clock, started) = (Clock::of_all_threads(), Instant::now());
        Horizons::each(surface, &grid, &HorizonsOptions::default().with_directions(directions), |_, _| {})?;
        Ok((clock.seconds(), started.elapsed().as_secs_f64()))
    };
    let (one, all) = (timed(1)?, timed(1 + options.directions)?);
    let values = (grid.cells() * options.directions) as f64;
    Ok(HorizonsTime {
        cells: grid.cells(),
        directions: options.directions,
        processor_ns: (all.0 - one.0) / values * 1e9,
        elapsed_ns: (all.1 - one.1) / values * 1e9,
    })
}
