//! What are heights measured from? `ellipsoid`, `egm96`, `EPSG:5703`.

use std::{fmt, str::FromStr};

/// What heights are measured from.
///
/// ```
/// use foreign::vertical::VerticalDatum;
/// assert_eq!("EPSG:5773".parse(), Ok(VerticalDatum::EGM96));
/// assert_eq!("navd88".parse(), Ok(VerticalDatum::Epsg(5703)));
/// assert_eq!(VerticalDatum::EGM2008.to_string(), "EPSG:3855");
/// assert!("sea level".parse::<VerticalDatum>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerticalDatum {
    /// The ellipsoid of WGS84, as satellite navigation has it.
    Ellipsoid,
    /// The vertical coordinate reference system of a code of EPSG; heights above it are in metres all the same.
    Epsg(u32),
}

impl VerticalDatum {
    /// The geoid of EGM96.
    pub const EGM96: Self = Self::Epsg(5773);
    /// The geoid of EGM2008.
    pub const EGM2008: Self = Self::Epsg(3855);
    /// That of North America.
    pub const NAVD88: Self = Self::Epsg(5703);
}

impl fmt::Display for VerticalDatum {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ellipsoid => to.write_str("ellipsoid"),
            Self::Epsg(code) => write!(to, "EPSG:{code}"),
        }
    }
}

impl FromStr for VerticalDatum {
    type Err = String;

    /// A code of EPSG, or a name. Whether the code is that of a vertical system is for PROJ to say.
    fn from_str(text: &str) -> Result<Self, String> {
        let lower = text.trim().to_ascii_lowercase();
        let of_code = || match lower.strip_prefix("epsg:")?.parse().ok()? {
            // WGS 84 in space.
            4979 => Some(Self::Ellipsoid),
            code => Some(Self::Epsg(code)),
        };
        match lower.as_str() {
            "ellipsoid" => Some(Self::Ellipsoid),
            "egm96" => Some(Self::EGM96),
            "egm2008" => Some(Self::EGM2008),
            "navd88" => Some(Self::NAVD88),
            _ => of_code(),
        }
        .ok_or_else(|| String::from("expected ellipsoid, egm96, egm2008, navd88 or EPSG:CODE of a vertical system"))
    }
}
