//! Where do the items of sorted order lie? The permutation that sorts keys, which stay where they are.

use super::{
    buffers::KeyValueBuffers,
    key::{Order, RadixKey, check_key_bits},
    passes::{Passes, digits},
};
use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, Scratch, ScratchLayout,
    arguments::Params,
    bound::{BoundCount, check_arguments, dispatch},
    scratch::Parts,
    slice::BoundSlice,
};
use gpu::pipeline::ComputeKernel;
use std::marker::PhantomData;

/// The order of keys `K`, as indices.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, Order, Scratch};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let keys = transfer::upload(&gpu.device, "keys", &[5u32, 1, 4, 1]);
/// let indices = transfer::storage::<u32>(&gpu.device, "indices", 4);
/// let argsort = kernels.argsort::<u32>(Order::Ascending)?;
/// let scratch = Scratch::new(&gpu.device, argsort.scratch(4));
/// let bound = argsort.bind(GpuSlice::whole(&keys), GpuSlice::whole(&indices), Count::Fixed(4), 32, &scratch)?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &indices)?, [1, 3, 2, 0]);
/// assert_eq!(transfer::download::<u32>(&gpu, &keys)?, [5, 1, 4, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Argsort<K: RadixKey> {
    passes: Passes,
    iota: ComputeKernel,
    types: PhantomData<fn() -> K>,
}

plan_traits!(Argsort<K: RadixKey> { passes, iota, types });

impl Kernels {
    /// The order of keys, as indices.
    pub fn argsort<K: RadixKey>(&self, order: Order) -> Result<Argsort<K>, KernelError> {
        let passes = Passes::new::<K, u32>(self, order, true)?;
        let iota = self.kernel(&crate::composer(), "kernels/sort/iota", "sort_iota")?;
        Ok(Argsort { passes, iota, types: PhantomData })
    }
}

impl<K: RadixKey> Argsort<K> {
    /// Scratch for at most `capacity` keys.
    pub fn scratch(&self, capacity: u32) -> ScratchLayout {
        let keys = ScratchLayout::bytes(u64::from(capacity.max(1)) * size_of::<K>() as u64);
        keys.then(self.passes.scratch::<K, u32>(capacity))
    }

    /// Binds: `indices` begins with the indices of the first `count` keys, in the order of their `key_bits` low bits.
    pub fn bind(
        &self,
        keys: GpuSlice<'_, K>,
        indices: GpuSlice<'_, u32>,
        count: Count<'_>,
        key_bits: u32,
        scratch: &Scratch,
    ) -> Result<BoundKernel, KernelError> {
        let kernels = self.passes.kernels();
        let capacity = count.capacity();
        let key_bits = check_key_bits::<K>(key_bits)?;
        scratch.check(self.scratch(capacity))?;
        let keys = BoundSlice::checked("keys", keys, capacity, true, kernels.caps())?;
        let indices = BoundSlice::checked("indices", indices, capacity, true, kernels.caps())?;
        let count = BoundCount::of(count, kernels.caps())?;
        check_arguments(&[&keys, &indices], &count, Some(scratch.buffer()))?;

        // The indices are numbered where they end up, and go to the scratch and back; the keys never come back.
        let mut parts = Parts::of(scratch);
        let moved = parts.allocate::<K>(capacity);
        let from = KeyValueBuffers::of(&keys, Some(&indices));
        let to = KeyValueBuffers { keys: (moved.resource(), 0), ..from.clone() };
        let chunks = kernels.chunks(capacity, 256);
        let params = Params { capacity, chunks, output_first: indices.first, ..Default::default() };
        let resources = [("output", indices.resource())];
        let mut dispatches =
            vec![dispatch(kernels.device(), "argsort number", &self.iota, params, &count, chunks, &resources)?];
        let digits = digits(key_bits, true);
        dispatches.extend(self.passes.dispatches::<K, u32>(from, to, &digits, capacity, key_bits, &count, parts)?);
        Ok(BoundKernel { dispatches })
    }
}
