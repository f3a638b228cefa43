//! A list on both sides: its items, and how many were appended.

use super::{DualBuffer, DualBufferError, Traffic};
use crate::{Element, GpuList, List};
use gpu::Gpu;

/// Which side has the newer list?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Newer {
    Host,
    Device,
    Neither,
}

/// A [`List`] on the host and on a device. It crosses as a whole: the items that are there, and two words.
///
/// ```
/// use gpu::Gpu;
/// use kernels::{DualBuffer, DualBufferList, Engine, kernel, kernel::List};
///
/// /// Where are the large ones?
/// #[kernel]
/// fn large(x: &[u32], found: &mut List<u32>) {
///     found.clear();
///     for i in 0..x.len() as u32 {
///         if x[i as usize] > 10 {
///             found.push(i);
///         }
///     }
/// }
///
/// let gpu = Gpu::new(&Default::default())?;
/// let x = DualBuffer::new(&gpu, "x", vec![3u32, 20, 5, 11]);
/// let mut found = DualBufferList::with_capacity(&gpu, "found", 4);
/// x.to_device()?;
/// Engine::device(&gpu)?.run::<large>((&x, &mut found))?;
/// found.to_host()?;
/// let mut items = found.host()?.items().to_vec();
/// items.sort(); // a device appends in any order
/// assert_eq!(items, [1, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DualBufferList<T> {
    list: List<T>,
    items: DualBuffer<T>,
    counter: DualBuffer<u32>,
    newer: Newer,
}

impl<T: Element> DualBufferList<T> {
    /// An empty list with room for `capacity` items, on both sides.
    pub fn with_capacity(gpu: &Gpu, name: &str, capacity: u32) -> Self {
        Self {
            list: List::with_capacity(capacity),
            items: DualBuffer::zeroed(gpu, name, capacity as usize),
            counter: DualBuffer::zeroed(gpu, name, 2),
            newer: Newer::Neither,
        }
    }

    /// What has crossed so far.
    pub fn traffic(&self) -> Traffic {
        let (items, counter) = (self.items.traffic(), self.counter.traffic());
        Traffic { up: items.up + counter.up, down: items.down + counter.down }
    }

    /// The list on the host.
    pub fn host(&self) -> Result<&List<T>, DualBufferError> {
        match self.newer {
            Newer::Device => Err(self.stale_host()),
            _ => Ok(&self.list),
        }
    }

    /// The list on the host, to be appended to.
    pub fn host_mut(&mut self) -> Result<&mut List<T>, DualBufferError> {
        if self.newer == Newer::Device {
            return Err(self.stale_host());
        }
        self.newer = Newer::Host;
        Ok(&mut self.list)
    }

    /// The list on the device, to be appended to.
    pub fn device_mut(&mut self) -> Result<GpuList<'_, T>, DualBufferError> {
        if self.newer == Newer::Host {
            let (name, end) = (self.items.name.clone(), self.list.items().len());
            return Err(DualBufferError::DeviceIsStale { name, first: 0, end });
        }
        self.newer = Newer::Device;
        let counter = self.counter.device_mut(..)?;
        let capacity = self.items.len() as u32;
        Ok(GpuList { items: crate::GpuSlice::new(&self.items.buffer, 0, capacity), counter })
    }

    /// Copies the list to the device, if it is newer on the host; returns the bytes.
    pub fn to_device(&mut self) -> Result<u64, DualBufferError> {
        if self.newer != Newer::Host {
            return Ok(0);
        }
        let items = self.list.items();
        self.items.host_mut(..items.len())?.copy_from_slice(items);
        let words = [self.list.pushed(), u32::from(self.list.overflowed())];
        self.counter.host_mut(..)?.copy_from_slice(&words);
        self.newer = Newer::Neither;
        Ok(self.items.to_device()? + self.counter.to_device()?)
    }

    /// Copies the list to the host, if it is newer on the device; waits; returns the bytes.
    pub fn to_host(&mut self) -> Result<u64, DualBufferError> {
        if self.newer != Newer::Device {
            return Ok(0);
        }
        let mut bytes = self.counter.to_host()?;
        let pushed = self.counter.host()?[0];
        let kept = pushed.min(self.list.capacity()) as usize;
        self.items.device_mut(..kept)?;
        bytes += self.items.to_host()?;
        self.list.replace(self.items.host()?[..kept].to_vec(), pushed);
        self.newer = Newer::Neither;
        Ok(bytes)
    }

    fn stale_host(&self) -> DualBufferError {
        DualBufferError::HostIsStale { name: self.items.name.clone(), first: 0, end: self.items.len() }
    }
}
