//! What does a kernel run over? The loops at its end are the index space; what stands before them is the same for all items.

use super::parameters::{Kind, Parameter};
use crate::expression::{is_constant_like, plain};
use std::collections::BTreeSet;
use syn::{
    Block, Error, Expr, ExprAssign, ExprForLoop, ExprRange, Ident, Local, Pat, RangeLimits, Result, Stmt,
    spanned::Spanned,
    visit::{self, Visit},
};

/// A loop of the index space.
#[derive(Clone)]
pub struct Loop {
    pub index: Ident,
    pub start: Expr,
    pub end: Expr,
}

/// A kernel's body, taken apart.
#[derive(Clone)]
pub struct IndexSpace {
    /// `let name = …;`, in order.
    pub lets: Vec<Local>,
    /// What totals begin with: `*total = …;`.
    pub starts: Vec<(Ident, Expr)>,
    /// Lists that are emptied first: `list.clear();`.
    pub cleared: Option<Ident>,
    /// From the outermost to the innermost, 1 to 3.
    pub loops: Vec<Loop>,
    /// What is done for each item.
    pub body: Block,
}

impl IndexSpace {
    /// Put together again, without what empties lists: for rustc's eyes.
    pub fn block(&self) -> Block {
        let block = |stmts: Vec<Stmt>| Block { brace_token: self.body.brace_token, stmts };
        let inner = self.loops.iter().rev().fold(self.body.clone(), |body, Loop { index, start, end }| {
            let head: ExprForLoop = syn::parse_quote! { for #index in #start..#end {} };
            block(vec![Stmt::Expr(Expr::ForLoop(ExprForLoop { body, ..head }), None)])
        });
        let starts = self.starts.iter().map(|(total, start)| {
            let assign: ExprAssign = syn::parse_quote! { *#total = 0 };
            Stmt::Expr(Expr::Assign(ExprAssign { right: Box::new(start.clone()), ..assign }), Some(Default::default()))
        });
        block(self.lets.iter().cloned().map(Stmt::Local).chain(starts).chain(inner.stmts).collect())
    }
}

/// Takes the body of a kernel apart. `wanted`: how many loops are the space; all that are nested without anything between
/// them, if absent.
pub fn parse(block: &Block, parameters: &[Parameter], wanted: Option<usize>) -> Result<IndexSpace> {
    const SHAPE: &str = "a kernel ends with its loops, `for i in 0..n { … }`: what is done for each item";
    let Some((last, before)) = block.stmts.split_last() else {
        return Err(Error::new(block.span(), SHAPE));
    };
    let mut space =
        IndexSpace { lets: Vec::new(), starts: Vec::new(), cleared: None, loops: Vec::new(), body: block.clone() };
    let Stmt::Expr(Expr::ForLoop(outermost), _) = last else {
        return Err(Error::new(last.span(), SHAPE));
    };
    for statement in before {
        prologue(statement, parameters, &mut space)?;
    }
    let mut next = Some(outermost);
    while let Some(repeat) = next {
        let found = loop_head(repeat)?;
        if !space.loops.is_empty() && wanted.is_none() && depends(&found, &space) {
            // Not a box: its inner loops belong to the items.
            break;
        }
        check_known(&found.start, parameters, &space)?;
        check_known(&found.end, parameters, &space)?;
        space.loops.push(found);
        space.body = repeat.body.clone();
        next = match repeat.body.stmts.as_slice() {
            [Stmt::Expr(Expr::ForLoop(inner), _)] if inner.attrs.is_empty() => Some(inner),
            _ => None,
        };
        if space.loops.len() == wanted.unwrap_or(3) {
            break;
        }
    }
    if let Some(wanted) = wanted
        && space.loops.len() < wanted
    {
        return Err(Error::new(last.span(), format!("{wanted} loops were asked for, {} are here", space.loops.len())));
    }
    check_names(&space, parameters)?;
    Ok(space)
}

fn prologue(statement: &Stmt, parameters: &[Parameter], space: &mut IndexSpace) -> Result<()> {
    const BEFORE: &str = "before its loops a kernel has `let name = VALUE;`, `*total = START;` and `list.clear();`";
    let is = |ident: &Ident, kind: &Kind| parameters.iter().any(|p| p.ident == *ident && p.kind == *kind);
    match statement {
        Stmt::Local(local) => {
            let pattern = match &local.pat {
                Pat::Type(typed) => &*typed.pat,
                other => other,
            };
            let is_plain = matches!(pattern, Pat::Ident(ident) if ident.mutability.is_none() && ident.by_ref.is_none());
            let Some(init) = local.init.as_ref().filter(|init| is_plain && init.diverge.is_none()) else {
                return Err(Error::new(local.span(), BEFORE));
            };
            check_known(&init.expr, parameters, space)?;
            space.lets.push(local.clone());
            Ok(())
        }
        Stmt::Expr(Expr::Assign(assign), Some(_)) => match dereferenced(&assign.left) {
            Some(ident) if is(ident, &Kind::Reduction) => {
                check_known(&assign.right, parameters, space)?;
                space.starts.push((ident.clone(), (*assign.right).clone()));
                Ok(())
            }
            _ => Err(Error::new(assign.span(), BEFORE)),
        },
        Stmt::Expr(Expr::MethodCall(call), Some(_)) if call.method == "clear" && call.args.is_empty() => {
            match name(&call.receiver) {
                Some(ident) if is(ident, &Kind::List) => {
                    space.cleared = Some(ident.clone());
                    Ok(())
                }
                _ => Err(Error::new(call.span(), BEFORE)),
            }
        }
        Stmt::Expr(Expr::ForLoop(repeat), _) => {
            Err(Error::new(repeat.for_token.span(), "a kernel has one nest of loops, at its end: make two kernels"))
        }
        other => Err(Error::new(other.span(), BEFORE)),
    }
}

fn loop_head(repeat: &ExprForLoop) -> Result<Loop> {
    const RANGE: &str = "a kernel's loops count up: `for i in 0..n`";
    if let Some(attribute) = repeat.attrs.first() {
        return Err(Error::new(attribute.span(), "this loop is the index space, not a loop inside an item"));
    }
    if let Some(label) = &repeat.label {
        return Err(Error::new(label.span(), "items run at once: no loop is left early"));
    }
    let Expr::Range(ExprRange { start: Some(start), end: Some(end), limits: RangeLimits::HalfOpen(_), .. }) =
        plain(&repeat.expr)
    else {
        return Err(Error::new(repeat.expr.span(), RANGE));
    };
    for bound in [start, end] {
        check_lengths(bound)?;
    }
    match &*repeat.pat {
        Pat::Ident(pat) if pat.mutability.is_none() && pat.by_ref.is_none() && pat.subpat.is_none() => {
            Ok(Loop { index: pat.ident.clone(), start: (**start).clone(), end: (**end).clone() })
        }
        other => Err(Error::new(other.span(), "the index of a kernel's loop is a name")),
    }
}

/// Indices are `u32`, and so are lengths.
fn check_lengths(bound: &Expr) -> Result<()> {
    struct Lengths(Option<Error>);
    impl<'a> Visit<'a> for Lengths {
        fn visit_expr_cast(&mut self, cast: &'a syn::ExprCast) {
            if !matches!(plain(&cast.expr), Expr::MethodCall(call) if call.method == "len") {
                visit::visit_expr_cast(self, cast);
            }
        }
        fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
            if call.method == "len"
                && let Some(slice) = name(&call.receiver)
            {
                let why = format!("indices of a kernel are `u32`: write `{slice}.len() as u32`");
                self.0.get_or_insert(Error::new(call.span(), why));
            }
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut lengths = Lengths(None);
    lengths.visit_expr(bound);
    lengths.0.map_or(Ok(()), Err)
}

/// The name that is dereferenced.
pub fn dereferenced(expr: &Expr) -> Option<&Ident> {
    match plain(expr) {
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => name(&unary.expr),
        _ => None,
    }
}

/// The name that an expression is.
pub fn name(expr: &Expr) -> Option<&Ident> {
    match plain(expr) {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// Whether a loop's bounds depend on an index around it.
fn depends(found: &Loop, space: &IndexSpace) -> bool {
    let indices: Vec<&Ident> = space.loops.iter().map(|l| &l.index).collect();
    names(&found.start).chain(names(&found.end)).any(|ident| indices.contains(&&ident))
}

/// All names of an expression that could be variables.
pub fn names(expr: &Expr) -> impl Iterator<Item = Ident> + use<> {
    struct Names(Vec<Ident>);
    impl<'a> Visit<'a> for Names {
        fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
            // The function is none.
            call.args.iter().for_each(|argument| self.visit_expr(argument));
        }
        fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
            if let Some(ident) = path.path.get_ident() {
                self.0.push(ident.clone());
            }
        }
    }
    let mut found = Names(Vec::new());
    found.visit_expr(expr);
    found.0.into_iter()
}

/// The space is known before any item is looked at: from values, from lengths and from what is made of these.
pub fn check_known(expr: &Expr, parameters: &[Parameter], space: &IndexSpace) -> Result<()> {
    struct Elements(Option<proc_macro2::Span>);
    impl<'a> Visit<'a> for Elements {
        fn visit_expr_index(&mut self, index: &'a syn::ExprIndex) {
            self.0.get_or_insert(index.span());
            visit::visit_expr_index(self, index);
        }
    }
    let mut elements = Elements(None);
    elements.visit_expr(expr);
    if let Some(span) = elements.0 {
        return Err(Error::new(span, "known to the device alone: pass it as a value, or as `#[count] n: u32`"));
    }
    for ident in names(expr) {
        let is_value = parameters.iter().any(|p| p.ident == ident && (p.is_value() || p.is_slice()));
        if !is_value && !is_constant_like(&ident) && !let_names(space).any(|name| *name == ident) {
            return Err(Error::new(ident.span(), "this differs from item to item, or is no value of the kernel"));
        }
    }
    Ok(())
}

/// Names that stand before the loops.
pub fn let_names(space: &IndexSpace) -> impl Iterator<Item = &Ident> {
    space.lets.iter().filter_map(|local| let_name(local))
}

/// The name that a `let` gives, if it is one that does not change.
pub fn let_name(local: &Local) -> Option<&Ident> {
    match &local.pat {
        Pat::Ident(ident) if ident.mutability.is_none() => Some(&ident.ident),
        Pat::Type(typed) => match &*typed.pat {
            Pat::Ident(ident) if ident.mutability.is_none() => Some(&ident.ident),
            _ => None,
        },
        _ => None,
    }
}

/// Names mean one thing: a place is proved by names.
fn check_names(space: &IndexSpace, parameters: &[Parameter]) -> Result<()> {
    struct Bound<'s>(Vec<&'s Ident>, Option<Error>);
    impl<'a> Visit<'a> for Bound<'_> {
        fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
            if self.0.iter().any(|name| **name == pat.ident) {
                let why = "this name is a parameter, an index or a value of the kernel: take another";
                self.1.get_or_insert(Error::new(pat.ident.span(), why));
            }
        }
    }
    let indices = space.loops.iter().map(|l| &l.index);
    let mut seen = BTreeSet::new();
    let all: Vec<&Ident> = parameters.iter().map(|p| &p.ident).chain(let_names(space)).chain(indices).collect();
    for name in &all {
        if !seen.insert(name.to_string()) {
            return Err(Error::new(name.span(), "this name is taken already in the kernel: take another"));
        }
    }
    let mut bound = Bound(all, None);
    bound.visit_block(&space.body);
    bound.1.map_or(Ok(()), Err)
}
