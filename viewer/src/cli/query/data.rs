//! Which elevation does a query ask, and how does it answer?

use std::sync::Arc;

use clap::Args;
use terrain::geodesy::Ellipsoid;
use terrain::surface::Surface;
use terrain::water::Water;

use super::super::elevation::{RasterArgs, cache_folder};
use super::super::progress::LibraryProgress;
use super::super::source::{self, Source};
use super::super::values::{self, WaterChoice};
use crate::scene::open_water;

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

/// Whether there is water, and which.
#[derive(Args, Debug)]
pub struct WaterArgs {
    /// Water that ships, none, or a file of your own: see `orogen render --help`. Lines of sight, horizons and light end at the surface of the
    /// sea; without water at its floor. As coasts are right to a kilometre, ground below the sea rises to it within 1.2 km of one, and sinks by
    /// no more than 20 m for each further kilometre [default: on]
    #[arg(long, value_name = "on|off|FILE", value_parser = values::water())]
    pub water: Option<WaterChoice>,
}

impl DataArgs {
    /// The surface of the data.
    pub fn open(&self) -> anyhow::Result<Surface> {
        let _waiting = LibraryProgress::begin();
        let options = self.rasters.options(&self.files, cache_folder());
        Ok(Surface::new(Arc::new(self.rasters.open(&self.files, &options)?)))
    }

    /// The same and its water: none on other planets than the Earth.
    pub fn open_with_water(&self, water: &WaterArgs) -> anyhow::Result<(Surface, Arc<Water>)> {
        let outlines = || match &water.water {
            None | Some(WaterChoice::On) => open_water(None),
            Some(WaterChoice::Off) => Ok(Arc::new(Water::none())),
            Some(WaterChoice::File(file)) => open_water(Some(file)),
        };
        let (surface, outlines) = rayon::join(|| self.open(), outlines);
        let (surface, outlines) = (surface?, outlines?);
        let is_earth = surface.relief().ellipsoid() == Ellipsoid::WGS84;
        Ok((surface, if is_earth { outlines } else { Arc::new(Water::none()) }))
    }

    /// The surface that is seen: that of the sea where there is sea.
    pub fn open_seen(&self, water: &WaterArgs) -> anyhow::Result<Surface> {
        let (surface, outlines) = self.open_with_water(water)?;
        Ok(Surface::new(Arc::new(surface.relief().with_sea_surface(&outlines))))
    }
}
