//! What does the file of a fly-through say? Camera keys over time.
//!
//! The format is JSON, versioned:
//!
//! ```json
//! { "format": "orogen-path", "version": 1, "title": "Over the Matterhorn",
//!   "keys": [
//!     { "t_s": 0, "lat_deg": 45.9, "lon_deg": 7.5, "height_m": 9000, "heading_deg": 60, "pitch_deg": -20 },
//!     { "t_s": 8, "lat_deg": 46.0, "lon_deg": 7.8, "height_m": 6000, "heading_deg": 90, "pitch_deg": -10 } ] }
//! ```
//!
//! `t_s` are seconds, each at least 1e-6 after the one before; `height_m` is above sea level; `heading_deg` (clockwise from
//! north) and `pitch_deg` (up positive) default to 0. Unknown members are errors. Between keys the eye follows a smooth
//! track on the sphere, and its height changes smoothly on a logarithmic scale. The heading turns the short way as seen
//! along the track, over the poles too. It starts and ends at rest.

use serde::{Deserialize, Serialize};

use crate::number;

/// The format version this program writes and reads.
pub const VERSION: u32 = 1;

/// What `format` says in every path file.
const FORMAT: &str = "orogen-path";

/// A camera in the words of people and files: degrees, and metres above the datum of the data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pose {
    /// Geodetic latitude, -90 to 90.
    pub lat_deg: f64,
    /// Longitude, east positive; any turn is accepted.
    pub lon_deg: f64,
    /// Height above sea level, metres.
    pub height_m: f64,
    /// Clockwise from north.
    #[serde(default)]
    pub heading_deg: f64,
    /// Up positive; -90 looks straight down.
    #[serde(default)]
    pub pitch_deg: f64,
}

impl Pose {
    /// The view that `H` returns to, and that a flight without `--at` starts from.
    pub const HOME: Pose =
        Pose { lat_deg: 27.0, lon_deg: 82.0, height_m: 13_000_000.0, heading_deg: 0.0, pitch_deg: -90.0 };
}

impl Pose {
    /// The number that is out of its range, and the range.
    pub fn out_of_range(&self) -> Option<String> {
        let Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg } = *self;
        let numbers = [
            ("lat_deg", lat_deg, 90.0),
            ("lon_deg", lon_deg, 360.0),
            ("height_m", height_m, 1e9),
            ("heading_deg", heading_deg, 360.0),
            ("pitch_deg", pitch_deg, 90.0),
        ];
        let wrong = numbers.into_iter().find(|(_, value, most)| !(-most..=*most).contains(value));
        wrong.map(|(what, value, most)| format!("{what} {} is not in [{}, {most}]", number(value), -most))
    }
}

/// A camera key of a path file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Seconds since the start.
    pub t_s: f64,
    /// Geodetic latitude, -90 to 90.
    pub lat_deg: f64,
    /// Longitude, east positive.
    pub lon_deg: f64,
    /// Height above sea level, metres.
    pub height_m: f64,
    /// Clockwise from north.
    #[serde(default)]
    pub heading_deg: f64,
    /// Up positive.
    #[serde(default)]
    pub pitch_deg: f64,
}

/// A path file as it is written.
///
/// ```
/// use foreign::path::{Key, PathFile, Pose};
/// let near = Pose { height_m: 9_000.0, pitch_deg: -20.0, ..Pose::HOME };
/// let file = PathFile::new("down", vec![Key::of(0.0, &Pose::HOME), Key::of(10.0, &near)]);
/// let read = PathFile::from_json(&file.to_json())?;
/// assert_eq!((read.keys[1].pose(), read), (near, file));
/// # Ok::<(), foreign::path::PathError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathFile {
    /// Always `orogen-path`.
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// What one sees, for people.
    #[serde(default)]
    pub title: String,
    /// At least one key, times increasing.
    pub keys: Vec<Key>,
}

impl PathFile {
    /// A file of this version.
    pub fn new(title: impl Into<String>, keys: Vec<Key>) -> PathFile {
        PathFile { format: String::from(FORMAT), version: VERSION, title: title.into(), keys }
    }

    /// The text of the file, a key a line, as [`PathFile::from_json`] reads it.
    pub fn to_json(&self) -> String {
        // Strings and numbers cannot fail to be JSON; a key that is no number would have been refused by `from_keys`.
        let json = |value: serde_json::Result<String>| value.unwrap_or_default();
        let keys: Vec<String> =
            self.keys.iter().map(|key| format!("    {}", json(serde_json::to_string(key)))).collect();
        format!(
            "{{\n  \"format\": \"{FORMAT}\",\n  \"version\": {},\n  \"title\": {},\n  \"keys\": [\n{}\n  ]\n}}\n",
            self.version,
            json(serde_json::to_string(&self.title)),
            keys.join(",\n")
        )
    }
}

/// What is wrong with a path file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// Not JSON, or not these members.
    #[error("not a path file: {}", crate::sanitized(.0))]
    Json(String),
    /// Another kind of file.
    #[error("\"format\" is \"{}\", expected \"orogen-path\"", crate::sanitized(.0))]
    Format(String),
    /// Written by another version.
    #[error("path version {found}, this program reads version {VERSION}")]
    Version {
        /// What the file says.
        found: u32,
    },
    /// Nothing to fly.
    #[error("the path has no keys")]
    Empty,
    /// Time stands still or runs back, or is closer than speeds between keys can tell.
    #[error("key {key}: t_s {} has to be at least {LEAST_STEP_S} s after {}, that of the key before it", crate::number(*t_s), crate::number(*before_s))]
    Order {
        /// Index of the key, from 0.
        key: usize,
        /// Its time.
        t_s: f64,
        /// The time of the key before it.
        before_s: f64,
    },
    /// A number outside its range.
    #[error("key {key}: {member} {} is not in {range}", crate::number(*value))]
    Range {
        /// Index of the key, from 0.
        key: usize,
        /// Name of the member.
        member: &'static str,
        /// Its value.
        value: f64,
        /// Allowed values.
        range: &'static str,
    },
    /// No great circle is the shortest between opposite points.
    #[error("keys {key} and {next} are on opposite sides of the Earth: put a key between them", next = key + 1)]
    Antipodes {
        /// Index of the first of the two keys.
        key: usize,
    },
    /// More frames than anybody looks at.
    #[error(
        "{duration_s} s of path at {fps} frames a second are {frames} frames, more than {MOST_FRAMES}: lower --fps, or shorten the path"
    )]
    TooManyFrames {
        /// Length of the path.
        duration_s: f64,
        /// Frames a second.
        fps: f64,
        /// Frames of the film.
        frames: f64,
    },
}

/// Seconds between two keys at least: speeds are differences over these.
pub const LEAST_STEP_S: f64 = 1e-6;

/// Most frames of a film, nine hours at 30 a second.
pub const MOST_FRAMES: u32 = 1_000_000;

impl PathFile {
    /// Reads and checks the text of a path file.
    ///
    /// # Errors
    /// [`PathError`] says which key or member is wrong.
    pub fn from_json(text: &str) -> Result<PathFile, PathError> {
        let file: PathFile = serde_json::from_str(text).map_err(|e| PathError::Json(e.to_string()))?;
        if file.format != FORMAT {
            return Err(PathError::Format(file.format));
        }
        if file.version != VERSION {
            return Err(PathError::Version { found: file.version });
        }
        check(&file.keys)?;
        Ok(file)
    }
}

impl Key {
    /// The key of a pose, as it is.
    ///
    /// ```
    /// use foreign::path::{Key, Pose};
    /// let pose = Pose { lat_deg: 46.123_456_789_12, ..Pose::HOME };
    /// assert_eq!(Key::exact(1.0, &pose).pose(), pose);
    /// assert_eq!(Key::of(1.0, &pose).lat_deg, 46.123_456_79);
    /// ```
    pub fn exact(t_s: f64, pose: &Pose) -> Key {
        let Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg } = *pose;
        Key { t_s, lat_deg, lon_deg, height_m, heading_deg, pitch_deg }
    }

    /// The key of a pose, rounded to what matters: a millimetre, and a thousandth of a pixel.
    pub fn of(t_s: f64, pose: &Pose) -> Key {
        let rounded = |value: f64, digits: i32| (value * 10f64.powi(digits)).round() / 10f64.powi(digits);
        Key {
            t_s: rounded(t_s, 4),
            lat_deg: rounded(pose.lat_deg, 8),
            lon_deg: rounded(pose.lon_deg, 8),
            height_m: rounded(pose.height_m, 3),
            heading_deg: rounded(pose.heading_deg, 5),
            pitch_deg: rounded(pose.pitch_deg, 5),
        }
    }

    /// The camera of the key.
    pub fn pose(&self) -> Pose {
        Pose {
            lat_deg: self.lat_deg,
            lon_deg: self.lon_deg,
            height_m: self.height_m,
            heading_deg: self.heading_deg,
            pitch_deg: self.pitch_deg,
        }
    }
}

/// That there are keys, each in its ranges and far enough after the one before.
///
/// ```
/// use foreign::path::{Key, PathError, Pose, check};
/// let [first, second] = [0.0, 2.0].map(|t_s| Key::of(t_s, &Pose::HOME));
/// assert!(check(&[first, second]).is_ok());
/// assert!(matches!(check(&[second, first]), Err(PathError::Order { key: 1, .. })));
/// assert!(matches!(check(&[]), Err(PathError::Empty)));
/// ```
///
/// # Errors
/// [`PathError`] names the key.
pub fn check(keys: &[Key]) -> Result<(), PathError> {
    if keys.is_empty() {
        return Err(PathError::Empty);
    }
    for (index, key) in keys.iter().enumerate() {
        let ranges = [
            ("t_s", key.t_s, 0.0, 1e6, "0 ..= 1e6"),
            ("lat_deg", key.lat_deg, -90.0, 90.0, "-90 ..= 90"),
            ("lon_deg", key.lon_deg, -540.0, 540.0, "-540 ..= 540"),
            ("height_m", key.height_m, -12_000.0, 1e8, "-12000 ..= 1e8"),
            ("heading_deg", key.heading_deg, -720.0, 720.0, "-720 ..= 720"),
            ("pitch_deg", key.pitch_deg, -90.0, 90.0, "-90 ..= 90"),
        ];
        for (member, value, low, high, range) in ranges {
            if !(low..=high).contains(&value) {
                return Err(PathError::Range { key: index, member, value, range });
            }
        }
        let before_s = index.checked_sub(1).map(|before| keys[before].t_s);
        if let Some(before_s) = before_s.filter(|before_s| key.t_s < before_s + LEAST_STEP_S) {
            return Err(PathError::Order { key: index, t_s: key.t_s, before_s });
        }
    }
    Ok(())
}
