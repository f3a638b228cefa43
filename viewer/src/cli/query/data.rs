//! Which elevation does a query ask, and how does it answer?

use std::sync::Arc;

use clap::Args;
use glam::DVec3;
use terrain::geodesy::{Ellipsoid, n_vector};
use terrain::surface::Surface;
use terrain::water::Water;

use super::super::elevation::{RasterArgs, cache_folder};
use super::super::print_remark;
use super::super::progress::LibraryProgress;
use super::super::scene::warn_of_water;
use super::super::source::{self, Source};
use super::super::values::{self, WaterChoice};
use crate::scene::open_water;

/// What is said where all places lie beside the files.
pub const BESIDE: &str = "no place lies on the given files: the relief below them answers. Places are LAT,LON, latitude first, and boxes W,S,E,N; `orogen info FILE` tells where a file lies";

/// Places along a side of a box that are looked at.
const BOX_PLACES: usize = 16;

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
        if let Some(file) = water.water.as_ref().and_then(WaterChoice::file) {
            warn_of_water(file, &outlines);
        }
        let is_earth = surface.relief().ellipsoid() == Ellipsoid::WGS84;
        Ok((surface, if is_earth { outlines } else { Arc::new(Water::none()) }))
    }

    /// How many layers of a surface were given: below them lies one that ships, unless one of them covers the Earth.
    pub fn given_layers(&self, surface: &Surface) -> usize {
        let layers = surface.relief().layers().len();
        if layers > self.files.len() { layers - 1 } else { layers }
    }

    /// Tells on stderr that none of some geodetic normals lies on the files given, as where latitude and longitude are exchanged.
    pub fn warn_if_beside(&self, surface: &Surface, places: impl IntoIterator<Item = DVec3>) {
        let given = self.given_layers(surface);
        let mut beside = places.into_iter().map(|n| surface.relief().sample(n).layer >= given).peekable();
        if !self.files.is_empty() && beside.peek().is_some() && beside.all(|is_beside| is_beside) {
            print_remark(BESIDE);
        }
    }

    /// The same of a box: west, south, east, north in degrees.
    pub fn warn_if_box_is_beside(&self, surface: &Surface, [west, south, east, north]: [f64; 4]) {
        let width = (east - west).rem_euclid(360.0);
        let at = |k: usize| (k as f64 + 0.5) / BOX_PLACES as f64;
        let places = (0..BOX_PLACES * BOX_PLACES).map(|k| {
            let (lon, lat) = (west + width * at(k % BOX_PLACES), south + (north - south) * at(k / BOX_PLACES));
            n_vector(lat.to_radians(), lon.to_radians())
        });
        self.warn_if_beside(surface, places);
    }

    /// The surface that is seen: that of the sea where there is sea.
    pub fn open_seen(&self, water: &WaterArgs) -> anyhow::Result<Surface> {
        let (surface, outlines) = self.open_with_water(water)?;
        Ok(Surface::new(Arc::new(surface.relief().with_sea_surface(&outlines))))
    }
}
