//! How are markers shown, and what lies between two of them? Pins over the ground, the way as a line, figures and a profile.

use egui::epaint::{Mesh, PathStroke, Vertex, WHITE_UV};
use egui::{Align2, Color32, FontId, Pos2, Rect, RichText, Sense, Stroke, Vec2, pos2, vec2};
use glam::DVec3;
use terrain::geodesy::{self, Geodetic};

use super::figures::{metres, place};
use super::state::FoundPlace;
use crate::camera::{Camera, Lens};
use crate::frame::Viewport;
use crate::measure::{EYE_M, Markers, Measurement, Sight};
use crate::terrain::Planet;

const PIN: Color32 = Color32::from_rgb(255, 214, 140);
const FREE: Color32 = Color32::from_rgb(120, 230, 140);
const BLOCKED: Color32 = Color32::from_rgb(255, 110, 90);
/// Height of a pin above its place, points.
const PIN_PT: f32 = 22.0;
/// A marker is hidden where a ray to it meets ground this part of the way before it.
const HIDDEN_PART: f64 = 1e-3;
/// Most points of the line between two markers.
const LINE_POINTS: usize = 256;

/// What it takes to draw over places of the ground.
pub(super) struct Overlay<'a> {
    pub camera: &'a Camera,
    pub lens: &'a Lens,
    pub viewport: &'a Viewport,
    pub planet: &'a Planet,
}

impl Overlay<'_> {
    /// Paints the markers, the way between them, and the place that was found by its name.
    pub fn paint(&self, egui: &egui::Context, markers: &Markers, found: Option<&FoundPlace>) {
        let painter = egui.layer_painter(egui::LayerId::background());
        // What is measured is the data; what is marked is the ground as it is drawn.
        let exaggeration = self.planet.relief().exaggeration();
        let drawn_m = |place: Geodetic| Geodetic { height_m: exaggeration * place.height_m, ..place }.to_ecef();
        if let Some(measurement) = markers.measurement() {
            let step = measurement.profile.len().div_ceil(LINE_POINTS).max(1);
            let last = measurement.profile.last();
            let points = measurement.profile.iter().step_by(step).chain(last);
            let on_screen: Vec<Option<Pos2>> = points.map(|point| self.facing(drawn_m(point.place))).collect();
            for two in on_screen.windows(2) {
                if let [Some(from), Some(to)] = two {
                    painter.line_segment([*from, *to], Stroke::new(2.0, PIN));
                }
            }
        }
        for (name, marker) in markers.named() {
            self.pin(&painter, marker.position_m, name, metres(marker.place.height_m));
        }
        if let Some(found) = found {
            self.pin(&painter, found.position_m, "", found.title.clone());
        }
    }

    /// Paints a pin with a letter in its head and words beside it.
    fn pin(&self, painter: &egui::Painter, position_m: DVec3, name: &str, words: String) {
        if let Some(foot) = self.facing(position_m) {
            let colour = if self.is_hidden(position_m) { PIN.gamma_multiply(0.35) } else { PIN };
            let head = foot - vec2(0.0, PIN_PT);
            painter.line_segment([foot, head], Stroke::new(1.5, colour));
            painter.circle(head, 7.5, Color32::from_black_alpha(190), Stroke::new(1.5, colour));
            painter.text(head, Align2::CENTER_CENTER, name, FontId::proportional(11.0), colour);
            let words = painter.layout_no_wrap(words, FontId::proportional(12.0), colour);
            let at = head + vec2(14.0, -0.5 * words.size().y);
            let ground = Rect::from_min_size(at, words.size()).expand2(vec2(4.0, 1.0));
            painter.rect_filled(ground, 4.0, Color32::from_black_alpha(150));
            painter.galley(at, words, colour);
        }
    }

    /// Where a point is, in points of egui.
    fn on_screen(&self, position_m: DVec3) -> Option<Pos2> {
        let at = self.camera.project(position_m, self.viewport.aspect(), self.lens.fov_y_rad)?;
        let (width, height) = self.viewport.size_px;
        let scale = 0.5 / f64::from(self.viewport.pixels_per_point);
        Some(pos2(((at.x + 1.0) * f64::from(width) * scale) as f32, ((1.0 - at.y) * f64::from(height) * scale) as f32))
    }

    /// The same on this side of the Earth only.
    fn facing(&self, position_m: DVec3) -> Option<Pos2> {
        let up = geodesy::normal_at(position_m);
        (up.dot(self.camera.eye_m - position_m) > 0.0).then(|| self.on_screen(position_m))?
    }

    /// Whether ground stands between the eye and a place.
    fn is_hidden(&self, position_m: DVec3) -> bool {
        let way = position_m - self.camera.eye_m;
        let distance_m = way.length();
        let Some(ray) = way.try_normalize() else { return false };
        self.planet
            .pick(self.camera.eye_m, ray)
            .is_some_and(|hit| hit.distance_m < distance_m * (1.0 - HIDDEN_PART) - 1.0)
    }
}

/// Figures and profile between two markers.
pub(super) fn between(ui: &mut egui::Ui, measurement: &Measurement) {
    let [lengths, heights] = figures(measurement);
    for line in [lengths, heights] {
        ui.label(RichText::new(line).size(12.5).color(Color32::from_gray(235)));
    }
    let (said, colour) = sight(&measurement.sight);
    ui.label(RichText::new(said).size(12.5).color(colour));
    profile(ui, measurement, colour);
}

fn figures(m: &Measurement) -> [String; 2] {
    let bearing =
        m.bearing_deg.map_or(String::from("-"), |degrees| format!("{:05.1}°", (degrees * 10.0).round() / 10.0 % 360.0));
    let (up_m, down_m) = m.climb_m;
    [
        format!(
            "A to B   {} on the ellipsoid   {} over the ground   bearing {bearing}",
            length(m.ellipsoid_m),
            length(m.surface_m)
        ),
        format!("rises {}   falls {}   straight {}", metres(up_m), metres(down_m), length(m.straight_m)),
    ]
}

/// A length with the digits that a map gives it.
fn length(m: f64) -> String {
    if m < 10_000.0 { format!("{m:.1} m") } else { format!("{:.3} km", m / 1e3) }
}

fn sight(sight: &Sight) -> (String, Color32) {
    match sight {
        Sight::Free => (format!("B is seen from {EYE_M} m above A"), FREE),
        Sight::Blocked { distance_m, place: at } => {
            let at = place(at.lat_rad.to_degrees(), at.lon_rad.to_degrees());
            (format!("B is hidden from A by the ground {} away, at {at}", length(*distance_m)), BLOCKED)
        }
        Sight::Unknown(error) => (format!("whether B is seen from A is not known: {error}"), PIN),
    }
}

/// The ground between the markers from the side, and the line of sight above it.
fn profile(ui: &mut egui::Ui, measurement: &Measurement, sight: Color32) {
    let width = (ui.ctx().content_rect().width() - 40.0).clamp(120.0, 420.0);
    let (response, painter) = ui.allocate_painter(vec2(width, 110.0), Sense::hover());
    let area = response.rect.shrink2(vec2(2.0, 12.0));
    let Some(scale) = Scale::new(measurement, area) else { return };
    painter.add(filled(measurement, &scale, Color32::from_rgb(96, 122, 104)));
    let ground: Vec<Pos2> = thinned(measurement, width).map(|(x_m, h_m)| scale.at(x_m, h_m)).collect();
    painter.add(egui::Shape::line(ground, PathStroke::new(1.5, Color32::from_gray(220))));
    let line: Vec<Pos2> = measurement.sight_line_m.iter().map(|&(x_m, h_m)| scale.at(x_m, h_m)).collect();
    painter.with_clip_rect(area.expand(1.0)).add(egui::Shape::line(line, PathStroke::new(1.0, sight)));
    let text = |at: Pos2, align: Align2, text: String| {
        painter.text(at, align, text, FontId::proportional(10.5), Color32::from_gray(200));
    };
    text(response.rect.left_top(), Align2::LEFT_TOP, format!("A   highest {}", metres(scale.high_m)));
    text(response.rect.right_top(), Align2::RIGHT_TOP, String::from("B"));
    text(response.rect.left_bottom(), Align2::LEFT_BOTTOM, format!("lowest {}", metres(scale.low_m)));
    text(response.rect.right_bottom(), Align2::RIGHT_BOTTOM, length(measurement.ellipsoid_m));
}

/// From metres along and above to points of the plot.
struct Scale {
    area: Rect,
    along_m: f64,
    low_m: f64,
    high_m: f64,
}

impl Scale {
    /// Of the whole profile; none where there is nothing to plot.
    fn new(measurement: &Measurement, area: Rect) -> Option<Scale> {
        let heights = || measurement.profile.iter().map(|point| point.place.height_m);
        let (low_m, high_m) = (heights().fold(f64::MAX, f64::min), heights().fold(f64::MIN, f64::max));
        (measurement.ellipsoid_m > 0.0 && low_m <= high_m).then_some(Scale {
            area,
            along_m: measurement.ellipsoid_m,
            low_m,
            high_m,
        })
    }

    fn at(&self, along_m: f64, height_m: f64) -> Pos2 {
        // Level ground is a line at the bottom, not noise across the plot.
        let range_m = (self.high_m - self.low_m).max(1.0);
        let part = Vec2::new((along_m / self.along_m) as f32, ((height_m - self.low_m) / range_m) as f32);
        pos2(self.area.left() + part.x * self.area.width(), self.area.bottom() - part.y * self.area.height())
    }
}

/// The lowest and highest of what falls on a point of the plot, so that no peak is lost.
fn thinned(measurement: &Measurement, width: f32) -> impl Iterator<Item = (f64, f64)> {
    let bucket = (measurement.profile.len() / (width as usize).max(1)).max(1);
    measurement.profile.chunks(bucket).flat_map(|points| {
        let by_height = |a: &&_, b: &&_| {
            let height = |point: &terrain::surface::ProfilePoint| point.place.height_m;
            height(a).total_cmp(&height(b))
        };
        let (low, high) = (points.iter().min_by(by_height), points.iter().max_by(by_height));
        let mut both: Vec<_> = low.into_iter().chain(high).map(|p| (p.distance_m, p.place.height_m)).collect();
        both.sort_by(|a, b| a.0.total_cmp(&b.0));
        both.dedup();
        both
    })
}

/// The area under the profile, a quad for each step: egui fills convex shapes only.
fn filled(measurement: &Measurement, scale: &Scale, colour: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    let mut vertex = |pos: Pos2| {
        mesh.vertices.push(Vertex { pos, uv: WHITE_UV, color: colour });
    };
    let points: Vec<(f64, f64)> = thinned(measurement, scale.area.width()).collect();
    for &(along_m, height_m) in &points {
        let top = scale.at(along_m, height_m);
        vertex(top);
        vertex(pos2(top.x, scale.area.bottom()));
    }
    for first in (0..points.len().saturating_sub(1) as u32).map(|i| 2 * i) {
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first + 1, first + 3, first + 2);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrain::height::{GlobalGrid, Registration, Relief};
    use terrain::surface::Surface;

    use super::*;

    fn over_a_ridge() -> Measurement {
        let ridge = |lon: f64, _| 2_000.0 - 2_000.0 * (lon - 10.0).abs().min(1.0);
        let relief = Relief::from_grid(GlobalGrid::from_fn(360, 181, Registration::Node, ridge)).expect("a grid");
        let at = |lon| Geodetic::from_degrees(0.0, lon, 0.0);
        Measurement::between(&Surface::new(Arc::new(relief)), at(9.0), at(11.0))
    }

    #[test]
    fn the_figures_say_what_was_measured() {
        let [lengths, heights] = figures(&over_a_ridge());
        assert!(lengths.starts_with("A to B   222.639 km on the ellipsoid   222.7"), "{lengths}");
        assert!(lengths.ends_with("bearing 090.0°") && heights.starts_with("rises 1999 m   falls 1999 m"), "{heights}");
        let almost_north = Measurement { bearing_deg: Some(359.97), ..over_a_ridge() };
        assert!(figures(&almost_north)[0].ends_with("bearing 000.0°"));
        let (said, colour) = sight(&over_a_ridge().sight);
        assert!(said.starts_with("B is hidden from A by the ground") && colour == BLOCKED, "{said}");
    }

    /// Law: the plot has the whole profile in it, ends at the ends, and keeps the peak however narrow it is.
    #[test]
    fn the_plot_keeps_the_peak() {
        let measurement = over_a_ridge();
        let area = Rect::from_min_size(pos2(10.0, 20.0), vec2(30.0, 50.0));
        let scale = Scale::new(&measurement, area).expect("a plot");
        let points: Vec<Pos2> = thinned(&measurement, 30.0).map(|(x, h)| scale.at(x, h)).collect();
        let top = points.iter().map(|p| p.y).fold(f32::MAX, f32::min);
        assert!((top - area.top()).abs() < 1e-3 && points.iter().all(|p| area.expand(1e-3).contains(*p)));
        assert!(points.windows(2).all(|two| two[0].x <= two[1].x));
        assert!((points[0].x - area.left()).abs() < 1e-3);
        let mesh = filled(&measurement, &scale, PIN);
        assert!(mesh.is_valid() && mesh.vertices.len() == 2 * points.len());
        let here = Geodetic::from_degrees(0.0, 9.0, 0.0);
        let none = Measurement::between(&crate::terrain::flat(0.0), here, here);
        assert!(Scale::new(&none, area).is_none());
    }
}
