//! How is a name written? By what it stands for: size, colour, a mark where the place is a point, and room above what is drawn there.

use egui::{Color32, FontId, TextFormat};
use foreign::style::Colour;
use glam::DVec2;

use super::oriented_rect::OrientedRect;
use crate::gazetteer::PlaceKind;

/// What stands at the place itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbol {
    /// Nothing: the name lies over the middle of something large.
    None,
    Dot,
    Triangle,
}

/// The look of names of a kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub ink: Color32,
    pub rim: Color32,
    pub mark: Symbol,
    pub mark_ink: Color32,
    /// Half of the mark's size, points.
    pub mark_pt: f64,
    /// Half of what is drawn at the place, points, above which the text stands; 0 where it lies over the place.
    clear_pt: f64,
    /// Height of the text, points.
    text_pt: f32,
    /// Between letters, points.
    spacing_pt: f32,
    italics: bool,
    /// Width of a letter over the height of the text, about.
    letter: f64,
}

/// Half of the size of a mark of the gazetteer's, points.
const MARK_PT: f64 = 3.0;

impl Style {
    /// The look of a kind.
    pub fn of(kind: PlaceKind) -> Style {
        let rim = Color32::from_black_alpha(200);
        let point = |ink, text_pt, mark| Style {
            ink,
            rim,
            mark,
            mark_ink: ink,
            mark_pt: MARK_PT,
            clear_pt: MARK_PT,
            text_pt,
            spacing_pt: 0.0,
            italics: false,
            letter: 0.55,
        };
        let area = |ink, text_pt, spacing_pt, italics, letter| Style {
            ink,
            rim,
            mark: Symbol::None,
            mark_ink: ink,
            mark_pt: 0.0,
            clear_pt: 0.0,
            text_pt,
            spacing_pt,
            italics,
            letter,
        };
        let water = Color32::from_rgb(196, 226, 255);
        match kind {
            PlaceKind::Continent => area(Color32::from_rgb(255, 244, 214), 15.0, 4.0, false, 0.68),
            PlaceKind::Country => area(Color32::from_rgb(255, 236, 170), 12.5, 1.5, false, 0.68),
            PlaceKind::State => area(Color32::from_rgb(255, 240, 196), 12.0, 1.0, false, 0.6),
            PlaceKind::Sea => area(water, 13.0, 1.0, true, 0.56),
            PlaceKind::Lake | PlaceKind::River => area(water, 11.5, 0.0, true, 0.55),
            PlaceKind::Range | PlaceKind::Desert => area(Color32::from_rgb(255, 232, 204), 12.0, 1.5, true, 0.56),
            PlaceKind::Island => area(Color32::from_rgb(232, 240, 206), 12.0, 0.5, true, 0.56),
            PlaceKind::City | PlaceKind::Station => point(Color32::WHITE, 12.0, Symbol::Dot),
            PlaceKind::Summit => point(Color32::from_rgb(255, 222, 196), 11.5, Symbol::Triangle),
            PlaceKind::Feature => point(Color32::from_rgb(232, 240, 206), 11.5, Symbol::Dot),
            PlaceKind::Deep => point(water, 11.5, Symbol::Dot),
        }
    }

    /// The look of the label of a feature of which so much is drawn on either side of its place, points. One that is a point of some colour has a
    /// mark of it as well: what lies on the ground is a line from aside.
    pub fn of_feature(clear_pt: f64, point: Option<Colour>) -> Style {
        let city = Style::of(PlaceKind::City);
        match point {
            Some([red, green, blue, alpha]) => {
                let mark_ink = Color32::from_rgba_unmultiplied(red, green, blue, alpha);
                Style { mark_ink, mark_pt: clear_pt, clear_pt, ..city }
            }
            None => Style { mark: Symbol::None, clear_pt, ..city },
        }
    }

    /// The text's format.
    pub fn format(&self) -> TextFormat {
        TextFormat {
            font_id: FontId::proportional(self.text_pt),
            color: self.ink,
            extra_letter_spacing: self.spacing_pt,
            italics: self.italics,
            ..TextFormat::default()
        }
    }

    /// Height of the middle of the text above the place, points.
    pub fn above_pt(&self) -> f64 {
        if self.clear_pt == 0.0 { 0.0 } else { self.clear_pt + 1.0 + 0.6 * f64::from(self.text_pt) }
    }

    /// From the place down to the end of text and mark, points.
    pub fn below_pt(&self) -> f64 {
        if self.clear_pt == 0.0 { 0.6 * f64::from(self.text_pt) } else { self.clear_pt }
    }

    /// The room of so many letters over a place on the screen, with its mark.
    pub fn rect(&self, place: DVec2, letters: usize) -> OrientedRect {
        let text_pt = f64::from(self.text_pt);
        let width = letters as f64 * (self.letter * text_pt + f64::from(self.spacing_pt));
        let top = self.above_pt() + 0.6 * text_pt;
        let bottom = self.below_pt();
        OrientedRect {
            centre: place - DVec2::new(0.0, 0.5 * (top - bottom)),
            along: DVec2::X,
            half: DVec2::new(0.5 * width, 0.5 * (top + bottom)),
        }
    }
}
