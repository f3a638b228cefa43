//! Which file lies on which? A list that is reordered by dragging a line, within the files of its kind. Of the chosen one there are buttons.

use std::path::Path;

use egui::{Button, Rect, RichText, ScrollArea, Sense, Slider, Stroke, TextStyle, WidgetInfo, pos2, vec2};
use foreign::raster::PictureOptions;
use foreign::values::MOST_COLOUR_FACTOR;

use crate::input::Keymap;
use crate::input::bindings::Action;
use crate::layers::{LayerEdit, LayerKind, LayerMove, LayerPlace, Layers};
use crate::theme::Palette;

/// What is asked for in the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum LayerRequest {
    /// Another choice of files.
    Edit(LayerEdit),
    /// All of a file.
    Show(LayerPlace),
}

/// How much of what lies below it a picture may hide.
const OPACITIES: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];

/// Width of the tick before the name of a file, points.
const TICK_PT: f32 = 16.0;

/// Most height of the lines, points; those that have no room are scrolled to.
const LINES_PT: f32 = 260.0;

/// Lays the list out; a click chooses a file, a line that is dragged and let go says where its file is to lie.
pub(super) fn layer_list(
    ui: &mut egui::Ui,
    (layers, keymap): (&Layers, &Keymap),
    chosen: &mut Option<LayerPlace>,
) -> Option<LayerRequest> {
    let [above, below, up, down] = [Action::LayerAbove, Action::LayerBelow, Action::RaiseLayer, Action::LowerLayer]
        .map(|action| keymap.key(action));
    let hint = format!("drag it above or below others; {above} and {below} choose, {up} and {down} move it");
    let id = ui.scope_id().with("layer that was chosen");
    let before = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(id), *chosen));
    let comes = chosen.filter(|_| before != *chosen);
    let most_pt = LINES_PT.min(0.4 * ui.ctx().content_rect().height());
    let scrolled = ScrollArea::vertical().id_salt("layers").max_height(most_pt).auto_shrink([false, true]);
    let wanted = scrolled.show(ui, |ui| lines(ui, layers, (chosen, comes), &hint)).inner;
    let place = chosen.filter(|place| layers.file(*place).is_some());
    place.and_then(|place| buttons(ui, place, layers, keymap)).or(wanted)
}

/// Lays out the lines that are seen, and one that comes into sight.
fn lines(
    ui: &mut egui::Ui,
    layers: &Layers,
    (chosen, comes): (&mut Option<LayerPlace>, Option<LayerPlace>),
    hint: &str,
) -> Option<LayerRequest> {
    let text_pt = ui.text_style_height(&TextStyle::Button) + 2.0 * ui.spacing().button_padding.y;
    let row_pt = text_pt.max(ui.spacing().interact_size.y);
    let moved = ui.ctx().dragged_id().or(ui.ctx().drag_stopped_id());
    let mut wanted = None;
    for kind in LayerKind::ALL {
        let files = layers.of_kind(kind);
        if files.is_empty() {
            continue;
        }
        ui.label(RichText::new(kind.name()).size(11.5).color(Palette::of(ui.visuals()).weak));
        let (mut rows, mut dragged) = (Vec::with_capacity(files.len()), None);
        for (number, file) in files.iter().enumerate() {
            let place = (kind, number);
            let rect = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), row_pt));
            let is_moved = moved == Some(ui.next_auto_id());
            if !is_moved && comes != Some(place) && !ui.is_rect_visible(rect) {
                ui.advance_cursor_after_rect(rect);
                rows.push(rect);
                continue;
            }
            let hidden = layers.is_hidden(place);
            let row = row(ui, (place, file), (hidden, chosen), hint);
            if let Some(hidden) = hidden.filter(|hidden| has_toggled(ui, row.rect, place, !hidden)) {
                wanted = Some(LayerRequest::Edit(LayerEdit::Hide(kind, number, !hidden)));
            }
            rows.push(row.rect);
            if comes == Some(place) {
                row.scroll_to_me(None);
            }
            if row.dragged() || row.drag_stopped() {
                dragged = Some((number, row));
            }
        }
        let Some((from, dragged)) = dragged else { continue };
        let Some(pointer) = dragged.interact_pointer_pos() else { continue };
        // The line is put between those whose middles are above and below the pointer.
        let gap = rows.iter().filter(|row| row.center().y < pointer.y).count();
        let to = if gap > from { gap - 1 } else { gap };
        if dragged.drag_stopped() {
            let moved = LayerRequest::Edit(LayerEdit::Move(LayerMove { kind, from, to }));
            wanted = (to != from).then_some(moved).or(wanted);
            *chosen = Some((kind, from));
        } else {
            let y = rows.get(gap).map_or_else(|| dragged.rect.bottom().max(rows[gap - 1].bottom()), |row| row.top());
            ui.painter().hline(dragged.rect.x_range(), y, Stroke::new(2.0, Palette::of(ui.visuals()).tinted));
            // At the ends of what is seen, the list goes on below the pointer.
            ui.scroll_to_rect(Rect::from_center_size(pointer, vec2(0.0, 2.0 * row_pt)), None);
        }
    }
    wanted
}

/// What can be done with the chosen file.
fn buttons(ui: &mut egui::Ui, (kind, number): LayerPlace, layers: &Layers, keymap: &Keymap) -> Option<LayerRequest> {
    let mut wanted = None;
    ui.horizontal(|ui| {
        if ui.button("Show all").on_hover_text(keymap.keys(Action::ShowLayer)).clicked() {
            wanted = Some(LayerRequest::Show((kind, number)));
        }
        if ui.button("Take away").on_hover_text(keymap.keys(Action::RemoveLayer)).clicked() {
            wanted = Some(LayerRequest::Edit(LayerEdit::Remove(kind, number)));
        }
    });
    if kind != LayerKind::Pictures {
        return wanted;
    }
    let own = layers.picture(number);
    // One that the command line gave is among them.
    let mut all: Vec<f64> = OPACITIES.into_iter().chain([own.opacity]).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    let mut asked = own;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.label("opacity ");
        for one in all {
            if ui.selectable_label(one == own.opacity, format!("{:.0} %", 100.0 * one)).clicked() {
                asked.opacity = one;
            }
        }
    });
    for (name, factor) in ["brightness", "contrast", "saturation"].into_iter().zip(&mut asked.colours) {
        *factor = percent(ui, (name, number), *factor);
    }
    let as_it_is = PictureOptions::default().colours;
    if own.colours != as_it_is && ui.button("Colours as they are").clicked() {
        asked.colours = as_it_is;
    }
    (asked != own).then_some(LayerRequest::Edit(LayerEdit::Picture(number, asked))).or(wanted)
}

/// A factor that is slid as percents. While it is dragged it stays what it is: tiles are made for where it is let go.
fn percent(ui: &mut egui::Ui, (name, number): (&str, usize), factor: f64) -> f64 {
    let id = ui.scope_id().with((name, number));
    let mut shown = ui.data(|data| data.get_temp(id)).unwrap_or(100.0 * factor);
    let slider = Slider::new(&mut shown, 0.0..=100.0 * MOST_COLOUR_FACTOR).integer().suffix(" %").text(name);
    let response = ui.add(slider.update_while_editing(false));
    if response.dragged() {
        ui.data_mut(|data| data.insert_temp(id, shown));
        return factor;
    }
    ui.data_mut(|data| data.remove::<f64>(id));
    // Shown in whole percents it is still what it was.
    let is_other = shown.round() != (100.0 * factor).round();
    if is_other && (response.changed() || response.drag_stopped()) { shown.round() / 100.0 } else { factor }
}

fn row(
    ui: &mut egui::Ui,
    (place, file): (LayerPlace, &Path),
    (hidden, chosen): (Option<bool>, &mut Option<LayerPlace>),
    hint: &str,
) -> egui::Response {
    let is_chosen = *chosen == Some(place);
    let name = foreign::sanitized(&file.file_name().unwrap_or(file.as_os_str()).to_string_lossy()).to_string();
    let padding_pt = ui.spacing().button_padding.x;
    if hidden.is_some() {
        ui.spacing_mut().button_padding.x = TICK_PT + padding_pt;
    }
    let name = if hidden == Some(true) { RichText::new(name).weak() } else { RichText::new(name) };
    let row = ui.add(Button::selectable(is_chosen, name).truncate().sense(Sense::click_and_drag()));
    ui.spacing_mut().button_padding.x = padding_pt;
    if row.clicked() {
        *chosen = (!is_chosen).then_some(place);
    }
    row.on_hover_text(format!("{}\n{hint}", foreign::sanitized(&file.to_string_lossy())))
}

/// Lays the tick out that stands before the name of a file which may be hidden; true if it was clicked.
fn has_toggled(ui: &egui::Ui, row: Rect, place: LayerPlace, is_shown: bool) -> bool {
    let rect = Rect::from_min_max(row.min, pos2(row.left() + TICK_PT, row.bottom()));
    let response = ui.interact(rect, ui.scope_id().with(("shown", place)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(egui::Role::CheckBox, true, is_shown, "shown"));
    let (visuals, painter) = (ui.style().interact(&response), ui.painter());
    let tick = Rect::from_center_size(rect.center(), vec2(10.0, 10.0));
    painter.rect(tick, 2.0, visuals.bg_fill, visuals.fg_stroke, egui::StrokeKind::Inside);
    if is_shown {
        let at = |x: f32, y: f32| tick.min + vec2(x, y);
        painter.line(vec![at(2.0, 5.0), at(4.5, 7.5), at(8.0, 2.5)], Stroke::new(1.5, visuals.fg_stroke.color));
    }
    response.on_hover_text(if is_shown { "a click hides it" } else { "a click shows it" }).clicked()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Law: a line that is dragged over others of its kind and let go is moved there; one that is let go where it was, or among files of
    /// another kind, is moved nowhere beyond those of its own; a click chooses it.
    #[test]
    fn lines_are_dragged() {
        let names = |names: &[&str]| names.iter().map(PathBuf::from).collect();
        let layers = Layers::new(Vec::new(), names(&["q.tif", "p.tif"]), names(&["a.tif", "b.tif", "c.tif"]));
        let egui = egui::Context::default();
        let mut chosen = None;
        let mut frame = |events: Vec<egui::Event>| {
            let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(300.0, 600.0)));
            let input = egui::RawInput { screen_rect, events, ..egui::RawInput::default() };
            let mut moved = None;
            let mut output =
                egui.run_ui(input, |ui| moved = layer_list(ui, (&layers, &Keymap::default()), &mut chosen));
            output.textures_delta.clear();
            let places = output.shapes.iter().filter_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect().center())),
                _ => None,
            });
            (moved, places.collect::<Vec<_>>(), chosen)
        };
        frame(Vec::new());
        let (_, places, _) = frame(Vec::new());
        let words: Vec<&str> = places.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(words, ["pictures", "q.tif", "p.tif", "elevation", "a.tif", "b.tif", "c.tif"], "the topmost first");
        let place = |words: &str| places.iter().find(|(text, _)| text == words).expect("a line").1;
        let mut drag = |from: egui::Pos2, to: egui::Pos2| {
            let button = |pos, pressed| {
                let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
                egui::Event::PointerButton { pos, button, pressed, modifiers }
            };
            let events = [
                vec![egui::Event::PointerMoved(from)],
                vec![button(from, true)],
                vec![egui::Event::PointerMoved(from + 0.5 * (to - from))],
                vec![egui::Event::PointerMoved(to)],
                vec![button(to, false)],
                Vec::new(),
            ];
            let told = events.map(&mut frame);
            let chosen = told[5].2;
            (told.into_iter().find_map(|(moved, ..)| moved), chosen)
        };
        let below = vec2(0.0, 6.0);
        let moved = |kind, from, to| Some(LayerRequest::Edit(LayerEdit::Move(LayerMove { kind, from, to })));
        let elevation = |from, to| moved(LayerKind::Elevation, from, to);
        let a = Some((LayerKind::Elevation, 0));
        assert_eq!(drag(place("a.tif"), place("c.tif") + below), (elevation(0, 2), a));
        assert_eq!(drag(place("a.tif"), place("b.tif") + below), (elevation(0, 1), a));
        assert_eq!(drag(place("c.tif"), place("a.tif") - below).0, elevation(2, 0));
        assert_eq!(drag(place("a.tif"), place("a.tif") + below), (None, a));
        assert_eq!(drag(place("c.tif"), place("q.tif")).0, elevation(2, 0));
        assert_eq!(drag(place("q.tif"), place("c.tif")).0, moved(LayerKind::Pictures, 0, 1));
        assert_eq!(drag(place("b.tif"), place("b.tif")), (None, Some((LayerKind::Elevation, 1))));
    }

    /// Law: buttons are those of the chosen file, also of one that was given twice, and ask for it by its number; a picture has an opacity,
    /// and the one that it has asks for nothing. What lies on the ground is hidden by the tick before it.
    #[test]
    fn the_chosen_file_has_buttons() {
        let names = |names: &[&str]| names.iter().map(PathBuf::from).collect();
        let faded = |opacity: f64| {
            let mut options = PictureOptions::default();
            options.opacity = opacity;
            options
        };
        let layers = Layers::new(names(&["t.gpx"]), names(&["q.tif", "p.tif"]), names(&["a.tif", "a.tif"]))
            .with_options(vec![PictureOptions::default(), faded(0.4)], vec![true]);
        let click_left_of = |file: LayerPlace, words: &str, aside_pt: f32| {
            let egui = egui::Context::default();
            let mut chosen = Some(file);
            let mut frame = |events: Vec<egui::Event>| {
                let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(400.0, 600.0)));
                let input = egui::RawInput { screen_rect, events, ..egui::RawInput::default() };
                let mut wanted = None;
                let mut output = egui.run_ui(input, |ui| {
                    wanted = layer_list(ui, (&layers, &Keymap::default()), &mut chosen);
                });
                output.textures_delta.clear();
                let place = output.shapes.iter().find_map(|clipped| match &clipped.shape {
                    egui::Shape::Text(text) if text.galley.text() == words => {
                        Some(text.visual_bounding_rect().left_center())
                    }
                    _ => None,
                });
                (wanted, place)
            };
            frame(Vec::new());
            let pos = frame(Vec::new()).1? - vec2(aside_pt, 0.0);
            let button = |pressed| {
                let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
                egui::Event::PointerButton { pos, button, pressed, modifiers }
            };
            let events = [vec![egui::Event::PointerMoved(pos)], vec![button(true)], vec![button(false)], Vec::new()];
            events.into_iter().find_map(|events| frame(events).0)
        };
        let click = |file, words: &str| click_left_of(file, words, -2.0);
        let (elevation, picture) = ((LayerKind::Elevation, 0), (LayerKind::Pictures, 1));
        assert_eq!(click(elevation, "Show all"), Some(LayerRequest::Show((LayerKind::Elevation, 0))));
        let below = (LayerKind::Elevation, 1);
        let all = [click(below, "Show all"), click(below, "Take away")];
        let removed = LayerEdit::Remove(LayerKind::Elevation, 1);
        assert_eq!(all, [Some(LayerRequest::Show(below)), Some(LayerRequest::Edit(removed))]);
        let removed = LayerRequest::Edit(LayerEdit::Remove(LayerKind::Pictures, 1));
        assert_eq!(click(picture, "Take away"), Some(removed));
        assert_eq!(click(picture, "20 %"), Some(LayerRequest::Edit(LayerEdit::Picture(1, faded(0.2)))));
        assert_eq!((click(picture, "40 %"), click(elevation, "20 %")), (None, None));
        assert_eq!(click((LayerKind::Elevation, 2), "Show all"), None);
        // The tick before a name, and the middle of a slider.
        let hide = |kind, number, hidden| Some(LayerRequest::Edit(LayerEdit::Hide(kind, number, hidden)));
        assert_eq!(click_left_of(elevation, "p.tif", 12.0), hide(LayerKind::Pictures, 1, true));
        assert_eq!(click_left_of(picture, "t.gpx", 12.0), hide(LayerKind::Vectors, 0, false));
        let slid = click_left_of(picture, "saturation", 110.0);
        let Some(LayerRequest::Edit(LayerEdit::Picture(1, options))) = slid else { panic!("{slid:?}") };
        let [brightness, contrast, saturation] = options.colours;
        assert_eq!((options.opacity, brightness, contrast), (0.4, 1.0, 1.0));
        assert!((1.2..3.0).contains(&saturation), "{saturation}");
    }

    /// Law: of many files as many lines are seen as have room, and the chosen one comes into sight when it is chosen; then the wheel scrolls
    /// away from it.
    #[test]
    fn many_files_are_scrolled() {
        let files = |end: &str| (0..900).map(|number| PathBuf::from(format!("{number}.{end}"))).collect();
        let layers = Layers::new(Vec::new(), files("png"), files("tif"));
        let egui = egui::Context::default();
        let frame = |chosen: Option<LayerPlace>, events: Vec<egui::Event>| {
            let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(300.0, 400.0)));
            let input = egui::RawInput { screen_rect, events, ..egui::RawInput::default() };
            let mut now = chosen;
            let mut output = egui.run_ui(input, |ui| {
                layer_list(ui, (&layers, &Keymap::default()), &mut now);
            });
            output.textures_delta.clear();
            let seen = output.shapes.iter().filter_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) if clipped.clip_rect.contains_rect(text.visual_bounding_rect()) => {
                    Some(text.galley.text().to_owned())
                }
                _ => None,
            });
            (seen.collect::<Vec<_>>(), output.shapes.len())
        };
        let (seen, shapes) = (0..3).map(|_| frame(None, Vec::new())).reduce(|_, last| last).expect("a frame");
        assert!(seen.contains(&String::from("0.png")) && seen.len() < 30 && shapes < 100, "{shapes}: {seen:?}");
        for (place, name) in [((LayerKind::Elevation, 899), "899.tif"), ((LayerKind::Pictures, 450), "450.png")] {
            let (seen, shapes) =
                (0..60).map(|_| frame(Some(place), Vec::new())).reduce(|_, last| last).expect("a frame");
            assert!(seen.contains(&name.to_owned()) && shapes < 100, "{shapes}: {seen:?}");
        }
        let place = Some((LayerKind::Pictures, 450));
        let wheel = || {
            let (unit, modifiers) = (egui::MouseWheelUnit::Line, egui::Modifiers::NONE);
            let (delta, phase, source) = (vec2(0.0, -20.0), egui::TouchPhase::Move, egui::MouseWheelSource::Wheel);
            vec![
                egui::Event::PointerMoved(pos2(80.0, 80.0)),
                egui::Event::MouseWheel { unit, delta, phase, source, modifiers },
            ]
        };
        frame(place, wheel());
        let (seen, _) = (0..60).map(|_| frame(place, Vec::new())).reduce(|_, last| last).expect("a frame");
        assert!(!seen.contains(&String::from("450.png")), "{seen:?}");
    }
}
