//! What lies where in space, and what does a ray meet first? Linear bounding volume hierarchies.
//!
//! **Build.** Boxes are sorted by a Morton code of their centre (or by the caller's codes), and the common prefixes of the
//! sorted codes are the tree (Karras 2012, "Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees").
//! The box of a node is the union of at most 2 log2(length) aligned blocks of leaves, of which all levels are made first: no
//! workgroup waits for another or reads what another has just written, which WGSL could not promise. Trees are equal bit
//! for bit on every device and on the CPU, which descends from the root instead: topology is integers, cells of the code are powers of two, boxes are minima and
//! maxima. 18 dispatches for 4096 to 2^20 boxes, of which 12 sort. Refit: the blocks and the boxes again, 3 dispatches.
//!
//! **Trace.** Nearer child first, both children's boxes in one node of 64 bytes, a stack that cannot overflow. Triangles are
//! watertight (Woop, Benthin & Wald 2013): no ray passes between triangles that share the bits of an edge. A ray that needs
//! more than its limit of steps says so, and is never counted as a miss. The functions are WGSL to import,
//! `kernels/lbvh/trace`, over any place of the nodes and any kind of primitive; [`TraceRays`] runs them over a batch.
//!
//! | on the CPU | on a device |
//! |---|---|
//! | [`Lbvh::build`], [`Lbvh::build_with_codes`] | [`Kernels::lbvh`](crate::Kernels::lbvh), [`LbvhBuild::bind`] into a [`GpuLbvh`] |
//! | [`Lbvh::refit`] | [`LbvhBuild::bind_refit`] |
//! | [`trace()`] | [`Kernels::trace_rays`](crate::Kernels::trace_rays), [`TraceRays::bind`] |
//! | [`overlap()`] of boxes and frusta | [`Kernels::overlap`](crate::Kernels::overlap), [`Overlap::bind`] |
//! | [`nearest()`] | [`Kernels::near_points`](crate::Kernels::near_points), [`NearPoints::bind`] |

mod aabb;
mod batch;
mod build;
mod codes;
mod flush;
mod frustum;
mod near;
mod node;
mod overlap;
mod points;
mod ray;
mod rays;
mod regions;
mod topology;
mod trace;
mod tree;
mod triangle;

pub use aabb::{Aabb, BoxUnion};
pub use build::{Codes, GpuLbvh, LbvhBuild};
pub use frustum::Frustum;
pub use near::{Point, nearest};
pub use node::LbvhNode;
pub use overlap::{OVERLAP_LIMIT, OverlapOptions, Region, overlap};
pub use points::{NearIo, NearPoints};
pub use ray::{Hit, Outcome, Ray};
pub use rays::{TraceIo, TraceRays};
pub use regions::{Overlap, OverlapIo};
pub use trace::{Query, TraceOptions, trace};
pub use tree::Lbvh;
pub use triangle::Triangle;
