//! The event loop: a window at once, the planet as soon as it is loaded, then frames when something changes.

mod reloading;

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use gpu::{Gpu, SurfaceOptions, WindowSurface};
use wgpu::PresentMode;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Window, WindowId};

use super::device_losses::{DeviceLosses, LEAST_INTERVAL};
use super::flight::{Flight, MeasuredFrame, NextFrame, Reload};
use super::ground::{LoadRequest, OpenedGround};
use super::loading::{LoadStage, Loading, NOTE_EVERY, queue_event};
use super::options::FlyOptions;
use super::plugins;
use super::title::title;
use super::{
    window_destroyed::{self, WindowDestroyed},
    with_advice,
};
use crate::camera::Camera;
use crate::camera::ground::above_ground;
use crate::frame::Viewport;
use crate::hud::{Hud, LoadRequests};
use crate::input::Gamepad;
use crate::overlays::Overlays;
use crate::painter::{Backdrop, Painter};
use crate::render::{MotionResolution, RenderModes, StillScene};
use crate::scene::{Scene, SceneOptions, open_relief};

/// Opens a window and flies until it is closed; the frames that were to be measured, and the adapter that drew them.
///
/// # Errors
/// No display, no GPU, a file that cannot be used, a lost device.
pub fn run(options: FlyOptions) -> anyhow::Result<(Vec<MeasuredFrame>, String)> {
    let events = EventLoop::<AppEvent>::with_user_event().build().map_err(|error| {
        // winit's own text names its source file first; the reason comes last.
        let why = error.to_string();
        let why = why.rsplit(": ").next().unwrap_or_default().trim_end_matches('.').to_string();
        anyhow::anyhow!(
            "no display to open a window on ({}); without one, try `orogen render --at 20,83,600000 --look 5,-30 -o view.png`",
            why.lines().next().unwrap_or("unknown reason").trim()
        )
    })?;
    let mut program = Program {
        told: events.create_proxy(),
        options,
        state: State::New,
        losses: DeviceLosses::default(),
        failed: None,
        dropped: Vec::new(),
        refreshed: Vec::new(),
        is_opening: false,
        opened: None,
    };
    match window_destroyed::catch_window_destroyed(|| events.run_app(&mut program)) {
        Ok(ended) => ended.context("the event loop stopped")?,
        Err(gone) => program.end(gone.into()),
    }
    match (program.failed, program.state) {
        (Some(error), _) => Err(error),
        (None, State::Flying(mut flight)) => Ok((flight.take_measured(), flight.adapter())),
        (None, _) => Ok((Vec::new(), String::new())),
    }
}

/// How long ground that is loaded again may be refined before it takes the place of what was seen.
const REFINED: Duration = Duration::from_secs(1);
/// The same of the first ground beside a software rasteriser, whose frames would take the cores from those who make tiles. Others draw at once.
const REFINED_BESIDE_SOFTWARE: Duration = Duration::from_secs(2);

/// What other threads tell the loop.
enum AppEvent {
    /// What draws the display, from the thread that loads the scene: it comes first, and tells what is being waited for.
    Painter(Box<Painter>),
    /// What is made for it now.
    Stage(LoadStage),
    /// The scene.
    Loaded(Box<anyhow::Result<Scene>>),
    /// A gamepad has said something.
    Gamepad,
    /// How far more ground is.
    Progress(String),
    /// More ground.
    OpenedGround(Box<anyhow::Result<OpenedGround>>),
}

enum State {
    New,
    Loading(Box<Loading>),
    Flying(Box<Flight>),
}

struct Program {
    told: EventLoopProxy<AppEvent>,
    options: FlyOptions,
    state: State,
    losses: DeviceLosses,
    failed: Option<anyhow::Error>,
    /// Files that were dropped on the window, or chosen in it, and wait to be opened.
    dropped: Vec<PathBuf>,
    /// Files of vector data that have changed and wait to be read again, and what to say of them.
    refreshed: Vec<(PathBuf, String)>,
    /// Whether more ground is being opened.
    is_opening: bool,
    /// More ground that came while everything was loaded again.
    opened: Option<Box<anyhow::Result<OpenedGround>>>,
}

impl Program {
    fn open(&mut self, events: &ActiveEventLoop) -> anyhow::Result<State> {
        let (width, height) = self.options.size_px;
        let attributes = Window::default_attributes()
            .with_title("Orogen: loading the Earth")
            .with_inner_size(PhysicalSize::new(width, height));
        let window = Arc::new(events.create_window(attributes).context("no window could be opened")?);
        let first_view = Some(self.options.start);
        let scene = SceneOptions { first_view, ..self.options.scene.clone() };
        let loading = self.load(events, window, scene, None)?;
        Ok(State::Loading(Box::new(loading)))
    }

    /// Begins to load a scene for a window, on a device of its own. Its ground is refined for so long at most before it is shown; what nobody
    /// waits for, beside a software rasteriser alone.
    fn load(
        &self,
        events: &ActiveEventLoop,
        window: Arc<Window>,
        mut scene: SceneOptions,
        refined: Option<Duration>,
    ) -> anyhow::Result<Loading> {
        // Frames that are measured do not wait for the display.
        let measured = self.options.bench.is_some();
        let present_mode = if measured { PresentMode::AutoNoVsync } else { PresentMode::AutoVsync };
        let (display, drawn) =
            (events.owned_display_handle(), SurfaceOptions::default().with_present_mode(present_mode));
        let (gpu, surface) =
            Gpu::with_window(&self.options.gpu, &drawn, display, window.clone()).map_err(with_advice)?;
        let (format, loader, loading) = (surface.format(), self.told.clone(), gpu.clone());
        // Where they cost a frame nothing, at the start: beside a software rasteriser it is a twentieth, by day too.
        if refined.is_none() && self.options.has_usual_overlays && !gpu.caps.is_software() {
            scene.overlays = scene.overlays.with(Overlays::LIGHTS, true);
        }
        let size_px = window.inner_size().into();
        let resolution = MotionResolution::choose(&gpu, scene.motion_resolution);
        let samplings = RenderModes::choose(&gpu, size_px, scene.samples, scene.shading).with_resolution(resolution);
        std::thread::Builder::new()
            .name(String::from("load"))
            .spawn(move || {
                let load = || {
                    let painter = Box::new(Painter::new(&loading.device, format));
                    // As below.
                    let _ = loader.send_event(AppEvent::Painter(painter));
                    let at = |stage| drop(loader.send_event(AppEvent::Stage(stage)));
                    if scene.relief.is_none() {
                        scene.relief = Some(Arc::new(open_relief(&scene.files, &scene.open)?));
                    }
                    at(LoadStage::MeshAndPipelines);
                    let mut loaded = Scene::load(&loading, &scene, format, samplings)?;
                    // No frame waits for a server.
                    loaded.planet().relief().set_non_blocking();
                    let beside = if loading.caps.is_software() { REFINED_BESIDE_SOFTWARE } else { Duration::ZERO };
                    at(LoadStage::Tiles);
                    if let Some(view) = &scene.first_view {
                        loaded.refine(&loading, view, size_px, refined.unwrap_or(beside))?;
                    }
                    Ok(loaded)
                };
                let loaded = std::panic::catch_unwind(AssertUnwindSafe(load));
                let loaded = loaded.unwrap_or_else(|_| Err(anyhow::anyhow!("the planet could not be loaded")));
                // The loop is only gone if the window was closed meanwhile.
                let _ = loader.send_event(AppEvent::Loaded(Box::new(loaded)));
            })
            .context("no thread to load the planet")?;
        window.request_redraw();
        let since = Instant::now();
        let (waiting, backdrop) = (Vec::new(), Backdrop::default());
        let stage = LoadStage::Elevation;
        Ok(Loading { window, surface, gpu, painter: None, since, waiting, stage, grounded: None, backdrop })
    }

    fn start(&mut self, scene: Scene) {
        let State::Loading(loading) = std::mem::replace(&mut self.state, State::New) else { return };
        let Loading { window, surface, gpu, painter, waiting, grounded, .. } = *loading;
        // It was sent before the scene.
        let painter = painter.unwrap_or_else(|| Painter::new(&gpu.device, surface.format()));
        window.set_title(&title(&self.options.scene.layers(), &self.options.choices.placemarks()));
        window.request_redraw();
        let mut flight = match grounded {
            Some((grounded, reload)) => {
                if reload.is_loss {
                    self.losses.resume(Instant::now());
                }
                grounded.resume((window, surface), (gpu, painter, scene), reload)
            }
            None => self.first_flight(window, surface, gpu, painter, scene),
        };
        for event in waiting {
            flight.event(&event);
        }
        self.state = State::Flying(Box::new(flight));
    }

    fn first_flight(
        &self,
        window: Arc<Window>,
        surface: WindowSurface,
        gpu: Gpu,
        painter: Painter,
        scene: Scene,
    ) -> Flight {
        let viewport = Viewport { size_px: window.inner_size().into(), pixels_per_point: window.scale_factor() as f32 };
        let ground = scene.planet().ground();
        let camera = above_ground(Camera::on(ground.ellipsoid(), &self.options.start), ground);
        let mut app = scene.into_app(gpu, camera, viewport);
        app.world.insert_resource(painter);
        plugins::interactive(&mut app, self.options.start, self.options.path.clone());
        let told = self.told.clone();
        app.world.insert_resource(Gamepad::new(Arc::new(move || {
            // The loop is only gone if the window was closed meanwhile.
            let _ = told.send_event(AppEvent::Gamepad);
        })));
        let choices = &self.options.choices;
        choices.insert_into(&mut app.world);
        if self.options.bench.is_none() {
            app.world.insert_resource(StillScene::default());
        }
        let mut hud = app.world.resource_mut::<Hud>();
        hud.take_settings(&choices.kept);
        hud.tell_if_bare(&choices.keymap);
        hud.public_ground =
            self.options.public_ground.as_ref().map(|ground| foreign::sanitized(&ground.host).to_string());
        if let Some(warning) = &choices.warning {
            hud.show_message(warning.clone());
        }
        Flight::new(window, surface, app, self.options.limit.clone(), self.options.bench)
    }

    /// A frame failed. If that is because the device was lost, another one takes its place; else the flight is over.
    fn recover_device(&mut self, events: &ActiveEventLoop, error: anyhow::Error) {
        let lost = match &self.state {
            // Frames that are measured are those of one device.
            State::Flying(flight) if self.options.bench.is_none() => flight.lost(),
            _ => None,
        };
        let Some(lost) = lost else { return self.fail(events, error) };
        if !self.losses.may_resume(Instant::now()) {
            let advice = "update the graphics driver, or try --software";
            let again = anyhow::anyhow!("{lost}, for the second time within {} s: {advice}", LEAST_INTERVAL.as_secs());
            return self.fail(events, again);
        }
        eprintln!("{lost}; the flight goes on when everything is loaded again");
        let told = String::from("the graphics device was lost: all is loaded again");
        self.reload(events, Reload { is_loss: true, told, view_target: None });
    }

    /// Ends the flight.
    fn fail(&mut self, events: &ActiveEventLoop, error: anyhow::Error) {
        self.end(error);
        events.exit();
    }

    /// Keeps of the flight what can be kept; the first error is what it ended by.
    fn end(&mut self, error: anyhow::Error) {
        self.failed.get_or_insert(error);
        self.close();
    }

    /// Keeps settings and a recording under way; the first error is that of the flight.
    fn close(&mut self) {
        let closed = match &mut self.state {
            State::Flying(flight) => flight.close(),
            State::Loading(loading) => loading.grounded.as_mut().map_or(Ok(()), |(flight, _)| flight.close()),
            State::New => Ok(()),
        };
        if let Err(error) = closed {
            self.failed.get_or_insert(error);
        }
    }

    fn window(&self) -> Option<&Arc<Window>> {
        match &self.state {
            State::New => None,
            State::Loading(loading) => Some(&loading.window),
            State::Flying(flight) => Some(flight.window()),
        }
    }
}

impl ApplicationHandler<AppEvent> for Program {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        events.set_control_flow(ControlFlow::Wait);
        if let State::New = self.state {
            match self.open(events) {
                Ok(state) => self.state = state,
                Err(error) => self.fail(events, error),
            }
        }
    }

    fn user_event(&mut self, events: &ActiveEventLoop, told: AppEvent) {
        match told {
            AppEvent::Loaded(loaded) => match *loaded {
                Ok(scene) => {
                    self.start(scene);
                    if let Some(opened) = self.opened.take() {
                        self.apply_ground(events, opened);
                    }
                }
                Err(error) => self.fail(events, error),
            },
            AppEvent::Painter(painter) => {
                if let State::Loading(loading) = &mut self.state {
                    loading.painter = Some(*painter);
                    loading.window.request_redraw();
                }
            }
            AppEvent::Stage(stage) => {
                if let State::Loading(loading) = &mut self.state {
                    loading.stage = stage;
                }
            }
            AppEvent::Gamepad => {
                if let Some(window) = self.window() {
                    window.request_redraw();
                }
            }
            AppEvent::Progress(line) => {
                if let State::Flying(flight) = &mut self.state {
                    flight.show_message(line);
                }
            }
            AppEvent::OpenedGround(opened) => self.apply_ground(events, opened),
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if !matches!(self.state, State::Flying(_)) || self.is_opening {
            return;
        }
        if !self.dropped.is_empty() {
            // Files that are dropped together come one after the other.
            let dropped = std::mem::take(&mut self.dropped);
            self.open_ground(LoadRequest::Files(dropped));
        } else if !self.refreshed.is_empty() {
            let (file, told) = self.refreshed.remove(0);
            self.open_ground(LoadRequest::Refreshed(file, told));
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if let (StartCause::ResumeTimeReached { .. }, Some(window)) = (cause, self.window()) {
            window.request_redraw();
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => {
                self.close();
                return events.exit();
            }
            WindowEvent::Destroyed => return self.fail(events, WindowDestroyed.into()),
            // The display hears of it, too: nothing hovers over the window any more.
            WindowEvent::DroppedFile(ref file) => self.dropped.push(file.clone()),
            _ => {}
        }
        let flight = match &mut self.state {
            State::Flying(flight) => flight,
            State::Loading(loading) if event == WindowEvent::RedrawRequested => {
                events.set_control_flow(ControlFlow::WaitUntil(Instant::now() + NOTE_EVERY));
                let shown = loading.draw_note();
                return shown.unwrap_or_else(|error| self.fail(events, error));
            }
            State::Loading(loading) => return queue_event(&mut loading.waiting, event),
            State::New => return,
        };
        if flight.event(&event) {
            flight.window().request_redraw();
        }
        if event != WindowEvent::RedrawRequested {
            return;
        }
        let frame = flight.frame();
        flight.save_scene(&self.options.scene);
        let LoadRequests { files, ground, exaggeration, edited, refreshed } = flight.take_load_requests();
        match frame {
            Ok(NextFrame::Now) => {
                events.set_control_flow(ControlFlow::Wait);
                flight.window().request_redraw();
            }
            Ok(NextFrame::Soon(delay)) => events.set_control_flow(ControlFlow::WaitUntil(Instant::now() + delay)),
            Ok(NextFrame::Event) => events.set_control_flow(ControlFlow::Wait),
            Ok(NextFrame::End) => events.exit(),
            Err(error) => self.recover_device(events, error),
        }
        // From here on they are as those that are dropped.
        self.dropped.extend(files);
        self.refreshed.extend(refreshed);
        if let Some(place) = ground {
            self.open_ground(LoadRequest::Around(place));
        }
        if let Some(edit) = edited {
            self.open_ground(LoadRequest::Edited(edit));
        }
        if let Some(times) = exaggeration {
            self.exaggerate(events, times);
        }
    }
}
