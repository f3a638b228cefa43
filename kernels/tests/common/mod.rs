//! Devices, operators and guarded buffers that the tests of all primitives share.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::sync::OnceLock;

use gpu::{Gpu, GpuOptions, pipeline::ComputeKernel, transfer};
use kernels::{BoundKernel, Count, Element, GpuSlice, Kernels, Operator, Scratch, ScratchLayout, Variant};

/// A device with the form of kernels to test on it.
pub struct Bench {
    pub name: String,
    pub gpu: Gpu,
    pub kernels: Kernels,
}

/// The software device (or the one of `WGPU_ADAPTER_NAME`) with and without subgroups, each kernel form that it can run,
/// and few or many chunks.
/// Made once, so that tests share the compiled kernels.
pub fn benches() -> &'static [Bench] {
    static BENCHES: OnceLock<Vec<Bench>> = OnceLock::new();
    BENCHES.get_or_init(make_benches)
}

fn make_benches() -> Vec<Bench> {
    shaders::dump_into(std::env::var_os("OROGEN_DUMP_WGSL").map(Into::into));
    let mut benches = Vec::new();
    for disable_subgroups in [false, true] {
        let software = std::env::var_os("WGPU_ADAPTER_NAME").is_none();
        let options = GpuOptions::from_env().with_software(software).with_disable_subgroups(disable_subgroups);
        let gpu = Gpu::new(&options).expect("a software adapter is needed: apt install mesa-vulkan-drivers");
        let kernels = Kernels::new(&gpu.device);
        let variants: &[_] = if gpu.caps.subgroups.is_some() {
            &[(Variant::Subgroup, 64), (Variant::Portable, 3), (Variant::LookBack, 64)]
        } else {
            &[(Variant::Auto, 1024)]
        };
        for &(variant, chunks) in variants {
            let kernels = kernels.clone().with_variant(variant).with_max_chunks(chunks);
            let name = format!("{variant}, {chunks} chunks, subgroups {:?}", gpu.caps.subgroups);
            benches.push(Bench { name, gpu: gpu.clone(), kernels });
        }
    }
    benches
}

/// Runs a test's own shader on some buffers, on so many workgroups.
pub fn dispatch(gpu: &Gpu, kernel: &ComputeKernel, buffers: &[(&str, &wgpu::Buffer)], workgroups: u32) {
    let resources: Vec<_> = buffers.iter().map(|(name, buffer)| (*name, buffer.as_entire_binding())).collect();
    let group = kernel.bind_group(&gpu.device, 0, &resources).unwrap();
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(kernel.pipeline());
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(workgroups, 1, 1);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
}

impl Bench {
    /// Runs a bound primitive `times` times in one pass.
    pub fn run(&self, bound: &BoundKernel, times: usize) {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        for _ in 0..times {
            bound.encode(&mut pass);
        }
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait().unwrap_or_else(|error| panic!("{}: {error}", self.name));
    }

    /// Scratch full of 0xDEADBEEF: no primitive may count on its content.
    pub fn dirty_scratch(&self, layout: ScratchLayout) -> Scratch {
        let scratch = Scratch::new(&self.gpu.device, layout);
        let words = vec![0xDEAD_BEEFu32; scratch.buffer().size() as usize / 4];
        self.gpu.queue.write_buffer(scratch.buffer(), 0, bytemuck::cast_slice(&words));
        scratch
    }

    /// `items` in a buffer that begins and ends with guards.
    pub fn guarded<T: Element>(&self, items: &[T]) -> Guarded<T> {
        let guard: T = guard();
        let guards = vec![guard; guards(items.len())];
        let all = [&guards, items, &guards].concat();
        Guarded { buffer: transfer::upload(&self.gpu.device, "guarded", &all), len: items.len(), items: all }
    }

    /// Room for `len` items, all of them guards, in a buffer that begins and ends with guards.
    pub fn room<T: Element>(&self, len: usize) -> Guarded<T> {
        self.guarded(&vec![guard(); len])
    }

    /// The content between the guards, which must be whole.
    pub fn read<T: Element>(&self, guarded: &Guarded<T>) -> Vec<T> {
        let all: Vec<T> = transfer::download(&self.gpu, &guarded.buffer).unwrap();
        let (begin, end) = (guards(guarded.len), guards(guarded.len) + guarded.len);
        for index in (0..begin).chain(end..guarded.items.len()) {
            let (found, expected) = (bytemuck::bytes_of(&all[index]), bytemuck::bytes_of(&guarded.items[index]));
            assert_eq!(found, expected, "{}: guard {index} of {} items was written", self.name, guarded.len);
        }
        all[begin..end].to_vec()
    }
}

/// Guards on each side of `len` items: more than an aligned binding offset; a multiple of 4 for even lengths, so that
/// items are moved as vectors there, and no convenient number for odd ones.
fn guards(len: usize) -> usize {
    76 + len % 2
}

pub fn guard<T: Element>() -> T {
    let bytes = vec![0xA5u8; size_of::<T>()];
    bytemuck::pod_read_unaligned(&bytes)
}

/// A buffer with guards around its items.
pub struct Guarded<T> {
    pub buffer: wgpu::Buffer,
    pub len: usize,
    items: Vec<T>,
}

impl<T: Element> Guarded<T> {
    pub fn slice(&self) -> GpuSlice<'_, T> {
        GpuSlice::new(&self.buffer, guards(self.len) as u32, self.len as u32)
    }
}

/// The three ways to say how many items there are: fixed, on the GPU below the capacity, on the GPU above it.
pub enum Counted {
    Fixed(u32),
    Gpu { buffer: wgpu::Buffer, capacity: u32, says: u32 },
}

impl Counted {
    pub fn all(bench: &Bench, n: u32) -> Vec<Self> {
        let gpu = |says: u32| {
            let buffer = transfer::upload(&bench.gpu.device, "count", &[7, 7, 7, says]);
            Self::Gpu { buffer, capacity: n, says }
        };
        vec![Self::Fixed(n), gpu(n / 3), gpu(0), gpu(n.saturating_add(1000))]
    }

    pub fn count(&self) -> Count<'_> {
        match self {
            Self::Fixed(n) => Count::Fixed(*n),
            Self::Gpu { buffer, capacity, .. } => Count::Gpu { buffer, index: 3, capacity: *capacity },
        }
    }

    /// Items that the kernel must take.
    pub fn items(&self) -> usize {
        match *self {
            Self::Fixed(n) => n as usize,
            Self::Gpu { capacity, says, .. } => capacity.min(says) as usize,
        }
    }
}

/// Sizes around every boundary of tiles of `tile` items.
pub fn sizes(tile: u32) -> Vec<u32> {
    let around = |n: u32| [n - 1, n, n + 1];
    let mut sizes = vec![0, 1, 2, 3];
    for n in [8, 16, 32, 256, tile, 2 * tile, 3 * tile, 64 * tile, 65 * tile] {
        sizes.extend(around(n));
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// x -> scale * x + offset, wrapping: composition is associative and does not commute.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Affine {
    pub scale: u32,
    pub offset: u32,
}

impl Element for Affine {
    const TYPE: &'static str = "Affine";
    const DECLARATION: &'static str = "struct Affine { scale: u32, offset: u32 }";
}

/// First `left`, then `right`.
pub struct Compose;

impl Operator for Compose {
    type Item = Affine;
    const NAME: &'static str = "affine composition";
    const WGSL: &'static str = "
fn op_identity() -> Elem { return Elem(1u, 0u); }
fn op_combine(left: Elem, right: Elem) -> Elem {
    return Elem(left.scale * right.scale, left.offset * right.scale + right.offset);
}";
    fn identity() -> Affine {
        Affine { scale: 1, offset: 0 }
    }
    fn combine(left: Affine, right: Affine) -> Affine {
        let scale = left.scale.wrapping_mul(right.scale);
        Affine { scale, offset: left.offset.wrapping_mul(right.scale).wrapping_add(right.offset) }
    }
}

/// The last non-zero value: does not commute, and 4 bytes wide.
pub struct Last;

impl Operator for Last {
    type Item = u32;
    const NAME: &'static str = "last non-zero";
    const WGSL: &'static str = "
fn op_identity() -> Elem { return 0u; }
fn op_combine(left: Elem, right: Elem) -> Elem { return select(right, left, right == 0u); }";
    fn identity() -> u32 {
        0
    }
    fn combine(left: u32, right: u32) -> u32 {
        if right == 0 { left } else { right }
    }
}

/// A box in space, 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Aabb {
    pub low: [f32; 4],
    pub high: [f32; 4],
}

impl Element for Aabb {
    const TYPE: &'static str = "Aabb";
    const DECLARATION: &'static str = "struct Aabb { low: vec4f, high: vec4f }";
}

/// The smallest box around two.
pub struct Union;

impl Operator for Union {
    type Item = Aabb;
    const NAME: &'static str = "box union";
    const COMMUTATIVE: bool = true;
    const WGSL: &'static str = "
fn op_identity() -> Elem { return Elem(vec4f(3.4028234663852886e38), vec4f(-3.4028234663852886e38)); }
fn op_combine(left: Elem, right: Elem) -> Elem { return Elem(min(left.low, right.low), max(left.high, right.high)); }";
    fn identity() -> Aabb {
        Aabb { low: [f32::MAX; 4], high: [f32::MIN; 4] }
    }
    fn combine(left: Aabb, right: Aabb) -> Aabb {
        Aabb {
            low: std::array::from_fn(|i| left.low[i].min(right.low[i])),
            high: std::array::from_fn(|i| left.high[i].max(right.high[i])),
        }
    }
}

/// A stream of well-mixed words (SplitMix64), the same on every run.
pub struct Words(pub u64);

impl Words {
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 16) as u32
    }

    pub fn take<T>(seed: u64, n: usize, make: impl Fn(u32) -> T) -> Vec<T> {
        let mut words = Self(seed);
        (0..n).map(|_| make(words.next())).collect()
    }
}

pub fn affine(word: u32) -> Affine {
    Affine { scale: word | 1, offset: word.rotate_left(13) }
}

pub fn aabb(word: u32) -> Aabb {
    let coordinate = |shift: u32| ((word >> shift) & 0xFFF) as f32 - 2048.0;
    let low = [coordinate(0), coordinate(7), coordinate(11), coordinate(19)];
    Aabb { low, high: low.map(|x| x + 1.5) }
}
