//! What does the display show, and what does it hear from the window?

use bevy_ecs::resource::Resource;

use crate::gazetteer::Found;

/// What is open.
#[derive(Resource, Debug, Clone, Default)]
pub struct Hud {
    /// Which figures are shown.
    pub figures: Figures,
    /// The lines of figures of this frame.
    pub lines: Vec<String>,
    /// Seconds of the recording under way.
    pub recording_s: Option<f64>,
    /// The list of keys.
    pub help: bool,
    /// The panel of settings and times.
    pub panel: bool,
    /// The field for a place.
    pub goto: Option<GoTo>,
    /// A message, and the seconds it stays.
    pub message: Option<(String, f64)>,
}

/// The figures at the lower edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Figures {
    /// None.
    Off,
    /// Place, heights, rate, and what lies under the cursor.
    #[default]
    Place,
    /// Also where the time of a frame goes.
    Times,
}

impl Figures {
    /// As in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Figures::Off => "off",
            Figures::Place => "place",
            Figures::Times => "times",
        }
    }

    /// Those of a name; those of a start without settings where it is none.
    pub fn named(name: Option<&str>) -> Figures {
        [Figures::Off, Figures::Place, Figures::Times].into_iter().find(|f| Some(f.name()) == name).unwrap_or_default()
    }

    /// What the next press of the key shows.
    pub fn next(self) -> Figures {
        match self {
            Figures::Off => Figures::Place,
            Figures::Place => Figures::Times,
            Figures::Times => Figures::Off,
        }
    }
}

/// The field for a place.
#[derive(Debug, Clone, Default)]
pub struct GoTo {
    /// What is typed.
    pub text: String,
    /// Why it is no place.
    pub error: Option<String>,
    /// Names that fit it.
    pub offered: Vec<Found>,
    /// Which of them Enter takes.
    pub chosen: usize,
}

impl Hud {
    /// Shows a message for some seconds.
    pub fn say(&mut self, message: impl Into<String>) {
        self.message = Some((message.into(), 5.0));
    }
}

/// What egui hears in this frame.
#[derive(Resource, Default)]
pub struct HudInput(pub egui::RawInput);

/// What egui wants from the window after this frame.
#[derive(Resource, Default)]
pub struct HudOutput {
    /// Cursor, clipboard, open links.
    pub platform: egui::PlatformOutput,
    /// Whether egui or a label moves and wants another frame.
    pub repaint: bool,
    /// Whether something of the display is being typed into.
    pub typing: bool,
}
