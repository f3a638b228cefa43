//! Where do rasters and plots of an answer go? To files whose names say what they are.

use std::path::Path;

use anyhow::Context as _;

use super::super::CliError;
use super::super::overwrite::{OverwriteArgs, check_inputs};
use super::super::progress::removed_by_interruption;
use super::super::source::{Source, paths};
use super::plot::Plot;
use crate::capture::AtomicFile;

/// A place for a GeoTIFF that is made from some files, or why there is none.
#[cfg(feature = "gdal")]
pub fn raster(out: &Path, overwrite: OverwriteArgs, inputs: &[Source]) -> Result<AtomicFile, CliError> {
    if !ends_in(out, &["tif", "tiff"]) {
        return Err(CliError::Usage(format!("{} is no GeoTIFF: give -o a name that ends in .tif", out.display())));
    }
    create(out, overwrite, inputs)
}

/// Why there is no GeoTIFF.
#[cfg(not(feature = "gdal"))]
pub fn raster(_: &Path, _: OverwriteArgs, _: &[Source]) -> Result<AtomicFile, CliError> {
    Err(CliError::Failed(anyhow::anyhow!(
        "rasters are written by GDAL, and this build is without: build with `--features gdal`"
    )))
}

/// The same for a plot.
pub fn plot(out: &Path, overwrite: OverwriteArgs, inputs: &[Source]) -> Result<AtomicFile, CliError> {
    if !ends_in(out, &["png", "svg"]) {
        return Err(CliError::Usage(format!("{} is no plot: give -o a name that ends in .png or .svg", out.display())));
    }
    create(out, overwrite, inputs)
}

/// An error of a library that writes a file by its temporary path, with the name that the user has given.
pub fn naming<E: ToString>(file: &AtomicFile, out: &Path) -> impl FnOnce(E) -> anyhow::Error {
    let [temporary, name] = [file.temporary_path(), out].map(|path| path.display().to_string());
    move |error| anyhow::anyhow!(error.to_string().replace(&temporary, &name))
}

/// Writes a plot: SVG where the name says so, else PNG.
pub fn write_plot(mut file: AtomicFile, out: &Path, plot: &Plot) -> anyhow::Result<()> {
    use std::io::Write as _;
    let bytes = if ends_in(out, &["svg"]) { plot.svg().into_bytes() } else { plot.png()? };
    file.write_all(&bytes).and_then(|()| file.commit()).with_context(|| format!("cannot write {}", out.display()))
}

fn create(out: &Path, overwrite: OverwriteArgs, inputs: &[Source]) -> Result<AtomicFile, CliError> {
    overwrite.check([out])?;
    check_inputs([out], paths(inputs))?;
    let file = AtomicFile::create(out).with_context(|| format!("cannot write {}", out.display()))?;
    removed_by_interruption(file.temporary_path().to_owned())?;
    Ok(file)
}

fn ends_in(out: &Path, extensions: &[&str]) -> bool {
    let extension = out.extension().map(|extension| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| extensions.iter().any(|known| extension == *known))
}
