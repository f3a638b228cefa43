//! Which files of a mosaic lie around a place? Those of a cell of a grid, or of a tree of boxes where they are many.
//!
//! Views of the whole ask this tens of millions of times: to look into a list of one or two takes a tenth of a walk down the tree.

use std::sync::OnceLock;

use rstar::{
    AABB, Envelope, RTree, RTreeObject,
    primitives::{GeomWithData, Rectangle},
};
use smallvec::SmallVec;

/// Footprints that a cell lists, at most; where more touch it, the tree answers.
const MOST: usize = 16;
/// Cells for each footprint, if footprints lie side by side.
const CELLS_EACH: f64 = 4.0;
/// Columns or rows of cells, at most.
const MOST_CELLS: f64 = 512.0;

/// A rectangle of longitude and latitude, with the number of a member.
type Footprint = GeomWithData<Rectangle<[f64; 2]>, u32>;

/// What touches a cell, by the number of the member, found when it is asked for. `None`: too many.
type Cell = OnceLock<Option<Box<[Footprint]>>>;

/// Members by longitude and latitude, degrees.
#[derive(Debug)]
pub(super) struct Index {
    tree: RTree<Footprint>,
    /// South-west corner of the first cell, and cells in a degree, by axis.
    first: [f64; 2],
    in_degree: [f64; 2],
    /// Columns and rows of cells.
    grid: [usize; 2],
    /// Rows from south to north.
    cells: Box<[Cell]>,
}

impl Index {
    /// Of boxes of members: west, south, east, north.
    pub fn of(boxes: impl Iterator<Item = [f64; 4]>) -> Self {
        let mut footprints = Vec::new();
        for (k, [west, south, east, north]) in boxes.enumerate() {
            for turn in [-360.0, 0.0, 360.0] {
                let (west, east) = (west + turn, east + turn);
                if east >= -180.0 && west <= 180.0 {
                    let rectangle = Rectangle::from_corners([west, south], [east, north]);
                    footprints.push(GeomWithData::new(rectangle, k as u32));
                }
            }
        }
        let count = footprints.len();
        let tree = RTree::bulk_load(footprints);
        let bounds = tree.root().envelope();
        let size: [f64; 2] = std::array::from_fn(|axis| (bounds.upper()[axis] - bounds.lower()[axis]).max(1e-9));
        let side = (size[0] * size[1] / (CELLS_EACH * count.max(1) as f64)).sqrt();
        // Nothing, or numbers that are none, make one cell.
        let grid = size.map(|size| (size / side).ceil().clamp(1.0, MOST_CELLS).max(1.0) as usize);
        Self {
            first: bounds.lower(),
            in_degree: std::array::from_fn(|axis| grid[axis] as f64 / size[axis]),
            grid,
            cells: (0..grid[0] * grid[1]).map(|_| OnceLock::new()).collect(),
            tree,
        }
    }

    /// Members, in their order, whose boxes hold a place.
    pub fn at(&self, lon_deg: f64, lat_deg: f64) -> SmallVec<[u32; 8]> {
        let place = [lon_deg, lat_deg];
        let mut found: SmallVec<[u32; 8]> = match self.cell(place) {
            Some(listed) => {
                listed.iter().filter(|footprint| footprint.envelope().contains_point(&place)).map(|f| f.data).collect()
            }
            None => self.tree.locate_all_at_point(&place).map(|footprint| footprint.data).collect(),
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What touches the cell of a place; `None` if that is too much, or there is no cell.
    fn cell(&self, place: [f64; 2]) -> Option<&[Footprint]> {
        // Places beyond all cells are answered by those at the rim, which list what touches them: nothing that lies there.
        let cell: [usize; 2] = std::array::from_fn(|axis| {
            let at = (place[axis] - self.first[axis]) * self.in_degree[axis];
            (at as usize).min(self.grid[axis] - 1)
        });
        let listed = self.cells.get(cell[1] * self.grid[0] + cell[0])?;
        listed.get_or_init(|| self.touching(cell)).as_deref()
    }

    /// What touches a cell, if that is little. A cell is a little larger than it is, as places are rounded into it.
    fn touching(&self, cell: [usize; 2]) -> Option<Box<[Footprint]>> {
        let corner = |beyond: f64| -> [f64; 2] {
            std::array::from_fn(|axis| self.first[axis] + (cell[axis] as f64 + beyond) / self.in_degree[axis])
        };
        let envelope = AABB::from_corners(corner(-0.01), corner(1.01));
        let touching = self.tree.locate_in_envelope_intersecting(&envelope).copied();
        let touching: SmallVec<[Footprint; MOST + 1]> = touching.take(MOST + 1).collect();
        (touching.len() <= MOST).then(|| touching.into_vec().into())
    }

    /// Members whose boxes touch another, in no order, some of them twice.
    pub fn touching_box(&self, south_west: [f64; 2], north_east: [f64; 2]) -> impl Iterator<Item = u32> {
        let envelope = AABB::from_corners(south_west, north_east);
        let touching: SmallVec<[u32; 8]> =
            self.tree.locate_in_envelope_intersecting(&envelope).map(|footprint| footprint.data).collect();
        touching.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    /// Law: what is found is what holds the place, however boxes lie: side by side, heaped, around the Earth, alone.
    #[test]
    fn finds_what_holds_a_place() {
        let mut rng = crate::random::rng();
        for kind in 0..40 {
            let count = [0, 1, 7, 300][kind % 4];
            let boxes: Vec<[f64; 4]> = (0..count)
                .map(|k| match kind / 4 % 3 {
                    // Tiles that share their sides.
                    0 => {
                        let (west, south) = (160.0 + f64::from(k % 30), f64::from(k / 30) - 5.0);
                        [west, south, west + 1.0, south + 1.0]
                    }
                    // A heap of small ones, and a few of the whole Earth.
                    1 if k % 50 == 0 => [-180.0, -90.0, 180.0, 90.0],
                    1 => [8.0, 46.0, 8.0 + rng.random_range(0.0..0.1), 46.0 + rng.random_range(0.0..0.1)],
                    _ => {
                        let (west, south) = (rng.random_range(-180.0..180.0), rng.random_range(-90.0..90.0));
                        [west, south, west + rng.random_range(0.0..200.0), south + rng.random_range(0.0..9.0)]
                    }
                })
                .collect();
            let index = Index::of(boxes.iter().copied());
            for _ in 0..500 {
                let (mut lon, mut lat) = (rng.random_range(-180.0..=180.0), rng.random_range(-90.0..=90.0));
                // On a side or in a corner, half of the time.
                if let Some([west, south, east, north]) = boxes.get(rng.random_range(0..2 * count.max(1)) as usize) {
                    lon = if rng.random() { *west } else { rng.random_range(*west..=*east) };
                    lat = if rng.random() { *north } else { rng.random_range(*south..=*north) };
                    lon -= if lon > 180.0 { 360.0 } else { 0.0 };
                }
                let holds = |[west, south, east, north]: [f64; 4]| {
                    let turned = |turn: f64| west + turn <= lon && lon <= east + turn;
                    south <= lat && lat <= north && [-360.0, 0.0, 360.0].into_iter().any(turned)
                };
                let expected: Vec<u32> = (0..count as u32).filter(|k| holds(boxes[*k as usize])).collect();
                assert_eq!(index.at(lon, lat).to_vec(), expected, "{lon}, {lat} in {boxes:?}");
            }
        }
    }
}
