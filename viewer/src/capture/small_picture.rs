//! How does a small picture of a frame come about while others are drawn? The frame is drawn once more, without the display, and read back
//! when it has come: nobody waits for it.

use std::sync::{Arc, OnceLock};

use image::{Rgb, RgbImage};

use super::image_file::ReadbackTexture;

/// Width and height of small pictures, pixels.
pub const SMALL_PX: (u32, u32) = (96, 54);
/// A pixel is the mean of at most so many along each side.
const MOST_SAMPLES: u32 = 8;

/// A small picture that was asked for.
#[derive(Debug, Default)]
pub(super) enum SmallPicture {
    /// None is.
    #[default]
    None,
    /// Of the next frame.
    Wanted,
    /// Of the frame that is being drawn.
    Drawn(ReadbackTexture),
    /// On its way; the flag says that it has come, or never will.
    Coming(ReadbackTexture, Arc<OnceLock<bool>>),
    /// It is there.
    There(RgbImage),
}

impl SmallPicture {
    /// Whether frames have to be drawn for it.
    pub fn is_coming(&self) -> bool {
        matches!(self, SmallPicture::Wanted | SmallPicture::Drawn(_) | SmallPicture::Coming(..))
    }

    /// The frame is submitted, or a later one is: what comes next. One that cannot be read is none.
    pub fn after_frame(self) -> SmallPicture {
        match self {
            SmallPicture::Drawn(picture) => {
                let has_come = picture.request();
                SmallPicture::Coming(picture, has_come)
            }
            SmallPicture::Coming(picture, has_come) => match has_come.get() {
                None => SmallPicture::Coming(picture, has_come),
                Some(true) => {
                    let image = picture.read_mapped(|size, pixel| reduced(size, pixel));
                    image.map_or(SmallPicture::None, SmallPicture::There)
                }
                Some(false) => SmallPicture::None,
            },
            other => other,
        }
    }
}

/// The middle of a picture, as much as has the proportions of small ones, made as small; `pixel` gives that of a column and a row.
fn reduced((width, height): (u32, u32), pixel: impl Fn(u32, u32) -> [u8; 3]) -> RgbImage {
    let (width, height) = (width.max(1), height.max(1));
    let step = (f64::from(width) / f64::from(SMALL_PX.0)).min(f64::from(height) / f64::from(SMALL_PX.1));
    let samples = (step.ceil() as u32).clamp(1, MOST_SAMPLES);
    let first = [(width, SMALL_PX.0), (height, SMALL_PX.1)]
        .map(|(side, small)| 0.5 * (f64::from(side) - step * f64::from(small)));
    let at = |first: f64, number: u32, sample: u32, side: u32| {
        let part = (f64::from(sample) + 0.5) / f64::from(samples);
        ((first + step * (f64::from(number) + part)) as u32).min(side - 1)
    };
    RgbImage::from_fn(SMALL_PX.0, SMALL_PX.1, |column, row| {
        let mut sum = [0_u32; 3];
        for y in 0..samples {
            for x in 0..samples {
                let seen = pixel(at(first[0], column, x, width), at(first[1], row, y, height));
                sum.iter_mut().zip(seen).for_each(|(sum, value)| *sum += u32::from(value));
            }
        }
        let all = samples * samples;
        Rgb(sum.map(|sum| ((sum + all / 2) / all) as u8))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a small picture is the middle of the large one in its own proportions, and each of its pixels the mean of what it covers, whatever
    /// the sizes.
    #[test]
    fn small_pictures_are_means_of_the_middle() {
        for size in [(1, 1), (7, 300), (96, 54), (960, 600), (1_920, 1_080), (1_000, 3_000), (3_840, 1_600)] {
            let one = reduced(size, |_, _| [10, 200, 30]);
            assert!(one.dimensions() == SMALL_PX && one.pixels().all(|pixel| pixel.0 == [10, 200, 30]), "{size:?}");
            // Left and right, above and below: each half is dark or bright.
            let (width, height) = size;
            let halves = reduced(size, |x, y| {
                assert!(x < width && y < height);
                [if 2 * x < width { 0 } else { 250 }, if 2 * y < height { 0 } else { 250 }, 0]
            });
            if width.min(height) > 90 {
                let (right, bottom) = (SMALL_PX.0 - 1, SMALL_PX.1 - 1);
                let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)].map(|(x, y)| halves.get_pixel(x, y).0);
                assert_eq!(corners, [[0, 0, 0], [250, 0, 0], [0, 250, 0], [250, 250, 0]], "{size:?}");
            }
        }
        let stripes = reduced((192, 108), |x, _| if x % 2 == 0 { [0; 3] } else { [100; 3] });
        assert!(stripes.pixels().all(|pixel| pixel.0 == [50; 3]));
        let same = reduced(SMALL_PX, |x, y| [x as u8, y as u8, 0]);
        assert!(same.enumerate_pixels().all(|(x, y, pixel)| pixel.0 == [x as u8, y as u8, 0]));
    }
}
