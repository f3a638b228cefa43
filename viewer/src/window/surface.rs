//! The pictures of a window: configured to its size, acquired a frame at a time, made anew when lost.

use std::sync::Arc;

use kernels::gpu::Gpu;
use winit::window::Window;

/// Attempts to get a picture in a row before the window is given up.
const MOST_FAILURES: u32 = 20;

/// A surface and its configuration.
pub struct WindowSurface {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    view_format: wgpu::TextureFormat,
    failures: u32,
}

/// What there is to draw into.
pub enum Acquired {
    /// A picture, and the view to draw through.
    Picture(wgpu::SurfaceTexture, wgpu::TextureView),
    /// Nobody would see it: try again when something happens.
    Hidden,
    /// Not now: try again soon.
    Later,
}

impl WindowSurface {
    /// Configures the surface of a window, colours as they are given; `waits` for the display's refresh or, where that can
    /// be, does not.
    ///
    /// # Errors
    /// If the adapter cannot draw into the window.
    pub fn new(
        gpu: &Gpu,
        window: Arc<Window>,
        surface: wgpu::Surface<'static>,
        waits: bool,
    ) -> anyhow::Result<WindowSurface> {
        let size = window.inner_size();
        let caps = surface.get_capabilities(&gpu.adapter);
        let format = *caps
            .formats
            .iter()
            .find(|f| matches!(f, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm))
            .or_else(|| {
                caps.formats
                    .iter()
                    .find(|f| matches!(f, wgpu::TextureFormat::Bgra8UnormSrgb | wgpu::TextureFormat::Rgba8UnormSrgb))
            })
            .ok_or_else(|| {
                anyhow::anyhow!("{} cannot draw 8-bit colours into this window; try --software", gpu.caps.adapter)
            })?;
        // The shaders give display values, so a format that converts is seen through its plain twin.
        let view_format = format.remove_srgb_suffix();
        let config = wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            format,
            width: size.width.max(1),
            height: size.height.max(1),
            present_mode: if waits { wgpu::PresentMode::AutoVsync } else { wgpu::PresentMode::AutoNoVsync },
            desired_maximum_frame_latency: 2,
            alpha_mode: wgpu::CompositeAlphaMode::Auto,
            view_formats: if view_format == format { Vec::new() } else { vec![view_format] },
            color_space: wgpu::SurfaceColorSpace::Auto,
        };
        let made = WindowSurface { window, surface, config, view_format, failures: 0 };
        made.surface.configure(&gpu.device, &made.config);
        Ok(made)
    }

    /// The format to draw in.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.view_format
    }

    /// Width and height of the pictures.
    pub fn size_px(&self) -> (u32, u32) {
        (self.config.width, self.config.height)
    }

    /// Follows the window's size; a size of zero (minimised) keeps the last one.
    pub fn resize(&mut self, gpu: &Gpu, width: u32, height: u32) {
        if width == 0 || height == 0 || (width, height) == self.size_px() {
            return;
        }
        let limit = gpu.device.limits().max_texture_dimension_2d;
        self.config.width = width.min(limit);
        self.config.height = height.min(limit);
        self.surface.configure(&gpu.device, &self.config);
    }

    /// The next picture.
    ///
    /// # Errors
    /// If the surface stays lost, however often it is made anew.
    pub fn acquire(&mut self, gpu: &Gpu) -> anyhow::Result<Acquired> {
        use wgpu::CurrentSurfaceTexture as Current;
        let texture = match self.surface.get_current_texture() {
            Current::Success(texture) => texture,
            Current::Suboptimal(texture) => texture,
            Current::Occluded => return Ok(Acquired::Hidden),
            Current::Timeout => return Ok(Acquired::Later),
            Current::Outdated | Current::Validation => {
                self.surface.configure(&gpu.device, &self.config);
                return self.failed();
            }
            Current::Lost => {
                gpu.errors.check()?;
                self.surface = gpu.instance.create_surface(self.window.clone())?;
                self.surface.configure(&gpu.device, &self.config);
                return self.failed();
            }
        };
        self.failures = 0;
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.view_format),
            ..wgpu::TextureViewDescriptor::default()
        });
        Ok(Acquired::Picture(texture, view))
    }

    /// Shows black with something over it, while there is nothing else to show.
    ///
    /// # Errors
    /// As [`acquire`](Self::acquire).
    pub fn blank(
        &mut self,
        gpu: &Gpu,
        over: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::TextureView, (u32, u32)),
    ) -> anyhow::Result<()> {
        let size = self.window.inner_size();
        self.resize(gpu, size.width, size.height);
        let Acquired::Picture(texture, view) = self.acquire(gpu)? else { return Ok(()) };
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("blank"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        over(&mut encoder, &view, self.size_px());
        gpu.queue.submit([encoder.finish()]);
        gpu.queue.present(texture);
        Ok(())
    }

    fn failed(&mut self) -> anyhow::Result<Acquired> {
        self.failures += 1;
        anyhow::ensure!(
            self.failures < MOST_FAILURES,
            "the window gave no picture {MOST_FAILURES} times in a row: check the graphics driver, or try --software"
        );
        Ok(Acquired::Later)
    }
}
