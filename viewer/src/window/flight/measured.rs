//! How is a flight along a path measured? What counts, and what is taken down of each frame.

use terrain::UpdateReport;

use super::Flight;
use crate::app::StepTimes;
use crate::frame::FrameContext;
use crate::frame_time::FrameTime;
use crate::hud::PartTimes;
use crate::terrain::Planet;
use crate::warm_up::WarmUp;

/// How a flight along a path is measured: the same steps, however long they take.
#[derive(Debug, Clone, Copy)]
pub struct WindowBench {
    /// What does not count.
    pub warm_up: WarmUp,
    /// Frames a second of the path.
    pub fps: f64,
    /// Frames that count.
    pub frames: u64,
}

/// A measured frame.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredFrame {
    /// When on the path, seconds.
    pub t_s: f64,
    /// How long it took; in all until the next one began.
    pub time: FrameTime,
    /// What the mesh's last update did.
    pub report: UpdateReport,
    /// The error on screen that the picture may have by the metric, pixels; none where the mesh is on the GPU.
    pub error_px: Option<f64>,
}

impl Flight {
    /// Takes down the frame that has been drawn; how long it took in all is known when the next one begins.
    pub(super) fn measure(&mut self, record_ms: f64) {
        let Some((bench, warm_up)) = self.bench.zip(self.warm_up) else { return };
        let world = &mut self.app.world;
        let gpu = world.resource_mut::<PartTimes>().take_gpu();
        let planet = world.resource::<Planet>();
        let time = FrameTime {
            record_ms,
            total_ms: 0.0,
            steps: *world.resource::<StepTimes>(),
            stream: planet.stream_times(),
            mesh: planet.times(),
            gpu,
            tiles: planet.tiles(),
            scene_px: world.resource::<FrameContext>().scene_px,
        };
        let t_s = (self.drawn - warm_up) as f64 / bench.fps;
        self.measured.push(MeasuredFrame { t_s, time, report: *planet.report(), error_px: planet.error_px() });
    }

    /// The frames that were measured and are over.
    pub fn take_measured(&mut self) -> Vec<MeasuredFrame> {
        let mut measured = std::mem::take(&mut self.measured);
        measured.retain(|frame| frame.time.total_ms > 0.0);
        measured
    }
}
