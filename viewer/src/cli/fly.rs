//! `orogen` and `orogen view`: fly in a window.

use std::path::PathBuf;

use super::Stop;
use super::args::{FlyArgs, SceneArgs};
use super::values;
use crate::camera::Pose;
use crate::capture::{Film, OutputName};
use crate::scene::{SceneOptions, open_relief};
use crate::window::{self, FlyOptions, Limit};

impl SceneArgs {
    /// The scene of these options over files.
    pub(super) fn scene(&self, files: &[PathBuf]) -> SceneOptions {
        SceneOptions {
            files: files.to_vec(),
            pixel_error: self.pixel_error,
            triangles: self.triangles,
            samples: self.samples,
            fov_deg: self.fov,
            sun: self.time.or(self.sun).unwrap_or_default(),
        }
    }

    /// The choice of adapter.
    pub(super) fn gpu(&self) -> kernels::gpu::GpuOptions {
        kernels::gpu::GpuOptions { software: self.software, ..kernels::gpu::GpuOptions::default() }
    }
}

/// Flies over the embedded globe, or over files on top of it.
pub fn run(args: &FlyArgs, files: &[PathBuf]) -> Result<(), Stop> {
    if let Some(path) = &args.screenshot {
        let name = OutputName::parse(path, false).map_err(|e| Stop::Usage(e.to_string()))?;
        Film::create(&name, 1.0)?;
    }
    let start = match (&args.at, args.look) {
        (Some(at), look) => values::pose(at, look),
        (None, look) => {
            let home = if files.is_empty() { Pose::HOME } else { above_files(files)? };
            look.map_or(home, |look| Pose { heading_deg: look.heading_deg, pitch_deg: look.pitch_deg, ..home })
        }
    };
    window::run(FlyOptions {
        scene: args.scene.scene(files),
        gpu: args.scene.gpu(),
        start,
        size_px: args.size,
        limit: Limit { frames: args.frames, screenshot: args.screenshot.clone() },
    })?;
    Ok(())
}

/// A view straight down on the first file, all of it in the picture.
fn above_files(files: &[PathBuf]) -> anyhow::Result<Pose> {
    let relief = open_relief(files)?;
    let Some(layer) = relief.layers().first() else { return Ok(Pose::HOME) };
    let [west, south, east, north] = layer.bbox_deg;
    let east = if east < west { east + 360.0 } else { east };
    let lat_deg = 0.5 * (south + north);
    let metres_per_deg = 111_195.0;
    let height_m = (north - south) * metres_per_deg;
    let width_m = (east - west) * metres_per_deg * lat_deg.to_radians().cos();
    // At 45 degrees of view and 16:9, a height of 1.3 times the longer side shows all of it.
    let up_m = (1.3 * height_m.max(width_m / 1.7)).clamp(1_000.0, Pose::HOME.height_m);
    Ok(Pose { lat_deg, lon_deg: 0.5 * (west + east), height_m: layer.range_m.1.max(0.0) + up_m, ..Pose::HOME })
}
