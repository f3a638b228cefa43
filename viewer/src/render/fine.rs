//! Which texels of the shading map lie beside data that are finer than it? There a texel is a mean of both, and shading tiles and the mesh
//! know heights better.

use glam::DVec3;
use rayon::prelude::*;
use terrain::SHADING_MAP_TEXEL_M;
use terrain::height::{Relief, ShadeCube};

/// Texels that a texel holds something of, over those between it and the data: half of its own diagonal, and a bilinear filter's reach.
const REACH_TEXELS: f64 = 3.2;

/// A cap around fine data, widened by the reach: its middle, and its radius in radians.
type Cap = (DVec3, f64);

/// For each texel of a map with `size` texels along the side of a face, face by face.
pub(super) fn near_fine(relief: &Relief, size: usize) -> Vec<bool> {
    // The largest texels are in the middle of a face.
    let reach_rad = REACH_TEXELS * 2.0 / size as f64;
    let fine = relief.areas().filter(|(_, posting_m)| *posting_m < SHADING_MAP_TEXEL_M);
    let caps: Option<Vec<Cap>> =
        fine.map(|(cap, _)| cap.map(|(middle, cos_radius)| (middle, cos_radius.acos() + reach_rad))).collect();
    let mut near = near(caps, size);
    if relief.has_synthetic_detail() {
        near.par_chunks_mut(size * size).enumerate().for_each(|(layer, face)| mark_detail(relief, layer, size, face));
    }
    near
}

/// Marks the texels of a face near detail that is made up, by squares.
fn mark_detail(relief: &Relief, layer: usize, size: usize, face: &mut [bool]) {
    const SIDE: usize = 8;
    for (y, x) in (0..size).step_by(SIDE).flat_map(|y| (0..size).step_by(SIDE).map(move |x| (y, x))) {
        let (middle, radius) = Square { layer, at: (x, y), side: SIDE }.cap(size);
        if relief.has_synthetic_detail_near(middle, radius + REACH_TEXELS * 2.0 / size as f64) {
            for row in y..(y + SIDE).min(size) {
                face[row * size + x..row * size + (x + SIDE).min(size)].fill(true);
            }
        }
    }
}

/// Texels that caps touch; without any list of them, all.
fn near(caps: Option<Vec<Cap>>, size: usize) -> Vec<bool> {
    let mut near = vec![caps.is_none(); 6 * size * size];
    let Some(caps) = caps.filter(|caps| !caps.is_empty()) else { return near };
    near.par_chunks_mut(size * size).enumerate().for_each(|(layer, face)| {
        let square = Square { layer, at: (0, 0), side: size.next_power_of_two() };
        mark(&square, &caps, size, face);
    });
    near
}

/// Some texels of a face, and of what is beyond its edge.
struct Square {
    layer: usize,
    at: (usize, usize),
    side: usize,
}

impl Square {
    /// A cap that holds it.
    fn cap(&self, size: usize) -> Cap {
        let at = |i: usize| (2 * i) as f64 / size as f64 - 1.0;
        let place = |(x, y): (usize, usize)| ShadeCube::direction(self.layer, at(x), at(y));
        let ((x, y), side) = (self.at, self.side);
        let corners = [(x, y), (x + side, y), (x, y + side), (x + side, y + side)].map(place);
        let middle = corners.iter().sum::<DVec3>().normalize();
        (middle, corners.iter().map(|corner| corner.angle_between(middle)).fold(0.0, f64::max))
    }
}

fn mark(square: &Square, caps: &[Cap], size: usize, face: &mut [bool]) {
    let &Square { layer, at: (x, y), side } = square;
    if x >= size || y >= size {
        return;
    }
    let (middle, radius) = square.cap(size);
    let touching: Vec<Cap> = caps.iter().copied().filter(|cap| cap.0.angle_between(middle) <= cap.1 + radius).collect();
    if touching.is_empty() {
        return;
    }
    if side == 1 || touching.iter().any(|cap| cap.0.angle_between(middle) + radius <= cap.1) {
        for row in y..(y + side).min(size) {
            face[row * size + x..row * size + (x + side).min(size)].fill(true);
        }
        return;
    }
    let side = side / 2;
    for at in [(x, y), (x + side, y), (x, y + side), (x + side, y + side)] {
        mark(&Square { layer, at, side }, &touching, size, face);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: no fine data mark nothing, fine data everywhere mark all, and a cap marks what it touches on every face.
    #[test]
    fn caps_mark_what_they_touch() {
        assert!(near(Some(Vec::new()), 24).iter().all(|near| !near));
        assert!(near(None, 24).iter().all(|near| *near));
        // Over a corner of the cube.
        let cap = (DVec3::ONE.normalize(), 0.3);
        let size = 50;
        for (i, near) in near(Some(vec![cap]), size).into_iter().enumerate() {
            let at = |i: usize| (2 * i + 1) as f64 / size as f64 - 1.0;
            let n = ShadeCube::direction(i / (size * size), at(i % size), at(i / size % size));
            let beyond = n.angle_between(cap.0) - cap.1;
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
        let size = ShadeCube::DEFAULT_SIZE as usize;
        let near = near_fine(&relief, size);
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
