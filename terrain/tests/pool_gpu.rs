//! Law: fed the same buckets, the pool on the GPU and its CPU twin are equal slot for slot after every update.

mod fields;

use fields::{Field, field};
use kernels::gpu::{Gpu, GpuOptions};
use terrain::{
    bisection::MAX_DEPTH,
    pool::{Order, Pool, gpu::GpuPool, invariants},
};

struct Twins {
    gpu: Gpu,
    cpu: Pool,
    device: GpuPool,
    buckets: wgpu::Buffer,
    priority: wgpu::BindGroup,
    readback: wgpu::Buffer,
}

impl Twins {
    fn new(gpu: &Gpu, slots: u64) -> Self {
        let cpu = Pool::new(slots, MAX_DEPTH).unwrap();
        let device = GpuPool::new(&gpu.device, slots, MAX_DEPTH, |composer| {
            composer.bind_module("terrain/pool/priority", "terrain/pool/priority_buckets");
        })
        .unwrap();
        let buffer = |size, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let buckets = buffer(4 * slots, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST);
        let priority = device.priority_bind_group(&gpu.device, 1, &[("buckets", buckets.as_entire_binding())]).unwrap();
        // Heap ids, half-edges, corners and bits, one after the other.
        let readback = buffer(44 * slots + slots / 8, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        Self { gpu: gpu.clone(), cpu, device, buckets, priority, readback }
    }

    /// One update on both sides; the pools afterwards as (heap ids, half-edges, bits).
    fn update(&mut self, priority: &Field<impl Fn(terrain::bisection::HeapId) -> u8 + Sync>) {
        let slots = u64::from(self.cpu.capacity());
        let mut words = vec![0u32; slots as usize];
        for (slot, id) in self.cpu.iter() {
            let parent = id.parent().map_or(0, &priority.0);
            words[slot as usize] = u32::from((priority.0)(id)) | u32::from(parent) << 8;
        }
        self.cpu.update(priority, Order::Parallel);
        let Gpu { device, queue, .. } = &self.gpu;
        queue.write_buffer(&self.buckets, 0, bytemuck::cast_slice(&words));
        let mut encoder = device.create_command_encoder(&Default::default());
        self.device.encode_update(&mut encoder.begin_compute_pass(&Default::default()), Some(&self.priority));
        let buffers = self.device.buffers();
        encoder.copy_buffer_to_buffer(&buffers.heap, 0, &self.readback, 0, 8 * slots);
        encoder.copy_buffer_to_buffer(&buffers.bisectors, 0, &self.readback, 8 * slots, 36 * slots);
        encoder.copy_buffer_to_buffer(&buffers.bits, 0, &self.readback, 44 * slots, slots / 8);
        queue.submit([encoder.finish()]);
    }

    fn assert_equal(&self, what: &str) {
        let slots = self.cpu.capacity();
        self.readback.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
        self.gpu.wait().unwrap();
        let view = self.readback.get_mapped_range(..).unwrap();
        let words: &[u32] = bytemuck::cast_slice(&view);
        let (heap, rest) = words.split_at(2 * slots as usize);
        let (neighbours, rest) = rest.split_at(3 * slots as usize);
        let (corners, bits) = rest.split_at(6 * slots as usize);
        for slot in 0..slots {
            let s = slot as usize;
            let on_device = u64::from(heap[2 * s]) | u64::from(heap[2 * s + 1]) << 32;
            let live = bits[s / 32] >> (s % 32) & 1 == 1;
            match self.cpu.get(slot) {
                Some(id) => {
                    let row = self.cpu.neighbours(slot).map(|half_edge| half_edge.0);
                    assert_eq!((on_device, live), (id.0, true), "{what}: slot {slot}");
                    assert_eq!(neighbours[3 * s..3 * s + 3], row, "{what}: slot {slot}");
                    let points = id.triangle().0.map(|corner| corner.on(id.root_index() / 2).unwrap());
                    let expected: Vec<u32> = points.into_iter().flat_map(|p| [p.u, p.v]).collect();
                    assert_eq!(corners[6 * s..6 * s + 6], expected, "{what}: slot {slot}");
                }
                None => assert_eq!((on_device, live), (0, false), "{what}: slot {slot}"),
            }
        }
        drop(view);
        self.readback.unmap();
    }
}

fn software(disable_subgroups: bool) -> Gpu {
    Gpu::new(&GpuOptions { software: true, disable_subgroups, ..Default::default() }).unwrap()
}

#[test]
fn gpu_equals_cpu_in_full_pools_of_all_sizes() {
    let gpu = software(false);
    for (slots, updates) in [(64u64, 40), (128, 40), (256, 40), (4096, 12)] {
        for kind in 0..9 {
            let mut twins = Twins::new(&gpu, slots);
            for step in 0..updates {
                twins.update(&Field(field(kind, slots ^ u64::from(kind), step)));
                twins.assert_equal(&format!("{slots} slots, field {kind}, update {step}"));
            }
            invariants::check(&twins.cpu).unwrap();
        }
    }
}

#[test]
fn gpu_equals_cpu_without_subgroups_in_a_large_pool() {
    let gpu = software(true);
    let mut twins = Twins::new(&gpu, 1 << 17);
    for step in 0..40 {
        twins.update(&Field(field(3, 3, step)));
        if step % 8 == 7 {
            twins.assert_equal(&format!("update {step}"));
        }
    }
    // Everything wants to split: the pool runs full.
    for step in 0..12 {
        twins.update(&Field(field(5, 3, step)));
    }
    twins.assert_equal("full pool");
    assert!(twins.cpu.live() > 130_000, "only {} live", twins.cpu.live());
    invariants::check(&twins.cpu).unwrap();
}
