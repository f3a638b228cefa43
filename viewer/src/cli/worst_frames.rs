//! Which frames took longest, and what did each spend its time on?

use serde_json::{Value, json};

use super::flight_frame::{FlightFrame, rounded};
use crate::frame_time::{FrameTime, Parts};

/// Frames that are told.
const TOLD: usize = 10;
/// Frames and parts of each that are told as text.
const IN_TEXT: usize = 5;
const PARTS_IN_TEXT: usize = 4;

/// The frames that took longest, the longest first, each with its number from 0.
pub(super) fn of(frames: &[FlightFrame]) -> Vec<(usize, FlightFrame)> {
    let mut numbered: Vec<(usize, FlightFrame)> = frames.iter().copied().enumerate().collect();
    numbered.sort_by(|a, b| b.1.time.total_ms.total_cmp(&a.1.time.total_ms));
    numbered.truncate(TOLD);
    numbered
}

/// What waited for the device is what its passes took, and the rest: handing over, memory, what has no timestamp.
fn rest_ms(time: &FrameTime) -> Option<f64> {
    let device_ms = time.device_ms();
    (!device_ms.is_empty()).then(|| time.wait_ms() - device_ms.iter().map(|(_, ms)| ms).sum::<f64>())
}

/// For machines.
pub(super) fn json(worst: &[(usize, FlightFrame)]) -> Value {
    let parts = |parts: Parts| -> Value {
        parts.into_iter().map(|(name, ms)| (name.to_string(), Value::from(rounded(ms)))).collect()
    };
    let frame = |(number, FlightFrame { t_s, time, report, .. }): &(usize, FlightFrame)| {
        json!({
            "frame": number,
            "t_s": rounded(*t_s),
            "ms": rounded(time.total_ms),
            "record_ms": rounded(time.record_ms),
            "cpu_ms": parts(time.cpu_ms()),
            "terrain_ms": parts(time.terrain_ms()),
            "wait_ms": rounded(time.wait_ms()),
            "device_ms": parts(time.device_ms()),
            "rest_ms": rest_ms(time).map(rounded),
            "triangles": report.triangles,
            "tiles_arrived": time.tiles.arrived,
        })
    };
    worst.iter().map(frame).collect()
}

/// For people: the longest parts of the longest frames.
pub(super) fn text(worst: &[(usize, FlightFrame)]) -> String {
    let line = |(number, FlightFrame { t_s, time, .. }): &(usize, FlightFrame)| {
        let mut parts: Vec<(String, f64)> =
            time.cpu_ms().into_iter().map(|(name, ms)| (format!("CPU {name}"), ms)).collect();
        let device = time.device_ms().into_iter().map(|(name, ms)| (format!("GPU {name}"), ms));
        parts.extend(device);
        parts.push((String::from("rest of the wait"), rest_ms(time).unwrap_or(time.wait_ms())));
        parts.sort_by(|a, b| b.1.total_cmp(&a.1));
        let parts: Vec<String> = parts.iter().take(PARTS_IN_TEXT).map(|(name, ms)| format!("{name} {ms:.2}")).collect();
        let arrived = format!(", {} tiles", time.tiles.arrived);
        format!("  frame {number} at {t_s:.2} s: {:.1} ms ({}{arrived})\n", time.total_ms, parts.join(", "))
    };
    format!("longest frames\n{}", worst.iter().take(IN_TEXT).map(line).collect::<String>())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use terrain::streaming::TileCounts;
    use terrain::{GpuTimings, Timings, UpdateReport};

    use super::*;
    use crate::render::GpuTimes;

    /// Law: the longest frames come with their numbers and with parts that add up to them.
    #[test]
    fn parts_of_a_frame_add_up_to_it() {
        let frames: Vec<FlightFrame> = (0..40u32)
            .map(|i| {
                let gpu = GpuTimes { scene_ms: 2.0, ground_ms: Some(1.5), sky_ms: Some(0.5), ..GpuTimes::default() };
                let mesh = GpuTimings { topology: Duration::from_millis(1), vertices: Duration::ZERO };
                let time = FrameTime {
                    record_ms: 0.5,
                    total_ms: f64::from(10 + (i * 7) % 40),
                    mesh: Some(Timings::Gpu(mesh)),
                    gpu: Some(gpu),
                    tiles: TileCounts { arrived: i, ..TileCounts::default() },
                    ..FrameTime::default()
                };
                FlightFrame {
                    t_s: f64::from(i),
                    time,
                    report: UpdateReport { triangles: 9, ..UpdateReport::default() },
                    error_px: None,
                }
            })
            .collect();
        let worst = of(&frames);
        assert_eq!(worst.len(), TOLD);
        assert!(worst.windows(2).all(|two| two[0].1.time.total_ms > two[1].1.time.total_ms));
        for (told, (number, frame)) in json(&worst).as_array().expect("a list").iter().zip(&worst) {
            assert_eq!((&told["frame"], &told["tiles_arrived"]), (&json!(number), &json!(frame.time.tiles.arrived)));
            let sum =
                |key: &str| -> f64 { told[key].as_object().expect("parts").values().filter_map(Value::as_f64).sum() };
            let all_ms = sum("cpu_ms") + sum("device_ms") + told["rest_ms"].as_f64().expect("a number");
            assert!((all_ms - told["ms"].as_f64().expect("a number")).abs() < 1e-3, "{told}");
        }
        let text = text(&worst);
        assert!(text.lines().count() == 1 + IN_TEXT && text.contains("GPU ground 1.50"), "{text}");
    }
}
