//! A fly-through: the camera at any time between the keys of a path file ([`foreign::path`]).

use foreign::spline;
use glam::{DQuat, DVec3};
use terrain::geodesy::Ellipsoid;

pub use foreign::path::{Key, LEAST_STEP_S, MOST_FRAMES, PathError, PathFile, VERSION};

use super::state::{Attitude, Camera};

/// Paths that ship with the program, by name.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("everest", include_str!("../../paths/everest.json")),
    ("andes", include_str!("../../paths/andes.json")),
    ("poles", include_str!("../../paths/poles.json")),
];

/// A path, ready to be asked for cameras.
#[derive(Debug, Clone)]
pub struct CameraPath {
    title: String,
    ellipsoid: Ellipsoid,
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
        let file = PathFile::from_json(text)?;
        Self::from_keys(file.title, &file.keys)
    }

    /// A path through keys.
    ///
    /// # Errors
    /// [`PathError`] as for [`from_json`](Self::from_json).
    pub fn from_keys(title: String, keys: &[Key]) -> Result<Self, PathError> {
        foreign::path::check(keys)?;
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
            ellipsoid: Ellipsoid::WGS84,
            times,
            normals,
            scalars,
        })
    }

    /// The same on another planet than the Earth.
    #[must_use]
    pub fn on(self, ellipsoid: Ellipsoid) -> Self {
        Self { ellipsoid, ..self }
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
        Camera::new(self.ellipsoid, n, scalar(HEIGHT).sinh() * 1e3, Attitude { heading, pitch_rad: scalar(PITCH) })
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
            [b"1e308", b"-1e308", b"5e-324", b"null", b"[[[[", b"\"t_s\":", b"0", b"9", b"-90", b"\xff"];
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

    /// Law: keys that are accepted have a camera at any time, however close they are; closer ones are refused by name.
    #[test]
    fn keys_that_are_too_close() {
        let path = |step_s: f64| {
            let keys = [(0.0, 10.0), (step_s, -170.0), (1.0, 100.0)];
            let keys = keys.map(|(t_s, lon_deg)| key(t_s, 0.1 * lon_deg, lon_deg, 1e4, 0.0, 0.0));
            CameraPath::from_keys(String::new(), &keys)
        };
        for step_s in [5e-324, 1e-320, 1e-300, 1e-9, 9.99e-7] {
            let error = path(step_s).expect_err("too close").to_string();
            assert!(error.contains("key 1") && error.contains(&foreign::number(step_s).to_string()), "{error}");
        }
        for step_s in [1e-6, 1e-3, 1.0 - 1e-6] {
            let path = path(step_s).expect("far enough");
            for t_s in [0.0, 0.3 * step_s, step_s, step_s + 1e-9, 0.5, 1.0] {
                let camera = path.camera(t_s);
                assert!(camera.eye_m.is_finite() && camera.forward().is_finite(), "{step_s} {t_s}: {camera:?}");
            }
        }
        // As they come at the latest time that there is.
        let late = [999_999.999_998, 999_999.999_999, 1e6].map(|t_s| key(t_s, 0.0, 0.0, 1e4, 0.0, 0.0));
        assert!(CameraPath::from_keys(String::new(), &late).is_ok());
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
