//! The program `orogen` as a library. It has a planet renderer that needs no window, the cameras, and the ECS world and schedule
//! that connect them.
//!
//! [`plugin`] lists the plugins of each way to run. [`headless::Studio`] renders images without a window; [`window::run`] flies
//! in a window. [`cli`] is the command line for both.
//!
//! ```no_run
//! use viewer::camera::{Camera, Pose};
//! use viewer::headless::Studio;
//! use viewer::scene::SceneOptions;
//!
//! let gpu = gpu::Gpu::new(&gpu::GpuOptions::default())?;
//! let mut studio = Studio::new(gpu, &SceneOptions::default(), (1280, 720))?;
//! let (image, report) = studio.picture(Camera::from_pose(&Pose::HOME))?;
//! eprintln!("{} triangles", report.triangles);
//! image.save("home.png")?;
//! # Ok::<(), anyhow::Error>(())
//! ```

// Whether types that hold a buffer of wgpu may go between threads is asked of more than 128 types in it.
#![recursion_limit = "256"]

pub mod accessibility;
pub mod allocator;
pub mod app;
mod background;
pub mod bookmarks;
pub mod camera;
pub mod capture;
pub mod cli;
pub mod controller;
pub mod frame;
pub mod frame_time;
pub mod gazetteer;
pub mod headless;
pub mod hud;
pub mod input;
pub mod labels;
pub mod layers;
mod library;
pub mod measure;
pub mod out_of_memory;
pub mod overlays;
pub mod painter;
pub mod plugin;
#[cfg(test)]
mod random;
pub mod render;
pub mod resident;
pub mod scene;
pub mod scene_file;
pub mod settings;
pub mod skyline;
pub mod sun_clock;
pub mod sun_hours;
pub mod terrain;
pub mod viewshed;
pub mod window;

pub use library::{WGSL, composer};
