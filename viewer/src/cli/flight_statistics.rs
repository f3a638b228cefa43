//! What does a flight come to? Percentiles of its frames and their parts, tiles and stalls, as text or JSON.

use serde_json::{Value, json};
use terrain::Backend;
use terrain::streaming::TileCounts;

use super::flight_frame::{FlightFrame, rounded};
use super::worst_frames;
use crate::frame_time::{FrameTime, Parts};

/// Width of the names in the text.
const NAME: usize = 22;

/// A frame that takes this many medians is a stall.
const STALL_MEDIANS: f64 = 3.0;
/// Stalls that are named.
const LONGEST_STALLS: usize = 5;

/// Statistics of a flight.
pub(super) struct FlightStatistics {
    frames: usize,
    /// Width and height of what was drawn, pixels.
    scene_px: (u32, u32),
    frame_ms: Quantiles,
    record_ms: Quantiles,
    /// The CPU's share by steps, and the step "terrain" by its parts, milliseconds.
    cpu_ms: Vec<(&'static str, Quantiles)>,
    terrain_ms: Vec<(&'static str, Quantiles)>,
    /// All phases of the mesh's update, milliseconds, where the mesh lives; none on a GPU that writes no timestamps.
    update_ms: Option<Quantiles>,
    /// From the submission until the device was done, milliseconds.
    wait_ms: Quantiles,
    /// Where the mesh lives, and its phases there, milliseconds; empty on a GPU that writes no timestamps.
    mesh_on: Option<Backend>,
    mesh_ms: Vec<(&'static str, Quantiles)>,
    /// Parts of the picture on the device's clock, milliseconds; empty where it writes no timestamps.
    gpu_ms: Vec<(&'static str, Quantiles)>,
    triangles: Quantiles,
    /// Frames in which nothing was left to be cut.
    settled: usize,
    /// Errors on screen that the pictures may have by the metric, pixels; none where the mesh is on the GPU.
    error_px: Option<Quantiles>,
    /// Elevation tiles that are there, wanted, being made, and taken over.
    tiles: [(&'static str, Quantiles); 4],
    /// Time on the path and milliseconds of every stall, the longest first.
    stalls: Vec<(f64, f64)>,
    /// The frames that took longest, the longest first, with their numbers.
    worst: Vec<(usize, FlightFrame)>,
    /// What was before the frames that count.
    before: Option<StartupTimes>,
}

/// Times of an offscreen flight before its first measured frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct StartupTimes {
    /// From the start of the program's work until device, planet and pipelines were there, milliseconds.
    pub load_ms: f64,
    /// Frames at the start of the path that do not count.
    pub frames: usize,
    /// The first of them, milliseconds.
    pub first_ms: f64,
    /// The longest of them, milliseconds.
    pub max_ms: f64,
}

impl FlightStatistics {
    /// Of at least one frame, and of what was before it, where that is known.
    pub fn of(frames: &[FlightFrame], before: Option<StartupTimes>) -> FlightStatistics {
        let times: Vec<FrameTime> = frames.iter().map(|frame| frame.time).collect();
        let times = times.as_slice();
        let spread = |part: &dyn Fn(&FrameTime) -> f64| Quantiles::of(times.iter().map(part).collect());
        let tiles = |name, count: fn(&TileCounts) -> u32| {
            (name, Quantiles::of(times.iter().map(|t| f64::from(count(&t.tiles))).collect()))
        };
        let updates: Vec<f64> =
            times.iter().filter_map(|t| Some(t.mesh?.parts_ms().iter().map(|(_, ms)| ms).sum())).collect();
        let frame_ms = spread(&|t| t.total_ms);
        let mut stalls: Vec<(f64, f64)> = frames
            .iter()
            .map(|frame| (frame.t_s, frame.time.total_ms))
            .filter(|(_, ms)| *ms > STALL_MEDIANS * frame_ms.median)
            .collect();
        stalls.sort_by(|a, b| b.1.total_cmp(&a.1));
        FlightStatistics {
            frames: times.len(),
            scene_px: times.last().map_or((0, 0), |time| time.scene_px),
            frame_ms,
            record_ms: spread(&|t| t.record_ms),
            cpu_ms: by_name(times, FrameTime::cpu_ms),
            terrain_ms: by_name(times, FrameTime::terrain_ms),
            update_ms: (!updates.is_empty()).then(|| Quantiles::of(updates)),
            wait_ms: spread(&FrameTime::wait_ms),
            mesh_on: times.iter().find_map(|t| t.mesh).map(|mesh| mesh.backend()),
            mesh_ms: by_name(times, |time| time.mesh.map(|mesh| mesh.parts_ms()).unwrap_or_default()),
            gpu_ms: by_name(times, |time| time.gpu.map(|gpu| gpu.passes_ms()).unwrap_or_default()),
            triangles: Quantiles::of(frames.iter().map(|frame| f64::from(frame.report.triangles)).collect()),
            settled: frames.iter().filter(|frame| frame.is_settled()).count(),
            error_px: frames.iter().map(|frame| frame.error_px).collect::<Option<Vec<f64>>>().map(Quantiles::of),
            tiles: [
                tiles("resident", |tiles| tiles.resident),
                tiles("wanted", |tiles| tiles.wanted),
                tiles("in_flight", |tiles| tiles.in_flight),
                tiles("arrived", |tiles| tiles.arrived),
            ],
            stalls,
            worst: worst_frames::of(frames),
            before,
        }
    }

    /// A frame longer than this is a stall, milliseconds.
    fn stall_ms(&self) -> f64 {
        STALL_MEDIANS * self.frame_ms.median
    }

    /// For people.
    pub fn text(&self, adapter: &str, (width, height): (u32, u32)) -> String {
        let drawn = match self.scene_px {
            size_px if size_px == (width, height) => String::new(),
            (width, height) => format!(", drawn with {width}x{height}"),
        };
        let mut text = format!("{} frames of {width}x{height}{drawn} on {adapter}\n", self.frames);
        let mut line =
            |name: &str, spread: &Quantiles, digits| text += &format!("{name:<NAME$}{}\n", spread.text(digits));
        line("frame ms", &self.frame_ms, 1);
        line("  record", &self.record_ms, 1);
        for (name, spread) in &self.cpu_ms {
            line(&format!("    {name}"), spread, 2);
            if *name == "terrain" && self.mesh_on == Some(Backend::Gpu) {
                self.terrain_ms.iter().for_each(|(part, spread)| line(&format!("      {part}"), spread, 2));
            }
        }
        line("  wait", &self.wait_ms, 1);
        let indent = if self.mesh_on == Some(Backend::Gpu) { "  GPU" } else { "    mesh" };
        if let Some(update) = &self.update_ms {
            line(&format!("{indent} update"), update, 2);
        }
        let indent = format!("  {indent}");
        for (name, spread) in &self.mesh_ms {
            line(&format!("{indent} {name}"), spread, 2);
        }
        for (name, spread) in &self.gpu_ms {
            // Ground and sky are parts of the scene.
            let indent = if matches!(*name, "ground" | "sky" | "shading") { "  " } else { "" };
            line(&format!("  {indent}GPU {name}"), spread, 2);
        }
        line("triangles", &self.triangles, 0);
        if let Some(error) = &self.error_px {
            line("error px", error, 2);
        }
        for (name, spread) in &self.tiles {
            line(&format!("tiles {}", name.replace('_', " ")), spread, 0);
        }
        text += &format!(
            "{:<NAME$}{} of {} frames; in the others triangles were still to be cut\n",
            "settled", self.settled, self.frames
        );
        let stalls = format!("{} of {} frames over {:.1} ms", self.stalls.len(), self.frames, self.stall_ms());
        let longest: String =
            self.stalls.iter().take(LONGEST_STALLS).map(|(t_s, ms)| format!("; {ms:.1} ms at {t_s:.2} s")).collect();
        text += &format!("{:<NAME$}{stalls}{longest}\n", "stalls");
        text += &worst_frames::text(&self.worst);
        if let Some(StartupTimes { load_ms, frames, first_ms, max_ms }) = &self.before {
            text += &format!("{:<NAME$}loaded in {load_ms:.0} ms", "before");
            if *frames > 0 {
                text += &format!("; {frames} frames not counted: first {first_ms:.1} ms, longest {max_ms:.1} ms");
            }
            text.push('\n');
        }
        if self.gpu_ms.is_empty() {
            text += "this adapter writes no timestamps: the GPU's share is not told apart\n";
        }
        text + &format!("{:<NAME$}{:.1} frames/s\n", "median rate", 1e3 / self.frame_ms.median)
    }

    /// For machines.
    pub fn json(&self, path: &str, adapter: &str, (width, height): (u32, u32)) -> Value {
        let stall = |(t_s, ms): &(f64, f64)| json!({ "t_s": rounded(*t_s), "ms": rounded(*ms) });
        let longest: Vec<Value> = self.stalls.iter().take(LONGEST_STALLS).map(stall).collect();
        let all = |parts: &[(&str, Quantiles)]| -> Value {
            parts.iter().map(|(name, spread)| (name.to_string(), spread.json())).collect()
        };
        json!({
            "path": path,
            "adapter": adapter,
            "size": [width, height],
            "drawn_size": [self.scene_px.0, self.scene_px.1],
            "frames": self.frames,
            "frame_ms": self.frame_ms.json(),
            "record_ms": self.record_ms.json(),
            "cpu_ms": all(&self.cpu_ms),
            "terrain_ms": all(&self.terrain_ms),
            "wait_ms": self.wait_ms.json(),
            "update_ms": self.update_ms.as_ref().map(Quantiles::json),
            "draw_ms": self.gpu_ms.iter().find(|(name, _)| *name == "scene").map(|(_, spread)| spread.json()),
            "mesh": self.mesh_on.map(Backend::name),
            "mesh_ms": all(&self.mesh_ms),
            "gpu_ms": if self.gpu_ms.is_empty() { Value::Null } else { all(&self.gpu_ms) },
            "triangles": self.triangles.json(),
            "settled_frames": self.settled,
            "error_px": self.error_px.as_ref().map(Quantiles::json),
            "tiles": all(&self.tiles),
            "stalls": {
                "over_ms": rounded(self.stall_ms()),
                "frames": self.stalls.len(),
                "longest": longest,
            },
            "worst": worst_frames::json(&self.worst),
            "before": self.before.map(|before| json!({
                "load_ms": rounded(before.load_ms),
                "frames": before.frames,
                "first_ms": rounded(before.first_ms),
                "max_ms": rounded(before.max_ms),
            })),
        })
    }
}

/// Spread of each part that frames have, over those that have it.
fn by_name(times: &[FrameTime], parts: impl Fn(&FrameTime) -> Parts) -> Vec<(&'static str, Quantiles)> {
    let mut values: Vec<(&'static str, Vec<f64>)> = Vec::new();
    for (name, ms) in times.iter().flat_map(parts) {
        match values.iter_mut().find(|(of, _)| *of == name) {
            Some((_, values)) => values.push(ms),
            None => values.push((name, vec![ms])),
        }
    }
    values.into_iter().map(|(name, values)| (name, Quantiles::of(values))).collect()
}

/// Quantiles of a sample.
struct Quantiles {
    median: f64,
    p95: f64,
    p99: f64,
    max: f64,
}

impl Quantiles {
    /// Of at least one value.
    fn of(mut values: Vec<f64>) -> Quantiles {
        values.sort_by(f64::total_cmp);
        let at = |part: f64| values[((values.len() - 1) as f64 * part).round() as usize];
        Quantiles { median: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1.0) }
    }

    fn text(&self, digits: usize) -> String {
        format!(
            "median {:.digits$}  95 % {:.digits$}  99 % {:.digits$}  max {:.digits$}",
            self.median, self.p95, self.p99, self.max
        )
    }

    fn json(&self) -> Value {
        let [median, p95, p99, max] = [self.median, self.p95, self.p99, self.max].map(rounded);
        json!({ "median": median, "p95": p95, "p99": p99, "max": max })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use terrain::{CpuTimings, Timings, UpdateReport};

    use super::*;
    use crate::render::GpuTimes;

    #[test]
    fn percentiles_are_values_of_the_sample() {
        let spread = Quantiles::of((0..=100).rev().map(f64::from).collect());
        assert_eq!((spread.median, spread.p95, spread.p99, spread.max), (50.0, 95.0, 99.0, 100.0));
        assert_eq!(Quantiles::of(vec![7.0]).median, 7.0);
    }

    #[test]
    fn parts_of_the_gpu_are_told_where_the_device_tells_them() {
        let gpu = GpuTimes { scene_ms: 3.0, ground_ms: Some(2.0), sky_ms: Some(1.0), ..GpuTimes::default() };
        let mesh = Some(Timings::Cpu(CpuTimings { priorities: Duration::from_millis(2), ..CpuTimings::default() }));
        let timed = FrameTime { record_ms: 4.0, total_ms: 8.0, mesh, gpu: Some(gpu), ..FrameTime::default() };
        let untimed = FrameTime { gpu: None, ..timed };
        let frame = |time| FlightFrame { t_s: 0.0, time, report: UpdateReport::default(), error_px: None };
        let json = FlightStatistics::of(&[frame(timed), frame(untimed)], None).json("", "", (1, 1));
        assert_eq!(
            (&json["mesh_ms"]["priorities"]["median"], &json["gpu_ms"]["ground"]["max"]),
            (&json!(2.0), &json!(2.0))
        );
        assert_eq!((&json["update_ms"]["max"], &json["draw_ms"]["max"]), (&json!(2.0), &json!(3.0)));
        assert_eq!((&json["wait_ms"]["median"], &json["tiles"]["wanted"]["max"]), (&json!(4.0), &json!(0.0)));
        let without = FlightStatistics::of(&[frame(untimed)], None);
        assert_eq!(without.json("", "", (1, 1))["gpu_ms"], Value::Null);
        assert!(without.text("", (1, 1)).contains("no timestamps"));
    }

    /// Law: a stall is a frame of more than three medians, told with its place on the path, the longest first.
    #[test]
    fn stalls_are_named_with_their_place() {
        let tiles = |resident| TileCounts { resident, wanted: 7, in_flight: 1, budget: 99, arrived: 0 };
        let frames: Vec<FlightFrame> = (0..100)
            .map(|i| {
                let total_ms = [10.0, 31.0, 500.0][usize::from(i == 40) + 2 * usize::from(i == 60)];
                let time = FrameTime { total_ms, tiles: tiles(i), ..FrameTime::default() };
                FlightFrame { t_s: f64::from(i) * 0.1, time, report: UpdateReport::default(), error_px: None }
            })
            .collect();
        let before = StartupTimes { load_ms: 900.0, frames: 20, first_ms: 40.0, max_ms: 41.0 };
        let figures = FlightStatistics::of(&frames, Some(before));
        let json = figures.json("", "", (1, 1));
        let longest = json!([{ "t_s": 6.0, "ms": 500.0 }, { "t_s": 4.0, "ms": 31.0 }]);
        assert_eq!(json["stalls"], json!({ "over_ms": 30.0, "frames": 2, "longest": longest }));
        assert_eq!((&json["tiles"]["resident"]["max"], &json["tiles"]["wanted"]["max"]), (&json!(99.0), &json!(7.0)));
        let text = figures.text("", (1, 1));
        assert!(text.contains("2 of 100 frames over 30.0 ms; 500.0 ms at 6.00 s; 31.0 ms at 4.00 s"), "{text}");
        assert!(text.contains("loaded in 900 ms; 20 frames not counted: first 40.0 ms, longest 41.0 ms"), "{text}");
        assert_eq!((&json["worst"][0]["frame"], &json["before"]["frames"]), (&json!(60), &json!(20)));
    }

    /// Law: frames in which triangles were still to be cut, or had no room, do not count as settled, and how far the pictures were off
    /// is told where it is known.
    #[test]
    fn unsettled_frames_are_told() {
        let frame = |splits, starved, error_px| {
            let report = UpdateReport { splits, starved, merges: 3, ..UpdateReport::default() };
            FlightFrame { t_s: 0.0, time: FrameTime { total_ms: 9.0, ..FrameTime::default() }, report, error_px }
        };
        let frames = [frame(0, 0, Some(0.1)), frame(4, 0, Some(0.4)), frame(0, 0, Some(0.1)), frame(0, 2, Some(0.3))];
        let figures = FlightStatistics::of(&frames, None);
        let (json, text) = (figures.json("", "", (1, 1)), figures.text("", (1, 1)));
        assert_eq!((&json["settled_frames"], &json["error_px"]["max"]), (&json!(2), &json!(0.4)));
        assert!(text.contains("2 of 4 frames; in the others") && text.contains("max 0.40"), "{text}");
        let untold = FlightStatistics::of(&[frame(0, 0, None)], None);
        assert_eq!(untold.json("", "", (1, 1))["error_px"], Value::Null);
        assert!(!untold.text("", (1, 1)).contains("error px"));
    }
}
