//! Going somewhere: a smooth flight from the camera to a place, high enough to see the way.

use bevy_ecs::resource::Resource;

use super::path::{CameraPath, Key};
use super::state::{Camera, Pose};

/// A flight under way.
#[derive(Resource, Debug, Clone)]
pub struct Flight {
    path: CameraPath,
    flown_s: f64,
}

impl Flight {
    /// From `camera` to `to`. The middle of a long way is flown at half its length, at most 4000 km up.
    /// None if no great circle is the shortest way, which happens on exactly the other side of the Earth.
    pub fn new(camera: &Camera, to: &Pose) -> Option<Flight> {
        let end = Camera::from_pose(to);
        let (from_n, to_n) = (camera.normal(), end.normal());
        let way_m = from_n.angle_between(to_n) * 6_371_000.0;
        let top_m = (0.5 * way_m).min(4_000_000.0);
        let seconds = 1.5 + 0.35 * (1.0 + way_m / 1_000.0).ln();
        let mut keys = vec![key(0.0, &camera.pose())];
        let highest = camera.height_m().max(to.height_m);
        if top_m > highest {
            let middle = camera.carried_to((from_n + to_n).try_normalize()?, top_m);
            let pose = Pose { pitch_deg: middle.pose().pitch_deg.min(-50.0), ..middle.pose() };
            keys.push(key(0.5 * seconds, &pose));
        }
        keys.push(key(seconds, to));
        let path = CameraPath::from_keys(String::new(), &keys).ok()?;
        Some(Flight { path, flown_s: 0.0 })
    }

    /// Flies on for `dt_s`; the flag says whether the flight has arrived.
    pub fn advance(&mut self, dt_s: f64) -> (Camera, bool) {
        self.flown_s += dt_s;
        (self.path.camera(self.flown_s), self.flown_s >= self.path.duration_s())
    }
}

fn key(t_s: f64, pose: &Pose) -> Key {
    Key {
        t_s,
        lat_deg: pose.lat_deg,
        lon_deg: pose.lon_deg,
        height_m: pose.height_m,
        heading_deg: pose.heading_deg,
        pitch_deg: pose.pitch_deg,
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
}
