//! What does the line of times say? Where the time of a frame goes, on the CPU and on the GPU.

use bevy_ecs::resource::Resource;

use crate::render::GpuTimes;
use crate::terrain::{MeshOn, MeshTimes};

/// Times of the parts of a frame, smoothed so that they can be read.
#[derive(Resource, Debug, Clone, Default)]
pub struct PartTimes {
    /// Where the mesh lives, and its parts in milliseconds.
    mesh: Option<(MeshOn, Vec<(&'static str, f64)>)>,
    /// Ground, sky, display, whole scene, milliseconds.
    gpu_ms: [Option<f64>; 4],
    newest: Option<GpuTimes>,
}

/// Weight of the newest frame.
const NEWEST: f64 = 0.1;

fn smoothed(old: f64, new: f64) -> f64 {
    if old == 0.0 { new } else { old + (new - old) * NEWEST }
}

impl PartTimes {
    /// Takes in an update of the mesh.
    pub fn add_mesh(&mut self, times: &MeshTimes) {
        let mut parts = times.parts_ms();
        if let Some((on, old)) = &self.mesh
            && *on == times.on()
        {
            parts.iter_mut().zip(old).for_each(|((_, new), (_, old))| *new = smoothed(*old, *new));
        }
        self.mesh = Some((times.on(), parts));
    }

    /// Takes in a frame that the GPU has drawn.
    pub fn add_gpu(&mut self, times: &GpuTimes) {
        self.newest = Some(*times);
        let ms = [times.ground_ms, times.sky_ms, times.hud_ms, Some(times.scene_ms)];
        self.gpu_ms = std::array::from_fn(|i| ms[i].map(|ms| smoothed(self.gpu_ms[i].unwrap_or(0.0), ms)));
    }

    /// The newest frame that the GPU has drawn, as it was told; none if none was since the last call.
    pub fn take_gpu(&mut self) -> Option<GpuTimes> {
        self.newest.take()
    }

    /// The line.
    pub fn line(&self) -> String {
        let named = |parts: &[(&str, f64)]| {
            parts.iter().map(|(name, ms)| format!("{name} {ms:.2}")).collect::<Vec<_>>().join("  ")
        };
        let mesh = match &self.mesh {
            Some((MeshOn::Cpu, parts)) => format!("mesh: {} ms", named(parts)),
            Some((MeshOn::Gpu, parts)) => format!("mesh on the GPU: {} ms", named(parts)),
            None => "mesh: writes no timestamps".to_owned(),
        };
        let [ground, sky, hud, scene] = self.gpu_ms;
        let mut parts: Vec<String> = Vec::new();
        let mut part = |name: &str, ms: Option<f64>| parts.extend(ms.map(|ms| format!("{name} {ms:.2}")));
        part("ground", ground);
        part("sky", sky);
        part("scene", if ground.is_none() { scene } else { None });
        part("display", hud);
        match parts.as_slice() {
            [] => format!("{mesh}   GPU: writes no timestamps"),
            parts => format!("{mesh}   GPU: {} ms", parts.join("  ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use terrain::{GpuTimings, Timings};

    use super::*;

    #[test]
    fn the_line_names_what_the_device_can_tell_apart() {
        let mut times = PartTimes::default();
        assert_eq!(times.line(), "mesh: writes no timestamps   GPU: writes no timestamps");
        let us = Duration::from_micros;
        let timings = Timings { look: us(1234), update: us(200), follow: us(50), upload: us(999) };
        times.add_mesh(&MeshTimes::Cpu(timings));
        let mesh = "mesh: look 1.23  update 0.20  follow 0.05  upload 1.00 ms";
        assert_eq!(times.line(), format!("{mesh}   GPU: writes no timestamps"));
        times.add_gpu(&GpuTimes { scene_ms: 7.0, ..GpuTimes::default() });
        assert_eq!(times.line(), format!("{mesh}   GPU: scene 7.00 ms"));
        times.add_mesh(&MeshTimes::Gpu(GpuTimings { topology: us(54), vertices: us(39) }));
        times.add_gpu(&GpuTimes { scene_ms: 7.0, ground_ms: Some(5.0), sky_ms: Some(2.0), hud_ms: Some(0.5) });
        let mesh = "mesh on the GPU: topology 0.05  vertices 0.04 ms";
        assert_eq!(times.line(), format!("{mesh}   GPU: ground 5.00  sky 2.00  display 0.50 ms"));
    }
}
