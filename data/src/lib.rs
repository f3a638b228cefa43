//! Which data of the Earth ship with Orogen? Files as bytes; `README.md` says where they come from and under which licence.
//!
//! ```
//! // TIFF, little endian.
//! assert_eq!(&orogen_data::ETOPO5[..2], b"II");
//! ```

/// Heights of land and sea floor every 5 minutes of arc, in whole metres above mean sea level: a GeoTIFF of 4320 x 2161 postings,
/// rows on both poles (ETOPO5, public domain).
pub static ETOPO5: &[u8] = include_bytes!("../etopo5.tif");

/// NASA's Blue Marble of the whole Earth: a GeoTIFF with colours (public domain).
pub static BLUE_MARBLE: &[u8] = include_bytes!("../bluemarble.tif");

/// Lights of towns at night by NASA's Black Marble: a grey PNG with the six faces of a cube map in the order of WebGPU, one below the other,
/// 1024 x 1024 texels each; values are the square root of the light, 0 to 31 (public domain).
pub static NIGHT_LIGHTS_PNG: &[u8] = include_bytes!("../nightlights.png");

/// Names of places and summits, one a line after a header, UTF-8.
pub static GAZETTEER_CSV: &str = include_str!("../gazetteer.csv");

/// Stars to magnitude 6, the brightest first, one a line after a header: right ascension and declination in degrees (equator and equinox of
/// J2000), magnitude, colour index B-V.
pub static STARS_CSV: &str = include_str!("../stars.csv");
