//! What does the source say? The nodes of `data/etopo5.tif`, read without any code of this workspace, and known places.

use std::path::{Path, PathBuf};

use gdal::Dataset;

/// Nodes per degree.
pub const NODES_PER_DEGREE: usize = 12;
/// Columns: 180 W to 179.9167 E.
pub const COLUMNS: usize = 4320;
/// Rows: north pole to south pole.
pub const ROWS: usize = 2161;

/// A file of the folder `data`.
pub fn data_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data").join(name)
}

/// All nodes of the relief that ships with the program, metres above mean sea level, north row first.
pub struct Nodes(Vec<i16>);

impl Nodes {
    /// Reads the file.
    ///
    /// # Panics
    /// If it cannot be read or does not have the size that `data/README.md` states.
    pub fn read() -> Self {
        let dataset = Dataset::open(data_file("etopo5.tif")).expect("data/etopo5.tif opens");
        assert_eq!(dataset.raster_size(), (COLUMNS, ROWS));
        let band = dataset.rasterband(1).expect("one band");
        Self(band.read_band_as::<i16>().expect("readable").data().to_vec())
    }

    /// The node in a row and a column; columns go round.
    pub fn at(&self, row: usize, column: usize) -> i16 {
        self.0[row * COLUMNS + column % COLUMNS]
    }

    /// The nearest node to a place in degrees.
    pub fn nearest(&self, lat_deg: f64, lon_deg: f64) -> i16 {
        let (row, column) = fractional(lat_deg, lon_deg);
        self.at((row + 0.5).floor() as usize, (column + 0.5).floor() as usize)
    }

    /// Lowest and highest of the nodes at most one posting away from a place in latitude and in longitude; at a pole, of
    /// all longitudes.
    pub fn within_one_posting(&self, lat_deg: f64, lon_deg: f64) -> (f64, f64) {
        let (row, column) = fractional(lat_deg, lon_deg);
        let rows = (row - 1.0).ceil().max(0.0) as usize..=((row + 1.0).floor() as usize).min(ROWS - 1);
        let columns: Vec<usize> = if lat_deg.abs() == 90.0 {
            (0..COLUMNS).collect()
        } else {
            let around = COLUMNS as f64 + column;
            ((around - 1.0).ceil() as usize..=(around + 1.0).floor() as usize).collect()
        };
        let heights = rows.flat_map(|row| columns.iter().map(move |&column| f64::from(self.at(row, column))));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
    }

    /// All nodes, row by row.
    pub fn all(&self) -> &[i16] {
        &self.0
    }
}

/// Row and column of a place, with fractions; the column is in [0, `COLUMNS`).
fn fractional(lat_deg: f64, lon_deg: f64) -> (f64, f64) {
    let per_degree = NODES_PER_DEGREE as f64;
    ((90.0 - lat_deg) * per_degree, ((lon_deg + 180.0) * per_degree).rem_euclid(COLUMNS as f64))
}

/// A known place of `data/places.csv`.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownPlace {
    /// What people call it.
    pub name: String,
    /// Geodetic latitude.
    pub lat_deg: f64,
    /// Longitude, east positive.
    pub lon_deg: f64,
    /// Height of the source's nearest node, metres.
    pub nearest_node_m: i16,
}

/// The known places.
///
/// # Panics
/// If the table cannot be read.
pub fn places() -> Vec<KnownPlace> {
    let table = std::fs::read_to_string(data_file("places.csv")).expect("data/places.csv is readable");
    let rows = table.lines().skip(1).map(|line| {
        let [name, lat, lon, height] = line.split(',').collect::<Vec<_>>()[..] else { panic!("four columns: {line}") };
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("a number: {line}"));
        KnownPlace {
            name: name.to_owned(),
            lat_deg: number(lat),
            lon_deg: number(lon),
            nearest_node_m: number(height) as i16,
        }
    });
    rows.collect()
}
