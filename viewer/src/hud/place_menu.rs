//! What is at this place, and what can be done there? The menu of a right click.

use bevy_ecs::prelude::*;
use egui::{Order, RichText, Sense};
use glam::{DVec2, DVec3};
use terrain::geodesy::Ellipsoid;

use super::cursor::describe_ground;
use super::picked::{PickedFeature, picked};
use super::placemark_form::PlacemarkForm;
use super::state::{Hud, HudRequests, MarkerEdit, PlaceMenu};
use crate::camera::place::Place;
use crate::camera::{Camera, Destination, Lens};
use crate::frame::Viewport;
use crate::input::bindings::Action;
use crate::input::{Click, Controls};
use crate::measure::Markers;
use crate::placemarks::{PlacemarkEdit, PlacemarkFile};
use crate::terrain::Planet;
use crate::theme::Palette;

/// Most features of which the fields are shown.
const MOST_FEATURES: usize = 8;
/// Heights of what is told of features at least and at most, and of all else in the menu.
const LEAST_OF_FEATURES_PT: f32 = 40.0;
const MOST_OF_FEATURES_PT: f32 = 180.0;
const LINES_PT: f32 = 350.0;
/// Width of the menu, where the window has it.
const WIDTH_PT: f32 = 290.0;
/// Most characters of a text in the menu.
const MOST_CHARACTERS: usize = 48;

/// Opens the menu where the ground is clicked; whatever moves the camera closes it.
pub(super) fn open(
    (controls, viewport, lens): (Res<Controls>, Res<Viewport>, Res<Lens>),
    (camera, planet): (Res<Camera>, Res<Planet>),
    placemarks: Option<Res<PlacemarkFile>>,
    mut hud: ResMut<Hud>,
) {
    if hud.place_menu.is_some() && (controls.moves_camera() || !controls.clicks.is_empty()) {
        hud.place_menu = None;
    }
    let asked = match controls.clicks.last() {
        Some(&Click::Once(Action::PlaceMenu, at)) => vec![at],
        // A click after it closes it.
        Some(_) => return,
        // By a key: where the cursor is, or in the middle where that shows no ground.
        None if controls.is_triggered(Action::PlaceMenu) => vec![controls.cursor, DVec2::ZERO],
        None => return,
    };
    let found = asked.into_iter().find_map(|at| {
        let ray = camera.ray(at.x, at.y, viewport.aspect(), lens.fov_y_rad);
        Some((at, planet.pick(camera.eye_m, ray)?))
    });
    let Some((at, hit)) = found else { return };
    let n: DVec3 = hit.place.normal();
    let (height_m, told) = describe_ground(planet.data(), n, hud.units);
    let layers = planet.imagery().vectors_shown();
    let features = picked(layers, &hit, planet.seen_surface(), (&camera, &lens, &viewport));
    // They are of the Earth, and drawn like other files.
    let is_kept = cfg!(feature = "gdal") && camera.ellipsoid == Ellipsoid::WGS84;
    let placemarks = placemarks.filter(|file| file.path().is_some() && is_kept);
    let named = placemarks.as_ref().and_then(|file| {
        features.iter().filter(|feature| file.is(&feature.path)).find_map(|feature| file.find(feature.point?))
    });
    hud.place_menu = Some(PlaceMenu {
        drawn: hit.place,
        height_m,
        told,
        features,
        takes_placemarks: placemarks.is_some(),
        placemark: named,
        at_pt: point(at, &viewport),
    });
}

/// Points from the upper left corner of a place in the picture, in [-1, 1], right and up.
fn point(at: DVec2, viewport: &Viewport) -> egui::Pos2 {
    let (width, height) = viewport.size_px;
    let part = 0.5 * (DVec2::new(at.x, -at.y) + 1.0) / f64::from(viewport.pixels_per_point);
    egui::pos2((part.x * f64::from(width)) as f32, (part.y * f64::from(height)) as f32)
}

impl PlaceMenu {
    /// Latitude and longitude, as every place of the program is typed.
    fn coordinates(&self) -> String {
        format!("{:.6},{:.6}", self.drawn.lat_rad.to_degrees(), self.drawn.lon_rad.to_degrees())
    }
}

/// Lays the menu out; true if it closes. A click beside it closes it, and does nothing else.
pub(super) fn menu(
    egui: &egui::Context,
    menu: &PlaceMenu,
    known: (&Markers, Option<&str>),
    wanted: &mut HudRequests,
) -> bool {
    let screen = egui.content_rect();
    let beside = egui::Area::new(egui::Id::unique("beside the menu")).order(Order::Middle).fixed_pos(screen.min);
    let beside = beside.show(egui, |ui| ui.allocate_rect(screen, Sense::click_and_drag())).inner;
    let mut closes = beside.clicked() || beside.secondary_clicked() || beside.dragged();
    let area = egui::Area::new(egui::Id::unique("menu of a place")).order(Order::Foreground);
    area.fixed_pos(menu.at_pt).constrain_to(screen).show(egui, |ui| {
        let frame = egui::Frame::menu(ui.style());
        let room = screen.size() - frame.total_margin().sum();
        // Without a least height it keeps what a lower menu left it.
        let scrolled = egui::ScrollArea::vertical().max_height(room.y).min_scrolled_height(room.y);
        closes |= frame.show(ui, |ui| scrolled.show(ui, |ui| entries(ui, menu, room.x, known, wanted)).inner).inner;
    });
    closes
}

/// What the menu says of the place and what it offers, no wider than there is room; true if something is chosen.
fn entries(
    ui: &mut egui::Ui,
    menu: &PlaceMenu,
    room_pt: f32,
    (markers, public_ground): (&Markers, Option<&str>),
    wanted: &mut HudRequests,
) -> bool {
    ui.set_max_width(WIDTH_PT.min(room_pt));
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Wrap);
    let palette = Palette::of(ui.visuals());
    ui.label(RichText::new(menu.coordinates()).strong().color(palette.strong));
    ui.label(RichText::new(&menu.told).size(11.5).color(palette.quiet));
    ui.separator();
    if !menu.features.is_empty() {
        features(ui, &menu.features);
        ui.separator();
    }
    let mut closes = false;
    let mut chosen = |ui: &mut egui::Ui, words: &str| {
        let is_chosen = ui.add(egui::Button::new(words).frame_when_inactive(false)).clicked();
        closes |= is_chosen;
        is_chosen
    };
    if chosen(ui, "Copy coordinates") {
        wanted.copied = Some(menu.coordinates());
    }
    if chosen(ui, "Copy coordinates and height") {
        wanted.copied = Some(format!("{},{:.1}", menu.coordinates(), menu.height_m));
    }
    if let Some(told) = menu.features.first().filter(|feature| feature.fields().next().is_some())
        && chosen(ui, &format!("Copy the fields of {}", short(&told.title)))
    {
        let lines = told.fields().map(|(name, text)| format!("{name}: {text}"));
        wanted.copied = Some(lines.collect::<Vec<_>>().join("\n"));
    }
    if chosen(ui, "Fly here") {
        let (lat_deg, lon_deg) = (menu.drawn.lat_rad.to_degrees(), menu.drawn.lon_rad.to_degrees());
        wanted.go_to = Some(Destination::from(Place::at(lat_deg, lon_deg)));
    }
    if chosen(ui, "Measure from here") {
        wanted.mark = Some(MarkerEdit::First(menu.drawn));
    }
    let to_here = if markers.legs().len() == 0 { "Measure to here" } else { "Go on with the path to here" };
    if !markers.markers().is_empty() && !markers.is_full() && chosen(ui, to_here) {
        wanted.mark = Some(MarkerEdit::Next(menu.drawn));
    }
    if markers.can_close() && chosen(ui, "Close the path to an area") {
        wanted.mark = Some(MarkerEdit::Close);
    }
    if let Some((feature, number)) = menu.features.iter().find_map(|feature| Some((feature, feature.line?)))
        && chosen(ui, &format!("Measure {}", short(&feature.title)))
    {
        wanted.measured = Some((feature.path.clone(), number));
    }
    if chosen(ui, "What is seen from here") {
        wanted.seen_from = Some(menu.drawn);
    }
    if chosen(ui, "Hours of sun around here") {
        wanted.sun_hours = Some(menu.drawn);
    }
    if menu.takes_placemarks && chosen(ui, "Add a placemark") {
        wanted.form = Some(PlacemarkForm::at([menu.drawn.lat_rad, menu.drawn.lon_rad].map(f64::to_degrees)));
    }
    if let Some(known) = &menu.placemark {
        if chosen(ui, &format!("Edit the placemark {}", short(&known.name))) {
            wanted.form = Some(PlacemarkForm::of(known.clone()));
        }
        if chosen(ui, &format!("Remove the placemark {}", short(&known.name))) {
            wanted.placemark = Some(PlacemarkEdit::Remove(known.clone()));
        }
    }
    if let Some(host) = public_ground
        && chosen(ui, &format!("Download finer ground from {host}"))
    {
        wanted.ground = Some([menu.drawn.lat_rad, menu.drawn.lon_rad].map(f64::to_degrees));
    }
    closes
}

/// The user's features at the place, with what their files say of them.
fn features(ui: &mut egui::Ui, features: &[PickedFeature]) {
    let palette = Palette::of(ui.visuals());
    let room_pt = ui.ctx().content_rect().height() - LINES_PT;
    let most_pt = room_pt.clamp(LEAST_OF_FEATURES_PT, MOST_OF_FEATURES_PT);
    egui::ScrollArea::vertical().max_height(most_pt).show(ui, |ui| {
        for (number, feature) in features.iter().take(MOST_FEATURES).enumerate() {
            ui.label(RichText::new(short(&feature.title)).strong().color(palette.strong));
            ui.label(RichText::new(&feature.file).size(11.5).color(palette.quiet));
            egui::Grid::new(("fields", number)).num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
                for (name, text) in feature.fields() {
                    ui.label(RichText::new(short(name)).size(11.5).color(palette.quiet));
                    ui.label(RichText::new(short(text)).size(11.5).color(palette.value)).on_hover_text(text);
                    ui.end_row();
                }
            });
        }
        if let Some(more) = features.len().checked_sub(MOST_FEATURES).filter(|more| *more > 0) {
            ui.label(RichText::new(format!("{more} more features")).size(11.5).color(palette.quiet));
        }
    });
}

/// As much of a text as a menu has room for.
fn short(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use terrain::features::Attributes;
    use terrain::geodesy::Geodetic;

    use super::*;
    use crate::placemarks::Placemark;

    fn frame(
        egui: &egui::Context,
        open: &PlaceMenu,
        events: Vec<egui::Event>,
    ) -> (bool, HudRequests, egui::FullOutput) {
        let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(400.0, 440.0)));
        let (mut wanted, mut closes) = (HudRequests::default(), false);
        let input = egui::RawInput { screen_rect, events, ..egui::RawInput::default() };
        let mut output = egui.run_ui(input, |ui| {
            closes = menu(&ui.ctx().clone(), open, (&Markers::default(), Some("example.org")), &mut wanted);
        });
        output.textures_delta.clear();
        (closes, wanted, output)
    }

    fn click(at: egui::Pos2) -> Vec<Vec<egui::Event>> {
        let button = |pressed| egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        vec![vec![egui::Event::PointerMoved(at)], vec![button(true)], vec![button(false)], Vec::new()]
    }

    /// Law: the menu stands inside the window wherever was clicked; a line of it is taken and closes it; a click beside it closes it
    /// alone.
    #[test]
    fn a_line_of_the_menu_is_taken() {
        let open = PlaceMenu {
            drawn: Geodetic::from_degrees(45.9764, 7.6586, 4_000.0),
            height_m: 3_900.04,
            told: String::from("3900 m above sea"),
            features: vec![PickedFeature::new(
                String::from("huts.gpkg"),
                Some(&Attributes::new([("name", "Hörnli Hut"), ("beds", "130")])),
            )],
            takes_placemarks: true,
            placemark: None,
            at_pt: egui::pos2(390.0, 430.0),
        };
        let egui = egui::Context::default();
        (0..3).for_each(|_| drop(frame(&egui, &open, Vec::new())));
        let (_, _, output) = frame(&egui, &open, Vec::new());
        let place_of = |words: &str| {
            output.shapes.iter().find_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) if text.galley.text() == words => Some(text.visual_bounding_rect()),
                _ => None,
            })
        };
        let line = place_of("Copy coordinates and height").expect("a line");
        assert!(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(400.0, 440.0)).contains_rect(line));
        assert!(place_of("45.976400,7.658600").is_some() && place_of("Measure to here").is_none());
        let done: Vec<_> = click(line.center()).into_iter().map(|events| frame(&egui, &open, events)).collect();
        let copied: Vec<String> = done.iter().filter_map(|(_, wanted, _)| wanted.copied.clone()).collect();
        assert_eq!(copied, ["45.976400,7.658600,3900.0"]);
        assert_eq!(done.iter().filter(|(closes, ..)| *closes).count(), 1);
        // What is known of a feature at the place is shown, and copied.
        assert!(["Hörnli Hut", "huts.gpkg", "beds", "130"].iter().all(|words| place_of(words).is_some()));
        let known = place_of("Copy the fields of Hörnli Hut").expect("a line");
        let done: Vec<_> = click(known.center()).into_iter().map(|events| frame(&egui, &open, events)).collect();
        let copied: Vec<String> = done.iter().filter_map(|(_, wanted, _)| wanted.copied.clone()).collect();
        assert_eq!(copied, ["name: Hörnli Hut\nbeds: 130"]);
        let download = place_of("Download finer ground from example.org").expect("a line");
        let done: Vec<_> = click(download.center()).into_iter().map(|events| frame(&egui, &open, events)).collect();
        let asked: Vec<_> = done.iter().filter_map(|(_, wanted, _)| wanted.ground).collect();
        assert!(asked.len() == 1 && (asked[0][0] - 45.9764).abs() < 1e-9 && (asked[0][1] - 7.6586).abs() < 1e-9);
        // A placemark is added; one that is there is changed or removed.
        let asked = |open: &PlaceMenu, words: &str| {
            let line = |output: &egui::FullOutput| {
                output.shapes.iter().find_map(|clipped| match &clipped.shape {
                    egui::Shape::Text(text) if text.galley.text() == words => Some(text.visual_bounding_rect()),
                    _ => None,
                })
            };
            let egui = egui::Context::default();
            (0..3).for_each(|_| drop(frame(&egui, open, Vec::new())));
            let line = line(&frame(&egui, open, Vec::new()).2).expect(words);
            let done = click(line.center()).into_iter().map(|events| frame(&egui, open, events).1);
            done.filter_map(|wanted| Some((wanted.form, wanted.placemark)).filter(|(a, b)| a.is_some() || b.is_some()))
                .next()
        };
        let (form, _) = asked(&open, "Add a placemark").expect("a form");
        let camp = Placemark { name: String::from("Camp"), ..form.expect("a form").now };
        assert!((camp.place_deg[0] - 45.9764).abs() < 1e-9 && (camp.place_deg[1] - 7.6586).abs() < 1e-9);
        let known = PlaceMenu { placemark: Some(camp.clone()), features: Vec::new(), ..open.clone() };
        assert_eq!(asked(&known, "Edit the placemark Camp"), Some((Some(PlacemarkForm::of(camp.clone())), None)));
        assert_eq!(asked(&known, "Remove the placemark Camp"), Some((None, Some(PlacemarkEdit::Remove(camp)))));
        let beside: Vec<_> =
            click(egui::pos2(5.0, 5.0)).into_iter().map(|events| frame(&egui, &open, events)).collect();
        assert!(beside.iter().any(|(closes, ..)| *closes));
        assert!(beside.iter().all(|(_, wanted, _)| wanted.copied.is_none() && wanted.go_to.is_none()));
    }

    /// Law: the menu opens where the cursor is, on a screen with two pixels a point too.
    #[test]
    fn places_of_the_picture_are_points() {
        let viewport = Viewport { size_px: (800, 600), pixels_per_point: 2.0 };
        assert_eq!(point(DVec2::new(-1.0, 1.0), &viewport), egui::pos2(0.0, 0.0));
        assert_eq!(point(DVec2::new(0.5, -1.0), &viewport), egui::pos2(300.0, 300.0));
    }
}
