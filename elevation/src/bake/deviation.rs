//! How far are the heights of a pack from those of the data that it was made from?

use std::path::Path;

use rayon::prelude::*;

use super::{Bake, BakeError};
use crate::{
    geodesy::n_vector,
    height::{LayerInfo, OpenOptions, Relief},
};

/// Places that are compared, at most.
const PLACES: usize = 1_000;
/// Steps of a sequence that fills a square evenly (M. Roberts, "The unreasonable effectiveness of quasirandom sequences").
const STEPS: [f64; 2] = [0.754_877_666_246_693, 0.569_840_290_998_053_3];

/// What a pack loses of its data: a tile has postings of its own, and rounds heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviation {
    /// Places that were compared: within the data, where nothing is filled or blended.
    pub places: usize,
    /// Root of the mean square of differences, metres.
    pub rms_m: f64,
    /// The largest difference, metres.
    pub most_m: f64,
}

impl Bake {
    /// Compares the pack that this makes, whole, with the data at up to 1000 places all over each of their boxes.
    ///
    /// ```no_run
    /// # fn f(bake: &elevation::bake::Bake) -> Result<(), elevation::bake::BakeError> {
    /// if let Some(lost) = bake.deviation("alps.pack".as_ref())? {
    ///     println!("within {} m, at {} places", lost.most_m, lost.places);
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`BakeError::Source`] for data or a pack that cannot be read; none is answered of a share, and where no place lies in the data.
    pub fn deviation(&self, pack: &Path) -> Result<Option<Deviation>, BakeError> {
        if self.manifest.shard.is_some() {
            return Ok(None);
        }
        let of_pack = Relief::open(&[pack.to_path_buf()], &OpenOptions::default())?;
        let layers = self.relief.layers();
        // What lies below the data is not what somebody wants to know of.
        let given = if layers.len() > 1 { layers.len() - 1 } else { 1 };
        let wanted = |layer: &LayerInfo| match self.manifest.bbox_deg {
            Some(bbox_deg) => in_common(layer.bbox_deg, bbox_deg),
            None => Some(layer.bbox_deg),
        };
        let boxes: Vec<[f64; 4]> = layers[..given].iter().filter_map(wanted).collect();
        let off_m = |k: usize| {
            let [west, south, east, north] = boxes[k % boxes.len()];
            let part = STEPS.map(|step| (0.5 + step * k as f64).fract());
            let (lon_deg, lat_deg) = (west + part[0] * (east - west), south + part[1] * (north - south));
            let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
            let data = self.relief.sample(n);
            let is_own = data.layer < given && data.share >= 1.0 && !data.filled;
            is_own.then(|| (of_pack.sample(n).height_m - data.height_m).abs())
        };
        let places = if boxes.is_empty() { 0 } else { PLACES };
        let all_m: Vec<f64> = (0..places).into_par_iter().filter_map(off_m).collect();
        // What answers in place of what cannot be read says nothing.
        if let Some(failure) = self.relief.failure().or(of_pack.failure()) {
            return Err(failure.into());
        }
        let squares_m2: f64 = all_m.iter().map(|off_m| off_m * off_m).sum();
        Ok((!all_m.is_empty()).then(|| Deviation {
            places: all_m.len(),
            rms_m: (squares_m2 / all_m.len() as f64).sqrt(),
            most_m: all_m.iter().copied().fold(0.0, f64::max),
        }))
    }
}

/// What two boxes in degrees have in common, on the turn of the first: west, south, east, north; the wider one of two pieces.
fn in_common([west, south, east, north]: [f64; 4], other: [f64; 4]) -> Option<[f64; 4]> {
    let width_deg = if other[2] - other[0] >= 360.0 { 360.0 } else { (other[2] - other[0]).rem_euclid(360.0) };
    let (south, north) = (south.max(other[1]), north.min(other[3]));
    let pieces = [-360.0, 0.0, 360.0].map(|turn_deg| {
        let other_west = west + (other[0] - west).rem_euclid(360.0) + turn_deg;
        [west.max(other_west), south, east.min(other_west + width_deg), north]
    });
    let widest = pieces.into_iter().max_by(|a, b| (a[2] - a[0]).total_cmp(&(b[2] - b[0])))?;
    (widest[0] < widest[2] && south < north).then_some(widest)
}

#[cfg(test)]
mod tests {
    use super::in_common;

    #[test]
    fn boxes_have_in_common_what_both_have() {
        let near =
            |a: Option<[f64; 4]>, b: [f64; 4]| a.is_some_and(|a| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9));
        let alps = [5.0, 44.0, 16.0, 48.0];
        assert!(near(in_common(alps, [-180.0, -60.0, 180.0, 60.0]), alps));
        assert!(near(in_common(alps, [7.0, 45.0, 7.1, 45.1]), [7.0, 45.0, 7.1, 45.1]));
        assert!(near(in_common(alps, [-10.0, 40.0, 6.0, 45.0]), [5.0, 44.0, 6.0, 45.0]));
        assert!(near(
            in_common([170.0, -20.0, 190.0, 0.0], [-175.0, -30.0, -160.0, -10.0]),
            [185.0, -20.0, 190.0, -10.0]
        ));
        assert!(near(in_common([-180.0, -90.0, 180.0, 90.0], [170.0, 0.0, -160.0, 5.0]), [-180.0, 0.0, -160.0, 5.0]));
        assert_eq!(in_common(alps, [20.0, 44.0, 30.0, 48.0]), None);
        assert_eq!(in_common(alps, [5.0, 50.0, 16.0, 51.0]), None);
    }
}
