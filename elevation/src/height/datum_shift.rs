//! What brings the heights of a layer to another vertical datum? What PROJ says of the two, by a table.
//!
//! Elevation comes above mean sea level (a geoid) or above the ellipsoid (satellite navigation, some lidar); the two differ by
//! up to 106 m, and geoids from each other by metres. Orogen shows heights as the files have them, unless it is asked to bring all
//! layers to one datum.

use std::{
    cell::RefCell,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use foreign::vertical::VerticalDatum;
use thread_local::ThreadLocal;

use super::{
    datum_name::{ASSUMED, BY_NAME, NOT_STATED, WGS84, name, system},
    datum_table::{Fit, NoShift, Table, fit, wrap_lon_deg},
    elevation_source::Spacing,
    error::HeightError,
    layer_info::{LayerInfo, SEVERAL},
    proj::{self, Grid, Transform},
    region::Region,
    vertical_axis::VerticalAxis,
};

/// Metres from PROJ that a table may be.
const MOST_ERROR_M: f64 = 5e-4;
/// How to say what a file does not.
const SAY: &str = "`,vdatum=EPSG:CODE` behind the file says what its heights are above";

/// What brings the heights of a layer to another datum.
#[derive(Debug, Clone)]
pub(crate) struct DatumShift {
    table: Arc<Table>,
    /// No shift of this layer is outside.
    range_m: (f64, f64),
}

/// The tables of the layers that are opened together, each with its two systems.
#[derive(Default)]
pub(crate) struct ShiftTables(Vec<(String, String, Arc<Table>)>);

/// Metres between places from which on a view of the whole has the coarser table.
const COARSER_M: f64 = 1_000.0;

impl DatumShift {
    /// What a layer, whose heights lie within a box (west, south, east, north in degrees), needs to have them above `target`, if
    /// anything; its description is changed to match. Tables that are made before are used again.
    ///
    /// # Errors
    /// [`HeightError::NoDatumShift`] if PROJ knows of no way, or lacks a grid; [`HeightError::NoVerticalDatum`] if the target is none.
    pub fn of(
        info: &mut LayerInfo,
        reach_deg: [f64; 4],
        target: VerticalDatum,
        made: &mut ShiftTables,
    ) -> Result<Option<Self>, HeightError> {
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
        let from_system = if is_assumed { system(ASSUMED, WGS84) } else { info.vertical_system.clone() };
        let from_system = by_codes(from_system).map_err(|reason| none(format!("{reason}; {SAY}")))?;
        let to_system = system(target, WGS84);
        if from_system == to_system {
            if info.datum == NOT_STATED {
                info.notes.push(format!("its datum is not stated: heights are taken as above {to}"));
                info.datum = to;
            }
            return Ok(None);
        }
        let no_way = || none(missing(&from_system, &to_system, reach_deg));
        let by = shared(&from_system, &to_system).ok_or_else(no_way)?;
        let most_m = info.range_m.0.abs().max(info.range_m.1.abs());
        let by_height_m = by.shift_per_height(reach_deg) * most_m;
        let answers = move |lon_deg: &[f64], lat_deg: &[f64]| by.metres(lon_deg, lat_deg);
        let same = made.0.iter().filter(|(from, to, _)| (from, to) == (&from_system, &to_system));
        let same: Vec<Arc<Table>> = same.map(|(_, _, table)| table.clone()).collect();
        let Fit { table, worst_m, gaps, range_m } = match fit(Arc::new(answers), reach_deg, &same) {
            Err(NoShift) => return Err(no_way()),
            Ok(None) => return Ok(None),
            Ok(Some(fitted)) => fitted,
        };
        let ([columns, rows], worst_m) = (table.per_degree(), worst_m + by_height_m);
        let from = foreign::sanitized(&info.datum);
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
        info.range_m = (info.range_m.0 + range_m.0, info.range_m.1 + range_m.1);
        info.datum = to;
        if !same.iter().any(|other| Arc::ptr_eq(other, &table)) {
            made.0.push((from_system, to_system, table.clone()));
        }
        Ok(Some(Self { table, range_m }))
    }

    /// Metres to add to a height at a place; near those for a view of the whole.
    #[inline]
    pub fn at(&self, lon_deg: f64, lat_deg: f64, spacing: Spacing) -> f64 {
        let is_coarse = spacing.is_global() && spacing.metres() >= COARSER_M;
        if is_coarse { self.table.coarser() } else { &self.table }.at(lon_deg, lat_deg)
    }

    /// Least and greatest of them in a region.
    pub fn bounds(&self, region: &Region) -> (f64, f64) {
        self.table.bounds(region).unwrap_or(self.range_m)
    }
}

/// Two systems, and what PROJ has between them.
struct DatumPair {
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

impl DatumPair {
    /// Metres to add to a height at places.
    fn metres(&self, lon_deg: &[f64], lat_deg: &[f64]) -> Vec<f64> {
        let by = self.by.get_or(|| RefCell::new(Transform::between(&self.to, &self.from)));
        let mut found = match by.borrow_mut().as_mut() {
            Some(own) => own.heights(lon_deg, lat_deg, 0.0),
            None => self.first().heights(lon_deg, lat_deg, 0.0),
        };
        found.iter_mut().for_each(|height| *height *= self.unit_m);
        found
    }

    /// Metres by which what is between the datums changes with each metre of height, which no table has: between ellipsoids of different
    /// size; the largest of some places in a box.
    fn shift_per_height(&self, [west, south, east, north]: [f64; 4]) -> f64 {
        const HIGH_M: f64 = 1_000.0;
        let places =
            [0.1, 0.5, 0.9].map(|part| (wrap_lon_deg(west + (east - west) * part), south + (north - south) * part));
        let (lon, lat): (Vec<f64>, Vec<f64>) = places.into_iter().unzip();
        let [low, high] = [0.0, HIGH_M].map(|height_m| self.first().heights(&lon, &lat, height_m));
        let of = |(low, high): (f64, f64)| (((low - high) * self.unit_m - HIGH_M) / HIGH_M).abs();
        low.into_iter().zip(high).map(of).fold(0.0, f64::max)
    }

    fn first(&self) -> MutexGuard<'_, Transform> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is between two systems; all that use it at the same time share it. `None` if PROJ has no way.
fn shared(from: &str, to: &str) -> Option<Arc<DatumPair>> {
    static SHARED: Mutex<Vec<Weak<DatumPair>>> = Mutex::new(Vec::new());
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
    let datums =
        Arc::new(DatumPair { from: from.to_owned(), to: to.to_owned(), by: ThreadLocal::new(), first, unit_m });
    shared.push(Arc::downgrade(&datums));
    Some(datums)
}

/// A system that is named by its parts, by their codes: names that PROJ has, whatever their case and blanks, and no others, where PROJ itself
/// takes what begins alike. What is no name stays as it is.
///
/// # Errors
/// The part that is none, and what to do.
fn by_codes(system: String) -> Result<String, String> {
    let Some((plane, vertical)) = system.split_once(BY_NAME).filter(|_| !system.starts_with('{')) else {
        return Ok(system);
    };
    let [plane, vertical] = [(plane, proj::Kind::Plane), (vertical, proj::Kind::Vertical)].map(|(name, kind)| {
        let unknown = || format!("PROJ knows no system that is called {}", foreign::sanitized(name));
        proj::code_of(name, kind).ok_or_else(unknown)
    });
    Ok(format!("{}+{}", plane?, vertical?))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a system by names is the one of these names, whatever their case; where PROJ takes the beginning of a name for it, nothing is
    /// converted, and the line says the name and what to write.
    #[test]
    fn systems_by_names_are_whole() {
        let world = [-180.0, -90.0, 180.0, 90.0];
        let brought = |system: &str| {
            let mut info = LayerInfo::synthetic("theirs", 30.0, world, (0.0, 1.0));
            (info.datum, info.vertical_system) = ("theirs".to_owned(), system.to_owned());
            DatumShift::of(&mut info, world, VerticalDatum::Ellipsoid, &mut ShiftTables::default())
        };
        for system in ["WGS 84 + EGM96 height", "wgs 84 +  egm96 height", "WGS 84 + EPSG:5773"] {
            let shift = brought(system).expect("a way").expect("a difference");
            assert!((shift.table.at(7.0, 46.0) - 51.2829).abs() < 1e-3, "{system}");
        }
        for (system, unknown) in
            [("WGS 84 + Baltic", "Baltic"), ("WGS 84 + EGM96", "EGM96"), ("WGS + EGM96 height", "WGS")]
        {
            let error = brought(system).expect_err("no whole name").to_string();
            let line = format!("PROJ knows no system that is called {unknown}; `,vdatum=EPSG:CODE` behind the file");
            assert!(error.contains(&line), "{error}");
        }
    }
}
