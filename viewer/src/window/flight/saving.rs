//! What is saved of the markers and the path of a flight, when the user asks for it or closes the window?

use std::path::Path;

use bevy_ecs::world::World;
use terrain::feature_writer::VectorFormat;
use terrain::geodesy::Ellipsoid;

use crate::capture::{ImageError, save_features, save_path, saved_message};
use crate::controller::Recorder;
use crate::hud::Hud;
use crate::measure::Markers;
use crate::placemarks::PlacemarkFile;
use crate::settings::SettingsStore;

/// Where the program was started, and how names of files of markers begin.
fn marker_files() -> (&'static Path, &'static str) {
    (Path::new(""), "orogen-markers")
}

/// Saves the markers and their path, or without any all placemarks, in the format that the user has chosen; what is to be said.
pub(super) fn save_markers(world: &mut World) -> String {
    let format = world.resource::<Hud>().vector_format;
    let mut markers = world.resource_mut::<Markers>();
    let features = markers.features();
    let is_earth = markers.ellipsoid() == Ellipsoid::WGS84;
    if !features.is_empty() {
        if !is_earth && format != VectorFormat::GeoJson {
            return format!("{} is of the Earth: choose GeoJSON in the settings (F2)", format.name());
        }
        let saved = save_features(marker_files(), format, &features);
        saved.is_ok().then(|| markers.note_saved(features));
        return saved_message(saved);
    }
    match world.resource::<PlacemarkFile>().features() {
        Ok(kept) if kept.is_empty() || !is_earth => String::from("there are no markers to save: click the ground"),
        Ok(kept) => saved_message(save_features((Path::new(""), "orogen-placemarks"), format, &kept)),
        Err(why) => why.to_string(),
    }
}

/// Keeps the settings, ends a recording that is under way, and saves it and a path of markers.
pub(super) fn close(world: &mut World) -> anyhow::Result<()> {
    if let Err(error) = world.resource_mut::<SettingsStore>().save() {
        eprintln!("{error}");
    }
    let mut recorder = world.resource_mut::<Recorder>();
    recorder.finish();
    let path = recorder.take_finished().map(|path| save_path(Path::new(""), &path));
    let chosen = world.resource::<Hud>().vector_format;
    let markers = world.resource::<Markers>();
    let format = if markers.ellipsoid() == Ellipsoid::WGS84 { chosen } else { VectorFormat::GeoJson };
    let markers = markers.unsaved().map(|features| match save_features(marker_files(), format, &features) {
        // Nothing is lost where GDAL fails.
        Err(error @ ImageError::Features(_)) => {
            eprintln!("{error}");
            save_features(marker_files(), VectorFormat::GeoJson, &features)
        }
        saved => saved,
    });
    for saved in [path, markers].into_iter().flatten() {
        eprintln!("saved {}", saved?.display());
    }
    Ok(())
}
