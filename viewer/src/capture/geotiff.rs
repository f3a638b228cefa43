//! How is an orthoimage written so that every GIS program places it? As a GeoTIFF in longitude and latitude on WGS84 (EPSG:4326),
//! or on the ellipsoid of another planet.

use std::io::{Cursor, Write as _};
use std::path::Path;

use image::RgbImage;
use terrain::geodesy::Ellipsoid;
use tiff::encoder::compression::DeflateLevel;
use tiff::encoder::{Compression, Predictor, TiffEncoder, colortype};
use tiff::tags::Tag;

use super::atomic_file::AtomicFile;
use super::image_file::ImageError;
use super::orthoimage::PixelGrid;

/// Keys of OGC 19-008r4, each with where its value is (0: here), how many, and the value.
const GEO_KEYS: [u16; 20] = [
    1, 1, 0, 4, // Version and revision, number of keys.
    1024, 0, 1, 2, // GTModelType: geographic.
    1025, 0, 1, 1, // GTRasterType: pixels are areas.
    2048, 0, 1, 4326, // GeodeticCRS: WGS84.
    2054, 0, 1, 9102, // Angular units: degrees.
];

/// The same on an ellipsoid of its own, whose axes are the first of the parameters that are numbers.
const OWN_GEO_KEYS: [u16; 36] = [
    1, 1, 0, 8, // Version and revision, number of keys.
    1024, 0, 1, 2, // GTModelType: geographic.
    1025, 0, 1, 1, // GTRasterType: pixels are areas.
    2048, 0, 1, 32767, // GeodeticCRS: its own.
    2050, 0, 1, 32767, // Datum: its own.
    2054, 0, 1, 9102, // Angular units: degrees.
    2056, 0, 1, 32767, // Ellipsoid: its own.
    2057, 34736, 1, 0, // Semi-major axis.
    2058, 34736, 1, 1, // Semi-minor axis.
];

/// Whether a name is that of a GeoTIFF.
pub(super) fn is_geotiff(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["tif", "tiff"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// Writes an orthoimage to a file, whole or not at all, with a note as its description.
///
/// # Errors
/// [`ImageError::Write`] with what the system says.
pub(super) fn write_file(
    path: &Path,
    image: &RgbImage,
    grid: &PixelGrid,
    note: Option<&str>,
) -> Result<(), ImageError> {
    let failed = |why: String| ImageError::Write { path: path.to_path_buf(), why };
    let bytes = encoded(image, grid, note).map_err(|error| failed(error.to_string()))?;
    let mut file = AtomicFile::create(path).map_err(|error| failed(error.to_string()))?;
    file.write_all(&bytes).and_then(|()| file.commit()).map_err(|error| failed(error.to_string()))
}

fn encoded(image: &RgbImage, grid: &PixelGrid, note: Option<&str>) -> tiff::TiffResult<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    let encoder = TiffEncoder::new(&mut bytes)?;
    let encoder = encoder.with_compression(Compression::Deflate(DeflateLevel::Balanced));
    let mut encoder = encoder.with_predictor(Predictor::Horizontal);
    let mut picture = encoder.new_image::<colortype::RGB8>(image.width(), image.height())?;
    let tags = picture.encoder();
    tags.write_tag(Tag::ModelPixelScaleTag, &[grid.pixel_deg.0, grid.pixel_deg.1, 0.0][..])?;
    tags.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, grid.west_deg, grid.north_deg, 0.0][..])?;
    if grid.ellipsoid == Ellipsoid::WGS84 {
        tags.write_tag(Tag::GeoKeyDirectoryTag, &GEO_KEYS[..])?;
    } else {
        let axes_m = [grid.ellipsoid.semi_major_m(), grid.ellipsoid.semi_minor_m()];
        tags.write_tag(Tag::GeoKeyDirectoryTag, &OWN_GEO_KEYS[..])?;
        tags.write_tag(Tag::GeoDoubleParamsTag, &axes_m[..])?;
    }
    if let Some(note) = note {
        // ASCII is what the format has.
        let ascii: String = note.chars().map(|c| if c.is_ascii() && c != '\0' { c } else { '?' }).collect();
        tags.write_tag(Tag::ImageDescription, ascii.as_str())?;
    }
    picture.write_data(image.as_raw())?;
    Ok(bytes.into_inner())
}
