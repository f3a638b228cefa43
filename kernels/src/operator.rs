//! How are two items combined? An associative operator with a Rust meaning and a WGSL meaning.

use crate::Element;
use std::marker::PhantomData;

/// An associative operator with an identity: a monoid. It need not commute.
///
/// The WGSL text defines `op_identity() -> Elem` and `op_combine(left: Elem, right: Elem) -> Elem`, where `Elem` is the
/// item's type. [`check_operator`](crate::laws::check_operator) compares both meanings.
///
/// ```
/// use kernels::{Element, Operator};
/// # #[repr(C)]
/// # #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
/// # struct Bounds { low: f32, high: f32 }
/// # impl Element for Bounds {
/// #     const TYPE: &'static str = "Bounds";
/// #     const DECLARATION: &'static str = "struct Bounds { low: f32, high: f32 }";
/// # }
/// /// The smallest interval that holds both.
/// struct Union;
///
/// impl Operator for Union {
///     type Item = Bounds;
///     const NAME: &'static str = "bounds union";
///     const COMMUTATIVE: bool = true;
///     const WGSL: &'static str = "
/// fn op_identity() -> Elem { return Elem(3.4028234e38, -3.4028234e38); }
/// fn op_combine(left: Elem, right: Elem) -> Elem { return Elem(min(left.low, right.low), max(left.high, right.high)); }";
///
///     fn identity() -> Bounds { Bounds { low: f32::MAX, high: f32::MIN } }
///     fn combine(left: Bounds, right: Bounds) -> Bounds {
///         Bounds { low: left.low.min(right.low), high: left.high.max(right.high) }
///     }
/// }
/// ```
pub trait Operator: Send + Sync + 'static {
    /// What is combined.
    type Item: Element;
    /// What errors and pipelines call it.
    const NAME: &'static str;
    /// Whether operands may be exchanged, which lets a reduction load whole cache lines.
    const COMMUTATIVE: bool = false;
    /// The WGSL meaning.
    const WGSL: &'static str;
    /// `combine(identity, x) = combine(x, identity) = x`
    fn identity() -> Self::Item;
    /// The Rust meaning.
    fn combine(left: Self::Item, right: Self::Item) -> Self::Item;
}

/// Addition; integers wrap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum<T>(PhantomData<T>);
/// The smaller one. Of floats, a NaN operand may or may not win, as in WGSL.
#[derive(Clone, Copy, Debug, Default)]
pub struct Min<T>(PhantomData<T>);
/// The larger one. Of floats, a NaN operand may or may not win, as in WGSL.
#[derive(Clone, Copy, Debug, Default)]
pub struct Max<T>(PhantomData<T>);

macro_rules! operators {
    ($($operator:ident<$item:ty>, $name:literal, $identity:expr, $wgsl_identity:literal, |$a:ident, $b:ident| $combine:expr, $wgsl_combine:literal);* $(;)?) => { $(
        impl Operator for $operator<$item> {
            type Item = $item;
            const NAME: &'static str = $name;
            const COMMUTATIVE: bool = true;
            const WGSL: &'static str = concat!(
                "fn op_identity() -> Elem { return ", $wgsl_identity, "; }\n",
                "fn op_combine(left: Elem, right: Elem) -> Elem { return ", $wgsl_combine, "; }\n",
            );
            #[inline]
            fn identity() -> $item { $identity }
            #[inline]
            fn combine($a: $item, $b: $item) -> $item { $combine }
        }
    )* };
}

operators! {
    Sum<u32>, "sum of u32", 0, "0u", |a, b| a.wrapping_add(b), "left + right";
    Sum<i32>, "sum of i32", 0, "0i", |a, b| a.wrapping_add(b), "left + right";
    Sum<f32>, "sum of f32", 0.0, "0f", |a, b| a + b, "left + right";
    Sum<[u32; 2]>, "sum of 2 u32", [0; 2], "vec2u(0u)", |a, b| [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])], "left + right";
    Sum<[u32; 4]>, "sum of 4 u32", [0; 4], "vec4u(0u)", |a, b| std::array::from_fn(|i| a[i].wrapping_add(b[i])), "left + right";
    Min<u32>, "minimum of u32", u32::MAX, "0xffffffffu", |a, b| a.min(b), "min(left, right)";
    Min<i32>, "minimum of i32", i32::MAX, "2147483647i", |a, b| a.min(b), "min(left, right)";
    Min<f32>, "minimum of f32", f32::MAX, "3.4028234663852886e38f", |a, b| a.min(b), "min(left, right)";
    Max<u32>, "maximum of u32", 0, "0u", |a, b| a.max(b), "max(left, right)";
    Max<i32>, "maximum of i32", i32::MIN, "i32(-2147483648)", |a, b| a.max(b), "max(left, right)";
    Max<f32>, "maximum of f32", f32::MIN, "-3.4028234663852886e38f", |a, b| a.max(b), "max(left, right)";
}
