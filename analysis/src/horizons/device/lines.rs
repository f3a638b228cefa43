//! Which cells see far? Those whose horizons are far away, in lists.

use std::ops::Range;

use ::kernels::{BoundKernel, GpuSlice, kernel::GpuList};
use glam::UVec2;
use gpu::transfer;
use rayon::prelude::*;

use super::{
    CELLS, DeviceHorizonGround, DeviceHorizonsError,
    tables::{DirectionTables, SLICE_ALIGNMENT, SweepOutput},
};
use crate::horizon::{HorizonError, ShouldContinue};
use crate::horizons::{
    Grid,
    sweep::{FarthestTarget, LineQuery},
};

/// Lines of a list that come to the host with their number: mostly there are fewer.
const READBACK_LINES: usize = 4_096;
/// Words of a line and of a list's counter.
const WORDS: usize = 2;

/// Lines of a range of cells, on the device.
struct LineList {
    cells: Range<u32>,
    items: wgpu::Buffer,
    counter: wgpu::Buffer,
}

/// Those of all cells, and the first of each on their way to the host, behind their numbers.
struct LineLists {
    lists: Vec<LineList>,
    staging: wgpu::Buffer,
}

/// The tables of a direction and its kernels: rotation of the ground, then sweeps.
struct DirectionWork {
    tables: DirectionTables,
    bound_kernels: [Vec<BoundKernel>; 2],
}

impl LineList {
    /// Words on their way to the host.
    fn words(&self) -> usize {
        WORDS * (1 + READBACK_LINES.min(self.cells.len()))
    }
}

impl DeviceHorizonGround<'_> {
    /// For each direction the farthest ground that the eyes of a part see, as far as it is sought. `take` gets the direction and lines, and
    /// says from which length on lines are sought from then on.
    ///
    /// # Errors
    /// As [`DeviceHorizonGround::each`], and [`DeviceHorizonsError::Targets`].
    pub(crate) fn farthest(
        &self,
        part: &Grid,
        query: &LineQuery<'_>,
        should_continue: ShouldContinue<'_>,
        mut take: impl FnMut(usize, Vec<FarthestTarget>) -> f64,
    ) -> Result<(), DeviceHorizonsError> {
        if query.target_height_m > 0.0 {
            return Err(DeviceHorizonsError::Targets);
        }
        if part.cells() == 0 {
            return Ok(());
        }
        let step_buffers = self.step_buffers(part);
        let lists = [0, 1].map(|_| self.lists(part));
        let mut least_m = query.least_m;
        let directions = self.ground.options.directions;
        let prepare = |number: usize, least_m: f64| {
            let output = SweepOutput::Places { least_m, most_m: query.most_m };
            let is_one = number < directions;
            is_one.then(|| self.prepare(part, number, output, &step_buffers, &lists[number % 2])).transpose()
        };
        let mut tell = |number: usize, tables: &DirectionTables, words: &[u32], least_m: &mut f64| {
            let cells = tables.cells(part);
            let mut rest = words;
            for list in &lists[number % 2].lists {
                let (words, after) = rest.split_at(list.words());
                rest = after;
                let lines = self.lines_of(list, words)?.into_par_iter().with_min_len(256);
                let lines = lines.map(|line| tables.line(&cells, line));
                let wanted = |line: &FarthestTarget| line.distance_m >= *least_m && query.sees_from(line.cell, part);
                *least_m = least_m.max(take(number, lines.filter(wanted).collect()));
            }
            Ok::<_, DeviceHorizonsError>(())
        };
        let mut next = prepare(0, least_m)?;
        let mut before: Option<(DirectionTables, Vec<u32>)> = None;
        for number in 0.. {
            let Some(work) = next else { break };
            if !should_continue() {
                return Err(HorizonError::Stopped.into());
            }
            let tables = self.submit_with_readback(work, &lists[number % 2]);
            // While the device works on this direction, the next one is prepared and the last one is told.
            next = prepare(number + 1, least_m)?;
            if let Some((tables, words)) = &before {
                tell(number - 1, tables, words, &mut least_m)?;
            }
            before = Some((tables, transfer::read(&self.gpu, &lists[number % 2].staging)?));
        }
        before.map_or(Ok(()), |(tables, words)| tell(directions - 1, &tables, &words, &mut least_m))
    }

    /// Lists with room for a line from each cell of a part.
    fn lists(&self, part: &Grid) -> LineLists {
        let device = &self.gpu.device;
        // Ranges begin where the device takes them.
        let most = (CELLS as u32).next_multiple_of(SLICE_ALIGNMENT as u32);
        let firsts = (0..part.cells() as u32).step_by(most as usize);
        let of_range = |first: u32| {
            let cells = first..(first + most).min(part.cells() as u32);
            let items = transfer::storage::<UVec2>(device, "lines", cells.len() as u32);
            LineList { items, counter: transfer::storage::<u32>(device, "number of lines", WORDS as u32), cells }
        };
        let lists: Vec<LineList> = firsts.map(of_range).collect();
        let staging = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("lines"),
            size: 4 * lists.iter().map(LineList::words).sum::<usize>() as u64,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        LineLists { lists, staging }
    }

    /// The work of a direction.
    fn prepare(
        &self,
        part: &Grid,
        number: usize,
        output: SweepOutput,
        step_buffers: &[wgpu::Buffer; 3],
        LineLists { lists, .. }: &LineLists,
    ) -> Result<DirectionWork, DeviceHorizonsError> {
        let tables = self.tables(number);
        let mut bound_kernels = self.bind_direction(part, &tables, (output, step_buffers))?;
        let sweep = tables.sweep_params(part, output, 1, 0..tables.cells(part)[0].len(), 0);
        for LineList { cells, items, counter } in lists {
            let places = GpuSlice::new(&step_buffers[2], cells.start, cells.len() as u32);
            let list = GpuList { items: GpuSlice::whole(items), counter: GpuSlice::whole(counter) };
            bound_kernels[1].push(self.kernels.lines.bind((sweep, cells.start, places, list))?);
        }
        Ok(DirectionWork { tables, bound_kernels })
    }

    /// Submits it, and the way to the host of what it finds.
    fn submit_with_readback(
        &self,
        DirectionWork { tables, bound_kernels }: DirectionWork,
        LineLists { lists, staging }: &LineLists,
    ) -> DirectionTables {
        self.submit(&bound_kernels);
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut at = 0;
        for list in lists {
            let bytes = 4 * list.words() as u64;
            let of_counter = 4 * WORDS as u64;
            encoder.copy_buffer_to_buffer(&list.counter, 0, staging, at, of_counter);
            encoder.copy_buffer_to_buffer(&list.items, 0, staging, at + of_counter, bytes - of_counter);
            at += bytes;
        }
        self.gpu.queue.submit([encoder.finish()]);
        tables
    }

    /// Cells of a list and the places that they have found, in the order of the cells.
    fn lines_of(&self, list: &LineList, words: &[u32]) -> Result<Vec<[u32; WORDS]>, DeviceHorizonsError> {
        let (counter, items) = words.split_at(WORDS);
        let (count, first) = (counter[0] as usize, items.as_chunks().0);
        let mut lines = if count <= first.len() {
            first[..count].to_vec()
        } else {
            let part = (0, (4 * WORDS * count) as u64);
            let bytes = self.gpu.block_on(transfer::download_parts_async(&self.gpu, &list.items, &[part]))?;
            bytemuck::pod_collect_to_vec(&bytes)
        };
        // Threads of the device add theirs in any order.
        lines.sort_unstable();
        Ok(lines)
    }
}
