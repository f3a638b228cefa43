//! In which cell of the sky does a direction lie? `shaders/viewer/star_cells.wgsl` is generated from this file, which a test compares.

use glam::{UVec2, Vec3};
use kernels::device;

/// Cells along the side of a face of the cube; columns of the texture.
#[device]
pub(super) const STAR_CELLS: u32 = 128;
/// How far from a star its light is drawn, radians: half of a cell in the middle of a face.
#[device]
pub(super) const STAR_REACH_RAD: f32 = 0.006;

/// Magnitudes and colour indices are stored as shares of this.
#[device]
pub(super) const STAR_SCALE: f32 = 8.0;

/// The texel of the cell around a direction: faces are below each other, those of +x, -x, +y, -y, +z, -z.
#[device]
pub(super) fn star_cell(n: Vec3) -> UVec2 {
    let a = n.abs();
    let mut face: u32 = if n.x < 0.0 { 1 } else { 0 };
    let mut turned = Vec3::new(a.x, n.y, n.z);
    if a.y > a.x && a.y >= a.z {
        face = if n.y < 0.0 { 3 } else { 2 };
        turned = Vec3::new(a.y, n.z, n.x);
    } else if a.z > a.x && a.z > a.y {
        face = if n.z < 0.0 { 5 } else { 4 };
        turned = Vec3::new(a.z, n.x, n.y);
    }
    let side = STAR_CELLS as f32;
    let across = (side * (0.5 + 0.5 * turned.y / turned.x)).clamp(0.0, side - 1.0);
    let down = (side * (0.5 + 0.5 * turned.z / turned.x)).clamp(0.0, side - 1.0);
    UVec2::new(across as u32, down as u32 + STAR_CELLS * face)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const CELLS: &str = device::module!(STAR_CELLS, STAR_REACH_RAD, STAR_SCALE, star_cell);
        let header = "// Which cell of stars is around a direction?\n\
                      // Generated from viewer/src/render/star_cells.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/star_cells.wgsl");
        device::check_generated(path, header, CELLS).unwrap();
    }
}
