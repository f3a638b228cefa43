//! The tasks of the papers, each written once.

use glam::{Vec2, Vec3, Vec4};
use kernels::{device, kernel};

/// The sum of integers.
#[kernel]
pub fn int_sum(items: &[u32], total: &mut u32) {
    *total = 0;
    for i in 0..items.len() as u32 {
        *total = total.wrapping_add(items[i as usize]);
    }
}

/// The sum of floats.
#[kernel]
pub fn float_sum(items: &[f32], total: &mut f32) {
    *total = 0.0;
    for i in 0..items.len() as u32 {
        *total += items[i as usize];
    }
}

/// Coefficients of the nine real spherical harmonics up to degree 2, by colour.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Harmonics {
    pub y00: Vec4,
    pub y1m1: Vec4,
    pub y10: Vec4,
    pub y11: Vec4,
    pub y2m2: Vec4,
    pub y2m1: Vec4,
    pub y20: Vec4,
    pub y21: Vec4,
    pub y22: Vec4,
}

/// Both.
#[device]
fn add(a: Harmonics, b: Harmonics) -> Harmonics {
    Harmonics {
        y00: a.y00 + b.y00,
        y1m1: a.y1m1 + b.y1m1,
        y10: a.y10 + b.y10,
        y11: a.y11 + b.y11,
        y2m2: a.y2m2 + b.y2m2,
        y2m1: a.y2m1 + b.y2m1,
        y20: a.y20 + b.y20,
        y21: a.y21 + b.y21,
        y22: a.y22 + b.y22,
    }
}

/// Light of one colour from one direction.
#[device]
fn project(light: Vec4, d: Vec3) -> Harmonics {
    Harmonics {
        y00: light * 0.282_095,
        y1m1: light * (0.488_603 * d.y),
        y10: light * (0.488_603 * d.z),
        y11: light * (0.488_603 * d.x),
        y2m2: light * (1.092_548 * d.x * d.y),
        y2m1: light * (1.092_548 * d.y * d.z),
        y20: light * (0.315_392 * (3.0 * d.z * d.z - 1.0)),
        y21: light * (1.092_548 * d.x * d.z),
        y22: light * (0.546_274 * (d.x * d.x - d.y * d.y)),
    }
}

/// The integral of a panorama, latitudes by longitudes, over the sphere.
#[kernel]
pub fn harmonics(width: u32, height: u32, panorama: &[Vec4], sum: &mut Harmonics) {
    let step = Vec2::new(std::f32::consts::TAU / width as f32, std::f32::consts::PI / height as f32);
    *sum = project(Vec4::ZERO, Vec3::ZERO);
    for y in 0..height {
        for x in 0..width {
            let azimuth = (x as f32 + 0.5) * step.x;
            let polar = (y as f32 + 0.5) * step.y;
            let area = polar.sin() * step.x * step.y;
            let direction = Vec3::new(polar.sin() * azimuth.cos(), polar.sin() * azimuth.sin(), polar.cos());
            *sum = add(*sum, project(panorama[(y * width + x) as usize] * area, direction));
        }
    }
}

/// The accelerations of some bodies by all, position and mass of each in one vector.
#[kernel(workgroup(128))]
pub fn n_body(bodies: &[Vec4], accelerations: &mut [Vec4]) {
    for i in 0..accelerations.len() as u32 {
        let here: Vec4 = bodies[i as usize];
        let mut sum = Vec3::ZERO;
        #[tile(64)]
        for j in 0..bodies.len() as u32 {
            let other: Vec4 = bodies[j as usize];
            let way = other.truncate() - here.truncate();
            let square = way.length_squared() + 1e-4;
            let inverse = 1.0 / square.sqrt();
            sum += way * (other.w * inverse * inverse * inverse);
        }
        accelerations[i as usize] = sum.extend(0.0);
    }
}

/// A picture filtered by 3 by 3 weights; its border stays.
#[kernel(workgroup(32, 8))]
pub fn convolution(width: u32, height: u32, weights: &[f32], from: &[f32], to: &mut [f32]) {
    for y in 1..height - 1 {
        for x in 1..width - 1 {
            let mut sum = 0.0f32;
            #[unroll]
            for v in 0u32..3 {
                #[unroll]
                for u in 0u32..3 {
                    sum += weights[(v * 3 + u) as usize] * from[((y + v - 1) * width + x + u - 1) as usize];
                }
            }
            to[(y * width + x) as usize] = sum;
        }
    }
}

/// Some rows of the product of A, transposed, and B: square matrices of `n` rows.
#[kernel(workgroup(16, 16))]
pub fn matrix_product(rows: u32, n: u32, a: &[f32], b: &[f32], c: &mut [f32]) {
    for row in 0..rows {
        for column in 0..n {
            let mut sum = 0.0f32;
            #[tile(16)]
            for k in 0..n {
                sum += a[(k * n + row) as usize] * b[(k * n + column) as usize];
            }
            c[(row * n + column) as usize] = sum;
        }
    }
}

/// 2^32 |sin(i + 1)|
#[device]
#[rustfmt::skip]
const SINES: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];

/// How far each step turns, four steps in turn.
#[device]
const TURNS: [u32; 16] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];

/// Four letters from the lowest bits.
#[device]
fn letters(number: u32) -> u32 {
    let spread = number & 15 | (number & 0xf0) << 4 | (number & 0xf00) << 8 | (number & 0xf000) << 12;
    spread + 0x6161_6161
}

/// The first number whose eight letters have an MD5 that begins with these words.
#[kernel(workgroup(256))]
pub fn md5_search(numbers: u32, wanted_a: u32, wanted_b: u32, found: &mut u32) {
    *found = u32::MAX;
    for i in 0..numbers {
        let words: [u32; 16] = [letters(i & 0xffff), letters(i >> 16), 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0];
        let mut a = 0x6745_2301u32;
        let mut b = 0xefcd_ab89u32;
        let mut c = 0x98ba_dcfeu32;
        let mut d = 0x1032_5476u32;
        #[unroll]
        for k in 0u32..64 {
            let mut mixed = d ^ (b & (c ^ d));
            let mut at = k;
            if k >= 48 {
                mixed = c ^ (b | !d);
                at = (7 * k) & 15;
            } else if k >= 32 {
                mixed = b ^ c ^ d;
                at = (3 * k + 5) & 15;
            } else if k >= 16 {
                mixed = c ^ (d & (b ^ c));
                at = (5 * k + 1) & 15;
            }
            let sine: u32 = SINES[k as usize];
            let turn: u32 = TURNS[(k / 16 * 4 + k % 4) as usize];
            let sum: u32 = mixed.wrapping_add(a).wrapping_add(sine).wrapping_add(words[at as usize]);
            a = d;
            d = c;
            c = b;
            b = b.wrapping_add(sum.rotate_left(turn));
        }
        if a.wrapping_add(0x6745_2301) == wanted_a && b.wrapping_add(0xefcd_ab89) == wanted_b {
            *found = (*found).min(i);
        }
    }
}
