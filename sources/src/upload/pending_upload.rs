//! Which upload is not over? Its number lies beside the file that it is of, so the next run takes away what one that was killed has left.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::s3::MOST_RESPONSE_BYTES;

/// The file that holds the identifier of an unfinished upload, beside the file that is uploaded.
pub(super) struct PendingUpload(PathBuf);

impl PendingUpload {
    pub fn of_file(file: &Path) -> Self {
        let mut name = file.as_os_str().to_owned();
        name.push(".upload");
        Self(name.into())
    }

    pub fn read(&self) -> Option<String> {
        let text = foreign::read_small_text(&self.0, MOST_RESPONSE_BYTES).ok()?;
        Some(text.trim().to_owned()).filter(|upload| is_number(upload))
    }

    /// Without it, only a run that is killed leaves parts on the server.
    pub fn write(&self, upload: &str) {
        let _unwritten = fs::write(&self.0, upload);
    }

    pub fn remove(&self) {
        let _not_there = fs::remove_file(&self.0);
    }
}

/// Whether what a server says may be the number of an upload, or a tag: nothing that means anything in XML.
pub(super) fn is_number(said: &str) -> bool {
    (1..=1024).contains(&said.len()) && said.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>&\"'".contains(&byte))
}
