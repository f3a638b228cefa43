//! How does a program draw the planet? The facade: make it with a device, update it with a view, draw it in a pass. The mesh lives on the CPU or
//! on the GPU, and all else is the same.

use std::{sync::Arc, time::Duration};

use glam::DVec3;

use crate::{
    TileCache,
    cpu_terrain::CpuTerrain,
    gpu_terrain::{GpuTerrain, GpuTimings},
    height::Relief,
    metric::Quality,
    options::{Backend, Options, PlanetError, TerrainError},
    report::UpdateReport,
    streaming::{StreamTimings, TileCounts},
    timings::CpuTimings,
    view::View,
};

/// Where the time of an update of the mesh went.
///
/// ```
/// use terrain::{Backend, CpuTimings, Timings};
/// let timings = Timings::Cpu(CpuTimings::default()); // `Planet::timings` of a view that has settled
/// assert_eq!(timings.backend(), Backend::Cpu);
/// assert!(timings.parts_ms().iter().all(|&(_, ms)| ms == 0.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timings {
    /// Phases on the CPU, of the last update.
    Cpu(CpuTimings),
    /// Passes by the device's clock, of an update some frames ago.
    Gpu(GpuTimings),
}

impl Timings {
    /// Where the mesh lives.
    pub fn backend(&self) -> Backend {
        match self {
            Self::Cpu(_) => Backend::Cpu,
            Self::Gpu(_) => Backend::Gpu,
        }
    }

    /// Names and milliseconds of the phases or passes, in the order in which they run.
    pub fn parts_ms(&self) -> Vec<(&'static str, f64)> {
        let ms = |(name, time): (&'static str, Duration)| (name, time.as_secs_f64() * 1e3);
        match self {
            Self::Cpu(t) => [
                ("tiles", t.tiles),
                ("priorities", t.priorities),
                ("topology", t.topology),
                ("vertices", t.vertices),
                ("upload", t.upload),
            ]
            .map(ms)
            .to_vec(),
            Self::Gpu(t) => [("topology", t.topology), ("vertices", t.vertices)].map(ms).to_vec(),
        }
    }
}

/// The planet: a mesh that follows the view, and the elevation it is made of.
///
/// ```no_run
/// # #[cfg(feature = "gdal")]
/// # fn demo(device: &wgpu::Device, queue: &wgpu::Queue, view: &terrain::View, encoder: &mut wgpu::CommandEncoder,
/// #         pass: &mut wgpu::RenderPass<'_>) -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use terrain::{Options, Planet, height::Relief};
/// let mut planet = Planet::new(device, Arc::new(Relief::embedded()?), Options::default())?;
/// let report = planet.update(view, queue, encoder)?; // once a frustum and submission, before the pass
/// planet.draw(pass); // with a pipeline of yours whose vertex layout is `TerrainVertex::LAYOUT`
/// # Ok(())
/// # }
/// ```
pub struct Planet {
    mesh: Mesh,
    refused: Option<PlanetError>,
    key: Arc<()>,
}

enum Mesh {
    Cpu(Box<CpuTerrain>),
    Gpu(Box<GpuTerrain>),
}

impl Planet {
    /// The twelve roots over a relief. Samples the relief's global lattice, which takes some tenths of a second.
    ///
    /// # Errors
    /// [`PlanetError`], for a size, depth or quality that cannot be; where [`Options::backend`] asks for the GPU, for a device or
    /// heights that do not go with it as well.
    pub fn new(device: &wgpu::Device, relief: Arc<Relief>, options: Options) -> Result<Self, PlanetError> {
        Self::with_tile_cache(device, relief, options, None)
    }

    /// The same, with elevation tiles and errors of an earlier start, and those of now for the next one: see [`TileCache`].
    ///
    /// ```no_run
    /// # fn demo(device: &wgpu::Device, relief: std::sync::Arc<terrain::height::Relief>) -> Result<(), terrain::PlanetError> {
    /// use terrain::{Options, Planet, TileCache, height::OpenOptions};
    /// // For a relief of the file `alps.tif`, opened as it is: at most 2 GB in the folder `cache`.
    /// let cache = TileCache::of(&["alps.tif".into()], &OpenOptions::default(), false, "cache".into(), 2_000_000_000);
    /// let planet = Planet::with_tile_cache(device, relief, Options::default(), Some(cache))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_tile_cache(
        device: &wgpu::Device,
        relief: Arc<Relief>,
        options: Options,
        cache: Option<Arc<TileCache>>,
    ) -> Result<Self, PlanetError> {
        let backend = options.backend.unwrap_or_else(|| Backend::best_for(device));
        let mut refused = None;
        if backend == Backend::Gpu {
            match GpuTerrain::with_tile_cache(device, relief.clone(), options, cache.clone()) {
                Ok(terrain) => return Ok(Self { mesh: Mesh::Gpu(Box::new(terrain)), refused, key: Arc::default() }),
                Err(error) if options.backend.is_some() => return Err(error),
                // A size or quality that cannot be is refused below as well.
                Err(error) => refused = Some(error),
            }
        }
        let terrain = CpuTerrain::with_tile_cache(device, relief, options, cache)?;
        Ok(Self { mesh: Mesh::Cpu(Box::new(terrain)), refused, key: Arc::default() })
    }

    /// One more view of the planet: a mesh of its own over the same elevation, for a split screen, a map beside the picture, a camera of
    /// shadows or reflections. It is updated and drawn as this one is, with the same queue, and outlives it.
    ///
    /// Pool, depth, quality and steps are those of `options`; where the mesh lives and how many tiles there are is as for this one. Tiles
    /// are shared: what a view wants is there for all, and the most urgent ones of all views fill the budget.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use gpu::{Gpu, GpuOptions};
    /// use terrain::{Options, Planet, View, geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}};
    ///
    /// let gpu = Gpu::new(&GpuOptions::default())?;
    /// let hill_m = |lon_deg: f64, lat_deg: f64| 900.0 * (40.0 * lon_deg).to_radians().sin() * lat_deg.to_radians().cos();
    /// let hills = GlobalGrid::from_fn(360, 181, Registration::Node, hill_m);
    /// let mut planet = Planet::new(&gpu.device, Arc::new(Relief::from_grid(hills)?), Options::default())?;
    /// let mut map = planet.another_view(&gpu.device, Options::default().with_pool_slots(1 << 14))?;
    /// let from = |height_m: f64| {
    ///     let eye_m = Geodetic::from_degrees(46.0, 8.0, height_m).to_ecef(Ellipsoid::WGS84);
    ///     View::perspective(eye_m, -eye_m, glam::DVec3::Z, 0.8, (320, 180))
    /// };
    /// let mut encoder = gpu.device.create_command_encoder(&Default::default());
    /// planet.update(&from(3_000.0), &gpu.queue, &mut encoder)?;
    /// map.update(&from(3_000_000.0), &gpu.queue, &mut encoder)?;
    /// gpu.queue.submit([encoder.finish()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlanetError`] for a size, depth or quality that cannot be, and for more than [`MOST_VIEWS`](crate::streaming::MOST_VIEWS)
    /// views.
    pub fn another_view(&self, device: &wgpu::Device, options: Options) -> Result<Self, PlanetError> {
        let mesh = match &self.mesh {
            Mesh::Cpu(terrain) => Mesh::Cpu(Box::new(terrain.another_view(device, options)?)),
            Mesh::Gpu(terrain) => Mesh::Gpu(Box::new(terrain.another_view(device, options)?)),
        };
        Ok(Self { mesh, refused: None, key: Arc::default() })
    }

    /// Forgets which triangles earlier views have refined: the next view settles as on a planet that nobody has looked at. Elevation tiles
    /// stay.
    ///
    /// # Errors
    /// [`PlanetError`] where there is no memory on the device for a mesh beside this one; the planet stays as it was.
    pub fn reset_mesh(&mut self, device: &wgpu::Device) -> Result<(), PlanetError> {
        let options = match &self.mesh {
            Mesh::Cpu(terrain) => terrain.options,
            Mesh::Gpu(terrain) => terrain.options,
        };
        let Self { mesh, key, .. } = self.another_view(device, options)?;
        (self.mesh, self.key) = (mesh, key);
        Ok(())
    }

    /// Where the mesh lives.
    pub fn backend(&self) -> Backend {
        match self.mesh {
            Mesh::Cpu(_) => Backend::Cpu,
            Mesh::Gpu(_) => Backend::Gpu,
        }
    }

    /// Why the mesh lives on the CPU, where the GPU would have been better but was too small.
    pub fn gpu_refusal(&self) -> Option<&PlanetError> {
        self.refused.as_ref()
    }

    /// Refines and coarsens for the view and records what is to be drawn into `encoder`.
    ///
    /// Nothing is submitted. What [`draw`](Self::draw) draws is recorded here or handed to the queue: submit `encoder` before the
    /// render pass runs, or record the pass into it, and submit it before the next update. An unchanged view of a settled planet
    /// records nothing. With the mesh on the GPU the report is that of an update a few submissions ago.
    ///
    /// # Errors
    /// [`TerrainError::View`] for a camera that is nowhere, looks nowhere or has no pixels; the planet stays as it was.
    pub fn update(
        &mut self,
        view: &View,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<UpdateReport, TerrainError> {
        match &mut self.mesh {
            Mesh::Cpu(terrain) => terrain.update(view, encoder),
            Mesh::Gpu(terrain) => terrain.update(view, queue, encoder),
        }
    }

    /// As [`update`](Self::update), but makes all elevation tiles that the view wants before it returns: for pictures that must not
    /// depend on how fast tiles are made.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn update_complete(
        &mut self,
        view: &View,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<UpdateReport, TerrainError> {
        match &mut self.mesh {
            Mesh::Cpu(terrain) => terrain.update_complete(view, encoder),
            Mesh::Gpu(terrain) => terrain.update_complete(view, queue, encoder),
        }
    }

    /// Draws all live triangles with the pipeline and bind groups that are set on the pass.
    ///
    /// Sets vertex buffer 0 ([`TerrainVertex::LAYOUT`](crate::TerrainVertex::LAYOUT)), and an index buffer where the mesh is on the
    /// CPU; counter-clockwise is outside.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        match &self.mesh {
            Mesh::Cpu(terrain) => terrain.draw(pass),
            Mesh::Gpu(terrain) => terrain.draw(pass),
        }
    }

    /// What no other view of a planet has.
    pub(crate) fn key(&self) -> &Arc<()> {
        &self.key
    }

    /// Height in metres above the datum at a unit geodetic normal: the surface that the mesh converges to.
    pub fn height_m(&self, n: DVec3) -> f64 {
        self.relief().sample(n).height_m
    }

    /// The elevation layers.
    pub fn relief(&self) -> &Arc<Relief> {
        match &self.mesh {
            Mesh::Cpu(terrain) => terrain.relief(),
            Mesh::Gpu(terrain) => terrain.relief(),
        }
    }

    /// The quality in force.
    pub fn quality(&self) -> &Quality {
        match &self.mesh {
            Mesh::Cpu(terrain) => terrain.quality(),
            Mesh::Gpu(terrain) => terrain.quality(),
        }
    }

    /// Changes the quality from the next update on.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use terrain::{Options, Planet, Quality, View, geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}};
    ///
    /// let gpu = gpu::Gpu::new(&gpu::GpuOptions::default().with_software(true))?;
    /// let hill_m = |lon_deg: f64, lat_deg: f64| 900.0 * (40.0 * lon_deg).to_radians().sin() * lat_deg.to_radians().cos();
    /// let hills = GlobalGrid::from_fn(360, 181, Registration::Node, hill_m);
    /// let mut planet = Planet::new(&gpu.device, Arc::new(Relief::from_grid(hills)?), Options::default())?;
    /// let eye_m = Geodetic::from_degrees(46.0, 8.0, 200_000.0).to_ecef(Ellipsoid::WGS84);
    /// let view = View::perspective(eye_m, -eye_m, glam::DVec3::Z, 0.8, (320, 180));
    /// let mut settled = |planet: &mut Planet| loop {
    ///     let mut encoder = gpu.device.create_command_encoder(&Default::default());
    ///     let report = planet.update_complete(&view, &gpu.queue, &mut encoder)?;
    ///     gpu.queue.submit([encoder.finish()]);
    ///     if report.settled { break Ok::<_, terrain::TerrainError>(report.triangles); }
    /// };
    /// let fine = settled(&mut planet)?;
    /// planet.reset_mesh(&gpu.device)?;
    /// assert_eq!(settled(&mut planet)?, fine); // the same from the twelve roots on
    /// planet.set_quality(planet.quality().with_pixel_error(8.0))?;
    /// assert!(settled(&mut planet)? < fine);
    /// assert!(planet.set_quality(Quality::default().with_pixel_error(0.0)).is_err());
    /// // A software device is best served by a mesh on the CPU, which has no shaders.
    /// assert!(planet.gpu_refusal().is_none() && planet.recompile(&gpu.device, &Default::default()).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TerrainError::Quality`] for numbers that cannot be; the quality stays as it was.
    pub fn set_quality(&mut self, quality: Quality) -> Result<(), TerrainError> {
        match &mut self.mesh {
            Mesh::Cpu(terrain) => terrain.set_quality(quality),
            Mesh::Gpu(terrain) => terrain.set_quality(quality),
        }
    }

    /// Compiles the shaders of the mesh anew, with modules that were edited while the program runs, see [`shaders::SourceWatch`]; a mesh on
    /// the CPU has none. After an error the shaders are as before.
    ///
    /// # Errors
    /// [`PlanetError::Shader`] with file and line, or [`PlanetError::Pipeline`].
    pub fn recompile(&mut self, device: &wgpu::Device, edited: &shaders::EditedModules) -> Result<(), PlanetError> {
        match &mut self.mesh {
            Mesh::Cpu(_) => Ok(()),
            Mesh::Gpu(terrain) => terrain.recompile(device, edited),
        }
    }

    /// What the last update did, as far as the device has told: after a wait for it, this and [`timings`](Self::timings) are those of
    /// the last update.
    pub fn poll(&mut self) -> &UpdateReport {
        match &mut self.mesh {
            Mesh::Cpu(terrain) => terrain.report(),
            Mesh::Gpu(terrain) => {
                terrain.poll();
                terrain.report()
            }
        }
    }

    /// Where the time of an update went; `None` before the first came back from a device, and where it has no timestamps.
    pub fn timings(&self) -> Option<Timings> {
        match &self.mesh {
            Mesh::Cpu(terrain) => Some(Timings::Cpu(*terrain.timings())),
            Mesh::Gpu(terrain) => terrain.timings().map(Timings::Gpu),
        }
    }

    /// Largest error on screen that the picture may have by the metric, pixels: above the tolerated one until the mesh has settled, and
    /// where triangles are starved. `None` where the mesh is on the GPU, which does not tell.
    pub fn error_px(&self) -> Option<f64> {
        match &self.mesh {
            Mesh::Cpu(terrain) => Some(terrain.error_px()),
            Mesh::Gpu(_) => None,
        }
    }

    /// Elevation tiles by state.
    ///
    /// ```no_run
    /// # fn demo(planet: &terrain::Planet) {
    /// let tiles = planet.tiles();
    /// println!("{} of {} tiles, {} being made", tiles.resident, tiles.budget, tiles.in_flight);
    /// println!("choosing them took {:?}", planet.stream_timings().plan);
    /// # }
    /// ```
    pub fn tiles(&self) -> TileCounts {
        match &self.mesh {
            Mesh::Cpu(terrain) => terrain.tiles(),
            Mesh::Gpu(terrain) => terrain.tiles(),
        }
    }

    /// What the last update took to choose and take over elevation tiles, on the CPU.
    pub fn stream_timings(&self) -> StreamTimings {
        match &self.mesh {
            Mesh::Cpu(terrain) => terrain.stream_timings(),
            Mesh::Gpu(terrain) => terrain.stream_timings(),
        }
    }

    /// The mesh on the GPU, with its buffers, for [`MeshRays`](crate::MeshRays) and shaders of one's own.
    ///
    /// ```no_run
    /// # fn demo(device: &wgpu::Device, planet: &terrain::Planet) -> Result<(), terrain::MeshRaysError> {
    /// let rays = planet.on_gpu().map(|terrain| terrain::MeshRays::new(device, terrain, 1)).transpose()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_gpu(&self) -> Option<&GpuTerrain> {
        match &self.mesh {
            Mesh::Cpu(_) => None,
            Mesh::Gpu(terrain) => Some(terrain),
        }
    }
}
