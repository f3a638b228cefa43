//! What do the options of a scene and of elevation mean? Files, how they are opened and drawn, where tiles are kept.

use terrain::geodesy::Ellipsoid;
use terrain::height::{LayerInfo, OpenOptions, Relief};

use super::args::{ElevationArgs, SceneArgs};
use super::elevation::{cache_folder, warn_of_water};
use super::network::remote_packs;
use super::source::{Source, paths};
use super::values::{Detail, Switch, WaterChoice};
use super::{CliError, print_remark};
use crate::overlays::Overlays;
use crate::render::SunMode;
use crate::scene::{CacheOptions, SceneOptions, WaterFile, open_relief};
use crate::terrain::VectorLayer;

impl SceneArgs {
    /// The scene of these options over files.
    ///
    /// # Errors
    /// A file without vector data, and what to do about it.
    pub(super) fn scene(&self, files: &[Source]) -> anyhow::Result<SceneOptions> {
        let vectors = (0..).zip(&self.vector).filter_map(|(number, file)| match VectorLayer::read(file, number) {
            // A layer of today may have nothing yet.
            Err(error) if VectorLayer::is_nothing(&error) => {
                print_remark(&error.to_string());
                None
            }
            read => Some(read),
        });
        let water = self.water.as_ref().and_then(WaterChoice::file).map(|file| WaterFile::new(file.to_path_buf()));
        if let Some(file) = &water {
            warn_of_water(&file.path, &*file.open()?);
        }
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
            opened_pictures: Vec::new(),
            vectors: vectors.collect::<anyhow::Result<_>>()?,
            water,
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
    pub(super) fn synthetic_relief(&self) -> Option<bool> {
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
