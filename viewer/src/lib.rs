//! The program `orogen` as a library. It has a planet renderer that needs no window, the cameras, and the ECS world and schedule
//! that connect them.
//!
//! [`headless::OffscreenRenderer`] renders images without a window. [`cli`] is the command line, which also flies in a
//! window. The module `plugin` lists the plugins of each way to run.
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

mod accessibility;
pub mod allocator;
mod app;
mod background;
mod bookmarks;
pub mod camera;
pub mod capture;
pub mod cli;
mod controller;
pub mod frame;
mod frame_time;
mod gazetteer;
pub mod headless;
mod hud;
mod input;
mod labels;
mod layers;
mod library;
mod measure;
pub mod out_of_memory;
pub mod overlays;
mod painter;
mod plugin;
pub mod process_memory;
#[cfg(test)]
mod random;
mod recent_places;
pub mod render;
pub mod scene;
mod scene_file;
mod settings;
mod skyline;
mod sun_clock;
mod sun_hours;
pub mod terrain;
mod viewshed;
mod window;

pub use library::{WGSL, composer};
