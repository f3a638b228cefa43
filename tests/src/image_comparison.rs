//! Are two pictures the same to the eye? A comparison that forgives another rasteriser and nothing else.
//!
//! Rasterisers differ in the last bit of colours and in which pixel a thin edge hits. Averages over 4 x 4 blocks remove
//! both; what is left is a wrong colour, a moved feature or a hole.

use image::{Rgb, RgbImage};

/// Side of the blocks that are averaged, pixels.
const BLOCK: u32 = 4;
/// A block whose mean differs by more than this in any channel, of 255, is different.
const BLOCK_TOLERANCE: f64 = 20.0;
/// Share of different blocks that is forgiven.
const SHARE_TOLERANCE: f64 = 0.002;
/// Mean difference over the whole picture that is forgiven, of 255.
const MEAN_TOLERANCE: f64 = 1.0;

/// How far two pictures are from each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Mean absolute difference of the block means over all channels, of 255.
    pub mean: f64,
    /// Share of the blocks that differ.
    pub blocks: f64,
}

impl Difference {
    /// Whether the pictures count as the same.
    pub fn is_tolerable(self) -> bool {
        self.mean <= MEAN_TOLERANCE && self.blocks <= SHARE_TOLERANCE
    }
}

/// Compares two pictures; `None` if their sizes differ.
pub fn compare(a: &RgbImage, b: &RgbImage) -> Option<Difference> {
    if a.dimensions() != b.dimensions() {
        return None;
    }
    let (mut sum, mut different, mut blocks) = (0.0, 0.0, 0.0);
    for y in (0..a.height()).step_by(BLOCK as usize) {
        for x in (0..a.width()).step_by(BLOCK as usize) {
            let (mean_a, mean_b) = (block_mean(a, x, y), block_mean(b, x, y));
            let by_channel = [0, 1, 2].map(|c| (mean_a[c] - mean_b[c]).abs());
            sum += by_channel.iter().sum::<f64>() / 3.0;
            different += f64::from(by_channel.iter().any(|&d| d > BLOCK_TOLERANCE));
            blocks += 1.0;
        }
    }
    Some(Difference { mean: sum / blocks, blocks: different / blocks })
}

fn block_mean(picture: &RgbImage, x0: u32, y0: u32) -> [f64; 3] {
    let (x1, y1) = ((x0 + BLOCK).min(picture.width()), (y0 + BLOCK).min(picture.height()));
    let mut sum = [0.0; 3];
    for y in y0..y1 {
        for x in x0..x1 {
            let Rgb(pixel) = picture.get_pixel(x, y);
            sum.iter_mut().zip(pixel).for_each(|(sum, &channel)| *sum += f64::from(channel));
        }
    }
    sum.map(|s| s / f64::from((x1 - x0) * (y1 - y0)))
}
