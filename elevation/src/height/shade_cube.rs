//! What does a fragment shader need to tint and light the surface from afar? Heights and slopes as one cube map, block by block.
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

use std::sync::Arc;

use glam::DVec3;
use half::f16;

use self::oversample::Oversample;
use super::{patch::Patch, relief::Relief};
use crate::slope::{gradient, rise};

/// Layers of a cube map.
const LAYERS: usize = 6;
/// Texels on each side that slopes of a texel are made from.
const REACH: usize = 2;
/// Texels on each side that a block has more than it fills: those, and one by which slopes are sharpened.
const RIM: usize = REACH + 1;

/// By what part of its difference from the mean of its neighbours, left and right, a slope is sharpened along each axis. A difference of
/// fourth order and a linear filter between texels leave 0.69 of a wave of four texels and 0.93 of one of eight; this makes 0.90 and 1.01.
const SHARPER: f64 = 0.3;

/// Bits of four 16-bit floats, as `Rgba16Float` has them: the height in metres, the slopes a and b, and 0, in whose place the
/// owner of the texture may put what it likes.
pub type ShadeTexel = [u16; 4];

/// A square of a face, [`ShadeCube::BLOCKS`] of which lie along its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadeBlock {
    /// Face of the cube.
    pub layer: usize,
    /// Blocks to the right.
    pub column: usize,
    /// Blocks down.
    pub row: usize,
}

impl ShadeBlock {
    /// All blocks of a map, face by face, row by row.
    pub fn all() -> impl Iterator<Item = ShadeBlock> {
        let squares = || (0..ShadeCube::BLOCKS).flat_map(|row| (0..ShadeCube::BLOCKS).map(move |column| (row, column)));
        (0..LAYERS).flat_map(move |layer| squares().map(move |(row, column)| ShadeBlock { layer, column, row }))
    }
}

/// The shading map of a relief, whose blocks are made one by one.
///
/// ```
/// use std::sync::Arc;
/// use elevation::height::{GlobalGrid, Registration, Relief, ShadeBlock, ShadeCube};
/// let relief = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 1000.0))?;
/// let cube = ShadeCube::new(Arc::new(relief), 32);
/// for block in ShadeBlock::all() {
///     let mips = cube.block(block);
///     assert_eq!(mips.len(), cube.block_mips() as usize);
///     assert_eq!(mips[1].len(), 2 * 2);
///     assert_eq!(half::f16::from_bits(mips[2][0][0]).to_f32(), 1000.0);
/// }
/// // The last of them makes the levels below: 8 x 8 texels of a face become 4 x 4, 2 x 2 and one.
/// let last = cube.block(ShadeBlock { layer: 0, column: 0, row: 0 })[2][0];
/// let coarser = cube.coarser(&[last; 8 * 8]);
/// assert_eq!((cube.block_texels(0), cube.block_mips() + coarser.len() as u32), (4, cube.mip_count()));
/// assert_eq!(coarser[2][0][0], last[0]); // the same height
/// # Ok::<(), elevation::height::HeightError>(())
/// ```
#[derive(Debug)]
pub struct ShadeCube {
    relief: Arc<Relief>,
    size: u32,
    oversample: Oversample,
}

impl ShadeCube {
    /// Texels along a face's side that match the embedded relief: 9 km at the face's middle; 127 MB of all faces with mips.
    pub const DEFAULT_SIZE: u32 = 1408;
    /// Largest size; the default wgpu limit of a cube map's side is 2048 at least.
    pub const MAX_SIZE: u32 = 8192;
    /// Blocks along a face's side.
    pub const BLOCKS: usize = 8;

    /// The map of a relief, with `size` texels along a face's side (at most [`Self::MAX_SIZE`], and as many more as blocks have alike).
    /// Nothing is sampled yet.
    pub fn new(relief: Arc<Relief>, size: u32) -> Self {
        let size = size.clamp(2, Self::MAX_SIZE).next_multiple_of(2 * Self::BLOCKS as u32);
        Self { oversample: Oversample::new(&relief, size as usize), relief, size }
    }

    /// Samples the relief at the texel centres of a block, and makes the mip levels that a block has for itself, the finest first. Slopes are
    /// differences of fourth order over four texels, sharpened by what filters between texels take: over two, ridges as wide as these had half
    /// of their slopes. Under layers much finer
    /// than a texel, heights are means over it, so that fine relief does not turn into noise.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn block(&self, block: ShadeBlock) -> Vec<Vec<ShadeTexel>> {
        let ShadeBlock { layer, column, row } = block;
        assert!(layer < LAYERS && column.max(row) < Self::BLOCKS, "there is no {block:?}");
        let side = self.block_texels(0) as usize;
        let texels = fill(&self.relief, &self.oversample, layer, self.size as usize, (column * side, row * side));
        mips::down_to_odd(texels, side)
    }

    /// The levels of a face below the last one that blocks have for themselves, which is given row by row.
    pub fn coarser(&self, last: &[ShadeTexel]) -> Vec<Vec<ShadeTexel>> {
        mips::below(last, self.size(self.block_mips() - 1) as usize)
    }

    /// Texels along a face's side at a mip level.
    pub fn size(&self, mip: u32) -> u32 {
        (self.size >> mip.min(31)).max(1)
    }

    /// Texels along a block's side at a mip level of its own.
    pub fn block_texels(&self, mip: u32) -> u32 {
        self.size(mip) / Self::BLOCKS as u32
    }

    /// Number of mip levels, down to one texel.
    pub fn mip_count(&self) -> u32 {
        self.size.ilog2() + 1
    }

    /// Levels that blocks have for themselves: until their side is odd.
    pub fn block_mips(&self) -> u32 {
        self.block_texels(0).trailing_zeros() + 1
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

/// Heights in metres at the texel centres of a block from a corner on, with [`RIM`] more rows and columns on each side, and the face
/// coordinates of these.
fn block_heights_m(relief: &Relief, layer: usize, n: usize, (s, t): (&[f64], &[f64])) -> Vec<f64> {
    let spacing_m = 2.0 * relief.ellipsoid().semi_major_m() / n as f64;
    let (patch, transposed) = patch_of(layer, s, t);
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
    /// Those of a row at `t` whose heights are sampled at `columns`.
    fn fill(
        &mut self,
        relief: &Relief,
        oversample: &Oversample,
        layer: usize,
        (columns, t): (&[f64], f64),
        heights_m: &[f64],
    ) {
        self.normals.clear();
        self.normals.extend(columns.iter().map(|s| ShadeCube::direction(layer, *s, t)));
        self.positions.clear();
        let ellipsoid = relief.ellipsoid();
        self.positions.extend(self.normals.iter().map(|n| ellipsoid.ecef(*n, 0.0)));
        self.heights_m.clear();
        self.heights_m.extend_from_slice(heights_m);
        if !oversample.is_empty() {
            oversample.average_row(relief, layer, (columns, t, &self.normals), &mut self.heights_m);
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

/// The texels of a block of a face of `n`, which begins at a column and a row.
fn fill(relief: &Relief, oversample: &Oversample, layer: usize, n: usize, first: (usize, usize)) -> Vec<ShadeTexel> {
    let side = n / ShadeCube::BLOCKS;
    let centres = |first: usize| -> Vec<f64> {
        (first as isize - RIM as isize..(first + side + RIM) as isize).map(|i| centre(i, n)).collect()
    };
    let (s, t) = (centres(first.0), centres(first.1));
    let heights_m = block_heights_m(relief, layer, n, (&s, &t));
    let mut sampled = t.iter().zip(heights_m.chunks_exact(side + 2 * RIM));
    let mut rows = vec![Row::default(); 2 * REACH + 1];
    let mut next = |row: &mut Row| {
        if let Some((t, heights_m)) = sampled.next() {
            row.fill(relief, oversample, layer, (&s, *t), heights_m);
        }
    };
    rows[1..].iter_mut().for_each(&mut next);
    // With one more on each side.
    let wide = side + 2;
    let mut slopes = Vec::with_capacity(wide * wide);
    for _ in 0..wide {
        rows.rotate_left(1);
        next(&mut rows[2 * REACH]);
        let [far_above, above, row, below, far_below] = &rows[..] else { break };
        for c in REACH..REACH + wide {
            let along = |step: usize| row.heights_m[c + step] - row.heights_m[c - step];
            let down_m = rise(below.heights_m[c] - above.heights_m[c], far_below.heights_m[c] - far_above.heights_m[c]);
            let g = gradient(
                row.normals[c],
                row.positions[c + 1] - row.positions[c - 1],
                below.positions[c] - above.positions[c],
                rise(along(1), along(2)),
                down_m,
            );
            let n = row.normals[c];
            slopes.push([row.heights_m[c], n.x * g.y - n.y * g.x, g.z]);
        }
    }
    let (mut texels, mut values) = (vec![[0; 4]; side * side], vec![[0f32; 4]; side]);
    for (y, texels) in texels.chunks_mut(side).enumerate() {
        for (x, value) in values.iter_mut().enumerate() {
            let at = (y + 1) * wide + x + 1;
            let [height_m, a, b] = slopes[at];
            let beside = [at - 1, at + 1, at - wide, at + wide];
            let sharper = |channel: usize, own: f64| {
                own + 0.5 * SHARPER * beside.iter().map(|&near| own - slopes[near][channel]).sum::<f64>()
            };
            let height_m = height_m.clamp(f16::MIN.into(), f16::MAX.into());
            *value = [height_m as f32, sharper(1, a) as f32, sharper(2, b) as f32, 0.0];
        }
        mips::store(&values, texels);
    }
    texels
}

#[cfg(test)]
mod tests;
