//! What holds several boxes of longitudes and latitudes, or several caps? What do two boxes have in common?

use glam::DVec3;

/// West, south, east, north of all boxes in degrees: the narrowest range of longitudes that begins with one of them.
///
/// ```
/// use elevation::geodesy::box_of_all;
/// let fiji = [[177.0, -20.0, 180.0, -16.0], [-180.0, -18.0, -178.0, -15.0]];
/// assert_eq!(box_of_all(fiji.into_iter()), [177.0, -20.0, 182.0, -15.0]);
/// ```
pub fn box_of_all(boxes: impl Iterator<Item = [f64; 4]> + Clone) -> [f64; 4] {
    let south = boxes.clone().map(|b| b[1]).fold(f64::INFINITY, f64::min);
    let north = boxes.clone().map(|b| b[3]).fold(f64::NEG_INFINITY, f64::max);
    // More than a few thousand starts would cost more than they save.
    let starts = boxes.clone().map(|b| b[0]).step_by(boxes.clone().count().div_ceil(1000).max(1));
    let width = |start: f64| {
        boxes.clone().map(|[west, _, east, _]| (west - start).rem_euclid(360.0) + east - west).fold(0.0, f64::max)
    };
    let best = starts.map(|start| (width(start), start)).min_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((width, west)) if width < 360.0 => [west, south, west + width, north],
        _ => [-180.0, south, 180.0, north],
    }
}

/// Middle and cosine of the radius of a cap that holds others; `None` if one is none, or they span half the Earth.
pub(crate) fn cap_of_all(caps: impl Iterator<Item = Option<(DVec3, f64)>>) -> Option<(DVec3, f64)> {
    let caps = caps.collect::<Option<Vec<_>>>()?;
    let middle = caps.iter().map(|(middle, _)| *middle).sum::<DVec3>().try_normalize()?;
    // The chord is accurate for small distances, the dot product is not.
    let apart = |n: DVec3| 2.0 * (0.5 * (n - middle).length()).min(1.0).asin();
    let reach = caps.iter().map(|(n, cos_radius)| apart(*n) + cos_radius.acos()).fold(0.0, f64::max);
    (reach < 1.5).then(|| (middle, reach.cos()))
}

/// What two boxes in degrees have in common, on the turn of the first: west, south, east, north, of which the east of the first is not below
/// its west; the wider one of two pieces. Boxes that touch have an edge in common.
///
/// ```
/// use elevation::geodesy::box_in_common;
/// let fiji = [176.0, -20.0, 182.0, -12.0];
/// assert_eq!(box_in_common(fiji, [-179.0, -30.0, -170.0, -15.0]), Some([181.0, -20.0, 182.0, -15.0]));
/// assert_eq!(box_in_common(fiji, [0.0, -30.0, 10.0, -15.0]), None);
/// ```
pub fn box_in_common([west, south, east, north]: [f64; 4], other: [f64; 4]) -> Option<[f64; 4]> {
    let width_deg = if other[2] - other[0] >= 360.0 { 360.0 } else { (other[2] - other[0]).rem_euclid(360.0) };
    let (south, north) = (south.max(other[1]), north.min(other[3]));
    let pieces = [-360.0, 0.0, 360.0].map(|turn_deg| {
        let other_west = west + (other[0] - west).rem_euclid(360.0) + turn_deg;
        [west.max(other_west), south, east.min(other_west + width_deg), north]
    });
    let widest = pieces.into_iter().max_by(|a, b| (a[2] - a[0]).total_cmp(&(b[2] - b[0])))?;
    (widest[0] <= widest[2] && south <= north).then_some(widest)
}

/// The k-th of places that fill a square evenly and lie on no lattice, by the golden ratio of the plane: parts of its sides.
pub(crate) fn evenly_spread(k: usize) -> [f64; 2] {
    [0.754_877_666_246_692_7, 0.569_840_290_998_053_2].map(|step| (0.5 + k as f64 * step).fract())
}

#[cfg(test)]
mod tests {
    use super::box_in_common;

    #[test]
    fn boxes_have_in_common_what_both_have() {
        let near =
            |a: Option<[f64; 4]>, b: [f64; 4]| a.is_some_and(|a| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9));
        let alps = [5.0, 44.0, 16.0, 48.0];
        assert!(near(box_in_common(alps, [-180.0, -60.0, 180.0, 60.0]), alps));
        assert!(near(box_in_common(alps, [7.0, 45.0, 7.1, 45.1]), [7.0, 45.0, 7.1, 45.1]));
        assert!(near(box_in_common(alps, [-10.0, 40.0, 6.0, 45.0]), [5.0, 44.0, 6.0, 45.0]));
        assert!(near(
            box_in_common([170.0, -20.0, 190.0, 0.0], [-175.0, -30.0, -160.0, -10.0]),
            [185.0, -20.0, 190.0, -10.0]
        ));
        assert!(near(
            box_in_common([-180.0, -90.0, 180.0, 90.0], [170.0, 0.0, -160.0, 5.0]),
            [-180.0, 0.0, -160.0, 5.0]
        ));
        assert_eq!(box_in_common(alps, [20.0, 44.0, 30.0, 48.0]), None);
        assert_eq!(box_in_common(alps, [5.0, 50.0, 16.0, 51.0]), None);
    }
}
