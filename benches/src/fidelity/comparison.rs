//! How many triangles does a metric take for an error? The tolerance at which its mesh of a view has that error, found by trying.

use std::collections::HashMap;
use std::ops::RangeInclusive;

/// Part of the pixels whose error is compared.
pub const PART: f64 = 0.999;

/// The error, in pixels, at which both metrics are compared beside that of the mesh as it is drawn.
pub const EQUAL_PX: f64 = 1.0;

/// The area metric says something about a picture in which it takes so many times the triangles of its coarsest mesh: below that
/// conformity and the ground at the eye's feet decide, in any mesh, and not a metric.
pub const ROOM: f64 = 2.0;

/// What may be tolerated, in units of the metric's own, and in which steps it is looked for.
#[derive(Debug, Clone)]
pub struct Tolerances {
    /// Tried first.
    pub first: f64,
    /// All that are searched.
    pub range: RangeInclusive<f64>,
    /// Factor between those that enclose the answer, before it is narrowed down.
    pub coarse: f64,
    /// And after.
    pub fine: f64,
}

/// What a metric takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriangleCount {
    /// This many triangles in the picture, interpolated between two meshes.
    Triangles(f64),
    /// More than these, with which its error is still larger, and more than there is room for.
    MoreThan(f64),
    /// No more than these, with which its error is smaller, whatever it tolerates.
    LessThan(f64),
}

impl TriangleCount {
    /// The triangles, or the bound of theirs that is known.
    pub fn count(self) -> f64 {
        let (TriangleCount::Triangles(count) | TriangleCount::MoreThan(count) | TriangleCount::LessThan(count)) = self;
        count
    }
}

/// One mesh of a view.
#[derive(Debug, Clone, Copy)]
pub struct Trial {
    /// Triangles in the picture.
    pub triangles: u32,
    /// [`PART`] of the pixels stay within it.
    pub error_px: f64,
    /// Whether it wants more triangles than there is room for.
    pub starved: bool,
}

/// The meshes that a metric has of a view, the coarser the more it tolerates; each is made once.
pub struct Series<F> {
    tolerances: Tolerances,
    make: F,
    tried: HashMap<u64, Trial>,
}

impl<E, F: FnMut(f64) -> Result<Trial, E>> Series<F> {
    /// Meshes that `make` makes for a tolerance.
    pub fn new(tolerances: Tolerances, make: F) -> Series<F> {
        Series { tolerances, make, tried: HashMap::new() }
    }

    /// The coarsest one.
    ///
    /// # Errors
    /// What making it fails with.
    pub fn coarsest(&mut self) -> Result<Trial, E> {
        self.at(*self.tolerances.range.end())
    }

    /// The triangles with which the error is `error_px`: encloses it between two tolerances, narrows them down, and interpolates in
    /// logarithms.
    ///
    /// # Errors
    /// What making a mesh fails with.
    pub fn needed(&mut self, error_px: f64) -> Result<TriangleCount, E> {
        let Tolerances { first, range, coarse: step, fine: narrow } = self.tolerances.clone();
        let mut at = first;
        let mut tried = self.at(at)?;
        let ((mut fine_at, mut fine), (mut coarse_at, mut coarse)) = loop {
            let good = tried.error_px <= error_px;
            if tried.starved && !good {
                return Ok(TriangleCount::MoreThan(tried.triangles.into()));
            }
            let next_at = if good { at * step } else { at / step };
            if !range.contains(&next_at) {
                let bound = if good { TriangleCount::LessThan } else { TriangleCount::MoreThan };
                return Ok(bound(tried.triangles.into()));
            }
            let next = self.at(next_at)?;
            match (good, next.error_px <= error_px) {
                (true, false) => break ((at, tried), (next_at, next)),
                (false, true) => break ((next_at, next), (at, tried)),
                _ => (at, tried) = (next_at, next),
            }
        };
        while coarse_at / fine_at > narrow {
            let middle_at = (coarse_at * fine_at).sqrt();
            let middle = self.at(middle_at)?;
            if middle.error_px <= error_px {
                (fine_at, fine) = (middle_at, middle);
            } else {
                (coarse_at, coarse) = (middle_at, middle);
            }
        }
        let ln_px = |error_px: f64| error_px.max(1e-9).ln();
        let span = ln_px(coarse.error_px) - ln_px(fine.error_px);
        let part = if span > 0.0 { (ln_px(error_px) - ln_px(fine.error_px)) / span } else { 0.0 };
        let [many, few] = [fine, coarse].map(|tried| f64::from(tried.triangles.max(1)).ln());
        Ok(TriangleCount::Triangles((many + part * (few - many)).exp()))
    }

    fn at(&mut self, tolerance: f64) -> Result<Trial, E> {
        if let Some(&tried) = self.tried.get(&tolerance.to_bits()) {
            return Ok(tried);
        }
        let tried = (self.make)(tolerance)?;
        self.tried.insert(tolerance.to_bits(), tried);
        Ok(tried)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLERANCES: Tolerances = Tolerances { first: 64.0, range: 0.25..=1e9, coarse: 4.0, fine: 1.3 };

    /// A metric whose error is the square root of what it tolerates, with a million pixels to cover.
    fn model(room: f64) -> Series<impl FnMut(f64) -> Result<Trial, std::convert::Infallible>> {
        Series::new(TOLERANCES, move |area_px2| {
            let wanted = 1e6 / area_px2;
            let triangles = wanted.min(room);
            Ok(Trial { triangles: triangles as u32, error_px: (1e6 / triangles).sqrt() / 8.0, starved: wanted > room })
        })
    }

    #[test]
    fn the_count_at_an_error_is_interpolated() {
        let mut series = model(1e9);
        for error_px in [0.2f64, 0.5, 0.77, 1.0, 3.3, 20.0] {
            let expected = 1e6 / (8.0 * error_px).powi(2);
            let TriangleCount::Triangles(found) = series.needed(error_px).unwrap() else { panic!("{error_px}") };
            // Of whole triangles.
            assert!((found / expected - 1.0).abs() < 1.0 / expected, "{found}, not {expected}");
        }
    }

    #[test]
    fn bounds_are_told_as_bounds() {
        assert_eq!(model(2e5).needed(0.1), Ok(TriangleCount::MoreThan(2e5)));
        assert_eq!(model(1e9).needed(1e-3), Ok(TriangleCount::MoreThan(4e6)));
        assert_eq!(model(1e9).needed(1e5), Ok(TriangleCount::LessThan(0.0)));
        assert_eq!(model(1e9).coarsest().unwrap().triangles, 0);
    }

    /// Law: a mesh that was made for one error is not made again for another.
    #[test]
    fn each_mesh_is_made_once() {
        let mut made = Vec::new();
        let mut series = Series::new(TOLERANCES, |area_px2: f64| {
            made.push(area_px2);
            Ok::<_, ()>(Trial { triangles: (1e6 / area_px2) as u32, error_px: area_px2.sqrt() / 8.0, starved: false })
        });
        for error_px in [1.0, 0.5, 1.0, 2.0] {
            series.needed(error_px).unwrap();
        }
        let all = made.len();
        made.sort_by(f64::total_cmp);
        made.dedup();
        assert_eq!(made.len(), all);
    }
}
