//! Boxes that trees are tested with, and what must hold of every tree.

use super::common::{Bench, Words};
use super::meshes::{soup, unit};
use gpu::transfer;
use kernels::lbvh::{Aabb, GpuLbvh, Lbvh, LbvhNode};

const LEAF: u32 = 1 << 31;

/// Boxes of every awkward kind.
pub fn cases(n: usize) -> Vec<(&'static str, Vec<Aabb>)> {
    let point = |x: f32, y: f32, z: f32| Aabb { low: [x, y, z], high: [x, y, z] };
    let bounds = |triangles: Vec<kernels::lbvh::Triangle>| triangles.iter().map(|t| t.bounds()).collect::<Vec<_>>();
    let soup = bounds(soup(n, 5));
    let awkward = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e-42, -1e-42, f32::MAX, 1.0];
    let mut words = Words(9);
    let mut any = || awkward[words.next() as usize % awkward.len()];
    let wrong = soup.iter().enumerate().map(|(i, b)| match i % 4 {
        0 => Aabb { low: b.high, high: b.low },
        1 => Aabb { low: std::array::from_fn(|_| any()), high: std::array::from_fn(|_| any()) },
        _ => *b,
    });
    let mut line = Words(3);
    vec![
        ("wrong boxes", wrong.collect()),
        ("one point", vec![point(3.5, -2.0, 7.0); n]),
        ("nothing but wrong", vec![point(f32::NAN, 0.0, 0.0); n]),
        ("a line", (0..n).map(|_| point(0.0, unit(line.next()) * 1e-3, 0.0)).collect()),
        ("two points", (0..n).map(|i| point((i % 2) as f32, 0.0, 0.0)).collect()),
        (
            "planet",
            soup.iter().map(|b| Aabb { low: b.low.map(|x| x + 6.4e6), high: b.high.map(|x| x + 6.4e6) }).collect(),
        ),
        (
            "flat",
            soup.iter().map(|b| Aabb { low: [b.low[0], b.low[1], 0.0], high: [b.high[0], b.high[1], 0.0] }).collect(),
        ),
        ("soup", soup),
    ]
}

/// Every leaf once, ranges that nest, boxes that are exactly the union of what is below.
pub fn check_valid(tree: &Lbvh, boxes: &[Aabb], name: &str) {
    let (n, nodes) = (boxes.len() as u32, tree.nodes());
    let mut seen = tree.primitives().to_vec();
    seen.sort_unstable();
    assert!(seen.iter().copied().eq(0..n), "{name}: not a permutation");
    assert_eq!(nodes.len(), (n.max(2) - 1) as usize);
    assert!(tree.depth() <= 93, "{name}: {} deep", tree.depth());
    if n < 2 {
        assert_eq!(tree.bounds().is_empty(), n == 0 || tree.bounds() == Aabb::EMPTY, "{name}");
        return;
    }
    let mut leaves = vec![0; n as usize];
    // Children before parents: nodes in the order of a walk, backwards.
    let (mut order, mut waiting) = (Vec::new(), vec![(0u32, 0, n - 1)]);
    while let Some((at, first, last)) = waiting.pop() {
        let node = &nodes[at as usize];
        assert_eq!((node.first, node.last), (first, last), "{name}: range of node {at}");
        order.push(at);
        let middle = node.left & !LEAF;
        for (child, first, last) in [(node.left, first, middle), (node.right, middle + 1, last)] {
            if child & LEAF != 0 {
                assert_eq!((child & !LEAF, first), (first, last), "{name}: leaf below node {at}");
                leaves[first as usize] += 1;
            } else {
                waiting.push((child, first, last));
            }
        }
    }
    assert!(leaves.iter().all(|count| *count == 1), "{name}: a leaf is missing or twice in the tree");
    let below = |child: u32| {
        if child & LEAF != 0 {
            return None;
        }
        let node = &nodes[child as usize];
        Some(node.left_box().union(node.right_box()))
    };
    for node in order.iter().rev().map(|at| &nodes[*at as usize]) {
        for (child, kept) in [(node.left, node.left_box()), (node.right, node.right_box())] {
            match below(child) {
                Some(union) => assert_eq!(kept, union, "{name}"),
                None => {
                    let given = &boxes[tree.primitives()[(child & !LEAF) as usize] as usize];
                    // A subnormal number counts as zero.
                    let zeroed = |x: f32| if x.abs() < f32::MIN_POSITIVE { 0.0 } else { x };
                    let right = (0..3).all(|i| zeroed(given.low[i]) <= zeroed(given.high[i]));
                    let holds =
                        |i: usize| kept.low[i] <= given.low[i].max(-1e36) && kept.high[i] >= given.high[i].min(1e36);
                    let held = if right { (0..3).all(holds) } else { kept == Aabb::EMPTY };
                    assert!(held, "{name}: {given:?} kept as {kept:?}");
                }
            }
        }
    }
}

pub fn read(bench: &Bench, tree: &GpuLbvh, n: usize) -> (Vec<LbvhNode>, Vec<u32>) {
    let mut nodes: Vec<LbvhNode> = transfer::download(&bench.gpu, tree.nodes()).unwrap();
    let mut primitives: Vec<u32> = transfer::download(&bench.gpu, tree.primitives()).unwrap();
    nodes.truncate(n.max(2) - 1);
    primitives.truncate(n);
    (nodes, primitives)
}

pub fn assert_same(bench: &Bench, gpu: &GpuLbvh, cpu: &Lbvh, n: usize, name: &str) {
    let (nodes, primitives) = read(bench, gpu, n);
    assert_eq!(primitives, cpu.primitives(), "{}: {name} of {n}: order", bench.name);
    for (i, (found, expected)) in nodes.iter().zip(cpu.nodes()).enumerate() {
        assert_eq!(bytemuck::bytes_of(found), bytemuck::bytes_of(expected), "{}: {name} of {n}: node {i}", bench.name);
    }
}
