//! How do loops become WGSL? Those that count, and those that run while a condition holds; what would not end is refused.

use crate::{
    expression::plain,
    function::{Breakable, Translator},
    statement::{Target, no_labels},
    types::Ty,
    u64_check::is_assignment,
};
use std::collections::HashSet;
use syn::{
    Block, Error, Expr, ExprForLoop, ExprRange, ExprWhile, Ident, Pat, RangeLimits, Result,
    spanned::Spanned,
    visit::{self, Visit},
};

impl Translator {
    pub fn while_loop(&mut self, repeat: &ExprWhile) -> Result<()> {
        if let Some(label) = &repeat.label {
            return Err(no_labels(label));
        }
        if let Expr::Let(binding) = plain(&repeat.cond) {
            return Err(Error::new(binding.span(), "device code has no patterns: write the condition"));
        }
        refuse_endless(repeat)?;
        let condition = self.expression(&repeat.cond, &Ty::BOOL)?;
        self.line(&format!("while {} {{", condition.text));
        self.loop_body(&repeat.body)
    }

    pub fn for_loop(&mut self, repeat: &ExprForLoop) -> Result<()> {
        const RANGE: &str = "device code counts: `for i in a..b` or `for i in (a..b).rev()`";
        if let Some(label) = &repeat.label {
            return Err(no_labels(label));
        }
        let (range, reversed) = match plain(&repeat.expr) {
            Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => (plain(&call.receiver), true),
            other => (other, false),
        };
        let Expr::Range(ExprRange { start: Some(start), end: Some(end), limits, .. }) = range else {
            return Err(Error::new(repeat.expr.span(), RANGE));
        };
        if let RangeLimits::Closed(token) = limits {
            return Err(Error::new(
                token.span(),
                "write `a..b + 1`: counting up to and including the largest integer would not end",
            ));
        }
        let (first, last) = self.pair(start, end, &Ty::Unknown)?;
        if first.ty == Ty::U64 || last.ty == Ty::U64 {
            return Err(Error::new(range.span(), "loops count with `u32` or `i32`"));
        }
        self.look_at(start, &first);
        let ty = if first.ty.is_known() { first.ty.clone() } else { last.ty.clone() };
        if first.ty == Ty::Literal || last.ty == Ty::Literal && !first.ty.is_known() {
            return Err(Error::new(range.span(), "write the type of the first number, as in `0u32..n`"));
        }
        // Rust evaluates the bounds once.
        let (from, to) = if reversed { (last, first) } else { (first, last) };
        let to_is_fixed = match plain(if reversed { start } else { end }) {
            Expr::Lit(_) => true,
            Expr::Path(path) => match path.path.get_ident().and_then(|ident| self.local(&ident.to_string())) {
                Some(local) => !local.mutable,
                None => true,
            },
            _ => false,
        };
        self.scoped(|this| {
            let index = match &*repeat.pat {
                Pat::Ident(pat) if pat.mutability.is_none() && pat.by_ref.is_none() && pat.subpat.is_none() => {
                    this.declare(&pat.ident, ty.clone(), false)
                }
                Pat::Wild(_) => this.fresh("i"),
                other => {
                    return Err(Error::new(
                        other.span(),
                        "the counter of a device loop is a name that does not change",
                    ));
                }
            };
            let to = if to_is_fixed {
                to.text
            } else {
                let name = this.fresh(&format!("{index}_end"));
                this.line(&format!("let {name} = {};", to.text));
                name
            };
            if reversed {
                this.line(&format!("for (var {index} = {}; {index} > {to};) {{", from.text));
                this.nested(|this| {
                    this.line(&format!("{index}--;"));
                    Ok(())
                })?;
            } else {
                this.line(&format!("for (var {index} = {}; {index} < {to}; {index}++) {{", from.text));
            }
            this.loop_body(&repeat.body)
        })
    }

    fn loop_body(&mut self, block: &Block) -> Result<()> {
        self.breakables.push(Breakable::Loop);
        let body = self.nested_block(block, &Target::Discard);
        self.breakables.pop();
        body?;
        self.line("}");
        Ok(())
    }
}

/// A loop whose condition nothing in it changes, and which nothing leaves, does not end.
fn refuse_endless(repeat: &ExprWhile) -> Result<()> {
    struct Names<'a>(HashSet<&'a Ident>);
    impl<'a> Visit<'a> for Names<'a> {
        fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
            self.0.extend(path.path.get_ident());
        }
    }
    /// Whether something may end a loop with a condition of these names.
    struct Ends<'a>(HashSet<&'a Ident>, bool);
    impl<'a> Ends<'a> {
        fn assigned(&mut self, place: &'a Expr) {
            let mut names = Names(HashSet::new());
            names.visit_expr(place);
            self.1 |= !self.0.is_disjoint(&names.0);
        }
    }
    impl<'a> Visit<'a> for Ends<'a> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Break(_) | Expr::Return(_) => self.1 = true,
                Expr::Assign(assign) => self.assigned(&assign.left),
                Expr::Binary(binary) if is_assignment(&binary.op) => self.assigned(&binary.left),
                _ => {}
            }
            visit::visit_expr(self, expr);
        }
    }
    let mut condition = Names(HashSet::new());
    condition.visit_expr(&repeat.cond);
    let mut ends = Ends(condition.0, false);
    ends.visit_block(&repeat.body);
    if ends.1 {
        return Ok(());
    }
    Err(Error::new(repeat.cond.span(), "nothing in this loop changes the condition: it would not end"))
}
