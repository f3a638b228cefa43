//! How does a function that ends with loops become a kernel? `parameters` and `index_space` take it apart.
//! `item_access` and `reduction` prove that its items may run at once. `body` translates what is done for an item,
//! `unroll` and `tile` its annotated loops. `device` and `host` write the forms that run.

mod body;
mod device;
mod host;
mod index_space;
mod item_access;
mod parameters;
mod reduction;
#[cfg(test)]
mod tests;
mod tile;
mod unroll;

pub use body::KernelBody;

use crate::{function, item};
use index_space::IndexSpace;
use item_access::Strides;
use parameters::Parameter;
use proc_macro2::TokenStream;
use quote::quote;
use reduction::Reduction;
use std::collections::HashMap;
use syn::{
    Error, FnArg, ItemFn, Result, ReturnType,
    parse::{Parse, ParseStream},
    spanned::Spanned,
    visit_mut::{self, VisitMut},
};

/// What stands behind the attribute.
#[derive(Clone, Debug, Default)]
struct Annotations {
    /// Invocations of a workgroup in x, y and z; the runtime's choice if absent.
    workgroup: Option<[u32; 3]>,
    /// Loops that are the index space.
    loops: Option<usize>,
}

/// A kernel, taken apart.
struct Kernel {
    item: ItemFn,
    annotations: Annotations,
    parameters: Vec<Parameter>,
    space: IndexSpace,
    strides: HashMap<String, Strides>,
    totals: Vec<Reduction>,
}

/// The function as it is, and its kernel or the error beside it.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(_) => {
            let error = Error::new(item.span(), "`#[kernel]` stands before a function").into_compile_error();
            return quote! { #item #error };
        }
    };
    let plain = without_annotations(&function);
    let generated = item::refuse_cfg(&item, true).and_then(|()| generate(arguments, function));
    let generated = generated.unwrap_or_else(Error::into_compile_error);
    quote! { #plain #generated }
}

fn generate(arguments: TokenStream, item: ItemFn) -> Result<TokenStream> {
    let annotations: Annotations = syn::parse2(arguments)?;
    function::refuse_qualifiers(&item.sig)?;
    if let ReturnType::Type(arrow, _) = &item.sig.output {
        return Err(Error::new(arrow.span(), "a kernel gives nothing back: reduce into a `&mut T`"));
    }
    let mut needs = Vec::new();
    let parameters = parameters::parse(&item.sig, &mut needs)?;
    let space = index_space::parse(&item.block, &parameters, annotations.loops)?;
    let strides = item_access::check(&space, &parameters)?;
    let totals = reduction::parse(&space, &parameters)?;
    let mut body = body::translate(&item, &parameters, &space, &totals)?;
    body.function.needs.extend(needs);
    let kernel = Kernel { item, annotations, parameters, space, strides, totals };
    let (ident, visibility) = (&kernel.item.sig.ident, &kernel.item.vis);
    let described = item::item_tokens(ident, &body.function);
    let companion = item::companion(ident, visibility, &described, &format!("The kernel of [`{ident}()`]"));
    let checks = item::rust_checks(&body.function);
    let elements = device::check_elements(&kernel);
    let device = device::implementation(&kernel, &body)?;
    let host = host::parallel(&kernel);
    Ok(quote! { #companion #checks #elements #device #host })
}

/// The function without what only kernels understand.
fn without_annotations(function: &ItemFn) -> ItemFn {
    struct Strip;
    impl VisitMut for Strip {
        fn visit_expr_for_loop_mut(&mut self, repeat: &mut syn::ExprForLoop) {
            repeat.attrs.retain(|attribute| !["unroll", "tile"].iter().any(|name| attribute.path().is_ident(name)));
            visit_mut::visit_expr_for_loop_mut(self, repeat);
        }
    }
    let mut plain = function.clone();
    for argument in &mut plain.sig.inputs {
        if let FnArg::Typed(typed) = argument {
            typed.attrs.retain(|attribute| !attribute.path().is_ident("count"));
        }
    }
    Strip.visit_item_fn_mut(&mut plain);
    plain
}

impl Parse for Annotations {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        const KNOWN: &str = "`#[kernel]` takes `workgroup(256)` or `workgroup(16, 16)`, and `loops(1)`";
        let mut annotations = Self::default();
        while !input.is_empty() {
            let word: syn::Ident = input.parse()?;
            let inside;
            syn::parenthesized!(inside in input);
            let numbers = inside.parse_terminated(<syn::LitInt as Parse>::parse, syn::Token![,])?;
            let values = numbers.iter().map(syn::LitInt::base10_parse).collect::<Result<Vec<u32>>>()?;
            match (word.to_string().as_str(), values.as_slice()) {
                ("workgroup", [_, ..]) if values.len() <= 3 && !values.contains(&0) => {
                    let at = |dimension: usize| values.get(dimension).copied().unwrap_or(1);
                    annotations.workgroup = Some([at(0), at(1), at(2)]);
                }
                ("loops", [wanted @ 1..=3]) => annotations.loops = Some(*wanted as usize),
                _ => return Err(Error::new(word.span(), KNOWN)),
            }
            if !input.is_empty() {
                input.parse::<syn::Token![,]>()?;
            }
        }
        Ok(annotations)
    }
}
