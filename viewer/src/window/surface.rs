//! The pictures of a window: configured to its size, acquired a frame at a time, made anew when lost.

use std::sync::Arc;

use kernels::gpu::Gpu;
use wgpu::CurrentSurfaceTexture as Current;
use winit::window::Window;

use super::picture::Picture;

/// Attempts to get a picture in a row before the window is given up.
const MOST_FAILURES: u32 = 20;

/// A surface and its configuration.
pub struct WindowSurface {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    view_format: wgpu::TextureFormat,
    failures: u32,
    /// Pictures in a row that were said to fit the window badly.
    suboptimal: u32,
}

/// What there is to draw into.
pub enum Acquired {
    /// A picture, and the view to draw through.
    Picture(Box<Picture>, wgpu::TextureView),
    /// Nobody would see it: try again when something happens.
    Hidden,
    /// Not now: try again soon.
    Later,
}

/// What is done about the state of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// There is a picture.
    Draw,
    /// There is a picture, and the surface is configured before the next one.
    DrawOnce,
    /// The display takes long: try again soon.
    Wait,
    /// Nobody sees the window.
    Rest,
    /// The surface is configured anew.
    Configure,
    /// The surface is made anew; the device stays.
    Renew,
}

impl Answer {
    fn to(status: &Current) -> Answer {
        match status {
            Current::Success(_) => Answer::Draw,
            Current::Suboptimal(_) => Answer::DrawOnce,
            Current::Timeout => Answer::Wait,
            Current::Occluded => Answer::Rest,
            Current::Outdated | Current::Validation => Answer::Configure,
            Current::Lost => Answer::Renew,
        }
    }
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
        let made = WindowSurface { window, surface, config, view_format, failures: 0, suboptimal: 0 };
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
    /// [`GpuError::Lost`](kernels::gpu::GpuError::Lost) on a lost device, other errors of the device such as no memory, and
    /// if the surface gives no picture, however often it is configured and made anew.
    pub fn acquire(&mut self, gpu: &Gpu) -> anyhow::Result<Acquired> {
        let status = self.surface.get_current_texture();
        let answer = Answer::to(&status);
        if let Current::Success(texture) | Current::Suboptimal(texture) = status {
            self.failures = 0;
            self.suboptimal = if answer == Answer::DrawOnce { self.suboptimal.saturating_add(1) } else { 0 };
            let view = texture.texture.create_view(&wgpu::TextureViewDescriptor {
                format: Some(self.view_format),
                ..wgpu::TextureViewDescriptor::default()
            });
            return Ok(Acquired::Picture(Box::new(Picture::new(texture, gpu.clone())), view));
        }
        // Of a lost device, and of one without memory, wgpu says here that something was not valid.
        gpu.check()?;
        match answer {
            Answer::Draw | Answer::DrawOnce | Answer::Wait => Ok(Acquired::Later),
            Answer::Rest => Ok(Acquired::Hidden),
            Answer::Configure => {
                self.surface.configure(&gpu.device, &self.config);
                self.failed()
            }
            Answer::Renew => {
                self.surface = gpu.instance.create_surface(self.window.clone())?;
                self.surface.configure(&gpu.device, &self.config);
                self.failed()
            }
        }
    }

    /// Shows a picture of [`acquire`](Self::acquire), after its commands were submitted.
    pub fn present(&mut self, gpu: &Gpu, picture: Box<Picture>) {
        picture.show();
        // Some displays are never content: they are asked once.
        if self.suboptimal == 1 {
            self.surface.configure(&gpu.device, &self.config);
        }
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
        let Acquired::Picture(picture, view) = self.acquire(gpu)? else { return Ok(()) };
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
        self.present(gpu, picture);
        gpu.check()?;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: no state of a surface ends the flight by itself, and only a lost one is made anew.
    #[test]
    fn every_state_of_a_surface_has_an_answer() {
        for (status, answer) in [
            (Current::Timeout, Answer::Wait),
            (Current::Occluded, Answer::Rest),
            (Current::Outdated, Answer::Configure),
            (Current::Validation, Answer::Configure),
            (Current::Lost, Answer::Renew),
        ] {
            assert_eq!(Answer::to(&status), answer, "{status:?}");
        }
    }
}
