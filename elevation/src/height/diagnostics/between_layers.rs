//! What about a layer looks wrong beside others? It lies elsewhere than it says, is in feet, or is a tile of the same raster as another one.

use crate::{
    geodesy::box_in_common,
    height::{
        datum_name::ELLIPSOID,
        layer::{Layer, metres_per_degree},
        layer_info::LayerInfo,
    },
};
#[cfg(feature = "gdal")]
use crate::{
    geodesy::{Ellipsoid, n_vector},
    height::elevation_source::{Location, Spacing},
};

/// Remarks on layers that are tiles of one raster: each goes over to those below across its side, where these have heights of their own.
pub(crate) fn side_by_side(layers: &mut [Layer]) {
    for k in 0..layers.len() {
        let (upper, lower) = layers.split_at_mut(k + 1);
        let info = &mut upper[k].info;
        if let Some(beside) = lower.iter().find(|beside| are_tiles(info, &beside.info)) {
            let remark = format!(
                "{} lies beside it with the same posting: give both as one layer, a folder or a list (`@files.txt`), which has no \
                 seam",
                beside.info.name
            );
            info.remarks.push(remark);
        }
    }
}

/// Remarks on layers whose heights are above the ellipsoid where those beside or below them are above the sea, or the other way round: the
/// steps between them are no ground. A layer of one datum is told of the first other one below it, be that the relief that ships.
pub(crate) fn datums(layers: &mut [Layer], bottom: Option<&Layer>) {
    for k in 0..layers.len() {
        let (upper, lower) = layers.split_at_mut(k + 1);
        let info = &mut upper[k].info;
        let all: Vec<&str> = info.datum.split("; ").collect();
        let is_mixed = all.iter().any(|datum| is_ellipsoid(datum)) && !all.iter().all(|datum| is_ellipsoid(datum));
        // Of a pack or a folder each of its sources.
        let below = lower.iter().chain(bottom).flat_map(Layer::records);
        let mut below = below.filter(|below| box_in_common(info.bbox_deg, below.bbox_deg).is_some());
        let other = below.find(|below| is_ellipsoid(&below.datum) != is_ellipsoid(&info.datum));
        let remark = match other {
            _ if is_mixed => {
                info.remarks.push(format!(
                    "its heights are above several datums, {}: steps between them are not the ground's. Give the files apart, those of each \
                     datum with `--vdatum egm96` for all, or say by `,vdatum=` behind it what all are above",
                    all.join(" and ")
                ));
                continue;
            }
            Some(other) => {
                format!(
                    "its heights are above: {}, those of {} below it above: {}",
                    info.datum, other.name, other.datum
                )
            }
            None => continue,
        };
        info.remarks.push(format!(
            "{remark}: steps between them are not the ground's. `--vdatum egm96` brings all to one datum, `,vdatum=` behind a file says \
             what its heights are above"
        ));
    }
}

/// Whether heights are above an ellipsoid; those of an unstated datum count as above the sea.
fn is_ellipsoid(datum: &str) -> bool {
    datum.starts_with(ELLIPSOID)
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

/// A remark on a raster that does not fit the relief below ([`misfit`]), by 81 of its places.
#[cfg(feature = "gdal")]
pub(crate) fn misfit_of(layer: &Layer, below: &Layer) -> Option<String> {
    const SIDE: usize = 9;
    let is_raster = layer.source.in_degrees() || layer.opened.is_some();
    if !is_raster || layer.info.ellipsoid != Ellipsoid::WGS84 {
        return None;
    }
    let bbox_deg @ [west, south, east, north] = layer.info.bbox_deg;
    let along = |low: f64, high: f64, k: usize| low + (high - low) * (k as f64 + 1.0) / (SIDE as f64 + 1.0);
    let spot = |k: usize| {
        let (lon, lat) = (along(west, east, k % SIDE), along(south, north, k / SIDE));
        Some((lon, lat, smooth_m(layer, lon, lat)?))
    };
    let may_be_swapped = layer.source.in_degrees() && may_have_swapped_axes(bbox_deg);
    misfit((0..SIDE * SIDE).filter_map(spot), below, may_be_swapped)
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

/// A remark on heights, each with its longitude and latitude before it, that are far from the land of the relief below: 300 m in the median, and
/// four times closer to that of the place with longitude and latitude exchanged; or 100 m, and six times closer to it as feet. Level ground has no
/// shape that could fit elsewhere.
#[cfg(feature = "gdal")]
pub(crate) fn misfit(
    spots: impl Iterator<Item = (f64, f64, f64)>,
    below: &Layer,
    may_be_swapped: bool,
) -> Option<String> {
    const FAR_M: f64 = 300.0;
    const FAR_AS_FEET_M: f64 = 100.0;
    const TIMES: f64 = 4.0;
    const TIMES_AS_FEET: f64 = 6.0;
    const LEVEL_M: f64 = 1.0;
    const FOOT_M: f64 = 0.3048;
    // The sea has a floor in one and none in the other.
    let land_m = |lat: f64, lon: f64| smooth_m(below, lon, lat).map(|h| h.max(0.0));
    let [mut here, mut there, mut as_feet] = [const { Vec::new() }; 3];
    let mut range_m = (f64::INFINITY, f64::NEG_INFINITY);
    for (lon, lat, h) in spots {
        let (h, here_m) = (h.max(0.0), land_m(lat, lon)?);
        range_m = (range_m.0.min(h), range_m.1.max(h));
        here.push((h - here_m).abs());
        as_feet.push((h * FOOT_M - here_m).abs());
        if may_be_swapped {
            there.push((h - land_m(lon, lat)?).abs());
        }
    }
    let median = |mut all: Vec<f64>| {
        all.sort_unstable_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    };
    let (here_m, feet_m) = (median(here)?, median(as_feet)?);
    let there_m = median(there).unwrap_or(f64::INFINITY);
    if here_m > FAR_M && here_m > TIMES * there_m && there_m <= feet_m && range_m.1 - range_m.0 >= LEVEL_M {
        return Some(format!(
            "its heights are {here_m:.0} m from those that the Earth has where it says it lies, and {there_m:.0} m with longitude \
             and latitude exchanged: axes in the wrong order?"
        ));
    }
    (here_m > FAR_AS_FEET_M && here_m > TIMES_AS_FEET * feet_m).then(|| {
        format!("its heights are {here_m:.0} m from those that the Earth has there, and {feet_m:.0} m taken as feet: `--unit ft`?")
    })
}
