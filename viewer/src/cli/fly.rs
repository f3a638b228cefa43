//! `orogen` and `orogen view`: fly in a window.

use std::sync::Arc;

use terrain::geodesy::Ellipsoid;
use terrain::height::{LayerInfo, OpenOptions, Relief};

use super::CliError;
use super::args::{ElevationArgs, FlyArgs, SceneArgs};
use super::elevation::cache_folder;
use super::network::remote_packs;
use super::render::open_path;
use super::source::{Source, paths};
use super::values::{Detail, Switch, WaterChoice};
use super::view::{Optics, ViewSubject};
use crate::capture::{Film, OutputName};
use crate::input::Keymap;
use crate::overlays::Overlays;
use crate::render::SunMode;
use crate::scene::{CacheOptions, SceneOptions, WaterFile, open_relief};
use crate::settings::{OpenedSettings, Settings, SettingsFile, overlays};
use crate::terrain::{DEFAULT_FRAME_MS, VectorLayer};
use crate::window::{self, FlyOptions, PublicGround, RunLimit, StoredChoices};

impl SceneArgs {
    /// The scene of these options over files.
    ///
    /// # Errors
    /// A file without vector data, and what to do about it.
    pub(super) fn scene(&self, files: &[Source]) -> anyhow::Result<SceneOptions> {
        let vectors = (0..).zip(&self.vector).map(|(number, file)| VectorLayer::read(file, number));
        Ok(SceneOptions {
            files: paths(files),
            relief: None,
            first_view: None,
            open: self.data.options(files),
            tile_bytes: self.data.gpu_memory.map(|mib| mib * MIB),
            cache: self.data.cache(),
            pixel_error: self.pixel_error,
            triangles: self.triangles,
            mesh: self.mesh,
            samples: self.samples,
            shading: self.shading,
            motion_resolution: None,
            fov_deg: self.fov.unwrap_or(SceneOptions::default().fov_deg),
            sun: self.sun(),
            overlays: self
                .overlays
                .unwrap_or_default()
                .with(Overlays::WATER, self.water != Some(WaterChoice::Off))
                .with(Overlays::SHADOWS, self.shadows != Some(Switch::Off))
                .with(Overlays::DETAIL, self.detail == Some(Detail::All)),
            ramp: self.ramp.unwrap_or_default(),
            exaggeration: self.exaggerate.unwrap_or(1.0),
            pictures: self.imagery.clone(),
            vectors: vectors.collect::<anyhow::Result<_>>()?,
            water: match &self.water {
                Some(WaterChoice::File(file)) => Some(WaterFile::new(file.clone())),
                _ => None,
            },
            synthetic_relief: Some(self.synthetic_relief().unwrap_or(false)),
        })
    }

    /// Opens files, and tells what is remarkable about them.
    ///
    /// # Errors
    /// A file, or an option that asks for what is known of the Earth alone.
    pub(super) fn open(&self, files: &[Source]) -> Result<Relief, CliError> {
        let relief = self.data.open(files)?;
        if relief.ellipsoid() != Ellipsoid::WGS84 {
            if self.time.is_some() {
                let line = "--time: where the sun stands is known over the Earth, and the data are of another body: give --sun";
                return Err(CliError::Usage(String::from(line)));
            }
            if self.overlays.is_some_and(|overlays| overlays.has(Overlays::IMAGERY)) {
                let line = "--overlays imagery: the picture that ships is of the Earth, and the data are of another body: give \
                            --imagery FILE";
                return Err(CliError::Usage(String::from(line)));
            }
        }
        Ok(relief)
    }

    /// Where the light comes from.
    pub(super) fn sun(&self) -> SunMode {
        self.time.or(self.sun).unwrap_or_default()
    }

    /// Whether relief is made up, if that is said.
    fn synthetic_relief(&self) -> Option<bool> {
        self.detail.map(|detail| detail != Detail::Off)
    }

    /// The choice of adapter.
    pub(super) fn gpu(&self) -> gpu::GpuOptions {
        gpu::GpuOptions::from_env().with_software(self.software)
    }
}

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;

impl ElevationArgs {
    /// How files are opened.
    fn options(&self, files: &[Source]) -> OpenOptions {
        let options = self.rasters.options(files, self.cache().map(|cache| cache.folder));
        let options = options.with_remote(Some(remote_packs(self.cache())));
        let layer_bytes =
            self.memory.map_or(options.layer_bytes, |mib| usize::try_from(mib * MIB).unwrap_or(usize::MAX));
        #[cfg(feature = "gdal")]
        terrain::height::share_block_cache(layer_bytes);
        options.with_layer_bytes(layer_bytes)
    }

    /// Opens files, and tells what is remarkable about them.
    pub(super) fn open(&self, files: &[Source]) -> anyhow::Result<Relief> {
        self.rasters.open(files, &self.options(files))
    }

    /// Opens a file beside a relief, and tells what is remarkable about it unless it is a layer of that one, of which it was told.
    pub(super) fn open_beside(&self, file: &Source, relief: &Relief) -> anyhow::Result<Relief> {
        let files = std::slice::from_ref(file);
        let beside = open_relief(&paths(files), &self.options(files))?;
        let is_new = |layer: &LayerInfo| relief.layers().iter().all(|told| told.name != layer.name);
        beside
            .layers()
            .iter()
            .filter(|layer| is_new(layer))
            .for_each(|layer| self.rasters.warn_remarks(std::slice::from_ref(layer)));
        Ok(beside)
    }

    /// Where tiles are kept: the folder given, or that of caches on this system, if any.
    pub(super) fn cache(&self) -> Option<CacheOptions> {
        if self.no_cache {
            return None;
        }
        let folder = self.cache_dir.clone().or_else(cache_folder)?;
        Some(CacheOptions { folder, most_bytes: self.cache_size * MIB })
    }
}

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
    let scene = with_settings(&args.scene, files, &settings)?;
    let start = match &path {
        Some(path) if !args.view.is_asked() => path.camera(0.0).pose(),
        _ => {
            let subject = ViewSubject { relief: &relief, options: &scene, has_files: !files.is_empty() };
            args.view.pose(&args.scene, subject, &Optics::new(scene.fov_deg, args.size))?
        }
    };
    let (keymap, wrong_keys) = Keymap::of(&settings.keys.clone().unwrap_or_default());
    let troubles: Vec<String> = warning.map(|warning| warning.to_string()).into_iter().chain(wrong_keys).collect();
    troubles.iter().for_each(|warning| super::print_error_line(warning));
    let warning = (!troubles.is_empty()).then(|| troubles.join("\n"));
    window::run(FlyOptions {
        scene: scene.with_relief(Some(relief.clone())).with_motion_resolution(args.motion.motion_resolution),
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
        overlays: (args.overlays.or_else(|| overlays(settings.overlays.as_deref()?).ok()))
            .unwrap_or(Overlays::NAMES.with(Overlays::BORDERS, true).with(Overlays::STARS, true))
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
