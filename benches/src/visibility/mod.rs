//! One raster, one run: viewsheds of ours and of other programs against exact rays, and our horizons.

mod ours;
mod peers;
mod raster;
mod report;

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use anyhow::ensure;
use benches::report::Report;
use clap::Parser;
use rand::{Rng, SeedableRng, rngs::StdRng};
use terrain::{
    height::{Interpolation, OpenOptions, Relief},
    surface::Surface,
};

use raster::Scene;
use report::{Cells, HorizonsTime, RunParameters, ViewshedTime};

/// Times viewsheds over random ground, ours over the exact and the bilinear surface and those of gdal_viewshed, xarray-spatial and
/// whitebox where they are installed, and compares cells with exact rays over both. Also the horizons of the raster.
#[derive(Parser, Debug)]
#[command(name = "visibility", version)]
pub struct Options {
    /// How far the eye looks, in metres.
    #[arg(long, default_value_t = 29_000.0)]
    radius: f64,
    /// Side of a cell in metres.
    #[arg(long, default_value_t = 30.0)]
    cell: f64,
    /// Height of the eye above the ground in metres.
    #[arg(long, default_value_t = 20.0)]
    eye_height: f64,
    /// Cells that are compared with exact rays.
    #[arg(long, default_value_t = 20_000)]
    rays: usize,
    /// Directions of the horizons.
    #[arg(long, default_value_t = 4)]
    directions: usize,
    /// The ground; a new one each time without it.
    #[arg(long)]
    seed: Option<u64>,
    /// Python with xarray-spatial or whitebox.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// Folder for the raster; that of the system without one.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Where to save the rows, as JSON.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the program.
pub fn main() -> ExitCode {
    benches::exit_code("visibility", run(&Options::parse()))
}

fn run(options: &Options) -> anyhow::Result<()> {
    let half = (options.radius / options.cell).floor();
    ensure!((8.0..=8_000.0).contains(&half), "--radius has to be 8 to 8000 times --cell");
    ensure!(options.rays > 0 && (1..=64).contains(&options.directions), "--rays at least 1, --directions 1 to 64");
    let seed = options.seed.unwrap_or_else(|| rand::rng().random());
    let folder = options.folder.clone().unwrap_or_else(std::env::temp_dir);
    let scene = Scene::write(&folder, half as usize, options, seed)?;
    let relief = Relief::open(&[scene.file()], &OpenOptions::default())?;
    let exact = Surface::new(Arc::new(relief.interpolated(Interpolation::Cubic)));
    let bilinear = Surface::new(Arc::new(relief.interpolated(Interpolation::Bilinear)));
    let truth = ours::Truth::of([&exact, &bilinear], &scene, options, &mut StdRng::seed_from_u64(seed))?;
    println!("seed {seed}; shares of cells that differ from exact rays over the exact and the bilinear surface");
    let mut report = Report::new(None, RunParameters { seed, skipped: Vec::new(), horizons: None });
    for (surface, of) in [("exact", &exact), ("bilinear", &bilinear)] {
        report.add(ours::viewshed(surface, of, &scene, options)?.row(&truth));
    }
    for peer in peers::ALL {
        match peer.viewshed(&scene, options) {
            Ok(cells) => report.add(cells.row(&truth)),
            Err(missing) => report.parameters.skip(peer.name(), &format!("{missing:#}")),
        }
    }
    report.parameters.skip("GRASS r.horizon", "not asked: GRASS takes a location of its own");
    let horizons = ours::horizons(&exact, &scene, options)?;
    let HorizonsTime { cells, directions, processor_ns, elapsed_ns } = horizons;
    println!(
        "horizons: {cells} cells, {directions} directions: {processor_ns:.0} ns of processor time and {elapsed_ns:.0} ns a cell and direction"
    );
    report.parameters.horizons = Some(horizons);
    options.output.as_ref().map_or(Ok(()), |file| report.save(file))
}

impl Cells {
    /// Beside the truth.
    fn row(self, truth: &ours::Truth) -> ViewshedTime {
        let differing = [0, 1].map(|surface| {
            let wrong = truth.cells.iter().filter(|(cell, seen)| self.seen[*cell] != seen[surface]).count();
            wrong as f64 / truth.cells.len() as f64
        });
        let seen_by = |cell: &&(usize, [bool; 2]), surface: usize| cell.1[surface] || self.seen[cell.0];
        let differing_of_seen = [0, 1].map(|surface| {
            let either = truth.cells.iter().filter(|cell| seen_by(cell, surface));
            let wrong = either.clone().filter(|(cell, seen)| self.seen[*cell] != seen[surface]).count();
            wrong as f64 / either.count().max(1) as f64
        });
        ViewshedTime {
            program: self.program,
            surface: self.surface,
            seconds: self.seconds,
            cells: truth.within,
            seen: self.seen.iter().filter(|seen| **seen).count(),
            differing,
            differing_of_seen,
        }
    }
}
