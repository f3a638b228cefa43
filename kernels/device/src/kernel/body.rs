//! How does the body of a kernel become a WGSL function of the item's indices? As any device function, besides what only
//! kernels have: elements of slices, lengths, totals, lists, `continue`, and loops that are unrolled or tiled.

use super::{
    index_space::{IndexSpace, dereferenced, name},
    parameters::{Kind, Parameter},
    reduction::Reduction,
    tile::{self, Tile},
    unroll,
};
use crate::{
    expression::plain,
    function::{Breakable, Translated, Translator, called_names, documentation},
    names::wgsl_name,
    types::Ty,
    u64_check::{self, OperandNumbers},
};
use quote::format_ident;
use std::collections::{BTreeSet, HashSet};
use syn::{
    Block, Error, Expr, ExprForLoop, Ident, ItemFn, Local, Result, Stmt,
    spanned::Spanned,
    visit_mut::{self, VisitMut},
};

/// What a translator knows of the kernel whose body it translates.
#[derive(Clone)]
pub struct KernelBody {
    pub indices: Vec<Ident>,
    pub parameters: Vec<Parameter>,
    /// `let`s of the body's own block and of what stands before the loops, which do not change.
    pub lets: Vec<Local>,
    pub tiles: Vec<Tile>,
    /// Whether items wait for each other.
    pub is_tiled: bool,
}

/// A body in WGSL.
pub struct TranslatedBody {
    /// The function, and what it needs.
    pub function: Translated,
    /// What workgroups hold of slices.
    pub tiles: Vec<Tile>,
    /// `fn total_start() -> T` of each total that begins with a value of its own.
    pub starts: String,
}

/// Translates the body of `item`.
pub fn translate(
    item: &ItemFn,
    parameters: &[Parameter],
    space: &IndexSpace,
    totals: &[Reduction],
) -> Result<TranslatedBody> {
    let marked = marked(space);
    let mut space = marked.clone();
    rewrite(&mut space, parameters)?;
    let mut translator = translator(item, parameters);
    let tiled = tile::last_tiled(&space.body, parameters)?;
    let mut lets = space.lets.clone();
    for statement in &space.body.stmts {
        if let Stmt::Local(local) = statement {
            lets.push(local.clone());
        }
    }
    let indices: Vec<Ident> = space.loops.iter().map(|l| l.index.clone()).collect();
    translator.kernel = Some(KernelBody {
        indices: indices.clone(),
        parameters: parameters.to_vec(),
        lets,
        tiles: Vec::new(),
        is_tiled: tiled.is_some(),
    });
    let mut arguments: Vec<String> =
        indices.iter().map(|index| format!("{}: u32", translator.declare(index, Ty::U32, false))).collect();
    for local in &space.lets {
        translator.local_statement(local)?;
    }
    match tiled {
        None => translator.statements(&space.body, &crate::statement::Target::Discard)?,
        Some(last) => {
            arguments.extend(["inside: bool", "local: vec3u", "rank: u32"].map(str::to_owned));
            let (before, after) = space.body.stmts.split_at(last + 1);
            let block = |stmts: &[Stmt]| Block { brace_token: space.body.brace_token, stmts: stmts.to_vec() };
            translator.statements(&block(before), &crate::statement::Target::Discard)?;
            translator.line("if inside {");
            translator.nested(|this| this.statements(&block(after), &crate::statement::Target::Discard))?;
            translator.line("}");
        }
    }
    let tiles = translator.kernel.take().map(|kernel| kernel.tiles).unwrap_or_default();
    let wgsl = wgsl_name(&item.sig.ident);
    let text =
        format!("{}fn {wgsl}({}) {{\n{}}}\n", documentation(&item.attrs), arguments.join(", "), translator.text());
    let Translator { needs, constructed, mut hidden, .. } = translator;
    let mut function = Translated { wgsl: text, needs, constructed, checks: proc_macro2::TokenStream::new() };
    let starts = starts(item, parameters, &space, totals, &mut function, &mut hidden)?;
    let plain = super::without_annotations(item);
    let whole = super::without_annotations(&ItemFn { block: Box::new(marked.block()), ..plain });
    function.checks = u64_check::checks(&whole.sig, &whole.block, &hidden);
    Ok(TranslatedBody { function, tiles, starts })
}

/// The space with numbered operands, one series in all of it.
fn marked(space: &IndexSpace) -> IndexSpace {
    let (mut space, mut marks) = (space.clone(), OperandNumbers::default());
    space.lets.iter_mut().for_each(|local| marks.visit_local_mut(local));
    space.starts.iter_mut().for_each(|(_, start)| marks.visit_expr_mut(start));
    marks.visit_block_mut(&mut space.body);
    space
}

/// A translator that knows the parameters.
fn translator(item: &ItemFn, parameters: &[Parameter]) -> Translator {
    let mut translator = Translator::new(&item.sig.ident.to_string());
    let mut taken = BTreeSet::new();
    called_names(&item.block, &mut taken);
    taken.insert(wgsl_name(&item.sig.ident));
    taken.extend(["arguments", "space", "inside", "local", "rank"].map(str::to_owned));
    taken.extend(parameters.iter().map(Parameter::wgsl));
    for name in taken {
        translator.fresh(&name);
    }
    for parameter in parameters {
        let (ident, wgsl, ty) = (&parameter.ident, parameter.wgsl(), parameter.ty.clone());
        match parameter.kind {
            Kind::Scalar => translator.redeclare(ident, format!("arguments.{wgsl}"), ty, false),
            Kind::Count => translator.redeclare(ident, format!("{wgsl}_now()"), ty, false),
            Kind::Struct => translator.redeclare(ident, wgsl, ty, false),
            Kind::Reduction => translator.redeclare(ident, wgsl, ty, true),
            Kind::Read | Kind::Written => {
                translator.redeclare(&length(ident), format!("arguments.{wgsl}_len"), Ty::U32, false);
                let elements = Ty::Array(Box::new(ty), String::new());
                translator.redeclare(ident, wgsl, elements, parameter.kind == Kind::Written);
            }
            Kind::List => {}
        }
    }
    translator
}

/// The name that stands for the length of a slice: none that Rust code would have.
fn length(slice: &Ident) -> Ident {
    format_ident!("__{slice}_len")
}

/// `fn total_start() -> T` for each total that begins with a value.
fn starts(
    item: &ItemFn,
    parameters: &[Parameter],
    space: &IndexSpace,
    totals: &[Reduction],
    function: &mut Translated,
    hidden: &mut HashSet<usize>,
) -> Result<String> {
    let mut text = String::new();
    for total in totals {
        // The rewritten one, in which lengths are names.
        let Some((_, start)) = space.starts.iter().find(|(ident, _)| *ident == total.ident) else { continue };
        let mut translator = translator(item, parameters);
        for local in &space.lets {
            translator.local_statement(local)?;
        }
        let value = translator.expression(start, &total.ty)?;
        translator.line(&format!("return {};", value.text));
        let name = total.wgsl.clone();
        text.push_str(&format!("fn {name}_start() -> {} {{\n{}}}\n", total.ty, translator.text()));
        function.needs.extend(translator.needs);
        function.constructed.extend(translator.constructed);
        hidden.extend(translator.hidden);
    }
    Ok(text)
}

/// Writes as device code what only kernels have: `x.len() as u32` and `*total` become names.
fn rewrite(space: &mut IndexSpace, parameters: &[Parameter]) -> Result<()> {
    struct Rewrite<'s>(&'s [Parameter], Option<Error>);
    impl VisitMut for Rewrite<'_> {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            let slice_of_length = |expr: &Expr| match plain(expr) {
                Expr::MethodCall(call) if call.method == "len" && call.args.is_empty() => name(&call.receiver).cloned(),
                _ => None,
            };
            if let Expr::Cast(cast) = expr
                && let Some(slice) = slice_of_length(&cast.expr)
                && self.0.iter().any(|p| p.ident == slice && p.is_slice())
                && matches!(&*cast.ty, syn::Type::Path(path) if path.path.is_ident("u32"))
            {
                let name = length(&slice);
                *expr = syn::parse_quote_spanned! { cast.span() => #name };
                return;
            }
            if let Some(slice) = slice_of_length(expr)
                && self.0.iter().any(|p| p.ident == slice && p.is_slice())
            {
                self.1.get_or_insert(Error::new(expr.span(), format!("write `{slice}.len() as u32`")));
                return;
            }
            if let Some(ident) = dereferenced(expr).cloned()
                && self.0.iter().any(|p| p.ident == ident && p.kind == Kind::Reduction)
            {
                *expr = syn::parse_quote_spanned! { expr.span() => #ident };
                return;
            }
            visit_mut::visit_expr_mut(self, expr);
        }
    }
    let mut rewrite = Rewrite(parameters, None);
    space.lets.iter_mut().for_each(|local| rewrite.visit_local_mut(local));
    space.starts.iter_mut().for_each(|(_, start)| rewrite.visit_expr_mut(start));
    rewrite.visit_block_mut(&mut space.body);
    rewrite.1.map_or(Ok(()), Err)
}

impl Translator {
    /// Translates what only kernels have; `None` for all else.
    pub fn kernel_statement(&mut self, expr: &Expr) -> Option<Result<()>> {
        let kernel = self.kernel.as_ref()?;
        let in_loop = self.breakables.contains(&Breakable::Loop);
        const LEFT: &str = "items run at once: none ends the others; `continue` ends one";
        match plain(expr) {
            Expr::MethodCall(call) => {
                let list = name(&call.receiver)?;
                let list = kernel.parameters.iter().find(|p| p.ident == *list && p.kind == Kind::List)?.clone();
                let (true, Some(value)) = (call.method == "push" && call.args.len() == 1, call.args.first()) else {
                    return Some(Err(Error::new(call.method.span(), "items are added to a list: `list.push(value)`")));
                };
                Some(self.expression(value, &list.ty).map(|value| {
                    self.line(&format!("{}_push({});", list.wgsl(), value.text));
                }))
            }
            Expr::Continue(skip) if !in_loop && skip.label.is_none() => {
                if !kernel.is_tiled {
                    self.line("return;");
                    Some(Ok(()))
                } else {
                    Some(Err(Error::new(skip.span(), "a tiled kernel waits for all items: use `if`")))
                }
            }
            Expr::Break(leave) if !in_loop && leave.label.is_none() => Some(Err(Error::new(leave.span(), LEFT))),
            Expr::Return(leave) => Some(Err(Error::new(leave.span(), LEFT))),
            Expr::ForLoop(repeat) => self.annotated_loop(repeat),
            _ => None,
        }
    }

    fn annotated_loop(&mut self, repeat: &ExprForLoop) -> Option<Result<()>> {
        let attribute = repeat.attrs.first()?;
        if let Some(second) = repeat.attrs.get(1) {
            return Some(Err(Error::new(second.span(), "one annotation a loop: `#[unroll]` or `#[tile]`")));
        }
        Some(if attribute.path().is_ident("unroll") {
            unroll::number(attribute).and_then(|turns| self.unrolled(repeat, turns))
        } else if attribute.path().is_ident("tile") {
            unroll::number(attribute).and_then(|depth| self.tiled(repeat, depth.unwrap_or(tile::DEPTH)))
        } else {
            Err(Error::new(attribute.span(), "loops of kernels are annotated `#[unroll]`, `#[unroll(4)]` or `#[tile]`"))
        })
    }
}
