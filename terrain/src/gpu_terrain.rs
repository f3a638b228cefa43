//! How does the mesh live on the GPU? Behind the same facade as [`CpuTerrain`](crate::CpuTerrain), with all per-triangle work in compute passes.
//!
//! The CPU chooses tiles and says where the eye is. On the device the pool refines and coarsens ([`crate::pool::gpu`]) by priorities
//! from the tiles (`shaders/terrain/vertex_state.wgsl`). The corners of its live triangles are placed, morphed and written as
//! [`TerrainVertex`] for one indirect draw (`shaders/terrain/mesh/`). Nothing is waited for: counters come back some frames later.

mod feedback;
mod rays;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::DVec3;
use gpu::pipeline::ComputeKernel;
use shaders::{Composer, EditedModules};

use crate::{
    TileCache,
    expansion::PlanetView,
    geodesy::Ellipsoid,
    height::Relief,
    library::set_ellipsoid,
    mesh::TerrainVertex,
    metric::Metric,
    metric::Quality,
    options::{Options, PlanetError, TerrainError, check_quality},
    pool::{BLOCK, gpu::GpuPool},
    report::{QUIET_STEPS, QUIET_STEPS_STARVED, UpdateReport},
    streaming::{Atlas, HeightTiles, MOST_VIEWS, PreparedView, SharedTiles, StreamTimings, Streaming, TileCounts},
    tile::height_scale,
    view::{Occluder, View, ViewError, ViewFrustum, nearest_m},
};
pub use feedback::GpuTimings;
use feedback::{Feedback, Pass};
pub use rays::{MeshRays, MeshRaysError};

/// The planet with topology, vertices and tiles on the device.
///
/// ```no_run
/// # fn demo(device: &wgpu::Device, queue: &wgpu::Queue, relief: std::sync::Arc<terrain::height::Relief>, view: &terrain::View,
/// #         encoder: &mut wgpu::CommandEncoder, pass: &mut wgpu::RenderPass<'_>)
/// # -> Result<(), Box<dyn std::error::Error>> {
/// use terrain::{GpuTerrain, Options};
/// let mut terrain = GpuTerrain::new(device, relief, Options::default())?;
/// let report = terrain.update(view, queue, encoder)?; // once a frustum and submission, before the pass
/// terrain.draw(pass); // with a pipeline of yours whose vertex layout is `TerrainVertex::LAYOUT`
/// # Ok(())
/// # }
/// ```
pub struct GpuTerrain {
    relief: Arc<Relief>,
    pub(crate) options: Options,
    pool: GpuPool,
    tiles: SharedTiles<HeightTiles>,
    passes: Passes,
    buffers: Buffers,
    feedback: Feedback,
    /// Changes with the view, the quality and the tiles: counters of an earlier number say nothing about now.
    generation: u64,
    quiet: u32,
    /// The view of the last update, and how it judges vertices.
    last: Option<(View, PreparedView)>,
    report: UpdateReport,
    timings: Option<GpuTimings>,
}

/// Buffers round the pool's own.
struct Buffers {
    planet: wgpu::Buffer,
    metric: wgpu::Buffer,
    vertices: wgpu::Buffer,
    draw: wgpu::Buffer,
}

impl Buffers {
    fn new(device: &wgpu::Device, options: &Options) -> Result<Self, PlanetError> {
        let slots = options.pool_slots;
        let limits = device.limits();
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let bytes = u64::from(slots) * 3 * size_of::<TerrainVertex>() as u64;
        if bytes > limit {
            return Err(PlanetError::TooManyTriangles { slots, bytes, limit });
        }
        use wgpu::BufferUsages as Usage;
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
        };
        let uniform = Usage::UNIFORM | Usage::COPY_DST;
        Ok(Self {
            planet: buffer("terrain planet", size_of::<PlanetView>() as u64, uniform),
            metric: buffer("terrain metric", size_of::<Metric>() as u64, uniform),
            vertices: buffer("terrain vertices", bytes, Usage::STORAGE | Usage::VERTEX | Usage::COPY_SRC),
            draw: buffer("terrain draw", 16, Usage::STORAGE | Usage::INDIRECT | Usage::COPY_SRC),
        })
    }
}

/// Pipelines and bind groups round the pool's own.
struct Passes {
    evaluate: ComputeKernel,
    /// Groups 1 and 2 of the pool's first stage.
    classify: [wgpu::BindGroup; 2],
    /// Groups 0 to 3.
    evaluate_groups: [wgpu::BindGroup; 4],
}

impl GpuTerrain {
    /// The twelve roots over a relief. Samples the relief's global lattice and the six root tiles.
    ///
    /// # Errors
    /// [`PlanetError::Terrain`] for a size, depth or quality that cannot be; [`PlanetError::TooManyTriangles`] for a
    /// pool beyond the device's buffers; [`PlanetError::Pipeline`] if the device takes fewer than eight storage buffers a stage.
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
        check_quality(&options.quality)?;
        let bind = |composer: &mut Composer| bind_priority(composer, relief.ellipsoid());
        let pool = GpuPool::new(device, u64::from(options.pool_slots), options.max_depth, bind)?;
        let buffers = Buffers::new(device, &options)?;
        let evaluate = Passes::evaluate(device, relief.ellipsoid(), &EditedModules::default())?;
        let height_tiles = HeightTiles::new(relief.clone(), cache);
        let tiles = SharedTiles::new(Streaming::new(Atlas::new(device, options.tiles), height_tiles));
        Self::of(device, relief, options, pool, evaluate, tiles, buffers)
    }

    /// One more view: a mesh of its own, with its own pool and quality, over the elevation tiles of this one.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`PlanetError::TooManyViews`].
    pub fn another_view(&self, device: &wgpu::Device, options: Options) -> Result<Self, PlanetError> {
        check_quality(&options.quality)?;
        let pool = self.pool.another(device, u64::from(options.pool_slots), options.max_depth)?;
        let buffers = Buffers::new(device, &options)?;
        let tiles = self.tiles.another().ok_or(PlanetError::TooManyViews { limit: MOST_VIEWS })?;
        Self::of(device, self.relief.clone(), options, pool, self.passes.evaluate.clone(), tiles, buffers)
    }

    fn of(
        device: &wgpu::Device,
        relief: Arc<Relief>,
        options: Options,
        pool: GpuPool,
        evaluate: ComputeKernel,
        tiles: SharedTiles<HeightTiles>,
        buffers: Buffers,
    ) -> Result<Self, PlanetError> {
        let passes = Passes::new(device, evaluate, &pool, &tiles, &buffers)?;
        Ok(Self {
            relief,
            options,
            pool,
            tiles,
            passes,
            buffers,
            feedback: Feedback::new(device),
            generation: 0,
            quiet: 0,
            last: None,
            report: UpdateReport { capacity: options.pool_slots, ..UpdateReport::default() },
            timings: None,
        })
    }

    /// Refines and coarsens for the view and records what is to be drawn into `encoder`.
    ///
    /// Nothing is submitted; tiles and the view are handed to the queue and arrive with its next submission, so submit the
    /// encoder before the next update. An unchanged view of a settled terrain records nothing. The report is that of an update a few
    /// submissions ago.
    ///
    /// # Errors
    /// [`TerrainError::View`] for a camera that is nowhere, looks nowhere or has no pixels; the terrain stays as it was.
    pub fn update(
        &mut self,
        view: &View,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<UpdateReport, TerrainError> {
        self.step(view, queue, encoder, false)
    }

    /// As [`update`](Self::update), but makes all tiles that the view wants before it returns: for pictures that must not
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
        self.step(view, queue, encoder, true)
    }

    fn step(
        &mut self,
        view: &View,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        complete: bool,
    ) -> Result<UpdateReport, TerrainError> {
        let same = self.last.take_if(|(last, _)| last == view);
        let moved = same.is_none();
        let predicted = if complete { None } else { self.predicted_view(view) };
        let prepared = same.map_or_else(|| self.prepare(view), |(_, prepared)| Ok(prepared))?;
        self.poll();
        let prepared = &self.last.insert((*view, prepared)).1;
        if !moved && self.report.settled {
            self.report = UpdateReport { splits: 0, merges: 0, uploaded_bytes: 0, ..self.report };
            return Ok(self.report);
        }
        let arrived = match complete {
            true => self.tiles.update_complete(prepared.clone(), queue),
            false => self.tiles.update((prepared.clone(), predicted), moved, queue),
        };
        if moved || arrived {
            self.generation += 1;
            self.quiet = 0;
            self.report.settled = false;
        }
        if moved {
            // Whole metres, which f32 holds exactly.
            let planet = PlanetView {
                height_scale: height_scale(self.relief.range_m()) as f32,
                ..PlanetView::at_base(self.relief.ellipsoid(), view.eye_m, prepared.ground_m.round() as f32)
            };
            queue.write_buffer(&self.buffers.planet, 0, bytemuck::bytes_of(&planet));
            queue.write_buffer(&self.buffers.metric, 0, bytemuck::bytes_of(&prepared.metric));
        }
        self.encode(queue, encoder);
        Ok(self.report)
    }

    /// How a view judges vertices.
    fn prepare(&self, view: &View) -> Result<PreparedView, ViewError> {
        let (frustum, ground_m) = (self.frustum(view)?, self.height_m(self.relief.ellipsoid().normal_at(view.eye_m)));
        Ok(PreparedView::new(
            self.relief.ellipsoid(),
            frustum,
            &self.options.quality,
            nearest_m(&self.relief, view.eye_m),
            ground_m,
        ))
    }

    /// The view from where the eye will be soon if it goes on as it does; none for one that rests.
    fn predicted_view(&self, view: &View) -> Option<PreparedView> {
        self.prepare(&view.predicted_from(self.relief.ellipsoid(), &self.last.as_ref()?.0)?).ok()
    }

    /// A view, with what the relief hides from the eye.
    fn frustum(&self, view: &View) -> Result<ViewFrustum, ViewError> {
        view.frustum(Occluder::around(&self.relief, view.eye_m))
    }

    /// Takes in the counters that have come back: after a wait for the device, [`report`](Self::report) and
    /// [`timings`](Self::timings) are those of the last update. Every update does it, for the one before it.
    pub fn poll(&mut self) {
        for counters in self.feedback.take_arrived() {
            let control = counters.control;
            self.timings = counters.timings;
            let merges = (control.live + control.admitted).saturating_sub(counters.triangles);
            self.report = UpdateReport {
                triangles: counters.triangles,
                // Euler: a closed mesh of F triangles has F / 2 + 2 corners.
                vertices: counters.triangles / 2 + 2,
                splits: control.admitted,
                merges,
                starved: control.starved,
                ..self.report
            };
            if counters.tag == self.generation {
                self.quiet = if control.changes == 0 { self.quiet + 1 } else { 0 };
                let needed = if control.starved > 0 { QUIET_STEPS_STARVED } else { QUIET_STEPS };
                self.report.settled = self.quiet >= needed && self.tiles.is_complete();
            }
        }
    }

    fn encode(&mut self, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder) {
        let pass = |pass, label| wgpu::ComputePassDescriptor {
            label: Some(label),
            timestamp_writes: self.feedback.timestamp_writes(pass),
        };
        {
            let mut pass = encoder.begin_compute_pass(&pass(Pass::Topology, "terrain topology"));
            for _ in 0..self.options.steps_per_update.max(1) {
                pass.set_bind_group(2, &self.passes.classify[1], &[]);
                self.pool.encode_update(&mut pass, Some(&self.passes.classify[0]));
            }
        }
        {
            let mut pass = encoder.begin_compute_pass(&pass(Pass::Vertices, "terrain vertices"));
            self.passes.encode_vertices(&mut pass, self.pool.capacity());
        }
        self.feedback.record(encoder, queue, &self.pool.buffers().control, &self.buffers.draw, self.generation);
    }

    /// Draws all live triangles with the pipeline and bind groups that are set on the pass.
    ///
    /// Sets vertex buffer 0 ([`TerrainVertex::LAYOUT`]) and draws indirectly, without indices; counter-clockwise is outside.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.last.is_some() {
            pass.set_vertex_buffer(0, self.buffers.vertices.slice(..));
            pass.draw_indirect(&self.buffers.draw, 0);
        }
    }

    /// The corners of the live triangles, three a triangle in the order of slots, the right-angle corner first, as [`TerrainVertex`].
    pub fn vertices(&self) -> &wgpu::Buffer {
        &self.buffers.vertices
    }

    /// Arguments of the indirect draw: the first of four words is the number of vertices.
    pub fn draw_arguments(&self) -> &wgpu::Buffer {
        &self.buffers.draw
    }

    /// The pool on the device.
    pub fn pool(&self) -> &GpuPool {
        &self.pool
    }

    /// Tiles by state, as of the last update.
    pub fn tiles(&self) -> TileCounts {
        self.tiles.all().counts()
    }

    /// What choosing and taking over tiles took on the CPU in the last update that did either.
    pub fn stream_timings(&self) -> StreamTimings {
        self.tiles.all().timings()
    }

    /// Height in metres above the datum at a unit geodetic normal: the surface that the mesh converges to.
    pub fn height_m(&self, n: DVec3) -> f64 {
        self.relief.sample(n).height_m
    }

    /// The elevation layers.
    pub fn relief(&self) -> &Arc<Relief> {
        &self.relief
    }

    /// What an update some submissions ago did.
    pub fn report(&self) -> &UpdateReport {
        &self.report
    }

    /// How long the device took for that update; `None` before the first, and where it has no timestamps.
    pub fn timings(&self) -> Option<GpuTimings> {
        self.timings
    }

    /// The quality in force.
    pub fn quality(&self) -> &Quality {
        &self.options.quality
    }

    /// Compiles the shaders anew, with modules that were edited while the program runs. Mesh and tiles stay; after an error the shaders do,
    /// too.
    ///
    /// # Errors
    /// [`PlanetError::Shader`] with file and line, or [`PlanetError::Pipeline`].
    pub fn recompile(&mut self, device: &wgpu::Device, edited: &EditedModules) -> Result<(), PlanetError> {
        // What may fail comes first.
        let pool = self.pool.recompiled(device, |composer| {
            bind_priority(composer, self.relief.ellipsoid());
            edited.bind(composer);
        })?;
        let evaluate = Passes::evaluate(device, self.relief.ellipsoid(), edited)?;
        self.passes = Passes::new(device, evaluate, &pool, &self.tiles, &self.buffers)?;
        self.pool = pool;
        // What is drawn stays, and the next update makes it anew.
        self.generation += 1;
        self.quiet = 0;
        self.report.settled = false;
        Ok(())
    }

    /// Changes the quality from the next update on.
    ///
    /// # Errors
    /// [`TerrainError::Quality`] for numbers that cannot be; the quality stays as it was.
    pub fn set_quality(&mut self, quality: Quality) -> Result<(), TerrainError> {
        check_quality(&quality)?;
        self.options.quality = quality;
        self.last = None;
        Ok(())
    }
}

fn bind_priority(composer: &mut Composer, ellipsoid: Ellipsoid) {
    set_ellipsoid(composer, ellipsoid);
    composer.bind_module("terrain/pool/priority", "terrain/pool/priority_tiles");
}

/// A composer of modules that ask the pool's tree which triangle of the drawn mesh a slot has.
fn drawing_composer(ellipsoid: Ellipsoid) -> Composer {
    let mut composer = crate::composer_on(ellipsoid);
    composer.bind_module("cbt/layout", "cbt/compact/layout").bind_module("cbt/storage", "terrain/mesh/tree");
    composer
}

impl Passes {
    /// The kernel that places vertices.
    fn evaluate(
        device: &wgpu::Device,
        ellipsoid: Ellipsoid,
        edited: &EditedModules,
    ) -> Result<ComputeKernel, PlanetError> {
        let mut composer = drawing_composer(ellipsoid);
        edited.bind(&mut composer);
        let evaluate = composer.compose("terrain/mesh/evaluate")?;
        Ok(ComputeKernel::new(device, &evaluate, "evaluate", &Default::default())?)
    }

    fn new(
        device: &wgpu::Device,
        evaluate: ComputeKernel,
        pool: &GpuPool,
        tiles: &SharedTiles<HeightTiles>,
        buffers: &Buffers,
    ) -> Result<Self, PlanetError> {
        let slots = pool.buffers();
        let streaming = tiles.all();
        let view = [
            ("pages", wgpu::BindingResource::TextureView(streaming.store().pages())),
            ("tiles", wgpu::BindingResource::TextureView(streaming.store().tiles())),
            ("metric", buffers.metric.as_entire_binding()),
        ];
        let own = [("draw", buffers.draw.as_entire_binding()), ("vertices", buffers.vertices.as_entire_binding())];
        let heap = ("heap", slots.heap.as_entire_binding());
        let bisectors = ("bisectors", slots.bisectors.as_entire_binding());
        Ok(Self {
            classify: [
                pool.priority_bind_group(device, 1, &view)?,
                pool.priority_bind_group(device, 2, &[("planet", buffers.planet.as_entire_binding())])?,
            ],
            evaluate_groups: [
                evaluate.bind_group(device, 0, &[heap, bisectors])?,
                evaluate.bind_group(device, 1, &view)?,
                evaluate.bind_group(device, 2, &[("planet", buffers.planet.as_entire_binding())])?,
                evaluate.bind_group(device, 3, &[slots.tree.bindings(), own.to_vec()].concat())?,
            ],
            evaluate,
        })
    }

    fn encode_vertices(&self, pass: &mut wgpu::ComputePass<'_>, capacity: u32) {
        pass.set_pipeline(self.evaluate.pipeline());
        for (index, group) in self.evaluate_groups.iter().enumerate() {
            pass.set_bind_group(index as u32, group, &[]);
        }
        pass.dispatch_workgroups(capacity.div_ceil(BLOCK as u32), 3, 1);
    }
}
