//! The program `orogen` as a library. It has a planet renderer that needs no window, the cameras, and the ECS world and schedule
//! that connect them.
//!
//! [`headless::OffscreenRenderer`] renders images without a window. [`cli`] is the command line, which also flies in a
//! window. The module `plugin` lists the plugins of pictures, `window` those of a flight.
//!
//! ```no_run
//! use viewer::camera::{Camera, Pose};
//! use viewer::headless::OffscreenRenderer;
//! use viewer::scene::SceneOptions;
//!
//! let gpu = gpu::Gpu::new(&gpu::GpuOptions::default())?;
//! let mut offscreen = OffscreenRenderer::new(gpu, &SceneOptions::default(), (1280, 720))?;
//! let (image, report) = offscreen.render(Camera::from_pose(&Pose::HOME))?;
//! eprintln!("{} triangles", report.triangles);
//! image.save("home.png")?;
//! # Ok::<(), anyhow::Error>(())
//! ```

// Whether types that hold a buffer of wgpu may go between threads is asked of more than 128 types in it.
#![recursion_limit = "256"]
// Modules that only the window has are left out without it; what it asks of the others stays.
#![cfg_attr(not(feature = "window"), allow(dead_code, unused_imports))]

#[cfg(feature = "window")]
mod accessibility;
pub mod allocator;
mod annotations;
mod app;
#[cfg(feature = "window")]
mod background;
#[cfg(feature = "window")]
mod bookmark_pictures;
#[cfg(feature = "window")]
mod bookmarks;
pub mod camera;
pub mod capture;
pub mod cli;
#[cfg(feature = "window")]
mod controller;
pub mod frame;
mod frame_time;
mod gazetteer;
pub mod headless;
#[cfg(feature = "window")]
mod hud;
#[cfg(feature = "window")]
mod input;
mod labels;
mod layers;
mod library;
#[cfg(feature = "window")]
mod measure;
pub mod out_of_memory;
pub mod overlays;
mod painter;
#[cfg(feature = "window")]
mod placemarks;
mod plugin;
pub mod process_memory;
#[cfg(test)]
mod random;
#[cfg(feature = "window")]
mod recent_places;
pub mod render;
pub mod scene;
mod scene_file;
#[cfg(feature = "window")]
mod settings;
#[cfg(feature = "window")]
mod skyline;
#[cfg(feature = "window")]
mod sun_clock;
#[cfg(feature = "window")]
mod sun_hours;
pub mod terrain;
mod theme;
#[cfg(feature = "window")]
mod viewshed;
mod warm_up;
#[cfg(feature = "window")]
mod window;

pub use library::{WGSL, composer};
