//! Which keys are there? The list of help: groups under headings, in as many columns as the window has room for.

use egui::{Color32, RichText, ScrollArea, vec2};

use crate::input::bindings::Action;
use crate::input::{KeyLine, Keymap};
use crate::theme::Palette;

/// Widths of what is pressed and of what it does, points, and the gaps beside both and between groups.
const KEYS_PT: f32 = 138.0;
const WORDS_PT: f32 = 272.0;
const GAP_PT: f32 = 10.0;
/// Characters of the text that such a width holds, about.
const KEYS_CHARACTERS: usize = 20;
const WORDS_CHARACTERS: usize = 44;
/// More columns are harder to read than a list that scrolls.
const MOST_COLUMNS: usize = 3;
/// What is left of a window beside the list, and between it and the edge of its box, points.
const BESIDE: egui::Vec2 = vec2(36.0, 64.0);

/// The list of keys, in a window that is too small for it with bars to scroll it.
pub(super) fn keys(ui: &mut egui::Ui, keymap: &Keymap) {
    let palette = Palette::of(ui.visuals());
    let room = (ui.ctx().content_rect().size() - BESIDE).max(vec2(32.0, 16.0));
    ui.horizontal(|ui| {
        ui.label(RichText::new("Orogen").size(20.0).strong().color(palette.strong));
        let closes = format!("   {} or Esc closes this list", keymap.key(Action::ToggleHelp));
        ui.label(RichText::new(closes).color(palette.weak));
    });
    let most = ((room.x / (KEYS_PT + WORDS_PT + 2.0 * GAP_PT)) as usize).clamp(1, MOST_COLUMNS);
    let groups: Vec<&[KeyLine]> = keymap.groups().collect();
    // A box of a size that egui knows of does not grow with a scrolled list unless it is told how far it may.
    let scrolled = ScrollArea::both().max_width(room.x).max_height(room.y);
    scrolled.min_scrolled_width(room.x).min_scrolled_height(room.y).show(ui, |ui| {
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Wrap);
        ui.spacing_mut().item_spacing = vec2(GAP_PT, 2.0);
        ui.horizontal_top(|ui| {
            for column in columns(&groups, most) {
                ui.vertical(|ui| column.iter().for_each(|group| lines(ui, group)));
            }
        });
    });
}

/// A group below its heading.
fn lines(ui: &mut egui::Ui, group: &[KeyLine]) {
    let palette = Palette::of(ui.visuals());
    ui.add_space(GAP_PT - 4.0);
    if let Some(first) = group.first() {
        ui.label(RichText::new(first.heading).size(14.0).strong().color(palette.strong));
    }
    for line in group {
        ui.horizontal_top(|ui| {
            let mut cell = |width: f32, text: &str, colour: Color32| {
                ui.vertical(|ui| {
                    ui.set_width(width);
                    ui.label(RichText::new(text).color(colour));
                });
            };
            cell(KEYS_PT, &line.keys, palette.accent);
            cell(WORDS_PT, line.does, palette.text);
        });
    }
}

/// The groups one below the other in at most so many columns, of which the highest is as low as can be.
fn columns<'a>(groups: &[&'a [KeyLine]], most: usize) -> Vec<Vec<&'a [KeyLine]>> {
    let rows = |line: &KeyLine| {
        let of_text = |text: &str, width: usize| text.chars().count().div_ceil(width);
        of_text(&line.keys, KEYS_CHARACTERS).max(of_text(line.does, WORDS_CHARACTERS))
    };
    let height = |group: &[KeyLine]| 2 + group.iter().map(rows).sum::<usize>();
    let filled = |limit: usize| {
        let (mut all, mut free) = (Vec::<Vec<&'a [KeyLine]>>::new(), 0);
        for group in groups {
            match all.last_mut() {
                Some(column) if height(group) <= free => column.push(group),
                _ => {
                    all.push(vec![group]);
                    free = limit;
                }
            }
            free = free.saturating_sub(height(group));
        }
        all
    };
    let whole: usize = groups.iter().map(|group| height(group)).sum();
    (whole / most.max(1)..whole).map(filled).find(|all| all.len() <= most).unwrap_or_else(|| filled(whole))
}

#[cfg(test)]
mod tests {
    use egui::Rect;

    use super::*;
    use crate::annotations::show_panel;
    use crate::hud::layout::HELP;

    /// Texts that are seen, with their places, and whether all else of the frame is inside the window.
    struct Seen {
        texts: Vec<(String, Rect)>,
        is_inside: bool,
    }

    fn frame(egui: &egui::Context, keymap: &Keymap, size: egui::Vec2, scrolls: bool) -> Seen {
        let screen = Rect::from_min_size(egui::Pos2::ZERO, size);
        let mut input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
        if scrolls {
            let (unit, phase) = (egui::MouseWheelUnit::Point, egui::TouchPhase::Move);
            let (source, modifiers) = (egui::MouseWheelSource::Wheel, egui::Modifiers::NONE);
            let wheel = egui::Event::MouseWheel { unit, delta: vec2(0.0, -60.0), phase, source, modifiers };
            input.events = vec![egui::Event::PointerMoved(screen.center()), wheel];
        }
        let mut output = egui.run_ui(input, |ui| _ = show_panel(ui.ctx(), &HELP, 0.0, |ui| keys(ui, keymap)));
        output.textures_delta.clear();
        let shapes =
            || output.shapes.iter().map(|one| (one, one.shape.visual_bounding_rect().intersect(one.clip_rect)));
        let texts = shapes().filter_map(|(one, _)| match &one.shape {
            egui::Shape::Text(text) => {
                let at = text.visual_bounding_rect();
                one.clip_rect.expand(1.0).contains_rect(at).then(|| (text.galley.text().to_owned(), at))
            }
            _ => None,
        });
        let is_inside = shapes().filter(|(_, at)| at.is_positive()).all(|(_, at)| screen.contains_rect(at));
        Seen { texts: texts.collect(), is_inside }
    }

    /// Law: in a window of any size the list stands inside it, the wheel scrolls to all of it, every heading and every line is read whole,
    /// and none lies on another; a window of 960 points has two columns.
    #[test]
    fn all_keys_are_read_in_every_window() {
        let keymap = Keymap::default();
        for (width, height, beside) in
            [(480.0, 360.0, 1), (700.0, 300.0, 1), (960.0, 600.0, 2), (1400.0, 800.0, 3), (3840.0, 2160.0, 3)]
        {
            let (egui, size) = (egui::Context::default(), vec2(width, height));
            (0..3).for_each(|_| drop(frame(&egui, &keymap, size, false)));
            let mut read: Vec<String> = Vec::new();
            let mut most = 0;
            for _ in 0..80 {
                let seen = frame(&egui, &keymap, size, true);
                let mut columns: Vec<f32> = Vec::new();
                assert!(seen.is_inside, "{size}");
                for (number, (text, at)) in seen.texts.iter().enumerate() {
                    let on =
                        seen.texts[number + 1..].iter().find(|(_, other)| other.shrink(0.5).intersects(at.shrink(0.5)));
                    assert!(on.is_none(), "{size}: {text} {at} {on:?}");
                    if keymap.groups().any(|group| group[0].heading == text) {
                        columns.push(at.left());
                    }
                }
                columns.sort_by(f32::total_cmp);
                columns.dedup_by(|a, b| *a - *b < KEYS_PT);
                most = most.max(columns.len());
                read.extend(seen.texts.into_iter().map(|(text, _)| text));
            }
            assert_eq!(most, beside, "{size}");
            let lines = keymap.lines().iter();
            for words in lines.flat_map(|line| [line.heading, &line.keys, line.does]) {
                assert!(read.iter().any(|text| text == words), "{size}: {words}");
            }
        }
    }

    /// Law: columns have all groups in order, are no more than asked for, and none is needlessly high.
    #[test]
    fn columns_are_about_as_high() {
        let keymap = Keymap::default();
        let groups: Vec<&[KeyLine]> = keymap.groups().collect();
        let size = |column: &Vec<&[KeyLine]>| column.iter().map(|group| group.len() + 2).sum::<usize>();
        for most in 1..=groups.len() {
            let all = columns(&groups, most);
            assert!(all.len() <= most && all.concat() == groups);
            let highest = all.iter().map(size).max().expect("columns");
            let largest = groups.iter().map(|group| group.len() + 2).max().expect("groups");
            let mean = all.iter().map(size).sum::<usize>().div_ceil(most);
            assert!(highest <= mean + largest, "{most}: {highest} {mean} {largest}");
        }
    }
}
