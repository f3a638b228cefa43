//! Recording: what the camera did, as the few keys of a path that fly it again.

use bevy_ecs::resource::Resource;

use super::path::{CameraPath, Key, PathFile};
use super::state::Camera;

/// A replay is never further from what was flown than this part of the height above the ground.
const OFF_PER_HEIGHT: f64 = 0.005;
/// Nor further than this where the eye is lower than that allows, metres.
const LEAST_OFF_M: f64 = 0.02;
/// Nor does it look elsewhere by more than this, radians: a pixel of a window 1000 pixels high.
const OFF_RAD: f64 = 8e-4;

/// The pose of the camera at one frame.
#[derive(Debug, Clone, Copy)]
struct PoseSample {
    key: Key,
    camera: Camera,
    /// Metres that a replay may be off.
    off_m: f64,
}

/// A recording under way.
#[derive(Resource, Debug, Clone, Default)]
pub struct Recording {
    samples: Vec<PoseSample>,
    seconds: f64,
}

impl Recording {
    /// Takes in the camera of a frame, `dt_s` after the one before, with its height above the ground.
    pub fn add(&mut self, dt_s: f64, camera: &Camera, clearance_m: f64) {
        if !self.samples.is_empty() {
            self.seconds += dt_s;
        }
        let key = Key::of(self.seconds, &camera.pose());
        // Two frames within a rounded tick of the clock: the later one is where the camera is.
        if self.samples.last().is_some_and(|last| last.key.t_s >= key.t_s) {
            self.samples.pop();
        }
        let off_m = (clearance_m * OFF_PER_HEIGHT).max(LEAST_OFF_M);
        self.samples.push(PoseSample { key, camera: *camera, off_m });
    }

    /// Seconds recorded.
    pub fn duration_s(&self) -> f64 {
        self.seconds
    }

    /// The path that flies it again; none before the second frame.
    ///
    /// It has as many keys as it takes: each round puts one where a leg is furthest from what was flown, until every frame
    /// is met within the tolerance. With every frame a key nothing is off, so it ends.
    pub fn path_file(&self, title: impl Into<String>) -> Option<PathFile> {
        let last = self.samples.len().checked_sub(1).filter(|&last| last > 0)?;
        let mut chosen = vec![0, last];
        loop {
            let keys: Vec<Key> = chosen.iter().map(|&index| self.samples[index].key).collect();
            let path = CameraPath::from_keys(String::new(), &keys);
            let more: Vec<usize> = chosen.windows(2).filter_map(|leg| self.worst(path.as_ref().ok(), leg)).collect();
            if more.is_empty() {
                return path.is_ok().then(|| PathFile::new(title, keys));
            }
            chosen.extend(more);
            chosen.sort_unstable();
        }
    }

    /// The frame between two keys that a path misses most; the middle one where there is no path, because no way between
    /// its keys is the shortest.
    fn worst(&self, path: Option<&CameraPath>, leg: &[usize]) -> Option<usize> {
        let (first, last) = (leg[0], leg[1]);
        let Some(path) = path else { return (last - first > 1).then_some((first + last) / 2) };
        let off = |index: usize| {
            let sample = &self.samples[index];
            let flown = path.camera(sample.key.t_s - self.samples[0].key.t_s);
            let eye = flown.eye_m.distance(sample.camera.eye_m) / sample.off_m;
            let look = flown.orientation.angle_between(sample.camera.orientation) / OFF_RAD;
            eye.max(look)
        };
        let worst = (first + 1..last).map(|index| (off(index), index)).max_by(|a, b| a.0.total_cmp(&b.0))?;
        (worst.0 > 1.0).then_some(worst.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;
    use crate::camera::path::BUILT_IN;

    /// Over ground at half the height of the eye.
    fn record(camera: impl Fn(f64) -> Camera, seconds: f64) -> Recording {
        let mut recording = Recording::default();
        for frame in 0..=(seconds * 60.0) as u32 {
            let camera = camera(f64::from(frame) / 60.0);
            recording.add(1.0 / 60.0, &camera, 0.5 * camera.height_m());
        }
        recording
    }

    /// Law: a replay meets every recorded frame within the tolerance, over the pole and the antimeridian too, with far
    /// fewer keys than there were frames.
    #[test]
    fn a_replay_meets_every_frame() {
        let (_, everest) = BUILT_IN[0];
        let built_in = CameraPath::from_json(everest).expect("built in");
        // A circle around the pole, and a turn of the head that stops.
        let circle = |t: f64| {
            let pose = Pose {
                lat_deg: 89.9 + 0.05 * (0.3 * t).sin(),
                lon_deg: 170.0 + 25.0 * t,
                height_m: 4_000.0 + 500.0 * t.sin(),
                heading_deg: 40.0 * (t - 4.0).max(0.0),
                pitch_deg: -60.0 + 10.0 * t.cos(),
            };
            Camera::from_pose(&pose)
        };
        let cases: [(&str, &dyn Fn(f64) -> Camera); 2] = [("everest", &|t| built_in.camera(t)), ("pole", &circle)];
        for (name, camera) in cases {
            let recording = record(camera, 12.0);
            let file = recording.path_file(name).expect("many frames");
            assert!(file.keys.len() * 4 < recording.samples.len(), "{name}: {} keys", file.keys.len());
            let path = CameraPath::from_json(&file.to_json()).expect("what is written can be read");
            assert_eq!((path.title(), path.duration_s()), (name, 12.0));
            for sample in &recording.samples {
                let flown = path.camera(sample.key.t_s);
                let off_m = flown.eye_m.distance(sample.camera.eye_m);
                assert!(off_m <= sample.off_m, "{name} at {}: {off_m} m", sample.key.t_s);
                let off_rad = flown.orientation.angle_between(sample.camera.orientation);
                assert!(off_rad <= OFF_RAD, "{name} at {}: {off_rad}", sample.key.t_s);
            }
        }
    }

    #[test]
    fn a_camera_that_stands_still_needs_two_keys_and_one_frame_is_no_path() {
        let home = Camera::from_pose(&Pose::HOME);
        let still = record(|_| home, 5.0);
        assert_eq!(still.path_file("").expect("a path").keys.len(), 2);
        let mut one = Recording::default();
        one.add(0.1, &home, 100.0);
        assert_eq!((one.path_file(""), one.duration_s()), (None, 0.0));
    }

    /// Law: a jump to the other side of the Earth, where no way is the shortest, is recorded all the same.
    #[test]
    fn the_other_side_of_the_earth_is_no_trouble() {
        let at = |lon_deg| Camera::from_pose(&Pose { lat_deg: 0.0, lon_deg, ..Pose::HOME });
        let jump = record(|t| at(if t < 1.0 { 0.0 } else { 179.0 }), 2.0);
        assert!(jump.path_file("").expect("a path").keys.len() <= 12);
        let around = record(|t| at(90.0 * t), 2.0);
        assert!(around.path_file("").is_some());
    }
}
