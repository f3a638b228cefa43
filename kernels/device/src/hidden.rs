//! What does rustc know that the macro cannot see? An operator on a `u64` needs other WGSL than one on a `vec2u`, so a `u64` has
//! to be visible where it is an operand. Operands of unknown type are put through `narrow` in a copy of the function that
//! nobody calls: rustc refuses a `u64` there, at its place.

use crate::{
    expression::{Value, plain},
    function::Translator,
    types::Ty,
};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::HashSet;
use syn::{
    BinOp, Block, Expr, Signature,
    spanned::Spanned,
    visit::{self, Visit},
    visit_mut::{self, VisitMut},
};

impl Translator {
    /// Notes an operand that rustc has to look at.
    pub fn look_at(&mut self, operand: &Expr, value: &Value) {
        if value.ty == Ty::Unknown {
            self.hidden.insert(plain(operand));
        }
    }
}

/// The copy; nothing where all types are visible.
pub fn checks(signature: &Signature, body: &Block, hidden: &HashSet<*const Expr>) -> TokenStream {
    if hidden.is_empty() {
        return TokenStream::new();
    }
    let mut numbers = Numbers { hidden, next: 0, found: HashSet::new() };
    numbers.visit_block(body);
    let mut copy = body.clone();
    Narrow { next: 0, wanted: numbers.found }.visit_block_mut(&mut copy);
    let mut signature = signature.clone();
    signature.constness = None;
    quote! {
        const _: () = {
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, reason = "for its types only")]
            #signature #copy
        };
    }
}

/// Numbers the expressions in the order in which they are visited: the copy has the same ones.
struct Numbers<'a> {
    hidden: &'a HashSet<*const Expr>,
    next: usize,
    found: HashSet<usize>,
}

impl Visit<'_> for Numbers<'_> {
    fn visit_expr(&mut self, expr: &Expr) {
        if self.hidden.contains(&std::ptr::from_ref(expr)) {
            self.found.insert(self.next);
        }
        self.next += 1;
        visit::visit_expr(self, expr);
    }
}

struct Narrow {
    next: usize,
    wanted: HashSet<usize>,
}

impl VisitMut for Narrow {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let mine = self.next;
        self.next += 1;
        match expr {
            Expr::Binary(binary) if is_assignment(&binary.op) => {
                // What is assigned has to stay a place: its value is looked at beside it.
                let place = self.next;
                let mut counted = Self { next: self.next, wanted: HashSet::new() };
                counted.visit_expr_mut(&mut binary.left);
                self.next = counted.next;
                self.visit_expr_mut(&mut binary.right);
                if self.wanted.contains(&place) {
                    let value = narrow(&binary.left);
                    *expr = Expr::Verbatim(quote! { { let _ = #value; #binary; } });
                }
            }
            _ => {
                visit_mut::visit_expr_mut(self, expr);
                if self.wanted.contains(&mine) {
                    *expr = Expr::Verbatim(narrow(expr));
                }
            }
        }
    }
}

fn narrow(expr: &Expr) -> TokenStream {
    quote_spanned! { expr.span() => ::kernels::device::narrow(#expr) }
}

fn is_assignment(operator: &BinOp) -> bool {
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
