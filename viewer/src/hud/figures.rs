//! What does the line of figures say?

use bevy_ecs::resource::Resource;
use terrain::streaming::TileCounts;

use crate::annotations::{metres, place};
use crate::camera::Pose;

/// Time between frames while pictures follow each other.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub struct FrameTimes {
    smooth_s: f64,
    newest_s: Option<f64>,
    cpu_s: f64,
}

/// A longer gap is a pause, not a frame.
const PAUSE_S: f64 = 0.5;

impl FrameTimes {
    /// Takes in the time between two frames.
    pub fn add(&mut self, interval_s: f64) {
        if interval_s >= PAUSE_S || interval_s <= 0.0 {
            return;
        }
        self.newest_s = Some(interval_s);
        let weight = if self.smooth_s == 0.0 { 1.0 } else { 0.1 };
        self.smooth_s += (interval_s - self.smooth_s) * weight;
    }

    /// Takes in the time that the CPU took for a frame, waiting for the display left out.
    pub fn add_cpu(&mut self, cpu_s: f64) {
        self.cpu_s = cpu_s;
    }

    /// Milliseconds between the two newest frames, and of the CPU for the last one; none if no frame has followed another
    /// since the last call.
    pub fn take_newest_ms(&mut self) -> Option<(f64, f64)> {
        self.newest_s.take().map(|interval_s| (interval_s * 1e3, self.cpu_s * 1e3))
    }

    /// Milliseconds of a frame, smoothed; 0 before the second frame.
    pub fn ms(&self) -> f64 {
        self.smooth_s * 1e3
    }
}

/// The line of elevation tiles on the GPU.
pub fn tiles_line(name: &str, tiles: &TileCounts) -> String {
    let TileCounts { resident, wanted, in_flight, budget, .. } = tiles;
    format!("{name}: {resident} on the GPU, {budget} fit   {wanted} wanted   {in_flight} coming")
}

/// The line of times: of a frame, and triangles.
pub fn times_line(times: &FrameTimes, triangles: u32) -> String {
    let ms = times.ms();
    let rate = if ms > 0.0 { format!("{ms:.1} ms  {:.0} fps", 1e3 / ms) } else { String::from("- ms") };
    format!("{rate}   {} triangles", thousands(triangles))
}

/// From here on up the height above the ground is that above the sea, metres.
const HIGH_M: f64 = 100_000.0;

/// The line of the eye: place, heights, heading.
pub fn figures(pose: &Pose, clearance_m: f64, frozen: bool) -> String {
    let frozen = if frozen { "   mesh frozen" } else { "" };
    let above_sea = if clearance_m < HIGH_M { format!("  {} above sea", metres(pose.height_m)) } else { String::new() };
    format!(
        "eye {}   {} above ground{above_sea}   heading {:03.0}°  pitch {:.0}°{frozen}",
        place(pose.lat_deg, pose.lon_deg),
        metres(clearance_m),
        // 359.7 is north, not 360.
        pose.heading_deg.round().rem_euclid(360.0),
        // -0 is 0.
        pose.pitch_deg.round() + 0.0,
    )
}

/// 1234567 as "1 234 567".
pub(super) fn thousands(n: u32) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_reads_well() {
        let pose = Pose { lat_deg: -33.86, lon_deg: 151.21, height_m: 12_345.6, heading_deg: 359.7, pitch_deg: -0.2 };
        let mut times = FrameTimes::default();
        times.add(0.02);
        times.add(9.0);
        assert_eq!(
            figures(&pose, 42.04, false),
            "eye 33.8600° S  151.2100° E   42.0 m above ground  12.3 km above sea   heading 000°  pitch 0°"
        );
        assert!(!figures(&Pose::HOME, 13e6, false).contains("sea"));
        assert_eq!(times_line(&times, 84_213), "20.0 ms  50 fps   84 213 triangles");
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(
            ["7", "999", "1 000", "1 234 567"],
            [7, 999, 1000, 1_234_567].map(thousands).each_ref().map(String::as_str)
        );
    }
}
