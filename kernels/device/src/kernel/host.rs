//! How does a kernel run on all cores? Its outermost loop in chunks: each owns its rows of what is written, reduces into
//! variables and a list of its own, and these are joined in order.

use super::{Kernel, index_space::name, parameters::Kind};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{
    Expr, Ident,
    visit_mut::{self, VisitMut},
};

/// `impl NAME { fn par(…) }`
pub fn parallel(kernel: &Kernel) -> TokenStream {
    let plain = super::without_annotations(&kernel.item);
    let (ident, visibility, inputs) = (&plain.sig.ident, &plain.vis, &plain.sig.inputs);
    let names: Vec<&Ident> = kernel.parameters.iter().map(|p| &p.ident).collect();
    let of_kind = |kind: Kind| kernel.parameters.iter().filter(move |p| p.kind == kind).map(|p| &p.ident);
    let written: Vec<&Ident> = of_kind(Kind::Written).collect();
    let lists: Vec<&Ident> = of_kind(Kind::List).collect();

    let lets = &kernel.space.lets;
    let before = &plain.block.stmts[..plain.block.stmts.len().saturating_sub(1)];
    let (outer, inner) = (&kernel.space.loops[0], &kernel.space.loops[1..]);
    let (start, end, index) = (&outer.start, &outer.end, &outer.index);
    // Rows that overlap have an order: that of the plain loops.
    let apart = written.iter().flat_map(|slice| {
        let strides = &kernel.strides[&slice.to_string()];
        strides.iter().zip(inner).map(|(stride, inner)| {
            let end = &inner.end;
            quote! { && (#end) <= (#stride) }
        })
    });
    let split = written.iter().map(|slice| {
        let strides = &kernel.strides[&slice.to_string()];
        let (parts, len) = (format_ident!("__{slice}"), format_ident!("__{slice}_len"));
        quote! {
            let #len = #slice.len();
            let #parts = ::kernels::kernel::split(&mut *#slice, &__chunks, 1usize #(* (#strides) as usize)*);
        }
    });
    let zips = written.iter().map(|slice| {
        let parts = format_ident!("__{slice}");
        quote! { .zip(#parts) }
    });
    let firsts: Vec<Ident> = written.iter().map(|slice| format_ident!("__{slice}_first")).collect();
    let lens: Vec<Ident> = written.iter().map(|slice| format_ident!("__{slice}_len")).collect();
    let pattern = written
        .iter()
        .zip(&firsts)
        .fold(quote! { __rows }, |pattern, (slice, first)| quote! { (#pattern, (#first, #slice)) });

    let body = rebased(kernel);
    let body = inner.iter().rev().fold(quote! { #body }, |body, inner| {
        let (index, start, end) = (&inner.index, &inner.start, &inner.end);
        quote! { { for #index in #start..#end #body } }
    });
    let totals: Vec<&Ident> = kernel.totals.iter().map(|total| &total.ident).collect();
    let total_parts: Vec<Ident> = totals.iter().map(|total| format_ident!("__{total}")).collect();
    let identities = kernel.totals.iter().map(super::Reduction::rust_identity);
    let total_types = kernel.totals.iter().map(|total| &total.rust);
    let list_parts: Vec<Ident> = lists.iter().map(|list| format_ident!("__{list}")).collect();
    let joined = kernel.totals.iter().zip(&total_parts).map(|(total, part)| {
        let ident = &total.ident;
        let combined = total.rust_combined(&quote! { *#ident }, &quote! { #part });
        quote! { *#ident = #combined; }
    });
    quote! {
        impl #ident {
            /// The same on all cores. Integers and lists are those of the plain loops; sums of floats are made by chunk, the
            /// same on any number of cores.
            #[allow(unused, unused_mut, unused_parens, clippy::all)]
            #visibility fn par(#inputs) {
                // A function, so that the compiler knows that slices do not overlap.
                fn __chunk(
                    __rows: ::core::ops::Range<u32>,
                    #(#firsts: usize,)*
                    #(#lens: usize,)*
                    #inputs
                ) {
                    #(#lets)*
                    for #index in __rows #body
                }
                #(#before)*
                if !(true #(#apart)*) {
                    return #ident(#(#names),*);
                }
                let __chunks = ::kernels::kernel::chunks((#start)..(#end));
                #(#split)*
                let __parts: ::std::vec::Vec<_> = __chunks.iter().cloned() #(#zips)* .collect();
                let __results = ::kernels::kernel::run(__parts, |#pattern| {
                    #(let mut #total_parts: #total_types = #identities;)*
                    #(let mut #list_parts = #lists.part();)*
                    {
                        #(let #totals = &mut #total_parts;)*
                        #(let #lists = &mut #list_parts;)*
                        __chunk(__rows, #(#firsts,)* #(#lens,)* #(#names),*);
                    }
                    (#(#total_parts,)* #(#list_parts,)*)
                });
                for (#(#total_parts,)* #(#list_parts,)*) in __results {
                    #(#joined)*
                    #(#lists.extend(#list_parts);)*
                }
            }
        }
    }
}

/// The body of an item as plain Rust, in which what is written is a part that begins at `__NAME_first`.
fn rebased(kernel: &Kernel) -> syn::Block {
    struct Rebase<'s>(&'s Kernel);
    impl Rebase<'_> {
        fn written(&self, expr: &Expr) -> Option<Ident> {
            let slice = name(expr)?;
            let found = self.0.parameters.iter().any(|p| p.ident == *slice && p.kind == Kind::Written);
            found.then(|| slice.clone())
        }
    }
    impl VisitMut for Rebase<'_> {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            match expr {
                Expr::Index(index) => {
                    if let Some(slice) = self.written(&index.expr) {
                        let (first, place) = (format_ident!("__{slice}_first"), &index.index);
                        *index.index = syn::parse_quote! { (#place).wrapping_sub(#first) };
                        return;
                    }
                }
                Expr::MethodCall(call) if call.method == "len" => {
                    if let Some(slice) = self.written(&call.receiver) {
                        let len = format_ident!("__{slice}_len");
                        *expr = syn::parse_quote! { #len };
                        return;
                    }
                }
                _ => {}
            }
            visit_mut::visit_expr_mut(self, expr);
        }
    }
    let mut function = kernel.item.clone();
    *function.block = kernel.space.body.clone();
    let mut body = *super::without_annotations(&function).block;
    Rebase(kernel).visit_block_mut(&mut body);
    body
}
