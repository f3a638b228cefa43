//! Tiles from a local GeoTIFF: make the rasters, time the tile function on one core, time gdalwarp on the same tiles, compare.

mod bake;
mod pictures;
mod scene;
mod teleport;
mod warp;

use anyhow::bail;
use benches::clock::Clock;
use benches::figures::median;
use benches::report::{Cell, Report, Row, number};
use clap::Parser;
use scene::{Block, Source};
use serde::Serialize;
use std::{path::PathBuf, process::ExitCode};
use terrain::{
    height::{CoarseErrors, OpenOptions, Relief},
    tile::{Tile, TileId},
};

/// Times the tile function on one core: tiles as fine as a tiled GeoTIFF with a warm page cache, on an equatorial and on a polar
/// face of the cube, and `gdalwarp -r cubic` (one call for all, one core) on the same texels.
///
/// `memory` are tiles of a raster that is in memory; `windows` of one that is larger than its budget, reading and decoding
/// included, from the first tile on. Times are those that the processor spent, so that other programs do not count, where the
/// system tells (Linux). Needs GDAL's programs gdal_translate and gdalwarp.
#[derive(Parser, Debug)]
#[command(name = "tiles", version)]
struct Options {
    /// Tiles along a side of the square that is made.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=16))]
    side: u32,
    /// Timed runs of each row; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    reps: u32,
    /// Compression of the GeoTIFFs, as GDAL calls it.
    #[arg(long, default_value = "NONE")]
    compress: String,
    /// Instead, bake a raster of the Earth of this many columns and half as many rows, and tell the most memory it took.
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u32).range(1000..=200_000))]
    bake: Option<u32>,
    /// Instead, leap from place to place over the embedded relief, and tell how long it takes until the view has settled.
    #[arg(long, conflicts_with = "bake")]
    teleport: bool,
    /// With --teleport: take the best adapter of the machine, not a software one.
    #[arg(long, requires = "teleport")]
    gpu: bool,
    /// Instead, make tiles of this picture, and as many texels by gdalwarp.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bake", "teleport"])]
    imagery: Option<PathBuf>,
    /// Where the rasters go, to be removed at the end [default: the folder of temporary files]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Where to save the rows, as JSON.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// One face and one way of reading.
#[derive(Debug, Serialize)]
struct TileRate {
    face: &'static str,
    reading: &'static str,
    tiles: usize,
    /// Of one core.
    tiles_per_s: f64,
    gdalwarp_tiles_per_s: f64,
    /// Root mean square of the difference of heights to those of gdalwarp, in metres.
    rms_difference_m: f64,
    /// Standard deviation of the heights, to compare that with.
    relief_m: f64,
}

impl Row for TileRate {
    fn cells(&self) -> Vec<Cell> {
        vec![
            ("face", 10, self.face.to_owned()),
            ("reading", 8, self.reading.to_owned()),
            ("tiles", 6, self.tiles.to_string()),
            ("tiles/s", 11, number(self.tiles_per_s, 0)),
            ("gdalwarp/s", 11, number(self.gdalwarp_tiles_per_s, 0)),
            ("ratio", 6, number(self.tiles_per_s / self.gdalwarp_tiles_per_s, 1)),
            ("rms difference m", 0, number(self.rms_difference_m, 2)),
            ("relief m", 0, number(self.relief_m, 0)),
        ]
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    benches::exit_code("tiles", run(&Options::parse()))
}

fn run(options: &Options) -> anyhow::Result<()> {
    let folder = options.folder.clone().unwrap_or_else(std::env::temp_dir);
    if let Some(columns) = options.bake {
        return bake::run(columns, &folder);
    }
    if options.teleport {
        return teleport::run(!options.gpu);
    }
    if let Some(file) = &options.imagery {
        return pictures::run(file, options.side, options.reps, &folder);
    }
    let one_core = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let report = one_core.install(|| measure(options, &folder))?;
    options.output.as_ref().map_or(Ok(()), |file| report.save(file))
}

fn measure(options: &Options, folder: &std::path::Path) -> anyhow::Result<Report<TileRate>> {
    let mut report = Report::new(None, ());
    for block in [Block::equatorial(options.side), Block::polar(options.side)] {
        let source = Source::write(&block, folder, &options.compress)?;
        let warped = warp::Warped::run(&block, &source, options.reps)?;
        for (reading, layer_bytes) in [("memory", 1 << 30), ("windows", source.bytes() / 2)] {
            let open = || open(&source, layer_bytes);
            let (relief, coarse_errors) = open()?;
            let ids = block.ids();
            let mut times = Vec::new();
            let mut tiles = Vec::new();
            for _ in 0..options.reps {
                // A raster in windows is opened again, so that windows are read, from the page cache, in each run.
                let fresh = if reading == "windows" { Some(open()?.0) } else { None };
                let relief = fresh.as_ref().unwrap_or(&relief);
                let clock = Clock::of_this_thread();
                tiles = ids.iter().map(|id| Tile::build(relief, &coarse_errors, *id)).collect();
                times.push(clock.seconds());
                if let Some(error) = relief.failure() {
                    bail!(error);
                }
            }
            report.add(TileRate {
                face: block.name,
                reading,
                tiles: ids.len(),
                tiles_per_s: ids.len() as f64 / median(times),
                gdalwarp_tiles_per_s: ids.len() as f64 / warped.seconds,
                rms_difference_m: warped.rms_difference_m(&block, &tiles),
                relief_m: warped.deviation_m(),
            });
        }
    }
    Ok(report)
}

fn open(source: &Source, layer_bytes: usize) -> anyhow::Result<(Relief, CoarseErrors)> {
    let options = OpenOptions::default().with_layer_bytes(layer_bytes);
    let relief = Relief::open(&[source.file()], &options)?;
    let coarse_errors = CoarseErrors::build(&relief, 4);
    // A first tile, so that nothing is measured that happens once.
    Tile::build(&relief, &coarse_errors, TileId::root(0));
    Ok((relief, coarse_errors))
}
