//! Which view do `--at`, `--fit` and `--look` ask for, and which ground as a map?

use terrain::geodesy;
use terrain::height::Relief;

use super::CliError;
use super::args::{PoseArgs, SceneArgs};
use super::values::{self, Fit, ViewDirection, Viewpoint};
use crate::camera::ground::{CLEARANCE_M, Ground};
use crate::camera::{Camera, Extent, Lens, Pose};
use crate::capture::PixelGrid;
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

/// What is shown.
enum Shown {
    /// What is seen from an eye.
    View(Pose),
    /// All of some ground.
    Whole(Extent),
}

/// What of the surface a view is of.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The surface.
    pub relief: &'a Relief,
    /// Features on it.
    pub vectors: &'a [VectorLayer],
    /// Whether files of the user's are in it.
    pub has_files: bool,
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
    pub fn pose(&self, scene: &SceneArgs, subject: Subject<'_>, optics: &Optics) -> anyhow::Result<Pose> {
        Ok(match self.shown(scene, subject, self.look)? {
            Shown::View(pose) => pose,
            Shown::Whole(extent) => {
                let (heading_deg, pitch_deg) =
                    self.look.map_or((0.0, None), |look| (look.heading_deg, Some(look.pitch_deg)));
                extent.view(optics.lens, optics.aspect, heading_deg, pitch_deg)
            }
        })
    }

    /// The same view straight down on some ground, as pixels in longitude and latitude. It is all of what is shown as a whole. Else it is
    /// what a perspective picture shows in its middle column, with pixels as large as in its middle.
    ///
    /// # Errors
    /// Another direction, too much ground, or a file that cannot be used.
    pub fn pixel_grid(
        &self,
        scene: &SceneArgs,
        subject: Subject<'_>,
        ground: &dyn Ground,
        lens: Lens,
        size_px: (u32, u32),
    ) -> Result<PixelGrid, CliError> {
        const DOWN: ViewDirection = ViewDirection { heading_deg: 0.0, pitch_deg: -90.0 };
        if let Some(look) = self.look.filter(|look| *look != DOWN) {
            return Err(CliError::Usage(format!(
                "a GeoTIFF is straight down with north up, and this view is not, with --look {},{}: give --look 0,-90, or write a picture, like a.png",
                look.heading_deg, look.pitch_deg
            )));
        }
        let grid = match self.shown(scene, subject, Some(DOWN))? {
            Shown::Whole(extent) => PixelGrid::covering(extent.bbox_deg, size_px),
            Shown::View(Pose { lat_deg, lon_deg, height_m, .. }) => {
                let n = geodesy::n_vector(lat_deg.to_radians(), lon_deg.to_radians());
                let above_m = (height_m - ground.height_m(n)).max(CLEARANCE_M);
                let pixel_m = 2.0 * above_m * (0.5 * lens.fov_y_rad).tan() / f64::from(size_px.1);
                PixelGrid::around((lat_deg, lon_deg), pixel_m, size_px)
            }
        };
        grid.map_err(|error| CliError::Usage(error.to_string()))
    }

    /// What is shown, by an eye that looks in a direction where one is given.
    fn shown(&self, scene: &SceneArgs, subject: Subject<'_>, look: Option<ViewDirection>) -> anyhow::Result<Shown> {
        let Subject { relief, vectors, has_files } = subject;
        let exaggeration = scene.exaggeration();
        let whole = |extent: Option<Extent>| match (extent, look) {
            (Some(extent), _) => Shown::Whole(extent),
            (None, Some(ViewDirection { heading_deg, pitch_deg })) => {
                Shown::View(Pose { heading_deg, pitch_deg, ..Pose::HOME })
            }
            (None, None) => Shown::View(Pose::HOME),
        };
        let of_vectors = |layers: &[VectorLayer]| whole(extent_of_vectors(layers, relief, exaggeration));
        Ok(match (&self.at, &self.fit) {
            (Some(Viewpoint::Eye(at)), _) => Shown::View(values::pose(at, look)),
            (Some(Viewpoint::Place(to)), _) => {
                let drawn = relief.exaggerated(exaggeration);
                Shown::View(match look {
                    Some(ViewDirection { heading_deg, pitch_deg }) => to.view_along(heading_deg, pitch_deg, &drawn),
                    None => to.view(&Camera::from_pose(&Pose::HOME), &drawn),
                })
            }
            (None, Some(Fit::Box(bbox_deg))) => Shown::Whole(Extent::of_ground(*bbox_deg, relief, exaggeration)),
            (None, Some(Fit::File(source))) => {
                let drawn = vectors.iter().find(|layer| layer.file.path == source.path).cloned();
                match drawn.or_else(|| VectorLayer::read(&VectorFile::plain(&source.path), 0).ok()) {
                    Some(layer) => of_vectors(&[layer]),
                    None => whole(extent_of_top(&scene.data.open_beside(source, relief)?, exaggeration)),
                }
            }
            (None, None) if has_files => whole(extent_of_top(relief, exaggeration)),
            (None, None) => of_vectors(vectors),
        })
    }
}
