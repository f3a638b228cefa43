//! Is a WGSL file still what its Rust source generates?

use std::{fs, io, path::PathBuf};

/// How a generated file differs from its source.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GeneratedError {
    /// The file and what is generated differ.
    #[error("{} is not what its Rust source generates, from line {line} on: OROGEN_BLESS=1 writes it anew", path.display())]
    Stale {
        /// The file.
        path: PathBuf,
        /// First line that differs, from 1.
        line: usize,
    },
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Compares the file at `path` with `header`, a WGSL comment, followed by `wgsl`; for tests of crates that keep generated WGSL
/// among their shaders, where it is read and imported as any other. With the environment variable `OROGEN_BLESS` set, writes the file.
///
/// ```
/// use kernels::{device, device::check_generated};
///
/// #[device]
/// fn half(x: u32) -> u32 { x / 2 }
///
/// let path = std::env::temp_dir().join(format!("half-{}.wgsl", std::process::id()));
/// std::fs::write(&path, "// Halves.\n\n//!once rust_out::half\nfn half(x: u32) -> u32 {\n    return x / 3u;\n}\n//!end\n")?;
/// assert!(check_generated(&path, "// Halves.", half::WGSL).is_err());
/// # std::fs::remove_file(path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check_generated(path: impl Into<PathBuf>, header: &str, wgsl: &str) -> Result<(), GeneratedError> {
    check_generated_importing(path, header, &[], wgsl)
}

/// [`check_generated`] of a file that imports others, given by their names and texts: it has the items that they do not have.
///
/// ```
/// use kernels::{device, device::check_generated_importing};
///
/// #[device]
/// fn half(x: u32) -> u32 { x / 2 }
/// #[device]
/// fn quarter(x: u32) -> u32 { half(half(x)) }
///
/// let path = std::env::temp_dir().join(format!("quarter-{}.wgsl", std::process::id()));
/// let own = quarter::WGSL.replace(half::WGSL, "");
/// let text = format!("// Quarters.\n\n//!import demo/half\n\n{own}");
/// std::fs::write(&path, text)?;
/// check_generated_importing(&path, "// Quarters.", &[("demo/half", half::WGSL)], quarter::WGSL)?;
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_generated_importing(
    path: impl Into<PathBuf>,
    header: &str,
    imports: &[(&str, &str)],
    wgsl: &str,
) -> Result<(), GeneratedError> {
    let path = path.into();
    let is_imported = |item: &&str| {
        let name = item.lines().next().unwrap_or_default();
        imports.iter().any(|(_, text)| text.lines().any(|line| line == name))
    };
    let own: Vec<&str> = wgsl.split_inclusive("//!end\n").filter(|item| !is_imported(item)).collect();
    let names: String = imports.iter().map(|(name, _)| format!("//!import {name}\n")).collect();
    let names = if names.is_empty() { names } else { format!("{names}\n") };
    let expected = format!("{header}\n\n{names}{}", own.join("\n"));
    if std::env::var_os("OROGEN_BLESS").is_some() {
        return fs::write(&path, expected).map_err(|source| GeneratedError::File { path, source });
    }
    let found = match fs::read_to_string(&path) {
        Ok(found) => found,
        Err(source) => return Err(GeneratedError::File { path, source }),
    };
    if found == expected {
        return Ok(());
    }
    let same = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    Err(GeneratedError::Stale { path, line: same + 1 })
}
