//! What does a flight in a window begin with, and when does it end?

use bevy_ecs::world::World;
use gpu::GpuOptions;

use super::flight::{RunLimit, WindowBench};
use super::ground::PublicGround;
use crate::accessibility::Accessibility;
use crate::bookmark_pictures::BookmarkPictures;
use crate::bookmarks::Bookmarks;
use crate::camera::path::CameraPath;
use crate::camera::{Pose, Speed};
use crate::capture::PicturesFolder;
use crate::input::{Devices, Keymap};
use crate::placemarks::PlacemarkFile;
use crate::recent_places::RecentPlaces;
use crate::scene::SceneOptions;
use crate::settings::{Settings, SettingsFile, SettingsStore};
use crate::terrain::{FrameBudget, NextPool};

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

impl StoredChoices {
    /// Where placemarks are kept: beside the settings.
    pub(super) fn placemarks(&self) -> PlacemarkFile {
        PlacemarkFile::beside(self.file.as_ref().map(SettingsFile::path))
    }

    /// Puts them into a world, which keeps them in its turn.
    pub(super) fn insert_into(&self, world: &mut World) {
        let Self { kept, file, keymap, frame_ms, .. } = self;
        world.insert_resource(Devices::new(keymap.clone()));
        world.insert_resource(self.placemarks());
        world.insert_resource(BookmarkPictures::beside(file.as_ref().map(SettingsFile::path)));
        world.insert_resource(FrameBudget::new(*frame_ms));
        world.insert_resource(Accessibility::of(kept));
        world.insert_resource(NextPool(kept.triangles));
        world.insert_resource(RecentPlaces::new(kept.recent_places.clone().unwrap_or_default()));
        world.insert_resource(Bookmarks::new(kept.bookmarks.clone().unwrap_or_default()));
        world.insert_resource(PicturesFolder::of_user(kept.pictures.as_deref()));
        world.insert_resource(Speed(kept.speed.unwrap_or(1.0)));
        world.insert_resource(SettingsStore::new(file.clone(), kept.clone()));
    }
}
