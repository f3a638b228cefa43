//! What is such a tree good for? Longest-edge bisection of the unit square around the boundary of the Mandelbrot set,
//! without T-junctions, as a picture.
//!
//! `cargo run --release -p orogen-cbt --example bisection_picture [FILE.png]`
//!
//! The root is the square, its children the two triangles beside the diagonal, and every other node half of its parent:
//! a right-angled triangle cut from the right angle to the middle of the longest edge. Cutting an edge cuts the triangle on its
//! other side too, hence a chain of splits up the tree. Threads make these chains at once and in any order: setting bits needs
//! no agreement.

use cbt::{Compact, Node, Tree};
use image::{Rgb, RgbImage};
use rayon::prelude::*;

const DEPTH: u32 = 22;
const PIXELS: u32 = 1200;
/// Samples a pixel along each axis.
const SAMPLES: u32 = 3;

type Point = [f64; 2];

fn middle(a: Point, b: Point) -> Point {
    [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]
}

/// Corners of a triangle: the right angle in the middle, the longest edge from the first to the last.
type Triangle = [Point; 3];

/// The half of a triangle on the side of its first corner, or of its last.
fn half([a, b, c]: Triangle, last: bool) -> Triangle {
    let m = middle(a, c);
    if last { [b, m, c] } else { [a, m, b] }
}

/// The triangle of a node below the root.
fn triangle(node: Node) -> Option<Triangle> {
    let mut path = node.path();
    let lower = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
    let upper = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    let first = if path.next()? { upper } else { lower };
    Some(path.fold(first, half))
}

/// The node of `level` that holds a point, or the leaf above it if `stop` says that a node is one.
fn locate(p: Point, level: u32, stop: impl Fn(Node) -> bool) -> Node {
    let side = |a: Point, b: Point, p: Point| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    let mut node = Node::ROOT;
    while node.depth() < level && !stop(node) {
        let Some([left, right]) = node.children() else { return node };
        node = match triangle(node) {
            None => {
                if p[1] > p[0] {
                    right
                } else {
                    left
                }
            }
            // Which side of the cut, from the right angle to the middle of the longest edge, is the last corner's?
            Some([a, b, c]) => {
                if side(b, middle(a, c), p) * side(b, middle(a, c), c) > 0.0 {
                    right
                } else {
                    left
                }
            }
        };
    }
    node
}

/// The node of the same level across the longest edge, if that edge is not the square's.
fn edge_neighbour(node: Node) -> Option<Node> {
    let [a, b, c] = triangle(node)?;
    let across = [a[0] + c[0] - b[0], a[1] + c[1] - b[1]];
    let inside = across.iter().all(|x| (0.0..=1.0).contains(x));
    let centre = [(a[0] + c[0] + across[0]) / 3.0, (a[1] + c[1] + across[1]) / 3.0];
    inside.then(|| locate(centre, node.depth(), |_| false))
}

/// Splits a node and whatever must be split with it.
fn split_conforming(tree: &impl Tree, leaf: Node) -> Result<(), cbt::Error> {
    let mut next = Some(leaf);
    while let Some(node) = next {
        tree.split(node)?;
        let neighbour = edge_neighbour(node).unwrap_or(node);
        tree.split(neighbour)?;
        next = neighbour.parent();
    }
    Ok(())
}

/// Steps until z -> z^2 + c leaves the circle of radius 2, smoothed; `None` if it stays.
fn escape([x, y]: Point) -> Option<f64> {
    let (cr, ci) = (x * 2.9 - 2.15, y * 2.9 - 1.45);
    let (mut zr, mut zi) = (0.0_f64, 0.0_f64);
    for step in 0..300 {
        (zr, zi) = (zr * zr - zi * zi + cr, 2.0 * zr * zi + ci);
        let square = zr * zr + zi * zi;
        if square > 256.0 {
            return Some(f64::from(step) + 1.0 - (square.ln() / 256.0_f64.ln()).log2());
        }
    }
    None
}

/// Whether the function varies too much over a triangle for its size.
fn too_coarse(leaf: Node) -> bool {
    let Some([a, b, c]) = triangle(leaf) else { return true };
    let points = [a, b, c, middle(a, c), middle(a, b), middle(b, c)];
    let values = points.map(|point| escape(point).map_or(9.0, |steps| (steps + 2.0).max(1.0).log2()));
    let span = values.iter().fold(0.0_f64, |span, value| span.max((value - values[0]).abs()));
    leaf.depth() < 5 || span > 0.22 + 0.035 * f64::from(leaf.depth().saturating_sub(12))
}

/// Colour of a leaf: by its level, darker near its edges.
fn shade(p: Point, leaf: Node) -> [f64; 3] {
    let Some(corners) = triangle(leaf) else { return [1.0; 3] };
    let t = (f64::from(leaf.depth()) - 4.0) / f64::from(DEPTH - 4);
    let ramp = |offset: f64| 0.55 + 0.45 * (std::f64::consts::TAU * (0.62 * t + offset)).cos();
    let distance = (0..3).map(|i| {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        ((p[0] - a[0]) * dy - (p[1] - a[1]) * dx).abs() / dx.hypot(dy)
    });
    let edge = distance.fold(f64::MAX, f64::min) * f64::from(PIXELS);
    let line = if edge < 0.5 { 0.45 } else { 1.0 };
    [ramp(0.62), ramp(0.72), ramp(0.86)].map(|channel| channel * line)
}

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "bisection.png".into());
    let mut tree = Compact::new(DEPTH)?;
    for _ in 0..DEPTH {
        let coarse: Vec<Node> = tree.par_leaves().filter(|leaf| leaf.depth() < DEPTH && too_coarse(*leaf)).collect();
        coarse.par_iter().try_for_each(|&leaf| split_conforming(&tree, leaf))?;
        tree.reduce();
    }
    tree.check()?;

    let pixel = |i: u32| {
        let mut sum = [0.0; 3];
        for sample in 0..SAMPLES * SAMPLES {
            let at = |pixel: u32, sample: u32| {
                (f64::from(pixel) + (f64::from(sample) + 0.5) / f64::from(SAMPLES)) / f64::from(PIXELS)
            };
            let p = [at(i % PIXELS, sample % SAMPLES), at(i / PIXELS, sample / SAMPLES)];
            let colour = shade(p, locate(p, DEPTH, |node| tree.is_leaf(node)));
            sum.iter_mut().zip(colour).for_each(|(sum, channel)| *sum += channel);
        }
        Rgb(sum.map(|channel| (255.0 * channel / f64::from(SAMPLES * SAMPLES)) as u8))
    };
    let pixels: Vec<Rgb<u8>> = (0..PIXELS * PIXELS).into_par_iter().map(pixel).collect();
    RgbImage::from_fn(PIXELS, PIXELS, |x, y| pixels[(y * PIXELS + x) as usize]).save(&file)?;
    let deepest = tree.leaves().map(Node::depth).max().unwrap_or(0);
    println!("{} triangles, down to level {deepest}: {file}", tree.leaf_count());
    Ok(())
}
