//! May a flight go on after its device was lost? Once, and again after a while; one that is lost again at once is over.

use std::time::{Duration, Instant};

/// Shortest flight between two losses that are survived.
pub const LEAST_INTERVAL: Duration = Duration::from_secs(10);

/// When the last device loss was survived.
#[derive(Debug, Default)]
pub struct DeviceLosses {
    resumed: Option<Instant>,
}

impl DeviceLosses {
    /// The flight went on, on another device.
    pub fn resume(&mut self, now: Instant) {
        self.resumed = Some(now);
    }

    /// Whether a loss now may be survived: what takes a device away again and again would do so without end.
    pub fn may_resume(&self, now: Instant) -> bool {
        self.resumed.is_none_or(|resumed| now.saturating_duration_since(resumed) >= LEAST_INTERVAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_loss_soon_after_ends_the_flight_and_a_late_one_does_not() {
        let start = Instant::now();
        let mut losses = DeviceLosses::default();
        assert!(losses.may_resume(start), "the first");
        losses.resume(start + Duration::from_secs(2));
        assert!(!losses.may_resume(start + Duration::from_secs(2)), "at once");
        assert!(!losses.may_resume(start + Duration::from_secs(11)), "soon");
        assert!(losses.may_resume(start + Duration::from_secs(12)), "after a while");
        losses.resume(start + Duration::from_secs(14));
        assert!(!losses.may_resume(start + Duration::from_secs(20)), "each counts from the one before");
    }
}
