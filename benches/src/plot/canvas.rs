//! What does a chart need of a drawing surface?

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// Hues that tell series apart, on white.
#[expect(missing_docs, reason = "the names say it")]
impl Colour {
    pub const GREY: Self = Self(0x77, 0x77, 0x77);
    pub const BLUE: Self = Self(0x1f, 0x6f, 0xb4);
    pub const GREEN: Self = Self(0x16, 0x93, 0x4a);
    pub const ORANGE: Self = Self(0xd9, 0x73, 0x0d);
    pub const PURPLE: Self = Self(0x8e, 0x44, 0xad);
    pub const RED: Self = Self(0xc0, 0x39, 0x2b);
    pub const TEAL: Self = Self(0x0b, 0x8a, 0x8f);
    pub const BROWN: Self = Self(0x7a, 0x55, 0x30);
    pub const PINK: Self = Self(0xd4, 0x4a, 0x8c);
}

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
