//! The attribute `#[device]`, documented where it is re-exported: `kernels::device`.
//!
//! `item` says what is generated for each kind of item; `function`, `statement`, `expression`, `literal` and `method` translate;
//! `types` and `names` know what Rust and WGSL call things.

mod expression;
mod function;
mod item;
mod literal;
mod method;
mod names;
mod statement;
#[cfg(test)]
mod tests;
mod types;

use proc_macro::TokenStream;

/// Leaves a Rust function, struct, constant or implementation as it is, and generates its WGSL beside it.
/// The module `kernels::device` says what may be written, and what it means on both sides.
#[proc_macro_attribute]
pub fn device(arguments: TokenStream, item: TokenStream) -> TokenStream {
    item::expand(arguments.into(), item.into()).into()
}
