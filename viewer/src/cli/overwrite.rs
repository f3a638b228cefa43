//! When is a file replaced that is there already? By every verb only with --overwrite, and what would be lost is known before any work.
//!
//! A new file appears whole or not at all, so that an old one stays as it was until then. What is not lost is not asked about. `bake` and
//! `fetch` go on with work of their own that was stopped. A pack of the same data and options is left as it is.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use clap::{ArgMatches, Args, Id};

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

/// Whether outputs are none of the inputs, nor a raster in a folder of these, nor named by a list of theirs, nor a part of one, as the
/// sources of a virtual raster.
///
/// # Errors
/// The output, which would be lost before it was read.
pub fn check_inputs<O: AsRef<Path>, I: AsRef<Path>>(
    outputs: impl IntoIterator<Item = O>,
    inputs: impl IntoIterator<Item = I>,
) -> Result<(), CliError> {
    let old = |out: O| Some((out.as_ref().canonicalize().ok().filter(|old| old.is_file())?, out));
    let old: Vec<_> = outputs.into_iter().filter_map(old).collect();
    if old.is_empty() {
        return Ok(());
    }
    let listed = inputs.into_iter().flat_map(|input| with_listed(input.as_ref()));
    let read: BTreeSet<PathBuf> = listed.flat_map(with_parts).filter_map(|input| input.canonicalize().ok()).collect();
    let is_among = |file: &PathBuf| {
        read.contains(file) || is_tiff(file) && file.ancestors().skip(1).any(|folder| read.contains(folder))
    };
    match old.iter().find(|(file, _)| is_among(file)) {
        None => Ok(()),
        Some((_, out)) => Err(is_read(out.as_ref())),
    }
}

/// Options whose words are no files.
const NO_FILES: [&str; 2] = ["out", "title"];

/// Whether the file that a command line writes is none that another of its words names, alone or before a comma: a scene, a list of places, a
/// path, water; nor its configuration.
///
/// # Errors
/// As [`check_inputs`].
pub fn check_words(matches: &ArgMatches, config: Option<&Path>) -> Result<(), CliError> {
    let of_verbs = || std::iter::successors(Some(matches), |matches| Some(matches.subcommand()?.1));
    let words = |matches: &'_ ArgMatches, id: &str| -> Vec<OsString> {
        matches.try_get_raw(id).ok().flatten().into_iter().flatten().map(OsStr::to_owned).collect()
    };
    let Some(out) = of_verbs().flat_map(|matches| words(matches, "out")).next() else { return Ok(()) };
    let out = Path::new(&out);
    let Some(old) = out.canonicalize().ok().filter(|old| old.is_file()) else { return Ok(()) };
    let of_verb = |matches: &ArgMatches| -> Vec<OsString> {
        let ids = matches.ids().map(Id::as_str).filter(|id| !NO_FILES.contains(id));
        ids.flat_map(|id| words(matches, id)).collect()
    };
    let is_old = |file: &Path| file.canonicalize().is_ok_and(|file| file == old);
    let names_old = |word: OsString| {
        let name = word.to_str().and_then(|word| Some(word.split_once(',')?.0));
        is_old(Path::new(&word)) || name.is_some_and(|name| is_old(Path::new(name)))
    };
    match config.is_some_and(is_old) || of_verbs().flat_map(of_verb).any(names_old) {
        true => Err(is_read(out)),
        false => Ok(()),
    }
}

/// Outputs that lie in folders: of a folder of pictures any picture may be one of them.
pub fn in_folders<'a>(outputs: &'a [PathBuf], folders: impl Iterator<Item = &'a Path>) -> Vec<PathBuf> {
    let folders: Vec<PathBuf> =
        folders.filter(|folder| folder.is_dir()).filter_map(|f| f.canonicalize().ok()).collect();
    let lies_there =
        |out: &&PathBuf| out.canonicalize().is_ok_and(|out| folders.iter().any(|folder| out.starts_with(folder)));
    outputs.iter().filter(lies_there).cloned().collect()
}

fn is_read(out: &Path) -> CliError {
    let out = shown_path(out);
    CliError::Failed(anyhow::anyhow!("{out} is among the files that are read: give another name"))
}

fn is_tiff(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ["tif", "tiff"].iter().any(|tif| ending.eq_ignore_ascii_case(tif)))
}

/// An input; of a list, the list and the files that it names.
fn with_listed(input: &Path) -> Vec<PathBuf> {
    let Some(list) = foreign::list::named(input) else { return vec![input.to_path_buf()] };
    // Who opens a list that cannot be read says so.
    let named = foreign::list::read(list).unwrap_or_default();
    std::iter::once(list.to_path_buf()).chain(named).collect()
}

/// A file or folder, and the files that it, or virtual rasters in it, consist of.
#[cfg(feature = "gdal")]
fn with_parts(file: PathBuf) -> Vec<PathBuf> {
    // What is beside a TIFF is no output. Who opens a file that cannot be read says so; what is no raster has no parts.
    let is_asked = file.is_dir() || file.is_file() && !is_tiff(&file);
    let parts = is_asked.then(|| terrain::height::files_of_raster(&file).ok()).flatten().unwrap_or_default();
    std::iter::once(file).chain(parts).collect()
}

/// A file: without GDAL it has no parts that would be read.
#[cfg(not(feature = "gdal"))]
fn with_parts(file: PathBuf) -> Vec<PathBuf> {
    vec![file]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: an input is no output, by whatever name, and a folder's rasters are inputs, at whatever depth; what else is in it is not.
    #[test]
    fn inputs_are_no_outputs() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("deep")).expect("a folder");
        for name in ["a.tif", "deep/b.TIF", "a.pack", "a.png"] {
            std::fs::write(at(name), "").expect("written");
        }
        let check = |out: &str, input: &str| check_inputs([at(out)], [at(input)]).is_ok();
        assert!(!check("a.tif", "a.tif") && !check("deep/../a.tif", "a.tif") && !check("a.pack", "a.pack"));
        assert!(!check("a.tif", ".") && !check("deep/b.TIF", ".") && !check("deep/b.TIF", "deep"));
        assert!(check("new.tif", ".") && check("a.pack", ".") && check("a.png", ".") && check("a.tif", "deep"));
        std::fs::write(at("list.txt"), "deep/b.TIF\n").expect("written");
        let check_list = |out: &str| {
            let list = PathBuf::from(format!("@{}", at("list.txt").display()));
            check_inputs([at(out)], [list]).is_ok()
        };
        assert!(!check_list("deep/b.TIF") && !check_list("list.txt") && check_list("a.tif"));
        assert!(check("deep", ".") && check("a.tif", "missing.tif") && check("a.tif", "deep/b.TIF"));
    }

    /// Law: whatever lies in a folder of pictures is one of them, at whatever depth and by whatever name; what lies elsewhere is none.
    #[test]
    fn what_lies_in_a_folder_of_pictures_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("photos/deep")).expect("a folder");
        for name in ["photos/a.png", "photos/deep/b.jpg", "c.png"] {
            std::fs::write(at(name), "").expect("written");
        }
        let outputs = ["photos/a.png", "photos/deep/../deep/b.jpg", "c.png", "photos/new.png"].map(at);
        assert_eq!(in_folders(&outputs, [at("photos")].iter().map(PathBuf::as_path)), outputs[..2]);
        assert!(in_folders(&outputs, [at("c.png"), at("missing")].iter().map(PathBuf::as_path)).is_empty());
    }

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
