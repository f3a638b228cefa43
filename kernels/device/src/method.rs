//! Which functions do Rust's scalars, glam's vectors and WGSL share? Only where they mean the same.

use crate::{
    expression::{BIND_FIRST, Level, Value, is_simple},
    function::Translator,
    types::{self, Scalar, Ty},
};
use syn::{Error, Expr, ExprCall, ExprMethodCall, Ident, Result, spanned::Spanned};

impl Translator {
    /// `receiver.name(arguments)`
    pub fn method(&mut self, call: &ExprMethodCall, expected: &Ty) -> Result<Value> {
        if let Some(turbofish) = &call.turbofish {
            return Err(Error::new(turbofish.span(), "WGSL has no generic functions"));
        }
        let receiver = self.expression(&call.receiver, &result_hint(&call.method, expected))?;
        if receiver.ty == Ty::Literal {
            return Err(Error::new(call.receiver.span(), "write the type of the number, as in `1u32`"));
        }
        self.look_at(&call.receiver, &receiver);
        let arguments: Vec<&Expr> = call.args.iter().collect();
        self.builtin(receiver, &call.method, &arguments)
    }

    /// `f32::from_bits(x)`, `UVec2::new(x, y)`, `u32::min(a, b)`
    pub fn associated(&mut self, owner: &str, name: &str, arguments: &[&Expr], call: &ExprCall) -> Result<Value> {
        let ty = types::owner(owner).unwrap_or(Ty::Unknown);
        match (name, &ty, arguments) {
            ("new", Ty::Vector(_, n), components) if components.len() == usize::from(*n) => {
                self.vector_of(&ty, components)
            }
            ("splat", Ty::Vector(..), [value]) => self.vector_of(&ty, &[value]),
            ("from_array", Ty::Vector(_, n), [array]) => {
                let from = self.expression(array, &Ty::Unknown)?;
                if from.ty == Ty::Unknown {
                    // A field: a vector already, where the struct says `#[vector]`.
                    return Ok(Value::primary(format!("{ty}({})", from.text), ty));
                }
                if !is_simple(array) {
                    return Err(Error::new(array.span(), BIND_FIRST));
                }
                let components: Vec<String> =
                    (0..*n).map(|i| format!("{}[{i}u]", from.within(Level::Primary))).collect();
                Ok(Value::primary(format!("{ty}({})", components.join(", ")), ty))
            }
            // Both sides are evaluated, here and there.
            ("select", Ty::Vector(_, n), [mask, yes, no]) => {
                let mask = self.expression(mask, &Ty::Vector(Scalar::Bool, *n))?;
                let (yes, no) = (self.expression(yes, &ty)?, self.expression(no, &ty)?);
                Ok(Value::primary(format!("select({}, {}, {})", no.argument(), yes.argument(), mask.argument()), ty))
            }
            ("from_cols", Ty::Matrix, columns) if columns.len() == 4 => self.vector_of(&ty, columns),
            ("from_bits", Ty::Scalar(Scalar::F32), [bits]) => {
                let bits = self.expression(bits, &Ty::U32)?;
                Ok(Value::primary(format!("bitcast<f32>({})", bits.text), Ty::F32))
            }
            ("from", Ty::Scalar(_), [value]) => {
                let value = self.expression(value, &Ty::Unknown)?;
                if value.ty == Ty::Literal {
                    return Err(Error::new(call.span(), "write the number with its type, as in `1u32`"));
                }
                if ty == Ty::U64 || value.ty == Ty::U64 {
                    return crate::u64_words::cast(&value, &ty, arguments[0]);
                }
                Ok(Value::primary(format!("{ty}({})", value.text), ty))
            }
            (_, _, [receiver, rest @ ..]) => {
                let receiver = self.expression(receiver, &ty)?;
                let receiver = Value { ty, ..receiver };
                self.builtin(receiver, &Ident::new(name, call.func.span()), rest)
            }
            _ => Err(Error::new(call.span(), format!("`{owner}::{name}` has no WGSL"))),
        }
    }

    fn builtin(&mut self, receiver: Value, method: &Ident, arguments: &[&Expr]) -> Result<Value> {
        let name = method.to_string();
        let ty = receiver.ty.clone();
        let refuse = |why: &str| Err(Error::new(method.span(), why));
        if ty == Ty::U64 {
            return self.wide_method(&receiver, method, arguments);
        }
        if matches!(ty, Ty::Struct(_) | Ty::Array(..)) {
            return refuse("device functions stand outside of types: call a free function, `f(value)`");
        }
        let is_integer = matches!(ty.scalar(), Some(Scalar::U32 | Scalar::I32));
        if ty == Ty::Matrix && name != "transpose" && name != "determinant" {
            return refuse(
                "of a `Mat4`, device code has `*`, columns such as `m.x_axis`, `transpose` and `determinant`",
            );
        }
        // Functions of the same arity and type.
        let same = match (name.as_str(), arguments.len()) {
            ("min" | "max", 1) | ("clamp", 2) => Some((name.as_str(), ty.clone())),
            ("abs", 0) => Some(("abs", ty.clone())),
            (
                "floor" | "ceil" | "trunc" | "sqrt" | "exp" | "exp2" | "log2" | "sin" | "cos" | "tan" | "asin" | "acos"
                | "atan" | "sinh" | "cosh" | "tanh" | "normalize",
                0,
            )
            | ("atan2", 1) => Some((name.as_str(), ty.clone())),
            ("ln", 0) => Some(("log", ty.clone())),
            ("round_ties_even", 0) => Some(("round", ty.clone())),
            ("fract_gl", 0) => Some(("fract", ty.clone())),
            ("to_radians", 0) => Some(("radians", ty.clone())),
            ("to_degrees", 0) => Some(("degrees", ty.clone())),
            ("powf", 1) => Some(("pow", ty.clone())),
            ("mul_add", 2) => Some(("fma", ty.clone())),
            ("transpose", 0) if ty == Ty::Matrix => Some(("transpose", Ty::Matrix)),
            ("determinant", 0) if ty == Ty::Matrix => Some(("determinant", Ty::F32)),
            ("reverse_bits", 0) => Some(("reverseBits", ty.clone())),
            ("cross", 1) => Some(("cross", ty.clone())),
            ("reflect", 1) => Some(("reflect", ty.clone())),
            ("dot", 1) => Some(("dot", ty.element())),
            ("length", 0) => Some(("length", Ty::F32)),
            ("distance", 1) => Some(("distance", Ty::F32)),
            ("signum", 0) if ty.scalar() == Some(Scalar::I32) => Some(("sign", ty.clone())),
            _ => None,
        };
        if let Some((function, result)) = same {
            let mut texts = vec![receiver.argument()];
            for argument in arguments {
                texts.push(self.expression(argument, &ty)?.argument());
            }
            return Ok(Value::primary(format!("{function}({})", texts.join(", ")), result));
        }
        let counted = |function: &str| {
            let text = format!("{function}({})", receiver.text);
            // Of an `i32` WGSL gives an `i32`, Rust a `u32`.
            let text = if ty == Ty::U32 { text } else { format!("u32({text})") };
            Ok(Value::primary(text, Ty::U32))
        };
        match (name.as_str(), arguments) {
            ("count_ones", []) => counted("countOneBits"),
            ("leading_zeros", []) => counted("countLeadingZeros"),
            ("trailing_zeros", []) => counted("countTrailingZeros"),
            ("wrapping_add" | "wrapping_sub" | "wrapping_mul", [other]) => {
                let (operator, level, right) = match name.as_str() {
                    "wrapping_add" => ("+", Level::Sum, Level::Product),
                    "wrapping_sub" => ("-", Level::Sum, Level::Product),
                    _ => ("*", Level::Product, Level::Unary),
                };
                let other = self.expression(other, &ty)?;
                let result = if ty.is_known() { ty } else { other.ty.clone() };
                let result = if result == Ty::Literal { Ty::Unknown } else { result };
                let text = format!("{} {operator} {}", receiver.within(level), other.within(right));
                Ok(Value { text, level, ty: result })
            }
            ("wrapping_neg", []) if ty == Ty::I32 => {
                Ok(Value { text: format!("-{}", receiver.within(Level::Primary)), level: Level::Unary, ty })
            }
            ("wrapping_neg", []) if ty == Ty::U32 => {
                Ok(Value { text: format!("0u - {}", receiver.within(Level::Product)), level: Level::Sum, ty })
            }
            ("wrapping_neg", []) => refuse(NOT_VISIBLE),
            ("wrapping_shl" | "wrapping_shr", [by]) if !ty.is_vector() => {
                let by = self.expression(by, &Ty::U32)?;
                let operator = if name == "wrapping_shl" { "<<" } else { ">>" };
                let text = format!("{} {operator} ({} & 31u)", receiver.within(Level::Unary), by.within(Level::Unary));
                Ok(Value { text, level: Level::Shift, ty })
            }
            ("rotate_left" | "rotate_right", [by]) if ty == Ty::U32 => {
                let by = self.expression(by, &Ty::U32)?;
                let (there, back) = if name == "rotate_left" { ("<<", ">>") } else { (">>", "<<") };
                let (value, by) = (receiver.within(Level::Unary), by.within(Level::Unary));
                let text = format!("({value} {there} ({by} & 31u)) | ({value} {back} ((32u - {by}) & 31u))");
                Ok(Value { text, level: Level::BitOr, ty })
            }
            ("rotate_left" | "rotate_right", _) => {
                refuse("only a visible `u32` is rotated: bind it first, `let name: u32 = …`")
            }
            // Of unsigned integers only, in Rust.
            ("is_multiple_of", [other]) => {
                let other = self.expression(other, &Ty::U32)?;
                let text = format!("{} % {} == 0u", receiver.within(Level::Product), other.within(Level::Unary));
                Ok(Value { text, level: Level::Relation, ty: Ty::BOOL })
            }
            ("to_bits", []) => Ok(Value::primary(format!("bitcast<u32>({})", receiver.text), Ty::U32)),
            ("cmpeq" | "cmpne" | "cmplt" | "cmple" | "cmpgt" | "cmpge", [other]) => {
                let other = self.expression(other, &ty)?;
                let ((Ty::Vector(_, n), _) | (_, Ty::Vector(_, n))) = (&ty, &other.ty) else {
                    return refuse(NOT_VISIBLE);
                };
                let operator = [("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")];
                let operator = operator.iter().find(|(rust, _)| name.ends_with(rust)).map_or("==", |(_, wgsl)| wgsl);
                let text = format!("{} {operator} {}", receiver.within(Level::Shift), other.within(Level::Shift));
                Ok(Value { text, level: Level::Relation, ty: Ty::Vector(Scalar::Bool, *n) })
            }
            ("all" | "any", []) => match ty {
                Ty::Vector(Scalar::Bool, _) => Ok(Value::primary(format!("{name}({})", receiver.argument()), Ty::BOOL)),
                _ => refuse(NOT_VISIBLE),
            },
            ("recip", []) => Ok(Value {
                text: format!("1.0f / {}", receiver.within(Level::Unary)),
                level: Level::Product,
                ty: ty.clone(),
            }),
            ("length_squared", []) => Ok(Value::primary(format!("dot({0}, {0})", receiver.argument()), ty.element())),
            ("lerp", [other, amount]) if ty.is_vector() => {
                let (other, amount) = (self.expression(other, &ty)?, self.expression(amount, &Ty::F32)?);
                Ok(Value::primary(
                    format!("mix({}, {}, {})", receiver.argument(), other.argument(), amount.argument()),
                    ty,
                ))
            }
            ("extend", [last]) => match ty {
                Ty::Vector(scalar, n @ 2..=3) => {
                    let last = self.expression(last, &Ty::Scalar(scalar))?;
                    let wider = Ty::Vector(scalar, n + 1);
                    Ok(Value::primary(format!("{wider}({}, {})", receiver.argument(), last.argument()), wider))
                }
                _ => refuse(NOT_VISIBLE),
            },
            ("truncate", []) => match ty {
                Ty::Vector(scalar, n @ 3..=4) => {
                    let narrower = Ty::Vector(scalar, n - 1);
                    let components = &"xyz"[..usize::from(n) - 1];
                    Ok(Value::primary(format!("{}.{components}", receiver.within(Level::Primary)), narrower))
                }
                _ => refuse(NOT_VISIBLE),
            },
            (
                "as_vec2" | "as_vec3" | "as_vec4" | "as_uvec2" | "as_uvec3" | "as_uvec4" | "as_ivec2" | "as_ivec3"
                | "as_ivec4",
                [],
            ) => {
                let to = types::vector(&name[3..]).unwrap_or(Ty::Unknown);
                if to.scalar() != Some(Scalar::F32) && !is_integer {
                    let Ty::Vector(Scalar::F32, n) = ty else { return refuse(NOT_VISIBLE) };
                    let components = "xyzw"[..usize::from(n)].chars().map(|component| {
                        let float = format!("{}.{component}", receiver.within(Level::Primary));
                        self.saturated(&float, &to.element()).text
                    });
                    let components: Vec<String> = components.collect();
                    return Ok(Value::primary(format!("{to}({})", components.join(", ")), to));
                }
                Ok(Value::primary(format!("{to}({})", receiver.text), to))
            }
            (swizzle, []) if is_swizzle(swizzle) => {
                let scalar = ty.scalar();
                let result = scalar.map_or(Ty::Unknown, |scalar| Ty::Vector(scalar, swizzle.len() as u8));
                Ok(Value::primary(format!("{}.{swizzle}", receiver.within(Level::Primary)), result))
            }
            ("round", _) => refuse("Rust rounds halves away from zero, WGSL to even: use `round_ties_even()`"),
            ("fract", _) => refuse("WGSL's `fract` differs below zero: write `x - x.floor()` or `x - x.trunc()`"),
            ("signum", _) if !is_integer => refuse("WGSL's `sign` differs at zero: write the comparison"),
            ("rem_euclid" | "div_euclid", _) => refuse("WGSL has no Euclidean division: write it with `%` and `if`"),
            ("pow" | "powi", _) => refuse("WGSL has no integer powers: multiply, or use `powf` of a positive number"),
            ("is_nan" | "is_finite" | "is_infinite", _) => {
                refuse("WGSL may assume that there are no NaN and infinities: test bits, `x.to_bits() & 0x7f800000`")
            }
            ("clone" | "into" | "to_owned", _) => refuse("write the conversion: `as u32`, `as_vec3()`"),
            (
                "checked_add" | "checked_sub" | "checked_mul" | "saturating_add" | "saturating_sub" | "saturating_mul"
                | "overflowing_add" | "overflowing_sub" | "overflowing_mul",
                _,
            ) => refuse("WGSL wraps: compare first, or use the `wrapping_` form"),
            _ => refuse("no function of WGSL means this: write a device function and call it, `f(x)`"),
        }
    }
}

const NOT_VISIBLE: &str = "the type is not visible here: bind it first, `let name: TYPE = …`";

fn is_swizzle(name: &str) -> bool {
    (2..=4).contains(&name.len()) && name.bytes().all(|component| b"xyzw".contains(&component))
}

/// Methods that give what they are called on take the type that is expected of them.
fn result_hint(method: &Ident, expected: &Ty) -> Ty {
    let keeps = ["min", "max", "clamp", "wrapping_add", "wrapping_sub", "wrapping_mul", "abs"];
    if keeps.iter().any(|name| method == name) { expected.clone() } else { Ty::Unknown }
}
