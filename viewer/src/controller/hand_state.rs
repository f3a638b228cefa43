//! What does the hand that moves the camera hold from one frame to the next?

use bevy_ecs::prelude::*;
use glam::DVec3;

use crate::camera::spin_inertia::SpinInertia;

/// Whether the camera is on its way by itself, so that the next picture will differ.
#[derive(Resource, Debug, Default)]
pub struct CameraInMotion(pub bool);

/// State of drags, pinches, zooms and eased motion that lasts from one frame to the next.
#[derive(Resource, Default)]
pub(super) struct HandState {
    /// ECEF point of a pan or pivot of an orbit.
    pub grabbed: Option<DVec3>,
    /// ECEF point that two fingers hold.
    pub pinched: Option<DVec3>,
    /// Whether north was up when the drag began.
    pub north_up: bool,
    /// A zoom that is not done yet.
    pub zoom: Option<Zoom>,
    /// What is left of a pan when the globe is let go.
    pub inertia: SpinInertia,
    /// Eased thrust (right, up, forward).
    pub thrust: DVec3,
    /// Eased keys that move the view as a map: pan to the right, tilt up, pan ahead.
    pub held_keys: DVec3,
}

/// A zoom under way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Zoom {
    /// The point that is kept where it is in the picture, ECEF metres.
    pub target: DVec3,
    /// What is left of it.
    pub notches: f64,
    /// To the cursor, or else to the middle of the picture.
    pub to_cursor: bool,
}
