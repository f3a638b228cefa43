//! Where does memory begin? At a cache line, so that a block of 512 bits, or eight or sixteen sums, are one line and not two.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Bytes of a cache line.
const LINE: usize = 64;

/// What zero bytes are a value of.
///
/// # Safety
/// They are, and there is nothing to drop.
pub(crate) unsafe trait Zero: Sized {}

// SAFETY: zero bytes are the number 0.
unsafe impl Zero for u32 {}
// SAFETY: as for u64.
#[cfg(not(loom))]
unsafe impl Zero for std::sync::atomic::AtomicU64 {}

/// A slice of its own that begins at a cache line and is zero at first.
pub(crate) struct Lines<T> {
    start: NonNull<T>,
    len: usize,
    /// What the allocator gave: up to a line longer.
    memory: NonNull<u8>,
    layout: Layout,
}

impl<T: Zero> Lines<T> {
    /// `len` (at least 1) zeros, or `None` if there is no memory for them. Untouched pages cost nothing: that is why no layout of
    /// a line's alignment is asked for, which the standard allocator fills with zeros by hand.
    pub(crate) fn zeroed(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes > 0)?;
        let layout = Layout::from_size_align(bytes.checked_add(LINE - align_of::<T>())?, align_of::<T>()).ok()?;
        // SAFETY: the layout has a size above zero, because `bytes` is.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let skipped = memory.as_ptr().align_offset(LINE);
        // SAFETY: `memory` is aligned for T, so that at most a line less that alignment is skipped, which the layout has room for.
        let start = unsafe { memory.add(skipped) }.cast::<T>();
        Some(Self { start, len, memory, layout })
    }
}

impl<T> Deref for Lines<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` values from `start` on are inside the allocation, aligned, initialised by its zeros, and owned.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Lines<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above; `&mut self` excludes other access.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> Drop for Lines<T> {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and nobody else's. The values need no drop (`Zero`).
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}

// SAFETY: it owns its values as a Box does.
unsafe impl<T: Send> Send for Lines<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Lines<T> {}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn memory_begins_at_a_line_and_is_zero() {
        for len in [1, 7, 8, 9, 100, if cfg!(miri) { 500 } else { 100_000 }] {
            let mut lines = Lines::<u32>::zeroed(len).expect("memory");
            assert_eq!((lines.as_ptr().addr() % 64, lines.len()), (0, len));
            assert!(lines.iter().all(|&value| value == 0));
            lines.fill(7);
        }
        assert!(Lines::<u32>::zeroed(usize::MAX).is_none() && Lines::<u32>::zeroed(0).is_none());
    }
}
