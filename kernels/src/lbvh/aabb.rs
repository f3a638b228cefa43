//! What is a box, and what does a wrong one mean? The elements that a tree is built from, as device functions: what CPU and GPU
//! compute from one source. `shaders/kernels/lbvh/aabb.wgsl` is generated from this file, which a test compares.

use super::flush::{AABB_LARGEST, AABB_LIMIT, aabb_flush, aabb_flush_outward, aabb_is_nan};
use crate::{
    Operator, Source, device,
    device::{DeviceItem, DeviceType, Item, Layout},
};
use glam::Vec3;

/// An axis-aligned box, 24 bytes.
///
/// A tree keeps boxes finite, by clamping to 2^120, and takes a box with a NaN, or with `low` above `high` in some axis, for
/// [empty](Self::EMPTY): it is in the tree, but no query meets it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Aabb {
    /// The smallest coordinates.
    pub low: [f32; 3],
    /// The largest coordinates.
    pub high: [f32; 3],
}

impl Aabb {
    /// The box of nothing: the identity of [`union`](Self::union).
    pub const EMPTY: Self = aabb_empty();

    /// The smallest box around points.
    ///
    /// ```
    /// use kernels::lbvh::Aabb;
    /// let around = Aabb::around([[0.0, 5.0, 2.0], [1.0, 4.0, 2.0]]);
    /// assert_eq!(around, Aabb { low: [0.0, 4.0, 2.0], high: [1.0, 5.0, 2.0] });
    /// ```
    pub fn around(points: impl IntoIterator<Item = [f32; 3]>) -> Self {
        points.into_iter().fold(Self::EMPTY, |all, point| all.union(Self { low: point, high: point }))
    }

    /// The smallest box around both.
    ///
    /// ```
    /// use kernels::lbvh::Aabb;
    /// let [a, b] = [[1.0, 2.0, 3.0], [-1.0, 4.0, 0.0]].map(|point| Aabb::around([point]));
    /// assert_eq!(a.union(b), Aabb { low: [-1.0, 2.0, 0.0], high: [1.0, 4.0, 3.0] });
    /// assert!(Aabb::around([]).is_empty() && a.union(Aabb::around([])) == a);
    /// ```
    #[inline]
    pub fn union(self, other: Self) -> Self {
        aabb_union(self, other)
    }

    /// Whether it is the box of nothing.
    pub fn is_empty(&self) -> bool {
        aabb_is_empty(*self)
    }

    /// The box as a tree keeps it: finite, without negative zeros and subnormals, or empty.
    #[inline]
    pub(crate) fn usable(self) -> Self {
        // The CPU's form of `aabb_usable`, which a test compares: a comparison tells a NaN, which WGSL does not promise, and spares
        // a build on the CPU a fifth of its time.
        let low = self.low.map(|value| aabb_flush_outward(value, -1.0));
        let high = self.high.map(|value| aabb_flush_outward(value, 1.0));
        // Not `low > high`: a NaN is neither.
        if (0..3).all(|i| low[i] <= high[i]) {
            let clamp = |value: f32| value.clamp(-AABB_LIMIT, AABB_LIMIT);
            return Self { low: low.map(clamp), high: high.map(clamp) };
        }
        Self::EMPTY
    }
}

/// The items that are written by hand on both sides: Rust has arrays; WGSL has scalars, because `vec3f` would lie 16 bytes apart,
/// and so that lanes of a subgroup can pass a box.
macro_rules! by_hand {
    ($($name:ident needs $needs:expr, $wgsl:literal);* $(;)?) => { $(
        impl DeviceItem for $name {
            const ITEM: &'static Item =
                &Item { path: concat!(module_path!(), "::", stringify!($name)), wgsl: $wgsl, needs: $needs };
        }
    )* };
}

by_hand! {
    Aabb needs &[], "\
// Scalars, because `vec3f` would lie 16 bytes apart.
struct Aabb {
    low_x: f32,
    low_y: f32,
    low_z: f32,
    high_x: f32,
    high_y: f32,
    high_z: f32,
}
";
    aabb needs &[Aabb::ITEM], "\
fn aabb(low: vec3f, high: vec3f) -> Aabb {
    return Aabb(low.x, low.y, low.z, high.x, high.y, high.z);
}
";
    aabb_low needs &[Aabb::ITEM], "\
fn aabb_low(bounds: Aabb) -> vec3f {
    return vec3f(bounds.low_x, bounds.low_y, bounds.low_z);
}
";
    aabb_high needs &[Aabb::ITEM], "\
fn aabb_high(bounds: Aabb) -> vec3f {
    return vec3f(bounds.high_x, bounds.high_y, bounds.high_z);
}
";
}

impl DeviceType for Aabb {
    const NAME: &'static str = "Aabb";
    const DECLARATION: &'static str = device::module!(Aabb);
    const LAYOUT: Layout = Layout { size: size_of::<Self>(), align: 4, in_buffers: true };
}

/// [`aabb()`] on a device.
#[allow(non_camel_case_types, reason = "the name of the function")]
pub struct aabb {}

/// [`aabb_low()`] on a device.
#[allow(non_camel_case_types, reason = "the name of the function")]
pub struct aabb_low {}

/// [`aabb_high()`] on a device.
#[allow(non_camel_case_types, reason = "the name of the function")]
pub struct aabb_high {}

/// The box between two corners.
#[inline]
pub const fn aabb(low: Vec3, high: Vec3) -> Aabb {
    Aabb { low: low.to_array(), high: high.to_array() }
}

/// The smallest coordinates.
#[inline]
pub const fn aabb_low(bounds: Aabb) -> Vec3 {
    Vec3::from_array(bounds.low)
}

/// The largest coordinates.
#[inline]
pub const fn aabb_high(bounds: Aabb) -> Vec3 {
    Vec3::from_array(bounds.high)
}

/// The box of nothing: the identity of the union.
#[device]
#[inline]
pub const fn aabb_empty() -> Aabb {
    aabb(Vec3::splat(AABB_LARGEST), Vec3::splat(-AABB_LARGEST))
}

/// Whether it is the box of nothing.
#[device]
#[inline]
pub fn aabb_is_empty(bounds: Aabb) -> bool {
    aabb_low(bounds).x > aabb_high(bounds).x
}

/// The smallest box around both.
#[device]
#[inline]
pub fn aabb_union(a: Aabb, b: Aabb) -> Aabb {
    let low: Vec3 = aabb_low(a);
    let high: Vec3 = aabb_high(a);
    aabb(low.min(aabb_low(b)), high.max(aabb_high(b)))
}

/// The box as a tree keeps it: finite, without negative zeros and subnormals. A box with a NaN, or whose low side is above its
/// high side in some axis, is empty.
#[device]
#[inline]
pub fn aabb_usable(bounds: Aabb) -> Aabb {
    let low: Vec3 = aabb_low(bounds);
    let high: Vec3 = aabb_high(bounds);
    let kept_low =
        Vec3::new(aabb_flush_outward(low.x, -1.0), aabb_flush_outward(low.y, -1.0), aabb_flush_outward(low.z, -1.0));
    let kept_high =
        Vec3::new(aabb_flush_outward(high.x, 1.0), aabb_flush_outward(high.y, 1.0), aabb_flush_outward(high.z, 1.0));
    // In one go: comparisons side by side cost less than a branch each.
    let low_has_nan = aabb_is_nan(low.x) | aabb_is_nan(low.y) | aabb_is_nan(low.z);
    let high_has_nan = aabb_is_nan(high.x) | aabb_is_nan(high.y) | aabb_is_nan(high.z);
    if low_has_nan | high_has_nan | kept_low.cmpgt(kept_high).any() {
        return aabb_empty();
    }
    let limit = Vec3::splat(AABB_LIMIT);
    aabb(kept_low.clamp(-limit, limit), kept_high.clamp(-limit, limit))
}

/// Twice the centre of a usable box, as a box of one point; of an empty box the empty box.
#[device]
#[inline]
pub fn aabb_centre(bounds: Aabb) -> Aabb {
    if aabb_is_empty(bounds) {
        return bounds;
    }
    let twice: Vec3 = aabb_low(bounds) + aabb_high(bounds);
    let point = Vec3::new(aabb_flush(twice.x), aabb_flush(twice.y), aabb_flush(twice.z));
    aabb(point, point)
}

/// Whether two boxes touch, faces included.
#[device]
#[inline]
pub fn aabb_touches(bounds: Aabb, low: Vec3, high: Vec3) -> bool {
    (low.cmple(aabb_high(bounds)) & high.cmpge(aabb_low(bounds))).all()
}

/// The smallest box around two, as an operator.
///
/// ```
/// use kernels::{Plain, lbvh::{Aabb, BoxUnion}, reduce};
/// let at = |x: f32| Aabb { low: [x, 0.0, 0.0], high: [x + 1.0, 1.0, 1.0] };
/// let all = reduce::<BoxUnion, Plain<Aabb>>(&[at(0.0), at(5.0), at(2.0)]);
/// assert_eq!((all.low[0], all.high[0]), (0.0, 6.0));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct BoxUnion;

#[device]
impl Operator for BoxUnion {
    type Item = Aabb;
    const NAME: &'static str = "box union";
    const COMMUTATIVE: bool = true;

    #[inline]
    fn identity() -> Aabb {
        aabb_empty()
    }

    #[inline]
    fn combine(left: Aabb, right: Aabb) -> Aabb {
        aabb_union(left, right)
    }
}

/// Twice the centre of each box, which the scene's bounds are taken of.
pub(super) struct Centres;

impl Source for Centres {
    type Stored = Aabb;
    type Item = Aabb;
    const NAME: &'static str = "box centres";
    const WGSL: &'static str = "//!import kernels/lbvh/aabb
fn source_map(stored: Stored, item: u32) -> Elem { return aabb_centre(aabb_usable(stored)); }";

    #[inline]
    fn map(stored: Aabb, _item: u32) -> Aabb {
        aabb_centre(stored.usable())
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;
    use crate::lbvh::{flush, generated};

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let wgsl = device::module!(
            Aabb,
            aabb,
            aabb_low,
            aabb_high,
            aabb_empty,
            aabb_is_empty,
            aabb_union,
            aabb_usable,
            aabb_centre,
            aabb_touches
        );
        let question = "What is a box, and what does a wrong one mean? The elements that a linear BVH is built from.";
        generated::check("aabb.wgsl", question, "aabb", &[("kernels/lbvh/flush", flush::MODULE)], wgsl);
    }

    /// A box through the origin: each number goes elsewhere.
    #[device]
    fn mirrored(bounds: Aabb) -> Aabb {
        let high: Vec3 = aabb_high(bounds);
        let low: Vec3 = aabb_low(bounds);
        aabb(-high, low * -1.0)
    }

    /// Law: what is written by hand on both sides means the same, and so does what is made of it, bit for bit.
    #[test]
    fn boxes_mean_the_same_on_a_device() {
        let gpu = gpu::Gpu::new(&Default::default()).unwrap();
        let kernels = crate::Kernels::new(&gpu.device);
        let bits = |found: &Aabb| bytemuck::cast::<Aabb, [u32; 6]>(*found);
        let boxes = |numbers: [f32; 7]| -> Vec<(Aabb,)> {
            let corners = (0..7usize.pow(4)).map(|k| [k % 7, k / 7 % 7, k / 49 % 7, k / 343].map(|i| numbers[i]));
            corners.map(|[a, b, c, d]| (Aabb { low: [a, b, 0.5], high: [c, d, 8.0] },)).collect()
        };
        let (normal, all) = (
            [1.0, -2.0, 4.0, 0.25, 1e-30, f32::MAX, f32::MIN],
            [1.0, -2.0, -0.0, 1e-40, -1e-40, f32::INFINITY, f32::NAN],
        );
        crate::testing::check_function::<mirrored>(&kernels, &gpu, &boxes(normal), |a, b| bits(a) == bits(b)).unwrap();
        let boxes = boxes(all);
        for (bounds,) in &boxes {
            assert_eq!(bits(&bounds.usable()), bits(&aabb_usable(*bounds)), "{bounds:?}");
        }
        crate::testing::check_function::<aabb_usable>(&kernels, &gpu, &boxes, |a, b| bits(a) == bits(b)).unwrap();
        let usable: Vec<(Aabb,)> = boxes.iter().map(|(bounds,)| (bounds.usable(),)).collect();
        crate::testing::check_function::<aabb_centre>(&kernels, &gpu, &usable, |a, b| bits(a) == bits(b)).unwrap();
    }
}
