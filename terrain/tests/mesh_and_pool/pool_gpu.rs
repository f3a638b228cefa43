//! Law: fed the same buckets, the pool on the GPU and its CPU twin are equal slot for slot after every update, and say the
//! same of it.

use super::fields::{self, Field, field};
use super::random;
use cbt::{Compact, Node, Tree};
use gpu::{Gpu, GpuOptions};
use rand::Rng;
use terrain::{
    bisection::{HeapId, MAX_DEPTH},
    expansion::PlanetView,
    geodesy::{Ellipsoid, Geodetic},
    pool::{
        Pool, UpdateStats, VisitOrder,
        gpu::{EdgeLength, GpuPool, PoolControl},
        invariants,
    },
};

struct CpuAndGpuPools {
    gpu: Gpu,
    cpu: Pool,
    device: GpuPool,
    buckets: wgpu::Buffer,
    priority: wgpu::BindGroup,
    readback: wgpu::Buffer,
    stats: UpdateStats,
    live_before: u32,
}

const CONTROL_BYTES: u64 = size_of::<PoolControl>() as u64;
const ARGUMENTS_BYTES: u64 = 68;

impl CpuAndGpuPools {
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
        // Heap ids, half-edges, corners, bits, sums, control and indirect arguments, one after the other.
        let sums = device.buffers().tree.buffers()[0].size();
        let bits = device.buffers().tree.buffers()[1].size();
        let readback = buffer(
            44 * slots + bits + sums + CONTROL_BYTES + ARGUMENTS_BYTES,
            wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        );
        let live_before = cpu.live();
        Self { gpu: gpu.clone(), cpu, device, buckets, priority, readback, stats: UpdateStats::default(), live_before }
    }

    fn set_eviction_band(&mut self, band: u32) {
        self.cpu.set_eviction_band(band);
        self.device.set_eviction_band(&self.gpu.queue, band);
    }

    /// One update on both sides; the pools afterwards as (heap ids, half-edges, bits).
    fn update(&mut self, priority: &Field<impl Fn(HeapId) -> u8 + Sync>) {
        let slots = u64::from(self.cpu.capacity());
        let mut words = vec![0u32; slots as usize];
        for (slot, id) in self.cpu.iter() {
            let parent = id.parent().map_or(0, &priority.0);
            words[slot as usize] = u32::from((priority.0)(id)) | u32::from(parent) << 8;
        }
        self.live_before = self.cpu.live();
        self.stats = self.cpu.update(priority, VisitOrder::Parallel);
        let Gpu { device, queue, .. } = &self.gpu;
        queue.write_buffer(&self.buckets, 0, bytemuck::cast_slice(&words));
        let mut encoder = device.create_command_encoder(&Default::default());
        self.device.encode_update(&mut encoder.begin_compute_pass(&Default::default()), Some(&self.priority));
        let buffers = self.device.buffers();
        encoder.copy_buffer_to_buffer(&buffers.heap, 0, &self.readback, 0, 8 * slots);
        encoder.copy_buffer_to_buffer(&buffers.bisectors, 0, &self.readback, 8 * slots, 36 * slots);
        let mut end = 44 * slots;
        for part in buffers.tree.buffers().iter().rev() {
            encoder.copy_buffer_to_buffer(part, 0, &self.readback, end, part.size());
            end += part.size();
        }
        encoder.copy_buffer_to_buffer(&buffers.control, 0, &self.readback, end, CONTROL_BYTES);
        encoder.copy_buffer_to_buffer(&buffers.arguments, 0, &self.readback, end + CONTROL_BYTES, ARGUMENTS_BYTES);
        queue.submit([encoder.finish()]);
    }

    /// Checks that both sides are equal; whether the device ran plan, and commit.
    fn assert_equal(&self, what: &str) -> [bool; 2] {
        let slots = self.cpu.capacity();
        self.readback.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
        self.gpu.wait().unwrap();
        let view = self.readback.get_mapped_range(..).unwrap();
        let words: &[u32] = bytemuck::cast_slice(&view);
        let (heap, rest) = words.split_at(2 * slots as usize);
        let (neighbours, rest) = rest.split_at(3 * slots as usize);
        let (corners, rest) = rest.split_at(6 * slots as usize);
        let [sum_words, bit_words] = [0, 1].map(|i| self.device.buffers().tree.buffers()[i].size() as usize / 4);
        let (bits, rest) = rest.split_at(bit_words);
        let (sums, control) = rest.split_at(sum_words);
        // Law: after every update the pool's occupancy is a reduced tree.
        let words: Vec<u64> = bits.chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect();
        let words = &words[..(slots as usize / 64).max(1)];
        let tree = Compact::from_words(slots.trailing_zeros(), words).unwrap();
        assert_eq!(sums[0], slots.trailing_zeros(), "{what}");
        let nodes = 2 << slots.trailing_zeros().saturating_sub(9);
        for (node, &sum) in (0..).zip(&sums[..nodes]).skip(1) {
            let expected = tree.count(Node::new(node).unwrap()).unwrap();
            assert_eq!(u64::from(sum), expected, "{what}: sum of node {node}");
        }
        let (control, arguments) = control.split_at(CONTROL_BYTES as usize / 4);
        let control: PoolControl = bytemuck::pod_read_unaligned(bytemuck::cast_slice(control));
        let blocks = slots.div_ceil(256);
        let ran = [3, 6].map(|at| {
            assert!(
                [[0, 1, 1], [blocks, 1, 1]].contains(&arguments[at..at + 3].try_into().unwrap()),
                "{what}: {arguments:?}"
            );
            arguments[at] > 0
        });
        assert_eq!(arguments[..3], [0, 1, 1], "{what}");
        assert_eq!(ran[1], control.changes != 0, "{what}");
        let reduced = [arguments[9], arguments[12]];
        assert_eq!(reduced, if ran[1] { [arguments[15], arguments[16]] } else { [0, 0] }, "{what}");
        assert_eq!(
            (control.live, control.admitted, control.starved, control.update),
            (self.live_before, self.stats.splits, self.stats.starved, self.cpu.updates() + 1),
            "{what}"
        );
        assert_eq!(control.changes != 0, self.stats.splits + self.stats.merges > 0, "{what}");
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
        ran
    }
}

fn software(disable_subgroups: bool) -> Gpu {
    Gpu::new(&GpuOptions::default().with_software(true).with_disable_subgroups(disable_subgroups)).unwrap()
}

#[test]
fn gpu_equals_cpu_in_full_pools_of_all_sizes() {
    let gpu = software(false);
    let mut starved = 0;
    for (slots, updates) in [(64u64, 40), (128, 40), (256, 40), (4096, 12)] {
        for kind in 0..9 {
            let mut pools = CpuAndGpuPools::new(&gpu, slots);
            for step in 0..updates {
                pools.update(&Field(field(kind, slots ^ u64::from(kind), step)));
                pools.assert_equal(&format!("{slots} slots, field {kind}, update {step}"));
                starved += u32::from(pools.stats.starved > 0);
            }
            invariants::check(&pools.cpu).unwrap();
        }
    }
    assert!(starved > 300, "starved only {starved} times");
}

/// Law: an update with nothing to do runs no pass that would look for it, one that cannot get what is wanted no pass that
/// would hand it out, and neither leaves anything behind that the next change would trip over.
#[test]
fn idle_updates_skip_the_passes_they_do_not_need() {
    let gpu = software(false);
    // With room: a point that stands still for a while, then jumps.
    let mut pools = CpuAndGpuPools::new(&gpu, 4096);
    let (mut idle, mut busy) = (0, 0);
    for stay in 0..6 {
        let priority = Field(field(3, 1, 40 * stay));
        let mut quiet = 0;
        for update in 0..60 {
            pools.update(&priority);
            let ran = pools.assert_equal(&format!("stay {stay}, update {update}"));
            assert_eq!(pools.stats.starved, 0);
            let still = pools.stats.splits + pools.stats.merges == 0;
            assert_eq!(ran, [!still; 2], "stay {stay}, update {update}");
            busy += u32::from(!still);
            idle += u32::from(still);
            quiet = if still { quiet + 1 } else { 0 };
            if quiet == 3 {
                break;
            }
        }
        assert_eq!(quiet, 3, "the field did not settle");
    }
    assert!(idle >= 18 && busy > 30, "{idle} idle, {busy} busy");
    // Without: everything wants to split, and the pool is full.
    let mut pools = CpuAndGpuPools::new(&gpu, 64);
    for update in 0..20 {
        pools.update(&Field(field(5, 1, 0)));
        let ran = pools.assert_equal(&format!("full, update {update}"));
        let still = pools.stats.splits + pools.stats.merges == 0;
        assert_eq!(ran, [true, !still], "full, update {update}");
        assert!(!still || pools.stats.starved > 0);
    }
    // And back to the roots.
    for update in 0..20 {
        pools.update(&Field(|_| 0));
        pools.assert_equal(&format!("emptied, update {update}"));
    }
    assert_eq!(pools.cpu.live(), 12);
    assert_eq!(pools.assert_equal("empty"), [false; 2]);
}

#[test]
fn gpu_equals_cpu_with_every_eviction_band() {
    let gpu = software(false);
    let mut merges = [0; 6];
    for (merges, band) in merges.iter_mut().zip([0, 1, 2, 16, 256, u32::MAX]) {
        for kind in [0, 3, 8] {
            let mut pools = CpuAndGpuPools::new(&gpu, 256);
            pools.set_eviction_band(band);
            for step in 0..24 {
                pools.update(&Field(field(kind, 5, step)));
                pools.assert_equal(&format!("band {band}, field {kind}, update {step}"));
                *merges += pools.stats.merges;
            }
            invariants::check(&pools.cpu).unwrap();
        }
    }
    // Bands are clamped to 1 ..= 256, and a narrow one evicts more.
    assert_eq!((merges[0], merges[4]), (merges[1], merges[5]));
    assert!(merges[1] > merges[4], "{merges:?}");
}

#[test]
fn gpu_equals_cpu_without_subgroups_in_a_large_pool() {
    let gpu = software(true);
    let mut pools = CpuAndGpuPools::new(&gpu, 1 << 17);
    for step in 0..40 {
        pools.update(&Field(field(3, 3, step)));
        if step % 8 == 7 {
            pools.assert_equal(&format!("update {step}"));
        }
    }
    // Everything wants to split: the pool runs full.
    for step in 0..12 {
        pools.update(&Field(field(5, 3, step)));
    }
    pools.assert_equal("full pool");
    assert!(pools.cpu.live() > 130_000, "only {} live", pools.cpu.live());
    invariants::check(&pools.cpu).unwrap();
}

/// Law: after any number of updates by random priorities (`OROGEN_UPDATES` says how many) the pool is what its twin is, and its
/// occupancy a reduced tree. On the device of `WGPU_ADAPTER_NAME`, if it is set.
#[test]
fn a_pool_is_a_tree_after_many_random_updates() {
    let updates = std::env::var("OROGEN_UPDATES").map_or(2_000, |told| told.parse().expect("a number of updates"));
    let software = std::env::var_os("WGPU_ADAPTER_NAME").is_none();
    let gpu = Gpu::new(&GpuOptions::from_env().with_software(software)).unwrap();
    let seed: u64 = random::rng().random();
    let mut pools = CpuAndGpuPools::new(&gpu, 256);
    for update in 0..updates {
        // A field lasts for some updates, so that the pool settles under some and not under others.
        let stretch = fields::mix(seed ^ (update / 23));
        pools.update(&Field(field((stretch % 9) as u32, stretch >> 8, update)));
        if update % 16 == 15 || update + 1 == updates {
            pools.assert_equal(&format!("seed {seed}, update {update}"));
        }
    }
    invariants::check(&pools.cpu).unwrap();
}

/// Heap ids after a few updates of a pool whose priorities a shader computes; `bind` gives its groups from 1 on.
fn heap_after_updates(
    gpu: &Gpu,
    bind_priority: impl FnOnce(&mut shaders::Composer),
    bind: impl FnOnce(&GpuPool) -> Vec<wgpu::BindGroup>,
) -> Vec<u64> {
    let Gpu { device, queue, .. } = gpu;
    let pool = GpuPool::new(device, 64, MAX_DEPTH, bind_priority).unwrap();
    let groups = bind(&pool);
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        for _ in 0..6 {
            for (index, group) in groups.iter().enumerate() {
                pass.set_bind_group(index as u32 + 1, group, &[]);
            }
            pool.encode_update(&mut pass, None);
        }
    }
    let readback = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 8 * 64,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    encoder.copy_buffer_to_buffer(&pool.buffers().heap, 0, &readback, 0, 8 * 64);
    queue.submit([encoder.finish()]);
    readback.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    gpu.wait().unwrap();
    let view = readback.get_mapped_range(..).unwrap();
    bytemuck::pod_collect_to_vec(&view)
}

fn heap_of(pool: &Pool) -> Vec<u64> {
    (0..pool.capacity()).map(|slot| pool.get(slot).map_or(0, |id| id.0)).collect()
}

/// Law: a priority module that answers more than a bucket holds is taken to mean the most urgent one.
#[test]
fn buckets_beyond_255_count_as_255() {
    const WILD: &str = "//!import terrain/pool/edge
fn bucket(slot: u32, of_parent: bool, edge: Edge) -> u32 { return select(200u, 0x10002u, edge.face < 3u); }";
    let heap = heap_after_updates(
        &software(false),
        |composer| {
            composer.bind("terrain/pool/priority", "wild.wgsl", WILD);
        },
        |_| Vec::new(),
    );
    let mut twin = Pool::new(64, MAX_DEPTH).unwrap();
    for _ in 0..6 {
        twin.update(&Field(|id| if id.root_index() < 6 { 255 } else { 200 }), VisitOrder::Natural);
    }
    assert_eq!(heap, heap_of(&twin));
    assert!(twin.live() > 60);
}

/// Law: a camera that is not a number asks for no bisection; the same camera with numbers does.
#[test]
fn edge_lengths_that_are_not_numbers_ask_for_nothing() {
    let gpu = software(false);
    let eye = Geodetic::from_degrees(20.0, 30.0, 1e6);
    let heap = |view: EdgeLength| {
        let uniform = |bytes: &[u8]| {
            let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
            let size = bytes.len() as u64;
            let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
            let buffer = gpu.device.create_buffer(&descriptor);
            gpu.queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        let edge_length = uniform(bytemuck::bytes_of(&view));
        let planet = uniform(bytemuck::bytes_of(&PlanetView::new(Ellipsoid::WGS84, eye.to_ecef(Ellipsoid::WGS84))));
        heap_after_updates(
            &gpu,
            |composer| {
                composer.bind_module("terrain/pool/priority", "terrain/pool/priority_edge_length");
            },
            |pool| {
                let group = |index, name, buffer: &wgpu::Buffer| {
                    pool.priority_bind_group(&gpu.device, index, &[(name, buffer.as_entire_binding())]).unwrap()
                };
                vec![group(1, "edge_length", &edge_length), group(2, "planet", &planet)]
            },
        )
    };
    let view = EdgeLength::new(Ellipsoid::WGS84, eye, 624.0, 16.0);
    let roots = heap_of(&Pool::new(64, MAX_DEPTH).unwrap());
    assert_ne!(heap(view), roots);
    assert_eq!(heap(EdgeLength { pixels_per_radian: f32::NAN, ..view }), roots);
}
