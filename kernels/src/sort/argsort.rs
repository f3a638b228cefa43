//! Where do the items of sorted order lie? The permutation that sorts keys, which stay where they are.

use super::{
    key::{Order, RadixKey, check_key_bits},
    passes::{Passes, Place, digits},
};
use crate::{
    Bound, Count, GpuSlice, KernelError, Kernels, Scratch, ScratchLayout, SortPairs,
    bound::{BoundCount, Params, check_arguments, step},
    scratch::Parts,
    slice::BoundSlice,
};
use gpu::pipeline::ComputeKernel;
use rayon::prelude::*;
use std::marker::PhantomData;

/// The order of keys `K`, as indices.
pub struct Argsort<K: RadixKey> {
    passes: Passes,
    number: ComputeKernel,
    types: PhantomData<fn() -> K>,
}

plan_traits!(Argsort<K: RadixKey> { passes, number, types });

/// The indices of `keys` in the order of their `key_bits` low bits, stably.
///
/// ```
/// use kernels::{Order, argsort};
/// assert_eq!(argsort(&[2.5f32, -1.0, 9.0, -1.0], Order::Ascending, 32), [1, 3, 0, 2]);
/// ```
pub fn argsort<K: RadixKey>(keys: &[K], order: Order, key_bits: u32) -> Vec<u32> {
    let mut indices: Vec<u32> = (0..keys.len() as u32).into_par_iter().collect();
    super::sort_pairs(&mut keys.to_vec(), &mut indices, order, key_bits);
    indices
}

impl Kernels {
    /// The order of keys, as indices.
    pub fn argsort<K: RadixKey>(&self, order: Order) -> Result<Argsort<K>, KernelError> {
        let SortPairs { passes, .. } = self.sort_pairs::<K, u32>(order)?;
        let number = self.kernel(&shaders::Composer::new(), "kernels/sort/number", "sort_number")?;
        Ok(Argsort { passes, number, types: PhantomData })
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
    ) -> Result<Bound, KernelError> {
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
        let moved = parts.take::<K>(capacity);
        let from = Place::of(&keys, Some(&indices));
        let to = Place { keys: (moved.resource(), 0), ..from.clone() };
        let chunks = kernels.chunks(capacity, 256);
        let params = Params { capacity, chunks, output_first: indices.first, ..Default::default() };
        let resources = [("output", indices.resource())];
        let mut steps =
            vec![step(kernels.device(), "argsort number", &self.number, params, &count, chunks, &resources)?];
        let digits = digits(key_bits, true);
        steps.extend(self.passes.steps::<K, u32>(from, to, &digits, capacity, key_bits, &count, parts)?);
        Ok(Bound { steps })
    }
}
