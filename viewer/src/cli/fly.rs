//! `orogen` and `orogen view`: fly in a window.

use std::path::PathBuf;
use std::sync::Arc;

use terrain::height::Relief;

use super::Stop;
use super::args::{FlyArgs, OnOff, SceneArgs};
use super::values;
use crate::camera::Pose;
use crate::capture::{Film, OutputName};
use crate::render::Shade;
use crate::scene::{SceneOptions, open_relief};
use crate::window::{self, FlyOptions, Limit};

impl SceneArgs {
    /// The scene of these options over files.
    pub(super) fn scene(&self, files: &[PathBuf]) -> SceneOptions {
        SceneOptions {
            files: files.to_vec(),
            relief: None,
            pixel_error: self.pixel_error,
            triangles: self.triangles,
            mesh: self.mesh,
            samples: self.samples,
            fov_deg: self.fov,
            sun: self.time.or(self.sun).unwrap_or_default(),
            shade: self.shade.unwrap_or_default().with(Shade::WATER, self.water == OnOff::On),
            ramp: self.ramp,
            exaggeration: self.exaggerate,
            drape: self.drape.clone(),
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
        let name = OutputName::parse(path, None).map_err(|e| Stop::Usage(e.to_string()))?;
        Film::create(&name, 1.0)?;
    }
    // Files are opened before the window, so that a wrong one is said where it was typed.
    let relief = Arc::new(open_relief(files)?);
    let start = match &args.at {
        Some(at) => values::pose(at, args.look),
        None if files.is_empty() => Pose::HOME,
        None => above_first_layer(&relief),
    };
    window::run(FlyOptions {
        scene: SceneOptions { relief: Some(relief), ..args.scene.scene(files) },
        gpu: args.scene.gpu(),
        start,
        size_px: args.size,
        limit: Limit { frames: args.frames, screenshot: args.screenshot.clone() },
    })?;
    Ok(())
}

/// A view straight down on the first file, all of it in the picture.
fn above_first_layer(relief: &Relief) -> Pose {
    let Some(layer) = relief.layers().first() else { return Pose::HOME };
    let [west, south, east, north] = layer.bbox_deg;
    let east = if east < west { east + 360.0 } else { east };
    let lat_deg = 0.5 * (south + north);
    let metres_per_deg = 111_195.0;
    let height_m = (north - south) * metres_per_deg;
    let width_m = (east - west) * metres_per_deg * lat_deg.to_radians().cos();
    // At 45 degrees of view and 16:9, a height of 1.3 times the longer side shows all of it.
    let up_m = (1.3 * height_m.max(width_m / 1.7)).clamp(1_000.0, Pose::HOME.height_m);
    Pose { lat_deg, lon_deg: 0.5 * (west + east), height_m: layer.range_m.1.max(0.0) + up_m, ..Pose::HOME }
}
