//! How is the skyline shown? As a panorama of all azimuths with the view's own in the middle, and the names of the summits on it.

use std::f64::consts::{PI, TAU};

use analysis::HorizonPoint;
use egui::epaint::{Mesh, TextShape};
use egui::{Align2, Color32, FontId, Pos2, Rect, RichText, Sense, Stroke, pos2, vec2};

use super::plot::area_below;
use crate::annotations::{Units, place};
use crate::camera::Pose;
use crate::skyline::Skyline;
use crate::theme::Palette;

/// Height of the panorama, of its names and of the letters below it, points.
const PLOT_PT: f32 = 64.0;
const NAMES_PT: f32 = 64.0;
const TICKS_PT: f32 = 14.0;
/// Names stand at least so far from each other, points.
const APART_PT: f32 = 15.0;
/// Names rise so steeply, radians.
const TILT_RAD: f32 = 0.9;
/// Most names, and letters of a name.
const MOST_NAMES: usize = 48;
const MOST_LETTERS: usize = 18;
/// A skyline lower than this is drawn as low as it is, radians.
const LEAST_RANGE_RAD: f64 = 0.035;
/// Ground nearer than the first of these has the first colour, farther than the second the second, metres.
const NEAR_FAR_M: (f64, f64) = (1_000.0, 80_000.0);
const NEAR_COLOUR: [f32; 3] = [92.0, 112.0, 78.0];
const FAR_COLOUR: [f32; 3] = [150.0, 172.0, 196.0];

/// The view of the camera, as the panorama marks it.
pub(super) struct PanoramaView {
    pub pose: Pose,
    /// Width of the picture, radians.
    pub fov_x_rad: f64,
    pub units: Units,
}

/// Lays it out; the view that a click asks for.
pub(super) fn skyline(ui: &mut egui::Ui, known: Result<&Skyline, &str>, panorama_view: &PanoramaView) -> Option<Pose> {
    let palette = Palette::of(ui.visuals());
    let skyline = match known {
        Ok(skyline) => skyline,
        Err(why) => {
            ui.label(RichText::new(why).size(12.5).color(palette.quiet));
            return None;
        }
    };
    let width = ui.ctx().content_rect().width() - 44.0;
    let (response, painter) =
        ui.allocate_painter(vec2(width, NAMES_PT + PLOT_PT + TICKS_PT), Sense::click().union(Sense::hover()));
    let all = response.rect;
    let area = Rect::from_min_max(pos2(all.left(), all.top() + NAMES_PT), pos2(all.right(), all.bottom() - TICKS_PT));
    let scale = Scale::new(skyline, panorama_view.pose.heading_deg.to_radians(), area);
    // What the picture shows.
    let half = (panorama_view.fov_x_rad / TAU * f64::from(area.width())) as f32 * 0.5;
    let middle = area.center().x;
    let view = Rect::from_x_y_ranges(middle - half..=middle + half, area.y_range());
    painter.rect_filled(view.intersect(area), 0.0, palette.veil(18));
    painter.add(ground(skyline, &scale));
    painter.hline(area.x_range(), scale.y(0.0), Stroke::new(0.5, palette.veil(70)));
    let small = |at: Pos2, align: Align2, text: &str| {
        painter.text(at, align, text, FontId::proportional(10.5), palette.quiet);
    };
    for (number, name) in ["N", "NE", "E", "SE", "S", "SW", "W", "NW"].into_iter().enumerate() {
        let x = scale.x(TAU * number as f64 / 8.0);
        painter.vline(x, area.bottom()..=area.bottom() + 3.0, Stroke::new(1.0, palette.weak));
        // Behind the eye a letter could be cut.
        if (area.left() + 8.0..area.right() - 8.0).contains(&x) {
            small(pos2(x, all.bottom()), Align2::CENTER_BOTTOM, name);
        }
    }
    let names = placed(skyline, &scale);
    for (name, foot) in &names {
        painter.line_segment([*foot, pos2(foot.x, area.top())], Stroke::new(0.5, palette.veil(110)));
        let galley = painter.layout_no_wrap(name.clone(), FontId::proportional(11.0), palette.accent);
        let start = pos2(foot.x - 5.0, area.top() - 4.0);
        painter.add(TextShape::new(start, galley, palette.accent).with_angle(-TILT_RAD));
    }
    let at = response.hover_pos().filter(|at| area.expand2(vec2(0.0, NAMES_PT)).contains(*at))?;
    let point = skyline.at(scale.azimuth_rad(at.x))?;
    painter.vline(at.x, area.y_range(), Stroke::new(1.0, palette.veil(140)));
    response.clone().on_hover_text_at_pointer(describe(point, skyline, panorama_view.units));
    response.clicked().then(|| {
        // Towards it, as high as it is.
        let (heading_deg, pitch_deg) = (point.azimuth_rad.to_degrees(), point.elevation_rad.to_degrees());
        Pose { heading_deg, pitch_deg, ..panorama_view.pose }
    })
}

/// What is there.
fn describe(point: &HorizonPoint, skyline: &Skyline, units: Units) -> String {
    let summit = skyline.summits.iter().find(|summit| summit.point.azimuth_rad == point.azimuth_rad);
    let name = summit.map(|summit| format!("{}\n", summit.name)).unwrap_or_default();
    let (azimuth_deg, elevation_deg) = (point.azimuth_rad.to_degrees(), point.elevation_rad.to_degrees());
    let [lat_deg, lon_deg] = [point.place.lat_rad, point.place.lon_rad].map(f64::to_degrees);
    format!(
        "{name}{azimuth_deg:.1}° from north   {elevation_deg:+.2}° high   {} away\n{}",
        units.distance(point.distance_m),
        place(lat_deg, lon_deg)
    )
}

/// From azimuths and elevations to points of the plot.
struct Scale {
    area: Rect,
    /// In the middle.
    heading_rad: f64,
    low_rad: f64,
    high_rad: f64,
}

impl Scale {
    fn new(skyline: &Skyline, heading_rad: f64, area: Rect) -> Scale {
        let elevations = || skyline.horizon.points.iter().map(|point| point.elevation_rad);
        let low_rad = elevations().fold(0.0, f64::min);
        let high_rad = elevations().fold(low_rad + LEAST_RANGE_RAD, f64::max);
        // Some ground below the lowest.
        Scale { area, heading_rad, low_rad: low_rad - 0.15 * (high_rad - low_rad), high_rad }
    }

    fn x(&self, azimuth_rad: f64) -> f32 {
        let aside = (azimuth_rad - self.heading_rad + PI).rem_euclid(TAU) / TAU;
        self.area.left() + aside as f32 * self.area.width()
    }

    fn y(&self, elevation_rad: f64) -> f32 {
        let part = (elevation_rad - self.low_rad) / (self.high_rad - self.low_rad);
        self.area.bottom() - part as f32 * self.area.height()
    }

    fn azimuth_rad(&self, x: f32) -> f64 {
        self.heading_rad - PI + f64::from((x - self.area.left()) / self.area.width()) * TAU
    }
}

/// The ground below the line, the farther the paler.
fn ground(skyline: &Skyline, scale: &Scale) -> Mesh {
    let points = &skyline.horizon.points;
    let colour = |distance_m: f64| {
        let part = (distance_m / NEAR_FAR_M.0).max(1.0).ln() / (NEAR_FAR_M.1 / NEAR_FAR_M.0).ln();
        let part = part.min(1.0) as f32;
        let [red, green, blue] = [0, 1, 2].map(|k| (NEAR_COLOUR[k] + (FAR_COLOUR[k] - NEAR_COLOUR[k]) * part) as u8);
        Color32::from_rgb(red, green, blue)
    };
    // From the azimuth behind the eye, which both ends have, all around.
    let first =
        points.iter().enumerate().min_by(|(_, a), (_, b)| scale.x(a.azimuth_rad).total_cmp(&scale.x(b.azimuth_rad)));
    let Some((first, behind)) = first else { return Mesh::default() };
    let around = (0..points.len()).map(|k| &points[(first + k) % points.len()]);
    let ends = [scale.area.left(), scale.area.right()].map(|x| (x, behind));
    let columns = around.map(|point| (scale.x(point.azimuth_rad), point));
    let columns = ends[..1].iter().copied().chain(columns).chain(ends[1..].iter().copied());
    let tops = columns.map(|(x, point)| (pos2(x, scale.y(point.elevation_rad)), colour(point.distance_m)));
    area_below(tops, scale.area.bottom())
}

/// Names with the places of their summits in the plot, those known best where there is room for one.
fn placed(skyline: &Skyline, scale: &Scale) -> Vec<(String, Pos2)> {
    let mut placed: Vec<(String, Pos2)> = Vec::new();
    // A tilted name goes to the right of its foot.
    let most_x = scale.area.right() - NAMES_PT;
    for summit in &skyline.summits {
        let foot = pos2(scale.x(summit.point.azimuth_rad), scale.y(summit.point.elevation_rad));
        let is_free = placed.iter().all(|(_, other)| (other.x - foot.x).abs() >= APART_PT);
        if is_free && foot.x <= most_x && placed.len() < MOST_NAMES {
            let mut name: String = summit.name.chars().take(MOST_LETTERS).collect();
            if name.len() < summit.name.len() {
                name.push('…');
            }
            placed.push((name, foot));
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use analysis::Horizon;
    use terrain::geodesy::Geodetic;

    use super::*;
    use crate::skyline::SkylineSummit;

    fn around() -> Skyline {
        let eye = Geodetic::from_degrees(46.0, 7.0, 2_000.0);
        let point = |k: usize| {
            let azimuth_rad = TAU * k as f64 / 720.0;
            let elevation_rad = 0.1 * (3.0 * azimuth_rad).sin();
            HorizonPoint { azimuth_rad, elevation_rad, distance_m: 100.0 * (k + 1) as f64, place: eye }
        };
        let points: Vec<HorizonPoint> = (0..720).map(point).collect();
        let summit = |(number, rank, name)| SkylineSummit { name, rank, point: points[number] };
        let summits =
            [(60, 0, "Well known"), (61, 1, "Beside it"), (300, 2, "A name of very many letters"), (359, 3, "Last")];
        Skyline {
            summits: summits.map(summit).to_vec(),
            horizon: Horizon { ellipsoid: terrain::geodesy::Ellipsoid::WGS84, eye, points },
        }
    }

    /// Law: the view's azimuth is in the middle, the one behind it at both ends, and the ground spans the plot; azimuths and places of the plot
    /// undo each other.
    #[test]
    fn the_panorama_spans_the_plot() {
        let skyline = around();
        let area = Rect::from_min_size(pos2(10.0, 20.0), vec2(720.0, 60.0));
        for heading_deg in [0.0f64, 33.3, 180.0, 359.9] {
            let scale = Scale::new(&skyline, heading_deg.to_radians(), area);
            assert!((scale.x(heading_deg.to_radians()) - area.center().x).abs() < 0.01);
            for x in [10.0f32, 100.0, 512.5, 729.0] {
                assert!((scale.x(scale.azimuth_rad(x)) - x).abs() < 0.01);
            }
            let mesh = ground(&skyline, &scale);
            let xs: Vec<f32> = mesh.vertices.iter().step_by(2).map(|vertex| vertex.pos.x).collect();
            assert!(xs.is_sorted() && xs.first() == Some(&10.0) && xs.last() == Some(&730.0));
            assert!(mesh.vertices.iter().all(|vertex| area.expand(0.01).contains(vertex.pos)));
        }
    }

    /// Law: names stand apart, those known best first, on their summits, and are cut where they are long.
    #[test]
    fn names_stand_apart() {
        let skyline = around();
        let area = Rect::from_min_size(pos2(0.0, 0.0), vec2(720.0, 60.0));
        let names = placed(&skyline, &Scale::new(&skyline, PI, area));
        let texts: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(texts, ["Well known", "A name of very man…", "Last"]);
        assert!((names[0].1.x - 60.0).abs() < 0.01, "{names:?}");
    }

    /// Law: a click turns the view to the ground there, and leaves the eye where it is; without a skyline there is a line of text.
    #[test]
    fn a_click_turns_the_view() {
        let egui = egui::Context::default();
        let skyline_ = around();
        let pose = Pose { lat_deg: 46.0, lon_deg: 7.0, height_m: 2_000.0, heading_deg: 90.0, pitch_deg: -30.0 };
        let panorama_view = PanoramaView { pose, fov_x_rad: 1.0, units: Units::Metric };
        let mut frame = |events: Vec<egui::Event>| {
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(764.0, 300.0)));
            let input = egui::RawInput { screen_rect, events, ..egui::RawInput::default() };
            let mut asked = None;
            let mut output = egui.run_ui(input, |ui| asked = skyline(ui, Ok(&skyline_), &panorama_view));
            output.textures_delta.clear();
            asked
        };
        let at = pos2(200.0, 100.0);
        let button = |pressed| egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        let asked: Vec<Pose> = [vec![egui::Event::PointerMoved(at)], vec![button(true)], vec![button(false)]]
            .into_iter()
            .filter_map(&mut frame)
            .collect();
        assert_eq!(asked.len(), 1);
        assert!((asked[0].heading_deg - 90.0).abs() > 10.0 && asked[0].height_m == 2_000.0, "{asked:?}");
        assert!(
            describe(&skyline_.summits[0].point, &skyline_, Units::Metric).starts_with("Well known\n30.0° from north")
        );
    }
}
