//! `orogen bench`: how long do the frames of a flight take? A path at a fixed step, offscreen, statistics as text or JSON.

use kernels::gpu::Gpu;

use super::Stop;
use super::args::BenchArgs;
use super::flight_figures::{Figures, Frame};
use super::render::open_path;
use crate::headless::Studio;
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
    let mut frames: Vec<Frame> = Vec::new();
    for t_s in times_s {
        let (time, report) = studio.fly(path.camera(t_s), &picture)?;
        frames.push(Frame { t_s, time, triangles: report.triangles });
    }
    let figures = Figures::of(&frames);
    let text = if args.json {
        let all = figures.json(path.title(), &adapter, args.size);
        format!("{}\n", serde_json::to_string_pretty(&all)?)
    } else {
        figures.text(&adapter, args.size)
    };
    Ok(super::print(&text)?)
}
