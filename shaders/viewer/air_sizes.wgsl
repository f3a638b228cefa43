// How large are the tables of the air, and what do they span?
// Generated from viewer/src/render/air/sizes.rs: ./x generate

//!once viewer::render::air::sizes::VIEW_AZIMUTHS
// Texels of the table of the view by azimuth to the sun.
const VIEW_AZIMUTHS: u32 = 32u;
//!end

//!once viewer::render::air::sizes::VIEW_ZENITHS
// The same by zenith angle, half of them below the horizon.
const VIEW_ZENITHS: u32 = 64u;
//!end

//!once viewer::render::air::sizes::LIGHT_SUNS
// Texels of the light on the ground by the sun's zenith angle.
const LIGHT_SUNS: u32 = 128u;
//!end

//!once viewer::render::air::sizes::LIGHT_HEIGHTS
// The same by height.
const LIGHT_HEIGHTS: u32 = 4u;
//!end

//!once viewer::render::air::sizes::LOWEST_SUN_COS
// Cosine of the sun's zenith angle in the first column: deep twilight.
const LOWEST_SUN_COS: f32 = -0.25f;
//!end

//!once viewer::render::air::sizes::HIGHEST_LIGHT_M
// Height of the last row, metres.
const HIGHEST_LIGHT_M: f32 = 12000.0f;
//!end

//!once viewer::render::air::sizes::SKY_COLOUR
// Colour of the sky's light, green 1.
const SKY_COLOUR: vec3f = vec3f(0.6f, 1.0f, 1.9f);
//!end
