//! Where does a program leave what it measured? In a JSON file of a folder that is made before anything is measured.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use gpu::Caps;
use serde_json::{Value, json};

/// A JSON file that names the device.
#[derive(Debug)]
pub struct ReportFile(PathBuf);

impl ReportFile {
    /// `name` in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// A folder that cannot be made.
    pub fn in_folder(folder: &Path, name: &str) -> Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self(folder.join(name)))
    }

    /// Writes an object, with adapter and driver.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, caps: &Caps, mut report: Value) -> Result<()> {
        report["adapter"] = json!(caps.adapter);
        report["driver"] = json!(caps.driver);
        std::fs::write(&self.0, serde_json::to_string_pretty(&report)? + "\n")
            .with_context(|| format!("cannot write {}", self.0.display()))
    }
}
