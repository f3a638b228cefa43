//! `orogen bench`: how long do the frames of a flight take? A path at a fixed step, offscreen, statistics as text or JSON.

use std::io::Write as _;

use kernels::gpu::Gpu;
use serde_json::json;

use super::Stop;
use super::args::BenchArgs;
use super::render::open_path;
use crate::headless::{FrameTime, Studio};
use crate::terrain::Pace;

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
    let total = Spread::of(times.iter().map(|t| t.total_ms).collect());
    let record = Spread::of(times.iter().map(|t| t.record_ms).collect());
    let triangles = Spread::of(triangles);
    let (width, height) = args.size;
    let text = if args.json {
        let all = json!({
            "path": path.title(),
            "adapter": adapter,
            "size": [width, height],
            "frames": times.len(),
            "frame_ms": total.json(),
            "record_ms": record.json(),
            "triangles": triangles.json(),
        });
        format!("{}\n", serde_json::to_string_pretty(&all)?)
    } else {
        format!(
            "{} frames of {width}x{height} on {adapter}\n\
             frame ms    {}\n\
             record ms   {}\n\
             triangles   {}\n\
             median rate {:.1} frames/s\n",
            times.len(),
            total.text(1),
            record.text(1),
            triangles.text(0),
            1e3 / total.median
        )
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
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

    fn json(&self) -> serde_json::Value {
        json!({ "median": self.median, "p95": self.p95, "p99": self.p99, "max": self.max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_of_the_sample() {
        let spread = Spread::of((0..=100).rev().map(f64::from).collect());
        assert_eq!((spread.median, spread.p95, spread.p99, spread.max), (50.0, 95.0, 99.0, 100.0));
        assert_eq!(Spread::of(vec![7.0]).median, 7.0);
    }
}
