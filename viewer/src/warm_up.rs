//! Which frames at the start of a measured flight do not count?

/// Frames at the start of a path that do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarmUp {
    /// So many.
    Frames(u64),
    /// Until the mesh has settled.
    Settled,
}

impl WarmUp {
    /// Frames after which a mesh that does not settle is measured all the same.
    pub const MOST: u64 = 2_000;

    /// Whether one more frame is wanted after `drawn` of them, of which the last one found the mesh settled or not.
    pub fn is_running(self, drawn: u64, settled: bool) -> bool {
        match self {
            WarmUp::Frames(frames) => drawn < frames,
            WarmUp::Settled => !settled && drawn < Self::MOST,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: frames before those that count are as many as were asked for, or those until the mesh has settled.
    #[test]
    fn a_flight_warms_up_until_the_mesh_has_settled() {
        let frames = |warm_up: WarmUp, settles_after: u64| {
            (0..).find(|&drawn| !warm_up.is_running(drawn, drawn >= settles_after)).expect("an end")
        };
        assert_eq!([0, 3].map(|count| frames(WarmUp::Frames(count), 50)), [0, 3]);
        assert_eq!([7, 130, u64::MAX].map(|after| frames(WarmUp::Settled, after)), [7, 130, WarmUp::MOST]);
    }
}
