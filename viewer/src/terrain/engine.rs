//! Who keeps the mesh? The CPU or the GPU, behind one face.

use std::sync::Arc;
use std::time::Duration;

use gpu::Gpu;
use terrain::height::Relief;
use terrain::streaming::{StreamTimings, TileCache, TileCounts};
use terrain::tile::{TEXEL_BASE_M, TEXEL_STEP_M};
use terrain::{GpuTerrain, GpuTimings, Options, Quality, Report, Terrain, Timings, View, gpu_terrain::DEFAULT_TILES};

/// Where the mesh lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum MeshOn {
    /// Topology and vertices on the CPU, uploaded every frame: best beside a software rasteriser.
    Cpu,
    /// Topology, vertices and elevation tiles on the GPU, drawn indirectly.
    Gpu,
}

impl MeshOn {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MeshOn::Cpu => "cpu",
            MeshOn::Gpu => "gpu",
        }
    }

    /// The better one for an adapter: passes that a CPU has to emulate cost more than the CPU's own mesh.
    pub fn best_for(gpu: &Gpu) -> MeshOn {
        if gpu.caps.is_software() { MeshOn::Cpu } else { MeshOn::Gpu }
    }
}

/// Lowest and highest ground that an elevation tile holds, metres.
const LOWEST_M: f64 = TEXEL_BASE_M;
const HIGHEST_M: f64 = TEXEL_BASE_M + TEXEL_STEP_M * ((1u32 << 24) - 1) as f64;

/// Whether tiles hold all ground, as high as it is drawn.
fn fits_tiles((low_m, high_m): (f64, f64), exaggeration: f64) -> anyhow::Result<()> {
    let most = exaggeration * (LOWEST_M / low_m.min(-1.0)).min(HIGHEST_M / high_m.max(1.0));
    // What is left of the second digit may be too much.
    let less =
        if most < 1.0 { String::new() } else { format!(", or --exaggerate {:.1}", (most * 10.0).floor() / 10.0) };
    anyhow::ensure!(
        low_m >= LOWEST_M && high_m <= HIGHEST_M,
        "heights of {low_m:.0} to {high_m:.0} m do not fit the tiles of a mesh on the GPU, which hold {LOWEST_M:.0} to {HIGHEST_M:.0} m: \
         take --mesh cpu{less}"
    );
    Ok(())
}

/// Elevation tiles of a mesh on the GPU.
#[derive(Debug, Clone)]
pub struct Tiles {
    /// Most of them on the device.
    pub most: u32,
    /// Where those made from rasters are kept.
    pub cache: Option<Arc<TileCache>>,
}

impl Default for Tiles {
    fn default() -> Self {
        Self { most: DEFAULT_TILES, cache: None }
    }
}

/// Where the time of an update of the mesh went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MeshTimes {
    /// Phases on the CPU.
    Cpu(Timings),
    /// Passes on the GPU's clock, some frames ago.
    Gpu(GpuTimings),
}

impl MeshTimes {
    /// Where the mesh lives.
    pub fn on(&self) -> MeshOn {
        match self {
            MeshTimes::Cpu(_) => MeshOn::Cpu,
            MeshTimes::Gpu(_) => MeshOn::Gpu,
        }
    }

    /// Names and milliseconds, in the order in which they run.
    pub fn parts_ms(&self) -> Vec<(&'static str, f64)> {
        let ms = |(name, time): (&'static str, Duration)| (name, time.as_secs_f64() * 1e3);
        match self {
            MeshTimes::Cpu(t) => {
                [("look", t.look), ("update", t.update), ("follow", t.follow), ("upload", t.upload)].map(ms).to_vec()
            }
            MeshTimes::Gpu(t) => [("topology", t.topology), ("vertices", t.vertices)].map(ms).to_vec(),
        }
    }
}

/// The mesh of the planet.
pub enum Engine {
    /// On the CPU.
    Cpu(Box<Terrain>),
    /// On the GPU.
    Gpu(Box<GpuTerrain>),
}

impl Engine {
    /// A mesh of the twelve roots; `tiles` is asked only if it is on the GPU.
    ///
    /// # Errors
    /// An option that cannot be, or a device that is too small; the message says which.
    pub fn new(
        gpu: &Gpu,
        relief: Arc<Relief>,
        options: Options,
        tiles: &dyn Fn() -> Tiles,
        on: MeshOn,
    ) -> anyhow::Result<Engine> {
        if on == MeshOn::Gpu {
            fits_tiles(relief.range_m(), relief.exaggeration())?;
        }
        Ok(match on {
            MeshOn::Cpu => Engine::Cpu(Box::new(Terrain::new(&gpu.device, relief, options)?)),
            MeshOn::Gpu => {
                let tiles = tiles();
                let mut terrain = GpuTerrain::new(&gpu.device, relief, options, tiles.most)?;
                tiles.cache.iter().for_each(|cache| terrain.keep_tiles(cache.clone()));
                Engine::Gpu(Box::new(terrain))
            }
        })
    }

    /// A mesh where it was asked for; else where it is best for the adapter, or on the CPU where the GPU is too small for it.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn on_or_best(
        gpu: &Gpu,
        relief: &Arc<Relief>,
        options: Options,
        tiles: &dyn Fn() -> Tiles,
        on: Option<MeshOn>,
    ) -> anyhow::Result<Engine> {
        if on.is_none() && MeshOn::best_for(gpu) == MeshOn::Gpu {
            match Engine::new(gpu, relief.clone(), options, tiles, MeshOn::Gpu) {
                Err(error) => eprintln!("the mesh is kept on the CPU: {error:#}"),
                engine => return engine,
            }
        }
        Engine::new(gpu, relief.clone(), options, tiles, on.unwrap_or(MeshOn::Cpu))
    }

    /// Refines and coarsens for a view; `complete` waits for the elevation that the view wants.
    ///
    /// # Errors
    /// A view that cannot be drawn.
    pub fn update(
        &mut self,
        view: &View,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        complete: bool,
    ) -> anyhow::Result<Report> {
        Ok(match self {
            Engine::Cpu(terrain) => terrain.update(view, encoder)?,
            Engine::Gpu(terrain) if complete => terrain.update_complete(view, queue, encoder)?,
            Engine::Gpu(terrain) => terrain.update(view, queue, encoder)?,
        })
    }

    /// Draws the mesh with the pipeline of the pass.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        match self {
            Engine::Cpu(terrain) => terrain.draw(pass),
            Engine::Gpu(terrain) => terrain.draw(pass),
        }
    }

    /// The elevation layers.
    pub fn relief(&self) -> &Arc<Relief> {
        match self {
            Engine::Cpu(terrain) => terrain.relief(),
            Engine::Gpu(terrain) => terrain.relief(),
        }
    }

    /// The quality in force.
    pub fn quality(&self) -> &Quality {
        match self {
            Engine::Cpu(terrain) => terrain.quality(),
            Engine::Gpu(terrain) => terrain.quality(),
        }
    }

    /// Changes the quality from the next update on.
    ///
    /// # Errors
    /// Numbers that cannot be; the quality stays as it was.
    pub fn set_quality(&mut self, quality: Quality) -> anyhow::Result<()> {
        match self {
            Engine::Cpu(terrain) => terrain.set_quality(quality)?,
            Engine::Gpu(terrain) => terrain.set_quality(quality)?,
        }
        Ok(())
    }

    /// Largest error on screen that the picture may have by the metric, pixels; none where the mesh is on the GPU, which does not tell.
    pub fn error_px(&self) -> Option<f64> {
        match self {
            Engine::Cpu(terrain) => Some(terrain.error_px()),
            Engine::Gpu(_) => None,
        }
    }

    /// Where the time of the last update went; none where the GPU does not tell.
    pub fn times(&self) -> Option<MeshTimes> {
        match self {
            Engine::Cpu(terrain) => Some(MeshTimes::Cpu(*terrain.timings())),
            Engine::Gpu(terrain) => terrain.timings().map(MeshTimes::Gpu),
        }
    }

    /// Takes in what has come back from the device since the last update: after a wait, [`times`](Self::times) and the
    /// returned report are those of that update.
    pub fn hear(&mut self) -> Report {
        match self {
            Engine::Cpu(terrain) => *terrain.report(),
            Engine::Gpu(terrain) => {
                terrain.hear();
                *terrain.report()
            }
        }
    }

    /// What the last update took to choose and take over elevation tiles, on the CPU; none where there are none.
    pub fn stream_times(&self) -> Option<StreamTimings> {
        match self {
            Engine::Cpu(_) => None,
            Engine::Gpu(terrain) => Some(terrain.stream_timings()),
        }
    }

    /// Elevation tiles by state; none where the mesh samples the layers itself.
    pub fn tiles(&self) -> Option<TileCounts> {
        match self {
            Engine::Cpu(_) => None,
            Engine::Gpu(terrain) => Some(terrain.tiles()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: ground that tiles do not hold is refused with what they hold and with the most exaggeration that they take.
    #[test]
    fn what_tiles_do_not_hold_is_refused_with_what_they_do() {
        let earth_m = (-10_376.0, 7_833.0);
        let drawn = |factor: f64| fits_tiles((earth_m.0 * factor, earth_m.1 * factor), factor);
        for factor in [2.0, 10.0] {
            let told = drawn(factor).expect_err("too high").to_string();
            assert!(told.contains("hold -16384 to 16384 m") && told.contains("--exaggerate 1.5"), "{told}");
        }
        assert!(drawn(1.5).is_ok() && drawn(1.0).is_ok());
        let told = fits_tiles((0.0, 20_000.0), 1.0).expect_err("too high").to_string();
        assert!(told.ends_with("take --mesh cpu"), "{told}");
    }
}
