//! Which keys do what for this user? The table of keys, with those of the settings in the place of the usual ones.

use std::collections::BTreeMap;

use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use super::bindings::{Action, Ctrl, GROUPS, Modifier, TouchPart, Trigger, bindings, letter_key};
use super::key_names::{parse, written};

/// Actions whose keys are the same for everybody, so that what is open can be closed and the program ended.
const FIXED: [Action; 2] = [Action::Leave, Action::Confirm];

/// Actions that go on while their keys are held, and by nothing else: behind a modifier no key is held.
const HELD: [Action; 13] = [
    Action::Forward,
    Action::Back,
    Action::Left,
    Action::Right,
    Action::Up,
    Action::Down,
    Action::Fast,
    Action::PanUp,
    Action::PanDown,
    Action::PanLeft,
    Action::PanRight,
    Action::TiltUp,
    Action::TiltDown,
];

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLine {
    /// The heading that it stands under.
    pub heading: &'static str,
    /// What happens.
    pub action: Action,
    /// What makes it happen; any of them.
    pub triggers: Vec<Trigger>,
    /// What a person presses.
    pub keys: String,
    /// What it does, for people.
    pub does: &'static str,
}

/// The keys of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap(Vec<KeyLine>);

impl Default for Keymap {
    fn default() -> Keymap {
        let lines = GROUPS.iter().flat_map(|group| {
            group.bindings.iter().map(|binding| KeyLine {
                heading: group.heading,
                action: binding.action,
                triggers: binding.triggers.to_vec(),
                keys: binding.keys.to_owned(),
                does: binding.does,
            })
        });
        Keymap(lines.collect())
    }
}

/// Whether the settings may give an action other keys: not what the mouse or a gamepad does, nor what is fixed.
fn is_of_keys(line: &KeyLine) -> bool {
    let is_key = |trigger: &Trigger| matches!(trigger, Trigger::Key(_) | Trigger::Sign(_) | Trigger::Chord(..));
    !FIXED.contains(&line.action) && line.triggers.iter().all(is_key)
}

/// What a key of the settings stands for, if it can do an action.
fn parse_for(action: Action, key: &str) -> Result<Vec<Trigger>, String> {
    let triggers = parse(key)?;
    match triggers.iter().find(|trigger| matches!(trigger, Trigger::Chord(..))) {
        Some(chord) if HELD.contains(&action) => {
            Err(format!("{} cannot be held: give a key without Ctrl and Alt", written(chord)))
        }
        _ => Ok(triggers),
    }
}

impl Keymap {
    /// The usual keys, but for the actions named; what is wrong with a name or a key is told, and there the usual ones stay. A key that is
    /// given to one action no longer does another, which is told as well.
    pub fn of(chosen: &BTreeMap<String, Vec<String>>) -> (Keymap, Vec<String>) {
        let (mut map, mut told) = (Keymap::default(), Vec::new());
        let fixed: Vec<Trigger> =
            map.0.iter().filter(|line| FIXED.contains(&line.action)).flat_map(|line| line.triggers.clone()).collect();
        let mut given: Vec<(Trigger, usize)> = Vec::new();
        let mut changed = Vec::new();
        for (name, keys) in chosen {
            let shown = foreign::sanitized(name);
            let Some(at) = map.0.iter().position(|line| is_of_keys(line) && line.action.name() == *name) else {
                told.push(format!(
                    "keys: no action with keys is called \"{shown}\"; the guide lists them (Fly, Settings)"
                ));
                continue;
            };
            match keys.iter().map(|key| parse_for(map.0[at].action, key)).collect::<Result<Vec<_>, String>>() {
                Err(why) => told.push(format!("keys: {name}: {why}; it stays {}", map.0[at].keys)),
                Ok(triggers) => changed.push((at, triggers.concat())),
            }
        }
        for (at, triggers) in changed {
            let mut own = Vec::new();
            for trigger in triggers {
                let (name, key) = (map.0[at].action.name(), written(&trigger));
                match given.iter().find(|(one, _)| *one == trigger) {
                    _ if fixed.contains(&trigger) => told.push(format!("keys: {name}: {key} is always Esc or Enter")),
                    Some((_, other)) if *other != at => {
                        told.push(format!(
                            "keys: {key} is given to {} and {name}: it does the first",
                            map.0[*other].action.name()
                        ));
                    }
                    Some(_) => {}
                    None => {
                        given.push((trigger, at));
                        own.push(trigger);
                    }
                }
            }
            map.0[at].triggers = own;
        }
        for (trigger, at) in &given {
            let owner = map.0[*at].action.name();
            for (other, line) in map.0.iter_mut().enumerate().filter(|(other, _)| other != at) {
                if line.triggers.contains(trigger) {
                    line.triggers.retain(|one| one != trigger);
                    let (key, name) = (written(trigger), line.action.name());
                    told.push(format!("keys: {key} does {owner} now, and {name} no longer"));
                    debug_assert!(!given.iter().any(|(one, of)| one == trigger && *of == other));
                }
            }
        }
        for line in map.0.iter_mut().filter(|line| is_of_keys(line)) {
            let usual = bindings().find(|binding| binding.action == line.action);
            if usual.is_none_or(|usual| line.triggers != usual.triggers) {
                line.keys = words(&line.triggers);
            }
        }
        (map, told)
    }

    /// All lines, in the order in which help shows them.
    pub fn lines(&self) -> &[KeyLine] {
        &self.0
    }

    /// The same, those under each heading together.
    pub fn groups(&self) -> impl Iterator<Item = &[KeyLine]> {
        self.0.chunk_by(|line, next| line.heading == next.heading)
    }

    /// What a person presses for an action; empty where nothing does it.
    pub fn keys(&self, action: Action) -> &str {
        self.0.iter().find(|line| line.action == action).map_or("", |line| &line.keys)
    }

    /// The first of them, for a hint.
    pub fn key(&self, action: Action) -> &str {
        self.keys(action).split(" or ").flat_map(|keys| keys.split(", ")).next().unwrap_or_default()
    }

    /// The actions that a key stands for, by the sign that it types, else by its place.
    pub fn actions_of_key(&self, code: KeyCode, sign: Option<char>) -> impl Iterator<Item = Action> {
        let typed = sign.map(Trigger::Sign).filter(|typed| self.0.iter().any(|line| line.triggers.contains(typed)));
        let trigger = typed.unwrap_or(Trigger::Key(code));
        self.0.iter().filter(move |line| line.triggers.contains(&trigger)).map(|line| line.action)
    }

    /// The action of a key with a modifier: letters are those that the key types, others are meant by their place.
    pub fn action_of_chord(&self, modifier: Modifier, code: KeyCode, sign: Option<char>) -> Option<Action> {
        self.action_of(Trigger::Chord(modifier, sign.and_then(letter_key).unwrap_or(code)))
    }

    /// The action of dragging with a button.
    pub fn action_of_drag(&self, button: MouseButton, ctrl: bool) -> Option<Action> {
        let fits = |trigger: &Trigger| match *trigger {
            Trigger::Drag(with, Ctrl::Either) => with == button,
            Trigger::Drag(with, Ctrl::Held) => with == button && ctrl,
            Trigger::Drag(with, Ctrl::Up) => with == button && !ctrl,
            _ => false,
        };
        self.0.iter().find(|line| line.triggers.iter().any(fits)).map(|line| line.action)
    }

    /// The action of a click with a button; where Shift means nothing with it, that of the button alone.
    pub fn action_of_click(&self, button: MouseButton, shift: bool) -> Option<Action> {
        let with_shift = self.action_of(Trigger::ShiftClick(button)).filter(|_| shift);
        with_shift.or_else(|| self.action_of(Trigger::Click(button)))
    }

    /// The action of a double click with a button.
    pub fn action_of_double_click(&self, button: MouseButton) -> Option<Action> {
        self.action_of(Trigger::DoubleClick(button))
    }

    /// The action of fingers.
    pub fn action_of_touch(&self, part: TouchPart) -> Option<Action> {
        self.action_of(Trigger::Touch(part))
    }

    fn action_of(&self, trigger: Trigger) -> Option<Action> {
        self.0.iter().find(|line| line.triggers.contains(&trigger)).map(|line| line.action)
    }

    /// The table as lines of text, below their headings.
    pub fn as_text(&self) -> String {
        let width = self.0.iter().map(|line| line.keys.len()).max().unwrap_or(0);
        let of_group = |group: &[KeyLine]| {
            let lines: String = group.iter().map(|line| format!("    {:width$}  {}\n", line.keys, line.does)).collect();
            format!("  {}\n{lines}", group.first().map_or("", |line| line.heading))
        };
        self.groups().map(of_group).collect()
    }
}

/// Keys in words.
fn words(triggers: &[Trigger]) -> String {
    match triggers {
        [] => String::from("no key"),
        [one] => written(one),
        [all @ .., last] => {
            format!("{} or {}", all.iter().map(written).collect::<Vec<_>>().join(", "), written(last))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlays::Overlays;

    fn of(chosen: &[(&str, &[&str])]) -> (Keymap, Vec<String>) {
        let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect();
        Keymap::of(&chosen.iter().map(|(name, all)| ((*name).to_owned(), keys(all))).collect())
    }

    /// Law: a key of the settings does its action and no other, in the words of the help too; what lost its key by that is told, and an
    /// exchange of keys is no conflict.
    #[test]
    fn keys_of_the_settings_take_the_place_of_the_usual_ones() {
        let actions = |map: &Keymap, code| map.actions_of_key(code, None).collect::<Vec<_>>();
        let (map, told) = of(&[("home", &["J", "Ctrl+Shift+H"])]);
        assert_eq!((actions(&map, KeyCode::KeyJ), actions(&map, KeyCode::KeyH)), (vec![Action::Home], vec![]));
        assert_eq!(map.action_of_chord(Modifier::CtrlShift, KeyCode::KeyH, Some('H')), Some(Action::Home));
        assert_eq!((map.keys(Action::Home), &told), ("J or Ctrl+Shift+H", &Vec::new()));
        assert!(map.as_text().contains("J or Ctrl+Shift+H") && !map.as_text().contains("H or Home"));
        let (map, told) = of(&[("home", &["N"])]);
        assert_eq!((map.key(Action::Home), map.key(Action::RemoveMarker)), ("N", "Ctrl+Z"));
        assert_eq!(told, ["keys: N does home now, and north_up no longer"]);
        assert_eq!((actions(&map, KeyCode::KeyN), map.keys(Action::NorthUp)), (vec![Action::Home], "no key"));
        let (map, told) = of(&[("home", &["N"]), ("north_up", &["H"])]);
        assert_eq!((actions(&map, KeyCode::KeyH), told), (vec![Action::NorthUp], vec![]));
        let (map, told) = of(&[("home", &[]), ("zoom_in", &["*"]), ("show_slope", &["F5"])]);
        assert_eq!((map.keys(Action::Home), told), ("no key", vec![]));
        assert_eq!(map.actions_of_key(KeyCode::Digit8, Some('*')).collect::<Vec<_>>(), [Action::ZoomIn]);
        assert_eq!(actions(&map, KeyCode::F5), [Action::Overlays(Overlays::SLOPE)]);
        assert_eq!(of(&[]), (Keymap::default(), vec![]));
    }

    /// Law: what is wrong is told in one line each, with what there is instead, and leaves the usual keys; all else is as chosen.
    #[test]
    fn what_is_wrong_with_keys_is_told() {
        for (chosen, words) in [
            (&[("fly_hom", &["J"][..])][..], "\"fly_hom\""),
            (&[("pan", &["J"])], "\"pan\""),
            (&[("leave", &["J"])], "\"leave\""),
            (&[("home", &["J", "Hyper+J"])], "home: no key is called \"Hyper+J\""),
            (&[("home", &["Ctrl+"])], "it stays H or Home"),
            (
                &[("forward", &["I", "Ctrl+I"])],
                "forward: Ctrl+I cannot be held: give a key without Ctrl and Alt; it stays W",
            ),
            (&[("tilt_up", &["alt+pageup"])], "Alt+PageUp cannot be held"),
            (&[("home", &["Esc"])], "always Esc or Enter"),
            (&[("home", &["J"]), ("north_up", &["J"])], "J is given to home and north_up"),
            (&[("home\n\u{1b}[2J", &["J"])], "no action"),
        ] {
            let (map, told) = of(chosen);
            assert!(told.len() == 1 && told[0].contains(words), "{told:?}");
            assert!(!told[0].contains(char::is_control), "{told:?}");
            let mut triggers: Vec<Trigger> = map.lines().iter().flat_map(|line| line.triggers.clone()).collect();
            let all = triggers.len();
            triggers.dedup();
            assert_eq!(triggers.len(), all);
            assert_eq!(map.keys(Action::Leave), "Esc");
        }
        let (map, told) = of(&[("home", &["Hyper+J"]), ("record", &["J"])]);
        assert_eq!((told.len(), map.keys(Action::Home), map.keys(Action::Record)), (1, "H or Home", "J"));
    }

    /// Law: names of actions are unlike each other, and the guide lists those that the settings may give keys, in the order and under
    /// the headings of the help.
    #[test]
    fn the_guide_lists_the_actions() {
        let guide = include_str!("../../guide/fly.md");
        let map = Keymap::default();
        let of_group = |group: &[KeyLine]| {
            let names: Vec<String> =
                group.iter().filter(|line| is_of_keys(line)).map(|line| format!("`{}`", line.action.name())).collect();
            format!("| {} | {} |\n", group[0].heading, names.join(" "))
        };
        let rows: String = map.groups().map(of_group).collect();
        assert!(guide.contains(&rows), "these have to be the rows of the guide:\n{rows}");
        let mut names: Vec<String> = map.lines().iter().map(|line| line.action.name()).collect();
        names.sort();
        assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
    }

    /// Law: every heading stands once, over lines of its own, in the help of the command line too, in the order of the table.
    #[test]
    fn keys_stand_under_headings() {
        let map = of(&[("home", &["N"]), ("record", &[])]).0;
        let headings: Vec<&str> = map.groups().map(|group| group[0].heading).collect();
        assert_eq!(headings, GROUPS.iter().map(|group| group.heading).collect::<Vec<_>>());
        assert_eq!(map.groups().map(<[KeyLine]>::len).sum::<usize>(), map.lines().len());
        let text = map.as_text();
        let said: Vec<&str> = text.lines().filter(|line| !line.starts_with("    ")).map(str::trim).collect();
        assert_eq!(said, headings);
    }

    #[test]
    fn ctrl_chooses_between_pan_and_orbit() {
        let of = |button, ctrl| Keymap::default().action_of_drag(button, ctrl);
        assert_eq!(of(MouseButton::Left, false), Some(Action::Pan));
        assert_eq!(of(MouseButton::Left, true), Some(Action::Orbit));
        assert_eq!(of(MouseButton::Middle, true), Some(Action::Orbit));
        assert_eq!(of(MouseButton::Right, false), Some(Action::Look));
        assert_eq!(of(MouseButton::Back, false), None);
    }

    /// Law: a sign is meant wherever the keyboard has it, and so is the letter of a chord; what types neither is meant by its place.
    #[test]
    fn signs_and_letters_are_where_the_keyboard_has_them() {
        let map = Keymap::default();
        let of = |code, sign| map.actions_of_key(code, sign).collect::<Vec<_>>();
        assert_eq!(of(KeyCode::Equal, Some('=')), [Action::ZoomIn]);
        assert_eq!(of(KeyCode::NumpadAdd, Some('+')), [Action::ZoomIn]);
        // A German keyboard has these signs elsewhere.
        assert_eq!(of(KeyCode::Slash, Some('-')), [Action::ZoomOut]);
        assert_eq!(of(KeyCode::Digit7, Some('/')), [Action::GoTo]);
        assert_eq!(of(KeyCode::Minus, Some('?')), [Action::ToggleHelp]);
        assert_eq!(of(KeyCode::BracketRight, Some(']')), [Action::Coarser]);
        let chord = |code, sign| map.action_of_chord(Modifier::Ctrl, code, sign);
        assert_eq!(chord(KeyCode::KeyY, Some('z')), Some(Action::RemoveMarker));
        assert_eq!(chord(KeyCode::KeyZ, Some('y')), None);
        // So has a Greek or Russian one, without any of them.
        assert_eq!(chord(KeyCode::KeyF, Some('\u{444}')), Some(Action::GoTo));
        assert_eq!(map.action_of_chord(Modifier::Alt, KeyCode::ArrowLeft, None), Some(Action::ViewBack));
    }
}
