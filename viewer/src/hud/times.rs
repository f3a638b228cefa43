//! What do the lines of times say? Where the time of a frame goes, on the CPU and on the GPU.

use bevy_ecs::resource::Resource;
use terrain::{Backend, Timings};

use crate::app::StepTimes;
use crate::render::GpuTimes;

/// Times of the parts of a frame, smoothed so that they can be read.
#[derive(Resource, Debug, Clone, Default)]
pub struct PartTimes {
    /// Where the mesh lives, and its parts in milliseconds.
    mesh: Option<(Backend, Vec<(&'static str, f64)>)>,
    /// Parts of the picture on the device's clock, milliseconds.
    gpu: Vec<(&'static str, f64)>,
    /// Steps of a frame on the CPU, milliseconds.
    steps: Vec<(&'static str, f64)>,
    newest: Option<GpuTimes>,
}

/// Weight of the newest frame.
const NEWEST: f64 = 0.1;

/// Steps that take less are not told, milliseconds.
const TOLD_MS: f64 = 0.01;

/// Moves times towards newer ones; a part that was not there before begins where it is.
fn smooth(parts: &mut Vec<(&'static str, f64)>, newer: impl IntoIterator<Item = (&'static str, f64)>) {
    let old = std::mem::take(parts);
    parts.extend(newer.into_iter().map(|(name, new)| match old.iter().find(|(of, _)| *of == name) {
        Some((_, old)) => (name, old + (new - old) * NEWEST),
        None => (name, new),
    }));
}

impl PartTimes {
    /// Takes in an update of the mesh.
    pub fn add_mesh(&mut self, times: &Timings) {
        let mut parts = match self.mesh.take() {
            Some((on, parts)) if on == times.backend() => parts,
            _ => Vec::new(),
        };
        smooth(&mut parts, times.parts_ms());
        self.mesh = Some((times.backend(), parts));
    }

    /// Takes in the steps of a frame on the CPU.
    pub fn add_steps(&mut self, times: &StepTimes) {
        smooth(&mut self.steps, times.parts_ms());
    }

    /// Takes in a frame that the GPU has drawn.
    pub fn add_gpu(&mut self, times: &GpuTimes) {
        self.newest = Some(*times);
        smooth(&mut self.gpu, times.parts_ms());
    }

    /// The newest frame that the GPU has drawn, as it was told; none if none was since the last call.
    pub fn take_gpu(&mut self) -> Option<GpuTimes> {
        self.newest.take()
    }

    /// The lines: the mesh and the GPU, then the CPU.
    pub fn lines(&self) -> [String; 2] {
        let named = |parts: &mut dyn Iterator<Item = &(&str, f64)>| {
            parts.map(|(name, ms)| format!("{name} {ms:.2}")).collect::<Vec<_>>().join("  ")
        };
        let mesh = match &self.mesh {
            Some((Backend::Cpu, parts)) => format!("mesh: {} ms", named(&mut parts.iter())),
            Some((Backend::Gpu, parts)) => format!("mesh on the GPU: {} ms", named(&mut parts.iter())),
            None => "mesh: writes no timestamps".to_owned(),
        };
        let gpu = match self.gpu.as_slice() {
            [] => String::from("GPU: writes no timestamps"),
            parts => format!("GPU: {} ms", named(&mut parts.iter())),
        };
        let steps = match named(&mut self.steps.iter().filter(|(_, ms)| *ms >= TOLD_MS)) {
            steps if steps.is_empty() => String::from("CPU: nothing"),
            steps => format!("CPU: {steps} ms"),
        };
        [format!("{mesh}   {gpu}"), steps]
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use terrain::{CpuTimings, GpuTimings};

    use super::*;

    #[test]
    fn the_lines_name_what_the_device_can_tell_apart() {
        let mut times = PartTimes::default();
        let first = |times: &PartTimes| times.lines()[0].clone();
        assert_eq!(first(&times), "mesh: writes no timestamps   GPU: writes no timestamps");
        let us = Duration::from_micros;
        let timings =
            CpuTimings { tiles: us(30), priorities: us(1234), topology: us(200), vertices: us(50), upload: us(999) };
        times.add_mesh(&Timings::Cpu(timings));
        let mesh = "mesh: tiles 0.03  priorities 1.23  topology 0.20  vertices 0.05  upload 1.00 ms";
        assert_eq!(first(&times), format!("{mesh}   GPU: writes no timestamps"));
        times.add_gpu(&GpuTimes { scene_ms: 7.0, ..GpuTimes::default() });
        assert_eq!(first(&times), format!("{mesh}   GPU: scene 7.00 ms"));
        times.add_mesh(&Timings::Gpu(GpuTimings { topology: us(54), vertices: us(39) }));
        let parts = GpuTimes {
            scene_ms: 7.0,
            ground_ms: Some(5.0),
            sky_ms: Some(2.0),
            labels_ms: Some(0.1),
            hud_ms: Some(0.5),
            ..GpuTimes::default()
        };
        times.add_gpu(&parts);
        let mesh = "mesh on the GPU: topology 0.05  vertices 0.04 ms";
        assert_eq!(first(&times), format!("{mesh}   GPU: ground 5.00  sky 2.00  labels 0.10  display 0.50 ms"));
    }

    /// Law: a part moves towards what it takes now by a tenth a frame; steps that take nothing are not told.
    #[test]
    fn times_can_be_read_while_they_change() {
        let mut parts = vec![("ground", 4.0)];
        smooth(&mut parts, [("ground", 5.0), ("labels", 2.0)]);
        assert_eq!(parts, [("ground", 4.1), ("labels", 2.0)]);
        let mut times = PartTimes::default();
        times.add_steps(&StepTimes::default());
        assert_eq!(times.lines()[1], "CPU: nothing");
    }
}
