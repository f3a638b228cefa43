//! How are elevation files opened? What the user may say in place of the files, and the limits.

use derive_setters::Setters;
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use foreign::vertical::VerticalDatum;

use super::raster::LONGEST_FEATHER;
use crate::geodesy::Ellipsoid;
use crate::pack::{Pack, PackBytes, PackError};

/// Who may reach over the network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Network {
    /// Sources whose own names lie on it, like `/vsicurl/https://...`, and what those refer to. A file on disk or a list that
    /// refers to such names does not reach them.
    #[default]
    Named,
    /// Nobody.
    Never,
    /// Every source, and GDAL's drivers for web services.
    Always,
}

/// What opens packs on servers, by their addresses.
///
/// ```
/// # #[cfg(feature = "gdal")] {
/// use std::{io, ops::Range, sync::{Arc, Mutex}};
/// use elevation::{bake::{Bake, BakeOptions}, height::{Location, OpenOptions, Relief, RemotePacks}};
/// use elevation::{pack::{Pack, PackBytes, WaitPolicy, in_one_try}, tile::TileId};
///
/// /// Bytes in memory, as if they were on a server.
/// #[derive(Debug)]
/// struct Served {
///     bytes: Vec<u8>,
///     asked: Mutex<Vec<Range<u64>>>,
/// }
///
/// impl PackBytes for Served {
///     fn length(&self) -> u64 {
///         self.bytes.len() as u64
///     }
///
///     fn read(&self, offset: u64, bytes: &mut [u8], _: WaitPolicy) -> io::Result<()> {
///         let length = bytes.len();
///         bytes.copy_from_slice(&self.bytes[offset as usize..][..length]);
///         Ok(())
///     }
///
///     fn is_remote(&self) -> bool {
///         true
///     }
///
///     fn prefetch(&self, parts: &[Range<u64>]) {
///         self.asked.lock().unwrap().extend_from_slice(parts);
///     }
/// }
///
/// # let file = std::env::temp_dir().join(format!("orogen-remote-packs-{}.pack", std::process::id()));
/// let coarse = BakeOptions::default().with_max_level(Some(0)); // six tiles
/// Bake::new(&[], &OpenOptions::default(), &coarse)?.run(&file, false, &mut |_| {})?;
/// let served = Arc::new(Served { bytes: std::fs::read(&file)?, asked: Mutex::default() });
/// let bytes: Arc<dyn PackBytes> = served.clone();
/// let remote = RemotePacks::new(move |address| Ok((address.into(), bytes.clone())));
/// let options = OpenOptions::default().with_remote(Some(remote));
/// let relief = Relief::open(&["https://example.org/earth.pack".into()], &options)?;
///
/// let pack = Pack::of_bytes("earth.pack".as_ref(), served.clone())?;
/// assert_eq!(pack.ids().count(), 6);
/// assert!(Pack::any_of_bytes("earth.pack".as_ref(), served.clone())?.len() == 6); // a shard, too
/// assert!(served.parts_of("earth.pack").is_none()); // nothing is kept on disk
/// let asked = || std::mem::take(&mut *served.asked.lock().unwrap()).len();
/// asked();
/// relief.prefetch(&[TileId::root(0)], true);
/// assert_eq!(asked(), 2); // its heights, and its errors
/// relief.prefetch_overview(1e9);
/// assert_eq!(asked(), 6); // heights of the coarsest tiles
///
/// relief.set_non_blocking();
/// let (place, on_disk) = (Location::at(46.0, 8.0).normal, Relief::open(&[file.clone()], &OpenOptions::default())?);
/// assert_eq!(in_one_try(|| relief.sample(place)), Some(on_disk.sample(place)));
/// # std::fs::remove_file(&file)?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct RemotePacks(Arc<OpenRemote>);

/// Opens the pack at an address: what it is called, and its bytes.
type OpenRemote = dyn Fn(&str) -> Result<(PathBuf, Arc<dyn PackBytes>), PackError> + Send + Sync;

impl RemotePacks {
    /// Packs that a function opens: it answers what they are called in messages, and their bytes.
    pub fn new(
        open: impl Fn(&str) -> Result<(PathBuf, Arc<dyn PackBytes>), PackError> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(open))
    }

    pub(crate) fn open(&self, address: &str) -> Result<Pack, PackError> {
        let (name, bytes) = (self.0)(address)?;
        Pack::any_of_bytes(&name, bytes)
    }
}

impl fmt::Debug for RemotePacks {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("RemotePacks")
    }
}

impl PartialEq for RemotePacks {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What the user says of a raster in place of the file; `None` leaves it as the file or [`OpenOptions`] have it.
#[derive(Debug, Clone, Default, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct LayerOptions {
    /// See [`OpenOptions::band`].
    pub band: Option<usize>,
    /// See [`OpenOptions::src_crs`].
    pub src_crs: Option<String>,
    /// See [`OpenOptions::nodata`].
    pub nodata: Option<f64>,
    /// See [`OpenOptions::unit_m`].
    pub unit_m: Option<f64>,
    /// See [`OpenOptions::feather_texels`].
    pub feather_texels: Option<u32>,
    /// See [`OpenOptions::valid_range_m`].
    pub valid_range_m: Option<(f64, f64)>,
    /// See [`OpenOptions::src_vertical`].
    pub src_vertical: Option<VerticalDatum>,
}

/// Options of `Relief::open`; the default suits files that describe themselves.
#[derive(Debug, Clone, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct OpenOptions {
    /// Most bytes that one layer may take in memory; a larger raster, and the files of a folder, are read in windows as they are needed, at
    /// full resolution. A folder takes at least some megabytes.
    pub layer_bytes: usize,
    /// Band that holds the heights, from 1.
    pub band: usize,
    /// Coordinate reference system to assume instead of the file's: `EPSG:CODE`, WKT or a PROJ string.
    pub src_crs: Option<String>,
    /// Value that means "no data" in addition to what the file says, before scale and offset.
    pub nodata: Option<f64>,
    /// Metres of one unit of the heights, instead of the unit that the file states; see [`super::metres_per_unit`].
    pub unit_m: Option<f64>,
    /// Texels beyond its data, outside of its edges and in wide voids, over which a layer goes over to the one below, 1 to 63;
    /// `None`: as many as 3 km have.
    pub feather_texels: Option<u32>,
    /// Heights outside of this range, in metres, are taken as voids: undeclared "no data" values like -32768 or 1e38. The
    /// same for rasters in memory, in windows and in folders. `None`: [`VALID_RANGE_M`](Self::VALID_RANGE_M) on the Earth,
    /// [`OTHER_RANGE_M`](Self::OTHER_RANGE_M) on other bodies.
    pub valid_range_m: Option<(f64, f64)>,
    /// What the heights are measured from, instead of what the file states.
    pub src_vertical: Option<VerticalDatum>,
    /// Datum to which the heights of all layers are brought, as PROJ does it with the grids that it has; `None`: they stay as they
    /// are. Data above mean sea level, or that do not say, count as above EGM96.
    pub vertical: Option<VerticalDatum>,
    /// The planet or moon that the data are of; `None`: that of their coordinate systems, which have to be of one. Data of the Earth's
    /// systems are taken as of this one.
    pub ellipsoid: Option<Ellipsoid>,
    /// Who may reach over the network.
    pub network: Network,
    /// Whether files of a folder or list that are damaged are told and left out, and heights that cannot be read in the middle of a raster are
    /// voids; without it the first damage is an error.
    pub skip_bad: bool,
    /// Folder in which headers of many files are remembered, so that the next start opens none that is unchanged.
    pub index: Option<PathBuf>,
    /// What opens packs on servers; without it they are refused.
    pub remote: Option<RemotePacks>,
    /// What holds for single layers alone, in the order of the files; layers beyond its end have nothing of their own.
    pub layers: Vec<LayerOptions>,
    /// Level down to which packs answer however far apart places are, for who asks at several levels and compares; `None`: coarser tiles
    /// answer for places far apart.
    #[setters(skip)]
    pub(crate) pack_level: Option<u32>,
}

impl OpenOptions {
    /// Heights that tiles hold (24 bits of 1/512 m), less a margin: what is further from the sea is none of this Earth.
    pub const VALID_RANGE_M: (f64, f64) = (-16_000.0, 16_000.0);

    /// The same on other bodies: Olympus Mons is 21 km high.
    pub const OTHER_RANGE_M: (f64, f64) = (-32_000.0, 32_000.0);

    /// The valid range of heights on a body.
    pub(crate) fn valid_range_on(&self, ellipsoid: Ellipsoid) -> (f64, f64) {
        let usual_m = if ellipsoid == Ellipsoid::WGS84 { Self::VALID_RANGE_M } else { Self::OTHER_RANGE_M };
        self.valid_range_m.unwrap_or(usual_m)
    }

    /// Whether the network may be reached for the file that these are the options of.
    #[cfg(feature = "gdal")]
    pub(crate) fn online(&self) -> bool {
        self.network == Network::Always
    }

    /// Whether an option for all rasters replaces what their files state.
    pub(crate) fn has_raster_options(&self) -> bool {
        let default = Self::default();
        let said = |of: &Self| {
            (of.band, of.src_crs.clone(), of.nodata, of.unit_m, of.feather_texels, of.valid_range_m, of.src_vertical)
        };
        said(self) != said(&default)
    }

    /// The options of one file among others.
    pub(crate) fn of_layer(&self, layer: usize, file: &Path) -> Self {
        let own = self.layers.get(layer).cloned().unwrap_or_default();
        let network = match self.network {
            Network::Named if is_remote(file) => Network::Always,
            Network::Named => Network::Never,
            asked => asked,
        };
        Self {
            layer_bytes: self.layer_bytes,
            band: own.band.unwrap_or(self.band),
            src_crs: own.src_crs.or_else(|| self.src_crs.clone()),
            nodata: own.nodata.or(self.nodata),
            unit_m: own.unit_m.or(self.unit_m),
            feather_texels: own.feather_texels.or(self.feather_texels),
            valid_range_m: own.valid_range_m.or(self.valid_range_m),
            src_vertical: own.src_vertical.or(self.src_vertical),
            vertical: self.vertical,
            ellipsoid: self.ellipsoid,
            network,
            skip_bad: self.skip_bad,
            index: self.index.clone(),
            remote: self.remote.clone(),
            layers: Vec::new(),
            pack_level: self.pack_level,
        }
    }

    /// Texels over which a layer of some posting goes over to the one below.
    pub(crate) fn feather(&self, posting_m: f64) -> u32 {
        /// Metres over which it does: about a third of the postings of the relief that lies below most.
        const FEATHER_M: f64 = 3000.0;
        // A cast of what is not a number gives 0.
        self.feather_texels.unwrap_or((FEATHER_M / posting_m).round() as u32).clamp(1, LONGEST_FEATHER)
    }
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            layer_bytes: 256 << 20,
            band: 1,
            src_crs: None,
            nodata: None,
            unit_m: None,
            feather_texels: None,
            valid_range_m: None,
            src_vertical: None,
            vertical: None,
            ellipsoid: None,
            network: Network::default(),
            skip_bad: false,
            index: None,
            remote: None,
            layers: Vec::new(),
            pack_level: None,
        }
    }
}

/// What addresses begin with, and what GDAL has in its place.
pub(super) const SCHEMES: [(&str, &str); 6] = [
    ("http://", "/vsicurl/http://"),
    ("https://", "/vsicurl/https://"),
    ("ftp://", "/vsicurl/ftp://"),
    ("s3://", "/vsis3/"),
    ("gs://", "/vsigs/"),
    ("az://", "/vsiaz/"),
];

/// File systems of GDAL that lie on a network.
const REMOTE: [&str; 9] =
    ["/vsicurl", "/vsis3", "/vsigs", "/vsiaz", "/vsiadls", "/vsioss", "/vsiswift", "/vsihdfs", "/vsiwebhdfs"];

/// Whether a name lies on a network: a URL, or a name in one of GDAL's file systems that do.
///
/// ```
/// use std::path::Path;
/// use elevation::height::is_remote;
/// assert!(is_remote(Path::new("https://example.org/a.tif")) && is_remote(Path::new("/vsis3/bucket/a.tif")));
/// assert!(!is_remote(Path::new("srtm/N27E086.hgt")));
/// ```
pub fn is_remote(file: &Path) -> bool {
    let name = file.to_string_lossy();
    name.contains("://") || REMOTE.iter().any(|prefix| name.contains(prefix))
}
