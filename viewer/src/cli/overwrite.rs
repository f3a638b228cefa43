//! When is a file replaced that is there already? By every verb only with --overwrite, and what would be lost is known before any work.
//!
//! A new file appears whole or not at all, so that an old one stays as it was until then. What is not lost is not asked about. `bake` and
//! `fetch` go on with work of their own that was stopped. A pack of the same data and options is left as it is.

use std::path::Path;

use clap::Args;

use super::{CliError, shown_path};

/// Whether files are replaced.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct OverwriteArgs {
    /// Replace a file that is there already
    #[arg(long)]
    pub overwrite: bool,
}

impl OverwriteArgs {
    /// Whether files may be written.
    ///
    /// # Errors
    /// The first one that is there already and is not to be replaced.
    pub fn check<P: AsRef<Path>>(self, files: impl IntoIterator<Item = P>) -> Result<(), CliError> {
        // Folders, pipes and devices are refused by who writes, with or without the option.
        match files.into_iter().find(|file| !self.overwrite && file.as_ref().is_file()) {
            None => Ok(()),
            Some(file) => Err(CliError::Failed(anyhow::anyhow!(
                "{} is there already: give another name, or --overwrite to replace it",
                shown_path(file.as_ref())
            ))),
        }
    }
}

/// Whether an output is none of the inputs, nor in a folder of these.
///
/// # Errors
/// The output, which would be lost before it was read.
pub fn check_inputs<'a>(out: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), CliError> {
    let is_same = |a: &Path, b: &Path| same_file::is_same_file(a, b).unwrap_or(false);
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_there = out.is_file();
    match inputs.into_iter().any(|input| is_same(out, input) || is_there && is_same(parent, input)) {
        false => Ok(()),
        true => Err(CliError::Failed(anyhow::anyhow!(
            "{} is among the files that are read: give another name",
            shown_path(out)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_replaced_where_that_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        std::fs::write(&old, "").expect("written");
        let (refuses, replaces) = (OverwriteArgs { overwrite: false }, OverwriteArgs { overwrite: true });
        assert!(refuses.check([&new]).is_ok() && replaces.check([&new, &old]).is_ok());
        assert!(refuses.check([folder.path()]).is_ok(), "who writes says that it is a folder");
        match refuses.check([&new, &old]) {
            Err(CliError::Failed(error)) => assert!(error.to_string().contains("--overwrite"), "{error}"),
            other => panic!("{other:?}"),
        }
    }
}
