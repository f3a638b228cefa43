//! How does the mesh live on the CPU? Topology and vertices on its threads, from tiles in memory, uploaded whenever they change.

use std::sync::Arc;

use glam::DVec3;

use crate::{
    TileCache,
    height::Relief,
    mesh::{Mesh, TerrainVertex},
    metric::Quality,
    options::{Options, PlanetError, TerrainError, check_quality},
    pool::{Pool, UpdateStats, VisitOrder},
    report::{QUIET_STEPS, QUIET_STEPS_STARVED, UpdateReport},
    streaming::{MOST_VIEWS, StreamTimings, TileCounts},
    timings::{CpuTimings, timed},
    view::View,
};

/// The planet with topology and vertices on CPU threads: what [`Planet`](crate::Planet) is where [`Backend::Cpu`](crate::Backend::Cpu) is chosen.
///
/// ```
/// use std::sync::Arc;
/// use gpu::{Gpu, GpuOptions};
/// use terrain::{CpuTerrain, Options, View, geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}};
///
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let hill_m = |lon_deg: f64, lat_deg: f64| 900.0 * (40.0 * lon_deg).to_radians().sin() * lat_deg.to_radians().cos();
/// let hills = GlobalGrid::from_fn(360, 181, Registration::Node, hill_m);
/// let options = Options::default().with_pool_slots(1 << 12);
/// let mut terrain = CpuTerrain::new(&gpu.device, Arc::new(Relief::from_grid(hills)?), options)?;
/// let eye_m = Geodetic::from_degrees(46.0, 8.0, 200_000.0).to_ecef(Ellipsoid::WGS84);
/// let view = View::perspective(eye_m, -eye_m, glam::DVec3::Z, 0.8, (320, 180));
/// let report = loop {
///     let mut encoder = gpu.device.create_command_encoder(&Default::default());
///     let report = terrain.update_complete(&view, &mut encoder)?;
///     gpu.queue.submit([encoder.finish()]);
///     if report.settled { break report; }
/// };
/// assert_eq!((report.triangles, report.starved), (terrain.pool().live(), 0));
/// assert!(terrain.error_px() <= terrain.quality().pixel_error);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CpuTerrain {
    relief: Arc<Relief>,
    pub(crate) options: Options,
    pool: Pool,
    mesh: Mesh,
    upload: Upload,
    quiet_steps: u32,
    last_view: Option<View>,
    report: UpdateReport,
    timings: CpuTimings,
}

impl CpuTerrain {
    /// The twelve roots over a relief. Samples the relief's global lattice and the six root tiles, which takes some tenths of a second.
    ///
    /// # Errors
    /// [`PlanetError::Terrain`] for a size, depth or quality that cannot be.
    pub fn new(device: &wgpu::Device, relief: Arc<Relief>, options: Options) -> Result<Self, PlanetError> {
        Self::with_tile_cache(device, relief, options, None)
    }

    /// For [`Planet::with_tile_cache`](crate::Planet::with_tile_cache).
    pub(crate) fn with_tile_cache(
        device: &wgpu::Device,
        relief: Arc<Relief>,
        options: Options,
        cache: Option<Arc<TileCache>>,
    ) -> Result<Self, PlanetError> {
        // What cannot be is refused before any work.
        check_quality(&options.quality)?;
        let pool = Pool::new(u64::from(options.pool_slots), options.max_depth).map_err(TerrainError::from)?;
        let mesh = Mesh::cached(relief.clone(), options.pool_slots, options.tiles, cache);
        Ok(Self::of(device, relief, mesh, pool, options))
    }

    /// One more view: a mesh of its own, with its own pool and quality, over the elevation tiles of this one.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`PlanetError::TooManyViews`].
    pub fn another_view(&self, device: &wgpu::Device, options: Options) -> Result<Self, PlanetError> {
        check_quality(&options.quality)?;
        let pool = Pool::new(u64::from(options.pool_slots), options.max_depth).map_err(TerrainError::from)?;
        let mesh = self.mesh.another(options.pool_slots).ok_or(PlanetError::TooManyViews { limit: MOST_VIEWS })?;
        Ok(Self::of(device, self.relief.clone(), mesh, pool, options))
    }

    fn of(device: &wgpu::Device, relief: Arc<Relief>, mut mesh: Mesh, pool: Pool, options: Options) -> Self {
        mesh.sync_with_pool(&pool);
        let upload = Upload::new(device, options.pool_slots);
        Self {
            relief,
            options,
            pool,
            mesh,
            upload,
            quiet_steps: 0,
            last_view: None,
            report: UpdateReport::default(),
            timings: CpuTimings::default(),
        }
    }

    /// Refines and coarsens for the view and records the upload of what is to be drawn into `encoder`.
    ///
    /// Nothing is submitted, and [`CpuTerrain::draw`] draws what was recorded here: `encoder` must be submitted before the render
    /// pass runs. Record the pass into the same encoder after this call, or submit this encoder first; submit the encoders
    /// of several updates in their order. One that is dropped instead loses its upload. An unchanged view of a settled
    /// terrain records nothing.
    ///
    /// # Errors
    /// [`TerrainError::View`] for a camera that is nowhere, looks nowhere or has no pixels; the terrain stays as it was.
    pub fn update(&mut self, view: &View, encoder: &mut wgpu::CommandEncoder) -> Result<UpdateReport, TerrainError> {
        self.step(view, encoder, false)
    }

    /// As [`update`](Self::update), but makes all elevation tiles that the view wants before it returns: for pictures that must not
    /// depend on how fast tiles are made.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn update_complete(
        &mut self,
        view: &View,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<UpdateReport, TerrainError> {
        self.step(view, encoder, true)
    }

    fn step(
        &mut self,
        view: &View,
        encoder: &mut wgpu::CommandEncoder,
        complete: bool,
    ) -> Result<UpdateReport, TerrainError> {
        let frustum = self.mesh.frustum(view)?;
        self.timings = CpuTimings::default();
        let last = self.last_view.replace(*view);
        let moved = last != Some(*view);
        if !moved && self.report.settled {
            self.report = UpdateReport { splits: 0, merges: 0, uploaded_bytes: 0, ..self.report };
            return Ok(self.report);
        }
        let quality = &self.options.quality;
        let arrived = timed(&mut self.timings.tiles, || {
            if complete {
                return self.mesh.update_tiles_complete(&frustum, quality);
            }
            let predicted = last
                .and_then(|last| view.predicted_from(self.mesh.relief.ellipsoid(), &last))
                .and_then(|predicted| self.mesh.frustum(&predicted).ok());
            self.mesh.update_tiles(&frustum, predicted.as_ref(), quality, moved)
        });
        if moved || arrived {
            self.quiet_steps = 0;
        }

        let mut total = UpdateStats::default();
        for _ in 0..self.options.steps_per_update.max(1) {
            timed(&mut self.timings.priorities, || self.mesh.update_priorities(&frustum, &self.options.quality));
            let step = timed(&mut self.timings.topology, || self.pool.update(&self.mesh, VisitOrder::Parallel));
            timed(&mut self.timings.vertices, || self.mesh.sync_with_pool(&self.pool));
            total.splits += step.splits;
            total.merges += step.merges;
            total.starved = step.starved;
            self.quiet_steps = if step.splits + step.merges == 0 { self.quiet_steps + 1 } else { 0 };
            if self.quiet_steps > 0 {
                break;
            }
        }
        // Vertices that the last step made are judged as well: their morph weights are drawn.
        timed(&mut self.timings.priorities, || self.mesh.update_priorities(&frustum, &self.options.quality));
        let topology_changed = total.splits + total.merges > 0 || self.upload.triangles == 0;
        let uploaded_bytes = timed(&mut self.timings.upload, || {
            self.upload.record(&self.pool, &self.mesh, &frustum.eye_m, &self.options.quality, topology_changed, encoder)
        });
        let needed = if total.starved > 0 { QUIET_STEPS_STARVED } else { QUIET_STEPS };
        self.report = UpdateReport {
            triangles: self.pool.live(),
            // Euler: a closed mesh of F triangles has F / 2 + 2 corners.
            vertices: self.pool.live() / 2 + 2,
            splits: total.splits,
            merges: total.merges,
            starved: total.starved,
            capacity: self.pool.capacity(),
            uploaded_bytes,
            settled: self.quiet_steps >= needed && self.mesh.is_complete(),
        };
        Ok(self.report)
    }

    /// Largest error on screen that the picture may have by the metric, pixels: above the tolerated one until the mesh has settled, and
    /// where triangles are starved.
    pub fn error_px(&self) -> f64 {
        f64::from(self.mesh.worst_ratio(&self.pool)) * self.options.quality.pixel_error
    }

    /// Tiles by state, as of the last update.
    pub fn tiles(&self) -> TileCounts {
        self.mesh.tile_counts().0
    }

    /// What choosing and taking over tiles took in the last update that did either.
    pub fn stream_timings(&self) -> StreamTimings {
        self.mesh.tile_counts().1
    }

    /// Draws all live triangles with the pipeline and bind groups that are set on the pass.
    ///
    /// Sets vertex buffer 0 ([`TerrainVertex::LAYOUT`]) and a u32 index buffer; counter-clockwise is outside.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.upload.triangles > 0 {
            pass.set_vertex_buffer(0, self.upload.vertices.slice(..));
            pass.set_index_buffer(self.upload.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..3 * self.upload.triangles, 0, 0..1);
        }
    }

    /// Height in metres above the datum at a unit geodetic normal: the surface that the mesh converges to.
    pub fn height_m(&self, n: DVec3) -> f64 {
        self.relief.sample(n).height_m
    }

    /// The elevation layers.
    pub fn relief(&self) -> &Arc<Relief> {
        &self.relief
    }

    /// The live bisectors.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// What the last update did.
    pub fn report(&self) -> &UpdateReport {
        &self.report
    }

    /// Where the time of the last update went.
    pub fn timings(&self) -> &CpuTimings {
        &self.timings
    }

    /// The quality in force.
    pub fn quality(&self) -> &Quality {
        &self.options.quality
    }

    /// Changes the quality from the next update on.
    ///
    /// # Errors
    /// [`TerrainError::Quality`] for numbers that cannot be; the quality stays as it was.
    pub fn set_quality(&mut self, quality: Quality) -> Result<(), TerrainError> {
        check_quality(&quality)?;
        self.options.quality = quality;
        self.last_view = None;
        Ok(())
    }
}

/// Bytes of a staging buffer, and of what is written at a time. The belt keeps every buffer that it ever made, and makes one for
/// each piece that fits none: a mesh that grows would leave one behind every frame if it were written whole.
const PIECE_BYTES: usize = 1 << 20;
/// Of copies between buffers, bytes.
const ALIGNMENT: wgpu::BufferSize = wgpu::BufferSize::new(wgpu::COPY_BUFFER_ALIGNMENT).expect("it is 4");

/// The GPU's copy of vertices and indices, and how it is refreshed.
struct Upload {
    belt: wgpu::util::StagingBelt,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    triangles: u32,
    vertex_records: Vec<TerrainVertex>,
    index_records: Vec<[u32; 3]>,
}

impl Upload {
    fn new(device: &wgpu::Device, slots: u32) -> Self {
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        // A closed mesh of F triangles has F / 2 + 2 corners, and each triangle at most one midpoint of its own.
        let most_vertices = u64::from(slots) * 3 / 2 + 2;
        Self {
            belt: wgpu::util::StagingBelt::new(device.clone(), PIECE_BYTES as u64),
            vertices: buffer(
                "terrain vertices",
                most_vertices * size_of::<TerrainVertex>() as u64,
                wgpu::BufferUsages::VERTEX,
            ),
            indices: buffer("terrain indices", u64::from(slots) * 12, wgpu::BufferUsages::INDEX),
            triangles: 0,
            vertex_records: Vec::new(),
            index_records: Vec::new(),
        }
    }

    fn record(
        &mut self,
        pool: &Pool,
        mesh: &Mesh,
        eye_m: &DVec3,
        quality: &Quality,
        topology_changed: bool,
        encoder: &mut wgpu::CommandEncoder,
    ) -> u64 {
        mesh.write_vertices(*eye_m, quality, &mut self.vertex_records);
        let mut bytes = self.write(encoder, true);
        if topology_changed {
            mesh.write_indices(pool, &mut self.index_records);
            self.triangles = self.index_records.len() as u32;
            bytes += self.write(encoder, false);
        }
        self.belt.finish_and_recall_on_submit(encoder);
        bytes
    }

    fn write(&mut self, encoder: &mut wgpu::CommandEncoder, vertices: bool) -> u64 {
        let (target, data): (_, &[u8]) = if vertices {
            (&self.vertices, bytemuck::cast_slice(&self.vertex_records))
        } else {
            (&self.indices, bytemuck::cast_slice(&self.index_records))
        };
        for (k, piece) in data.chunks(PIECE_BYTES).enumerate() {
            let Some(size) = wgpu::BufferSize::new(piece.len() as u64) else { continue };
            let lent = self.belt.allocate(size, ALIGNMENT);
            // Staging memory is mapped, unless the device is lost.
            let Ok(mut view) = lent.get_mapped_range_mut() else { return 0 };
            view.copy_from_slice(piece);
            let at = (k * PIECE_BYTES) as u64;
            encoder.copy_buffer_to_buffer(lent.buffer(), lent.offset(), target, at, size.get());
        }
        data.len() as u64
    }
}
