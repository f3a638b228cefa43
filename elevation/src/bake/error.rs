//! What can go wrong when a pack is made, and what the user can do about it.

use std::path::PathBuf;

use crate::{height::HeightError, pack::PackError};

/// Why a pack could not be made or merged. Every message names the file, the reason and the way out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// The pack cannot be read or written.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A source cannot be used.
    #[error(transparent)]
    Source(Box<HeightError>),
    /// A share was read from a file that should have no part in it, and so is not in its key.
    #[error("{}: a share reads it that does not lie near it: bake without --shard", file.display())]
    Unforeseen {
        /// The file.
        file: PathBuf,
    },
    /// An option is out of range.
    #[error("{what} {value}: {rule}")]
    Option {
        /// Which option.
        what: &'static str,
        /// Its value.
        value: String,
        /// What it has to be.
        rule: &'static str,
    },
}

impl From<HeightError> for BakeError {
    fn from(error: HeightError) -> Self {
        match error {
            HeightError::Pack(error) => Self::Pack(*error),
            error => Self::Source(Box::new(error)),
        }
    }
}
