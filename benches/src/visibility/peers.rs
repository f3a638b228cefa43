//! What do other programs see over the same raster?

use std::process::Command;

use anyhow::{Context, bail, ensure};
use benches::{clock::Clock, programs::output_of};

use super::{Options, raster::Scene, report::Cells};

/// A program that may be installed.
#[derive(Clone, Copy, Debug)]
pub enum Peer {
    /// `gdal_viewshed` of Debian's `gdal-bin`.
    Gdal,
    /// `xrspatial.viewshed`, a Python package.
    XarraySpatial,
    /// The viewshed tool of `whitebox`, a Python package with a program.
    Whitebox,
}

/// All that are asked.
pub const ALL: [Peer; 3] = [Peer::Gdal, Peer::XarraySpatial, Peer::Whitebox];

/// Both read ENVI rasters as bytes, and write what is seen as bytes, 1 or 0, with the seconds of the viewshed alone on standard output.
const XARRAY_SPATIAL: &str = r#"
import sys, time
import numpy as np, xarray as xr
from xrspatial import viewshed
file, out, side, cell, eye = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5])
heights = np.fromfile(file, dtype=np.float32).reshape(side, side).astype(np.float64)
at = (np.arange(side) - side // 2) * cell
raster = xr.DataArray(heights, dims=["y", "x"], coords={"y": -at, "x": at})
small = raster[side // 2 - 8 : side // 2 + 9, side // 2 - 8 : side // 2 + 9]
viewshed(small, x=0.0, y=0.0, observer_elev=eye)
start = time.process_time()
seen = viewshed(raster, x=0.0, y=0.0, observer_elev=eye)
print(time.process_time() - start)
(seen.values > -1).astype(np.uint8).tofile(out)
"#;

impl Peer {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gdal => "gdal_viewshed",
            Self::XarraySpatial => "xarray-spatial",
            Self::Whitebox => "whitebox",
        }
    }

    /// Its viewshed.
    pub fn viewshed(self, scene: &Scene, options: &Options) -> anyhow::Result<Cells> {
        match self {
            Self::Gdal => gdal(scene, options),
            Self::XarraySpatial => xarray_spatial(scene, options),
            Self::Whitebox => bail!("not asked: its viewshed knows no curvature and no radius"),
        }
    }
}

/// Seconds of the whole program.
fn gdal(scene: &Scene, options: &Options) -> anyhow::Result<Cells> {
    let out = scene.beside("gdal");
    let mut command = Command::new("gdal_viewshed");
    command.args([
        "-q", "-of", "ENVI", "-ox", "0", "-oy", "0", "-tz", "0", "-cc", "1", "-vv", "1", "-iv", "0", "-ov", "0",
    ]);
    command.args(["-oz", &options.eye_height.to_string(), "-md", &scene.radius_m.to_string()]);
    command.arg(scene.file()).arg(&out);
    let clock = Clock::of_children();
    output_of(&mut command)?;
    let seconds = clock.seconds();
    let header = std::fs::read_to_string(out.with_extension("hdr"))?;
    let number = |key: &str| -> anyhow::Result<usize> {
        let line = header.lines().find(|line| line.starts_with(key)).with_context(|| format!("no {key}"))?;
        Ok(line.rsplit('=').next().unwrap_or_default().trim().parse()?)
    };
    let corner = header.lines().find(|line| line.starts_with("map info")).context("no map info")?;
    let corner: Vec<f64> = corner.split(',').filter_map(|word| word.trim().parse().ok()).collect();
    ensure!(corner.len() >= 4, "no corner in {corner:?}");
    // After the pixel of the corner, its place.
    let [left, top] = [corner[2], -corner[3]].map(|m| (m / scene.cell_m + scene.half as f64 + 0.5).round() as usize);
    let (columns, rows) = (number("samples")?, number("lines")?);
    let bytes = std::fs::read(&out)?;
    ensure!(bytes.len() == columns * rows && left + columns <= scene.side, "{columns} x {rows} cells at {left}, {top}");
    let mut seen = vec![false; scene.side * scene.side];
    for (row, line) in bytes.chunks_exact(columns).enumerate() {
        for (column, byte) in line.iter().enumerate() {
            let cell = (top + row) * scene.side + left + column;
            seen[cell] = *byte == 1 && scene.holds(cell);
        }
    }
    Ok(Cells { program: "gdal_viewshed".into(), surface: "its own".into(), seconds, seen })
}

/// Seconds of the viewshed alone, compiled before. It takes the Earth for flat.
fn xarray_spatial(scene: &Scene, options: &Options) -> anyhow::Result<Cells> {
    let (raw, out) = (scene.beside("raw"), scene.beside("seen"));
    let found = Command::new(&options.python).args(["-c", "import xrspatial"]).output();
    ensure!(found.is_ok_and(|found| found.status.success()), "{} has no xrspatial", options.python.display());
    output_of(
        Command::new("gdal_translate").args(["-q", "-of", "ENVI", "-ot", "Float32"]).arg(scene.file()).arg(&raw),
    )?;
    let mut command = Command::new(&options.python);
    command.args(["-c", XARRAY_SPATIAL]).arg(&raw).arg(&out);
    command.args([scene.side.to_string(), scene.cell_m.to_string(), options.eye_height.to_string()]);
    let seconds = output_of(&mut command)?.trim().parse()?;
    let bytes = std::fs::read(&out)?;
    ensure!(bytes.len() == scene.side * scene.side, "{} bytes of xarray-spatial", bytes.len());
    let seen = bytes.iter().enumerate().map(|(cell, byte)| *byte == 1 && scene.holds(cell)).collect();
    Ok(Cells { program: "xarray-spatial".into(), surface: "its own, flat Earth".into(), seconds, seen })
}
