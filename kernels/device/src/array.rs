//! How are arrays written and indexed in WGSL? Element by element; by `u32` where Rust wants `usize`.

use crate::{
    expression::{BIND_FIRST, Value, is_simple, plain},
    function::Translator,
    types::Ty,
};
use syn::{Error, Expr, ExprArray, ExprLit, ExprRepeat, Lit, Result, spanned::Spanned};

/// Elements that `[value; n]` has at most: they are written out, and lie in registers.
const MOST_ELEMENTS: u32 = 256;

impl Translator {
    /// `[a, b, c]`
    pub fn array(&mut self, array: &ExprArray, expected: &Ty) -> Result<Value> {
        let element = expected.element();
        let values: Vec<Value> = array.elems.iter().map(|e| self.expression(e, &element)).collect::<Result<_>>()?;
        let known = values.iter().find(|value| value.ty.is_known()).map(|value| value.ty.clone());
        let element = if element.is_known() { element } else { known.unwrap_or(Ty::Unknown) };
        if !element.is_known() {
            return Err(Error::new(array.span(), "write the type: `let name: [TYPE; N] = …`"));
        }
        let ty = Ty::Array(Box::new(element), values.len().to_string());
        let texts: Vec<String> = values.iter().map(Value::argument).collect();
        Ok(Value::primary(format!("{ty}({})", texts.join(", ")), ty))
    }

    /// `[value; n]`
    pub fn repeated(&mut self, repeat: &ExprRepeat, expected: &Ty) -> Result<Value> {
        let length = match plain(&repeat.len) {
            Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse::<u32>().ok(),
            _ => None,
        };
        let Some(length @ 1..=MOST_ELEMENTS) = length else {
            let why = format!("the length of a device array is a literal from 1 to {MOST_ELEMENTS}");
            return Err(Error::new(repeat.len.span(), why));
        };
        if !is_simple(&repeat.expr) {
            return Err(Error::new(repeat.expr.span(), BIND_FIRST));
        }
        let value = self.expression(&repeat.expr, &expected.element())?;
        if !value.ty.is_known() {
            return Err(Error::new(repeat.span(), "write the type: `let name: [TYPE; N] = …`"));
        }
        let is_zero = ["0u", "0i", "0.0f", "false", "vec2u(0x0u, 0x0u)"].contains(&value.text.as_str());
        let ty = Ty::Array(Box::new(value.ty.clone()), length.to_string());
        let texts = vec![value.argument(); if is_zero { 0 } else { length as usize }];
        Ok(Value::primary(format!("{ty}({})", texts.join(", ")), ty))
    }

    /// An index: Rust wants `usize`, WGSL any integer.
    pub fn index(&mut self, expr: &Expr) -> Result<String> {
        if let Expr::Cast(cast) = plain(expr)
            && let syn::Type::Path(path) = &*cast.ty
            && path.path.is_ident("usize")
        {
            let value = self.expression(&cast.expr, &Ty::U32)?;
            self.look_at(&cast.expr, &value);
            if value.ty == Ty::U64 {
                return Err(Error::new(cast.expr.span(), "WGSL indexes by 32 bits: write `[i as u32 as usize]`"));
            }
            return Ok(value.text);
        }
        match plain(expr) {
            Expr::Lit(literal) => Ok(self.literal(&literal.lit, &Ty::U32, false)?.text),
            other => Err(Error::new(other.span(), "write `[i as usize]`, of a `u32`")),
        }
    }
}
