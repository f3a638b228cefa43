// What do the shaders of shadows know of the sun, and of the tiles that they make?
// Generated from viewer/src/render/shadows/inputs.rs: ./x generate

//!once viewer::render::shadows::inputs::SHADOW_MAP_TEXELS
// Texels along a face of the map of the whole Earth: half of the shading map's.
const SHADOW_MAP_TEXELS: u32 = 704u;
//!end

//!once viewer::render::shadows::inputs::SHADOW_TILE_TEXELS
// Texels along a tile: those of the coarser level of a shading tile.
const SHADOW_TILE_TEXELS: u32 = 130u;
//!end

//!once viewer::render::shadows::inputs::SKY_TILE_TEXELS
// Texels along a tile that tell how much of the sky is seen.
const SKY_TILE_TEXELS: u32 = 65u;
//!end

//!once viewer::render::shadows::inputs::SHADOW_STEPS
// Texels that a tile looks at one by one for shadows that it tells from those of the coarser tiles; as many again are for the finer ones.
const SHADOW_STEPS: u32 = 16u;
//!end

//!once viewer::render::shadows::inputs::ShadowSun
// The light of all shadows, and where they are made.
struct ShadowSun {
    // Unit vector to the sun.
    sun: vec3f,
    // Metres of the mesh a metre of height.
    exaggeration: f32,
    // Unit normal in the middle of the ground that may be seen.
    middle: vec3f,
    // Cosine of the angle from there to its edge.
    least_cos: f32,
}
//!end

//!once viewer::render::shadows::inputs::ShadowTile
// A tile to make.
struct ShadowTile {
    // Of the cube.
    face: u32,
    // Of the quadtree.
    level: u32,
    // Column.
    i: u32,
    // Row.
    j: u32,
    // Of the texture.
    layer: u32,
    // The layer of the tile one level coarser; all bits for the coarsest.
    parent: u32,
}
//!end
