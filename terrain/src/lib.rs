//! Longest-edge bisection of the whole Earth over any elevation data.
//!
//! The planet is a cube whose faces carry the tangent warp of the WGS84 geodetic normal ([`cube`], [`geodesy`]).
//! Twelve right-isosceles triangles cover it and are bisected where the view needs it ([`bisection`], [`pool`]);
//! what the view needs is projected geometric error ([`view`]); heights come from ordered elevation layers ([`height`]).

pub mod bisection;
pub mod cube;
pub mod geodesy;
pub mod height;
pub mod pool;
pub mod view;

pub use view::View;
