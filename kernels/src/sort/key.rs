//! How does a key become an unsigned number that sorts the same way?

use crate::{Element, device};

/// A key of a radix sort: mapped to an unsigned integer that orders as the key does.
///
/// The WGSL text defines `key_word(key: Key, word: u32) -> u32`: word 0 holds the low 32 bits, word 1 the high ones.
/// `Key` is the element's type, but `u32` where that is `f32`: floats pass as words, so that no bit of theirs is touched.
///
/// For a device struct, [`#[device]`](macro@crate::device) makes both meanings of `key_word`:
///
/// ```
/// use kernels::{Order, RadixKey, device, sort_keys};
///
/// #[device]
/// #[repr(C)]
/// #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
/// struct Entry { name: u32, rank: i32 }
///
/// #[device]
/// impl RadixKey for Entry {
///     const BITS: u32 = 64;
///     fn key_word(key: Entry, word: u32) -> u32 {
///         let rank: i32 = key.rank;
///         if word == 1 { rank as u32 ^ 0x8000_0000 } else { key.name }
///     }
/// }
///
/// let entry = |name, rank| Entry { name, rank };
/// let mut entries = [entry(9, 1), entry(3, 1), entry(5, -2)];
/// sort_keys(&mut entries, Order::Ascending, 64);
/// assert_eq!(entries, [entry(5, -2), entry(3, 1), entry(9, 1)]);
/// // Keys compare as their bits do.
/// assert!(RadixKey::to_bits(-1i32) < RadixKey::to_bits(0i32));
/// ```
pub trait RadixKey: Element {
    /// Significant bits, at most 64.
    const BITS: u32;
    /// Whether different keys have different bits. Then nobody can tell in which order equal keys come, and a sort of keys by all bits
    /// need not keep it, which is faster.
    const INJECTIVE: bool = false;
    /// The WGSL meaning.
    const WGSL: &'static str;
    /// The Rust meaning.
    fn to_bits(self) -> u64;
}

#[device]
impl RadixKey for u32 {
    const BITS: u32 = 32;
    const INJECTIVE: bool = true;
    fn key_word(key: u32, _: u32) -> u32 {
        key
    }
}

#[device]
impl RadixKey for u64 {
    const BITS: u32 = 64;
    const INJECTIVE: bool = true;
    fn key_word(key: u64, word: u32) -> u32 {
        if word == 1 { (key >> 32) as u32 } else { key as u32 }
    }
}

/// The sign bit is flipped, so that negative numbers come first.
#[device]
impl RadixKey for i32 {
    const BITS: u32 = 32;
    const INJECTIVE: bool = true;
    fn key_word(key: i32, _: u32) -> u32 {
        key as u32 ^ 0x8000_0000
    }
}

/// The total order of IEEE 754, as `f32::total_cmp`: negative NaN < -inf < ... < -0 < +0 < ... < +inf < positive NaN.
/// The bits are only ever moved as integers, so no device flushes or canonicalises them.
impl RadixKey for f32 {
    const BITS: u32 = 32;
    const INJECTIVE: bool = true;
    const WGSL: &'static str = total_order::key_word::WGSL;
    #[inline]
    fn to_bits(self) -> u64 {
        total_order::key_word(f32::to_bits(self), 0).into()
    }
}

mod total_order {
    use crate::device;

    /// Negative floats are in the order of their bits turned over, positive ones above them.
    #[device]
    #[inline]
    pub fn key_word(bits: u32, _: u32) -> u32 {
        if bits >> 31 == 1 { !bits } else { bits | 0x8000_0000 }
    }
}

/// Whether small or large keys come first. Equal keys keep their order in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Small keys first.
    #[default]
    Ascending,
    /// Large keys first.
    Descending,
}

/// `key_bits` when all bits count.
pub(crate) fn check_key_bits<K: RadixKey>(key_bits: u32) -> Result<u32, crate::KernelError> {
    if (1..=K::BITS).contains(&key_bits) {
        return Ok(key_bits);
    }
    let (what, given) = ("key_bits", u64::from(key_bits));
    Err(crate::KernelError::Argument { what, given, low: 1, high: K::BITS.into() })
}

/// Floating-point keys are bound as words, so that NaN payloads and subnormals pass unchanged.
#[cfg(feature = "gpu")]
pub(super) fn key_type<K: RadixKey>() -> &'static str {
    if K::TYPE == "f32" { "u32" } else { K::TYPE }
}

/// The module `kernels/sort/key`.
#[cfg(feature = "gpu")]
pub(super) fn key_text<K: RadixKey>(order: Order, sort_items: u32) -> String {
    format!(
        "alias Key = {};\nconst SORT_ITEMS: u32 = {sort_items}u;\nconst DESCENDING: bool = {};\n{}\n",
        key_type::<K>(),
        order == Order::Descending,
        K::WGSL
    )
}
