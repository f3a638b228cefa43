//! Where do the frames of a film go? A PNG file each, or one animated GIF.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use image::codecs::gif::{GifEncoder, Repeat};
use image::{DynamicImage, Frame, RgbImage};

use super::picture::{PictureError, write_png};

/// Why an output name cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilmError {
    /// Neither PNG nor GIF.
    #[error("\"{0}\" is neither .png nor .gif: name the output like a.png, frame-%05d.png or a.gif")]
    Kind(PathBuf),
    /// Many frames, one file.
    #[error("a path gives many pictures: number them, like frame-%05d.png, or write a film, like a.gif")]
    OneFile,
    /// One picture, many files.
    #[error("\"{0}\" numbers its pictures, but only --path gives many")]
    ManyFiles(PathBuf),
}

/// The files of a still or a film.
pub struct Film {
    path: PathBuf,
    out: Output,
    frames: u32,
}

enum Output {
    Still,
    Numbered { before: String, digits: usize, after: String },
    Gif { encoder: Box<GifEncoder<BufWriter<File>>>, delay: image::Delay },
}

/// The kind of output that a file name asks for, checked before any work is done.
#[derive(Debug, Clone, PartialEq)]
pub enum OutputName {
    /// One PNG file.
    Still(PathBuf),
    /// A PNG file a frame: text before the number, its digits, text after it.
    Numbered(PathBuf, String, usize, String),
    /// One animated GIF.
    Gif(PathBuf),
}

impl OutputName {
    /// Reads an output name; `many` says that more than one picture is coming.
    ///
    /// # Errors
    /// [`FilmError`] if the name does not fit.
    pub fn parse(path: &Path, many: bool) -> Result<OutputName, FilmError> {
        let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        let numbered = path.file_name().and_then(|n| n.to_str()).and_then(number_pattern);
        match (extension.as_deref(), numbered) {
            (Some("png"), Some(_)) if !many => Err(FilmError::ManyFiles(path.to_path_buf())),
            (Some("png"), Some((before, digits, after))) => {
                Ok(OutputName::Numbered(path.to_path_buf(), before, digits, after))
            }
            (Some("png"), None) if many => Err(FilmError::OneFile),
            (Some("png"), None) => Ok(OutputName::Still(path.to_path_buf())),
            (Some("gif"), _) => Ok(OutputName::Gif(path.to_path_buf())),
            _ => Err(FilmError::Kind(path.to_path_buf())),
        }
    }
}

/// Splits `frame-%05d.png` around its number: text, digits (0 for `%d`), text.
fn number_pattern(name: &str) -> Option<(String, usize, String)> {
    let (before, rest) = name.split_once('%')?;
    let (digits, after) = rest.split_once('d')?;
    let digits = match digits {
        "" => 0,
        padded => padded.strip_prefix('0')?.parse().ok().filter(|&n: &usize| n <= 12)?,
    };
    Some((before.to_string(), digits, after.to_string()))
}

impl Film {
    /// Opens the output; a GIF and the folder of numbered files are created now, so that an unwritable place is known
    /// before anything is drawn.
    ///
    /// # Errors
    /// [`PictureError::Write`] with what the system says.
    pub fn create(name: &OutputName, fps: f64) -> Result<Film, PictureError> {
        let (path, out) = match name {
            OutputName::Still(path) => (path, Output::Still),
            OutputName::Numbered(path, before, digits, after) => {
                (path, Output::Numbered { before: before.clone(), digits: *digits, after: after.clone() })
            }
            OutputName::Gif(path) => {
                let file = File::create(path).map_err(|e| write_error(path, &e))?;
                let mut encoder = Box::new(GifEncoder::new_with_speed(BufWriter::new(file), 10));
                encoder.set_repeat(Repeat::Infinite).map_err(|e| write_error(path, &e))?;
                let delay = image::Delay::from_numer_denom_ms((1e6 / fps).round() as u32, 1000);
                (path, Output::Gif { encoder, delay })
            }
        };
        let film = Film { path: path.clone(), out, frames: 0 };
        if !matches!(film.out, Output::Gif { .. }) {
            film.probe()?;
        }
        Ok(film)
    }

    /// Fails now if the first file cannot be written later. Leaves no file behind that was not there.
    fn probe(&self) -> Result<(), PictureError> {
        let first = self.frame_path(0);
        let existed = first.exists();
        File::options().write(true).create(true).truncate(false).open(&first).map_err(|e| write_error(&first, &e))?;
        if !existed {
            std::fs::remove_file(&first).map_err(|e| write_error(&first, &e))?;
        }
        Ok(())
    }

    fn frame_path(&self, frame: u32) -> PathBuf {
        match &self.out {
            Output::Numbered { before, digits, after } => {
                self.path.with_file_name(format!("{before}{frame:0digits$}{after}"))
            }
            Output::Still | Output::Gif { .. } => self.path.clone(),
        }
    }

    /// Adds a picture and returns the file it went to.
    ///
    /// # Errors
    /// [`PictureError::Write`] with what the system says.
    pub fn add(&mut self, image: RgbImage) -> Result<PathBuf, PictureError> {
        let path = self.frame_path(self.frames);
        self.frames += 1;
        match &mut self.out {
            Output::Still | Output::Numbered { .. } => write_png(&path, &image)?,
            Output::Gif { encoder, delay } => {
                let rgba = DynamicImage::ImageRgb8(image).into_rgba8();
                encoder.encode_frame(Frame::from_parts(rgba, 0, 0, *delay)).map_err(|e| write_error(&path, &e))?;
            }
        }
        Ok(path)
    }
}

fn write_error(path: &Path, error: &dyn std::fmt::Display) -> PictureError {
    PictureError::Write { path: path.to_path_buf(), why: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_comes_out() {
        let parse = |name: &str, many| OutputName::parse(Path::new(name), many);
        assert_eq!(parse("a.png", false), Ok(OutputName::Still("a.png".into())));
        assert_eq!(parse("A.PNG", false), Ok(OutputName::Still("A.PNG".into())));
        assert_eq!(
            parse("d/f-%05d.png", true),
            Ok(OutputName::Numbered("d/f-%05d.png".into(), "f-".into(), 5, ".png".into()))
        );
        assert_eq!(parse("a.gif", true), Ok(OutputName::Gif("a.gif".into())));
        assert_eq!(parse("a.png", true), Err(FilmError::OneFile));
        assert_eq!(parse("f-%d.png", false), Err(FilmError::ManyFiles("f-%d.png".into())));
        assert_eq!(parse("a.jpg", false), Err(FilmError::Kind("a.jpg".into())));
        assert_eq!(parse("a", true), Err(FilmError::Kind("a".into())));
    }

    #[test]
    fn frames_are_numbered_files_and_an_unwritable_place_is_known_at_once() {
        let folder = std::env::temp_dir().join(format!("orogen-film-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("temporary folder");
        let name = OutputName::parse(&folder.join("f-%03d.png"), true).expect("name");
        let mut film = Film::create(&name, 25.0).expect("writable");
        assert_eq!(std::fs::read_dir(&folder).expect("folder").count(), 0, "nothing written yet");
        for frame in 0..2 {
            let path = film.add(RgbImage::new(3, 2)).expect("written");
            assert_eq!(path, folder.join(format!("f-00{frame}.png")));
            assert_eq!(image::open(&path).expect("a picture").width(), 3);
        }
        let nowhere = OutputName::parse(&folder.join("no/such/a.png"), false).expect("name");
        let error = Film::create(&nowhere, 25.0).err().expect("unwritable").to_string();
        assert!(error.contains("cannot write"), "{error}");
        std::fs::remove_dir_all(&folder).expect("clean");
    }
}
