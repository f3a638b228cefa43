//! What does a chart need of a drawing surface?

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// Which point of a text its position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Left end of the baseline.
    Start,
    /// Middle of the baseline.
    Middle,
    /// Right end of the baseline.
    End,
}

/// A surface with y downwards, in pixels of a picture of the chart's nominal size.
pub trait Canvas {
    /// Lines from point to point.
    fn polyline(&mut self, points: &[(f32, f32)], colour: Colour, width: f32, dash: &[f32]);
    /// A filled circle.
    fn dot(&mut self, centre: (f32, f32), radius: f32, colour: Colour);
    /// One line of text.
    fn text(&mut self, at: (f32, f32), size: f32, anchor: Anchor, colour: Colour, text: &str);
}
