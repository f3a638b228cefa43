//! How does a workgroup read once what its items read together? A loop behind `#[tile]` runs some turns at a time; before
//! them the invocations load what these turns read into workgroup memory, each its share.
//!
//! An element is shared where its index depends on the counter and on at most one index of the item.

use super::{
    index_space::{let_name, name, names},
    item_access::resolve,
    parameters::{Kind, Parameter},
    unroll::{self, Head},
};
use crate::{
    expression::{is_constant_like, plain},
    function::{Breakable, Translator},
    statement::Target,
    types::Ty,
    u64_check::unmarked,
};
use quote::{ToTokens, format_ident};
use syn::{
    Block, Error, Expr, ExprForLoop, ExprIndex, ExprParen, Ident, Local, Result, Stmt,
    spanned::Spanned,
    visit::{self, Visit},
    visit_mut::{self, VisitMut},
};

/// Turns that are loaded at a time, unless the annotation says otherwise.
pub const DEPTH: u32 = 16;

/// What a workgroup holds of a slice.
#[derive(Clone)]
pub struct Tile {
    pub wgsl: String,
    /// An array, of arrays where items of one dimension have elements of their own.
    pub ty: String,
}

/// A read that is shared.
struct Shared {
    slice: Ident,
    /// In terms of indices of the item, the counter and values.
    index: Expr,
    /// The dimension whose index it depends on: 0 for the innermost.
    dimension: Option<usize>,
    /// Whether items that follow each other read elements that do; else turns do.
    by_item: bool,
    /// What stands in the body in its place.
    stand_in: Ident,
    ty: Ty,
}

/// The position of the last tiled loop in a body.
pub fn last_tiled(body: &Block, parameters: &[Parameter]) -> Result<Option<usize>> {
    let is_tiled = |statement: &Stmt| match statement {
        Stmt::Expr(Expr::ForLoop(repeat), _) => repeat.attrs.iter().any(|attribute| attribute.path().is_ident("tile")),
        _ => false,
    };
    let Some(last) = body.stmts.iter().rposition(is_tiled) else { return Ok(None) };
    struct Effects<'s>(&'s [Parameter], Option<proc_macro2::Span>);
    impl<'a> Visit<'a> for Effects<'_> {
        fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
            let effect = |p: &Parameter| {
                matches!(p.kind, Kind::Written | Kind::List | Kind::Reduction) && path.path.is_ident(&p.ident)
            };
            if self.0.iter().any(effect) {
                self.1.get_or_insert(path.span());
            }
        }
    }
    let mut effects = Effects(parameters, None);
    body.stmts[..=last].iter().for_each(|statement| effects.visit_stmt(statement));
    let why = "what is written is used after the tiled loops: sum up in a local variable";
    effects.1.map_or(Ok(Some(last)), |span| Err(Error::new(span, why)))
}

impl Translator {
    /// A loop in tiles of `depth` turns.
    pub fn tiled(&mut self, repeat: &ExprForLoop, depth: u32) -> Result<()> {
        if self.depth() != 1 || !self.breakables.is_empty() {
            let why =
                "all items of a workgroup wait for each other at a tile: the loop stands in no other and in no `if`";
            return Err(Error::new(repeat.for_token.span(), why));
        }
        unroll::refuse_jumps(repeat)?;
        let head = unroll::head(repeat)?;
        let mut body = repeat.body.clone();
        let shared = self.shared_reads(&head, &mut body)?;
        if shared.is_empty() {
            let why =
                format!("nothing to share: no read depends on `{}` and on at most one index of the item", head.counter);
            return Err(Error::new(repeat.for_token.span(), why));
        }
        let (start, end) = self.bounds(&head, repeat)?;
        let tile = self.fresh(&format!("{}_tile", head.counter));
        self.line(&format!("for (var {tile} = {start}; {tile} < {end}; {tile} += {depth}u) {{"));
        self.nested(|this| {
            this.line("workgroupBarrier();");
            let names = shared.iter().map(|read| this.load(read, &head, &tile, depth)).collect::<Result<Vec<_>>>()?;
            this.line("workgroupBarrier();");
            let turn = this.fresh(&format!("{}_turn", head.counter));
            this.breakables.push(Breakable::Loop);
            this.line(&format!("if {end} - {tile} >= {depth}u {{"));
            this.turns(&body, &head, &shared, &names, &tile, &turn, &format!("{depth}u"), depth)?;
            this.line("} else {");
            this.turns(&body, &head, &shared, &names, &tile, &turn, &format!("{end} - {tile}"), depth)?;
            this.line("}");
            this.breakables.pop();
            // The counter must not pass the largest integer by.
            this.line(&format!("if {end} - {tile} <= {depth}u {{"));
            this.line("    break;");
            this.line("}");
            Ok(())
        })?;
        self.line("}");
        Ok(())
    }

    /// Finds the reads that items share, and puts stand-ins in their place.
    fn shared_reads(&mut self, head: &Head, body: &mut Block) -> Result<Vec<Shared>> {
        struct Reads<'s> {
            head: &'s Head,
            indices: &'s [Ident],
            parameters: &'s [Parameter],
            lets: &'s [Local],
            found: Vec<Shared>,
        }
        impl VisitMut for Reads<'_> {
            fn visit_expr_mut(&mut self, expr: &mut Expr) {
                visit_mut::visit_expr_mut(self, expr);
                if let Expr::Index(index) = expr
                    && let Some(stand_in) = self.stand_in(index)
                {
                    *expr = syn::parse_quote_spanned! { index.span() => #stand_in };
                }
            }
        }
        impl Reads<'_> {
            fn stand_in(&mut self, read: &ExprIndex) -> Option<Ident> {
                let slice = name(&read.expr)?;
                let parameter = self.parameters.iter().find(|p| p.ident == *slice && p.kind == Kind::Read)?;
                let Expr::Cast(cast) = plain(&read.index) else { return None };
                let index = inlined(&cast.expr, self.lets);
                let mut dimensions = Vec::new();
                let mut has_counter = false;
                for ident in names(&index) {
                    if ident == self.head.counter {
                        has_counter = true;
                    } else if let Some(at) = self.indices.iter().rev().position(|index| *index == ident) {
                        dimensions.push(at);
                    } else if !is_constant_like(&ident) && !self.parameters.iter().any(|p| is_value_of(p, &ident)) {
                        return None;
                    }
                }
                dimensions.sort_unstable();
                dimensions.dedup();
                let (true, [] | [_]) = (has_counter, dimensions.as_slice()) else { return None };
                let text = |expr: &Expr| unmarked(expr).to_token_stream().to_string();
                if let Some(known) = self.found.iter().find(|s| s.slice == *slice && text(&s.index) == text(&index)) {
                    return Some(known.stand_in.clone());
                }
                let stand_in = format_ident!("__tile_{}", self.found.len());
                self.found.push(Shared {
                    slice: slice.clone(),
                    by_item: !is_addend(&index, &self.head.counter),
                    index,
                    dimension: dimensions.first().copied(),
                    stand_in: stand_in.clone(),
                    ty: parameter.ty.clone(),
                });
                Some(stand_in)
            }
        }
        let Some(kernel) = &self.kernel else { return Ok(Vec::new()) };
        let mut reads = Reads {
            head,
            indices: &kernel.indices,
            parameters: &kernel.parameters,
            lets: &kernel.lets,
            found: Vec::new(),
        };
        reads.visit_block_mut(body);
        Ok(reads.found)
    }

    /// Loads a tile; returns its name.
    fn load(&mut self, read: &Shared, head: &Head, tile: &str, depth: u32) -> Result<String> {
        let wgsl = self.fresh(&format!("{}_tile", read.slice));
        let slot = self.fresh("slot");
        let size = read.dimension.map(|dimension| format!("WORKGROUP_{}", AXES[dimension].to_ascii_uppercase()));
        let len = size.as_ref().map_or(format!("{depth}u"), |size| format!("{size} * {depth}u"));
        // Neighbours in memory by neighbours in the workgroup.
        let (turn, item, place, ty) = match &size {
            None => (slot.clone(), String::new(), format!("[{slot}]"), format!("array<{}, {depth}>", read.ty)),
            Some(size) if read.by_item => {
                let (turn, item) = (format!("{slot} / {size}"), format!("{slot} % {size}"));
                let place = format!("[{turn}][{item}]");
                (turn, item, place, format!("array<array<{}, {size}>, {depth}>", read.ty))
            }
            Some(size) => {
                let (turn, item) = (format!("{slot} % {depth}u"), format!("{slot} / {depth}u"));
                let place = format!("[{item}][{turn}]");
                (turn, item, place, format!("array<array<{}, {depth}>, {size}>", read.ty))
            }
        };
        // A constant number of turns without a guard, where the tile is a multiple of the workgroup.
        let load = self.fresh("load");
        self.line(&format!("for (var {load} = 0u; {load} < ({len} + WORKGROUP - 1u) / WORKGROUP; {load}++) {{"));
        self.nested(|this| {
            this.line(&format!("let {slot} = {load} * WORKGROUP + rank;"));
            this.line(&format!("if {len} % WORKGROUP == 0u || {slot} < {len} {{"));
            Ok(())
        })?;
        self.nested(|this| {
            this.nested(|this| {
                let counter = this.declare(&head.counter, Ty::U32, false);
                this.line(&format!("let {counter} = {tile} + {turn};"));
                if let Some(dimension) = read.dimension
                    && let Some(kernel) = &this.kernel
                {
                    let axis = AXES[dimension];
                    let index = kernel.indices[kernel.indices.len() - 1 - dimension].clone();
                    let own = this.local(&index.to_string()).map(|local| local.wgsl.clone()).unwrap_or_default();
                    let other = this.declare(&index, Ty::U32, false);
                    this.line(&format!("let {other} = {own} - local.{axis} + {item};"));
                }
                let index = this.expression(&read.index, &Ty::U32)?;
                let slice = this.local(&read.slice.to_string()).map(|local| local.wgsl.clone()).unwrap_or_default();
                this.line(&format!("{wgsl}{place} = {slice}[{}];", index.text));
                Ok(())
            })
        })?;
        self.nested(|this| {
            this.line("}");
            Ok(())
        })?;
        self.line("}");
        if let Some(kernel) = &mut self.kernel {
            kernel.tiles.push(Tile { wgsl: wgsl.clone(), ty });
        }
        Ok(wgsl)
    }

    /// The turns of a tile.
    #[allow(clippy::too_many_arguments, reason = "one loop, twice")]
    fn turns(
        &mut self,
        body: &Block,
        head: &Head,
        shared: &[Shared],
        names: &[String],
        tile: &str,
        turn: &str,
        turns: &str,
        depth: u32,
    ) -> Result<()> {
        self.nested(|this| {
            if turns == format!("{depth}u") {
                // The composer writes it out.
                this.line("//!unroll");
            }
            this.line(&format!("for (var {turn} = 0u; {turn} < {turns}; {turn} += 1u) {{"));
            this.nested(|this| {
                if uses(body, &head.counter) {
                    let counter = this.declare(&head.counter, Ty::U32, false);
                    this.line(&format!("let {counter} = {tile} + {turn};"));
                }
                for (read, name) in shared.iter().zip(names) {
                    let slot = match read.dimension {
                        None => format!("[{turn}]"),
                        Some(dimension) if read.by_item => format!("[{turn}][local.{}]", AXES[dimension]),
                        Some(dimension) => format!("[local.{}][{turn}]", AXES[dimension]),
                    };
                    this.redeclare(&read.stand_in, format!("{name}{slot}"), read.ty.clone(), false);
                }
                this.statements(body, &Target::Discard)
            })?;
            this.line("}");
            Ok(())
        })
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// Whether a name is a value of the kernel, or the length of a slice.
fn is_value_of(parameter: &Parameter, ident: &Ident) -> bool {
    let is_length = parameter.is_slice() && *ident == format!("__{}_len", parameter.ident);
    is_length || parameter.is_value() && parameter.ident == *ident
}

/// Whether an index runs along a name: the name is added to the rest.
fn is_addend(index: &Expr, ident: &Ident) -> bool {
    match plain(index) {
        Expr::Binary(sum) if matches!(sum.op, syn::BinOp::Add(_)) => {
            is_addend(&sum.left, ident) || is_addend(&sum.right, ident)
        }
        other => name(other) == Some(ident),
    }
}

fn uses(body: &Block, ident: &Ident) -> bool {
    struct Uses<'s>(&'s Ident, bool);
    impl<'a> Visit<'a> for Uses<'_> {
        fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
            self.1 |= path.path.is_ident(self.0);
            visit::visit_expr_path(self, path);
        }
    }
    let mut uses = Uses(ident, false);
    uses.visit_block(body);
    uses.1
}

/// An expression with all names of `let`s replaced by what they stand for.
fn inlined(expr: &Expr, lets: &[Local]) -> Expr {
    struct Inline<'s>(&'s [Local]);
    impl VisitMut for Inline<'_> {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            if let Some(ident) = name(expr)
                && self.0.iter().any(|local| let_name(local) == Some(ident))
            {
                let value = resolve(expr, self.0).clone();
                // A name that stands for itself ends here.
                if name(&value) != name(expr) {
                    *expr = Expr::Paren(ExprParen {
                        attrs: Vec::new(),
                        paren_token: Default::default(),
                        expr: Box::new(value),
                    });
                    self.visit_expr_mut(expr);
                }
                return;
            }
            visit_mut::visit_expr_mut(self, expr);
        }
    }
    let mut inlined = expr.clone();
    Inline(lets).visit_expr_mut(&mut inlined);
    inlined
}
