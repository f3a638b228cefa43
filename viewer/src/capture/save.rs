//! Where do a picture, a path or markers go that a key asked for? Into a file of its own, named by the time.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use image::RgbImage;

use super::picture::{PictureError, PictureFormat, write_file};
use super::whole::WholeFile;
use super::world_file::WorldFile;
use crate::camera::path::PathFile;

/// Writes a picture into a folder, with a note, and with where it lies if that can be told, and returns its file.
///
/// # Errors
/// [`PictureError::Write`] with what the system says.
pub fn save_picture(
    folder: &Path,
    image: RgbImage,
    world: Option<WorldFile>,
    note: Option<&str>,
) -> Result<PathBuf, PictureError> {
    let path = fresh(folder, "orogen", "png");
    write_file(&path, PictureFormat::Png, &image, note)?;
    if let Some(world) = world {
        let failed = |error: std::io::Error| PictureError::Write { path: path.clone(), why: error.to_string() };
        world.write_beside(&path).map_err(failed)?;
    }
    Ok(path)
}

/// Writes a recorded path into a folder and returns its file.
///
/// # Errors
/// [`PictureError::Write`] with what the system says.
pub fn save_path(folder: &Path, file: &PathFile) -> Result<PathBuf, PictureError> {
    save_text(fresh(folder, "orogen-path", "json"), &file.to_json())
}

/// Writes a scene into a folder and returns its file.
///
/// # Errors
/// [`PictureError::Write`] with what the system says.
pub fn save_scene(folder: &Path, json: &str) -> Result<PathBuf, PictureError> {
    save_text(fresh(folder, "orogen-scene", "json"), json)
}

/// Writes markers, as GeoJSON, into a folder and returns their file.
///
/// # Errors
/// [`PictureError::Write`] with what the system says.
pub fn save_markers(folder: &Path, geojson: &str) -> Result<PathBuf, PictureError> {
    save_text(fresh(folder, "orogen-markers", "geojson"), geojson)
}

fn save_text(path: PathBuf, text: &str) -> Result<PathBuf, PictureError> {
    let write = || {
        let mut out = WholeFile::create(&path)?;
        out.write_all(text.as_bytes())?;
        out.commit()
    };
    write().map_err(|error| PictureError::Write { path: path.clone(), why: error.to_string() })?;
    Ok(path)
}

/// A name that no file in the folder has: the time in milliseconds, and later ones if that is taken.
fn fresh(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    // A clock before 1970 still gives a name.
    let start = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let name = |millis: u128| folder.join(format!("{stem}-{millis}.{extension}"));
    (start..).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;
    use crate::camera::path::{CameraPath, Key};

    #[test]
    fn nothing_is_overwritten_and_paths_can_be_read_again() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let keys = vec![Key::of(0.0, &Pose::HOME), Key::of(2.5, &Pose { lon_deg: 90.0, ..Pose::HOME })];
        let file = PathFile::new("a \"title\"", keys);
        let saved: Vec<PathBuf> = (0..5).map(|_| save_path(folder.path(), &file).expect("saved")).collect();
        assert_eq!(std::fs::read_dir(folder.path()).expect("folder").count(), saved.len());
        let path = CameraPath::from_json(&std::fs::read_to_string(&saved[4]).expect("text")).expect("a path");
        assert_eq!((path.title(), path.duration_s()), ("a \"title\"", 2.5));
        let markers = save_markers(folder.path(), "{}\n").expect("saved");
        assert!(markers.extension().is_some_and(|extension| extension == "geojson"));
        assert_eq!(std::fs::read_to_string(&markers).expect("text"), "{}\n");
        let world = WorldFile { x: [0.0; 3], y: [0.0; 3] };
        let picture = save_picture(folder.path(), RgbImage::new(2, 2), Some(world), None).expect("saved");
        assert!(picture.extension().is_some_and(|extension| extension == "png") && picture.exists());
        assert!(picture.with_extension("pgw").exists());
    }

    #[test]
    fn a_folder_that_is_none_is_named() {
        let error = save_path(Path::new("/no/such/folder"), &PathFile::new("", Vec::new())).expect_err("refused");
        assert!(error.to_string().contains("/no/such/folder"), "{error}");
    }
}
