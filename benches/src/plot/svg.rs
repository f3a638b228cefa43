//! A canvas that writes SVG.

use std::fmt::Write as _;

use super::canvas::{Anchor, Canvas, Colour};

/// An SVG document in the making.
pub struct Svg(String);

impl Svg {
    /// A white picture.
    pub fn new(width: f32, height: f32) -> Self {
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"Ubuntu, Helvetica, Arial, sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
        ))
    }

    /// The document.
    pub fn finish(self) -> String {
        self.0 + "</svg>\n"
    }

    /// Appends one element; writing into a string does not fail.
    fn element(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.0, "{element}");
    }
}

fn hex(Colour(r, g, b): Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

impl Canvas for Svg {
    fn polyline(&mut self, points: &[(f32, f32)], colour: Colour, width: f32, dash: &[f32]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dash: Vec<String> = dash.iter().map(f32::to_string).collect();
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", dash.join(" ")) };
        let (points, colour) = (points.join(" "), hex(colour));
        self.element(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>"
        ));
    }

    fn dot(&mut self, (x, y): (f32, f32), radius: f32, colour: Colour) {
        self.element(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{}\"/>", hex(colour)));
    }

    fn text(&mut self, (x, y): (f32, f32), size: f32, anchor: Anchor, colour: Colour, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let colour = hex(colour);
        self.element(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>"
        ));
    }
}
