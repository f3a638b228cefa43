//! Going somewhere: a smooth flight from the camera to a place, high enough to see the way, and on along a path if wanted.

use bevy_ecs::resource::Resource;

use super::path::{CameraPath, Key};
use super::state::{Camera, Pose};

/// A flight under way.
#[derive(Resource, Debug, Clone)]
pub struct Flight {
    path: CameraPath,
    flown_s: f64,
    /// Flown when the first path has been.
    then: Option<CameraPath>,
}

/// Seconds of a flight closer to what is seen.
const CLOSER_S: f64 = 1.2;

/// A start of a path this near is flown from at once: a ten-thousandth of the way to the Earth's centre, and a degree.
const AT_START: f64 = 1e-4;

impl Flight {
    /// From `camera` to `to`. The middle of a long way is flown at half its length, at most 4000 km up.
    /// None if no great circle is the shortest way, which happens on exactly the other side of the Earth.
    pub fn new(camera: &Camera, to: &Pose) -> Option<Flight> {
        let end = camera.at(to);
        let (from_n, to_n) = (camera.normal(), end.normal());
        let way_m = from_n.angle_between(to_n) * camera.ellipsoid.mean_radius_m();
        let top_m = (0.5 * way_m).min(4_000_000.0);
        let seconds = 1.5 + 0.35 * (1.0 + way_m / 1_000.0).ln();
        let mut keys = vec![Key::exact(0.0, &camera.pose())];
        let highest = camera.height_m().max(to.height_m);
        if top_m > highest {
            let middle = camera.transported_to((from_n + to_n).try_normalize()?, top_m);
            let pose = Pose { pitch_deg: middle.pose().pitch_deg.min(-50.0), ..middle.pose() };
            keys.push(Key::exact(0.5 * seconds, &pose));
        }
        keys.push(Key::exact(seconds, to));
        let path = CameraPath::from_keys(String::new(), &keys).ok()?.on(camera.ellipsoid);
        Some(Flight { path, flown_s: 0.0, then: None })
    }

    /// From `camera` to `to` by the shortest way, as a camera that is taken closer to what it sees.
    pub fn closer(camera: &Camera, to: &Pose) -> Option<Flight> {
        let keys = [Key::exact(0.0, &camera.pose()), Key::exact(CLOSER_S, to)];
        let path = CameraPath::from_keys(String::new(), &keys).ok()?.on(camera.ellipsoid);
        Some(Flight { path, flown_s: 0.0, then: None })
    }

    /// Where it ends.
    pub fn end(&self) -> Camera {
        let path = self.then.as_ref().unwrap_or(&self.path);
        path.camera(path.duration_s())
    }

    /// From `camera` to the start of `path`, and along it to its end.
    pub fn along(camera: &Camera, path: CameraPath) -> Flight {
        let path = path.on(camera.ellipsoid);
        let start = path.camera(0.0);
        let near = camera.eye_m.distance(start.eye_m) < AT_START * camera.eye_m.length()
            && camera.orientation.angle_between(start.orientation) < 0.02;
        match Flight::new(camera, &start.pose()).filter(|_| !near) {
            Some(there) => Flight { then: Some(path), ..there },
            None => Flight { path, flown_s: 0.0, then: None },
        }
    }

    /// Flies on for `dt_s`; the flag says whether the flight has arrived.
    pub fn advance(&mut self, dt_s: f64) -> (Camera, bool) {
        self.flown_s += dt_s;
        let beyond_s = self.flown_s - self.path.duration_s();
        if beyond_s >= 0.0
            && let Some(next) = self.then.take()
        {
            *self = Flight { path: next, flown_s: beyond_s, then: None };
        }
        (self.path.camera(self.flown_s), self.flown_s >= self.path.duration_s())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flight_arrives_and_rises_on_the_way() {
        let from = Camera::from_pose(&Pose {
            lat_deg: 46.0,
            lon_deg: 8.0,
            height_m: 3_000.0,
            heading_deg: 0.0,
            pitch_deg: -10.0,
        });
        let to = Pose { lat_deg: 28.0, lon_deg: 86.9, height_m: 9_500.0, heading_deg: 45.0, pitch_deg: -15.0 };
        let mut flight = Flight::new(&from, &to).expect("a way");
        let mut highest = 0f64;
        for _ in 0..1_000 {
            let (camera, arrived) = flight.advance(1.0 / 60.0);
            highest = highest.max(camera.height_m());
            if arrived {
                assert!(camera.eye_m.distance(Camera::from_pose(&to).eye_m) < 1e-3);
                assert!(highest > 1_000_000.0);
                return;
            }
        }
        panic!("never arrives");
    }

    /// Law: a flight along a path begins at its start, wherever the camera was, and ends at its end.
    #[test]
    fn a_flight_along_a_path_flies_all_of_it() {
        let pose = |lon_deg: f64| Pose { lat_deg: 10.0, lon_deg, height_m: 5e5, heading_deg: 90.0, pitch_deg: -30.0 };
        let keys = [Key::exact(0.0, &pose(20.0)), Key::exact(4.0, &pose(24.0))];
        let path = CameraPath::from_keys(String::new(), &keys).expect("a path");
        for (from, to_start) in [(Pose::HOME, true), (pose(20.0), false), (pose(-160.0), true)] {
            let mut flight = Flight::along(&Camera::from_pose(&from), path.clone());
            let (mut seconds, mut nearest_m) = (0.0, f64::MAX);
            loop {
                let (camera, arrived) = flight.advance(0.01);
                seconds += 0.01;
                nearest_m = nearest_m.min(camera.eye_m.distance(path.camera(0.0).eye_m));
                if arrived {
                    assert!(camera.eye_m.distance(path.camera(4.0).eye_m) < 1e-3);
                    break;
                }
            }
            assert_eq!(seconds > 4.1, to_start, "{seconds}");
            assert!(nearest_m < 100.0, "{nearest_m}");
        }
    }
}
