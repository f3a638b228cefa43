//! The recorder: keys start and end a recording, and fly it again.

use bevy_ecs::prelude::*;

use crate::app::Clock;
use crate::camera::ground::clearance_m;
use crate::camera::path::{CameraPath, PathFile};
use crate::camera::recording::Recording;
use crate::camera::{Camera, Flight};
use crate::input::Controls;
use crate::input::bindings::Action;
use crate::terrain::Planet;

/// What is recorded, and what can be flown again.
#[derive(Resource, Debug, Default)]
pub struct Recorder {
    under_way: Option<Recording>,
    /// A recording that has ended, for whoever writes it to a file.
    finished: Option<PathFile>,
    replay: Option<CameraPath>,
}

impl Recorder {
    /// A recorder that has a path to fly already.
    pub fn with_replay(replay: Option<CameraPath>) -> Recorder {
        Recorder { replay, ..Recorder::default() }
    }

    /// Seconds of the recording under way.
    pub fn recording_s(&self) -> Option<f64> {
        self.under_way.as_ref().map(Recording::duration_s)
    }

    /// The path that can be flown again.
    pub fn replay(&self) -> Option<&CameraPath> {
        self.replay.as_ref()
    }

    /// A recording that has ended since the last call.
    pub fn take_finished(&mut self) -> Option<PathFile> {
        self.finished.take()
    }

    /// Ends the recording under way; one of less than two frames is no path, and forgotten.
    pub fn finish(&mut self) {
        let Some(file) = self.under_way.take().and_then(|recording| recording.path_file("Recorded flight")) else {
            return;
        };
        // It has been a path a moment ago.
        self.replay = CameraPath::from_keys(file.title.clone(), &file.keys).ok().or(self.replay.take());
        self.finished = Some(file);
    }
}

/// Starts or ends a recording, and takes in the camera of the frame; after everything that moves the camera.
pub(super) fn record(
    (clock, controls, planet): (Res<Clock>, Res<Controls>, Res<Planet>),
    camera: Res<Camera>,
    mut recorder: ResMut<Recorder>,
) {
    if controls.is_triggered(Action::Record) {
        if recorder.under_way.is_some() {
            recorder.finish();
        } else {
            recorder.under_way = Some(Recording::default());
        }
    }
    if let Some(recording) = &mut recorder.under_way {
        recording.add(clock.dt_s, &camera, clearance_m(&camera, planet.ground()));
    }
}

/// Flies to the start of the path, then along it.
pub(super) fn replay(controls: Res<Controls>, recorder: Res<Recorder>, camera: Res<Camera>, mut commands: Commands) {
    if let (true, Some(path)) = (controls.is_triggered(Action::Replay), &recorder.replay) {
        commands.insert_resource(Flight::along(&camera, path.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;

    #[test]
    fn a_recording_becomes_a_file_and_the_path_to_fly_again() {
        let mut recorder = Recorder::default();
        recorder.finish();
        assert!(recorder.take_finished().is_none() && recorder.replay().is_none());
        let mut recording = Recording::default();
        for frame in 0..10 {
            let pose = Pose { lon_deg: f64::from(frame), ..Pose::HOME };
            recording.add(0.1, &Camera::from_pose(&pose), 1e6);
        }
        recorder.under_way = Some(recording);
        assert!((recorder.recording_s().expect("under way") - 0.9).abs() < 1e-9);
        recorder.finish();
        assert_eq!(recorder.recording_s(), None);
        assert_eq!(recorder.replay().expect("a path").duration_s(), 0.9);
        assert!(recorder.take_finished().is_some_and(|file| file.keys.len() >= 2));
        assert_eq!(recorder.take_finished(), None);
    }
}
