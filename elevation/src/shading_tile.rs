//! What do the data say about the light on one square of a cube face? Gradients and heights at texels that are filtered as they are drawn.
//!
//! A [`ShadingTile`] covers the square of a [`TileId`] with 256 x 256 texels and a rim of two. Its neighbours have that rim as well, so a
//! bilinear filter needs none of them. It comes with the next coarser level, whose texels are means of four: between both, a filter finds
//! every scale from one texel to two, where the parent's tile goes on.
//!
//! A gradient is tangent to the ellipsoid, so two of its ECEF components tell the third. On a face across an axis those along the other
//! two axes are stored, in cyclic order. The face's normals lean towards its own axis, so the third follows well everywhere, poles
//! included. A height is the sum of two 16-bit floats, to a few millimetres.

use glam::DVec3;
use half::f16;

use crate::{
    height::Relief,
    sample_spacing::SampleSpacing,
    slope::{gradient, rise},
    tile::{TILE_QUADS, TileId, posting_m},
    tile_build::{middle, narrowing, patch_of, reach_m},
};

/// Texels of the rim on each side.
pub const RIM: u32 = 2;

/// Texels on a side of the finer level; the coarser one has half of them.
pub const SHADING_TEXELS: u32 = TILE_QUADS + 2 * RIM;

/// Most samples along a side of a texel over data that are finer: means of some postings are as good as those of all.
const MOST_SAMPLES: usize = 4;

/// Samples along a side of a texel that are averages.
const AVERAGES: usize = 2;

/// Texels along the side of a square that is sampled alike.
const BLOCK: usize = 16;

/// A texel: two components of the gradient (metres a metre), and two parts of the height (metres); bits of 16-bit floats.
pub type ShadingTexel = [u16; 4];

/// Gradients and heights of a square of a face.
///
/// ```
/// use elevation::{height::{GlobalGrid, Registration, Relief}, sample_spacing::SampleSpacing, shading_tile::ShadingTile, tile::TileId};
/// let relief = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 1234.5))?;
/// let tile = ShadingTile::build(&relief, &SampleSpacing::of(&relief), TileId { face: 2, level: 4, i: 3, j: 5 });
/// assert_eq!(tile.height_m(0, 100, 7), 1234.5);
/// assert_eq!(tile.gradient(1, 50, 3), glam::DVec3::ZERO);
/// # Ok::<(), elevation::height::HeightError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ShadingTile {
    id: TileId,
    levels: [Vec<ShadingTexel>; 2],
}

impl ShadingTile {
    /// Samples a relief, whose postings `spacing` tells, with means over texels that are larger than these. Gradients are differences of
    /// fourth order, over five texels each way.
    ///
    /// # Panics
    /// If there is no such tile, as [`Tile::build`](crate::tile::Tile::build).
    pub fn build(relief: &Relief, spacing: &SampleSpacing, id: TileId) -> Self {
        // Two more on each side for the differences.
        let side = SHADING_TEXELS as usize + 4;
        let texel = |k: usize| k as f64 - f64::from(RIM) - 1.5;
        let nodes = patch_of(id, (0..side).map(texel), (0..side).map(texel));
        let normals: Vec<DVec3> = (0..nodes.len()).map(|node| nodes.normal(node)).collect();
        let places_m: Vec<DVec3> = normals.iter().map(|n| relief.ellipsoid().ecef(*n, 0.0)).collect();
        let heights_m = mean_heights_m((relief, spacing), id, side, texel);
        let (first, second) = stored(id.face);
        let mut fine = Vec::with_capacity((side - 4) * (side - 4));
        for row in 2..side - 2 {
            for at in row * side + 2..(row + 1) * side - 2 {
                let difference_m = |step: usize| heights_m[at + step] - heights_m[at - step];
                let across_m = rise(difference_m(1), difference_m(2));
                let down_m = rise(difference_m(side), difference_m(2 * side));
                let (across, down) = (places_m[at + 1] - places_m[at - 1], places_m[at + side] - places_m[at - side]);
                let g = gradient(normals[at], across, down, across_m, down_m);
                fine.push([g[first], g[second], heights_m[at]]);
            }
        }
        let coarse = halved(&fine);
        Self { id, levels: [fine, coarse].map(|level| level.into_iter().map(packed).collect()) }
    }

    /// Which square it is.
    pub fn id(&self) -> TileId {
        self.id
    }

    /// Texels of the finer (0) or the coarser level (1), u fastest, rim included: [`SHADING_TEXELS`] a side, or half of them.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn texels(&self, level: usize) -> &[ShadingTexel] {
        &self.levels[level]
    }

    /// Height of a texel of a level, metres; columns and rows count from the rim's.
    ///
    /// # Panics
    /// If there is no such texel.
    pub fn height_m(&self, level: usize, x: u32, y: u32) -> f64 {
        let [_, _, high_m, low_m] = self.texel(level, x, y);
        high_m + low_m
    }

    /// Gradient of a texel of a level on ECEF axes, metres a metre.
    ///
    /// # Panics
    /// If there is no such texel.
    pub fn gradient(&self, level: usize, x: u32, y: u32) -> DVec3 {
        let [a, b, ..] = self.texel(level, x, y);
        let n = self.normal(level, x, y);
        let (first, second) = stored(self.id.face);
        let own = 3 - first - second;
        let mut g = DVec3::ZERO;
        (g[first], g[second]) = (a, b);
        g[own] = -g.dot(n) / n[own];
        g
    }

    /// Geodetic normal in the middle of a texel of a level.
    pub fn normal(&self, level: usize, x: u32, y: u32) -> DVec3 {
        let at = |k: u32| std::iter::once((f64::from(k) + 0.5) * f64::from(1 << level) - f64::from(RIM));
        patch_of(self.id, at(x), at(y)).normal(0)
    }

    /// Lowest and highest ground of a quarter, in the order of [`TileId::children`], metres.
    ///
    /// # Panics
    /// If there is no such quarter.
    pub fn range_m(&self, quarter: usize) -> (f64, f64) {
        assert!(quarter < 4, "a tile has four quarters");
        let half = TILE_QUADS / 2;
        let (x0, y0) = (RIM + (quarter as u32 & 1) * half, RIM + (quarter as u32 >> 1) * half);
        // With the texels beside it, between which and its own the ground is.
        let texels = (y0 - 1..=y0 + half).flat_map(|y| (x0 - 1..=x0 + half).map(move |x| (x, y)));
        texels
            .map(|(x, y)| self.height_m(0, x, y))
            .fold((f64::MAX, f64::MIN), |(low, high), h| (low.min(h), high.max(h)))
    }

    fn texel(&self, level: usize, x: u32, y: u32) -> [f64; 4] {
        let side = SHADING_TEXELS >> level;
        assert!(x < side && y < side, "a level has {side} texels a side");
        self.levels[level][(y * side + x) as usize].map(|bits| f16::from_bits(bits).to_f64())
    }
}

/// Postings of degrees are closer from east to west than from north to south, towards a pole as close as one likes: up to this part counts.
const NARROWEST: f64 = 0.25;

/// Least distance in metres between samples of the finest data that there may be under a tile or so near that they count at some of its
/// [`finer_corners`], and their posting.
pub fn finest_m(spacing: &SampleSpacing, id: TileId) -> (f64, f64) {
    let two_cells_m = f64::from(2 * TILE_QUADS / CELLS) * posting_m(spacing.ellipsoid(), id.level);
    let posting_m = spacing.finest_m(middle(id), reach_m(spacing.ellipsoid(), id) + two_cells_m);
    (narrowing(id).max(NARROWEST) * posting_m, posting_m)
}

/// Cells along the side of a tile, of which is told where fine data may be.
const CELLS: u32 = 4;

/// The bit of [`finer_corners`] that tells of data themselves.
pub const FINER_DATA: u32 = 1 << 25;

/// A bit for each corner of a tile's 4 x 4 cells, row by row from the lowest: whether there may be data of postings below `below_m` in a
/// cell at that corner, or detail that is [made up](Relief::with_synthetic_detail). Between the corners all that is near such data fades.
/// And [`FINER_DATA`], where something of it is data.
///
/// ```
/// use elevation::{height::{GlobalGrid, Registration, Relief}, sample_spacing::SampleSpacing, tile::TileId};
/// use elevation::shading_tile::{FINER_DATA, finer_corners};
/// let degrees = Relief::from_grid(GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0))?;
/// let spacing = SampleSpacing::of(&degrees); // 111 km
/// assert_eq!(finer_corners(&spacing, TileId::root(0), 50_000.0), 0);
/// assert_eq!(finer_corners(&spacing, TileId::root(0), 200_000.0), FINER_DATA | 0x1ff_ffff);
/// # Ok::<(), elevation::height::HeightError>(())
/// ```
pub fn finer_corners(spacing: &SampleSpacing, id: TileId, below_m: f64) -> u32 {
    let cell = f64::from(TILE_QUADS / CELLS);
    let middles = || (-1..=CELLS as i32).map(|k| (f64::from(k) + 0.5) * cell);
    let cells = patch_of(id, middles(), middles());
    // Half of a diagonal, where texels are largest.
    let reach_m = cell * posting_m(spacing.ellipsoid(), id.level);
    let finer: Vec<bool> = (0..cells.len()).map(|k| spacing.finest_m(cells.normal(k), reach_m) < below_m).collect();
    let (side, corners) = (cells.columns(), CELLS as usize + 1);
    let is_near = |x: usize, y: usize| [0, 1, side, side + 1].iter().any(|&k| finer[y * side + x + k]);
    let is_data = (0..cells.len()).any(|k| spacing.finest_data_m(cells.normal(k), reach_m) < below_m);
    let bits = (0..corners * corners).fold(0, |bits, k| bits | u32::from(is_near(k % corners, k / corners)) << k);
    bits | if is_data { FINER_DATA } else { 0 }
}

/// The axes along which a face's gradients are stored.
fn stored(face: u32) -> (usize, usize) {
    let axis = (face / 2) as usize;
    ((axis + 1) % 3, (axis + 2) % 3)
}

/// Largest component of a gradient: steeper than any ground.
const STEEPEST: f64 = 1_000.0;

/// Largest part of a height, metres.
const HIGHEST_M: f64 = 65_000.0;

/// Two 16-bit floats hold a height, as far as they go.
fn packed([a, b, height_m]: [f64; 3]) -> ShadingTexel {
    // What is infinite would be so in all that is filtered with it.
    let half = |value: f64, most: f64| f16::from_f64(value.clamp(-most, most));
    let high = half(height_m, HIGHEST_M);
    [half(a, STEEPEST), half(b, STEEPEST), high, half(height_m - high.to_f64(), HIGHEST_M)].map(f16::to_bits)
}

/// Means of four texels each, of a square.
fn halved(fine: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let side = SHADING_TEXELS as usize;
    let mut coarse = Vec::with_capacity(fine.len() / 4);
    for y in (0..side).step_by(2) {
        for x in (0..side).step_by(2) {
            let at = y * side + x;
            let four = [at, at + 1, at + side, at + side + 1];
            coarse.push(std::array::from_fn(|channel| 0.25 * four.iter().map(|&at| fine[at][channel]).sum::<f64>()));
        }
    }
    coarse
}

/// Heights at `side` texels each way, whose places in the tile `texel` tells: means over texels that are larger than postings.
fn mean_heights_m(
    (relief, spacing): (&Relief, &SampleSpacing),
    id: TileId,
    side: usize,
    texel: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let (texel_m, narrow) = (posting_m(relief.ellipsoid(), id.level), narrowing(id).max(NARROWEST));
    // Means over a texel need no more of what are means over nearly as much.
    let is_averaged = relief.averages_m().is_some_and(|averages_m| averages_m >= 0.25 * texel_m);
    let mut heights_m = vec![0.0; side * side];
    let starts = || (0..side).step_by(BLOCK);
    for (y0, x0) in starts().flat_map(|y| starts().map(move |x| (y, x))) {
        let (columns, rows) = (x0..(x0 + BLOCK).min(side), y0..(y0 + BLOCK).min(side));
        let centre = patch_of(id, std::iter::once(texel(x0 + BLOCK / 2)), std::iter::once(texel(y0 + BLOCK / 2)));
        let finest_m = narrow * spacing.finest_m(centre.normal(0), texel_m * BLOCK as f64);
        let nodes = |count: usize| {
            let part = move |k: usize| (k as f64 + 0.5) / count as f64 - 0.5;
            let places = |at: usize| (0..count).map(move |k| (at, part(k)));
            let place = |(at, part): (usize, f64)| texel(at) + part;
            patch_of(id, columns.clone().flat_map(places).map(place), rows.clone().flat_map(places).map(place))
        };
        let all = (texel_m / finest_m).ceil().max(1.0) as usize;
        let is_coarse = all > 2 * MOST_SAMPLES;
        let count = if is_coarse && is_averaged { AVERAGES } else { all.min(MOST_SAMPLES) };
        // What is made up finer than the data has means of its own.
        let is_made_up =
            finest_m < texel_m && spacing.finest_data_m(centre.normal(0), texel_m * BLOCK as f64) > texel_m;
        let count = if is_made_up { 1 } else { count };
        let samples_m = if is_made_up {
            relief.means_of_patch(&nodes(1), 0.5 * texel_m)
        } else if !is_coarse {
            let [heights_m] = relief.sample_patches([(nodes(count), texel_m / count as f64)]);
            heights_m
        } else {
            // All postings of a tile so large may be far more than memory holds: averages stand for them, where there are some.
            relief.overview_patch(&nodes(count), texel_m / count as f64)
        };
        let width = columns.len();
        for (line, samples_m) in samples_m.chunks_exact(width * count).enumerate() {
            let row = &mut heights_m[(rows.start + line / count) * side..][columns.clone()];
            for (height_m, samples_m) in row.iter_mut().zip(samples_m.chunks_exact(count)) {
                *height_m += samples_m.iter().sum::<f64>() / (count * count) as f64;
            }
        }
    }
    heights_m
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::{
        geodesy::{Ellipsoid, east_north_up, n_vector},
        height::{GlobalGrid, Registration},
        random,
        slope::Slope,
    };

    fn hills() -> Relief {
        hills_on(Ellipsoid::WGS84)
    }

    fn hills_on(ellipsoid: Ellipsoid) -> Relief {
        let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |lon_deg, lat_deg| {
            let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
            2500.0 * (23.0 * n.x).sin() * (31.0 * n.y).cos() + 700.0 * (43.0 * n.z + 30.0 * n.x).sin()
        });
        Relief::from_grid_on(ellipsoid, grid).unwrap()
    }

    fn build(relief: &Relief, id: TileId) -> ShadingTile {
        ShadingTile::build(relief, &SampleSpacing::of(relief), id)
    }

    fn any_tile(rng: &mut impl Rng, level: u32) -> TileId {
        let side = 1u32 << level;
        TileId { face: rng.random_range(0..6), level, i: rng.random_range(0..side), j: rng.random_range(0..side) }
    }

    /// Law: texels have the height of the relief in their middle, and its gradient over three texels, on every face.
    #[test]
    fn texels_are_what_the_relief_says() {
        let (reliefs, mut rng) = (Ellipsoid::bodies().map(hills_on), random::rng());
        for case in 0..24 {
            let relief = &reliefs[case as usize / 6];
            let tile = build(relief, any_tile(&mut rng, 3 + case % 6));
            for _ in 0..40 {
                let (x, y) = (rng.random_range(0..SHADING_TEXELS), rng.random_range(0..SHADING_TEXELS));
                let n = tile.normal(0, x, y);
                let height_m = |n: DVec3| relief.sample(n).height_m;
                assert!((tile.height_m(0, x, y) - height_m(n)).abs() < 0.01, "{:?}", tile.id());
                let g = tile.gradient(0, x, y);
                let (east, north, _) = east_north_up(n);
                let exact = Slope::of(relief.ellipsoid(), height_m, n, posting_m(relief.ellipsoid(), tile.id().level));
                let off = (DVec3::new(g.dot(east), g.dot(north), 0.0) - exact.rises()).length();
                // Differences over squares and along lines smooth differently, by a few hundredths of the slope.
                assert!(off < 0.002 + 0.1 * exact.steepness(), "{:?}: {off} of {}", tile.id(), exact.steepness());
                assert!(g.dot(n).abs() < 1e-6);
            }
        }
    }

    /// Law: a texel of the coarser level is the mean of four, and its normal is in their middle.
    #[test]
    fn coarser_texels_are_means_of_four() {
        let (relief, mut rng) = (hills(), random::rng());
        let tile = build(&relief, any_tile(&mut rng, 6));
        for _ in 0..200 {
            let (x, y) = (rng.random_range(0..SHADING_TEXELS / 2), rng.random_range(0..SHADING_TEXELS / 2));
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| (2 * x + i, 2 * y + j));
            let mean_m = 0.25 * four.iter().map(|&(x, y)| tile.height_m(0, x, y)).sum::<f64>();
            assert!((tile.height_m(1, x, y) - mean_m).abs() < 0.01);
            let middle = four.iter().map(|&(x, y)| tile.normal(0, x, y)).sum::<DVec3>().normalize();
            assert!(tile.normal(1, x, y).distance(middle) < 1e-9);
        }
    }

    /// Law: two tiles beside each other have the same texels where both have some.
    #[test]
    fn neighbours_agree_on_their_rims() {
        let (relief, mut rng) = (hills(), random::rng());
        let id = TileId { i: 9, ..any_tile(&mut rng, 7) };
        let [left, right] = [id, TileId { i: 10, ..id }].map(|id| build(&relief, id));
        for y in 0..SHADING_TEXELS {
            for x in 0..2 * RIM {
                let there = TILE_QUADS + x;
                assert!((left.height_m(0, there, y) - right.height_m(0, x, y)).abs() < 0.005);
                assert!(left.gradient(0, there, y).distance(right.gradient(0, x, y)) < 1e-3);
            }
        }
    }

    /// Law: ground rougher than texels is averaged, not picked from: the mean of a wave that texels are too coarse for is its middle.
    #[test]
    fn ground_rougher_than_texels_is_averaged() {
        // Postings of 5 km, and every other one 1 km higher.
        let grid = GlobalGrid::from_fn(8000, 4001, Registration::Node, |lon_deg, _| {
            if (lon_deg / 0.045).round() as i64 % 2 == 0 { 0.0 } else { 1_000.0 }
        });
        let relief = Relief::from_grid(grid).unwrap();
        let tile = build(&relief, TileId { face: 0, level: 1, i: 0, j: 0 });
        let off_m = (0..SHADING_TEXELS).map(|x| (tile.height_m(0, x, SHADING_TEXELS - 3) - 500.0).abs());
        let mean_off_m = off_m.sum::<f64>() / f64::from(SHADING_TEXELS);
        assert!(mean_off_m < 200.0, "{mean_off_m}");
    }
}
