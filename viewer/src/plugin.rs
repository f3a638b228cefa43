//! Table of contents: which plugins make up each way to run.

use crate::app::App;
use crate::camera::{CameraPlugin, Pose};
use crate::capture::CapturePlugin;
use crate::hud::HudPlugin;
use crate::input::InputPlugin;
use crate::render::RenderPlugin;
use crate::terrain::{Pace, TerrainPlugin};

/// A person flies.
pub fn interactive(app: &mut App, home: Pose) {
    app.add(InputPlugin)
        .add(CameraPlugin { home })
        .add(TerrainPlugin { pace: Pace::Frame })
        .add(RenderPlugin)
        .add(HudPlugin)
        .add(CapturePlugin);
}

/// Pictures for files: the caller sets the camera; every picture waits until the mesh has settled.
pub fn headless(app: &mut App) {
    app.add(TerrainPlugin { pace: Pace::Settled }).add(RenderPlugin).add(CapturePlugin);
}
