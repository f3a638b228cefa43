//! What do rays meet, sooner? A tree of eight children a node, for the CPU.
//!
//! A node's eight boxes and a block's four triangles are tested a lane each. Children are visited from near to far.

mod block;
mod collapse;
mod lanes;
mod node;
mod trace;

use super::{Aabb, Lbvh, Triangle};
use crate::KernelError;
use block::Block;
use node::Node;

/// A tree with eight children a node over triangles, for rays on the CPU alone: [`Bvh8::trace`] finds the hits of
/// [`trace()`](super::trace()), bit for bit, in 0.4 to 0.6 of its time.
///
/// It is made of an [`Lbvh`], in about the time that that took, and holds its own copy of the triangles: 70 to 90 bytes for each
/// triangle in all. A tree that was refitted is collapsed again.
///
/// ```
/// use kernels::lbvh::{Bvh8, Lbvh, Query, Ray, TraceOptions, Triangle};
/// let triangles = [Triangle { a: [0.0, 0.0, 5.0], b: [4.0, 0.0, 5.0], c: [0.0, 4.0, 5.0] }];
/// let tree = Lbvh::build(&triangles.map(|triangle| triangle.bounds()))?;
/// let rays = [Ray::new([1.0, 2.0, 0.0], [0.0, 0.0, 1.0])];
/// let hits = Bvh8::new(&tree, &triangles)?.trace(&rays, TraceOptions::new(Query::Closest));
/// assert_eq!((hits[0].t, hits[0].u, hits[0].v), (5.0, 0.25, 0.5));
/// # Ok::<(), kernels::KernelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bvh8 {
    nodes: Vec<Node>,
    blocks: Vec<Block>,
    bounds: Aabb,
}

impl Bvh8 {
    /// Of `triangles`, of whose [`bounds`](Triangle::bounds) `tree` was built.
    ///
    /// Fails with [`KernelError::TooShort`] where there are fewer triangles than the tree has primitives.
    pub fn new(tree: &Lbvh, triangles: &[Triangle]) -> Result<Self, KernelError> {
        let wanted = tree.primitives().len();
        if triangles.len() < wanted {
            let len = triangles.len() as u32;
            return Err(KernelError::TooShort { slice: "triangles", len, wanted: wanted as u32 });
        }
        let (nodes, blocks) = collapse::collapse(tree, triangles);
        Ok(Self { nodes, blocks, bounds: tree.bounds() })
    }

    /// Bytes of nodes and triangles.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.blocks)
    }
}
