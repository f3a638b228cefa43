//! What does a window show while the planet is loaded, and what becomes of what the user does meanwhile?

use std::sync::Arc;
use std::time::{Duration, Instant};

use gpu::{Acquired, Gpu, WindowSurface};
use winit::event::{Touch, TouchPhase, WindowEvent};
use winit::window::Window;

use super::flight::{DetachedFlight, Reload};
use super::with_advice;
use crate::painter::{Backdrop, Painter};

/// A window while the planet is not there yet.
pub(super) struct Loading {
    pub window: Arc<Window>,
    pub surface: WindowSurface,
    pub gpu: Gpu,
    pub painter: Option<Painter>,
    pub since: Instant,
    /// What the user did meanwhile, for when there is something to do it to.
    pub waiting: Vec<WindowEvent>,
    /// What is being made.
    pub stage: LoadStage,
    /// The flight that waits for it, if the planet was there before, and why it does.
    pub grounded: Option<(DetachedFlight, Reload)>,
    /// What was seen before.
    pub backdrop: Backdrop,
}

/// What is made one after the other until there is something to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoadStage {
    Elevation,
    MeshAndPipelines,
    Tiles,
}

impl LoadStage {
    /// In words, and which part of the whole is done before it, about.
    fn told(self) -> (&'static str, f32) {
        match self {
            LoadStage::Elevation => ("elevation", 0.1),
            LoadStage::MeshAndPipelines => ("mesh and pipelines", 0.3),
            LoadStage::Tiles => ("tiles of this view", 0.7),
        }
    }
}

/// Time between two pictures of the note that tells what is being waited for.
pub(super) const NOTE_EVERY: Duration = Duration::from_millis(100);

impl Loading {
    /// Shows what is being waited for, and since when.
    pub fn draw_note(&mut self) -> anyhow::Result<()> {
        let Loading { surface, gpu, painter, window, since, stage, grounded, backdrop, .. } = self;
        if painter.is_none() && !backdrop.is_empty() {
            // What was seen still stands there.
            return Ok(());
        }
        let acquired = surface.acquire(window.inner_size().into()).map_err(with_advice)?;
        let Acquired::Frame(picture) = acquired else { return Ok(()) };
        let is_loss = grounded.as_ref().is_some_and(|(_, reload)| reload.is_loss);
        let why = if is_loss { "The graphics device was lost. " } else { "" };
        let since_s = since.elapsed().as_secs_f64();
        let (what, part) = stage.told();
        let text = format!("{why}Loading {what}   {since_s:.1} s");
        let scale = window.scale_factor() as f32;
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("blank"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: picture.view(),
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        if let Some(painter) = painter {
            painter.paint_note(gpu, &mut encoder, (picture.view(), picture.size_px(), scale), (&text, part), backdrop);
        }
        gpu.queue.submit([encoder.finish()]);
        picture.present();
        Ok(gpu.check()?)
    }
}

/// Keeps what the user does; of the way of the cursor or a finger only where it ends.
pub(super) fn queue_event(waiting: &mut Vec<WindowEvent>, event: WindowEvent) {
    use WindowEvent::{CursorMoved, Focused, KeyboardInput, ModifiersChanged, MouseInput};
    let moved = |event: &WindowEvent| match event {
        WindowEvent::Touch(Touch { id, phase: TouchPhase::Moved, .. }) => Some(*id),
        _ => None,
    };
    match (&event, waiting.last_mut()) {
        (CursorMoved { .. }, Some(last @ CursorMoved { .. })) => *last = event,
        (WindowEvent::Touch(_), Some(last)) if moved(&event).is_some() && moved(&event) == moved(last) => *last = event,
        (CursorMoved { .. } | Focused(_) | KeyboardInput { .. } | ModifiersChanged(_) | MouseInput { .. }, _)
        | (WindowEvent::Touch(_), _) => waiting.push(event),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use winit::dpi::PhysicalPosition;
    use winit::event::{DeviceId, ElementState, MouseButton};

    use super::*;

    #[test]
    fn what_the_user_does_while_the_planet_loads_is_kept_in_order() {
        let moved =
            |x| WindowEvent::CursorMoved { device_id: DeviceId::dummy(), position: PhysicalPosition::new(x, 0.0) };
        let (device_id, button) = (DeviceId::dummy(), MouseButton::Left);
        let pressed = WindowEvent::MouseInput { device_id, state: ElementState::Pressed, button };
        let mut waiting = Vec::new();
        for event in [moved(1.0), moved(2.0), WindowEvent::RedrawRequested, pressed.clone(), moved(3.0), moved(4.0)] {
            queue_event(&mut waiting, event);
        }
        assert_eq!(waiting, [moved(2.0), pressed, moved(4.0)]);
    }

    /// Law: of each finger that is down, where it goes and that it comes up is kept.
    #[test]
    fn fingers_that_come_up_while_the_planet_loads_are_up() {
        let touch = |id, phase, x| {
            let (device_id, location) = (DeviceId::dummy(), PhysicalPosition::new(x, 0.0));
            WindowEvent::Touch(Touch { device_id, phase, location, force: None, id })
        };
        let moved = |id, x| touch(id, TouchPhase::Moved, x);
        let (up, down) = (touch(0, TouchPhase::Ended, 3.0), touch(1, TouchPhase::Started, 4.0));
        let mut waiting = Vec::new();
        for event in [moved(0, 1.0), moved(0, 2.0), moved(1, 5.0), moved(0, 3.0), up.clone(), down.clone()] {
            queue_event(&mut waiting, event);
        }
        assert_eq!(waiting, [moved(0, 2.0), moved(1, 5.0), moved(0, 3.0), up, down]);
    }
}
