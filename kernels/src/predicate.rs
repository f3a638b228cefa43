//! Which items are kept? A test of an item with a Rust meaning and a WGSL meaning.

use crate::Element;

/// Says of each item whether it is kept.
///
/// [`#[device]`](macro@crate::device) before the implementation writes the WGSL. By hand it defines
/// `keep(stored: Stored, item: u32) -> bool`, where `item` is the index.
///
/// ```
/// use kernels::{Predicate, compact, device};
///
/// struct Odd;
/// #[device]
/// impl Predicate for Odd {
///     type Item = u32;
///     const NAME: &'static str = "odd";
///     fn keep(stored: u32, _item: u32) -> bool { stored % 2 == 1 }
/// }
///
/// let mut kept = [0; 3];
/// assert_eq!(compact::<Odd>(&[5, 2, 7, 8, 1, 3], &mut kept), 4);
/// assert_eq!(kept, [5, 7, 1]);
/// ```
pub trait Predicate: Send + Sync + 'static {
    /// What is tested.
    type Item: Element;
    /// What errors and pipelines call it.
    const NAME: &'static str;
    /// The WGSL meaning.
    const WGSL: &'static str;
    /// The Rust meaning; `item` is the index.
    fn keep(stored: Self::Item, item: u32) -> bool;
}
