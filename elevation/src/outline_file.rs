//! Outlines from a file: polygons of a GeoPackage, shapefile, GeoJSON or another of GDAL's vector formats that fetch nothing.

use std::path::{Path, PathBuf};

use gdal::vector::{Feature, OGRwkbGeometryType};

use crate::{
    vector_file::{VectorError, VectorFile, corners, field, for_each_part},
    water::{Body, Lake, Outline},
};

/// Why a file gives no outlines.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutlinesError {
    /// It gives no vector data.
    #[error(transparent)]
    Vector(#[from] VectorError),
    /// Nothing in it has an inside.
    #[error("{}: it holds no polygons: outlines of water are polygons", file.display())]
    NoPolygons {
        /// The path as given.
        file: PathBuf,
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
    let mut outlines = Vec::new();
    VectorFile::open(file)?.for_each(
        |_| true,
        |feature, geometry, places| {
            let mut polygons = Vec::new();
            for_each_part::<OutlinesError>(geometry, &mut |kind, part| {
                if kind == OGRwkbGeometryType::wkbPolygon {
                    polygons
                        .push((0..part.geometry_count()).map(|k| corners(&part.get_geometry(k))).collect::<Vec<_>>());
                }
                Ok(())
            })?;
            if polygons.is_empty() {
                return Ok(());
            }
            let body = body_of(feature).map_err(|word| OutlinesError::UnknownKind {
                file: places.file().into(),
                feature: places.number(),
                word,
            })?;
            let mut rings = Vec::new();
            for (k, ring) in polygons.iter().flat_map(|polygon| polygon.iter().enumerate()) {
                let ring = places.ring(ring, k == 0)?;
                rings.extend((!ring.is_empty()).then_some(ring));
            }
            if !rings.is_empty() {
                outlines.push(Outline { body, rings });
            }
            Ok::<(), OutlinesError>(())
        },
    )?;
    if outlines.is_empty() { Err(OutlinesError::NoPolygons { file: file.into() }) } else { Ok(outlines) }
}

/// What a feature's fields say, or the word that is none.
fn body_of(feature: &Feature<'_>) -> Result<Body, String> {
    let text = |name: &str| field(feature, name);
    match text("cover").as_deref().map(str::trim).unwrap_or_default() {
        "" | "lake" => {
            let level_m = text("level_m").and_then(|level_m| level_m.trim().parse().ok());
            let name = text("name").map(|name| foreign::sanitized(&name).to_string()).unwrap_or_default();
            Ok(Body::Lake(Lake { name, level_m: level_m.filter(|m: &f64| m.is_finite()) }))
        }
        "land" => Ok(Body::Land),
        other => Err(foreign::sanitized(other).to_string()),
    }
}

#[cfg(test)]
mod tests;
