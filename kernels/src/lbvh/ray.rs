//! What is a ray, and what is a hit? Device structs, of which `lbvh/ray.wgsl` is generated, together with [`super::prepared_ray`].

use crate::device;

/// In place of a primitive: the ray meets nothing.
#[device]
pub const LBVH_MISS: u32 = 0xffff_ffff;

/// In place of a primitive or a number of them: the traversal took too many steps, the answer is not known.
#[device]
pub const LBVH_LIMIT: u32 = 0xffff_fffe;

/// In place of a primitive: the ray has no direction, or a part of it is not a number or too large.
#[device]
pub const LBVH_INVALID: u32 = 0xffff_fffd;

/// A ray, 32 bytes: the points `origin + t direction` for t from `t_min` to `t_max`, both included.
///
/// It is valid if all numbers are finite (`t_max` may be infinite), coordinates are at most 2^120 in size, and the largest
/// part of the direction is within 2^-60 to 2^60.
#[device(name = "LbvhRay")]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Ray {
    /// Where t is 0.
    #[vector]
    pub origin: [f32; 3],
    /// The smallest t.
    pub t_min: f32,
    /// Of any length: t counts in its units.
    #[vector]
    pub direction: [f32; 3],
    /// The largest t.
    pub t_max: f32,
}

impl Ray {
    /// The half-line from `origin`.
    pub fn new(origin: [f32; 3], direction: [f32; 3]) -> Self {
        Self { origin, t_min: 0.0, direction, t_max: f32::MAX }
    }
}

/// What a ray met, 16 bytes. [`outcome`](Self::outcome) says it as an enum.
#[device(name = "LbvhHit")]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Hit {
    /// Where along the ray.
    pub t: f32,
    /// The primitive, or [`MISS`](Self::MISS), [`LIMIT`](Self::LIMIT), [`INVALID`](Self::INVALID).
    pub primitive: u32,
    /// The point is (1 - u - v) a + u b + v c.
    pub u: f32,
    /// See `u`.
    pub v: f32,
}

/// What came of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It met a primitive.
    Hit(Hit),
    /// It met none.
    Miss,
    /// The traversal took too many steps: whether there is a hit is not known. Ask with more steps.
    Limit,
    /// The ray is not valid, see [`Ray`].
    Invalid,
}

impl Hit {
    /// `primitive` where nothing was met.
    pub const MISS: u32 = LBVH_MISS;
    /// `primitive` where the limit of steps was reached.
    pub const LIMIT: u32 = LBVH_LIMIT;
    /// `primitive` where the ray is not valid.
    pub const INVALID: u32 = LBVH_INVALID;

    /// The case that `primitive` stands for.
    pub fn outcome(self) -> Outcome {
        match self.primitive {
            Self::MISS => Outcome::Miss,
            Self::LIMIT => Outcome::Limit,
            Self::INVALID => Outcome::Invalid,
            _ => Outcome::Hit(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::generated;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let question = "What is a ray, what is a hit, and what is a ray prepared for?";
        generated::check("ray.wgsl", question, "ray", &[], generated::RAY);
    }
}
