//! How do the arguments of a kernel become bytes and bindings? In the order of its parameters; places are checked here.

use super::GpuList;
use crate::{
    Count, Element, GpuSlice, KernelError,
    bound::{BoundCount, uniform},
    device::DeviceType,
    slice::{BoundSlice, check_aliases},
};
use gpu::Caps;

/// Items that a kernel takes at most.
const ITEMS: u64 = 1 << 31;

/// The arguments of one call, collected.
#[doc(hidden)]
#[derive(Debug)]
pub struct Arguments<'a> {
    caps: Caps,
    device: wgpu::Device,
    /// First and end in x, y and z.
    pub(super) first: [u32; 3],
    pub(super) end: [u32; 3],
    /// The fields behind the space, in the layout of a uniform.
    bytes: Vec<u8>,
    pub(super) structures: Vec<(&'static str, wgpu::Buffer)>,
    /// By the variable that they are bound to.
    pub(super) slices: Vec<(String, BoundSlice<'a>)>,
    pub(super) totals: Vec<BoundSlice<'a>>,
    /// A count that the host knows, and the word that says so to the device.
    pub(super) fixed_count: Option<(String, wgpu::Buffer)>,
    /// A count that the device knows.
    pub(super) count: Option<Count<'a>>,
}

/// Bytes of the space before the fields.
const HEAD: usize = 32;

impl<'a> Arguments<'a> {
    pub(super) fn new(device: &wgpu::Device, caps: &Caps) -> Self {
        Self {
            caps: caps.clone(),
            device: device.clone(),
            first: [0; 3],
            end: [1; 3],
            bytes: Vec::new(),
            structures: Vec::new(),
            slices: Vec::new(),
            totals: Vec::new(),
            fixed_count: None,
            count: None,
        }
    }

    /// The loops' bounds, the outermost first.
    pub fn space(&mut self, starts: &[u32], ends: &[u32]) -> Result<(), KernelError> {
        for (dimension, (start, end)) in starts.iter().zip(ends).rev().enumerate() {
            (self.first[dimension], self.end[dimension]) = (*start, (*end).max(*start));
        }
        let items = self.lengths().into_iter().try_fold(1u64, |items, len| items.checked_mul(u64::from(len)));
        match items {
            Some(items) if items <= ITEMS => Ok(()),
            _ => Err(KernelError::TooManyItems { what: "a kernel", asked: items.unwrap_or(u64::MAX), limit: ITEMS }),
        }
    }

    /// Items in x, y and z.
    pub(super) fn lengths(&self) -> [u32; 3] {
        std::array::from_fn(|dimension| self.end[dimension] - self.first[dimension])
    }

    /// Items.
    pub(super) fn items(&self) -> u32 {
        self.lengths().into_iter().product()
    }

    /// A field of the uniform.
    pub fn value<T: Element + DeviceType>(&mut self, value: T) {
        let at = (HEAD + self.bytes.len()).next_multiple_of(<T as DeviceType>::LAYOUT.align) - HEAD;
        self.bytes.resize(at, 0);
        self.bytes.extend_from_slice(bytemuck::bytes_of(&value));
    }

    /// A uniform of its own.
    pub fn structure<T: Element>(&mut self, name: &'static str, value: T) {
        let mut bytes = bytemuck::bytes_of(&value).to_vec();
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        self.structures.push((name, uniform(&self.device, name, &bytes)));
    }

    /// A slice that is read.
    pub fn read<T: Element>(&mut self, name: &'static str, slice: GpuSlice<'a, T>) -> Result<(), KernelError> {
        self.value(slice.len);
        self.slice(name, slice, false)
    }

    /// A slice that is written, with rows of these lengths: of `(z * h + y) * w + x` they are h and w.
    pub fn written<T: Element>(
        &mut self,
        name: &'static str,
        slice: GpuSlice<'a, T>,
        rows: &[u32],
    ) -> Result<(), KernelError> {
        let wanted = self.extent(name, rows)?;
        if wanted > u64::from(slice.len) {
            let wanted = u32::try_from(wanted).unwrap_or(u32::MAX);
            return Err(KernelError::TooShort { slice: name, len: slice.len, wanted });
        }
        self.value(slice.len);
        self.slice(name, slice, true)
    }

    /// Elements up to the last place. Rows must hold the loop that runs in them, or items would meet.
    fn extent(&self, name: &'static str, rows: &[u32]) -> Result<u64, KernelError> {
        if self.items() == 0 {
            return Ok(0);
        }
        let dimensions = rows.len() + 1;
        let mut last = u64::from(self.end[dimensions - 1]) - 1;
        for (inner, row) in rows.iter().enumerate() {
            let end = self.end[dimensions - 2 - inner];
            if end > *row {
                return Err(KernelError::Rows { slice: name, row: *row, end });
            }
            last = last.saturating_mul(u64::from(*row)).saturating_add(u64::from(end) - 1);
        }
        Ok(last.saturating_add(1))
    }

    /// A variable that is reduced into: the first element.
    pub fn total<T: Element>(&mut self, name: &'static str, slice: GpuSlice<'a, T>) -> Result<(), KernelError> {
        let bound = BoundSlice::checked(name, slice, 1, true, &self.caps)?;
        self.aligned(name, &bound)?;
        self.totals.push(bound);
        Ok(())
    }

    /// A list.
    pub fn list<T: Element>(&mut self, name: &'static str, list: GpuList<'a, T>) -> Result<(), KernelError> {
        self.value(list.items.len);
        self.slice(name, list.items, true)?;
        let counter = BoundSlice::checked("counter of a list", list.counter, 2, true, &self.caps)?;
        self.aligned("counter of a list", &counter)?;
        self.slices.push((format!("{name}_counter"), counter));
        Ok(())
    }

    /// A count.
    pub fn count(&mut self, name: &'static str, count: Count<'a>) -> Result<(), KernelError> {
        let bound = BoundCount::of(count, &self.caps)?;
        let capacity = count.capacity();
        self.value(bound.slice().map_or(0, |slice| slice.first));
        self.value(capacity);
        let variable = format!("{name}_count");
        match bound.slice() {
            Some(slice) => {
                self.slices.push((variable, slice.clone()));
                self.count = Some(count);
            }
            None => {
                let word = uniform(&self.device, name, bytemuck::bytes_of(&[capacity, 0, 0, 0]));
                self.fixed_count = Some((variable, word));
            }
        }
        Ok(())
    }

    fn slice<T: Element>(
        &mut self,
        name: &'static str,
        slice: GpuSlice<'a, T>,
        written: bool,
    ) -> Result<(), KernelError> {
        let bound = BoundSlice::of(name, slice, written, &self.caps)?;
        self.aligned(name, &bound)?;
        self.slices.push((name.to_owned(), bound));
        Ok(())
    }

    /// Kernels index from the begin of what is bound.
    fn aligned(&self, name: &'static str, bound: &BoundSlice<'_>) -> Result<(), KernelError> {
        match bound.first {
            0 => Ok(()),
            first => Err(KernelError::Unaligned { slice: name, first, align: self.caps.storage_offset_alignment }),
        }
    }

    /// One dispatch may read a buffer or write it, not both, and written ranges must not overlap.
    pub(super) fn check_aliases(&self) -> Result<(), KernelError> {
        let all: Vec<&BoundSlice<'_>> = self.slices.iter().map(|(_, slice)| slice).chain(&self.totals).collect();
        check_aliases(&all)
    }

    /// The uniform, for workgroups in so many columns and rows.
    pub(super) fn uniform(&self, label: &str, columns: u32, rows: u32) -> wgpu::Buffer {
        let ([x, y, z], [end_x, end_y, end_z]) = (self.first, self.end);
        let mut bytes = bytemuck::cast_slice(&[x, y, z, columns, end_x, end_y, end_z, rows]).to_vec();
        bytes.extend_from_slice(&self.bytes);
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        uniform(&self.device, label, &bytes)
    }
}
