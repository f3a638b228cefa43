//! Features from a file: points, lines and polygons of a GeoPackage, shapefile, GeoJSON, KML, GPX or another of GDAL's vector formats that
//! fetch nothing.

use std::path::{Path, PathBuf};

use foreign::style::{self, StyleOptions};
use gdal::vector::{Feature as Read, OGRwkbGeometryType};

use crate::{
    features::{Feature, LonLat, Shape, Style},
    vector_file::{VectorError, VectorFile, corners, field, for_each_part},
};

/// Why a file gives no features.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FeaturesError {
    /// It gives no vector data.
    #[error(transparent)]
    Vector(#[from] VectorError),
    /// Nothing in it has a place.
    #[error("{}: it holds no points, lines or polygons", file.display())]
    Nothing {
        /// The path as given.
        file: PathBuf,
    },
}

/// The features in a file, as it says that they are drawn: by style strings (KML, MapInfo, GeoPackage), or by fields of the simplestyle
/// specification (`stroke`, `stroke-width`, `fill`, `marker-color`, ...). What is asked for comes first, what nobody says is as usual.
/// Coordinates are in the layer's reference system. Of GPX the waypoints, routes and tracks are read.
///
/// ```
/// use elevation::{feature_file::read_features, features::{Shape, Style}};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("ridge.geojson");
/// std::fs::write(&file, r##"{"type": "Feature", "properties": {"stroke": "#ff0000"},
///     "geometry": {"type": "LineString", "coordinates": [[7.6, 45.9], [7.7, 46.0]]}}"##)?;
/// let features = read_features(&file, Default::default(), Style::default())?;
/// assert_eq!(features[0].style.color, [255, 0, 0, 255]);
/// assert!(matches!(&features[0].shape, Shape::Line(corners) if corners.first() == Some(&[7.6, 45.9])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`FeaturesError`], which says what to do.
pub fn read_features(file: &Path, asked: StyleOptions, usual: Style) -> Result<Vec<Feature>, FeaturesError> {
    let mut found = Vec::new();
    let mut vectors = VectorFile::open(file)?;
    // Each point of a track is a feature of a layer of its own.
    let is_gpx = vectors.driver() == "GPX";
    let is_wanted = |layer: &str| !(is_gpx && matches!(layer, "track_points" | "route_points"));
    vectors.for_each(is_wanted, |feature, geometry, places| {
        let style = style_of(asked.or(own_style(feature)), usual);
        for_each_part::<FeaturesError>(geometry, &mut |kind, part| {
            let shape = match kind {
                OGRwkbGeometryType::wkbPoint => {
                    let place = places.line(&corners(part))?.first().copied();
                    place.map(Shape::Point)
                }
                OGRwkbGeometryType::wkbLineString => Some(Shape::Line(places.line(&corners(part))?)),
                OGRwkbGeometryType::wkbPolygon => {
                    let rings = (0..part.geometry_count()).map(|k| places.line(&corners(&part.get_geometry(k))));
                    let rings: Vec<Vec<LonLat>> = rings.collect::<Result<_, _>>()?;
                    Some(Shape::Area(rings))
                }
                _ => None,
            };
            found.extend(shape.map(|shape| Feature { shape, style }));
            Ok(())
        })
    })?;
    if found.is_empty() { Err(FeaturesError::Nothing { file: file.into() }) } else { Ok(found) }
}

/// How the file says that a feature is drawn.
fn own_style(feature: &Read<'_>) -> StyleOptions {
    // SAFETY: the feature lives; the text is its own, ends in a zero, and is copied.
    let text = unsafe {
        let text = gdal_sys::OGR_F_GetStyleString(feature.c_feature());
        (!text.is_null()).then(|| std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned())
    };
    style::simple(|name| field(feature, name)).or(text.map(|text| style::ogr(&text)).unwrap_or_default())
}

/// What is asked for, in the place of the usual.
fn style_of(asked: StyleOptions, usual: Style) -> Style {
    let usual = asked.color.map_or(usual, |color| Style { width_px: usual.width_px, ..Style::of_colour(color) });
    Style {
        color: usual.color,
        fill: asked.fill.unwrap_or(usual.fill),
        width_px: asked.width_px.map_or(usual.width_px, |width_px| width_px as f32),
    }
}
