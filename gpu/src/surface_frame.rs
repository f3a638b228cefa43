//! A window's frame while it is drawn: it is shown, or given back, even by a device that is lost meanwhile.

use crate::Gpu;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// A frame of a [`WindowSurface`](crate::WindowSurface), which takes it back if it is dropped and not shown.
#[derive(Debug)]
pub struct SurfaceFrame {
    texture: Option<wgpu::SurfaceTexture>,
    view: wgpu::TextureView,
    gpu: Arc<Gpu>,
}

impl SurfaceFrame {
    pub(super) fn new(texture: wgpu::SurfaceTexture, format: wgpu::TextureFormat, gpu: Arc<Gpu>) -> Self {
        let descriptor = wgpu::TextureViewDescriptor { format: Some(format), ..Default::default() };
        let view = texture.texture.create_view(&descriptor);
        Self { texture: Some(texture), view, gpu }
    }

    /// What passes draw into.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Width and height, pixels.
    pub fn size_px(&self) -> (u32, u32) {
        let texture = self.view.texture();
        (texture.width(), texture.height())
    }

    /// Shows it, after its commands were submitted. One of a lost device is dropped.
    pub fn present(mut self) {
        if self.gpu.lost().is_none()
            && let Some(texture) = self.texture.take()
        {
            self.gpu.queue.present(texture);
        }
    }
}

impl Drop for SurfaceFrame {
    fn drop(&mut self) {
        if let Some(texture) = self.texture.take()
            && self.gpu.lost().is_some()
        {
            release(texture);
        }
    }
}

/// Gives back a frame of a lost device.
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
