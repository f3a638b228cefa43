//! Which files do the sources of a pack consist of, and which of them are tiles read from?
//!
//! The files of a folder or list are read one by one, each for places near it alone. All that another source consists of counts as one
//! file, which is read for any place.

use std::{
    path::{Path, PathBuf},
    rc::Rc,
};

use rayon::prelude::*;

use super::{BakeError, key, pack_tiles::TileExtent};
use crate::{
    geodesy::Overlap,
    height::{Area, MemberFile, OpenOptions, Relief, source_files},
    pack::FileRead,
    progress::Stage,
    tile::TileId,
};

/// The files behind the sources of a pack, in the order of the sources.
#[derive(Debug)]
pub(super) struct SourceFiles {
    all: Vec<SourceFile>,
}

#[derive(Debug)]
struct SourceFile {
    /// Which source it is of, and what that is called.
    source: usize,
    of: PathBuf,
    file: PathBuf,
    /// Its number in the source, and where the places lie that it may be read for; `None` if it is all of the source.
    member: Option<(u32, Area)>,
    /// What is known of it before it is read.
    key_text: String,
}

impl SourceFiles {
    /// Of the sources that a relief was opened from.
    pub fn of(relief: &Relief, sources: &[PathBuf]) -> Self {
        let of_source = |(source, of): (usize, &PathBuf)| -> Vec<SourceFile> {
            let new = |file: PathBuf, member, key_text| SourceFile { source, of: of.clone(), file, member, key_text };
            match relief.members(source) {
                Some(members) => {
                    let file = |(k, MemberFile { file, key_text, area })| new(file, Some((k, area)), key_text);
                    (0..).zip(members).map(file).collect()
                }
                None => vec![new(of.clone(), None, String::new())],
            }
        };
        Self { all: sources.iter().enumerate().flat_map(of_source).collect() }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The text of each that goes into the key of a pack: what is known before it is read, the same on every machine.
    pub fn key_texts(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|file| &*file.key_text)
    }

    /// Numbers of those that some tiles may be read from, each tile after those above it that are among them.
    pub fn near(&self, tiles: impl Iterator<Item = TileId>) -> Vec<usize> {
        let mut is_near: Vec<bool> = self.all.iter().map(|file| file.member.is_none()).collect();
        let all: Rc<[usize]> = (0..self.all.len()).filter(|k| !is_near[*k]).collect();
        let mut above: Vec<(TileId, Rc<[usize]>)> = Vec::new();
        for id in tiles {
            while above.last().is_some_and(|(top, _)| Some(*top) != id.parent()) {
                above.pop();
            }
            let mut extent = TileExtent::of(id);
            let mut meets = |k: &usize| {
                let area = self.all[*k].member.as_ref().map(|(_, area)| area);
                area.is_some_and(|area| extent.overlap(area) != Overlap::None)
            };
            let of_parent = above.last().map_or(&all, |(_, of_parent)| of_parent);
            let here: Rc<[usize]> = of_parent.iter().copied().filter(|k| meets(k)).collect();
            here.iter().for_each(|k| is_near[*k] = true);
            above.push((id, here));
        }
        (0..self.all.len()).filter(|k| is_near[*k]).collect()
    }

    /// Reads some of them through, on all threads.
    ///
    /// # Errors
    /// [`BakeError::Source`] for one that cannot be read.
    pub fn read(&self, numbers: &[usize], open: &OpenOptions) -> Result<Vec<FileRead>, BakeError> {
        let stage = Stage::begin("reading files of sources", numbers.len() as u64);
        let read = |number: &usize| {
            let SourceFile { source, of, file, .. } = &self.all[*number];
            let parts = source_files(file, &open.of_layer(*source, of))?;
            let hash = key::of_parts(&parts)?;
            stage.step();
            let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
            Ok(FileRead { number: *number as u64, name, hash })
        };
        numbers.par_iter().map(read).collect()
    }

    /// One whose heights were asked for though it is none of some numbers, which are in order.
    pub fn read_beside(&self, relief: &Relief, numbers: &[usize]) -> Option<&Path> {
        let is_beside = |(number, file): &(usize, &SourceFile)| {
            let member = file.member.as_ref().map(|(member, _)| *member);
            member.is_some_and(|member| relief.is_read(file.source, member)) && numbers.binary_search(number).is_err()
        };
        self.all.iter().enumerate().find(is_beside).map(|(_, file)| &*file.file)
    }
}
