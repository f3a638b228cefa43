//! How does a film become a video? ffmpeg, as it is installed, reads the bare pixels of one picture after the other.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;

use image::RgbImage;

use super::atomic_file::AtomicFile;

/// A format of a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VideoFormat {
    /// MP4 with H.264, which every player knows.
    Mp4,
    /// WebM with VP9, free of patents.
    WebM,
}

impl VideoFormat {
    /// That of a file by its extension, in any case.
    pub fn of(path: &Path) -> Option<VideoFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "mp4" => Some(VideoFormat::Mp4),
            "webm" => Some(VideoFormat::WebM),
            _ => None,
        }
    }

    /// What ffmpeg is told of the output.
    fn arguments(self) -> &'static [&'static str] {
        match self {
            // The index comes first, so that a browser plays it while it loads.
            VideoFormat::Mp4 => &["-c:v", "libx264", "-crf", "18", "-movflags", "+faststart", "-f", "mp4"],
            VideoFormat::WebM => &["-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-row-mt", "1", "-f", "webm"],
        }
    }
}

/// Why there is no video.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VideoError {
    /// There is no ffmpeg.
    #[error(
        "no ffmpeg is found in PATH: install it (apt install ffmpeg, brew install ffmpeg or winget install ffmpeg), or write the pictures to a program of your own: -o - | ffmpeg -f rawvideo -pixel_format rgb24 -video_size WxH -framerate {fps} -i - {}", foreign::escaped(&path.to_string_lossy())
    )]
    NoFfmpeg {
        /// The video.
        path: PathBuf,
        /// Pictures a second.
        fps: f64,
    },
    /// It ended before the film did, or said that it failed.
    #[error("ffmpeg failed: {}", foreign::sanitized(.said))]
    Ffmpeg {
        /// Its last line.
        said: String,
    },
    /// What the system says.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// A video that is being written: a file appears when it is complete.
pub(super) struct Video {
    // Ended before its file is taken away.
    ffmpeg: Option<Ffmpeg>,
    file: AtomicFile,
    format: VideoFormat,
    fps: f64,
}

/// The process; it is ended with this.
struct Ffmpeg {
    process: Child,
    pixels: Option<ChildStdin>,
    /// Reads what it says, and returns the last line.
    listener: Option<JoinHandle<String>>,
}

impl Video {
    /// A video of so many pictures a second, and whether there is what writes it.
    ///
    /// # Errors
    /// [`VideoError`]: no ffmpeg, or a place that cannot be written.
    pub fn create(path: &Path, format: VideoFormat, fps: f64) -> Result<Video, VideoError> {
        let file = AtomicFile::create(path)?;
        let mut version = Command::new("ffmpeg");
        version.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        match version.status() {
            Ok(_) => Ok(Video { ffmpeg: None, file, format, fps }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(VideoError::NoFfmpeg { path: path.to_path_buf(), fps })
            }
            Err(error) => Err(VideoError::Ffmpeg { said: format!("it cannot be started: {error}") }),
        }
    }

    /// Adds a picture; all have the size of the first one, whose note the video has.
    ///
    /// # Errors
    /// [`VideoError::Ffmpeg`] if it ended.
    pub fn add(&mut self, image: &RgbImage, note: Option<&str>) -> Result<(), VideoError> {
        let ffmpeg = match &mut self.ffmpeg {
            Some(ffmpeg) => ffmpeg,
            none => {
                none.insert(Ffmpeg::begin(self.format, image.dimensions(), self.fps, note, self.file.temporary_path())?)
            }
        };
        ffmpeg.add(image.as_raw())
    }

    /// Waits for ffmpeg, and moves the video to its path.
    ///
    /// # Errors
    /// [`VideoError`]; no video is there then.
    pub fn finish(mut self) -> Result<(), VideoError> {
        if let Some(ffmpeg) = &mut self.ffmpeg {
            ffmpeg.end()?;
        }
        Ok(self.file.commit()?)
    }
}

impl Ffmpeg {
    fn begin(
        format: VideoFormat,
        (width, height): (u32, u32),
        fps: f64,
        note: Option<&str>,
        out: &Path,
    ) -> Result<Ffmpeg, VideoError> {
        let mut command = Command::new("ffmpeg");
        command.args(["-hide_banner", "-nostdin", "-loglevel", "error", "-y"]);
        command.args(["-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", &format!("{width}x{height}")]);
        command.args(["-framerate", &fps.to_string(), "-i", "-"]);
        // Players take videos for BT.709, with a colour for 2 x 2 pixels: an odd side is made even by a black line.
        let even = "pad=ceil(iw/2)*2:ceil(ih/2)*2";
        let colours = "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";
        let named = "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709";
        command.args(["-vf", &[even, colours, named].join(",")]);
        if let Some(note) = note {
            command.arg("-metadata").arg(format!("comment={}", note.replace('\0', " ")));
        }
        // A name with a colon is a file too.
        let mut file = OsString::from("file:");
        file.push(out);
        command.args(format.arguments()).arg(file);
        // Ctrl-C is for this program, which ends ffmpeg.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn()?;
        let (pixels, said) = (process.stdin.take(), process.stderr.take());
        let listener = said.map(|said| std::thread::spawn(move || last_line(said)));
        Ok(Ffmpeg { process, pixels, listener })
    }

    fn add(&mut self, pixels: &[u8]) -> Result<(), VideoError> {
        match self.pixels.as_mut().map(|to| to.write_all(pixels)) {
            Some(Ok(())) => Ok(()),
            // It says why when it ends, as it has or does without input.
            _ => {
                self.end()?;
                Err(VideoError::Ffmpeg { said: String::from("it ended before the film did") })
            }
        }
    }

    /// Tells it that there are no more pictures, and waits for it.
    fn end(&mut self) -> Result<(), VideoError> {
        drop(self.pixels.take());
        let status = self.process.wait()?;
        let said = self.listener.take().and_then(|listener| listener.join().ok()).unwrap_or_default();
        match (status.success(), said.is_empty()) {
            (true, _) => Ok(()),
            (false, false) => Err(VideoError::Ffmpeg { said }),
            (false, true) => Err(VideoError::Ffmpeg { said: status.to_string() }),
        }
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        // It has ended already, or its film is given up.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The last line that is not empty.
fn last_line(said: ChildStderr) -> String {
    let mut last = String::new();
    let (mut lines, mut line) = (BufReader::new(said), Vec::new());
    while matches!(lines.read_until(b'\n', &mut line), Ok(1..)) {
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if !text.is_empty() {
            last = text;
        }
        line.clear();
    }
    last
}
