//! By which differences is the ground's slope told?

use glam::DVec3;

use super::Surface;
use crate::{geodesy::east_north_up, slope::Slope};

/// A rule for slope and aspect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlopeRule {
    /// Central differences of the interpolated surface over half a posting to each side, east and north: the slope of the ground
    /// that is drawn, at any place.
    #[default]
    Central,
    /// Horn (1981), as `gdaldem slope` has it by default: differences of the 3 x 3 postings around a place along the raster's own
    /// columns and rows, the middle ones counted twice. At a posting these are the file's heights; in a pack the postings lie
    /// east and north. Smoother than the surface itself.
    Horn,
}

impl SlopeRule {
    /// A word for it: `central` or `horn`.
    pub fn name(self) -> &'static str {
        match self {
            SlopeRule::Central => "central",
            SlopeRule::Horn => "horn",
        }
    }
}

impl Surface {
    /// Slope at a unit geodetic normal, of a layer and those below.
    pub(super) fn slope(&self, rule: SlopeRule, layer: usize, n: DVec3) -> Slope {
        let height_m = |n: DVec3| self.relief.height_from_m(layer, n);
        let (posting_m, ellipsoid) = (self.relief.slope_step_m(layer, n), self.relief.ellipsoid());
        match rule {
            SlopeRule::Central => Slope::of(ellipsoid, height_m, n, 0.5 * posting_m),
            SlopeRule::Horn => {
                let (east, north, _) = east_north_up(n);
                let by_posting = [east, north].map(|direction| direction * (posting_m / ellipsoid.semi_major_m()));
                let [column, row] = self.texel_steps(layer, n, by_posting).unwrap_or(by_posting);
                let at = |i: f64, j: f64| (n + column * i + row * j).normalize();
                let h = |i: f64, j: f64| height_m(at(i, j));
                let rise = |along: &dyn Fn(f64, f64) -> f64| {
                    let side = |sign: f64| along(sign, -1.0) + 2.0 * along(sign, 0.0) + along(sign, 1.0);
                    (side(1.0) - side(-1.0)) / 8.0
                };
                let rises = [rise(&|i, j| h(i, j)), rise(&|j, i| h(i, j))];
                // Metres eastward and northward of a column and of a row.
                let metres = [(1.0, 0.0), (0.0, 1.0)].map(|(i, j)| {
                    let step = 0.5 * (ellipsoid.ecef(at(i, j), 0.0) - ellipsoid.ecef(at(-i, -j), 0.0));
                    [step.dot(east), step.dot(north)]
                });
                Slope::of_rises(rises, metres)
            }
        }
    }

    /// Changes of the unit normal by a column and by a row of a layer's data; `None` where they have none.
    fn texel_steps(&self, layer: usize, n: DVec3, probes: [DVec3; 2]) -> Option<[DVec3; 2]> {
        let texel = |n: DVec3| self.relief.texel_of(layer, n.normalize());
        // Texels of a small step along each of two directions.
        const PART: f64 = 1.0 / 64.0;
        let [a, b] = probes.map(|probe| probe * PART);
        let change = |step: DVec3| {
            let ((x1, y1), (x0, y0)) = (texel(n + step)?, texel(n - step)?);
            Some([0.5 * (x1 - x0), 0.5 * (y1 - y0)])
        };
        let ([ax, ay], [bx, by]) = (change(a)?, change(b)?);
        let determinant = ax * by - ay * bx;
        let steps = [(a * by - b * ay) / determinant, (b * ax - a * bx) / determinant];
        // Across the seam of a grid a step is as long as the grid.
        let sound = |step: &DVec3| step.is_finite() && (0.01..=4.0).contains(&(step.length() / probes[0].length()));
        steps.iter().all(sound).then_some(steps)
    }
}
