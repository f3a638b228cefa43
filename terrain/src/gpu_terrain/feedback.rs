//! What did the device do, and how long did it take? Its counters and timestamps come back some frames later, without anybody
//! waiting.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    time::Duration,
};

use crate::pool::gpu::PoolControl;

/// Frames whose counters may be on their way.
const IN_FLIGHT: usize = 3;

const IDLE: u8 = 0;
const RECORDED: u8 = 1;
const READY: u8 = 2;

/// The compute passes of an update, in order.
#[derive(Clone, Copy)]
pub(super) enum Pass {
    Topology,
    Vertices,
}

/// Timestamps: begin and end of each pass.
const STAMPS: u32 = 4;

const CONTROL_BYTES: u64 = size_of::<PoolControl>() as u64;
/// The number of vertices follows the pool's counters, the timestamps follow at a multiple of eight.
const DRAW_AT: u64 = CONTROL_BYTES;
const STAMPS_AT: u64 = (DRAW_AT + 4).next_multiple_of(8);
const BYTES: u64 = STAMPS_AT + 8 * STAMPS as u64;

/// How long the device took for the passes of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GpuTimings {
    /// Refining and coarsening: all steps of the update.
    pub topology: Duration,
    /// Placing the corners of the live triangles.
    pub vertices: Duration,
}

/// Counters of one update.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counters {
    pub control: PoolControl,
    /// Live triangles after the update.
    pub triangles: u32,
    /// Where the device has timestamps.
    pub timings: Option<GpuTimings>,
    /// What the caller named the update.
    pub tag: u64,
}

pub(super) struct Feedback {
    slots: [ReadbackSlot; IN_FLIGHT],
    timer: Option<Timer>,
}

struct ReadbackSlot {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    tag: u64,
    ns_per_tick: f64,
}

struct Timer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

impl Feedback {
    pub fn new(device: &wgpu::Device) -> Self {
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
        };
        use wgpu::BufferUsages as Usage;
        let slot = |_| ReadbackSlot {
            buffer: buffer("terrain counters", BYTES, Usage::MAP_READ | Usage::COPY_DST),
            state: Arc::new(AtomicU8::new(IDLE)),
            tag: 0,
            ns_per_tick: 0.0,
        };
        let timer = device.features().contains(wgpu::Features::TIMESTAMP_QUERY).then(|| Timer {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("terrain passes"),
                ty: wgpu::QueryType::Timestamp,
                count: STAMPS,
            }),
            resolved: buffer("terrain timestamps", 8 * u64::from(STAMPS), Usage::QUERY_RESOLVE | Usage::COPY_SRC),
        });
        Self { slots: std::array::from_fn(slot), timer }
    }

    /// What a compute pass writes its begin and end to.
    pub fn timestamp_writes(&self, pass: Pass) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let first = 2 * pass as u32;
        self.timer.as_ref().map(|timer| wgpu::ComputePassTimestampWrites {
            query_set: &timer.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        })
    }

    /// Records the way back of the counters of an update, if a buffer is free for them.
    pub fn record(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        queue: &wgpu::Queue,
        control: &wgpu::Buffer,
        draw: &wgpu::Buffer,
        tag: u64,
    ) {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.state.load(Ordering::Acquire) == IDLE) else { return };
        slot.state.store(RECORDED, Ordering::Release);
        slot.tag = tag;
        slot.ns_per_tick = f64::from(queue.get_timestamp_period());
        encoder.copy_buffer_to_buffer(control, 0, &slot.buffer, 0, CONTROL_BYTES);
        encoder.copy_buffer_to_buffer(draw, 0, &slot.buffer, DRAW_AT, 4);
        if let Some(timer) = &self.timer {
            encoder.resolve_query_set(&timer.queries, 0..STAMPS, &timer.resolved, 0);
            encoder.copy_buffer_to_buffer(&timer.resolved, 0, &slot.buffer, STAMPS_AT, 8 * u64::from(STAMPS));
        }
        let state = slot.state.clone();
        encoder.map_buffer_on_submit(&slot.buffer, wgpu::MapMode::Read, .., move |result| {
            state.store(if result.is_ok() { READY } else { IDLE }, Ordering::Release);
        });
    }

    /// The counters that have arrived, oldest first.
    pub fn take_arrived(&mut self) -> Vec<Counters> {
        let mut counters: Vec<Counters> = Vec::new();
        for slot in self.slots.iter().filter(|slot| slot.state.load(Ordering::Acquire) == READY) {
            if let Ok(view) = slot.buffer.get_mapped_range(..) {
                counters.push(slot.counters(&view, self.timer.is_some()));
            }
            slot.buffer.unmap();
            slot.state.store(IDLE, Ordering::Release);
        }
        counters.sort_by_key(|counters| counters.control.update);
        counters
    }
}

impl ReadbackSlot {
    fn counters(&self, bytes: &[u8], timed: bool) -> Counters {
        let ticks: [u64; STAMPS as usize] = bytemuck::pod_read_unaligned(&bytes[STAMPS_AT as usize..BYTES as usize]);
        let time = |pass: Pass| {
            let [begin, end] = [ticks[2 * pass as usize], ticks[2 * pass as usize + 1]];
            Duration::from_nanos((end.saturating_sub(begin) as f64 * self.ns_per_tick) as u64)
        };
        Counters {
            control: bytemuck::pod_read_unaligned(&bytes[..CONTROL_BYTES as usize]),
            triangles: bytemuck::pod_read_unaligned::<u32>(&bytes[DRAW_AT as usize..][..4]) / 3,
            timings: timed.then(|| GpuTimings { topology: time(Pass::Topology), vertices: time(Pass::Vertices) }),
            tag: self.tag,
        }
    }
}
