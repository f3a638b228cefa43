//! Which elements does an item own? Those at its own place: its index, or row by row in more dimensions. Items that write
//! nowhere else cannot meet, so that the loops may run in any order and at once.

use super::{
    index_space::{IndexSpace, let_name, name, names},
    parameters::{Kind, Parameter},
};
use crate::expression::{is_constant_like, plain};
use quote::ToTokens;
use std::collections::HashMap;
use syn::{
    BinOp, Error, Expr, Ident, Local, Result, Type,
    spanned::Spanned,
    visit::{self, Visit},
};

/// The strides of a written slice: of `(z * h + y) * w + x` they are h and w.
pub type Strides = Vec<Expr>;

/// Checks that slices which are written are read and written at the place of the item alone; returns the strides of each.
pub fn check(space: &IndexSpace, parameters: &[Parameter]) -> Result<HashMap<String, Strides>> {
    let mut visitor = ItemAccess { space, parameters, lets: Vec::new(), found: HashMap::new(), error: None };
    visitor.visit_block(&space.body);
    if let Some(error) = visitor.error {
        return Err(error);
    }
    let found = visitor.found;
    for parameter in parameters.iter().filter(|parameter| parameter.kind == Kind::Written) {
        if !found.contains_key(&parameter.ident.to_string()) {
            return Err(Error::new(parameter.ident.span(), "nothing is written here: take `&[T]`"));
        }
    }
    Ok(found)
}

struct ItemAccess<'s> {
    space: &'s IndexSpace,
    parameters: &'s [Parameter],
    /// `let`s of the body so far that do not change.
    lets: Vec<Local>,
    found: HashMap<String, Strides>,
    error: Option<Error>,
}

impl ItemAccess<'_> {
    fn fail(&mut self, at: &impl Spanned, why: String) {
        self.error.get_or_insert(Error::new(at.span(), why));
    }

    fn place(&mut self, slice: &Ident, index: &Expr) {
        let indices: Vec<&Ident> = self.space.loops.iter().map(|l| &l.index).collect();
        let inner = match plain(index) {
            Expr::Cast(cast) if is_usize(&cast.ty) => &cast.expr,
            other => other,
        };
        let Some(strides) = strides(inner, &indices, &self.lets) else {
            let own = own_place(self.space);
            let why = format!(
                "items run at once and write at their own place alone: `{slice}[({own}) as usize]`; to read elsewhere, pass \
                 another slice"
            );
            return self.fail(index, why);
        };
        for stride in &strides {
            let unknown = names(stride).find(|ident| {
                let is_value = self.parameters.iter().any(|p| p.ident == *ident && (p.is_value() || p.is_slice()));
                !is_value && !is_constant_like(ident) && !super::index_space::let_names(self.space).any(|n| n == ident)
            });
            if let Some(unknown) = unknown {
                return self.fail(&unknown, "the length of a row is a value of the kernel".to_owned());
            }
        }
        let text = |strides: &Strides| -> Vec<String> {
            strides.iter().map(|stride| stride.to_token_stream().to_string()).collect()
        };
        match self.found.get(&slice.to_string()) {
            Some(before) if text(before) != text(&strides) => {
                self.fail(index, format!("`{slice}` has rows of two lengths"));
            }
            Some(_) => {}
            None => {
                self.found.insert(slice.to_string(), strides);
            }
        }
    }
}

impl<'a> Visit<'a> for ItemAccess<'_> {
    fn visit_local(&mut self, local: &'a Local) {
        visit::visit_local(self, local);
        if let Some(name) = let_name(local) {
            // A name that is taken again means the newer one.
            self.lets.retain(|other| let_name(other) != Some(name));
            self.lets.push(local.clone());
        }
    }

    fn visit_expr_index(&mut self, index: &'a syn::ExprIndex) {
        match name(&index.expr) {
            Some(slice) if self.parameters.iter().any(|p| p.ident == *slice && p.kind == Kind::Written) => {
                self.place(slice, &index.index);
                self.visit_expr(&index.index);
            }
            _ => visit::visit_expr_index(self, index),
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let is_length = call.method == "len" && name(&call.receiver).is_some();
        if !is_length {
            visit::visit_expr_method_call(self, call);
        }
    }

    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        if let Some(ident) = path.path.get_ident()
            && self.parameters.iter().any(|p| p.ident == *ident && p.is_slice() && p.kind == Kind::Written)
        {
            let own = own_place(self.space);
            self.fail(path, format!("a slice is used by its elements: `{ident}[({own}) as usize]`"));
        }
    }
}

/// The place of an item, as it would be written.
fn own_place(space: &IndexSpace) -> String {
    let mut loops = space.loops.iter();
    let first = loops.next().map(|l| l.index.to_string()).unwrap_or_default();
    loops.fold(first, |outer, inner| {
        let outer = if outer.contains(' ') { format!("({outer})") } else { outer };
        format!("{outer} * {} + {}", inner.end.to_token_stream(), inner.index)
    })
}

fn is_usize(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("usize"))
}

/// The strides of `expr`, if it is the place of the item with these indices.
fn strides(expr: &Expr, indices: &[&Ident], lets: &[Local]) -> Option<Strides> {
    let expr = resolve(expr, lets);
    let (last, outer) = indices.split_last()?;
    if outer.is_empty() {
        return (name(expr) == Some(last)).then(Vec::new);
    }
    let Expr::Binary(sum) = expr else { return None };
    if !matches!(sum.op, BinOp::Add(_)) {
        return None;
    }
    let row = [(&sum.left, &sum.right), (&sum.right, &sum.left)]
        .into_iter()
        .find(|(_, index)| name(resolve(index, lets)) == Some(last))?
        .0;
    let Expr::Binary(product) = resolve(row, lets) else { return None };
    if !matches!(product.op, BinOp::Mul(_)) {
        return None;
    }
    [(&product.left, &product.right), (&product.right, &product.left)].into_iter().find_map(|(row, length)| {
        let mut found = strides(row, outer, lets)?;
        found.push((**length).clone());
        Some(found)
    })
}

/// What a name stands for, if a `let` says so.
pub fn resolve<'a>(expr: &'a Expr, lets: &'a [Local]) -> &'a Expr {
    let expr = plain(expr);
    let Some(ident) = name(expr) else { return expr };
    let found = lets.iter().rev().find(|local| let_name(local) == Some(ident));
    match found.and_then(|local| local.init.as_ref()) {
        Some(init) => resolve(&init.expr, lets),
        None => expr,
    }
}
