//! Law: over a flight, with priorities computed on the device, the GPU pool and its CPU twin fed the same buckets agree
//! slot for slot after every frame; and the same flight gives the same pools again.

use std::hash::{DefaultHasher, Hash, Hasher};

use gpu::{Gpu, GpuOptions, pipeline::ComputeKernel};
use terrain::{
    bisection::{HeapId, MAX_DEPTH},
    expansion::PlanetView,
    geodesy::{Ellipsoid, Geodetic},
    pool::{
        Pool, Priority, VisitOrder,
        gpu::{EdgeLength, GpuPool},
        invariants,
    },
};

const SLOTS: u64 = 1 << 12;
const FRAMES: u32 = 2_000;

/// Buckets of the bisectors and of their parents, from the length of edges on screen.
const SHADER: &str = "//!import terrain/heap_id
//!import terrain/pool/buffers
//!import terrain/pool/priority_edge_length
@group(3) @binding(0) var<storage, read_write> buckets: array<u32>;
@compute @workgroup_size(BLOCK)
fn judge(@builtin(global_invocation_id) invocation: vec3u) {
    let slot = invocation.x;
    if !is_live(slot) { return; }
    let face = face_of(heap[slot]);
    let v0 = corner(slot, 0u);
    let v1 = corner(slot, 1u);
    let v2 = corner(slot, 2u);
    let own = bucket(slot, false, Edge(face, v2, (v0 + v2) >> vec2u(1u), v0));
    let parents = bucket(slot, true, Edge(face, v2, v1, 2u * v1 - v2));
    buckets[slot] = own | parents << 8u;
}";

/// The buckets that the device computed, one word a slot.
struct StoredBuckets(Vec<u32>);

impl Priority for StoredBuckets {
    fn bucket(&self, slot: u32, _: HeapId) -> u8 {
        self.0[slot as usize] as u8
    }
    fn parent_bucket(&self, slot: u32, _: HeapId) -> u8 {
        (self.0[slot as usize] >> 8) as u8
    }
}

/// From orbit down to the Himalaya, over the pole and the antimeridian, with a jump to the other side in between.
fn eye(frame: u32) -> Geodetic {
    let t = f64::from(frame) / f64::from(FRAMES);
    let height_m = 10f64.powf(6.5 - 4.0 * (3.0 * std::f64::consts::TAU * t).sin().powi(2));
    let (lat, lon) = if t < 0.3 {
        (27.0 + 10.0 * t, 80.0 + 20.0 * t)
    } else if t < 0.6 {
        (60.0 + 100.0 * (t - 0.3), 170.0 + 60.0 * (t - 0.3))
    } else {
        (-40.0 - 30.0 * (t - 0.6), -70.0)
    };
    Geodetic::from_degrees(lat, lon, height_m)
}

/// Flies all frames; the hash of heap ids and half-edges after each.
fn fly(gpu: &Gpu) -> Vec<u64> {
    let Gpu { device, queue, .. } = gpu;
    use wgpu::BufferUsages as Usage;
    let buffer = |size: u64, usage| {
        device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    };
    let mut composer = terrain::composer();
    composer.bind("test/judge", "judge.wgsl", SHADER);
    let judge =
        ComputeKernel::new(device, &composer.compose("test/judge").unwrap(), "judge", &Default::default()).unwrap();
    let pool = GpuPool::new(device, SLOTS, MAX_DEPTH, |composer| {
        composer.bind_module("terrain/pool/priority", "terrain/pool/priority_buckets");
    })
    .unwrap();
    let mut twin = Pool::new(SLOTS, MAX_DEPTH).unwrap();

    let planet = buffer(size_of::<PlanetView>() as u64, Usage::UNIFORM | Usage::COPY_DST);
    let edge_length = buffer(size_of::<EdgeLength>() as u64, Usage::UNIFORM | Usage::COPY_DST);
    let buckets = buffer(4 * SLOTS, Usage::STORAGE | Usage::COPY_SRC);
    let readback = buffer(24 * SLOTS, Usage::MAP_READ | Usage::COPY_DST);
    let buffers = pool.buffers();
    let pool_io = [
        ("control", buffers.control.as_entire_binding()),
        ("heap", buffers.heap.as_entire_binding()),
        ("bisectors", buffers.bisectors.as_entire_binding()),
    ];
    let groups = [
        judge.bind_group(device, 0, &pool_io).unwrap(),
        judge.bind_group(device, 1, &[("edge_length", edge_length.as_entire_binding())]).unwrap(),
        judge.bind_group(device, 2, &[("planet", planet.as_entire_binding())]).unwrap(),
        judge.bind_group(device, 3, &[("buckets", buckets.as_entire_binding())]).unwrap(),
    ];
    let priority = pool.priority_bind_group(device, 1, &[("buckets", buckets.as_entire_binding())]).unwrap();

    let mut hashes = Vec::new();
    let mut full = 0;
    for frame in 0..FRAMES {
        let eye = eye(frame);
        let view = EdgeLength::new(Ellipsoid::WGS84, eye, 624.0, 45.0);
        queue.write_buffer(
            &planet,
            0,
            bytemuck::bytes_of(&PlanetView::new(Ellipsoid::WGS84, eye.to_ecef(Ellipsoid::WGS84))),
        );
        queue.write_buffer(&edge_length, 0, bytemuck::bytes_of(&view));
        let mut encoder = device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(judge.pipeline());
            groups.iter().enumerate().for_each(|(index, group)| pass.set_bind_group(index as u32, group, &[]));
            pass.dispatch_workgroups(SLOTS.div_ceil(256) as u32, 1, 1);
            pool.encode_update(&mut pass, Some(&priority));
        }
        encoder.copy_buffer_to_buffer(&buckets, 0, &readback, 0, 4 * SLOTS);
        encoder.copy_buffer_to_buffer(&buffers.heap, 0, &readback, 4 * SLOTS, 8 * SLOTS);
        encoder.copy_buffer_to_buffer(&buffers.bisectors, 0, &readback, 12 * SLOTS, 12 * SLOTS);
        queue.submit([encoder.finish()]);
        readback.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
        gpu.wait().unwrap();
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&readback.get_mapped_range(..).unwrap());
        readback.unmap();
        let (fed, pool_words) = words.split_at(SLOTS as usize);

        twin.update(&StoredBuckets(fed.to_vec()), VisitOrder::Parallel);
        full += u32::from(u64::from(twin.live()) == SLOTS);
        let (device_hash, twin_hash) = (hash_words(pool_words), hash_twin(&twin, pool_words));
        assert_eq!(device_hash, twin_hash, "frame {frame}: the pools differ");
        if frame % 100 == 0 {
            invariants::check(&twin).unwrap();
        }
        hashes.push(device_hash);
    }
    assert!(full > 20 && full < FRAMES / 2, "the pool was full in {full} frames: the flight should see both");
    let states: std::collections::HashSet<u64> = hashes.iter().copied().collect();
    assert!(states.len() > 500, "only {} different pools in the flight", states.len());
    hashes
}

/// Heap ids of all slots, and half-edges of the live ones (rows of free slots are left as they were).
fn hash_words(words: &[u32]) -> u64 {
    let (heap, half_edges) = words.split_at(2 * SLOTS as usize);
    let mut hasher = DefaultHasher::new();
    for slot in 0..SLOTS as usize {
        let id = &heap[2 * slot..2 * slot + 2];
        id.hash(&mut hasher);
        if id != [0, 0] {
            half_edges[3 * slot..3 * slot + 3].hash(&mut hasher);
        }
    }
    hasher.finish()
}

fn hash_twin(twin: &Pool, like: &[u32]) -> u64 {
    let mut words = vec![0; like.len()];
    for (slot, id) in twin.iter() {
        let at = slot as usize;
        words[2 * at] = id.0 as u32;
        words[2 * at + 1] = (id.0 >> 32) as u32;
        let row = 2 * SLOTS as usize + 3 * at;
        words[row..row + 3].copy_from_slice(&twin.neighbours(slot).map(|half_edge| half_edge.0));
    }
    hash_words(&words)
}

#[test]
fn a_flight_is_the_same_on_device_and_twin_and_again() {
    let gpu = |disable_subgroups| {
        Gpu::new(&GpuOptions::default().with_software(true).with_disable_subgroups(disable_subgroups)).unwrap()
    };
    assert!(fly(&gpu(false)) == fly(&gpu(true)), "the second flight differs from the first");
}
