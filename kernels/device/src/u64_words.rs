//! What is done with a `u64`, which WGSL knows as a `vec2u` of low and high word: helpers where words depend on each other.

use crate::{
    expression::{Level, Value},
    function::Translator,
    types::{Scalar, Ty},
};
use syn::{Error, Expr, ExprBinary, Ident, LitInt, Result, spanned::Spanned};

/// A number of 64 bits.
pub fn literal(value: &LitInt) -> Result<Value> {
    let number: u64 =
        value.base10_digits().parse().map_err(|_| Error::new(value.span(), "too large for an integer of 64 bits"))?;
    Ok(Value::primary(format!("vec2u({:#x}u, {:#x}u)", number as u32, number >> 32), Ty::U64))
}

/// A cast from or to `u64`.
pub fn cast(value: &Value, to: &Ty, at: &Expr) -> Result<Value> {
    let refuse = |why: &str| Err(Error::new(at.span(), why));
    match (&value.ty, to) {
        (Ty::Scalar(Scalar::U32), Ty::Scalar(Scalar::U64)) => {
            Ok(Value::primary(format!("vec2u({}, 0u)", value.argument()), Ty::U64))
        }
        (Ty::Scalar(Scalar::Bool), Ty::Scalar(Scalar::U64)) => {
            Ok(Value::primary(format!("vec2u(u32({}), 0u)", value.text), Ty::U64))
        }
        (Ty::Scalar(Scalar::U64), Ty::Scalar(Scalar::U32)) => {
            Ok(Value::primary(format!("{}.x", value.within(Level::Primary)), Ty::U32))
        }
        (Ty::Scalar(Scalar::U64), Ty::Scalar(Scalar::I32)) => {
            Ok(Value::primary(format!("i32({}.x)", value.within(Level::Primary)), Ty::I32))
        }
        (Ty::Scalar(Scalar::U64), Ty::Scalar(Scalar::F32)) => {
            refuse("WGSL has no conversion of 64 bits to a float: write `x as u32 as f32`, of the bits that matter")
        }
        (Ty::Unknown | Ty::Literal, _) => refuse("the type is not visible here: bind it first, `let name: TYPE = …`"),
        _ => refuse("device code casts `u64` from and to `u32` only: `x as u32 as u64`"),
    }
}

impl Translator {
    /// A call of a helper.
    fn helper(&mut self, name: &str, arguments: &[&Value], ty: Ty) -> Value {
        let ident = Ident::new(name, proc_macro2::Span::call_site());
        self.need(&syn::parse_quote!(::kernels::device::#ident));
        let texts: Vec<String> = arguments.iter().map(|value| value.argument()).collect();
        Value::primary(format!("{name}({})", texts.join(", ")), ty)
    }

    pub fn wide_shift(&mut self, operator: &str, value: &Value, by: &Value) -> Value {
        self.helper(if operator == "<<" { "u64_shl" } else { "u64_shr" }, &[value, by], Ty::U64)
    }

    /// `left operator right` where one is a `u64`, and so is the other.
    pub fn wide_binary(
        &mut self,
        operator: &str,
        level: Level,
        left: &Value,
        right: &Value,
        at: &ExprBinary,
    ) -> Result<Value> {
        let negated = |value: Value| Value { text: format!("!{}", value.text), level: Level::Unary, ty: Ty::BOOL };
        Ok(match operator {
            "+" => self.helper("u64_add", &[left, right], Ty::U64),
            "-" => self.helper("u64_sub", &[left, right], Ty::U64),
            "*" => self.helper("u64_mul", &[left, right], Ty::U64),
            "<" => self.helper("u64_less", &[left, right], Ty::BOOL),
            ">" => self.helper("u64_less", &[right, left], Ty::BOOL),
            ">=" => negated(self.helper("u64_less", &[left, right], Ty::BOOL)),
            "<=" => negated(self.helper("u64_less", &[right, left], Ty::BOOL)),
            "==" => Value::primary(
                format!("all({} == {})", left.within(Level::Shift), right.within(Level::Shift)),
                Ty::BOOL,
            ),
            "!=" => Value::primary(
                format!("any({} != {})", left.within(Level::Shift), right.within(Level::Shift)),
                Ty::BOOL,
            ),
            "&" | "|" | "^" => {
                let wrap = |value: &Value| {
                    if value.level == level { value.text.clone() } else { value.within(Level::Unary) }
                };
                let text = format!("{} {operator} {}", wrap(left), wrap(right));
                Value { text, level, ty: Ty::U64 }
            }
            _ => return Err(Error::new(at.span(), "WGSL does not divide 64 bits: shift, or use `u32`")),
        })
    }

    pub fn wide_method(&mut self, receiver: &Value, method: &Ident, arguments: &[&Expr]) -> Result<Value> {
        let name = method.to_string();
        match (name.as_str(), arguments) {
            ("count_ones" | "leading_zeros" | "trailing_zeros", []) => {
                Ok(self.helper(&format!("u64_{name}"), &[receiver], Ty::U32))
            }
            ("wrapping_add" | "wrapping_sub" | "wrapping_mul" | "min" | "max", [other]) => {
                let other = self.expression(other, &Ty::U64)?;
                let name = name.trim_start_matches("wrapping_");
                Ok(self.helper(&format!("u64_{name}"), &[receiver, &other], Ty::U64))
            }
            ("rotate_left", [by]) => {
                let by = self.expression(by, &Ty::U32)?;
                Ok(self.helper("u64_rotate_left", &[receiver, &by], Ty::U64))
            }
            ("rotate_right", [by]) => {
                let by = self.expression(by, &Ty::U32)?;
                // By 64 it stays as it is.
                let back = Value::primary(format!("64u - ({} & 63u)", by.within(Level::Unary)), Ty::U32);
                Ok(self.helper("u64_rotate_left", &[receiver, &back], Ty::U64))
            }
            _ => Err(Error::new(
                method.span(),
                "of a `u64`, device code has `rotate_left`, `rotate_right`, `count_ones`, `leading_zeros`, `trailing_zeros`, `min`, `max`, and the wrapping \
                 sum, difference and product",
            )),
        }
    }
}
