//! A flight that leaps from place to place over rasters, with small budgets, and draws some pictures at each.

use std::path::Path;

use gpu::Gpu;
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use terrain::Backend;
use terrain::height::OpenOptions;
use viewer::camera::{Camera, Pose};
use viewer::capture::ReadbackTexture;
use viewer::headless::OffscreenRenderer;
use viewer::scene::SceneOptions;
use viewer::terrain::Pace;

use super::rasters::Square;

/// What the command line calls `--memory`, `--gpu-memory`, `--mesh` and `--size`.
#[derive(Debug, Clone, Copy)]
pub struct Budgets {
    pub memory_mib: u64,
    pub gpu_memory_mib: u64,
    pub mesh: Backend,
    pub size_px: (u32, u32),
}

/// A flight over a square of rasters in a folder.
pub struct Teleports {
    renderer: OffscreenRenderer,
    picture: ReadbackTexture,
    square: Square,
    rng: StdRng,
}

impl Teleports {
    /// Loads the planet, on a device.
    ///
    /// # Errors
    /// What keeps the planet from being drawn.
    pub fn new(gpu: Gpu, folder: &Path, square: Square, budgets: Budgets) -> anyhow::Result<Self> {
        let layer_bytes = (budgets.memory_mib << 20) as usize;
        terrain::height::share_block_cache(layer_bytes);
        let options = SceneOptions::default()
            .with_files(vec![folder.to_path_buf()])
            .with_open(OpenOptions::default().with_layer_bytes(layer_bytes))
            .with_tile_bytes(Some(budgets.gpu_memory_mib << 20))
            .with_mesh(Some(budgets.mesh));
        let renderer = OffscreenRenderer::with_pace(gpu, &options, budgets.size_px, Pace::Frame)?;
        let picture = renderer.readback_texture()?;
        Ok(Self { renderer, picture, square, rng: StdRng::seed_from_u64(1) })
    }

    /// Bytes of heights in memory.
    pub fn heights_bytes(&self) -> usize {
        self.renderer.heights_bytes()
    }

    /// Leaps to the next place, the same ones in every run, and draws pictures there.
    ///
    /// # Errors
    /// What the device or the mesh reports.
    pub fn leap(&mut self, pictures: u32) -> anyhow::Result<()> {
        let [west, south, east, north] = self.square.bounds_deg();
        let pose = Pose {
            lat_deg: self.rng.random_range(south..north),
            lon_deg: self.rng.random_range(west..east),
            // Above the ground, and so low that a few rasters are in the picture.
            height_m: 3_000.0 + 10f64.powf(self.rng.random_range(2.0..3.5)),
            heading_deg: self.rng.random_range(0.0..360.0),
            pitch_deg: self.rng.random_range(-80.0..-40.0),
        };
        for _ in 0..pictures {
            self.renderer.fly(Camera::from_pose(&pose), &self.picture)?;
        }
        Ok(())
    }
}
