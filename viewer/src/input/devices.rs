//! What are mouse and keyboard doing? Filled from window events, emptied once a frame.

use std::collections::HashSet;

use bevy_ecs::resource::Resource;
use glam::DVec2;
use winit::event::{ElementState, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{KeyCode, ModifiersState, PhysicalKey};

use super::bindings::{self, Action};

/// Pixels of a touchpad that count as one notch of a wheel.
const PIXELS_PER_NOTCH: f64 = 50.0;

/// A drag under way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drag {
    /// What it does.
    pub action: Action,
    /// True in the first frame of the drag.
    pub began: bool,
    /// Movement since the frame before, pixels right and down.
    pub moved_px: DVec2,
    button: MouseButton,
}

/// The state of mouse and keyboard.
#[derive(Resource, Debug, Default)]
pub struct Devices {
    held: HashSet<KeyCode>,
    pressed: Vec<Action>,
    modifiers: ModifiersState,
    cursor_px: DVec2,
    drag: Option<Drag>,
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
                if let Some(drag) = &mut self.drag {
                    drag.moved_px += now - self.cursor_px;
                }
                self.cursor_px = now;
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } => {
                let action = bindings::action_of_drag(*button, self.modifiers.control_key());
                if let (None, Some(action)) = (self.drag, action) {
                    self.drag = Some(Drag { action, began: true, moved_px: DVec2::ZERO, button: *button });
                }
            }
            WindowEvent::MouseInput { state: ElementState::Released, button, .. }
                if self.drag.is_some_and(|drag| drag.button == *button) =>
            {
                self.drag = None;
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
        now
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
        self.drag.is_some() || self.notches != 0.0 || !self.pressed.is_empty() || !self.held.is_empty()
    }
}
