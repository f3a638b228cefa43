//! Are bisectors the same on the device, conforming, and in order?

use super::*;
use kernels::device;
use proptest::prelude::*;

#[test]
fn the_shaders_are_what_these_files_generate() {
    const HEAP_ID: &str = device::module!(
        MAX_DEPTH,
        heap_id::depth,
        heap_id::parent,
        heap_id::child,
        heap_id::is_odd_child,
        heap_id::is_below,
        heap_id::face_of,
        heap_id::left_aligned,
    );
    const HALF_EDGE: &str = device::module!(
        EDGE_LEFT,
        EDGE_RIGHT,
        EDGE_TWIN,
        half_edge::half_edge,
        half_edge::slot_of,
        half_edge::edge_of,
    );
    const BISECTION: &str =
        device::module!(corners::corners, corners::bisected_edge, corners::birth_depth, crate::cube::face::canonical,);
    crate::generated::check(
        "heap_id.wgsl",
        "What is a bisector's path? 64-bit heap ids as vec2u(low word, high word): root r is 16 + r, child b of h is 2 h + b.",
        "bisection/heap_id",
        HEAP_ID,
    );
    crate::generated::check(
        "half_edge.wgsl",
        "What lies across an edge? Half-edges `slot * 4 + edge` of bisectors in a pool.",
        "bisection/half_edge",
        HALF_EDGE,
    );
    crate::generated::check(
        "bisection.wgsl",
        "Where are the corners of a bisector? Integer points of faces and of the cube from heap ids.",
        "bisection",
        BISECTION,
    );
}

/// Law: of random bisectors and vertices, bit for bit.
#[test]
fn bisectors_mean_the_same_on_the_device() {
    use crate::cube::face;
    use kernels::testing::check_function;
    use rand::Rng;
    let gpu = gpu::Gpu::new(&Default::default()).unwrap();
    let kernels = kernels::Kernels::new(&gpu.device);
    let mut rng = crate::random::rng();
    let ids: Vec<u64> = (0..12_000u32)
        .map(|i| {
            let depth = i / ROOTS % (MAX_DEPTH + 1);
            let turns: u64 = rng.random();
            u64::from(16 + i % ROOTS) << depth | turns & ((1 << depth) - 1)
        })
        .collect();
    let each: Vec<_> = ids.iter().map(|&id| (id,)).collect();
    check_function::<heap_id::depth>(&kernels, &gpu, &each, |a, b| a == b).unwrap();
    check_function::<heap_id::parent>(&kernels, &gpu, &each, |a, b| a == b).unwrap();
    check_function::<heap_id::face_of>(&kernels, &gpu, &each, |a, b| a == b).unwrap();
    check_function::<heap_id::left_aligned>(&kernels, &gpu, &each, |a, b| a == b).unwrap();
    check_function::<corners::corners>(&kernels, &gpu, &each, |a, b| a == b).unwrap();
    let children: Vec<_> = ids.iter().map(|&id| (id, id as u32 >> 3 & 1)).collect();
    check_function::<heap_id::child>(&kernels, &gpu, &children, |a, b| a == b).unwrap();
    let points: Vec<_> = ids
        .iter()
        .map(|&id| {
            let corner = corners::corners(id).v1;
            (FacePoint { face: heap_id::face_of(id), u: corner.x, v: corner.y },)
        })
        .collect();
    check_function::<face::canonical>(&kernels, &gpu, &points, |a, b| a == b).unwrap();
    for (point,) in points {
        let canonical = face::canonical(point);
        assert_eq!(canonical, point.point().on_face());
    }
}

#[test]
fn left_aligned_ids_are_in_the_order_of_the_leaves() {
    let leaf = |root: u32, turns: &[u64]| turns.iter().fold(HeapId::root(root), |id, &b| id.child(b));
    let leaves =
        [leaf(0, &[0]), leaf(0, &[1, 0, 0]), leaf(0, &[1, 0, 1]), leaf(0, &[1, 1]), leaf(1, &[]), leaf(11, &[1])];
    assert!(leaves.map(|id| heap_id::left_aligned(id.0)).is_sorted());
}

#[test]
fn numbers_that_are_no_paths_are_told_apart() {
    let path = |root: u64, depth: u32| HeapId((16 + root) << depth);
    assert!([path(0, 0), path(11, 0), path(11, 58), path(3, 59)].into_iter().all(HeapId::is_valid));
    assert!([HeapId(0), HeapId(1), HeapId(15), path(12, 0), path(15, 59)].into_iter().all(|id| !id.is_valid()));
    assert_eq!([0, 1, 15, 16, 33].map(|id| HeapId(id).depth()), [0, 0, 0, 0, 1]);
    assert_eq!(HeapId(0).parent(), None);
}

#[test]
fn cube_corners_bisect_nothing() {
    for r in 0..ROOTS {
        assert!(Triangle::root(r).0.into_iter().all(|corner| bisected_edge(corner).is_none()));
    }
}

#[test]
fn roots_pair_hypotenuse_with_hypotenuse_and_leg_with_leg() {
    // research table: neighbours as root.edge, e0 e1 e2.
    const EXPECTED: [[(u32, u32); 3]; 12] = [
        [(7, 0), (11, 1), (1, 2)],
        [(5, 1), (9, 0), (0, 2)],
        [(10, 1), (6, 0), (3, 2)],
        [(8, 0), (4, 1), (2, 2)],
        [(11, 0), (3, 1), (5, 2)],
        [(9, 1), (1, 0), (4, 2)],
        [(2, 1), (10, 0), (7, 2)],
        [(0, 0), (8, 1), (6, 2)],
        [(3, 0), (7, 1), (9, 2)],
        [(1, 1), (5, 0), (8, 2)],
        [(6, 1), (2, 0), (11, 2)],
        [(4, 0), (0, 1), (10, 2)],
    ];
    let found = root_neighbours();
    for (r, row) in EXPECTED.iter().enumerate() {
        for (e, &(q, f)) in row.iter().enumerate() {
            assert_eq!(found[r][e], HalfEdge::new(q, f), "root {r} edge {e}");
            assert_eq!(found[q as usize][f as usize], HalfEdge::new(r as u32, e as u32));
        }
    }
}

proptest! {
    /// Law: of a bisector's corners the one at the right angle was born with it, and the others before.
    #[test]
    fn the_right_angle_corner_tells_the_depth(root in 0..ROOTS, path in any::<u64>(), depth in 0..=MAX_DEPTH) {
        let mut id = HeapId::root(root);
        for level in 0..depth { id = id.child(path >> level & 1); }
        let [v0, v1, v2] = id.triangle().0.map(birth_depth);
        prop_assert_eq!(v1, depth);
        prop_assert!(depth == 0 || v0 < depth && v2 < depth);
        prop_assert_eq!(birth_depth(id.triangle().midpoint()), depth + 1);
    }

    /// Children share the parent's edges as the neighbour rules demand, keep its orientation, and stay exact to depth 58.
    #[test]
    fn child_rule(root in 0..ROOTS, path in any::<u64>(), depth in 0..MAX_DEPTH) {
        let mut id = HeapId::root(root);
        for level in 0..depth { id = id.child(path >> level & 1); }
        prop_assert_eq!(id.depth(), depth);
        prop_assert_eq!(id.root_index(), root);
        let parent = id.triangle();
        let (c0, c1) = (id.child(0).triangle(), id.child(1).triangle());
        prop_assert_eq!(c0.edge(EDGE_TWIN), parent.edge(EDGE_LEFT));
        prop_assert_eq!(c1.edge(EDGE_TWIN), parent.edge(EDGE_RIGHT));
        let (a, b) = c0.edge(EDGE_LEFT);
        prop_assert_eq!(c1.edge(EDGE_RIGHT), (b, a));
        // Vertices are multiples of 2^(30 - ceil(depth / 2)).
        let unit = 30 - depth.div_ceil(2);
        for v in parent.0 { for x in v.0 { prop_assert_eq!(x % (1 << unit), 0); } }
        // The edge that a vertex bisects follows from the vertex alone.
        let mut edge = bisected_edge(parent.midpoint()).unwrap();
        edge.sort();
        let mut hypotenuse = [parent.0[0], parent.0[2]];
        hypotenuse.sort();
        prop_assert_eq!(edge, hypotenuse);
    }
}
