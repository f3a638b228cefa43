//! How is linear light written? As OpenEXR: half floats, Rec. 709 primaries, a note in the comments.

use std::io::{Cursor, Write};

use exr::prelude::*;
use half::f16;
use image::Rgb32FImage;

/// Writes pixels.
pub(super) fn write(out: &mut impl Write, image: &Rgb32FImage, note: Option<&str>) -> std::result::Result<(), String> {
    let (width, height) = image.dimensions();
    let pixel = |at: Vec2<usize>| {
        let [red, green, blue] = image.get_pixel(at.x() as u32, at.y() as u32).0.map(f16::from_f32);
        (red, green, blue)
    };
    let mut attributes = LayerAttributes { software_name: Some(Text::from("Orogen")), ..LayerAttributes::default() };
    // Text of the format is Latin.
    let latin = |note: &str| note.chars().map(|c| if u32::from(c) < 256 { c } else { '?' }).collect::<String>();
    attributes.comments = note.and_then(|note| Text::new_or_none(latin(note)));
    let size = (width as usize, height as usize);
    let layer = Layer::new(size, attributes, Encoding::SMALL_LOSSLESS, SpecificChannels::rgb(pixel));
    // The encoder seeks, which standard output and files in the making do not.
    let mut bytes = Cursor::new(Vec::new());
    Image::from_layer(layer).write().non_parallel().to_buffered(&mut bytes).map_err(|error| error.to_string())?;
    out.write_all(bytes.get_ref()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;

    use super::*;

    /// Law: what is read is what was written, to the bit of a half float, however bright, and the note as far as it is Latin.
    #[test]
    fn light_comes_back() {
        let mut random = crate::random::rng();
        let (width, height) = (random.random_range(1..70), random.random_range(1..50));
        let image = Rgb32FImage::from_fn(width, height, |_, _| {
            image::Rgb([(); 3].map(|()| random.random_range(-14f32..15.9).exp2()))
        });
        let mut bytes = Vec::new();
        write(&mut bytes, &image, Some("made up below 92 m, é …")).expect("written");
        let new = |size: Vec2<usize>, _: &RgbChannels| (size.0, vec![[0f32; 3]; size.0 * size.1]);
        let put = |(width, pixels): &mut (usize, Vec<[f32; 3]>), at: Vec2<usize>, (r, g, b): (f32, f32, f32)| {
            pixels[at.1 * *width + at.0] = [r, g, b];
        };
        let read = read().no_deep_data().largest_resolution_level().rgb_channels(new, put);
        let read = read.first_valid_layer().all_attributes().from_buffered(Cursor::new(bytes)).expect("a picture");
        let (read_width, pixels) = &read.layer_data.channel_data.pixels;
        assert_eq!((*read_width, pixels.len()), (width as usize, (width * height) as usize));
        for (pixel, there) in image.pixels().zip(pixels) {
            assert_eq!(pixel.0.map(|value| f16::from_f32(value).to_f32()), *there);
        }
        let comments = read.layer_data.attributes.comments.map(|text| text.to_string());
        assert_eq!(comments.as_deref(), Some("made up below 92 m, é ?"));
    }
}
