//! Which plugins draw pictures without a window? Those of a flight: `window/plugins.rs`.

use crate::app::App;
use crate::capture::CapturePlugin;
use crate::labels::LabelsPlugin;
use crate::render::RenderPlugin;
use crate::terrain::{Pace, TerrainPlugin};

/// Pictures without a person: the caller sets the camera.
pub fn headless(app: &mut App, pace: Pace) {
    app.add(TerrainPlugin { pace }).add(RenderPlugin).add(LabelsPlugin).add(CapturePlugin);
}
