//! What does a kernel take? Values, a count, slices that are read or written, variables that are reduced into, a list.

use crate::{
    names::wgsl_name,
    types::{self, Ty},
};
use syn::{Error, FnArg, Ident, Pat, PatType, Path, Result, Signature, Type, spanned::Spanned};

/// What a parameter stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A scalar or a vector, among the arguments.
    Scalar,
    /// A device struct, a uniform of its own.
    Struct,
    /// `#[count] n: u32`: a number that the device may know alone.
    Count,
    /// `&[T]`
    Read,
    /// `&mut [T]`
    Written,
    /// `&mut T`: a variable that all items are reduced into.
    Reduction,
    /// `&mut List<T>`
    List,
}

/// A parameter of a kernel.
#[derive(Clone)]
pub struct Parameter {
    pub ident: Ident,
    pub kind: Kind,
    /// The WGSL type of the value, or of an element.
    pub ty: Ty,
    /// The same in Rust.
    pub rust: Type,
}

impl Parameter {
    /// The WGSL name of the variable: not one of those that the runtime gives to its own.
    pub fn wgsl(&self) -> String {
        let name = wgsl_name(&self.ident);
        let taken = ["arguments", "space", "inside", "local", "rank", "lane"];
        if taken.contains(&name.as_str()) { format!("{name}_") } else { name }
    }

    pub fn is_slice(&self) -> bool {
        matches!(self.kind, Kind::Read | Kind::Written)
    }

    /// Whether its value is the same for all items, and known before any is looked at.
    pub fn is_value(&self) -> bool {
        matches!(self.kind, Kind::Scalar | Kind::Struct | Kind::Count)
    }
}

/// The parameters of a kernel; device structs that they name are added to `needs`.
pub fn parse(signature: &Signature, needs: &mut Vec<Path>) -> Result<Vec<Parameter>> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for argument in &signature.inputs {
        let FnArg::Typed(argument) = argument else {
            return Err(Error::new(argument.span(), "a kernel has no `self`: pass slices and values as arguments"));
        };
        let parameter = parameter(argument, needs)?;
        if parameter.ident == signature.ident {
            return Err(Error::new(parameter.ident.span(), "this is the name of the kernel: take another"));
        }
        let is_second_list = parameter.kind == Kind::List && parameters.iter().any(|other| other.kind == Kind::List);
        if is_second_list {
            return Err(Error::new(argument.span(), "a kernel has one list: make the items structs, or two kernels"));
        }
        let is_second_count = parameter.kind == Kind::Count && parameters.iter().any(|other| other.kind == Kind::Count);
        if is_second_count {
            return Err(Error::new(argument.span(), "a kernel has one `#[count]`"));
        }
        parameters.push(parameter);
    }
    if parameters.iter().all(|parameter| parameter.is_value() || parameter.kind == Kind::Read) {
        let why = "a kernel without an effect: write into a `&mut [T]`, a `&mut T` or a `&mut List<T>`";
        return Err(Error::new(signature.span(), why));
    }
    Ok(parameters)
}

fn parameter(argument: &PatType, needs: &mut Vec<Path>) -> Result<Parameter> {
    let ident = match &*argument.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() && pat.mutability.is_none() => {
            pat.ident.clone()
        }
        other => return Err(Error::new(other.span(), "a parameter of a kernel is a name that does not change")),
    };
    let is_count = argument.attrs.iter().any(|attribute| attribute.path().is_ident("count"));
    if let Some(other) = argument.attrs.iter().find(|attribute| !attribute.path().is_ident("count")) {
        return Err(Error::new(other.span(), "of attributes, a parameter of a kernel has `#[count]`"));
    }
    let (kind, ty, rust) = match &*argument.ty {
        Type::Reference(reference) => match (&*reference.elem, reference.mutability.is_some()) {
            (Type::Slice(slice), false) => (Kind::Read, types::parse(&slice.elem, needs)?, (*slice.elem).clone()),
            (Type::Slice(slice), true) => (Kind::Written, types::parse(&slice.elem, needs)?, (*slice.elem).clone()),
            (ty, true) => match list_item(ty) {
                Some(item) => (Kind::List, types::parse(item, needs)?, item.clone()),
                None => (Kind::Reduction, types::parse(ty, needs)?, ty.clone()),
            },
            (ty, false) => {
                return Err(Error::new(ty.span(), "pass it by value, or a slice of them: `&[T]`"));
            }
        },
        Type::Path(path) if path.path.segments.last().is_some_and(|segment| segment.ident == "Vec") => {
            return Err(Error::new(path.span(), "a kernel takes slices: `&[T]`, or `&mut [T]` to write"));
        }
        ty => {
            let parsed = types::parse(ty, needs)?;
            let kind = if matches!(parsed, Ty::Struct(_)) { Kind::Struct } else { Kind::Scalar };
            (kind, parsed, ty.clone())
        }
    };
    if ty.scalar() == Some(types::Scalar::Bool) {
        return Err(Error::new(
            argument.ty.span(),
            "buffers and uniforms hold no `bool`: use a `u32`, and test `!= 0`",
        ));
    }
    if matches!(ty, Ty::Array(..)) {
        let why = "arrays have other layouts in WGSL: pass a slice, a vector or a device struct";
        return Err(Error::new(argument.ty.span(), why));
    }
    if is_count && (kind != Kind::Scalar || ty != Ty::U32) {
        return Err(Error::new(argument.ty.span(), "a `#[count]` is a `u32`"));
    }
    Ok(Parameter { ident, kind: if is_count { Kind::Count } else { kind }, ty, rust })
}

/// The `T` of `List<T>`.
fn list_item(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last().filter(|segment| segment.ident == "List")?;
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(item) => Some(item),
        _ => None,
    }
}
