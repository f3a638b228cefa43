//! The tree on the CPU: built, refitted and read in memory of the host.

use super::{
    aabb::Aabb,
    code::Code,
    codes::morton_codes,
    node::{LBVH_LEAF as LEAF, LBVH_NONE as NONE, LbvhNode},
    topology,
};
use crate::{KernelError, Order, sort_pairs};

/// Most primitives of a tree: places in the levels stay below 2^31.
pub(super) const MAX_PRIMITIVES: u32 = 1 << 29;

/// A tree over boxes, the same bit for bit as [`LbvhBuild`](super::LbvhBuild) makes.
///
/// ```
/// use kernels::lbvh::{Aabb, Lbvh};
/// let boxes = [3.0f32, 1.0, 2.0].map(|x| Aabb::around([[x, 0.0, 0.0], [x + 0.5, 1.0, 1.0]]));
/// let tree = Lbvh::build(&boxes)?;
/// assert_eq!(tree.primitives(), [1, 2, 0]);
/// assert_eq!(tree.bounds(), Aabb { low: [1.0, 0.0, 0.0], high: [3.5, 1.0, 1.0] });
/// # Ok::<(), kernels::KernelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Lbvh {
    nodes: Vec<LbvhNode>,
    primitives: Vec<u32>,
}

impl Lbvh {
    /// The tree over `boxes`, by Morton codes of their centres.
    ///
    /// Fails with [`KernelError::TooManyItems`] above 2^29 boxes.
    pub fn build(boxes: &[Aabb]) -> Result<Self, KernelError> {
        check_count(boxes.len())?;
        Ok(Self::over(boxes, morton_codes::<u32>(boxes)))
    }

    /// [`build`](Self::build) with Morton codes of 63 bits: for boxes that are dense in small parts of a wide scene, where
    /// 32 bits tell them apart no more (see [`Code`]).
    pub fn build_wide(boxes: &[Aabb]) -> Result<Self, KernelError> {
        check_count(boxes.len())?;
        Ok(Self::over(boxes, morton_codes::<u64>(boxes)))
    }

    /// The tree over `boxes` by the caller's codes, `u32` or `u64`: primitives are sorted by them, nodes are their common prefixes.
    ///
    /// Left-aligned heap ids of the leaves of a bisection give the bisection's own tree. Fails with
    /// [`KernelError::TooShort`] where there are fewer codes than boxes, and with [`KernelError::TooManyItems`].
    ///
    /// ```
    /// use kernels::lbvh::{Aabb, Lbvh};
    /// let at = |x: f32| Aabb { low: [x, 0.0, 0.0], high: [x + 1.0, 1.0, 1.0] };
    /// let boxes = [at(0.0), at(5.0), at(2.0)];
    /// let tree = Lbvh::build_with_codes(&boxes, &[30u32, 10, 20])?;
    /// assert_eq!(tree.primitives(), [1, 2, 0]); // by code
    /// assert_eq!(tree.bounds(), Lbvh::build_wide(&boxes)?.bounds());
    /// # Ok::<(), kernels::KernelError>(())
    /// ```
    pub fn build_with_codes<C: Code>(boxes: &[Aabb], codes: &[C]) -> Result<Self, KernelError> {
        let count = check_count(boxes.len())?;
        let Some(codes) = codes.get(..boxes.len()) else {
            return Err(KernelError::TooShort { slice: "codes", len: codes.len() as u32, wanted: count });
        };
        Ok(Self::over(boxes, codes.to_vec()))
    }

    fn over<C: Code>(boxes: &[Aabb], mut codes: Vec<C>) -> Self {
        let count = boxes.len() as u32;
        let mut primitives: Vec<u32> = (0..count).collect();
        sort_pairs(&mut codes, &mut primitives, Order::Ascending, C::BITS);
        let nodes = topology::nodes(&codes, |leaf| boxes[primitives[leaf] as usize].usable());
        Self { nodes, primitives }
    }

    /// Moves the boxes of the same primitives; the shape of the tree stays.
    ///
    /// Fails with [`KernelError::TooShort`] where there are fewer boxes than the tree has primitives.
    ///
    /// ```
    /// use kernels::lbvh::{Aabb, Lbvh};
    /// let at = |x: f32| Aabb { low: [x, 0.0, 0.0], high: [x + 1.0, 1.0, 1.0] };
    /// let mut tree = Lbvh::build(&[at(0.0), at(5.0), at(2.0)])?;
    /// let order = tree.primitives().to_vec();
    /// assert_eq!(order, [0, 2, 1]); // along the curve
    /// tree.refit(&[at(0.0), at(9.0), at(2.0)])?;
    /// assert_eq!((tree.bounds().high[0], tree.primitives()), (10.0, &order[..]));
    /// assert!(tree.depth() <= 2);
    /// # Ok::<(), kernels::KernelError>(())
    /// ```
    pub fn refit(&mut self, boxes: &[Aabb]) -> Result<(), KernelError> {
        let wanted = self.primitives.len();
        if boxes.len() < wanted {
            return Err(KernelError::TooShort { slice: "boxes", len: boxes.len() as u32, wanted: wanted as u32 });
        }
        let primitives = &self.primitives;
        topology::refit(&mut self.nodes, wanted, |leaf| boxes[primitives[leaf] as usize].usable());
        Ok(())
    }

    /// The inner nodes; at least one, the root first.
    pub fn nodes(&self) -> &[LbvhNode] {
        &self.nodes
    }

    /// The primitive of each leaf.
    pub fn primitives(&self) -> &[u32] {
        &self.primitives
    }

    /// The box around everything.
    pub fn bounds(&self) -> Aabb {
        self.nodes[0].left_box().union(self.nodes[0].right_box())
    }

    /// Nodes on the longest path from the root.
    pub fn depth(&self) -> u32 {
        let (mut deepest, mut waiting) = (0, vec![(0u32, 1u32)]);
        while let Some((node, depth)) = waiting.pop() {
            deepest = deepest.max(depth);
            let node = &self.nodes[node as usize];
            let inner = [node.left, node.right].into_iter().filter(|child| *child != NONE && child & LEAF == 0);
            waiting.extend(inner.map(|child| (child, depth + 1)));
        }
        deepest
    }
}

fn check_count(count: usize) -> Result<u32, KernelError> {
    match u32::try_from(count) {
        Ok(count) if count <= MAX_PRIMITIVES => Ok(count),
        _ => Err(KernelError::TooManyItems { what: "a tree", asked: count as u64, limit: MAX_PRIMITIVES.into() }),
    }
}
