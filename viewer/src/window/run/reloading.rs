//! How does a flight go on when other files are opened, or everything is loaded again?

use std::panic::AssertUnwindSafe;

use winit::event_loop::ActiveEventLoop;

use super::super::flight::Reload;
use super::super::ground::{self, LoadRequest, OpenedGround};
use super::super::loading::Loading;
use super::super::title::title;
use super::{AppEvent, Program, REFINED, State};
use crate::painter::Backdrop;

impl Program {
    /// Loads everything again, and goes on with the flight then.
    pub(super) fn reload(&mut self, events: &ActiveEventLoop, reload: Reload) {
        let mut flight = match std::mem::replace(&mut self.state, State::New) {
            State::Flying(flight) => flight,
            other => return self.state = other,
        };
        let backdrop = Backdrop::new(flight.seen());
        let window = flight.window().clone();
        window.set_title("Orogen: loading the Earth");
        let mut grounded = flight.ground(&self.options.scene);
        match self.load(events, window, grounded.scene().clone(), Some(REFINED)) {
            Ok(loading) => {
                self.state =
                    State::Loading(Box::new(Loading { grounded: Some((grounded, reload)), backdrop, ..loading }));
            }
            Err(error) => {
                if let Err(unsaved) = grounded.close() {
                    eprintln!("{unsaved}");
                }
                self.fail(events, error);
            }
        }
    }

    /// Whether another scene may be loaded now; where that is to wait, the flight says so.
    fn may_load(&mut self) -> bool {
        // Frames that are measured are of one scene.
        if self.options.bench.is_some() || !matches!(self.state, State::Flying(_)) {
            return false;
        }
        if self.is_opening {
            self.show_message("wait: other ground is being opened");
        }
        !self.is_opening
    }

    /// Says something in the window, if one is flown in.
    fn show_message(&mut self, message: impl Into<String>) {
        if let State::Flying(flight) = &mut self.state {
            flight.show_message(message);
        }
    }

    /// Loads everything again with heights that are drawn so many times as high.
    pub(super) fn exaggerate(&mut self, events: &ActiveEventLoop, times: f64) {
        if !self.may_load() {
            return;
        }
        self.options.scene.exaggeration = times;
        let told = format!("heights are drawn {times} times as high");
        self.reload(events, Reload { is_loss: false, told, view_target: None });
    }

    /// Begins to open more ground, if nothing else is being opened.
    pub(super) fn open_ground(&mut self, asked: LoadRequest) {
        if !self.may_load() {
            return;
        }
        let State::Flying(flight) = &self.state else { return };
        let (body, placemarks) = (flight.body(), self.options.choices.placemarks());
        let (told, scene, public) = (self.told.clone(), self.options.scene.clone(), self.options.public_ground.clone());
        let open = move || {
            // The loop is only gone if the window was closed meanwhile.
            let tell = |line| drop(told.send_event(AppEvent::Progress(line)));
            let open = || ground::open((&scene, body, &placemarks), asked, public.as_ref(), &tell);
            let opened = std::panic::catch_unwind(AssertUnwindSafe(open));
            let opened = opened.unwrap_or_else(|_| Err(anyhow::anyhow!("the ground could not be opened")));
            // As above.
            let _ = told.send_event(AppEvent::OpenedGround(Box::new(opened)));
        };
        match std::thread::Builder::new().name(String::from("ground")).spawn(open) {
            Ok(_) => self.is_opening = true,
            Err(error) => self.show_message(format!("no thread to open ground: {error}")),
        }
    }

    /// Goes on over more ground, or says why there is none; once the flight goes on, if the device was lost meanwhile.
    pub(super) fn apply_ground(&mut self, events: &ActiveEventLoop, opened: Box<anyhow::Result<OpenedGround>>) {
        let State::Flying(flight) = &mut self.state else { return self.opened = Some(opened) };
        self.is_opening = false;
        match *opened {
            Ok(OpenedGround { scene, view_target, edit, keeps_elevation, is_chosen, told }) => {
                flight.apply_layer_edits(edit, &scene.layers());
                // Nothing is loaded for what lies on the ground that there is.
                if keeps_elevation && flight.rearrange(&scene) {
                    if let Some(view_target) = view_target {
                        flight.show(view_target);
                    }
                    flight.show_message(told);
                    flight.window().set_title(&title(&scene.layers(), &self.options.choices.placemarks()));
                    self.options.scene = scene;
                    return;
                }
                if is_chosen {
                    flight.choose(&scene);
                }
                self.options.scene = scene;
                self.reload(events, Reload { is_loss: false, told, view_target });
            }
            Err(error) => {
                eprintln!("{error}");
                flight.show_message(error.to_string());
            }
        }
    }
}
