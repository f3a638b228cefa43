//! What does a fragment shader need to tint and light the surface from afar? Heights and slopes as one cube map, face by face.
//!
//! The cube is sampled by the geodetic normal `n` itself, as a direction in ECEF axes, in wgpu's layer order +X, -X, +Y, -Y,
//! +Z, -Z. A texel holds the height in metres and the surface gradient `G` (metres per metre, tangent to the ellipsoid) by
//! its products with two fields that are smooth everywhere, poles included:
//!
//! ```text
//! a = G . (z x n)        cos(lat) times the slope towards east
//! b = G . z              cos(lat) times the slope towards north
//! ```
//!
//! East and north themselves turn around a pole, so a filter would mix directions there; `a` and `b` are linear in `n` where
//! the slope is constant, and filter right. The shader gets the unit surface normal by
//!
//! ```wgsl
//! fn surface_normal(n: vec3f, ab: vec2f, exaggeration: f32) -> vec3f {
//!     let r2 = max(n.x * n.x + n.y * n.y, 1e-8);
//!     let g = (ab.x * vec3f(-n.y, n.x, 0.0) + ab.y * vec3f(-n.z * n.x, -n.z * n.y, r2)) / r2;
//!     return normalize(n - exaggeration * g);
//! }
//! ```
//!
//! and the slopes by `dh/d east = ab.x / sqrt(r2)`, `dh/d north = ab.y / sqrt(r2)`.

mod mips;
mod oversample;

use glam::DVec3;
use half::f16;
use rayon::prelude::*;

use self::oversample::Oversample;
use super::{patch::Patch, relief::Relief};
use crate::{
    geodesy::{SEMI_MAJOR_M, ecef},
    progress::Stage,
    slope::{gradient, rise},
};

/// Layers of a cube map.
const LAYERS: usize = 6;
/// Texels on each side that slopes of a texel are made from, and that a band has more than it fills.
const RIM: usize = 2;
/// Rows that one task fills.
const BAND: usize = 60;

/// Bits of four 16-bit floats, as `Rgba16Float` has them: the height in metres, the slopes a and b, and 0, in whose place the
/// owner of the texture may put what it likes.
pub type ShadeTexel = [u16; 4];

/// The shading map of a relief, whose faces are made one by one.
///
/// ```
/// use elevation::height::{GlobalGrid, Registration, Relief, ShadeCube, ShadeFace};
/// let relief = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 1000.0))?;
/// let cube = ShadeCube::new(&relief, 16);
/// let mut face = ShadeFace::default();
/// for layer in 0..6 {
///     cube.fill(layer, &mut face);
///     assert_eq!(face.mips.len(), cube.mip_count() as usize);
///     assert_eq!(face.mips[1].len(), 8 * 8);
///     assert_eq!(half::f16::from_bits(face.mips[4][0][0]).to_f32(), 1000.0);
/// }
/// # Ok::<(), elevation::height::HeightError>(())
/// ```
#[derive(Debug)]
pub struct ShadeCube<'a> {
    relief: &'a Relief,
    size: u32,
    oversample: Oversample,
    stage: Stage,
}

/// A face of the map with all its mip levels. Filled again it keeps its memory: 31 MB for [`ShadeCube::DEFAULT_SIZE`].
#[derive(Debug, Default)]
pub struct ShadeFace {
    /// Texels of each level, row by row, the finest first.
    pub mips: Vec<Vec<ShadeTexel>>,
    /// Means of two levels, in 32 bits.
    means: [Vec<[f32; 4]>; 2],
}

impl<'a> ShadeCube<'a> {
    /// Texels along a face's side that match the embedded relief: 9 km at the face's middle; 127 MB of all faces with mips.
    pub const DEFAULT_SIZE: u32 = 1408;
    /// Largest size; the default wgpu limit of a cube map's side is 2048 at least.
    pub const MAX_SIZE: u32 = 8192;

    /// The map of a relief, with `size` texels along a face's side (clamped to 2 ..= [`Self::MAX_SIZE`]). Nothing is sampled yet.
    pub fn new(relief: &'a Relief, size: u32) -> Self {
        let size = size.clamp(2, Self::MAX_SIZE);
        let n = size as usize;
        let stage = Stage::begin("shading the globe", (LAYERS * n.div_ceil(BAND)) as u64);
        Self { relief, size, oversample: Oversample::new(relief, n), stage }
    }

    /// Samples the relief at the texel centres of a face, in parallel. Slopes are differences of fourth
    /// order over four texels: over two, ridges as wide as these had half of their slopes. Under layers
    /// much finer than a texel, heights are means over it, so that fine relief does not turn into noise.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn fill(&self, layer: usize, face: &mut ShadeFace) {
        assert!(layer < LAYERS, "a cube has {LAYERS} layers, and no layer {layer}");
        let n = self.size as usize;
        face.mips.resize_with(self.mip_count() as usize, Vec::new);
        face.mips[0].resize(n * n, [0; 4]);
        face.mips[0].par_chunks_mut(BAND * n).enumerate().for_each(|(band, texels)| {
            fill_band(self.relief, &self.oversample, layer, n, band * BAND, texels);
            self.stage.step();
        });
        mips::fill(face, n);
    }

    /// Texels along a face's side at a mip level.
    pub fn size(&self, mip: u32) -> u32 {
        (self.size >> mip.min(31)).max(1)
    }

    /// Number of mip levels, down to one texel.
    pub fn mip_count(&self) -> u32 {
        self.size.ilog2() + 1
    }

    /// Unit direction of face coordinates in [-1, 1], right and down, of a layer (the cube map convention of Vulkan and D3D);
    /// beyond them it lies on another face.
    ///
    /// ```
    /// use elevation::height::ShadeCube;
    /// assert_eq!(ShadeCube::direction(4, 0.0, 0.0), glam::DVec3::Z);
    /// ```
    pub fn direction(layer: usize, s: f64, t: f64) -> DVec3 {
        let d = match layer {
            0 => [1.0, -t, -s],
            1 => [-1.0, -t, s],
            2 => [s, 1.0, t],
            3 => [s, -1.0, -t],
            4 => [s, -t, 1.0],
            _ => [-s, -t, -1.0],
        };
        DVec3::from_array(d).normalize()
    }
}

/// Heights in metres at the texel centres of rows from `first` on, with [`RIM`] more rows and columns on each side.
fn band_heights_m(relief: &Relief, layer: usize, n: usize, (first, rows): (usize, usize)) -> Vec<f64> {
    let spacing_m = 2.0 * SEMI_MAJOR_M / n as f64;
    let with_rim =
        |from: usize, count: usize| (from as isize - RIM as isize..(from + count + RIM) as isize).map(|i| centre(i, n));
    let (s, t): (Vec<f64>, Vec<f64>) = (with_rim(0, n).collect(), with_rim(first, rows).collect());
    let (patch, transposed) = patch_of(layer, &s, &t);
    let heights_m = relief.overview_patch(&patch, spacing_m);
    if !transposed {
        return heights_m;
    }
    (0..heights_m.len()).map(|at| heights_m[at % s.len() * t.len() + at / s.len()]).collect()
}

/// Face coordinate of the centre of a texel of `n`.
fn centre(i: isize, n: usize) -> f64 {
    (2 * i + 1) as f64 / n as f64 - 1.0
}

/// A row of texel centres with [`RIM`] more on each side.
#[derive(Default, Clone)]
struct Row {
    normals: Vec<DVec3>,
    heights_m: Vec<f64>,
    /// On the ellipsoid, in metres.
    positions: Vec<DVec3>,
}

impl Row {
    /// Those of a row whose heights are sampled.
    fn fill(&mut self, relief: &Relief, oversample: &Oversample, layer: usize, row: isize, heights_m: &[f64]) {
        let n = heights_m.len() - 2 * RIM;
        let t = centre(row, n);
        let columns: Vec<f64> = (-(RIM as isize)..(n + RIM) as isize).map(|i| centre(i, n)).collect();
        self.normals.clear();
        self.normals.extend(columns.iter().map(|s| ShadeCube::direction(layer, *s, t)));
        self.positions.clear();
        self.positions.extend(self.normals.iter().map(|n| ecef(*n, 0.0)));
        self.heights_m.clear();
        self.heights_m.extend_from_slice(heights_m);
        if !oversample.is_empty() {
            oversample.average_row(relief, layer, (&columns, t, &self.normals), &mut self.heights_m);
        }
    }
}

/// The patch of face coordinates right and down of a layer, and whether its columns are what goes down: see
/// [`ShadeCube::direction`].
fn patch_of(layer: usize, s: &[f64], t: &[f64]) -> (Patch, bool) {
    let negated = |values: &[f64]| values.iter().map(|v| -v).collect::<Vec<f64>>();
    let (columns, rows, transposed) = match layer {
        0 | 5 => (negated(t), negated(s), true),
        2 => (t.to_vec(), s.to_vec(), true),
        _ => (s.to_vec(), negated(t), false),
    };
    (Patch::new(layer as u32, columns, rows), transposed)
}

/// Fills the rows of one band from row `first` on.
fn fill_band(
    relief: &Relief,
    oversample: &Oversample,
    layer: usize,
    n: usize,
    first: usize,
    texels: &mut [ShadeTexel],
) {
    let band_m = band_heights_m(relief, layer, n, (first, texels.len() / n));
    let mut sampled = (first as isize - RIM as isize..).zip(band_m.chunks_exact(n + 2 * RIM));
    let mut rows = vec![Row::default(); 2 * RIM + 1];
    let mut next = |row: &mut Row| {
        if let Some((at, heights_m)) = sampled.next() {
            row.fill(relief, oversample, layer, at, heights_m);
        }
    };
    rows[1..].iter_mut().for_each(&mut next);
    let mut values = vec![[0f32; 4]; n];
    for texels in texels.chunks_mut(n) {
        rows.rotate_left(1);
        next(&mut rows[2 * RIM]);
        let [far_above, above, row, below, far_below] = &rows[..] else { return };
        for (i, value) in values.iter_mut().enumerate() {
            let c = i + RIM;
            let along = |step: usize| row.heights_m[c + step] - row.heights_m[c - step];
            let down_m = rise(below.heights_m[c] - above.heights_m[c], far_below.heights_m[c] - far_above.heights_m[c]);
            let height_m = row.heights_m[c].clamp(f16::MIN.into(), f16::MAX.into());
            let g = gradient(
                row.normals[c],
                row.positions[c + 1] - row.positions[c - 1],
                below.positions[c] - above.positions[c],
                rise(along(1), along(2)),
                down_m,
            );
            let n = row.normals[c];
            *value = [height_m as f32, (n.x * g.y - n.y * g.x) as f32, g.z as f32, 0.0];
        }
        mips::store(&values, texels);
    }
}

#[cfg(test)]
mod tests;
