//! Which colours do the boxes of the display have? Light words on dark, or dark words on light, as the user chooses. What lies on the
//! picture itself, as names of places and pins, is the same in both.

use egui::{Color32, Visuals};

/// Whether boxes are dark or light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Light words on dark boxes.
    #[default]
    Dark,
    /// Dark words on light boxes.
    Light,
}

impl Theme {
    /// All, in the order in which they are offered.
    pub const ALL: [Theme; 2] = [Theme::Dark, Theme::Light];

    /// As in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Dark => "dark",
            Theme::Light => "light",
        }
    }

    /// That of a name; dark where it is none.
    pub fn named(name: Option<&str>) -> Theme {
        Theme::ALL.into_iter().find(|theme| Some(theme.name()) == name).unwrap_or_default()
    }

    /// Has egui draw in it from now on.
    pub fn apply(self, egui: &egui::Context) {
        let theme = match self {
            Theme::Dark => egui::Theme::Dark,
            Theme::Light => egui::Theme::Light,
        };
        egui.set_theme(theme);
    }
}

/// The colours of a theme: of words, by how much they matter, and of what is drawn in boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct Palette {
    /// Headings, and the marks of a map.
    pub strong: Color32,
    /// Words.
    pub text: Color32,
    /// What a word means, and numbers of a legend.
    pub value: Color32,
    /// Numbers of a plot, and sources.
    pub quiet: Color32,
    /// What is said besides.
    pub weak: Color32,
    /// Keys, folders and names of summits.
    pub accent: Color32,
    /// What is said of ground that is tinted, and where a dragged line goes.
    pub tinted: Color32,
    /// What is free to be seen.
    pub free: Color32,
    /// What is hidden, and what is being recorded.
    pub alarm: Color32,
    /// Why something is not done.
    pub error: Color32,
    /// A field that is not typed into yet.
    pub field: Color32,
    /// The ground of a plot.
    pub plot: Color32,
    /// A bar of what is used, and of what is full.
    pub bars: [Color32; 2],
    /// Lines of a plot, told apart by people with any colour vision (after Okabe and Ito 2008).
    pub series: [Color32; 6],
    is_dark: bool,
}

static DARK: Palette = Palette {
    strong: Color32::WHITE,
    text: Color32::from_gray(235),
    value: Color32::from_gray(225),
    quiet: Color32::from_gray(200),
    weak: Color32::from_gray(170),
    accent: Color32::from_rgb(255, 214, 140),
    tinted: Color32::from_rgb(255, 176, 60),
    free: Color32::from_rgb(120, 230, 140),
    alarm: Color32::from_rgb(255, 120, 100),
    error: Color32::from_rgb(255, 150, 130),
    field: Color32::from_gray(48),
    plot: Color32::from_black_alpha(120),
    bars: [Color32::from_rgb(48, 92, 124), Color32::from_rgb(150, 60, 42)],
    series: [
        Color32::from_rgb(240, 240, 240),
        Color32::from_rgb(230, 159, 0),
        Color32::from_rgb(86, 180, 233),
        Color32::from_rgb(0, 158, 115),
        Color32::from_rgb(240, 228, 66),
        Color32::from_rgb(204, 121, 167),
    ],
    is_dark: true,
};

static LIGHT: Palette = Palette {
    strong: Color32::BLACK,
    text: Color32::from_gray(25),
    value: Color32::from_gray(40),
    quiet: Color32::from_gray(60),
    weak: Color32::from_gray(85),
    accent: Color32::from_rgb(115, 68, 0),
    tinted: Color32::from_rgb(145, 75, 0),
    free: Color32::from_rgb(0, 105, 45),
    alarm: Color32::from_rgb(170, 25, 15),
    error: Color32::from_rgb(170, 25, 15),
    field: Color32::from_gray(222),
    plot: Color32::from_black_alpha(12),
    bars: [Color32::from_rgb(150, 200, 235), Color32::from_rgb(250, 185, 165)],
    series: [
        Color32::from_rgb(40, 40, 40),
        Color32::from_rgb(155, 90, 0),
        Color32::from_rgb(0, 105, 165),
        Color32::from_rgb(0, 115, 84),
        Color32::from_rgb(98, 108, 0),
        Color32::from_rgb(160, 65, 115),
    ],
    is_dark: false,
};

/// A light box is at least so opaque: words on it are read over a picture of the night.
const LEAST_OPACITY_OF_LIGHT: u8 = 225;

impl Palette {
    /// That of what is laid out with some visuals of egui.
    pub fn of(visuals: &Visuals) -> &'static Palette {
        if visuals.dark_mode { &DARK } else { &LIGHT }
    }

    /// The ground of a box over the picture, that is so opaque where it is dark.
    pub fn ground(&self, opacity: u8) -> Color32 {
        match self.is_dark {
            true => Color32::from_black_alpha(opacity),
            false => Color32::from_white_alpha(opacity.max(LEAST_OPACITY_OF_LIGHT)),
        }
    }

    /// Lines and areas on that ground that let it through.
    pub fn veil(&self, opacity: u8) -> Color32 {
        if self.is_dark { Color32::from_white_alpha(opacity) } else { Color32::from_black_alpha(opacity) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Least contrast of words (WCAG 2.2, 1.4.3).
    const LEAST_CONTRAST: f64 = 4.5;
    /// A dark box is at least so opaque.
    const LEAST_OPACITY: u8 = 150;

    /// What is seen of a colour over an opaque one: egui's are premultiplied, and mixed as they are stored.
    fn over(top: Color32, below: Color32) -> Color32 {
        let left = 255 - u32::from(top.a());
        let mixed = [0, 1, 2].map(|k| {
            let (top, below) = (u32::from(top.to_array()[k]), u32::from(below.to_array()[k]));
            (top + (below * left + 127) / 255).min(255) as u8
        });
        Color32::from_rgb(mixed[0], mixed[1], mixed[2])
    }

    /// Relative luminance, by WCAG 2.2.
    fn luminance(colour: Color32) -> f64 {
        let linear = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let [red, green, blue, _] = colour.to_array();
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(one: Color32, other: Color32) -> f64 {
        let [one, other] = [one, other].map(|colour| luminance(colour) + 0.05);
        (one / other).max(other / one)
    }

    /// Both, with what egui has of them.
    fn themes() -> [(&'static Palette, Visuals); 2] {
        [Visuals::dark(), Visuals::light()].map(|visuals| (Palette::of(&visuals), visuals))
    }

    fn words(palette: &Palette) -> [(&'static str, Color32); 10] {
        let Palette { strong, text, value, quiet, weak, accent, tinted, free, alarm, error, .. } = *palette;
        [
            ("strong", strong),
            ("text", text),
            ("value", value),
            ("quiet", quiet),
            ("weak", weak),
            ("accent", accent),
            ("tinted", tinted),
            ("free", free),
            ("alarm", alarm),
            ("error", error),
        ]
    }

    /// Law: words stand out from the box that they are in, over lit ground where it is dark and over any picture where it is light.
    #[test]
    fn words_stand_out_from_boxes() {
        assert!((contrast(Color32::WHITE, Color32::BLACK) - 21.0).abs() < 1e-9);
        assert!((contrast(Color32::from_gray(119), Color32::WHITE) - 4.48).abs() < 0.01);
        for (palette, _) in themes() {
            let pictures = if palette.is_dark { [0, 128].as_slice() } else { &[0, 128, 255] };
            for picture in pictures {
                for opacity in [LEAST_OPACITY, 190, 245] {
                    let ground = over(palette.ground(opacity), Color32::from_gray(*picture));
                    for (name, colour) in words(palette) {
                        let told = contrast(colour, ground);
                        assert!(told >= LEAST_CONTRAST, "{name}, {opacity} over {picture}: {told:.2}");
                    }
                }
            }
        }
    }

    /// Law: words stand out from the windows of egui too, from what is chosen there, from fields, plots and bars.
    #[test]
    fn words_stand_out_in_windows() {
        for (palette, visuals) in themes() {
            let window = visuals.window_fill;
            let of_series = palette.series.map(|colour| ("series", colour));
            let of_egui = [("egui's", visuals.text_color()), ("button", visuals.widgets.inactive.text_color())];
            for (name, colour) in words(palette).into_iter().chain(of_series).chain(of_egui) {
                let told = contrast(colour, window);
                assert!(told >= LEAST_CONTRAST, "{name} in a window, dark: {}: {told:.2}", palette.is_dark);
            }
            let chosen = visuals.selection.bg_fill;
            let on_bars = palette.bars.map(|bar| ("on a bar", visuals.selection.stroke.color, bar));
            let pairs = [
                ("a chosen file", palette.text, chosen),
                ("a chosen folder", palette.accent, chosen),
                ("the field", palette.weak, palette.field),
                ("a plot", palette.weak, over(palette.plot, window)),
                ("beside a bar", visuals.selection.stroke.color, visuals.extreme_bg_color),
            ];
            for (name, colour, ground) in pairs.into_iter().chain(on_bars) {
                let told = contrast(colour, ground);
                assert!(told >= LEAST_CONTRAST, "{name}, dark: {}: {told:.2}", palette.is_dark);
            }
        }
    }

    /// Law: a theme is found by its name, egui draws in it once it is applied, and boxes are dark where nothing is said.
    #[test]
    fn themes_have_names() {
        assert_eq!(Theme::ALL.map(|theme| Theme::named(Some(theme.name()))), Theme::ALL);
        assert_eq!([None, Some("sepia")].map(Theme::named), [Theme::Dark; 2]);
        let egui = egui::Context::default();
        for theme in [Theme::Light, Theme::Dark] {
            theme.apply(&egui);
            let mut is_dark = None;
            let mut output = egui.run_ui(egui::RawInput::default(), |ui| is_dark = Some(ui.visuals().dark_mode));
            output.textures_delta.clear();
            assert_eq!(is_dark, Some(theme == Theme::Dark));
        }
    }
}
