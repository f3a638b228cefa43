//! Which dispatches sort?

use super::{
    key::{Order, RadixKey},
    passes::{PairSlices, Passes},
};
use crate::{BoundKernel, Count, Element, Form, GpuSlice, KernelError, Kernels, Scratch, ScratchLayout};
use std::marker::PhantomData;

/// The sort of keys `K`.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, Order, Scratch};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let keys = transfer::upload(&gpu.device, "keys", &[0.5f32, -1.0, 4.0]);
/// let sorted = transfer::storage::<f32>(&gpu.device, "sorted", 3);
/// let sort = kernels.sort_keys::<f32>(Order::Descending)?;
/// let scratch = Scratch::new(&gpu.device, sort.scratch(3));
/// let bound = sort.bind(GpuSlice::whole(&keys), GpuSlice::whole(&sorted), Count::Fixed(3), 32, &scratch)?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<f32>(&gpu, &sorted)?, [4.0, 0.5, -1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SortKeys<K: RadixKey> {
    passes: Passes,
    types: PhantomData<fn() -> K>,
}

plan_traits!(SortKeys<K: RadixKey> { passes, types });

/// The sort of keys `K` with values `V`.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, Order, Scratch};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let keys = transfer::upload(&gpu.device, "keys", &[5u32, 1, 4, 1]);
/// let values = transfer::upload(&gpu.device, "values", &[0u32, 1, 2, 3]);
/// let sort = kernels.sort_pairs::<u32, u32>(Order::Ascending)?;
/// let scratch = Scratch::new(&gpu.device, sort.scratch(4));
/// let count = Count::Fixed(4); // or one that the device alone knows
/// let bound = sort.bind_in_place(GpuSlice::whole(&keys), GpuSlice::whole(&values), count, 32, &scratch)?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &keys)?, [1, 1, 4, 5]);
/// assert_eq!(transfer::download::<u32>(&gpu, &values)?, [1, 3, 2, 0]); // stable
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SortPairs<K: RadixKey, V: Element> {
    passes: Passes,
    types: PhantomData<fn() -> (K, V)>,
}

plan_traits!(SortPairs<K: RadixKey, V: Element> { passes, types });

/// Arguments of a sort of pairs.
#[derive(Debug)]
pub struct SortPairsIo<'a, K: RadixKey, V: Element> {
    /// Keys.
    pub keys_in: GpuSlice<'a, K>,
    /// The value of each key.
    pub values_in: GpuSlice<'a, V>,
    /// Keys in order; not in the buffer of another argument at the same place.
    pub keys_out: GpuSlice<'a, K>,
    /// Their values.
    pub values_out: GpuSlice<'a, V>,
}

impl Kernels {
    /// The sort of keys.
    pub fn sort_keys<K: RadixKey>(&self, order: Order) -> Result<SortKeys<K>, KernelError> {
        Ok(SortKeys { passes: Passes::new::<K, u32>(self, order, false)?, types: PhantomData })
    }

    /// The sort of keys that take values along.
    pub fn sort_pairs<K: RadixKey, V: Element>(&self, order: Order) -> Result<SortPairs<K, V>, KernelError> {
        Ok(SortPairs { passes: Passes::new::<K, V>(self, order, true)?, types: PhantomData })
    }
}

impl<K: RadixKey> SortKeys<K> {
    /// How the sort of at most `capacity` keys goes over them.
    ///
    /// ```
    /// use kernels::{Form, Kernels, Order};
    /// let gpu = gpu::Gpu::new(&Default::default())?;
    /// let sort = Kernels::new(&gpu.device).sort_keys::<u32>(Order::Ascending)?;
    /// assert_eq!(sort.form(1), Form::OneTile);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn form(&self, capacity: u32) -> Form {
        self.passes.form(capacity)
    }

    /// Scratch for at most `capacity` keys.
    pub fn scratch(&self, capacity: u32) -> ScratchLayout {
        self.passes.scratch::<K, u32>(capacity)
    }

    /// Binds: `keys_out` begins with the first `count` keys of `keys_in`, sorted by their `key_bits` low bits.
    pub fn bind(
        &self,
        keys_in: GpuSlice<'_, K>,
        keys_out: GpuSlice<'_, K>,
        count: Count<'_>,
        key_bits: u32,
        scratch: &Scratch,
    ) -> Result<BoundKernel, KernelError> {
        self.passes.bind::<K, u32>(keys_in, keys_out, None, count, key_bits, scratch)
    }

    /// Binds: the first `count` keys of `keys` are sorted where they are, by their `key_bits` low bits.
    pub fn bind_in_place(
        &self,
        keys: GpuSlice<'_, K>,
        count: Count<'_>,
        key_bits: u32,
        scratch: &Scratch,
    ) -> Result<BoundKernel, KernelError> {
        self.passes.bind_in_place::<K, u32>(keys, None, count, key_bits, scratch)
    }
}

impl<K: RadixKey, V: Element> SortPairs<K, V> {
    /// How the sort of at most `capacity` pairs goes over them.
    pub fn form(&self, capacity: u32) -> Form {
        self.passes.form(capacity)
    }

    /// Scratch for at most `capacity` pairs.
    pub fn scratch(&self, capacity: u32) -> ScratchLayout {
        self.passes.scratch::<K, V>(capacity)
    }

    /// Binds: the outputs begin with the first `count` pairs, sorted by the `key_bits` low bits of their keys.
    pub fn bind(
        &self,
        io: SortPairsIo<'_, K, V>,
        count: Count<'_>,
        key_bits: u32,
        scratch: &Scratch,
    ) -> Result<BoundKernel, KernelError> {
        let values = PairSlices { from: io.values_in, to: io.values_out };
        self.passes.bind(io.keys_in, io.keys_out, Some(values), count, key_bits, scratch)
    }

    /// Binds: the first `count` pairs of `keys` and `values` are sorted where they are, by the `key_bits` low bits of the keys.
    pub fn bind_in_place(
        &self,
        keys: GpuSlice<'_, K>,
        values: GpuSlice<'_, V>,
        count: Count<'_>,
        key_bits: u32,
        scratch: &Scratch,
    ) -> Result<BoundKernel, KernelError> {
        self.passes.bind_in_place(keys, Some(values), count, key_bits, scratch)
    }
}
