//! What do hands do? They move and press the mouse, and type: synthetic input of the XTEST extension.

use x11rb::{
    protocol::{
        xproto::{self, ConnectionExt as _, InputFocus},
        xtest::ConnectionExt as _,
    },
    wrapper::ConnectionExt as _,
};

use super::session::DesktopSession;

/// Lines of the menu of a right click, pixels below the place.
pub const COPY_WITH_HEIGHT_PX: i16 = 83;
pub const FLY_PX: i16 = 106;
pub const MEASURE_PX: i16 = 129;
/// Its ground.
const MENU: [u8; 3] = [27; 3];

impl DesktopSession {
    fn fake(&self, kind: u8, detail: u8, at: (i16, i16)) {
        self.server.xtest_fake_input(kind, detail, x11rb::CURRENT_TIME, self.root, at.0, at.1, 0).unwrap();
        self.server.sync().unwrap();
    }

    /// Moves the mouse to a place, pixels from the upper left corner of the window.
    pub fn point(&self, at: (i16, i16)) {
        self.fake(xproto::MOTION_NOTIFY_EVENT, 0, at);
    }

    /// Presses a button of the mouse: 1 is left, 2 the middle, 3 right; 4 and 5 are the wheel.
    pub fn button_down(&self, button: u8) {
        self.fake(xproto::BUTTON_PRESS_EVENT, button, (0, 0));
    }

    /// Releases it.
    pub fn button_up(&self, button: u8) {
        self.fake(xproto::BUTTON_RELEASE_EVENT, button, (0, 0));
    }

    /// Clicks at a place.
    pub fn click(&self, button: u8, at: (i16, i16)) {
        self.point(at);
        self.button_down(button);
        self.button_up(button);
    }

    /// Clicks twice at a place.
    pub fn double_click(&self, at: (i16, i16)) {
        (0..2).for_each(|_| self.click(1, at));
    }

    /// Drags with a button from one place to another, and rests there before it lets go.
    pub fn drag(&mut self, button: u8, from: (i16, i16), to: (i16, i16)) {
        self.point(from);
        self.button_down(button);
        for step in 1..=8 {
            let part = |from: i16, to: i16| from + (to - from) * step / 8;
            self.point((part(from.0, to.0), part(from.1, to.1)));
        }
        self.view_at_rest();
        self.button_up(button);
        self.view_at_rest();
    }

    /// Turns the wheel by notches, away from the user if positive.
    pub fn wheel(&self, at: (i16, i16), notches: i32) {
        self.point(at);
        for _ in 0..notches.abs() {
            let button = if notches > 0 { 4 } else { 5 };
            self.button_down(button);
            self.button_up(button);
        }
    }

    /// Holds a key down, or lets go of it.
    pub fn key(&self, name: &str, is_down: bool) {
        let kind = if is_down { xproto::KEY_PRESS_EVENT } else { xproto::KEY_RELEASE_EVENT };
        let (code, _) = self.keys.code(name);
        self.fake(kind, code, (0, 0));
    }

    /// Presses a key, alone or behind modifiers: `Ctrl+Shift+s`.
    pub fn press(&self, chord: &str) {
        // The sign `+` is no modifier.
        let mut names: Vec<&str> = chord.split_inclusive('+').map(|n| n.strip_suffix('+').unwrap_or(n)).collect();
        let key = names.pop().filter(|key| !key.is_empty()).unwrap_or("+");
        names.extend(self.keys.code(key).1.then_some("Shift"));
        names.iter().for_each(|name| self.key(name, true));
        self.key(key, true);
        self.key(key, false);
        names.iter().rev().for_each(|name| self.key(name, false));
    }

    /// Types a text of ASCII.
    pub fn write(&self, text: &str) {
        for sign in text.chars() {
            match sign {
                '\n' => self.press("Enter"),
                ' ' => self.press("Space"),
                _ => self.press(sign.encode_utf8(&mut [0; 4])),
            }
        }
    }

    /// Gives the keyboard to the program, or to nobody.
    pub fn focus(&self, program: bool) {
        let window = if program { self.window } else { x11rb::NONE };
        self.server.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME).unwrap();
        self.server.sync().unwrap();
    }

    /// Asks the window to close, as the cross of its frame does.
    pub fn close(&self) {
        self.message(self.window, self.atoms.WM_PROTOCOLS, [self.atoms.WM_DELETE_WINDOW, 0, 0, 0, 0]);
    }

    /// Opens the menu of a right click at a place, which has to be ground, and chooses the line that is so many pixels
    /// below it.
    #[track_caller]
    pub fn choose(&mut self, at: (i16, i16), below_px: i16) {
        self.open_menu(at);
        self.click(1, (at.0 + 40, at.1 + below_px));
    }

    /// Opens the menu of a right click at a place.
    #[track_caller]
    pub fn open_menu(&mut self, at: (i16, i16)) {
        self.open_menu_by(at, |session| session.click(3, at));
    }

    /// Opens the menu of a place in some way.
    #[track_caller]
    pub fn open_menu_by(&mut self, at: (i16, i16), asks: impl Fn(&Self)) {
        // Beside its words the menu is of one dark colour; one from before may still be there.
        let is_open =
            |session: &Self| session.screenshot_part((at.0 + 4, at.1 + 45), (3, 100)).pixels().all(|p| p.0 == MENU);
        self.wait("no menu", |session| (!is_open(session)).then_some(()));
        asks(self);
        self.wait("the menu", |session| is_open(session).then_some(()));
    }
}
