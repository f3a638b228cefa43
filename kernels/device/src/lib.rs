//! The attributes `#[device]` and `#[kernel]`: procedural macros that translate Rust to WGSL. Their documentation is where
//! they are re-exported: `kernels::device`.
//!
//! | modules | purpose |
//! |---|---|
//! | `item` | the code that is generated for each kind of item |
//! | `function`, `statement`, `loops`, `expression`, `array`, `literal`, `method` | translation of Rust syntax to WGSL |
//! | `kernel` | kernels from loops |
//! | `u64_words` | operations on `u64` as two words |
//! | `u64_check` | types that the macro cannot see: rustc checks them in a copy of the function |
//! | `types`, `names` | the types and names that Rust and WGSL share |

mod array;
mod expression;
mod function;
mod item;
mod kernel;
mod literal;
mod loops;
mod method;
mod names;
mod statement;
#[cfg(test)]
mod tests;
mod types;
mod u64_check;
mod u64_words;

use proc_macro::TokenStream;

/// Leaves a Rust function, struct, constant or implementation as it is, and generates its WGSL beside it.
/// The module `kernels::device` says what may be written, and what it means on both sides.
#[proc_macro_attribute]
pub fn device(arguments: TokenStream, item: TokenStream) -> TokenStream {
    item::expand(arguments.into(), item.into()).into()
}

/// Makes a kernel of a Rust function that ends with its loops: it stays as it is, and beside it stand the same on all cores
/// and in WGSL. The module `kernels::kernel` says what may be written, and what it means.
#[proc_macro_attribute]
pub fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    kernel::expand(arguments.into(), item.into()).into()
}
