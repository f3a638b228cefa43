//! What about a raster's heights looks wrong? In words, with the way out; nothing is changed.

mod between_layers;

use rayon::prelude::*;

pub(crate) use between_layers::{datums, side_by_side};
#[cfg(feature = "gdal")]
pub(crate) use between_layers::{may_have_swapped_axes, misfit, misfit_of};

#[cfg(feature = "gdal")]
use super::values::range_of;
use super::{datum_name::NOT_STATED, layer_info::LayerInfo};
use crate::geodesy::Ellipsoid;

/// Notes and remarks on a layer.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    /// How it was understood.
    pub notes: Vec<String>,
    /// What may make its heights wrong.
    pub remarks: Vec<String>,
}

/// No ground is higher (Everest), none is lower (Challenger Deep), by a margin for other datums and errors.
const EARTH_M: (f64, f64) = (-11_500.0, 9_000.0);

/// Values that producers put where they have no height, and forget to declare.
const SENTINELS: [f32; 4] = [-9999.0, 9999.0, -10_000.0, -19_999.0];

/// Heights that one thread looks at in a row.
const CHUNK: usize = 1 << 16;

/// Share of voids from which on a layer is mostly empty.
const MOSTLY: f64 = 0.5;

/// No survey of ground is finer than this.
const FINEST_M: f64 = 0.005;

/// What should make a user look twice at heights as they were read, voids as NaN.
pub(crate) fn heights(values: &[f32], info: &LayerInfo) -> Diagnostics {
    diagnose(info, values.len() > 1, || remarks_on(info.ellipsoid, values, info.range_m, CheckedExtent::All))
}

/// The same by windows of a raster, evenly spread, whose means have the range that is known.
#[cfg(feature = "gdal")]
pub(crate) fn heights_by_windows(windows: &[Vec<f32>], info: &LayerInfo) -> Diagnostics {
    let (low, high) = windows
        .iter()
        .map(|window| range_of(window))
        .fold(info.range_m, |(low, high), range| (low.min(range.0), high.max(range.1)));
    diagnose(info, true, || remarks_on_windows(info.ellipsoid, windows, (low, high)))
}

fn diagnose(info: &LayerInfo, are_many: bool, remarks: impl FnOnce() -> Vec<String>) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    if info.void_share >= 1.0 {
        diagnostics.remarks.push("all values are void: the layer shows nothing".to_owned());
        return diagnostics;
    }
    if info.void_share > MOSTLY {
        diagnostics.notes.push(format!("{:.0} % of the values are void", 100.0 * info.void_share));
    }
    if info.posting_m < FINEST_M {
        diagnostics.remarks.push(format!(
            "{:.4} mm from one height to the next: coordinates that are degrees, in a system of metres? `--crs EPSG:4326` or \
             `gdal_edit.py -a_srs EPSG:4326 FILE` states that they are",
            1e3 * info.posting_m
        ));
    }
    let (low, high) = info.range_m;
    if low == high && are_many {
        diagnostics.notes.push(format!("all heights are {low} m"));
    }
    diagnostics.remarks.extend(remarks());
    if info.datum == NOT_STATED {
        let surface = if info.ellipsoid == Ellipsoid::WGS84 { "mean sea level" } else { "the ellipsoid" };
        diagnostics.notes.push(format!("no vertical datum is stated: heights are taken as metres above {surface}"));
    }
    diagnostics
}

/// How many of a raster's heights are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckedExtent {
    /// All of them.
    All,
    /// Some, between which others may lie.
    #[cfg_attr(not(feature = "gdal"), allow(dead_code))]
    Some,
}

/// Remarks on heights, voids as NaN, that lie in a range.
pub(crate) fn remarks_on(
    ellipsoid: Ellipsoid,
    values: &[f32],
    (low, high): (f64, f64),
    extent: CheckedExtent,
) -> Vec<String> {
    // Whatever else their values look like.
    if is_flow(values) {
        return vec!["values are powers of two up to 128: directions of flow, not elevation?".to_owned()];
    }
    let mut remarks = Vec::new();
    for sentinel in SENTINELS {
        // Most rasters have none in their range.
        if !(low..=high).contains(&f64::from(sentinel)) {
            continue;
        }
        let count: usize = values.par_chunks(CHUNK).map(|part| part.iter().filter(|v| **v == sentinel).count()).sum();
        if count > 1 {
            remarks.push(format!(
                "{count} heights are exactly {sentinel} m, which looks like an undeclared \"no data\": `--nodata {sentinel}` \
                 or `gdal_edit.py -a_nodata {sentinel} FILE` declares it, with what the file has in its place if it is scaled"
            ));
        }
    }
    if remarks.is_empty() {
        if ellipsoid == Ellipsoid::WGS84 && (low < EARTH_M.0 || high > EARTH_M.1) {
            remarks.push(format!(
                "heights from {low:.0} to {high:.0} m are not of this Earth: another unit (`--unit ft`), or an undeclared \"no \
                 data\" value (`--nodata`)"
            ));
        }
        if low != high && extent == CheckedExtent::All {
            remarks.extend(extremes(values, (low as f32, high as f32), "of the heights"));
        }
    }
    remarks
}

/// Remarks on heights of windows of a raster that lie in a range, voids as NaN.
#[cfg(feature = "gdal")]
pub(crate) fn remarks_on_windows(ellipsoid: Ellipsoid, windows: &[Vec<f32>], range: (f64, f64)) -> Vec<String> {
    let mut remarks = remarks_on(ellipsoid, &windows.concat(), range, CheckedExtent::Some);
    if remarks.is_empty() {
        // A window with a single height is as well one of the sea, whose shore is between windows.
        let is_even = |window: &&Vec<f32>| window.iter().all(|v| v.is_nan() || *v == window[0]);
        let uneven: Vec<f32> = windows.iter().filter(|window| !is_even(window)).flatten().copied().collect();
        let (low, high) = range_of(&uneven);
        if low != high {
            let sampled = format!("of {} heights that were looked at", uneven.len());
            remarks.extend(extremes(&uneven, (low as f32, high as f32), &sampled));
        }
    }
    remarks
}

/// Remarks on a lowest or highest value that is a "no data" value in all but name: over 1 % of the heights share it, and it
/// stands apart from the rest by over 2 m and half a per cent of their range; a handful by as much as their range. Of a tenth of them and more
/// that are the only ones below 0, a metre is enough. The level of a sea or lake is shared by many too,
/// but the shore goes on from it. Of fewer than 1 % it is one if it stands apart by 100 m and the range of all others, or by a tenth of it
/// where its digits are all the same (-999, 8888). `of` says of which heights they are.
fn extremes(values: &[f32], (low, high): (f32, f32), of: &str) -> Vec<String> {
    const SHARE: f64 = 0.01;
    // In a small tile two heights are one in a hundred.
    const HANDFUL: usize = 10;
    // Of a few heights, one that is far from the others is one in so many.
    const FEW: usize = 100;
    // How many are the lowest, the highest and any, and between what the others are.
    let look = |part: &[f32]| {
        let see = |([lows, highs, all], (second, last)): ([usize; 3], (f32, f32)), v: &f32| {
            let inner = if *v > low && *v < high { (second.min(*v), last.max(*v)) } else { (second, last) };
            ([lows + usize::from(*v == low), highs + usize::from(*v == high), all + usize::from(!v.is_nan())], inner)
        };
        part.iter().fold(([0; 3], NONE), see)
    };
    const NONE: (f32, f32) = (f32::INFINITY, f32::NEG_INFINITY);
    let join = |(a, inner_a): ([usize; 3], (f32, f32)), (b, inner_b): ([usize; 3], (f32, f32))| {
        ([a[0] + b[0], a[1] + b[1], a[2] + b[2]], (inner_a.0.min(inner_b.0), inner_a.1.max(inner_b.1)))
    };
    let ([lows, highs, all], (second, last)) = values.par_chunks(CHUNK).map(look).reduce(|| ([0; 3], NONE), join);
    if second > last {
        return Vec::new();
    }
    let many = |count: usize| count > 1 && count as f64 > SHARE * all as f64;
    let range_m = f64::from(last - second);
    let apart_m = |value: f32, count: usize| {
        if many(count) {
            (if count < HANDFUL { 1.0 } else { 0.005 } * range_m).max(2.0)
        } else if all < FEW {
            f64::INFINITY
        } else {
            (if is_repdigit(value) { 0.1 } else { 1.0 } * range_m).max(100.0)
        }
    };
    let is_only_negative = low < 0.0 && second >= 0.0 && second - low >= 1.0 && lows * 10 >= all;
    // In a ramp of few steps the one behind the next is about as far again.
    let is_step = |value: f32, gap: f32| {
        let beyond = |v: &f32| Some((*v - value).abs()).filter(|away| *away > 1.001 * gap);
        let third = values.par_iter().filter_map(beyond).reduce(|| f32::INFINITY, f32::min);
        third.is_finite() && third >= 1.5 * gap
    };
    let remark = |which: &str, value: f32, count: usize, gap: f32| {
        let is_apart = f64::from(gap) > apart_m(value, count) || value < 0.0 && is_only_negative;
        (is_apart && !is_step(value, gap)).then(|| {
            let those = match count {
                1 => format!("1 {of} is"),
                _ if many(count) => format!("{:.1} % {of} are", 100.0 * count as f64 / all as f64),
                _ => format!("{count} {of} are"),
            };
            format!(
                "{those} exactly {value} m, the {which} of all and {gap:.0} m from the next: an undeclared \
                 \"no data\" value? `--nodata` declares it, as it is in the file"
            )
        })
    };
    [remark("lowest", low, lows, second - low), remark("highest", high, highs, high - last)]
        .into_iter()
        .flatten()
        .collect()
}

/// Whether a number is written with one digit again and again: two at least.
fn is_repdigit(value: f32) -> bool {
    let digits = value.abs().to_string();
    digits.len() > 1 && digits.bytes().all(|digit| digit == digits.as_bytes()[0])
}

/// Whether values are the eight directions of flow as ESRI numbers them, at least five of them, and nothing else but 0, 255, and one
/// in a thousand of any.
fn is_flow(values: &[f32]) -> bool {
    let bit = |v: &f32| match *v {
        v if v.is_nan() || v == 0.0 || v == 255.0 => Some(0u8),
        v if (1.0..=128.0).contains(&v) && v.fract() == 0.0 && (v as u8).is_power_of_two() => Some(v as u8),
        _ => None,
    };
    const FIRST: usize = 1000;
    const MOST_OF_FIRST: usize = 10;
    // Most rasters end here.
    if values.iter().take(FIRST).filter(|v| bit(v).is_none()).count() > MOST_OF_FIRST {
        return false;
    }
    let look = |(seen, strays): (u8, usize), v: &f32| bit(v).map_or((seen, strays + 1), |bit| (seen | bit, strays));
    let join = |a: (u8, usize), b: (u8, usize)| (a.0 | b.0, a.1 + b.1);
    let (seen, strays) = values.par_iter().fold(|| (0, 0), look).reduce(|| (0, 0), join);
    seen.count_ones() >= 5 && strays <= (values.len() / 1000).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(values: &[f32], datum: &str) -> String {
        about_posted(values, datum, 1.0)
    }

    fn about_posted(values: &[f32], datum: &str, posting_m: f64) -> String {
        let (range_m, void_share) = super::super::layer::statistics(values);
        let info = LayerInfo {
            driver: String::new(),
            crs: String::new(),
            datum: datum.to_owned(),
            size: [values.len(), 1],
            grid: [values.len(), 1],
            void_share,
            range_is_bound: false,
            ..LayerInfo::synthetic("", posting_m, [0.0; 4], range_m)
        };
        let Diagnostics { notes, remarks } = heights(values, &info);
        [notes, remarks].concat().join("; ")
    }

    #[test]
    fn sound_heights_are_not_remarked_upon() {
        assert_eq!(about(&[1.0, 2.0, f32::NAN, -10_900.0, 8848.0], "EGM96 height"), "");
    }

    #[test]
    fn strange_heights_are() {
        let cases: [(&[f32], &str); 6] = [
            (&[1.0, -9999.0, -9999.0], "exactly -9999"),
            (&[1.0, 29_029.0], "--unit ft"),
            (&[-15_000.0, 1.0], "not of this Earth"),
            (&[7.0, 7.0], "all heights are 7"),
            (&[f32::NAN, f32::NAN, 1.0], "67 % of the values are void"),
            (&[f32::NAN], "all values are void"),
        ];
        for (values, says) in cases {
            assert!(about(values, "EGM96 height").contains(says), "{values:?}: {}", about(values, "EGM96 height"));
        }
        assert!(about_posted(&[1.0, 2.0], "EGM96 height", 8e-4).contains("degrees, in a system of metres"));
        assert!(about(&[1.0, 2.0], NOT_STATED).contains("mean sea level"));
    }

    /// Law: a value that many share at an end of the range is remarked upon if nothing leads up to it, and a shore is not.
    #[test]
    fn undeclared_voids_stand_apart() {
        let relief = |k: usize| 300.0 + (k * 7919 % 8110) as f32 * 0.1;
        let filled = |value: f32, every: usize| -> Vec<f32> {
            (0..20_000).map(|k| if k % every == 0 { value } else { relief(k) }).collect()
        };
        for value in [0.0, -1.0, -500.0, -3276.8, 6553.5, 1500.0] {
            let said = about(&filled(value, 50), "EGM96 height");
            assert!(said.contains("2.0 % of the heights are exactly"), "{value}: {said}");
            let (fewer, is_far) = (about(&filled(value, 200), "EGM96 height"), [-3276.8, 6553.5].contains(&value));
            // Half a per cent is a summit or a pit, if it is no farther from the others than these from each other.
            assert_eq!(fewer.contains("100 of the heights are exactly"), is_far, "{value}: {fewer}");
            assert!(is_far || fewer.is_empty(), "{value}: {fewer}");
        }
        // Numbers that people write where there is nothing, and a single fault.
        let rare = |value: f32, count: usize, deep: f32| -> Vec<f32> {
            (0..20_000).map(|k| if k < count { value } else { relief(k) - deep }).collect()
        };
        assert!(
            about(&rare(-999.0, 2, 0.0), "EGM96 height").contains("2 of the heights are exactly -999 m, the lowest")
        );
        assert!(about(&rare(-99.0, 5, 0.0), "EGM96 height").contains("5 of the heights are exactly -99 m, the lowest"));
        assert!(
            about(&rare(-8888.0, 1, 0.0), "EGM96 height").contains("1 of the heights is exactly -8888 m, the lowest")
        );
        for (value, deep) in [(-99.0, 380.0), (-98.0, 0.0), (1899.0, 0.0), (1222.0, 0.0)] {
            assert_eq!(about(&rare(value, 3, deep), "EGM96 height"), "", "{value}");
        }
        // Beside heights from 0 on, which -1 goes on from, a tenth of it.
        let from_0 = |every: usize| -> Vec<f32> {
            (0..20_000).map(|k| if k % every == 0 { -1.0 } else { (k * 7919 % 8110) as f32 * 0.1 }).collect()
        };
        assert!(about(&from_0(10), "EGM96 height").contains("10.0 % of the heights are exactly -1"));
        assert_eq!(about(&from_0(11), "EGM96 height"), "");
        // Two of the 144 heights of a small tile are a pit, but for those that no pit can be.
        let tile = |value: f32| -> Vec<f32> { (0..144).map(|k| if k < 2 { value } else { relief(k) }).collect() };
        assert_eq!(about(&tile(290.0), "EGM96 height"), "");
        assert!(about(&tile(-9999.0), "EGM96 height").contains("are exactly -9999"));
        // The sea at 0 m, in whole metres and not, and a lake on top of a plateau.
        let coast = |step: f32| -> Vec<f32> {
            (0..20_000).map(|k| ((relief(k) - 600.0).max(0.0) / step).round() * step).collect()
        };
        assert_eq!([about(&coast(1.0), "EGM96 height"), about(&coast(0.1), "EGM96 height")], ["", ""]);
        let plateau: Vec<f32> = (0..20_000).map(|k| relief(k).min(900.0)).collect();
        assert_eq!(about(&plateau, "EGM96 height"), "");
    }

    /// Law: what windows of a raster show is remarked upon as what all of it shows; a sea whose shore is in none of them is not.
    #[cfg(feature = "gdal")]
    #[test]
    fn windows_show_what_the_raster_does() {
        let relief = |k: usize| 300.0 + (k * 7919 % 8110) as f32 * 0.1;
        let windows = |value: fn(usize, f32) -> f32| -> Vec<Vec<f32>> {
            (0..25).map(|w| (0..4096).map(|k| value(k + w, relief(k * 3 + w))).collect()).collect()
        };
        let said = |windows: &[Vec<f32>]| remarks_on_windows(Ellipsoid::WGS84, windows, (0.0, 1500.0)).join("; ");
        assert_eq!(said(&windows(|_, height| height)), "");
        let filled = said(&windows(|k, height| if k % 50 == 0 { 0.0 } else { height }));
        assert!(filled.contains("of 102400 heights that were looked at are exactly 0"), "{filled}");
        let flow = said(&windows(|k, height| if k == 77 { height } else { (1u32 << (k % 8)) as f32 }));
        assert!(flow.contains("directions of flow"), "{flow}");
        let mut sea = windows(|_, height| height);
        sea[3..9].iter_mut().for_each(|window| window.fill(0.0));
        assert_eq!(said(&sea), "");
    }

    #[test]
    fn directions_of_flow_are_no_heights() {
        let flow: Vec<f32> =
            (0..3000).map(|k| if k % 100 == 0 { f32::NAN } else { (1u32 << (k % 8)) as f32 }).collect();
        let strays = |count: usize| {
            let mut strays = flow.clone();
            strays.iter_mut().skip(500).step_by(20).take(count).for_each(|v| *v = 300.5);
            strays
        };
        for (count, is_flow) in [(0, true), (1, true), (3, true), (4, false)] {
            let said = about(&strays(count), "EGM96 height");
            assert_eq!(said.contains("directions of flow"), is_flow, "{count}: {said}");
            assert!(!is_flow || !said.contains("no data"), "{said}");
        }
        let ground: Vec<f32> = (0..3000).map(|k| (k % 129) as f32).collect();
        assert_eq!(about(&ground, "EGM96 height"), "");
    }
}
