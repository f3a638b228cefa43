//! Table of contents: which plugins make up each way to run.

use crate::app::App;
use crate::camera::path::CameraPath;
use crate::camera::{CameraPlugin, Pose};
use crate::capture::CapturePlugin;
use crate::hud::HudPlugin;
use crate::input::InputPlugin;
use crate::labels::LabelsPlugin;
use crate::measure::MeasurePlugin;
use crate::render::RenderPlugin;
use crate::settings::SettingsPlugin;
use crate::terrain::{Pace, TerrainPlugin};

/// A person flies, at first along a path if there is one.
pub fn interactive(app: &mut App, home: Pose, path: Option<CameraPath>) {
    app.add(InputPlugin)
        .add(CameraPlugin { home, path })
        .add(TerrainPlugin { pace: Pace::Frame })
        .add(MeasurePlugin)
        .add(RenderPlugin)
        .add(LabelsPlugin)
        .add(HudPlugin)
        .add(CapturePlugin)
        .add(SettingsPlugin);
}

/// Pictures without a person: the caller sets the camera.
pub fn headless(app: &mut App, pace: Pace) {
    app.add(TerrainPlugin { pace }).add(RenderPlugin).add(LabelsPlugin).add(CapturePlugin);
}
