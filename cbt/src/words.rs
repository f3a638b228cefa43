//! Where do the bits live? A fixed array of 64-bit words that many threads may set and clear at once.
//!
//! All orders are relaxed: a bit carries no message but itself, and whoever reduces holds `&mut`, which orders every edit before it.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Zero-initialised atomic words.
pub(crate) struct Words(Box<[AtomicU64]>);

impl Words {
    /// `len` words of zeros (at least 1), or `None` if there is no memory for them. Untouched pages cost nothing.
    #[cfg(not(loom))]
    pub(crate) fn zeroed(len: u64) -> Option<Self> {
        let len = usize::try_from(len).ok().filter(|&len| len > 0)?;
        let layout = std::alloc::Layout::array::<AtomicU64>(len).ok()?;
        // SAFETY: the layout has a size above zero, because `len` has.
        let start = unsafe { std::alloc::alloc_zeroed(layout) }.cast::<AtomicU64>();
        if start.is_null() {
            return None;
        }
        // SAFETY: `start` comes from the global allocator with the layout of `[AtomicU64; len]`, is owned by nobody else,
        // and zero bytes are a valid AtomicU64.
        Some(Self(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, len)) }))
    }

    /// `len` words of zeros that loom watches.
    #[cfg(loom)]
    pub(crate) fn zeroed(len: u64) -> Option<Self> {
        let len = usize::try_from(len).ok().filter(|&len| len > 0)?;
        Some(Self((0..len).map(|_| AtomicU64::new(0)).collect()))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn load(&self, word: usize) -> u64 {
        self.0[word].load(Relaxed)
    }

    /// Sets the bits of `mask` in one step and returns the word before. No bit is ever clear on the way to being set.
    pub(crate) fn or(&self, word: usize, mask: u64) -> u64 {
        self.0[word].fetch_or(mask, Relaxed)
    }

    /// Keeps only the bits of `mask` in one step and returns the word before.
    pub(crate) fn and(&self, word: usize, mask: u64) -> u64 {
        self.0[word].fetch_and(mask, Relaxed)
    }

    /// The words as plain memory, for the one thread that holds them alone.
    #[cfg(not(loom))]
    pub(crate) fn plain<R>(&mut self, work: impl FnOnce(&mut [u64]) -> R) -> R {
        let words: *mut [AtomicU64] = &raw mut *self.0;
        // SAFETY: AtomicU64 has the size and bit validity of u64 and at least its alignment; `&mut self` excludes other access.
        work(unsafe { &mut *(words as *mut [u64]) })
    }

    /// The words as plain memory: a copy, written back.
    #[cfg(loom)]
    pub(crate) fn plain<R>(&mut self, work: impl FnOnce(&mut [u64]) -> R) -> R {
        let mut copy: Vec<u64> = self.0.iter().map(|word| word.load(Relaxed)).collect();
        let result = work(&mut copy);
        self.0.iter().zip(copy).for_each(|(word, value)| word.store(value, Relaxed));
        result
    }

    /// Little-endian bytes of all words.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|word| word.load(Relaxed).to_le_bytes()).collect()
    }

    /// A copy, or `None` if there is no memory for it.
    pub(crate) fn copy(&self) -> Option<Self> {
        let mut copy = Self::zeroed(self.0.len() as u64)?;
        copy.plain(|to| to.iter_mut().zip(&self.0).for_each(|(to, from)| *to = from.load(Relaxed)));
        Some(copy)
    }
}
