//! Which view do `--at`, `--fit` and `--look` ask for?

use terrain::height::Relief;

use super::args::{PoseArgs, SceneArgs};
use super::values::{self, Fit, ViewDirection, Viewpoint};
use crate::camera::{Camera, Extent, Lens, Pose};
use crate::scene::{extent_of_top, extent_of_vectors};
use crate::terrain::{VectorFile, VectorLayer};

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
    pub fn pose(
        &self,
        scene: &SceneArgs,
        vectors: &[VectorLayer],
        relief: &Relief,
        has_files: bool,
        optics: &Optics,
    ) -> anyhow::Result<Pose> {
        let exaggeration = scene.exaggeration();
        let look = |pose: Pose| match self.look {
            Some(ViewDirection { heading_deg, pitch_deg }) => Pose { heading_deg, pitch_deg, ..pose },
            None => pose,
        };
        let whole = |relief: &Relief| {
            let extent = extent_of_top(relief, exaggeration)?;
            Some(self.whole(&extent, optics))
        };
        let of_vectors = |layers: &[VectorLayer]| {
            let extent = extent_of_vectors(layers, relief, exaggeration);
            extent.map_or_else(|| look(Pose::HOME), |extent| self.whole(&extent, optics))
        };
        Ok(match (&self.at, &self.fit) {
            (Some(Viewpoint::Eye(at)), _) => values::pose(at, self.look),
            (Some(Viewpoint::Place(to)), _) => {
                let drawn = relief.exaggerated(exaggeration);
                match self.look {
                    Some(ViewDirection { heading_deg, pitch_deg }) => to.view_along(heading_deg, pitch_deg, &drawn),
                    None => to.view(&Camera::from_pose(&Pose::HOME), &drawn),
                }
            }
            (None, Some(Fit::Box(bbox_deg))) => self.whole(&Extent::of_ground(*bbox_deg, relief, exaggeration), optics),
            (None, Some(Fit::File(source))) => {
                let drawn = vectors.iter().find(|layer| layer.file.path == source.path).cloned();
                match drawn.or_else(|| VectorLayer::read(&VectorFile::plain(&source.path), 0).ok()) {
                    Some(layer) => of_vectors(&[layer]),
                    None => {
                        let shown = scene.data.open_beside(source, relief)?;
                        whole(&shown).unwrap_or_else(|| look(Pose::HOME))
                    }
                }
            }
            (None, None) if has_files => whole(relief).unwrap_or_else(|| look(Pose::HOME)),
            (None, None) => of_vectors(vectors),
        })
    }

    fn whole(&self, extent: &Extent, optics: &Optics) -> Pose {
        let (heading_deg, pitch_deg) = self.look.map_or((0.0, None), |look| (look.heading_deg, Some(look.pitch_deg)));
        extent.view(optics.lens, optics.aspect, heading_deg, pitch_deg)
    }
}
