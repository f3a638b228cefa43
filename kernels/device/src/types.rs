//! Which types do Rust and WGSL share? Scalars, glam's vectors, device structs, arrays of these. A `u64` is two words.

use quote::ToTokens;
use std::fmt;
use syn::{Error, Expr, Path, Result, Type, spanned::Spanned};

/// A scalar of WGSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    U32,
    I32,
    F32,
    Bool,
    /// A `vec2u` of low and high word in WGSL.
    U64,
}

/// What is known of the type of an expression. A macro sees neither the fields of a struct nor what a function gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Scalar(Scalar),
    Vector(Scalar, u8),
    /// Four columns of four `f32`.
    Matrix,
    Struct(String),
    Array(Box<Ty>, String),
    /// An integer literal without a suffix, which takes the type of what it meets.
    Literal,
    Unknown,
}

impl Scalar {
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "u32" => Some(Self::U32),
            "i32" => Some(Self::I32),
            "f32" => Some(Self::F32),
            "bool" => Some(Self::Bool),
            "u64" => Some(Self::U64),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::F32 => "f32",
            Self::Bool => "bool",
            Self::U64 => "vec2u",
        }
    }
}

impl Ty {
    pub const U32: Self = Self::Scalar(Scalar::U32);
    pub const I32: Self = Self::Scalar(Scalar::I32);
    pub const F32: Self = Self::Scalar(Scalar::F32);
    pub const BOOL: Self = Self::Scalar(Scalar::Bool);
    pub const U64: Self = Self::Scalar(Scalar::U64);

    pub fn is_known(&self) -> bool {
        !matches!(self, Self::Unknown | Self::Literal)
    }

    pub fn is_vector(&self) -> bool {
        matches!(self, Self::Vector(..))
    }

    /// The scalar that a component, or the value itself, is.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) | Self::Vector(scalar, _) => Some(*scalar),
            _ => None,
        }
    }

    /// The type of a component, an element, or of the value itself where it has none.
    pub fn element(&self) -> Self {
        match self {
            Self::Vector(scalar, _) => Self::Scalar(*scalar),
            Self::Matrix => Self::Vector(Scalar::F32, 4),
            Self::Array(element, _) => (**element).clone(),
            _ => Self::Unknown,
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => f.write_str(scalar.name()),
            Self::Vector(Scalar::Bool, n) => write!(f, "vec{n}<bool>"),
            Self::Vector(scalar, n) => write!(f, "vec{n}{}", &scalar.name()[..1]),
            Self::Matrix => f.write_str("mat4x4f"),
            Self::Struct(name) => f.write_str(name),
            Self::Array(element, n) => write!(f, "array<{element}, {n}>"),
            Self::Literal | Self::Unknown => f.write_str("?"),
        }
    }
}

/// glam's vector type of a name: `UVec3`, or the function `uvec3`.
pub fn vector(name: &str) -> Option<Ty> {
    let (scalar, n) = match name.as_bytes() {
        [b'V' | b'v', b'e', b'c', n] => (Scalar::F32, *n),
        [b'U', b'V', b'e', b'c', n] | [b'u', b'v', b'e', b'c', n] => (Scalar::U32, *n),
        [b'I', b'V', b'e', b'c', n] | [b'i', b'v', b'e', b'c', n] => (Scalar::I32, *n),
        [b'B', b'V', b'e', b'c', n] | [b'b', b'v', b'e', b'c', n] => (Scalar::Bool, *n),
        _ => return None,
    };
    (b'2'..=b'4').contains(&n).then(|| Ty::Vector(scalar, n - b'0'))
}

/// The type whose functions `NAME::function` are known.
pub fn owner(name: &str) -> Option<Ty> {
    let scalar = Scalar::parse(name).map(Ty::Scalar);
    let vector = || vector(name).filter(|_| name.starts_with(char::is_uppercase));
    scalar.or_else(vector).or_else(|| (name == "Mat4").then_some(Ty::Matrix))
}

/// The last name of a path without generic arguments.
pub fn last(path: &Path) -> Option<String> {
    let segment = path.segments.last()?;
    segment.arguments.is_none().then(|| segment.ident.to_string())
}

/// A Rust type as WGSL, and the device structs that it names.
pub fn parse(ty: &Type, needs: &mut Vec<Path>) -> Result<Ty> {
    let refuse = |why: &str| Err(Error::new(ty.span(), why));
    match ty {
        Type::Group(group) => parse(&group.elem, needs),
        Type::Paren(paren) => parse(&paren.elem, needs),
        Type::Array(array) => {
            let element = parse(&array.elem, needs)?;
            let Some(n) = length(&array.len) else {
                return refuse("the length of a device array is a literal: `[f32; 4]`");
            };
            Ok(Ty::Array(Box::new(element), n))
        }
        Type::Path(path) if path.qself.is_none() => {
            let Some(name) = last(&path.path) else {
                return refuse("WGSL has no generic types: use a scalar, a glam vector, an array or a device struct");
            };
            if let Some(scalar) = Scalar::parse(&name) {
                return Ok(Ty::Scalar(scalar));
            }
            if name.starts_with(char::is_uppercase)
                && let Some(vector) = vector(&name)
            {
                return Ok(vector);
            }
            match name.as_str() {
                "i64" | "u128" | "i128" => refuse("of integers, device code has `u32`, `i32` and `u64`"),
                "u8" | "u16" | "i8" | "i16" | "char" => refuse("WGSL has no small integers: use `u32` or `i32`"),
                "usize" | "isize" => refuse("use `u32`, and write `[i as usize]` where something is indexed"),
                "f64" => refuse("WGSL has no `f64`: use `f32`"),
                "Mat4" => Ok(Ty::Matrix),
                "Vec3A" | "Quat" | "Mat2" | "Mat3" | "Affine3A" => refuse(
                    "of glam, device code has the vectors `Vec2` to `Vec4`, `IVec2` to `IVec4`, `UVec2` to `UVec4`, `BVec2` to `BVec4`, and `Mat4`",
                ),
                "Self" => refuse("write the type's own name: `Self` means nothing in WGSL"),
                _ if name.starts_with(char::is_uppercase) => {
                    needs.push(path.path.clone());
                    Ok(Ty::Struct(crate::names::wgsl_name(&path.path.segments.last().expect("has a name").ident)))
                }
                _ => refuse("unknown type: use a scalar, a glam vector, an array or a device struct"),
            }
        }
        Type::Path(_) => refuse("write the type itself, not a projection"),
        Type::Reference(_) | Type::Ptr(_) => refuse("device functions take and give values: pass it by value"),
        Type::Tuple(_) => refuse("WGSL has no tuples: name a device struct"),
        Type::Slice(_) => refuse("WGSL has no slices: use an array of fixed length"),
        other => {
            let text = other.to_token_stream();
            refuse(&format!("`{text}` has no WGSL: use a scalar, a glam vector, an array or a device struct"))
        }
    }
}

/// The type of a field that says `#[vector]`: its innermost arrays are vectors.
pub fn vectors(ty: &Type) -> Result<Ty> {
    let why = "`#[vector]` stands before arrays of two to four numbers: `[f32; 3]`, `[[f32; 4]; 6]`";
    match parse(ty, &mut Vec::new())? {
        Ty::Array(element, n) => match (*element, n.as_str()) {
            (Ty::Scalar(scalar @ (Scalar::F32 | Scalar::U32 | Scalar::I32)), "2" | "3" | "4") => {
                Ok(Ty::Vector(scalar, n.as_bytes()[0] - b'0'))
            }
            (Ty::Array(..), _) => {
                let Type::Array(array) = ty else { return Err(Error::new(ty.span(), why)) };
                Ok(Ty::Array(Box::new(vectors(&array.elem)?), n))
            }
            _ => Err(Error::new(ty.span(), why)),
        },
        _ => Err(Error::new(ty.span(), why)),
    }
}

fn length(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            syn::Lit::Int(int) => Some(int.base10_digits().to_owned()),
            _ => None,
        },
        _ => None,
    }
}
