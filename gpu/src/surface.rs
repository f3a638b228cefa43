//! How does a window show frames? Through a surface that fits the window's size, and is made anew when it is lost.

use crate::{Gpu, GpuError, SurfaceFrame};
use derive_setters::Setters;
use std::{fmt, sync::Arc};
use wgpu::{CurrentSurfaceTexture as Current, PresentMode, TextureFormat};

/// Attempts in a row to get a frame before the window is given up.
const MOST_FAILURES: u32 = 20;

/// How a window shows frames; the default waits for the display and shows colours as they are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct SurfaceOptions {
    /// When a frame takes the place of the one before. `Fifo`, `AutoVsync` and `AutoNoVsync` are there everywhere.
    pub present_mode: PresentMode,
    /// Fragment shaders give linear light, which is encoded as sRGB when it is written. Otherwise they give the values that
    /// the display is sent.
    pub linear: bool,
}

/// The surface of a window, made with its device by [`Gpu::with_window`].
pub struct WindowSurface {
    surface: wgpu::Surface<'static>,
    make: Box<MakeSurface>,
    config: wgpu::SurfaceConfiguration,
    view_format: TextureFormat,
    /// The surface is as `config` says.
    configured: bool,
    /// Attempts in a row that gave no frame.
    failures: u32,
    /// Pictures in a row that were said to fit the window badly.
    suboptimal: u32,
    /// Shared with the frame that is drawn, and with nothing else.
    gpu: Arc<Gpu>,
}

pub(super) type MakeSurface =
    dyn Fn(&wgpu::Instance) -> Result<wgpu::Surface<'static>, wgpu::CreateSurfaceError> + Send + Sync;

/// What there is to draw into.
#[derive(Debug)]
pub enum Acquired {
    /// The next frame.
    Frame(SurfaceFrame),
    /// Not now: try again soon.
    Retry,
    /// Nobody would see it, as the window is covered or has no size: try again when something happens, or after a while.
    Hidden,
}

/// What is done about the state of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SurfaceAction {
    /// There is a frame.
    Draw,
    /// There is a frame, and the surface is configured before the next one.
    DrawThenConfigure,
    /// The display takes long: try again soon.
    Retry,
    /// Nobody sees the window.
    Hidden,
    /// The surface is configured anew.
    Configure,
    /// The surface is made anew; the device stays.
    Recreate,
}

impl SurfaceAction {
    fn of(status: &Current) -> Self {
        match status {
            Current::Success(_) => Self::Draw,
            Current::Suboptimal(_) => Self::DrawThenConfigure,
            Current::Timeout => Self::Retry,
            Current::Occluded => Self::Hidden,
            Current::Outdated | Current::Validation => Self::Configure,
            Current::Lost => Self::Recreate,
        }
    }
}

impl WindowSurface {
    pub(super) fn new(
        gpu: Gpu,
        surface: wgpu::Surface<'static>,
        make: Box<MakeSurface>,
        options: &SurfaceOptions,
    ) -> Result<Self, GpuError> {
        let caps = surface.get_capabilities(&gpu.adapter);
        let adapter = &gpu.caps.adapter;
        let downlevel = gpu.adapter.get_downlevel_capabilities().flags;
        let twins = downlevel.contains(wgpu::DownlevelFlags::SURFACE_VIEW_FORMATS);
        let (format, view_format) = formats(&caps.formats, options.linear, twins)
            .ok_or_else(|| failed(format!("{adapter} cannot draw 8-bit colours into it")))?;
        if !can_present(&caps.present_modes, options.present_mode) {
            let (asked, there) = (options.present_mode, &caps.present_modes);
            return Err(failed(format!("{adapter} cannot present by {asked:?}, only by {there:?}")));
        }
        let config = wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            format,
            // Of the window, when the first frame is asked for.
            width: 1,
            height: 1,
            present_mode: options.present_mode,
            desired_maximum_frame_latency: 2,
            alpha_mode: wgpu::CompositeAlphaMode::Auto,
            view_formats: if view_format == format { Vec::new() } else { vec![view_format] },
            color_space: wgpu::SurfaceColorSpace::Auto,
        };
        let gpu = Arc::new(gpu);
        Ok(Self { surface, make, config, view_format, configured: false, failures: 0, suboptimal: 0, gpu })
    }

    /// The format of frames, for the pipelines that draw into them.
    pub fn format(&self) -> TextureFormat {
        self.view_format
    }

    /// The next frame, of the window's present size in pixels (at most what the device can draw).
    ///
    /// # Errors
    /// [`GpuError::Lost`] if the device is lost, and other errors that it has met, such as no memory;
    /// [`GpuError::Surface`] if the surface gives no frame, however often it is configured and made anew, or
    /// if the frame before this one was neither shown nor dropped.
    pub fn acquire(&mut self, size_px: (u32, u32)) -> Result<Acquired, GpuError> {
        if Arc::strong_count(&self.gpu) > 1 {
            return Err(failed("the picture before is still being drawn: show or drop it".to_owned()));
        }
        let (width, height) = size_px;
        if width == 0 || height == 0 {
            return Ok(Acquired::Hidden);
        }
        self.configure(width, height)?;
        let status = self.surface.get_current_texture();
        let action = SurfaceAction::of(&status);
        if let Current::Success(texture) | Current::Suboptimal(texture) = status {
            self.failures = 0;
            self.suboptimal =
                if action == SurfaceAction::DrawThenConfigure { self.suboptimal.saturating_add(1) } else { 0 };
            return Ok(Acquired::Frame(SurfaceFrame::new(texture, self.view_format, self.gpu.clone())));
        }
        // Of a lost device, and of one without memory, wgpu says here that something was not valid.
        self.gpu.check()?;
        match action {
            SurfaceAction::Draw | SurfaceAction::DrawThenConfigure | SurfaceAction::Retry => {
                return Ok(Acquired::Retry);
            }
            SurfaceAction::Hidden => return Ok(Acquired::Hidden),
            SurfaceAction::Configure => {}
            SurfaceAction::Recreate => {
                self.surface = (self.make)(&self.gpu.instance).map_err(|e| failed(e.to_string()))?
            }
        }
        self.configured = false;
        self.failures += 1;
        if self.failures >= MOST_FAILURES {
            return Err(failed(format!("it gave none {MOST_FAILURES} times in a row; check the graphics driver")));
        }
        Ok(Acquired::Retry)
    }

    /// Configures the surface, if it is not yet, or not as it has to be for a window of this size.
    fn configure(&mut self, width: u32, height: u32) -> Result<(), GpuError> {
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        let (width, height) = (width.min(limit), height.min(limit));
        // Some displays are never content: they are asked once.
        let fits = self.suboptimal != 1 && (width, height) == (self.config.width, self.config.height);
        if self.configured && fits {
            return Ok(());
        }
        if let Some(lost) = self.gpu.lost() {
            return Err(lost);
        }
        if self.suboptimal == 1 {
            self.suboptimal = 2;
        }
        (self.config.width, self.config.height) = (width, height);
        self.surface.configure(&self.gpu.device, &self.config);
        // A surface that was never configured and is asked for a frame would end the program.
        self.gpu.check()?;
        self.configured = true;
        Ok(())
    }
}

impl fmt::Debug for WindowSurface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WindowSurface").field("config", &self.config).finish_non_exhaustive()
    }
}

fn failed(reason: String) -> GpuError {
    GpuError::Surface { reason }
}

/// The format of the surface, and that in which it is drawn: of 8 bits a channel, encoding sRGB or not as is asked. One that does
/// otherwise is seen through its twin, where twins can be.
fn formats(there: &[TextureFormat], linear: bool, twins: bool) -> Option<(TextureFormat, TextureFormat)> {
    use TextureFormat::{Bgra8Unorm, Rgba8Unorm};
    let twin = |format: TextureFormat| if linear { format.add_srgb_suffix() } else { format.remove_srgb_suffix() };
    let eight_bits = || there.iter().copied().filter(|f| [Bgra8Unorm, Rgba8Unorm].contains(&f.remove_srgb_suffix()));
    let as_asked = eight_bits().find(|format| twin(*format) == *format);
    let format = as_asked.or_else(|| eight_bits().next().filter(|_| twins))?;
    Some((format, twin(format)))
}

/// Whether wgpu finds a mode among those that are there; a surface configured by another one would end the program.
fn can_present(there: &[PresentMode], asked: PresentMode) -> bool {
    matches!(asked, PresentMode::AutoVsync | PresentMode::AutoNoVsync) || there.contains(&asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: no state of a surface ends the program by itself, and only a lost one is made anew.
    #[test]
    fn every_state_of_a_surface_has_an_answer() {
        for (status, action) in [
            (Current::Timeout, SurfaceAction::Retry),
            (Current::Occluded, SurfaceAction::Hidden),
            (Current::Outdated, SurfaceAction::Configure),
            (Current::Validation, SurfaceAction::Configure),
            (Current::Lost, SurfaceAction::Recreate),
        ] {
            assert_eq!(SurfaceAction::of(&status), action, "{status:?}");
        }
    }

    /// Law: a format that does as asked comes before one that has to be seen through its twin, and nothing but 8 bits is taken.
    #[test]
    fn formats_do_as_asked() {
        use TextureFormat::{Bgra8Unorm, Bgra8UnormSrgb, Rgb10a2Unorm, Rgba8Unorm, Rgba8UnormSrgb, Rgba16Float};
        let both = [Rgba16Float, Bgra8UnormSrgb, Bgra8Unorm];
        for twins in [false, true] {
            assert_eq!(formats(&both, false, twins), Some((Bgra8Unorm, Bgra8Unorm)));
            assert_eq!(formats(&both, true, twins), Some((Bgra8UnormSrgb, Bgra8UnormSrgb)));
            assert_eq!(formats(&[Rgba16Float, Rgb10a2Unorm], false, twins), None);
        }
        assert_eq!(formats(&[Rgba8UnormSrgb], false, true), Some((Rgba8UnormSrgb, Rgba8Unorm)));
        assert_eq!(formats(&[Rgba8Unorm], true, true), Some((Rgba8Unorm, Rgba8UnormSrgb)));
        assert_eq!(formats(&[Rgba8Unorm], true, false), None);
    }

    #[test]
    fn modes_that_are_not_there_are_known_before_they_are_used() {
        use PresentMode::{AutoNoVsync, AutoVsync, Fifo, Immediate, Mailbox};
        let there = [Fifo, Immediate];
        assert!([AutoVsync, AutoNoVsync, Fifo, Immediate].into_iter().all(|mode| can_present(&there, mode)));
        assert!(!can_present(&there, Mailbox));
    }
}
