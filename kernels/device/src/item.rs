//! What is generated beside each kind of item: a function, a struct, a constant, an implementation of a primitive's trait.

use crate::{
    function::{self, Translated, Translator, documentation},
    names::wgsl_name,
    types,
};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::BTreeSet;
use syn::{
    Attribute, Error, Expr, ExprLit, Fields, FnArg, Ident, ImplItem, Item, ItemConst, ItemFn, ItemImpl, ItemStruct,
    Lit, LitStr, MetaNameValue, Path, Result, ReturnType, Stmt, Type, spanned::Spanned,
};

/// The item as it is, and its WGSL or the error beside it.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let generated =
        refuse_cfg(&item, true).and_then(|()| generate(&syn::parse2(item.clone())?, given_name(arguments)?.as_ref()));
    generated.unwrap_or_else(|error| {
        // The item stays, so that its users do not fail too.
        let error = error.into_compile_error();
        quote! { #item #error }
    })
}

/// Conditions inside an item are not resolved yet when the macro sees it: the WGSL would have both sides.
pub fn refuse_cfg(tokens: &TokenStream, is_outside: bool) -> Result<()> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (index, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let is_attribute = index > 0 && matches!(&trees[index - 1], TokenTree::Punct(punct) if punct.as_char() == '#');
        match group.stream().into_iter().next() {
            Some(TokenTree::Ident(ident)) if is_attribute && !is_outside && (ident == "cfg" || ident == "cfg_attr") => {
                return Err(Error::new(
                    ident.span(),
                    "a condition inside a device item: put it before two whole items",
                ));
            }
            _ => refuse_cfg(&group.stream(), false)?,
        }
    }
    Ok(())
}

/// The WGSL name of a struct whose Rust name is another: `name = "LbvhHit"`.
fn given_name(arguments: TokenStream) -> Result<Option<LitStr>> {
    if arguments.is_empty() {
        return Ok(None);
    }
    let named = syn::parse2::<MetaNameValue>(arguments.clone()).ok().filter(|named| named.path.is_ident("name"));
    match named.map(|named| named.value) {
        Some(Expr::Lit(ExprLit { lit: Lit::Str(name), .. })) => Ok(Some(name)),
        _ => Err(Error::new(
            arguments.span(),
            "`#[device]` takes no arguments but the name of a struct, `name = \"Hit\"`",
        )),
    }
}

fn generate(item: &Item, name: Option<&LitStr>) -> Result<TokenStream> {
    if let (Some(name), false) = (name, matches!(item, Item::Struct(_))) {
        return Err(Error::new(name.span(), "only structs have another name in WGSL"));
    }
    match item {
        Item::Fn(function) => device_function(function),
        Item::Struct(structure) => device_struct(structure, name),
        Item::Const(constant) => device_constant(constant),
        Item::Impl(implementation) => primitive(implementation),
        other => Err(Error::new(
            other.span(),
            "`#[device]` stands before a function, a struct, a constant, or an implementation of a trait of `kernels`",
        )),
    }
}

fn device_function(item: &ItemFn) -> Result<TokenStream> {
    let (ident, visibility) = (&item.sig.ident, &item.vis);
    let name = wgsl_name(ident);
    let translated = function::translate(&item.sig, &item.attrs, &item.block, &name)?;
    let companion = companion(ident, visibility, &item_tokens(ident, &translated), &format!("[`{ident}()`]"));
    let checks = rust_checks(&translated);
    let types: Vec<&Type> = item.sig.inputs.iter().filter_map(argument_type).collect();
    let values: Vec<Ident> =
        (0..types.len()).map(|i| Ident::new(&format!("argument_{i}"), Span::call_site())).collect();
    let ReturnType::Type(_, output) = &item.sig.output else { unreachable!("translated functions have a type") };
    Ok(quote! {
        #item
        #companion
        impl ::kernels::device::DeviceFunction for #ident {
            type Arguments = (#(#types,)*);
            type Output = #output;
            const NAME: &'static str = #name;
            const WGSL: &'static str = <#ident>::WGSL;
            #[inline]
            fn call((#(#values,)*): Self::Arguments) -> Self::Output {
                #ident(#(#values),*)
            }
        }
        #checks
    })
}

fn device_constant(item: &ItemConst) -> Result<TokenStream> {
    let (ident, visibility) = (&item.ident, &item.vis);
    let mut translator = Translator::new("");
    let ty = types::parse(&item.ty, &mut translator.needs)?;
    let expr = &item.expr;
    let block = crate::u64_check::marked(&syn::parse_quote! { { #expr } });
    let [Stmt::Expr(marked, _)] = block.stmts.as_slice() else { unreachable!("an expression stays one") };
    let value = translator.expression(marked, &ty)?;
    let wgsl = format!("{}const {}: {ty} = {};\n", documentation(&item.attrs), wgsl_name(ident), value.text);
    let rust = &item.ty;
    let checks = crate::u64_check::checks(&syn::parse_quote! { fn value() -> #rust }, &block, &translator.hidden);
    let translated = Translated { wgsl, needs: translator.needs, constructed: translator.constructed, checks };
    let companion = companion(ident, visibility, &item_tokens(ident, &translated), &format!("[`{ident}`]"));
    let checks = rust_checks(&translated);
    Ok(quote! { #item #companion #checks })
}

fn device_struct(item: &ItemStruct, name: Option<&LitStr>) -> Result<TokenStream> {
    let (ident, visibility) = (&item.ident, &item.vis);
    if !item.generics.params.is_empty() {
        return Err(Error::new(item.generics.span(), "WGSL has no generic structs: write one for each type"));
    }
    if !is_repr_c(item) {
        return Err(Error::new(ident.span(), "add `#[repr(C)]`: Rust may reorder the fields, WGSL does not"));
    }
    let Fields::Named(fields) = &item.fields else {
        return Err(Error::new(item.fields.span(), "WGSL has no tuple structs: name the fields"));
    };
    let (mut needs, mut members, mut names, mut layouts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for field in &fields.named {
        let is_vector = field.attrs.iter().any(is_vector);
        let ty = if is_vector { types::vectors(&field.ty)? } else { types::parse(&field.ty, &mut needs)? };
        let name = field.ident.as_ref().expect("named fields have names");
        let comments = documentation(&field.attrs).lines().map(|line| format!("    {line}\n")).collect::<String>();
        members.push(format!("{comments}    {}: {ty},\n", wgsl_name(name)));
        names.push(name);
        layouts.push(if is_vector { vector_layout_of(&field.ty) } else { layout_of(&field.ty) });
    }
    if members.is_empty() {
        return Err(Error::new(ident.span(), "WGSL has no empty structs"));
    }
    let name = match name {
        Some(given) => wgsl_name(&given.parse()?),
        None => wgsl_name(ident),
    };
    let wgsl = format!("{}struct {name} {{\n{}}}\n", documentation(&item.attrs), members.concat());
    let translated = Translated { wgsl, needs, constructed: Vec::new(), checks: TokenStream::new() };
    let described = item_tokens(ident, &translated);
    let span = ident.span();
    let layout = quote_spanned! { span =>
        ::kernels::device::layout(
            ::core::mem::size_of::<#ident>(),
            &[#((
                ::core::mem::offset_of!(#ident, #names),
                #layouts,
            )),*],
        )
    };
    let mut plain = item.clone();
    plain.fields.iter_mut().for_each(|field| field.attrs.retain(|attribute| !is_vector(attribute)));
    Ok(quote! {
        #plain
        impl ::kernels::device::DeviceItem for #ident {
            const ITEM: &'static ::kernels::device::Item = &#described;
        }
        impl ::kernels::device::DeviceType for #ident {
            const NAME: &'static str = #name;
            const DECLARATION: &'static str =
                ::kernels::device_wgsl!(<#ident as ::kernels::device::DeviceItem>::ITEM);
            const LAYOUT: ::kernels::device::Layout = #layout;
        }
        impl #ident {
            /// The fields in order, as device functions name them.
            #[doc(hidden)]
            #[allow(dead_code)]
            #visibility const DEVICE_FIELDS: &'static [&'static str] = &[#(stringify!(#names)),*];
        }
        const _: ::kernels::device::Layout = <#ident as ::kernels::device::DeviceType>::LAYOUT;
    })
}

/// The layout of a field.
fn layout_of(ty: &Type) -> TokenStream {
    match ty {
        Type::Group(group) => layout_of(&group.elem),
        Type::Paren(paren) => layout_of(&paren.elem),
        Type::Array(array) => {
            let (element, length) = (layout_of(&array.elem), &array.len);
            quote_spanned! { array.span() => ::kernels::device::array_layout(#element, #length) }
        }
        ty => quote_spanned! { ty.span() => <#ty as ::kernels::device::DeviceType>::LAYOUT },
    }
}

/// Whether a field says that its arrays are vectors in WGSL.
fn is_vector(attribute: &Attribute) -> bool {
    attribute.path().is_ident("vector")
}

/// The layout of a field whose innermost arrays are vectors.
fn vector_layout_of(ty: &Type) -> TokenStream {
    match ty {
        Type::Array(array) if matches!(*array.elem, Type::Array(_)) => {
            let (element, length) = (vector_layout_of(&array.elem), &array.len);
            quote_spanned! { array.span() => ::kernels::device::array_layout(#element, #length) }
        }
        Type::Array(array) => {
            let length = &array.len;
            quote_spanned! { array.span() => ::kernels::device::vector_layout(#length) }
        }
        other => layout_of(other),
    }
}

/// An implementation of `Operator`, `Source`, `Predicate`, `Binning` or `RadixKey`: its functions are its WGSL.
fn primitive(item: &ItemImpl) -> Result<TokenStream> {
    let Some((_, path, _)) = &item.trait_ else {
        return Err(Error::new(
            item.self_ty.span(),
            "device functions stand outside of types: make them free functions",
        ));
    };
    let trait_name = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    let functions: &[(&str, &str)] = match trait_name.as_str() {
        "Operator" => &[("identity", "op_identity"), ("combine", "op_combine")],
        "Source" => &[("map", "source_map")],
        "Predicate" => &[("keep", "keep")],
        "Binning" => &[("bin", "bin_of")],
        "RadixKey" => &[("key_word", "key_word")],
        _ => {
            let why =
                "`#[device]` knows the traits `Operator`, `Source`, `Predicate`, `Binning` and `RadixKey` of `kernels`";
            return Err(Error::new(path.span(), why));
        }
    };
    if !item.generics.params.is_empty() {
        return Err(Error::new(item.generics.span(), "WGSL has no generic functions: implement it for each type"));
    }
    let owner: String = item.self_ty.to_token_stream().to_string().split_whitespace().collect();
    let (mut items, mut checks) = (Vec::new(), TokenStream::new());
    for member in &item.items {
        match member {
            ImplItem::Const(constant) if constant.ident == "WGSL" => {
                return Err(Error::new(constant.ident.span(), "`#[device]` writes this: leave it out"));
            }
            ImplItem::Fn(function) => {
                let rust = function.sig.ident.to_string();
                let Some((_, wgsl)) = functions.iter().find(|(name, _)| *name == rust) else {
                    return Err(Error::new(function.sig.ident.span(), format!("not a function of `{trait_name}`")));
                };
                let translated = function::translate(&function.sig, &function.attrs, &function.block, wgsl)?;
                checks.extend(rust_checks(&translated));
                let described = describe(&format!("{owner}::{rust}"), &translated);
                items.push(quote! { &#described });
            }
            _ => {}
        }
    }
    let mut with_wgsl = item.clone();
    if trait_name == "RadixKey" {
        words_to_bits(&mut with_wgsl);
    }
    with_wgsl.items.push(ImplItem::Verbatim(quote! {
        const WGSL: &'static str = ::kernels::device_wgsl!(#(#items),*);
    }));
    Ok(quote! { #with_wgsl #checks })
}

/// The trait asks for 64 bits, which WGSL does not have: the words that `key_word` gives, joined.
fn words_to_bits(item: &mut ItemImpl) {
    let (words, others): (Vec<ImplItem>, Vec<ImplItem>) =
        std::mem::take(&mut item.items).into_iter().partition(|member| matches!(member, ImplItem::Fn(_)));
    item.items = others;
    item.items.push(ImplItem::Verbatim(quote! {
        #[inline]
        fn to_bits(self) -> u64 {
            #(#words)*
            let low = u64::from(key_word(self, 0));
            if Self::BITS > 32 { u64::from(key_word(self, 1)) << 32 | low } else { low }
        }
    }));
}

/// A type of the item's name, which carries its WGSL. Types and functions do not share names in Rust.
pub fn companion(ident: &Ident, visibility: &syn::Visibility, described: &TokenStream, of: &str) -> TokenStream {
    let text = format!("{of} on a device.");
    quote! {
        // Its WGSL may be the item's only use.
        const _: () = { let _ = #ident; };
        #[doc = #text]
        #[allow(non_camel_case_types, dead_code)]
        #[derive(Clone, Copy, Debug)]
        #visibility struct #ident {}
        impl ::kernels::device::DeviceItem for #ident {
            const ITEM: &'static ::kernels::device::Item = &#described;
        }
        impl #ident {
            /// The WGSL, with all that it needs.
            #[allow(dead_code)]
            #visibility const WGSL: &'static str =
                ::kernels::device_wgsl!(<#ident as ::kernels::device::DeviceItem>::ITEM);
        }
    }
}

pub fn item_tokens(ident: &Ident, translated: &Translated) -> TokenStream {
    describe(&ident.to_string(), translated)
}

/// The `Item` of a translated one.
fn describe(name: &str, translated: &Translated) -> TokenStream {
    let wgsl = &translated.wgsl;
    let mut seen = BTreeSet::new();
    let needs = translated.needs.iter().filter(|path| seen.insert(path.to_token_stream().to_string()));
    let needs =
        needs.map(|path: &Path| quote_spanned! { path.span() => <#path as ::kernels::device::DeviceItem>::ITEM });
    quote! {
        ::kernels::device::Item {
            path: concat!(module_path!(), "::", #name),
            wgsl: #wgsl,
            needs: &[#(#needs),*],
        }
    }
}

/// What rustc has to check. WGSL constructs by position: each struct expression must name the fields in the order of the struct.
/// And by name: a struct that has another one in WGSL is called so in Rust too.
pub fn rust_checks(translated: &Translated) -> TokenStream {
    let hidden = &translated.checks;
    let checks = translated.constructed.iter().map(|(path, fields)| {
        let names = fields.iter().map(ToString::to_string);
        quote_spanned! { path.span() =>
            const _: () = ::kernels::device::same_order(<#path>::DEVICE_FIELDS, &[#(#names),*]);
        }
    });
    // By the case of its name, a type.
    let structs = translated.needs.iter().filter(|path| {
        let name = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
    });
    let names = structs.map(|path| {
        let name = wgsl_name(&path.segments.last().expect("has a name").ident);
        quote_spanned! { path.span() =>
            const _: () = ::kernels::device::same_name(<#path as ::kernels::device::DeviceType>::NAME, #name);
        }
    });
    checks.chain(names).chain([quote! { #hidden }]).collect()
}

fn argument_type(argument: &FnArg) -> Option<&Type> {
    match argument {
        FnArg::Typed(typed) => Some(&typed.ty),
        FnArg::Receiver(_) => None,
    }
}

fn is_repr_c(item: &ItemStruct) -> bool {
    let mut found = false;
    for attribute in item.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        // `align(N)` and the like are for the layout check to judge.
        let _ = attribute.parse_nested_meta(|meta| {
            found |= meta.path.is_ident("C");
            Ok(())
        });
    }
    found
}
