//! How is the view tipped around its middle? Straight down and tilted again; and to a map, with north up, and back to what it was.

use bevy_ecs::resource::Resource;
use glam::DVec3;

use crate::camera::{Camera, Pose, looking_at, pitch_from_deg};

/// A view that looks down more steeply than this is tilted, others are turned straight down, degrees.
const STEEP_DEG: f64 = -80.0;
/// How far above the horizon of its middle the eye of a tilted view is, degrees.
const TILTED_DEG: f64 = 35.0;
/// An eye that is higher above it is not tilted, degrees.
const HIGHEST_DEG: f64 = 80.0;
/// A map has north up within this, degrees.
const NORTH_UP_DEG: f64 = 5.0;
/// An eye is where it was if it is no farther from there than this part of its distance to the ground.
const NEAR: f64 = 1e-3;

/// The view with the same place (ECEF metres) in its middle, as far away, straight down or tilted again.
pub(super) fn tipped(camera: &Camera, middle: DVec3) -> Pose {
    let now = camera.pose();
    let distance_m = camera.eye_m.distance(middle);
    let is_steep = now.pitch_deg < STEEP_DEG;
    let pitch_deg = if is_steep { pitch_from_deg(middle, TILTED_DEG, distance_m) } else { -90.0 };
    looking_at(camera.ellipsoid, middle, now.heading_deg, pitch_deg, distance_m)
}

/// Whether a view is a map: it looks down, with north up.
pub fn is_map_view(camera: &Camera) -> bool {
    let Pose { heading_deg, pitch_deg, .. } = camera.pose();
    pitch_deg < STEEP_DEG && heading_deg.min(360.0 - heading_deg) <= NORTH_UP_DEG
}

/// The view from which the last map was made.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub(super) struct BeforeMap(Option<TiltedView>);

#[derive(Debug, Clone, Copy)]
struct TiltedView {
    view: Pose,
    /// The map that it became.
    map: Camera,
    /// How far its eye was above the horizon of its middle, degrees; none of one that looked down, or into the sky.
    above_deg: Option<f64>,
}

impl TiltedView {
    /// Whether the eye of a camera is where another one is.
    fn is_near(&self, camera: &Camera, other: &Camera) -> bool {
        camera.eye_m.distance(other.eye_m) < NEAR * self.map.height_m().abs().max(1.0)
    }

    /// Whether a camera shows the map as it was made.
    fn is_left_at(&self, camera: &Camera) -> bool {
        is_map_view(camera) && self.is_near(camera, &self.map)
    }
}

impl BeforeMap {
    /// Whether a camera shows the last map as it was made, or what that was made from: a flight between them is as good as over.
    pub fn is_end(&self, camera: &Camera) -> bool {
        self.0.is_some_and(|before| before.is_left_at(camera) || before.is_near(camera, &camera.at(&before.view)))
    }

    /// The map of the place in the middle of a view (ECEF metres; none in the sky), as far away; of a map the view that it was made
    /// from, as it was or over the place that the map has gone to.
    pub fn turned(&mut self, camera: &Camera, middle: Option<DVec3>) -> Pose {
        let middle = middle.unwrap_or_else(|| camera.ellipsoid.ecef(camera.normal(), 0.0));
        let (now, distance_m) = (camera.pose(), camera.eye_m.distance(middle));
        if !is_map_view(camera) {
            let out = (camera.eye_m - middle).normalize_or(camera.normal());
            let above_deg = out.dot(camera.ellipsoid.normal_at(middle)).clamp(-1.0, 1.0).asin().to_degrees();
            let is_tilted = now.pitch_deg >= STEEP_DEG && above_deg <= HIGHEST_DEG;
            let map = looking_at(camera.ellipsoid, middle, 0.0, -90.0, distance_m);
            let above_deg = is_tilted.then_some(above_deg);
            self.0 = Some(TiltedView { view: now, map: camera.at(&map), above_deg });
            return map;
        }
        if let Some(before) = self.0.filter(|before| before.is_left_at(camera) && before.view.pitch_deg >= STEEP_DEG) {
            return before.view;
        }
        let pitch = |above_deg| pitch_from_deg(middle, above_deg, distance_m);
        let above_deg = self.0.and_then(|before| before.above_deg);
        // From far out what was tilted may look straight down.
        let as_before = above_deg.map(pitch).filter(|pitch_deg| *pitch_deg > STEEP_DEG);
        let heading_deg = self.0.map_or(now.heading_deg, |before| before.view.heading_deg);
        let pitch_deg = as_before.unwrap_or_else(|| pitch(TILTED_DEG));
        let view = looking_at(camera.ellipsoid, middle, heading_deg, pitch_deg, distance_m);
        self.0 = Some(TiltedView { view, map: *camera, above_deg });
        view
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::flat;

    /// Law: the view is straight down, then tilted, with the same place in its middle and the same heading.
    #[test]
    fn the_view_is_tipped_around_its_middle() {
        for height_m in [3_000.0, 400_000.0, 13_000_000.0] {
            let pose = Pose { lat_deg: 46.0, lon_deg: 7.0, height_m, heading_deg: 30.0, pitch_deg: -90.0 };
            let middle = Camera::from_pose(&Pose { height_m: 0.0, ..pose }).eye_m;
            let tilted = tipped(&Camera::from_pose(&pose), middle);
            let (ahead, there) = (Camera::from_pose(&tilted), middle - Camera::from_pose(&tilted).eye_m);
            assert!(
                ahead.forward().angle_between(there) < 1e-6 && (-80.0..-34.0).contains(&tilted.pitch_deg),
                "{tilted:?}"
            );
            assert!((there.length() - height_m).abs() < 1e-3 * height_m, "{tilted:?}");
            let down = tipped(&ahead, middle);
            assert!((down.lat_deg - 46.0).abs() < 1e-6 && (down.lon_deg - 7.0).abs() < 1e-6, "{down:?}");
            assert!((down.pitch_deg + 90.0).abs() < 1e-6 && (down.height_m - height_m).abs() < 1e-3 * height_m);
        }
    }

    /// The ground that a camera sees in the middle, ECEF metres.
    fn middle_of(camera: &Camera) -> Option<DVec3> {
        let hit = flat(0.0).ray(camera.eye_m, camera.forward(), 1e8).expect("a short march")?;
        Some(camera.eye_m + camera.forward() * hit.distance_m)
    }

    /// Law: a map looks straight down with north up on the place in the middle of the view, from as far away; it becomes the view that it
    /// was made from, and another press makes the same map.
    #[test]
    fn a_view_becomes_a_map_and_itself_again() {
        for (lat_deg, height_m, heading_deg, pitch_deg) in [
            (46.0, 9_000.0, 200.0, -30.0),
            (-33.0, 400_000.0, 40.0, -50.0),
            (84.0, 20_000.0, 120.0, -12.0),
            (10.0, 9_000_000.0, 340.0, -75.0),
            (46.0, 9_000.0, 3.0, -40.0),
        ] {
            let view = Pose { lat_deg, lon_deg: 7.0, height_m, heading_deg, pitch_deg };
            let (camera, mut before) = (Camera::from_pose(&view), BeforeMap::default());
            let middle = middle_of(&camera).expect("ground");
            let map = before.turned(&camera, Some(middle));
            let seen = Camera::from_pose(&map);
            assert!(is_map_view(&seen) && !is_map_view(&camera) && before.is_end(&seen), "{map:?}");
            assert!(map.pitch_deg < -89.99 && map.heading_deg.min(360.0 - map.heading_deg) < 0.01, "{map:?}");
            let distance_m = camera.eye_m.distance(middle);
            assert!((seen.eye_m.distance(middle) / distance_m - 1.0).abs() < 1e-6, "{map:?}");
            assert!(middle_of(&seen).expect("ground").distance(middle) < 1e-3 * distance_m, "{map:?}");
            let back = before.turned(&seen, middle_of(&seen));
            assert!(Camera::from_pose(&back).eye_m.distance(camera.eye_m) < 1e-6 * distance_m, "{back:?}");
            assert!((back.heading_deg - heading_deg).abs() < 1e-6 && (back.pitch_deg - pitch_deg).abs() < 1e-6);
            assert!(before.is_end(&Camera::from_pose(&back)), "on the way back the next press makes the same map");
            let again = Camera::from_pose(&before.turned(&Camera::from_pose(&back), Some(middle)));
            assert!(again.eye_m.distance(seen.eye_m) < 1e-6 * distance_m && is_map_view(&again), "{again:?}");
        }
    }

    /// Law: a map that has been moved is tilted over where it is now, as it was and turned as it was; one that was never tilted is tilted
    /// all the same, and so is one that was made of the sky or by hand.
    #[test]
    fn a_moved_map_is_tilted_where_it_is() {
        let view = Pose { lat_deg: 46.0, lon_deg: 7.0, height_m: 9_000.0, heading_deg: 200.0, pitch_deg: -30.0 };
        for (from, expected) in [
            (Some(view), Some((-30.0, 200.0))),
            (Some(Pose { pitch_deg: -90.0, ..view }), None),
            (Some(Pose { pitch_deg: 20.0, ..view }), None),
            (None, None),
        ] {
            let mut before = BeforeMap::default();
            let map = match from {
                Some(from) => before.turned(&Camera::from_pose(&from), middle_of(&Camera::from_pose(&from))),
                None => Pose { heading_deg: 0.0, pitch_deg: -90.0, ..view },
            };
            for (height_m, is_far) in [(map.height_m, false), (12_000_000.0, true)] {
                let moved = Camera::from_pose(&Pose { lat_deg: 10.0, lon_deg: -60.0, height_m, ..map });
                let middle = middle_of(&moved).expect("ground");
                let tilted = { before }.turned(&moved, Some(middle));
                let seen = Camera::from_pose(&tilted);
                assert!(!is_map_view(&seen), "{from:?}: {tilted:?}");
                let distance_m = moved.eye_m.distance(middle);
                let ahead = middle - seen.eye_m;
                assert!(seen.forward().angle_between(ahead) < 1e-5, "{from:?}: {tilted:?}");
                assert!((ahead.length() / distance_m - 1.0).abs() < 1e-5, "{from:?}: {tilted:?}");
                if let (Some((pitch_deg, heading_deg)), false) = (expected, is_far) {
                    assert!((tilted.pitch_deg - pitch_deg).abs() < 0.2, "{tilted:?}");
                    assert!((tilted.heading_deg - heading_deg).abs() < 0.2, "{tilted:?}");
                }
            }
        }
    }
}
