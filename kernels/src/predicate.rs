//! Which items are kept? A test of an item with a Rust meaning and a WGSL meaning.

use crate::{Element, Source, wgsl::SourceText};
use std::marker::PhantomData;

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

/// What is written for a kept item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Emit {
    Item,
    Index,
}

impl Emit {
    pub fn wgsl(self) -> String {
        let (out, value) = match self {
            Self::Item => ("Stored", "stored"),
            Self::Index => ("u32", "item"),
        };
        format!(
            "//!import kernels/stored\nalias Out = {out};\nfn emit(stored: Stored, item: u32) -> Out {{ return {value}; }}\n"
        )
    }
}

/// The predicate as a source of ones and zeros.
pub(crate) struct Flags<P>(PhantomData<P>);

impl<P: Predicate> Source for Flags<P> {
    type Stored = P::Item;
    type Item = u32;
    const NAME: &'static str = P::NAME;
    const WGSL: &'static str = "//!import kernels/predicate\n\
        fn source_map(stored: Stored, item: u32) -> Elem { return select(0u, 1u, keep(stored, item)); }";
    fn map(stored: P::Item, item: u32) -> u32 {
        u32::from(P::keep(stored, item))
    }
}

/// [`Flags`] as text, and the module that it imports.
pub(crate) fn flags_text<P: Predicate>() -> SourceText {
    let predicate = ("kernels/predicate", format!("{} (predicate)", P::NAME), P::WGSL.to_owned());
    SourceText { modules: vec![predicate], ..SourceText::of::<Flags<P>>() }
}
