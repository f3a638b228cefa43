//! Which elevation does a query ask, and how does it answer?

use clap::Args;

use super::super::elevation::RasterArgs;
use super::super::source::{self, Source};

/// What a query asks, and how it answers.
#[derive(Args, Debug)]
pub struct DataArgs {
    /// Elevation rasters, folders of them or packs, the first one on top; none asks the embedded globe
    #[arg(value_parser = source::source())]
    pub files: Vec<Source>,
    /// Answer in JSON, not CSV
    #[arg(long)]
    pub json: bool,
    /// Rasters.
    #[command(flatten)]
    pub rasters: RasterArgs,
}
