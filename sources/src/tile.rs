//! What do the bytes of a tile hold?

use std::io::Cursor;

use image::{ImageReader, Limits, RgbaImage};

use crate::Kind;

/// Sides of tiles that servers have, pixels.
const SIDES: [u32; 2] = [256, 512];
/// Heights that the Earth has, with a margin, metres.
const PLAUSIBLE_M: std::ops::RangeInclusive<f32> = -12_000.0..=9_500.0;
/// Most bytes that a decoder may take.
const MOST_BYTES: u64 = 64 << 20;

/// Pixels of a tile.
#[derive(Debug)]
pub(crate) struct Tile(RgbaImage);

impl Tile {
    /// A PNG, JPEG or WebP of 256 or 512 pixels along a side; heights must be those of the Earth. Says what is wrong.
    pub fn decode(bytes: &[u8], kind: Kind) -> Result<Self, String> {
        let mut reader =
            ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
        let mut limits = Limits::default();
        (limits.max_image_width, limits.max_image_height, limits.max_alloc) =
            (Some(SIDES[1]), Some(SIDES[1]), Some(MOST_BYTES));
        reader.limits(limits);
        let pixels = reader.decode().map_err(|error| format!("no picture: {error}"))?.into_rgba8();
        let (width, height) = pixels.dimensions();
        if width != height || !SIDES.contains(&width) {
            return Err(format!("a picture of {width} x {height} pixels, and tiles have 256 or 512 along a side"));
        }
        let tile = Self(pixels);
        if kind != Kind::Imagery
            && let Some(height_m) = tile.heights_m(kind).into_iter().find(|m| !m.is_nan() && !PLAUSIBLE_M.contains(m))
        {
            return Err(format!("a height of {height_m} m: its pixels are no heights, or of another encoding"));
        }
        Ok(tile)
    }

    /// Pixels along a side.
    pub fn side(&self) -> u32 {
        self.0.width()
    }

    /// Heights in metres, rows from the north; NaN where a pixel is transparent.
    pub fn heights_m(&self, kind: Kind) -> Vec<f32> {
        let height_m = |[r, g, b, a]: [u8; 4]| {
            let [r, g, b] = [r, g, b].map(f64::from);
            let height_m = match kind {
                Kind::TerrainRgb => -10_000.0 + 0.1 * (65_536.0 * r + 256.0 * g + b),
                Kind::Terrarium | Kind::Imagery => 256.0 * r + g + b / 256.0 - 32_768.0,
            };
            if a == 0 { f32::NAN } else { height_m as f32 }
        };
        self.0.pixels().map(|pixel| height_m(pixel.0)).collect()
    }

    /// Red, green, blue or alpha.
    pub fn channel(&self, index: usize) -> Vec<u8> {
        self.0.pixels().map(|pixel| pixel.0[index]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(side: u32, pixel: [u8; 4]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let picture = RgbaImage::from_pixel(side, side, image::Rgba(pixel));
        picture.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).expect("a PNG");
        bytes
    }

    /// Law: encodings are those that their makers state: 0 m and the top of Everest.
    #[test]
    fn heights_are_those_of_the_encodings() {
        let height_m = |pixel, kind| Tile::decode(&png(256, pixel), kind).expect("a tile").heights_m(kind)[17];
        assert_eq!(height_m([128, 0, 0, 255], Kind::Terrarium), 0.0);
        assert_eq!(height_m([162, 144, 192, 255], Kind::Terrarium), 8_848.75);
        assert_eq!(height_m([1, 134, 160, 255], Kind::TerrainRgb), 0.0);
        assert!((height_m([2, 224, 72, 255], Kind::TerrainRgb) - 8_848.8).abs() < 1e-3);
        assert!(height_m([128, 0, 0, 0], Kind::Terrarium).is_nan());
    }

    #[test]
    fn what_is_no_tile_is_refused() {
        let whole = png(256, [128, 0, 0, 255]);
        for (bytes, said) in [
            (&b""[..], "no picture"),
            (b"<html>sorry</html>", "no picture"),
            (&whole[..whole.len() / 2], "no picture"),
            (&png(100, [128, 0, 0, 255]), "100 x 100"),
            (&png(2048, [128, 0, 0, 255]), "no picture"),
            (&png(256, [255, 255, 255, 255]), "encoding"),
        ] {
            let refused = Tile::decode(bytes, Kind::Terrarium).expect_err("no tile");
            assert!(refused.contains(said), "{refused}");
        }
        assert!(Tile::decode(&png(512, [255; 4]), Kind::Imagery).is_ok_and(|tile| tile.channel(3)[9] == 255));
    }
}
