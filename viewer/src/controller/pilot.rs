//! How does anything take the camera elsewhere? By a flight, that leaves a view to come back to.

use bevy_ecs::prelude::*;
use bevy_ecs::system::{SystemParam, SystemState};

use super::view_history::ViewHistory;
use crate::accessibility::Accessibility;
use crate::camera::{Camera, Flight, Pose};

/// System parameter that flies the camera to a pose and keeps the view history.
#[derive(SystemParam)]
pub struct CameraPilot<'w, 's> {
    /// The camera.
    pub camera: ResMut<'w, Camera>,
    view_history: ResMut<'w, ViewHistory>,
    flight: Option<Res<'w, Flight>>,
    accessibility: Res<'w, Accessibility>,
    commands: Commands<'w, 's>,
}

/// Flies the camera of a world to a pose.
pub fn fly_to(world: &mut World, pose: &Pose) {
    let mut state = SystemState::<CameraPilot>::new(world);
    // Without a camera nothing flies.
    if let Ok(mut pilot) = state.get_mut(world) {
        pilot.fly_to(pose);
    }
    state.apply(world);
}

impl CameraPilot<'_, '_> {
    /// Flies to a pose, or jumps there where no way is the shortest or nothing is to move by itself.
    pub fn fly_to(&mut self, pose: &Pose) {
        let here = self.here();
        self.view_history.leave(here);
        self.start(Flight::new(&self.camera, pose), pose);
    }

    /// Flies to a pose that is closer to what is seen.
    pub fn fly_closer(&mut self, pose: &Pose) {
        let here = self.here();
        self.view_history.leave(here);
        self.start(Flight::closer(&self.camera, pose), pose);
    }

    /// Flies to the view before the last jump; false if there is none.
    pub fn fly_back(&mut self) -> bool {
        let here = self.here();
        let to = self.view_history.back_from(here);
        to.map(|pose| self.start(Flight::new(&self.camera, &pose), &pose)).is_some()
    }

    /// Flies to the view that the last step back left; false if there is none.
    pub fn fly_forward(&mut self) -> bool {
        let here = self.here();
        let to = self.view_history.forward_from(here);
        to.map(|pose| self.start(Flight::new(&self.camera, &pose), &pose)).is_some()
    }

    /// Where a flight that is under way ends.
    pub(super) fn bound_for(&self) -> Option<Camera> {
        self.flight.as_ref().map(|flight| flight.end())
    }

    /// Where the camera is, or is on its way to.
    fn here(&self) -> Pose {
        self.bound_for().unwrap_or(*self.camera).pose()
    }

    fn start(&mut self, flight: Option<Flight>, to: &Pose) {
        match flight.filter(|_| !self.accessibility.reduced_motion) {
            Some(flight) => self.commands.insert_resource(flight),
            None => {
                *self.camera = self.camera.at(to);
                self.commands.remove_resource::<Flight>();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: where motion is reduced a view is jumped to, at once and as it was asked for, and one can go back all the same; else it is flown to.
    #[test]
    fn views_are_jumped_to_where_motion_is_reduced() {
        let there = Pose { lat_deg: 10.0, lon_deg: 20.0, height_m: 5_000.0, heading_deg: 30.0, pitch_deg: -40.0 };
        for reduced_motion in [false, true] {
            let mut world = World::new();
            world.insert_resource(Camera::from_pose(&Pose::HOME));
            world.init_resource::<ViewHistory>();
            world.insert_resource(Accessibility { reduced_motion, ..Accessibility::default() });
            fly_to(&mut world, &there);
            let is_there = |world: &World| *world.resource::<Camera>() == Camera::from_pose(&there);
            assert_eq!((is_there(&world), world.contains_resource::<Flight>()), (reduced_motion, !reduced_motion));
            // One that is under way ends, too.
            world.insert_resource(Accessibility { reduced_motion: true, ..Accessibility::default() });
            fly_to(&mut world, &there);
            assert!(is_there(&world) && !world.contains_resource::<Flight>());
        }
    }
}
