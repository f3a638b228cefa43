//! How deep may a tree in a GPU buffer be? 32-bit indices, and the largest buffer that can be bound.

use super::GpuTreeError;
use crate::storage::Storage;
use crate::{Classic, Compact, Error, MAX_DEPTH};

/// The deepest tree of any device: nodes, bits and the bit offsets of a classic heap stay below 2^32.
///
/// ```
/// assert_eq!(cbt::gpu::MAX_GPU_DEPTH, 30);
/// ```
pub const MAX_GPU_DEPTH: u32 = 30;

/// Which of the two layouts a GPU tree has.
///
/// ```
/// use cbt::gpu::Layout;
/// assert_eq!(Layout::Compact.buffer_sizes(20), [16 << 10, 128 << 10]); // sums, bits
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// That of [`Classic`]: one buffer, the heap.
    Classic,
    /// That of [`Compact`]: a buffer of sums and one of bits.
    Compact,
}

impl Layout {
    /// Name in labels and shader variants.
    ///
    /// ```
    /// assert_eq!(cbt::gpu::Layout::Classic.name(), "classic");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => Classic::LAYOUT,
            Self::Compact => Compact::LAYOUT,
        }
    }

    /// Bytes of each buffer of a tree of this depth: at least 16, so that shaders may read four words at a time.
    ///
    /// ```
    /// assert_eq!(cbt::gpu::Layout::Classic.buffer_sizes(20), [512 << 10]);
    /// ```
    #[must_use]
    pub fn buffer_sizes(self, depth: u32) -> Vec<u64> {
        // Deeper trees there are none.
        let depth = depth.min(MAX_DEPTH);
        let sizes = match self {
            Self::Classic => vec![Classic::bytes(depth)],
            Self::Compact => vec![8 << depth.saturating_sub(9), (1 << depth) / 8],
        };
        sizes.into_iter().map(|size| size.max(16)).collect()
    }

    /// Accepts the depths that a device with these limits can hold.
    ///
    /// # Errors
    /// [`GpuTreeError::DepthTooLarge`]; [`GpuTreeError::Tree`] for depth 0.
    ///
    /// ```
    /// use cbt::gpu::Layout;
    /// let least = wgpu::Limits::default(); // 128 MiB bindings
    /// assert!(Layout::Classic.check_depth(&least, 28).is_ok() && Layout::Classic.check_depth(&least, 29).is_err());
    /// assert!(Layout::Compact.check_depth(&least, 30).is_ok() && Layout::Compact.check_depth(&least, 31).is_err());
    /// ```
    pub fn check_depth(self, limits: &wgpu::Limits, depth: u32) -> Result<(), GpuTreeError> {
        if depth == 0 {
            return Err(Error::Depth { asked: depth, limit: MAX_GPU_DEPTH }.into());
        }
        let limit = (1..=MAX_GPU_DEPTH).rev().find(|&depth| self.exceeded(limits, depth).is_none()).unwrap_or(0);
        if depth <= limit {
            return Ok(());
        }
        let because = if depth > MAX_GPU_DEPTH { None } else { self.exceeded(limits, depth) };
        let because = because.unwrap_or_else(|| "nodes and bits are numbered with 32 bits".into());
        Err(GpuTreeError::DepthTooLarge { asked: depth, limit, because })
    }

    /// The limit that a tree of this depth exceeds.
    fn exceeded(self, limits: &wgpu::Limits, depth: u32) -> Option<String> {
        let largest = self.buffer_sizes(depth).into_iter().max().unwrap_or(0);
        let named = [
            ("max_storage_buffer_binding_size", limits.max_storage_buffer_binding_size),
            ("max_buffer_size", limits.max_buffer_size),
        ];
        let (name, limit) = named.into_iter().find(|&(_, limit)| largest > limit)?;
        Some(format!("{name} is {limit} bytes, a {} tree of depth {depth} needs {largest}", self.name()))
    }
}
