//! What does the runtime have to know of a kernel? Its variables in WGSL, and how its arguments become buffers and bytes.

use super::{
    Kernel,
    body::TranslatedBody,
    parameters::{Kind, Parameter},
    reduction::{Operation, Reduction},
};
use crate::names::wgsl_name;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Error, Expr, Ident, Result, spanned::Spanned};

/// The implementation of `LoopKernel`.
pub fn implementation(kernel: &Kernel, body: &TranslatedBody) -> Result<TokenStream> {
    check_count(kernel)?;
    let ident = &kernel.item.sig.ident;
    let names: Vec<&Ident> = kernel.parameters.iter().map(|p| &p.ident).collect();
    let description = description(kernel, body);
    let device_types = kernel.parameters.iter().map(|parameter| {
        let rust = &parameter.rust;
        match parameter.kind {
            Kind::Scalar | Kind::Struct => quote! { #rust },
            Kind::Count => quote! { ::kernels::Count<'a> },
            Kind::Read | Kind::Written | Kind::Reduction => quote! { ::kernels::GpuSlice<'a, #rust> },
            Kind::List => quote! { ::kernels::kernel::GpuList<'a, #rust> },
        }
    });
    let host_types = kernel.parameters.iter().map(|parameter| {
        let rust = &parameter.rust;
        match parameter.kind {
            Kind::Scalar | Kind::Struct | Kind::Count => quote! { #rust },
            Kind::Read => quote! { &'a [#rust] },
            Kind::Written => quote! { &'a mut [#rust] },
            Kind::Reduction => quote! { &'a mut #rust },
            Kind::List => quote! { &'a mut ::kernels::kernel::List<#rust> },
        }
    });
    let mirrored_types = kernel.parameters.iter().map(|parameter| {
        let rust = &parameter.rust;
        match parameter.kind {
            Kind::Scalar | Kind::Struct | Kind::Count => quote! { #rust },
            Kind::Read => quote! { &'a ::kernels::DualBuffer<#rust> },
            Kind::Written | Kind::Reduction => quote! { &'a mut ::kernels::DualBuffer<#rust> },
            Kind::List => quote! { &'a mut ::kernels::DualBufferList<#rust> },
        }
    });
    let on_host = kernel.parameters.iter().map(|parameter| {
        let name = &parameter.ident;
        match parameter.kind {
            Kind::Scalar | Kind::Struct | Kind::Count => quote! { #name },
            Kind::Read => quote! { #name.host()? },
            Kind::Written => quote! { #name.host_mut(..)? },
            Kind::Reduction => quote! { #name.host_first_mut()? },
            Kind::List => quote! { #name.host_mut()? },
        }
    });
    let on_device = kernel.parameters.iter().map(|parameter| {
        let name = &parameter.ident;
        match parameter.kind {
            Kind::Scalar | Kind::Struct => quote! { #name },
            Kind::Count => quote! { ::kernels::Count::Fixed(#name) },
            Kind::Read => quote! { #name.device()? },
            Kind::Written => quote! { #name.device_mut(..)? },
            Kind::Reduction => quote! { #name.device_first_mut()? },
            Kind::List => quote! { #name.device_mut()? },
        }
    });
    let arguments = arguments(kernel);
    Ok(quote! {
        impl ::kernels::kernel::LoopKernel for #ident {
            const DESCRIPTION: &'static ::kernels::kernel::Description = &#description;
            const WGSL: &'static str = <#ident>::WGSL;
            type Host<'a> = (#(#host_types,)*);
            fn serial((#(#names,)*): Self::Host<'_>) {
                #ident(#(#names),*)
            }
            fn parallel((#(#names,)*): Self::Host<'_>) {
                <#ident>::par(#(#names),*)
            }
            ::kernels::kernel_on_device! {
                type Device<'a> = (#(#device_types,)*);
                type DualBuffers<'a> = (#(#mirrored_types,)*);
                #arguments
                fn on_host<'a>(
                    (#(#names,)*): Self::DualBuffers<'a>,
                ) -> ::core::result::Result<Self::Host<'a>, ::kernels::DualBufferError> {
                    ::core::result::Result::Ok((#(#on_host,)*))
                }
                fn on_device<'a>(
                    (#(#names,)*): Self::DualBuffers<'a>,
                ) -> ::core::result::Result<Self::Device<'a>, ::kernels::DualBufferError> {
                    ::core::result::Result::Ok((#(#on_device,)*))
                }
            }
        }
    })
}

/// Elements lie as far apart in Rust as in WGSL, or rustc refuses their type.
pub fn check_elements(kernel: &Kernel) -> TokenStream {
    let elements = kernel.parameters.iter().filter(|p| p.is_slice() || p.kind == Kind::List);
    let checks = elements.map(|Parameter { rust, .. }| {
        quote_spanned! { rust.span() =>
            const _: ::kernels::device::Layout =
                ::kernels::device::array_layout(<#rust as ::kernels::device::DeviceType>::LAYOUT, 1);
        }
    });
    checks.collect()
}

/// A count is the end of the only loop: the device launches as many workgroups as it wants.
fn check_count(kernel: &Kernel) -> Result<()> {
    let Some(count) = kernel.parameters.iter().find(|p| p.kind == Kind::Count) else { return Ok(()) };
    const END: &str = "a `#[count]` is the end of the only loop: `for i in 0..n`";
    let [only] = kernel.space.loops.as_slice() else {
        return Err(Error::new(count.ident.span(), END));
    };
    let is_zero =
        matches!(&only.start, Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) if int.base10_digits() == "0");
    if !is_zero || super::index_space::name(&only.end) != Some(&count.ident) {
        return Err(Error::new(only.end.span(), END));
    }
    Ok(())
}

/// The constant `DESCRIPTION`.
fn description(kernel: &Kernel, body: &TranslatedBody) -> TokenStream {
    let name = wgsl_name(&kernel.item.sig.ident);
    let bindings = bindings(kernel, body);
    let dimensions = kernel.space.loops.len() as u32;
    let option = |value: Option<TokenStream>| match value {
        Some(value) => quote! { ::core::option::Option::Some(#value) },
        None => quote! { ::core::option::Option::None },
    };
    let workgroup = option(kernel.annotations.workgroup.map(|[x, y, z]| quote! { [#x, #y, #z] }));
    let of_kind = |kind: Kind| kernel.parameters.iter().find(move |p| p.kind == kind);
    let list = option(of_kind(Kind::List).map(|list| {
        let (name, is_cleared) = (list.wgsl(), kernel.space.cleared.is_some());
        quote! { ::kernels::kernel::ListText { name: #name, is_cleared: #is_cleared } }
    }));
    let count = option(of_kind(Kind::Count).map(|count| {
        let name = count.wgsl();
        quote! { #name }
    }));
    let totals = kernel.totals.iter().map(total);
    let is_tiled = !body.tiles.is_empty();
    let strides = kernel.parameters.iter().filter(|p| !p.is_value()).map(|parameter| {
        let (rust, wgsl) = (&parameter.rust, parameter.ty.to_string());
        let name = match parameter.kind {
            Kind::Reduction => format!("{}_out", parameter.wgsl()),
            _ => parameter.wgsl(),
        };
        quote! { (#name, #wgsl, ::core::mem::size_of::<#rust>()) }
    });
    quote! {
        ::kernels::kernel::Description {
            name: #name,
            dimensions: #dimensions,
            workgroup: #workgroup,
            bindings: #bindings,
            totals: &[#(#totals),*],
            list: #list,
            count: #count,
            is_tiled: #is_tiled,
            strides: &[#(#strides),*],
        }
    }
}

fn total(total: &Reduction) -> TokenStream {
    let (name, ty, rust) = (&total.wgsl, total.ty.to_string(), &total.rust);
    let (combined, subgroup) = (total.wgsl_combined(), total.subgroup());
    let identity = total.wgsl_identity().unwrap_or_else(|| format!("{name}_start()"));
    let has_start = total.start.is_some();
    let is_function = matches!(total.operation, Operation::Function(_));
    let declaration = if is_function && matches!(total.ty, crate::types::Ty::Struct(_)) {
        quote! { <#rust as ::kernels::device::DeviceType>::DECLARATION }
    } else {
        quote! { "" }
    };
    quote! {
        ::kernels::kernel::ReductionText {
            name: #name,
            ty: #ty,
            declaration: #declaration,
            bytes: ::core::mem::size_of::<#rust>(),
            identity: #identity,
            combined: #combined,
            subgroup: #subgroup,
            has_start: #has_start,
        }
    }
}

/// The variables that the body names.
fn bindings(kernel: &Kernel, body: &TranslatedBody) -> String {
    let mut fields = "    space: KernelSpace,\n".to_owned();
    let mut variables = String::new();
    let mut binding = 0;
    let mut variable = |access: &str, name: &str, ty: &str| {
        binding += 1;
        variables.push_str(&format!("@group(0) @binding({binding}) var<{access}> {name}: {ty};\n"));
    };
    let mut functions = String::new();
    for parameter in &kernel.parameters {
        let (name, ty) = (parameter.wgsl(), &parameter.ty);
        match parameter.kind {
            Kind::Scalar => fields.push_str(&format!("    {name}: {ty},\n")),
            Kind::Struct => variable("uniform", &name, &ty.to_string()),
            Kind::Count => {
                fields.push_str(&format!("    {name}_index: u32,\n    {name}_capacity: u32,\n"));
                variable("storage, read", &format!("{name}_count"), "array<u32>");
                functions.push_str(&format!(
                    "fn {name}_now() -> u32 {{\n    return min({name}_count[arguments.{name}_index], \
                     arguments.{name}_capacity);\n}}\n"
                ));
            }
            Kind::Read | Kind::Written => {
                fields.push_str(&format!("    {name}_len: u32,\n"));
                let access = if parameter.kind == Kind::Read { "storage, read" } else { "storage, read_write" };
                variable(access, &name, &format!("array<{ty}>"));
            }
            Kind::Reduction => {
                variable("storage, read_write", &format!("{name}_parts"), &format!("array<{ty}>"));
                variable("storage, read_write", &format!("{name}_out"), &format!("array<{ty}>"));
                functions.push_str(&format!("var<private> {name}: {ty};\n"));
            }
            Kind::List => {
                fields.push_str(&format!("    {name}_room: u32,\n"));
                variable("storage, read_write", &name, &format!("array<{ty}>"));
                variable("storage, read_write", &format!("{name}_counter"), "array<atomic<u32>, 2>");
                functions.push_str(&format!(
                    "fn {name}_push(value: {ty}) {{\n    let place = append_place(true, arguments.{name}_room);\n    \
                     if place != APPEND_NONE {{\n        {name}[place] = value;\n    }}\n}}\n"
                ));
            }
        }
    }
    for tile in &body.tiles {
        functions.push_str(&format!("var<workgroup> {}: {};\n", tile.wgsl, tile.ty));
    }
    let starts = &body.starts;
    format!(
        "struct KernelSpace {{\n    first: vec3u,\n    columns: u32,\n    end: vec3u,\n    rows: u32,\n}}\n\n\
         struct KernelArguments {{\n{fields}}}\n\n@group(0) @binding(0) var<uniform> arguments: KernelArguments;\n{variables}\n{functions}{starts}"
    )
}

/// `fn arguments`: the space and the arguments, in the order of the fields.
fn arguments(kernel: &Kernel) -> TokenStream {
    let names = kernel.parameters.iter().map(|p| &p.ident);
    // Values as the loops and rows name them: a slice is its length.
    let known = kernel.parameters.iter().filter_map(|Parameter { ident, kind, .. }| match kind {
        Kind::Read | Kind::Written => Some(quote! { let #ident = ::kernels::kernel::Length::of(&#ident); }),
        Kind::Count => Some(quote! { let #ident = #ident.capacity(); }),
        _ => None,
    });
    let lets = &kernel.space.lets;
    let starts: Vec<&Expr> = kernel.space.loops.iter().map(|l| &l.start).collect();
    let ends: Vec<&Expr> = kernel.space.loops.iter().map(|l| &l.end).collect();
    let written: Vec<&Parameter> = kernel.parameters.iter().filter(|p| p.kind == Kind::Written).collect();
    let strides = written.iter().map(|parameter| {
        let strides = &kernel.strides[&parameter.ident.to_string()];
        quote! { ::std::vec![#(#strides),*] }
    });
    let extents: Vec<Ident> = written.iter().map(|p| quote::format_ident!("__{}_rows", p.ident)).collect();
    let given = kernel.parameters.iter().map(|parameter| {
        let (ident, name) = (&parameter.ident, parameter.wgsl());
        match parameter.kind {
            Kind::Scalar => quote! { into.value(#ident); },
            Kind::Struct => quote! { into.structure(#name, #ident); },
            Kind::Count => quote! { into.count(#name, #ident)?; },
            Kind::Read => quote! { into.read(#name, #ident)?; },
            Kind::Written => {
                let rows = quote::format_ident!("__{}_rows", ident);
                quote! { into.written(#name, #ident, &#rows)?; }
            }
            Kind::Reduction => quote! { into.total(#name, #ident)?; },
            Kind::List => quote! { into.list(#name, #ident)?; },
        }
    });
    let rows_type = extents.iter().map(|_| quote! { ::std::vec::Vec<u32> });
    quote! {
        #[allow(unused, clippy::all)]
        fn arguments<'a>(
            (#(#names,)*): Self::Device<'a>,
            into: &mut ::kernels::kernel::Arguments<'a>,
        ) -> ::core::result::Result<(), ::kernels::KernelError> {
            let (__starts, __ends, (#(#extents,)*)): (::std::vec::Vec<u32>, ::std::vec::Vec<u32>, (#(#rows_type,)*)) = {
                #(#known)*
                #(#lets)*
                (::std::vec![#(#starts),*], ::std::vec![#(#ends),*], (#(#strides,)*))
            };
            into.space(&__starts, &__ends)?;
            #(#given)*
            ::core::result::Result::Ok(())
        }
    }
}
