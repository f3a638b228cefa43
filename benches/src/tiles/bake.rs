//! How much memory does a pack take to be made? A raster far larger than its budget, and the process's own high-water mark.

use super::scene::write_square;
use anyhow::Context;
use std::{fmt::Write, path::Path, time::Instant};
use tempfile::TempDir;
use terrain::{
    bake::{Bake, BakeOptions, Step},
    height::OpenOptions,
};

/// Columns and rows of the hills that the raster repeats: little on the disk, and all of it is read and decoded.
const SQUARE: u32 = 2000;

/// Bakes a raster of the Earth and prints what it took.
pub fn run(columns: u32, folder: &Path) -> anyhow::Result<()> {
    let folder = TempDir::new_in(folder).with_context(|| format!("cannot write to {}", folder.display()))?;
    let (raster, pack) = (folder.path().join("earth.vrt"), folder.path().join("earth.pack"));
    let rows = columns / 2;
    write_square(SQUARE as usize, &folder.path().join("square.tif"))?;
    std::fs::write(&raster, repeated(columns, rows)?)?;
    let started = Instant::now();
    let bake = Bake::new(&[raster], &OpenOptions::default(), &BakeOptions::default())?;
    let tiles = bake.manifest().tiles;
    eprintln!("opened and hashed after {:.0} s, {}", started.elapsed().as_secs_f64(), memory("VmHWM:"));
    let mut steps = Vec::new();
    let mut told = Instant::now();
    bake.run(&pack, false, &mut |p| {
        let is_new = steps.last().is_none_or(|(step, _)| *step != p.step);
        if is_new {
            steps.push((p.step, Instant::now()));
        }
        if is_new || told.elapsed().as_secs() >= 10 {
            told = Instant::now();
            let percent = 100 * p.work / p.all_work.max(1);
            eprintln!("{percent} %, {:?} of {} of {} tiles, {} now", p.step, p.done, p.tiles, memory("VmRSS:"));
        }
    })?;
    let took = |step: Step, until: Instant| {
        let since = steps.iter().find(|(s, _)| *s == step).map(|(_, since)| *since);
        since.map_or(0.0, |since| until.duration_since(since).as_secs_f64())
    };
    let errors_s = took(Step::Errors, Instant::now());
    println!(
        "{columns} x {rows} texels, {tiles} tiles to level {}: {:.0} s on {} threads, {errors_s:.0} s of it for errors, at most {} of \
         memory, a pack of {:.1} MB",
        bake.manifest().max_level,
        started.elapsed().as_secs_f64(),
        rayon::current_num_threads(),
        memory("VmHWM:"),
        std::fs::metadata(&pack)?.len() as f64 * 1e-6,
    );
    Ok(())
}

/// A virtual raster of the Earth that is the same square again and again.
fn repeated(columns: u32, rows: u32) -> anyhow::Result<String> {
    let step = 360.0 / f64::from(columns);
    let mut text = format!(
        "<VRTDataset rasterXSize=\"{columns}\" rasterYSize=\"{rows}\"><SRS>EPSG:4326</SRS>\n\
         <GeoTransform>-180, {step}, 0, 90, 0, -{step}</GeoTransform>\n<VRTRasterBand dataType=\"Int16\" band=\"1\">\n"
    );
    for y in (0..rows).step_by(SQUARE as usize) {
        for x in (0..columns).step_by(SQUARE as usize) {
            let (width, height) = (SQUARE.min(columns - x), SQUARE.min(rows - y));
            writeln!(
                text,
                "<SimpleSource><SourceFilename relativeToVRT=\"1\">square.tif</SourceFilename><SourceBand>1</SourceBand>\
                 <SourceProperties RasterXSize=\"{SQUARE}\" RasterYSize=\"{SQUARE}\" DataType=\"Int16\" BlockXSize=\"256\" \
                 BlockYSize=\"256\"/><SrcRect xOff=\"0\" yOff=\"0\" xSize=\"{width}\" ySize=\"{height}\"/>\
                 <DstRect xOff=\"{x}\" yOff=\"{y}\" xSize=\"{width}\" ySize=\"{height}\"/></SimpleSource>"
            )?;
        }
    }
    text += "</VRTRasterBand></VRTDataset>\n";
    Ok(text)
}

/// A size of this process, as the system calls it, where it tells.
fn memory(what: &str) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what));
    let kilobytes: Option<f64> = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
    kilobytes.map_or_else(|| "an untold amount".to_owned(), |kilobytes| format!("{:.0} MiB", kilobytes / 1024.0))
}
