//! What does a flight in a window begin with, and when does it end?

use gpu::GpuOptions;

use super::flight::{RunLimit, WindowBench};
use super::ground::PublicGround;
use crate::camera::Pose;
use crate::camera::path::CameraPath;
use crate::input::Keymap;
use crate::scene::SceneOptions;
use crate::settings::{Settings, SettingsFile};

/// How to fly.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FlyOptions {
    /// What is drawn.
    pub scene: SceneOptions,
    /// Whether nobody has chosen what is drawn: then lights of towns are, too, beside a graphics card.
    pub has_usual_overlays: bool,
    /// Which adapter draws.
    pub gpu: GpuOptions,
    /// First view, and where `H` flies to.
    pub start: Pose,
    /// A path to fly at once, and again with `R`.
    pub path: Option<CameraPath>,
    /// Size of the window, pixels.
    pub size_px: (u32, u32),
    /// When to end.
    pub limit: RunLimit,
    /// Choices of former flights that the window itself uses, and where to keep those of this one.
    pub choices: StoredChoices,
    /// Where finer ground can be had; none asks nobody.
    pub public_ground: Option<PublicGround>,
    /// Measures the frames along the path, without waiting for the display.
    pub bench: Option<WindowBench>,
}

/// Stored settings that the window uses besides the scene.
#[derive(Debug, Clone, Default)]
pub struct StoredChoices {
    /// What was kept.
    pub kept: Settings,
    /// Where to keep it.
    pub file: Option<SettingsFile>,
    /// What keys do.
    pub keymap: Keymap,
    /// What to tell the user at the start.
    pub warning: Option<String>,
    /// Milliseconds of a frame to hold by the tolerated error.
    pub frame_ms: Option<f64>,
}
