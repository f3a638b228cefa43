//! How far is mean sea level from the ellipsoid? The geoid of EGM96, from the grid that PROJ has installed.
//!
//! Elevation comes above mean sea level (a geoid) or above the ellipsoid (satellite navigation, some lidar); the two differ by
//! up to 106 m. Orogen shows heights as the files have them, unless it is asked to bring all layers to one datum.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use gdal::spatial_ref::{AxisMappingStrategy, CoordTransform, SpatialRef};

use super::{
    error::HeightError,
    gdal_open::{Session, message},
    layer_info::LayerInfo,
    options::VerticalDatum,
    region::Region,
};

/// Columns and rows of the grid: a quarter of a degree, that of EGM96 itself.
const COLUMNS: usize = 1440;
const ROWS: usize = 721;
/// The undulations of EGM96 on Earth, with a margin.
const RANGE_M: (f64, f64) = (-108.0, 87.0);

/// Heights of the EGM96 geoid above the ellipsoid of WGS84, every quarter of a degree.
#[derive(Debug)]
pub(crate) struct Geoid {
    undulation_m: Vec<f32>,
    /// Largest difference between neighbouring nodes.
    steepest_m: f64,
}

/// What brings the heights of a layer to another datum.
#[derive(Debug, Clone)]
pub(crate) struct Shift {
    geoid: Arc<Geoid>,
    /// 1: geoid to ellipsoid, -1: ellipsoid to geoid.
    sign: f64,
}

impl Geoid {
    /// The geoid; all that use it at the same time share it.
    fn shared() -> Result<Arc<Self>, HeightError> {
        static SHARED: Mutex<Weak<Geoid>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(geoid) = shared.upgrade() {
            return Ok(geoid);
        }
        let geoid = Arc::new(Self::read()?);
        *shared = Arc::downgrade(&geoid);
        Ok(geoid)
    }

    fn read() -> Result<Self, HeightError> {
        let _session = Session::offline();
        let failed = |e: gdal::errors::GdalError| HeightError::NoGeoid { reason: message(&e) };
        let system = |epsg: u32| {
            let mut srs = SpatialRef::from_epsg(epsg)?;
            srs.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
            Ok(srs)
        };
        // WGS 84 with ellipsoidal heights, and with those above EGM96.
        let by = CoordTransform::new(&system(4979).map_err(failed)?, &system(9707).map_err(failed)?).map_err(failed)?;
        let mut undulation_m = Vec::with_capacity(COLUMNS * ROWS);
        for row in 0..ROWS {
            let mut x: Vec<f64> = (0..COLUMNS).map(|column| -180.0 + 0.25 * column as f64).collect();
            let mut y = vec![90.0 - 0.25 * row as f64; COLUMNS];
            let mut z = vec![0.0; COLUMNS];
            by.transform_coords(&mut x, &mut y, &mut z).map_err(failed)?;
            undulation_m.extend(z.iter().map(|z| -*z as f32));
        }
        // Without its grid PROJ passes heights through unchanged.
        let (low, high) = undulation_m.iter().fold((0f32, 0f32), |(l, h), n| (l.min(*n), h.max(*n)));
        if low > -100.0 || high < 80.0 || f64::from(low) < RANGE_M.0 || f64::from(high) > RANGE_M.1 {
            return Err(HeightError::NoGeoid { reason: format!("its heights range from {low} to {high} m") });
        }
        let neighbours = |k: usize| {
            let (row, column) = (k / COLUMNS, k % COLUMNS);
            [row * COLUMNS + (column + 1) % COLUMNS, (row + 1).min(ROWS - 1) * COLUMNS + column]
        };
        let differences = (0..COLUMNS * ROWS)
            .flat_map(|k| neighbours(k).map(|other| f64::from((undulation_m[k] - undulation_m[other]).abs())));
        let steepest_m = differences.fold(0.0, f64::max);
        Ok(Self { undulation_m, steepest_m })
    }

    /// Height of the geoid above the ellipsoid in metres: linear between the nodes, as PROJ has it.
    #[inline]
    fn undulation_m(&self, lon_deg: f64, lat_deg: f64) -> f64 {
        let (x, y) = ((lon_deg + 180.0) * 4.0, (90.0 - lat_deg) * 4.0);
        let (column, row) = (x.floor(), (y as usize).min(ROWS - 2));
        let (tx, ty) = (x - column, y - row as f64);
        let at = |column: i64, row: usize| {
            f64::from(self.undulation_m[row * COLUMNS + column.rem_euclid(COLUMNS as i64) as usize])
        };
        let column = column as i64;
        let along = |row: usize| at(column, row) + (at(column + 1, row) - at(column, row)) * tx;
        along(row) + (along(row + 1) - along(row)) * ty
    }
}

impl Shift {
    /// What a layer needs to have heights above `target`, if anything; its description is changed to match.
    ///
    /// # Errors
    /// [`HeightError::NoGeoid`] if PROJ does not have the grid.
    pub fn of(info: &mut LayerInfo, target: VerticalDatum) -> Result<Option<Self>, HeightError> {
        let source = if info.datum.to_ascii_lowercase().contains("ellips") {
            VerticalDatum::Ellipsoid
        } else {
            VerticalDatum::Egm96
        };
        if source == target {
            return Ok(None);
        }
        let sign = if target == VerticalDatum::Ellipsoid { 1.0 } else { -1.0 };
        let shift = Self { geoid: Geoid::shared()?, sign };
        info.notes.push(match source {
            VerticalDatum::Egm96 if !info.datum.contains("EGM96") => {
                format!(
                    "heights are converted from {} as if that were EGM96: another geoid is within a metre or two of it",
                    info.datum
                )
            }
            _ => format!("heights are converted from {}", info.datum),
        });
        target.name().clone_into(&mut info.datum);
        let (a, b) = (sign * RANGE_M.0, sign * RANGE_M.1);
        info.range_m = (info.range_m.0 + a.min(b), info.range_m.1 + a.max(b));
        Ok(Some(shift))
    }

    /// Metres to add to a height at a place.
    #[inline]
    pub fn at(&self, lon_deg: f64, lat_deg: f64) -> f64 {
        self.sign * self.geoid.undulation_m(lon_deg, lat_deg)
    }

    /// Least and greatest of them in a region.
    pub fn bounds(&self, region: &Region) -> (f64, f64) {
        let middle_m = self.at(region.lon_deg, region.lat_deg);
        let quarters = 4.0 * (region.lon_reach_deg + region.lat_reach_deg);
        let (reach_m, [a, b]) = (quarters * self.geoid.steepest_m, [RANGE_M.0, RANGE_M.1].map(|m| self.sign * m));
        ((middle_m - reach_m).max(a.min(b)), (middle_m + reach_m).min(a.max(b)))
    }
}
