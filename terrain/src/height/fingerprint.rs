//! Is a file still the one that was opened? Its length and the time of its last change.

use std::{path::Path, time::SystemTime};

use super::error::HeightError;

/// What is remembered of a file; nothing of names that only GDAL understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint(Option<(u64, Option<SystemTime>)>);

impl Fingerprint {
    pub fn of(file: &Path) -> Self {
        let metadata = std::fs::metadata(file).ok().filter(|metadata| metadata.is_file());
        Self(metadata.map(|metadata| (metadata.len(), metadata.modified().ok())))
    }

    /// # Errors
    /// [`HeightError::Missing`] or [`HeightError::Changed`].
    pub fn check(self, file: &Path) -> Result<(), HeightError> {
        let now = Self::of(file);
        match (self.0, now.0) {
            (Some(_), None) => Err(HeightError::Missing { file: file.into() }),
            _ if now != self => Err(HeightError::Changed { file: file.into() }),
            _ => Ok(()),
        }
    }
}
