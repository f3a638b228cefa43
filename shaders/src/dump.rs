//! What was composed? With a folder named once, every composition of the program is a file in it.

use crate::{Composed, ShaderError};
use std::{
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::PathBuf,
    sync::{PoisonError, RwLock},
};

static FOLDER: RwLock<Option<PathBuf>> = RwLock::new(None);

/// From now on every composition of this process is written to `folder`, which is made with the first, for other compilers and for
/// eyes; `None` ends it. The file of module `kernels/scan` is `kernels-scan-HASH.wgsl`, one for each text, as
/// [`Composed::standard`] gives it; `kernels-scan-HASH.native.wgsl`, as naga takes it, if WebGPU has no WGSL for it.
///
/// A setting of programs and tests, as a logger is: libraries leave it alone.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// shaders::dump_into(Some(folder.path().to_owned()));
/// let composed = shaders::Composer::new().bind("a/b", "b.wgsl", "fn f() {}").compose("a/b")?;
/// shaders::dump_into(None);
/// let file = std::fs::read_dir(folder.path())?.next().expect("the composition")?;
/// assert!(file.file_name().to_string_lossy().starts_with("a-b-"));
/// assert_eq!(std::fs::read_to_string(file.path())?, composed.standard()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dump_into(folder: Option<PathBuf>) {
    *FOLDER.write().unwrap_or_else(PoisonError::into_inner) = folder;
}

pub(crate) fn write(composed: &Composed) -> Result<(), ShaderError> {
    let folder = FOLDER.read().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(folder) = folder else { return Ok(()) };
    let (text, ending) = match composed.standard() {
        Ok(text) => (text, "wgsl"),
        Err(_) => (composed.source().to_owned(), "native.wgsl"),
    };
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let name = composed.label().replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "-");
    let path = folder.join(format!("{name}-{:016x}.{ending}", hasher.finish()));
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, text))
        .map_err(|error| ShaderError::Dump { path, why: error.to_string() })
}
