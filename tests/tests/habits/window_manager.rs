//! What does a window manager do that the program needs? It maps the window, gives it the keyboard, closes it politely,
//! and lets it fill the screen (EWMH `_NET_WM_STATE_FULLSCREEN`). Nothing is decorated: a window stands in the upper
//! left corner.

use std::{collections::HashMap, thread};

use x11rb::{
    connection::Connection as _,
    protocol::{
        Event,
        xproto::{
            AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConfigWindow, ConfigureWindowAux,
            ConnectionExt as _, CreateWindowAux, EventMask, InputFocus, PropMode, Window, WindowClass,
        },
    },
    rust_connection::RustConnection,
    wrapper::ConnectionExt as _,
};

use super::atoms::Atoms;

/// What a client message of `_NET_WM_STATE` asks for; it removes by 0.
const ADD: u32 = 1;
const TOGGLE: u32 = 2;

struct WindowManager {
    server: RustConnection,
    atoms: Atoms,
    root: Window,
    screen_px: (u16, u16),
    /// Sizes of the windows that fill the screen, before they did.
    full: HashMap<Window, (u16, u16)>,
}

/// Manages the windows of a display until its server is gone.
pub fn start_window_manager(display: &str) -> thread::JoinHandle<()> {
    let (server, number) = RustConnection::connect(Some(display)).expect("the display");
    let screen = &server.setup().roots[number];
    let (root, screen_px) = (screen.root, (screen.width_in_pixels, screen.height_in_pixels));
    let atoms = Atoms::new(&server).expect("the display").reply().expect("atoms");
    let asks = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
    let asked = server.change_window_attributes(root, &ChangeWindowAttributesAux::new().event_mask(asks));
    asked.expect("the display").check().expect("no other window manager");
    let mut manager = WindowManager { server, atoms, root, screen_px, full: HashMap::new() };
    manager.announce_support().expect("the display");
    thread::spawn(move || {
        // The server goes when the test is over.
        while let Ok(event) = manager.server.wait_for_event() {
            if manager.follow(&event).is_err() {
                break;
            }
        }
    })
}

impl WindowManager {
    fn announce_support(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        let (server, atoms, root) = (&self.server, &self.atoms, self.root);
        let own = server.generate_id()?;
        server.create_window(0, own, root, -1, -1, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &CreateWindowAux::new())?;
        for window in [root, own] {
            server.change_property32(
                PropMode::REPLACE,
                window,
                atoms._NET_SUPPORTING_WM_CHECK,
                AtomEnum::WINDOW,
                &[own],
            )?;
        }
        server.change_property8(PropMode::REPLACE, own, atoms._NET_WM_NAME, atoms.UTF8_STRING, b"manager of a test")?;
        let can = [atoms._NET_WM_STATE, atoms._NET_WM_STATE_FULLSCREEN, atoms._NET_ACTIVE_WINDOW];
        server.change_property32(PropMode::REPLACE, root, atoms._NET_SUPPORTED, AtomEnum::ATOM, &can)?;
        server.sync()?;
        Ok(())
    }

    fn follow(&mut self, event: &Event) -> Result<(), Box<dyn std::error::Error>> {
        match event {
            Event::MapRequest(asked) => self.show(asked.window)?,
            Event::ConfigureRequest(asked) => {
                let mut wanted = ConfigureWindowAux::new().x(0).y(0);
                // What is not asked for may be a size that it no longer has.
                let has = |part| asked.value_mask.contains(part);
                wanted.width = has(ConfigWindow::WIDTH).then(|| asked.width.into());
                wanted.height = has(ConfigWindow::HEIGHT).then(|| asked.height.into());
                self.server.configure_window(asked.window, &wanted)?;
            }
            Event::ClientMessage(message) if message.type_ == self.atoms._NET_WM_STATE => self.change(message)?,
            Event::DestroyNotify(gone) => drop(self.full.remove(&gone.window)),
            _ => {}
        }
        self.server.flush()?;
        Ok(())
    }

    /// Maps a window and gives it the keyboard.
    fn show(&self, window: Window) -> Result<(), Box<dyn std::error::Error>> {
        let (server, atoms) = (&self.server, &self.atoms);
        // It is in the normal state, and has no icon.
        server.change_property32(PropMode::REPLACE, window, atoms.WM_STATE, atoms.WM_STATE, &[1, 0])?;
        server.map_window(window)?;
        server.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)?;
        let active = atoms._NET_ACTIVE_WINDOW;
        server.change_property32(PropMode::REPLACE, self.root, active, AtomEnum::WINDOW, &[window])?;
        Ok(())
    }

    /// Lets a window fill the screen, or no longer.
    fn change(&mut self, message: &ClientMessageEvent) -> Result<(), Box<dyn std::error::Error>> {
        let [how, states @ ..] = message.data.as_data32();
        let (window, is_full) = (message.window, self.full.contains_key(&message.window));
        let wanted = how == ADD || (how == TOGGLE && !is_full);
        if !states[..2].contains(&self.atoms._NET_WM_STATE_FULLSCREEN) || wanted == is_full {
            return Ok(());
        }
        let (size_px, states) = if wanted {
            let now = self.server.get_geometry(window)?.reply()?;
            self.full.insert(window, (now.width, now.height));
            (self.screen_px, vec![self.atoms._NET_WM_STATE_FULLSCREEN])
        } else {
            (self.full.remove(&window).unwrap_or(self.screen_px), Vec::new())
        };
        let place = ConfigureWindowAux::new().x(0).y(0);
        let size = place.width(u32::from(size_px.0)).height(u32::from(size_px.1));
        self.server.configure_window(window, &size)?;
        let state = self.atoms._NET_WM_STATE;
        self.server.change_property32(PropMode::REPLACE, window, state, AtomEnum::ATOM, &states)?;
        Ok(())
    }
}
