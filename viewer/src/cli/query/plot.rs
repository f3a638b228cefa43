//! How is an answer drawn? Lines, areas and words, as SVG or as PNG.

use std::fmt::Write as _;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use anyhow::Context as _;
use tiny_skia::{FillRule, Paint, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, Transform};

/// Pixels of a PNG for one of the nominal ones.
const SCALE: f32 = 2.0;
/// Size of words.
const WORDS: f32 = 13.0;
/// Room beside the axes: left, top, right, bottom.
const ROOM: [f32; 4] = [56.0, 34.0, 18.0, 46.0];

/// Red, green, blue.
pub type Colour = [u8; 3];
/// Axes and words.
pub const INK: Colour = [40, 44, 52];
/// Lines of the grid.
pub const FAINT: Colour = [222, 224, 228];

/// Where a word is beside its place.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug)]
enum Shape {
    Line(Vec<(f32, f32)>, Colour, f32),
    Area(Vec<(f32, f32)>, Colour),
    Word((f32, f32), Anchor, String),
}

/// A drawing over two axes.
#[derive(Debug)]
pub struct Plot {
    size: (f32, f32),
    x: (f64, f64),
    y: (f64, f64),
    shapes: Vec<Shape>,
}

impl Plot {
    /// Axes over two ranges.
    pub fn new(title: &str, x: (f64, f64), y: (f64, f64)) -> Self {
        let mut plot = Self { size: (960.0, 420.0), x, y, shapes: Vec::new() };
        let middle = (ROOM[0], 20.0);
        plot.shapes.push(Shape::Word(middle, Anchor::Start, title.to_owned()));
        plot
    }

    fn at(&self, (x, y): (f64, f64)) -> (f32, f32) {
        let part = |value: f64, (from, to): (f64, f64)| ((value - from) / (to - from)) as f32;
        let [left, top, right, bottom] = ROOM;
        let (wide, high) = (self.size.0 - left - right, self.size.1 - top - bottom);
        (left + wide * part(x, self.x), top + high * (1.0 - part(y, self.y)))
    }

    /// A line through points.
    pub fn line(&mut self, points: &[(f64, f64)], colour: Colour, width: f32) {
        self.shapes.push(Shape::Line(points.iter().map(|p| self.at(*p)).collect(), colour, width));
    }

    /// The area between a line and a value of y.
    pub fn area(&mut self, points: &[(f64, f64)], base: f64, colour: Colour) {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        let ends = [(last.0, base), (first.0, base)];
        self.shapes.push(Shape::Area(points.iter().chain(&ends).map(|p| self.at(*p)).collect(), colour));
    }

    /// A line up from the x axis and a word below it.
    pub fn tick_x(&mut self, x: f64, word: &str) {
        self.line(&[(x, self.y.0), (x, self.y.1)], FAINT, 1.0);
        let (x, y) = self.at((x, self.y.0));
        self.shapes.push(Shape::Word((x, y + 18.0), Anchor::Middle, word.to_owned()));
    }

    /// A line from the y axis and a word beside it.
    pub fn tick_y(&mut self, y: f64, word: &str) {
        self.line(&[(self.x.0, y), (self.x.1, y)], FAINT, 1.0);
        let (x, y) = self.at((self.x.0, y));
        self.shapes.push(Shape::Word((x - 6.0, y + 4.0), Anchor::End, word.to_owned()));
    }

    /// What the x axis has, below it.
    pub fn caption(&mut self, words: &str) {
        let at = (self.size.0 - ROOM[2], self.size.1 - 8.0);
        self.shapes.push(Shape::Word(at, Anchor::End, words.to_owned()));
    }

    /// As SVG.
    pub fn svg(&self) -> String {
        let (width, height) = self.size;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"{WORDS}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        let joined =
            |points: &[(f32, f32)]| points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ");
        let hex = |[r, g, b]: Colour| format!("#{r:02x}{g:02x}{b:02x}");
        for shape in &self.shapes {
            let line = match shape {
                Shape::Line(points, colour, width) => format!(
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"/>",
                    joined(points),
                    hex(*colour)
                ),
                Shape::Area(points, colour) => {
                    format!("<polygon points=\"{}\" fill=\"{}\"/>", joined(points), hex(*colour))
                }
                Shape::Word((x, y), anchor, word) => {
                    let anchor = match anchor {
                        Anchor::Start => "start",
                        Anchor::Middle => "middle",
                        Anchor::End => "end",
                    };
                    let word = word.replace('&', "&amp;").replace('<', "&lt;");
                    format!(
                        "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\" fill=\"{}\">{word}</text>",
                        hex(INK)
                    )
                }
            };
            let _ = writeln!(out, "{line}");
        }
        out + "</svg>\n"
    }

    /// As PNG, at twice the nominal size.
    pub fn png(&self) -> anyhow::Result<Vec<u8>> {
        let (width, height) = (self.size.0 * SCALE, self.size.1 * SCALE);
        let mut pixels = Pixmap::new(width as u32, height as u32).context("a plot without pixels")?;
        pixels.fill(tiny_skia::Color::WHITE);
        let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).context("the built-in font")?;
        let scale = Transform::from_scale(SCALE, SCALE);
        for shape in &self.shapes {
            match shape {
                Shape::Line(points, colour, width) => {
                    let stroke = Stroke { width: *width, ..Stroke::default() };
                    if let Some(path) = path(points) {
                        pixels.stroke_path(&path, &paint(*colour), &stroke, scale, None);
                    }
                }
                Shape::Area(points, colour) => {
                    if let Some(path) = path(points) {
                        pixels.fill_path(&path, &paint(*colour), FillRule::Winding, scale, None);
                    }
                }
                Shape::Word(at, anchor, word) => write(&mut pixels, &font, *at, *anchor, word),
            }
        }
        Ok(pixels.encode_png()?)
    }
}

fn path(points: &[(f32, f32)]) -> Option<tiny_skia::Path> {
    let mut path = PathBuilder::new();
    for (i, &(x, y)) in points.iter().enumerate() {
        if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path.finish()
}

fn paint([r, g, b]: Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, 255);
    paint
}

/// A word, glyph by glyph.
fn write(pixels: &mut Pixmap, font: &FontRef<'_>, (x, y): (f32, f32), anchor: Anchor, word: &str) {
    // A font's scale is the height from ascent to descent; sizes are those of the em square.
    let per_em = font.height_unscaled() / font.units_per_em().unwrap_or(1000.0);
    let scaled = font.as_scaled(PxScale::from(WORDS * SCALE * per_em));
    let length: f32 = word.chars().map(|letter| scaled.h_advance(scaled.glyph_id(letter))).sum();
    let before = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5 * length,
        Anchor::End => length,
    };
    let mut at = x * SCALE - before;
    for letter in word.chars() {
        let id = scaled.glyph_id(letter);
        let glyph = id.with_scale_and_position(scaled.scale(), point(at, y * SCALE));
        at += scaled.h_advance(id);
        let Some(outline) = scaled.outline_glyph(glyph) else { continue };
        let corner = outline.px_bounds().min;
        outline.draw(|x, y, cover| blend(pixels, corner.x as i32 + x as i32, corner.y as i32 + y as i32, cover));
    }
}

/// Mixes ink into a pixel, if there is one.
fn blend(pixels: &mut Pixmap, x: i32, y: i32, cover: f32) {
    let (width, height) = (pixels.width() as i32, pixels.height() as i32);
    if !(0..width).contains(&x) || !(0..height).contains(&y) {
        return;
    }
    let pixel = &mut pixels.pixels_mut()[(y * width + x) as usize];
    let mix =
        |old: u8, new: u8| (f32::from(old) + (f32::from(new) - f32::from(old)) * cover.clamp(0.0, 1.0)).round() as u8;
    let [r, g, b] = INK;
    let mixed = PremultipliedColorU8::from_rgba(mix(pixel.red(), r), mix(pixel.green(), g), mix(pixel.blue(), b), 255);
    *pixel = mixed.unwrap_or(*pixel);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: both forms have the area in its colour; words cannot break the SVG.
    #[test]
    fn plots_are_drawn() {
        let mut plot = Plot::new("a < b & c", (0.0, 1.0), (0.0, 1.0));
        plot.tick_x(0.5, "half");
        plot.tick_y(0.5, "half");
        plot.area(&[(0.0, 1.0), (1.0, 1.0)], 0.0, [200, 30, 20]);
        let svg = plot.svg();
        assert!(svg.contains("a &lt; b &amp; c") && svg.contains("#c81e14") && svg.ends_with("</svg>\n"));
        let picture = image::load_from_memory(&plot.png().unwrap()).unwrap().to_rgb8();
        assert_eq!(picture.dimensions(), (1920, 840));
        assert_eq!(picture.get_pixel(960, 420).0, [200, 30, 20]);
    }
}
