//! Writes rasters of an analytic field in any coordinate system and convention.

use std::{
    f64::consts::TAU,
    ffi::{CStr, CString},
    path::{Path, PathBuf},
};

use elevation::geodesy::n_vector;
use gdal::{
    Dataset, DriverManager,
    raster::{Buffer, GdalType},
    spatial_ref::{AxisMappingStrategy, CoordTransform, SpatialRef},
};
use glam::DVec3;

/// Unit normal of a longitude and latitude in degrees.
pub fn normal(lon_deg: f64, lat_deg: f64) -> DVec3 {
    n_vector(lat_deg.to_radians(), lon_deg.to_radians())
}

/// A smooth field on the whole sphere, in metres: three waves of 500 m whose length is given as an angle.
#[derive(Clone, Copy)]
pub struct Field {
    wave_rad: f64,
}

impl Field {
    /// Waves of 240 postings: at 1000 m crest to trough the monotone cubic is within 0.3 m of it, while half a posting of
    /// misplacement costs up to 6.5 m for each wave.
    pub fn for_posting_deg(posting_deg: f64) -> Self {
        Self { wave_rad: 240.0 * posting_deg.to_radians() }
    }

    pub fn height_m(&self, n: DVec3) -> f64 {
        let wave = |x: f64| (TAU * x / self.wave_rad).sin();
        500.0 * (wave(n.x) + wave(n.y + 0.2) + wave(n.z + 0.1))
    }
}

/// A raster's geometry: size, geotransform in GDAL's sense, coordinate system.
pub struct Frame {
    pub size: (usize, usize),
    pub geo_transform: [f64; 6],
    pub crs: &'static str,
}

impl Frame {
    /// North-up, by its upper left corner and square texels.
    pub fn north_up(crs: &'static str, size: (usize, usize), west: f64, north: f64, posting: f64) -> Self {
        Self { size, geo_transform: [west, posting, 0.0, north, 0.0, -posting], crs }
    }

    /// Longitudes and latitudes in degrees of points given in texels from the upper left corner; NaN off the Earth.
    pub fn lon_lat(&self, texels: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let g = self.geo_transform;
        let (mut x, mut y): (Vec<f64>, Vec<f64>) =
            texels.iter().map(|(p, l)| (g[0] + g[1] * p + g[2] * l, g[3] + g[4] * p + g[5] * l)).unzip();
        let transform = CoordTransform::new(&srs(self.crs), &degrees(self.crs)).expect("PROJ knows it");
        // Points outside of a projection's domain come back infinite.
        let _some_outside = transform.transform_coords(&mut x, &mut y, &mut []);
        x.into_iter()
            .zip(y)
            .map(|(x, y)| if x.is_finite() && y.is_finite() { (x, y) } else { (f64::NAN, f64::NAN) })
            .collect()
    }

    /// The field at texel centres, row by row; NaN off the Earth.
    pub fn values(&self, field: Field) -> Vec<f64> {
        let (w, h) = self.size;
        let centres: Vec<_> = (0..w * h).map(|i| ((i % w) as f64 + 0.5, (i / w) as f64 + 0.5)).collect();
        self.lon_lat(&centres).into_iter().map(|(lon, lat)| field.height_m(normal(lon, lat))).collect()
    }

    /// Writes values as a GeoTIFF and returns it still open, to be completed.
    pub fn write<T: GdalType + Copy>(&self, path: &Path, values: Vec<T>) -> Dataset {
        let driver = DriverManager::get_driver_by_name("GTiff").expect("GDAL has GeoTIFF");
        let mut dataset =
            driver.create_with_band_type::<T, _>(path, self.size.0, self.size.1, 1).expect("the folder is writable");
        dataset.set_geo_transform(&self.geo_transform).expect("a geotransform");
        dataset.set_spatial_ref(&srs(self.crs)).expect("a system");
        let mut buffer = Buffer::new(self.size, values);
        dataset.rasterband(1).expect("a band").write((0, 0), self.size, &mut buffer).expect("written");
        dataset
    }

    /// Writes the field as 32-bit floats.
    pub fn write_field(&self, folder: &Path, name: &str, field: Field) -> PathBuf {
        let path = folder.join(name);
        let values = self.values(field).into_iter().map(|v| v as f32).collect();
        self.write::<f32>(&path, values).close().expect("closed");
        path
    }
}

/// Writes a file into an archive: `/vsizip/ARCHIVE/FILE`.
pub fn zip(inside: &Path, bytes: &[u8]) {
    write_by_gdal(inside, c"wb", 0, bytes);
}

/// Writes bytes over those of a file of GDAL from an offset on.
pub fn overwrite(file: &Path, offset: usize, bytes: &[u8]) {
    write_by_gdal(file, c"r+b", offset, bytes);
}

fn write_by_gdal(file: &Path, mode: &CStr, offset: usize, bytes: &[u8]) {
    let name = CString::new(file.to_string_lossy().as_bytes()).expect("no zero in it");
    // SAFETY: the strings end in zeros, the handle is checked, the bytes are as many as is said.
    unsafe {
        let handle = gdal_sys::VSIFOpenL(name.as_ptr(), mode.as_ptr());
        assert!(!handle.is_null(), "{}", file.display());
        // Zips are written from their beginning to their end.
        assert!(offset == 0 || gdal_sys::VSIFSeekL(handle, offset as u64, 0) == 0);
        assert_eq!(gdal_sys::VSIFWriteL(bytes.as_ptr().cast(), 1, bytes.len(), handle), bytes.len());
        gdal_sys::VSIFCloseL(handle);
    }
}

/// Longitude and latitude: WGS 84 for systems of the Earth, and elsewhere the system's own.
pub fn degrees(definition: &str) -> SpatialRef {
    let given = srs(definition);
    if given.semi_major().is_ok_and(|radius_m| (radius_m - 6_371e3).abs() > 10e3) {
        let mut own = given.geog_cs().expect("it is of a body");
        own.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
        return own;
    }
    srs("EPSG:4326")
}

/// A coordinate system with x east and y north.
pub fn srs(definition: &str) -> SpatialRef {
    let mut srs = SpatialRef::from_definition(definition).expect("PROJ knows it");
    srs.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
    srs
}
