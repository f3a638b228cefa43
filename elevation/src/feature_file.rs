//! Features from a file: points, lines and polygons of a GeoPackage, shapefile, GeoJSON, KML, GPX or another of GDAL's vector formats that
//! fetch nothing.

use std::path::{Path, PathBuf};

use foreign::style::{self, StyleOptions, VectorOptions};
use gdal::vector::{Feature as Read, Geometry, OGRwkbGeometryType};
use glam::DVec2;

use crate::{
    features::{self, Attributes, Feature, FeatureLabel, LonLat, Shape, Style},
    vector_file::{VectorError, VectorFile, corners, field, for_each_part},
};

/// Most characters of a label.
const MOST_CHARACTERS: usize = 60;

/// Most fields that are kept of a feature.
const MOST_FIELDS: usize = 64;

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
    /// No feature has the field whose text is to be written beside them.
    #[error("{}: its features have no field {field} for labels: {has}", file.display())]
    NoField {
        /// The path as given.
        file: PathBuf,
        /// The field that was asked for.
        field: String,
        /// What there is.
        has: String,
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
/// let features = read_features(&file, &Default::default(), Style::default())?;
/// assert_eq!(features[0].style.color, [255, 0, 0, 255]);
/// assert!(matches!(&features[0].shape, Shape::Line(corners) if corners.first() == Some(&[7.6, 45.9])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`FeaturesError`], which says what to do.
pub fn read_features(file: &Path, asked: &VectorOptions, usual: Style) -> Result<Vec<Feature>, FeaturesError> {
    let mut found = Vec::new();
    let mut vectors = VectorFile::open(file)?;
    // Each point of a track is a feature of a layer of its own.
    let is_gpx = vectors.driver() == "GPX";
    let is_wanted = |layer: &str| !(is_gpx && matches!(layer, "track_points" | "route_points"));
    let mut fields = Fields::of(asked);
    vectors.for_each::<FeaturesError>(is_wanted, |feature, geometry, places| {
        let style = style_of(asked.style.or(own_style(feature)), usual);
        let text = fields.text(feature);
        let attributes = attributes(feature);
        let mut largest: Option<(f64, usize, [f64; 2])> = None;
        for_each_part::<FeaturesError>(geometry, &mut |kind, part| {
            let (shape, size, place) = match kind {
                OGRwkbGeometryType::wkbPoint => {
                    let own = corners(part);
                    (places.line(&own)?.first().copied().map(Shape::Point), 0.0, own.first().copied())
                }
                OGRwkbGeometryType::wkbLineString => {
                    let own = corners(part);
                    let line = places.line(&own)?;
                    let own = if places.is_geographic() {
                        unrolled(&own, own.first().map_or(0.0, |own| own[0]))
                    } else {
                        own
                    };
                    (Some(Shape::Line(line)), part.length(), half_way(&own))
                }
                OGRwkbGeometryType::wkbPolygon => {
                    let rings = (0..part.geometry_count()).map(|k| places.line(&corners(&part.get_geometry(k))));
                    let rings: Vec<Vec<LonLat>> = rings.collect::<Result<_, _>>()?;
                    (Some(Shape::Area(rings)), part.area(), None)
                }
                _ => return Err(places.unsupported(part).into()),
            };
            let Some(shape) = shape else { return Ok(()) };
            if text.is_some() && fields.is_wanted(&shape) && largest.is_none_or(|(most, ..)| size > most) {
                let across = places.is_geographic().then(|| across_180(part)).flatten();
                let place = place.or_else(|| across.as_ref().and_then(inside).or_else(|| inside(part)));
                largest = place.map(|place| (size, found.len(), place)).or(largest);
            }
            found.push(Feature { shape, style, label: None, attributes: attributes.clone() });
            Ok(())
        })?;
        let (Some(text), Some((_, number, own))) = (text, largest) else { return Ok(()) };
        let half_px = |is_point| features::half_px(style, is_point) as f32;
        let (place, above_px) = match &found[number].shape {
            Shape::Point(place) => (Some(*place), half_px(true)),
            Shape::Line(_) => (places.line(&[own])?.first().copied(), half_px(false)),
            Shape::Area(_) => (places.line(&[own])?.first().copied(), 0.0),
        };
        let point = matches!(found[number].shape, Shape::Point(_)).then_some(style.color);
        found[number].label = place.map(|place| FeatureLabel { text, place, above_px, point });
        Ok(())
    })?;
    match fields.missing() {
        _ if found.is_empty() => Err(FeaturesError::Nothing { file: file.into() }),
        Some((field, has)) => Err(FeaturesError::NoField { file: file.into(), field, has }),
        None => Ok(found),
    }
}

/// Which field of features is written beside them?
struct Fields<'a> {
    /// Asked for; else points have their names.
    asked: Option<&'a str>,
    is_there: bool,
    /// Names of those that there are, while the one asked for is not.
    others: Vec<String>,
}

impl<'a> Fields<'a> {
    fn of(asked: &'a VectorOptions) -> Self {
        Self { asked: asked.label.as_deref(), is_there: false, others: Vec::new() }
    }

    /// Whether the features of a shape have a label.
    fn is_wanted(&self, shape: &Shape) -> bool {
        self.asked.map_or(matches!(shape, Shape::Point(_)), |field| !field.is_empty())
    }

    /// What stands in a feature's field, on one line.
    fn text(&mut self, feature: &Read<'_>) -> Option<String> {
        let name = self.asked.unwrap_or("name");
        if !self.is_there {
            self.is_there = feature.field_index(name).is_ok();
            if !self.is_there && self.others.is_empty() {
                self.others.extend(names(feature));
            }
        }
        let text = field(feature, name)?;
        let text = features::one_line(&text, MOST_CHARACTERS);
        (!text.is_empty()).then_some(text)
    }

    /// The field that was asked for and that no feature has, and those that there are.
    fn missing(self) -> Option<(String, String)> {
        let asked = self.asked.filter(|field| !field.is_empty() && !self.is_there)?;
        let others: Vec<String> = self.others.iter().map(|name| foreign::sanitized(name).to_string()).collect();
        let has = if others.is_empty() {
            String::from("there are none")
        } else {
            format!("give one of {}", others.join(", "))
        };
        Some((foreign::sanitized(asked).to_string(), has))
    }
}

/// The place in the middle of a line's length, in its own coordinates.
fn half_way(line: &[[f64; 2]]) -> Option<[f64; 2]> {
    let edges = || line.windows(2).map(|ends| [ends[0], ends[1]].map(DVec2::from));
    let mut left = 0.5 * edges().map(|[from, to]| from.distance(to)).sum::<f64>();
    for [from, to] in edges() {
        let length = from.distance(to);
        if length > 0.0 && left <= length {
            return Some(from.lerp(to, left / length).into());
        }
        left -= length;
    }
    line.first().copied()
}

/// Corners in degrees whose longitudes go on beyond 180 from one to the next, the first one as near to another as can be.
fn unrolled(line: &[[f64; 2]], mut before: f64) -> Vec<[f64; 2]> {
    let on = |[lon, lat]: &[f64; 2]| {
        before = lon + 360.0 * ((before - lon) / 360.0).round();
        [before, *lat]
    };
    line.iter().map(on).collect()
}

/// A polygon in degrees whose longitudes go on beyond 180, if it has an edge across.
fn across_180(polygon: &Geometry) -> Option<Geometry> {
    let rings: Vec<Vec<[f64; 2]>> = (0..polygon.geometry_count()).map(|k| corners(&polygon.get_geometry(k))).collect();
    // An edge of 360 degrees goes all the way round.
    let is_across = |ring: &Vec<[f64; 2]>| {
        ring.windows(2).any(|ends| ((ends[0][0] - ends[1][0]).abs() - 270.0).abs() < 90.0 - 1e-6)
    };
    let first = rings.iter().any(is_across).then(|| rings[0].first().map(|corner| corner[0])).flatten()?;
    let mut whole = Geometry::empty(OGRwkbGeometryType::wkbPolygon).ok()?;
    for ring in &rings {
        let mut line = Geometry::empty(OGRwkbGeometryType::wkbLinearRing).ok()?;
        let ring = unrolled(ring, first);
        if ring.first() != ring.last() {
            // It surrounds a pole.
            return None;
        }
        ring.into_iter().for_each(|[lon, lat]| line.add_point_2d((lon, lat)));
        whole.add_geometry(line).ok()?;
    }
    Some(whole)
}

/// A place inside a polygon, in its own coordinates, if GDAL can tell one.
fn inside(polygon: &Geometry) -> Option<[f64; 2]> {
    // SAFETY: the polygon lives; the point is ours, is read, and freed once.
    unsafe {
        let point = gdal_sys::OGR_G_PointOnSurface(polygon.c_geometry());
        if point.is_null() {
            return None;
        }
        let place = [gdal_sys::OGR_G_GetX(point, 0), gdal_sys::OGR_G_GetY(point, 0)];
        gdal_sys::OGR_G_DestroyGeometry(point);
        place.iter().all(|part| part.is_finite()).then_some(place)
    }
}

/// The fields of a feature that hold something.
fn attributes(feature: &Read<'_>) -> Option<Attributes> {
    let text = |number: usize| feature.field_as_string(number).ok().flatten().unwrap_or_default();
    let texts = names(feature).take(MOST_FIELDS).enumerate().map(|(number, name)| (name, text(number)));
    Some(Attributes::new(texts)).filter(|told| told.iter().next().is_some())
}

/// The names of its fields. `Feature::fields` reads values as well, and reads through the null pointer of a list that is not set.
fn names(feature: &Read<'_>) -> impl Iterator<Item = String> {
    (0..feature.field_count()).map(|number| {
        // SAFETY: the number is below the count; the name lives as long as the feature's layer, ends in a zero, and is copied.
        unsafe {
            let definition = gdal_sys::OGR_F_GetFieldDefnRef(feature.c_feature(), number as i32);
            let name = gdal_sys::OGR_Fld_GetNameRef(definition);
            std::ffi::CStr::from_ptr(name).to_string_lossy().into_owned()
        }
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: attributes are the fields that hold something, as text, whatever their type; one that is not set has none.
    #[test]
    fn fields_of_all_types_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("list.geojson");
        let text = r#"{"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"name": "A", "tags": [1, 2], "on": "2026-11-27", "at": "10:20:30", "deep": {"x": 1}},
             "geometry": {"type": "Point", "coordinates": [7, 46]}},
            {"type": "Feature", "properties": {"name": "B", "high": 3.5},
             "geometry": {"type": "Point", "coordinates": [8, 46]}},
            {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [9, 46]}}]}"#;
        std::fs::write(&file, text).unwrap();
        let features = read_features(&file, &VectorOptions::default(), Style::default()).unwrap();
        let told = |number: usize| {
            let fields = features[number].attributes.iter().flat_map(Attributes::iter);
            fields.map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>()
        };
        let first = told(0);
        assert_eq!((first.len(), first[0].as_str()), (5, "name=A"), "{first:?}");
        assert!(first.iter().any(|field| field.contains("10:20:30")), "{first:?}");
        assert_eq!(told(1), ["name=B", "high=3.5"]);
        assert!(features[2].attributes.is_none());
    }

    /// Law: the label of an area or a line across 180 degrees lies on it, as that of the same one elsewhere does.
    #[test]
    fn labels_lie_on_what_crosses_180_degrees() {
        let folder = tempfile::tempdir().unwrap();
        let label = |kind: &str, west: f64, east: f64| {
            let ring = [[west, 1.0], [east, 1.0], [east, 3.0], [west, 3.0], [west, 1.0]];
            let line = &ring[..2];
            let corners = if kind == "Polygon" { serde_json::json!([ring]) } else { serde_json::json!(line) };
            let geometry = serde_json::json!({"type": kind, "coordinates": corners});
            let text = serde_json::json!({"type": "Feature", "properties": {"name": "x"}, "geometry": geometry});
            let file = folder.path().join(format!("{kind}{west}.geojson"));
            std::fs::write(&file, text.to_string()).unwrap();
            let mut asked = VectorOptions::default();
            asked.label = Some(String::from("name"));
            read_features(&file, &asked, Style::default()).unwrap()[0].label.clone().unwrap().place
        };
        // Areas all the way round keep theirs.
        let [lon, lat] = label("Polygon", -180.0, 180.0);
        assert!(lon.abs() < 170.0 && (1.0..=3.0).contains(&lat), "{lon} {lat}");
        for kind in ["Polygon", "LineString"] {
            let [lon, lat] = label(kind, 179.0, -178.5);
            let [elsewhere, same] = label(kind, 19.0, 21.5);
            let off = (lon - elsewhere - 160.0 + 180.0).rem_euclid(360.0) - 180.0;
            assert!(off.abs() < 1e-9 && (lat - same).abs() < 1e-9, "{kind} {lon} {lat}");
        }
    }

    /// Law: edges are straight in longitude and latitude: all the way round from -180 to 180, the short way where they are almost a turn, and
    /// refused where nobody knows.
    #[test]
    fn long_edges_go_where_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let read = |coordinates: &str| {
            let file = folder.path().join("edges.geojson");
            std::fs::write(&file, format!(r#"{{"type": "Polygon", "coordinates": [[{coordinates}]]}}"#)).unwrap();
            read_features(&file, &VectorOptions::default(), Style::default())
        };
        // The mean of longitude times the step in latitude along it: the area on the map, in square degrees.
        let area = |coordinates: &str| match &read(coordinates).unwrap()[0].shape {
            Shape::Area(rings) => {
                let edges = rings[0].windows(2);
                edges.map(|edge| 0.5 * (edge[0][0] + edge[1][0]) * (edge[1][1] - edge[0][1])).sum::<f64>()
            }
            other => panic!("{other:?}"),
        };
        let near = |area: f64, expected: f64| (area - expected).abs() < 1e-6 * expected;
        assert!(near(area("[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]"), 360.0 * 180.0), "the world");
        assert!(near(area("[0,-90],[180,-90],[180,90],[0,90],[0,-90]"), 180.0 * 180.0), "half of it");
        let coast: String = (-180..=180).map(|lon| format!("[{lon},-72],")).collect();
        assert!(near(-area(&format!("{coast}[180,-90],[-180,-90],[-180,-72]")), 360.0 * 18.0), "Antarctica");
        assert!(near(area("[178,-20],[-178,-20],[-178,-10],[178,-10],[178,-20]"), 4.0 * 10.0), "across 180 degrees");
        assert!(near(area("[-60,-20],[59,-20],[59,-10],[-60,-10],[-60,-20]"), 119.0 * 10.0), "a third");
        for (west, east) in [(-170, 170), (-100, 100), (0, 180)] {
            let refused = read(&format!("[{west},30],[{east},30],[{east},60],[{west},60],[{west},30]")).unwrap_err();
            assert!(refused.to_string().contains("segmentize"), "{refused}");
        }
    }

    /// Law: surfaces of triangles and of polygons are polygons; curves are lines of many corners, and
    /// refused in a collection.
    #[test]
    fn geometries_of_all_kinds_are_told() {
        use gdal::{
            DriverManager,
            spatial_ref::SpatialRef,
            vector::{LayerAccess, LayerOptions},
        };
        let folder = tempfile::tempdir().unwrap();
        let read = |texts: &[&str]| {
            let file = folder.path().join("all.gpkg");
            let mut dataset = DriverManager::get_driver_by_name("GPKG").unwrap().create_vector_only(&file).unwrap();
            let degrees = SpatialRef::from_epsg(4326).unwrap();
            let options =
                LayerOptions { name: "all", srs: Some(&degrees), ty: OGRwkbGeometryType::wkbUnknown, options: None };
            let mut layer = dataset.create_layer(options).unwrap();
            for text in texts {
                layer.create_feature(Geometry::from_wkt(text).unwrap()).unwrap();
            }
            dataset.close().unwrap();
            read_features(&file, &VectorOptions::default(), Style::default())
        };
        let triangles = ["((7 46 0, 8 46 0, 8 47 0, 7 46 0))", "((7 46 0, 8 47 0, 7 47 0, 7 46 0))"];
        for kind in ["TIN Z", "POLYHEDRALSURFACE Z", "MULTIPOLYGON Z"] {
            let found = read(&["POINT (1 2)", &format!("{kind} ({})", triangles.join(", "))]).unwrap();
            let areas = found.iter().filter(|feature| matches!(&feature.shape, Shape::Area(rings) if rings.len() == 1));
            assert_eq!((found.len(), areas.count()), (3, 2), "{kind}");
        }
        let curves = ["CIRCULARSTRING (0 0, 1 1, 2 0)", "CURVEPOLYGON (CIRCULARSTRING (0 0, 2 0, 0 0))"];
        let found = read(&curves).unwrap();
        let corners = |shape: &Shape| match shape {
            Shape::Line(corners) => corners.len(),
            Shape::Area(rings) => rings[0].len(),
            Shape::Point(_) => 1,
        };
        let counts: Vec<usize> = found.iter().map(|feature| corners(&feature.shape)).collect();
        assert!(counts.len() == 2 && counts[0] > 40 && counts[1] > 40, "{counts:?}");
        let refused = read(&["POINT (1 2)", &format!("GEOMETRYCOLLECTION ({})", curves[1])]).unwrap_err().to_string();
        assert!(refused.contains("feature 2 has a CURVEPOLYGON") && refused.contains("CONVERT_TO_LINEAR"), "{refused}");
    }
}
