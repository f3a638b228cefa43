//! How long did a frame take, and on what? All that is told of it, part by part.

use terrain::streaming::{StreamTimings, TileCounts};
use terrain::{Backend, Timings};

use crate::app::StepTimes;
use crate::render::GpuTimes;

/// Names and milliseconds.
pub type Parts = Vec<(&'static str, f64)>;

/// How long a frame took.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FrameTime {
    /// Mesh update, recording and submission, milliseconds.
    pub record_ms: f64,
    /// Until the GPU was done, or in a window until the next frame began, milliseconds.
    pub total_ms: f64,
    /// What the steps of the frame took on the CPU; parts of `record_ms`.
    pub steps: StepTimes,
    /// What elevation tiles took of the step "terrain".
    pub stream: StreamTimings,
    /// What the mesh took, by its phases; none where the GPU does not tell.
    pub mesh: Option<Timings>,
    /// The passes on the device's clock; none where it writes no timestamps.
    pub gpu: Option<GpuTimes>,
    /// Elevation tiles by state.
    pub tiles: TileCounts,
    /// Width and height of the scene as it was drawn, pixels.
    pub scene_px: (u32, u32),
}

impl FrameTime {
    /// After the submission: until the GPU was done, or in a window until the next frame began, milliseconds.
    pub fn wait_ms(&self) -> f64 {
        self.total_ms - self.record_ms
    }

    /// The CPU's share: steps that took anything, and `other`, what was before the first of them; they add up to `record_ms`.
    pub fn cpu_ms(&self) -> Parts {
        let mut parts: Parts = self.steps.parts_ms().into_iter().filter(|(_, ms)| *ms > 0.0).collect();
        let steps_ms: f64 = parts.iter().map(|(_, ms)| ms).sum();
        parts.push(("other", (self.record_ms - steps_ms).max(0.0)));
        parts
    }

    /// Parts of the step "terrain": choosing tiles, taking them over and handing them to the queue; or the phases of a mesh
    /// on the CPU.
    pub fn terrain_ms(&self) -> Parts {
        if let Some(Timings::Cpu(_)) = self.mesh {
            return self.mesh.map(|mesh| mesh.parts_ms()).unwrap_or_default();
        }
        let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
        let StreamTimings { plan, take, upload } = self.stream;
        vec![("plan", ms(plan)), ("take", ms(take)), ("upload", ms(upload))]
    }

    /// Passes on the device's clock, in their order; none is in another.
    pub fn device_ms(&self) -> Parts {
        let mesh = self.mesh.filter(|mesh| mesh.backend() == Backend::Gpu).map(|mesh| mesh.parts_ms());
        let picture = self.gpu.map(|gpu| gpu.parts_ms());
        mesh.into_iter().chain(picture).flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use terrain::{CpuTimings, GpuTimings};

    use super::*;

    /// Law: the parts of the CPU add up to its share, and where the mesh lives decides to whom its phases belong.
    #[test]
    fn parts_belong_to_who_did_them() {
        let ms = Duration::from_millis;
        let gpu = GpuTimes { scene_ms: 3.0, ground_ms: Some(2.0), sky_ms: Some(1.0), ..GpuTimes::default() };
        let mesh = Timings::Gpu(GpuTimings { topology: ms(4), vertices: ms(5) });
        let stream = StreamTimings { plan: ms(1), take: ms(2), upload: ms(3) };
        let on_gpu = FrameTime {
            record_ms: 7.0,
            total_ms: 20.0,
            stream,
            mesh: Some(mesh),
            gpu: Some(gpu),
            ..FrameTime::default()
        };
        assert_eq!(on_gpu.cpu_ms(), [("other", 7.0)]);
        assert_eq!(on_gpu.wait_ms(), 13.0);
        assert_eq!(on_gpu.terrain_ms(), [("plan", 1.0), ("take", 2.0), ("upload", 3.0)]);
        assert_eq!(on_gpu.device_ms(), [("topology", 4.0), ("vertices", 5.0), ("ground", 2.0), ("sky", 1.0)]);
        let cpu = Timings::Cpu(CpuTimings { priorities: ms(2), ..CpuTimings::default() });
        let on_cpu = FrameTime { mesh: Some(cpu), ..on_gpu };
        assert_eq!(on_cpu.terrain_ms()[1], ("priorities", 2.0));
        assert_eq!(on_cpu.device_ms(), [("ground", 2.0), ("sky", 1.0)]);
    }
}
