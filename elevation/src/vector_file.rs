//! How is a file of vector data read? By GDAL's drivers of files, which fetch nothing; its places as longitudes and latitudes.

use std::path::{Path, PathBuf};

use gdal::{
    Dataset,
    errors::GdalError,
    spatial_ref::{AxisMappingStrategy, CoordTransform, SpatialRef},
    vector::{Feature, Geometry, LayerAccess, OGRwkbGeometryType, geometry_type_flatten},
};
use glam::DVec3;

use crate::{
    height::{
        FetchGuard, HeightError, Session, degrees_of, forget_failure, last_failure, message, open_vectors, transform,
    },
    outlines::normal,
};

/// Most corners of all features of a file: some gigabytes while they are read.
const MOST_CORNERS: usize = 40_000_000;
/// Between corners that are farther apart, as a chord of a unit sphere, lines that are straight in the file and great circles differ by
/// metres.
const FAR: f64 = 0.002;

/// Edges that are longer in longitude could go either way around the Earth, degrees.
const LONGEST_DEG: f64 = 120.0;
/// But these are short ones across 180 degrees, and a whole turn is one.
const LEAST_CROSSING_DEG: f64 = 345.0;
/// Between places of an edge, degrees of longitude: it may go around a pole, or all around.
const LEAST_TURN_DEG: f64 = 5.0;

/// Why a file gives no vector data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// There is no such file.
    #[error("{}: no such file", file.display())]
    Missing {
        /// The path as given.
        file: PathBuf,
    },
    /// GDAL does not recognise the file, or it is damaged.
    #[error("{}: GDAL cannot read vector data from it ({reason}); give a GeoPackage, shapefile, GeoJSON, KML, GPX or FlatGeobuf, as `ogr2ogr OUT.gpkg FILE` writes them", file.display())]
    Unreadable {
        /// The path as given.
        file: PathBuf,
        /// GDAL's message.
        reason: String,
    },
    /// It is not said where the places are.
    #[error("{}: layer {layer} has no coordinate reference system; state it with `ogr2ogr -a_srs EPSG:CODE OUT.gpkg FILE`", file.display())]
    NoCrs {
        /// The path as given.
        file: PathBuf,
        /// Its layer.
        layer: String,
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
    /// A geometry that is none of points, lines and polygons: a curve in a collection, which GDAL does not make a line.
    #[error("{}: feature {feature} has a {kind}; write it with straight lines: `ogr2ogr -nlt CONVERT_TO_LINEAR OUT.gpkg FILE`", file.display())]
    Unsupported {
        /// The path as given.
        file: PathBuf,
        /// Number of the feature.
        feature: u64,
        /// GDAL's name of the geometry.
        kind: String,
    },
    /// More than memory is for.
    #[error("{}: more than {MOST_CORNERS} corners: cut out what you need with `ogr2ogr -clipsrc WEST SOUTH EAST NORTH OUT.gpkg FILE`", file.display())]
    TooMany {
        /// The path as given.
        file: PathBuf,
    },
}

/// A file of vector data.
pub(crate) struct VectorFile<'a> {
    file: &'a Path,
    // Closed before the session ends.
    dataset: Dataset,
    corners_left: usize,
    _guards: (Session, FetchGuard),
}

impl<'a> VectorFile<'a> {
    /// Opens a file.
    pub fn open(file: &'a Path) -> Result<Self, VectorError> {
        // GDAL takes other names as well, of servers among them.
        if !file.exists() {
            return Err(VectorError::Missing { file: file.into() });
        }
        let guards = (Session::offline(), FetchGuard::begin());
        let unreadable = |reason: String| VectorError::Unreadable { file: file.into(), reason };
        let dataset = open_vectors(file).map_err(|error| match error {
            HeightError::CannotOpen { reason, .. } => unreadable(reason),
            HeightError::NoFile { kind, .. } => unreadable(format!("it is {kind}")),
            other => unreadable(other.to_string()),
        })?;
        Ok(Self { file, dataset, corners_left: MOST_CORNERS, _guards: guards })
    }

    /// GDAL's name of what reads it.
    pub fn driver(&self) -> String {
        self.dataset.driver().short_name()
    }

    /// Looks at all features that have a geometry, of the layers that are wanted.
    pub fn for_each<E: From<VectorError>>(
        &mut self,
        is_wanted: impl Fn(&str) -> bool,
        mut look: impl FnMut(&Feature<'_>, &Geometry, &mut Places<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self { file, dataset, corners_left, .. } = self;
        let unreadable = |reason: String| VectorError::Unreadable { file: (*file).into(), reason };
        for mut layer in dataset.layers() {
            let (name, own) = (layer.name(), layer.spatial_ref());
            if !is_wanted(&name) {
                continue;
            }
            let mut crs = None;
            forget_failure();
            for feature in layer.features() {
                // One without a geometry is an attribute alone.
                let Ok(geometry) = feature.geometry_by_index(0) else { continue };
                let layer = (&*name, own.as_ref());
                let number = feature.fid().unwrap_or_default();
                let mut places = Places { file, number, layer, crs: &mut crs, corners_left: &mut *corners_left };
                look(&feature, geometry, &mut places)?;
            }
            // Features end at a fault as they do at their end.
            if let Some(reason) = last_failure() {
                return Err(unreadable(reason).into());
            }
        }
        Ok(())
    }
}

/// The text of a field of a feature, if it has one.
pub(crate) fn field(feature: &Feature<'_>, name: &str) -> Option<String> {
    feature.field_as_string(feature.field_index(name).ok()?).ok().flatten()
}

/// The corners of a line or of a ring, in its own coordinates.
pub(crate) fn corners(line: &Geometry) -> Vec<[f64; 2]> {
    let mut places = Vec::new();
    line.get_points(&mut places);
    places.into_iter().map(|(x, y, _)| [x, y]).collect()
}

/// Looks at the points, lines and polygons of a geometry; triangles are polygons.
pub(crate) fn for_each_part<E>(
    geometry: &Geometry,
    look: &mut impl FnMut(OGRwkbGeometryType::Type, &Geometry) -> Result<(), E>,
) -> Result<(), E> {
    let kind = geometry_type_flatten(geometry.geometry_type());
    match kind {
        OGRwkbGeometryType::wkbMultiPoint
        | OGRwkbGeometryType::wkbMultiLineString
        | OGRwkbGeometryType::wkbMultiPolygon
        | OGRwkbGeometryType::wkbGeometryCollection
        | OGRwkbGeometryType::wkbPolyhedralSurface
        | OGRwkbGeometryType::wkbTIN => {
            (0..geometry.geometry_count()).try_for_each(|k| for_each_part(&geometry.get_geometry(k), look))
        }
        OGRwkbGeometryType::wkbTriangle => look(OGRwkbGeometryType::wkbPolygon, geometry),
        _ => look(kind, geometry),
    }
}

/// Where the corners of a feature are.
pub(crate) struct Places<'a> {
    file: &'a Path,
    number: u64,
    layer: (&'a str, Option<&'a SpatialRef>),
    crs: &'a mut Option<Crs>,
    corners_left: &'a mut usize,
}

/// The way from a layer's coordinates to longitudes and latitudes.
struct Crs {
    to_degrees: CoordTransform,
    is_geographic: bool,
}

/// Why corners are none.
enum Refused {
    Nowhere,
    Long,
    TooMany,
}

impl Places<'_> {
    /// Whether their own coordinates are longitudes and latitudes, as is known once a place was asked for.
    pub fn is_geographic(&self) -> bool {
        self.crs.as_ref().is_some_and(|crs| crs.is_geographic)
    }

    /// The file that they are in.
    pub fn file(&self) -> &Path {
        self.file
    }

    /// The number of the feature.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// That a part of the feature cannot be told.
    pub fn unsupported(&self, part: &Geometry) -> VectorError {
        VectorError::Unsupported { file: self.file.into(), feature: self.number, kind: part.geometry_name() }
    }

    /// A line in degrees, with places between corners that are far from each other. Longitudes go on beyond 180.
    pub fn line(&mut self, own: &[[f64; 2]]) -> Result<Vec<[f64; 2]>, VectorError> {
        self.read(|crs, most| crs.line(own, most))
    }

    /// A ring in degrees with places between corners that are far from each other, clockwise as a map shows it or the other way round;
    /// empty if it has no inside.
    pub fn ring(&mut self, own: &[[f64; 2]], clockwise: bool) -> Result<Vec<[f64; 2]>, VectorError> {
        self.read(|crs, most| crs.ring(own, clockwise, most))
    }

    fn read(
        &mut self,
        read: impl FnOnce(&Crs, usize) -> Result<Vec<[f64; 2]>, Refused>,
    ) -> Result<Vec<[f64; 2]>, VectorError> {
        let file = || PathBuf::from(self.file);
        if self.crs.is_none() {
            let (layer, own) = self.layer;
            let no_crs = || VectorError::NoCrs { file: file(), layer: foreign::sanitized(layer).to_string() };
            let unreadable = |e: GdalError| VectorError::Unreadable { file: file(), reason: message(&e) };
            *self.crs = Some(Crs::of(own.cloned().ok_or_else(no_crs)?).map_err(unreadable)?);
        }
        let Some(crs) = &self.crs else { return Ok(Vec::new()) };
        let read = read(crs, *self.corners_left).map_err(|refused| match refused {
            Refused::Nowhere => VectorError::Nowhere { file: file(), feature: self.number },
            Refused::Long => VectorError::Long { file: file(), feature: self.number },
            Refused::TooMany => VectorError::TooMany { file: file() },
        })?;
        *self.corners_left -= read.len();
        Ok(read)
    }
}

impl Crs {
    fn of(mut own: SpatialRef) -> Result<Self, GdalError> {
        own.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
        Ok(Self { to_degrees: CoordTransform::new(&own, &degrees_of(&own)?)?, is_geographic: own.is_geographic() })
    }

    fn line(&self, own: &[[f64; 2]], most: usize) -> Result<Vec<[f64; 2]>, Refused> {
        if own.len() > most {
            return Err(Refused::TooMany);
        }
        let mut own = own.to_vec();
        self.go_on(&mut own)?;
        let normals = self.normals(&own)?;
        let mut line = self.degrees(&self.refined(&own, &normals, most)?)?;
        go_on(&mut line);
        Ok(line)
    }

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
        self.go_on(&mut own)?;
        let is_turn = |edge: &[[f64; 2]]| {
            (edge[1][0] - edge[0][0]).abs() >= 360.0 && edge.iter().any(|[_, lat]| lat.abs() < 90.0)
        };
        if self.is_geographic && own.windows(2).any(is_turn) {
            return Err(Refused::Long);
        }
        let normals = self.normals(&own)?;
        // Twice its area as a vector, which looks up where the ring goes against the clock.
        let area: DVec3 = normals.windows(2).map(|edge| (edge[0] - normals[0]).cross(edge[1] - normals[0])).sum();
        let up = area.dot(normals.iter().sum::<DVec3>());
        if up.is_nan() || up.abs() < 1e-18 {
            return Ok(Vec::new());
        }
        let mut ring = self.degrees(&self.refined(&own, &normals, most)?)?;
        ring.pop();
        if (up < 0.0) != clockwise {
            ring.reverse();
        }
        Ok(ring)
    }

    /// Lets longitudes go on beyond 180: from 179 to -179 it is 2 degrees. From -180 to 180 it is a whole turn.
    fn go_on(&self, own: &mut [[f64; 2]]) -> Result<(), Refused> {
        if !self.is_geographic {
            return Ok(());
        }
        let mut turned_deg = 0.0;
        for k in 1..own.len() {
            let [before, here] = [own[k - 1], own[k]];
            let step_deg = here[0] + turned_deg - before[0];
            let at_pole = [before, here].map(|place| place[1].abs() >= 90.0);
            if (LEAST_CROSSING_DEG..360.0).contains(&step_deg.abs()) && at_pole != [true; 2] {
                turned_deg -= 360.0 * step_deg.signum();
            } else if step_deg.abs() > LONGEST_DEG && step_deg.abs() != 360.0 && at_pole == [false; 2] {
                return Err(Refused::Long);
            }
            own[k][0] += turned_deg;
        }
        Ok(())
    }

    fn normals(&self, own: &[[f64; 2]]) -> Result<Vec<DVec3>, Refused> {
        Ok(self.degrees(own)?.into_iter().map(normal).collect())
    }

    /// A line with places between corners that are far from each other, by their normals or by longitude.
    fn refined(&self, own: &[[f64; 2]], normals: &[DVec3], most: usize) -> Result<Vec<[f64; 2]>, Refused> {
        let parts = |(edge, normals): (&[[f64; 2]], &[DVec3])| {
            let turn_deg = if self.is_geographic { (edge[1][0] - edge[0][0]).abs() } else { 0.0 };
            (normals[0].distance(normals[1]) / FAR).max(turn_deg / LEAST_TURN_DEG).ceil().max(1.0) as usize
        };
        let parts: Vec<usize> = own.windows(2).zip(normals.windows(2)).map(parts).collect();
        let count = 1 + parts.iter().sum::<usize>();
        if count > most {
            return Err(Refused::TooMany);
        }
        let mut fine = Vec::with_capacity(count);
        for (edge, parts) in own.windows(2).zip(parts) {
            let at =
                |k: usize| [0, 1].map(|axis| edge[0][axis] + (edge[1][axis] - edge[0][axis]) * k as f64 / parts as f64);
            fine.extend((0..parts).map(at));
        }
        fine.extend(own.last());
        Ok(fine)
    }

    fn degrees(&self, own: &[[f64; 2]]) -> Result<Vec<[f64; 2]>, Refused> {
        let [mut x, mut y] = [0, 1].map(|axis| own.iter().map(|place| place[axis]).collect::<Vec<f64>>());
        transform(&self.to_degrees, &mut x, &mut y);
        let is_there = |(lon, lat): (&f64, &f64)| lon.is_finite() && lat.abs() <= 90.0;
        let all_are = x.iter().zip(&y).all(is_there);
        all_are.then(|| x.into_iter().zip(y).map(|(lon, lat)| [lon, lat]).collect()).ok_or(Refused::Nowhere)
    }
}

/// Each longitude is the one that is nearest to the last.
fn go_on(line: &mut [[f64; 2]]) {
    for k in 1..line.len() {
        line[k][0] -= 360.0 * ((line[k][0] - line[k - 1][0]) / 360.0).round();
    }
}
