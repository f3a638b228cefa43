//! Where do a picture, a path or markers go that a key asked for? Into a file of its own, named by date and time.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use image::RgbImage;
use terrain::feature_writer::{NamedFeature, VectorFormat};

use super::atomic_file::AtomicFile;
use super::image_file::{FrameImage, ImageError, ImageFormat, write_file};
use super::pictures_folder::PicturesFolder;
use super::world_file::WorldFile;
use crate::camera::path::PathFile;

/// Writes a picture into the folder of pictures, and where that cannot be into the current one, so that it is not lost: what to say of it.
/// A note goes into the picture; where it lies beside it, if that can be told.
pub fn save_image(folder: &PicturesFolder, image: &RgbImage, world: Option<WorldFile>, note: Option<&str>) -> String {
    let here = Path::new("");
    let why = match save_new_image(&folder.0, image, world, note) {
        Err(ImageError::Write { path, why }) if folder.0 != here => format!("cannot write {}: {why}", path.display()),
        saved => return saved_message(saved),
    };
    match save_new_image(here, image, world, note) {
        Ok(path) => {
            format!("{why}; it is {} instead. \"pictures\" in the settings names a folder", whole(&path).display())
        }
        Err(_) => format!("{why}; \"pictures\" in the settings names another folder"),
    }
}

/// What to say of a file: its whole path, or why there is none.
pub fn saved_message(saved: Result<PathBuf, ImageError>) -> String {
    saved.map_or_else(|why| why.to_string(), |path| format!("saved {}", whole(&path).display()))
}

/// A path that says where its file lies, wherever the program was started.
fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

fn save_new_image(
    folder: &Path,
    image: &RgbImage,
    world: Option<WorldFile>,
    note: Option<&str>,
) -> Result<PathBuf, ImageError> {
    let write = |out: &mut AtomicFile| ImageFormat::Png.write_srgb(out, image, note).map_err(io::Error::other);
    let path = save_new(folder, "orogen", "png", write)?;
    if let Some(world) = world {
        let failed = |error: io::Error| ImageError::Write { path: path.clone(), why: error.to_string() };
        world.write_beside(&path).map_err(failed)?;
    }
    Ok(path)
}

/// Writes a picture to a PNG file, whole or not at all.
///
/// # Errors
/// [`ImageError::Write`] with what the system says.
pub fn write_png(path: &Path, image: RgbImage) -> Result<(), ImageError> {
    write_file(path, ImageFormat::Png, &FrameImage::Srgb(image), None)
}

/// Writes a recorded path into a folder and returns its file.
///
/// # Errors
/// [`ImageError::Write`] with what the system says.
pub fn save_path(folder: &Path, file: &PathFile) -> Result<PathBuf, ImageError> {
    save_text((folder, "orogen-path", "json"), &file.to_json())
}

/// Writes a scene into a folder and returns its file.
///
/// # Errors
/// [`ImageError::Write`] with what the system says.
pub fn save_scene(folder: &Path, json: &str) -> Result<PathBuf, ImageError> {
    save_text((folder, "orogen-scene", "json"), json)
}

/// Writes features in a format into a folder and returns their file, whose name begins with a stem.
///
/// # Errors
/// [`ImageError::Features`] for a format that is not written here; [`ImageError::Write`] with what the system says.
pub fn save_features(
    (folder, stem): (&Path, &str),
    format: VectorFormat,
    features: &[NamedFeature],
) -> Result<PathBuf, ImageError> {
    let bytes = format.encode(features)?;
    save_new(folder, stem, format.extension(), |out| out.write_all(&bytes))
}

fn save_text((folder, stem, extension): (&Path, &str, &str), text: &str) -> Result<PathBuf, ImageError> {
    save_new(folder, stem, extension, |out| out.write_all(text.as_bytes()))
}

/// Writes a file of a name that no other in the folder has, whole or not at all: local date and time, and a number where that is taken.
fn save_new(
    folder: &Path,
    stem: &str,
    extension: &str,
    write: impl Fn(&mut AtomicFile) -> io::Result<()>,
) -> Result<PathBuf, ImageError> {
    let now = chrono::Local::now().format("%Y-%m-%d-%H%M%S");
    let mut number = 1_u64;
    loop {
        let counted = if number == 1 { String::new() } else { format!("-{number}") };
        let path = folder.join(format!("{stem}-{now}{counted}.{extension}"));
        number += 1;
        if path.symlink_metadata().is_ok() {
            continue;
        }
        let written = AtomicFile::create(&path).and_then(|mut out| {
            write(&mut out)?;
            out.commit_new()
        });
        match written {
            Ok(()) => return Ok(path),
            // Another program was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(ImageError::Write { path, why: error.to_string() }),
        }
    }
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
        for format in VectorFormat::ALL {
            let markers = save_features((folder.path(), "orogen-markers"), *format, &[]).expect("saved");
            assert!(markers.extension().is_some_and(|extension| extension == format.extension()));
            assert_eq!(std::fs::read(&markers).expect("bytes").len(), format.encode(&[]).expect("bytes").len());
        }
        let world = WorldFile { x: [0.0; 3], y: [0.0; 3] };
        let picture = save_new_image(folder.path(), &RgbImage::new(2, 2), Some(world), None).expect("saved");
        assert!(picture.extension().is_some_and(|extension| extension == "png") && picture.exists());
        assert!(picture.with_extension("pgw").exists());
    }

    /// Law: windows that save at once lose nothing of each other; names are local date and time, with a number where they are taken.
    #[test]
    fn files_of_the_same_second_have_names_of_their_own() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let before = chrono::Local::now();
        let saved: Vec<PathBuf> = std::thread::scope(|scope| {
            let save = |number: usize| {
                save_text((folder.path(), "orogen-markers", "geojson"), &number.to_string()).expect("saved")
            };
            let threads: Vec<_> = (0..16).map(|number| scope.spawn(move || save(number))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let after = chrono::Local::now();
        for (number, path) in saved.iter().enumerate() {
            assert_eq!(std::fs::read_to_string(path).expect("text"), number.to_string());
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
            let time = name.strip_prefix("orogen-markers-").and_then(|rest| rest.get(..17)).expect("a time");
            let [first, last] = [before, after].map(|at| at.format("%Y-%m-%d-%H%M%S").to_string());
            assert!((first.as_str()..=last.as_str()).contains(&time), "{first} {name} {last}");
        }
    }

    /// Law: a picture whose folder is none is saved where the program was started, and both are told, the whole path of what there is; so
    /// is that of one whose folder is good.
    #[test]
    fn no_picture_is_lost() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let image = RgbImage::new(2, 2);
        let told = save_image(&PicturesFolder(folder.path().to_path_buf()), &image, None, None);
        let files: Vec<_> =
            std::fs::read_dir(folder.path()).expect("folder").flatten().map(|file| file.path()).collect();
        assert_eq!((told, files.len()), (format!("saved {}", files[0].display()), 1));
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        for bad in [file, folder.path().join("none")] {
            let told = save_image(&PicturesFolder(bad.clone()), &image, None, None);
            let begins = format!("cannot write {}", bad.display());
            assert!(told.starts_with(&begins) && told.contains("\"pictures\" in the settings"), "{told}");
            let saved = told.split("; it is ").nth(1).and_then(|rest| rest.split(" instead").next()).expect(&told);
            assert!(Path::new(saved).is_absolute() && Path::new(saved).is_file(), "{told}");
            std::fs::remove_file(saved).expect("removed");
        }
    }

    #[test]
    fn a_folder_that_is_none_is_named() {
        let error = save_path(Path::new("/no/such/folder"), &PathFile::new("", Vec::new())).expect_err("refused");
        assert!(error.to_string().contains("/no/such/folder"), "{error}");
    }
}
