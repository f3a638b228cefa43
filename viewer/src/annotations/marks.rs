//! What a map says at its edge: which way is north, how long is a kilometre, and whose data are seen.

use bevy_ecs::prelude::*;
use egui::{Align2, Color32, FontId, RichText, Sense, Shape, Stroke, vec2};

use super::numbers::Units;
use crate::camera::ground::screen_points;
use crate::camera::{Camera, Lens};
use crate::frame::Viewport;
use crate::terrain::Planet;
use crate::theme::Palette;

/// Longest scale bar, points.
const LONGEST_PT: f64 = 130.0;
/// Width of the sources, points.
const SOURCES_PT: f32 = 260.0;
/// Rays across and down the picture that tell what is seen.
const RAYS: (u32, u32) = (6, 5);

/// Data sources of the ground in the image, and its resolution in the middle.
#[derive(Resource, Debug, Clone, Default)]
pub struct VisibleGround {
    /// Names of the layers whose ground is in the picture, the first on top.
    pub sources: Vec<String>,
    /// Metres that a pixel shows in the middle of the picture, across the line of sight; none in the sky.
    pub pixel_m: Option<f64>,
}

impl VisibleGround {
    /// Of a picture with ground at a distance in its middle, or none: the size of its pixels.
    pub fn of(distance_m: Option<f64>, lens: &Lens, viewport: &Viewport) -> VisibleGround {
        VisibleGround { pixel_m: pixel_m(distance_m, lens, viewport), ..VisibleGround::default() }
    }
}

/// Metres that a pixel in the middle shows of ground at a distance.
fn pixel_m(distance_m: Option<f64>, lens: &Lens, viewport: &Viewport) -> Option<f64> {
    let height_px = f64::from(viewport.size_px.1.max(1));
    distance_m.map(|distance_m| distance_m * 2.0 * (0.5 * lens.fov_y_rad).tan() / height_px)
}

/// Layers in a picture, by number, with ground at a distance in its middle or none.
pub fn layers_in_view(
    (planet, camera, lens, viewport): (&Planet, &Camera, &Lens, &Viewport),
    distance_m: Option<f64>,
) -> Vec<usize> {
    let count = planet.relief().layers().len();
    let mut seen: Vec<usize> = match count {
        // One layer is below everything.
        0 | 1 => Vec::new(),
        _ => {
            screen_points(RAYS.0, RAYS.1).filter_map(|(x, y)| layer_at(planet, camera, lens, viewport, x, y)).collect()
        }
    };
    seen.extend((count == 1 && distance_m.is_some()).then_some(0));
    seen.sort_unstable();
    seen.dedup();
    seen
}

fn layer_at(planet: &Planet, camera: &Camera, lens: &Lens, viewport: &Viewport, x: f64, y: f64) -> Option<usize> {
    let ray = camera.ray(x, y, viewport.aspect(), lens.fov_y_rad);
    let hit = planet.pick(camera.eye_m, ray)?;
    Some(planet.relief().sample(hit.place.normal()).layer)
}

/// Compass, scale bar and sources; true if the compass was clicked.
pub fn marks(
    ui: &mut egui::Ui,
    view: &VisibleGround,
    camera: &Camera,
    (pixels_per_point, units): (f32, Units),
) -> bool {
    let mut clicked = false;
    ui.horizontal(|ui| {
        clicked = compass(ui, camera.pose().heading_deg.to_radians() as f32);
        ui.vertical(|ui| {
            let point_m = view.pixel_m.map(|pixel_m| pixel_m * f64::from(pixels_per_point));
            let longest = |point_m: f64| Some((units.round_length(point_m * LONGEST_PT)?, point_m));
            if let Some(((length_m, text), point_m)) = point_m.and_then(longest) {
                bar(ui, (length_m / point_m) as f32, &text);
            }
            if !view.sources.is_empty() {
                ui.set_max_width(SOURCES_PT);
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Wrap);
                ui.label(RichText::new(view.sources.join("; ")).size(11.0).color(Palette::of(ui.visuals()).quiet));
            }
        });
    });
    clicked
}

fn compass(ui: &mut egui::Ui, heading_rad: f32) -> bool {
    let (response, painter) = ui.allocate_painter(vec2(38.0, 38.0), Sense::click());
    let (middle, palette) = (response.rect.center(), Palette::of(ui.visuals()));
    let turned =
        |angle: f32, length: f32| middle + length * vec2((angle - heading_rad).sin(), -(angle - heading_rad).cos());
    let ring = if response.hovered() { palette.strong } else { palette.weak };
    painter.circle_stroke(middle, 17.0, Stroke::new(1.0, ring));
    let quarter = std::f32::consts::FRAC_PI_2;
    let needle = |tip: f32, colour| {
        let points = vec![turned(tip, 13.0), turned(tip + quarter, 3.5), turned(tip - quarter, 3.5)];
        Shape::convex_polygon(points, colour, Stroke::NONE)
    };
    painter.add(needle(0.0, Color32::from_rgb(230, 80, 60)));
    painter.add(needle(2.0 * quarter, palette.quiet));
    painter.text(turned(0.0, 17.0), Align2::CENTER_CENTER, "N", FontId::proportional(10.0), palette.strong);
    response.on_hover_text("north up").clicked()
}

fn bar(ui: &mut egui::Ui, length_pt: f32, text: &str) {
    let (response, painter) = ui.allocate_painter(vec2(LONGEST_PT as f32, 20.0), Sense::hover());
    let colour = Palette::of(ui.visuals()).strong;
    let (left, bottom) = (response.rect.left() + 1.0, response.rect.bottom() - 2.0);
    let corners = [(0.0, 5.0), (0.0, 0.0), (length_pt, 0.0), (length_pt, 5.0)];
    let points = corners.map(|(x, up)| egui::pos2(left + x, bottom - up)).to_vec();
    painter.add(Shape::line(points, Stroke::new(1.5, colour)));
    let at = egui::pos2(left + 0.5 * length_pt, bottom - 3.0);
    painter.text(at, Align2::CENTER_BOTTOM, text, FontId::proportional(11.5), colour);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_looked_at_all_over() {
        let points: Vec<_> = screen_points(RAYS.0, RAYS.1).collect();
        assert_eq!(points.len(), (RAYS.0 * RAYS.1) as usize);
        let sum = points.iter().fold((0.0, 0.0), |sum: (f64, f64), p| (sum.0 + p.0, sum.1 + p.1));
        assert!(sum.0.abs() < 1e-9 && sum.1.abs() < 1e-9 && points.iter().all(|p| p.0.abs() < 1.0 && p.1.abs() < 1.0));
    }
}
