//! A fly-through in a file: camera keys over time, and the camera at any time between them.
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
//! `t_s` are seconds and strictly increase; `height_m` is above sea level; `heading_deg` (clockwise from
//! north) and `pitch_deg` (up positive) default to 0. Unknown members are errors. Between keys the eye
//! follows a smooth track on the sphere, its height changes smoothly on a logarithmic scale, and the
//! heading turns the short way as seen along the track, over the poles too. It starts and ends at rest.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::spline;
use super::state::{Attitude, Camera, Pose};

/// The format version this program writes and reads.
pub const VERSION: u32 = 1;

/// What `format` says in every path file.
const FORMAT: &str = "orogen-path";

/// Paths that ship with the program, by name.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("everest", include_str!("../../paths/everest.json")),
    ("andes", include_str!("../../paths/andes.json")),
    ("poles", include_str!("../../paths/poles.json")),
];

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

    /// The text of the file, a key a line, as [`CameraPath::from_json`] reads it.
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
pub enum PathError {
    /// Not JSON, or not these members.
    #[error("not a path file: {0}")]
    Json(String),
    /// Another kind of file.
    #[error("\"format\" is \"{0}\", expected \"orogen-path\"")]
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
    /// Time stands still or runs back.
    #[error("key {key}: t_s {t_s} does not come after the key before it")]
    Order {
        /// Index of the key, from 0.
        key: usize,
        /// Its time.
        t_s: f64,
    },
    /// A number outside its range.
    #[error("key {key}: {member} {value} is not in {range}")]
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

/// Most frames of a film, nine hours at 30 a second.
pub const MOST_FRAMES: u32 = 1_000_000;

/// A path, ready to be asked for cameras.
#[derive(Debug, Clone)]
pub struct CameraPath {
    title: String,
    times: Vec<f64>,
    normals: Vec<DVec3>,
    velocities: Vec<DVec3>,
    /// asinh of the height in kilometres, pitch, and heading turned since the first key.
    scalars: [Vec<f64>; 3],
    slopes: [Vec<f64>; 3],
    /// Horizontal heading at each key.
    headings: Vec<DVec3>,
}

const HEIGHT: usize = 0;
const PITCH: usize = 1;
const TURN: usize = 2;

impl CameraPath {
    /// Reads and checks the text of a path file.
    ///
    /// # Errors
    /// [`PathError`] says which key or member is wrong.
    pub fn from_json(text: &str) -> Result<Self, PathError> {
        let file: PathFile = serde_json::from_str(text).map_err(|e| PathError::Json(e.to_string()))?;
        if file.format != FORMAT {
            return Err(PathError::Format(file.format));
        }
        if file.version != VERSION {
            return Err(PathError::Version { found: file.version });
        }
        Self::from_keys(file.title, &file.keys)
    }

    /// A path through keys.
    ///
    /// # Errors
    /// [`PathError`] as for [`from_json`](Self::from_json).
    pub fn from_keys(title: String, keys: &[Key]) -> Result<Self, PathError> {
        check(keys)?;
        let times: Vec<f64> = keys.iter().map(|key| key.t_s).collect();
        let cameras: Vec<Camera> = keys.iter().map(|key| Camera::from_pose(&key.pose())).collect();
        let normals: Vec<DVec3> = cameras.iter().map(Camera::normal).collect();
        let attitudes: Vec<Attitude> = cameras.iter().map(Camera::attitude).collect();
        if let Some(key) = normals.windows(2).position(|n| n[0].dot(n[1]) < -0.999_999) {
            return Err(PathError::Antipodes { key });
        }
        let mut turn = vec![0.0];
        for key in 1..keys.len() {
            let (from, to) = (normals[key - 1], normals[key]);
            let carried = DQuat::from_rotation_arc(from, to) * attitudes[key - 1].heading;
            let heading = attitudes[key].heading;
            let short = carried.cross(heading).dot(to).atan2(carried.dot(heading));
            turn.push(turn[key - 1] + short);
        }
        let scalars = [
            keys.iter().map(|key| (key.height_m * 1e-3).asinh()).collect(),
            attitudes.iter().map(|a| a.pitch_rad).collect(),
            turn,
        ];
        Ok(Self {
            title,
            velocities: spline::track_velocities(&times, &normals),
            slopes: [HEIGHT, PITCH, TURN].map(|i| spline::monotone_slopes(&times, &scalars[i])),
            headings: attitudes.iter().map(|a| a.heading).collect(),
            times,
            normals,
            scalars,
        })
    }

    /// What one sees, for people; may be empty.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Seconds from the first key to the last.
    pub fn duration_s(&self) -> f64 {
        self.times[self.times.len() - 1] - self.times[0]
    }

    /// The camera `t_s` seconds after the first key, held at the ends.
    pub fn camera(&self, t_s: f64) -> Camera {
        let at = spline::leg(&self.times, self.times[0] + t_s);
        let scalar = |i: usize| spline::scalar(&self.times, &self.scalars[i], &self.slopes[i], at);
        let n = spline::track(&self.times, &self.normals, &self.velocities, at);
        let key = at.0;
        let carried = DQuat::from_rotation_arc(self.normals[key], n) * self.headings[key];
        let heading = DQuat::from_axis_angle(n, scalar(TURN) - self.scalars[TURN][key]) * carried;
        Camera::new(n, scalar(HEIGHT).sinh() * 1e3, Attitude { heading, pitch_rad: scalar(PITCH) })
    }

    /// Times of the frames of a film at `fps` (above 0), first and last camera included.
    ///
    /// # Errors
    /// [`PathError::TooManyFrames`] beyond [`MOST_FRAMES`].
    pub fn frame_times_s(&self, fps: f64) -> Result<impl ExactSizeIterator<Item = f64> + use<>, PathError> {
        let duration_s = self.duration_s();
        let frames = (duration_s * fps).round() + 1.0;
        if !(1.0..=f64::from(MOST_FRAMES)).contains(&frames) {
            return Err(PathError::TooManyFrames { duration_s, fps, frames });
        }
        Ok((0..frames as u32).map(move |frame| f64::from(frame) / fps))
    }
}

impl Key {
    /// The key of a pose, as it is.
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

fn check(keys: &[Key]) -> Result<(), PathError> {
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
        if index > 0 && key.t_s <= keys[index - 1].t_s {
            return Err(PathError::Order { key: index, t_s: key.t_s });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

    use super::*;

    fn key(t_s: f64, lat_deg: f64, lon_deg: f64, height_m: f64, heading_deg: f64, pitch_deg: f64) -> Key {
        Key { t_s, lat_deg, lon_deg, height_m, heading_deg, pitch_deg }
    }

    #[test]
    fn the_built_in_paths_are_valid() {
        for (name, text) in BUILT_IN {
            let path = CameraPath::from_json(text).expect(name);
            assert!(path.duration_s() > 1.0 && !path.title().is_empty(), "{name}");
        }
    }

    #[test]
    fn a_path_passes_its_keys() {
        let keys = [
            key(0.0, 0.0, 170.0, 2e7, 0.0, -90.0),
            key(4.0, 10.0, -175.0, 50_000.0, 350.0, -40.0),
            key(7.0, 12.0, -170.0, -400.0, 20.0, 5.0),
        ];
        let path = CameraPath::from_keys(String::new(), &keys).expect("valid");
        for key in keys {
            let (is, should) = (path.camera(key.t_s), Camera::from_pose(&key.pose()));
            assert!(is.eye_m.distance(should.eye_m) < 1e-3, "{key:?}");
            assert!(is.forward().distance(should.forward()) < 1e-6, "{key:?}");
        }
        assert_eq!(path.camera(-5.0), path.camera(0.0));
        assert_eq!(path.camera(99.0), path.camera(7.0));
    }

    #[test]
    fn heading_takes_the_short_way_and_the_pole_makes_no_jump() {
        let north = CameraPath::from_keys(
            String::new(),
            &[key(0.0, 0.0, 0.0, 1e4, 350.0, 0.0), key(2.0, 0.0, 0.0, 1e4, 10.0, 0.0)],
        )
        .expect("valid");
        let heading = north.camera(1.0).pose().heading_deg;
        assert!(!(1e-6..=359.999_999).contains(&heading), "{heading}");

        // Straight over the pole: heading 0 before it is heading 180 behind it.
        let over = CameraPath::from_keys(
            String::new(),
            &[key(0.0, 80.0, 20.0, 1e4, 0.0, -10.0), key(4.0, 80.0, -160.0, 1e4, 180.0, -10.0)],
        )
        .expect("valid");
        let first = over.camera(0.0);
        let side = first.right();
        for i in 0..=400 {
            let camera = over.camera(f64::from(i) * 0.01);
            assert!(camera.right().distance(side) < 1e-6, "the wings keep level at {i}");
        }
    }

    #[test]
    fn bad_files_say_what_is_wrong() {
        let text = |keys: &str| format!("{{\"format\":\"orogen-path\",\"version\":1,\"keys\":[{keys}]}}");
        let one = "{\"t_s\":0,\"lat_deg\":95,\"lon_deg\":0,\"height_m\":1}";
        let error = |text: &str| CameraPath::from_json(text).expect_err("bad").to_string();
        assert!(error(&text(one)).contains("lat_deg 95"));
        assert!(error(&text("")).contains("no keys"));
        assert!(error("[]").contains("not a path file"));
        assert!(error(&text(one).replace(":1,\"keys", ":7,\"keys")).contains("version 7"));
        let back = "{\"t_s\":1,\"lat_deg\":9,\"lon_deg\":0,\"height_m\":1}";
        assert!(error(&text(&format!("{back},{back}"))).contains("key 1: t_s 1"));
        let far = "{\"t_s\":2,\"lat_deg\":-9,\"lon_deg\":180,\"height_m\":1}";
        assert!(error(&text(&format!("{back},{far}"))).contains("opposite sides"));
    }

    /// Law: whatever becomes of a file's bytes, it is refused in words, or it is a path whose camera is somewhere at any time.
    #[test]
    fn damaged_files_never_panic() {
        let mut rng = StdRng::seed_from_u64(11);
        let pieces: [&[u8]; 10] =
            [b"1e308", b"-1e308", b"1e-320", b"null", b"[[[[", b"\"t_s\":", b"0", b"9", b"-90", b"\xff"];
        let (mut flown, mut refused) = (0, 0);
        for k in 0..4_000 {
            let mut bytes = BUILT_IN[k % BUILT_IN.len()].1.as_bytes().to_vec();
            for _ in 0..rng.random_range(1..4) {
                let at = rng.random_range(0..bytes.len());
                let end = (at + rng.random_range(0..6)).min(bytes.len());
                let piece = pieces[rng.random_range(0..pieces.len())];
                drop(bytes.splice(at..end, piece.iter().copied()));
            }
            match CameraPath::from_json(&String::from_utf8_lossy(&bytes)) {
                Ok(path) => {
                    flown += 1;
                    let times = [-1.0, 0.0, 0.37 * path.duration_s(), path.duration_s(), 1e9];
                    assert!(times.iter().all(|t_s| path.camera(*t_s).eye_m.is_finite()), "{path:?}");
                    let _most = path.frame_times_s(30.0).map(|times| assert!(times.len() > 0));
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
        assert!(flown > 20 && refused > 1_000, "{flown} {refused}");
    }

    #[test]
    fn frames_cover_the_whole_path() {
        let path = CameraPath::from_keys(
            String::new(),
            &[key(1.0, 0.0, 0.0, 1e4, 0.0, 0.0), key(3.0, 0.0, 1.0, 1e4, 0.0, 0.0)],
        )
        .expect("valid");
        let times = path.frame_times_s(10.0).expect("few");
        assert_eq!(times.len(), 21);
        assert!((times.last().expect("21 of them") - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_film_without_end_is_refused_with_its_numbers() {
        let keys = [key(0.0, 0.0, 0.0, 1e4, 0.0, 0.0), key(1e6, 0.0, 1.0, 1e4, 0.0, 0.0)];
        let path = CameraPath::from_keys(String::new(), &keys).expect("valid");
        let error = path.frame_times_s(240.0).err().expect("too many").to_string();
        for number in ["1000000 s", "240 frames", "240000001", "--fps"] {
            assert!(error.contains(number), "{number}: {error}");
        }
        assert_eq!(path.frame_times_s(0.5).expect("few").len(), 500_001);
    }
}
