//! What is a list that threads append to? Items up to a capacity, and how many were appended, on the host and on a device.

#[cfg(feature = "gpu")]
use crate::GpuSlice;

/// Items that were appended, up to a capacity, in any order on a device.
///
/// ```
/// let mut list = kernels::kernel::List::with_capacity(2);
/// (7..10).for_each(|item| list.push(item));
/// assert_eq!((list.items(), list.pushed(), list.overflowed()), (&[7, 8][..], 3, true));
/// list.clear();
/// assert_eq!((list.items().len(), list.capacity()), (0, 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T> {
    items: Vec<T>,
    capacity: u32,
    pushed: u32,
}

impl<T> List<T> {
    /// An empty list with room for `capacity` items.
    pub fn with_capacity(capacity: u32) -> Self {
        Self { items: Vec::new(), capacity, pushed: 0 }
    }

    /// Appends; an item that finds no room is counted, not kept.
    #[inline]
    pub fn push(&mut self, item: T) {
        if self.pushed < self.capacity {
            self.items.push(item);
        }
        self.pushed = self.pushed.saturating_add(1);
    }

    /// Empties the list.
    pub fn clear(&mut self) {
        self.items.clear();
        self.pushed = 0;
    }

    /// The items that are there.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Most items.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Items that were appended, those that found no room among them.
    pub fn pushed(&self) -> u32 {
        self.pushed
    }

    /// Whether an item found no room.
    pub fn overflowed(&self) -> bool {
        self.pushed > self.capacity
    }

    /// A list as a device left it: its first items, and how many were appended.
    pub(crate) fn replace(&mut self, mut items: Vec<T>, pushed: u32) {
        items.truncate(pushed.min(self.capacity) as usize);
        (self.items, self.pushed) = (items, pushed);
    }

    /// An empty list of the same room.
    #[doc(hidden)]
    pub fn part(&self) -> Self {
        Self::with_capacity(self.capacity)
    }

    /// Appends the items of a part.
    #[doc(hidden)]
    pub fn extend(&mut self, part: Self) {
        let free = self.capacity.saturating_sub(self.pushed) as usize;
        self.items.extend(part.items.into_iter().take(free));
        self.pushed = self.pushed.saturating_add(part.pushed);
    }
}

/// A list on a device: its items, whose number is the capacity, and two words: how many were appended, and whether one found
/// no room, as [`Append`](crate::Append) has them.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{GpuSlice, Kernels, kernel, kernel::{GpuList, List}};
///
/// /// Where are the sevens?
/// #[kernel]
/// fn sevens(x: &[u32], found: &mut List<u32>) {
///     found.clear();
///     for i in 0..x.len() as u32 {
///         if x[i as usize] == 7 {
///             found.push(i);
///         }
///     }
/// }
///
/// let gpu = Gpu::new(&Default::default())?;
/// let x = transfer::upload(&gpu.device, "x", &[1u32, 7, 5, 7]);
/// let items = transfer::storage::<u32>(&gpu.device, "items", 1);
/// let counter = transfer::storage::<u32>(&gpu.device, "counter", 2);
/// let list = GpuList { items: GpuSlice::whole(&items), counter: GpuSlice::whole(&counter) };
/// let bound = Kernels::new(&gpu.device).plan::<sevens>()?.bind((GpuSlice::whole(&x), list))?;
/// # let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// # bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// # gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &counter)?, [2, 1]); // two, of which one found no room
/// assert!([1, 3].contains(&transfer::download::<u32>(&gpu, &items)?[0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "gpu")]
#[derive(Debug)]
pub struct GpuList<'a, T> {
    /// Room for items.
    pub items: GpuSlice<'a, T>,
    /// The number of items appended, and a flag.
    pub counter: GpuSlice<'a, u32>,
}

#[cfg(feature = "gpu")]
impl<T> Clone for GpuList<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

#[cfg(feature = "gpu")]
impl<T> Copy for GpuList<'_, T> {}

#[cfg(test)]
mod tests {
    use super::List;

    #[test]
    fn a_list_keeps_what_has_room_and_counts_the_rest() {
        let mut list = List::with_capacity(3);
        list.push(1);
        let mut part = list.part();
        (2..5).for_each(|item| part.push(item));
        list.extend(part);
        assert_eq!((list.items(), list.pushed(), list.overflowed()), (&[1, 2, 3][..], 4, true));
        list.clear();
        assert_eq!((list.items().len(), list.pushed(), list.capacity()), (0, 0, 3));
    }
}
