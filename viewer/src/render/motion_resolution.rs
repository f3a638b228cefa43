//! How many pixels has a frame while the view moves? As many as the adapter draws in time; a view at rest has all of them.

use std::thread::available_parallelism;

use gpu::Gpu;

/// Pixels that a core shades for a software rasteriser in about 30 ms.
const PIXELS_OF_A_CORE: u64 = 120_000;
/// The least part of the pixels along each side, percent.
const LEAST_PERCENT: u32 = 25;

/// Pixels of frames in motion, which are enlarged to the size of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotionResolution {
    /// Percent of the pixels along each side.
    Percent(u32),
    /// About so many pixels, however large the picture is; a quarter of them along each side at least.
    Pixels(u64),
}

impl MotionResolution {
    /// All pixels.
    pub const FULL: MotionResolution = MotionResolution::Percent(100);

    /// The percent that is asked for, 25 to 100; or else all pixels on a graphics card, and for a software rasteriser as many as the cores of
    /// the machine shade in time.
    pub fn choose(gpu: &Gpu, percent: Option<u32>) -> MotionResolution {
        match percent {
            Some(percent) => MotionResolution::Percent(percent),
            None if gpu.caps.is_software() => {
                MotionResolution::Pixels(PIXELS_OF_A_CORE * available_parallelism().map_or(1, |n| n.get() as u64))
            }
            None => MotionResolution::FULL,
        }
    }

    /// Percent of the pixels along each side of a picture of a size, 25 to 100.
    pub fn percent(self, (width, height): (u32, u32)) -> u32 {
        match self {
            MotionResolution::Percent(percent) => percent,
            MotionResolution::Pixels(most) => {
                let all = f64::from(width.max(1)) * f64::from(height.max(1));
                (100.0 * (most as f64 / all).sqrt()) as u32
            }
        }
        .clamp(LEAST_PERCENT, 100)
    }

    /// Width and height of what is drawn for a picture of a size, pixels.
    pub fn size_px(self, size_px: (u32, u32)) -> (u32, u32) {
        let percent = u64::from(self.percent(size_px));
        // At most the size itself.
        let part = |side: u32| (u64::from(side) * percent).div_ceil(100) as u32;
        (part(size_px.0), part(size_px.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::GpuOptions;
    use wgpu::DeviceType;

    /// Law: all pixels on a graphics card and of small pictures; else about as many as the cores shade in time, in the shape of the picture; and
    /// what is asked for is done.
    #[test]
    fn pixels_in_motion_follow_the_adapter_and_the_size() {
        let software = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
        let caps = software.caps.clone().with_device_type(DeviceType::DiscreteGpu);
        let card = Gpu { caps, ..software.clone() };
        assert_eq!(MotionResolution::choose(&card, None), MotionResolution::FULL);
        for gpu in [&card, &software] {
            assert_eq!(MotionResolution::choose(gpu, Some(50)).size_px((1281, 720)), (641, 360));
            assert_eq!(MotionResolution::choose(gpu, Some(100)).size_px((1281, 720)), (1281, 720));
        }
        assert!(
            matches!(MotionResolution::choose(&software, None), MotionResolution::Pixels(most) if most >= PIXELS_OF_A_CORE)
        );
        let most = MotionResolution::Pixels(240_000);
        assert_eq!(most.size_px((600, 400)), (600, 400));
        for size_px in [(1280, 720), (1920, 1080), (720, 1280), (960, 600)] {
            let (width, height) = most.size_px(size_px);
            let pixels = f64::from(width) * f64::from(height);
            assert!((225_000.0..=242_000.0).contains(&pixels), "{width} x {height} of {size_px:?}");
            let aspect = f64::from(width * size_px.1) / f64::from(height * size_px.0);
            assert!((0.99..1.01).contains(&aspect), "{width} x {height} of {size_px:?}");
        }
        assert_eq!(most.size_px((7680, 4320)), (1920, 1080));
        assert_eq!(most.size_px((0, 0)), (0, 0));
    }
}
