//! Triangles and rays that the tests of trees and traversals share.

use super::common::Words;
use kernels::lbvh::{Ray, Triangle};

/// 0 to 1.
pub fn unit(word: u32) -> f32 {
    (word >> 8) as f32 / (1 << 24) as f32
}

pub fn random_point(words: &mut Words) -> [f32; 3] {
    std::array::from_fn(|_| 2.0 * unit(words.next()) - 1.0)
}

/// Triangles of a size that suits their number, anywhere in a cube of side 2.
pub fn soup(n: usize, seed: u64) -> Vec<Triangle> {
    let mut words = Words(seed);
    let size = 2.0 / (n.max(1) as f32).cbrt();
    let triangle = |_| {
        let centre = random_point(&mut words);
        let mut corner = || {
            let offset = random_point(&mut words);
            std::array::from_fn(|i| centre[i] + size * offset[i])
        };
        Triangle { a: corner(), b: corner(), c: corner() }
    };
    (0..n).map(triangle).collect()
}

/// A height field of `side` by `side` squares over -1 to 1, two triangles each.
pub fn terrain(side: usize) -> Vec<Triangle> {
    let corner = |i: usize, j: usize| {
        let (x, y) = (2.0 * i as f32 / side as f32 - 1.0, 2.0 * j as f32 / side as f32 - 1.0);
        let mut height = 0.0;
        for octave in 1..6 {
            let scale = (1 << octave) as f32;
            height += 0.1 / scale * ((x * scale * 2.1).sin() + (y * scale * 1.7 + octave as f32).cos());
        }
        [x, y, height]
    };
    let squares = (0..side * side).map(|k| (k % side, k / side));
    squares
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)];
            [Triangle { a, b, c }, Triangle { a: b, b: d, c }]
        })
        .collect()
}

/// A closed surface around the origin: a sphere by repeated bisection of an octahedron, with mountains. Neighbours share
/// the bits of their corners.
pub fn closed(levels: u32) -> Vec<Triangle> {
    let [x, y, z] = [[1.0f32, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let minus = |p: [f32; 3]| p.map(|x| 0.0 - x);
    let mut faces = Vec::new();
    for a in [x, minus(x)] {
        for b in [y, minus(y)] {
            faces.extend([z, minus(z)].map(|c| [a, b, c]));
        }
    }
    // The sum of two does not depend on their order, so neighbours make the same midpoint.
    let middle = |p: [f32; 3], q: [f32; 3]| {
        let sum: [f32; 3] = std::array::from_fn(|i| p[i] + q[i]);
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        sum.map(|x| x / length)
    };
    for _ in 0..levels {
        faces = faces
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    let raise = |p: [f32; 3]| {
        let height = 1.0 + 0.1 * ((9.0 * p[0]).sin() * (7.0 * p[1]).cos() + (11.0 * p[2]).sin());
        p.map(|x| x * height)
    };
    faces.into_iter().map(|face| face.map(raise)).map(|[a, b, c]| Triangle { a, b, c }).collect()
}

/// Rays of every kind through a cube of side 2: anywhere, along axes with zeros of both signs, at corners and edges of
/// triangles.
pub fn rays(triangles: &[Triangle], n: usize, seed: u64) -> Vec<Ray> {
    let mut words = Words(seed);
    let ray = |i: usize| {
        let origin = random_point(&mut words).map(|x| 1.5 * x);
        let towards = |to: [f32; 3]| std::array::from_fn(|k| to[k] - origin[k]);
        let triangle = triangles.get(words.next() as usize % triangles.len().max(1));
        let direction = match (i % 6, triangle) {
            (0, _) => [0.0, -0.0, if i.is_multiple_of(12) { 2.0 } else { -0.5 }],
            (1, _) => [unit(words.next()), 0.0, -0.0],
            (2, Some(triangle)) => towards(triangle.b),
            (3, Some(triangle)) => towards(std::array::from_fn(|k| 0.5 * (triangle.a[k] + triangle.c[k]))),
            _ => random_point(&mut words),
        };
        Ray { t_max: if i.is_multiple_of(5) { 0.7 } else { f32::INFINITY }, ..Ray::new(origin, direction) }
    };
    (0..n).map(ray).collect()
}
