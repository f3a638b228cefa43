//! What brings the heights of a layer to another vertical datum? What PROJ says of the two, by a table.
//!
//! Elevation comes above mean sea level (a geoid) or above the ellipsoid (satellite navigation, some lidar); the two differ by
//! up to 106 m, and geoids from each other by metres. Orogen shows heights as the files have them, unless it is asked to bring all
//! layers to one datum.

use std::{
    cell::RefCell,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use foreign::vertical::VerticalDatum;
use thread_local::ThreadLocal;

use super::{
    datum_name::{WGS84_IN_SPACE, name},
    datum_table::{Fit, NoAnswer, Table},
    elevation_source::Spacing,
    error::HeightError,
    layer_info::{LayerInfo, SEVERAL},
    proj::{self, Grid, Transform},
    region::Region,
    vertical_axis::VerticalAxis,
};

/// What counts as the system of heights whose file states none: WGS 84, above the geoid of EGM96.
const ASSUMED: &str = "EPSG:4326+5773";
/// Metres from PROJ that a table may be.
const MOST_ERROR_M: f64 = 5e-4;
/// How to say what a file does not.
const SAY: &str = "`,vdatum=EPSG:CODE` behind the file says what its heights are above";

/// What brings the heights of a layer to another datum.
#[derive(Debug, Clone)]
pub(crate) struct Shift {
    table: Arc<Table>,
    /// For views of the whole, if it has fewer nodes.
    rough: Option<Arc<Table>>,
}

/// Nodes of a degree for views of the whole, and metres between places from which on it is one.
const ROUGH: (u32, f64) = (4, 1_000.0);

impl Shift {
    /// What a layer, whose heights lie within a box (west, south, east, north in degrees), needs to have them above `target`, if
    /// anything; its description is changed to match.
    ///
    /// # Errors
    /// [`HeightError::NoDatumShift`] if PROJ knows of no way, or lacks a grid; [`HeightError::NoVerticalDatum`] if the target is none.
    pub fn of(info: &mut LayerInfo, reach_deg: [f64; 4], target: VerticalDatum) -> Result<Option<Self>, HeightError> {
        let to = name(target)?;
        if info.datum == to {
            return Ok(None);
        }
        let none = |reason: String| HeightError::NoDatumShift {
            layer: info.name.clone(),
            from: info.datum.clone(),
            to: to.clone(),
            reason,
        };
        if info.vertical_system == SEVERAL {
            return Err(none(format!("these are several: give the files apart, or {SAY}")));
        }
        let is_assumed = info.vertical_system.is_empty();
        let from_system = if is_assumed { ASSUMED } else { &info.vertical_system };
        let to_system = match target {
            VerticalDatum::Ellipsoid => WGS84_IN_SPACE.to_owned(),
            VerticalDatum::Epsg(code) => format!("EPSG:4326+{code}"),
        };
        if from_system == to_system {
            return Ok(None);
        }
        let no_way = || none(missing(from_system, &to_system, reach_deg));
        let by = shared(from_system, &to_system).ok_or_else(no_way)?;
        let answers = move |lon_deg: &[f64], lat_deg: &[f64]| by.metres(lon_deg, lat_deg);
        let (table, fit) = match Table::fit(Arc::new(answers), reach_deg) {
            Err(NoAnswer) => return Err(no_way()),
            Ok(None) => return Ok(None),
            Ok(Some(fitted)) => fitted,
        };
        let Fit { per_degree: [columns, rows], worst_m, gaps } = fit;
        let from = foreign::shown(&info.datum);
        let assumed = if is_assumed { ", as if that were EGM96," } else { "" };
        let note = format!(
            "heights are converted from {from}{assumed} to {to}, within {:.2} mm of PROJ, by a table of {columns} x {rows} nodes a degree",
            (1e3 * worst_m).max(0.01)
        );
        info.notes.push(note);
        if worst_m > MOST_ERROR_M {
            info.remarks
                .push(format!("its heights above {to} are within {:.1} mm of what PROJ has only", 1e3 * worst_m));
        }
        if gaps > 0.0 {
            let said = format!(
                "in {:.1} % of its extent PROJ has no way from {from} to {to}: heights stay as they are there",
                100.0 * gaps
            );
            // Mean sea level is not far from any geoid.
            if is_assumed { &mut info.notes } else { &mut info.remarks }.push(said);
        }
        let (low, high) = table.range_m();
        info.range_m = (info.range_m.0 + low, info.range_m.1 + high);
        info.datum = to;
        let rough = table.coarser(ROUGH.0, reach_deg).map(Arc::new);
        Ok(Some(Self { table: Arc::new(table), rough }))
    }

    /// Metres to add to a height at a place; near those for a view of the whole.
    #[inline]
    pub fn at(&self, lon_deg: f64, lat_deg: f64, spacing: Spacing) -> f64 {
        match &self.rough {
            Some(rough) if spacing.is_of_the_whole() && spacing.metres() >= ROUGH.1 => rough.at(lon_deg, lat_deg),
            _ => self.table.at(lon_deg, lat_deg),
        }
    }

    /// Least and greatest of them in a region.
    pub fn bounds(&self, region: &Region) -> (f64, f64) {
        self.table.bounds(region)
    }
}

/// Two systems, and what PROJ has between them.
struct Datums {
    from: String,
    to: String,
    /// From places at height 0 above the target to heights in the source's system, for each thread: PROJ keeps parts of its grids for one
    /// that asks beside where it asked before.
    by: ThreadLocal<RefCell<Option<Transform>>>,
    /// For threads that get none of their own: files of PROJ may be too many to be open.
    first: Mutex<Transform>,
    /// Metres of the target above one unit of heights in the source's system.
    unit_m: f64,
}

impl Datums {
    /// Metres to add to a height at places.
    fn metres(&self, lon_deg: &[f64], lat_deg: &[f64]) -> Vec<f64> {
        let by = self.by.get_or(|| RefCell::new(Transform::between(&self.to, &self.from)));
        let mut found = match by.borrow_mut().as_mut() {
            Some(own) => own.heights(lon_deg, lat_deg),
            None => self.first.lock().unwrap_or_else(PoisonError::into_inner).heights(lon_deg, lat_deg),
        };
        found.iter_mut().for_each(|height| *height *= self.unit_m);
        found
    }
}

/// What is between two systems; all that use it at the same time share it. `None` if PROJ has no way.
fn shared(from: &str, to: &str) -> Option<Arc<Datums>> {
    static SHARED: Mutex<Vec<Weak<Datums>>> = Mutex::new(Vec::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    shared.retain(|datums| datums.strong_count() > 0);
    let mut all = shared.iter().filter_map(Weak::upgrade);
    if let Some(found) = all.find(|datums| datums.from == from && datums.to == to) {
        return Some(found);
    }
    let axis = VerticalAxis::in_definition(&proj::definition(from)?)?;
    // What lies at 0 above the target lies so high above the source: that is what source heights lose.
    let unit_m = if axis.down { axis.unit.1 } else { -axis.unit.1 };
    let first = Mutex::new(Transform::between(to, from)?);
    let datums = Arc::new(Datums { from: from.to_owned(), to: to.to_owned(), by: ThreadLocal::new(), first, unit_m });
    shared.push(Arc::downgrade(&datums));
    Some(datums)
}

/// Why there is no way between two systems, and what to do.
fn missing(from: &str, to: &str, reach_deg: [f64; 4]) -> String {
    let grids = proj::missing_grids(to, from, reach_deg);
    if grids.is_empty() {
        return format!("PROJ knows no transformation between them there; {SAY}");
    }
    let grid = |Grid { name, url }: &Grid| if url.is_empty() { name.clone() } else { format!("{name} ({url})") };
    let names: Vec<String> = grids.iter().map(grid).collect();
    format!(
        "PROJ lacks its grid {}: `projsync --file NAME` gets it, or put it into PROJ's folder or one that PROJ_DATA names besides (Debian's \
         proj-data has EGM96); or {SAY}",
        names.join(" and ")
    )
}
