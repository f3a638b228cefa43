//! How high does something rise along a direction, up to any distance? The running maximum and where it grows.

/// A running maximum over growing distances: each step says where it begins.
#[derive(Clone, Debug, Default)]
pub struct RunningMaximum {
    /// Distance and value, both growing.
    steps: Vec<(f64, f64)>,
}

impl RunningMaximum {
    /// The greatest value so far.
    pub fn maximum(&self) -> f64 {
        self.steps.last().map_or(f64::NEG_INFINITY, |(_, value)| *value)
    }

    /// A value at a distance, no nearer than those before.
    pub fn push(&mut self, distance: f64, value: f64) {
        if value > self.maximum() {
            self.steps.push((distance, value));
        }
    }

    /// Distance at which the values get above one.
    pub fn exceeds(&self, value: f64) -> Option<f64> {
        // Mostly not at all.
        if self.maximum() <= value {
            return None;
        }
        let first = self.steps.partition_point(|step| step.1 <= value);
        self.steps.get(first).map(|step| step.0)
    }

    /// Distance and value of the greatest nearer than a distance.
    pub fn greatest_before(&self, distance: f64) -> Option<(f64, f64)> {
        match self.steps.last() {
            Some(step) if step.0 < distance => Some(*step),
            _ => self.steps[..self.steps.partition_point(|step| step.0 < distance)].last().copied(),
        }
    }
}
