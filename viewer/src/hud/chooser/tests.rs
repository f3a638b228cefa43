//! Does a chooser open what hands choose?

use super::*;

/// A folder with some files, listed.
fn folder() -> (tempfile::TempDir, Chooser) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("dem")).expect("made");
    for name in ["alps.tif", "andes.tif", "dem/north.tif"] {
        std::fs::write(folder.path().join(name), "").expect("written");
    }
    let mut chooser = Chooser::new(folder.path());
    read(&mut chooser);
    (folder, chooser)
}

fn read(chooser: &mut Chooser) {
    let mut reader = FolderReader::default();
    while reader.poll(chooser) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

fn frame(
    egui: &egui::Context,
    open: &mut Chooser,
    events: Vec<egui::Event>,
) -> (Option<ChooserResult>, egui::FullOutput) {
    let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, vec2(800.0, 600.0)));
    let mut chosen = None;
    let input = egui::RawInput { screen_rect, events, ..egui::RawInput::default() };
    let mut output = egui.run_ui(input, |ui| chosen = chooser(&ui.ctx().clone(), open));
    output.textures_delta.clear();
    (chosen, output)
}

fn press(key: Key, modifiers: Modifiers) -> Vec<egui::Event> {
    vec![egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }]
}

/// Law: by keys alone a folder is gone into, names are completed, one more file is marked, and those are opened together.
#[test]
fn files_are_chosen_by_keys() {
    let (folder, mut open) = folder();
    let egui = egui::Context::default();
    frame(&egui, &mut open, Vec::new());
    // The folder comes first.
    let key = |open: &mut Chooser, key| frame(&egui, open, press(key, Modifiers::NONE)).0;
    assert_eq!(key(&mut open, Key::Enter), None);
    assert_eq!(open.folder(), PathBuf::from(text_of(&folder.path().join("dem"))));
    open.leave();
    read(&mut open);
    open.text.push_str("AL");
    key(&mut open, Key::Tab);
    assert!(open.text.ends_with("alps.tif"), "{}", open.text);
    key(&mut open, Key::Insert);
    open.text = text_of(folder.path());
    for _ in 0..9 {
        key(&mut open, Key::ArrowDown);
    }
    let both = ["alps.tif", "andes.tif"].map(|name| folder.path().join(name)).to_vec();
    assert_eq!(key(&mut open, Key::Enter), Some(ChooserResult::Files(both)));
    let (whole, _) = frame(&egui, &mut open, press(Key::Enter, Modifiers::COMMAND | Modifiers::CTRL));
    assert_eq!(whole, Some(ChooserResult::Files(vec![PathBuf::from(text_of(folder.path()))])));
}

/// Law: a name and Enter that come in one frame open the file of that name.
#[test]
fn enter_follows_what_is_typed() {
    let (folder, mut open) = folder();
    let egui = egui::Context::default();
    (0..3).for_each(|_| drop(frame(&egui, &mut open, Vec::new())));
    let typed = vec![egui::Event::Text(String::from("andes.tif"))];
    let (chosen, _) = frame(&egui, &mut open, [typed, press(Key::Enter, Modifiers::NONE)].concat());
    assert_eq!(chosen, Some(ChooserResult::Files(vec![folder.path().join("andes.tif")])));
}

/// Law: a click on a file opens it, and one with Ctrl marks it.
#[test]
fn files_are_chosen_by_clicks() {
    let (folder, mut open) = folder();
    let egui = egui::Context::default();
    (0..3).for_each(|_| drop(frame(&egui, &mut open, Vec::new())));
    let (_, output) = frame(&egui, &mut open, Vec::new());
    let place_of = |words: &str| {
        let shape = output.shapes.iter().find_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) if text.galley.text() == words => Some(text.visual_bounding_rect().center()),
            _ => None,
        });
        shape.unwrap_or_else(|| panic!("no line {words}"))
    };
    let click = |open: &mut Chooser, pos, modifiers| {
        let button =
            |pressed| egui::Event::PointerButton { pos, button: egui::PointerButton::Primary, pressed, modifiers };
        let events = [
            vec![egui::Event::ModifiersChanged(modifiers), egui::Event::PointerMoved(pos)],
            vec![button(true)],
            vec![button(false)],
            Vec::new(),
        ];
        let all = events.map(|events| frame(&egui, open, events).0);
        all.into_iter().flatten().next()
    };
    assert_eq!(click(&mut open, place_of("andes.tif"), Modifiers::COMMAND | Modifiers::CTRL), None);
    assert_eq!(open.marked, [folder.path().join("andes.tif")]);
    let both = ["andes.tif", "alps.tif"].map(|name| folder.path().join(name)).to_vec();
    assert_eq!(click(&mut open, place_of("alps.tif"), Modifiers::NONE), Some(ChooserResult::Files(both)));
}

/// Law: a path that is typed is opened as it is, whether or not there is such a file; who opens it knows what is wrong with it.
#[test]
fn a_typed_path_is_opened() {
    let (folder, mut open) = folder();
    open.text.push_str("missing.tif");
    assert_eq!(open.take(), Some(ChooserResult::Files(vec![folder.path().join("missing.tif")])));
    let mut relative = Chooser { text: String::from("missing.tif"), ..Chooser::default() };
    assert_eq!(relative.take(), Some(ChooserResult::Files(vec![PathBuf::from("missing.tif")])));
    // A folder that cannot be read says why.
    let mut nowhere = Chooser::new(&folder.path().join("nowhere"));
    read(&mut nowhere);
    assert!(nowhere.fitting().is_err_and(|why| why.contains("nowhere")));
    assert_eq!(nowhere.take(), None);
    assert_eq!((nowhere.read_folder(), open.read_folder()), (None, Some(open.folder())));
}

/// Law: a whole path that is typed or pasted behind the folder's is meant in place of it.
#[test]
fn a_whole_path_begins_anew() {
    let (folder, mut open) = folder();
    let egui = egui::Context::default();
    (0..3).for_each(|_| drop(frame(&egui, &mut open, Vec::new())));
    let north = folder.path().join("dem").join("north.tif");
    let pasted = vec![egui::Event::Paste(text_of(&north.with_file_name("")) + "north.tif")];
    frame(&egui, &mut open, pasted);
    assert_eq!(PathBuf::from(&open.text), north);
    read(&mut open);
    let (chosen, _) = frame(&egui, &mut open, press(Key::Enter, Modifiers::NONE));
    assert_eq!(chosen, Some(ChooserResult::Files(vec![north])));
}

/// Law: Enter before the folder is read opens what it would have opened then, unless something else is typed meanwhile.
#[test]
fn enter_waits_for_the_folder() {
    let (folder, _) = folder();
    let egui = egui::Context::default();
    let alps = ChooserResult::Files(vec![folder.path().join("alps.tif")]);
    for is_retyped in [false, true] {
        let mut open = Chooser::new(folder.path());
        open.text.push_str("al");
        assert_eq!(frame(&egui, &mut open, press(Key::Enter, Modifiers::NONE)).0, None);
        assert_eq!(frame(&egui, &mut open, Vec::new()).0, None);
        if is_retyped {
            frame(&egui, &mut open, vec![egui::Event::Text(String::from("p"))]);
        }
        read(&mut open);
        let chosen = frame(&egui, &mut open, Vec::new()).0;
        assert_eq!(chosen, (!is_retyped).then(|| alps.clone()));
    }
}

/// Law: a folder whose name is no text is gone into, and what lies in it is opened.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_whose_name_is_no_text_is_gone_into() {
    use std::os::unix::ffi::OsStrExt as _;
    let (folder, mut open) = folder();
    let strange = folder.path().join(std::ffi::OsStr::from_bytes(b"f\xfcr"));
    std::fs::create_dir(&strange).expect("made");
    std::fs::write(strange.join("north.tif"), "").expect("written");
    for completes in [false, true] {
        open = Chooser::new(folder.path());
        read(&mut open);
        open.text.push('f');
        if completes {
            open.complete();
        } else {
            assert_eq!(open.take(), None);
        }
        assert_eq!(open.folder(), strange);
        read(&mut open);
        open.text.push_str("no");
        assert_eq!(open.take(), Some(ChooserResult::Files(vec![strange.join("north.tif")])));
    }
    open.enter(&strange);
    open.leave();
    assert_eq!(open.folder(), folder.path());
}

/// Law: the wheel scrolls away from the chosen file.
#[test]
fn a_long_folder_is_scrolled() {
    let (folder, _) = folder();
    (0..300).for_each(|number| std::fs::write(folder.path().join(format!("{number:03}")), "").expect("written"));
    let mut open = Chooser::new(folder.path());
    read(&mut open);
    let egui = egui::Context::default();
    let seen = |open: &mut Chooser, events: Vec<egui::Event>, name: &str| {
        frame(&egui, open, events);
        let last = (0..60).map(|_| frame(&egui, open, Vec::new()).1).reduce(|_, last| last).expect("a frame");
        last.shapes.iter().any(|clipped| match &clipped.shape {
            egui::Shape::Text(text) if text.galley.text() == name => {
                clipped.clip_rect.contains(text.visual_bounding_rect().center())
            }
            _ => false,
        })
    };
    assert!(seen(&mut open, Vec::new(), "dem/"));
    let (unit, modifiers) = (egui::MouseWheelUnit::Line, Modifiers::NONE);
    let (delta, phase, source) = (vec2(0.0, -30.0), egui::TouchPhase::Move, egui::MouseWheelSource::Wheel);
    let wheel = egui::Event::MouseWheel { unit, delta, phase, source, modifiers };
    let pointed = egui::Event::PointerMoved(egui::pos2(400.0, 300.0));
    assert!(!seen(&mut open, vec![pointed, wheel], "dem/"));
    assert!(seen(&mut open, press(Key::ArrowDown, Modifiers::NONE), "000"));
}
