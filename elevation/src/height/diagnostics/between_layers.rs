//! What about a layer looks wrong beside others? It lies elsewhere than it says, or is a tile of the same raster as another one.

use crate::height::{
    layer::{Layer, metres_per_degree},
    layer_info::LayerInfo,
};
#[cfg(feature = "gdal")]
use crate::{
    geodesy::n_vector,
    height::elevation_source::{Location, Spacing},
};

/// Remarks on layers that are tiles of one raster: each goes over to those below across its side, where these have heights of their own.
pub(crate) fn side_by_side(layers: &mut [Layer]) {
    for k in 0..layers.len() {
        let (upper, lower) = layers.split_at_mut(k + 1);
        let info = &mut upper[k].info;
        if let Some(beside) = lower.iter().find(|beside| are_tiles(info, &beside.info)) {
            let remark = format!(
                "{} lies beside it with the same posting, and heights along the seam are blended: give both as one layer, a folder or \
                 a list (`@files.txt`), or add `,feather=1` to this one",
                beside.info.name
            );
            info.remarks.push(remark);
        }
    }
}

/// Whether two files of one system and posting have a side in common, to two postings, along half of the shorter one at least.
fn are_tiles(a: &LayerInfo, b: &LayerInfo) -> bool {
    const POSTINGS: f64 = 2.0;
    let is_alike = a.crs == b.crs && (a.posting_m / b.posting_m - 1.0).abs() < 1e-3;
    let ([west, south, east, north], other) = (a.bbox_deg, b.bbox_deg);
    let turn_deg = 360.0 * (((west + east) - (other[0] + other[2])) / 720.0).round();
    let (other_west, other_east) = (other[0] + turn_deg, other[2] + turn_deg);
    let lat_deg = POSTINGS * a.posting_m / metres_per_degree(a.ellipsoid);
    let lon_deg = lat_deg / (0.5 * (south + north)).to_radians().cos().max(1e-3);
    let touch = |ends: [f64; 4], most_deg: f64| (ends[1] - ends[2]).abs().min((ends[3] - ends[0]).abs()) < most_deg;
    let run_along = |[low, high, other_low, other_high]: [f64; 4]| {
        high.min(other_high) - low.max(other_low) >= 0.5 * (high - low).min(other_high - other_low)
    };
    let across = [west, east, other_west, other_east];
    let down = [south, north, other[1], other[3]];
    is_alike && (touch(across, lon_deg) && run_along(down) || touch(down, lat_deg) && run_along(across))
}

/// A remark on a layer in degrees whose axes seem to be exchanged ([`exchanged`]), by 81 of its places.
#[cfg(feature = "gdal")]
pub(crate) fn swapped(layer: &Layer, below: &Layer) -> Option<String> {
    const SIDE: usize = 9;
    let bbox_deg @ [west, south, east, north] = layer.info.bbox_deg;
    if !(layer.source.in_degrees() && may_have_swapped_axes(bbox_deg)) {
        return None;
    }
    let along = |low: f64, high: f64, k: usize| low + (high - low) * (k as f64 + 1.0) / (SIDE as f64 + 1.0);
    let spot = |k: usize| {
        let (lon, lat) = (along(west, east, k % SIDE), along(south, north, k / SIDE));
        Some((lon, lat, smooth_m(layer, lon, lat)?))
    };
    swapped_axes((0..SIDE * SIDE).filter_map(spot), below)
}

/// Whether a box would lie on the Earth with longitude and latitude exchanged, and elsewhere than it does.
#[cfg(feature = "gdal")]
pub(crate) fn may_have_swapped_axes([west, south, east, north]: [f64; 4]) -> bool {
    west >= -90.0 && east <= 90.0 && east - west < 60.0 && north - south < 60.0
}

/// Height in metres of a layer over some kilometres.
#[cfg(feature = "gdal")]
fn smooth_m(layer: &Layer, lon_deg: f64, lat_deg: f64) -> Option<f64> {
    let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
    layer.source.sample(&Location::of(n), Spacing::Overview(1e4)).map(|spot| spot.height_m)
}

/// A remark on heights, each with its longitude and latitude before it, that are far from the land of the relief below (300 m in
/// the median), and four times closer to that of the place with longitude and latitude exchanged. Level ground has no shape that
/// could fit.
#[cfg(feature = "gdal")]
pub(crate) fn swapped_axes(spots: impl Iterator<Item = (f64, f64, f64)>, below: &Layer) -> Option<String> {
    const FAR_M: f64 = 300.0;
    const TIMES: f64 = 4.0;
    const LEVEL_M: f64 = 1.0;
    // The sea has a floor in one and none in the other.
    let height_m = |layer: &Layer, lat: f64, lon: f64| smooth_m(layer, lon, lat).map(|h| h.max(0.0));
    let (mut here, mut there) = (Vec::new(), Vec::new());
    let mut range_m = (f64::INFINITY, f64::NEG_INFINITY);
    for (lon, lat, h) in spots {
        let h = h.max(0.0);
        range_m = (range_m.0.min(h), range_m.1.max(h));
        here.push((h - height_m(below, lat, lon)?).abs());
        there.push((h - height_m(below, lon, lat)?).abs());
    }
    if range_m.1 - range_m.0 < LEVEL_M {
        return None;
    }
    let median = |mut all: Vec<f64>| {
        all.sort_unstable_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    };
    let (here_m, there_m) = (median(here)?, median(there)?);
    (here_m > FAR_M && here_m > TIMES * there_m).then(|| {
        format!(
            "its heights are {here_m:.0} m from those that the Earth has where it says it lies, and {there_m:.0} m with longitude \
             and latitude exchanged: axes in the wrong order?"
        )
    })
}
