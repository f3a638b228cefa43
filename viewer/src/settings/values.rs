//! What do the choices that are kept mean to the program? `foreign` reads and writes them.

pub use foreign::settings::{Settings, SunSetting};

use crate::render::{Shade, Sun};

impl From<Sun> for SunSetting {
    fn from(sun: Sun) -> SunSetting {
        match sun {
            Sun::Follow { azimuth_deg, elevation_deg } => SunSetting::Follow { azimuth_deg, elevation_deg },
            Sun::At { unix_s } => SunSetting::At { unix_s },
        }
    }
}

impl From<SunSetting> for Sun {
    fn from(sun: SunSetting) -> Sun {
        match sun {
            SunSetting::Follow { azimuth_deg, elevation_deg } => Sun::Follow { azimuth_deg, elevation_deg },
            SunSetting::At { unix_s } => Sun::At { unix_s },
        }
    }
}

/// What is drawn on the ground, by the names that are kept.
///
/// # Errors
/// The name that is none.
pub fn shade(names: &[String]) -> Result<Shade, String> {
    if names.is_empty() { Ok(Shade::default()) } else { Shade::parse(&names.join(",")) }
}

/// The names of what is drawn on the ground.
pub fn shade_names(shade: Shade) -> Vec<String> {
    Shade::NAMED.iter().filter(|(_, one)| shade.has(*one)).map(|(name, _)| (*name).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_kept_by_name() {
        let both = Shade::parse("slope,contours").expect("names");
        assert_eq!(shade(&shade_names(both)), Ok(both));
        assert_eq!(shade(&[]), Ok(Shade::default()));
        assert!(shade(&[String::from("x-rays")]).is_err_and(|why| why.contains("x-rays")));
    }
}
