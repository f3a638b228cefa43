//! Which loops are written out? Those behind `#[unroll]`, whole; those behind `#[unroll(n)]`, n turns at a time.

use crate::{
    expression::{Value, plain},
    function::Translator,
    statement::Target,
    types::Ty,
};
use syn::{
    Attribute, Error, Expr, ExprForLoop, ExprRange, Ident, Pat, RangeLimits, Result,
    spanned::Spanned,
    visit::{self, Visit},
};

/// Turns that are written out at most: drivers keep instructions in small caches.
const MOST: u64 = 256;

/// The number of `#[name(number)]`, none for `#[name]`.
pub fn number(attribute: &Attribute) -> Result<Option<u32>> {
    if matches!(attribute.meta, syn::Meta::Path(_)) {
        return Ok(None);
    }
    let number: syn::LitInt = attribute.parse_args()?;
    match number.base10_parse::<u32>() {
        Ok(value) if (2..=64).contains(&value) => Ok(Some(value)),
        _ => Err(Error::new(number.span(), "a number from 2 to 64 is expected")),
    }
}

/// The head of a loop that counts up.
pub struct Head {
    pub counter: Ident,
    pub start: Expr,
    pub end: Expr,
}

/// The head of an annotated loop.
pub fn head(repeat: &ExprForLoop) -> Result<Head> {
    let Expr::Range(ExprRange { start: Some(start), end: Some(end), limits: RangeLimits::HalfOpen(_), .. }) =
        plain(&repeat.expr)
    else {
        return Err(Error::new(repeat.expr.span(), "an annotated loop counts up: `for k in 0..n`"));
    };
    match (&*repeat.pat, &repeat.label) {
        (Pat::Ident(pat), None) if pat.mutability.is_none() && pat.by_ref.is_none() => {
            Ok(Head { counter: pat.ident.clone(), start: (**start).clone(), end: (**end).clone() })
        }
        _ => Err(Error::new(repeat.pat.span(), "the counter of an annotated loop is a name, and it has no label")),
    }
}

/// Refuses loops that are left early, or turns that are.
pub fn refuse_jumps(repeat: &ExprForLoop) -> Result<()> {
    struct Jumps(Option<proc_macro2::Span>);
    impl<'a> Visit<'a> for Jumps {
        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Break(_) | Expr::Continue(_) => {
                    self.0.get_or_insert(expr.span());
                }
                // Their jumps are their own.
                Expr::ForLoop(_) | Expr::While(_) => {}
                _ => visit::visit_expr(self, expr),
            }
        }
    }
    let mut jumps = Jumps(None);
    jumps.visit_block(&repeat.body);
    let why = "an annotated loop runs all its turns: use `if`";
    jumps.0.map_or(Ok(()), |span| Err(Error::new(span, why)))
}

impl Translator {
    /// A loop, written out.
    pub fn unrolled(&mut self, repeat: &ExprForLoop, turns: Option<u32>) -> Result<()> {
        refuse_jumps(repeat)?;
        let head = head(repeat)?;
        match turns {
            None => self.whole(repeat, &head),
            Some(turns) => self.partly(repeat, &head, turns),
        }
    }

    fn whole(&mut self, repeat: &ExprForLoop, head: &Head) -> Result<()> {
        let (start, end, ty) = match (literal(&head.start), literal(&head.end)) {
            (Some((start, a)), Some((end, b))) => (start, end, if a.is_empty() { b } else { a }),
            _ => {
                let why = "`#[unroll]` wants numbers, `for k in 0u32..9`; `#[unroll(4)]` takes four turns at a time";
                return Err(Error::new(repeat.expr.span(), why));
            }
        };
        let (ty, suffix) = match ty.as_str() {
            "u32" => (Ty::U32, "u"),
            "i32" => (Ty::I32, "i"),
            _ => return Err(Error::new(repeat.expr.span(), "write the type of the first number, as in `0u32..9`")),
        };
        if end.saturating_sub(start) > MOST {
            return Err(Error::new(
                repeat.expr.span(),
                format!("at most {MOST} turns are written out: `#[unroll(8)]`"),
            ));
        }
        for turn in start..end {
            self.line("{");
            self.nested(|this| {
                let counter = this.declare(&head.counter, ty.clone(), false);
                this.line(&format!("const {counter} = {turn}{suffix};"));
                this.statements(&repeat.body, &Target::Discard)
            })?;
            self.line("}");
        }
        Ok(())
    }

    fn partly(&mut self, repeat: &ExprForLoop, head: &Head, turns: u32) -> Result<()> {
        let (start, end) = self.bounds(head, repeat)?;
        let (first, whole) =
            (self.fresh(&format!("{}_first", head.counter)), self.fresh(&format!("{}_whole", head.counter)));
        self.line(&format!("let {whole} = {start} + (max({end}, {start}) - {start}) / {turns}u * {turns}u;"));
        self.line(&format!("for (var {first} = {start}; {first} < {whole}; {first} += {turns}u) {{"));
        self.nested(|this| {
            for turn in 0..turns {
                this.line("{");
                this.nested(|this| {
                    let counter = this.declare(&head.counter, Ty::U32, false);
                    this.line(&format!("let {counter} = {first} + {turn}u;"));
                    this.statements(&repeat.body, &Target::Discard)
                })?;
                this.line("}");
            }
            Ok(())
        })?;
        self.line("}");
        self.scoped(|this| {
            let counter = this.declare(&head.counter, Ty::U32, false);
            this.line(&format!("for (var {counter} = {whole}; {counter} < {end}; {counter}++) {{"));
            this.nested(|this| this.statements(&repeat.body, &Target::Discard))
        })?;
        self.line("}");
        Ok(())
    }

    /// Both bounds of a loop of `u32` as names or numbers, evaluated once.
    pub fn bounds(&mut self, head: &Head, repeat: &ExprForLoop) -> Result<(String, String)> {
        let (start, end) = self.pair(&head.start, &head.end, &Ty::U32)?;
        if start.ty != Ty::U32 && end.ty != Ty::U32 {
            return Err(Error::new(
                repeat.expr.span(),
                "an annotated loop counts in `u32`: `for k in 0..n`, n a `u32`",
            ));
        }
        let mut once = |value: Value, what: &str| {
            if value.text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.') {
                return value.text;
            }
            let name = self.fresh(&format!("{}_{what}", head.counter));
            self.line(&format!("let {name} = {};", value.text));
            name
        };
        let start = once(start, "start");
        Ok((start, once(end, "end")))
    }
}

/// A literal's value and suffix.
fn literal(expr: &Expr) -> Option<(u64, String)> {
    match plain(expr) {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => {
            Some((int.base10_parse().ok()?, int.suffix().to_owned()))
        }
        _ => None,
    }
}
