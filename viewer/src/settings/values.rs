//! Which choices are kept? Each one only if the user has made it.

use serde::{Deserialize, Serialize};

use crate::render::{Shade, Sun};

/// The choices; none where the program decides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Tolerated geometric error on screen, pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixel_error: Option<f64>,
    /// Most triangles, from the next start on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangles: Option<u32>,
    /// Vertical field of view, degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fov_deg: Option<f64>,
    /// What is drawn on the ground, by the names of `--shade`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shade: Option<Vec<String>>,
    /// Where the light comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sun: Option<SunSetting>,
    /// Factor of the speed of flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Milliseconds of a frame that the quality gives way for; 0 never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_ms: Option<f64>,
    /// Figures at the lower edge: off, place or times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<String>,
}

/// Where the light comes from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, untagged)]
pub enum SunSetting {
    /// At a place in the sky of the eye, degrees.
    Follow {
        /// Clockwise from north.
        azimuth_deg: f64,
        /// Above the horizon.
        elevation_deg: f64,
    },
    /// Where it stands at a time.
    At {
        /// Seconds since 1970-01-01T00:00:00Z.
        unix_s: f64,
    },
}

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

impl Settings {
    /// What is drawn on the ground; none where the names are not all known.
    pub fn shade(&self) -> Option<Shade> {
        let names = self.shade.as_ref()?;
        if names.is_empty() { Some(Shade::default()) } else { Shade::parse(&names.join(",")).ok() }
    }

    /// The names of what is drawn on the ground.
    pub fn shade_names(shade: Shade) -> Vec<String> {
        Shade::NAMED.iter().filter(|(_, one)| shade.has(*one)).map(|(name, _)| (*name).to_string()).collect()
    }

    /// The choice that is out of its range, and the range.
    pub fn out_of_range(&self) -> Option<String> {
        let sun = match self.sun {
            Some(SunSetting::Follow { azimuth_deg, elevation_deg }) => [Some(azimuth_deg), Some(elevation_deg), None],
            Some(SunSetting::At { unix_s }) => [None, None, Some(unix_s)],
            None => [None; 3],
        };
        let numbers = [
            ("pixel_error", self.pixel_error, 0.05, 100.0),
            ("triangles", self.triangles.map(f64::from), 64.0, 1_048_576.0),
            ("fov_deg", self.fov_deg, 1.0, 150.0),
            ("speed", self.speed, 0.01, 100.0),
            ("frame_ms", self.frame_ms, 0.0, 10_000.0),
            ("azimuth_deg", sun[0], -360.0, 360.0),
            ("elevation_deg", sun[1], -90.0, 90.0),
            ("unix_s", sun[2], -1e10, 1e10),
        ];
        let wrong =
            numbers.into_iter().find(|(_, value, low, high)| value.is_some_and(|v| !(*low..=*high).contains(&v)));
        let number = wrong.map(|(name, value, low, high)| {
            format!("{name} {} is not in [{low}, {high}]", foreign::number(value.unwrap_or_default()))
        });
        let figures = || {
            let word = self.figures.as_ref().filter(|word| !["off", "place", "times"].contains(&word.as_str()))?;
            Some(format!("figures \"{word}\" is none of off, place, times"))
        };
        let names = || self.shade.as_ref().filter(|names| !names.is_empty());
        let shade =
            || names().and_then(|names| Shade::parse(&names.join(",")).err()).map(|why| format!("shade: {why}"));
        number.or_else(figures).or_else(shade)
    }

    /// What to keep after a flight: `self` as it was kept, with what has changed from `start` to `now`. So an option of
    /// the command line holds for one flight.
    pub fn with_changes(&self, start: &Settings, now: &Settings) -> Settings {
        fn kept<T: Clone + PartialEq>(kept: &Option<T>, start: &Option<T>, now: &Option<T>) -> Option<T> {
            if start == now { kept.clone() } else { now.clone() }
        }
        Settings {
            pixel_error: kept(&self.pixel_error, &start.pixel_error, &now.pixel_error),
            triangles: kept(&self.triangles, &start.triangles, &now.triangles),
            fov_deg: kept(&self.fov_deg, &start.fov_deg, &now.fov_deg),
            shade: kept(&self.shade, &start.shade, &now.shade),
            sun: kept(&self.sun, &start.sun, &now.sun),
            speed: kept(&self.speed, &start.speed, &now.speed),
            frame_ms: kept(&self.frame_ms, &start.frame_ms, &now.frame_ms),
            figures: kept(&self.figures, &start.figures, &now.figures),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what the user changed is kept, what the command line asked for is not, and what was kept before stays.
    #[test]
    fn an_option_holds_for_one_flight() {
        let kept = Settings { speed: Some(3.0), ..Settings::default() };
        // Started with --pixel-error 2, then the field of view was changed.
        let start = Settings { pixel_error: Some(2.0), fov_deg: Some(45.0), speed: Some(3.0), ..Settings::default() };
        let now = Settings { fov_deg: Some(60.0), ..start.clone() };
        let expected = Settings { speed: Some(3.0), fov_deg: Some(60.0), ..Settings::default() };
        assert_eq!(kept.with_changes(&start, &now), expected);
        assert_eq!(kept.with_changes(&start, &start), kept);
    }

    #[test]
    fn every_choice_has_a_range() {
        assert_eq!(Settings::default().out_of_range(), None);
        let sun = |elevation_deg| Some(SunSetting::Follow { azimuth_deg: 0.0, elevation_deg });
        for (settings, named) in [
            (Settings { pixel_error: Some(0.0), ..Settings::default() }, "pixel_error 0"),
            (Settings { triangles: Some(1), ..Settings::default() }, "triangles 1"),
            (Settings { fov_deg: Some(f64::NAN), ..Settings::default() }, "fov_deg NaN"),
            (Settings { sun: sun(91.0), ..Settings::default() }, "elevation_deg 91"),
            (Settings { figures: Some(String::from("all")), ..Settings::default() }, "figures \"all\""),
            (Settings { shade: Some(vec![String::from("x-rays")]), ..Settings::default() }, "shade: \"x-rays\""),
        ] {
            let said = settings.out_of_range().unwrap_or_default();
            assert!(said.contains(named), "{said}");
        }
    }

    #[test]
    fn drawings_are_kept_by_name() {
        let both = Shade::parse("slope,contours").expect("names");
        let settings = Settings { shade: Some(Settings::shade_names(both)), ..Settings::default() };
        assert_eq!(settings.shade(), Some(both));
        assert_eq!(Settings { shade: Some(Vec::new()), ..Settings::default() }.shade(), Some(Shade::default()));
        let unknown = Settings { shade: Some(vec![String::from("x-rays")]), ..Settings::default() };
        assert_eq!(unknown.shade(), None);
    }
}
