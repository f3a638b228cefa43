//! Which elevation does a query ask, and how does it answer?

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use glam::DVec3;
use terrain::geodesy::{Ellipsoid, n_vector};
use terrain::surface::Surface;
use terrain::water::{Cover, Lake, Water};

use super::super::elevation::{RasterArgs, cache_folder, warn_of_water};
use super::super::print_remark;
use super::super::progress::LibraryProgress;
use super::super::source::{self, Source};
use super::super::values::{self, WaterChoice};
use crate::scene::open_water;

/// What is said where all places lie beside the files.
const BESIDE: &str = "no place lies on the given files: the relief below them answers. Places are LAT,LON, latitude first, and boxes W,S,E,N; `orogen info FILE` tells where a file lies";

/// Whether the files given answer, or what lies below them. Many threads note it.
#[derive(Debug, Default)]
pub struct AnsweringFiles {
    /// How many layers they are.
    given: usize,
    any: AtomicBool,
    none: AtomicBool,
}

impl AnsweringFiles {
    /// Notes the layer that answers at a place; it is not asked for where files have answered already.
    pub fn note(&self, layer: impl FnOnce() -> usize) {
        // Many threads read it, and few write.
        if !self.any.load(Ordering::Relaxed) {
            let answered = if layer() < self.given { &self.any } else { &self.none };
            answered.store(true, Ordering::Relaxed);
        }
    }

    /// Tells on stderr that places were asked about and that all lie beside the files.
    pub fn warn(&self) {
        if self.none.load(Ordering::Relaxed) && !self.any.load(Ordering::Relaxed) {
            print_remark(BESIDE);
        }
    }
}

/// A bed that is less far below the mean level of its lake is its surface at another time, metres.
const BED_M: f64 = 3.0;

/// Tells on stderr that at one of some geodetic normals the data have the bed of a lake, where light goes no further than its surface.
pub fn warn_of_lake_bed(surface: &Surface, places: &[DVec3]) {
    let relief = surface.relief();
    let Some(water) = relief.water_outlines() else { return };
    let bed = places.iter().find_map(|n| {
        let Cover::Lake(Lake { name, level_m: Some(level_m) }) = water.at(*n) else { return None };
        let sample = relief.sample(*n);
        let is_above_sea = !relief.layers()[sample.layer].datum.contains("ellipsoid");
        let depth_m = level_m - sample.height_m;
        (is_above_sea && depth_m > BED_M).then_some((name.as_str(), *level_m, depth_m))
    });
    if let Some((name, level_m, depth_m)) = bed {
        let lake = if name.is_empty() { "a lake" } else { name };
        print_remark(&format!(
            "{}: the data have its bed, {depth_m:.0} m below its level of {level_m:.0} m: light and lines of sight go to the bed, and eyes stand \
             on it",
            foreign::sanitized(lake)
        ));
    }
}

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

    /// Of the answers of a surface, none yet.
    pub fn answering_files(&self, surface: &Surface) -> AnsweringFiles {
        // Below layers that were given lies one that ships, unless one of them covers the Earth.
        let layers = surface.relief().layers().len();
        let given = if layers > self.files.len() { layers - 1 } else { layers };
        AnsweringFiles { given: if self.files.is_empty() { usize::MAX } else { given }, ..AnsweringFiles::default() }
    }

    /// Tells on stderr that none of some geodetic normals lies on the files given, as where latitude and longitude are exchanged; and of one of
    /// them that it lies on the bed of a lake.
    pub fn warn_if_beside(&self, surface: &Surface, places: impl IntoIterator<Item = DVec3>) {
        let files = self.answering_files(surface);
        let places: Vec<DVec3> = places.into_iter().collect();
        places.iter().for_each(|n| files.note(|| surface.relief().sample(*n).layer));
        files.warn();
        warn_of_lake_bed(surface, &places);
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
