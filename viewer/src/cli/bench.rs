//! `orogen bench`: how long do the frames of a flight take? A path at a fixed step, offscreen or in a window, statistics as text or
//! JSON.

use std::sync::Arc;
use std::time::Instant;

use gpu::Gpu;

use super::CliError;
use super::args::BenchArgs;
use super::elevation::remarks_json;
use super::flight_frame::FlightFrame;
use super::flight_statistics::{FlightStatistics, StartupTimes};
use super::render::open_path;
use crate::camera::path::CameraPath;
use crate::headless::OffscreenRenderer;
use crate::scene::SceneOptions;
use crate::terrain::Pace;
use crate::warm_up::WarmUp;
#[cfg(feature = "window")]
use crate::window::{self, FlyOptions, MeasuredFrame, RunLimit, StoredChoices, WindowBench};

/// Flies and prints.
pub fn run(args: &BenchArgs) -> Result<(), CliError> {
    let mut path = open_path(&args.path)?;
    let times_s = path.frame_times_s(args.fps).map_err(|e| CliError::Usage(e.to_string()))?;
    let title = path.title().to_string();
    let started = Instant::now();
    let relief = Arc::new(args.scene.open(&args.files)?);
    path = path.on(relief.ellipsoid());
    let scene = args.scene.scene(&args.files)?.with_relief(Some(relief.clone()));
    let scene = scene.with_motion_resolution(args.motion.motion_resolution);
    let (frames, before, adapter) = if args.window {
        in_window(args, scene, path, times_s.len())?
    } else {
        headless(args, &scene, started, &path, times_s)?
    };
    args.scene.data.rasters.warn_suspect_heights(&relief.read_remarks());
    let figures = FlightStatistics::of(&frames, before);
    let text = if args.json {
        let mut all = figures.json(&title, &adapter, args.size);
        all["remarks"] = remarks_json(relief.layers());
        format!("{}\n", serde_json::to_string_pretty(&all)?)
    } else {
        figures.text(&adapter, args.size)
    };
    Ok(super::print(&text)?)
}

/// The frames of a path, what was before them where it is known, and the adapter that drew them.
type FlightResult = (Vec<FlightFrame>, Option<StartupTimes>, String);

/// What does not count.
fn warm_up(args: &BenchArgs) -> WarmUp {
    args.warm_up.map_or(WarmUp::Settled, |frames| WarmUp::Frames(u64::from(frames)))
}

/// Without a window; loading has been going on since `started`.
fn headless(
    args: &BenchArgs,
    scene: &SceneOptions,
    started: Instant,
    path: &CameraPath,
    times_s: impl Iterator<Item = f64>,
) -> anyhow::Result<FlightResult> {
    let gpu = Gpu::new(&args.scene.gpu())?;
    let adapter = gpu.caps.adapter.clone();
    let scene = scene.clone().with_first_view(Some(path.camera(0.0).pose()));
    let mut renderer = OffscreenRenderer::with_pace(gpu, &scene, args.size, Pace::Frame)?;
    let picture = renderer.readback_texture()?;
    let load_ms = started.elapsed().as_secs_f64() * 1e3;
    let mut warm_up_ms = Vec::new();
    let mut settled = false;
    while warm_up(args).is_running(warm_up_ms.len() as u64, settled) {
        let (time, report) = renderer.fly(path.camera(0.0), &picture)?;
        warm_up_ms.push(time.total_ms);
        settled = report.settled;
    }
    let before = StartupTimes {
        load_ms,
        frames: warm_up_ms.len(),
        first_ms: warm_up_ms.first().copied().unwrap_or_default(),
        max_ms: warm_up_ms.iter().copied().fold(0.0, f64::max),
    };
    let mut frames: Vec<FlightFrame> = Vec::new();
    for t_s in times_s {
        let (time, report) = renderer.fly(path.camera(t_s), &picture)?;
        frames.push(FlightFrame { t_s, time, report, error_px: renderer.error_px() });
    }
    Ok((frames, Some(before), adapter))
}

/// The same in a window.
#[cfg(not(feature = "window"))]
fn in_window(_: &BenchArgs, _: SceneOptions, _: CameraPath, _: usize) -> anyhow::Result<FlightResult> {
    Err(super::no_window())
}

/// The same in a window. Settings of the user's are left aside, so that figures can be compared.
#[cfg(feature = "window")]
fn in_window(args: &BenchArgs, scene: SceneOptions, path: CameraPath, count: usize) -> anyhow::Result<FlightResult> {
    let (measured, adapter) = window::run(FlyOptions {
        scene,
        has_usual_overlays: false,
        gpu: args.scene.gpu(),
        start: path.camera(0.0).pose(),
        path: Some(path),
        size_px: args.size,
        limit: RunLimit::default(),
        choices: StoredChoices::default(),
        public_ground: None,
        bench: Some(WindowBench { warm_up: warm_up(args), fps: args.fps, frames: count as u64 }),
    })?;
    anyhow::ensure!(measured.len() >= count, "the window was closed after {} of {count} frames", measured.len());
    let frame = |MeasuredFrame { t_s, time, report, error_px }| FlightFrame { t_s, time, report, error_px };
    Ok((measured.into_iter().take(count).map(frame).collect(), None, adapter))
}
