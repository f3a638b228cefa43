//! What makes the window easier for some eyes and hands? Choices of the user's, which the settings keep.

use bevy_ecs::resource::Resource;

use crate::theme::Theme;

/// How the window moves, how large its text is, and whether that is light on dark.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Accessibility {
    /// The camera moves only as long as a hand moves it: views are jumped to, and nothing glides on. Paths, which are asked for, are flown.
    pub reduced_motion: bool,
    /// How many times as large text and buttons are, within [`foreign::settings`]' bounds.
    pub text_scale: f64,
    /// Whether boxes are dark or light.
    pub theme: Theme,
}

impl Default for Accessibility {
    fn default() -> Accessibility {
        Accessibility { reduced_motion: false, text_scale: 1.0, theme: Theme::default() }
    }
}

impl Accessibility {
    /// What settings have kept.
    pub fn of(kept: &foreign::settings::Settings) -> Accessibility {
        let usual = Accessibility::default();
        Accessibility {
            reduced_motion: kept.reduced_motion.unwrap_or(usual.reduced_motion),
            text_scale: kept.text_scale.unwrap_or(usual.text_scale),
            theme: Theme::named(kept.theme.as_deref()),
        }
    }

    /// The seconds that something has for coming to rest: as good as endless where nothing is to move by itself.
    pub(crate) fn settling_s(&self, dt_s: f64) -> f64 {
        if self.reduced_motion { f64::MAX } else { dt_s }
    }
}
