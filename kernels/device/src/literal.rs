//! How are numbers and constants written in WGSL? With their type, so that no side computes with another one.

use crate::{
    expression::{Level, Value, is_constant_like},
    function::Translator,
    names::wgsl_name,
    types::{self, Scalar, Ty},
};
use syn::{Error, ExprPath, Lit, Result, spanned::Spanned};

impl Translator {
    pub fn literal(&mut self, literal: &Lit, expected: &Ty, negative: bool) -> Result<Value> {
        match literal {
            Lit::Bool(value) => Ok(Value::primary(value.value.to_string(), Ty::BOOL)),
            Lit::Float(value) => {
                if value.suffix() == "f64" {
                    return Err(Error::new(value.span(), "WGSL has no `f64`: use `f32`"));
                }
                Ok(Value::primary(float(value.base10_digits(), value)?, Ty::F32))
            }
            Lit::Int(value) => {
                let ty = match value.suffix() {
                    "" => match expected.scalar() {
                        Some(Scalar::U32) => Ty::U32,
                        Some(Scalar::I32) => Ty::I32,
                        Some(Scalar::U64) => Ty::U64,
                        _ => Ty::Literal,
                    },
                    "u32" => Ty::U32,
                    "i32" => Ty::I32,
                    "u64" => Ty::U64,
                    "f32" => return Ok(Value::primary(float(value.base10_digits(), value)?, Ty::F32)),
                    other => {
                        return Err(Error::new(
                            value.span(),
                            format!("`{other}` is no type of device code: use `u32`, `i32` or `u64`"),
                        ));
                    }
                };
                if ty == Ty::U64 {
                    return crate::u64_words::literal(value);
                }
                let digits = integer_text(value)?;
                // 2147483648i is too large, although its negation is not.
                if negative && value.base10_digits() == "2147483648" {
                    return Ok(Value::primary("i32(-2147483648)", Ty::I32));
                }
                let suffix = match ty {
                    Ty::U32 => "u",
                    Ty::I32 => "i",
                    _ => "",
                };
                let text = format!("{}{digits}{suffix}", if negative { "-" } else { "" });
                Ok(Value { text, level: if negative { Level::Unary } else { Level::Primary }, ty })
            }
            other => Err(Error::new(other.span(), "device code has integers, `f32` and `bool`")),
        }
    }

    pub fn path(&mut self, path: &ExprPath) -> Result<Value> {
        if path.qself.is_some() {
            return Err(Error::new(path.span(), "write the name itself, not a projection"));
        }
        if let Some(ident) = path.path.get_ident()
            && let Some(local) = self.local(&ident.to_string())
        {
            return Ok(Value::primary(local.wgsl.clone(), local.ty.clone()));
        }
        let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let name = names.last().map(String::as_str).unwrap_or_default();
        let owner = names.len().checked_sub(2).map(|at| names[at].as_str()).unwrap_or_default();
        if owner == "consts" {
            let value = match name {
                "PI" => std::f32::consts::PI,
                "TAU" => std::f32::consts::TAU,
                "E" => std::f32::consts::E,
                "FRAC_PI_2" => std::f32::consts::FRAC_PI_2,
                "FRAC_PI_4" => std::f32::consts::FRAC_PI_4,
                "FRAC_1_PI" => std::f32::consts::FRAC_1_PI,
                "LN_2" => std::f32::consts::LN_2,
                "LOG2_E" => std::f32::consts::LOG2_E,
                "SQRT_2" => std::f32::consts::SQRT_2,
                "FRAC_1_SQRT_2" => std::f32::consts::FRAC_1_SQRT_2,
                _ => return Err(Error::new(path.span(), "write this constant as a number")),
            };
            return Ok(Value::primary(format!("{value:?}f"), Ty::F32));
        }
        if let Some(scalar) = Scalar::parse(owner) {
            return scalar_constant(scalar, name, path);
        }
        if let Some(vector @ Ty::Vector(scalar, n)) = types::vector(owner) {
            if let (Scalar::Bool, "TRUE" | "FALSE") = (scalar, name) {
                return Ok(Value::primary(format!("{vector}({})", name.to_lowercase()), vector));
            }
            let one = if scalar == Scalar::F32 {
                "1.0f".to_owned()
            } else {
                format!("1{}", &Ty::Scalar(scalar).to_string()[..1])
            };
            let zero = one.replace('1', "0");
            let axis = |axis: u8| -> Vec<&str> {
                (0..n).map(|i| if i == axis { one.as_str() } else { zero.as_str() }).collect()
            };
            let values = match name {
                _ if scalar == Scalar::Bool => {
                    return Err(Error::new(path.span(), "of masks, there are `TRUE` and `FALSE`"));
                }
                "ZERO" => vec![zero.as_str()],
                "ONE" => vec![one.as_str()],
                "X" => axis(0),
                "Y" => axis(1),
                "Z" if n > 2 => axis(2),
                "W" if n > 3 => axis(3),
                _ => return Err(Error::new(path.span(), format!("write this constant out: `{owner}::new(…)`"))),
            };
            return Ok(Value::primary(format!("{vector}({})", values.join(", ")), vector));
        }
        match path.path.segments.last() {
            Some(segment) if is_constant_like(&segment.ident) && segment.arguments.is_none() => {
                self.need(&path.path);
                Ok(Value::primary(wgsl_name(&segment.ident), Ty::Unknown))
            }
            _ => Err(Error::new(path.span(), "neither a local variable nor a device constant in capitals")),
        }
    }
}

fn integer_text(value: &syn::LitInt) -> Result<String> {
    let number: u64 =
        value.base10_digits().parse().map_err(|_| Error::new(value.span(), "too large for an integer of 32 bits"))?;
    let written = value.to_string();
    Ok(if ["0x", "0b", "0o"].iter().any(|base| written.starts_with(base)) {
        format!("{number:#x}")
    } else {
        number.to_string()
    })
}

fn float(digits: &str, at: &impl Spanned) -> Result<String> {
    match digits.parse::<f32>() {
        Ok(value) if value.is_finite() => Ok(float_text(value)),
        _ => Err(Error::new(at.span(), "too large for an `f32`")),
    }
}

/// A float as every compiler of WGSL takes it. The shortest decimal that names the largest one lies beyond it, which the
/// specification refuses; so it and those too small for full precision are written as they are, in hexadecimal.
pub(crate) fn float_text(value: f32) -> String {
    let (size, sign) = (value.abs(), if value.is_sign_negative() { "-" } else { "" });
    match size {
        f32::MAX => format!("{sign}0x1.fffffep+127f"),
        _ if size > 0.0 && size <= f32::MIN_POSITIVE => format!("{sign}{:#x}p-149f", size.to_bits()),
        _ => format!("{value:?}f"),
    }
}

fn scalar_constant(scalar: Scalar, name: &str, at: &ExprPath) -> Result<Value> {
    let float = match name {
        "MAX" => Some(f32::MAX),
        "MIN" => Some(f32::MIN),
        "MIN_POSITIVE" => Some(f32::MIN_POSITIVE),
        "EPSILON" => Some(f32::EPSILON),
        _ => None,
    };
    let float = float.map(float_text).unwrap_or_default();
    let text = match (scalar, name) {
        (Scalar::U32, "MAX") => "0xffffffffu",
        (Scalar::U32, "MIN") => "0u",
        (Scalar::I32, "MAX") => "2147483647i",
        (Scalar::I32, "MIN") => "i32(-2147483648)",
        (Scalar::U64, "MAX") => "vec2u(0xffffffffu, 0xffffffffu)",
        (Scalar::U64, "MIN") => "vec2u(0u, 0u)",
        (Scalar::U64, "BITS") => return Ok(Value::primary("64u", Ty::U32)),
        (Scalar::U32 | Scalar::I32, "BITS") => return Ok(Value::primary("32u", Ty::U32)),
        (Scalar::F32, _) if !float.is_empty() => float.as_str(),
        (Scalar::F32, "INFINITY" | "NEG_INFINITY" | "NAN") => {
            return Err(Error::new(at.span(), "WGSL need not have infinities and NaN: use `f32::MAX` or a flag"));
        }
        _ => return Err(Error::new(at.span(), "write this constant as a number")),
    };
    let level = if text.starts_with('-') { Level::Unary } else { Level::Primary };
    Ok(Value { text: text.to_owned(), level, ty: Ty::Scalar(scalar) })
}
