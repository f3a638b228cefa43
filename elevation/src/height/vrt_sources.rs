//! Which files does a virtual raster name? By its text, before GDAL opens any of them.

use std::{
    ffi::CString,
    path::{Path, PathBuf},
};

use rustc_hash::FxHashSet;

use super::fingerprint::is_virtual;

/// Most bytes of a virtual raster that is looked through: one of a hundred thousand files takes this.
const MOST_BYTES: u64 = 128 << 20;
/// File systems of GDAL whose files are within others.
const WITHIN: [&str; 4] = ["/vsigzip", "/vsizip", "/vsitar", "/vsisubfile"];
/// Tags that hold the name of a source.
const TAGS: [&str; 2] = ["<SourceFilename", "<SourceDataset"];

/// All files that a raster names as its sources, and these as theirs, if they are virtual rasters; none of other rasters. Of names
/// into archives only those that may be read.
pub(super) fn sources(file: &Path, may_read: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut unseen = vec![file.to_path_buf()];
    while let Some(name) = unseen.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let text = match name.to_str().filter(|_| is_text(&name)) {
            Some(text) => Some(text.to_owned()),
            None if name.is_file() && is_virtual(&name, Some(&name)) => {
                foreign::read_small_text(&name, MOST_BYTES).ok()
            }
            None if WITHIN.iter().any(|prefix| name.starts_with(prefix)) && may_read(&name) => text_within(&name),
            None => None,
        };
        for source in text.iter().flat_map(|text| named(text, &name)) {
            unseen.push(source.clone());
            found.push(source);
        }
    }
    found
}

/// The text of a virtual raster within an archive; `None` of others.
fn text_within(name: &Path) -> Option<String> {
    let name = CString::new(name.to_str()?).ok()?;
    // SAFETY: the strings end in zeros; what is opened is closed, and buffers are as long as is said.
    unsafe {
        let handle = gdal_sys::VSIFOpenL(name.as_ptr(), c"rb".as_ptr());
        if handle.is_null() {
            return None;
        }
        let mut text = Vec::new();
        let mut piece = vec![0u8; 1 << 16];
        let is_whole = loop {
            let read = gdal_sys::VSIFReadL(piece.as_mut_ptr().cast(), 1, piece.len(), handle);
            text.extend_from_slice(&piece[..read.min(piece.len())]);
            if !text.trim_ascii_start().starts_with(b"<VRTDataset") || text.len() as u64 > MOST_BYTES {
                break false;
            }
            if read == 0 {
                break true;
            }
        };
        gdal_sys::VSIFCloseL(handle);
        if is_whole { String::from_utf8(text).ok() } else { None }
    }
}

/// Whether the name of a virtual raster is its text: GDAL opens that, too.
fn is_text(name: &Path) -> bool {
    name.to_str().is_some_and(|name| name.trim_start().starts_with("<VRTDataset"))
}

/// The names in the text of a virtual raster, as they are found from where it lies.
pub(super) fn named(text: &str, raster: &Path) -> Vec<PathBuf> {
    // Links are followed first, as GDAL does; a text lies nowhere.
    let target = std::fs::read_link(raster).and_then(|_| std::fs::canonicalize(raster));
    let target = target.as_deref().unwrap_or(raster);
    let folder = target.parent().filter(|_| !is_text(raster)).unwrap_or(Path::new(""));
    let name = |rest: &str| {
        let (attributes, rest) = rest.split_once('>')?;
        let name = plain(rest.split_once('<')?.0.trim());
        let spaceless = attributes.replace([' ', '\'', '"'], "");
        Some(if spaceless.contains("relativeToVRT=1") { folder.join(name) } else { PathBuf::from(name) })
    };
    TAGS.iter().flat_map(|tag| text.split(tag).skip(1)).filter_map(name).collect()
}

/// A text of XML without its entities.
fn plain(text: &str) -> String {
    const ENTITIES: [(&str, &str); 5] =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    ENTITIES.iter().fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: sources are found however they are named, beside the raster or elsewhere, those of virtual rasters in it too, and one that
    /// names itself has an end.
    #[test]
    fn names_of_sources() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let write = |name: &str, sources: &str| {
            std::fs::write(at(name), format!("<VRTDataset rasterXSize=\"1\">{sources}</VRTDataset>")).unwrap();
        };
        write(
            "all.vrt",
            "<SourceFilename relativeToVRT=\"1\" shared=\"0\">a &amp; b.tif</SourceFilename><SourceFilename>/c.tif</SourceFilename>\
             <SourceDataset relativeToVRT='1'>inner.dat</SourceDataset>",
        );
        write(
            "inner.dat",
            "<SourceFilename relativeToVRT = \"1\">d.tif</SourceFilename><SourceFilename relativeToVRT=\"1\">all.vrt</SourceFilename>",
        );
        let expected = [at("a & b.tif"), "/c.tif".into(), at("inner.dat"), at("d.tif"), at("all.vrt")];
        assert_eq!(sources(&at("all.vrt"), |_| true), expected);
        let text = "<VRTDataset><SourceFilename relativeToVRT=\"0\">/c.tif</SourceFilename></VRTDataset>";
        assert_eq!(sources(Path::new(text), |_| true), [PathBuf::from("/c.tif")]);
        std::fs::write(at("a.tif"), "<SourceFilename>/c.tif</SourceFilename>").unwrap();
        assert!(sources(&at("a.tif"), |_| true).is_empty());
    }
}
