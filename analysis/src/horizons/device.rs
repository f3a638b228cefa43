//! How does a graphics device find the horizons of a raster?
//!
//! The same lines over the same cells as on the CPU, in f32: ground is turned into each direction, maxima of blocks are taken, and every
//! cell looks for itself. One direction is on its way to the host while the next is looked for.

mod kernels;
mod lines;
mod tables;
#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use ::kernels::{BoundKernel, GpuSlice, KernelError, KernelPlan, Kernels};
use glam::Vec2;
use gpu::timing::PassTimer;
use gpu::{Gpu, GpuError, transfer};
use rayon::prelude::*;

use self::kernels::{
    MOST_LEVELS, block_maxima, combined_maxima, doubled_maxima, list_far_lines, rotate_back, rotate_ground,
    superblock_maxima, sweep_horizons,
};
use super::{Grid, HorizonGround, Horizons};
use crate::horizon::{HorizonError, ShouldContinue};
use tables::{AxisMaxima, BufferOffsets, DirectionTables, SLICE_ALIGNMENT, SweepOutput};

/// Cells that look in one submission: others share the device.
const CELLS: usize = 1 << 22;

/// Why a device finds no horizons.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceHorizonsError {
    /// What is asked cannot be, or is not wanted any more.
    #[error(transparent)]
    Horizon(#[from] HorizonError),
    /// The ground does not fit.
    #[error("{bytes} bytes of ground, and the device takes {limit} at once: take larger cells, or the CPU")]
    TooLarge {
        /// Bytes of the largest buffer.
        bytes: u64,
        /// The device's limit.
        limit: u64,
    },
    /// Ground in grids of so many sizes: cells are tiny beside the reach.
    #[error("ground in {count} sizes of cells, and a device takes {most}: take larger cells or less reach, or the CPU")]
    Levels {
        /// Sizes.
        count: usize,
        /// Sizes at most.
        most: usize,
    },
    /// Lines to targets above the ground.
    #[error("a device looks for targets on the ground only: take a target height of 0, or the CPU")]
    Targets,
    /// A kernel could not be made.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The device failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// The ground of a raster's horizons on a graphics device.
///
/// Horizons are those of [`HorizonGround`] but for what f32 rounds: three units in the last place of the ground's greatest height, or of
/// how far it drops below the tangent plane of the middle, over the side of a cell. That is 0.003 degrees where cells are 30 m, ground
/// is up to 8 km high and the raster is up to 600 km wide.
///
/// ```
/// use std::sync::Arc;
/// use analysis::{DeviceHorizonGround, Grid, HorizonGround, HorizonsOptions};
/// use elevation::{geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}, surface::Surface};
///
/// let hills = GlobalGrid::from_fn(360, 181, Registration::Node, |lon, lat| 900.0 * (lon + 7.0 * lat).sin());
/// let surface = Surface::new(Arc::new(Relief::from_grid(hills)?));
/// let grid = Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(46.0, 8.0, 0.0), 50_000.0, 5_000.0)?;
/// let ground = HorizonGround::new(&surface, &grid, &HorizonsOptions::default().with_directions(4), &|| true)?;
/// let on_device = DeviceHorizonGround::new(&gpu::Gpu::new(&Default::default())?, &ground)?;
/// let (found, same) = (on_device.horizons(&grid, &|| true)?, ground.horizons(&grid, &|| true)?);
/// assert!((found.bands[2][7] - same.bands[2][7]).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DeviceHorizonGround<'a> {
    gpu: Gpu,
    ground: &'a HorizonGround,
    offsets: BufferOffsets,
    kernels: Arc<CompiledKernels>,
    /// Heights of all levels.
    heights: wgpu::Buffer,
    /// Of all levels, turned.
    s: wgpu::Buffer,
    blocks: wgpu::Buffer,
    wide: wgpu::Buffer,
    /// Maxima of more and more of a track, in turn.
    more: [wgpu::Buffer; 2],
    farther: wgpu::Buffer,
    highest: Vec<AxisMaxima>,
}

/// The compiled kernels.
#[derive(Debug)]
pub(crate) struct CompiledKernels {
    rotate: KernelPlan<rotate_ground>,
    blocks: KernelPlan<block_maxima>,
    wide: KernelPlan<superblock_maxima>,
    more: KernelPlan<doubled_maxima>,
    farther: KernelPlan<combined_maxima>,
    sweep: KernelPlan<sweep_horizons>,
    rotate_back: KernelPlan<rotate_back>,
    lines: KernelPlan<list_far_lines>,
}

impl CompiledKernels {
    pub fn new(gpu: &Gpu) -> Result<Self, KernelError> {
        let kernels = Kernels::new(&gpu.device);
        Ok(Self {
            rotate: kernels.plan()?,
            blocks: kernels.plan()?,
            wide: kernels.plan()?,
            more: kernels.plan()?,
            farther: kernels.plan()?,
            sweep: kernels.plan()?,
            rotate_back: kernels.plan()?,
            lines: kernels.plan()?,
        })
    }
}

/// Columns between eyes that look: some first, so that those between them know where to look first.
const STEPS: [usize; 3] = [64, 8, 1];

/// Result buffers for a part: of each step, of the rotated band, and two for readback.
struct BandBuffers {
    step_buffers: [wgpu::Buffer; 3],
    band: wgpu::Buffer,
    staging: [wgpu::Buffer; 2],
}

/// How many columns have eyes at a step.
fn columns_at_step(along: usize, step: usize) -> usize {
    (along - 1).div_ceil(step) + 1
}

impl<'a> DeviceHorizonGround<'a> {
    /// Compiles the kernels and uploads the heights.
    ///
    /// # Errors
    /// [`DeviceHorizonsError`]: ground that does not fit; what the device says.
    pub fn new(gpu: &Gpu, ground: &'a HorizonGround) -> Result<Self, DeviceHorizonsError> {
        Self::with_kernels(gpu, Arc::new(CompiledKernels::new(gpu)?), ground)
    }

    /// The same with kernels that have been compiled.
    pub(crate) fn with_kernels(
        gpu: &Gpu,
        kernels: Arc<CompiledKernels>,
        ground: &'a HorizonGround,
    ) -> Result<Self, DeviceHorizonsError> {
        let offsets = BufferOffsets::of(&ground.levels);
        let bytes = 4 * offsets.heights.max(offsets.s).max(offsets.blocks).max(2 * offsets.wide);
        let count = ground.levels.len();
        if count > MOST_LEVELS {
            return Err(DeviceHorizonsError::Levels { count, most: MOST_LEVELS });
        }
        let limit = gpu.caps.storage_binding_bytes.min(gpu.caps.buffer_bytes).min(4 * u64::from(i32::MAX as u32));
        if bytes > limit {
            return Err(DeviceHorizonsError::TooLarge { bytes, limit });
        }
        let buffer = |label: &str, values: u64| transfer::storage::<f32>(&gpu.device, label, values as u32);
        let (heights, s) = (buffer("heights of horizons", offsets.heights), buffer("turned ground", offsets.s));
        let (blocks, wide) =
            (buffer("maxima of blocks", offsets.blocks), buffer("maxima of wide blocks", offsets.wide));
        let more = [0, 1].map(|_| buffer("maxima of tracks", offsets.wide));
        let farther = transfer::storage::<Vec2>(&gpu.device, "maxima farther out", offsets.wide as u32);
        for (level, level_offsets) in ground.levels.iter().zip(&offsets.levels) {
            gpu.queue.write_buffer(&heights, 4 * level_offsets.heights, bytemuck::cast_slice(&level.heights_m));
        }
        gpu.queue.submit([]);
        gpu.wait()?;
        let highest = ground.levels.iter().map(AxisMaxima::of).collect();
        Ok(Self { gpu: gpu.clone(), ground, offsets, kernels, heights, s, blocks, wide, more, farther, highest })
    }

    /// As [`HorizonGround::horizons`].
    ///
    /// # Errors
    /// As [`DeviceHorizonGround::each`], and for more values than fit.
    pub fn horizons(&self, part: &Grid, should_continue: ShouldContinue<'_>) -> Result<Horizons, DeviceHorizonsError> {
        self.ground.options.check(part)?;
        let mut bands = Vec::new();
        self.each(part, should_continue, |_, band| bands.push(band))?;
        Ok(Horizons { grid: part.clone(), bands })
    }

    /// As [`HorizonGround::each`].
    ///
    /// # Errors
    /// [`DeviceHorizonsError`]: cells that are none of the grid's; what the device says.
    pub fn each(
        &self,
        part: &Grid,
        should_continue: ShouldContinue<'_>,
        mut take: impl FnMut(usize, Vec<f32>),
    ) -> Result<(), DeviceHorizonsError> {
        self.ground.check_part(part).map_err(HorizonError::from)?;
        if part.cells() == 0 {
            (0..self.ground.options.directions).for_each(|number| take(number, Vec::new()));
            return Ok(());
        }
        let band_buffers = self.band_buffers(part);
        self.submit_direction(part, 0, &band_buffers)?;
        for number in 0..self.ground.options.directions {
            if !should_continue() {
                return Err(HorizonError::Stopped.into());
            }
            let is_last = number + 1 == self.ground.options.directions;
            let (next, band) = transfer::read_with(&self.gpu, &band_buffers.staging[number % 2], |band: &[f32]| {
                // The device works on while this is copied.
                let next = if is_last { Ok(()) } else { self.submit_direction(part, number + 1, &band_buffers) };
                (next, band.par_iter().copied().collect())
            })?;
            take(number, band);
            next?;
        }
        Ok(())
    }

    /// What the device itself needs for one direction of a part, by kernel; nothing where it tells no time.
    ///
    /// # Errors
    /// As [`DeviceHorizonGround::each`].
    pub fn times(&self, part: &Grid, number: usize) -> Result<Vec<(&'static str, Duration)>, DeviceHorizonsError> {
        self.ground.check_part(part).map_err(HorizonError::from)?;
        let bound_kernels = self.bind_band(part, number, &self.band_buffers(part))?;
        let bound_kernels: Vec<&BoundKernel> = bound_kernels.iter().flatten().collect();
        let dispatches = bound_kernels.iter().map(|work| work.dispatches()).sum::<usize>();
        let Some(mut timer) = PassTimer::new(&self.gpu, dispatches as u32) else { return Ok(Vec::new()) };
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        timer.encode(&mut encoder, &bound_kernels);
        self.gpu.queue.submit([encoder.finish()]);
        let (whole, spans) = timer.read(&self.gpu)?;
        let mut times = vec![("all", whole)];
        for span in spans {
            match times.iter_mut().find(|(label, _)| *label == span.label) {
                Some((_, time)) => *time += span.time,
                None => times.push((span.label, span.time)),
            }
        }
        Ok(times)
    }

    fn band_buffers(&self, part: &Grid) -> BandBuffers {
        let device = &self.gpu.device;
        let staging = || {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("horizons"),
                size: 4 * part.cells() as u64,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        BandBuffers {
            step_buffers: self.step_buffers(part),
            band: transfer::storage::<f32>(device, "band", part.cells() as u32),
            staging: [staging(), staging()],
        }
    }

    /// Buffers for the results of each step for a part.
    fn step_buffers(&self, part: &Grid) -> [wgpu::Buffer; 3] {
        let (long, wide) = (part.columns.max(part.rows), part.columns.min(part.rows));
        let cells = |step: usize| (columns_at_step(long, step) * wide).max(columns_at_step(wide, step) * long);
        STEPS.map(|step| transfer::storage::<u32>(&self.gpu.device, "horizons", cells(step) as u32))
    }

    /// Submits the kernels of a direction and the copy to its staging buffer.
    fn submit_direction(
        &self,
        part: &Grid,
        number: usize,
        band_buffers: &BandBuffers,
    ) -> Result<(), DeviceHorizonsError> {
        self.submit(&self.bind_band(part, number, band_buffers)?);
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let staging = &band_buffers.staging[number % 2];
        encoder.copy_buffer_to_buffer(&band_buffers.band, 0, staging, 0, staging.size());
        self.gpu.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Submits the ground at once, those that look each by themselves, so that others have the device between them.
    fn submit(&self, [ground, looks]: &[Vec<BoundKernel>; 2]) {
        for bound_kernels in [&ground[..]].into_iter().chain(looks.chunks(1)) {
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            bound_kernels.iter().for_each(|work| work.encode(&mut pass));
            drop(pass);
            self.gpu.queue.submit([encoder.finish()]);
        }
    }

    /// Kernels of a direction, up to its band in raster order: those that rotate the ground, and the sweeps.
    fn bind_band(
        &self,
        part: &Grid,
        number: usize,
        band_buffers: &BandBuffers,
    ) -> Result<[Vec<BoundKernel>; 2], DeviceHorizonsError> {
        let tables = self.tables(number);
        let [ground, mut looks] =
            self.bind_direction(part, &tables, (SweepOutput::Elevations, &band_buffers.step_buffers))?;
        let (found, band) = (GpuSlice::whole(&band_buffers.step_buffers[2]), GpuSlice::whole(&band_buffers.band));
        looks.push(self.kernels.rotate_back.bind((tables.rotate_back_params(part), found, band))?);
        Ok([ground, looks])
    }

    /// The same without the rotation back to raster order.
    fn bind_direction(
        &self,
        part: &Grid,
        tables: &DirectionTables,
        query: (SweepOutput, &[wgpu::Buffer; 3]),
    ) -> Result<[Vec<BoundKernel>; 2], DeviceHorizonsError> {
        let columns = transfer::upload(&self.gpu.device, "columns", &tables.columns);
        Ok([self.bind_rotation(tables, &columns)?, self.bind_sweeps(part, tables, &columns, query)?])
    }

    fn tables(&self, number: usize) -> DirectionTables {
        DirectionTables::new(self.ground, &self.offsets, &self.highest, self.ground.azimuth_rad(number))
    }

    /// The sweep kernels, coarsest step first.
    fn bind_sweeps(
        &self,
        part: &Grid,
        tables: &DirectionTables,
        columns: &wgpu::Buffer,
        (output, step_buffers): (SweepOutput, &[wgpu::Buffer; 3]),
    ) -> Result<Vec<BoundKernel>, DeviceHorizonsError> {
        let eyes = transfer::upload(&self.gpu.device, "eyes", &tables.eyes);
        let mut bound_kernels = Vec::new();
        let [along, across] = tables.cells(part).map(|cells| cells.len());
        // Parts of what is found begin where the device takes them.
        let most = (CELLS / across).next_multiple_of(SLICE_ALIGNMENT as usize);
        let nothing = transfer::storage::<u32>(&self.gpu.device, "nothing", 1);
        let (mut before, mut hints) = (0, &nothing);
        for (step, found) in STEPS.into_iter().zip(step_buffers) {
            let count = columns_at_step(along, step);
            for first in (0..count).step_by(most) {
                let columns_here = first..(first + most).min(count);
                let slice = GpuSlice::new(found, (first * across) as u32, (columns_here.len() * across) as u32);
                let arguments = (
                    tables.sweep_params(part, output, step, columns_here, before),
                    GpuSlice::whole(columns),
                    GpuSlice::whole(&eyes),
                    GpuSlice::whole(&self.s),
                    GpuSlice::whole(&self.blocks),
                    GpuSlice::whole(&self.farther),
                    GpuSlice::whole(hints),
                    slice,
                );
                bound_kernels.push(self.kernels.sweep.bind(arguments)?);
            }
            (before, hints) = (step, found);
        }
        Ok(bound_kernels)
    }

    /// Kernels that rotate the ground into a direction and build its maxima.
    fn bind_rotation(
        &self,
        tables: &DirectionTables,
        columns: &wgpu::Buffer,
    ) -> Result<Vec<BoundKernel>, DeviceHorizonsError> {
        let drops = transfer::upload(&self.gpu.device, "drops", &tables.drops_m);
        let mut bound_kernels = Vec::new();
        for (k, (level, level_offsets)) in self.ground.levels.iter().zip(&self.offsets.levels).enumerate() {
            let rotated = tables.rotated_level(k, level);
            let layout = tables.levels[k];
            let heights = GpuSlice::new(&self.heights, level_offsets.heights as u32, level.heights_m.len() as u32);
            let s = GpuSlice::new(&self.s, level_offsets.s as u32, layout.along * layout.stride);
            bound_kernels.push(self.kernels.rotate.bind((rotated, heights, GpuSlice::whole(&drops), s))?);
            let (blocks, wide) = (layout.along.div_ceil(kernels::BLOCK), layout.along.div_ceil(kernels::SUPERBLOCK));
            let of_blocks = GpuSlice::new(&self.blocks, layout.blocks, blocks * layout.tracks);
            let columns = GpuSlice::whole(columns);
            bound_kernels.push(self.kernels.blocks.bind((
                layout,
                blocks,
                columns,
                GpuSlice::whole(&self.s),
                of_blocks,
            ))?);
            let of_wide = GpuSlice::new(&self.wide, layout.wide, wide * layout.tracks);
            bound_kernels.push(self.kernels.wide.bind((layout.tracks, wide, blocks, of_blocks, of_wide))?);
            let count = wide * layout.tracks;
            let mut rest = of_wide;
            for (k, more) in (0..).map(|k| (k as usize, 1 << k)).take_while(|(_, more)| *more < wide) {
                let to = GpuSlice::new(&self.more[k % 2], layout.wide, count);
                bound_kernels.push(self.kernels.more.bind((layout.tracks, wide, more, rest, to))?);
                rest = to;
            }
            let farther = GpuSlice::new(&self.farther, layout.wide, count);
            bound_kernels.push(self.kernels.farther.bind((layout.beyond_m, of_wide, rest, farther))?);
        }
        Ok(bound_kernels)
    }
}
