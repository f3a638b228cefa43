//! Which files of its sources was a shard read from, and in which state?

use serde::{Deserialize, Serialize};

/// Digits of a hash.
const DIGITS: usize = 64;

/// The files that the tiles of a shard were read from. Shards of one pack have read the same states, or are not joined.
///
/// ```
/// # #[cfg(feature = "gdal")] {
/// use elevation::{bake::{Bake, BakeOptions}, height::OpenOptions, pack::{Pack, Shard}};
/// # let file = std::env::temp_dir().join(format!("orogen-files-read-{}.pack", std::process::id()));
/// let options = BakeOptions::default().with_max_level(Some(0)).with_shard(Some(Shard { index: 1, count: 2 }));
/// Bake::new(&[], &OpenOptions::default(), &options)?.run(&file, false, &mut |_| {})?;
/// let read = Pack::open_any(&file)?.manifest().read.clone().expect("it is a shard");
/// assert_eq!((read.files, read.read.len()), (0, 0)); // the relief that ships is no file
/// # std::fs::remove_file(&file)?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilesRead {
    /// Number of all files behind the sources of the pack.
    pub files: u64,
    /// Those that may have a part in the shard, in their order.
    pub read: Vec<FileRead>,
}

/// A file behind the sources of a pack, with what belongs to it, like a header beside an image: one of a folder or list, or all that a
/// source consists of which is neither.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRead {
    /// Which one of all, from 0, in the order of the sources.
    pub number: u64,
    /// Its name without folders.
    pub name: String,
    /// Hash of its contents, in hexadecimal digits.
    pub hash: String,
}

impl FilesRead {
    /// Checks that they are some of those that there are, each once.
    pub(super) fn check(&self) -> Result<(), String> {
        if !self.read.is_sorted_by(|a, b| a.number < b.number) {
            return Err("files that were read in no order".to_owned());
        }
        for FileRead { number, name, hash } in &self.read {
            if *number >= self.files {
                return Err(format!("file {number} of {}", self.files));
            }
            let is_digit = |digit: u8| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit);
            if hash.len() != DIGITS || !hash.bytes().all(is_digit) {
                return Err(format!("a hash of {name} that is none"));
            }
        }
        Ok(())
    }
}
