//! What does a name of a file on the command line stand for? Elevation, pictures or vector data, and what is said behind it of each alone.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use foreign::{raster, style};
use terrain::height::LayerOptions;

use crate::scene_file::layer_options;
use crate::terrain::{ImageryFile, VectorFile};

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
pub fn picture() -> impl TypedValueParser<Value = ImageryFile> {
    OsStringValueParser::new().try_map(|text: OsString| -> Result<ImageryFile, String> {
        let (head, tail) = split_text(&text);
        let (name, options) = raster::picture(tail, |name| exists(&joined(head, name)))?;
        Ok(ImageryFile { path: joined(head, name).into(), options })
    })
}

/// Reads vector data: names, and behind commas what is said of each.
pub fn vector() -> impl TypedValueParser<Value = VectorFile> {
    OsStringValueParser::new().try_map(|text: OsString| -> Result<VectorFile, String> {
        let (head, tail) = split_text(&text);
        let whole = |name: &str| PathBuf::from(joined(head, name));
        let (name, options) = style::vector(tail, |name| whole(name).symlink_metadata().is_ok())?;
        Ok(VectorFile { path: whole(name), options })
    })
}

/// What a word of the command line ends with that is text, and what stands before: nothing, unless the name of a file is not
/// UTF-8.
fn split_text(word: &OsStr) -> (&OsStr, &str) {
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

/// Whether there is a file, folder or list of a name.
fn exists(name: &OsStr) -> bool {
    // A list stands behind a sign.
    match name.as_encoded_bytes() {
        // SAFETY: what follows a character of one byte.
        [b'@', rest @ ..] => Path::new(unsafe { OsStr::from_encoded_bytes_unchecked(rest) }),
        _ => Path::new(name),
    }
    .symlink_metadata()
    .is_ok()
}

/// The names alone.
pub fn paths(sources: &[Source]) -> Vec<PathBuf> {
    sources.iter().map(|source| source.path.clone()).collect()
}

impl Source {
    /// A name, and behind commas what is said of it. Whatever exists is a name.
    pub fn parse(text: OsString) -> Result<Self, String> {
        let (head, tail) = split_text(&text);
        let whole = |name: &str| joined(head, name);
        let (name, own) = raster::source(tail, |name| exists(&whole(name)))?;
        Ok(Self { path: whole(name).into(), own: layer_options(own) })
    }
}

#[cfg(test)]
mod tests {
    use terrain::height::VerticalDatum;

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
        let all = read(&format!("{dem},crs=EPSG:4326+5773,unit=ft,feather=4,valid-range=-500:9000,vdatum=egm2008")).own;
        assert_eq!((all.src_crs.as_deref(), all.unit_m), (Some("EPSG:4326+5773"), Some(0.3048)));
        assert_eq!((all.feather_texels, all.valid_range_m), (Some(4), Some((-500.0, 9000.0))));
        assert_eq!(all.src_vertical, Some(VerticalDatum::EGM2008));
        // What is no option belongs to the name; so does what exists.
        assert_eq!(read(&format!("{dem},x=1")).path, PathBuf::from(format!("{dem},x=1")));
        let odd = format!("{dem},band=2");
        std::fs::write(&odd, "").expect("written");
        assert_eq!(read(&odd), Source { path: odd.clone().into(), own: own(None, None) });
        assert_eq!(read(&format!("{odd},band=3")), Source { path: odd.into(), own: own(Some(3), None) });
        for bad in ["band=0", "band=x", "nodata=", "unit=degC", "feather=300", "valid-range=5:1", "vdatum=sea"] {
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
