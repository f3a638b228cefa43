//! Where on the Earth is a file's raster? Its geotransform and coordinate reference system, by way of PROJ.
//!
//! Longitude-latitude rasters on WGS84 (or on a datum that differs by less than a fiftieth of a texel) are placed by their
//! geotransform alone; others by a table of PROJ's answers, since PROJ's handles cannot be shared between threads.

use std::path::Path;

use gdal::{
    Dataset, Metadata,
    spatial_ref::{AxisMappingStrategy, CoordTransform, SpatialRef},
};
use glam::DVec3;

use super::{
    error::HeightError,
    gdal_meaning::VerticalAxis,
    gdal_open::message,
    layer::{LayerInfo, METRES_PER_DEGREE, Placed, wrap},
    options::OpenOptions,
    placement::{Affine, Placement, invert},
    raster::Raster,
    suspect::Diagnostics,
    warp_table::{WarpTable, outline},
};
use crate::geodesy::n_vector;

/// Shift in texels below which a geographic datum counts as WGS84.
const SAME_DATUM_TEXELS: f64 = 0.02;
/// Largest error of a table, in texels, that is accepted.
const WORST_TABLE_TEXELS: f64 = 0.25;

/// Points along each side of a raster at which it is asked what lies beyond.
pub(crate) const RIM_POINTS: usize = 17;

/// A raster's place, before its heights are read.
#[derive(Debug)]
pub(crate) struct Place {
    pub crs: String,
    /// What heights are measured from, if its system says so.
    pub vertical: Option<VerticalAxis>,
    pub posting_m: f64,
    /// Of the raster.
    pub bbox_deg: [f64; 4],
    /// Texels over which it goes over to what lies below, beyond its sides.
    pub feather: u32,
    /// Of the raster and its feather.
    pub reach_deg: [f64; 4],
    geo_transform: [f64; 6],
    /// Maps places to texels.
    pub placement: Placement,
    /// Middle and cosine of the radius of a cap that holds the raster and its feather.
    pub cap: Option<(DVec3, f64)>,
    /// Longitude and latitude in degrees of points one texel beyond the top, bottom, left and right side; NaN off the Earth.
    pub rim: [[(f64, f64); RIM_POINTS]; 4],
}

impl Place {
    /// The geotransform of a raster whose axes are longitude and latitude.
    pub fn geographic(&self) -> Option<[f64; 6]> {
        matches!(self.placement, Placement::Geographic(_)).then_some(self.geo_transform)
    }

    /// The place of a raster whose axes are longitude and latitude, by what is known of it.
    pub fn geographic_of(
        info: &LayerInfo,
        cap: Option<(DVec3, f64)>,
        (feather, reach_deg): (u32, [f64; 4]),
        geo_transform: [f64; 6],
    ) -> Option<Self> {
        let [columns, rows] = info.grid;
        Some(Self {
            crs: info.crs.clone(),
            vertical: None,
            posting_m: info.posting_m,
            bbox_deg: info.bbox_deg,
            feather,
            reach_deg,
            geo_transform,
            placement: Placement::Geographic(Affine::from_geo_transform(geo_transform, columns, rows)?),
            cap,
            rim: rim((columns, rows), &|x, y| to_own_coordinates(geo_transform, x, y)),
        })
    }

    /// Puts heights of `grid` texels there.
    pub fn with_heights(self, values: Vec<f32>, [columns, rows]: [usize; 2]) -> Placed {
        let around = self.geographic().and_then(|g| wrap(g, columns, rows));
        let raster = Raster::new(columns, rows, values, around, self.feather);
        let Self { placement, cap, reach_deg: bbox_deg, posting_m, .. } = self;
        Placed { raster, placement, cap, bbox_deg, posting_m }
    }
}

/// Finds the place of a raster of `size` texels that is kept as `grid` texels.
pub(crate) fn place(
    file: &Path,
    dataset: &Dataset,
    options: &OpenOptions,
    size: (usize, usize),
    grid: (usize, usize),
    told: &mut Diagnostics,
) -> Result<Place, HeightError> {
    let full = dataset.geo_transform().map_err(|_| not_placed(file, dataset))?;
    let (sx, sy) = (size.0 as f64 / grid.0 as f64, size.1 as f64 / grid.1 as f64);
    let g = [full[0], full[1] * sx, full[2] * sy, full[3], full[4] * sx, full[5] * sy];
    let degenerate = || HeightError::DegenerateGeoreference { file: file.into(), geo_transform: full };
    let inverse = invert(g).ok_or_else(degenerate)?;
    let srs = crs(file, dataset, options, full, size, told)?;
    let name = srs.name().unwrap_or_else(|| "unnamed".to_owned());
    let no_transform = |reason: String| HeightError::NoTransform { file: file.into(), crs: name.clone(), reason };
    let wgs84 = wgs84().map_err(|e| no_transform(message(&e)))?;
    let to_wgs84 = CoordTransform::new(&srs, &wgs84).map_err(|e| no_transform(message(&e)))?;
    let to_lon_lat = |x: &mut [f64], y: &mut [f64]| {
        to_own_coordinates(g, x, y);
        transform(&to_wgs84, x, y);
    };
    let geographic = srs.is_geographic() && !srs.is_derived_geographic();
    let goes_around = wrap(g, grid.0, grid.1).is_some();
    let shift = if geographic { shift_texels(g, inverse, grid, &to_wgs84) } else { f64::INFINITY };
    if geographic && goes_around && shift >= SAME_DATUM_TEXELS {
        told.notes.push(format!("goes around the Earth on another datum: its shift of {shift:.2} texels is ignored"));
    }
    let plain = geographic && (goes_around || shift < SAME_DATUM_TEXELS);
    let posting_m = posting_m(grid, &to_lon_lat);
    let feather = options.feather(posting_m);
    let beyond = f64::from(feather) + 1.0;
    let (placement, area) = if plain {
        let affine = |x: &mut [f64], y: &mut [f64]| {
            for (x, y) in x.iter_mut().zip(y.iter_mut()) {
                let (p, l) = (*x + 0.5, *y + 0.5);
                (*x, *y) = (g[0] + g[1] * p + g[2] * l, (g[3] + g[4] * p + g[5] * l).clamp(-90.0, 90.0));
            }
        };
        let placement = Affine::from_geo_transform(g, grid.0, grid.1).ok_or_else(degenerate)?;
        (Placement::Geographic(placement), [1.0, beyond].map(|beyond| outline(grid, beyond, &affine)))
    } else {
        // Only here: to find a transformation takes longer than all else about a file.
        let from_wgs84 = CoordTransform::new(&wgs84, &srs).map_err(|e| no_transform(message(&e)))?;
        let to_texel = |x: &mut [f64], y: &mut [f64]| {
            transform(&from_wgs84, x, y);
            for (x, y) in x.iter_mut().zip(y.iter_mut()) {
                let (p, l) =
                    (inverse[0] + inverse[1] * *x + inverse[2] * *y, inverse[3] + inverse[4] * *x + inverse[5] * *y);
                (*x, *y) = (p - 0.5, l - 0.5);
            }
        };
        let fit = WarpTable::fit(grid, beyond, &to_lon_lat, &to_texel);
        let (table, error) = fit.ok_or_else(|| no_transform("no part of the raster is on the Earth".to_owned()))?;
        if error > WORST_TABLE_TEXELS {
            return Err(no_transform(format!("it is placed only to {error:.1} texels")));
        }
        (Placement::Table(table), [1.0, beyond].map(|beyond| outline(grid, beyond, &to_lon_lat)))
    };
    let [area, reach] = area;
    let bbox_deg = if plain { corner_bounds(g, grid) } else { bounds(&area) };
    let reach_deg = if plain { widened(bbox_deg, [g[1], g[2], g[4], g[5]], beyond) } else { bounds(&reach) };
    if plain && (full[3] + full[4] * size.0 as f64 + full[5] * size.1 as f64).abs().max(full[3].abs()) > 91.0 {
        told.remarks.push("latitudes beyond 90 degrees: the axes may be in the wrong order".to_owned());
    }
    told.remarks.extend(beyond_area_of_use(&srs, &bbox_deg));
    Ok(Place {
        vertical: VerticalAxis::of(&srs),
        posting_m,
        bbox_deg,
        feather,
        reach_deg,
        geo_transform: g,
        placement,
        rim: if plain { rim(grid, &|x, y| to_own_coordinates(g, x, y)) } else { rim(grid, &to_lon_lat) },
        cap: cap(&reach),
        crs: name,
    })
}

/// From columns and rows to the raster's own coordinates.
fn to_own_coordinates(g: [f64; 6], x: &mut [f64], y: &mut [f64]) {
    for (x, y) in x.iter_mut().zip(y.iter_mut()) {
        let (p, l) = (*x + 0.5, *y + 0.5);
        (*x, *y) = (g[0] + g[1] * p + g[2] * l, g[3] + g[4] * p + g[5] * l);
    }
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
    told: &mut Diagnostics,
) -> Result<SpatialRef, HeightError> {
    let stated = match &options.src_crs {
        Some(given) => Some(
            SpatialRef::from_definition(given)
                .map_err(|e| HeightError::UnknownCrs { given: given.clone(), reason: message(&e) })?,
        ),
        None => dataset.spatial_ref().ok().filter(|srs| !srs.is_local()),
    };
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
            told.notes.push("no coordinate reference system: taken as longitude and latitude on WGS84".to_owned());
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
pub(crate) fn wgs84() -> Result<SpatialRef, gdal::errors::GdalError> {
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

/// Largest distance, in texels, between a geographic raster's own coordinates and WGS84.
fn shift_texels(g: [f64; 6], inverse: [f64; 6], grid: (usize, usize), to_wgs84: &CoordTransform) -> f64 {
    let points = (0..9).map(|i| (grid.0 as f64 * f64::from(i % 3) / 2.0, grid.1 as f64 * f64::from(i / 3) / 2.0));
    let (own_x, own_y): (Vec<f64>, Vec<f64>) =
        points.map(|(p, l)| (g[0] + g[1] * p + g[2] * l, (g[3] + g[4] * p + g[5] * l).clamp(-89.0, 89.0))).unzip();
    let (mut x, mut y) = (own_x.clone(), own_y.clone());
    transform(to_wgs84, &mut x, &mut y);
    (0..x.len())
        .map(|i| {
            let dx = x[i] - own_x[i];
            let (dx, dy) = (dx - 360.0 * (dx / 360.0).round(), y[i] - own_y[i]);
            let shift = (inverse[1] * dx + inverse[2] * dy).hypot(inverse[4] * dx + inverse[5] * dy);
            if shift.is_nan() { f64::INFINITY } else { shift }
        })
        .fold(0.0, f64::max)
}

/// Distance of postings in the middle of the raster, the longer axis, in metres.
fn posting_m(grid: (usize, usize), to_lon_lat: &dyn Fn(&mut [f64], &mut [f64])) -> f64 {
    let (cx, cy) = ((grid.0 as f64 - 1.0) / 2.0, (grid.1 as f64 - 1.0) / 2.0);
    let (mut x, mut y) = ([cx, cx + 1.0, cx], [cy, cy, cy + 1.0]);
    to_lon_lat(&mut x, &mut y);
    let n = [0, 1, 2].map(|i| n_vector(y[i].to_radians(), x[i].to_radians()));
    let longer = (n[1] - n[0]).length().max((n[2] - n[0]).length());
    longer.to_degrees() * METRES_PER_DEGREE
}

/// West, south, east, north of a longitude-latitude raster's edges in degrees, at most one turn.
fn corner_bounds(g: [f64; 6], grid: (usize, usize)) -> [f64; 4] {
    let (w, h) = (grid.0 as f64, grid.1 as f64);
    let span = |origin: f64, dp: f64, dl: f64| {
        let ends = [0.0, dp * w, dl * h, dp * w + dl * h];
        let low = ends.into_iter().fold(f64::INFINITY, f64::min);
        (origin + low, origin + ends.into_iter().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((west, east), (south, north)) = (span(g[0], g[1], g[2]), span(g[3], g[4], g[5]));
    let turns = 360.0 * ((west + 180.5) / 360.0).floor();
    [west - turns, south.max(-90.0), (east - turns).min(west - turns + 360.0), north.min(90.0)]
}

/// A box in degrees with so many texels more around it, for the steps of a geotransform.
fn widened([west, south, east, north]: [f64; 4], [ap, al, bp, bl]: [f64; 4], texels: f64) -> [f64; 4] {
    let (dx, dy) = (texels * (ap.abs() + al.abs()), texels * (bp.abs() + bl.abs()));
    let (west, width) = (west - dx, (east - west + 2.0 * dx).min(360.0));
    [west, (south - dy).max(-90.0), west + width, (north + dy).min(90.0)]
}

/// West, south, east, north of points in degrees, east beyond 180 where they cross the antimeridian.
fn bounds(area: &[(f64, f64)]) -> [f64; 4] {
    let Some(&(mid, _)) = area.get(area.len() / 2) else { return [0.0; 4] };
    let mut b = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    for &(lon, lat) in area {
        let lon = mid + (lon - mid - 360.0 * ((lon - mid) / 360.0).round());
        b = [b[0].min(lon), b[1].min(lat), b[2].max(lon), b[3].max(lat)];
    }
    let turns = 360.0 * ((b[0] + 180.0) / 360.0).floor();
    [b[0] - turns, b[1], b[2] - turns, b[3]]
}

/// Places one texel beyond the sides of a raster.
fn rim(grid: (usize, usize), to_lon_lat: &dyn Fn(&mut [f64], &mut [f64])) -> [[(f64, f64); RIM_POINTS]; 4] {
    let (columns, rows) = (grid.0 as f64, grid.1 as f64);
    let along = |k: usize, size: f64| (size - 1.0) * k as f64 / (RIM_POINTS - 1) as f64;
    let side = |texel: &dyn Fn(usize) -> (f64, f64)| {
        let (mut x, mut y): (Vec<f64>, Vec<f64>) = (0..RIM_POINTS).map(texel).unzip();
        to_lon_lat(&mut x, &mut y);
        std::array::from_fn(|k| (x[k], y[k]))
    };
    [
        side(&|k| (along(k, columns), -1.0)),
        side(&|k| (along(k, columns), rows)),
        side(&|k| (-1.0, along(k, rows))),
        side(&|k| (columns, along(k, rows))),
    ]
}

/// Middle and cosine of the radius of a cap that holds the points with some room; `None` if it would hold half the Earth.
fn cap(area: &[(f64, f64)]) -> Option<(DVec3, f64)> {
    let normals: Vec<DVec3> = area.iter().map(|(lon, lat)| n_vector(lat.to_radians(), lon.to_radians())).collect();
    let middle = normals.iter().sum::<DVec3>().try_normalize()?;
    // The chord is accurate for small rasters, the dot product is not.
    let chord = normals.iter().map(|n| (*n - middle).length()).fold(0.0, f64::max);
    let radius = 2.0 * (0.5 * chord).min(1.0).asin() * 1.05 + 1e-6;
    (radius < 1.5).then(|| (middle, radius.cos()))
}
