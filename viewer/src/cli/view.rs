//! Which view do `--at`, `--fit` and `--look` ask for?

use terrain::height::Relief;

use super::args::{PoseArgs, SceneArgs};
use super::values::{self, Fit, Look, Viewpoint};
use crate::camera::{Camera, Extent, Lens, Pose, places_of_box};
use crate::scene::extent_of_top;

/// The optics of a picture: its lens, and its width over its height.
pub struct Optics {
    /// The lens.
    pub lens: Lens,
    /// Width over height.
    pub aspect: f64,
}

impl Optics {
    /// Of a picture of a size in pixels.
    pub fn new(fov_deg: f64, (width, height): (u32, u32)) -> Optics {
        Optics { lens: Lens { fov_y_rad: fov_deg.to_radians() }, aspect: f64::from(width) / f64::from(height.max(1)) }
    }
}

impl PoseArgs {
    /// Whether a view is asked for.
    pub fn is_asked(&self) -> bool {
        self.at.is_some() || self.fit.is_some() || self.look.is_some()
    }

    /// The view over ground that is drawn some times as high: without `--at` and `--fit` that of the first layer, if it is one of the user's,
    /// else of the globe.
    ///
    /// # Errors
    /// A file that cannot be used.
    pub fn pose(&self, scene: &SceneArgs, relief: &Relief, has_files: bool, optics: &Optics) -> anyhow::Result<Pose> {
        let look = |pose: Pose| match self.look {
            Some(Look { heading_deg, pitch_deg }) => Pose { heading_deg, pitch_deg, ..pose },
            None => pose,
        };
        let whole = |relief: &Relief| {
            let extent = extent_of_top(relief, scene.exaggerate)?;
            Some(self.whole(&extent, optics))
        };
        Ok(match (&self.at, &self.fit) {
            (Some(Viewpoint::Eye(at)), _) => values::pose(at, self.look),
            (Some(Viewpoint::Place(to)), _) => {
                let drawn = relief.exaggerated(scene.exaggerate);
                match self.look {
                    Some(Look { heading_deg, pitch_deg }) => to.view_along(heading_deg, pitch_deg, &drawn),
                    None => to.view(&Camera::from_pose(&Pose::HOME), &drawn),
                }
            }
            (None, Some(Fit::Box(bbox_deg))) => {
                let extent =
                    Extent { bbox_deg: *bbox_deg, range_m: range_within_m(relief, *bbox_deg, scene.exaggerate) };
                self.whole(&extent, optics)
            }
            (None, Some(Fit::File(source))) => {
                let shown = scene.data.open(std::slice::from_ref(source))?;
                whole(&shown).unwrap_or_else(|| look(Pose::HOME))
            }
            (None, None) if has_files => whole(relief).unwrap_or_else(|| look(Pose::HOME)),
            (None, None) => look(Pose::HOME),
        })
    }

    fn whole(&self, extent: &Extent, optics: &Optics) -> Pose {
        let (heading_deg, pitch_deg) = self.look.map_or((0.0, None), |look| (look.heading_deg, Some(look.pitch_deg)));
        extent.view(optics.lens, optics.aspect, heading_deg, pitch_deg)
    }
}

/// Parts of each side of a box between places whose heights tell its range.
const PARTS: u32 = 16;

/// Between which heights the ground of a box is, by some of its places, drawn some times as high.
fn range_within_m(relief: &Relief, bbox_deg: [f64; 4], exaggeration: f64) -> (f64, f64) {
    let heights_m = places_of_box(bbox_deg, PARTS).map(|n| relief.sample(n).height_m * exaggeration);
    heights_m.fold((f64::INFINITY, f64::NEG_INFINITY), |range, m| (range.0.min(m), range.1.max(m)))
}
