//! `orogen` and `orogen view`: fly in a window.

use std::sync::Arc;

use terrain::geodesy::Ellipsoid;

use super::CliError;
use super::args::{FlyArgs, SceneArgs};
use super::render::open_path;
use super::source::Source;
use super::view::{Optics, ViewSubject};
use crate::capture::{Film, OutputName};
use crate::input::Keymap;
use crate::overlays::Overlays;
use crate::placemarks::PlacemarkFile;
use crate::scene::SceneOptions;
use crate::settings::{OpenedSettings, Settings, SettingsFile};
use crate::terrain::{DEFAULT_FRAME_MS, VectorFile, VectorLayer};
use crate::window::{self, FlyOptions, PublicGround, RunLimit, StoredChoices};

/// Flies over the embedded globe, or over files on top of it.
pub fn run(args: &FlyArgs, files: &[Source], public_ground: Option<PublicGround>) -> Result<(), CliError> {
    if let Some(path) = &args.screenshot {
        let name = OutputName::parse(path, None).map_err(|e| CliError::Usage(e.to_string()))?;
        if matches!(name, OutputName::Map(_)) || name.is_linear() {
            return Err(CliError::Usage(String::from(
                "--screenshot is a picture, like a.png: `orogen render` writes GeoTIFFs and OpenEXR",
            )));
        }
        args.overwrite.check([path])?;
        Film::create(&name, 1.0, None)?;
    }
    let path = args.path.as_deref().map(open_path).transpose()?;
    // Files are opened before the window, so that a wrong one is said where it was typed.
    let relief = Arc::new(args.scene.open(files)?);
    let OpenedSettings { settings, file, warning } =
        SettingsFile::of_user().map_or_else(OpenedSettings::empty, SettingsFile::open);
    let mut scene = with_settings(&args.scene, files, &settings)?;
    let has_usual_overlays = chosen_overlays(&args.scene, &settings).is_none();
    let start = match &path {
        Some(path) if !args.view.is_asked() => path.camera(0.0).pose(),
        _ => {
            let subject = ViewSubject { relief: &relief, options: &scene, has_files: !files.is_empty() };
            args.view.pose(&args.scene, subject, &Optics::new(scene.fov_deg, args.size))?
        }
    };
    if relief.ellipsoid() == Ellipsoid::WGS84 {
        add_placemarks(&mut scene, &PlacemarkFile::beside(file.as_ref().map(SettingsFile::path)));
    }
    let (keymap, wrong_keys) = Keymap::of(&settings.keys.clone().unwrap_or_default());
    let troubles: Vec<String> = warning.map(|warning| warning.to_string()).into_iter().chain(wrong_keys).collect();
    troubles.iter().for_each(|warning| super::print_error_line(warning));
    let warning = (!troubles.is_empty()).then(|| troubles.join("\n"));
    window::run(FlyOptions {
        scene: scene.with_relief(Some(relief.clone())).with_motion_resolution(args.motion.motion_resolution),
        has_usual_overlays,
        gpu: args.scene.gpu(),
        start,
        path,
        size_px: args.size,
        limit: RunLimit { frames: args.frames, screenshot: args.screenshot.clone() },
        choices: StoredChoices { frame_ms: frame_ms(args, &settings), kept: settings, file, keymap, warning },
        public_ground: public_ground.filter(|_| relief.ellipsoid() == Ellipsoid::WGS84),
        bench: None,
    })?;
    args.scene.data.rasters.warn_suspect_heights(&relief.read_remarks());
    Ok(())
}

/// Draws the placemarks of the user; a file that cannot be drawn is told, and stays as it is.
fn add_placemarks(scene: &mut SceneOptions, file: &PlacemarkFile) {
    let Some(path) = file.path().filter(|path| {
        cfg!(feature = "gdal") && path.exists() && scene.vectors.iter().all(|one| !file.is(&one.file.path))
    }) else {
        return;
    };
    match VectorLayer::read(&VectorFile::plain(path), scene.vectors.len()) {
        Ok(layer) => {
            scene.vectors.push(layer);
            scene.overlays = scene.overlays.with(Overlays::VECTORS, true);
        }
        Err(error) if VectorLayer::is_nothing(&error) => {}
        Err(error) => super::print_error_line(&format!("{error:#}: placemarks are not drawn")),
    }
}

/// The drawings with a name that are asked for, now or in former flights.
fn chosen_overlays(args: &SceneArgs, settings: &Settings) -> Option<Overlays> {
    args.overlays.or_else(|| Overlays::of_names(settings.overlays.as_deref()?).ok())
}

/// The scene of the options, and of what was chosen in former flights where there is no option.
fn with_settings(args: &SceneArgs, files: &[Source], settings: &Settings) -> anyhow::Result<SceneOptions> {
    let asked = args.scene(files)?;
    let sun = if args.sun.is_some() || args.time.is_some() { None } else { settings.sun };
    Ok(SceneOptions {
        synthetic_relief: args.synthetic_relief(),
        pixel_error: args.pixel_error.or(settings.pixel_error),
        triangles: args.triangles.or(settings.triangles),
        fov_deg: args.fov.or(settings.fov_deg).unwrap_or(asked.fov_deg),
        sun: sun.map_or(asked.sun, Into::into),
        // What is kept are the drawings with a name.
        overlays: chosen_overlays(args, settings)
            .unwrap_or(Overlays::USUAL)
            .with(Overlays::WATER, asked.overlays.has(Overlays::WATER))
            .with(Overlays::SHADOWS, asked.overlays.has(Overlays::SHADOWS))
            .with(Overlays::DETAIL, asked.overlays.has(Overlays::DETAIL))
            .with(Overlays::PICTURES, asked.overlays.has(Overlays::PICTURES)),
        ..asked
    })
}

/// Milliseconds of a frame to hold. Who asks for an error gets that one.
fn frame_ms(args: &FlyArgs, settings: &Settings) -> Option<f64> {
    let usual = if args.scene.pixel_error.is_some() { 0.0 } else { settings.frame_ms.unwrap_or(DEFAULT_FRAME_MS) };
    Some(args.frame_ms.unwrap_or(usual)).filter(|ms| *ms > 0.0)
}
