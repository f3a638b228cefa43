//! Which elevation is opened, and how? Files with what is said of each alone, and what is said of all; what is remarkable about
//! them is told.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use terrain::geodesy::Ellipsoid;
use terrain::height::{LayerInfo, Network, OpenOptions, Relief, VerticalDatum};
use terrain::water::Water;

use super::network::remote_packs;
use super::source::{Source, paths};
use super::values;
use crate::scene::{CacheOptions, open_relief};
use crate::terrain::{VectorFile, VectorLayer};

/// Shown by `--help` of every verb that opens rasters.
pub const SOURCES: &str = "\
A scene, as Ctrl+Shift+S saves it in a window, stands for the files that it names, and says how they are drawn where nothing else is said.
Options of one raster alone stand behind its name: dem.tif,band=2,nodata=-9999,crs=EPSG:32633,unit=ft,feather=4,valid-range=-500:9000.
`vdatum=EPSG:5703` says what its heights are above, in place of the file, also of a pack. They hold for all rasters of a folder or @list. A name that exists is taken as it is, commas and all.";

/// Most bytes in the folder of caches, where nothing else is said: what `--cache-size` is by default.
const CACHE_BYTES: u64 = 2 << 30;

/// How rasters are opened: options of every verb that opens any.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Elevation")]
pub struct RasterArgs {
    /// Bring all heights above this: ellipsoid, egm96, egm2008, navd88 or EPSG:CODE of a vertical system [default: each layer's own datum]
    #[arg(long, value_name = "DATUM")]
    pub vdatum: Option<VerticalDatum>,
    /// The planet or moon that the data are of: earth, moon, mars, or its equatorial and polar radius in metres [default: as their
    /// coordinate systems say]
    #[arg(long, value_name = "NAME|A,B")]
    pub body: Option<Ellipsoid>,
    /// Band that holds the heights [default: 1]
    #[arg(long, value_name = "N", value_parser = values::band, allow_negative_numbers = true)]
    pub band: Option<usize>,
    /// Value that stands for no height, as it is in the file, beside the one that the file declares
    #[arg(long, value_name = "VALUE", value_parser = values::any_number, allow_negative_numbers = true)]
    pub nodata: Option<f64>,
    /// Coordinate system in place of the file's: EPSG:CODE, WKT or a PROJ string
    #[arg(long, value_name = "CRS")]
    pub crs: Option<String>,
    /// Unit of the heights in place of the file's: m, ft, us-ft, cm, fathom, ... or metres of one
    #[arg(long, value_name = "UNIT", value_parser = values::unit)]
    pub unit: Option<f64>,
    /// Postings beyond its data over which a raster goes over to what lies below [default: as many as 3 km have, 63 at most]
    #[arg(long, value_name = "N", value_parser = values::feather, allow_negative_numbers = true)]
    pub feather: Option<u32>,
    /// Heights in metres that are taken; others are voids [default: -16000:16000]
    #[arg(long, value_name = "LOW:HIGH", value_parser = values::range, allow_hyphen_values = true)]
    pub valid_range: Option<(f64, f64)>,
    /// Leave out damaged files of a folder or list, of pictures too, take damaged blocks of a raster as voids, and say which
    #[arg(long)]
    pub skip_bad: bool,
    /// Reach over the network for nothing, not even for names like /vsicurl/https://... on the command line
    #[arg(long)]
    pub offline: bool,
    /// Let files and lists name others on the network, and web services
    #[arg(long, conflicts_with = "offline")]
    pub online: bool,
    /// The only drivers of GDAL that may open files, by their short names
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    pub gdal_drivers: Vec<String>,
    /// Tell nothing on stderr but errors: no remarks about the data, no progress
    #[arg(short, long)]
    pub quiet: bool,
}

impl RasterArgs {
    /// What holds in all of the process. Call it before any thread is started.
    ///
    /// # Errors
    /// A driver that GDAL does not have.
    pub fn prepare(&self) -> anyhow::Result<()> {
        if self.quiet {
            super::progress::silence();
        }
        match self.network() {
            Network::Never => super::network::close(),
            Network::Named => super::network::block_unnamed_requests(),
            Network::Always => {}
        }
        #[cfg(feature = "gdal")]
        if !self.gdal_drivers.is_empty() {
            terrain::height::allow_drivers(&self.gdal_drivers)?;
        }
        Ok(())
    }

    /// Who may reach over the network.
    pub fn network(&self) -> Network {
        match (self.offline, self.online) {
            (true, _) => Network::Never,
            (_, true) => Network::Always,
            _ => Network::Named,
        }
    }

    /// How sources are opened; headers of large folders are remembered in a folder, if there is one.
    pub fn options(&self, sources: &[Source], index: Option<PathBuf>) -> OpenOptions {
        let default = OpenOptions::default();
        let band = default.band;
        default
            .with_band(self.band.unwrap_or(band))
            .with_src_crs(self.crs.clone())
            .with_nodata(self.nodata)
            .with_unit_m(self.unit)
            .with_feather_texels(self.feather)
            .with_valid_range_m(self.valid_range)
            .with_vertical(self.vdatum)
            .with_ellipsoid(self.body)
            .with_network(self.network())
            .with_skip_bad(self.skip_bad)
            .with_remote(Some(remote_packs(
                index.clone().map(|folder| CacheOptions { folder, most_bytes: CACHE_BYTES }),
            )))
            .with_index(index)
            .with_layers(sources.iter().map(|source| source.own.clone()).collect())
    }

    /// Opens sources, and tells what is remarkable about them.
    ///
    /// # Errors
    /// The file that cannot be used, and what to do about it.
    pub fn open(&self, sources: &[Source], options: &OpenOptions) -> anyhow::Result<Relief> {
        let relief = open_relief(&paths(sources), options).map_err(|error| {
            let is_vector_data = |path: &PathBuf| VectorLayer::read(&VectorFile::plain(path), 0).is_ok();
            let vectors = paths(sources).into_iter().find(|path| path.is_file() && is_vector_data(path));
            vectors.map_or(error, |path| {
                anyhow::anyhow!("{}: it holds points, lines or areas, no heights: give it to --vector", path.display())
            })
        })?;
        self.warn_remarks(relief.layers());
        if sources.is_empty() && relief.ellipsoid() != Ellipsoid::WGS84 {
            super::print_remark("no data of this body are given: every height is 0 m above its ellipsoid");
        }
        Ok(relief)
    }

    /// Tells on stderr what looked wrong about heights that were read since the layers were opened.
    pub fn warn_suspect_heights(&self, noticed: &[String]) {
        noticed.iter().for_each(|remark| super::print_remark(remark));
    }

    /// Tells on stderr what is remarkable about layers: a line each.
    pub fn warn_remarks(&self, layers: &[LayerInfo]) {
        layers.iter().filter_map(first_remark).for_each(|line| super::print_remark(&line));
    }
}

/// The first remark on a layer, and where the others are.
fn first_remark(layer: &LayerInfo) -> Option<String> {
    let (first, rest) = layer.remarks.split_first()?;
    let more = if rest.is_empty() { String::new() } else { format!(" (and {} more remarks)", rest.len()) };
    Some(format!("{}: {first}{more}; `orogen info` tells all of it, -q nothing", layer.name))
}

/// Remarks on layers, for machines: those that have any.
pub fn remarks_json(layers: &[LayerInfo]) -> Value {
    let remarked = layers.iter().filter(|layer| !layer.remarks.is_empty());
    remarked.map(|layer| json!({ "layer": layer.name, "remarks": layer.remarks })).collect()
}

/// The program's folder among the caches of a user, by the XDG Base Directory Specification; on Windows where it has them.
pub fn cache_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = variable("XDG_CACHE_HOME").or_else(|| variable("LOCALAPPDATA"));
    Some(caches.or_else(|| Some(variable("HOME")?.join(".cache")))?.join("orogen"))
}

/// Tells on stderr what is remarkable about the water in a file.
pub fn warn_of_water(file: &Path, water: &Water) {
    water.remark().into_iter().for_each(|remark| super::print_remark(&format!("{}: {remark}", file.display())));
}
