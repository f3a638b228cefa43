//! Which key or button does what? One table for the code, the help overlay, `--help` and the tests.

mod table;

use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use crate::overlays::Overlays;
pub use table::{GROUPS, bindings};

/// What a user can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Drag the globe under the cursor.
    Pan,
    /// Come closer to the point under the cursor, or go away from it.
    Zoom,
    /// Swing around the point in the middle of the picture.
    Orbit,
    /// Turn the head.
    Look,
    /// Fly along the line of sight.
    Forward,
    /// Fly backwards.
    Back,
    /// Fly to the left.
    Left,
    /// Fly to the right.
    Right,
    /// Rise.
    Up,
    /// Sink.
    Down,
    /// Fly five times as fast.
    Fast,
    /// Fly to the place under the cursor, a part of the way.
    FlyCloser,
    /// Move the view up, as a map.
    PanUp,
    /// Move the view down, as a map.
    PanDown,
    /// Move the view to the left, as a map.
    PanLeft,
    /// Move the view to the right, as a map.
    PanRight,
    /// Come closer to the middle of the picture.
    ZoomIn,
    /// Go away from it.
    ZoomOut,
    /// Tilt the view up, towards the horizon.
    TiltUp,
    /// Tilt the view down, towards what lies below.
    TiltDown,
    /// Fly with a gamepad.
    PadFly,
    /// Turn the head with a gamepad.
    PadLook,
    /// Open the field for a place to fly to.
    GoTo,
    /// Fly to the first view.
    Home,
    /// Turn north to the top.
    NorthUp,
    /// Look straight down, or tilted again.
    TopDown,
    /// Look straight down with north up, or as before again.
    MapView,
    /// Show what is seen from the place under the cursor.
    SeenFrom,
    /// Show or hide the skyline around the eye.
    ToggleSkyline,
    /// Say how two places are measured.
    Measure,
    /// Open the menu of a place.
    PlaceMenu,
    /// Show or hide what is drawn on the ground.
    ToggleLayers,
    /// Show or hide where the sun stands.
    ToggleSun,
    /// Let the time of day play, or stop it.
    PlayTime,
    /// Set the time an hour back.
    Earlier,
    /// Set the time an hour forward.
    Later,
    /// Stop what moves by itself, or let it go on.
    Pause,
    /// Fly to the view before the last jump.
    ViewBack,
    /// Fly to the view that the last step back left.
    ViewForward,
    /// Copy the view as a command line.
    CopyView,
    /// Keep the view as a bookmark.
    KeepView,
    /// Mark the ground under the cursor.
    DropMarker,
    /// Mark it as the next place of a path.
    ExtendPath,
    /// Take the last marker away.
    RemoveMarker,
    /// Save the markers, or without any the placemarks.
    SaveMarkers,
    /// Open the window in which files are chosen.
    OpenFiles,
    /// Choose the file above in the list of layers.
    LayerAbove,
    /// Choose the file below.
    LayerBelow,
    /// Put the chosen file above its neighbour.
    RaiseLayer,
    /// Put it below its neighbour.
    LowerLayer,
    /// Fly to where all of it is seen.
    ShowLayer,
    /// Hide it, or show it again.
    HideLayer,
    /// Take it out of the scene.
    RemoveLayer,
    /// Save the scene and the view as a file.
    SaveScene,
    /// Begin to record the flight, or end it.
    Record,
    /// Fly the recorded path.
    Replay,
    /// Keep the mesh as it is while the camera moves.
    FreezeMesh,
    /// Draw something on the ground, or no longer.
    Overlays(Overlays),
    /// Tint heights by the next ramp.
    NextRamp,
    /// Show the mesh in place of the ground: depth, tiles, distance and sources, and the ground again.
    NextView,
    /// Tolerate less error: more triangles.
    Finer,
    /// Tolerate more error: fewer triangles.
    Coarser,
    /// Fill the screen, or go back to a window.
    FullScreen,
    /// Show figures, figures and times, or neither.
    ToggleHud,
    /// Show or hide the list of keys.
    ToggleHelp,
    /// Show or hide the panel of settings and times.
    TogglePanel,
    /// Save a picture of what is on screen.
    Screenshot,
    /// Save a picture of the scene alone.
    BareScreenshot,
    /// Close what is open; if nothing is, ask whether the program shall end, and end it when asked again.
    Leave,
    /// Yes.
    Confirm,
}

/// What the user touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// A key, by its place on the keyboard (US names).
    Key(KeyCode),
    /// A key that types a sign, wherever the keyboard has it.
    Sign(char),
    /// A key with a modifier and no other: a letter, wherever the keyboard has it, or a key by its place.
    Chord(Modifier, KeyCode),
    /// A button pressed and released in one place.
    Click(MouseButton),
    /// The same with Shift.
    ShiftClick(MouseButton),
    /// The same twice, soon after each other.
    DoubleClick(MouseButton),
    /// A button held while the mouse moves, with or without Ctrl.
    Drag(MouseButton, Ctrl),
    /// The wheel.
    Wheel,
    /// A part of a gamepad.
    Pad(PadPart),
    /// Fingers on the screen.
    Touch(TouchPart),
}

/// What of a gamepad is touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PadPart {
    /// The left stick, the triggers and the shoulders.
    LeftStickAndTriggers,
    /// The right stick.
    RightStick,
}

/// What fingers do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TouchPart {
    /// One moves.
    Drag,
    /// One touches the screen twice, soon after each other.
    DoubleTap,
    /// One touches it.
    Tap,
    /// One stays.
    LongPress,
    /// Two move apart or together.
    Pinch,
    /// Two turn, or move up or down together.
    Twist,
}

/// What is held while a key is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modifier {
    /// Ctrl; Command on macOS.
    Ctrl,
    /// Ctrl, or Command, and Shift.
    CtrlShift,
    /// Alt.
    Alt,
}

/// Whether Ctrl has to be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ctrl {
    /// Has to be up.
    Up,
    /// Has to be held.
    Held,
    /// Does not matter.
    Either,
}

/// A line of the table.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// What happens.
    pub action: Action,
    /// What makes it happen; any of them.
    pub triggers: &'static [Trigger],
    /// What a person presses.
    pub keys: &'static str,
    /// What it does, for people.
    pub does: &'static str,
}

/// The letters of a US keyboard, from A.
pub(super) const LETTERS: [KeyCode; 26] = {
    use KeyCode::*;
    [
        KeyA, KeyB, KeyC, KeyD, KeyE, KeyF, KeyG, KeyH, KeyI, KeyJ, KeyK, KeyL, KeyM, KeyN, KeyO, KeyP, KeyQ, KeyR,
        KeyS, KeyT, KeyU, KeyV, KeyW, KeyX, KeyY, KeyZ,
    ]
};
/// The digits above them, from 0.
pub(super) const DIGITS: [KeyCode; 10] = {
    use KeyCode::*;
    [Digit0, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9]
};

/// The key that types a letter on a US keyboard.
pub(super) fn letter_key(letter: char) -> Option<KeyCode> {
    let place = u32::from(letter.to_ascii_lowercase()).checked_sub(u32::from('a'))?;
    LETTERS.get(place as usize).copied()
}

impl Action {
    /// Its name in the settings.
    pub fn name(self) -> String {
        if let Action::Overlays(one) = self {
            let unnamed = [
                (Overlays::WATER, "water"),
                (Overlays::PICTURES, "pictures"),
                (Overlays::VECTORS, "vectors"),
                (Overlays::SHADOWS, "shadows"),
            ];
            let of_option = unnamed.into_iter().find(|(overlay, _)| *overlay == one).map(|(_, name)| name);
            return format!("show_{}", of_option.unwrap_or(one.name()));
        }
        let mut name = String::new();
        for sign in format!("{self:?}").chars() {
            if sign.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(sign.to_ascii_lowercase());
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_trigger_means_two_things() {
        for (i, a) in bindings().enumerate() {
            for b in bindings().skip(i + 1) {
                assert_ne!(a.action, b.action, "{:?} has two lines", a.action);
                for trigger in a.triggers {
                    assert!(!b.triggers.contains(trigger), "{trigger:?} is bound twice");
                }
            }
        }
    }

    #[test]
    fn the_words_name_the_keys() {
        for binding in bindings() {
            for trigger in binding.triggers {
                if let Trigger::Sign(sign) = trigger {
                    assert!(binding.keys.split([' ', ',']).any(|word| word == sign.to_string()), "{sign}");
                }
                if let Trigger::Key(code) | Trigger::Chord(_, code) = trigger {
                    let name = format!("{code:?}");
                    let bare = name
                        .trim_start_matches("Key")
                        .trim_start_matches("Digit")
                        .trim_end_matches("Left")
                        .trim_end_matches("Right");
                    let bare = match (bare, code) {
                        ("Escape", _) => "Esc",
                        ("ContextMenu", _) => "Menu",
                        (_, KeyCode::ArrowUp | KeyCode::ArrowDown | KeyCode::ArrowLeft | KeyCode::ArrowRight) => {
                            "Arrow"
                        }
                        ("PageUp" | "PageDown", _) => "Page",
                        ("NumpadEnter", _) => "Enter",
                        (_, KeyCode::BracketLeft) => "[",
                        (_, KeyCode::BracketRight) => "]",
                        _ => bare,
                    };
                    assert!(binding.keys.contains(bare), "{name} is not in \"{}\"", binding.keys);
                }
            }
        }
    }

    #[test]
    fn letters_have_their_keys() {
        assert_eq!(
            (letter_key('A'), letter_key('z'), letter_key('1')),
            (Some(KeyCode::KeyA), Some(KeyCode::KeyZ), None)
        );
    }

    /// Law: the guide has a row for the key and for the name of each overlay.
    #[test]
    fn the_guide_names_every_overlay() {
        let guide = include_str!("../../guide/layers.md");
        let rows: Vec<&str> = guide.lines().filter(|line| line.starts_with("| `")).collect();
        for row in Overlays::TABLE {
            let named = row.name.map(|name| format!("`{name}`"));
            let key = row.key.map(|key| format!("| `{key}` |"));
            let tells = |line: &&str| {
                key.as_ref().is_none_or(|key| line.starts_with(key))
                    && named.as_ref().is_none_or(|name| line.contains(name))
            };
            let silent = key.is_none() && named.is_none();
            assert!(silent || rows.iter().any(tells), "{row:?} has no row in viewer/guide/layers.md");
        }
        assert!(Overlays::TABLE.iter().any(|row| row.overlay == Overlays::ASPECT && row.key == Some("8")));
    }

    /// Law: every key that the documents name does something.
    #[test]
    fn the_documents_name_keys_that_exist() {
        let known = |key: &str| bindings().any(|b| b.keys == key || b.keys.split([' ', ',']).any(|word| word == key));
        let is_key = |word: &str| {
            let mut chars = word.chars();
            let first = chars.next();
            let rest = chars.as_str();
            match first {
                Some('F') if !rest.is_empty() => rest.parse::<u8>().is_ok(),
                Some(c) if rest.is_empty() => c.is_ascii_uppercase() || c.is_ascii_digit() || "[]/=+-<>".contains(c),
                _ => {
                    let chord = word.split_once('+').is_some_and(|(modifier, _)| ["Ctrl", "Alt"].contains(&modifier));
                    chord
                        || ["Tab", "Esc", "Backspace", "Delete", "Enter", "Space", "Page Up", "Page Down"]
                            .contains(&word)
                }
            }
        };
        let mut named = 0;
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let documents =
            ["../README.md", "GUIDE.md", "guide/fly.md", "guide/layers.md", "guide/capture.md", "guide/bench.md"];
        for document in documents {
            let text = std::fs::read_to_string(folder.join(document)).expect("a document");
            for word in text.split('`').skip(1).step_by(2).filter(|word| is_key(word)) {
                assert!(known(word), "`{word}` is no key");
                named += 1;
            }
        }
        assert!(named > 25, "{named}");
    }
}
