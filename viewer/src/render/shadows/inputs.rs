//! What do the shaders of shadows know? `shaders/viewer/shadow_inputs.wgsl` is generated from this file, which a test compares.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use kernels::device;

/// Texels along a face of the map of the whole Earth: half of the shading map's.
#[device]
pub const SHADOW_MAP_TEXELS: u32 = 704;

/// Texels along a tile: those of the coarser level of a shading tile.
#[device]
pub const SHADOW_TILE_TEXELS: u32 = 130;

/// Texels along a tile that tell how much of the sky is seen.
#[device]
pub const SKY_TILE_TEXELS: u32 = 65;

/// Texels that a tile looks at one by one for shadows that it tells from those of the coarser tiles; as many again are for the finer ones.
#[device]
pub const SHADOW_STEPS: u32 = 16;

/// The light of all shadows, and where they are made.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct ShadowSun {
    /// Unit vector to the sun.
    pub sun: Vec3,
    /// Metres of the mesh a metre of height.
    pub exaggeration: f32,
    /// Unit normal in the middle of the ground that may be seen.
    pub middle: Vec3,
    /// Cosine of the angle from there to its edge.
    pub least_cos: f32,
}

/// A tile to make.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct ShadowTile {
    /// Of the cube.
    pub face: u32,
    /// Of the quadtree.
    pub level: u32,
    /// Column.
    pub i: u32,
    /// Row.
    pub j: u32,
    /// Of the texture.
    pub layer: u32,
    /// The layer of the tile one level coarser; all bits for the coarsest.
    pub parent: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const INPUTS: &str = device::module!(
            SHADOW_MAP_TEXELS,
            SHADOW_TILE_TEXELS,
            SKY_TILE_TEXELS,
            SHADOW_STEPS,
            ShadowSun,
            ShadowTile
        );
        let header = "// What do the shaders of shadows know of the sun, and of the tiles that they make?\n\
                      // Generated from viewer/src/render/shadows/inputs.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/shadow_inputs.wgsl");
        device::check_generated(path, header, INPUTS).unwrap();
    }

    /// Law: texels are those of the coarser levels of what they are made from, and those of the sky are twice as large.
    #[test]
    fn texels_are_those_of_coarser_levels() {
        assert_eq!(2 * SHADOW_MAP_TEXELS, terrain::height::ShadeCube::DEFAULT_SIZE);
        assert_eq!(2 * SHADOW_TILE_TEXELS, terrain::shading_tile::SHADING_TEXELS);
        assert_eq!(2 * SKY_TILE_TEXELS, SHADOW_TILE_TEXELS);
    }
}
