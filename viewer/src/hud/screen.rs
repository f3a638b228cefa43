//! What stands where on the screen? The boxes of the display, laid out anew every frame.

use egui::{Id, LayerId, Order, Rect, RichText};
use terrain::geodesy::Ellipsoid;

use super::help::keys;
use super::layout::{
    CORNERS, FIGURES, HELP, HINT, MEASURE, MESSAGE, RECORDING, SKYLINE, TOOLBAR, WINDOWS, freest_corner,
    keep_below_panels, last_rect, window_id, wrap,
};
use super::measure::measured;
use super::place_menu;
use super::skyline::{PanoramaView, skyline};
use super::state::{Figures, Hud, HudRequests};
use super::toolbar::toolbar;
use crate::annotations::{GAP, LEGEND, MARKS, Panel, VisibleGround, legend, marks, show_panel, sources};
use crate::bookmark_pictures::BookmarkPictures;
use crate::bookmarks::Bookmarks;
use crate::camera::Camera;
use crate::controller::is_map_view;
use crate::frame::Viewport;
use crate::input::Keymap;
use crate::input::bindings::Action;
use crate::measure::Markers;
use crate::recent_places::RecentPlaces;
use crate::render::Legend;
use crate::skyline::Skyline;
use crate::theme::Palette;

/// A window narrower or lower than this shows the scene alone, points.
const LEAST_PT: egui::Vec2 = egui::vec2(96.0, 64.0);

/// What the display tells of.
pub(super) struct DisplayInputs<'a> {
    pub camera: &'a Camera,
    pub viewport: &'a Viewport,
    pub markers: &'a Markers,
    /// Where these are seen.
    pub pins: &'a [Rect],
    pub bookmarks: &'a Bookmarks,
    pub pictures: &'a BookmarkPictures,
    pub recent: &'a RecentPlaces,
    /// What keys do.
    pub keymap: &'a Keymap,
    pub view: &'a VisibleGround,
    /// What the colours mean, where that is shown.
    pub legend: Option<Legend>,
    /// What the tint of the ground around a place means, where it is shown.
    pub seen: Option<String>,
    /// What stands against the sky, or why that is not known, where it is shown; and the width of the picture, radians.
    pub skyline: Option<(Result<&'a Skyline, &'a str>, f64)>,
    /// The layers, where their colours are shown.
    pub sources: Vec<String>,
}

/// What the mouse does, for who has not used it yet.
const MOUSE: &str =
    "drag: move   wheel: closer   right drag: look around   double click: fly there   right click: what is here";
/// What a message leaves of the width of a window, points: a box of a measurement beside it, and edges.
const BESIDE_MESSAGE_PT: f32 = 500.0;
/// A window narrower than this has no room for what the mouse does, points.
const HINT_PT: f32 = 840.0;

/// Lays out everything but the panel.
pub(super) fn lay_out(egui: &egui::Context, hud: &mut Hud, scene: &DisplayInputs<'_>) -> HudRequests {
    let mut wanted = HudRequests::default();
    let size = egui.content_rect().size();
    if size.x < LEAST_PT.x || size.y < LEAST_PT.y {
        return wanted;
    }
    keep_below_panels(egui, &[FIGURES, MARKS, LEGEND, TOOLBAR, SKYLINE, MEASURE, HINT]);
    let mut lift = 0.0;
    // The list of keys needs the room.
    if !hud.lines.is_empty() && !hud.help {
        lift = show_panel(egui, &FIGURES, 0.0, |ui| figures(ui, &hud.lines)) + GAP;
    }
    let above_figures = lift;
    if hud.figures != Figures::Off && !hud.help {
        let content = |ui: &mut egui::Ui| {
            if marks(ui, scene.view, scene.camera, (scene.viewport.pixels_per_point, hud.units)) {
                wanted.actions.push(Action::NorthUp);
            }
        };
        lift += show_panel(egui, &MARKS, lift, content) + GAP;
    }
    // One box, since a second one of its name would lie on it.
    let is_coloured = scene.legend.is_some() || scene.seen.is_some() || !scene.sources.is_empty();
    if is_coloured && !hud.help {
        let content = |ui: &mut egui::Ui| {
            if let Some(told) = &scene.seen {
                ui.label(RichText::new(told).size(12.0).color(Palette::of(ui.visuals()).tinted));
            }
            scene.legend.iter().for_each(|view| legend(ui, view));
            if !scene.sources.is_empty() {
                sources(ui, &scene.sources);
            }
        };
        lift += show_panel(egui, &LEGEND, lift, content) + GAP;
    }
    let mut drop = 0.0;
    if (hud.figures != Figures::Off || hud.is_typed_into()) && !hud.help {
        let mut bar = TOOLBAR;
        if hud.is_typed_into() {
            // What is typed, and what it finds, lies under no panel, and hides what is below it.
            egui.move_to_top(LayerId::new(Order::Middle, Id::unique(TOOLBAR.name)));
            bar.darkness = 245;
        }
        if let Some(goto) = &mut hud.goto {
            goto.is_elsewhere = scene.camera.ellipsoid != Ellipsoid::WGS84;
            if goto.is_elsewhere {
                goto.recent.clear();
            }
        }
        drop = show_panel(egui, &bar, 0.0, |ui| {
            let known = (scene.bookmarks, scene.pictures, scene.recent);
            toolbar(ui, hud, known, (scene.keymap, is_map_view(scene.camera)), &mut wanted)
        }) + GAP;
    }
    if let (Some((known, fov_x_rad)), false) = (scene.skyline, hud.help) {
        let panorama_view = PanoramaView { pose: scene.camera.pose(), fov_x_rad, units: hud.units };
        drop += show_panel(egui, &SKYLINE, drop, |ui| wanted.view = skyline(ui, known, &panorama_view).or(wanted.view))
            + GAP;
    }
    let mut below_recording = drop;
    if let Some(seconds) = hud.recording_s {
        let content = |ui: &mut egui::Ui| {
            let text = format!("• recording {seconds:.1} s   {} saves", scene.keymap.key(Action::Record));
            ui.label(RichText::new(text).size(14.0).color(Palette::of(ui.visuals()).alarm));
        };
        below_recording += show_panel(egui, &RECORDING, drop, content) + GAP;
    }
    let has_replaced = scene.markers.restores_path() && !scene.markers.markers().is_empty();
    let mut above_measured = 0.0;
    if (scene.markers.legs().len() > 0 || has_replaced) && !hud.help {
        let lifts = [lift, above_figures, drop, below_recording];
        let windows = WINDOWS.iter().filter_map(|name| {
            let id = window_id(egui, name);
            egui.memory(|memory| {
                memory.areas().is_visible(&LayerId::new(Order::Middle, id)).then(|| memory.area_rect(id)).flatten()
            })
        });
        let others = [&MARKS, &LEGEND, &FIGURES, &TOOLBAR];
        let others = others.into_iter().filter_map(|panel| last_rect(egui, panel));
        let seen: Vec<Rect> = scene.pins.iter().copied().chain(windows).chain(others).collect();
        hud.measured_in = freest_corner(egui, &MEASURE, hud.measured_in, (lifts, &seen));
        let corner = hud.measured_in;
        let measure = Panel { at: CORNERS[corner], ..MEASURE };
        let height =
            show_panel(egui, &measure, lifts[corner], |ui| measured(ui, scene.markers, scene.keymap, hud.units));
        if measure.at == MESSAGE.at {
            above_measured = height + GAP;
        }
    } else {
        hud.measured_in = 0;
    }
    let mut above_hint = above_figures + above_measured;
    if hud.hint && hud.figures != Figures::Off && !hud.help && size.x > HINT_PT {
        let hint_lift = if is_beside(egui, &HINT, &MARKS) { above_figures } else { lift };
        above_hint += hint_lift - above_figures + GAP;
        above_hint += show_panel(egui, &HINT, hint_lift, |ui| {
            let text = format!("{MOUSE}   {}: all keys", scene.keymap.key(Action::ToggleHelp));
            ui.label(RichText::new(text).size(12.5).color(Palette::of(ui.visuals()).accent));
        });
    }
    if let Some((message, _)) = &hud.message {
        show_panel(egui, &MESSAGE, above_hint, |ui| {
            // Beside a measurement and the marks.
            ui.set_max_width((size.x - BESIDE_MESSAGE_PT).max(0.5 * size.x));
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Wrap);
            ui.label(RichText::new(message).size(14.0).color(Palette::of(ui.visuals()).strong));
        });
    }
    if hud.help {
        show_panel(egui, &HELP, 0.0, |ui| keys(ui, scene.keymap));
    }
    if let Some(open) = hud.place_menu.clone()
        && place_menu::menu(egui, &open, (scene.markers, hud.public_ground.as_deref()), &mut wanted)
    {
        hud.place_menu = None;
    }
    wanted
}

/// Whether a box ends left of another one, by where both stood last.
fn is_beside(egui: &egui::Context, left: &Panel, right: &Panel) -> bool {
    last_rect(egui, left).zip(last_rect(egui, right)).is_none_or(|(left, right)| left.right() + GAP <= right.left())
}

fn figures(ui: &mut egui::Ui, lines: &[String]) {
    // Between groups of figures.
    wrap(ui);
    let colour = Palette::of(ui.visuals()).text;
    for line in lines {
        let together = |group: &str| group.replace(' ', "\u{a0}");
        let groups: Vec<String> = line
            .split("  ")
            .map(|group| group.strip_prefix(' ').map_or_else(|| together(group), |rest| format!(" {}", together(rest))))
            .collect();
        ui.label(RichText::new(groups.join("  ")).monospace().size(12.5).color(colour));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrain::geodesy::Geodetic;
    use terrain::height::{GlobalGrid, Registration, Relief};
    use terrain::surface::Surface;

    use super::*;
    use crate::camera::Pose;
    use crate::hud::state::{BookmarkField, SearchField};
    use crate::theme::Theme;

    /// What a scene borrows.
    struct Stage {
        viewport: Viewport,
        camera: Camera,
        markers: Markers,
        view: VisibleGround,
        bookmarks: Bookmarks,
        pictures: BookmarkPictures,
        recent: RecentPlaces,
        keymap: Keymap,
    }

    impl Stage {
        fn new(size_px: (u32, u32), pixels_per_point: f32) -> Stage {
            Stage {
                viewport: Viewport { size_px, pixels_per_point },
                camera: Camera::from_pose(&Pose::HOME),
                markers: Markers::default(),
                view: VisibleGround::default(),
                bookmarks: Bookmarks::default(),
                pictures: BookmarkPictures::default(),
                recent: RecentPlaces::default(),
                keymap: Keymap::default(),
            }
        }

        fn screen(&self) -> Rect {
            let size_pt = self.viewport.size_pt().as_vec2();
            Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(size_pt.x, size_pt.y))
        }

        fn scene(&self) -> DisplayInputs<'_> {
            DisplayInputs {
                camera: &self.camera,
                viewport: &self.viewport,
                markers: &self.markers,
                pins: &[],
                bookmarks: &self.bookmarks,
                pictures: &self.pictures,
                recent: &self.recent,
                keymap: &self.keymap,
                view: &self.view,
                legend: None,
                seen: Some(String::from("orange is seen")),
                skyline: None,
                sources: Vec::new(),
            }
        }

        fn frame(
            &self,
            egui: &egui::Context,
            mut hud: Hud,
            scene: &DisplayInputs<'_>,
            events: Vec<egui::Event>,
        ) -> egui::FullOutput {
            let input = egui::RawInput { screen_rect: Some(self.screen()), events, ..egui::RawInput::default() };
            let mut output = egui.run_ui(input, |ui| drop(lay_out(&ui.ctx().clone(), &mut hud, scene)));
            output.textures_delta.clear();
            output
        }
    }

    /// Law: whatever the size of the window, everything that is open is laid out, and every character has a glyph.
    #[test]
    fn every_size_of_a_window_is_laid_out() {
        let egui = egui::Context::default();
        for (width, height) in
            [(0, 0), (1, 1), (1, 900), (40, 30), (97, 65), (130, 700), (700, 70), (350, 250), (3840, 2160)]
        {
            for pixels_per_point in [1.0, 2.0] {
                let size = egui::vec2(width as f32, height as f32) / pixels_per_point;
                let stage = Stage::new((width, height), pixels_per_point);
                let hud = Hud {
                    lines: vec![String::from("89.6135° N  170.0000° W   143.4 km above ground  143.4 km above sea")],
                    message: Some((String::from("saved orogen-path-1795197298191.json"), 5.0)),
                    recording_s: Some(3.4),
                    help: true,
                    goto: Some(SearchField::default()),
                    naming: (width % 2 == 0).then(|| BookmarkField {
                        text: String::from("Everest, 2026-06-21"),
                        view: Pose::HOME,
                        is_shown: false,
                    }),
                    ..Hud::default()
                };
                let scene = DisplayInputs { sources: vec![String::from("ETOPO5")], ..stage.scene() };
                let output = stage.frame(&egui, hud, &scene, Vec::new());
                assert_eq!(output.shapes.is_empty(), size.x < LEAST_PT.x || size.y < LEAST_PT.y, "{size:?}");
            }
        }
    }

    /// Law: a legend, what the ground around a place is tinted by, and the layers stand together inside the window, each once.
    #[test]
    fn what_colours_mean_stands_together() {
        let egui = egui::Context::default();
        let stage = Stage::new((900, 700), 1.0);
        let scene = DisplayInputs {
            legend: Some(Legend::of_sun_hours(9.0)),
            seen: Some(String::from("hours of sun today")),
            sources: vec![String::from("alps.tif"), String::from("ETOPO5")],
            ..stage.scene()
        };
        let figures = || Hud { lines: vec![String::from("eye")], ..Hud::default() };
        let frame = |_| stage.frame(&egui, figures(), &scene, Vec::new()).shapes;
        let shown = (0..3).map(frame).reduce(|_, last| last).expect("frames");
        let texts: Vec<(String, Rect)> = shown
            .iter()
            .filter_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect())),
                _ => None,
            })
            .collect();
        for words in ["hours of sun", "hours of sun today", "8 h", "alps.tif", "ETOPO5"] {
            let places: Vec<Rect> = texts.iter().filter(|(text, _)| text == words).map(|(_, at)| *at).collect();
            assert!(places.len() == 1 && stage.screen().contains_rect(places[0]), "{words}: {texts:?}");
        }
        assert!(texts.iter().all(|(text, _)| !text.contains("widget ID")), "{texts:?}");
    }

    /// Law: every word of the boxes is light where they are dark, and dark where they are light.
    #[test]
    fn words_are_of_the_theme() {
        for theme in Theme::ALL {
            let (egui, stage) = (egui::Context::default(), Stage::new((1_400, 800), 1.0));
            theme.apply(&egui);
            let hud = |help| Hud {
                lines: vec![String::from("eye")],
                message: Some((String::from("kept"), 5.0)),
                recording_s: Some(3.4),
                hint: true,
                help,
                goto: Some(SearchField { error: Some(String::from("no place")), ..SearchField::default() }),
                ..Hud::default()
            };
            let scene = DisplayInputs {
                legend: Some(Legend::of_sun_hours(9.0)),
                sources: vec![String::from("ETOPO5")],
                skyline: Some((Err("no skyline here"), 1.0)),
                ..stage.scene()
            };
            for help in [false, true] {
                let frame = |_| stage.frame(&egui, hud(help), &scene, Vec::new()).shapes;
                let shapes = (0..3).map(frame).reduce(|_, last| last).expect("frames");
                let texts = shapes.iter().filter_map(|clipped| match &clipped.shape {
                    egui::Shape::Text(text) => Some(text),
                    _ => None,
                });
                let mut words = 0;
                for text in texts {
                    let colours = text.galley.job.sections.iter().map(|section| match section.format.color {
                        egui::Color32::PLACEHOLDER => text.fallback_color,
                        colour => colour,
                    });
                    for colour in colours.filter(|colour| colour.is_opaque()) {
                        let green = colour.g();
                        let is_of_theme = if theme == Theme::Dark { green >= 110 } else { green <= 110 };
                        assert!(is_of_theme, "{} in {colour:?}, {}", text.galley.text(), theme.name());
                        words += 1;
                    }
                }
                assert!(words > 10, "{words}");
            }
        }
    }

    /// Law: a message stands inside the window, and on none of the titles of what is open; a long one is broken.
    #[test]
    fn a_message_hides_no_title() {
        for (width, height) in [(960, 600), (1_280, 720), (1_920, 1_080)] {
            let (egui, stage) = (egui::Context::default(), Stage::new((width, height), 1.0));
            let hud = || Hud {
                lines: vec![String::from("eye"), String::from("cursor")],
                message: Some((format!("saved /users/somebody/{}.png", "Pictures of mountains/".repeat(4)), 5.0)),
                ..Hud::default()
            };
            let output = (0..3).map(|_| stage.frame(&egui, hud(), &stage.scene(), Vec::new())).reduce(|_, last| last);
            let at = output.expect("frames").shapes.into_iter().find_map(|clipped| match clipped.shape {
                egui::Shape::Text(text) if text.galley.text().starts_with("saved") => Some(text.visual_bounding_rect()),
                _ => None,
            });
            let at = at.expect("a message").expand2(egui::vec2(10.0, 6.0));
            assert!(stage.screen().contains_rect(at), "{at}");
            let titles = Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(width as f32, 100.0));
            assert!(!titles.intersects(at), "{at}");
        }
    }

    /// Law: what is measured stands inside the window, whatever its size, on no other box.
    #[test]
    fn a_measurement_stands_in_the_window() {
        let relief = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |lon, _| 9.0 * lon));
        let surface = Surface::new(Arc::new(relief.expect("a grid")));
        for (width, height) in [(240, 180), (320, 200), (480, 360), (640, 360), (640, 400), (800, 600), (1_280, 720)] {
            let (egui, mut stage) = (egui::Context::default(), Stage::new((width, height), 1.0));
            for lon_deg in [10.0, 50.0] {
                stage.markers.drop_at(Geodetic::from_degrees(20.0, lon_deg, 0.0), &surface);
            }
            let hud = || Hud { lines: vec![String::from("20.0000° N  10.0000° E"); 2], ..Hud::default() };
            (0..4).for_each(|_| drop(stage.frame(&egui, hud(), &stage.scene(), Vec::new())));
            let place = |panel: &Panel| last_rect(&egui, panel).expect("a box");
            let measured = place(&MEASURE);
            assert!(stage.screen().contains_rect(measured), "{width} x {height}: {measured}");
            if height >= 360 {
                assert!(!place(&TOOLBAR).intersects(measured), "{width} x {height}: {measured}");
            }
        }
    }

    /// Law: the hint stands inside the window, and on no other box, whatever the window's width.
    #[test]
    fn the_hint_hides_nothing() {
        for width in (850..1_500).step_by(50) {
            let (egui, mut stage) = (egui::Context::default(), Stage::new((width, 600), 1.0));
            stage.view.pixel_m = Some(100.0);
            stage.view.sources = vec![String::from("ETOPO5 (embedded)")];
            let hud = || Hud { lines: vec![String::from("eye"); 3], hint: true, ..Hud::default() };
            (0..4).for_each(|_| drop(stage.frame(&egui, hud(), &stage.scene(), Vec::new())));
            let place = |panel: &Panel| last_rect(&egui, panel).expect("a box");
            let hint = place(&HINT);
            assert!(stage.screen().contains_rect(hint), "{width}: {hint}");
            for other in [&MARKS, &FIGURES, &LEGEND, &TOOLBAR].map(place) {
                assert!(!other.intersects(hint), "{width}: {hint} on {other}");
            }
        }
    }

    /// Law: the font has every sign that the display's own words and the names of places hold.
    #[test]
    fn every_sign_of_the_display_has_a_glyph() {
        let sources = [
            include_str!("chooser.rs"),
            include_str!("cursor.rs"),
            include_str!("figures.rs"),
            include_str!("goto.rs"),
            include_str!("graphs.rs"),
            include_str!("help.rs"),
            include_str!("measure.rs"),
            include_str!("memory.rs"),
            include_str!("panel.rs"),
            include_str!("place_menu.rs"),
            include_str!("plugin.rs"),
            include_str!("screen.rs"),
            include_str!("skyline.rs"),
            include_str!("times.rs"),
            include_str!("toolbar.rs"),
            include_str!("../annotations/legend.rs"),
            include_str!("../annotations/map.rs"),
            include_str!("../annotations/marks.rs"),
            include_str!("../annotations/numbers.rs"),
            include_str!("../input/bindings/table.rs"),
            include_str!("../labels/graticule.rs"),
            include_str!("../overlays.rs"),
        ];
        let egui = egui::Context::default();
        egui.run_ui(egui::RawInput::default(), |_| ()).textures_delta.clear();
        let font = egui::FontId::proportional(14.0);
        let lacks = |c: char| !egui.fonts_mut(|fonts| fonts.has_glyph(&font, c));
        let words = sources.map(|source| source.split("#[cfg(test)]").next().unwrap_or_default());
        let lacking: Vec<char> =
            words.iter().flat_map(|words| words.chars()).filter(|c| !c.is_ascii() && lacks(*c)).collect();
        assert_eq!(lacking, Vec::<char>::new());
        for entry in crate::gazetteer::entries() {
            let name = format!("{} {}", entry.title(), entry.name.to_uppercase());
            assert!(!name.chars().any(lacks), "{name}");
        }
        assert!(lacks('\u{2032}'), "this test sees nothing");
    }
}
