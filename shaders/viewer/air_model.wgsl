// What is the air made of? Metres; light of the primaries of sRGB.
// Generated from viewer/src/render/air/model.rs: ./x generate

//!once elevation::geodesy::single::SEMI_MAJOR_M
// Semi-major axis, metres.
const SEMI_MAJOR_M: f32 = 6378137.0f;
//!end

//!once viewer::render::air::model::RADIUS_M
// Radius of the sea, metres: the equator's, which every direction has in the space of the tables.
const RADIUS_M: f32 = SEMI_MAJOR_M;
//!end

//!once elevation::geodesy::single::AXIS_RATIO
// Semi-minor over semi-major axis.
const AXIS_RATIO: f32 = 0.9966472f;
//!end

//!once viewer::render::air::model::SPHERE_FROM_EARTH
// What takes places of the Earth to that space: the ellipsoid becomes a sphere, and lines stay lines.
const SPHERE_FROM_EARTH: vec3f = vec3f(1.0f, 1.0f, 1.0f / AXIS_RATIO);
//!end

//!once viewer::render::air::model::TOP_M
// Above this height there is no air, metres.
const TOP_M: f32 = 100000.0f;
//!end

//!once viewer::render::air::model::RAYLEIGH
// Scattering by molecules at sea level, a metre.
const RAYLEIGH: vec3f = vec3f(7.39e-6f, 1.366e-5f, 2.895e-5f);
//!end

//!once viewer::render::air::model::RAYLEIGH_HEIGHT_M
// Height over which the density of molecules falls by e, metres.
const RAYLEIGH_HEIGHT_M: f32 = 8000.0f;
//!end

//!once viewer::render::air::model::AEROSOL_SCATTERING
// Scattering by aerosol at sea level, a metre.
const AEROSOL_SCATTERING: f32 = 3.996e-6f;
//!end

//!once viewer::render::air::model::AEROSOL
// Scattering and absorption by aerosol at sea level, a metre: a tenth is absorbed.
const AEROSOL: f32 = 4.44e-6f;
//!end

//!once viewer::render::air::model::AEROSOL_HEIGHT_M
// Height over which the density of aerosol falls by e, metres.
const AEROSOL_HEIGHT_M: f32 = 1200.0f;
//!end

//!once viewer::render::air::model::OZONE
// Absorption by ozone where it is densest, a metre.
const OZONE: vec3f = vec3f(2.15e-6f, 1.86e-6f, 2e-7f);
//!end

//!once viewer::render::air::model::OZONE_MIDDLE_M
// Height where ozone is densest, metres.
const OZONE_MIDDLE_M: f32 = 25000.0f;
//!end

//!once viewer::render::air::model::OZONE_REACH_M
// From there to where it ends, metres.
const OZONE_REACH_M: f32 = 15000.0f;
//!end

//!once viewer::render::air::model::AEROSOL_FORWARD
// Forward scattering of aerosol: the mean cosine of the angle.
const AEROSOL_FORWARD: f32 = 0.8f;
//!end

//!once viewer::render::air::model::SUN_SINE
// Sine of the angle between the sun's middle and its edge.
const SUN_SINE: f32 = 0.00465f;
//!end
