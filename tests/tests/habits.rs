//! Does the window answer the habits of its users? The program in a virtual X server with a window manager, driven by
//! synthetic input.
//!
//! Nothing in the program knows of the tests: they read the picture, the clipboard, the window, and the files that it
//! saves. With `OROGEN_BLESS` they leave a page of pictures, `out/habits/index.html`.
//!
//! Not driven: fingers and gamepads, which the X server has no synthetic ones of; Wayland.
#![cfg(target_os = "linux")]

mod habits {
    pub mod atoms;
    pub mod files;
    pub mod flights;
    pub mod gallery;
    pub mod input;
    pub mod keyboard;
    pub mod measure;
    pub mod mouse;
    pub mod screen;
    pub mod screenshots;
    pub mod search;
    pub mod selections;
    pub mod session;
    pub mod symbols;
    pub mod view;
    pub mod window_manager;

    /// Over the Alps: ground everywhere in the picture.
    pub const ALPS: [&str; 4] = ["--at", "44.5,8,600000", "--look", "0,-70"];
}
