//! What can go wrong with packs, and what the user can do about it.

use std::path::{Path, PathBuf};

/// Why a pack could not be made, read or merged. Every message names the file, the reason and the way out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The file cannot be opened, read or synchronised.
    #[error("{}: cannot {what} ({reason})", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What was tried.
        what: &'static str,
        /// The system's words.
        reason: String,
    },
    /// A part of a pack that is elsewhere is not here yet, or was not to be had a moment ago; coarser tiles stand in for it.
    #[error("{}: {reason}", file.display())]
    Unavailable {
        /// The pack.
        file: PathBuf,
        /// Why it is not.
        reason: String,
    },
    /// A pack on a server cannot be opened.
    #[error("{}: {reason}", file.display())]
    Remote {
        /// Its address, without what stands behind a question mark.
        file: PathBuf,
        /// Why not, and what to do.
        reason: String,
    },
    /// The work cannot be written: the disk is full, or a quota or limit is reached.
    #[error("{}: cannot write ({reason}); {kept} tiles are kept there: make room and run the same command again", file.display())]
    Full {
        /// The file that grows.
        file: PathBuf,
        /// The system's words.
        reason: String,
        /// Tiles that are safe in it.
        kept: u64,
    },
    /// The file is not a pack.
    #[error("{}: not a pack of tiles ({reason}); `orogen bake` makes one", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// What gave it away.
        reason: String,
    },
    /// The file is a pack of another version.
    #[error("{}: a pack of version {found}, and this program reads version {known}: {}", file.display(), if found < known { "bake it again from its sources" } else { "update the program" })]
    Version {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: u32,
        /// The version that this program reads and writes.
        known: u32,
    },
    /// The pack is damaged.
    #[error("{}: damaged at byte {offset} ({reason}); bake it again, or copy it again from where it came", file.display())]
    Corrupt {
        /// The file.
        file: PathBuf,
        /// Where.
        offset: u64,
        /// What is wrong there.
        reason: String,
    },
    /// The pack holds only a share of its tiles.
    #[error("{}: shard {} of {}: join all of them with `orogen pack merge`", file.display(), shard.index, shard.count)]
    IsShard {
        /// The file.
        file: PathBuf,
        /// Which one.
        shard: super::Shard,
    },
    /// What lies there was made from other sources, options or versions.
    #[error("{}: made from other data or options; give another name, or --overwrite to lose it", file.display())]
    Stale {
        /// The file.
        file: PathBuf,
    },
    /// A folder, device or pipe bears the name.
    #[error("{}: is no regular file; give another name", file.display())]
    NotAFile {
        /// What it is called.
        file: PathBuf,
    },
    /// Something that is not a pack bears the name.
    #[error("{}: exists and is no pack; give another name, or --overwrite to lose it", file.display())]
    Occupied {
        /// The file.
        file: PathBuf,
    },
    /// Another process is writing the file.
    #[error("{}: another run is writing it; wait for that one, or give another name", file.display())]
    Busy {
        /// The file.
        file: PathBuf,
    },
    /// Whoever hears of the progress has had enough.
    #[error("{}: interrupted; the same run continues it", file.display())]
    Interrupted {
        /// The file.
        file: PathBuf,
    },
    /// The packs to be merged do not make one whole.
    #[error("{}: {reason}", file.display())]
    Unmergeable {
        /// The pack that does not fit.
        file: PathBuf,
        /// Why not.
        reason: String,
    },
}

impl PackError {
    /// A failure of the system on a file.
    pub(crate) fn io(file: &Path, what: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |error| Self::Io { file: file.into(), what, reason: error.to_string() }
    }
}
