//! What is left of a flight while everything is loaded again, and how does it go on?

use std::sync::Arc;

use bevy_ecs::world::World;
use gpu::{Gpu, WindowSurface};
use image::RgbImage;
use winit::window::Window;

use super::saving::close;
use super::{Flight, MeasuredFrame, RunLimit, WindowBench};
use crate::app::App;
use crate::camera::{Extent, Lens};
use crate::capture::CaptureRequests;
use crate::controller;
use crate::frame::{Context, Viewport};
use crate::hud::Hud;
use crate::input::Devices;
use crate::overlays::Overlays;
use crate::painter::Painter;
use crate::scene::{Scene, SceneOptions};
use crate::terrain::Planet;
use crate::window::ground::ViewTarget;
use crate::window::plugins;

impl Flight {
    /// What is seen, without boxes; none on a device that is lost, and where a hand is at work, whose next frame is not to be taken away.
    pub fn seen(&mut self) -> Option<RgbImage> {
        let world = &mut self.app.world;
        let is_free = !world.resource::<Devices>().is_busy() && !world.resource::<CaptureRequests>().is_requested();
        if !is_free || world.resource::<Context>().0.lost().is_some() {
            return None;
        }
        world.resource_mut::<CaptureRequests>().request_without_display();
        let drawn = self.app.frame(0.0);
        // What it is good for goes on without it.
        drawn.ok().and_then(|()| self.app.world.resource_mut::<CaptureRequests>().take())
    }
}

/// Flies to what is to be seen, and draws what lies on the ground of it.
pub(super) fn show(world: &mut World, view_target: ViewTarget) {
    // What was opened may be pictures or vector data, of which there were none, or a scene of other data.
    let planet = world.resource::<Planet>();
    let (given, ground) = (planet.imagery().given(), planet.ground());
    let whole =
        |extent: Extent| extent.view(*world.resource::<Lens>(), world.resource::<Viewport>().aspect(), 0.0, None);
    let (shown, pose) = match view_target {
        ViewTarget::Extent(extent, opened) => (given.within(opened), Some(whole(extent))),
        ViewTarget::Box(bbox_deg, opened) => (given.within(opened), Some(whole(Extent::of_ground(bbox_deg, ground)))),
        ViewTarget::Here(opened) => (given.within(opened), None),
        ViewTarget::View(pose) => (given, Some(pose)),
    };
    let mut overlays = world.resource_mut::<Overlays>();
    *overlays = overlays.with(shown, true);
    if let Some(pose) = pose {
        controller::fly_to(world, &pose);
    }
}

/// Why everything is loaded again in flight.
#[derive(Debug)]
pub struct Reload {
    /// Whether the device was lost.
    pub is_loss: bool,
    /// What is said then.
    pub told: String,
    /// What is to be seen then.
    pub(in crate::window) view_target: Option<ViewTarget>,
}

/// A flight without a device: everything but what lived on the one that was lost.
pub struct DetachedFlight {
    pub(super) scene: SceneOptions,
    pub(super) app: App,
    pub(super) limit: RunLimit,
    pub(super) drawn: u64,
    pub(super) bench: Option<WindowBench>,
    pub(super) measured: Vec<MeasuredFrame>,
}

impl DetachedFlight {
    /// What has to be loaded for another device, as the user has changed it.
    pub fn scene(&self) -> &SceneOptions {
        &self.scene
    }

    /// Goes on where the flight was, with a message, and flies to what is to be seen, if anything.
    pub fn resume(
        self,
        (window, surface): (Arc<Window>, WindowSurface),
        (gpu, painter, scene): (Gpu, Painter, Scene),
        Reload { told, view_target, .. }: Reload,
    ) -> Flight {
        let DetachedFlight { mut app, limit, drawn, bench, measured, .. } = self;
        app.world.insert_resource(painter);
        plugins::rebuild_on_device(&mut app.world, gpu, scene);
        app.world.resource_mut::<Hud>().show_message(told);
        if let Some(view_target) = view_target {
            show(&mut app.world, view_target);
        }
        Flight { drawn, measured, ..Flight::new(window, surface, app, limit, bench) }
    }

    /// As [`Flight::close`].
    ///
    /// # Errors
    /// If a path cannot be written.
    pub fn close(&mut self) -> anyhow::Result<()> {
        close(&mut self.app.world)
    }
}
