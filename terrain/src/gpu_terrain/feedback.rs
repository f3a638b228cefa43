//! What did the device do? Its counters come back some frames later, without anybody waiting.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use crate::pool::gpu::PoolControl;

/// Frames whose counters may be on their way.
const IN_FLIGHT: usize = 3;

const IDLE: u8 = 0;
const RECORDED: u8 = 1;
const READY: u8 = 2;

/// Counters of one update.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counters {
    pub control: PoolControl,
    /// Live triangles after the update.
    pub triangles: u32,
    /// What the caller named the update.
    pub tag: u64,
}

pub(super) struct Feedback {
    slots: [Slot; IN_FLIGHT],
}

struct Slot {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    tag: u64,
}

const CONTROL_BYTES: u64 = size_of::<PoolControl>() as u64;

impl Feedback {
    pub fn new(device: &wgpu::Device) -> Self {
        let slot = |_| Slot {
            buffer: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("terrain counters"),
                size: CONTROL_BYTES + 4,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            state: Arc::new(AtomicU8::new(IDLE)),
            tag: 0,
        };
        Self { slots: std::array::from_fn(slot) }
    }

    /// Records the way back of the counters, if a buffer is free.
    pub fn record(&mut self, encoder: &wgpu::CommandEncoder, tag: u64) -> Option<&wgpu::Buffer> {
        let slot = self.slots.iter_mut().find(|slot| slot.state.load(Ordering::Acquire) == IDLE)?;
        slot.state.store(RECORDED, Ordering::Release);
        slot.tag = tag;
        let state = slot.state.clone();
        encoder.map_buffer_on_submit(&slot.buffer, wgpu::MapMode::Read, .., move |result| {
            state.store(if result.is_ok() { READY } else { IDLE }, Ordering::Release);
        });
        Some(&slot.buffer)
    }

    /// The counters that have arrived, oldest first.
    pub fn arrived(&mut self) -> Vec<Counters> {
        let mut counters: Vec<Counters> = Vec::new();
        for slot in self.slots.iter_mut().filter(|slot| slot.state.load(Ordering::Acquire) == READY) {
            if let Ok(view) = slot.buffer.get_mapped_range(..) {
                let words: Vec<u32> = bytemuck::pod_collect_to_vec(&view);
                let (control, draw) = words.split_at(CONTROL_BYTES as usize / 4);
                let control: [u32; CONTROL_BYTES as usize / 4] = std::array::from_fn(|i| control[i]);
                counters.push(Counters { control: bytemuck::cast(control), triangles: draw[0] / 3, tag: slot.tag });
            }
            slot.buffer.unmap();
            slot.state.store(IDLE, Ordering::Release);
        }
        counters.sort_by_key(|counters| counters.control.update);
        counters
    }

    /// Where the counters lie in the buffer: those of the pool, and the number of vertices.
    pub const OFFSETS: [u64; 2] = [0, CONTROL_BYTES];
}
