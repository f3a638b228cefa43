//! How do the heights of layers become one? From the top down, each with its weight, until nothing is left; then what is made up.

use glam::DVec3;

use super::Relief;
use crate::height::{
    angle::lon_lat_deg,
    elevation_source::{Location, Spacing},
    kernel::{inverse_smoothstep, smoothstep},
    layer::Layer,
    synthetic::COARSE_M,
};

/// Data whose postings are at most so many times as far apart are as fine.
const AS_FINE: f64 = 2.0;

/// Places whose heights are asked for together, at most.
pub(super) const TOGETHER: usize = 64;

/// A height and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Height in metres above the layers' vertical datum.
    pub height_m: f64,
    /// Index into [`Relief::layers`] of the layer with the largest share in it.
    pub layer: usize,
    /// That share, above 0 to 1; 1 where the layer answers alone.
    pub share: f64,
    /// The layer with the next largest share, where the height is blended.
    pub blended_with: Option<usize>,
    /// Whether a posting beside the place is not a file's own, but filled or continued from the heights around it.
    pub filled: bool,
}

/// The weight of a layer that would fall to nothing within a texel of its heights, by the one that it has over its feather.
fn within_texel(layer: &Layer, weight: f64) -> f64 {
    if weight >= 1.0 {
        return 1.0;
    }
    let texels_out = (1.0 - inverse_smoothstep(weight)) * f64::from(layer.feather);
    // The next posting is not reached.
    smoothstep(1.0 - 1.002 * texels_out)
}

impl Relief {
    /// The height at a unit geodetic normal.
    pub fn sample(&self, n: DVec3) -> Sample {
        let (lon_deg, lat_deg) = lon_lat_deg(n);
        self.blend(n, lon_deg, lat_deg, Spacing::Any)
    }

    /// The height at a unit geodetic normal as it is without the layers above one.
    pub(crate) fn height_from_m(&self, layer: usize, n: DVec3) -> f64 {
        let (lon_deg, lat_deg) = lon_lat_deg(n);
        self.blend_from(layer, n, lon_deg, lat_deg, Spacing::Any).height_m
    }

    /// The height at a vertex of the bisection whose neighbours are about `spacing_m` away: the same as [`Relief::sample`], but a
    /// pack need not read tiles that are finer.
    pub fn sample_spaced(&self, n: DVec3, spacing_m: f64) -> Sample {
        let (lon_deg, lat_deg) = lon_lat_deg(n);
        self.blend(n, lon_deg, lat_deg, Spacing::Vertices(spacing_m))
    }

    /// Heights in metres at many normals: `sample` for each, at a lower price. Extra elements of the longer slice are ignored.
    ///
    /// ```
    /// use elevation::height::{GlobalGrid, Location, Registration, Relief};
    /// let relief = Relief::from_grid(GlobalGrid::from_fn(360, 181, Registration::Node, |_, lat| 10.0 * lat))?;
    /// let places = [0.0, 20.0, 40.0].map(|lat| Location::at(lat, 8.0).normal);
    /// let mut heights_m = [0.0; 3];
    /// relief.sample_row(&places, &mut heights_m);
    /// assert_eq!(heights_m, places.map(|n| relief.sample(n).height_m)); // to the last bit
    /// assert_eq!(relief.sample_spaced(places[1], 10_000.0), relief.sample(places[1]));
    /// // A grid has no averages.
    /// assert_eq!(relief.overview_m(places[1], 10_000.0), heights_m[1]);
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn sample_row(&self, normals: &[DVec3], heights_m: &mut [f64]) {
        self.sample_rows(normals, Spacing::Any, heights_m);
    }

    /// Height in metres at a normal for a slope over about `spacing_m`: from averages where they are as fine.
    pub fn overview_m(&self, n: DVec3, spacing_m: f64) -> f64 {
        let (lon_deg, lat_deg) = lon_lat_deg(n);
        self.blend(n, lon_deg, lat_deg, Spacing::Overview(spacing_m)).height_m
    }

    pub(crate) fn sample_rows(&self, normals: &[DVec3], spacing: Spacing, heights_m: &mut [f64]) {
        let mut lon = [0.0; TOGETHER];
        let mut lat = [0.0; TOGETHER];
        for (normals, heights_m) in normals.chunks(TOGETHER).zip(heights_m.chunks_mut(TOGETHER)) {
            // One loop of pure arithmetic, which the compiler vectorises.
            for ((n, lon), lat) in normals.iter().zip(&mut lon).zip(&mut lat) {
                (*lon, *lat) = lon_lat_deg(*n);
            }
            self.blend_all(|k| (normals[k], lon[k], lat[k]), spacing, heights_m);
        }
    }

    #[inline]
    fn blend(&self, n: DVec3, lon_deg: f64, lat_deg: f64, spacing: Spacing) -> Sample {
        self.blend_from(0, n, lon_deg, lat_deg, spacing)
    }

    #[inline]
    fn blend_from(&self, first: usize, n: DVec3, lon_deg: f64, lat_deg: f64, spacing: Spacing) -> Sample {
        let (mut sample, coarse) = self.of_data(first, (n, lon_deg, lat_deg), spacing);
        self.finish(std::slice::from_mut(&mut sample.height_m), |_| (n, lon_deg, lat_deg), |_| coarse, spacing);
        sample
    }

    /// Heights in metres at up to [`TOGETHER`] places: unit normals, and their longitudes and latitudes in degrees.
    pub(super) fn blend_all(
        &self,
        place: impl Fn(usize) -> (DVec3, f64, f64),
        spacing: Spacing,
        heights_m: &mut [f64],
    ) {
        let mut coarse = [0.0; TOGETHER];
        for (k, (height_m, coarse)) in heights_m.iter_mut().zip(&mut coarse).enumerate() {
            let (sample, share) = self.of_data(0, place(k), spacing);
            (*height_m, *coarse) = (sample.height_m, share);
        }
        self.finish(heights_m, place, |k| coarse[k], spacing);
    }

    /// The height of the data from a layer on, and how much of it is that of coarse ones.
    #[inline]
    pub(super) fn of_data(
        &self,
        first: usize,
        (n, lon_deg, lat_deg): (DVec3, f64, f64),
        spacing: Spacing,
    ) -> (Sample, f64) {
        let at = Location { normal: n, lon_deg, lat_deg, interpolation: self.interpolation };
        let mut left = 1.0;
        let mut sample =
            Sample { height_m: 0.0, layer: self.layers.len() - 1, share: 0.0, blended_with: None, filled: false };
        let (mut second, mut coarse) = (0.0, 0.0);
        for (i, candidate) in self.layers.iter().enumerate().skip(first) {
            let Some(found) = candidate.source.sample(&at, spacing) else { continue };
            let weight = if found.weight < 1.0 { self.weight_beside(i, found.weight, &at, spacing) } else { 1.0 };
            if weight <= 0.0 {
                continue;
            }
            let shift_m = self.shifts[i].as_ref().map_or(0.0, |shift| shift.at(lon_deg, lat_deg, spacing));
            let h = self.ground_m(i, || n, (found.height_m, shift_m));
            let share = left * weight;
            sample.height_m += share * h;
            sample.filled |= found.filled;
            coarse += if self.infos[i].posting_m > COARSE_M { share } else { 0.0 };
            if share > sample.share {
                if sample.share > 0.0 {
                    (sample.blended_with, second) = (Some(sample.layer), sample.share);
                }
                (sample.layer, sample.share) = (i, share);
            } else if share > second {
                (sample.blended_with, second) = (Some(i), share);
            }
            left -= share;
            if left <= 0.0 {
                break;
            }
        }
        (sample, coarse)
    }

    /// The weight of a layer beside its data, where what lies below has its say: over its feather it goes over to coarser data, and within a
    /// texel to heights of others that are as fine.
    fn weight_beside(&self, layer: usize, weight: f64, at: &Location, spacing: Spacing) -> f64 {
        let mut covered = 0.0f64;
        for below in self.as_fine_below(layer) {
            covered =
                covered.max(below.source.sample(at, spacing).map_or(0.0, |found| within_texel(below, found.weight)));
            if covered >= 1.0 {
                break;
            }
        }
        if covered <= 0.0 {
            return weight;
        }
        weight + (within_texel(&self.layers[layer], weight) - weight) * covered
    }

    /// The layers below one over whose own heights it does not go on.
    pub(super) fn as_fine_below(&self, layer: usize) -> impl Iterator<Item = &Layer> {
        let coarsest_m = AS_FINE * self.infos[layer].posting_m;
        let is_feathered = self.layers[layer].feather > 1;
        let below = self.layers.iter().skip(layer + 1).map(|layer| &**layer);
        below.filter(move |below| is_feathered && below.coarsest_m <= coarsest_m)
    }

    /// Makes heights of data those of the relief: what is made up is added, by the share of coarse data, and all is exaggerated.
    #[inline]
    pub(super) fn finish(
        &self,
        heights_m: &mut [f64],
        place: impl Fn(usize) -> (DVec3, f64, f64),
        coarse: impl Fn(usize) -> f64,
        spacing: Spacing,
    ) {
        if let Some(synthetic) = &self.synthetic {
            synthetic.add(heights_m, place, coarse, spacing);
        }
        if self.exaggeration != 1.0 {
            heights_m.iter_mut().for_each(|height_m| *height_m *= self.exaggeration);
        }
    }
}
