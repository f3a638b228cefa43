//! Where do the frames of a film go? A file each, one animated GIF, a video, or standard output.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use image::RgbImage;

use super::atomic_file::AtomicFile;
use super::geotiff;
use super::image_file::{FrameImage, ImageError, ImageFormat, write_file};
use super::orthoimage::PixelGrid;
use super::video::{Video, VideoError, VideoFormat};

/// Why an output name cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FilmError {
    /// No format that is written.
    #[error(
        "\"{0}\" is neither .png, .jpg, .webp, .exr, .tif, .gif, .mp4 nor .webm: name the output like a.png, frame-%05d.png or a.gif, or - for standard output"
    )]
    Kind(PathBuf),
    /// Many frames, one file.
    #[error("a path gives many pictures: number them, like frame-%05d.png, or write a film, like a.mp4 or a.gif")]
    OneFile,
    /// Many pictures, one place.
    #[error("a GeoTIFF is one picture: leave out --path, or write a film, like a.mp4")]
    OneMap,
    /// One picture, a video.
    #[error("\"{0}\" is a video, and only --path gives one: write a picture, like a.png")]
    OneFrame(PathBuf),
    /// One picture, many files.
    #[error("\"{0}\" numbers its pictures, but only --path gives many")]
    ManyFiles(PathBuf),
    /// Faster than viewers of GIF play.
    #[error(
        "a GIF plays at most {GIF_FPS} pictures a second, not {fps}: lower --fps, or number the pictures, like frame-%05d.png"
    )]
    GifRate {
        /// Asked pictures a second.
        fps: f64,
    },
}

/// Fastest GIF: browsers play delays below 2 hundredths of a second as 10.
const GIF_FPS: f64 = 50.0;

/// The files of a still or a film.
pub struct Film {
    name: OutputName,
    out: Output,
    frames: u32,
    note: Option<String>,
}

enum Output {
    Still(ImageFormat),
    Map(PixelGrid),
    Numbered(ImageFormat),
    Gif(Box<GifWriter>),
    Video(Box<Video>),
    /// Whether bare pixels are written.
    Standard {
        raw: bool,
    },
}

/// The kind of output that a file name asks for, checked before any work is done.
#[derive(Debug, Clone, PartialEq)]
pub enum OutputName {
    /// One file.
    Still(PathBuf, ImageFormat),
    /// One GeoTIFF.
    Map(PathBuf),
    /// A file a frame: text before the number, its digits, text after it.
    Numbered(PathBuf, (String, usize, String), ImageFormat),
    /// One animated GIF.
    Gif(PathBuf),
    /// One video.
    Video(PathBuf, VideoFormat),
    /// Standard output: a PNG, or the bare pixels of one frame after the other, red, green and blue bytes row by row.
    Standard {
        /// Bare pixels.
        raw: bool,
    },
}

impl OutputName {
    /// Reads an output name; `film_fps` are the pictures a second of a film, none if it is a still.
    ///
    /// # Errors
    /// [`FilmError`] if the name does not fit.
    pub fn parse(path: &Path, film_fps: Option<f64>) -> Result<OutputName, FilmError> {
        let many = film_fps.is_some();
        if path == Path::new("-") {
            return Ok(OutputName::Standard { raw: many });
        }
        if geotiff::is_geotiff(path) {
            return if many { Err(FilmError::OneMap) } else { Ok(OutputName::Map(path.to_path_buf())) };
        }
        if let Some(format) = VideoFormat::of(path) {
            return if many {
                Ok(OutputName::Video(path.to_path_buf(), format))
            } else {
                Err(FilmError::OneFrame(path.to_path_buf()))
            };
        }
        let numbered = path.file_name().and_then(|n| n.to_str()).and_then(number_pattern);
        match (ImageFormat::of(path), numbered) {
            (Some(_), Some(_)) if !many => Err(FilmError::ManyFiles(path.to_path_buf())),
            (Some(format), Some(numbered)) => Ok(OutputName::Numbered(path.to_path_buf(), numbered, format)),
            (Some(_), None) if many => Err(FilmError::OneFile),
            (Some(format), None) => Ok(OutputName::Still(path.to_path_buf(), format)),
            (None, _) if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gif")) => match film_fps {
                Some(fps) if fps > GIF_FPS => Err(FilmError::GifRate { fps }),
                _ => Ok(OutputName::Gif(path.to_path_buf())),
            },
            (None, _) => Err(FilmError::Kind(path.to_path_buf())),
        }
    }
}

impl OutputName {
    /// Whether its pixels are linear light.
    pub fn is_linear(&self) -> bool {
        matches!(self, OutputName::Still(_, format) | OutputName::Numbered(_, _, format) if format.is_linear())
    }

    /// The file that a frame goes to; none of standard output.
    pub fn file(&self, frame: u32) -> Option<PathBuf> {
        match self {
            OutputName::Numbered(path, (before, digits, after), _) => {
                let digits = *digits;
                Some(path.with_file_name(format!("{before}{frame:0digits$}{after}")))
            }
            OutputName::Still(path, _) | OutputName::Map(path) | OutputName::Gif(path) | OutputName::Video(path, _) => {
                Some(path.clone())
            }
            OutputName::Standard { .. } => None,
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
    /// Opens the output, so that an unwritable place is known before anything is drawn. `fps` are the pictures a second
    /// of a GIF or a video, `grid` says where the pixels of a GeoTIFF lie. No file is there before it is complete.
    ///
    /// # Errors
    /// [`ImageError::Write`] with what the system says, or of a GeoTIFF without a grid.
    pub fn create(name: &OutputName, fps: f64, grid: Option<PixelGrid>) -> Result<Film, ImageError> {
        let out = match name {
            OutputName::Still(_, format) => Output::Still(*format),
            OutputName::Map(path) => {
                Output::Map(grid.ok_or_else(|| write_error(path, &"nothing says where its pixels lie"))?)
            }
            OutputName::Numbered(_, _, format) => Output::Numbered(*format),
            OutputName::Gif(path) => Output::Gif(Box::new(GifWriter::create(path, fps)?)),
            OutputName::Video(path, format) => {
                let video = Video::create(path, *format, fps).map_err(|error| video_error(path, &error))?;
                Output::Video(Box::new(video))
            }
            OutputName::Standard { raw } => Output::Standard { raw: *raw },
        };
        let film = Film { name: name.clone(), out, frames: 0, note: None };
        if matches!(film.out, Output::Still(_) | Output::Map(_) | Output::Numbered(_)) {
            let first = film.frame_path(0);
            // Given up at once: it says whether it could be written, and leaves nothing.
            AtomicFile::create(&first).map_err(|error| write_error(&first, &error))?;
        }
        Ok(film)
    }

    /// What the comment of every file says from now on.
    pub fn note(&mut self, note: Option<String>) {
        self.note = note;
    }

    fn frame_path(&self, frame: u32) -> PathBuf {
        self.name.file(frame).unwrap_or_else(|| PathBuf::from("-"))
    }

    /// Adds a picture and returns the file it goes to; all pictures of a GIF have one size.
    ///
    /// # Errors
    /// [`ImageError::Write`] with what the system says.
    pub fn add(&mut self, image: impl Into<FrameImage>) -> Result<PathBuf, ImageError> {
        let path = self.frame_path(self.frames);
        let note = self.note.as_deref();
        match (&mut self.out, image.into()) {
            (Output::Still(format) | Output::Numbered(format), image) => write_file(&path, *format, &image, note)?,
            (_, FrameImage::Linear(_)) => return Err(write_error(&path, &"linear light goes into .exr files only")),
            (Output::Map(grid), FrameImage::Srgb(image)) => geotiff::write_file(&path, &image, grid, note)?,
            (Output::Standard { raw }, FrameImage::Srgb(image)) => {
                let mut out = std::io::stdout().lock();
                let written = match *raw {
                    true => out.write_all(image.as_raw()).map_err(|error| error.to_string()),
                    false => ImageFormat::Png.write_srgb(&mut out, &image, note),
                };
                written
                    .and_then(|()| out.flush().map_err(|error| error.to_string()))
                    .map_err(|error| write_error(&path, &error))?
            }
            (Output::Video(video), FrameImage::Srgb(image)) => {
                video.add(&image, note).map_err(|error| video_error(&path, &error))?
            }
            (Output::Gif(gif), FrameImage::Srgb(image)) => {
                gif.add(&image, self.frames, note).map_err(|error| write_error(&path, &error))?
            }
        }
        self.frames += 1;
        Ok(path)
    }

    /// Completes the output: a GIF or a video appears only now.
    ///
    /// # Errors
    /// [`ImageError::Write`] with what the system says.
    pub fn finish(self) -> Result<(), ImageError> {
        let path = self.frame_path(0);
        match self.out {
            Output::Still(_) | Output::Map(_) | Output::Numbered(_) | Output::Standard { .. } => Ok(()),
            Output::Video(video) => video.finish().map_err(|error| video_error(&path, &error)),
            Output::Gif(gif) => gif.finish().map_err(|error| write_error(&path, &error)),
        }
    }
}

fn video_error(path: &Path, error: &VideoError) -> ImageError {
    match error {
        VideoError::System(error) => write_error(path, error),
        error => ImageError::Video { path: path.to_path_buf(), why: error.to_string() },
    }
}

/// An animated GIF that is being written.
struct GifWriter {
    stage: OutputState,
    fps: f64,
}

enum OutputState {
    /// Before the first picture, which gives the size.
    Empty(AtomicFile),
    Encoding(gif::Encoder<AtomicFile>),
    /// A picture could not be written: there will be no file.
    Failed,
}

impl GifWriter {
    fn create(path: &Path, fps: f64) -> Result<GifWriter, ImageError> {
        let file = AtomicFile::create(path).map_err(|error| write_error(path, &error))?;
        Ok(GifWriter { stage: OutputState::Empty(file), fps })
    }

    fn add(&mut self, image: &RgbImage, frame: u32, note: Option<&str>) -> Result<(), gif::EncodingError> {
        let side = |pixels: u32| {
            u16::try_from(pixels)
                .map_err(|_| std::io::Error::other(format!("a GIF has at most 65535 pixels a side, not {pixels}")))
        };
        let (width, height) = (side(image.width())?, side(image.height())?);
        let mut encoder = match std::mem::replace(&mut self.stage, OutputState::Failed) {
            OutputState::Empty(file) => {
                let mut encoder = gif::Encoder::new(file, width, height, &[])?;
                encoder.set_repeat(gif::Repeat::Infinite)?;
                if let Some(note) = note {
                    encoder.write_raw_extension(gif::Extension::Comment.into(), &[note.as_bytes()])?;
                }
                encoder
            }
            OutputState::Encoding(encoder) => encoder,
            OutputState::Failed => return Err(std::io::Error::other("an earlier picture could not be written").into()),
        };
        // 1 is the best palette, 30 the fastest; 10 is what the format's users take.
        let mut picture = gif::Frame::from_rgb_speed(width, height, image.as_raw(), 10);
        picture.delay = delay_cs(frame, self.fps);
        encoder.write_frame(&picture)?;
        self.stage = OutputState::Encoding(encoder);
        Ok(())
    }

    fn finish(self) -> Result<(), gif::EncodingError> {
        let file = match self.stage {
            OutputState::Encoding(encoder) => encoder.into_inner()?,
            OutputState::Empty(_) => return Err(std::io::Error::other("a GIF needs a picture").into()),
            OutputState::Failed => return Err(std::io::Error::other("an earlier picture could not be written").into()),
        };
        Ok(file.commit()?)
    }
}

/// How long a GIF shows a frame, hundredths of a second: each frame ends at the hundredth nearest to its true end, so
/// that what rounding takes from one frame goes to the next and the rate is right on average.
fn delay_cs(frame: u32, fps: f64) -> u16 {
    let end = |frames: u32| (f64::from(frames) * 100.0 / fps).round();
    // Frame 10^6 still ends at an integer that f64 holds exactly.
    (end(frame + 1) - end(frame)) as u16
}

fn write_error(path: &Path, error: &dyn std::fmt::Display) -> ImageError {
    ImageError::Write { path: path.to_path_buf(), why: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_comes_out() {
        let parse = |name: &str, many: bool| OutputName::parse(Path::new(name), many.then_some(25.0));
        assert_eq!(parse("a.png", false), Ok(OutputName::Still("a.png".into(), ImageFormat::Png)));
        assert_eq!(parse("A.PNG", false), Ok(OutputName::Still("A.PNG".into(), ImageFormat::Png)));
        assert_eq!(parse("a.JPG", false), Ok(OutputName::Still("a.JPG".into(), ImageFormat::Jpeg)));
        assert_eq!(parse("a.webp", false), Ok(OutputName::Still("a.webp".into(), ImageFormat::WebP)));
        assert!(parse("a.exr", false).is_ok_and(|name| name.is_linear()));
        assert!(parse("a-%d.exr", true).is_ok_and(|name| name.is_linear()));
        let numbers = (String::from("f-"), 5, String::from(".png"));
        assert_eq!(
            parse("d/f-%05d.png", true),
            Ok(OutputName::Numbered("d/f-%05d.png".into(), numbers, ImageFormat::Png))
        );
        let file = |name: &str, frame| parse(name, true).expect("a name").file(frame);
        assert_eq!(file("d/f-%05d.png", 12), Some("d/f-00012.png".into()));
        assert_eq!((file("a.gif", 12), file("-", 12)), (Some("a.gif".into()), None));
        assert_eq!(parse("-", false), Ok(OutputName::Standard { raw: false }));
        assert_eq!(parse("-", true), Ok(OutputName::Standard { raw: true }));
        assert_eq!(parse("a.gif", true), Ok(OutputName::Gif("a.gif".into())));
        assert_eq!(parse("a.TIFF", false), Ok(OutputName::Map("a.TIFF".into())));
        assert_eq!(parse("a.tif", true), Err(FilmError::OneMap));
        assert_eq!(parse("a.mp4", true), Ok(OutputName::Video("a.mp4".into(), VideoFormat::Mp4)));
        assert_eq!(parse("a.WebM", true), Ok(OutputName::Video("a.WebM".into(), VideoFormat::WebM)));
        assert_eq!(parse("a.mp4", false), Err(FilmError::OneFrame("a.mp4".into())));
        assert_eq!(parse("a.png", true), Err(FilmError::OneFile));
        assert_eq!(parse("f-%d.png", false), Err(FilmError::ManyFiles("f-%d.png".into())));
        assert_eq!(parse("a.bmp", false), Err(FilmError::Kind("a.bmp".into())));
        assert_eq!(parse("a", true), Err(FilmError::Kind("a".into())));
    }

    #[test]
    fn frames_are_numbered_files_and_an_unwritable_place_is_known_at_once() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let folder = folder.path();
        let name = OutputName::parse(&folder.join("f-%03d.png"), Some(25.0)).expect("name");
        let mut film = Film::create(&name, 25.0, None).expect("writable");
        assert_eq!(std::fs::read_dir(folder).expect("folder").count(), 0, "nothing written yet");
        for frame in 0..2 {
            let path = film.add(RgbImage::new(3, 2)).expect("written");
            assert_eq!(path, folder.join(format!("f-00{frame}.png")));
            assert_eq!(image::open(&path).expect("a picture").width(), 3);
        }
        let nowhere = OutputName::parse(&folder.join("no/such/a.png"), None).expect("name");
        let error = Film::create(&nowhere, 25.0, None).err().expect("unwritable").to_string();
        assert!(error.contains("cannot write"), "{error}");
    }

    /// Law: a GIF lasts as long as its film, to the hundredth of a second, at rates that no whole delay gives.
    #[test]
    fn a_gif_plays_at_the_rate_of_its_film() {
        for fps in [0.1, 7.0, 15.0, 24.0, 25.0, 29.97, 30.0, 40.0, 48.0, 50.0] {
            let delays: Vec<u16> = (0..1000).map(|frame| delay_cs(frame, fps)).collect();
            let sum: f64 = delays.iter().map(|&d| f64::from(d)).sum();
            assert!((sum - 1000.0 * 100.0 / fps).abs() <= 0.5, "{fps}: {sum}");
            assert!(delays.iter().all(|&d| d >= 2 && (f64::from(d) - 100.0 / fps).abs() < 1.0), "{fps}");
        }
        let parse = |fps| OutputName::parse(Path::new("a.gif"), Some(fps));
        assert_eq!(parse(50.5), Err(FilmError::GifRate { fps: 50.5 }));
        assert!(parse(50.0).is_ok());
    }

    /// Law: what is made up is said in the file itself, whatever its letters and its length.
    #[test]
    fn a_note_is_in_the_file() {
        let folder = tempfile::tempdir().expect("temporary folder");
        for name in ["a.png", "a.gif", "a.jpg", "a.webp", "a.tif"] {
            let path = folder.path().join(name);
            let many = name.ends_with("gif").then_some(25.0);
            let grid =
                PixelGrid::around(terrain::geodesy::Ellipsoid::WGS84, (46.0, 8.0), 30.0, (3, 2)).expect("narrow");
            let output = OutputName::parse(&path, many).expect("a name");
            let mut film = Film::create(&output, 25.0, Some(grid)).expect("writable");
            film.note(Some(format!("made up below 92 m … {}", "é".repeat(600))));
            film.add(RgbImage::new(3, 2)).expect("written");
            film.finish().expect("complete");
            let bytes = std::fs::read(&path).expect("there");
            assert!(bytes.windows(18).any(|part| part == b"made up below 92 m"), "{name}");
            assert!(name.ends_with("tif") || image::open(&path).expect("a picture").width() == 3);
        }
    }

    #[test]
    fn a_gif_appears_when_it_is_complete_and_only_then() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("a.gif");
        let film = || Film::create(&OutputName::Gif(path.clone()), 30.0, None).expect("writable");
        let mut given_up = film();
        given_up.add(RgbImage::new(3, 2)).expect("written");
        drop(given_up);
        assert_eq!(std::fs::read_dir(folder.path()).expect("folder").count(), 0);

        let mut whole = film();
        for shade in [10, 200, 90] {
            whole.add(RgbImage::from_pixel(3, 2, image::Rgb([shade; 3]))).expect("written");
        }
        assert!(!path.exists());
        whole.finish().expect("complete");
        let file = std::io::BufReader::new(std::fs::File::open(&path).expect("there"));
        let decoder = image::codecs::gif::GifDecoder::new(file).expect("a GIF");
        let frames = image::AnimationDecoder::into_frames(decoder).collect_frames().expect("whole");
        let delays: Vec<u32> = frames.iter().map(|f| f.delay().numer_denom_ms().0).collect();
        assert_eq!((delays, frames[1].buffer().get_pixel(1, 1).0[0]), (vec![30, 40, 30], 200));
        assert!(film().finish().is_err(), "no picture, no film");
    }
}
