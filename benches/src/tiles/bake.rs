//! How much memory does a pack take to be made? A sparse raster far larger than its budget, and the process's own high-water mark.

use super::scene::output_of;
use anyhow::Context;
use std::{path::Path, process::Command, time::Instant};
use tempfile::TempDir;
use terrain::{
    height::OpenOptions,
    pack::{Bake, BakeOptions},
};

/// Bakes an empty raster of the Earth and prints what it took.
pub fn run(columns: u32, folder: &Path) -> anyhow::Result<()> {
    let folder = TempDir::new_in(folder).with_context(|| format!("cannot write to {}", folder.display()))?;
    let (raster, pack) = (folder.path().join("sparse.tif"), folder.path().join("sparse.pack"));
    let rows = columns / 2;
    let mut create = Command::new("gdal_create");
    create.args(["-of", "GTiff", "-ot", "Int16", "-bands", "1", "-outsize", &columns.to_string(), &rows.to_string()]);
    create.args(["-a_srs", "EPSG:4326", "-a_ullr", "-180", "90", "180", "-90"]);
    create.args(["-co", "TILED=YES", "-co", "SPARSE_OK=TRUE", "-co", "BIGTIFF=YES"]).arg(&raster);
    output_of(&mut create)?;
    let started = Instant::now();
    let bake = Bake::new(&[raster], &OpenOptions::default(), &BakeOptions::default())?;
    let tiles = bake.manifest().tiles;
    bake.run(&pack, false, &mut |p| eprint!("\r{} of {} tiles", p.done, p.tiles))?;
    eprintln!();
    println!(
        "{columns} x {rows} texels, {tiles} tiles to level {}: {:.0} s on {} threads, at most {} of memory, a pack of {:.1} MB",
        bake.manifest().max_level,
        started.elapsed().as_secs_f64(),
        rayon::current_num_threads(),
        most_memory().unwrap_or_else(|| "an untold amount".to_owned()),
        std::fs::metadata(&pack)?.len() as f64 * 1e-6,
    );
    Ok(())
}

/// The largest resident set of this process, where the system tells.
fn most_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes: f64 =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().trim_end_matches(" kB").parse().ok()?;
    Some(format!("{:.0} MiB", kilobytes / 1024.0))
}
