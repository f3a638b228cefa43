//! A flight in a window: events in, a frame out, and whether another one is due.

mod detached;
mod measured;
mod saving;
mod scene;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bevy_ecs::world::World;
use glam::DVec2;
use gpu::{Acquired, GpuError, SurfaceFrame, WindowSurface};
use winit::event::{ElementState, Touch, TouchPhase, WindowEvent};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::Window;

use super::with_advice;
use crate::app::App;
use crate::bookmark_pictures::BookmarkPictures;
use crate::camera::{Camera, Lens};
use crate::capture::{
    CaptureRequests, Film, OutputName, PicturesFolder, WorldFile, save_image, save_path, saved_message,
};
use crate::controller::{CameraInMotion, Recorder};
use crate::frame::{Context, FrameContext, Viewport};
use crate::hud::{FrameTimes, Hud, HudInput, HudOutput, LoadRequests, QuitState};
use crate::input::bindings::Action;
use crate::input::{Controls, Devices};
use crate::overlays::OverlayParams;
use crate::painter::Painter;
use crate::render::Waves;
use crate::scene::{Scene, SceneOptions};
use crate::settings::SettingsStore;
use crate::skyline::LiveSkyline;
use crate::sun_clock::SunClock;
use crate::sun_hours::LiveSunHours;
use crate::terrain::{FrameBudget, Planet};
use crate::viewshed::LiveViewshed;
pub use detached::{DetachedFlight, Reload};
pub use measured::{MeasuredFrame, WindowBench};

/// Longest step of the clock: after a pause the flight goes on, it does not jump.
const LONGEST_STEP: Duration = Duration::from_millis(100);

/// Frames to draw before the program ends, and the file for the last one.
#[derive(Debug, Clone, Default)]
pub struct RunLimit {
    /// Frames; none flies until the window is closed.
    pub frames: Option<u64>,
    /// File for the last frame.
    pub screenshot: Option<PathBuf>,
}

/// When the next frame is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextFrame {
    /// At once.
    Now,
    /// After a while, unless something happens before.
    Soon(Duration),
    /// When something happens.
    Event,
    /// Never: the flight is over.
    End,
}

/// An app with a window around it.
pub struct Flight {
    window: Arc<Window>,
    surface: WindowSurface,
    egui: egui_winit::State,
    app: App,
    limit: RunLimit,
    drawn: u64,
    last: Option<Instant>,
    continuous: bool,
    bench: Option<WindowBench>,
    /// Frames that did not count, once all of them are drawn.
    warm_up: Option<u64>,
    measured: Vec<MeasuredFrame>,
    /// Keys for a field that the next frame opens.
    pending_keys: Vec<WindowEvent>,
    /// A box was clicked since the last frame: the next one knows whether that was in a field.
    is_box_clicked: bool,
    /// Fingers that went down on boxes of the display.
    on_boxes: Vec<u64>,
}

/// Where a key event goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyTarget {
    Flight,
    Field,
    Both,
    /// The field that has been asked for and is not open yet.
    PendingField,
}

impl KeyTarget {
    /// While a field is open the keyboard is its own; releases and Escape reach the flight all the same. Frames may be slower than
    /// fingers: what is typed after the key that opens the field is for the field.
    fn of(is_open: bool, is_asked: bool, is_release: bool, is_escape: bool) -> KeyTarget {
        match (is_open, is_asked) {
            (false, true) => KeyTarget::PendingField,
            (false, false) => KeyTarget::Flight,
            (true, _) if is_release || is_escape => KeyTarget::Both,
            (true, _) => KeyTarget::Field,
        }
    }
}

impl Flight {
    /// Puts an interactive app into a window.
    pub fn new(
        window: Arc<Window>,
        surface: WindowSurface,
        mut app: App,
        limit: RunLimit,
        bench: Option<WindowBench>,
    ) -> Flight {
        app.world.resource_mut::<Devices>().scale_to(window.scale_factor());
        let device = &app.world.resource::<Context>().0.device;
        let egui = egui_winit::State::new(
            app.world.resource::<Painter>().egui().clone(),
            egui::ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            None,
            Some(device.limits().max_texture_dimension_2d as usize),
        );
        Flight {
            window,
            surface,
            egui,
            app,
            limit,
            drawn: 0,
            last: None,
            continuous: false,
            bench,
            warm_up: None,
            measured: Vec::new(),
            pending_keys: Vec::new(),
            is_box_clicked: false,
            on_boxes: Vec::new(),
        }
    }

    /// The name of the adapter.
    pub fn adapter(&self) -> String {
        self.app.world.resource::<Context>().0.caps.adapter.clone()
    }

    /// The loss of the device, if it is lost: the flight can go on from [`ground`](Self::ground).
    pub fn lost(&self) -> Option<GpuError> {
        self.app.world.resource::<Context>().0.lost()
    }

    /// Shows a message.
    pub fn show_message(&mut self, message: impl Into<String>) {
        self.app.world.resource_mut::<Hud>().show_message(message);
        // Its time begins now, and not with the last frame.
        self.last = Some(Instant::now());
        self.window.request_redraw();
    }

    /// What has to be loaded for what the user asked for in this frame.
    pub fn take_load_requests(&mut self) -> LoadRequests {
        std::mem::take(&mut self.app.world.resource_mut::<Hud>().wanted)
    }

    /// Gives up what lived on the device, and the surface, which the next device has to make; `scene` is what was loaded.
    pub fn ground(self, scene: &SceneOptions) -> DetachedFlight {
        let Flight { mut app, limit, drawn, bench, measured, .. } = self;
        let scene = Scene::remove_from_device(scene, &mut app.world);
        app.world.remove_resource::<Painter>();
        DetachedFlight { scene, app, limit, drawn, bench, measured }
    }

    /// The window.
    pub fn window(&self) -> &Arc<Window> {
        &self.window
    }

    /// Takes in a window event; true if the next picture may differ.
    pub fn event(&mut self, event: &WindowEvent) -> bool {
        if *event == WindowEvent::RedrawRequested {
            return false;
        }
        if let WindowEvent::Touch(touch) = event {
            self.touch(touch, event);
            return true;
        }
        let world = &self.app.world;
        let (for_egui, for_devices) = match event {
            WindowEvent::KeyboardInput { event: key, .. } => {
                let (hud, devices) = (world.resource::<Hud>(), world.resource::<Devices>());
                // A menu that is left is there until the next frame, and has no keys any more.
                let has_menu = hud.has_menu() && !devices.is_asked(Action::Leave);
                let is_open = hud.is_typed_into() || has_menu || world.resource::<HudOutput>().typing;
                let is_asked = [Action::GoTo, Action::KeepView, Action::OpenFiles].map(|one| devices.is_asked(one));
                let is_escape = key.physical_key == PhysicalKey::Code(KeyCode::Escape);
                let is_asked = is_asked.contains(&true) || self.is_box_clicked;
                let hears = KeyTarget::of(is_open, is_asked, key.state == ElementState::Released, is_escape);
                if hears == KeyTarget::PendingField {
                    self.pending_keys.push(event.clone());
                    return true;
                }
                (hears != KeyTarget::Flight, hears != KeyTarget::Field)
            }
            _ => (true, true),
        };
        let consumed = for_egui && self.egui.on_window_event(&self.window, event).consumed;
        let taken = match event {
            // egui knows where the pointer was in the last frame. It may have come to a box, or gone from it, since then.
            WindowEvent::MouseInput { state: ElementState::Pressed, .. } | WindowEvent::MouseWheel { .. } => {
                self.is_on_box(self.app.world.resource::<Devices>().cursor_px())
            }
            // What the flight holds is let go, wherever the pointer is by then.
            WindowEvent::MouseInput { .. } | WindowEvent::CursorMoved { .. } => false,
            _ => consumed,
        };
        self.is_box_clicked |= taken && matches!(event, WindowEvent::MouseInput { .. });
        let is_key = matches!(event, WindowEvent::KeyboardInput { .. });
        if for_devices && (is_key || !taken) {
            self.app.world.resource_mut::<Devices>().event(event);
        }
        true
    }

    /// A finger belongs to the box that it goes down on until it comes up, else to the flight.
    fn touch(&mut self, touch: &Touch, event: &WindowEvent) {
        let at_px = DVec2::new(touch.location.x, touch.location.y);
        if touch.phase == TouchPhase::Started && self.is_on_box(at_px) {
            self.on_boxes.push(touch.id);
        }
        if self.on_boxes.contains(&touch.id) {
            // Whether it is consumed is known.
            let _ = self.egui.on_window_event(&self.window, event);
        } else {
            self.app.world.resource_mut::<Devices>().event(event);
        }
        if matches!(touch.phase, TouchPhase::Ended | TouchPhase::Cancelled) {
            self.on_boxes.retain(|id| *id != touch.id);
        }
    }

    /// Whether a box of the display is at a place, pixels from the upper left corner.
    fn is_on_box(&self, at_px: DVec2) -> bool {
        let at = at_px / f64::from(self.app.world.resource::<Viewport>().pixels_per_point);
        let layer = self.egui.egui_ctx().layer_id_at(egui::pos2(at.x as f32, at.y as f32));
        layer.is_some_and(|layer| layer.order != egui::Order::Background)
    }

    /// Draws a frame.
    ///
    /// # Errors
    /// What the GPU, the mesh or a file reports.
    pub fn frame(&mut self) -> anyhow::Result<NextFrame> {
        let size = self.window.inner_size();
        if size.width == 0 || size.height == 0 {
            return Ok(NextFrame::Event);
        }
        let picture = match self.surface.acquire(size.into()).map_err(with_advice)? {
            Acquired::Frame(frame) => frame,
            Acquired::Hidden => return Ok(NextFrame::Soon(Duration::from_millis(200))),
            Acquired::Retry => return Ok(NextFrame::Soon(Duration::from_millis(5))),
        };
        if let (Some(bench), None) = (self.bench, self.warm_up) {
            let settled = self.app.world.resource::<Planet>().report().settled;
            self.warm_up = (!bench.warm_up.is_running(self.drawn, settled)).then_some(self.drawn);
        }
        // A measured frame is over when the one after it begins.
        let measured = self.bench.zip(self.warm_up).map(|(bench, warm_up)| warm_up + bench.frames + 1);
        let last_frame = [self.limit.frames, measured].contains(&Some(self.drawn + 1));
        let step = self.prepare(&picture, last_frame);
        let started = Instant::now();
        self.app.frame(step)?;
        self.is_box_clicked = false;
        let pending_keys = std::mem::take(&mut self.pending_keys);
        for event in &pending_keys {
            self.event(event);
        }
        let cpu_s = started.elapsed().as_secs_f64();
        self.app.world.resource_mut::<FrameTimes>().add_cpu(cpu_s);
        self.window.pre_present_notify();
        picture.present();
        self.measure(cpu_s * 1e3);
        self.drawn += 1;
        let next = self.after_frame(last_frame)?;
        Ok(if next == NextFrame::End || pending_keys.is_empty() { next } else { NextFrame::Now })
    }

    /// Sets what the frame reads; returns its step of the clock, seconds.
    fn prepare(&mut self, picture: &SurfaceFrame, last_frame: bool) -> f64 {
        let now = Instant::now();
        let interval = self.last.map_or(Duration::ZERO, |last| now - last);
        self.last = Some(now);
        let raw = self.egui.take_egui_input(&self.window);
        let world = &mut self.app.world;
        let pixels_per_point = self.window.scale_factor() as f32 * self.egui.egui_ctx().zoom_factor();
        world.insert_resource(Viewport { size_px: picture.size_px(), pixels_per_point });
        // A frame that waited for something to happen says nothing about speed.
        if self.continuous {
            world.resource_mut::<FrameTimes>().add(interval.as_secs_f64());
            world.resource_mut::<FrameBudget>().add(interval.as_secs_f64() * 1e3);
        }
        world.resource_mut::<HudInput>().0 = raw;
        // Not by the clock, which is slower than time where frames are long.
        world.resource_mut::<Hud>().wait(interval.as_secs_f64());
        let mut drawing = world.resource_mut::<FrameContext>();
        drawing.targets.push(picture.view().clone());
        drawing.still = !self.continuous || last_frame;
        if last_frame && self.limit.screenshot.is_some() {
            world.resource_mut::<CaptureRequests>().request();
        }
        if let Some(last) = self.measured.last_mut().filter(|last| last.time.total_ms == 0.0) {
            last.time.total_ms = interval.as_secs_f64() * 1e3;
        }
        match self.bench {
            Some(_) if self.warm_up.is_none_or(|warm_up| self.drawn <= warm_up) => 0.0,
            Some(bench) => 1.0 / bench.fps,
            None => interval.min(LONGEST_STEP).as_secs_f64(),
        }
    }

    /// Keeps the settings, ends a recording that is under way, and saves it and a path of markers.
    ///
    /// # Errors
    /// If a path cannot be written.
    pub fn close(&mut self) -> anyhow::Result<()> {
        saving::close(&mut self.app.world)
    }

    fn after_frame(&mut self, last_frame: bool) -> anyhow::Result<NextFrame> {
        let world = &mut self.app.world;
        let platform = std::mem::take(&mut world.resource_mut::<HudOutput>().platform);
        self.egui.handle_platform_output(&self.window, platform);
        let image = world.resource_mut::<CaptureRequests>().take();
        if let Some(small) = world.resource_mut::<CaptureRequests>().take_small() {
            world.resource_mut::<BookmarkPictures>().receive(small);
        }
        if last_frame {
            if let (Some(path), Some(image)) = (&self.limit.screenshot, image) {
                let mut film = Film::create(&OutputName::parse(path, None)?, 1.0, None)?;
                film.note(file_note(world));
                film.add(image)?;
                film.finish()?;
            }
            self.close()?;
            return Ok(NextFrame::End);
        }
        let path = world.resource_mut::<Recorder>().take_finished();
        let note = file_note(world);
        let folder = world.resource::<PicturesFolder>();
        let picture = image.map(|image| save_image(folder, &image, world_file(world), note.as_deref()));
        let path = path.map(|path| saved_message(save_path(Path::new(""), &path)));
        let is_asked = world.resource::<Controls>().is_triggered(Action::SaveMarkers);
        let markers = is_asked.then(|| saving::save_markers(world));
        for told in [picture, path, markers].into_iter().flatten() {
            world.resource_mut::<Hud>().show_message(told);
        }
        let asks = |action| world.resource::<Controls>().is_triggered(action);
        let (screenshot, bare) = (asks(Action::Screenshot), asks(Action::BareScreenshot));
        if world.resource::<Controls>().is_triggered(Action::FullScreen) {
            let borderless = winit::window::Fullscreen::Borderless(None);
            self.window.set_fullscreen(if self.window.fullscreen().is_some() { None } else { Some(borderless) });
        }
        if screenshot {
            world.resource_mut::<CaptureRequests>().request();
        }
        if bare {
            world.resource_mut::<CaptureRequests>().request_without_display();
        }
        if world.resource::<Hud>().leave == QuitState::Yes {
            self.close()?;
            return Ok(NextFrame::End);
        }
        let hud = world.resource::<Hud>();
        let busy = self.limit.frames.is_some()
            || self.bench.is_some()
            || screenshot
            || bare
            || world.resource::<CaptureRequests>().is_small_coming()
            || world.resource::<Devices>().is_busy()
            || world.resource::<CameraInMotion>().0
            || world.resource::<Recorder>().recording_s().is_some()
            || world.resource::<HudOutput>().repaint
            || world.resource::<Waves>().0
            || world.resource::<SunClock>().plays
            || world.resource::<LiveViewshed>().is_busy()
            || world.resource::<LiveSkyline>().is_busy()
            || world.resource::<LiveSunHours>().is_busy()
            || !world.resource::<Planet>().report().settled;
        let came_to_rest = std::mem::replace(&mut self.continuous, busy) && !busy;
        let waits = hud.message.is_some() || world.resource::<SettingsStore>().is_pending();
        let delays = [waits.then_some(LONGEST_STEP), world.resource::<HudOutput>().repaint_after];
        Ok(match (busy || came_to_rest, delays.into_iter().flatten().min()) {
            // Once more after the last movement: the picture that stays is drawn with smooth edges.
            (true, _) => NextFrame::Now,
            (false, Some(delay)) => NextFrame::Soon(delay),
            (false, None) => NextFrame::Event,
        })
    }
}

/// What stands in the file of the picture on screen.
fn file_note(world: &World) -> Option<String> {
    world.resource::<Planet>().file_note(world.resource::<OverlayParams>().synthetic())
}

/// Where the picture on screen lies, if it looks straight down.
fn world_file(world: &World) -> Option<WorldFile> {
    let (camera, planet) = (world.resource::<Camera>(), world.resource::<Planet>());
    let ground_m = planet.ground().height_m(camera.normal());
    WorldFile::of(camera, world.resource::<Lens>().fov_y_rad, world.resource::<Viewport>().size_px, ground_m)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: from the key that opens the field on, no press reaches the flight but Escape, whether or not a frame has opened the field.
    #[test]
    fn keys_typed_after_the_one_that_opens_the_field_are_the_fields() {
        assert_eq!(KeyTarget::of(false, false, false, false), KeyTarget::Flight);
        for is_escape in [false, true] {
            for is_release in [false, true] {
                assert_eq!(KeyTarget::of(false, true, is_release, is_escape), KeyTarget::PendingField, "in order");
            }
        }
        assert_eq!(KeyTarget::of(true, false, false, false), KeyTarget::Field);
        assert_eq!(
            (KeyTarget::of(true, false, true, false), KeyTarget::of(true, false, false, true)),
            (KeyTarget::Both, KeyTarget::Both)
        );
    }
}
