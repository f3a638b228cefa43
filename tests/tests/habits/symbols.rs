//! Which key types what? The keyboard of the server, by symbols of X.

use std::collections::HashMap;

use x11rb::{connection::Connection as _, protocol::xproto::ConnectionExt as _, rust_connection::RustConnection};

/// The keys of a keyboard: codes by what they type, and whether with Shift.
pub struct Keys(HashMap<u32, (u8, bool)>);

impl Keys {
    /// Those of a server.
    pub fn of(server: &RustConnection) -> Self {
        let (first, last) = (server.setup().min_keycode, server.setup().max_keycode);
        let mapping = server.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let mut keys = HashMap::new();
        for (code, symbols) in (first..=last).zip(mapping.keysyms.chunks(mapping.keysyms_per_keycode.into())) {
            for (symbol, is_shifted) in symbols.iter().zip([false, true]) {
                keys.entry(*symbol).or_insert((code, is_shifted));
            }
        }
        Self(keys)
    }

    /// The code of a key, and whether it takes Shift.
    pub fn code(&self, name: &str) -> (u8, bool) {
        *self.0.get(&keysym(name)).unwrap_or_else(|| panic!("the keyboard has no {name}"))
    }
}

/// The symbol of a key: of a sign, its code.
fn keysym(name: &str) -> u32 {
    match name {
        "Backspace" => 0xff08,
        "Tab" => 0xff09,
        "Enter" => 0xff0d,
        "Esc" => 0xff1b,
        "Home" => 0xff50,
        "Left" => 0xff51,
        "Up" => 0xff52,
        "Right" => 0xff53,
        "Down" => 0xff54,
        "PageUp" => 0xff55,
        "PageDown" => 0xff56,
        "Shift" => 0xffe1,
        "Ctrl" => 0xffe3,
        "Alt" => 0xffe9,
        "Delete" => 0xffff,
        "Space" => 0x20,
        _ => match name.strip_prefix('F').and_then(|number| number.parse::<u32>().ok()) {
            Some(number) => 0xffbd + number,
            None => u32::from(name.chars().next().expect("a key")),
        },
    }
}
