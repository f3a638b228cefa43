//! What lies where in space, and what does a ray meet first? Linear bounding volume hierarchies.
//!
//! **Build.** Boxes are sorted by a Morton code of their centre (or by the caller's codes). The common prefixes of the sorted codes are the tree
//! (Karras 2012, "Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees"). The box of a node is the union of at most 2
//! log2(length) aligned blocks of leaves, of which all levels are made first. No workgroup waits for another or reads what another has just
//! written, which WGSL could not promise. Trees are equal bit for bit on every device and on the CPU, which descends from the root instead.
//! Topology is integers, cells of the code are powers of two, boxes are minima and maxima. 18 dispatches for 4096 to 2^20 boxes, of which 12
//! sort. Refit: the blocks and the boxes again, 3 dispatches.
//!
//! **Codes** have 32 bits, shared out among the axes by extent, or ([`Code`]) 63, for twice the passes of sorting. Boxes in one
//! cell are ordered by their numbers, which is no order in space. Long codes pay off where much is dense in a small part of a
//! wide scene, such as a town on a planet. Evenly spread scenes gain nothing: rays visit the same nodes of terrain and soup. Of
//! four towns of 25 000 triangles, each a thousandth of the scene wide, they visit 73 nodes instead of 1921 (`./x bench lbvh
//! --wide --scene towns`). The caller's codes have 32 bits or 64.
//!
//! **Trace.** Nearer child first, both children's boxes in one node of 64 bytes, a stack that no tree by 32-bit codes can overflow. Triangles are
//! watertight (Woop, Benthin & Wald 2013): no ray passes between triangles that share the bits of an edge. A ray that needs
//! more than its limit of steps says so, and is never counted as a miss. The functions are WGSL to import,
//! `kernels/lbvh/trace`, over any place of the nodes and any kind of primitive; [`TraceRays`] runs them over a batch. On the CPU
//! [`Bvh8`] finds the same in half the time: eight boxes or four triangles at a time. On a device [`GpuBvh4`] does, for many rays:
//! `kernels/lbvh/bvh4/trace` reads four boxes at a time, and triangles in the order of the tree.
//!
//! | on the CPU | on a device |
//! |---|---|
//! | [`Lbvh::build`], [`Lbvh::build_with_codes`] | [`Kernels::lbvh`](crate::Kernels::lbvh), [`LbvhBuild::bind`] into a [`GpuLbvh`] |
//! | [`Lbvh::build_wide`] | [`Kernels::lbvh_wide`](crate::Kernels::lbvh_wide), the same into a [`GpuLbvh::with_codes`] |
//! | [`Lbvh::refit`] | [`LbvhBuild::bind_refit`] |
//! | [`trace()`] | [`Kernels::trace_rays`](crate::Kernels::trace_rays), [`TraceRays::bind`] |
//! | [`Bvh8::new`] | [`Kernels::bvh4`](crate::Kernels::bvh4), [`Bvh4Build::bind`] into a [`GpuBvh4`] |
//! | [`Bvh8::trace`] | [`Kernels::trace_bvh4`](crate::Kernels::trace_bvh4), [`TraceBvh4::bind`] |
//! | [`overlap()`] of boxes and frusta | [`Kernels::overlap`](crate::Kernels::overlap), [`Overlap::bind`] |
//! | [`nearest()`] | [`Kernels::nearest_points`](crate::Kernels::nearest_points), [`NearestPoints::bind`] |

mod aabb;
#[cfg(feature = "gpu")]
mod batch;
#[cfg(feature = "gpu")]
mod build;
mod bvh8;
mod cells;
mod children;
mod code;
mod codes;
mod distance;
mod flush;
#[cfg(test)]
mod generated;
#[cfg(feature = "gpu")]
mod gpu_bvh4;
mod near;
mod node;
mod overlap;
mod passes;
#[cfg(feature = "gpu")]
mod points;
mod prepared_ray;
mod ray;
#[cfg(feature = "gpu")]
mod rays;
mod region_frustum;
#[cfg(feature = "gpu")]
mod regions;
mod topology;
mod trace;
mod tree;
mod triangle;

pub use aabb::{Aabb, BoxUnion};
#[cfg(feature = "gpu")]
pub(crate) use batch::Batch;
#[cfg(feature = "gpu")]
pub use build::{Codes, GpuLbvh, LbvhBuild};
pub use bvh8::Bvh8;
pub use code::Code;
#[cfg(feature = "gpu")]
pub use gpu_bvh4::{Bvh4Build, Bvh4TraceIo, GpuBvh4, TraceBvh4};
pub use near::{Point, nearest};
pub use node::LbvhNode;
pub use overlap::{OVERLAP_LIMIT, OverlapOptions, Region, overlap};
#[cfg(feature = "gpu")]
pub use points::{NearestIo, NearestPoints};
pub use ray::{Hit, Outcome, Ray};
#[cfg(feature = "gpu")]
pub use rays::{TraceIo, TraceRays};
#[cfg(feature = "gpu")]
pub(crate) use rays::{ray_arguments, ray_batch};
pub use region_frustum::Frustum;
#[cfg(feature = "gpu")]
pub use regions::{Overlap, OverlapIo};
pub use trace::{Query, TraceOptions, trace};
pub use tree::Lbvh;
pub use triangle::Triangle;
