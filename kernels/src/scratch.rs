//! What memory does a primitive need besides its arguments? Asked for in bytes, lent by the caller.

use crate::KernelError;

/// Offsets of scratch parts are multiples of this: no device asks for more.
const PART_ALIGNMENT: u64 = 256;

/// Bytes of scratch that a primitive needs. Primitives that run one after the other may share one scratch of the
/// [`max`](Self::max) of their layouts.
///
/// ```
/// use kernels::ScratchLayout;
/// let (scan, sort) = (ScratchLayout::bytes(100), ScratchLayout::bytes(5000));
/// assert_eq!(scan.max(sort).size(), 5120);
/// assert_eq!(scan.then(sort).size(), 256 + 5120);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScratchLayout(u64);

impl ScratchLayout {
    /// A part of `bytes` bytes.
    pub fn bytes(bytes: u64) -> Self {
        Self(bytes.next_multiple_of(PART_ALIGNMENT))
    }

    /// Both, one after the other.
    pub fn then(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Enough for either.
    pub fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    /// Bytes in all.
    pub fn size(self) -> u64 {
        self.0
    }
}

/// Memory lent to primitives: a buffer of its own, whose content means nothing between calls.
#[derive(Clone, Debug)]
pub struct Scratch(wgpu::Buffer);

impl Scratch {
    /// Scratch of `layout`. More than the device's `max_buffer_size` is an error of the device, as any buffer's.
    pub fn new(device: &wgpu::Device, layout: ScratchLayout) -> Self {
        Self(device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("scratch"),
            size: layout.size().max(PART_ALIGNMENT),
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        }))
    }

    /// The buffer.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.0
    }

    pub(crate) fn check(&self, layout: ScratchLayout) -> Result<(), KernelError> {
        let (given, wanted) = (self.0.size(), layout.size());
        if given < wanted { Err(KernelError::Scratch { given, wanted }) } else { Ok(()) }
    }
}

/// Hands out parts of a scratch in order.
pub(crate) struct Parts<'a> {
    scratch: &'a Scratch,
    next: u64,
}

impl<'a> Parts<'a> {
    pub fn of(scratch: &'a Scratch) -> Self {
        Self { scratch, next: 0 }
    }

    /// Allocates the next part, `len` elements.
    pub fn allocate<T: crate::Element>(&mut self, len: u32) -> ScratchPart<'a> {
        let bytes = (u64::from(len) * size_of::<T>() as u64).max(PART_ALIGNMENT);
        let offset = self.next;
        self.next += ScratchLayout::bytes(bytes).size();
        ScratchPart { buffer: self.scratch.buffer(), offset, bytes: bytes.next_multiple_of(4) }
    }
}

/// A part of a scratch, always bound for writing, because a dispatch may not both read and write a buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScratchPart<'a> {
    buffer: &'a wgpu::Buffer,
    offset: u64,
    bytes: u64,
}

impl<'a> ScratchPart<'a> {
    pub fn resource(&self) -> wgpu::BindingResource<'a> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: self.buffer,
            offset: self.offset,
            size: std::num::NonZeroU64::new(self.bytes),
        })
    }
}
