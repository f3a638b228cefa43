//! Which coordinate system does a file state, its vertical axis too?
//!
//! Of an ERDAS IMAGINE file GDAL reads the plane alone, so feet would be taken as metres. The file is a tree of entries (`hfa_p.h` of GDAL
//! describes it, which has it from ERDAS). The words for all of the system are those of ESRI, `GEOGCS[...],VERTCS[...]`, in the entry
//! `ProjectionX` of a layer.

use std::{
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use gdal::{Dataset, spatial_ref::SpatialRef};
use serde_json::Value;

use super::{gdal_file::GdalFile, proj, vertical_axis::VerticalAxis};

const MAGIC: &[u8] = b"EHFA_HEADER_TAG";
/// Where the offset of the header stands, and in the header that of the root.
const HEADER_AT: usize = 16;
const ROOT_AT: usize = 8;
/// Bytes of an entry before what is of no use here: offsets of the next one, of the first child and of the data, their length, and a name.
const ENTRY: usize = 88;
/// Most entries that are looked at: a layer has some ten, its statistics some more.
const MOST_ENTRIES: usize = 4096;
/// Most bytes of words.
const MOST_BYTES: u32 = 1 << 16;

/// A system in PROJJSON; null of one that PROJ cannot put so.
pub(super) fn definition(srs: &SpatialRef) -> Value {
    srs.to_projjson().ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// What is known of a file's system, of its vertical axis too where `own` tells that it is the file's and GDAL reads the plane alone.
pub(super) fn definition_of(file: &Path, dataset: &Dataset, own: bool, srs: &SpatialRef) -> Value {
    let has_axis = |definition: &Value| VerticalAxis::in_definition(definition).is_some();
    let plane = definition(srs);
    if !own || has_axis(&plane) || dataset.driver().short_name() != "HFA" {
        return plane;
    }
    let in_words = system_in_words(file).and_then(|words| proj::definition(&words));
    in_words.filter(has_axis).unwrap_or(plane)
}

/// The words for a system with a vertical axis, if there are any.
fn system_in_words(file: &Path) -> Option<String> {
    in_tree(GdalFile::open(file)?)
}

fn in_tree(mut file: impl Read + Seek) -> Option<String> {
    let start: [u8; HEADER_AT + 4] = bytes(&mut file, 0)?;
    if !start.starts_with(MAGIC) {
        return None;
    }
    let header: [u8; ROOT_AT + 4] = bytes(&mut file, number(&start, HEADER_AT))?;
    let mut open = vec![number(&header, ROOT_AT)];
    for _ in 0..MOST_ENTRIES {
        let at = open.pop()?;
        let Some(entry) = bytes::<ENTRY>(&mut file, at) else { continue };
        let (length, name) = (number(&entry, 20), &entry[24..]);
        if name.starts_with(b"ProjectionX\0") && length <= MOST_BYTES {
            let mut data = vec![0; length as usize];
            file.seek(SeekFrom::Start(number(&entry, 16).into())).ok()?;
            file.read_exact(&mut data).ok()?;
            return with_vertical_axis(&data);
        }
        // The next one and the first child; 0 is none.
        open.extend([number(&entry, 0), number(&entry, 12)].into_iter().filter(|at| *at != 0));
    }
    None
}

fn bytes<const N: usize>(file: &mut (impl Read + Seek), at: u32) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at.into())).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|k| bytes[at + k]))
}

/// The text in some bytes that begins with a system in the plane, of which degrees are a part, and goes on with one of heights.
fn with_vertical_axis(data: &[u8]) -> Option<String> {
    let texts = data.split(|byte| *byte == 0).filter_map(|text| std::str::from_utf8(text).ok());
    let system = |text: &str| {
        let start = text.find("PROJCS[").or(text.find("GEOGCS["))?;
        Some(text[start..].trim_end().to_owned())
    };
    texts.filter(|text| text.contains(",VERTCS[")).find_map(system)
}
