//! Elevation prepared for streaming: all tiles of a relief in one file, made once, read by any build, from a disk or a server.
//!
//! ```text
//! header   magic, version, length, manifest (JSON), checksum
//! tile     id, range, length, checksum, zstd payload                     as many as there are, parents before children
//! errors   largest, length, checksum, zstd payload                       of each tile, the finest level first
//! index    the headers of tiles and errors again, zstd
//! footer   where the index lies, its length and checksum, magic
//! ```
//!
//! Bytes come from a file, or in parts from elsewhere ([`PackBytes`]): header, footer and index are read when a pack is opened, tiles
//! when they are asked for.
//!
//! The tiles are an append log: while a pack is made they go to `NAME.part`, and a run that is killed is continued after its last
//! whole tile. Order and bytes of the tiles are a pure function of sources and options. So the result is the same, byte for byte,
//! however often the work was interrupted and however it was divided ([`Shard`], [`crate::bake::merge`]). Index and footer are
//! written, synchronised, and only then the file gets its name: a pack is whole or it is not there.
//!
//! The manifest holds a key: the hash of the contents of all sources and of every option. Work of another key is never
//! continued and never merged. That of a shard is of the options and of what headers of files say; beside it stand the contents of the files
//! that the shard was read from ([`FilesRead`]). Merging makes the key of the pack from them, and refuses shards of two states of a file.
//!
//! Errors are told last, from the heights of all tiles: that of a vertex covers everything finer that the pack holds
//! ([`crate::bake`]), so a mesh need not look ahead. A shard tells those that its own tiles decide; merging
//! tells the rest.
//!
//! A tile holds only what its parent does not. Of its 257 x 257 vertices these are the three quarters that first appear at its level,
//! as differences to a prediction from the others (`codec.rs`). Behind them stands which source answers where (`origins.rs`). Where
//! files of a folder meet or data have voids, it says at which vertices and in which quads (`origins/fine.rs`). Packs of former
//! versions lack it.

mod bytes;
pub(crate) mod codec;
pub(crate) mod compression;
mod error;
pub(crate) mod error_codec;
mod files_read;
mod folder;
pub(crate) mod format;
pub(crate) mod index;
pub(crate) mod origins;
pub(crate) mod positioned_file;
pub(crate) mod reader;
pub(crate) mod record;
mod shard;

pub(crate) use bytes::note_missing_part;
pub use bytes::{PackBytes, PartKind, PartStore, WaitPolicy, in_one_try, is_pack_address, with_wait_policy};
pub use error::PackError;
pub use files_read::{FileRead, FilesRead};
pub(crate) use format::MOST_REMARKS;
pub use format::{Manifest, SourceRecord};
pub use reader::{LevelCount, Pack, TileSummary, is_pack};
pub use shard::{Shard, Share};
