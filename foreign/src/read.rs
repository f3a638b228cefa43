//! How is a small file of somebody else read? If it is a regular file, and to a bound.

use std::{
    fs::File,
    io::{Error, ErrorKind, Read as _, Result},
    path::Path,
};

/// Opens a regular file for reading. A pipe would be waited for and a device read without end, so neither is opened.
///
/// ```
/// use foreign::open_regular;
/// assert!(open_regular(&std::env::current_exe()?).is_ok());
/// let folder = open_regular(&std::env::temp_dir()).unwrap_err();
/// assert_eq!(folder.kind(), std::io::ErrorKind::InvalidInput);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// What the system says; [`ErrorKind::InvalidInput`] for what is no regular file.
pub fn open_regular(path: &Path) -> Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is no regular file"));
    }
    File::open(path)
}

/// The bytes of a regular file of at most `most` bytes.
///
/// # Errors
/// What the system says; [`ErrorKind::InvalidInput`] for what is no regular file, [`ErrorKind::FileTooLarge`] beyond `most`.
///
/// ```
/// use std::io::ErrorKind;
/// let error = foreign::read_small("/".as_ref(), 1 << 20).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidInput);
/// ```
pub fn read_small(path: &Path, most: u64) -> Result<Vec<u8>> {
    // The length is a guess: files of /proc say 0, and a file may grow while it is read.
    let mut bytes = Vec::new();
    open_regular(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// The same of a text in UTF-8.
///
/// ```
/// let file = std::env::temp_dir().join(format!("foreign-{}.txt", std::process::id()));
/// std::fs::write(&file, "few words")?;
/// assert_eq!(foreign::read_small_text(&file, 1 << 10)?, "few words");
/// assert!(foreign::read_small_text(&file, 4).is_err(), "it has more than 4 bytes");
/// # std::fs::remove_file(&file)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// As [`read_small`]; [`ErrorKind::InvalidData`] where it is no text.
pub fn read_small_text(path: &Path, most: u64) -> Result<String> {
    String::from_utf8(read_small(path, most)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::new(ErrorKind::InvalidData, format!("byte {at} is no text in UTF-8"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a file is read whole or refused with the reason; what has no end and what nobody writes to is not waited for.
    #[test]
    fn small_files_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "0123456789").unwrap();
        assert_eq!(read_small(&path, 10).unwrap(), b"0123456789");
        let error = read_small(&path, 9).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::FileTooLarge, "it has more than 9 bytes"));
        assert_eq!(read_small(&folder.path().join("b"), 9).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(read_small(folder.path(), 9).unwrap_err().kind(), ErrorKind::InvalidInput);
        std::fs::write(&path, b"ab\xff").unwrap();
        let error = read_small_text(&path, 10).unwrap_err();
        assert!(error.kind() == ErrorKind::InvalidData && error.to_string().contains("byte 2"), "{error}");
        #[cfg(unix)]
        {
            assert_eq!(read_small(Path::new("/dev/zero"), 9).unwrap_err().kind(), ErrorKind::InvalidInput);
            let pipe = folder.path().join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(made.success() && read_small(&pipe, 9).unwrap_err().kind() == ErrorKind::InvalidInput);
        }
    }
}
