//! How does an array live on both sides? Each side knows which elements are newer there; copies are asked for, move no more
//! than these, and are counted.

mod list;
mod ranges;

pub use list::DualBufferList;

use crate::{Element, GpuSlice};
use gpu::{Gpu, GpuError, transfer};
use ranges::Ranges;
use std::{
    cell::RefCell,
    ops::{Bound, RangeBounds},
};

/// Why an array on both sides cannot be used as asked.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DualBufferError {
    /// The device has newer elements.
    #[error("elements {first} to {end} of `{name}` are newer on the device: call `to_host` first")]
    HostIsStale {
        /// The array.
        name: String,
        /// First element.
        first: usize,
        /// Element after the last.
        end: usize,
    },
    /// The host has newer elements.
    #[error("elements {first} to {end} of `{name}` are newer on the host: call `to_device` first")]
    DeviceIsStale {
        /// The array.
        name: String,
        /// First element.
        first: usize,
        /// Element after the last.
        end: usize,
    },
    /// There are not as many elements.
    #[error("elements {first} to {end} of `{name}`, which has {len}")]
    OutOfRange {
        /// The array.
        name: String,
        /// First element.
        first: usize,
        /// Element after the last.
        end: usize,
        /// Number of elements.
        len: usize,
    },
    /// The device failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// What has crossed, in both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes from host to device.
    pub up: u64,
    /// Bytes from device to host.
    pub down: u64,
}

/// What both sides hold, and where which elements are newer.
#[derive(Debug)]
struct State {
    host_newer: Ranges,
    device_newer: Ranges,
    traffic: Traffic,
}

/// An array of fixed length on the host and on a device.
///
/// Neither side is copied behind the caller: who reads elements that are newer on the other side gets an error that
/// says which.
///
/// ```
/// use gpu::Gpu;
/// use kernels::{DualBuffer, DualBufferError, Traffic};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let mut heights = DualBuffer::new(&gpu, "heights", vec![0.0f32; 1000]);
/// heights.to_device()?;
/// heights.host_mut(10..12)?.fill(7.0);
/// assert!(matches!(heights.device(), Err(DualBufferError::DeviceIsStale { first: 10, end: 12, .. })));
/// assert_eq!(heights.to_device()?, 8);
/// assert_eq!(heights.traffic(), Traffic { up: 4008, down: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DualBuffer<T> {
    gpu: Gpu,
    name: String,
    host: Vec<T>,
    buffer: wgpu::Buffer,
    state: RefCell<State>,
}

impl<T: Element> DualBuffer<T> {
    /// An array that is on the host so far.
    pub fn new(gpu: &Gpu, name: &str, host: Vec<T>) -> Self {
        let len = host.len();
        Self { state: RefCell::new(State::with(len)), ..Self::over(gpu, name, host) }
    }

    /// An array of zeros on both sides: what a kernel writes need not be copied before.
    ///
    /// ```
    /// use kernels::DualBuffer;
    /// let gpu = gpu::Gpu::new(&Default::default())?;
    /// let mut squares = DualBuffer::<u32>::zeroed(&gpu, "squares", 8);
    /// squares.device_mut(2..5)?; // bound where a kernel writes elements 2 to 4
    /// assert!(squares.host().is_err(), "they are newer on the device");
    /// assert_eq!(squares.to_host()?, 12);
    /// assert_eq!(squares.host()?, [0; 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn zeroed(gpu: &Gpu, name: &str, len: usize) -> Self {
        Self::over(gpu, name, vec![T::zeroed(); len])
    }

    fn over(gpu: &Gpu, name: &str, host: Vec<T>) -> Self {
        let buffer = transfer::storage::<T>(&gpu.device, name, u32::try_from(host.len()).unwrap_or(u32::MAX));
        Self { gpu: gpu.clone(), name: name.to_owned(), host, buffer, state: RefCell::new(State::with(0)) }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.host.len()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.host.is_empty()
    }

    /// What has crossed so far.
    pub fn traffic(&self) -> Traffic {
        self.state.borrow().traffic
    }

    /// The elements on the host.
    pub fn host(&self) -> Result<&[T], DualBufferError> {
        self.host_is_fresh(0, self.len())?;
        Ok(&self.host)
    }

    /// Elements on the host, to be written: they will be newer there.
    pub fn host_mut(&mut self, range: impl RangeBounds<usize>) -> Result<&mut [T], DualBufferError> {
        let (first, end) = self.within(range)?;
        self.host_is_fresh(first, end)?;
        self.state.get_mut().host_newer.add(first, end);
        Ok(&mut self.host[first..end])
    }

    /// The first element on the host, to be written: a total.
    ///
    /// ```
    /// use kernels::DualBuffer;
    /// let gpu = gpu::Gpu::new(&Default::default())?;
    /// let mut total = DualBuffer::<u32>::zeroed(&gpu, "total", 1);
    /// *total.host_first_mut()? = 7;
    /// assert!(total.device().is_err(), "it is newer on the host");
    /// assert_eq!(total.to_device()?, 4);
    /// let on_device = gpu::transfer::download::<u32>(&gpu, total.device()?.buffer)?;
    /// assert_eq!(on_device, [7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn host_first_mut(&mut self) -> Result<&mut T, DualBufferError> {
        Ok(&mut self.host_mut(0..1)?[0])
    }

    /// The elements on the device.
    pub fn device(&self) -> Result<GpuSlice<'_, T>, DualBufferError> {
        self.device_is_fresh(0, self.len())?;
        Ok(GpuSlice::new(&self.buffer, 0, self.len() as u32))
    }

    /// All elements on the device, those of `range` to be written: they will be newer there.
    pub fn device_mut(&mut self, range: impl RangeBounds<usize>) -> Result<GpuSlice<'_, T>, DualBufferError> {
        let (first, end) = self.within(range)?;
        self.device_is_fresh(0, self.len())?;
        self.state.get_mut().device_newer.add(first, end);
        Ok(GpuSlice::new(&self.buffer, 0, self.len() as u32))
    }

    /// The first element on the device, to be written: a total.
    ///
    /// ```
    /// use kernels::DualBuffer;
    /// let gpu = gpu::Gpu::new(&Default::default())?;
    /// let mut totals = DualBuffer::<u32>::zeroed(&gpu, "totals", 3);
    /// let first = totals.device_first_mut()?; // bound where a kernel reduces
    /// assert_eq!((first.first, first.len), (0, 1));
    /// assert_eq!(totals.to_host()?, 4); // no other element is newer there
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn device_first_mut(&mut self) -> Result<GpuSlice<'_, T>, DualBufferError> {
        Ok(self.device_mut(0..1)?.prefix(1))
    }

    /// Copies to the device what is newer on the host, ahead of all work that is submitted later; returns the bytes.
    pub fn to_device(&self) -> Result<u64, DualBufferError> {
        let state = &mut *self.state.borrow_mut();
        let mut bytes = 0;
        for (first, end) in state.host_newer.take() {
            let items: &[u8] = bytemuck::cast_slice(&self.host[first..end]);
            self.gpu.queue.write_buffer(&self.buffer, (first * size_of::<T>()) as u64, items);
            bytes += items.len() as u64;
        }
        state.traffic.up += bytes;
        Ok(bytes)
    }

    /// Copies to the host what is newer on the device, after all submitted work; waits; returns the bytes. After an error nothing
    /// has changed.
    pub fn to_host(&mut self) -> Result<u64, DualBufferError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.to_host_async())
    }

    /// As [`to_host`](Self::to_host), without blocking: see [`transfer`].
    ///
    /// ```
    /// use kernels::DualBuffer;
    /// let gpu = gpu::Gpu::new(&Default::default())?;
    /// let mut x = DualBuffer::<u32>::zeroed(&gpu, "x", 6);
    /// let written = x.device_mut(2..4)?; // bound where a kernel writes elements 2 and 3
    /// # gpu.queue.write_buffer(written.buffer, 8, bytemuck::bytes_of(&[5u32, 6]));
    /// // ... submit the kernel, which writes 5 and 6 ...
    /// assert_eq!(gpu.block_on(x.to_host_async())?, 8); // a browser awaits it
    /// assert_eq!(x.host()?, [0, 0, 5, 6, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn to_host_async(&mut self) -> Result<u64, DualBufferError> {
        let state = self.state.get_mut();
        let ranges: Vec<(usize, usize)> = state.device_newer.iter().collect();
        let size = size_of::<T>();
        let parts: Vec<(u64, u64)> =
            ranges.iter().map(|(first, end)| ((first * size) as u64, ((end - first) * size) as u64)).collect();
        let bytes = parts.iter().map(|(_, len)| len).sum();
        let copied = transfer::download_parts_async(&self.gpu, &self.buffer, &parts).await?;
        let mut rest = copied.as_slice();
        for (first, end) in ranges {
            let (part, tail) = rest.split_at((end - first) * size);
            bytemuck::cast_slice_mut(&mut self.host[first..end]).copy_from_slice(part);
            rest = tail;
        }
        state.device_newer.take();
        state.traffic.down += bytes;
        Ok(bytes)
    }

    fn within(&self, range: impl RangeBounds<usize>) -> Result<(usize, usize), DualBufferError> {
        let first = match range.start_bound() {
            Bound::Included(first) => *first,
            Bound::Excluded(before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(last) => last.saturating_add(1),
            Bound::Excluded(end) => *end,
            Bound::Unbounded => self.len(),
        };
        if first > end || end > self.len() {
            return Err(DualBufferError::OutOfRange { name: self.name.clone(), first, end, len: self.len() });
        }
        Ok((first, end))
    }

    fn host_is_fresh(&self, first: usize, end: usize) -> Result<(), DualBufferError> {
        match self.state.borrow().device_newer.overlap(first, end) {
            Some((first, end)) => Err(DualBufferError::HostIsStale { name: self.name.clone(), first, end }),
            None => Ok(()),
        }
    }

    fn device_is_fresh(&self, first: usize, end: usize) -> Result<(), DualBufferError> {
        match self.state.borrow().host_newer.overlap(first, end) {
            Some((first, end)) => Err(DualBufferError::DeviceIsStale { name: self.name.clone(), first, end }),
            None => Ok(()),
        }
    }
}

impl State {
    /// The first `len` elements are newer on the host.
    fn with(len: usize) -> Self {
        let mut host_newer = Ranges::default();
        host_newer.add(0, len);
        Self { host_newer, device_newer: Ranges::default(), traffic: Traffic::default() }
    }
}
