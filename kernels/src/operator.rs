//! How are two items combined? An associative operator with a Rust meaning and a WGSL meaning.

use crate::{Element, device};
use glam::{UVec2, UVec4, Vec2, Vec4};
use std::marker::PhantomData;

/// An associative operator with an identity: a monoid. It need not commute.
///
/// [`#[device]`](macro@device) before the implementation writes the WGSL of both functions. By hand it defines
/// `op_identity() -> Elem` and `op_combine(left: Elem, right: Elem) -> Elem`, where `Elem` is the item's type, and
/// [`check_operator`](crate::testing::check_operator) compares both meanings.
///
/// ```
/// use kernels::{Operator, device};
///
/// #[device]
/// #[repr(C)]
/// #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
/// struct Bounds { low: f32, high: f32 }
///
/// /// The smallest interval that holds both.
/// struct Union;
///
/// #[device]
/// impl Operator for Union {
///     type Item = Bounds;
///     const NAME: &'static str = "bounds union";
///     const COMMUTATIVE: bool = true;
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
/// The smaller one. Of floats, a NaN operand may or may not win, and an infinity counts as the number nearest to it: WGSL has neither.
///
/// ```
/// use kernels::{Max, Min, Plain, reduce};
/// assert_eq!(reduce::<Min<f32>, Plain<f32>>(&[3.0, -2.0, 7.0]), -2.0);
/// assert_eq!(reduce::<Max<f32>, Plain<f32>>(&[]), f32::MIN); // the identity
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Min<T>(PhantomData<T>);
/// The larger one. Of floats, a NaN operand may or may not win, and an infinity counts as the number nearest to it: WGSL has neither.
#[derive(Clone, Copy, Debug, Default)]
pub struct Max<T>(PhantomData<T>);

macro_rules! operators {
    ($($operator:ident<$item:ty>, $name:literal, $identity:expr, |$a:ident, $b:ident| $combine:expr);* $(;)?) => { $(
        #[device]
        impl Operator for $operator<$item> {
            type Item = $item;
            const NAME: &'static str = $name;
            const COMMUTATIVE: bool = true;
            #[inline]
            fn identity() -> $item {
                $identity
            }
            #[inline]
            fn combine($a: $item, $b: $item) -> $item {
                $combine
            }
        }
    )* };
}

operators! {
    Sum<u32>, "sum of u32", 0, |a, b| a.wrapping_add(b);
    Sum<i32>, "sum of i32", 0, |a, b| a.wrapping_add(b);
    Sum<u64>, "sum of u64", 0, |a, b| a.wrapping_add(b);
    Sum<f32>, "sum of f32", 0.0, |a, b| a + b;
    Sum<UVec2>, "sum of UVec2", UVec2::ZERO, |a, b| a.wrapping_add(b);
    Sum<UVec4>, "sum of UVec4", UVec4::ZERO, |a, b| a.wrapping_add(b);
    Sum<Vec2>, "sum of Vec2", Vec2::ZERO, |a, b| a + b;
    Sum<Vec4>, "sum of Vec4", Vec4::ZERO, |a, b| a + b;
    Min<u32>, "minimum of u32", u32::MAX, |a, b| a.min(b);
    Min<i32>, "minimum of i32", i32::MAX, |a, b| a.min(b);
    Min<u64>, "minimum of u64", u64::MAX, |a, b| a.min(b);
    Min<f32>, "minimum of f32", f32::MAX, |a, b| a.min(b);
    Max<u32>, "maximum of u32", 0, |a, b| a.max(b);
    Max<i32>, "maximum of i32", i32::MIN, |a, b| a.max(b);
    Max<u64>, "maximum of u64", 0, |a, b| a.max(b);
    Max<f32>, "maximum of f32", f32::MIN, |a, b| a.max(b);
}

// Arrays of Rust, which are vectors in the buffers of primitives, have no WGSL of their own.
macro_rules! sums_of_arrays {
    ($($n:literal $name:literal $wgsl_zero:literal),*) => { $(
        impl Operator for Sum<[u32; $n]> {
            type Item = [u32; $n];
            const NAME: &'static str = $name;
            const COMMUTATIVE: bool = true;
            const WGSL: &'static str = concat!(
                "fn op_identity() -> Elem { return ", $wgsl_zero, "; }\n",
                "fn op_combine(left: Elem, right: Elem) -> Elem { return left + right; }\n",
            );
            #[inline]
            fn identity() -> [u32; $n] {
                [0; $n]
            }
            #[inline]
            fn combine(a: [u32; $n], b: [u32; $n]) -> [u32; $n] {
                std::array::from_fn(|i| a[i].wrapping_add(b[i]))
            }
        }
    )* };
}

sums_of_arrays!(2 "sum of 2 u32" "vec2u(0u)", 4 "sum of 4 u32" "vec4u(0u)");
