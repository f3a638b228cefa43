//! `orogen bench`: how long do the frames of a flight take? A path at a fixed step, offscreen, statistics as text or JSON.

use kernels::gpu::Gpu;
use serde_json::{Value, json};

use super::Stop;
use super::args::BenchArgs;
use super::render::open_path;
use crate::headless::{FrameTime, Studio};
use crate::render::GpuTimes;
use crate::terrain::{MeshOn, Pace};

/// Frames before the first that counts: pipelines are compiled and the mesh is there.
const WARM_UP: usize = 20;

/// Flies and prints.
pub fn run(args: &BenchArgs) -> Result<(), Stop> {
    let path = open_path(&args.path)?;
    let times_s = path.frame_times_s(args.fps).map_err(|e| Stop::Usage(e.to_string()))?;
    let gpu = Gpu::new(&args.scene.gpu())?;
    let adapter = gpu.caps.adapter.clone();
    let mut scene = args.scene.scene(&args.files);
    scene.samples = scene.samples.or(gpu.caps.is_software().then_some(1));
    let mut studio = Studio::with_pace(gpu, &scene, args.size, Pace::Frame)?;
    let picture = studio.new_picture()?;
    for _ in 0..WARM_UP {
        studio.fly(path.camera(0.0), &picture)?;
    }
    let mut times: Vec<FrameTime> = Vec::new();
    let mut triangles: Vec<f64> = Vec::new();
    for t in times_s {
        let (time, report) = studio.fly(path.camera(t), &picture)?;
        times.push(time);
        triangles.push(f64::from(report.triangles));
    }
    let figures = Figures::of(&times, triangles);
    let text = if args.json {
        let all = figures.json(path.title(), &adapter, args.size);
        format!("{}\n", serde_json::to_string_pretty(&all)?)
    } else {
        figures.text(&adapter, args.size)
    };
    Ok(super::print(&text)?)
}

/// What a flight comes to.
struct Figures {
    frames: usize,
    frame_ms: Spread,
    record_ms: Spread,
    /// Where the mesh lives, and its phases there, milliseconds; empty on a GPU that writes no timestamps.
    mesh_on: Option<MeshOn>,
    mesh_ms: Vec<(&'static str, Spread)>,
    /// Parts of the picture on the device's clock, milliseconds; empty where it writes no timestamps.
    gpu_ms: Vec<(&'static str, Spread)>,
    triangles: Spread,
}

impl Figures {
    /// Of at least one frame.
    fn of(times: &[FrameTime], triangles: Vec<f64>) -> Figures {
        let spread = |part: &dyn Fn(&FrameTime) -> f64| Spread::of(times.iter().map(part).collect());
        // A part that only some frames have is of those frames.
        let pass = |name, part: fn(&GpuTimes) -> Option<f64>| {
            let ms: Vec<f64> = times.iter().filter_map(|t| part(t.gpu.as_ref()?)).collect();
            (!ms.is_empty()).then(|| (name, Spread::of(ms)))
        };
        Figures {
            frames: times.len(),
            frame_ms: spread(&|t| t.total_ms),
            record_ms: spread(&|t| t.record_ms),
            mesh_on: times.iter().find_map(|t| t.mesh).map(|mesh| mesh.on()),
            mesh_ms: mesh_parts(times),
            gpu_ms: [pass("scene", |t| Some(t.scene_ms)), pass("ground", |t| t.ground_ms), pass("sky", |t| t.sky_ms)]
                .into_iter()
                .flatten()
                .collect(),
            triangles: Spread::of(triangles),
        }
    }

    fn text(&self, adapter: &str, (width, height): (u32, u32)) -> String {
        let mut text = format!("{} frames of {width}x{height} on {adapter}\n", self.frames);
        let mut line = |name: &str, spread: &Spread, digits| text += &format!("{name:<16}{}\n", spread.text(digits));
        line("frame ms", &self.frame_ms, 1);
        line("  record", &self.record_ms, 1);
        let indent = if self.mesh_on == Some(MeshOn::Gpu) { "  GPU" } else { "    mesh" };
        for (name, spread) in &self.mesh_ms {
            line(&format!("{indent} {name}"), spread, 2);
        }
        for (name, spread) in &self.gpu_ms {
            // Ground and sky are parts of the scene.
            let indent = if *name == "scene" { "" } else { "  " };
            line(&format!("  {indent}GPU {name}"), spread, 2);
        }
        line("triangles", &self.triangles, 0);
        if self.gpu_ms.is_empty() {
            text += "this adapter writes no timestamps: the GPU's share is not told apart\n";
        }
        text + &format!("median rate     {:.1} frames/s\n", 1e3 / self.frame_ms.median)
    }

    fn json(&self, path: &str, adapter: &str, (width, height): (u32, u32)) -> Value {
        let all = |parts: &[(&str, Spread)]| -> Value {
            parts.iter().map(|(name, spread)| (name.to_string(), spread.json())).collect()
        };
        json!({
            "path": path,
            "adapter": adapter,
            "size": [width, height],
            "frames": self.frames,
            "frame_ms": self.frame_ms.json(),
            "record_ms": self.record_ms.json(),
            "mesh": self.mesh_on.map(MeshOn::name),
            "mesh_ms": all(&self.mesh_ms),
            "gpu_ms": if self.gpu_ms.is_empty() { Value::Null } else { all(&self.gpu_ms) },
            "triangles": self.triangles.json(),
        })
    }
}

/// Spread of each part of the mesh's updates.
fn mesh_parts(times: &[FrameTime]) -> Vec<(&'static str, Spread)> {
    let updates: Vec<_> = times.iter().filter_map(|time| Some(time.mesh?.parts_ms())).collect();
    let names = updates.first().into_iter().flatten().map(|(name, _)| *name);
    names.enumerate().map(|(i, name)| (name, Spread::of(updates.iter().map(|parts| parts[i].1).collect()))).collect()
}

/// How values are spread.
struct Spread {
    median: f64,
    p95: f64,
    p99: f64,
    max: f64,
}

impl Spread {
    /// Of at least one value.
    fn of(mut values: Vec<f64>) -> Spread {
        values.sort_by(f64::total_cmp);
        let at = |part: f64| values[((values.len() - 1) as f64 * part).round() as usize];
        Spread { median: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1.0) }
    }

    fn text(&self, digits: usize) -> String {
        format!(
            "median {:.digits$}  95 % {:.digits$}  99 % {:.digits$}  max {:.digits$}",
            self.median, self.p95, self.p99, self.max
        )
    }

    fn json(&self) -> Value {
        // Clocks tell a ten-thousandth of a millisecond at best.
        let [median, p95, p99, max] =
            [self.median, self.p95, self.p99, self.max].map(|value| (value * 1e4).round() / 1e4);
        json!({ "median": median, "p95": p95, "p99": p99, "max": max })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use terrain::Timings;

    use super::*;
    use crate::terrain::MeshTimes;

    #[test]
    fn percentiles_are_values_of_the_sample() {
        let spread = Spread::of((0..=100).rev().map(f64::from).collect());
        assert_eq!((spread.median, spread.p95, spread.p99, spread.max), (50.0, 95.0, 99.0, 100.0));
        assert_eq!(Spread::of(vec![7.0]).median, 7.0);
    }

    #[test]
    fn parts_of_the_gpu_are_told_where_the_device_tells_them() {
        let gpu = GpuTimes { scene_ms: 3.0, ground_ms: Some(2.0), sky_ms: Some(1.0), hud_ms: None };
        let mesh = Some(MeshTimes::Cpu(Timings { look: Duration::from_millis(2), ..Timings::default() }));
        let timed = FrameTime { record_ms: 4.0, total_ms: 8.0, mesh, gpu: Some(gpu) };
        let untimed = FrameTime { gpu: None, ..timed };
        let json = Figures::of(&[timed, untimed], vec![12.0, 14.0]).json("", "", (1, 1));
        assert_eq!((&json["mesh_ms"]["look"]["median"], &json["gpu_ms"]["ground"]["max"]), (&json!(2.0), &json!(2.0)));
        let without = Figures::of(&[untimed], vec![12.0]);
        assert_eq!(without.json("", "", (1, 1))["gpu_ms"], Value::Null);
        assert!(without.text("", (1, 1)).contains("no timestamps"));
    }
}
