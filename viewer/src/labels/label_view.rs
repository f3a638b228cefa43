//! Where on the screen is a point of the ground, and is it seen?

use glam::{DVec2, DVec3};
use terrain::surface::Surface;
use terrain::water::{Cover, Water};

use super::style::Style;
use super::subject::Subject;
use crate::camera::ground::sea_level;
use crate::camera::{Camera, Lens};
use crate::frame::Viewport;
use crate::terrain::{FeatureLabels, OcclusionTolerance, is_hidden, surely_land_m};

/// For names, whose places are known to some hundred metres: to be shown, and shown.
const NAME: [OcclusionTolerance; 2] =
    [OcclusionTolerance { part: 4e-3, m: 300.0 }, OcclusionTolerance { part: 1e-2, m: 600.0 }];
/// For features, whose places are known, on ground whose height is a mean.
const FEATURE: [OcclusionTolerance; 2] =
    [OcclusionTolerance { part: 4e-3, m: 4.0 }, OcclusionTolerance { part: 1e-2, m: 8.0 }];

/// From above this height, metres, no mountain reaches beyond the limb by more than some points.
const SPACE_M: f64 = 200_000.0;

/// How far before a place ground hides it, for something that is to be shown, or that is.
pub(super) fn tolerance(subject: Subject, is_shown: bool) -> OcclusionTolerance {
    match subject {
        Subject::Name(_) => NAME[usize::from(is_shown)],
        Subject::Feature(_) => FEATURE[usize::from(is_shown)],
        _ if is_shown => OcclusionTolerance::SHOWN,
        _ => OcclusionTolerance::NEW,
    }
}

/// Camera, viewport and scene for projecting labels onto the screen.
#[derive(Clone, Copy)]
pub(super) struct LabelView<'a> {
    pub camera: &'a Camera,
    pub lens: &'a Lens,
    pub viewport: &'a Viewport,
    /// The ground as it is drawn, with the floor of the sea.
    pub surface: &'a Surface,
    /// The same with the surface of the sea, where water is drawn.
    pub seen: &'a Surface,
    /// Outlines of the sea, where water is drawn.
    pub water: Option<&'a Water>,
    /// What is written beside features.
    pub features: &'a FeatureLabels,
}

impl LabelView<'_> {
    /// Whether ground of some height of the data, above the sea, is drawn as sea.
    pub fn is_drawn_as_sea(&self, n: DVec3, height_m: f64) -> bool {
        let is_sea = |water: &Water| water.at(n) == Cover::Sea;
        height_m > 0.0
            && self.water.is_some_and(is_sea)
            && height_m <= surely_land_m(self.surface.relief().posting_m(n))
    }

    /// Size of the picture, points.
    pub fn size_pt(&self) -> DVec2 {
        self.viewport.size_pt()
    }

    /// How the name of a place is written; none of a line.
    pub fn style(&self, subject: Subject) -> Option<Style> {
        match subject {
            Subject::Feature(number) => {
                let label = self.features.get(number)?;
                let clear_pt = f64::from(label.above_px / self.viewport.pixels_per_point);
                Some(Style::of_feature(clear_pt, label.point))
            }
            _ => Some(Style::of(subject.place()?.kind)),
        }
    }

    /// Points that a radian takes in the middle of the picture.
    pub fn points_per_radian(&self) -> f64 {
        0.5 * self.size_pt().y / (0.5 * self.lens.fov_y_rad).tan()
    }

    /// Where a place is, in points from the upper left corner, inside the picture or not; none behind the eye.
    pub fn on_screen(&self, position_m: DVec3) -> Option<DVec2> {
        self.viewport.on_screen_pt(position_m, self.camera, self.lens)
    }

    /// Whether the globe is seen at a point of the picture, or may be: near the ground mountains stand against the sky.
    pub fn is_globe(&self, at_pt: DVec2) -> bool {
        if self.camera.height_m() < SPACE_M {
            return true;
        }
        let size_pt = self.size_pt();
        let part = 2.0 * at_pt / size_pt - 1.0;
        let ray = self.camera.ray(part.x, -part.y, size_pt.x / size_pt.y, self.lens.fov_y_rad);
        sea_level(self.camera.ellipsoid, self.camera.eye_m, ray).is_some()
    }

    /// Cosine of the angle between the vertical of a place and the way to the eye: 1 straight below, 0 on the horizon.
    pub fn facing(&self, position_m: DVec3, up: DVec3) -> f64 {
        (self.camera.eye_m - position_m).normalize_or_zero().dot(up)
    }

    /// Whether ground stands between the eye and a place.
    pub fn is_hidden(&self, position_m: DVec3, tolerance: OcclusionTolerance) -> bool {
        is_hidden(self.surface, self.camera.eye_m, position_m, tolerance)
    }
}
