//! Which elevation is opened, and how? Files with what is said of each alone, and what is said of all; what is remarkable about
//! them is told.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use foreign::raster::{self, RasterOptions};
use foreign::style;
use serde_json::{Value, json};
use terrain::height::{LayerInfo, LayerOptions, Network, OpenOptions, Relief, VerticalDatum};

use super::values;
use crate::scene::open_relief;
use crate::terrain::{PictureFile, VectorFile, VectorLayer};

/// Shown by `--help` of every verb that opens rasters.
pub const SOURCES: &str = "\
Options of one raster alone stand behind its name: dem.tif,band=2,nodata=-9999,crs=EPSG:32633,unit=ft,feather=4,valid-range=-500:9000.
They hold for all rasters of a folder or @list. A name that exists is taken as it is, commas and all.";

/// A raster, folder, list or pack as the user names it, with what he says of it alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// The name.
    pub path: PathBuf,
    /// What was said behind it.
    pub own: LayerOptions,
}

/// Reads sources.
pub fn source() -> impl TypedValueParser<Value = Source> {
    OsStringValueParser::new().try_map(Source::parse)
}

/// Reads pictures: names, and behind a comma what is said of each.
pub fn picture() -> impl TypedValueParser<Value = PictureFile> {
    OsStringValueParser::new().try_map(|text: OsString| -> Result<PictureFile, String> {
        let (head, tail) = before_text(&text);
        let whole = |name: &str| PathBuf::from(joined(head, name));
        let (name, opacity) = raster::picture(tail, |name| whole(name).symlink_metadata().is_ok())?;
        Ok(PictureFile { path: whole(name), opacity: opacity as f32 })
    })
}

/// Reads vector data: names, and behind commas what is said of each.
pub fn vector() -> impl TypedValueParser<Value = VectorFile> {
    OsStringValueParser::new().try_map(|text: OsString| -> Result<VectorFile, String> {
        let (head, tail) = before_text(&text);
        let whole = |name: &str| PathBuf::from(joined(head, name));
        let (name, options) = style::vector(tail, |name| whole(name).symlink_metadata().is_ok())?;
        Ok(VectorFile { path: whole(name), options })
    })
}

/// What a word of the command line ends with that is text, and what stands before: nothing, unless the name of a file is not
/// UTF-8.
fn before_text(word: &OsStr) -> (&OsStr, &str) {
    let bytes = word.as_encoded_bytes();
    let tail = match bytes.utf8_chunks().last() {
        Some(chunk) if chunk.invalid().is_empty() => chunk.valid(),
        _ => "",
    };
    let head = &bytes[..bytes.len() - tail.len()];
    // SAFETY: the bytes are those of the word up to its end or to the beginning of a text.
    (unsafe { OsStr::from_encoded_bytes_unchecked(head) }, tail)
}

fn joined(head: &OsStr, tail: &str) -> OsString {
    let mut whole = head.to_owned();
    whole.push(tail);
    whole
}

/// The names alone.
pub fn paths(sources: &[Source]) -> Vec<PathBuf> {
    sources.iter().map(|source| source.path.clone()).collect()
}

impl Source {
    /// A name, and behind commas what is said of it. Whatever exists is a name.
    pub fn parse(text: OsString) -> Result<Self, String> {
        let (head, tail) = before_text(&text);
        let whole = |name: &str| joined(head, name);
        let exists = |name: &str| {
            let name = whole(name);
            // A list stands behind a sign.
            match name.as_encoded_bytes() {
                // SAFETY: what follows a character of one byte.
                [b'@', rest @ ..] => Path::new(unsafe { OsStr::from_encoded_bytes_unchecked(rest) }),
                _ => Path::new(&name),
            }
            .symlink_metadata()
            .is_ok()
        };
        let (name, RasterOptions { band, nodata, crs, unit_m, feather, valid_range_m, .. }) =
            raster::source(tail, exists)?;
        let own = LayerOptions::default()
            .with_band(band)
            .with_nodata(nodata)
            .with_src_crs(crs.map(str::to_owned))
            .with_unit_m(unit_m)
            .with_feather_texels(feather)
            .with_valid_range_m(valid_range_m);
        Ok(Self { path: whole(name).into(), own })
    }
}

/// How rasters are opened: options of every verb that opens any.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Elevation")]
pub struct RasterArgs {
    /// Bring all heights above this: ellipsoid or egm96 [default: each layer's own datum]
    #[arg(long, value_name = "DATUM", value_parser = values::vertical_datum)]
    pub vdatum: Option<VerticalDatum>,
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
    /// Leave out damaged files of a folder or list, and say which
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
    /// Do not tell on stderr what is remarkable about the data
    #[arg(short, long)]
    pub quiet: bool,
}

impl RasterArgs {
    /// What holds in all of the process. Call it before any thread is started.
    ///
    /// # Errors
    /// A driver that GDAL does not have.
    pub fn prepare(&self) -> anyhow::Result<()> {
        match self.network() {
            Network::Never => super::network::close(),
            Network::Named => super::network::close_unless_named(),
            Network::Always => {}
        }
        #[cfg(feature = "gdal")]
        if !self.gdal_drivers.is_empty() {
            terrain::height::allow_drivers(&self.gdal_drivers)?;
        }
        Ok(())
    }

    fn network(&self) -> Network {
        match (self.offline, self.online) {
            (true, _) => Network::Never,
            (_, true) => Network::Always,
            _ => Network::Named,
        }
    }

    /// How sources are opened; headers of large folders are remembered in a folder, if there is one.
    pub fn options(&self, sources: &[Source], index: Option<PathBuf>) -> OpenOptions {
        let default = OpenOptions::default();
        let (band, valid_range_m) = (default.band, default.valid_range_m);
        default
            .with_band(self.band.unwrap_or(band))
            .with_src_crs(self.crs.clone())
            .with_nodata(self.nodata)
            .with_unit_m(self.unit)
            .with_feather_texels(self.feather)
            .with_valid_range_m(self.valid_range.unwrap_or(valid_range_m))
            .with_vertical(self.vdatum)
            .with_network(self.network())
            .with_skip_bad(self.skip_bad)
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
        self.tell(relief.layers());
        Ok(relief)
    }

    /// Tells on stderr what looked wrong about heights that were read since the layers were opened.
    pub fn tell_noticed(&self, noticed: &[String]) {
        if !self.quiet {
            noticed.iter().for_each(|remark| super::say(remark));
        }
    }

    /// Tells on stderr what is remarkable about layers: a line each.
    pub fn tell(&self, layers: &[LayerInfo]) {
        if !self.quiet {
            layers.iter().filter_map(remarkable).for_each(|line| super::say(&line));
        }
    }
}

/// The first remark on a layer, and where the others are.
fn remarkable(layer: &LayerInfo) -> Option<String> {
    let (first, rest) = layer.remarks.split_first()?;
    let more = if rest.is_empty() { String::new() } else { format!(" (and {} more remarks)", rest.len()) };
    Some(format!("{}: {first}{more}; `orogen info` tells all of it, -q nothing", layer.name))
}

/// Remarks on layers, for machines: those that have any.
pub fn remarks_json(layers: &[LayerInfo]) -> Value {
    let remarked = layers.iter().filter(|layer| !layer.remarks.is_empty());
    remarked.map(|layer| json!({ "layer": layer.name, "remarks": layer.remarks })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what stands behind a name are options, unless a file has all of it for a name.
    #[test]
    fn options_stand_behind_names() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name).into_os_string().into_string().expect("UTF-8");
        let read = |text: &str| Source::parse(text.into()).expect("a source");
        let own = |band, nodata| LayerOptions::default().with_band(band).with_nodata(nodata);
        let dem = at("dem.tif");
        assert_eq!(read(&dem), Source { path: dem.clone().into(), own: own(None, None) });
        let asked = read(&format!("{dem},band=2,nodata=-9999"));
        assert_eq!(asked, Source { path: dem.clone().into(), own: own(Some(2), Some(-9999.0)) });
        let all = read(&format!("{dem},crs=EPSG:4326+5773,unit=ft,feather=4,valid-range=-500:9000")).own;
        assert_eq!((all.src_crs.as_deref(), all.unit_m), (Some("EPSG:4326+5773"), Some(0.3048)));
        assert_eq!((all.feather_texels, all.valid_range_m), (Some(4), Some((-500.0, 9000.0))));
        // What is no option belongs to the name; so does what exists.
        assert_eq!(read(&format!("{dem},x=1")).path, PathBuf::from(format!("{dem},x=1")));
        let odd = format!("{dem},band=2");
        std::fs::write(&odd, "").expect("written");
        assert_eq!(read(&odd), Source { path: odd.clone().into(), own: own(None, None) });
        assert_eq!(read(&format!("{odd},band=3")), Source { path: odd.into(), own: own(Some(3), None) });
        for bad in ["band=0", "band=x", "nodata=", "unit=degC", "feather=300", "valid-range=5:1", "valid-range=5"] {
            let error = Source::parse(format!("{dem},{bad}").into()).expect_err(bad);
            assert!(error.starts_with(bad), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_need_not_be_text() {
        let word = |bytes: &[u8]| -> OsString { std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec()) };
        let read = |bytes| Source::parse(word(bytes)).expect("a source");
        let asked = read(b"\xff,band=2");
        assert_eq!((asked.path, asked.own.band), (word(b"\xff").into(), Some(2)));
        let asked = read(b"a,band=3\xff.tif,nodata=1,band=2");
        assert_eq!((asked.path, asked.own.band), (word(b"a,band=3\xff.tif").into(), Some(2)));
        assert_eq!(read(b"@\xff.txt,band=2").path, PathBuf::from(word(b"@\xff.txt")));
        assert_eq!(read(b"@a.txt,band=2").path, PathBuf::from("@a.txt"));
        assert_eq!(read(b"\xff").path, PathBuf::from(word(b"\xff")));
        assert!(Source::parse(word(b"\xff,band=0")).is_err());
        // What exists is a name.
        let folder = tempfile::tempdir().expect("a temporary folder");
        let odd = folder.path().join(word(b"\xff.tif,band=2"));
        std::fs::write(&odd, "").expect("written");
        assert_eq!(Source::parse(odd.clone().into()).expect("a source").path, odd);
    }
}
