//! How do statements become WGSL? Lets, assignments, branches; `if` and `match` as values by assignment.

use crate::{
    expression::{Value, is_constant_like, plain},
    function::{Breakable, Translator},
    types::{self, Ty},
};
use syn::{Block, Error, Expr, ExprIf, ExprMatch, Local, Pat, Result, Stmt, spanned::Spanned};

/// Where the value of a block goes.
#[derive(Clone, Debug)]
pub enum Target {
    Return(Ty),
    Assign(String, Ty),
    /// The block has no value.
    Discard,
}

const NO_MACROS: &str =
    "device code has no macros but `debug_assert!`, `debug_assert_eq!`, `debug_assert_ne!`, which only the CPU runs";

impl Translator {
    /// The body of the function.
    pub fn body(&mut self, block: &Block) -> Result<()> {
        let output = self.output.clone().unwrap_or(Ty::Unknown);
        self.statements(block, &Target::Return(output))
    }

    pub fn statements(&mut self, block: &Block, target: &Target) -> Result<()> {
        for (index, statement) in block.stmts.iter().enumerate() {
            let is_last = index + 1 == block.stmts.len();
            match statement {
                Stmt::Local(local) => self.local_statement(local)?,
                // The value of the block; `if` and `match` without a semicolon are one where a value is wanted.
                Stmt::Expr(expr, None) if is_last => self.assign_to(expr, target)?,
                Stmt::Expr(expr, _) => self.expression_statement(expr)?,
                Stmt::Macro(call) if is_debug_assert(&call.mac.path) => {}
                Stmt::Macro(call) => return Err(Error::new(call.span(), NO_MACROS)),
                Stmt::Item(item) => return Err(Error::new(item.span(), "move this item out of the device function")),
            }
        }
        Ok(())
    }

    /// A block in braces of its own; the caller writes the line that opens it and the one that closes it.
    pub fn nested_block(&mut self, block: &Block, target: &Target) -> Result<()> {
        self.nested(|this| this.statements(block, target))
    }

    fn assign_to(&mut self, expr: &Expr, target: &Target) -> Result<()> {
        match (plain(expr), target) {
            (Expr::If(branch), _) => self.branch(branch, target),
            (Expr::Match(choice), _) => self.choice(choice, target),
            (Expr::Block(block), _) if block.label.is_none() => {
                self.scoped(|this| this.statements(&block.block, target))
            }
            (Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Loop(_), _) => {
                self.expression_statement(expr)
            }
            (_, Target::Discard) => self.expression_statement(expr),
            (_, Target::Return(ty)) => {
                let value = self.expression(expr, ty)?;
                self.line(&format!("return {};", value.text));
                Ok(())
            }
            (_, Target::Assign(name, ty)) => {
                let value = self.expression(expr, ty)?;
                self.line(&format!("{name} = {};", value.text));
                Ok(())
            }
        }
    }

    pub fn local_statement(&mut self, local: &Local) -> Result<()> {
        let (pattern, annotated) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, types::parse(&typed.ty, &mut self.needs)?),
            other => (other, Ty::Unknown),
        };
        if let Some(init) = &local.init
            && let Some((_, diverge)) = &init.diverge
        {
            return Err(Error::new(diverge.span(), "device code has no `let else`: use `if`"));
        }
        let init = local.init.as_ref().map(|init| &*init.expr);
        let ident = match pattern {
            Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => ident,
            Pat::Wild(_) => {
                if let Some(init) = init {
                    let value = self.expression(init, &annotated)?;
                    self.line(&format!("_ = {};", value.text));
                }
                return Ok(());
            }
            Pat::Tuple(_) => return Err(Error::new(pattern.span(), "WGSL has no tuples: one `let` for each value")),
            other => return Err(Error::new(other.span(), "`let` takes one name in device code")),
        };
        let mutable = ident.mutability.is_some();
        let Some(init) = init else {
            if !annotated.is_known() {
                return Err(Error::new(ident.span(), "write the type: `let name: TYPE;`"));
            }
            let name = self.declare(&ident.ident, annotated.clone(), true);
            self.line(&format!("var {name}: {annotated};"));
            return Ok(());
        };
        if self.needs_statements(init) {
            if !annotated.is_known() {
                let why = "write the type, which WGSL needs before the branches: `let name: TYPE = …`";
                return Err(Error::new(ident.span(), why));
            }
            // Declared after the branches in Rust, before them in WGSL: they must not see it.
            let wgsl = self.fresh(&crate::names::wgsl_name(&ident.ident));
            self.line(&format!("var {wgsl}: {annotated};"));
            self.assign_to(init, &Target::Assign(wgsl.clone(), annotated.clone()))?;
            self.redeclare(&ident.ident, wgsl, annotated, mutable);
            return Ok(());
        }
        let value = self.expression(init, &annotated)?;
        if value.ty == Ty::Literal {
            return Err(Error::new(init.span(), "write the type, as in `0u32`: WGSL would take it for an `i32`"));
        }
        let annotation =
            if value.ty.is_known() || !annotated.is_known() { String::new() } else { format!(": {annotated}") };
        let ty = if value.ty.is_known() { value.ty } else { annotated };
        let name = self.declare(&ident.ident, ty, mutable);
        let keyword = if mutable { "var" } else { "let" };
        self.line(&format!("{keyword} {name}{annotation} = {};", value.text));
        Ok(())
    }

    fn expression_statement(&mut self, expr: &Expr) -> Result<()> {
        if let Some(done) = self.kernel_statement(expr) {
            return done;
        }
        match plain(expr) {
            Expr::If(branch) => self.branch(branch, &Target::Discard),
            Expr::Match(choice) => self.choice(choice, &Target::Discard),
            Expr::Block(block) if block.label.is_none() => {
                self.scoped(|this| this.statements(&block.block, &Target::Discard))
            }
            Expr::While(repeat) => self.while_loop(repeat),
            Expr::ForLoop(repeat) => self.for_loop(repeat),
            Expr::Loop(repeat) => {
                Err(Error::new(repeat.span(), "an unbounded loop can hang a device: write `for i in a..b` or `while`"))
            }
            Expr::Break(leave) => {
                if let Some(label) = &leave.label {
                    return Err(no_labels(label));
                }
                if self.breakables.last() == Some(&Breakable::Match) {
                    return Err(Error::new(
                        leave.span(),
                        "in WGSL this would leave the `match`, not the loop: use `if`",
                    ));
                }
                self.line("break;");
                Ok(())
            }
            Expr::Continue(skip) => {
                if let Some(label) = &skip.label {
                    return Err(no_labels(label));
                }
                self.line("continue;");
                Ok(())
            }
            Expr::Return(give) => {
                let Some(value) = &give.expr else {
                    return Err(Error::new(give.span(), "a device function gives a value: `return VALUE`"));
                };
                let output = self.output.clone().unwrap_or(Ty::Unknown);
                self.assign_to(value, &Target::Return(output))
            }
            Expr::Assign(assign) => {
                if let Expr::Infer(_) = plain(&assign.left) {
                    let value = self.expression(&assign.right, &Ty::Unknown)?;
                    self.line(&format!("_ = {};", value.text));
                    return Ok(());
                }
                let place = self.place(&assign.left)?;
                if self.needs_statements(&assign.right) {
                    return self.assign_to(&assign.right, &Target::Assign(place.text, place.ty));
                }
                let value = self.expression(&assign.right, &place.ty)?;
                self.line(&format!("{} = {};", place.text, value.text));
                Ok(())
            }
            Expr::Binary(binary) => match self.compound(binary)? {
                Some(line) => {
                    self.line(&line);
                    Ok(())
                }
                None => Err(Error::new(binary.span(), "this has no effect")),
            },
            Expr::Unsafe(block) => Err(Error::new(block.span(), "device code is safe: leave out `unsafe`")),
            Expr::Macro(call) if is_debug_assert(&call.mac.path) => Ok(()),
            Expr::Macro(call) => Err(Error::new(call.span(), NO_MACROS)),
            other => {
                Err(Error::new(other.span(), "device functions have no side effects: as a statement this does nothing"))
            }
        }
    }

    fn branch(&mut self, branch: &ExprIf, target: &Target) -> Result<()> {
        if let Expr::Let(binding) = plain(&branch.cond) {
            return Err(Error::new(binding.span(), "device code has no patterns: write the condition"));
        }
        let condition = self.expression(&branch.cond, &Ty::BOOL)?;
        self.line(&format!("if {} {{", condition.text));
        self.nested_block(&branch.then_branch, target)?;
        let Some((_, otherwise)) = &branch.else_branch else {
            self.line("}");
            return Ok(());
        };
        // After a branch that returns, the other one needs no braces.
        if matches!(target, Target::Return(_)) {
            self.line("}");
            return self.scoped(|this| this.assign_to(otherwise, target));
        }
        self.line("} else {");
        self.nested(|this| this.assign_to(otherwise, target))?;
        self.line("}");
        Ok(())
    }

    fn choice(&mut self, choice: &ExprMatch, target: &Target) -> Result<()> {
        let selector = self.expression(&choice.expr, &Ty::Unknown)?;
        if !matches!(selector.ty, Ty::Unknown | Ty::U32 | Ty::I32) {
            return Err(Error::new(choice.expr.span(), "WGSL selects by `u32` or `i32`: use `if`"));
        }
        self.line(&format!("switch {} {{", selector.text));
        let mut has_default = false;
        for arm in &choice.arms {
            if let Some((_, guard)) = &arm.guard {
                return Err(Error::new(guard.span(), "WGSL cases have no guards: use `if`"));
            }
            let mut labels = Vec::new();
            self.case_labels(&arm.pat, &selector.ty, &mut labels)?;
            let is_default = labels.iter().any(|label| label == "default");
            has_default |= is_default;
            let head = if is_default && labels.len() == 1 {
                "default".to_owned()
            } else {
                format!("case {}", labels.join(", "))
            };
            self.nested(|this| {
                this.line(&format!("{head}: {{"));
                this.breakables.push(Breakable::Match);
                let body = this.nested(|this| this.assign_to(&arm.body, target));
                this.breakables.pop();
                body?;
                this.line("}");
                Ok(())
            })?;
        }
        if !has_default {
            return Err(Error::new(choice.span(), "a WGSL `switch` has a default: add `_ => …`"));
        }
        self.line("}");
        Ok(())
    }

    fn case_labels(&mut self, pattern: &Pat, ty: &Ty, labels: &mut Vec<String>) -> Result<()> {
        match pattern {
            Pat::Wild(_) => labels.push("default".to_owned()),
            Pat::Or(either) => return either.cases.iter().try_for_each(|case| self.case_labels(case, ty, labels)),
            Pat::Paren(paren) => return self.case_labels(&paren.pat, ty, labels),
            Pat::Lit(literal) => {
                let value = self.expression(&Expr::Lit(literal.clone()), ty)?;
                labels.push(value.text);
            }
            Pat::Path(constant) => labels.push(self.expression(&Expr::Path(constant.clone()), ty)?.text),
            Pat::Ident(ident) if is_constant_like(&ident.ident) && ident.subpat.is_none() => {
                let path = syn::ExprPath { attrs: Vec::new(), qself: None, path: ident.ident.clone().into() };
                labels.push(self.expression(&Expr::Path(path), ty)?.text);
            }
            Pat::Range(range) => {
                return Err(Error::new(range.span(), "WGSL cases are single values: list them, or use `if`"));
            }
            other => return Err(Error::new(other.span(), "cases are integers, device constants and `_`")),
        }
        Ok(())
    }

    /// Something that can be assigned.
    fn place(&mut self, expr: &Expr) -> Result<Value> {
        match plain(expr) {
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => self.expression(expr, &Ty::Unknown),
            other => Err(Error::new(other.span(), "device code assigns variables, fields and elements")),
        }
    }

    /// `a += b` and its like; `None` for an operator that does not assign.
    fn compound(&mut self, binary: &syn::ExprBinary) -> Result<Option<String>> {
        use syn::BinOp::*;
        let is_shift = matches!(binary.op, ShlAssign(_) | ShrAssign(_));
        let operator = match binary.op {
            AddAssign(_) => "+=",
            SubAssign(_) => "-=",
            MulAssign(_) => "*=",
            DivAssign(_) => "/=",
            RemAssign(_) => "%=",
            BitAndAssign(_) => "&=",
            BitOrAssign(_) => "|=",
            BitXorAssign(_) => "^=",
            ShlAssign(_) => "<<=",
            ShrAssign(_) => ">>=",
            _ => return Ok(None),
        };
        let place = self.place(&binary.left)?;
        self.look_at(&binary.left, &place);
        let value = if is_shift {
            self.shift_amount(&binary.right, &place.ty)?
        } else {
            let expected = place.ty.scalar().map_or(Ty::Unknown, Ty::Scalar);
            self.expression(&binary.right, &expected)?
        };
        if place.ty == Ty::U64 && !matches!(operator, "&=" | "|=" | "^=") {
            let level = crate::expression::Level::Sum;
            let operator = operator.trim_end_matches('=');
            let result = if is_shift {
                self.wide_shift(operator, &place, &value)
            } else {
                self.wide_binary(operator, level, &place, &value, binary)?
            };
            return Ok(Some(format!("{} = {};", place.text, result.text)));
        }
        if place.ty == Ty::BOOL && operator == "^=" {
            let text = value.within(crate::expression::Level::Shift);
            return Ok(Some(format!("{0} = {0} != {text};", place.text)));
        }
        Ok(Some(format!("{} {operator} {};", place.text, value.text)))
    }
}

pub fn no_labels(at: &impl Spanned) -> Error {
    Error::new(at.span(), "WGSL has no labels: leave one loop at a time")
}

fn is_debug_assert(path: &syn::Path) -> bool {
    ["debug_assert", "debug_assert_eq", "debug_assert_ne"].iter().any(|name| path.is_ident(name))
}
