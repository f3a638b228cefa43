//! What is the elevation data of one square of a cube face? Tiles of 257 x 257 vertices, a pure function of relief and id.
//!
//! A tile of level L covers 1 / 2^L of a face's side with 256 x 256 quads. Its vertices are vertices of the bisection, so
//! nothing is ever filtered: a vertex *is* a texel. Each vertex is *born* in one tile, the first level whose grid has it
//! ([`birth`]), and is read from there and nowhere else. Triangles of different sizes, tiles and faces that share a vertex
//! therefore see the same bits. No tile needs to agree with another.
//!
//! A texel is one u32: height in the high 24 bits, saturated error in the low 8. 24 bits in steps of 1/512 m hold every height on
//! Earth from -16 384 to 16 383 m without a base or scale a tile. They are fine enough that smooth ground between coarse samples shows
//! no terraces. The usual u16 would need a base, and 1/4 m steps at 2 m posting are stairs. Texels of ground that is exaggerated
//! beyond that count in twice, four or eight times as long steps ([`height_scale`]).

mod codes;
mod id;
mod levels;
pub(crate) mod texel;

pub(crate) use codes::ErrorCodes;
pub use codes::{decode_error_m, encode_error};
pub use id::{TILE_QUADS, TileId, birth};
pub use levels::posting_m;
pub(crate) use levels::{height_step_m, level_of};

use multiversion::multiversion;

/// Deepest tiles: texels are units of the integer cube, 9 mm apart.
pub const MAX_TILE_LEVEL: u32 = texel::MAX_TILE_LEVEL;

/// Vertices on a side of a tile.
pub const TILE_VERTICES: usize = TILE_QUADS as usize + 1;

/// Heights of texels are multiples of this.
pub const TEXEL_STEP_M: f64 = texel::HEIGHT_STEP_M as f64;
/// Height of a texel whose high 24 bits are zero.
pub const TEXEL_BASE_M: f64 = texel::HEIGHT_BASE_M as f64;
/// Lowest and highest ground that a texel holds, metres.
pub const TEXEL_RANGE_M: (f64, f64) = (TEXEL_BASE_M, TEXEL_BASE_M + TEXEL_STEP_M * ((1u32 << 24) - 1) as f64);

/// What heights of texels are to be multiplied by where the ground lies in a range of metres: 1 where texels hold it, as all of the Earth,
/// else the least power of two that makes them.
///
/// ```
/// use elevation::tile::height_scale;
/// assert_eq!(height_scale((-11_000.0, 8_850.0)), 1.0);
/// assert_eq!(height_scale((-44_000.0, 35_400.0)), 4.0);
/// ```
pub fn height_scale((low_m, high_m): (f64, f64)) -> f64 {
    let times = (low_m / TEXEL_RANGE_M.0).max(high_m / TEXEL_RANGE_M.1).max(1.0);
    times.log2().ceil().exp2()
}

/// Height and saturated error of a vertex as the GPU reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Texel(pub u32);

impl Texel {
    /// Packs a height (rounded to [`TEXEL_STEP_M`], clamped to what 24 bits hold) and an error code.
    ///
    /// ```
    /// use elevation::tile::Texel;
    /// let texel = Texel::new(8848.86, 17);
    /// assert!((texel.height_m() - 8848.86).abs() <= 0.5 / 512.0);
    /// assert_eq!(texel.error_code(), 17);
    /// assert!(f64::from(texel.refinement_error_m()) <= texel.error_m());
    /// assert_eq!(Texel::new(8848.86, 0).refinement_error_m(), 0.0);
    /// ```
    #[inline]
    pub fn new(height_m: f64, error_code: u8) -> Self {
        /// Numbers from here on have no fraction: added, it leaves a whole number in the low bits, in any vector.
        const WHOLE: f64 = (1u64 << 52) as f64;
        const MOST: f64 = ((1u32 << 24) - 1) as f64;
        let steps = (height_m - TEXEL_BASE_M) * (1.0 / TEXEL_STEP_M) + 0.5;
        // What is not a number is the lowest.
        let steps = if steps > 0.0 { steps } else { 0.0 };
        let steps = if steps < MOST { steps.floor() } else { MOST };
        Self(((steps + WHOLE).to_bits() as u32) << 8 | u32::from(error_code))
    }

    /// Height in metres above the datum, over the tile's scale.
    pub fn height_m(self) -> f64 {
        f64::from(texel::height_of(self.0))
    }

    /// Code of the vertical error that a mesh without this vertex has; meaningful in the vertex's birth tile only.
    pub fn error_code(self) -> u8 {
        self.0 as u8
    }

    /// That error in metres, rounded up, at most 46 km: the few vertices of depth below 8 may be worse.
    pub fn error_m(self) -> f64 {
        decode_error_m(self.error_code())
    }

    /// The error by which a mesh judges the vertex, in metres: [`error_m`](Self::error_m), and 0 where it is below the least code.
    pub fn refinement_error_m(self) -> f32 {
        texel::error_of(self.0)
    }
}

/// Elevation of one square of a face.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    id: TileId,
    /// Row by row along u, [`TILE_VERTICES`] each.
    texels: Vec<Texel>,
    scale: f64,
    range_m: (f64, f64),
    error_m: f64,
}

impl Tile {
    /// A tile of [`TILE_VERTICES`]^2 texels, whose heights are to be multiplied by a scale.
    pub(crate) fn from_texels(id: TileId, texels: Vec<Texel>, scale: f64) -> Self {
        let [low, high, code] = extremes(&texels);
        let range_m = (scale * Texel(low).height_m(), scale * Texel(high).height_m());
        Self { id, texels, scale, range_m, error_m: decode_error_m(code as u8) }
    }

    /// Which square it is.
    pub fn id(&self) -> TileId {
        self.id
    }

    /// All texels, u fastest: [`TILE_VERTICES`]^2 of them.
    pub fn texels(&self) -> &[Texel] {
        &self.texels
    }

    /// The texel in column `x` (along u) and row `y` (along v), both below [`TILE_VERTICES`].
    pub fn texel(&self, x: usize, y: usize) -> Texel {
        self.texels[y * TILE_VERTICES + x]
    }

    /// Height in metres of the vertex in column `x` and row `y`, both below [`TILE_VERTICES`].
    pub fn height_m(&self, x: usize, y: usize) -> f64 {
        self.scale * self.texel(x, y).height_m()
    }

    /// Lowest and highest vertex in metres.
    pub fn range_m(&self) -> (f64, f64) {
        self.range_m
    }

    /// Largest error of the vertices born in this tile, in metres: how far a mesh that stops at the parent tile may be off.
    pub fn error_m(&self) -> f64 {
        self.error_m
    }
}

/// The lowest and the highest of some texels, and the largest code. Heights are the high bits, so texels are in their order.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn extremes(texels: &[Texel]) -> [u32; 3] {
    texels.iter().fold([u32::MAX, 0, 0], |[low, high, code], t| [low.min(t.0), high.max(t.0), code.max(t.0 & 255)])
}
