//! Which tile is it, and in which tile is a vertex born?

use super::texel::{MAX_TILE_LEVEL, TILE_QUADS_LOG2, birth_level, texel_over, tile_over};
use crate::cube::{CubePoint, FACES, FacePoint, ONE};

/// Quads on a side of a tile.
pub const TILE_QUADS: u32 = 1 << TILE_QUADS_LOG2;

/// A square of a face: one of 2^level x 2^level, (i, j) along (u, v).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TileId {
    /// Face of the cube.
    pub face: u32,
    /// 0 for a whole face, at most 22.
    pub level: u32,
    /// Column, below 2^level.
    pub i: u32,
    /// Row, below 2^level.
    pub j: u32,
}

/// `tile FACE/LEVEL/COLUMN/ROW`.
impl std::fmt::Display for TileId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { face, level, i, j } = self;
        write!(out, "tile {face}/{level}/{i}/{j}")
    }
}

impl TileId {
    /// The tile that covers a whole face.
    ///
    /// # Panics
    /// If `face` is not below [`FACES`].
    pub fn root(face: u32) -> Self {
        assert!(face < FACES, "a cube has {FACES} faces");
        Self { face, level: 0, i: 0, j: 0 }
    }

    /// The tile of a level at a unit geodetic normal.
    #[cfg(test)]
    pub(crate) fn at(n: glam::DVec3, level: u32) -> Self {
        let (face, s, t) = crate::cube::face_of(n);
        let [i, j] = [s, t].map(|x| (((x + 1.0) / 2.0 * f64::from(1 << level)) as u32).min((1 << level) - 1));
        Self { face, level, i, j }
    }

    /// The tile one level up that contains this one; `None` for a whole face.
    pub fn parent(self) -> Option<Self> {
        (self.level > 0).then(|| Self { level: self.level - 1, i: self.i / 2, j: self.j / 2, ..self })
    }

    /// The four tiles one level down; `None` at the deepest level.
    ///
    /// ```
    /// use elevation::tile::{TILE_QUADS, TileId};
    /// let tile = TileId::root(2);
    /// for child in tile.children().unwrap() {
    ///     assert_eq!((child.parent(), 2 * child.spacing()), (Some(tile), tile.spacing()));
    /// }
    /// // Tiles side by side share the vertices of their edge.
    /// let [left, right, ..] = tile.children().unwrap();
    /// assert_eq!(left.place(TILE_QUADS, 7), right.place(0, 7));
    /// ```
    pub fn children(self) -> Option<[Self; 4]> {
        (self.level < MAX_TILE_LEVEL).then(|| {
            [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(di, dj)| Self {
                level: self.level + 1,
                i: 2 * self.i + di,
                j: 2 * self.j + dj,
                ..self
            })
        })
    }

    /// Integer cube units between neighbouring texels.
    pub fn spacing(self) -> u32 {
        (ONE / TILE_QUADS) >> self.level
    }

    /// Face coordinates of the texel in column `x` and row `y`, 0 ..= [`TILE_QUADS`].
    pub fn place(self, x: u32, y: u32) -> FacePoint {
        let spacing = self.spacing();
        FacePoint { face: self.face, u: (self.i * TILE_QUADS + x) * spacing, v: (self.j * TILE_QUADS + y) * spacing }
    }
}

/// The one tile from which a vertex is read, with its column and row there.
///
/// On its lowest face a vertex first appears in the grid of the level given by the lower power of two of its coordinates;
/// between two tiles of that level the one with the higher column and row has it, except at the face's far edge.
///
/// ```
/// use elevation::{bisection::HeapId, tile::birth};
/// let (tile, ..) = birth(HeapId::root(0).triangle().midpoint());
/// assert_eq!(tile.level, 0);
/// ```
pub fn birth(vertex: CubePoint) -> (TileId, u32, u32) {
    let place = vertex.on_face();
    let level = birth_level(place);
    let tile = tile_over(place, level);
    let texel = texel_over(place, level, tile);
    (TileId { face: place.face, level, i: tile.x, j: tile.y }, texel.x, texel.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bisection::{HeapId, MAX_DEPTH, ROOTS};
    use proptest::prelude::*;

    proptest! {
        /// Law: the midpoint of a bisector of depth d is born at level max(0, ceil((d + 1) / 2) - 8), in the tile that
        /// answers its place, and no coarser tile has it.
        #[test]
        fn midpoints_are_born_where_depth_says(root in 0..ROOTS, path in any::<u64>(), depth in 0..=MAX_DEPTH) {
            let mut id = HeapId::root(root);
            for level in 0..depth { id = id.child(path >> level & 1); }
            let vertex = id.triangle().midpoint();
            let (tile, x, y) = birth(vertex);
            prop_assert_eq!(tile.level, (depth + 1).div_ceil(2).saturating_sub(8));
            prop_assert_eq!(tile.place(x, y).point(), vertex);
            prop_assert!(x <= TILE_QUADS && y <= TILE_QUADS);
            if let Some(parent) = tile.parent() {
                let grid = parent.spacing();
                let place = vertex.on_face();
                prop_assert!(!place.u.is_multiple_of(grid) || !place.v.is_multiple_of(grid));
                prop_assert!(parent.children().unwrap().contains(&tile));
            }
        }
    }
}
