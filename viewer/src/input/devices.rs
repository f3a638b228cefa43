//! What are mouse, fingers and keyboard doing? Filled from window events, emptied once a frame.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use bevy_ecs::resource::Resource;
use glam::DVec2;
use winit::event::{ElementState, MouseButton, MouseScrollDelta, Touch, WindowEvent};
use winit::keyboard::{Key, KeyCode, ModifiersState, PhysicalKey};

use super::bindings::{Action, Modifier, TouchPart};
use super::fingers::{Fingers, Gesture, Pointer, STAYS_PX};
use super::keymap::Keymap;

/// Pixels of a touchpad that count as one notch of a wheel.
const PIXELS_PER_NOTCH: f64 = 50.0;

/// A button that moves further than this before it is released drags; else it clicks.
const CLICK_PX: f64 = 4.0;

/// A click this soon after one at the same place is the second half of a double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(500);

/// What a click asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Click {
    /// An action, at a place in pixels from the upper left corner.
    Once(Action, DVec2),
    /// The action of a double click.
    Twice {
        /// What it asks for.
        action: Action,
        /// Where, as of a single one.
        at: DVec2,
        /// Whether its first half was told as a click, which is taken back.
        takes_back: bool,
    },
}

/// A click that another one may double.
#[derive(Debug, Clone, Copy)]
struct LastClick {
    button: Option<MouseButton>,
    at_px: DVec2,
    when: Instant,
    /// Frames that have begun since: where they are slow, the second half is heard of late.
    frames: u32,
}

impl LastClick {
    fn is_doubled_by(&self, button: Option<MouseButton>, at_px: DVec2, now: Instant) -> bool {
        let soon = now.duration_since(self.when) <= DOUBLE_CLICK || self.frames <= 1;
        soon && self.button == button && self.at_px.distance(at_px) <= stays_px(button)
    }
}

/// How far what pressed there may move and still have stayed, pixels.
fn stays_px(button: Option<MouseButton>) -> f64 {
    if button.is_some() { CLICK_PX } else { STAYS_PX }
}

/// A drag under way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drag {
    /// What it does.
    pub action: Action,
    /// True in the first frame of the drag.
    pub began: bool,
    /// Movement since the frame before, pixels right and down.
    pub moved_px: DVec2,
    /// Where the button went down, pixels from the upper left corner.
    pub began_px: DVec2,
    /// Since then, pixels.
    way_px: DVec2,
    /// What is held; none is a finger.
    button: Option<MouseButton>,
    /// Whether it has stayed there.
    stayed: bool,
    /// The button is up: told once more, for what has been moved since the last time.
    ended: bool,
}

impl Drag {
    /// Whether the button is where it went down, so that it may click.
    pub fn has_stayed(&self) -> bool {
        self.stayed
    }

    /// Where the cursor is now, or was when the button came up, pixels from the upper left corner.
    pub fn now_px(&self) -> DVec2 {
        self.began_px + self.way_px
    }
}

/// The state of mouse and keyboard.
#[derive(Resource, Debug, Default)]
pub struct Devices {
    /// Keys that are down, with the signs that they type.
    held: HashMap<KeyCode, Option<char>>,
    /// Those that went down since the last frame, and may be up again.
    fresh: HashMap<KeyCode, Option<char>>,
    pressed: Vec<Action>,
    modifiers: ModifiersState,
    cursor_px: DVec2,
    drag: Option<Drag>,
    click: Option<Click>,
    last_click: Option<LastClick>,
    notches: f64,
    fingers: Fingers,
    keymap: Keymap,
}

impl Devices {
    /// Nothing is held; keys do what a user has chosen.
    pub fn new(keymap: Keymap) -> Devices {
        Devices { keymap, ..Devices::default() }
    }

    /// What the keys do.
    pub fn keymap(&self) -> &Keymap {
        &self.keymap
    }

    /// Takes in a window event that nobody else wanted.
    pub fn event(&mut self, event: &WindowEvent) {
        match event {
            WindowEvent::KeyboardInput { event, .. } => {
                let PhysicalKey::Code(code) = event.physical_key else { return };
                let sign = match &event.logical_key {
                    Key::Character(text) => text.chars().next(),
                    _ => None,
                };
                self.key(code, sign, event.state, event.repeat);
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::CursorMoved { position, .. } => self.point_to(DVec2::new(position.x, position.y)),
            WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } => {
                let action = self.keymap.action_of_drag(*button, self.modifiers.control_key());
                self.press(Some(*button), action);
            }
            WindowEvent::MouseInput { state: ElementState::Released, button, .. } => {
                self.let_go(Some(*button), Instant::now());
            }
            WindowEvent::Touch(touch) => self.touch(touch, Instant::now()),
            WindowEvent::MouseWheel { delta, .. } => {
                self.notches += match delta {
                    MouseScrollDelta::LineDelta(_, lines) => f64::from(*lines),
                    MouseScrollDelta::PixelDelta(px) => px.y / PIXELS_PER_NOTCH,
                };
            }
            WindowEvent::Focused(false) => self.release(),
            _ => {}
        }
    }

    /// The pointer is elsewhere.
    fn point_to(&mut self, now: DVec2) {
        if let Some(drag) = self.drag.as_mut().filter(|drag| !drag.ended) {
            drag.moved_px += now - self.cursor_px;
            drag.way_px = now - drag.began_px;
            drag.stayed &= now.distance(drag.began_px) <= stays_px(drag.button);
        }
        self.cursor_px = now;
    }

    /// A button or a finger goes down where the pointer is.
    fn press(&mut self, button: Option<MouseButton>, action: Option<Action>) {
        let under_way = self.drag.filter(|drag| !drag.ended);
        if let (None, Some(action)) = (under_way, action) {
            self.drag = Some(Drag {
                action,
                began: true,
                moved_px: DVec2::ZERO,
                began_px: self.cursor_px,
                way_px: DVec2::ZERO,
                button,
                stayed: true,
                ended: false,
            });
        }
    }

    /// It comes up.
    fn let_go(&mut self, button: Option<MouseButton>, now: Instant) {
        let Some(drag) = self.drag.as_mut().filter(|drag| drag.button == button && !drag.ended) else { return };
        drag.ended = true;
        let drag = *drag;
        // A quick hand has come and gone between two frames: what it moved is not lost.
        if drag.stayed || drag.moved_px == DVec2::ZERO {
            self.drag = None;
        }
        if drag.stayed && !self.modifiers.control_key() {
            self.click(button, drag.began_px, now);
        }
    }

    /// A finger goes down, moves or comes up.
    fn touch(&mut self, touch: &Touch, now: Instant) {
        let at_px = DVec2::new(touch.location.x, touch.location.y);
        match self.fingers.touch(touch.id, touch.phase, at_px, now) {
            Some(Pointer::Down(at_px)) => {
                self.point_to(at_px);
                let action = self.keymap.action_of_touch(TouchPart::Drag);
                self.press(None, action);
            }
            Some(Pointer::To(at_px)) => self.point_to(at_px),
            Some(Pointer::Up) => self.let_go(None, now),
            Some(Pointer::Lost) => self.drag = None,
            None => {}
        }
    }

    /// A key goes down or comes up. With Ctrl, Alt or Super it is a chord or a command of some other program's, and no letter.
    fn key(&mut self, code: KeyCode, sign: Option<char>, state: ElementState, repeat: bool) {
        if state == ElementState::Released {
            self.held.remove(&code);
            return;
        }
        if self.modifiers.intersects(ModifiersState::CONTROL | ModifiersState::ALT | ModifiersState::SUPER) {
            let command = if cfg!(target_os = "macos") { ModifiersState::SUPER } else { ModifiersState::CONTROL };
            let modifier = [
                (command, Modifier::Ctrl),
                (command | ModifiersState::SHIFT, Modifier::CtrlShift),
                (ModifiersState::ALT, Modifier::Alt),
            ];
            let alone = modifier.into_iter().find(|(state, _)| self.modifiers == *state);
            let action = alone.and_then(|(_, modifier)| self.keymap.action_of_chord(modifier, code, sign));
            self.pressed.extend(action.filter(|_| !repeat));
            return;
        }
        if !repeat {
            self.pressed.extend(self.keymap.actions_of_key(code, sign));
        }
        self.held.insert(code, sign);
        self.fresh.insert(code, sign);
    }

    /// Asks for an action as if its key had been pressed.
    pub fn ask(&mut self, action: Action) {
        self.pressed.push(action);
    }

    /// A button has come up where it went down.
    fn click(&mut self, button: Option<MouseButton>, at_px: DVec2, now: Instant) {
        let action = |shift| match button {
            Some(button) => self.keymap.action_of_click(button, shift),
            None => self.keymap.action_of_touch(TouchPart::Tap),
        };
        let twice = match button {
            Some(button) => self.keymap.action_of_double_click(button),
            None => self.keymap.action_of_touch(TouchPart::DoubleTap),
        };
        let alone = action(false);
        let Some(action) = action(self.modifiers.shift_key()) else { return };
        if alone != Some(action) {
            // One with Shift is no half of a double click.
            self.click = Some(Click::Once(action, at_px));
            self.last_click = None;
            return;
        }
        let doubles = self.last_click.is_some_and(|last| last.is_doubled_by(button, at_px, now));
        if let Some(action) = twice.filter(|_| doubles) {
            // Between two frames nobody has heard of the first half yet, and nobody needs to.
            let takes_back = !matches!(self.click, Some(Click::Once(..)));
            self.click = Some(Click::Twice { action, at: at_px, takes_back });
            // A third click is the first half of the next double click.
            self.last_click = None;
            return;
        }
        self.click = Some(Click::Once(action, at_px));
        self.last_click = Some(LastClick { button, at_px, when: now, frames: 0 });
    }

    /// Whether a key has asked for an action that no frame has seen yet.
    pub fn is_asked(&self, action: Action) -> bool {
        self.pressed.contains(&action)
    }

    /// Lets go of every key and button: the window is no longer told when they come up.
    pub fn release(&mut self) {
        self.held.clear();
        self.fresh.clear();
        self.drag = None;
        self.fingers = Fingers::default();
    }

    /// Whether a key of the action is down, or has been since the last frame.
    pub fn is_held(&self, action: Action) -> bool {
        let keys = self.held.iter().chain(&self.fresh);
        keys.into_iter().any(|(&code, &sign)| self.keymap.actions_of_key(code, sign).any(|a| a == action))
    }

    /// Where the cursor is, pixels from the upper left corner.
    pub fn cursor_px(&self) -> DVec2 {
        self.cursor_px
    }

    /// The drag under way, with its movement since the last call.
    pub fn take_drag(&mut self) -> Option<Drag> {
        let now = self.drag;
        if let Some(drag) = &mut self.drag {
            drag.began = false;
            drag.moved_px = DVec2::ZERO;
        }
        if now.is_some_and(|drag| drag.ended) {
            self.drag = None;
        }
        now
    }

    /// What was clicked since the last call, which is one of each frame.
    pub fn take_click(&mut self) -> Option<Click> {
        self.take_click_at(Instant::now())
    }

    fn take_click_at(&mut self, now: Instant) -> Option<Click> {
        if let Some(at_px) = self.fingers.take_long_press(now) {
            self.drag = None;
            self.click = self.keymap.action_of_touch(TouchPart::LongPress).map(|action| Click::Once(action, at_px));
        }
        if let Some(last) = &mut self.last_click {
            last.frames += 1;
        }
        self.click.take()
    }

    /// What two fingers have done since the last call.
    pub fn take_gesture(&mut self) -> Option<Gesture> {
        self.fingers.take_gesture()
    }

    /// Notches of the wheel since the last call, positive away from the user.
    pub fn take_notches(&mut self) -> f64 {
        std::mem::take(&mut self.notches)
    }

    /// Actions of keys pressed since the last call, which is one of each frame.
    pub fn take_pressed(&mut self) -> Vec<Action> {
        self.fresh.clear();
        std::mem::take(&mut self.pressed)
    }

    /// Whether anything is held or moved, so that the next picture will differ.
    pub fn is_busy(&self) -> bool {
        self.drag.is_some()
            || self.click.is_some()
            || self.notches != 0.0
            || !self.pressed.is_empty()
            || !self.held.is_empty()
            || self.fingers.are_down()
    }
}

#[cfg(test)]
mod tests {
    use winit::dpi::PhysicalPosition;
    use winit::event::{DeviceId, TouchPhase};

    use super::*;

    fn moved(x: f64, y: f64) -> WindowEvent {
        WindowEvent::CursorMoved { device_id: DeviceId::dummy(), position: PhysicalPosition::new(x, y) }
    }

    fn button(button: MouseButton, state: ElementState) -> WindowEvent {
        WindowEvent::MouseInput { device_id: DeviceId::dummy(), state, button }
    }

    #[test]
    fn a_drag_lasts_from_press_to_release_of_its_button() {
        let mut devices = Devices::default();
        devices.event(&moved(100.0, 50.0));
        assert_eq!(devices.take_drag(), None);
        devices.event(&button(MouseButton::Left, ElementState::Pressed));
        devices.event(&moved(110.0, 45.0));
        devices.event(&moved(112.0, 45.0));
        let first = devices.take_drag().expect("under way");
        assert_eq!((first.action, first.began, first.moved_px), (Action::Pan, true, DVec2::new(12.0, -5.0)));
        devices.event(&button(MouseButton::Right, ElementState::Pressed));
        devices.event(&button(MouseButton::Right, ElementState::Released));
        let second = devices.take_drag().expect("another button does not end it");
        assert_eq!((second.action, second.began, second.moved_px), (Action::Pan, false, DVec2::ZERO));
        devices.event(&button(MouseButton::Left, ElementState::Released));
        assert_eq!(devices.take_drag(), None);
    }

    /// Law: a drag that came and went between two frames is told once, with where it began and how far it went.
    #[test]
    fn a_quick_drag_is_not_lost() {
        let mut devices = Devices::default();
        devices.event(&moved(10.0, 10.0));
        devices.event(&button(MouseButton::Left, ElementState::Pressed));
        devices.event(&moved(90.0, 30.0));
        devices.event(&button(MouseButton::Left, ElementState::Released));
        devices.event(&moved(500.0, 500.0));
        assert!(devices.is_busy());
        let drag = devices.take_drag().expect("told once");
        let told = (drag.began, drag.began_px, drag.moved_px);
        assert_eq!(told, (true, DVec2::new(10.0, 10.0), DVec2::new(80.0, 20.0)));
        assert_eq!(drag.now_px(), DVec2::new(90.0, 30.0));
        assert_eq!((devices.take_drag(), devices.take_click()), (None, None));
    }

    /// Law: a button that comes up where it went down clicks there, once; one that was moved away and back does not, nor
    /// does one that only drags.
    #[test]
    fn a_click_is_a_drag_that_goes_nowhere() {
        let mut devices = Devices::default();
        let mut press = |by: f64, with: MouseButton| {
            devices.event(&moved(100.0, 50.0));
            devices.event(&button(with, ElementState::Pressed));
            devices.event(&moved(100.0 + by, 50.0));
            devices.event(&moved(101.0, 50.0));
            devices.event(&button(with, ElementState::Released));
            (devices.take_click(), devices.take_click())
        };
        let dropped = Click::Once(Action::DropMarker, DVec2::new(100.0, 50.0));
        assert_eq!(press(2.0, MouseButton::Left), (Some(dropped), None));
        assert_eq!(press(9.0, MouseButton::Left), (None, None));
        let menu = Click::Once(Action::PlaceMenu, DVec2::new(100.0, 50.0));
        assert_eq!(press(0.0, MouseButton::Right), (Some(menu), None));
        assert_eq!(press(9.0, MouseButton::Right), (None, None));
        assert_eq!(press(0.0, MouseButton::Middle), (None, None));
    }

    /// Law: of two clicks at one place, soon after each other or with a frame at most between them, the second one makes a double
    /// click and takes the first one back if that was told; two clicks elsewhere or later are two, and a third begins anew.
    #[test]
    fn the_second_half_of_a_double_click_takes_the_first_back() {
        let start = Instant::now();
        let (here, beside, away) = (DVec2::new(100.0, 50.0), DVec2::new(102.0, 51.0), DVec2::new(100.0, 70.0));
        let second = |at_px: DVec2, ms: u64, frames: u32| {
            let mut devices = Devices::default();
            devices.click(Some(MouseButton::Left), here, start);
            let heard = (0..frames).filter_map(|_| devices.take_click()).count();
            assert_eq!(heard, frames.min(1) as usize);
            devices.click(Some(MouseButton::Left), at_px, start + Duration::from_millis(ms));
            devices.take_click()
        };
        let twice = |at, takes_back| Some(Click::Twice { action: Action::FlyCloser, at, takes_back });
        assert_eq!(second(beside, 200, 0), twice(beside, false), "both halves between two frames");
        assert_eq!(second(beside, 200, 10), twice(beside, true));
        assert_eq!(second(here, 900, 1), twice(here, true), "a slow frame");
        assert_eq!(second(here, 900, 10), Some(Click::Once(Action::DropMarker, here)));
        assert_eq!(second(away, 200, 10), Some(Click::Once(Action::DropMarker, away)));
        let mut devices = Devices::default();
        let told = [0, 100, 200, 300].map(|ms| {
            devices.click(Some(MouseButton::Left), here, start + Duration::from_millis(ms));
            matches!(devices.take_click(), Some(Click::Twice { .. }))
        });
        assert_eq!(told, [false, true, false, true], "four clicks are two double clicks");
    }

    /// Law: with Shift each click counts, however soon after another one; where Shift means nothing, it changes nothing.
    #[test]
    fn clicks_with_shift_are_not_doubled() {
        let (start, here) = (Instant::now(), DVec2::new(100.0, 50.0));
        let mut devices = Devices { modifiers: ModifiersState::SHIFT, ..Devices::default() };
        for ms in [0, 100, 200] {
            devices.click(Some(MouseButton::Left), here, start + Duration::from_millis(ms));
            assert_eq!(devices.take_click(), Some(Click::Once(Action::ExtendPath, here)));
        }
        devices.click(Some(MouseButton::Right), here, start);
        assert_eq!(devices.take_click(), Some(Click::Once(Action::PlaceMenu, here)));
        devices.modifiers = ModifiersState::empty();
        devices.click(Some(MouseButton::Left), here, start + Duration::from_millis(300));
        assert_eq!(devices.take_click(), Some(Click::Once(Action::DropMarker, here)));
    }

    /// Law: a key that is down and up again between two frames is held for one of them.
    #[test]
    fn a_tap_between_two_frames_is_not_lost() {
        let mut devices = Devices::default();
        devices.key(KeyCode::ArrowLeft, None, ElementState::Pressed, false);
        devices.key(KeyCode::ArrowLeft, None, ElementState::Released, false);
        assert!(devices.is_held(Action::PanLeft));
        assert_eq!(devices.take_pressed(), [Action::PanLeft]);
        assert!(!devices.is_held(Action::PanLeft));
    }

    /// Law: a chord asks for its own action once, however long it is held, and no other modifier may be down.
    #[test]
    fn chords_ask_once() {
        let mut devices = Devices { modifiers: ModifiersState::CONTROL, ..Devices::default() };
        for repeat in [false, true] {
            devices.key(KeyCode::KeyF, Some('f'), ElementState::Pressed, repeat);
        }
        assert_eq!(devices.take_pressed(), [Action::GoTo]);
        devices.modifiers = ModifiersState::ALT;
        devices.key(KeyCode::ArrowLeft, None, ElementState::Pressed, false);
        assert!(!devices.is_held(Action::PanLeft));
        assert_eq!(devices.take_pressed(), [Action::ViewBack]);
        devices.modifiers = ModifiersState::CONTROL | ModifiersState::SHIFT;
        devices.key(KeyCode::KeyS, Some('S'), ElementState::Pressed, false);
        assert_eq!(devices.take_pressed(), [Action::SaveScene]);
        devices.modifiers = ModifiersState::ALT | ModifiersState::CONTROL;
        devices.key(KeyCode::KeyF, Some('f'), ElementState::Pressed, false);
        assert_eq!(devices.take_pressed(), []);
    }

    /// Law: a key does what it stands for alone and with Shift, and nothing of that with Ctrl, Alt or Super; it comes up with any.
    #[test]
    fn a_chord_is_no_letter() {
        let mut devices = Devices::default();
        for chord in [ModifiersState::CONTROL, ModifiersState::ALT, ModifiersState::SUPER] {
            devices.modifiers = chord | ModifiersState::SHIFT;
            for code in [KeyCode::KeyF, KeyCode::KeyE, KeyCode::KeyP, KeyCode::Digit2] {
                devices.key(code, None, ElementState::Pressed, false);
            }
            assert!(!devices.is_busy() && devices.take_pressed().is_empty(), "{chord:?}");
        }
        devices.modifiers = ModifiersState::SHIFT;
        devices.key(KeyCode::KeyS, Some('S'), ElementState::Pressed, false);
        devices.key(KeyCode::KeyF, Some('F'), ElementState::Pressed, false);
        assert!(devices.is_held(Action::Back) && devices.is_asked(Action::FreezeMesh));
        devices.take_pressed();
        devices.modifiers = ModifiersState::CONTROL;
        devices.key(KeyCode::KeyS, Some('s'), ElementState::Released, false);
        assert!(!devices.is_held(Action::Back));
    }

    fn finger(id: u64, phase: TouchPhase, x: f64) -> Touch {
        let location = PhysicalPosition::new(x, 80.0);
        Touch { device_id: DeviceId::dummy(), phase, location, force: None, id }
    }

    /// Law: a finger that moves drags as the left button does, one that is put down and lifted clicks, and the second of two taps, a finger's
    /// width aside, takes the first back; one that stays opens the menu and does nothing more.
    #[test]
    fn fingers_drag_tap_and_stay() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut devices = Devices::default();
        devices.touch(&finger(3, TouchPhase::Started, 100.0), start);
        devices.touch(&finger(3, TouchPhase::Moved, 160.0), start);
        let drag = devices.take_drag().expect("under way");
        assert_eq!((drag.action, drag.began, drag.moved_px), (Action::Pan, true, DVec2::new(60.0, 0.0)));
        devices.touch(&finger(3, TouchPhase::Ended, 160.0), start);
        assert_eq!((devices.take_drag(), devices.take_click_at(start)), (None, None));
        let mut tap = |x: f64, ms| {
            devices.touch(&finger(4, TouchPhase::Started, x), at(ms));
            devices.touch(&finger(4, TouchPhase::Ended, x + 3.0), at(ms + 50));
            devices.take_click_at(at(ms + 60))
        };
        assert_eq!(tap(200.0, 1_000), Some(Click::Once(Action::DropMarker, DVec2::new(200.0, 80.0))));
        let (action, place) = (Action::FlyCloser, DVec2::new(210.0, 80.0));
        assert_eq!(tap(210.0, 1_200), Some(Click::Twice { action, at: place, takes_back: true }));
        devices.touch(&finger(5, TouchPhase::Started, 300.0), at(3_000));
        assert!(devices.is_busy() && devices.take_click_at(at(3_100)).is_none());
        let menu = Click::Once(Action::PlaceMenu, DVec2::new(300.0, 80.0));
        assert_eq!(devices.take_click_at(at(3_900)), Some(menu));
        devices.touch(&finger(5, TouchPhase::Moved, 400.0), at(4_000));
        assert_eq!(devices.take_drag(), None);
        devices.touch(&finger(5, TouchPhase::Ended, 400.0), at(4_100));
        assert!(devices.take_click_at(at(4_200)).is_none() && !devices.is_busy());
    }

    #[test]
    fn wheel_and_touchpad_add_up_to_notches() {
        let mut devices = Devices::default();
        let wheel = |delta| WindowEvent::MouseWheel { device_id: DeviceId::dummy(), delta, phase: TouchPhase::Moved };
        devices.event(&wheel(MouseScrollDelta::LineDelta(0.0, 2.0)));
        devices.event(&wheel(MouseScrollDelta::PixelDelta(PhysicalPosition::new(0.0, -PIXELS_PER_NOTCH))));
        assert!(devices.is_busy());
        assert_eq!(devices.take_notches(), 1.0);
        assert!(!devices.is_busy());
    }

    #[test]
    fn a_window_that_loses_focus_lets_go() {
        let mut devices = Devices::default();
        devices.event(&button(MouseButton::Middle, ElementState::Pressed));
        devices.event(&WindowEvent::Focused(false));
        assert!(!devices.is_busy());
    }
}
