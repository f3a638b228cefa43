//! Which coordinate system does an ERDAS IMAGINE file state in words? GDAL reads the plane of it alone, so feet would be taken as metres.
//!
//! The file is a tree of entries (`hfa_p.h` of GDAL describes it, which has it from ERDAS). The words are those of ESRI, `GEOGCS[...],VERTCS[...]`,
//! in the entry `ProjectionX` of a layer.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

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

/// The words for a system with a vertical axis, if there are any.
pub(super) fn system_in_words(file: &Path) -> Option<String> {
    in_tree(File::open(file).ok()?)
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
