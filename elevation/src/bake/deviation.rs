//! How far are the heights of a pack from those of the data that it was made from?

use std::path::Path;

use rayon::prelude::*;

use super::{Bake, BakeError};
use crate::{
    geodesy::{box_in_common, extents::evenly_spread, n_vector},
    height::{LayerInfo, OpenOptions, Relief},
};

/// Places that are compared, at most.
const PLACES: usize = 1_000;

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
            Some(bbox_deg) => box_in_common(layer.bbox_deg, bbox_deg),
            None => Some(layer.bbox_deg),
        };
        let boxes: Vec<[f64; 4]> = layers[..given].iter().filter_map(wanted).collect();
        let off_m = |k: usize| {
            let [west, south, east, north] = boxes[k % boxes.len()];
            let part = evenly_spread(k);
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
