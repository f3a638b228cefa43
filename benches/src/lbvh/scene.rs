//! What is traced? A terrain of triangles, a picture of it, and rays from anywhere to anywhere.

use kernels::lbvh::{Aabb, Ray, Triangle};
use rayon::prelude::*;

/// Triangles, their boxes, the boxes of a moved terrain, and rays.
pub struct Scene {
    pub triangles: Vec<Triangle>,
    pub boxes: Vec<Aabb>,
    pub moved: Vec<Aabb>,
    /// Neighbouring pixels are neighbouring rays.
    pub coherent: Vec<Ray>,
    pub incoherent: Vec<Ray>,
}

/// What the triangles are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A square height field.
    Terrain,
    /// Triangles anywhere in a cube, about as large as the gaps between them.
    Soup,
    /// Four small soups in a cube of 1000 times their side: what is dense in a wide scene.
    Towns,
}

impl Kind {
    /// As in files and options.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

impl Scene {
    /// `n` triangles over -1 to 1, and `rays` rays of each kind.
    pub fn new(kind: Kind, n: u32, rays: u32) -> Self {
        let triangles = match kind {
            Kind::Terrain => terrain(n),
            Kind::Soup => soup(n),
            Kind::Towns => towns(n),
        };
        let boxes: Vec<Aabb> = triangles.par_iter().map(Triangle::bounds).collect();
        let lift = |b: &Aabb| Aabb {
            low: [b.low[0], b.low[1], 2.0 * b.low[2] - 1.0],
            high: [b.high[0], b.high[1], 2.0 * b.high[2]],
        };
        let moved = boxes.par_iter().map(lift).collect();

        // A picture from above one edge, in blocks of 8 by 4 pixels: a subgroup sees a patch.
        let width = (f64::from(rays).sqrt() as u32).next_multiple_of(8);
        let pixel = |k: u32| {
            let (block, within) = (k / 32, k % 32);
            let (x, y) = (block % (width / 8) * 8 + within % 8, block / (width / 8) * 4 + within / 8);
            let (x, y) = (2.0 * x as f32 / width as f32 - 1.0, 2.0 * y as f32 / width as f32 - 1.0);
            if kind == Kind::Towns {
                // From beside the first town, which fills the picture.
                return Ray::new(in_town(0, [0.0, -2.5, 0.0]), [0.5 * x, 1.0, 0.5 * y]);
            }
            Ray::new([0.0, -1.2, 0.8], [0.9 * x, 1.0, -0.65 + 0.5 * y])
        };
        let scattered = |k: u32| {
            let [a, b, c, d, e] = std::array::from_fn(|i| unit(k, i as u32));
            if kind == Kind::Towns {
                return Ray::new(in_town(k, [2.0 * a - 1.0, 2.0 * b - 1.0, 0.0]), [2.0 * c - 1.0, 2.0 * d - 1.0, e]);
            }
            let (x, y) = (1.8 * a - 0.9, 1.8 * b - 0.9);
            Ray::new([x, y, height(x, y) + 0.02], [2.0 * c - 1.0, 2.0 * d - 1.0, 1.4 * e - 1.0])
        };
        Self {
            triangles,
            boxes,
            moved,
            coherent: (0..rays).into_par_iter().map(pixel).collect(),
            incoherent: (0..rays).into_par_iter().map(scattered).collect(),
        }
    }
}

fn terrain(n: u32) -> Vec<Triangle> {
    let side = (f64::from(n) / 2.0).sqrt().ceil() as u32;
    let vertices = (side + 1) as usize * (side + 1) as usize;
    let vertex = |k: usize| {
        let (i, j) = (k as u32 % (side + 1), k as u32 / (side + 1));
        let (x, y) = (2.0 * i as f32 / side as f32 - 1.0, 2.0 * j as f32 / side as f32 - 1.0);
        [x, y, height(x, y)]
    };
    let vertices: Vec<[f32; 3]> = (0..vertices).into_par_iter().map(vertex).collect();
    let triangle = |k: u32| {
        let (square, half) = (k / 2, k % 2);
        let corner = |i: u32, j: u32| vertices[((square / side + j) * (side + 1) + square % side + i) as usize];
        if half == 0 {
            Triangle { a: corner(0, 0), b: corner(1, 0), c: corner(0, 1) }
        } else {
            Triangle { a: corner(1, 0), b: corner(1, 1), c: corner(0, 1) }
        }
    };
    (0..n).into_par_iter().map(triangle).collect()
}

fn soup(n: u32) -> Vec<Triangle> {
    let size = 2.0 / (n as f32).cbrt();
    let triangle = |k: u32| {
        let corner = |first: u32| {
            std::array::from_fn(|axis| {
                let axis = axis as u32;
                2.0 * unit(k, axis) - 1.0 + size * (unit(k.wrapping_mul(3), first + axis) - 0.5)
            })
        };
        Triangle { a: corner(3), b: corner(4), c: corner(5) }
    };
    (0..n).into_par_iter().map(triangle).collect()
}

fn towns(n: u32) -> Vec<Triangle> {
    let moved = |(k, triangle): (usize, Triangle)| {
        let [a, b, c] = [triangle.a, triangle.b, triangle.c].map(|corner| in_town(k as u32, corner));
        Triangle { a, b, c }
    };
    soup(n).into_par_iter().enumerate().map(moved).collect()
}

/// A place of the cube as one of the town that triangle or ray `k` is of.
fn in_town(k: u32, place: [f32; 3]) -> [f32; 3] {
    const CENTRES: [[f32; 3]; 4] = [[0.9, 0.8, -0.7], [-0.8, 0.3, 0.9], [0.1, -0.9, 0.2], [-0.3, 0.6, -0.8]];
    let centre = CENTRES[k as usize % CENTRES.len()];
    std::array::from_fn(|axis| centre[axis] + 1e-3 * place[axis])
}

fn height(x: f32, y: f32) -> f32 {
    (1..8)
        .map(|octave| {
            let scale = (1 << octave) as f32;
            0.12 / scale * ((x * scale * 2.1 + octave as f32).sin() + (y * scale * 1.7).cos() * (x * scale).cos())
        })
        .sum()
}

/// 0 to 1, well mixed.
fn unit(k: u32, salt: u32) -> f32 {
    let word = benches::random::mixed((u64::from(k) << 3 | u64::from(salt)).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    (word >> 40) as f32 / (1u64 << 24) as f32
}
