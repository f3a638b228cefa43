//! How does GDAL write features? GPX with the fields of that format, a GeoPackage with one layer of all.

use gdal::{
    Dataset, DriverManager,
    errors::GdalError,
    spatial_ref::{AxisMappingStrategy, SpatialRef},
    vector::{Feature, FieldDefn, Geometry, LayerAccess, LayerOptions, OGRFieldType, OGRwkbGeometryType},
};

use super::{
    FeatureWriteError, HEIGHT_M, NamedFeature, VectorFormat, memory_file::MemoryFile, plain, wrapped_line, wrapped_lon,
};
use crate::{
    features::{LonLat, Shape},
    height::{Session, forget_failure, last_failure, message, prepare},
};

type Done = Result<(), GdalError>;

/// The bytes of a file.
pub(super) fn encode(format: VectorFormat, features: &[NamedFeature]) -> Result<Vec<u8>, FeatureWriteError> {
    prepare();
    let _session = Session::offline();
    let (driver, write): (_, fn(&mut Dataset, &[NamedFeature]) -> Done) = match format {
        VectorFormat::Gpx => ("GPX", write_gpx),
        _ => ("GPKG", write_geopackage),
    };
    let no_driver = |_| FeatureWriteError::NoDriver { format: format.name() };
    let driver = DriverManager::get_driver_by_name(driver).map_err(no_driver)?;
    let file = MemoryFile::new(format.extension());
    forget_failure();
    let written = driver.create_vector_only(file.path()).and_then(|mut dataset| {
        write(&mut dataset, features)?;
        dataset.close()
    });
    let failed = |reason| FeatureWriteError::Gdal { format: format.name(), reason };
    written.map_err(|error| failed(message(&error)))?;
    // Before GDAL 3.7 closing does not say that it failed.
    match last_failure() {
        Some(reason) => Err(failed(reason)),
        None => file.into_bytes().map_err(|error| failed(message(&error))),
    }
}

/// Waypoints, then tracks: the order of the format.
fn write_gpx(dataset: &mut Dataset, features: &[NamedFeature]) -> Done {
    let layers =
        [("waypoints", OGRwkbGeometryType::wkbPoint, true), ("tracks", OGRwkbGeometryType::wkbMultiLineString, false)];
    for (name, ty, of_points) in layers {
        let layer = dataset.create_layer(LayerOptions { name, srs: None, ty, options: None })?;
        for feature in features.iter().filter(|feature| feature.is_point() == of_points) {
            let mut row = Feature::new(layer.defn())?;
            set_text(&mut row, "name", &feature.name)?;
            set_text(&mut row, "desc", &gpx_description(feature))?;
            if let Some(height_m) = feature.height_m() {
                set_number(&mut row, "ele", height_m)?;
            }
            row.set_geometry(gpx_geometry(&feature.shape)?)?;
            row.create(&layer)?;
        }
    }
    Ok(())
}

/// The note, and what is measured, for which there are no fields.
fn gpx_description(feature: &NamedFeature) -> String {
    let measures = feature.measures.iter().filter(|(name, _)| *name != HEIGHT_M);
    let measures = measures.map(|(name, number)| format!("{name} {number}"));
    let note = (!feature.note.is_empty()).then(|| feature.note.clone());
    note.into_iter().chain(measures).collect::<Vec<_>>().join("\n")
}

fn gpx_geometry(shape: &Shape) -> Result<Geometry, GdalError> {
    let lines = match shape {
        Shape::Point([lon, lat]) => return gpx_line(OGRwkbGeometryType::wkbPoint, vec![[wrapped_lon(*lon), *lat]]),
        Shape::Line(corners) => std::slice::from_ref(corners),
        Shape::Area(rings) => rings,
    };
    let mut track = Geometry::empty(OGRwkbGeometryType::wkbMultiLineString)?;
    for corners in lines {
        track.add_geometry(gpx_line(OGRwkbGeometryType::wkbLineString, wrapped_line(corners))?)?;
    }
    Ok(track)
}

/// A point or a line, a millimetre to the west of 180 degrees, which the format has not.
fn gpx_line(kind: OGRwkbGeometryType::Type, mut places: Vec<LonLat>) -> Result<Geometry, GdalError> {
    places.iter_mut().for_each(|[lon, _]| *lon = lon.min(180.0 - 1e-8));
    line(kind, &places)
}

/// One layer of all features, with a field for each measure.
fn write_geopackage(dataset: &mut Dataset, features: &[NamedFeature]) -> Done {
    let mut degrees = SpatialRef::from_epsg(4326)?;
    degrees.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
    let ty = OGRwkbGeometryType::wkbUnknown;
    let layer = dataset.create_layer(LayerOptions { name: "features", srs: Some(&degrees), ty, options: None })?;
    for name in ["name", "description", "marker-color", "stroke"] {
        FieldDefn::new(name, OGRFieldType::OFTString)?.add_to_layer(&layer)?;
    }
    let mut measures: Vec<&str> =
        features.iter().flat_map(|feature| &feature.measures).map(|(name, _)| *name).collect();
    measures.sort_unstable();
    measures.dedup();
    for name in measures {
        FieldDefn::new(name, OGRFieldType::OFTReal)?.add_to_layer(&layer)?;
    }
    for feature in features {
        let mut row = Feature::new(layer.defn())?;
        set_text(&mut row, "name", &feature.name)?;
        set_text(&mut row, "description", &feature.note)?;
        set_text(&mut row, feature.colour_field(), &feature.colour_text())?;
        for (name, number) in &feature.measures {
            set_number(&mut row, name, *number)?;
        }
        row.set_geometry(geometry(&feature.shape)?)?;
        row.create(&layer)?;
    }
    Ok(())
}

fn geometry(shape: &Shape) -> Result<Geometry, GdalError> {
    match shape {
        Shape::Point(place) => line(OGRwkbGeometryType::wkbPoint, &[*place]),
        Shape::Line(corners) => line(OGRwkbGeometryType::wkbLineString, corners),
        Shape::Area(rings) => {
            let mut polygon = Geometry::empty(OGRwkbGeometryType::wkbPolygon)?;
            for ring in rings {
                polygon.add_geometry(line(OGRwkbGeometryType::wkbLinearRing, ring)?)?;
            }
            Ok(polygon)
        }
    }
}

/// A point, a line or a ring.
fn line(kind: OGRwkbGeometryType::Type, places: &[LonLat]) -> Result<Geometry, GdalError> {
    let mut line = Geometry::empty(kind)?;
    places.iter().for_each(|[lon, lat]| line.add_point_2d((*lon, *lat)));
    Ok(line)
}

/// Sets a field, which stays empty for an empty text.
fn set_text(row: &mut Feature<'_>, name: &str, text: &str) -> Done {
    if text.is_empty() {
        return Ok(());
    }
    row.set_field_string(row.field_index(name)?, &plain(text))
}

fn set_number(row: &mut Feature<'_>, name: &str, number: f64) -> Done {
    row.set_field_double(row.field_index(name)?, number)
}
