//! How is a variable reduced into? By one statement that combines it with the value of an item.

use super::{
    index_space::{IndexSpace, dereferenced, name},
    parameters::{Kind, Parameter},
};
use crate::{
    literal::float_text,
    names::wgsl_name,
    types::{Scalar, Ty},
};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    BinOp, Error, Expr, ExprAssign, ExprBinary, Ident, Path, Result,
    spanned::Spanned,
    visit::{self, Visit},
};

/// What combines two values.
#[derive(Clone)]
pub enum Operation {
    /// `+=` and `wrapping_add`: the latter in Rust alone.
    Add {
        wrapping: bool,
    },
    Min,
    Max,
    And,
    Or,
    Xor,
    /// A device function of two values.
    Function(Path),
}

/// A variable that items are reduced into.
#[derive(Clone)]
pub struct Reduction {
    pub ident: Ident,
    /// The WGSL name of the variable.
    pub wgsl: String,
    pub ty: Ty,
    pub rust: syn::Type,
    pub operation: Operation,
    /// What it begins with, where the kernel says so.
    pub start: Option<Expr>,
}

impl Operation {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Function(a), Self::Function(b)) => {
                a.to_token_stream().to_string() == b.to_token_stream().to_string()
            }
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl Reduction {
    /// `a` and `b` combined, in Rust.
    pub fn rust_combined(&self, a: &TokenStream, b: &TokenStream) -> TokenStream {
        match &self.operation {
            Operation::Add { wrapping: true } => quote! { (#a).wrapping_add(#b) },
            Operation::Add { wrapping: false } => quote! { (#a) + (#b) },
            Operation::Min => quote! { (#a).min(#b) },
            Operation::Max => quote! { (#a).max(#b) },
            Operation::And => quote! { (#a) & (#b) },
            Operation::Or => quote! { (#a) | (#b) },
            Operation::Xor => quote! { (#a) ^ (#b) },
            Operation::Function(path) => quote! { #path(#a, #b) },
        }
    }

    /// The value that changes nothing, in Rust.
    pub fn rust_identity(&self) -> TokenStream {
        let (ty, start) = (&self.rust, &self.start);
        match &self.operation {
            Operation::Add { .. } | Operation::Or | Operation::Xor => {
                quote! { <#ty as ::core::default::Default>::default() }
            }
            Operation::And => quote! { !<#ty as ::core::default::Default>::default() },
            Operation::Min => quote! { <::kernels::Min<#ty> as ::kernels::Operator>::identity() },
            Operation::Max => quote! { <::kernels::Max<#ty> as ::kernels::Operator>::identity() },
            Operation::Function(_) => quote! { #start },
        }
    }

    /// `a` and `b` combined, in WGSL.
    pub fn wgsl_combined(&self) -> String {
        match &self.operation {
            // The body of the kernel has these functions, as it combines too.
            Operation::Add { .. } if self.ty == Ty::U64 => "u64_add(a, b)".to_owned(),
            Operation::Min if self.ty == Ty::U64 => "u64_min(a, b)".to_owned(),
            Operation::Max if self.ty == Ty::U64 => "u64_max(a, b)".to_owned(),
            Operation::Add { .. } => "a + b".to_owned(),
            Operation::Min => "min(a, b)".to_owned(),
            Operation::Max => "max(a, b)".to_owned(),
            Operation::And => "a & b".to_owned(),
            Operation::Or => "a | b".to_owned(),
            Operation::Xor => "a ^ b".to_owned(),
            Operation::Function(path) => {
                let name = path.segments.last().map(|segment| wgsl_name(&segment.ident)).unwrap_or_default();
                format!("{name}(a, b)")
            }
        }
    }

    /// The value that changes nothing, in WGSL; `None` where it is what the kernel begins with.
    pub fn wgsl_identity(&self) -> Option<String> {
        Some(match (&self.operation, &self.ty) {
            (Operation::Add { .. } | Operation::Or | Operation::Xor, ty) => format!("{ty}()"),
            (Operation::And, ty) => format!("~{ty}()"),
            (Operation::Min, Ty::Scalar(Scalar::U64)) => "vec2u(0xffffffffu, 0xffffffffu)".to_owned(),
            (Operation::Max, Ty::Scalar(Scalar::U64)) => "vec2u(0u, 0u)".to_owned(),
            (Operation::Min, Ty::Scalar(Scalar::U32)) => "0xffffffffu".to_owned(),
            (Operation::Max, Ty::Scalar(Scalar::U32)) => "0u".to_owned(),
            (Operation::Min, Ty::Scalar(Scalar::I32)) => "2147483647i".to_owned(),
            (Operation::Max, Ty::Scalar(Scalar::I32)) => "i32(-2147483648)".to_owned(),
            (Operation::Min, _) => float_text(f32::MAX),
            (Operation::Max, _) => float_text(f32::MIN),
            (Operation::Function(_), _) => return None,
        })
    }

    /// The function of WGSL that combines the values of a subgroup, where there is one.
    pub fn subgroup(&self) -> &'static str {
        match &self.operation {
            // Words of 64 bits depend on each other: they are exchanged and combined as by a function.
            Operation::Add { .. } | Operation::Min | Operation::Max if self.ty == Ty::U64 => "",
            Operation::Add { .. } => "subgroupAdd",
            Operation::Min => "subgroupMin",
            Operation::Max => "subgroupMax",
            Operation::And => "subgroupAnd",
            Operation::Or => "subgroupOr",
            Operation::Xor => "subgroupXor",
            Operation::Function(_) => "",
        }
    }
}

/// The totals of a kernel, each with the one operation that its statements have.
pub fn parse(space: &IndexSpace, parameters: &[Parameter]) -> Result<Vec<Reduction>> {
    let wanted: Vec<&Parameter> = parameters.iter().filter(|parameter| parameter.kind == Kind::Reduction).collect();
    let mut visitor = Updates { wanted: &wanted, found: Vec::new(), error: None };
    visitor.visit_block(&space.body);
    if let Some(error) = visitor.error {
        return Err(error);
    }
    let mut totals = Vec::new();
    for parameter in &wanted {
        let ident = &parameter.ident;
        let mut operations = visitor.found.iter().filter(|(name, _)| name == ident).map(|(_, operation)| operation);
        let Some(operation) = operations.next() else {
            return Err(Error::new(ident.span(), how(ident)));
        };
        if operations.any(|other| !other.same(operation)) {
            return Err(Error::new(ident.span(), "a total has one operation: take a total for each"));
        }
        let start = space.starts.iter().find(|(name, _)| name == ident).map(|(_, start)| start.clone());
        let scalar = matches!(parameter.ty, Ty::Scalar(_));
        match operation {
            Operation::Function(path) if start.is_none() => {
                let why =
                    format!("write `*{ident} = VALUE;` before the loops: the value that this function does not change");
                return Err(Error::new(path.span(), why));
            }
            Operation::Min | Operation::Max if !scalar => {
                return Err(Error::new(ident.span(), "`min` and `max` are of scalars: write a device function of two"));
            }
            _ => {}
        }
        totals.push(Reduction {
            ident: ident.clone(),
            wgsl: parameter.wgsl(),
            ty: parameter.ty.clone(),
            rust: parameter.rust.clone(),
            operation: operation.clone(),
            start,
        });
    }
    Ok(totals)
}

fn how(ident: &Ident) -> String {
    format!(
        "items are reduced into it by `*{ident} += x`, `*{ident} = {ident}.wrapping_add(x)`, `.min(x)`, `.max(x)`, `*{ident} |= x` or \
         `*{ident} = f(*{ident}, x)`, and it is not used otherwise"
    )
}

struct Updates<'s> {
    wanted: &'s [&'s Parameter],
    found: Vec<(Ident, Operation)>,
    error: Option<Error>,
}

impl Updates<'_> {
    fn total(&self, expr: &Expr) -> Option<Ident> {
        let ident = dereferenced(expr).or_else(|| name(expr))?;
        self.wanted.iter().any(|p| p.ident == *ident).then(|| ident.clone())
    }
}

impl<'a> Visit<'a> for Updates<'_> {
    fn visit_expr_assign(&mut self, assign: &'a ExprAssign) {
        let Some(ident) = dereferenced(&assign.left).and_then(|_| self.total(&assign.left)) else {
            return visit::visit_expr_assign(self, assign);
        };
        let is_self = |this: &Self, expr: &Expr| this.total(expr).as_ref() == Some(&ident);
        let (operation, values): (Operation, Vec<&'a Expr>) = match &*assign.right {
            Expr::MethodCall(call) if is_self(self, &call.receiver) && call.args.len() == 1 => {
                let operation = match call.method.to_string().as_str() {
                    "wrapping_add" => Operation::Add { wrapping: true },
                    "min" => Operation::Min,
                    "max" => Operation::Max,
                    _ => {
                        self.error.get_or_insert(Error::new(call.method.span(), how(&ident)));
                        return;
                    }
                };
                (operation, call.args.iter().collect())
            }
            Expr::Call(call) if call.args.len() == 2 && call.args.first().is_some_and(|a| is_self(self, a)) => {
                match &*call.func {
                    Expr::Path(path) => (Operation::Function(path.path.clone()), call.args.iter().skip(1).collect()),
                    other => {
                        self.error.get_or_insert(Error::new(other.span(), how(&ident)));
                        return;
                    }
                }
            }
            other => {
                self.error.get_or_insert(Error::new(other.span(), how(&ident)));
                return;
            }
        };
        values.into_iter().for_each(|value| self.visit_expr(value));
        self.found.push((ident, operation));
    }

    fn visit_expr_binary(&mut self, binary: &'a ExprBinary) {
        let operation = match binary.op {
            BinOp::AddAssign(_) => Operation::Add { wrapping: false },
            BinOp::BitAndAssign(_) => Operation::And,
            BinOp::BitOrAssign(_) => Operation::Or,
            BinOp::BitXorAssign(_) => Operation::Xor,
            _ => return visit::visit_expr_binary(self, binary),
        };
        match dereferenced(&binary.left).and_then(|_| self.total(&binary.left)) {
            Some(ident) => {
                self.visit_expr(&binary.right);
                self.found.push((ident, operation));
            }
            None => visit::visit_expr_binary(self, binary),
        }
    }

    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        if let Some(ident) = path.path.get_ident()
            && self.wanted.iter().any(|p| p.ident == *ident)
        {
            self.error.get_or_insert(Error::new(ident.span(), how(ident)));
        }
    }
}
