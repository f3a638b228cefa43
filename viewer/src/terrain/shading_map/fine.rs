//! Which texels of the shading map lie beside data that are finer than it? There a texel is a mean of both, and shading tiles and the mesh
//! know heights better.

use glam::DVec3;
use terrain::height::{Relief, ShadeCube};
use terrain::shading_map_texel_m;

/// Texels that a texel holds something of, over those between it and the data: half of its own diagonal, and a bilinear filter's reach.
const REACH_TEXELS: f64 = 3.2;

/// A cap: its middle, and its radius in radians.
type Cap = (DVec3, f64);

/// Where data are finer than a map with so many texels along the side of a face.
pub struct FineData {
    /// Around them and what texels beside them reach; none where nobody knows.
    caps: Option<Vec<Cap>>,
    size: usize,
    reach_rad: f64,
}

impl FineData {
    /// Those of a relief.
    pub fn of(relief: &Relief, size: usize) -> FineData {
        let fine = relief.areas().filter(|(_, posting_m)| *posting_m < shading_map_texel_m(relief.ellipsoid()));
        FineData::around(fine.map(|(cap, _)| cap.map(|(middle, cos)| (middle, cos.acos()))).collect(), size)
    }

    /// Those in caps.
    fn around(caps: Option<Vec<Cap>>, size: usize) -> FineData {
        // The largest texels are in the middle of a face.
        let reach_rad = REACH_TEXELS * 2.0 / size as f64;
        let wide = |caps: Vec<Cap>| caps.into_iter().map(|(middle, radius)| (middle, radius + reach_rad)).collect();
        FineData { caps: caps.map(wide), size, reach_rad }
    }

    /// Whether some may be in a square.
    pub fn touches(&self, square: Square) -> bool {
        let (middle, radius) = square.cap(self.size);
        let touches = |cap: &Cap| cap.0.angle_between(middle) <= cap.1 + radius;
        self.caps.as_ref().is_none_or(|caps| caps.iter().any(touches))
    }

    /// For each texel of a square, row by row, whether they are near.
    pub fn near(&self, relief: &Relief, square: Square) -> Vec<bool> {
        let mut texels = Texels { of: square, near: vec![self.caps.is_none(); square.side * square.side] };
        if let Some(caps) = &self.caps {
            let whole = Square { side: square.side.next_power_of_two(), ..square };
            mark(&whole, caps, self.size, &mut texels);
        }
        if relief.has_synthetic_detail() {
            self.mark_detail(relief, &mut texels);
        }
        texels.near
    }

    /// Marks the texels near detail that is made up, by squares.
    fn mark_detail(&self, relief: &Relief, texels: &mut Texels) {
        const SIDE: usize = 8;
        let Square { layer, at: (left, top), side } = texels.of;
        let squares = |first: usize| (first..first + side).step_by(SIDE);
        for (y, x) in squares(top).flat_map(|y| squares(left).map(move |x| (y, x))) {
            let square = Square { layer, at: (x, y), side: SIDE };
            let (middle, radius) = square.cap(self.size);
            if relief.has_synthetic_detail_near(middle, radius + self.reach_rad) {
                texels.set(&square);
            }
        }
    }
}

/// Which texels of a square are near fine data.
struct Texels {
    of: Square,
    near: Vec<bool>,
}

impl Texels {
    /// Those of a square are; what lies beyond is none of these.
    fn set(&mut self, square: &Square) {
        let Square { at: (left, top), side, .. } = self.of;
        let (x, y) = (square.at.0 - left, square.at.1 - top);
        for row in y..(y + square.side).min(side) {
            self.near[row * side + x..row * side + (x + square.side).min(side)].fill(true);
        }
    }
}

/// Some texels of a face, and of what is beyond its edge.
#[derive(Clone, Copy, Debug)]
pub struct Square {
    /// Face of the cube.
    pub layer: usize,
    /// First column and row.
    pub at: (usize, usize),
    /// Texels along its side.
    pub side: usize,
}

impl Square {
    /// A cap that holds it.
    pub fn cap(&self, size: usize) -> Cap {
        let at = |i: usize| (2 * i) as f64 / size as f64 - 1.0;
        let place = |(x, y): (usize, usize)| ShadeCube::direction(self.layer, at(x), at(y));
        let ((x, y), side) = (self.at, self.side);
        let corners = [(x, y), (x + side, y), (x, y + side), (x + side, y + side)].map(place);
        let middle = corners.iter().sum::<DVec3>().normalize();
        (middle, corners.iter().map(|corner| corner.angle_between(middle)).fold(0.0, f64::max))
    }
}

fn mark(square: &Square, caps: &[Cap], size: usize, texels: &mut Texels) {
    let &Square { layer, at: (x, y), side } = square;
    let Square { at: (left, top), side: all, .. } = texels.of;
    if x >= left + all || y >= top + all {
        return;
    }
    let (middle, radius) = square.cap(size);
    let touching: Vec<Cap> = caps.iter().copied().filter(|cap| cap.0.angle_between(middle) <= cap.1 + radius).collect();
    if touching.is_empty() {
        return;
    }
    if side == 1 || touching.iter().any(|cap| cap.0.angle_between(middle) + radius <= cap.1) {
        texels.set(square);
        return;
    }
    let side = side / 2;
    for at in [(x, y), (x + side, y), (x, y + side), (x + side, y + side)] {
        mark(&Square { layer, at, side }, &touching, size, texels);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All texels of a map with `size` texels along the side of a face, in squares of a third of it.
    fn all(fine: &FineData, relief: &Relief, size: usize) -> Vec<bool> {
        let side = size / 3;
        let mut near = vec![false; 6 * size * size];
        for (layer, row, column) in (0..6).flat_map(|f| (0..3).flat_map(move |r| (0..3).map(move |c| (f, r, c)))) {
            let square = Square { layer, at: (column * side, row * side), side };
            for (y, marks) in fine.near(relief, square).chunks(side).enumerate() {
                let first = (layer * size + row * side + y) * size + column * side;
                near[first..first + side].copy_from_slice(marks);
            }
        }
        near
    }

    /// Law: no fine data mark nothing, fine data everywhere mark all, and a cap marks what it touches on every face.
    #[test]
    fn caps_mark_what_they_touch() {
        let relief = crate::terrain::hills();
        let of = |caps: Option<Vec<Cap>>, size: usize| all(&FineData::around(caps, size), &relief, size);
        assert!(of(Some(Vec::new()), 24).iter().all(|near| !near));
        assert!(of(None, 24).iter().all(|near| *near));
        // Over a corner of the cube.
        let cap = (DVec3::ONE.normalize(), 0.3);
        let size = 51;
        let reach_rad = REACH_TEXELS * 2.0 / size as f64;
        for (i, near) in of(Some(vec![cap]), size).into_iter().enumerate() {
            let at = |i: usize| (2 * i + 1) as f64 / size as f64 - 1.0;
            let n = ShadeCube::direction(i / (size * size), at(i % size), at(i / size % size));
            let beyond = n.angle_between(cap.0) - cap.1 - reach_rad;
            assert!(near || beyond > 0.0, "{i}");
            assert!(!near || beyond < 0.06, "{i}");
        }
    }

    /// Law: every texel that a bilinear filter takes beside a fine raster is marked, and none far from it.
    #[cfg(feature = "gdal")]
    #[test]
    fn texels_around_a_raster_are_marked() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jacksboro.tif");
        let relief = Relief::open(&[file], &terrain::height::OpenOptions::default()).expect("the raster");
        let size = ShadeCube::DEFAULT_SIZE as usize / 3 * 3;
        let near = all(&FineData::of(&relief, size), &relief, size);
        let middle = terrain::geodesy::n_vector(36.3f64.to_radians(), -84.25f64.to_radians());
        let mut marked = 0;
        for (i, near) in near.iter().enumerate() {
            let at = |i: usize| (2 * i + 1) as f64 / size as f64 - 1.0;
            let n = ShadeCube::direction(i / (size * size), at(i % size), at(i / size % size));
            let away_km = n.angle_between(middle) * 6371.0;
            assert!(*near || away_km > 40.0, "{away_km} km away");
            assert!(!*near || away_km < 90.0, "{away_km} km away");
            marked += usize::from(*near);
        }
        assert!((30..400).contains(&marked), "{marked}");
    }
}
