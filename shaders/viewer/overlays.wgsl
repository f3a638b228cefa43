// What may be drawn on the ground and in the sky? The bits of OVERLAYS.
// Generated from viewer/src/overlays.rs: ./x generate

//!once viewer::overlays::OVERLAY_BORDERS
// Borders of countries, and shores.
const OVERLAY_BORDERS: u32 = 16384u;
//!end

//!once viewer::overlays::OVERLAY_PLACE_CELLS
// What is seen from a place, or the hours of sun around it.
const OVERLAY_PLACE_CELLS: u32 = 262144u;
//!end

//!once viewer::overlays::OVERLAY_VECTORS
// Points, lines and areas of the user's.
const OVERLAY_VECTORS: u32 = 131072u;
//!end

//!once viewer::overlays::OVERLAY_GRATICULE
// Meridians and parallels.
const OVERLAY_GRATICULE: u32 = 4u;
//!end

//!once viewer::overlays::OVERLAY_CONTOURS
// Lines of equal height.
const OVERLAY_CONTOURS: u32 = 2u;
//!end

//!once viewer::overlays::OVERLAY_IMAGERY
// A picture of the whole Earth in place of the tint.
const OVERLAY_IMAGERY: u32 = 32u;
//!end

//!once viewer::overlays::OVERLAY_PICTURES
// Pictures of the user's.
const OVERLAY_PICTURES: u32 = 64u;
//!end

//!once viewer::overlays::OVERLAY_SLOPE
// Colour by steepness in place of height.
const OVERLAY_SLOPE: u32 = 1u;
//!end

//!once viewer::overlays::OVERLAY_ASPECT
// Colour by the direction that ground faces in place of height.
const OVERLAY_ASPECT: u32 = 128u;
//!end

//!once viewer::overlays::OVERLAY_WATER
// The surface of the sea.
const OVERLAY_WATER: u32 = 16u;
//!end

//!once viewer::overlays::OVERLAY_SHADOWS
// Shadows that mountains cast, by a sun that [casts them](crate::render::SunMode::casts_shadows).
const OVERLAY_SHADOWS: u32 = 65536u;
//!end

//!once viewer::overlays::OVERLAY_STARS
// Stars in the sky.
const OVERLAY_STARS: u32 = 32768u;
//!end

//!once viewer::overlays::OVERLAY_LIGHTS
// Lights of towns on the night side of the Earth.
const OVERLAY_LIGHTS: u32 = 524288u;
//!end

//!once viewer::overlays::OVERLAY_LOD
// Depth of the triangles in place of the ground.
const OVERLAY_LOD: u32 = 256u;
//!end

//!once viewer::overlays::OVERLAY_TILE
// The tiles that they lie in.
const OVERLAY_TILE: u32 = 1024u;
//!end

//!once viewer::overlays::OVERLAY_DEPTH
// Their distance.
const OVERLAY_DEPTH: u32 = 512u;
//!end

//!once viewer::overlays::OVERLAY_SOURCE
// The layers that their heights come from.
const OVERLAY_SOURCE: u32 = 2048u;
//!end

//!once viewer::overlays::OVERLAY_DETAIL
// Roughness finer than the data, which is made up.
const OVERLAY_DETAIL: u32 = 4096u;
//!end
