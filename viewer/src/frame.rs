//! What does a frame consist of, whoever draws it? A device, the pictures that it draws into with their size, and its commands.

use bevy_ecs::resource::Resource;
use glam::{DVec2, DVec3};
use gpu::Gpu;

use crate::camera::{Camera, Lens};

/// The GPU of the program.
#[derive(Resource, Debug, Clone)]
pub struct Context(pub Gpu);

/// The size of the picture.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// Width and height in pixels; 0 while a window is hidden.
    pub size_px: (u32, u32),
    /// Pixels of a point of text.
    pub pixels_per_point: f32,
}

impl Viewport {
    /// Width over height.
    pub fn aspect(&self) -> f64 {
        f64::from(self.size_px.0.max(1)) / f64::from(self.size_px.1.max(1))
    }

    /// Width and height in points.
    pub fn size_pt(&self) -> DVec2 {
        let (width, height) = self.size_px;
        DVec2::new(f64::from(width), f64::from(height)) / f64::from(self.pixels_per_point)
    }

    /// Where a place is, in points from the upper left corner, inside the picture or not; none behind the eye.
    pub fn on_screen_pt(&self, position_m: DVec3, camera: &Camera, lens: &Lens) -> Option<DVec2> {
        let at = camera.project(position_m, self.aspect(), lens.fov_y_rad)?;
        Some(DVec2::new(at.x + 1.0, 1.0 - at.y) * 0.5 * self.size_pt())
    }
}

/// What this frame draws into, and its recorded commands.
#[derive(Resource, Debug)]
pub struct FrameContext {
    /// Colour format of every picture.
    pub format: wgpu::TextureFormat,
    /// Whether this frame stays on screen: it is drawn with the samples of a still picture.
    pub still: bool,
    /// Whether this frame is kept: it has all its pixels, even if the view moves.
    pub is_kept: bool,
    /// Width and height of the scene as it was drawn last, pixels: less than those of the [`Viewport`] where the view moves and the adapter is slow.
    pub scene_px: (u32, u32),
    /// Render targets of this frame, each of the size of the [`Viewport`].
    pub targets: Vec<wgpu::TextureView>,
    encoder: Option<wgpu::CommandEncoder>,
}

impl FrameContext {
    /// Draws nothing yet.
    pub fn new(format: wgpu::TextureFormat) -> FrameContext {
        FrameContext { format, still: true, is_kept: false, scene_px: (0, 0), targets: Vec::new(), encoder: None }
    }

    /// The commands of this frame.
    pub fn encoder(&mut self, device: &wgpu::Device) -> &mut wgpu::CommandEncoder {
        self.encoder.get_or_insert_with(|| {
            device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") })
        })
    }

    /// The commands, finished; none if nothing was recorded.
    pub fn finish(&mut self) -> Option<wgpu::CommandBuffer> {
        self.encoder.take().map(wgpu::CommandEncoder::finish)
    }
}
