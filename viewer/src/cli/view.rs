//! Which view do `--at`, `--fit` and `--look` ask for, and which ground as a map?

use terrain::geodesy;
use terrain::height::Relief;

use super::CliError;
use super::args::{PoseArgs, SceneArgs};
use super::values::{self, Fit, ViewDirection, Viewpoint};
use crate::camera::ground::{CLEARANCE_M, Ground};
use crate::camera::{Camera, Extent, Lens, Pose, home};
use crate::capture::PixelGrid;
use crate::scene::{SceneOptions, extent_of_top};
use crate::terrain::{VectorFile, VectorLayer, bbox_of_vectors};

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

/// The view that the options ask for.
enum ShownView {
    /// What is seen from an eye.
    View(Pose),
    /// All of some ground.
    Whole(Extent),
}

/// What of the surface a view is of.
#[derive(Clone, Copy)]
pub struct ViewSubject<'a> {
    /// The surface.
    pub relief: &'a Relief,
    /// How it is drawn, and what lies on it.
    pub options: &'a SceneOptions,
    /// Whether files of the user's are in it.
    pub has_files: bool,
}

impl PoseArgs {
    /// Whether a view is asked for.
    pub fn is_asked(&self) -> bool {
        self.at.is_some() || self.fit.is_some() || self.look.is_some()
    }

    /// The view over the ground as it is drawn, the sea above its floor: without `--at` and `--fit` that of the first layer, if it is one of the user's,
    /// else of the globe.
    ///
    /// # Errors
    /// A file that cannot be used, of water too.
    pub fn pose(&self, scene: &SceneArgs, subject: ViewSubject<'_>, optics: &Optics) -> anyhow::Result<Pose> {
        Ok(match self.shown(scene, subject, self.look)? {
            ShownView::View(pose) => pose,
            ShownView::Whole(extent) => {
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
        subject: ViewSubject<'_>,
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
            ShownView::Whole(extent) => PixelGrid::covering(extent.ellipsoid, extent.bbox_deg, size_px),
            ShownView::View(Pose { lat_deg, lon_deg, height_m, .. }) => {
                let n = geodesy::n_vector(lat_deg.to_radians(), lon_deg.to_radians());
                let above_m = (height_m - ground.height_m(n)).max(CLEARANCE_M);
                let pixel_m = 2.0 * above_m * (0.5 * lens.fov_y_rad).tan() / f64::from(size_px.1);
                PixelGrid::around(ground.ellipsoid(), (lat_deg, lon_deg), pixel_m, size_px)
            }
        };
        grid.map_err(|error| CliError::Usage(error.to_string()))
    }

    /// What is shown, by an eye that looks in a direction where one is given.
    fn shown(
        &self,
        scene: &SceneArgs,
        subject: ViewSubject<'_>,
        look: Option<ViewDirection>,
    ) -> anyhow::Result<ShownView> {
        let ViewSubject { relief, options, has_files } = subject;
        let exaggeration = options.exaggeration;
        let whole = |extent: Option<Extent>| match (extent, look) {
            (Some(extent), _) => ShownView::Whole(extent),
            (None, Some(ViewDirection { heading_deg, pitch_deg })) => {
                ShownView::View(Pose { heading_deg, pitch_deg, ..home(relief.ellipsoid()) })
            }
            (None, None) => ShownView::View(home(relief.ellipsoid())),
        };
        let of_vectors = |layers: &[VectorLayer]| {
            options.over_ground(relief, |ground| {
                whole(bbox_of_vectors(layers).map(|bbox_deg| Extent::of_ground(bbox_deg, ground)))
            })
        };
        Ok(match (&self.at, &self.fit) {
            (Some(Viewpoint::Eye(at)), _) => ShownView::View(values::pose(relief.ellipsoid(), at, look)),
            (Some(Viewpoint::Place(to)), _) => {
                values::check_body(&to.place, relief.ellipsoid())?;
                options.over_ground(relief, |ground| {
                    ShownView::View(match look {
                        Some(ViewDirection { heading_deg, pitch_deg }) => to.view_along(heading_deg, pitch_deg, ground),
                        None => to.view(&Camera::on(relief.ellipsoid(), &home(relief.ellipsoid())), ground),
                    })
                })?
            }
            (None, Some(Fit::Box(bbox_deg))) => {
                options.over_ground(relief, |ground| ShownView::Whole(Extent::of_ground(*bbox_deg, ground)))?
            }
            (None, Some(Fit::File(source))) => {
                let drawn = options.vectors.iter().find(|layer| layer.file.path == source.path).cloned();
                match drawn.or_else(|| VectorLayer::read(&VectorFile::plain(&source.path), 0).ok()) {
                    Some(layer) => of_vectors(&[layer])?,
                    None => whole(extent_of_top(&scene.data.open_beside(source, relief)?, exaggeration)),
                }
            }
            (None, None) if has_files => whole(extent_of_top(relief, exaggeration)),
            (None, None) => of_vectors(&options.vectors)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::args::{Cli, Verb};
    use crate::terrain::flat;

    /// The view of a command line over ground of one height everywhere.
    fn pose(words: &str, ground_m: f64) -> Pose {
        let words = ["orogen", "render", "-o", "a.png"].into_iter().chain(words.split(' '));
        let Some(Verb::Render(args)) = Cli::try_parse_from(words).expect("a line").verb else { panic!("another verb") };
        let (surface, options) = (flat(ground_m), args.scene.scene(&[]).expect("a scene"));
        let subject = ViewSubject { relief: surface.relief(), options: &options, has_files: false };
        args.view.pose(&args.scene, subject, &Optics::new(45.0, args.size)).expect("a view")
    }

    /// Law: a view over the deep sea is the one over ground at sea level, however high heights are drawn; without water, and over dry ground,
    /// it is that of the ground.
    #[test]
    fn over_the_sea_its_surface_is_looked_at() {
        let wet = ["--at 0,-30", "--at 0,-30 --look 20,-40", "--fit -31,-1,-30,0", "--at 0,-30 --exaggerate 3"];
        for view in wet {
            assert_eq!(pose(view, -4_000.0), pose(view, 0.0), "{view}");
            let dry = format!("{view} --water off");
            assert!(pose(&dry, -4_000.0).height_m < pose(&dry, 0.0).height_m - 2_000.0, "{dry}");
        }
        let valley = "--at 36.25,-116.83";
        assert!(pose(valley, -4_000.0).height_m < pose(valley, 0.0).height_m - 3_000.0, "Death Valley is dry");
    }
}
