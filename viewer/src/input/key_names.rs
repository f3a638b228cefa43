//! How are keys written in the settings, and shown to people?

use winit::keyboard::KeyCode;

use super::bindings::{DIGITS, LETTERS, Modifier, Trigger};

/// Keys with names; of several names of one key, the first one is shown.
const NAMED: &[(&str, KeyCode)] = &[
    ("ArrowUp", KeyCode::ArrowUp),
    ("ArrowDown", KeyCode::ArrowDown),
    ("ArrowLeft", KeyCode::ArrowLeft),
    ("ArrowRight", KeyCode::ArrowRight),
    ("PageUp", KeyCode::PageUp),
    ("PageDown", KeyCode::PageDown),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("Insert", KeyCode::Insert),
    ("Delete", KeyCode::Delete),
    ("Backspace", KeyCode::Backspace),
    ("Space", KeyCode::Space),
    ("Tab", KeyCode::Tab),
    ("Enter", KeyCode::Enter),
    ("NumpadEnter", KeyCode::NumpadEnter),
    ("Menu", KeyCode::ContextMenu),
    ("Esc", KeyCode::Escape),
    ("Escape", KeyCode::Escape),
    ("[", KeyCode::BracketLeft),
    ("]", KeyCode::BracketRight),
    ("F1", KeyCode::F1),
    ("F2", KeyCode::F2),
    ("F3", KeyCode::F3),
    ("F4", KeyCode::F4),
    ("F5", KeyCode::F5),
    ("F6", KeyCode::F6),
    ("F7", KeyCode::F7),
    ("F8", KeyCode::F8),
    ("F9", KeyCode::F9),
    ("F10", KeyCode::F10),
    ("F11", KeyCode::F11),
    ("F12", KeyCode::F12),
    ("Numpad0", KeyCode::Numpad0),
    ("Numpad1", KeyCode::Numpad1),
    ("Numpad2", KeyCode::Numpad2),
    ("Numpad3", KeyCode::Numpad3),
    ("Numpad4", KeyCode::Numpad4),
    ("Numpad5", KeyCode::Numpad5),
    ("Numpad6", KeyCode::Numpad6),
    ("Numpad7", KeyCode::Numpad7),
    ("Numpad8", KeyCode::Numpad8),
    ("Numpad9", KeyCode::Numpad9),
];

/// The modifiers, the longer ones first.
const MODIFIERS: [(&str, Modifier); 3] =
    [("Ctrl+Shift+", Modifier::CtrlShift), ("Ctrl+", Modifier::Ctrl), ("Alt+", Modifier::Alt)];

/// Either of the keys that are held for speed.
const SHIFTS: [Trigger; 2] = [Trigger::Key(KeyCode::ShiftLeft), Trigger::Key(KeyCode::ShiftRight)];

/// What a key of the settings stands for: a letter or digit by its place on a US keyboard, a sign wherever it is, a name; each but a sign
/// also behind `Ctrl+`, `Ctrl+Shift+` or `Alt+`. Case is no matter.
///
/// # Errors
/// What is no key, and how keys are written.
pub(super) fn parse(text: &str) -> Result<Vec<Trigger>, String> {
    let unknown = || {
        let shown = foreign::sanitized(text);
        format!("no key is called \"{shown}\": write one like G, 7, /, F5, PageUp, Ctrl+G, Ctrl+Shift+G or Alt+G")
    };
    let text = text.trim();
    if text.eq_ignore_ascii_case("Shift") {
        return Ok(SHIFTS.to_vec());
    }
    let behind =
        |name: &str| text.get(..name.len()).filter(|head| head.eq_ignore_ascii_case(name)).map(|_| &text[name.len()..]);
    let modified = MODIFIERS.iter().find_map(|(name, modifier)| Some((*modifier, behind(name)?)));
    if let Some((modifier, rest)) = modified.filter(|_| text.len() > 1) {
        return code(rest).map(|code| vec![Trigger::Chord(modifier, code)]).ok_or_else(unknown);
    }
    let mut signs = text.chars();
    match (code(text), signs.next(), signs.next()) {
        (Some(code), ..) => Ok(vec![Trigger::Key(code)]),
        (None, Some(sign), None) if !sign.is_alphanumeric() && !sign.is_control() => Ok(vec![Trigger::Sign(sign)]),
        _ => Err(unknown()),
    }
}

/// The key of a letter, a digit or a name.
fn code(text: &str) -> Option<KeyCode> {
    let mut signs = text.chars();
    if let (Some(sign), None) = (signs.next(), signs.next())
        && sign.is_ascii_alphanumeric()
    {
        let at = |from: char| usize::from(sign.to_ascii_lowercase() as u8 - from as u8);
        return Some(if sign.is_ascii_digit() { DIGITS[at('0')] } else { LETTERS[at('a')] });
    }
    NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, code)| *code)
}

/// What a person presses.
pub(super) fn written(trigger: &Trigger) -> String {
    let key = |code: KeyCode| {
        let named = NAMED.iter().find(|(_, one)| *one == code).map(|(name, _)| (*name).to_owned());
        let plain = || format!("{code:?}").trim_start_matches("Key").trim_start_matches("Digit").to_owned();
        named.unwrap_or_else(plain)
    };
    match trigger {
        Trigger::Key(code) => key(*code),
        Trigger::Sign(sign) => sign.to_string(),
        Trigger::Chord(modifier, code) => {
            let name = MODIFIERS.iter().find(|(_, one)| one == modifier).map_or("", |(name, _)| name);
            format!("{name}{}", key(*code))
        }
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::bindings::bindings;
    use super::*;

    /// Law: every key of the table is written as it is read back, in any case of letters.
    #[test]
    fn keys_are_written_as_they_are_read() {
        let mut keys = 0;
        for trigger in bindings().flat_map(|binding| binding.triggers) {
            if SHIFTS.contains(trigger) || !matches!(trigger, Trigger::Key(_) | Trigger::Sign(_) | Trigger::Chord(..)) {
                continue;
            }
            let text = written(trigger);
            for text in [text.to_lowercase(), text.to_uppercase(), format!(" {text} ")] {
                assert_eq!(parse(&text), Ok(vec![*trigger]), "{text}");
            }
            keys += 1;
        }
        assert!(keys > 50, "{keys}");
        assert_eq!(parse("shift"), Ok(SHIFTS.to_vec()));
    }

    /// Law: what is no key says how keys are written, in one line.
    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "GG", "Ctrl", "Ctrl+", "Ctrl+Alt+G", "Shift+G", "Ctrl+/", "\u{e4}", "\n", "F0"] {
            let why = parse(text).expect_err(text);
            assert!(why.contains("Ctrl+Shift+G") && !why.contains(char::is_control), "{why}");
        }
    }
}
