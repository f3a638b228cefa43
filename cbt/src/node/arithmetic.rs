//! Arithmetic of heap indices, written once for the `u64` of [`Node`](super::Node) and for the `u32` that shaders have:
//! `shaders/cbt/node.wgsl` is generated from the second, which a test compares. A node is at least 1; 0 names none.

macro_rules! arithmetic {
    ($word:ident $(, #[$device:meta])?) => {
        /// The level: floor(log2 k).
        $(#[$device])?
        #[inline]
        pub const fn cbt_node_depth(node: $word) -> u32 {
            $word::BITS - 1 - node.leading_zeros()
        }

        /// The parent; 0 for the root.
        $(#[$device])?
        #[inline]
        pub const fn cbt_parent(node: $word) -> $word {
            node >> 1
        }

        /// The other child of the parent; 0 for the root.
        $(#[$device])?
        #[inline]
        pub const fn cbt_sibling(node: $word) -> $word {
            if node == 1 { 0 } else { node ^ 1 }
        }

        /// Twice the node.
        $(#[$device])?
        #[inline]
        pub const fn cbt_left_child(node: $word) -> $word {
            node << 1
        }

        /// Twice the node, and one.
        $(#[$device])?
        #[inline]
        pub const fn cbt_right_child(node: $word) -> $word {
            node << 1 | 1
        }

        /// Whether it is the left child of its parent.
        $(#[$device])?
        #[inline]
        pub const fn cbt_is_left_child(node: $word) -> bool {
            node & 1 == 0
        }

        /// Whether it is the right child of its parent: the root is nobody's.
        $(#[$device])?
        #[inline]
        pub const fn cbt_is_right_child(node: $word) -> bool {
            node & 1 == 1 && node != 1
        }

        /// The ancestor on `level`, which must not be below the node.
        $(#[$device])?
        #[inline]
        pub const fn cbt_ancestor(node: $word, level: u32) -> $word {
            node >> (cbt_node_depth(node) - level)
        }

        /// Bits that the node spans in a tree of depth `depth`: 2^(D-d).
        $(#[$device])?
        #[inline]
        pub const fn cbt_bit_len(node: $word, depth: u32) -> $word {
            let one: $word = 1;
            one << (depth - cbt_node_depth(node))
        }

        /// The bit where the node starts in a tree of depth `depth`: (k - 2^d) 2^(D-d).
        $(#[$device])?
        #[inline]
        pub const fn cbt_first_bit(node: $word, depth: u32) -> $word {
            let level: u32 = cbt_node_depth(node);
            let one: $word = 1;
            (node ^ one << level) << (depth - level)
        }
    };
}

arithmetic!(u64);

/// Of nodes below 2^31, for shaders.
#[cfg(all(test, feature = "gpu"))]
pub mod device {
    arithmetic!(u32, #[kernels::device]);
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::device;
    use crate::Node;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const NODE: &str = kernels::device::module!(
            device::cbt_node_depth,
            device::cbt_parent,
            device::cbt_sibling,
            device::cbt_left_child,
            device::cbt_right_child,
            device::cbt_is_left_child,
            device::cbt_is_right_child,
            device::cbt_ancestor,
            device::cbt_bit_len,
            device::cbt_first_bit,
        );
        let header = "// Where are the relatives of a node? Arithmetic of heap indices below 2^31, at least 1; 0 names none.\n\
                      // Generated from cbt/src/node.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/cbt/node.wgsl");
        kernels::device::check_generated(path, header, NODE).unwrap();
    }

    #[test]
    fn words_are_nodes() {
        for index in 1..5_000u32 {
            let node = Node::new(index.into()).unwrap();
            let wide = |node: Option<Node>| node.map_or(0, |node| node.index() as u32);
            assert_eq!(device::cbt_node_depth(index), node.depth());
            assert_eq!(device::cbt_parent(index), wide(node.parent()));
            assert_eq!(device::cbt_sibling(index), wide(node.sibling()));
            assert_eq!(device::cbt_is_left_child(index), node.is_left_child());
            assert_eq!(device::cbt_is_right_child(index), node.is_right_child());
            for depth in node.depth()..20 {
                assert_eq!(Some(u64::from(device::cbt_first_bit(index, depth))), node.first_bit(depth));
                assert_eq!(Some(u64::from(device::cbt_bit_len(index, depth))), node.bit_len(depth));
            }
            for level in 0..=node.depth() {
                assert_eq!(device::cbt_ancestor(index, level), wide(node.ancestor(level)));
            }
        }
    }
}
