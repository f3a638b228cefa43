//! What is known of a frame of a flight?

use terrain::UpdateReport;

use crate::frame_time::FrameTime;

/// A frame of a flight.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlightFrame {
    /// When on the path, seconds.
    pub t_s: f64,
    /// How long it took.
    pub time: FrameTime,
    /// What the mesh's update did.
    pub report: UpdateReport,
    /// The error on screen that the picture may have by the metric, pixels; none where the mesh is on the GPU.
    pub error_px: Option<f64>,
}

impl FlightFrame {
    /// Whether nothing was left to be cut: the picture is as exact as was asked for.
    pub fn is_settled(&self) -> bool {
        self.report.splits == 0 && self.report.starved == 0
    }
}

/// Clocks tell a ten-thousandth of a millisecond at best.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
