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
    MOST_LEVELS, block_maxima, far_lines, farther_maxima, look_out, more_maxima, turn_back, turn_ground, wide_maxima,
};
use super::{Grid, HorizonGround, Horizons};
use crate::horizon::{GoOn, HorizonError};
use tables::{GRAIN, Goal, Highest, Rooms, Tables};

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
    rooms: Rooms,
    plans: Arc<Plans>,
    /// Heights of all levels.
    heights: wgpu::Buffer,
    /// Of all levels, turned.
    s: wgpu::Buffer,
    blocks: wgpu::Buffer,
    wide: wgpu::Buffer,
    /// Maxima of more and more of a track, in turn.
    more: [wgpu::Buffer; 2],
    farther: wgpu::Buffer,
    highest: Vec<Highest>,
}

/// The compiled kernels.
#[derive(Debug)]
pub(crate) struct Plans {
    turn: KernelPlan<turn_ground>,
    blocks: KernelPlan<block_maxima>,
    wide: KernelPlan<wide_maxima>,
    more: KernelPlan<more_maxima>,
    farther: KernelPlan<farther_maxima>,
    look: KernelPlan<look_out>,
    back: KernelPlan<turn_back>,
    lines: KernelPlan<far_lines>,
}

impl Plans {
    pub fn new(gpu: &Gpu) -> Result<Self, KernelError> {
        let kernels = Kernels::new(&gpu.device);
        Ok(Self {
            turn: kernels.plan()?,
            blocks: kernels.plan()?,
            wide: kernels.plan()?,
            more: kernels.plan()?,
            farther: kernels.plan()?,
            look: kernels.plan()?,
            back: kernels.plan()?,
            lines: kernels.plan()?,
        })
    }
}

/// Columns between eyes that look: some first, so that those between them know where to look first.
const STEPS: [usize; 3] = [64, 8, 1];

/// Where answers for a part lie: of each step, turned back, and two on their way to the host.
struct Answers {
    of_steps: [wgpu::Buffer; 3],
    band: wgpu::Buffer,
    staging: [wgpu::Buffer; 2],
}

/// Columns that look at a step.
fn looking(along: usize, step: usize) -> usize {
    (along - 1).div_ceil(step) + 1
}

impl<'a> DeviceHorizonGround<'a> {
    /// Compiles the kernels and uploads the heights.
    ///
    /// # Errors
    /// [`DeviceHorizonsError`]: ground that does not fit; what the device says.
    pub fn new(gpu: &Gpu, ground: &'a HorizonGround) -> Result<Self, DeviceHorizonsError> {
        Self::with_plans(gpu, Arc::new(Plans::new(gpu)?), ground)
    }

    /// The same with kernels that have been compiled.
    pub(crate) fn with_plans(
        gpu: &Gpu,
        plans: Arc<Plans>,
        ground: &'a HorizonGround,
    ) -> Result<Self, DeviceHorizonsError> {
        let rooms = Rooms::of(&ground.levels);
        let bytes = 4 * rooms.heights.max(rooms.s).max(rooms.blocks).max(2 * rooms.wide);
        let count = ground.levels.len();
        if count > MOST_LEVELS {
            return Err(DeviceHorizonsError::Levels { count, most: MOST_LEVELS });
        }
        let limit = gpu.caps.storage_binding_bytes.min(gpu.caps.buffer_bytes).min(4 * u64::from(i32::MAX as u32));
        if bytes > limit {
            return Err(DeviceHorizonsError::TooLarge { bytes, limit });
        }
        let buffer = |label: &str, values: u64| transfer::storage::<f32>(&gpu.device, label, values as u32);
        let (heights, s) = (buffer("heights of horizons", rooms.heights), buffer("turned ground", rooms.s));
        let (blocks, wide) = (buffer("maxima of blocks", rooms.blocks), buffer("maxima of wide blocks", rooms.wide));
        let more = [0, 1].map(|_| buffer("maxima of tracks", rooms.wide));
        let farther = transfer::storage::<Vec2>(&gpu.device, "maxima farther out", rooms.wide as u32);
        for (level, room) in ground.levels.iter().zip(&rooms.levels) {
            gpu.queue.write_buffer(&heights, 4 * room.heights, bytemuck::cast_slice(&level.heights_m));
        }
        gpu.queue.submit([]);
        gpu.wait()?;
        let highest = ground.levels.iter().map(Highest::of).collect();
        Ok(Self { gpu: gpu.clone(), ground, rooms, plans, heights, s, blocks, wide, more, farther, highest })
    }

    /// As [`HorizonGround::horizons`].
    ///
    /// # Errors
    /// As [`DeviceHorizonGround::each`], and for more values than fit.
    pub fn horizons(&self, part: &Grid, go_on: GoOn<'_>) -> Result<Horizons, DeviceHorizonsError> {
        self.ground.options.check(part)?;
        let mut bands = Vec::new();
        self.each(part, go_on, |_, band| bands.push(band))?;
        Ok(Horizons { grid: part.clone(), bands })
    }

    /// As [`HorizonGround::each`].
    ///
    /// # Errors
    /// [`DeviceHorizonsError`]: cells that are none of the grid's; what the device says.
    pub fn each(
        &self,
        part: &Grid,
        go_on: GoOn<'_>,
        mut take: impl FnMut(usize, Vec<f32>),
    ) -> Result<(), DeviceHorizonsError> {
        self.ground.check_part(part).map_err(HorizonError::from)?;
        if part.cells() == 0 {
            (0..self.ground.options.directions).for_each(|number| take(number, Vec::new()));
            return Ok(());
        }
        let answers = self.answers(part);
        self.ask(part, 0, &answers)?;
        for number in 0..self.ground.options.directions {
            if !go_on() {
                return Err(HorizonError::Stopped.into());
            }
            let is_last = number + 1 == self.ground.options.directions;
            let (next, band) = transfer::read_with(&self.gpu, &answers.staging[number % 2], |band: &[f32]| {
                // The device works on while this is copied.
                let next = if is_last { Ok(()) } else { self.ask(part, number + 1, &answers) };
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
        let works = self.band_works(part, number, &self.answers(part))?;
        let works: Vec<&BoundKernel> = works.iter().flatten().collect();
        let dispatches = works.iter().map(|work| work.dispatches()).sum::<usize>();
        let Some(mut timer) = PassTimer::new(&self.gpu, dispatches as u32) else { return Ok(Vec::new()) };
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        timer.encode(&mut encoder, &works);
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

    fn answers(&self, part: &Grid) -> Answers {
        let device = &self.gpu.device;
        let staging = || {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("horizons"),
                size: 4 * part.cells() as u64,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        Answers {
            of_steps: self.of_steps(part),
            band: transfer::storage::<f32>(device, "band", part.cells() as u32),
            staging: [staging(), staging()],
        }
    }

    /// Where the answers of each step for a part lie.
    fn of_steps(&self, part: &Grid) -> [wgpu::Buffer; 3] {
        let (long, wide) = (part.columns.max(part.rows), part.columns.min(part.rows));
        let cells = |step: usize| (looking(long, step) * wide).max(looking(wide, step) * long);
        STEPS.map(|step| transfer::storage::<u32>(&self.gpu.device, "horizons", cells(step) as u32))
    }

    /// Submits the work of a direction.
    fn ask(&self, part: &Grid, number: usize, answers: &Answers) -> Result<(), DeviceHorizonsError> {
        self.submit(&self.band_works(part, number, answers)?);
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let staging = &answers.staging[number % 2];
        encoder.copy_buffer_to_buffer(&answers.band, 0, staging, 0, staging.size());
        self.gpu.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Submits the ground at once, those that look each by themselves, so that others have the device between them.
    fn submit(&self, [ground, looks]: &[Vec<BoundKernel>; 2]) {
        for works in [&ground[..]].into_iter().chain(looks.chunks(1)) {
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            works.iter().for_each(|work| work.encode(&mut pass));
            drop(pass);
            self.gpu.queue.submit([encoder.finish()]);
        }
    }

    /// The work of a direction of a band: the ground, and who looks at it.
    fn band_works(
        &self,
        part: &Grid,
        number: usize,
        answers: &Answers,
    ) -> Result<[Vec<BoundKernel>; 2], DeviceHorizonsError> {
        let tables = self.tables(number);
        let [ground, mut looks] = self.works(part, &tables, (Goal::Elevations, &answers.of_steps))?;
        let (found, band) = (GpuSlice::whole(&answers.of_steps[2]), GpuSlice::whole(&answers.band));
        looks.push(self.plans.back.bind((tables.back(part), found, band))?);
        Ok([ground, looks])
    }

    /// The same up to where each cell has found something.
    fn works(
        &self,
        part: &Grid,
        tables: &Tables,
        sought: (Goal, &[wgpu::Buffer; 3]),
    ) -> Result<[Vec<BoundKernel>; 2], DeviceHorizonsError> {
        let columns = transfer::upload(&self.gpu.device, "columns", &tables.columns);
        Ok([self.turned(tables, &columns)?, self.looks(part, tables, &columns, sought)?])
    }

    fn tables(&self, number: usize) -> Tables {
        Tables::new(self.ground, &self.rooms, &self.highest, self.ground.azimuth_rad(number))
    }

    /// The cells that look for something, and what those of each step find.
    fn looks(
        &self,
        part: &Grid,
        tables: &Tables,
        columns: &wgpu::Buffer,
        (goal, of_steps): (Goal, &[wgpu::Buffer; 3]),
    ) -> Result<Vec<BoundKernel>, DeviceHorizonsError> {
        let eyes = transfer::upload(&self.gpu.device, "eyes", &tables.eyes);
        let mut works = Vec::new();
        let [along, across] = tables.cells(part).map(|cells| cells.len());
        // Parts of what is found begin where the device takes them.
        let most = (CELLS / across).next_multiple_of(GRAIN as usize);
        let nothing = transfer::storage::<u32>(&self.gpu.device, "nothing", 1);
        let (mut before, mut guesses) = (0, &nothing);
        for (step, found) in STEPS.into_iter().zip(of_steps) {
            let count = looking(along, step);
            for first in (0..count).step_by(most) {
                let columns_here = first..(first + most).min(count);
                let slice = GpuSlice::new(found, (first * across) as u32, (columns_here.len() * across) as u32);
                let arguments = (
                    tables.look(part, goal, step, columns_here, before),
                    GpuSlice::whole(columns),
                    GpuSlice::whole(&eyes),
                    GpuSlice::whole(&self.s),
                    GpuSlice::whole(&self.blocks),
                    GpuSlice::whole(&self.farther),
                    GpuSlice::whole(guesses),
                    slice,
                );
                works.push(self.plans.look.bind(arguments)?);
            }
            (before, guesses) = (step, found);
        }
        Ok(works)
    }

    /// The work that turns the ground into a direction.
    fn turned(&self, tables: &Tables, columns: &wgpu::Buffer) -> Result<Vec<BoundKernel>, DeviceHorizonsError> {
        let drops = transfer::upload(&self.gpu.device, "drops", &tables.drops_m);
        let mut works = Vec::new();
        for (k, (level, room)) in self.ground.levels.iter().zip(&self.rooms.levels).enumerate() {
            let turned = tables.turned(k, level);
            let swept = tables.levels[k];
            let heights = GpuSlice::new(&self.heights, room.heights as u32, level.heights_m.len() as u32);
            let s = GpuSlice::new(&self.s, room.s as u32, swept.along * swept.stride);
            works.push(self.plans.turn.bind((turned, heights, GpuSlice::whole(&drops), s))?);
            let (blocks, wide) = (swept.along.div_ceil(kernels::BLOCK), swept.along.div_ceil(kernels::WIDE));
            let of_blocks = GpuSlice::new(&self.blocks, swept.blocks, blocks * swept.tracks);
            let columns = GpuSlice::whole(columns);
            works.push(self.plans.blocks.bind((swept, blocks, columns, GpuSlice::whole(&self.s), of_blocks))?);
            let of_wide = GpuSlice::new(&self.wide, swept.wide, wide * swept.tracks);
            works.push(self.plans.wide.bind((swept.tracks, wide, blocks, of_blocks, of_wide))?);
            let count = wide * swept.tracks;
            let mut rest = of_wide;
            for (k, more) in (0..).map(|k| (k as usize, 1 << k)).take_while(|(_, more)| *more < wide) {
                let to = GpuSlice::new(&self.more[k % 2], swept.wide, count);
                works.push(self.plans.more.bind((swept.tracks, wide, more, rest, to))?);
                rest = to;
            }
            let farther = GpuSlice::new(&self.farther, swept.wide, count);
            works.push(self.plans.farther.bind((swept.beyond_m, of_wide, rest, farther))?);
        }
        Ok(works)
    }
}
