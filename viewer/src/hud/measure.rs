//! How are markers shown, and what is measured along them? Pins over the ground, the path as a line, figures and a profile.

use egui::epaint::{Mesh, PathStroke};
use egui::{Align2, Color32, FontId, Pos2, Rect, RichText, Sense, Stroke, Vec2, pos2, vec2};
use glam::DVec3;
use terrain::geodesy::Geodetic;

use super::layout::wrap;
use super::pin_visibility::PinVisibility;
use super::plot::area_below;
use crate::annotations::{Units, place};
use crate::camera::{Camera, Lens};
use crate::frame::Viewport;
use crate::input::Keymap;
use crate::input::bindings::Action;
use crate::measure::{
    EYE_M, EnclosedGround, GroundPoint, Leg, MOST_MARKERS, Markers, PIN_PT, SightResult, name_of, thinned,
};
use crate::terrain::Planet;
use crate::theme::Palette;

/// Of pins and the path, which lie on the picture.
const PIN: Color32 = Color32::from_rgb(255, 214, 140);
/// Points of the line along the path, about.
const LINE_POINTS: f64 = 512.0;
/// More pins than these have no heights beside them.
const PINS_WITH_HEIGHTS: usize = 12;
/// Radius of the head of a pin, points.
const HEAD_PT: f32 = 7.5;
/// A window lower than this has no room for the profile, points.
const PROFILE_FROM_PT: f32 = 420.0;
/// Room for a letter in the plot, points.
const LETTER_PT: f32 = 12.0;

/// What is said where a new beginning has replaced a path.
pub(super) fn undo_hint(keymap: &Keymap) -> String {
    format!("{} brings the path back", keymap.key(Action::RemoveMarker))
}

/// Camera, viewport and planet for drawing over places of the ground.
pub(super) struct GroundOverlay<'a> {
    pub camera: &'a Camera,
    pub lens: &'a Lens,
    pub viewport: &'a Viewport,
    pub planet: &'a Planet,
    pub pins: &'a mut PinVisibility,
    pub units: Units,
}

impl GroundOverlay<'_> {
    /// Paints the markers, the way between them, and pins of other places with their titles; where the markers are seen.
    pub fn paint(&mut self, egui: &egui::Context, markers: &Markers, others: &[(DVec3, String)]) -> Vec<Rect> {
        let painter = egui.layer_painter(egui::LayerId::background());
        // What is measured is the data; what is marked is the ground as it is drawn.
        let exaggeration = self.planet.relief().exaggeration();
        let drawn_m = |place: Geodetic| {
            Geodetic { height_m: exaggeration * place.height_m, ..place }.to_ecef(self.camera.ellipsoid)
        };
        let whole_m = markers.total(|leg| leg.ellipsoid_m);
        for leg in markers.legs() {
            // Each leg has its share of the points, and a few.
            let points = 8 + (LINE_POINTS * leg.ellipsoid_m / whole_m.max(1.0)) as usize;
            let points =
                leg.profile.iter().step_by(leg.profile.len().div_ceil(points).max(1)).chain(leg.profile.last());
            let on_screen: Vec<Option<Pos2>> = points.map(|point| self.facing(drawn_m(point.place))).collect();
            for two in on_screen.windows(2) {
                if let [Some(from), Some(to)] = two {
                    painter.line_segment([*from, *to], Stroke::new(2.0, PIN));
                }
            }
        }
        self.pins.begin(self.camera.eye_m, markers.markers().len() + others.len());
        let mut seen = Vec::with_capacity(markers.markers().len());
        for (number, marker) in markers.markers().iter().enumerate() {
            let has_height = markers.markers().len() <= PINS_WITH_HEIGHTS;
            let words = if has_height { self.units.height(marker.place.height_m) } else { String::new() };
            seen.extend(self.pin(&painter, number, marker.position_m, (&name_of(number), words)));
        }
        for (number, (position_m, title)) in (markers.markers().len()..).zip(others) {
            self.pin(&painter, number, *position_m, ("", title.clone()));
        }
        seen
    }

    /// Paints a pin with a letter in its head and words beside it; where the pin is, if it is on this side of the Earth.
    fn pin(
        &mut self,
        painter: &egui::Painter,
        number: usize,
        position_m: DVec3,
        (name, words): (&str, String),
    ) -> Option<Rect> {
        let is_hidden = self.pins.is_hidden(number, position_m, self.planet.seen_surface());
        let foot = self.facing(position_m)?;
        let colour = if is_hidden { PIN.gamma_multiply(0.35) } else { PIN };
        let head = foot - vec2(0.0, PIN_PT);
        painter.line_segment([foot, head], Stroke::new(1.5, colour));
        painter.circle(head, HEAD_PT, Color32::from_black_alpha(190), Stroke::new(1.5, colour));
        painter.text(head, Align2::CENTER_CENTER, name, FontId::proportional(11.0), colour);
        if !words.is_empty() {
            let words = painter.layout_no_wrap(words, FontId::proportional(12.0), colour);
            let at = head + vec2(14.0, -0.5 * words.size().y);
            let ground = Rect::from_min_size(at, words.size()).expand2(vec2(4.0, 1.0));
            painter.rect_filled(ground, 4.0, Color32::from_black_alpha(150));
            painter.galley(at, words, colour);
        }
        Some(Rect::from_two_pos(foot, head).expand(HEAD_PT))
    }

    /// Where a point is, in points of egui.
    fn on_screen(&self, position_m: DVec3) -> Option<Pos2> {
        let at = self.viewport.on_screen_pt(position_m, self.camera, self.lens)?;
        Some(pos2(at.x as f32, at.y as f32))
    }

    /// The same on this side of the Earth only.
    fn facing(&self, position_m: DVec3) -> Option<Pos2> {
        let up = self.camera.ellipsoid.normal_at(position_m);
        (up.dot(self.camera.eye_m - position_m) > 0.0).then(|| self.on_screen(position_m))?
    }
}

/// Figures and profile of two markers and more; of a first one, what it has replaced.
pub(super) fn measured(ui: &mut egui::Ui, markers: &Markers, keymap: &Keymap, units: Units) {
    wrap(ui);
    let palette = Palette::of(ui.visuals());
    if markers.legs().len() == 0 {
        ui.label(RichText::new(undo_hint(keymap)).size(12.5).color(palette.weak));
        return;
    }
    for line in figures(markers, units) {
        ui.label(RichText::new(line).size(12.5).color(palette.text));
    }
    let (said, colour) = match (markers.sight(), markers.can_close()) {
        (Some(line), _) => sight(&line.sight, palette, units),
        _ if markers.is_full() => (format!("a path has at most {MOST_MARKERS} markers"), palette.alarm),
        (None, true) => (String::from("Shift+click goes on; on A it closes the path to an area"), palette.weak),
        (None, false) => (format!("{} opens the path again", keymap.key(Action::RemoveMarker)), palette.weak),
    };
    ui.label(RichText::new(said).size(12.5).color(colour));
    if ui.ctx().content_rect().height() >= PROFILE_FROM_PT {
        profile(ui, markers, (colour, units));
    }
}

/// The lines of figures: of two markers what lies between them, of more the whole path, what it surrounds, and its last leg.
fn figures(markers: &Markers, units: Units) -> Vec<String> {
    let length = |m: f64| units.length(m);
    let on_ellipsoid = format!("{} on the ellipsoid", length(markers.total(|leg| leg.ellipsoid_m)));
    let over_ground = format!("{} over the ground", length(markers.total(|leg| leg.surface_m)));
    let climb = format!(
        "rises {}   falls {}",
        units.height(markers.total(|leg| leg.climb_m.0)),
        units.height(markers.total(|leg| leg.climb_m.1))
    );
    if let (Some(line), Some(leg)) = (markers.sight(), markers.legs().next()) {
        return vec![
            format!("A to B   {on_ellipsoid}   {over_ground}   bearing {}", bearing(leg)),
            format!("{climb}   straight {}", length(line.straight_m)),
        ];
    }
    let whole = if markers.is_closed() { "perimeter" } else { "A to" };
    let end = if markers.is_closed() { String::new() } else { format!(" {}", name_of(markers.end())) };
    let mut lines = vec![format!("{whole}{end}   {on_ellipsoid}   {over_ground}")];
    if markers.is_closed() {
        lines.push(match markers.area_m2() {
            Some(area_m2) => format!("area {} on the ellipsoid", units.area(area_m2)),
            None => String::from("no area: the path crosses itself"),
        });
        lines.extend(markers.enclosed().map(|ground| {
            let EnclosedGround { surface_m2, level_m, above_m3, below_m3, cell_m } = *ground;
            format!(
                "ground {}   to level it at {}, the path's mean: cut {}, fill {}   by cells of {}",
                units.area(surface_m2),
                units.height(level_m),
                units.volume(above_m3),
                units.volume(below_m3),
                units.distance(cell_m)
            )
        }));
    }
    lines.push(climb);
    if let Some(leg) = markers.legs().last() {
        // Of a closed path the marker before the end is the last one.
        let from = markers.end().checked_sub(1).unwrap_or(markers.markers().len() - 1);
        let [from, to] = [from, markers.end()].map(name_of);
        lines.push(format!("{from} to {to}   {}   bearing {}", length(leg.ellipsoid_m), bearing(leg)));
    }
    lines
}

fn bearing(leg: &Leg) -> String {
    leg.bearing_deg.map_or(String::from("-"), |degrees| format!("{:05.1}°", (degrees * 10.0).round() / 10.0 % 360.0))
}

fn sight(sight: &SightResult, palette: &Palette, units: Units) -> (String, Color32) {
    match sight {
        SightResult::Free => (format!("B is seen from {} above A", units.height(EYE_M)), palette.free),
        SightResult::Blocked { distance_m, place: at } => {
            let at = place(at.lat_rad.to_degrees(), at.lon_rad.to_degrees());
            (format!("B is hidden from A by the ground {} away, at {at}", units.length(*distance_m)), palette.alarm)
        }
        SightResult::BeyondHorizon { depth_m } => {
            let depth = units.length(*depth_m);
            (
                format!("B is beyond the horizon of A: the Earth's curve is up to {depth} above the line of sight"),
                palette.alarm,
            )
        }
        SightResult::Unknown(error) => (format!("whether B is seen from A is not known: {error}"), palette.accent),
    }
}

/// The ground along the path from the side, and of two markers the line of sight above it.
fn profile(ui: &mut egui::Ui, markers: &Markers, (sight, units): (Color32, Units)) {
    let width = (ui.ctx().content_rect().width() - 40.0).clamp(120.0, 420.0);
    let (response, painter) = ui.allocate_painter(vec2(width, 110.0), Sense::hover());
    let (area, palette) = (response.rect.shrink2(vec2(2.0, 12.0)), Palette::of(ui.visuals()));
    let Some(scale) = Scale::new(markers.profile(), area) else { return };
    let points = thinned(markers.profile(), width as usize);
    painter.add(filled(&points, &scale, Color32::from_rgb(96, 122, 104)));
    let ground: Vec<Pos2> = points.iter().map(|point| scale.at(point.distance_m, point.place.height_m)).collect();
    painter.add(egui::Shape::line(ground, PathStroke::new(1.5, palette.value)));
    if let Some(line) = markers.sight() {
        let line: Vec<Pos2> = line.line_m.iter().map(|&(x_m, h_m)| scale.at(x_m, h_m)).collect();
        painter.with_clip_rect(area.expand(1.0)).add(egui::Shape::line(line, PathStroke::new(1.0, sight)));
    }
    let text = |at: Pos2, align: Align2, text: String| {
        painter.text(at, align, text, FontId::proportional(10.5), palette.quiet)
    };
    // Corners within the path, with their letters where there is room.
    let mut free_from = area.left() + LETTER_PT;
    for (number, along_m) in markers.along_m().skip(1).take(markers.markers().len().saturating_sub(1)).enumerate() {
        let x = scale.at(along_m, scale.low_m).x;
        if number + 2 == markers.markers().len() && !markers.is_closed() {
            break;
        }
        painter.line_segment([pos2(x, area.top()), pos2(x, area.bottom())], Stroke::new(0.5, PIN.gamma_multiply(0.6)));
        if x >= free_from {
            free_from = text(pos2(x + 2.0, area.top()), Align2::LEFT_TOP, name_of(number + 1)).right() + 2.0;
        }
    }
    text(response.rect.left_top(), Align2::LEFT_TOP, format!("A   highest {}", units.height(scale.high_m)));
    text(response.rect.right_top(), Align2::RIGHT_TOP, name_of(markers.end()));
    text(response.rect.left_bottom(), Align2::LEFT_BOTTOM, format!("lowest {}", units.height(scale.low_m)));
    text(response.rect.right_bottom(), Align2::RIGHT_BOTTOM, units.length(scale.along_m));
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
    fn new(profile: &[GroundPoint], area: Rect) -> Option<Scale> {
        let heights = || profile.iter().map(|point| point.place.height_m);
        let (low_m, high_m) = (heights().fold(f64::MAX, f64::min), heights().fold(f64::MIN, f64::max));
        let along_m = profile.last().map_or(0.0, |last| last.distance_m);
        (along_m > 0.0 && low_m <= high_m).then_some(Scale { area, along_m, low_m, high_m })
    }

    fn at(&self, along_m: f64, height_m: f64) -> Pos2 {
        // Level ground is a line at the bottom, not noise across the plot.
        let range_m = (self.high_m - self.low_m).max(1.0);
        let part = Vec2::new((along_m / self.along_m) as f32, ((height_m - self.low_m) / range_m) as f32);
        pos2(self.area.left() + part.x * self.area.width(), self.area.bottom() - part.y * self.area.height())
    }
}

/// The area under the profile.
fn filled(points: &[GroundPoint], scale: &Scale, colour: Color32) -> Mesh {
    let tops = points.iter().map(|point| (scale.at(point.distance_m, point.place.height_m), colour));
    area_below(tops, scale.area.bottom())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrain::height::{GlobalGrid, Registration, Relief};
    use terrain::surface::Surface;

    use super::*;

    fn ridge() -> Surface {
        let ridge = |lon: f64, _| 2_000.0 - 2_000.0 * (lon - 10.0).abs().min(1.0);
        let relief = Relief::from_grid(GlobalGrid::from_fn(360, 181, Registration::Node, ridge)).expect("a grid");
        Surface::new(Arc::new(relief))
    }

    fn path(corners: &[(f64, f64)]) -> Markers {
        let (surface, mut markers) = (ridge(), Markers::default());
        corners.iter().for_each(|(lat, lon)| markers.extend(Geodetic::from_degrees(*lat, *lon, 0.0), &surface));
        markers
    }

    #[test]
    fn the_figures_say_what_was_measured() {
        let markers = path(&[(0.0, 9.0), (0.0, 11.0)]);
        let lines = figures(&markers, Units::Metric);
        let [lengths, heights] = &lines[..] else { panic!("{lines:?}") };
        assert!(lengths.starts_with("A to B   222.639 km on the ellipsoid   222.7"), "{lengths}");
        assert!(lengths.ends_with("bearing 090.0°") && heights.starts_with("rises 1999 m   falls 1999 m"), "{heights}");
        let leg = markers.legs().next().expect("a leg");
        assert_eq!(bearing(&Leg { bearing_deg: Some(359.97), ..leg.clone() }), "000.0°");
        let palette = Palette::of(&egui::Visuals::dark());
        let (said, colour) = sight(&markers.sight().expect("two").sight, palette, Units::Metric);
        assert!(said.starts_with("B is hidden from A by the ground") && colour == palette.alarm, "{said}");
    }

    /// Law: a path says its length and its last leg, a closed one also what it surrounds, unless it crosses itself.
    #[test]
    fn a_path_says_its_length_and_area() {
        let mut markers = path(&[(0.0, 9.0), (0.0, 11.0), (1.0, 11.0), (1.0, 9.0)]);
        let open = figures(&markers, Units::Metric);
        assert!(open[0].starts_with("A to D   555.8") && open[0].contains(" km over the ground"), "{open:?}");
        assert!(open.last().is_some_and(|last| last == "C to D   222.605 km   bearing 270.0°"), "{open:?}");
        assert!(markers.close(&ridge()));
        let closed = figures(&markers, Units::Metric);
        assert!(
            closed[0].starts_with("perimeter   666.") && closed[1] == "area 24 619 km² on the ellipsoid",
            "{closed:?}"
        );
        assert!(closed.last().is_some_and(|last| last == "D to A   110.574 km   bearing 180.0°"), "{closed:?}");
        let mut eight = path(&[(0.0, 9.0), (1.0, 11.0), (1.0, 9.0), (0.0, 11.0)]);
        assert!(eight.close(&ridge()) && figures(&eight, Units::Metric)[1] == "no area: the path crosses itself");
    }

    /// Law: the plot has the whole profile in it, ends at the ends, and keeps the peak however narrow it is.
    #[test]
    fn the_plot_keeps_the_peak() {
        for corners in [&[(0.0, 9.0), (0.0, 11.0)][..], &[(0.0, 9.0), (1.0, 10.5), (0.0, 11.0)]] {
            let markers = path(corners);
            let area = Rect::from_min_size(pos2(10.0, 20.0), vec2(30.0, 50.0));
            let scale = Scale::new(markers.profile(), area).expect("a plot");
            let thin = thinned(markers.profile(), 30);
            let points: Vec<Pos2> = thin.iter().map(|at| scale.at(at.distance_m, at.place.height_m)).collect();
            let top = points.iter().map(|p| p.y).fold(f32::MAX, f32::min);
            assert!((top - area.top()).abs() < 1e-3 && points.iter().all(|p| area.expand(1e-3).contains(*p)));
            assert!(points.windows(2).all(|two| two[0].x <= two[1].x));
            assert!((points[0].x - area.left()).abs() < 1e-3);
            assert!(points.last().is_some_and(|last| (last.x - area.right()).abs() < 1e-3));
            let mesh = filled(&thin, &scale, PIN);
            assert!(mesh.is_valid() && mesh.vertices.len() == 2 * points.len());
            assert!(Scale::new(path(&[(0.0, 9.0), (0.0, 9.0)]).profile(), area).is_none());
        }
    }
}
