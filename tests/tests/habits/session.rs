//! How does a person sit at the program? A display with a window manager, hands for mouse and keyboard, eyes for the
//! picture, and what the program copies and saves.

use std::{
    fmt::Debug,
    fs,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;
use tests::{
    program,
    program::{WindowedRun, in_a_display},
};
use x11rb::{
    connection::Connection as _,
    protocol::xproto::{self, ConnectionExt as _, CreateWindowAux, Window, WindowClass},
    rust_connection::RustConnection,
    wrapper::ConnectionExt as _,
};

use super::{atoms::Atoms, screenshots::LOOK_EVERY, symbols::Keys, window_manager::start_window_manager};

/// Size of the window, pixels; the screen is larger.
pub const SIZE_PX: (u16, u16) = (960, 600);
/// Options of a picture that is drawn soon.
pub const QUICK: [&str; 6] = ["--software", "--offline", "--pixel-error", "4", "--samples", "1"];
/// The middle of the window.
pub const MIDDLE: (i16, i16) = (480, 300);
/// Whatever takes longer never comes: a busy machine with a software rasteriser is slow.
const LONGEST: Duration = Duration::from_secs(120);
/// A chord that nobody has heard is pressed again.
pub const ASK_EVERY: Duration = Duration::from_secs(4);
/// Between two looks.
const STEP: Duration = Duration::from_millis(15);

/// What moves by itself in a flight.
#[derive(Clone, Copy, PartialEq)]
pub enum Motion {
    /// Views are flown to, and the globe glides on.
    Full,
    /// Nothing moves by itself, by the settings.
    Reduced,
}

/// A program in its window, and who sits there.
pub struct DesktopSession {
    pub(super) server: RustConnection,
    pub(super) atoms: Atoms,
    pub(super) root: Window,
    /// A window of the test's own: it holds and asks for selections.
    pub(super) own: Window,
    pub(super) window: Window,
    pub(super) keys: Keys,
    pub(super) program: Child,
    folder: TempDir,
    windowed: Option<WindowedRun>,
    manager: Option<JoinHandle<()>>,
    ended: bool,
}

impl DesktopSession {
    /// Starts the program over the globe and waits until it flies.
    pub fn new(motion: Motion, arguments: &[&str]) -> Self {
        let settings = match motion {
            Motion::Full => "{}",
            Motion::Reduced => r#"{"reduced_motion": true}"#,
        };
        Self::with_settings(
            &format!(r#"{{"format": "orogen-settings", "version": 1, "settings": {settings}}}"#),
            arguments,
        )
    }

    /// The same with a settings file.
    pub fn with_settings(settings: &str, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("settings.json"), settings).unwrap();
        fs::write(folder.path().join("user-dirs.dirs"), "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n").unwrap();
        fs::create_dir(folder.path().join("Bilder")).unwrap();
        let size = format!("{}x{}", SIZE_PX.0, SIZE_PX.1);
        let same = [&QUICK[..], &["--size", &size]].concat();
        let mut windowed = in_a_display(program!(), &[&same[..], arguments].concat());
        let command = &mut windowed.command;
        let display = command.get_envs().find(|(name, _)| *name == "DISPLAY").and_then(|(_, value)| value);
        let display = display.and_then(|display| display.to_str()).expect("a display").to_owned();
        let manager = start_window_manager(&display);
        let (server, number) = RustConnection::connect(Some(&display)).unwrap();
        let root = server.setup().roots[number].root;
        let atoms = Atoms::new(&server).unwrap().reply().unwrap();
        let own = server.generate_id().unwrap();
        let aux = CreateWindowAux::new();
        server.create_window(0, own, root, -1, -1, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &aux).unwrap();
        command.current_dir(folder.path()).env("OROGEN_SETTINGS", folder.path().join("settings.json"));
        command.env("HOME", folder.path()).env("XDG_CONFIG_HOME", folder.path());
        // A file, since nobody empties a pipe.
        command.stdout(Stdio::null()).stderr(fs::File::create(folder.path().join("stderr")).unwrap());
        let program = command.spawn().unwrap();
        let keys = Keys::of(&server);
        let mut session = Self {
            server,
            atoms,
            root,
            own,
            window: x11rb::NONE,
            keys,
            program,
            folder,
            windowed: Some(windowed),
            manager: Some(manager),
            ended: false,
        };
        session.window = session.wait("a window that has loaded", |session| session.find_window());
        // The first frame comes after the title.
        session.wait("a first frame", |session| {
            thread::sleep(LOOK_EVERY);
            session.screenshot().pixels().any(|pixel| pixel.0 != [0; 3]).then_some(())
        });
        session.screenshot_at_rest();
        session
    }

    /// The program's window, once its title says that it flies.
    fn find_window(&self) -> Option<Window> {
        let children = self.server.query_tree(self.root).unwrap().reply().unwrap().children;
        children.into_iter().find(|window| self.title_of(*window).ends_with("Orogen"))
    }

    fn title_of(&self, window: Window) -> String {
        String::from_utf8(self.property(window, self.atoms._NET_WM_NAME)).unwrap_or_default()
    }

    /// The title of the window.
    pub fn title(&self) -> String {
        self.title_of(self.window)
    }

    /// Bytes of a property; none where it or its window is not there.
    pub(super) fn property(&self, window: Window, name: xproto::Atom) -> Vec<u8> {
        let any = xproto::AtomEnum::ANY;
        let reply = self.server.get_property(false, window, name, any, 0, 1 << 20).unwrap().reply();
        reply.map_or_else(|_| Vec::new(), |reply| reply.value)
    }

    /// Waits until something is there.
    #[track_caller]
    pub fn wait<T>(&mut self, what: &str, mut there: impl FnMut(&mut Self) -> Option<T>) -> T {
        let begin = Instant::now();
        loop {
            if let Some(found) = there(self) {
                return found;
            }
            let code = self.program.try_wait().unwrap();
            assert!(code.is_none() || self.ended, "{what} never comes: {code:?}\n{}", self.stderr_so_far());
            assert!(begin.elapsed() < LONGEST, "{what} does not come\n{}", self.stderr_so_far());
            thread::sleep(STEP);
        }
    }

    /// What the program has said on stderr.
    pub fn stderr_so_far(&self) -> String {
        fs::read_to_string(self.folder.path().join("stderr")).unwrap()
    }

    /// Waits until the program ends: its exit code.
    #[track_caller]
    pub fn wait_for_end(&mut self) -> Option<i32> {
        self.ended = true;
        self.wait("the end", |session| session.program.try_wait().unwrap()).code()
    }

    /// Whether the program runs.
    pub fn is_running(&mut self) -> bool {
        self.program.try_wait().unwrap().is_none()
    }

    /// Sends a client message to a window.
    pub(super) fn message(&self, window: Window, kind: xproto::Atom, data: [u32; 5]) {
        let message = xproto::ClientMessageEvent::new(32, window, kind, data);
        self.server.send_event(false, window, xproto::EventMask::NO_EVENT, message).unwrap();
        self.server.sync().unwrap();
    }

    /// The folder in which the program runs.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The user's folder of pictures.
    pub fn pictures(&self) -> PathBuf {
        self.folder.path().join("Bilder")
    }

    /// Files in both of a name that begins and ends so.
    pub fn files(&self, begin: &str, end: &str) -> Vec<PathBuf> {
        let folders = [self.folder.path().to_path_buf(), self.pictures()];
        let entries = folders.into_iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap());
        let is_one = |name: &str| name.starts_with(begin) && name.ends_with(end);
        let mut files: Vec<_> =
            entries.filter(|entry| entry.file_name().to_str().is_some_and(is_one)).map(|entry| entry.path()).collect();
        files.sort();
        files
    }

    /// The file that a chord saves.
    #[track_caller]
    pub fn saved(&mut self, chord: &str, begin: &str, end: &str) -> PathBuf {
        let before = self.files(begin, end);
        self.press(chord);
        self.wait(chord, |session| session.files(begin, end).into_iter().find(|file| !before.contains(file)))
    }

    /// The scene, as Ctrl+Shift+S saves it: files, choices and view.
    #[track_caller]
    pub fn scene(&mut self) -> Value {
        const CHORD: &str = "Ctrl+Shift+s";
        let files = |session: &Self| session.files("orogen-scene", ".json");
        let (before, mut asked) = (files(self), Instant::now());
        self.press(CHORD);
        let file = self.wait("a scene", |session| {
            // While a field is typed into, the chord is the field's.
            if asked.elapsed() > ASK_EVERY {
                session.press(CHORD);
                asked = Instant::now();
            }
            files(session).into_iter().find(|file| !before.contains(file))
        });
        json(&file)
    }

    /// The settings, once they are as they should be.
    #[track_caller]
    pub fn settings_that<T: Debug>(&mut self, what: &str, found: impl Fn(&Value) -> Option<T>) -> T {
        let file = self.folder.path().join("settings.json");
        self.wait(what, |_| {
            let settings: Value = serde_json::from_str(&fs::read_to_string(&file).ok()?).ok()?;
            found(&settings["settings"])
        })
    }
}

impl Drop for DesktopSession {
    fn drop(&mut self) {
        if thread::panicking() && self.is_shown() {
            let picture = std::env::temp_dir().join(format!("habits-failed-{}.png", self.program.id()));
            if self.screenshot().save(&picture).is_ok() {
                println!("what was seen then: {}", picture.display());
            }
        }
        // It is gone already, or goes now.
        let _ = self.program.kill();
        let _ = self.program.wait();
        drop(self.windowed.take());
        // It ends with the display; what it panicked about is on stderr.
        let _ = self.manager.take().map(JoinHandle::join);
    }
}

/// A JSON file.
pub fn json(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}
