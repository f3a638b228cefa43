//! What does rustc know that the macro cannot see? An operator on a `u64` needs other WGSL than one on a `vec2u`, so a `u64` has
//! to be visible where it is an operand. Operands of unknown type are put through `narrow` in a copy of the function that
//! nobody calls: rustc refuses a `u64` there, at its place.
//!
//! Operands are numbered before they are translated, by parentheses with an attribute: the number stays with an operand where
//! a loop is copied for its tiles or turns.

use crate::{expression::Value, function::Translator, types::Ty};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::HashSet;
use syn::{
    Attribute, BinOp, Block, Expr, ExprParen, LitInt, Signature,
    spanned::Spanned,
    token::Paren,
    visit_mut::{self, VisitMut},
};

/// Gives operands their numbers.
#[derive(Default)]
pub struct OperandNumbers(usize);

impl OperandNumbers {
    fn mark(&mut self, operand: &mut Expr) {
        // All tokens lie where the operand does: errors point at it.
        let span = operand.span();
        let number = LitInt::new(&self.0.to_string(), span);
        let attribute: Attribute = syn::parse_quote_spanned! { span => #[operand(#number)] };
        self.0 += 1;
        let parenthesized =
            |attrs, expr| Expr::Paren(ExprParen { attrs, paren_token: Paren(span), expr: Box::new(expr) });
        let expr = std::mem::replace(operand, Expr::Verbatim(TokenStream::new()));
        // Within others, so that the attribute is no part of what is around.
        *operand = parenthesized(Vec::new(), parenthesized(vec![attribute], expr));
    }
}

impl VisitMut for OperandNumbers {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Binary(binary) => {
                self.mark(&mut binary.left);
                self.mark(&mut binary.right);
            }
            Expr::MethodCall(call) => self.mark(&mut call.receiver),
            Expr::Cast(cast) => self.mark(&mut cast.expr),
            Expr::Range(range) => range.start.iter_mut().for_each(|start| self.mark(start)),
            _ => {}
        }
    }
}

/// The block with numbered operands.
pub fn marked(block: &Block) -> Block {
    let mut block = block.clone();
    OperandNumbers::default().visit_block_mut(&mut block);
    block
}

/// The number of an operand.
fn number(expr: &Expr) -> Option<usize> {
    let Expr::Paren(outer) = expr else { return None };
    let Expr::Paren(inner) = &*outer.expr else { return None };
    let attribute = inner.attrs.iter().find(|attribute| attribute.path().is_ident("operand"))?;
    attribute.parse_args::<LitInt>().ok()?.base10_parse().ok()
}

/// Takes the number of an operand away.
fn unmark(expr: &mut Expr) -> Option<usize> {
    let found = number(expr)?;
    if let Expr::Paren(outer) = expr
        && let Expr::Paren(inner) = &mut *outer.expr
    {
        *expr = std::mem::replace(&mut *inner.expr, Expr::Verbatim(TokenStream::new()));
    }
    Some(found)
}

impl Translator {
    /// Notes an operand that rustc has to look at.
    pub fn look_at(&mut self, operand: &Expr, value: &Value) {
        if value.ty == Ty::Unknown {
            self.hidden.extend(number(operand));
        }
    }
}

/// The expression without numbers.
pub fn unmarked(expr: &Expr) -> Expr {
    let mut expr = expr.clone();
    NarrowOperands(&HashSet::new()).visit_expr_mut(&mut expr);
    expr
}

/// The copy of a function with a marked body; nothing where all types are visible.
pub fn checks(signature: &Signature, body: &Block, hidden: &HashSet<usize>) -> TokenStream {
    if hidden.is_empty() {
        return TokenStream::new();
    }
    let mut copy = body.clone();
    NarrowOperands(hidden).visit_block_mut(&mut copy);
    let mut signature = signature.clone();
    signature.constness = None;
    quote! {
        const _: () = {
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, reason = "for its types only")]
            #signature #copy
        };
    }
}

/// Puts operands of these numbers through `narrow`, and takes all numbers away.
struct NarrowOperands<'a>(&'a HashSet<usize>);

impl VisitMut for NarrowOperands<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Binary(binary) = expr
            && is_assignment(&binary.op)
        {
            // What is assigned has to stay a place: its value is looked at beside it.
            let place = unmark(&mut binary.left);
            self.visit_expr_mut(&mut binary.left);
            self.visit_expr_mut(&mut binary.right);
            if place.is_some_and(|number| self.0.contains(&number)) {
                let value = narrow(&binary.left);
                *expr = Expr::Verbatim(quote! { { let _ = #value; #binary; } });
            }
            return;
        }
        let mine = unmark(expr);
        match mine {
            Some(_) => self.visit_expr_mut(expr),
            None => visit_mut::visit_expr_mut(self, expr),
        }
        if mine.is_some_and(|number| self.0.contains(&number)) {
            *expr = Expr::Verbatim(narrow(expr));
        }
    }
}

fn narrow(expr: &Expr) -> TokenStream {
    quote_spanned! { expr.span() => ::kernels::device::narrow(#expr) }
}

pub fn is_assignment(operator: &BinOp) -> bool {
    use BinOp::*;
    matches!(
        operator,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | BitXorAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}
