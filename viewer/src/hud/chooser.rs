//! Which files does the user open? A path that is typed, completed and chosen from what lies in its folder.
//!
//! Choosers of the desktop need a portal or GTK. Those made for egui choose no folders or have no keys for their lists (`egui_file`), or are
//! made for another egui (`egui-file-dialog`).

use std::path::{Path, PathBuf};

use bevy_ecs::resource::Resource;
use egui::{Align, Align2, Id, Key, Modifiers, RichText, ScrollArea, TextEdit, vec2};

use super::listing::{ListedFile, Listing, MOST_ENTRIES, begun_anew, completed, fitting, list, text_of, typed};
use crate::background::{Background, JobResult};
use crate::theme::Palette;

/// Size of the window, points, where there is room for it.
const SIZE_PT: egui::Vec2 = vec2(560.0, 420.0);
/// What its frame, field and buttons take of it, points.
const AROUND_LIST_PT: egui::Vec2 = vec2(28.0, 150.0);
/// What can be done in it.
const HINT: &str =
    "Enter opens, Tab completes, arrows choose, Insert marks one more, Ctrl+Enter opens the folder as one layer";

/// The window in which files are chosen.
#[derive(Debug, Clone, Default)]
pub struct Chooser {
    /// What is typed.
    text: String,
    /// The folder that was gone into, and its text: that of a name which is no text leads nowhere.
    entered: Option<(String, PathBuf)>,
    /// The folder that is listed, and what lies in it.
    listed: Option<(PathBuf, Listing)>,
    /// Which of the files that fit Enter takes.
    chosen: usize,
    /// What was typed and chosen when the list was last moved to it.
    seen: Option<(String, usize)>,
    /// Whether Enter was pressed and waits for the folder to be read.
    waits: bool,
    /// Files that are opened with it.
    marked: Vec<PathBuf>,
    /// Whether the cursor is to go to the end of the text.
    ends: bool,
}

/// The result of the file chooser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ChooserResult {
    /// Files and folders, the last one on top.
    Files(Vec<PathBuf>),
    /// Nothing, and the window closes.
    Nothing,
}

/// Reads folders while frames are drawn.
#[derive(Resource, Debug)]
pub(super) struct FolderReader(Background<PathBuf, Listing>);

impl Default for FolderReader {
    fn default() -> FolderReader {
        FolderReader(Background::new("folder"))
    }
}

impl FolderReader {
    /// Reads the folder of what is typed, if it is not listed yet; whether it is being read.
    pub(super) fn poll(&mut self, chooser: &mut Chooser) -> bool {
        if let Some(JobResult { question, answer }) = self.0.take_result() {
            let listing = answer.map_or_else(|| Err(String::from("the folder could not be read")), |(files, _)| files);
            chooser.listed = Some((question, listing));
        }
        let folder = chooser.folder();
        if !chooser.is_listed() && self.0.question() != Some(&folder) {
            let of = folder.clone();
            if !self.0.start(folder.clone(), move |_| list(&of)) {
                chooser.listed = Some((folder, Err(String::from("no thread to read the folder"))));
            }
        }
        self.0.question().is_some()
    }
}

impl Chooser {
    /// The window over a folder.
    pub(super) fn new(folder: &Path) -> Chooser {
        let mut chooser = Chooser::default();
        chooser.enter(folder);
        chooser
    }

    /// The folder of what is typed.
    pub(super) fn folder(&self) -> PathBuf {
        let (folder, name) = typed(&self.text);
        let before = &self.text[..self.text.len() - name.len()];
        let entered = self.entered.as_ref().filter(|(text, _)| text == before);
        entered.map_or(folder, |(_, entered)| entered.clone())
    }

    /// The folder of what is typed, if it could be read.
    pub(super) fn read_folder(&self) -> Option<PathBuf> {
        self.fitting().is_ok().then(|| self.folder())
    }

    /// Whether it has been read.
    fn is_listed(&self) -> bool {
        self.listed.as_ref().is_some_and(|(listed, _)| *listed == self.folder())
    }

    /// What of the folder fits what is typed; else why nothing is known of it, or that it is being read.
    fn fitting(&self) -> Result<Vec<&ListedFile>, &str> {
        match &self.listed {
            Some((_, Ok(listed))) if self.is_listed() => Ok(fitting(&listed.files, typed(&self.text).1)),
            Some((_, Err(why))) if self.is_listed() => Err(why),
            _ => Err("reading the folder"),
        }
    }

    /// Whether the folder holds more than is listed of it.
    fn is_cut(&self) -> bool {
        self.is_listed() && matches!(&self.listed, Some((_, Ok(listed))) if listed.is_cut)
    }

    /// The file that Enter takes: what is typed in full, else the one that is chosen.
    fn aim(&self) -> Option<ListedFile> {
        let (files, (_, name)) = (self.fitting().ok()?, typed(&self.text));
        let exact = files.iter().find(|file| file.name == name);
        if exact.is_none() && self.chosen == 0 && self.is_cut() && self.folder().join(name).is_file() {
            return None;
        }
        exact.filter(|_| self.chosen == 0).or_else(|| files.get(self.chosen)).map(|file| (*file).clone())
    }

    /// Takes another text for what is typed.
    fn retype(&mut self, text: String) {
        (self.text, self.chosen, self.ends, self.waits) = (text, 0, true, false);
    }

    /// Goes into a folder.
    fn enter(&mut self, folder: &Path) {
        self.enter_as(text_of(folder), folder.to_owned());
    }

    /// Goes into a folder that is written so.
    fn enter_as(&mut self, text: String, folder: PathBuf) {
        self.entered = Some((text.clone(), folder));
        self.retype(text);
    }

    /// Goes to the folder around this one.
    fn leave(&mut self) {
        let folder = self.folder();
        // A relative path has no parent that is known by its words.
        if let Some(above) = std::path::absolute(&folder).ok().as_deref().and_then(Path::parent) {
            self.enter(above);
        }
    }

    /// Types what all files that fit have in common, and a folder whole.
    fn complete(&mut self) {
        let Ok(files) = self.fitting() else { return };
        let (_, name) = typed(&self.text);
        let before = self.text[..self.text.len() - name.len()].to_owned();
        match (completed(&files), &files[..]) {
            (Some(name), [only]) if only.is_folder => {
                let folder = only.path.clone();
                self.enter_as(text_of(Path::new(&(before + &name))), folder);
            }
            (Some(completed), _) if completed.len() >= name.len() => self.retype(before + &completed),
            _ => {}
        }
    }

    /// Marks a file, or no longer.
    fn mark(&mut self, path: &Path) {
        match self.marked.iter().position(|marked| marked == path) {
            Some(at) => drop(self.marked.remove(at)),
            None => self.marked.push(path.to_owned()),
        }
    }

    /// The files that are marked, and one more.
    fn with(&mut self, path: PathBuf) -> ChooserResult {
        let mut files = std::mem::take(&mut self.marked);
        files.retain(|marked| *marked != path);
        files.push(path);
        ChooserResult::Files(files)
    }

    /// What Enter does: goes into a folder, or opens what is marked and chosen. A path of no known file is opened as it is, and who opens
    /// it says what is wrong with it.
    fn take(&mut self) -> Option<ChooserResult> {
        let (folder, name) = (self.folder(), typed(&self.text).1.trim().to_owned());
        match self.aim() {
            Some(file) if file.is_folder => {
                self.enter(&file.path);
                None
            }
            Some(file) => Some(self.with(file.path)),
            None if name.is_empty() => {
                (!self.marked.is_empty()).then(|| ChooserResult::Files(std::mem::take(&mut self.marked)))
            }
            None if folder == Path::new(".") => Some(self.with(PathBuf::from(name))),
            None => Some(self.with(folder.join(name))),
        }
    }
}

/// Lays the window out; what was chosen, once.
pub(super) fn chooser(egui: &egui::Context, chooser: &mut Chooser) -> Option<ChooserResult> {
    let screen = egui.content_rect().size();
    let size = SIZE_PT.min(screen - vec2(24.0, 60.0)).max(vec2(64.0, 64.0));
    let (mut open, mut chosen) = (true, None);
    egui::Window::new("Open files")
        .open(&mut open)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .collapsible(false)
        .resizable(false)
        .show(egui, |ui| {
            ui.set_width(size.x - AROUND_LIST_PT.x);
            chosen = lay_out(ui, chooser, (size.y - AROUND_LIST_PT.y).max(32.0));
        });
    chosen.or((!open).then_some(ChooserResult::Nothing))
}

fn lay_out(ui: &mut egui::Ui, chooser: &mut Chooser, height_pt: f32) -> Option<ChooserResult> {
    let palette = Palette::of(ui.visuals());
    let pressed = ChooserKeys::taken(ui);
    let id = Id::unique("path of a file");
    let before = chooser.text.clone();
    let edit = TextEdit::singleline(&mut chooser.text).id(id).hint_text("a path").lock_focus(true);
    let edit = ui.add(edit.desired_width(f32::INFINITY));
    if edit.changed() {
        (chooser.chosen, chooser.waits) = (0, false);
        if let Some(anew) = begun_anew(&before, &chooser.text).map(str::to_owned) {
            chooser.retype(anew);
        }
    }
    // What is typed in the same frame comes first: a frame may be slower than a name and Enter.
    let mut chosen = answer(ui.ctx(), chooser, &pressed);
    if std::mem::take(&mut chooser.ends) {
        let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
        let end = egui::text::CCursor::new(chooser.text.chars().count());
        state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
        state.store(ui.ctx(), id);
    }
    edit.request_focus();
    let (mut clicked, mut seen) = (None, None);
    match chooser.fitting() {
        Ok(files) => {
            let row_pt = ui.text_style_height(&egui::TextStyle::Body) + 2.0 * ui.spacing().button_padding.y;
            let last = files.len().saturating_sub(1);
            let now = (chooser.text.clone(), chooser.chosen.min(last));
            let comes = chooser.seen.as_ref() != Some(&now);
            seen = Some(now);
            let scrolled = ScrollArea::vertical().min_scrolled_height(height_pt).max_height(height_pt);
            scrolled.auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                for (index, file) in files.iter().enumerate() {
                    let is_chosen = index == chooser.chosen.min(last);
                    // Of a long list, only what is seen is laid out.
                    let place = egui::Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), row_pt));
                    if !(is_chosen && comes || ui.is_rect_visible(place)) {
                        ui.advance_cursor_after_rect(place);
                        continue;
                    }
                    let row = ui
                        .add_sized(place.size(), row(file, palette, (is_chosen, chooser.marked.contains(&file.path))));
                    if is_chosen && comes && !ui.is_rect_visible(row.rect) {
                        row.scroll_to_me(Some(Align::Center));
                    }
                    if row.clicked() {
                        clicked = Some((*file).clone());
                    }
                }
            });
            if files.is_empty() {
                ui.label(RichText::new("nothing here fits what is typed").color(palette.weak));
            }
            if chooser.is_cut() {
                let told = format!("more than {MOST_ENTRIES} files: type the whole name of one that is not listed");
                ui.label(RichText::new(told).color(palette.weak));
            }
        }
        Err(why) => drop(ui.label(RichText::new(why).color(palette.error))),
    }
    chooser.seen = seen.or(chooser.seen.take());
    if let Some(file) = clicked {
        let marks = ui.input(|input| input.modifiers.command);
        match file.is_folder {
            _ if marks => chooser.mark(&file.path),
            true => chooser.enter(&file.path),
            false => chosen = Some(chooser.with(file.path)),
        }
    }
    ui.horizontal(|ui| {
        if ui.button("Up").on_hover_text("the folder around this one").clicked() {
            chooser.leave();
        }
        if ui.button("Open the folder as one layer").on_hover_text("Ctrl+Enter").clicked() {
            chosen = Some(ChooserResult::Files(vec![chooser.folder()]));
        }
        let marked = std::mem::take(&mut chooser.marked);
        if !marked.is_empty() && ui.button(format!("Open {} marked", marked.len())).clicked() {
            chosen = Some(ChooserResult::Files(marked));
        } else {
            chooser.marked = marked;
        }
    });
    ui.label(RichText::new(HINT).size(11.5).color(palette.weak));
    chosen
}

/// A line of the list.
fn row(file: &ListedFile, palette: &Palette, (is_chosen, is_marked): (bool, bool)) -> egui::Button<'static> {
    let name = foreign::sanitized(&file.name);
    let words = format!("{}{name}{}", if is_marked { "+ " } else { "" }, if file.is_folder { "/" } else { "" });
    let colour = if file.is_folder { palette.accent } else { palette.text };
    let words = RichText::new(words).color(colour);
    let button = egui::Button::selectable(is_chosen, if is_marked { words.strong() } else { words });
    button.truncate().right_text("")
}

/// Keys that went down in a frame, which the field does not get.
struct ChooserKeys {
    down: bool,
    up: bool,
    tab: bool,
    insert: bool,
    enter: bool,
    ctrl_enter: bool,
}

impl ChooserKeys {
    fn taken(ui: &egui::Ui) -> Self {
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        Self {
            down: pressed(Modifiers::NONE, Key::ArrowDown),
            up: pressed(Modifiers::NONE, Key::ArrowUp),
            tab: pressed(Modifiers::NONE, Key::Tab),
            insert: pressed(Modifiers::NONE, Key::Insert),
            ctrl_enter: pressed(Modifiers::COMMAND, Key::Enter),
            enter: pressed(Modifiers::NONE, Key::Enter),
        }
    }
}

/// What keys ask for.
fn answer(egui: &egui::Context, chooser: &mut Chooser, pressed: &ChooserKeys) -> Option<ChooserResult> {
    let ChooserKeys { down, up, tab, insert, enter, ctrl_enter } = *pressed;
    let last = chooser.fitting().map_or(0, |files| files.len().saturating_sub(1));
    chooser.chosen = (chooser.chosen + usize::from(down)).min(last).saturating_sub(usize::from(up));
    if tab {
        chooser.complete();
    }
    if let (true, Some(file)) = (insert, chooser.aim()) {
        chooser.mark(&file.path);
        chooser.chosen = (chooser.chosen + 1).min(last);
    }
    if ctrl_enter {
        return Some(ChooserResult::Files(vec![chooser.folder()]));
    }
    chooser.waits |= enter;
    if !chooser.waits || !chooser.is_listed() {
        return None;
    }
    chooser.waits = false;
    // A folder that is gone into is read at once.
    egui.request_repaint();
    chooser.take()
}

#[cfg(test)]
mod tests;
