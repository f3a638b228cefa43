//! What does the program give to others, and take from them? The clipboard (ICCCM selections), and files dropped on the
//! window (XDND).

use std::{path::Path, time::Instant};

use x11rb::{
    connection::Connection as _,
    protocol::{
        Event,
        xproto::{ConnectionExt as _, EventMask, PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent},
    },
    wrapper::ConnectionExt as _,
};

use super::{
    atoms::Atoms,
    input::COPY_WITH_HEIGHT_PX,
    session::{ASK_EVERY, DesktopSession, MIDDLE},
    view::View,
};

impl DesktopSession {
    /// The text that the program copies when it is asked to, once or `again` and again.
    #[track_caller]
    pub fn copied(&mut self, mut ask: impl FnMut(&mut Self), again: bool) -> String {
        // What was copied before is ours until the program copies anew.
        self.server.set_selection_owner(self.own, self.atoms.CLIPBOARD, x11rb::CURRENT_TIME).unwrap();
        self.server.sync().unwrap();
        ask(self);
        let (clipboard, mut asked) = (self.atoms.CLIPBOARD, Instant::now());
        self.wait("a copied text", |session| {
            if again && asked.elapsed() > ASK_EVERY {
                ask(session);
                asked = Instant::now();
            }
            let owner = session.server.get_selection_owner(clipboard).unwrap().reply().unwrap().owner;
            (owner != session.own && owner != x11rb::NONE).then_some(())
        });
        let Atoms { UTF8_STRING, COPIED, .. } = self.atoms;
        self.server.convert_selection(self.own, clipboard, UTF8_STRING, COPIED, x11rb::CURRENT_TIME).unwrap();
        self.server.flush().unwrap();
        self.wait("the copied text", |session| {
            while let Some(event) = session.server.poll_for_event().unwrap() {
                if matches!(event, Event::SelectionNotify(_)) {
                    return Some(());
                }
            }
            None
        });
        String::from_utf8(self.property(self.own, COPIED)).unwrap()
    }

    /// Drops files on the middle of the window.
    #[track_caller]
    pub fn drop_files(&mut self, files: &[&Path]) {
        let (atoms, own, window) = (self.atoms, self.own, self.window);
        let list: String = files.iter().map(|file| format!("file://{}\r\n", file.display())).collect();
        self.server.set_selection_owner(own, atoms.XdndSelection, x11rb::CURRENT_TIME).unwrap();
        self.message(window, atoms.XdndEnter, [own, 5 << 24, atoms.URI_LIST, 0, 0]);
        let at = (MIDDLE.0 as u32) << 16 | MIDDLE.1 as u32;
        self.message(window, atoms.XdndPosition, [own, 0, at, 0, atoms.XdndActionCopy]);
        let (mut is_given, mut is_welcome) = (false, false);
        self.wait("files to be taken", |session| {
            while let Some(event) = session.server.poll_for_event().unwrap() {
                match event {
                    Event::SelectionRequest(asked) if asked.selection == atoms.XdndSelection => {
                        let (to, property) = (asked.requestor, asked.property);
                        let bytes = list.as_bytes();
                        session
                            .server
                            .change_property8(PropMode::REPLACE, to, property, atoms.URI_LIST, bytes)
                            .unwrap();
                        let given = SelectionNotifyEvent {
                            response_type: SELECTION_NOTIFY_EVENT,
                            sequence: 0,
                            time: asked.time,
                            requestor: to,
                            selection: asked.selection,
                            target: asked.target,
                            property,
                        };
                        session.server.send_event(false, to, EventMask::NO_EVENT, given).unwrap();
                        session.server.flush().unwrap();
                        is_given = true;
                    }
                    Event::ClientMessage(told) if told.type_ == atoms.XdndStatus => {
                        is_welcome = told.data.as_data32()[1] & 1 == 1;
                    }
                    _ => {}
                }
            }
            (is_given && is_welcome).then_some(())
        });
        self.message(window, atoms.XdndDrop, [own, 0, 0, 0, 0]);
        self.wait("files to be dropped", |session| {
            while let Some(event) = session.server.poll_for_event().unwrap() {
                if matches!(event, Event::ClientMessage(told) if told.type_ == atoms.XdndFinished) {
                    return Some(());
                }
            }
            None
        });
    }

    /// The view, as Ctrl+C copies it.
    #[track_caller]
    pub fn view(&mut self) -> View {
        // While a field is typed into, the chord is the field's.
        let copied = self.copied(|session| session.press("Ctrl+c"), true);
        View::of(&copied).unwrap_or_else(|| panic!("no view: {copied}"))
    }

    /// The view, once it stays as it is.
    #[track_caller]
    pub fn view_at_rest(&mut self) -> View {
        let mut last = self.view();
        self.wait("rest", |session| {
            let now = session.view();
            Some(now).filter(|now| *now == std::mem::replace(&mut last, *now))
        })
    }

    /// The first view that is as it should be.
    #[track_caller]
    pub fn view_that(&mut self, what: &str, is_so: impl Fn(&View) -> bool) -> View {
        self.wait(what, |session| Some(session.view()).filter(|view| is_so(view)))
    }

    /// The place under a pixel, as the menu of a right click copies it: degrees and metres.
    #[track_caller]
    pub fn place(&mut self, at: (i16, i16)) -> [f64; 3] {
        let copied = self.copied(|session| session.choose(at, COPY_WITH_HEIGHT_PX), false);
        let place: Vec<f64> = copied.split(',').filter_map(|part| part.parse().ok()).collect();
        place.try_into().unwrap_or_else(|_| panic!("no place: {copied}"))
    }
}
