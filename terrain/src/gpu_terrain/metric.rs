//! What do the shaders know of the view? `Metric` of `shaders/terrain/metric.wgsl`.

use bytemuck::{Pod, Zeroable};
use glam::DVec3;

use crate::{
    mesh::Quality,
    view::{Frame, Occluder},
};

/// The view as the GPU's metric reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Metric {
    /// Inward normals of the sides of the widened frustum.
    sides: [[f32; 4]; 4],
    /// Direction of the eye where the occluder is the unit sphere; one over its distance.
    towards_eye: [f32; 4],
    /// What takes metres there; the cosine of the shadow cone's half angle.
    to_unit: [f32; 4],
    /// Distance from the eye to the plane of the horizon.
    horizon: f32,
    /// Pixels per radian over the tolerated error.
    pixels_over_error: f32,
    /// Pixels per radian over the shortest edge.
    pixels_over_edge: f32,
    /// One over the width of the morph range.
    morph_scale: f32,
}

impl Metric {
    pub fn new(frame: &Frame, occluder: Occluder, quality: &Quality) -> Self {
        let four = |v: DVec3, w: f64| v.extend(w).as_vec4().to_array();
        let (towards_eye, sine, cosine, horizon) = match &frame.horizon {
            // The plane of the horizon is 1 / d from the centre, the eye d.
            Some(h) => (h.towards_eye, h.cos_cap, h.sin_cap, h.sin_cap * h.sin_cap / h.cos_cap),
            // An eye inside the occluder sees everything.
            None => (DVec3::Z, 1.0, 0.0, 1e30),
        };
        Self {
            sides: frame.sides.map(|side| four(side, 0.0)),
            towards_eye: four(towards_eye, sine),
            to_unit: four(occluder.inverse_axes, cosine),
            horizon: horizon as f32,
            pixels_over_error: (frame.pixels_per_radian / quality.pixel_error) as f32,
            pixels_over_edge: (frame.pixels_per_radian / quality.min_edge_px) as f32,
            morph_scale: (quality.morph_end - 1.0).recip() as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: the struct that Rust fills is the struct that WGSL reads.
    #[test]
    fn layout_is_that_of_the_shader() {
        let composed = shaders::Composer::new().compose("terrain/mesh/evaluate").unwrap();
        shaders::assert_layout!(
            composed,
            Metric { sides, towards_eye, to_unit, horizon, pixels_over_error, pixels_over_edge, morph_scale }
        );
    }
}
