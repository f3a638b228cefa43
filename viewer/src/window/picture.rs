//! A picture of the window while it is drawn: it is shown, or given back, even by a device that is lost meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use kernels::gpu::Gpu;

/// A picture that was acquired from a surface, which takes it back if it is not shown.
pub struct Picture {
    texture: Option<wgpu::SurfaceTexture>,
    gpu: Gpu,
}

impl Picture {
    /// What the surface of a device has given.
    pub fn new(texture: wgpu::SurfaceTexture, gpu: Gpu) -> Picture {
        Picture { texture: Some(texture), gpu }
    }

    /// Shows it, after its commands were submitted.
    pub fn show(mut self) {
        if self.gpu.lost().is_none()
            && let Some(texture) = self.texture.take()
        {
            self.gpu.queue.present(texture);
        }
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        if let Some(texture) = self.texture.take()
            && self.gpu.lost().is_some()
        {
            release(texture);
        }
    }
}

/// Gives back a picture of a lost device.
///
/// wgpu 30 neither shows nor discards it then, but keeps it with the surface, and panics when that is dropped: `Trying to destroy
/// a SwapchainAcquireSemaphore that is still in use by a SurfaceTexture`. Only while a thread unwinds does it let go of it,
/// so this unwinds, to here.
fn release(texture: wgpu::SurfaceTexture) {
    let unwound = catch_unwind(AssertUnwindSafe(move || {
        let _held = texture;
        resume_unwind(Box::new(()));
    }));
    debug_assert!(unwound.is_err());
}
