//! What do other programs say?

use std::process::Command;

use anyhow::{Context, Result, bail};

/// What a program prints on stdout.
///
/// # Errors
/// A program that is not there; the last line of its errors if it fails.
pub fn output_of(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {name}: is it installed (GDAL's: gdal-bin)?"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("{name}: {}", errors.trim().lines().last().unwrap_or("failed"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
