// What may be drawn on the ground? The bits of SHADE.
// Generated from viewer/src/render/shade.rs: ./x generate

//!once viewer::render::shade::SHADE_SLOPE
// Colour by steepness in place of height.
const SHADE_SLOPE: u32 = 1u;
//!end

//!once viewer::render::shade::SHADE_CONTOURS
// Lines of equal height.
const SHADE_CONTOURS: u32 = 2u;
//!end

//!once viewer::render::shade::SHADE_GRATICULE
// Meridians and parallels.
const SHADE_GRATICULE: u32 = 4u;
//!end

//!once viewer::render::shade::SHADE_WATER
// The surface of the sea.
const SHADE_WATER: u32 = 16u;
//!end

//!once viewer::render::shade::SHADE_IMAGERY
// A picture of the whole Earth in place of the tint.
const SHADE_IMAGERY: u32 = 32u;
//!end

//!once viewer::render::shade::SHADE_DRAPE
// A picture of a part of it.
const SHADE_DRAPE: u32 = 64u;
//!end

//!once viewer::render::shade::SHADE_ASPECT
// Colour by the direction that ground faces in place of height.
const SHADE_ASPECT: u32 = 128u;
//!end

//!once viewer::render::shade::SHADE_LOD
// Depth of the triangles in place of the ground.
const SHADE_LOD: u32 = 256u;
//!end

//!once viewer::render::shade::SHADE_DEPTH
// Their distance.
const SHADE_DEPTH: u32 = 512u;
//!end

//!once viewer::render::shade::SHADE_TILE
// The tiles that they lie in.
const SHADE_TILE: u32 = 1024u;
//!end

//!once viewer::render::shade::SHADE_SOURCE
// The layers that their heights come from.
const SHADE_SOURCE: u32 = 2048u;
//!end

//!once viewer::render::shade::SHADE_DETAIL
// Roughness finer than the data, which is made up.
const SHADE_DETAIL: u32 = 4096u;
//!end
