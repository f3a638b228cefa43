//! Where on the Earth is a file's raster? Its geotransform and coordinate reference system, by way of PROJ.

use std::path::Path;

use gdal::{
    Dataset, Metadata,
    errors::GdalError,
    spatial_ref::{AxisMappingStrategy, CoordTransform, SpatialRef},
};

use serde_json::Value;

use super::{
    diagnostics::Diagnostics,
    error::HeightError,
    gdal_open::message,
    gdal_system::definition_of,
    georeference::{CoordinateSystem, Georeference},
    options::OpenOptions,
    placement::invert,
    vertical_axis::{Datum, base_of},
};
use crate::geodesy::Ellipsoid;

/// Finds the place of a raster of `size` texels that is kept as `grid` texels.
pub(crate) fn georeference(
    file: &Path,
    dataset: &Dataset,
    options: &OpenOptions,
    size: (usize, usize),
    grid: (usize, usize),
    diagnostics: &mut Diagnostics,
) -> Result<Georeference, HeightError> {
    let full = dataset.geo_transform().map_err(|_| not_placed(file, dataset))?;
    let (sx, sy) = (size.0 as f64 / grid.0 as f64, size.1 as f64 / grid.1 as f64);
    let g = [full[0], full[1] * sx, full[2] * sy, full[3], full[4] * sx, full[5] * sy];
    invert(g).ok_or_else(|| HeightError::DegenerateGeoreference { file: file.into(), geo_transform: full })?;
    let srs = crs(file, dataset, options, full, size, diagnostics)?;
    let name = srs.name().unwrap_or_else(|| "unnamed".to_owned());
    let no_transform = |reason: String| HeightError::NoTransform { file: file.into(), crs: name.clone(), reason };
    let definition = definition_of(file, dataset, options.src_crs.is_none(), &srs);
    let stated = body_of(&srs).map_err(no_transform)?;
    let ellipsoid = options.ellipsoid.unwrap_or(stated);
    if stated != Ellipsoid::WGS84 && !ellipsoid.is_of_same_body(stated) {
        return Err(HeightError::OtherBody { file: file.into(), bodies: [stated, ellipsoid] });
    }
    let own = geographic(&srs, &definition, (stated, ellipsoid), diagnostics).map_err(no_transform)?;
    let to_own = CoordTransform::new(&srs, &own).map_err(|e| no_transform(message(&e)))?;
    let system = CoordinateSystem {
        name: &name,
        ellipsoid,
        datum: Datum::of(&definition, options.src_vertical)?,
        is_geographic: srs.is_geographic() && !srs.is_derived_geographic(),
        to_wgs84: &|x, y| transform(&to_own, x, y),
        // Only where it is needed: to find a transformation takes longer than all else about a file.
        from_wgs84: &|| {
            let by = CoordTransform::new(&own, &srs).map_err(|e| message(&e))?;
            Ok(Box::new(move |x: &mut [f64], y: &mut [f64]| transform(&by, x, y)))
        },
    };
    let place =
        Georeference::of(g, grid, system, |posting_m| options.feather(posting_m), diagnostics).map_err(no_transform)?;
    diagnostics.remarks.extend(beyond_area_of_use(&srs, &place.bbox_deg));
    Ok(place)
}

/// The longitudes and latitudes that a system's coordinates are brought to: WGS84 on the Earth, the system's own elsewhere. It states one
/// body, and may be taken as of another. The error says in words why there are none.
fn geographic(
    srs: &SpatialRef,
    definition: &Value,
    (stated, ellipsoid): (Ellipsoid, Ellipsoid),
    diagnostics: &mut Diagnostics,
) -> Result<SpatialRef, String> {
    let own = degrees_of(srs).map_err(|e| message(&e))?;
    if (stated, ellipsoid) == (Ellipsoid::WGS84, Ellipsoid::WGS84) {
        return Ok(own);
    }
    if stated == Ellipsoid::WGS84 {
        // Many a file of the Moon says that it is in WGS 84.
        diagnostics.notes.push(format!(
            "states a system of the Earth: its longitudes and latitudes are taken as of a body of {} km",
            ellipsoid.semi_major_m() / 1e3
        ));
    }
    let base = base_of(definition);
    let axis = &base["coordinate_system"]["axis"];
    if axis.as_array().is_some_and(|axes| axes.iter().any(|axis| axis["direction"] == "west")) {
        return Err("its longitudes are counted westwards, which is not read".to_owned());
    }
    if base["coordinate_system"]["subtype"] == "spherical" && stated.semi_major_m() != stated.semi_minor_m() {
        return Err("its latitudes are planetocentric on a flattened body, which is not read".to_owned());
    }
    Ok(own)
}

/// The ellipsoid that a system's heights are above: WGS84's of all of the Earth.
fn body_of(srs: &SpatialRef) -> Result<Ellipsoid, String> {
    let [major_m, minor_m] = [srs.semi_major(), srs.semi_minor()].map(|axis| axis.map_err(|e| message(&e)));
    match (major_m?, minor_m?) {
        (major_m, _) if Ellipsoid::WGS84.has_radius(major_m) => Ok(Ellipsoid::WGS84),
        (major_m, minor_m) => Ellipsoid::new(major_m, minor_m).map_err(|e| e.to_string()),
    }
}

/// Longitude and latitude, to which PROJ brings a system's coordinates: on WGS84, or as the system itself has them on another planet.
pub(crate) fn degrees_of(srs: &SpatialRef) -> Result<SpatialRef, GdalError> {
    if srs.semi_major().map_or(true, |radius_m| Ellipsoid::WGS84.has_radius(radius_m)) {
        return wgs84();
    }
    let mut own = srs.geog_cs()?;
    own.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
    Ok(own)
}

/// A remark on a raster whose middle lies far from where its coordinate system is meant to be used: the sign of swapped axes
/// or of a wrong zone.
fn beyond_area_of_use(srs: &SpatialRef, [west, south, east, north]: &[f64; 4]) -> Option<String> {
    /// Systems are used a little beyond their areas.
    const MARGIN_DEG: f64 = 3.0;
    let area = srs.area_of_use()?;
    let (lon, lat) = (0.5 * (west + east), 0.5 * (south + north));
    // Areas across the antimeridian end west of where they begin.
    let width = (area.east_lon_degree - area.west_lon_degree).rem_euclid(360.0);
    let width = if width == 0.0 { 360.0 } else { width };
    let east_of = (lon - area.west_lon_degree + MARGIN_DEG).rem_euclid(360.0);
    let inside = east_of <= width + 2.0 * MARGIN_DEG
        && (area.south_lat_degree - MARGIN_DEG..=area.north_lat_degree + MARGIN_DEG).contains(&lat);
    (!inside).then(|| {
        format!(
            "its middle, {lat:.2} N {lon:.2} E, lies outside of {}, for which its coordinate system is made: axes in the wrong \
             order, or the wrong zone",
            area.name
        )
    })
}

/// The raster's horizontal coordinate reference system, x east and y north.
fn crs(
    file: &Path,
    dataset: &Dataset,
    options: &OpenOptions,
    g: [f64; 6],
    size: (usize, usize),
    diagnostics: &mut Diagnostics,
) -> Result<SpatialRef, HeightError> {
    let stated = match &options.src_crs {
        Some(given) => Some(
            SpatialRef::from_definition(given)
                .map_err(|e| HeightError::UnknownCrs { given: given.clone(), reason: message(&e) })?,
        ),
        None => dataset.spatial_ref().ok(),
    };
    if let Some(local) = stated.as_ref().filter(|srs| srs.is_local()) {
        let crs = local.name().unwrap_or_else(|| "unnamed".to_owned());
        return Err(HeightError::LocalCrs { file: file.into(), crs });
    }
    let mut srs = match stated {
        Some(srs) => srs,
        None => {
            let (w, h) = (size.0 as f64, size.1 as f64);
            let corners = [(0.0, 0.0), (w, 0.0), (0.0, h), (w, h)];
            let x = corners.map(|(p, l)| g[0] + g[1] * p + g[2] * l);
            let y = corners.map(|(p, l)| g[3] + g[4] * p + g[5] * l);
            let low = |v: [f64; 4]| v.into_iter().fold(f64::INFINITY, f64::min);
            let high = |v: [f64; 4]| v.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let bounds = [low(x), low(y), high(x), high(y)];
            let degrees = bounds[0] >= -361.0 && bounds[2] <= 541.0 && bounds[1] >= -91.0 && bounds[3] <= 91.0;
            if !degrees {
                return Err(HeightError::NoCrs { file: file.into(), bounds });
            }
            let taken = "no coordinate reference system: taken as longitude and latitude on WGS84";
            // GDAL's for a file that says nothing of where it lies: row and column numbers.
            match [g[0], g[1], g[2], g[3], g[4], g[5].abs()] == [0.0, 1.0, 0.0, 0.0, 0.0, 1.0] {
                true => diagnostics.remarks.push(format!(
                    "{taken}, a degree from one texel to the next, as the file says nothing of where it lies: \
                     `gdal_edit.py -a_srs EPSG:CODE -a_ullr WEST NORTH EAST SOUTH FILE` states it"
                )),
                false => diagnostics.notes.push(taken.to_owned()),
            }
            wgs84().map_err(|e| HeightError::UnknownCrs { given: "WGS84".to_owned(), reason: message(&e) })?
        }
    };
    if srs.is_geocentric() {
        let crs = srs.name().unwrap_or_else(|| "unnamed".to_owned());
        return Err(HeightError::Geocentric { file: file.into(), crs });
    }
    srs.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
    Ok(srs)
}

/// Why a raster without a geotransform cannot be used: it may be placed by points or by a camera, which `gdalwarp` resolves.
fn not_placed(file: &Path, dataset: &Dataset) -> HeightError {
    // SAFETY: the dataset is alive.
    let points = unsafe { gdal_sys::GDALGetGCPCount(dataset.c_dataset()) };
    if points > 0 {
        let by = format!("{points} ground control points");
        return HeightError::NotWarped { file: file.into(), by, option: "" };
    }
    for (domain, by, option) in
        [("RPC", "a camera model (RPC)", "-rpc "), ("GEOLOCATION", "arrays of places (geolocation)", "-geoloc ")]
    {
        if dataset.metadata_domain(domain).is_some_and(|items| !items.is_empty()) {
            return HeightError::NotWarped { file: file.into(), by: by.to_owned(), option };
        }
    }
    HeightError::NoGeoreference { file: file.into() }
}

/// Longitude and latitude.
fn wgs84() -> Result<SpatialRef, GdalError> {
    let mut srs = SpatialRef::from_epsg(4326)?;
    srs.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
    Ok(srs)
}

/// Transforms in place; both coordinates become NaN where PROJ has no answer.
pub(crate) fn transform(by: &CoordTransform, x: &mut [f64], y: &mut [f64]) {
    // The binding reports an error if any point fails, after transforming the others.
    let _some_failed = by.transform_coords(x, y, &mut []);
    for (x, y) in x.iter_mut().zip(y) {
        if !x.is_finite() || !y.is_finite() {
            (*x, *y) = (f64::NAN, f64::NAN);
        }
    }
}
