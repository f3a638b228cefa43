//! How many triangles would the area metric take for the same picture? The threshold at which it has the same error.

use super::area::{AreaError, AreaMetric};
use super::error::Errors;
use super::frame::Frame;
use super::reference::Reference;

/// Part of the pixels whose error is compared.
pub const PART: f64 = 0.999;

/// First threshold, and the range that is searched, px^2: ground at the feet covers far more than the picture.
const FIRST_PX2: f64 = 64.0;
const RANGE_PX2: std::ops::RangeInclusive<f64> = 0.25..=1e9;

/// The area metric says something about a picture in which it takes so many times the triangles of its coarsest mesh: below that
/// conformity and the ground at the eye's feet decide, in any mesh, and not a metric.
pub const ROOM: f64 = 2.0;

/// Factor between the thresholds that enclose the answer, before and after it is narrowed down.
const COARSE: f64 = 4.0;
const FINE: f64 = 1.3;

/// What the area metric takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Baseline {
    /// This many triangles in the picture, interpolated between two meshes.
    Triangles(f64),
    /// More than these, with which its error is still larger, and more than there is room for.
    MoreThan(f64),
    /// No more than these, with which its error is smaller, even where each covers a large part of the picture.
    LessThan(f64),
}

/// One mesh of the area metric.
#[derive(Debug, Clone, Copy)]
struct Tried {
    threshold_px2: f64,
    triangles: f64,
    error_px: f64,
    starved: bool,
}

/// The triangles that the area metric needs so that [`PART`] of the pixels stay within `error_px`.
///
/// # Errors
/// A view that cannot be drawn.
pub fn baseline(
    metric: &AreaMetric,
    frame: &Frame,
    reference: &Reference,
    truth: &[Option<f64>],
    error_px: f64,
) -> Result<Baseline, AreaError> {
    search(error_px, |threshold_px2| {
        let settled = metric.settle(frame, threshold_px2)?;
        let shown = settled.facets.shown(frame);
        let errors = Errors::of(&settled.facets, &shown, frame, reference, truth);
        Ok(Tried {
            threshold_px2,
            triangles: f64::from(shown.triangles),
            error_px: errors.within(PART).unwrap_or(0.0),
            starved: settled.starved,
        })
    })
}

/// The triangles in the picture of the coarsest mesh that the area metric has of a view, whatever it tolerates.
///
/// # Errors
/// A view that cannot be drawn.
pub fn coarsest(metric: &AreaMetric, frame: &Frame) -> Result<u32, AreaError> {
    Ok(metric.settle(frame, *RANGE_PX2.end())?.facets.shown(frame).triangles)
}

/// Encloses the tolerated error between two thresholds, narrows them down, and interpolates in logarithms.
fn search<E>(error_px: f64, mut attempt: impl FnMut(f64) -> Result<Tried, E>) -> Result<Baseline, E> {
    let mut tried = attempt(FIRST_PX2)?;
    let (mut fine, mut coarse) = loop {
        let good = tried.error_px <= error_px;
        if tried.starved && !good {
            return Ok(Baseline::MoreThan(tried.triangles));
        }
        let next_px2 = if good { tried.threshold_px2 * COARSE } else { tried.threshold_px2 / COARSE };
        if !RANGE_PX2.contains(&next_px2) {
            let bound = if good { Baseline::LessThan } else { Baseline::MoreThan };
            return Ok(bound(tried.triangles));
        }
        let next = attempt(next_px2)?;
        match (good, next.error_px <= error_px) {
            (true, false) => break (tried, next),
            (false, true) => break (next, tried),
            _ => tried = next,
        }
    };
    while coarse.threshold_px2 / fine.threshold_px2 > FINE {
        let middle = attempt((coarse.threshold_px2 * fine.threshold_px2).sqrt())?;
        if middle.error_px <= error_px { fine = middle } else { coarse = middle }
    }
    let ln = |value: f64| value.max(1e-9).ln();
    let span = ln(coarse.error_px) - ln(fine.error_px);
    let part = if span > 0.0 { (ln(error_px) - ln(fine.error_px)) / span } else { 0.0 };
    Ok(Baseline::Triangles((ln(fine.triangles) + part * (ln(coarse.triangles) - ln(fine.triangles))).exp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A metric whose error is the square root of its threshold, with a million pixels to cover.
    fn model(room: f64) -> impl FnMut(f64) -> Result<Tried, std::convert::Infallible> {
        move |threshold_px2| {
            let wanted = 1e6 / threshold_px2;
            let triangles = wanted.min(room);
            let error_px = (1e6 / triangles).sqrt() / 8.0;
            Ok(Tried { threshold_px2, triangles, error_px, starved: wanted > room })
        }
    }

    #[test]
    fn the_count_at_an_error_is_interpolated() {
        for error_px in [0.2f64, 0.5, 0.77, 1.0, 3.3, 20.0] {
            let expected = 1e6 / (8.0 * error_px).powi(2);
            let Baseline::Triangles(found) = search(error_px, model(1e9)).unwrap() else { panic!("{error_px}") };
            assert!((found / expected - 1.0).abs() < 1e-6, "{found}, not {expected}");
        }
    }

    #[test]
    fn bounds_are_told_as_bounds() {
        assert_eq!(search(0.1, model(2e5)), Ok(Baseline::MoreThan(2e5)));
        assert_eq!(search(1e-3, model(1e9)), Ok(Baseline::MoreThan(4e6)));
        assert_eq!(search(1e5, model(1e9)), Ok(Baseline::LessThan(1e6 / (64.0 * 4f64.powi(11)))));
    }
}
