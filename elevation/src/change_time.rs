//! When did anything about a file change last? Its contents, permissions or name, whatever modification time it was given.

use std::{fs::Metadata, time::SystemTime};

/// The change time (ctime) of a file, which nobody can set back; `None` where the system does not tell.
#[cfg(unix)]
pub(crate) fn changed(metadata: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt as _;
    let seconds = std::time::Duration::from_secs(u64::try_from(metadata.ctime()).ok()?);
    let part = std::time::Duration::from_nanos(u64::try_from(metadata.ctime_nsec()).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(seconds + part)
}

#[cfg(not(unix))]
pub(crate) fn changed(_metadata: &Metadata) -> Option<SystemTime> {
    None
}
