//! What is saved of the markers and the path of a flight, when the user asks for it or closes the window?

use std::path::Path;

use bevy_ecs::world::World;
use terrain::feature_writer::VectorFormat;

use crate::capture::{save_features, save_path, saved_message};
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
    if !features.is_empty() {
        let saved = save_features(marker_files(), format, &features);
        saved.is_ok().then(|| markers.note_saved(features));
        return saved_message(saved);
    }
    match world.resource::<PlacemarkFile>().features() {
        Ok(kept) if kept.is_empty() => String::from("there are no markers to save: click the ground"),
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
    let format = world.resource::<Hud>().vector_format;
    let markers = world.resource::<Markers>().unsaved().map(|features| {
        // Where GDAL fails nothing is lost.
        let of_own = |_| save_features(marker_files(), VectorFormat::GeoJson, &features);
        save_features(marker_files(), format, &features).or_else(of_own)
    });
    for saved in [path, markers].into_iter().flatten() {
        eprintln!("saved {}", saved?.display());
    }
    Ok(())
}
