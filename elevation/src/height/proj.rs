//! How do heights above one datum become those above another? Transformations of PROJ, and the grids that they need.
//!
//! By PROJ's own interface: GDAL's names no grids, reads no systems by their names, and takes what is missing as nothing to do.

use std::{
    collections::BTreeMap,
    ffi::{CStr, CString, c_char, c_double, c_int, c_void},
    marker::PhantomData,
    ptr::{self, NonNull},
};

use serde_json::Value;

use super::datum_table::wrap_lon_deg;

/// Of `proj.h`, since PROJ 7.1.
mod c {
    use super::{c_char, c_double, c_int, c_void};

    pub const LOG_NONE: c_int = 0;
    pub const GRIDS_IGNORED: c_int = 2;
    pub const PARTIAL_INTERSECTION: c_int = 1;
    pub const GEOGRAPHIC_2D_CRS: c_int = 12;
    pub const VERTICAL_CRS: c_int = 14;
    pub const PROJECTED_CRS: c_int = 15;
    pub const FORWARD: c_int = 1;

    #[link(name = "proj")]
    unsafe extern "C" {
        pub fn proj_context_create() -> *mut c_void;
        pub fn proj_context_destroy(context: *mut c_void) -> *mut c_void;
        pub fn proj_context_set_enable_network(context: *mut c_void, enable: c_int) -> c_int;
        pub fn proj_log_level(context: *mut c_void, level: c_int) -> c_int;
        pub fn proj_create(context: *mut c_void, definition: *const c_char) -> *mut c_void;
        pub fn proj_destroy(object: *mut c_void) -> *mut c_void;
        pub fn proj_get_type(object: *const c_void) -> c_int;
        pub fn proj_get_name(object: *const c_void) -> *const c_char;
        pub fn proj_get_id_auth_name(object: *const c_void, index: c_int) -> *const c_char;
        pub fn proj_get_id_code(object: *const c_void, index: c_int) -> *const c_char;
        pub fn proj_create_from_name(
            context: *mut c_void,
            authority: *const c_char,
            name: *const c_char,
            kinds: *const c_int,
            count: usize,
            approximate: c_int,
            most: usize,
            options: *const *const c_char,
        ) -> *mut c_void;
        pub fn proj_as_projjson(
            context: *mut c_void,
            object: *const c_void,
            options: *const *const c_char,
        ) -> *const c_char;
        pub fn proj_create_crs_to_crs_from_pj(
            context: *mut c_void,
            from: *const c_void,
            to: *const c_void,
            area: *mut c_void,
            options: *const *const c_char,
        ) -> *mut c_void;
        pub fn proj_normalize_for_visualization(context: *mut c_void, object: *const c_void) -> *mut c_void;
        pub fn proj_trans_generic(
            by: *mut c_void,
            direction: c_int,
            x: *mut c_double,
            step_x: usize,
            count_x: usize,
            y: *mut c_double,
            step_y: usize,
            count_y: usize,
            z: *mut c_double,
            step_z: usize,
            count_z: usize,
            t: *mut c_double,
            step_t: usize,
            count_t: usize,
        ) -> usize;
        pub fn proj_create_operation_factory_context(context: *mut c_void, authority: *const c_char) -> *mut c_void;
        pub fn proj_operation_factory_context_destroy(factory: *mut c_void);
        pub fn proj_operation_factory_context_set_grid_availability_use(
            context: *mut c_void,
            factory: *mut c_void,
            used: c_int,
        );
        pub fn proj_operation_factory_context_set_spatial_criterion(
            context: *mut c_void,
            factory: *mut c_void,
            criterion: c_int,
        );
        pub fn proj_operation_factory_context_set_allow_ballpark_transformations(
            context: *mut c_void,
            factory: *mut c_void,
            allow: c_int,
        );
        pub fn proj_operation_factory_context_set_area_of_interest(
            context: *mut c_void,
            factory: *mut c_void,
            west_deg: c_double,
            south_deg: c_double,
            east_deg: c_double,
            north_deg: c_double,
        );
        pub fn proj_create_operations(
            context: *mut c_void,
            from: *const c_void,
            to: *const c_void,
            factory: *const c_void,
        ) -> *mut c_void;
        pub fn proj_list_get_count(list: *const c_void) -> c_int;
        pub fn proj_list_get(context: *mut c_void, list: *const c_void, index: c_int) -> *mut c_void;
        pub fn proj_list_destroy(list: *mut c_void);
        pub fn proj_coordoperation_get_grid_used_count(context: *mut c_void, operation: *const c_void) -> c_int;
        pub fn proj_coordoperation_get_grid_used(
            context: *mut c_void,
            operation: *const c_void,
            index: c_int,
            short_name: *mut *const c_char,
            full_name: *mut *const c_char,
            package: *mut *const c_char,
            url: *mut *const c_char,
            direct_download: *mut c_int,
            open_license: *mut c_int,
            available: *mut c_int,
        ) -> c_int;
    }
}

/// What PROJ keeps for the work of one thread at a time: silent, and without the network.
struct Context(NonNull<c_void>);

impl Context {
    fn new() -> Option<Self> {
        // SAFETY: makes a context of its own, or none.
        let context = Self(NonNull::new(unsafe { c::proj_context_create() })?);
        // SAFETY: the context is alive.
        unsafe {
            c::proj_log_level(context.0.as_ptr(), c::LOG_NONE);
            c::proj_context_set_enable_network(context.0.as_ptr(), 0);
        }
        Some(context)
    }

    /// A system by its code, name, WKT or PROJJSON.
    fn system(&self, definition: &str) -> Option<Object<'_>> {
        let text = CString::new(definition).ok()?;
        // SAFETY: the context is alive, the text ends in a zero.
        Object::of(unsafe { c::proj_create(self.0.as_ptr(), text.as_ptr()) })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: nothing made by it lives longer.
        unsafe { c::proj_context_destroy(self.0.as_ptr()) };
    }
}

/// A system or an operation.
struct Object<'a>(NonNull<c_void>, PhantomData<&'a Context>);

impl Object<'_> {
    fn of(made: *mut c_void) -> Option<Self> {
        Some(Self(NonNull::new(made)?, PhantomData))
    }
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        // SAFETY: it is alive, and its own.
        unsafe { c::proj_destroy(self.0.as_ptr()) };
    }
}

/// A copy of a text of PROJ.
fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: PROJ's texts end in a zero and live as long as what they are of, or until the next question.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// The name of the vertical system of a code of EPSG.
///
/// # Errors
/// What the code is instead.
pub(crate) fn vertical_name(epsg: u32) -> Result<String, String> {
    let context = Context::new().ok_or("PROJ has no memory")?;
    let system = context.system(&format!("EPSG:{epsg}")).ok_or("PROJ knows no system of this code")?;
    // SAFETY: the system is alive.
    let (kind, name) = unsafe { (c::proj_get_type(system.0.as_ptr()), text_of(c::proj_get_name(system.0.as_ptr()))) };
    if kind == c::VERTICAL_CRS { Ok(name) } else { Err(format!("it is {}", foreign::sanitized(&name))) }
}

/// Which part of a system has heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Longitudes and latitudes, or metres on a map.
    Plane,
    /// Heights.
    Vertical,
}

/// The code of the system of a name, whatever its case and blanks; of a code itself, that. Planes may have another name that PROJ knows, as
/// ESRI has them; of heights such names mean one of several, like Baltic.
pub(crate) fn code_of(name: &str, kind: Kind) -> Option<String> {
    let context = Context::new()?;
    let kinds: &[c_int] = match kind {
        Kind::Plane => &[c::GEOGRAPHIC_2D_CRS, c::PROJECTED_CRS],
        Kind::Vertical => &[c::VERTICAL_CRS],
    };
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ");
    if let Some(code) = name.to_ascii_uppercase().strip_prefix("EPSG:") {
        let code = format!("EPSG:{}", code.parse::<u32>().ok()?);
        let system = context.system(&code)?;
        // SAFETY: the system is alive.
        return kinds.contains(&unsafe { c::proj_get_type(system.0.as_ptr()) }).then_some(code);
    }
    let name = CString::new(name).ok()?;
    let raw = context.0.as_ptr();
    // SAFETY: all are alive, and there are so many kinds; the list is destroyed here, and its texts are copied before.
    unsafe {
        let list =
            c::proj_create_from_name(raw, ptr::null(), name.as_ptr(), kinds.as_ptr(), kinds.len(), 0, 1, ptr::null());
        if list.is_null() {
            return None;
        }
        let code = Object::of(c::proj_list_get(raw, list, 0)).and_then(|found| {
            let found = found.0.as_ptr();
            let [authority, code] = [c::proj_get_id_auth_name(found, 0), c::proj_get_id_code(found, 0)].map(text_of);
            let is_its_own = text_of(c::proj_get_name(found)).eq_ignore_ascii_case(&name.to_string_lossy());
            (is_its_own || kind == Kind::Plane).then(|| format!("{authority}:{code}"))
        });
        c::proj_list_destroy(list);
        code
    }
}

/// A system in PROJJSON.
pub(crate) fn definition(system: &str) -> Option<Value> {
    let context = Context::new()?;
    let system = context.system(system)?;
    // SAFETY: both are alive; there are no options.
    let text = text_of(unsafe { c::proj_as_projjson(context.0.as_ptr(), system.0.as_ptr(), ptr::null()) });
    serde_json::from_str(&text).ok()
}

/// A transformation between two systems, from longitudes and latitudes.
pub(crate) struct Transform {
    by: NonNull<c_void>,
    _context: Context,
}

// SAFETY: it has a context of its own, and both may be used by any thread, one at a time.
unsafe impl Send for Transform {}

impl Transform {
    /// The best ones that PROJ has grids for, place by place; `None` if it has none, or only what leaves heights as they are for want of
    /// anything better (a ballpark transformation).
    pub fn between(from: &str, to: &str) -> Option<Self> {
        let context = Context::new()?;
        let by = {
            let (from, to) = (context.system(from)?, context.system(to)?);
            let options = [c"ALLOW_BALLPARK=NO".as_ptr(), ptr::null()];
            let raw = context.0.as_ptr();
            // SAFETY: all are alive; the list of options ends in a null.
            let found = Object::of(unsafe {
                let (from, to) = (from.0.as_ptr(), to.0.as_ptr());
                c::proj_create_crs_to_crs_from_pj(raw, from, to, ptr::null_mut(), options.as_ptr())
            })?;
            // SAFETY: both are alive.
            NonNull::new(unsafe { c::proj_normalize_for_visualization(raw, found.0.as_ptr()) })?
        };
        Some(Self { by, _context: context })
    }

    /// Heights in the second system of places at a height in the first, given by longitude and latitude in degrees; what is no number
    /// where there is no answer.
    pub fn heights(&mut self, lon_deg: &[f64], lat_deg: &[f64], height: f64) -> Vec<f64> {
        let count = lon_deg.len().min(lat_deg.len());
        let (mut x, mut y, mut z) = (lon_deg[..count].to_vec(), lat_deg[..count].to_vec(), vec![height; count]);
        let step = size_of::<f64>();
        // SAFETY: the arrays have so many numbers, next to each other; there are no times.
        unsafe {
            c::proj_trans_generic(
                self.by.as_ptr(),
                c::FORWARD,
                x.as_mut_ptr(),
                step,
                count,
                y.as_mut_ptr(),
                step,
                count,
                z.as_mut_ptr(),
                step,
                count,
                ptr::null_mut(),
                0,
                0,
            );
        }
        z.iter_mut().filter(|z| !z.is_finite()).for_each(|z| *z = f64::NAN);
        z
    }
}

impl Drop for Transform {
    fn drop(&mut self) {
        // SAFETY: it is alive, and its context dies after it.
        unsafe { c::proj_destroy(self.by.as_ptr()) };
    }
}

/// Names and bytes of the files in PROJ's folders, the first of a name, by their names: its grids among them.
pub(crate) fn installed_grids() -> BTreeMap<String, u64> {
    // SAFETY: the list is GDAL's to make and ours to destroy; its texts are copied before.
    let folders: Vec<String> = unsafe {
        let list = gdal_sys::OSRGetPROJSearchPaths();
        let folders = (0..gdal_sys::CSLCount(list)).map(|k| text_of(gdal_sys::CSLGetField(list, k))).collect();
        gdal_sys::CSLDestroy(list);
        folders
    };
    let mut found = BTreeMap::new();
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    for file in files {
        let bytes = std::fs::metadata(file.path()).map_or(0, |found| found.len());
        found.entry(file.file_name().to_string_lossy().into_owned()).or_insert(bytes);
    }
    found
}

/// A grid that PROJ wants and has not.
#[derive(Debug, PartialEq)]
pub(crate) struct Grid {
    /// Name of its file.
    pub name: String,
    /// Where it can be had; empty if PROJ does not know.
    pub url: String,
}

/// The grids that are missing for the best transformation between two systems in a box (west, south, east, north in degrees), if possible
/// one whose grids can be had; none if there is no transformation, or nothing is missing.
pub(crate) fn missing_grids(from: &str, to: &str, bbox_deg: [f64; 4]) -> Vec<Grid> {
    let wanted = || {
        let context = Context::new()?;
        let raw = context.0.as_ptr();
        let (from, to) = (context.system(from)?, context.system(to)?);
        let [west, south, east, north] = bbox_deg;
        // PROJ's longitudes; a box of a whole turn or more has no ends.
        let (west, east) = if east - west < 360.0 { (wrap_lon_deg(west), wrap_lon_deg(east)) } else { (-180.0, 180.0) };
        // SAFETY: what is used is alive; factory, list and operations are made and destroyed here.
        unsafe {
            let factory = c::proj_create_operation_factory_context(raw, ptr::null());
            c::proj_operation_factory_context_set_grid_availability_use(raw, factory, c::GRIDS_IGNORED);
            c::proj_operation_factory_context_set_spatial_criterion(raw, factory, c::PARTIAL_INTERSECTION);
            c::proj_operation_factory_context_set_allow_ballpark_transformations(raw, factory, 0);
            c::proj_operation_factory_context_set_area_of_interest(raw, factory, west, south, east, north);
            let list = c::proj_create_operations(raw, from.0.as_ptr(), to.0.as_ptr(), factory);
            c::proj_operation_factory_context_destroy(factory);
            let count = if list.is_null() { 0 } else { c::proj_list_get_count(list) };
            let operations = (0..count).filter_map(|k| Object::of(c::proj_list_get(raw, list, k)));
            let mut missing: Vec<Vec<Grid>> = operations.map(|operation| missing_of(&context, &operation)).collect();
            c::proj_list_destroy(list);
            let to_be_had = |grids: &Vec<Grid>| !grids.is_empty() && grids.iter().all(|grid| !grid.url.is_empty());
            match missing.iter().position(to_be_had) {
                Some(first) => Some(missing.swap_remove(first)),
                // All that there is to be had is there, and does not help.
                None if missing.iter().any(Vec::is_empty) => None,
                None => missing.into_iter().next(),
            }
        }
    };
    wanted().unwrap_or_default()
}

/// The grids of an operation that are missing.
fn missing_of(context: &Context, operation: &Object<'_>) -> Vec<Grid> {
    let (raw, operation) = (context.0.as_ptr(), operation.0.as_ptr());
    let grid = |k: c_int| {
        let (mut name, mut path, mut package, mut url) = (ptr::null(), ptr::null(), ptr::null(), ptr::null());
        let (mut direct, mut open, mut available) = (0, 0, 0);
        // SAFETY: both are alive, and there are so many grids; texts are copied before anything else is asked.
        unsafe {
            let found = c::proj_coordoperation_get_grid_used(
                raw,
                operation,
                k,
                &mut name,
                &mut path,
                &mut package,
                &mut url,
                &mut direct,
                &mut open,
                &mut available,
            );
            (found != 0 && available == 0).then(|| Grid { name: text_of(name), url: text_of(url) })
        }
    };
    // SAFETY: both are alive.
    let count = unsafe { c::proj_coordoperation_get_grid_used_count(raw, operation) };
    (0..count).filter_map(grid).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a code is that of a vertical system, or it is told what it is.
    #[test]
    fn codes_of_vertical_systems() {
        assert_eq!(vertical_name(5773).as_deref(), Ok("EGM96 height"));
        assert_eq!(vertical_name(6360).as_deref(), Ok("NAVD88 height (ftUS)"));
        assert_eq!(vertical_name(4326), Err("it is WGS 84".to_owned()));
        assert!(vertical_name(1).is_err_and(|reason| reason.contains("no system")));
    }

    /// Law: a name is that of a system, whatever its case and blanks; another one is for a plane alone, and the beginning of one is none.
    #[test]
    fn names_are_whole() {
        let codes = [
            ("EGM96 height", Kind::Vertical, Some("EPSG:5773")),
            (" egm96  Height ", Kind::Vertical, Some("EPSG:5773")),
            ("epsg:5773", Kind::Vertical, Some("EPSG:5773")),
            ("WGS 84", Kind::Plane, Some("EPSG:4326")),
            ("NAD83 / UTM zone 14N", Kind::Plane, Some("EPSG:26914")),
            ("GCS_WGS_1984", Kind::Plane, Some("EPSG:4326")),
            ("EGM96", Kind::Vertical, None),
            ("Baltic", Kind::Vertical, None),
            ("EPSG:4326", Kind::Vertical, None),
            ("EPSG:5773", Kind::Plane, None),
            ("", Kind::Plane, None),
        ];
        for (name, kind, code) in codes {
            assert_eq!(code_of(name, kind).as_deref(), code, "{name}");
        }
    }

    /// Law: what PROJ has no grid for is no transformation, and the grid is named; what nothing leads to wants none.
    #[test]
    fn missing_grids_are_named() {
        let world = [-180.0, -90.0, 180.0, 90.0];
        assert!(Transform::between("EPSG:4979", "EPSG:4326+5773").is_some());
        assert!(missing_grids("EPSG:4979", "EPSG:4326+5773", world).is_empty());
        // Baltic heights, to which EPSG knows no way.
        assert!(Transform::between("EPSG:4979", "EPSG:4326+5705").is_none());
        assert!(missing_grids("EPSG:4979", "EPSG:4326+5705", world).is_empty());
        if Transform::between("EPSG:4979", "EPSG:4326+3855").is_some() {
            return;
        }
        let missing = missing_grids("EPSG:4979", "EPSG:4326+3855", world);
        let url = "https://cdn.proj.org/us_nga_egm08_25.tif".to_owned();
        assert_eq!(missing, [Grid { name: "us_nga_egm08_25.tif".to_owned(), url }]);
        // Which one depends on the place: the first of Hawaii is not that of the mainland.
        let named = |bbox_deg| missing_grids("EPSG:6319", "EPSG:4326+5703", bbox_deg).remove(0).name;
        assert!(named([-100.0, 38.0, -99.0, 39.0]).starts_with("us_noaa_g"));
        assert_ne!(named([-100.0, 38.0, -99.0, 39.0]), named([-150.0, 62.0, -149.0, 63.0]));
    }

    /// Law: the files of PROJ's folders are found, its database among them.
    #[test]
    fn files_of_proj_are_found() {
        assert!(installed_grids()["proj.db"] > 1 << 20);
    }

    /// Law: a transformation answers where its grid is, and says so where it does not.
    #[test]
    fn heights_of_places() {
        let mut by = Transform::between("EPSG:4979", "EPSG:4979").expect("nothing to do");
        assert_eq!(by.heights(&[7.0, -100.0], &[46.0, 40.0], 0.0), [0.0, 0.0]);
        let mut by = Transform::between("WGS 84 + EGM96 height", "EPSG:4979").expect("a grid");
        let found = by.heights(&[7.0, -100.0, f64::NAN], &[46.0, 40.0, 0.0], 0.0);
        assert!(
            (found[0] - 51.2829).abs() < 1e-4 && (found[1] + 25.0525).abs() < 1e-4 && found[2].is_nan(),
            "{found:?}"
        );
    }
}
