//! What are mouse and keyboard doing? Filled from window events, emptied once a frame.

use std::collections::HashSet;

use bevy_ecs::resource::Resource;
use glam::DVec2;
use winit::event::{ElementState, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{KeyCode, ModifiersState, PhysicalKey};

use super::bindings::{self, Action};

/// Pixels of a touchpad that count as one notch of a wheel.
const PIXELS_PER_NOTCH: f64 = 50.0;

/// A button that moves further than this before it is released drags; else it clicks.
const CLICK_PX: f64 = 4.0;

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
    button: MouseButton,
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
    held: HashSet<KeyCode>,
    pressed: Vec<Action>,
    modifiers: ModifiersState,
    cursor_px: DVec2,
    drag: Option<Drag>,
    click: Option<(Action, DVec2)>,
    notches: f64,
}

impl Devices {
    /// Takes in a window event that nobody else wanted.
    pub fn event(&mut self, event: &WindowEvent) {
        match event {
            WindowEvent::KeyboardInput { event, .. } => {
                let PhysicalKey::Code(code) = event.physical_key else { return };
                match event.state {
                    ElementState::Pressed => {
                        if !event.repeat {
                            self.pressed.extend(bindings::actions_of_key(code));
                        }
                        self.held.insert(code);
                    }
                    ElementState::Released => {
                        self.held.remove(&code);
                    }
                }
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::CursorMoved { position, .. } => {
                let now = DVec2::new(position.x, position.y);
                if let Some(drag) = self.drag.as_mut().filter(|drag| !drag.ended) {
                    drag.moved_px += now - self.cursor_px;
                    drag.way_px = now - drag.began_px;
                    drag.stayed &= now.distance(drag.began_px) <= CLICK_PX;
                }
                self.cursor_px = now;
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } => {
                let action = bindings::action_of_drag(*button, self.modifiers.control_key());
                let under_way = self.drag.filter(|drag| !drag.ended);
                if let (None, Some(action)) = (under_way, action) {
                    self.drag = Some(Drag {
                        action,
                        began: true,
                        moved_px: DVec2::ZERO,
                        began_px: self.cursor_px,
                        way_px: DVec2::ZERO,
                        button: *button,
                        stayed: true,
                        ended: false,
                    });
                }
            }
            WindowEvent::MouseInput { state: ElementState::Released, button, .. }
                if self.drag.is_some_and(|drag| drag.button == *button && !drag.ended) =>
            {
                let Some(drag) = &mut self.drag else { return };
                drag.ended = true;
                if drag.stayed && !self.modifiers.control_key() {
                    let clicked = bindings::action_of_click(*button).map(|action| (action, drag.began_px));
                    self.click = clicked.or(self.click);
                }
                // A quick hand has come and gone between two frames: what it moved is not lost.
                if drag.stayed || drag.moved_px == DVec2::ZERO {
                    self.drag = None;
                }
            }
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

    /// Lets go of every key and button: the window is no longer told when they come up.
    pub fn release(&mut self) {
        self.held.clear();
        self.drag = None;
    }

    /// Whether a key of the action is down.
    pub fn is_held(&self, action: Action) -> bool {
        self.held.iter().any(|&code| bindings::actions_of_key(code).any(|a| a == action))
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

    /// What was clicked since the last call, and where, pixels from the upper left corner.
    pub fn take_click(&mut self) -> Option<(Action, DVec2)> {
        self.click.take()
    }

    /// Notches of the wheel since the last call, positive away from the user.
    pub fn take_notches(&mut self) -> f64 {
        std::mem::take(&mut self.notches)
    }

    /// Actions of keys pressed since the last call.
    pub fn take_pressed(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.pressed)
    }

    /// Whether anything is held or moved, so that the next picture will differ.
    pub fn is_busy(&self) -> bool {
        self.drag.is_some()
            || self.click.is_some()
            || self.notches != 0.0
            || !self.pressed.is_empty()
            || !self.held.is_empty()
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
        assert_eq!(press(2.0, MouseButton::Left), (Some((Action::DropMarker, DVec2::new(100.0, 50.0))), None));
        assert_eq!(press(9.0, MouseButton::Left), (None, None));
        assert_eq!(press(0.0, MouseButton::Right), (None, None));
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
