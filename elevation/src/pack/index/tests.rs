//! What becomes of packs whose checksums are right and whose numbers are not?

use std::{fs, path::PathBuf};

use tempfile::TempDir;

use super::super::{
    Manifest, PackError, SourceRecord, error_codec,
    format::{ErrorsHeader, TileHeader, checksum},
    reader::Pack,
};
use super::*;
use crate::{bake::verify, cube::FACES, tile::TileId};

fn manifest() -> Manifest {
    let sources = vec![SourceRecord {
        name: "a.tif".to_owned(),
        folder: String::new(),
        crs: "WGS 84".to_owned(),
        datum: "not stated".to_owned(),
        posting_m: 40_000.0,
        level: 0,
        bbox_deg: [-180.0, -90.0, 180.0, 90.0],
        cap: Some(([0.0, 0.0, 1.0], 0.5)),
        attribution: String::new(),
        remarks: Vec::new(),
    }];
    Manifest {
        key: String::new(),
        height_step_m: 0.25,
        max_level: 0,
        ellipsoid: crate::geodesy::Ellipsoid::MARS,
        bbox_deg: None,
        tiles: 6,
        shard: None,
        read: None,
        sources,
    }
}

/// A pack of six flat faces that is sound, if its manifest is; `footer` may be changed before it is sealed.
fn sealed(manifest: &Manifest, footer: impl FnOnce(&mut Footer)) -> Vec<u8> {
    let mut out = manifest.to_bytes().unwrap();
    let heights = codec::encode(&vec![0; codec::TEXELS], true).unwrap();
    let codes = error_codec::encode(&vec![0; codec::TEXELS], true).unwrap();
    let mut entries: Vec<Entry> = Vec::new();
    for face in 0..FACES {
        let header = TileHeader::new(TileId::root(face), [0, 0], &heights);
        entries.push(Entry { header, offset: out.len() as u64, errors: None });
        out.extend(header.to_bytes());
        out.extend(&heights);
    }
    for entry in &mut entries {
        let header = ErrorsHeader::new(entry.header.id, 0, &codes);
        entry.errors = Some((header, out.len() as u64));
        out.extend(header.to_bytes());
        out.extend(&codes);
    }
    let index: Vec<u8> = entries.into_iter().flat_map(Entry::to_bytes).collect();
    let index = zstd::bulk::compress(&index, 9).unwrap();
    let mut end =
        Footer { offset: out.len() as u64, bytes: index.len() as u64, tiles: 6, checksum: checksum(&[&index]) };
    footer(&mut end);
    out.extend(index);
    out.extend(end.to_bytes());
    out
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn file(&self, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join("a.pack");
        fs::write(&path, bytes).unwrap();
        path
    }
}

/// Why a pack is refused: as damaged, in few words.
fn refused(path: &std::path::Path) -> String {
    let error = Pack::open(path).expect_err("it is not sound");
    assert!(matches!(error, PackError::Corrupt { .. }), "{error}");
    let text = error.to_string();
    assert!(text.len() < 500, "{text}");
    text
}

#[test]
fn the_sound_one_opens() {
    let folder = Folder::new();
    let path = folder.file(&sealed(&manifest(), |_| {}));
    assert_eq!(Pack::open(&path).unwrap().len(), 6);
    let (_, found) = verify(&path, &|_| {}).unwrap();
    assert_eq!((found.tiles, found.edges, found.bad), (6, 12, 0), "{found:?}");
}

/// Law: no number in a file takes memory that the file's contents do not fill. A hole has length, not contents.
#[test]
#[cfg(target_os = "linux")]
fn holes_take_no_memory() {
    use super::super::format::FOOTER_BYTES;
    use std::io::Write as _;

    let whole = sealed(&manifest(), |_| {});
    let header = manifest().to_bytes().unwrap().len() as u64;
    let folder = Folder::new();
    for (hole, tiles) in
        [(8u64 << 40, 6), (8 << 40, 1 << 37), (14 << 30, 1 << 28), (16 << 30, 1 << 28), (1 << 30, 1 << 24)]
    {
        // The tiles of the larger counts fit before the index, and the index is as long as that of so many.
        let before = if tiles > 6 { hole } else { 0 };
        let offset = header.max(whole.len() as u64) + before;
        let path = folder.file(&whole[..whole.len() - FOOTER_BYTES]);
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        if file.set_len(offset + hole).is_err() {
            continue; // A file system of small files.
        }
        let end = Footer { offset, bytes: hole, tiles, checksum: [7; CHECK_BYTES] };
        file.write_all(&end.to_bytes()).unwrap();
        let reason = refused(&path);
        assert!(reason.contains("index") || reason.contains("impossible number"), "{reason}");
    }
}

/// Law: an index that says other numbers than its footer is refused.
#[test]
fn footers_that_lie() {
    let folder = Folder::new();
    for tiles in [0, 1, 5, 7, 8, 90, 1 << 32, 1 << 58, 1 << 63, u64::MAX] {
        refused(&folder.file(&sealed(&manifest(), |footer| footer.tiles = tiles)));
    }
    let path = folder.file(&sealed(&manifest(), |footer| footer.checksum[0] ^= 1));
    assert!(refused(&path).contains("checksum of the index"));
}

/// Law: what a manifest states is what the pack has, and possible on Earth.
#[test]
fn manifests_that_lie() {
    let with = |change: &dyn Fn(&mut Manifest)| {
        let mut manifest = manifest();
        change(&mut manifest);
        manifest
    };
    let source = |change: &dyn Fn(&mut SourceRecord)| with(&|manifest| change(&mut manifest.sources[0]));
    let folder = Folder::new();
    for (manifest, says) in [
        (with(&|m| m.tiles = u64::MAX), "18446744073709551615 tiles, the index has 6"),
        (with(&|m| m.tiles = 5), "5 tiles, the index has 6"),
        (with(&|m| m.key = "k".repeat(5000)), "the key"),
        (with(&|m| m.bbox_deg = Some([0.0, 10.0, 5.0, 91.0])), "a box from 0 to 5 E and 10 to 91 N"),
        (with(&|m| m.bbox_deg = Some([9.0, 10.0, 5.0, 11.0])), "a box"),
        (with(&|m| m.sources.clear()), "no sources"),
        (source(&|s| s.posting_m = 1e308), "a posting of 1e308 m"),
        (source(&|s| s.posting_m = 0.0), "a posting of 0 m"),
        (source(&|s| s.posting_m = 5e7), "a posting of 50000000 m"),
        (source(&|s| s.level = 99), "level 99"),
        (source(&|s| s.bbox_deg = [0.0, -90.0, 1e9, 90.0]), "a box"),
        (source(&|s| s.cap = Some(([1e308; 3], 0.5))), "a cap"),
        (source(&|s| s.cap = Some(([0.0; 3], 0.5))), "no direction"),
        (source(&|s| s.cap = Some(([1.0, 0.0, 0.0], -5.0))), "the cosine -5"),
        (source(&|s| s.name = "n".repeat(5000)), "a name of 5000 bytes"),
    ] {
        let path = folder.file(&sealed(&manifest, |_| {}));
        let reason = refused(&path);
        assert!(reason.contains(says), "{reason}");
        assert!(verify(&path, &|_| {}).is_err(), "{says}");
    }
}
