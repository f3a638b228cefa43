//! Which keys and buttons are there, in which order, under which heading, and in which words? The table.

use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use super::{Action, Binding, Ctrl, DIGITS, LETTERS, Modifier, PadPart, TouchPart, Trigger};
use crate::overlays::Overlays;

/// Bindings of one kind.
#[derive(Debug, Clone, Copy)]
pub struct BindingGroup {
    /// What they are for, in a word or two.
    pub heading: &'static str,
    /// They, in the order in which help shows them.
    pub bindings: &'static [Binding],
}

/// Every binding, in the order in which help shows them.
pub const GROUPS: &[BindingGroup] = &[
    BindingGroup { heading: "Move", bindings: MOVE },
    BindingGroup { heading: "Look", bindings: LOOK },
    BindingGroup { heading: "Search and come back", bindings: SEARCH },
    BindingGroup { heading: "Measure", bindings: MEASURE },
    BindingGroup { heading: "Files and layers", bindings: LAYERS },
    BindingGroup { heading: "Draw", bindings: DRAW },
    BindingGroup { heading: "Colours and detail", bindings: COLOURS },
    BindingGroup { heading: "Sun and time", bindings: SUN },
    BindingGroup { heading: "Pictures and flights", bindings: PICTURES },
    BindingGroup { heading: "Window", bindings: WINDOW },
];

/// Every binding, one group after the other.
pub fn bindings() -> impl Iterator<Item = &'static Binding> {
    GROUPS.iter().flat_map(|group| group.bindings)
}

const fn line(action: Action, triggers: &'static [Trigger], keys: &'static str, does: &'static str) -> Binding {
    Binding { action, triggers, keys, does }
}

const MOVE: &[Binding] = &[
    line(
        Action::Pan,
        &[Trigger::Drag(MouseButton::Left, Ctrl::Up), Trigger::Touch(TouchPart::Drag)],
        "Left drag or one finger",
        "move the globe under the cursor",
    ),
    line(Action::Zoom, &[Trigger::Wheel, Trigger::Touch(TouchPart::Pinch)], "Wheel or pinch", "zoom to the cursor"),
    line(
        Action::FlyCloser,
        &[Trigger::DoubleClick(MouseButton::Left), Trigger::Touch(TouchPart::DoubleTap)],
        "Double click or tap",
        "fly closer to the place under the cursor",
    ),
    line(Action::PanUp, &[Trigger::Key(KeyCode::ArrowUp)], "Arrow Up", "move the view up"),
    line(Action::PanDown, &[Trigger::Key(KeyCode::ArrowDown)], "Arrow Down", "move the view down"),
    line(Action::PanLeft, &[Trigger::Key(KeyCode::ArrowLeft)], "Arrow Left", "move the view to the left"),
    line(Action::PanRight, &[Trigger::Key(KeyCode::ArrowRight)], "Arrow Right", "move the view to the right"),
    line(Action::ZoomIn, &[Trigger::Sign('+'), Trigger::Sign('=')], "+ or =", "come closer"),
    line(Action::ZoomOut, &[Trigger::Sign('-')], "-", "go away"),
    line(Action::Forward, &[Trigger::Key(KeyCode::KeyW)], "W", "fly forward"),
    line(Action::Back, &[Trigger::Key(KeyCode::KeyS)], "S", "fly backward"),
    line(Action::Left, &[Trigger::Key(KeyCode::KeyA)], "A", "fly left"),
    line(Action::Right, &[Trigger::Key(KeyCode::KeyD)], "D", "fly right"),
    line(Action::Up, &[Trigger::Key(KeyCode::KeyE)], "E", "rise"),
    line(Action::Down, &[Trigger::Key(KeyCode::KeyQ)], "Q", "sink"),
    line(
        Action::Fast,
        &[Trigger::Key(KeyCode::ShiftLeft), Trigger::Key(KeyCode::ShiftRight)],
        "Shift",
        "five times as fast",
    ),
    line(
        Action::PadFly,
        &[Trigger::Pad(PadPart::LeftStickAndTriggers)],
        "Left stick, triggers",
        "fly with a gamepad (Linux); shoulders are fast",
    ),
    line(Action::Pause, &[Trigger::Key(KeyCode::Space)], "Space", "stop a flight or a glide, and go on"),
];

const LOOK: &[Binding] = &[
    line(
        Action::Orbit,
        &[
            Trigger::Drag(MouseButton::Middle, Ctrl::Either),
            Trigger::Drag(MouseButton::Left, Ctrl::Held),
            Trigger::Touch(TouchPart::Twist),
        ],
        "Middle or Ctrl+left drag, two fingers",
        "orbit around the middle of the picture, or of the fingers",
    ),
    line(Action::Look, &[Trigger::Drag(MouseButton::Right, Ctrl::Either)], "Right drag", "look around"),
    line(Action::TiltUp, &[Trigger::Key(KeyCode::PageUp)], "Page Up", "tilt the view up, to the horizon"),
    line(Action::TiltDown, &[Trigger::Key(KeyCode::PageDown)], "Page Down", "tilt the view down"),
    line(Action::NorthUp, &[Trigger::Key(KeyCode::KeyN)], "N", "north up"),
    line(Action::TopDown, &[Trigger::Key(KeyCode::KeyU)], "U", "look straight down, or tilted again"),
    line(
        Action::MapView,
        &[Trigger::Chord(Modifier::Ctrl, KeyCode::KeyU)],
        "Ctrl+U",
        "2D: a map, north up; 3D: as before",
    ),
    line(Action::PadLook, &[Trigger::Pad(PadPart::RightStick)], "Right stick", "look around with a gamepad (Linux)"),
];

const SEARCH: &[Binding] = &[
    line(
        Action::GoTo,
        &[Trigger::Key(KeyCode::KeyG), Trigger::Sign('/'), Trigger::Chord(Modifier::Ctrl, KeyCode::KeyF)],
        "G, / or Ctrl+F",
        "search a place by name or coordinates",
    ),
    line(
        Action::PlaceMenu,
        &[
            Trigger::Click(MouseButton::Right),
            Trigger::Touch(TouchPart::LongPress),
            Trigger::Key(KeyCode::ContextMenu),
            Trigger::Chord(Modifier::Ctrl, KeyCode::KeyM),
        ],
        "Right click, long press, Menu or Ctrl+M",
        "menu of the place: coordinates, fly there, measure",
    ),
    line(
        Action::Home,
        &[Trigger::Key(KeyCode::KeyH), Trigger::Key(KeyCode::Home)],
        "H or Home",
        "back to the first view",
    ),
    line(
        Action::ViewBack,
        &[Trigger::Chord(Modifier::Alt, KeyCode::ArrowLeft)],
        "Alt+ArrowLeft",
        "back to the view before the last jump",
    ),
    line(Action::ViewForward, &[Trigger::Chord(Modifier::Alt, KeyCode::ArrowRight)], "Alt+ArrowRight", "forward again"),
    line(
        Action::KeepView,
        &[Trigger::Chord(Modifier::Ctrl, KeyCode::KeyD)],
        "Ctrl+D",
        "keep the view as a bookmark; the search lists it",
    ),
    line(
        Action::CopyView,
        &[Trigger::Chord(Modifier::Ctrl, KeyCode::KeyC)],
        "Ctrl+C",
        "copy the view as a command line",
    ),
];

const MEASURE: &[Binding] = &[
    line(Action::Measure, &[Trigger::Key(KeyCode::KeyM)], "M", "measure anew: two clicks follow"),
    line(
        Action::DropMarker,
        &[Trigger::Click(MouseButton::Left), Trigger::Touch(TouchPart::Tap)],
        "Left click or tap",
        "drop a marker; a second one measures, a third begins anew",
    ),
    line(
        Action::ExtendPath,
        &[Trigger::ShiftClick(MouseButton::Left)],
        "Shift+left click",
        "go on with a path; at its first marker, close it to an area",
    ),
    line(
        Action::RemoveMarker,
        &[
            Trigger::Key(KeyCode::Backspace),
            Trigger::Key(KeyCode::Delete),
            Trigger::Chord(Modifier::Ctrl, KeyCode::KeyZ),
        ],
        "Ctrl+Z, Backspace or Delete",
        "take the last marker away",
    ),
    line(
        Action::SaveMarkers,
        &[Trigger::Chord(Modifier::Ctrl, KeyCode::KeyS)],
        "Ctrl+S",
        "save the markers and their path",
    ),
    line(Action::SeenFrom, &[Trigger::Key(KeyCode::KeyI)], "I", "what is seen from under the cursor; held, it follows"),
    line(Action::ToggleSkyline, &[Trigger::Key(KeyCode::KeyK)], "K", "the skyline around the eye, with its summits"),
];

const LAYERS: &[Binding] = &[
    line(
        Action::OpenFiles,
        &[Trigger::Chord(Modifier::Ctrl, KeyCode::KeyO)],
        "Ctrl+O",
        "open files: elevation, pictures, vector data, scenes",
    ),
    line(Action::ToggleLayers, &[Trigger::Key(KeyCode::F3)], "F3", "what is drawn on the ground"),
    line(
        Action::LayerAbove,
        &[Trigger::Chord(Modifier::Ctrl, KeyCode::ArrowUp)],
        "Ctrl+ArrowUp",
        "choose the layer above, in the list of layers",
    ),
    line(
        Action::LayerBelow,
        &[Trigger::Chord(Modifier::Ctrl, KeyCode::ArrowDown)],
        "Ctrl+ArrowDown",
        "choose the layer below",
    ),
    line(
        Action::RaiseLayer,
        &[Trigger::Chord(Modifier::CtrlShift, KeyCode::ArrowUp)],
        "Ctrl+Shift+ArrowUp",
        "put the chosen layer above its neighbour",
    ),
    line(
        Action::LowerLayer,
        &[Trigger::Chord(Modifier::CtrlShift, KeyCode::ArrowDown)],
        "Ctrl+Shift+ArrowDown",
        "put the chosen layer below its neighbour",
    ),
    line(
        Action::ShowLayer,
        &[Trigger::Chord(Modifier::Ctrl, KeyCode::Home)],
        "Ctrl+Home",
        "fly to where all of the chosen layer is seen",
    ),
    line(
        Action::HideLayer,
        &[Trigger::Chord(Modifier::Ctrl, KeyCode::KeyH)],
        "Ctrl+H",
        "hide the chosen layer, or show it again",
    ),
    line(
        Action::RemoveLayer,
        &[Trigger::Chord(Modifier::Ctrl, KeyCode::Delete)],
        "Ctrl+Delete",
        "take the chosen layer away",
    ),
    line(
        Action::SaveScene,
        &[Trigger::Chord(Modifier::CtrlShift, KeyCode::KeyS)],
        "Ctrl+Shift+S",
        "save files, choices and view as a scene",
    ),
];

const DRAW: &[Binding] = &{
    let mut all = [of_overlay(0); KEYED];
    let mut at = 0;
    while at < all.len() {
        all[at] = of_overlay(at);
        at += 1;
    }
    all
};

const COLOURS: &[Binding] = &[
    line(Action::NextRamp, &[Trigger::Key(KeyCode::Digit9)], "9", "other colours of heights"),
    line(Action::NextView, &[Trigger::Key(KeyCode::Digit0)], "0", "the mesh by depth, tiles, distance, sources"),
    line(Action::Finer, &[Trigger::Key(KeyCode::BracketLeft)], "[", "finer ground: smaller error, more triangles"),
    line(Action::Coarser, &[Trigger::Key(KeyCode::BracketRight)], "]", "coarser ground: larger error, fewer triangles"),
    line(Action::FreezeMesh, &[Trigger::Key(KeyCode::KeyF)], "F", "freeze the level of detail"),
];

const SUN: &[Binding] = &[
    line(
        Action::ToggleSun,
        &[Trigger::Key(KeyCode::F4)],
        "F4",
        "where the sun stands: from the shoulder, or at a time",
    ),
    line(Action::PlayTime, &[Trigger::Key(KeyCode::KeyC)], "C", "play the time of day, or stop it"),
    line(Action::Earlier, &[Trigger::Sign('<')], "<", "an hour earlier"),
    line(Action::Later, &[Trigger::Sign('>')], ">", "an hour later"),
];

const PICTURES: &[Binding] = &[
    line(Action::Screenshot, &[Trigger::Key(KeyCode::F12)], "F12", "save a picture of the window"),
    line(Action::BareScreenshot, &[Trigger::Key(KeyCode::F10)], "F10", "the same without figures, boxes and markers"),
    line(Action::Record, &[Trigger::Key(KeyCode::KeyP)], "P", "record the flight; once more saves it as a path"),
    line(Action::Replay, &[Trigger::Key(KeyCode::KeyR)], "R", "fly the path again"),
];

const WINDOW: &[Binding] = &[
    line(Action::ToggleHelp, &[Trigger::Key(KeyCode::F1), Trigger::Sign('?')], "F1 or ?", "this list"),
    line(Action::TogglePanel, &[Trigger::Key(KeyCode::F2)], "F2", "settings, times and memory"),
    line(Action::ToggleHud, &[Trigger::Key(KeyCode::Tab)], "Tab", "figures, with the times of a frame, none"),
    line(Action::FullScreen, &[Trigger::Key(KeyCode::F11)], "F11", "full screen"),
    line(
        Action::Leave,
        &[Trigger::Key(KeyCode::Escape)],
        "Esc",
        "close what is open; if nothing is, ask and then end the program",
    ),
    line(
        Action::Confirm,
        &[Trigger::Key(KeyCode::Enter), Trigger::Key(KeyCode::NumpadEnter)],
        "Enter",
        "end the program when it has asked",
    ),
];

/// Overlays that have a key: rows of their table, by digits and then by letters.
const KEYED: usize = {
    let (mut keyed, mut row) = (0, 0);
    while row < Overlays::TABLE.len() {
        keyed += Overlays::TABLE[row].key.is_some() as usize;
        row += 1;
    }
    keyed
};

static OVERLAYS_BY_KEY: [(usize, [Trigger; 1]); KEYED] = {
    let mut all = [(0, [Trigger::Wheel]); KEYED];
    let (mut at, mut code) = (0, b'0');
    while code <= b'Z' {
        let mut row = 0;
        while row < Overlays::TABLE.len() {
            if let Some(key) = Overlays::TABLE[row].key
                && key.as_bytes()[0] == code
            {
                all[at] = (row, [Trigger::Key(key_of(code))]);
                at += 1;
            }
            row += 1;
        }
        code += 1;
    }
    assert!(at == KEYED, "a key of an overlay is a digit or a capital letter");
    all
};

const fn of_overlay(at: usize) -> Binding {
    let row = &Overlays::TABLE[OVERLAYS_BY_KEY[at].0];
    let Some(keys) = row.key else { panic!("only overlays with a key are in this list") };
    line(Action::Overlays(row.overlay), &OVERLAYS_BY_KEY[at].1, keys, row.draws)
}

/// The key of a digit or a capital letter on a US keyboard.
const fn key_of(sign: u8) -> KeyCode {
    match sign {
        b'0'..=b'9' => DIGITS[(sign - b'0') as usize],
        _ => LETTERS[(sign - b'A') as usize],
    }
}
