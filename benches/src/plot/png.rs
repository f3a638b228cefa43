//! A canvas that paints a PNG, at twice the nominal size.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use anyhow::{Context, Result};
use image::{
    ExtendedColorType, ImageEncoder,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use tiny_skia::{Color, LineCap, Paint, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, StrokeDash, Transform};

use super::canvas::{Anchor, Canvas, Colour};

/// Pixels of the picture for one nominal pixel.
const SCALE: f32 = 2.0;

/// A picture in the making.
pub struct Png {
    pixels: Pixmap,
    font: FontRef<'static>,
}

impl Png {
    /// A white picture.
    pub fn new(width: f32, height: f32) -> Result<Self> {
        let mut pixels =
            Pixmap::new((width * SCALE) as u32, (height * SCALE) as u32).context("a picture without pixels")?;
        pixels.fill(Color::WHITE);
        let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).context("the built-in font")?;
        Ok(Self { pixels, font })
    }

    /// The file. Sixteen levels a channel leave edges smooth, and save a third of its bytes.
    pub fn finish(self) -> Result<Vec<u8>> {
        let coarse = |channel: u8| ((u32::from(channel) + 8) / 17 * 17) as u8;
        let colours = self.pixels.pixels().iter();
        let bytes: Vec<u8> = colours.flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()].map(coarse)).collect();
        let (width, height) = (self.pixels.width(), self.pixels.height());
        let mut file = Vec::new();
        // Drawings with few colours compress best as they are, without filters.
        PngEncoder::new_with_quality(&mut file, CompressionType::Best, FilterType::NoFilter)
            .write_image(&bytes, width, height, ExtendedColorType::Rgb8)
            .context("encoding the picture")?;
        Ok(file)
    }

    /// Mixes a colour into a pixel, if there is one.
    fn blend(&mut self, x: i32, y: i32, Colour(r, g, b): Colour, cover: f32) {
        let (width, height) = (self.pixels.width() as i32, self.pixels.height() as i32);
        if !(0..width).contains(&x) || !(0..height).contains(&y) {
            return;
        }
        let pixel = &mut self.pixels.pixels_mut()[(y * width + x) as usize];
        let mix = |old: u8, new: u8| {
            (f32::from(old) + (f32::from(new) - f32::from(old)) * cover.clamp(0.0, 1.0)).round() as u8
        };
        let mixed =
            PremultipliedColorU8::from_rgba(mix(pixel.red(), r), mix(pixel.green(), g), mix(pixel.blue(), b), 255);
        *pixel = mixed.unwrap_or(*pixel);
    }
}

fn paint(Colour(r, g, b): Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, 255);
    paint
}

impl Canvas for Png {
    fn polyline(&mut self, points: &[(f32, f32)], colour: Colour, width: f32, dash: &[f32]) {
        let mut path = PathBuilder::new();
        for (i, &(x, y)) in points.iter().enumerate() {
            if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        let Some(path) = path.finish() else { return };
        let stroke =
            Stroke { width, line_cap: LineCap::Butt, dash: StrokeDash::new(dash.to_vec(), 0.0), ..Stroke::default() };
        self.pixels.stroke_path(&path, &paint(colour), &stroke, Transform::from_scale(SCALE, SCALE), None);
    }

    fn dot(&mut self, (x, y): (f32, f32), radius: f32, colour: Colour) {
        if let Some(circle) = PathBuilder::from_circle(x, y, radius) {
            let transform = Transform::from_scale(SCALE, SCALE);
            self.pixels.fill_path(&circle, &paint(colour), tiny_skia::FillRule::Winding, transform, None);
        }
    }

    fn text(&mut self, (x, y): (f32, f32), size: f32, anchor: Anchor, colour: Colour, text: &str) {
        let font = self.font.clone();
        // A font's scale is the height from ascent to descent; CSS sizes are those of the em square.
        let per_em = font.height_unscaled() / font.units_per_em().unwrap_or(1000.0);
        let scaled = font.as_scaled(PxScale::from(size * SCALE * per_em));
        let width: f32 = text.chars().map(|letter| scaled.h_advance(scaled.glyph_id(letter))).sum();
        let start = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let mut at = x * SCALE - start;
        for letter in text.chars() {
            let id = scaled.glyph_id(letter);
            let glyph = id.with_scale_and_position(scaled.scale(), point(at, y * SCALE));
            at += scaled.h_advance(id);
            if let Some(outline) = scaled.outline_glyph(glyph) {
                let bounds = outline.px_bounds();
                outline.draw(|x, y, cover| {
                    // A light face on white looks faint; a little more cover makes it read.
                    self.blend(bounds.min.x as i32 + x as i32, bounds.min.y as i32 + y as i32, colour, cover * 1.25);
                });
            }
        }
    }
}
