//! Outlines from a file: polygons of a GeoPackage, shapefile, GeoJSON or another of GDAL's vector formats that fetch nothing.

use std::path::{Path, PathBuf};

use gdal::{
    errors::GdalError,
    spatial_ref::{AxisMappingStrategy, CoordTransform, SpatialRef},
    vector::{Feature, Geometry, LayerAccess, OGRwkbGeometryType, geometry_type_flatten},
};
use glam::DVec3;

use crate::{
    height::{HeightError, NoFetch, Session, forget_failure, last_failure, message, open_polygons, transform, wgs84},
    outlines::normal,
    water::{Body, Lake, Outline},
};

/// Most corners of all outlines of a file: some gigabytes while they are read.
const MOST_CORNERS: usize = 40_000_000;
/// Between corners that are farther apart, as a chord of a unit sphere, lines that are straight in the file and great circles differ by
/// metres.
const FAR: f64 = 0.002;

/// Why a file gives no outlines.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutlinesError {
    /// There is no such file.
    #[error("{}: no such file", file.display())]
    Missing {
        /// The path as given.
        file: PathBuf,
    },
    /// GDAL does not recognise the file, or it is damaged.
    #[error("{}: GDAL cannot read outlines from it ({reason}); give polygons as GeoPackage, shapefile, GeoJSON or FlatGeobuf, as `ogr2ogr OUT.gpkg FILE` writes them", file.display())]
    Unreadable {
        /// The path as given.
        file: PathBuf,
        /// GDAL's message.
        reason: String,
    },
    /// Nothing in it has an inside.
    #[error("{}: it holds no polygons: outlines of water are polygons", file.display())]
    NoPolygons {
        /// The path as given.
        file: PathBuf,
    },
    /// It is not said where the places are.
    #[error("{}: layer {layer} has no coordinate reference system; state it with `ogr2ogr -a_srs EPSG:CODE OUT.gpkg FILE`", file.display())]
    NoCrs {
        /// The path as given.
        file: PathBuf,
        /// Its layer.
        layer: String,
    },
    /// The field `cover` has another word.
    #[error("{}: feature {feature} has cover={word:?}: expected lake or land", file.display())]
    UnknownKind {
        /// The path as given.
        file: PathBuf,
        /// Number of the feature.
        feature: u64,
        /// What the field says.
        word: String,
    },
    /// A corner has no longitude and latitude.
    #[error("{}: feature {feature} has a corner that is not on the Earth", file.display())]
    Nowhere {
        /// The path as given.
        file: PathBuf,
        /// Number of the feature.
        feature: u64,
    },
    /// An edge could go either way around the Earth.
    #[error("{}: feature {feature} has an edge that goes more than a third around the Earth: put corners on it, as `ogr2ogr -segmentize 1 OUT.gpkg FILE` does", file.display())]
    Long {
        /// The path as given.
        file: PathBuf,
        /// Number of the feature.
        feature: u64,
    },
    /// More than memory is for.
    #[error("{}: more than {MOST_CORNERS} corners: cut out what you need with `ogr2ogr -clipsrc WEST SOUTH EAST NORTH OUT.gpkg FILE`", file.display())]
    TooMany {
        /// The path as given.
        file: PathBuf,
    },
}

/// The outlines in a file. A polygon is a lake unless its field `cover` says `land`; fields `name` and `level_m` (metres above mean sea
/// level) are those of the lake. Coordinates are in the layer's reference system.
///
/// ```
/// use elevation::{geodesy::n_vector, outline_file::read_outlines, water::{Cover, Water}};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("pond.geojson");
/// let ring = "[[7.0, 46.0], [7.1, 46.0], [7.1, 46.1], [7.0, 46.1], [7.0, 46.0]]";
/// std::fs::write(&file, format!(
///     r#"{{"type": "Feature", "properties": {{"name": "Pond", "level_m": 1500}},
///         "geometry": {{"type": "Polygon", "coordinates": [{ring}]}}}}"#
/// ))?;
/// let water = Water::earth_with(read_outlines(&file)?);
/// let Cover::Lake(lake) = water.at(n_vector(46.05f64.to_radians(), 7.05f64.to_radians())) else { panic!("a lake") };
/// assert_eq!((lake.name.as_str(), lake.level_m), ("Pond", Some(1500.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OutlinesError`], which says what to do.
pub fn read_outlines(file: &Path) -> Result<Vec<Outline>, OutlinesError> {
    // GDAL takes other names as well, of servers among them.
    if !file.exists() {
        return Err(OutlinesError::Missing { file: file.into() });
    }
    let (_session, _no_fetch) = (Session::offline(), NoFetch::begin());
    let unreadable = |reason: String| OutlinesError::Unreadable { file: file.into(), reason };
    let dataset = open_polygons(file).map_err(|error| match error {
        HeightError::CannotOpen { reason, .. } => unreadable(reason),
        HeightError::NoFile { kind, .. } => unreadable(format!("it is {kind}")),
        other => unreadable(other.to_string()),
    })?;
    let mut outlines = Vec::new();
    let mut corners_left = MOST_CORNERS;
    for mut layer in dataset.layers() {
        let (name, own) = (layer.name(), layer.spatial_ref());
        let mut crs = None;
        forget_failure();
        for feature in layer.features() {
            // One without a geometry is an attribute alone.
            let Ok(geometry) = feature.geometry_by_index(0) else { continue };
            let mut polygons = Vec::new();
            polygons_of(geometry, &mut polygons);
            if polygons.is_empty() {
                continue;
            }
            let number = feature.fid().unwrap_or_default();
            let body = body_of(&feature).map_err(|word| OutlinesError::UnknownKind {
                file: file.into(),
                feature: number,
                word,
            })?;
            if crs.is_none() {
                let no_crs = || OutlinesError::NoCrs { file: file.into(), layer: foreign::shown(&name).to_string() };
                crs = Some(Crs::of(own.clone().ok_or_else(no_crs)?).map_err(|e| unreadable(message(&e)))?);
            }
            let Some(crs) = &crs else { continue };
            let mut rings = Vec::new();
            for (k, ring) in polygons.iter().flat_map(|polygon| polygon.iter().enumerate()) {
                let ring = crs.ring(ring, k == 0, corners_left).map_err(|refused| match refused {
                    Refused::Nowhere => OutlinesError::Nowhere { file: file.into(), feature: number },
                    Refused::Long => OutlinesError::Long { file: file.into(), feature: number },
                    Refused::TooMany => OutlinesError::TooMany { file: file.into() },
                })?;
                corners_left -= ring.len();
                rings.extend((!ring.is_empty()).then_some(ring));
            }
            if !rings.is_empty() {
                outlines.push(Outline { body, rings });
            }
        }
        // Features end at a fault as they do at their end.
        if let Some(reason) = last_failure() {
            return Err(unreadable(reason));
        }
    }
    if outlines.is_empty() { Err(OutlinesError::NoPolygons { file: file.into() }) } else { Ok(outlines) }
}

/// What a feature's fields say, or the word that is none.
fn body_of(feature: &Feature<'_>) -> Result<Body, String> {
    let text = |field: &str| feature.field_as_string(feature.field_index(field).ok()?).ok().flatten();
    match text("cover").as_deref().map(str::trim).unwrap_or_default() {
        "" | "lake" => {
            let level_m = text("level_m").and_then(|level_m| level_m.trim().parse().ok());
            let name = text("name").map(|name| foreign::shown(&name).to_string()).unwrap_or_default();
            Ok(Body::Lake(Lake { name, level_m: level_m.filter(|m: &f64| m.is_finite()) }))
        }
        "land" => Ok(Body::Land),
        other => Err(foreign::shown(other).to_string()),
    }
}

/// Rings of polygons in a geometry, the outer one of each first.
fn polygons_of(geometry: &Geometry, polygons: &mut Vec<Vec<Vec<[f64; 2]>>>) {
    let parts = || (0..geometry.geometry_count()).map(|k| geometry.get_geometry(k));
    match geometry_type_flatten(geometry.geometry_type()) {
        OGRwkbGeometryType::wkbPolygon => {
            let ring = |ring: &Geometry| {
                let mut places = Vec::new();
                ring.get_points(&mut places);
                places.into_iter().map(|(x, y, _)| [x, y]).collect()
            };
            polygons.push(parts().map(|part| ring(&part)).collect());
        }
        OGRwkbGeometryType::wkbMultiPolygon | OGRwkbGeometryType::wkbGeometryCollection => {
            parts().for_each(|part| polygons_of(&part, polygons));
        }
        _ => {}
    }
}

/// Why a ring is none.
enum Refused {
    Nowhere,
    Long,
    TooMany,
}

/// The way from a layer's coordinates to longitudes and latitudes.
struct Crs {
    to_wgs84: CoordTransform,
    is_geographic: bool,
}

impl Crs {
    fn of(mut own: SpatialRef) -> Result<Self, GdalError> {
        own.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
        Ok(Self { to_wgs84: CoordTransform::new(&own, &wgs84()?)?, is_geographic: own.is_geographic() })
    }

    /// A ring in degrees with places between corners that are far from each other, clockwise as a map shows it or the other way round;
    /// empty if it has no inside.
    fn ring(&self, own: &[[f64; 2]], clockwise: bool, most: usize) -> Result<Vec<[f64; 2]>, Refused> {
        if own.len() > most {
            return Err(Refused::TooMany);
        }
        let mut own = own.to_vec();
        // The last corner closes it.
        if own.first() == own.last() {
            own.pop();
        }
        let Some(first) = own.first().copied() else { return Ok(Vec::new()) };
        own.push(first);
        let is_wide = own.iter().any(|[lon, _]| (lon - first[0]).abs() > 359.0);
        if self.is_geographic {
            for k in 1..own.len() {
                let ([last, _], [lon, lat]) = (own[k - 1], own[k]);
                // From 179 to -179 it is 2 degrees.
                own[k][0] = lon - 360.0 * ((lon - last) / 360.0).round();
                if (own[k][0] - last).abs() > 120.0 && lat.abs() < 90.0 {
                    return Err(Refused::Long);
                }
            }
        }
        let corners = self.degrees(&own)?;
        let normals: Vec<DVec3> = corners.into_iter().map(normal).collect();
        // Twice its area as a vector, which looks up where the ring goes against the clock.
        let area: DVec3 = normals.windows(2).map(|edge| (edge[0] - normals[0]).cross(edge[1] - normals[0])).sum();
        let up = area.dot(normals.iter().sum::<DVec3>());
        if up.is_nan() || up.abs() < 1e-18 {
            // From -180 to 180 degrees it is no way at all.
            return if self.is_geographic && is_wide { Err(Refused::Long) } else { Ok(Vec::new()) };
        }
        let parts: Vec<usize> =
            normals.windows(2).map(|edge| (edge[0].distance(edge[1]) / FAR).ceil().max(1.0) as usize).collect();
        if parts.iter().sum::<usize>() > most {
            return Err(Refused::TooMany);
        }
        let mut fine = Vec::with_capacity(parts.iter().sum());
        for (edge, parts) in own.windows(2).zip(parts) {
            let at =
                |k: usize| [0, 1].map(|axis| edge[0][axis] + (edge[1][axis] - edge[0][axis]) * k as f64 / parts as f64);
            fine.extend((0..parts).map(at));
        }
        let mut ring = self.degrees(&fine)?;
        if (up < 0.0) != clockwise {
            ring.reverse();
        }
        Ok(ring)
    }

    fn degrees(&self, own: &[[f64; 2]]) -> Result<Vec<[f64; 2]>, Refused> {
        let [mut x, mut y] = [0, 1].map(|axis| own.iter().map(|place| place[axis]).collect::<Vec<f64>>());
        transform(&self.to_wgs84, &mut x, &mut y);
        let is_there = |(lon, lat): (&f64, &f64)| lon.is_finite() && lat.abs() <= 90.0;
        let all_are = x.iter().zip(&y).all(is_there);
        all_are.then(|| x.into_iter().zip(y).map(|(lon, lat)| [lon, lat]).collect()).ok_or(Refused::Nowhere)
    }
}

#[cfg(test)]
mod tests;
