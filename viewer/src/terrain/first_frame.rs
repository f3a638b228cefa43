//! What ground does the first frame show? A mesh begins as twelve triangles that each update refines, so some updates come before it.

use std::time::{Duration, Instant};

use gpu::{Gpu, GpuError};
use terrain::View;

use super::pace::Pace;
use super::planet::Planet;
use crate::camera::{Camera, Lens};

/// Between two updates, for those who make tiles.
const APART: Duration = Duration::from_millis(1);

impl Planet {
    /// Refines the ground of a view without drawing it, until it has settled, but for so long at most. A device that is lost is left to the
    /// first frame.
    ///
    /// # Errors
    /// What mesh or tiles report.
    pub fn refine(
        &mut self,
        gpu: &Gpu,
        (camera, lens, size_px): (&Camera, &Lens, (u32, u32)),
        most: Duration,
    ) -> anyhow::Result<()> {
        if size_px.0 == 0 || size_px.1 == 0 {
            return Ok(());
        }
        let view = View::perspective(camera.eye_m, camera.forward(), camera.up(), lens.fov_y_rad, size_px);
        let begun = Instant::now();
        while !self.report().settled && begun.elapsed() < most {
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            self.shade(&view, &gpu.queue, Pace::Frame)?;
            self.update(&view, &gpu.queue, &mut encoder, Pace::Frame)?;
            gpu.queue.submit([encoder.finish()]);
            match gpu.wait() {
                Err(GpuError::Lost { .. }) => return Ok(()),
                waited => waited?,
            }
            self.poll();
            std::thread::sleep(APART);
        }
        Ok(())
    }
}
