//! Longest-edge bisection of the whole Earth over any elevation data.
//!
//! The planet is a cube whose faces carry the tangent warp of the WGS84 geodetic normal ([`cube`], [`geodesy`]).
//! Twelve right-isosceles triangles cover it and are bisected where the view needs it ([`bisection`], [`pool`]);
//! what the view needs is decided by screen-space geometric error ([`metric`]); heights come from ordered
//! elevation layers ([`height`]); [`Terrain`] ties them together and draws into anybody's wgpu render pass.

pub mod cube;
pub mod geodesy;
