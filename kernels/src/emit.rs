//! What does a compaction read and write? The predicate as a source of ones and zeros, and what is written of a kept item.

use crate::{Predicate, Source, wgsl::SourceText};
use std::marker::PhantomData;

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
