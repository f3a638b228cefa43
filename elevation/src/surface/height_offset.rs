//! How much higher than they are do the points of a line count? By a start, a fall and an arc.

/// Metres that are added to the heights of a line's points, for curvature and refraction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HeightOffset {
    /// At its start.
    pub metres: f64,
    /// By so much less, in metres, each metre along.
    pub fall: f64,
    /// Curvature, per metre, of an arc over the straight line: `curvature / 2 * t (whole_m - t)`.
    pub curvature: f64,
    /// Where the arc begins along the line.
    pub start_m: f64,
    /// Length of the arc.
    pub whole_m: f64,
}

impl HeightOffset {
    /// Metres at a distance along the line.
    pub fn at(&self, t: f64) -> f64 {
        let along = t - self.start_m;
        self.metres - self.fall * along + 0.5 * self.curvature * along * (self.whole_m - along)
    }

    /// Bounds of it all along the arc: at most 0, at least 0.
    pub fn extremes(&self) -> (f64, f64) {
        let arc = self.curvature * self.whole_m * self.whole_m / 8.0;
        let (start, end) = (self.metres, self.metres - self.fall * self.whole_m);
        (arc.min(0.0) + start.min(end).min(0.0), arc.max(0.0) + start.max(end).max(0.0))
    }

    /// The least between two distances: at an end, or at the bottom of an arc that hangs down.
    pub fn least(&self, from: f64, to: f64) -> f64 {
        let ends = self.at(from).min(self.at(to));
        if self.curvature >= 0.0 {
            return ends;
        }
        let bottom = self.start_m + 0.5 * self.whole_m - self.fall / self.curvature;
        ends.min(self.at(bottom.clamp(from, to)))
    }
}
