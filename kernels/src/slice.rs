//! Which part of which buffer, and how many of its items? Slices of typed elements and counts, checked before use.

use crate::{Element, KernelError};
use gpu::Caps;
use std::{marker::PhantomData, num::NonZeroU64};

/// Typed elements of a buffer, from element `first` on.
///
/// ```
/// use kernels::GpuSlice;
/// let gpu = gpu::Gpu::new(&Default::default())?;
/// let buffer = gpu::transfer::upload(&gpu.device, "words", &[1u32, 2, 3, 4]);
/// assert_eq!(GpuSlice::<u32>::whole(&buffer).prefix(3).len, 3);
/// assert_eq!(GpuSlice::<u32>::new(&buffer, 1, 2).first, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GpuSlice<'a, T> {
    /// The buffer; it needs usage `STORAGE`.
    pub buffer: &'a wgpu::Buffer,
    /// Index of the first element.
    pub first: u32,
    /// Number of elements.
    pub len: u32,
    element: PhantomData<T>,
}

impl<T> Clone for GpuSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for GpuSlice<'_, T> {}

impl<'a, T: Element> GpuSlice<'a, T> {
    /// `len` elements from element `first` on.
    pub fn new(buffer: &'a wgpu::Buffer, first: u32, len: u32) -> Self {
        Self { buffer, first, len, element: PhantomData }
    }

    /// As many elements as the buffer holds.
    pub fn whole(buffer: &'a wgpu::Buffer) -> Self {
        Self::new(buffer, 0, u32::try_from(buffer.size() / size_of::<T>() as u64).unwrap_or(u32::MAX))
    }

    /// The same slice with `len` elements.
    pub fn prefix(self, len: u32) -> Self {
        Self { len, ..self }
    }

    fn bytes(&self) -> std::ops::Range<u64> {
        let size = size_of::<T>() as u64;
        u64::from(self.first) * size..(u64::from(self.first) + u64::from(self.len)) * size
    }
}

/// How many items there are: known to the host, or to the device alone.
#[derive(Clone, Copy, Debug)]
pub enum Count<'a> {
    /// This many.
    Fixed(u32),
    /// What a `u32` of a buffer says when the kernel runs, at most `capacity`.
    Gpu {
        /// Buffer with usage `STORAGE` that no argument of the same call writes.
        buffer: &'a wgpu::Buffer,
        /// Index of the `u32`.
        index: u32,
        /// Larger counts are clamped to this.
        capacity: u32,
    },
}

impl Count<'_> {
    /// Items at most.
    pub fn capacity(&self) -> u32 {
        match *self {
            Self::Fixed(n) => n,
            Self::Gpu { capacity, .. } => capacity,
        }
    }
}

/// A slice as bound: a byte range that the device accepts, and the first element relative to it.
#[derive(Clone, Debug)]
pub(crate) struct BoundSlice<'a> {
    pub name: &'static str,
    pub buffer: &'a wgpu::Buffer,
    pub written: bool,
    offset: u64,
    size: u64,
    /// The bytes of the slice itself, without what alignment adds.
    exact: std::ops::Range<u64>,
    pub first: u32,
}

impl<'a> BoundSlice<'a> {
    pub fn of<T: Element>(
        name: &'static str,
        slice: GpuSlice<'a, T>,
        written: bool,
        caps: &Caps,
    ) -> Result<Self, KernelError> {
        let (bytes, element) = (slice.bytes(), size_of::<T>() as u64);
        let has = slice.buffer.usage();
        if !has.contains(wgpu::BufferUsages::STORAGE) {
            return Err(KernelError::Usage { slice: name, missing: wgpu::BufferUsages::STORAGE, has });
        }
        // A binding must hold one element even when the slice is empty; it may then be any.
        let end = bytes.end.max(element);
        if end > slice.buffer.size() {
            return Err(KernelError::OutOfRange { slice: name, first: bytes.start, end, size: slice.buffer.size() });
        }
        // Offsets must be aligned and must keep elements whole.
        let grain = lcm(u64::from(caps.storage_offset_alignment), element);
        let offset = bytes.start.min(end - element) / grain * grain;
        let size = end - offset;
        if size > caps.storage_binding_bytes {
            let limit = caps.storage_binding_bytes;
            return Err(KernelError::BindingTooLarge { slice: name, bytes: size, limit });
        }
        let first = ((bytes.start - offset) / element) as u32;
        Ok(Self { name, buffer: slice.buffer, written, offset, size, exact: bytes, first })
    }

    /// The first `wanted` elements of a slice, which must have that many.
    pub fn checked<T: Element>(
        name: &'static str,
        slice: GpuSlice<'a, T>,
        wanted: u32,
        written: bool,
        caps: &Caps,
    ) -> Result<Self, KernelError> {
        check_len(name, &slice, wanted)?;
        Self::of(name, slice.prefix(wanted), written, caps)
    }

    pub fn resource(&self) -> wgpu::BindingResource<'a> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: self.buffer,
            offset: self.offset,
            size: NonZeroU64::new(self.size),
        })
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.buffer == other.buffer && self.exact.start < other.exact.end && other.exact.start < self.exact.end
    }
}

/// One dispatch may read a buffer or write it, not both, and written ranges must not overlap.
pub(crate) fn check_aliases(slices: &[&BoundSlice<'_>]) -> Result<(), KernelError> {
    for (i, a) in slices.iter().enumerate() {
        for b in &slices[..i] {
            match (a.written, b.written) {
                (true, true) if a.overlaps(b) => return Err(KernelError::Overlap { a: b.name, b: a.name }),
                (true, false) if a.buffer == b.buffer => {
                    return Err(KernelError::SameBuffer { read: b.name, written: a.name });
                }
                (false, true) if a.buffer == b.buffer => {
                    return Err(KernelError::SameBuffer { read: a.name, written: b.name });
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Checks that a slice holds all the items a count may reach.
pub(crate) fn check_len<T: Element>(
    name: &'static str,
    slice: &GpuSlice<'_, T>,
    wanted: u32,
) -> Result<(), KernelError> {
    if slice.len < wanted { Err(KernelError::TooShort { slice: name, len: slice.len, wanted }) } else { Ok(()) }
}

pub(crate) fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
