//! How many samples has a pixel, and where is it shaded? What suits the adapter, the size of pictures and their motion.

use gpu::Gpu;

use super::motion_resolution::MotionResolution;
use super::shading::ShadingPath;

/// Pixels of a picture from which on those in motion have one sample each: more than a wide monitor's 3440 x 1440, fewer than
/// 3840 x 2160. Rasterisers write so many samples a second, and pixels that small hide most of an edge.
const MANY_PIXELS: u64 = 6_000_000;

/// Samples a pixel and shading path of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderMode {
    /// Samples a pixel, 1 or 4.
    pub samples: u32,
    /// Where a pixel is shaded.
    pub shading: ShadingPath,
}

/// Render modes of frames in motion and at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderModes {
    /// While the camera moves.
    pub moving: RenderMode,
    /// Of a picture that stays.
    pub still: RenderMode,
    /// Pixels of frames whose view differs from that of the frame before.
    pub resolution: MotionResolution,
}

impl RenderMode {
    /// The way that is asked for; or else [`ShadingPath::Deferred`] on a graphics card, for frames in motion and for one sample a pixel: on an
    /// H200 it takes a third to three quarters of the time. Of a still picture with four samples [`ShadingPath::Forward`] draws lines on rough ground
    /// better, and a software rasteriser has no idle units to win (benches/results/README.md).
    fn of(gpu: &Gpu, samples: u32, moves: bool, shading: Option<ShadingPath>) -> RenderMode {
        let suits = (moves || samples == 1) && !gpu.caps.is_software() && ShadingPath::Deferred.is_supported_by(gpu);
        let shading = shading.unwrap_or(if suits { ShadingPath::Deferred } else { ShadingPath::Forward });
        RenderMode { samples, shading }
    }
}

impl RenderModes {
    /// The samples and the way to draw that are asked for, or else those that suit pictures of `size_px` pixels on an adapter: four
    /// samples, but one in motion where four would take too long. All pixels in motion, unless [told](Self::with_resolution) else.
    pub fn choose(gpu: &Gpu, size_px: (u32, u32), samples: Option<u32>, shading: Option<ShadingPath>) -> RenderModes {
        let pixels = u64::from(size_px.0) * u64::from(size_px.1);
        let in_motion = if gpu.caps.is_software() || pixels >= MANY_PIXELS { 1 } else { 4 };
        RenderModes {
            moving: RenderMode::of(gpu, samples.unwrap_or(in_motion), true, shading),
            still: RenderMode::of(gpu, samples.unwrap_or(4), false, shading),
            resolution: MotionResolution::FULL,
        }
    }

    /// The same with so many pixels in motion.
    pub fn with_resolution(self, resolution: MotionResolution) -> RenderModes {
        RenderModes { resolution, ..self }
    }

    /// One way for all pictures, which have all their pixels.
    pub fn only(sampling: RenderMode) -> RenderModes {
        RenderModes { moving: sampling, still: sampling, resolution: MotionResolution::FULL }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::GpuOptions;
    use wgpu::DeviceType;

    /// Law: what is asked for is done; else edges are smooth at rest, and in motion where that is cheap.
    #[test]
    fn samples_follow_the_wish_the_size_and_the_adapter() {
        let software = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
        let caps = software.caps.clone().with_device_type(DeviceType::DiscreteGpu);
        let card = Gpu { caps, ..software.clone() };
        let (small, wide, large) = ((1280, 720), (3440, 1440), (3840, 2160));
        let of = |gpu: &Gpu, size_px, samples, shading| {
            let RenderModes { moving, still, .. } = RenderModes::choose(gpu, size_px, samples, shading);
            [(moving.samples, moving.shading), (still.samples, still.shading)]
        };
        let (forward, deferred) = (ShadingPath::Forward, ShadingPath::Deferred);
        assert_eq!(of(&software, small, None, None), [(1, forward), (4, forward)]);
        assert_eq!(of(&card, small, None, None), [(4, deferred), (4, forward)]);
        assert_eq!(of(&card, wide, None, None), [(4, deferred), (4, forward)]);
        assert_eq!(of(&card, large, None, None), [(1, deferred), (4, forward)]);
        assert_eq!(of(&card, small, Some(1), None), [(1, deferred); 2]);
        assert_eq!(of(&card, large, Some(4), None), [(4, deferred), (4, forward)]);
        for gpu in [&software, &card] {
            for shading in [forward, deferred] {
                assert_eq!(of(gpu, large, Some(4), Some(shading)), [(4, shading); 2]);
                assert_eq!(of(gpu, large, None, Some(shading)), [(1, shading), (4, shading)]);
            }
        }
    }
}
