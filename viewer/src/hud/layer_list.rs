//! Which file lies on which? A list that is reordered by dragging a line, within the files of its kind.

use std::path::{Path, PathBuf};

use egui::{Button, Color32, RichText, Sense, Stroke};

use crate::input::Keymap;
use crate::input::bindings::Action;
use crate::layers::{LayerKind, LayerMove, Layers};

/// A file of the list, by what it holds.
pub(super) type ListedLayer = (LayerKind, PathBuf);

/// Lays the list out; a click chooses a file, a line that is dragged and let go says where its file is to lie.
pub(super) fn layer_list(
    ui: &mut egui::Ui,
    (layers, keymap): (&Layers, &Keymap),
    chosen: &mut Option<ListedLayer>,
) -> Option<LayerMove> {
    let [above, below, up, down] = [Action::LayerAbove, Action::LayerBelow, Action::RaiseLayer, Action::LowerLayer]
        .map(|action| keymap.key(action));
    let hint = format!("drag it above or below others; {above} and {below} choose, {up} and {down} move it");
    let mut moved = None;
    for kind in LayerKind::ALL {
        let files = layers.of_kind(kind);
        if files.is_empty() {
            continue;
        }
        ui.label(RichText::new(kind.name()).size(11.5).color(Color32::from_gray(170)));
        let rows: Vec<egui::Response> = files.iter().map(|file| row(ui, (kind, file), chosen, &hint)).collect();
        let Some((from, dragged)) = rows.iter().enumerate().find(|(_, row)| row.dragged() || row.drag_stopped()) else {
            continue;
        };
        let Some(pointer) = dragged.interact_pointer_pos() else { continue };
        // The line is put between those whose middles are above and below the pointer.
        let gap = rows.iter().filter(|row| row.rect.center().y < pointer.y).count();
        let to = if gap > from { gap - 1 } else { gap };
        if dragged.drag_stopped() {
            moved = (to != from).then_some(LayerMove { kind, from, to });
            *chosen = Some((kind, files[from].clone()));
        } else {
            let y = rows
                .get(gap)
                .map_or_else(|| dragged.rect.bottom().max(rows[gap - 1].rect.bottom()), |row| row.rect.top());
            ui.painter().hline(dragged.rect.x_range(), y, Stroke::new(2.0, Color32::from_rgb(255, 176, 60)));
        }
    }
    moved
}

fn row(
    ui: &mut egui::Ui,
    (kind, file): (LayerKind, &Path),
    chosen: &mut Option<ListedLayer>,
    hint: &str,
) -> egui::Response {
    let is_chosen = chosen.as_ref().is_some_and(|(of, one)| (*of, one.as_path()) == (kind, file));
    let name = foreign::shown(&file.file_name().unwrap_or(file.as_os_str()).to_string_lossy()).to_string();
    let row = ui.add(Button::selectable(is_chosen, name).truncate().sense(Sense::click_and_drag()));
    if row.clicked() {
        *chosen = (!is_chosen).then(|| (kind, file.to_owned()));
    }
    row.on_hover_text(format!("{}\n{hint}", foreign::shown(&file.to_string_lossy())))
}

#[cfg(test)]
mod tests {
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
            let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(300.0, 300.0)));
            let input = egui::RawInput { screen_rect, events, ..egui::RawInput::default() };
            let mut moved = None;
            let mut output =
                egui.run_ui(input, |ui| moved = layer_list(ui, (&layers, &Keymap::default()), &mut chosen));
            output.textures_delta.clear();
            let places = output.shapes.iter().filter_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect().center())),
                _ => None,
            });
            (moved, places.collect::<Vec<_>>(), chosen.clone())
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
            let chosen = told[5].2.clone();
            (told.into_iter().find_map(|(moved, ..)| moved), chosen)
        };
        let below = egui::vec2(0.0, 6.0);
        let moved = |kind, from, to| Some(LayerMove { kind, from, to });
        let elevation = |from, to| moved(LayerKind::Elevation, from, to);
        let a = Some((LayerKind::Elevation, PathBuf::from("a.tif")));
        assert_eq!(drag(place("a.tif"), place("c.tif") + below), (elevation(0, 2), a.clone()));
        assert_eq!(drag(place("a.tif"), place("b.tif") + below), (elevation(0, 1), a.clone()));
        assert_eq!(drag(place("c.tif"), place("a.tif") - below).0, elevation(2, 0));
        assert_eq!(drag(place("a.tif"), place("a.tif") + below), (None, a));
        assert_eq!(drag(place("c.tif"), place("q.tif")).0, elevation(2, 0));
        assert_eq!(drag(place("q.tif"), place("c.tif")).0, moved(LayerKind::Pictures, 0, 1));
        assert_eq!(drag(place("b.tif"), place("b.tif")), (None, Some((LayerKind::Elevation, PathBuf::from("b.tif")))));
    }
}
