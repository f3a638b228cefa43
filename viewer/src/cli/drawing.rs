//! How does another program draw what `orogen render` draws? Over a surface that it has, by the options of that verb, in words.
//!
//! [`OffscreenScene`] is a scene that is loaded once and draws pictures from any number of eyes.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::error::{ContextKind, ContextValue};
use clap::{Args, FromArgMatches as _};
use gpu::Gpu;
use terrain::height::Relief;

use super::CliError;
use super::args::{PoseArgs, SceneArgs};
use super::values::{self, Size};
use super::view::{Optics, ViewSubject};
use crate::app::Interrupted;
use crate::camera::{Camera, Lens};
use crate::capture::FrameImage;
use crate::headless::OffscreenRenderer;
use crate::render::Light;
use crate::scene::SceneOptions;

/// Options of `orogen render` that say what is drawn.
#[derive(Args, Debug)]
struct DrawingArgs {
    #[command(flatten)]
    view: PoseArgs,
    #[arg(long, value_parser = values::size, default_value = "1280x720")]
    size: Size,
    /// Pictures are linear light, as in an EXR.
    #[arg(long)]
    linear: bool,
    #[command(flatten)]
    scene: SceneArgs,
}

impl DrawingArgs {
    /// Of words like `--at=46,8,3000`.
    fn parse(words: &[OsString]) -> Result<Self, CliError> {
        let command = Self::augment_args(clap::Command::new("render").no_binary_name(true).disable_help_flag(true));
        let matches = command.try_get_matches_from(words);
        matches.and_then(|matches| Self::from_arg_matches(&matches)).map_err(|error| CliError::Usage(refusal(&error)))
    }
}

/// A rendered image with its statistics.
#[derive(Debug, Clone)]
pub struct DrawnImage {
    /// The pixels.
    pub image: FrameImage,
    /// Triangles that were drawn.
    pub triangles: u32,
    /// By how much the eye was raised to be above the ground, metres.
    pub raised_m: f64,
    /// What is to be said beside the picture: what is made up, and what makers of the data want to be said.
    pub note: Option<String>,
}

/// A loaded scene that is drawn without a window.
pub struct OffscreenScene {
    renderer: OffscreenRenderer,
    relief: Arc<Relief>,
    options: SceneOptions,
}

impl OffscreenScene {
    /// Loads a scene over a surface. Words are options of `orogen render` as it takes them, like `--size=640x360`; those that say how
    /// files of elevation are read or where pictures go say nothing here. By `--linear` pictures are linear light, as in an EXR.
    ///
    /// # Errors
    /// [`CliError::Usage`] for words that the program refuses, else [`CliError::Failed`].
    pub fn load(relief: Arc<Relief>, words: &[OsString]) -> Result<Self, CliError> {
        let args = DrawingArgs::parse(words)?;
        let mut options = args.scene.scene(&[])?;
        // Kept tiles are known by the files that they were made from.
        options.cache = None;
        let gpu = Gpu::new(&args.scene.gpu())?;
        let before = relief.failures();
        let scene = options.clone().with_relief(Some(relief.clone()));
        let make = if args.linear { OffscreenRenderer::linear } else { OffscreenRenderer::new };
        let renderer = make(gpu, &scene, args.size)?;
        if let Some(error) = relief.failure_since(&before) {
            return Err(error.into());
        }
        Ok(Self { renderer, relief, options })
    }

    /// Draws the settled picture of a view: `--at`, `--look`, `--fit`, `--fov`, `--sun` and `--time` of the words count, and others have to
    /// be as they were when the scene was loaded. Once `interrupted` is set, the picture is given up.
    ///
    /// # Errors
    /// As [`load`](Self::load). After [`CliError::Failed`] the scene may hold what stood in for data that could not be read: load it anew.
    pub fn render(&mut self, words: &[OsString], interrupted: Arc<AtomicBool>) -> Result<DrawnImage, CliError> {
        let args = DrawingArgs::parse(words)?;
        let fov_deg = args.scene.fov.unwrap_or(SceneOptions::default().fov_deg);
        let subject = ViewSubject { relief: &self.relief, options: &self.options, has_files: true };
        let before = self.relief.failures();
        let pose = args.view.pose(&args.scene, subject, &Optics::new(fov_deg, args.size))?;
        self.renderer.reset_mesh()?;
        let world = self.renderer.world_mut();
        world.insert_resource(Lens { fov_y_rad: fov_deg.to_radians() });
        world.insert_resource(Light(args.scene.sun()));
        world.insert_resource(Interrupted(interrupted));
        let camera = Camera::on(self.relief.ellipsoid(), &pose);
        let (_, raised_m) = self.renderer.above_ground(camera);
        let (image, report) = self.renderer.render_frame(camera)?;
        // What could not be read was drawn coarser.
        if let Some(error) = self.relief.failure_since(&before) {
            return Err(error.into());
        }
        Ok(DrawnImage { image, triangles: report.triangles, raised_m, note: self.renderer.note() })
    }
}

/// What is wrong with words, each named as an option is without its dashes.
fn refusal(error: &clap::Error) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        Some(ContextValue::Strings(texts)) => texts.first().map(String::as_str),
        _ => None,
    };
    let named = |kind| Some(context(kind)?.split([' ', '[']).next()?.trim_start_matches('-').replace('-', "_"));
    match (named(ContextKind::InvalidArg), named(ContextKind::PriorArg), context(ContextKind::InvalidValue)) {
        (Some(option), Some(other), _) => format!("{option} and {other} exclude each other: give one of them"),
        (Some(option), None, Some(value)) => {
            let known = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(values)) => Some(format!("choose one of {}", values.join(", "))),
                _ => None,
            };
            let reason = std::error::Error::source(error).map(ToString::to_string).or(known);
            format!("{option}={}: {}", foreign::sanitized(value), reason.unwrap_or_else(|| error.kind().to_string()))
        }
        _ => error.to_string(),
    }
}
