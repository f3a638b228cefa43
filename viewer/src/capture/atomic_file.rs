//! How does a file appear whole or not at all? It is written beside its place and moved there when it is complete.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{NamedTempFile, PersistError};

/// How long, and how often, another window is waited for.
const LOCK_STEP: Duration = Duration::from_millis(2);
const LOCK_STEPS: u32 = 100;

/// Waits until no other window changes files of the folder that a file is in, where the system can tell, but not for long: two that are closed
/// at once would else lose one's changes. Windows holds no locks on folders.
pub(crate) fn lock_folder(file: &Path) -> Option<File> {
    let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let folder = File::open(folder).ok()?;
    let is_free = |_| {
        let is_free = folder.try_lock().is_ok();
        if !is_free {
            std::thread::sleep(LOCK_STEP);
        }
        is_free
    };
    (0..LOCK_STEPS).any(is_free).then_some(folder)
}

/// A file that is written under a temporary name and renamed by [`commit`](Self::commit); dropped before that, it is
/// removed.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    path: PathBuf,
    out: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    /// Begins a file for `path`, in the same folder under a name of its own.
    ///
    /// # Errors
    /// What the system says of a folder or an old file that cannot be written, before anything is written.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        // A link stays a link: what it leads to is replaced.
        let path = if path.is_symlink() { path.canonicalize()? } else { path.to_path_buf() };
        match path.symlink_metadata() {
            // A pipe or a device would be replaced, not written to; opening a pipe would wait for its reader.
            Ok(old) if !old.is_file() && !old.is_dir() => return Err(io::Error::other("it is no regular file")),
            // Opening says what replacing would not: a folder, or a file that must not be written.
            Ok(_) => drop(File::options().write(true).open(&path)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".orogen-").suffix(".part");
        #[cfg(unix)]
        {
            // As any new file: readable by whom the umask lets.
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        // tempfile adds its own path to the text, which the user never asked for.
        let file = builder.tempfile_in(folder).map_err(|error| without_path(&error))?;
        Ok(AtomicFile { path, out: BufWriter::new(file) })
    }

    /// The temporary file, for a library that writes by a path.
    pub fn temporary_path(&self) -> &Path {
        self.out.get_ref().path()
    }

    /// Writes out what is buffered and moves the file to its path.
    ///
    /// # Errors
    /// What the system says; an old file at the path is then as it was.
    pub fn commit(self) -> io::Result<()> {
        self.commit_by(NamedTempFile::persist)
    }

    /// The same where no file is at the path.
    ///
    /// # Errors
    /// What the system says; [`io::ErrorKind::AlreadyExists`] where there is one, which stays as it is.
    pub fn commit_new(self) -> io::Result<()> {
        self.commit_by(NamedTempFile::persist_noclobber)
    }

    fn commit_by(self, persist: fn(NamedTempFile, PathBuf) -> Result<File, PersistError>) -> io::Result<()> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        persist(file, self.path).map_err(|error| without_path(&error.error))?;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The error in the words of the system, without the path that tempfile adds behind them.
fn without_path(error: &io::Error) -> io::Error {
    let text = error.to_string();
    io::Error::new(error.kind(), text.split(" at path ").next().unwrap_or(&text).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("a.bin");
        let names = || std::fs::read_dir(folder.path()).expect("folder").count();
        let mut file = AtomicFile::create(&path).expect("writable");
        file.write_all(b"half of").expect("written");
        assert!(!path.exists() && names() == 1);
        drop(file);
        assert_eq!(names(), 0, "given up, nothing is left");

        std::fs::write(&path, "old").expect("written");
        let mut file = AtomicFile::create(&path).expect("writable");
        file.write_all(b"new").expect("written");
        assert_eq!(std::fs::read(&path).expect("read"), b"old");
        file.commit().expect("moved");
        assert_eq!((std::fs::read(&path).expect("read").as_slice(), names()), (b"new".as_slice(), 1));
    }

    #[test]
    fn places_that_cannot_be_written_are_refused_in_the_words_of_the_system() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let says = |path: &Path| AtomicFile::create(path).expect_err("refused").to_string();
        assert!(says(folder.path()).contains("directory"));
        #[cfg(unix)]
        assert_eq!(says(Path::new("/dev/null")), "it is no regular file");
        let nowhere = says(&folder.path().join("no/such/a.bin"));
        assert!(nowhere.starts_with("No such file or directory") && !nowhere.contains(".part"), "{nowhere}");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_are_those_of_any_new_file() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().expect("temporary folder");
        let (real, link, plain) = (folder.path().join("real"), folder.path().join("link"), folder.path().join("plain"));
        std::fs::write(&real, "old").expect("written");
        symlink(&real, &link).expect("linked");
        let mut file = AtomicFile::create(&link).expect("writable");
        file.write_all(b"new").expect("written");
        file.commit().expect("moved");
        assert!(link.is_symlink() && std::fs::read(&real).expect("read") == b"new");
        std::fs::write(&plain, "").expect("written");
        let mode = |path: &Path| path.metadata().expect("there").permissions().mode();
        assert_eq!(mode(&real), mode(&plain));
    }
}
