//! What are mouse, fingers and keyboard doing? Filled from window events, emptied once a frame.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use bevy_ecs::resource::Resource;
use glam::DVec2;
use winit::event::{ElementState, MouseButton, MouseScrollDelta, Touch, WindowEvent};
use winit::keyboard::{Key, KeyCode, ModifiersState, PhysicalKey};

use super::bindings::{Action, Modifier, TouchPart};
use super::fingers::{Fingers, Gesture, Pointer, STAYS_PT};
use super::keymap::Keymap;

/// Pixels of a touchpad that count as one notch of a wheel.
const PIXELS_PER_NOTCH: f64 = 50.0;

/// A button that moves further than this before it is released drags, points; else it clicks.
const CLICK_PT: f64 = 4.0;

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
    fn is_doubled_by(&self, button: Option<MouseButton>, at_px: DVec2, px_per_pt: f64, now: Instant) -> bool {
        let soon = now.duration_since(self.when) <= DOUBLE_CLICK || self.frames <= 1;
        soon && self.button == button && self.at_px.distance(at_px) <= stays_pt(button) * px_per_pt
    }
}

/// How far what pressed there may move and still have stayed, points.
fn stays_pt(button: Option<MouseButton>) -> f64 {
    if button.is_some() { CLICK_PT } else { STAYS_PT }
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
    /// The drag under way, after those that have ended since the last frame: each has a frame of its own.
    drags: VecDeque<Drag>,
    /// Since the last frame, the first one first: a slow frame hears of several.
    clicks: Vec<Click>,
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
                self.pointer_down(Some(*button), action);
            }
            WindowEvent::MouseInput { state: ElementState::Released, button, .. } => {
                self.pointer_up(Some(*button), Instant::now());
            }
            WindowEvent::Touch(touch) => self.touch(touch, Instant::now()),
            WindowEvent::MouseWheel { delta, .. } => {
                self.notches += match delta {
                    MouseScrollDelta::LineDelta(_, lines) => f64::from(*lines),
                    MouseScrollDelta::PixelDelta(px) => px.y / PIXELS_PER_NOTCH,
                };
            }
            WindowEvent::Focused(false) => self.release(),
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => self.scale_to(*scale_factor),
            _ => {}
        }
    }

    /// The screen has so many pixels a point from now on: hands are as steady on every screen.
    pub fn scale_to(&mut self, px_per_pt: f64) {
        self.fingers.scale_to(px_per_pt);
    }

    /// The pointer is elsewhere.
    fn point_to(&mut self, now: DVec2) {
        if let Some(drag) = self.drags.back_mut().filter(|drag| !drag.ended) {
            drag.moved_px += now - self.cursor_px;
            drag.way_px = now - drag.began_px;
            drag.stayed &= now.distance(drag.began_px) <= stays_pt(drag.button) * self.fingers.px_per_pt();
        }
        self.cursor_px = now;
    }

    /// A button or a finger goes down where the pointer is.
    fn pointer_down(&mut self, button: Option<MouseButton>, action: Option<Action>) {
        let under_way = self.drags.back().filter(|drag| !drag.ended);
        if let (None, Some(action)) = (under_way, action) {
            self.drags.push_back(Drag {
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
    fn pointer_up(&mut self, button: Option<MouseButton>, now: Instant) {
        let under_way = self.drags.back_mut().filter(|drag| drag.button == button && !drag.ended);
        let Some(drag) = under_way else { return };
        drag.ended = true;
        let drag = *drag;
        // A quick hand has come and gone between two frames: what it moved is not lost.
        if drag.stayed || drag.moved_px == DVec2::ZERO {
            self.drags.pop_back();
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
                self.pointer_down(None, action);
            }
            Some(Pointer::To(at_px)) => self.point_to(at_px),
            Some(Pointer::Up) => self.pointer_up(None, now),
            Some(Pointer::Lost) => self.end_drag(),
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
    pub fn trigger(&mut self, action: Action) {
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
            self.clicks.push(Click::Once(action, at_px));
            self.last_click = None;
            return;
        }
        let doubles = self.last_click.filter(|last| last.is_doubled_by(button, at_px, self.fingers.px_per_pt(), now));
        if let (Some(action), Some(first)) = (twice, doubles) {
            // Between two frames nobody has heard of the first half yet, and nobody needs to: it is the last one that waits.
            let takes_back = first.frames > 0;
            if !takes_back {
                self.clicks.pop();
            }
            self.clicks.push(Click::Twice { action, at: at_px, takes_back });
            // A third click is the first half of the next double click.
            self.last_click = None;
            return;
        }
        self.clicks.push(Click::Once(action, at_px));
        self.last_click = Some(LastClick { button, at_px, when: now, frames: 0 });
    }

    /// Whether a key has asked for an action that no frame has seen yet.
    pub fn is_asked(&self, action: Action) -> bool {
        self.pressed.contains(&action)
    }

    /// Lets go of every key: what is typed from now on is not for the flight.
    pub fn release_keys(&mut self) {
        self.held.clear();
        self.fresh.clear();
    }

    /// Lets go of every key and button: the window is no longer told when they come up.
    pub fn release(&mut self) {
        self.release_keys();
        self.drags.clear();
        self.fingers = Fingers::on(self.fingers.px_per_pt());
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

    /// The drag under way, with its movement since the last call; those that ended before it have calls of their own.
    pub fn take_drag(&mut self) -> Option<Drag> {
        let drag = self.drags.front_mut()?;
        let now = *drag;
        drag.began = false;
        drag.moved_px = DVec2::ZERO;
        if now.ended {
            self.drags.pop_front();
        }
        Some(now)
    }

    /// Forgets the drag under way: it was none.
    fn end_drag(&mut self) {
        self.drags.pop_back_if(|drag| !drag.ended);
    }

    /// What was clicked since the last call, which is one of each frame; the first one first.
    pub fn take_clicks(&mut self) -> Vec<Click> {
        self.take_clicks_at(Instant::now())
    }

    fn take_clicks_at(&mut self, now: Instant) -> Vec<Click> {
        if let Some(at_px) = self.fingers.take_long_press(now) {
            self.end_drag();
            let action = self.keymap.action_of_touch(TouchPart::LongPress);
            self.clicks.extend(action.map(|action| Click::Once(action, at_px)));
        }
        if let Some(last) = &mut self.last_click {
            last.frames += 1;
        }
        std::mem::take(&mut self.clicks)
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
        !self.drags.is_empty()
            || !self.clicks.is_empty()
            || self.notches != 0.0
            || !self.pressed.is_empty()
            || !self.held.is_empty()
            || self.fingers.are_down()
    }
}

#[cfg(test)]
mod tests;
