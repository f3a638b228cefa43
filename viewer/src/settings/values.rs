//! What do the choices that are kept mean to the program? `foreign` reads and writes them.

pub use foreign::{settings::Settings, sun::SunSetting};

use crate::overlays::Overlays;
use crate::render::SunMode;

impl From<SunMode> for SunSetting {
    fn from(sun: SunMode) -> SunSetting {
        match sun {
            SunMode::Follow { azimuth_deg, elevation_deg } => SunSetting::Follow { azimuth_deg, elevation_deg },
            SunMode::At { unix_s } => SunSetting::At { unix_s },
        }
    }
}

impl From<SunSetting> for SunMode {
    fn from(sun: SunSetting) -> SunMode {
        match sun {
            SunSetting::Follow { azimuth_deg, elevation_deg } => SunMode::Follow { azimuth_deg, elevation_deg },
            SunSetting::At { unix_s } => SunMode::At { unix_s },
        }
    }
}

/// What is drawn on the ground, by the names that are kept.
///
/// # Errors
/// The name that is none.
pub fn overlays(names: &[String]) -> Result<Overlays, String> {
    if names.is_empty() { Ok(Overlays::default()) } else { Overlays::parse(&names.join(",")) }
}

/// The names of what is drawn on the ground.
pub fn overlay_names(overlays: Overlays) -> Vec<String> {
    Overlays::named().filter(|(_, one)| overlays.has(*one)).map(|(name, _)| name.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_kept_by_name() {
        let both = Overlays::parse("slope,contours").expect("names");
        assert_eq!(overlays(&overlay_names(both)), Ok(both));
        assert_eq!(overlays(&[]), Ok(Overlays::default()));
        assert!(overlays(&[String::from("x-rays")]).is_err_and(|why| why.contains("x-rays")));
    }
}
