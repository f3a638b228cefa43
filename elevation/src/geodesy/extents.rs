//! What holds several boxes of longitudes and latitudes, or several caps?

use glam::DVec3;

/// West, south, east, north of all: the narrowest range of longitudes that begins with one of the boxes.
pub(crate) fn box_of_all(boxes: impl Iterator<Item = [f64; 4]> + Clone) -> [f64; 4] {
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
