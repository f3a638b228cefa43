//! What does the line of times say? Where the time of a frame goes, on the CPU and on the GPU.

use std::time::Duration;

use bevy_ecs::resource::Resource;
use terrain::Timings;

use crate::render::GpuTimes;

/// Times of the parts of a frame, smoothed so that they can be read.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub struct PartTimes {
    /// Look, update, follow, upload, milliseconds.
    cpu_ms: [f64; 4],
    /// Ground, sky, display, whole scene, milliseconds.
    gpu_ms: [Option<f64>; 4],
}

/// Weight of the newest frame.
const NEWEST: f64 = 0.1;

fn smoothed(old: f64, new: f64) -> f64 {
    if old == 0.0 { new } else { old + (new - old) * NEWEST }
}

impl PartTimes {
    /// Takes in an update of the mesh.
    pub fn add_cpu(&mut self, timings: &Timings) {
        let ms =
            [timings.look, timings.update, timings.follow, timings.upload].map(|t: Duration| t.as_secs_f64() * 1e3);
        self.cpu_ms = std::array::from_fn(|i| smoothed(self.cpu_ms[i], ms[i]));
    }

    /// Takes in a frame that the GPU has drawn.
    pub fn add_gpu(&mut self, times: &GpuTimes) {
        let ms = [times.ground_ms, times.sky_ms, times.hud_ms, Some(times.scene_ms)];
        self.gpu_ms = std::array::from_fn(|i| ms[i].map(|ms| smoothed(self.gpu_ms[i].unwrap_or(0.0), ms)));
    }

    /// The line.
    pub fn line(&self) -> String {
        let [look, update, follow, upload] = self.cpu_ms;
        let cpu = format!("mesh: look {look:.2}  update {update:.2}  follow {follow:.2}  upload {upload:.2} ms");
        let [ground, sky, hud, scene] = self.gpu_ms;
        let mut parts: Vec<String> = Vec::new();
        let mut part = |name: &str, ms: Option<f64>| parts.extend(ms.map(|ms| format!("{name} {ms:.2}")));
        part("ground", ground);
        part("sky", sky);
        part("scene", if ground.is_none() { scene } else { None });
        part("display", hud);
        match parts.as_slice() {
            [] => format!("{cpu}   GPU: writes no timestamps"),
            parts => format!("{cpu}   GPU: {} ms", parts.join("  ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_what_the_device_can_tell_apart() {
        let mut times = PartTimes::default();
        let us = Duration::from_micros;
        times.add_cpu(&Timings { look: us(1234), update: us(200), follow: us(50), upload: us(999) });
        let cpu = "mesh: look 1.23  update 0.20  follow 0.05  upload 1.00 ms";
        assert_eq!(times.line(), format!("{cpu}   GPU: writes no timestamps"));
        times.add_gpu(&GpuTimes { scene_ms: 7.0, ..GpuTimes::default() });
        assert_eq!(times.line(), format!("{cpu}   GPU: scene 7.00 ms"));
        times.add_gpu(&GpuTimes { scene_ms: 7.0, ground_ms: Some(5.0), sky_ms: Some(2.0), hud_ms: Some(0.5) });
        assert_eq!(times.line(), format!("{cpu}   GPU: ground 5.00  sky 2.00  display 0.50 ms"));
    }
}
