//! Where do the bits live? A fixed array of 64-bit words that many threads may set and clear at once.
//!
//! All orders are relaxed: a bit carries no message but itself, and whoever reduces holds `&mut`, which orders every edit before it.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The words, from the beginning of a cache line on; loom's are not plain memory.
#[cfg(not(loom))]
type Memory = crate::lines::Lines<AtomicU64>;
#[cfg(loom)]
type Memory = Box<[AtomicU64]>;

/// Zero-initialised atomic words.
pub(crate) struct Words(Memory);

impl Words {
    /// `len` words of zeros (at least 1), or `None` if there is no memory for them. Untouched pages cost nothing.
    #[cfg(not(loom))]
    pub(crate) fn zeroed(len: u64) -> Option<Self> {
        Memory::zeroed(usize::try_from(len).ok()?).map(Self)
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

    /// Eight words from word `first` on, a cache line if that is a multiple of eight; zeros from the end on.
    #[inline(always)]
    pub(crate) fn load_eight(&self, first: usize) -> [u64; 8] {
        let words = &self.0[first.min(self.0.len())..];
        match words.first_chunk::<8>() {
            Some(words) => std::array::from_fn(|i| words[i].load(Relaxed)),
            None => std::array::from_fn(|i| words.get(i).map_or(0, |word| word.load(Relaxed))),
        }
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
        copy.plain(|to| to.iter_mut().zip(self.0.iter()).for_each(|(to, from)| *to = from.load(Relaxed)));
        Some(copy)
    }
}
