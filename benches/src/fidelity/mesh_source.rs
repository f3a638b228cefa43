//! Which triangles does the engine draw for a view? The settled mesh as data: from the CPU's own, or read back from the GPU.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use gpu::Gpu;
use gpu::transfer;
use terrain::bisection::HeapId;
use terrain::height::Relief;
use terrain::mesh::Mesh;
use terrain::pool::{Pool, VisitOrder};
use terrain::{GpuTerrain, Options, TerrainVertex, View};

use super::comparison::Tolerances;
use super::mesh_triangles::MeshTriangles;

/// Updates without a change after which a mesh is settled: without and with starved triangles, whose tie-breaks rotate.
const QUIET: [u32; 2] = [4, 40];

/// Updates after which a mesh that does not settle is an error; far above what any view takes.
const MOST_UPDATES: u32 = 2_000;

/// Errors on screen, px.
pub const TOLERANCES: Tolerances = Tolerances { first: 0.5, range: 0.0625..=4096.0, coarse: 2.0, fine: 1.15 };

/// Settles meshes, as the engine draws them.
pub enum MeshSource {
    /// Of the CPU, from the roots for each view; no adapter is needed.
    Cpu {
        /// The mesh, which keeps its elevation tiles.
        mesh: Box<Mesh>,
        /// Size and quality.
        options: Options,
    },
    /// Of the GPU, from what the view before has left.
    Gpu {
        /// The device.
        gpu: Box<Gpu>,
        /// The mesh on it.
        terrain: Box<GpuTerrain>,
    },
}

/// A mesh that another update would not change.
pub struct SettledMesh {
    /// Its triangles, relative to the eye.
    pub facets: MeshTriangles,
    /// Triangles that the view wants and the pool does not have.
    pub starved: u32,
}

impl MeshSource {
    /// Meshes on the CPU.
    pub fn cpu(relief: Arc<Relief>, options: Options) -> MeshSource {
        let mesh = Box::new(Mesh::new(relief, options.pool_slots, options.tiles));
        MeshSource::Cpu { mesh, options }
    }

    /// Meshes on a GPU.
    ///
    /// # Errors
    /// Options that cannot be, or a device that is too small; the message says which.
    pub fn gpu(gpu: Gpu, relief: Arc<Relief>, options: Options) -> anyhow::Result<MeshSource> {
        let terrain = Box::new(GpuTerrain::new(&gpu.device, relief, options)?);
        Ok(MeshSource::Gpu { gpu: Box::new(gpu), terrain })
    }

    /// What is tolerated on screen, px.
    pub fn pixel_error(&self) -> f64 {
        match self {
            MeshSource::Cpu { options, .. } => options.quality.pixel_error,
            MeshSource::Gpu { terrain, .. } => terrain.quality().pixel_error,
        }
    }

    /// Meshes from now on tolerate another error on screen.
    ///
    /// # Errors
    /// One that cannot be tolerated.
    pub fn set_pixel_error(&mut self, pixel_error: f64) -> anyhow::Result<()> {
        match self {
            MeshSource::Cpu { options, .. } => options.quality.pixel_error = pixel_error,
            MeshSource::Gpu { terrain, .. } => {
                terrain.set_quality((*terrain.quality()).with_pixel_error(pixel_error))?
            }
        }
        Ok(())
    }

    /// The settled mesh of a view.
    ///
    /// # Errors
    /// A view that cannot be drawn or does not settle, or a device that is lost.
    pub fn settle(&mut self, view: &View) -> anyhow::Result<SettledMesh> {
        match self {
            MeshSource::Cpu { mesh, options } => settle_cpu(mesh, options, view),
            MeshSource::Gpu { gpu, terrain } => settle_gpu(gpu, terrain, view),
        }
    }
}

fn not_settled() -> anyhow::Error {
    anyhow::anyhow!("the mesh did not settle in {MOST_UPDATES} updates: raise --pixel-error or lower --triangles")
}

/// The steps of [`terrain::CpuTerrain`], without a device to upload to.
fn settle_cpu(mesh: &mut Mesh, options: &Options, view: &View) -> anyhow::Result<SettledMesh> {
    let mut pool = Pool::new(u64::from(options.pool_slots), options.max_depth)?;
    let frustum = mesh.frustum(view)?;
    mesh.update_tiles_complete(&frustum, &options.quality);
    mesh.sync_with_pool(&pool);
    let mut quiet = 0;
    for _ in 0..MOST_UPDATES {
        mesh.update_priorities(&frustum, &options.quality);
        let stats = pool.update(mesh, VisitOrder::Parallel);
        mesh.sync_with_pool(&pool);
        quiet = if stats.splits + stats.merges == 0 { quiet + 1 } else { 0 };
        if quiet < QUIET[usize::from(stats.starved > 0)] {
            continue;
        }
        let (mut vertices, mut indices) = (Vec::new(), Vec::new());
        mesh.write_vertices(view.eye_m, &options.quality, &mut vertices);
        mesh.write_indices(&pool, &mut indices);
        let corners = |corners: [u32; 3]| corners.map(|index| position_m(&vertices[index as usize]));
        let facets = pool.iter().zip(indices).map(|((_, id), triangle)| (id, corners(triangle)));
        return Ok(SettledMesh { facets: MeshTriangles::new(facets), starved: stats.starved });
    }
    Err(not_settled())
}

fn settle_gpu(gpu: &Gpu, terrain: &mut GpuTerrain, view: &View) -> anyhow::Result<SettledMesh> {
    for _ in 0..MOST_UPDATES {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let report = terrain.update_complete(view, &gpu.queue, &mut encoder)?;
        gpu.queue.submit([encoder.finish()]);
        gpu.wait()?;
        if !report.settled {
            continue;
        }
        let live: Vec<HeapId> = read_back::<[u32; 2]>(gpu, &terrain.pool().buffers().heap)?
            .into_iter()
            .map(|[low, high]| HeapId(u64::from(high) << 32 | u64::from(low)))
            .filter(|id| id.0 != 0)
            .collect();
        let drawn = read_back::<u32>(gpu, terrain.draw_arguments())?[0] as usize;
        let vertices = read_back::<TerrainVertex>(gpu, terrain.vertices())?;
        // Only what the indirect draw shows is there.
        let corners = vertices[..drawn].chunks_exact(3);
        anyhow::ensure!(
            corners.len() == live.len(),
            "the GPU draws {} triangles of {} live ones: please report it",
            corners.len(),
            live.len()
        );
        let facets =
            live.into_iter().zip(corners).map(|(id, corners)| (id, [0, 1, 2].map(|i| position_m(&corners[i]))));
        return Ok(SettledMesh { facets: MeshTriangles::new(facets), starved: report.starved });
    }
    Err(not_settled())
}

fn position_m(vertex: &TerrainVertex) -> DVec3 {
    Vec3::from_array(vertex.position_m).as_dvec3()
}

fn read_back<T: bytemuck::Pod>(gpu: &Gpu, buffer: &wgpu::Buffer) -> anyhow::Result<Vec<T>> {
    let back = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("fidelity readback"),
        size: buffer.size(),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &back, 0, buffer.size());
    gpu.queue.submit([encoder.finish()]);
    Ok(transfer::read(gpu, &back)?)
}
