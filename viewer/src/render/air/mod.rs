//! What does the air do to light? Rayleigh, aerosol and ozone round a sphere, as tables that a pixel reads once.
//!
//! Four tables follow one model ([`model`]), each made from the one before:
//!
//! | table | by | holds | made |
//! |---|---|---|---|
//! | [`transmittance`] | height, cosine of the zenith angle | what is left of light that comes in from space | once, on the CPU |
//! | [`multiple_scattering`] | height, cosine of the sun's zenith angle | light that has been scattered more than once | once, on the CPU |
//! | [`ground_light`] | height, cosine of the sun's zenith angle | what the sun and the sky give to level ground | once, on the CPU |
//! | [`view_table`] | azimuth to the sun, zenith angle | light scattered towards the eye | on the GPU, when eye or sun have moved |
//!
//! The first follows E. Bruneton and F. Neyret, "Precomputed Atmospheric Scattering" (2008) and Bruneton, "A Qualitative
//! and Quantitative Evaluation of 8 Clear Sky Models" (2017); the second and the idea of the last follow S. Hillaire, "A
//! Scalable and Production Ready Sky and Atmosphere Rendering Technique" (2020). The last serves sky and ground alike. Of a
//! ray that ends on ground above the sea, the air up to there makes a part of the light, and that air has a closed form. So
//! a picture marches through no air.
//!
//! The ellipsoid is a sphere in a space where the polar axis is stretched; the tables live there.

mod grid;
mod ground_light;
mod march;
mod model;
mod multiple_scattering;
mod sizes;
mod tables;
mod transmittance;
mod view_table;

pub(super) use model::{AEROSOL_HEIGHT_M, Air, horizon_cos, top_cos};
pub(super) use tables::AirTables;
pub(super) use view_table::ViewTable;
