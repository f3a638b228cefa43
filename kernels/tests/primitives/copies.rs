//! How is a kernel tried on a device? Copies of slices there, and one run.

use super::common::{Bench, Words};
use gpu::transfer;
use kernels::{GpuSlice, LoopKernel};

/// One run on a device.
pub fn run<K: LoopKernel>(bench: &Bench, arguments: K::Device<'_>) {
    let plan = bench.kernels.plan::<K>().unwrap_or_else(|error| panic!("{}: {error}", bench.name));
    bench.run(&plan.bind(arguments).unwrap_or_else(|error| panic!("{}: {error}", bench.name)), 1);
}

pub fn words(seed: u64, n: usize) -> Vec<u32> {
    Words::take(seed, n, |word| word >> (word & 15))
}

pub fn floats(seed: u64, n: usize) -> Vec<f32> {
    Words::take(seed, n, |word| (word >> 8) as f32 / 16_777_216.0 - 0.25)
}

/// A copy on the device.
pub struct Copy<T>(pub wgpu::Buffer, std::marker::PhantomData<T>);

impl<T: kernels::Element> Copy<T> {
    pub fn of(bench: &Bench, items: &[T]) -> Self {
        Self(transfer::upload(&bench.gpu.device, "copy", items), std::marker::PhantomData)
    }
    pub fn slice(&self) -> GpuSlice<'_, T> {
        GpuSlice::whole(&self.0)
    }
    pub fn read(&self, bench: &Bench) -> Vec<T> {
        transfer::download(&bench.gpu, &self.0).unwrap()
    }
}
