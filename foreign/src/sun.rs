//! Where did somebody put the sun?

use serde::{Deserialize, Serialize};

/// The farthest times from 1970, seconds.
pub const FARTHEST_S: f64 = 1e10;

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
