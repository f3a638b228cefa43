//! The renderer: pictures of the planet into any texture. It knows no window; window, headless modes and
//! tests use it unchanged.

mod air;
mod composer;
mod copy;
mod deferred;
mod error;
mod exposure;
mod forward;
mod frame_uniforms;
mod gbuffer;
mod ground_textures;
mod legend;
mod motion_resolution;
mod place_cells;
mod plugin;
mod ramp;
mod render_mode;
mod renderer;
mod resources;
mod shading;
mod shading_textures;
mod shadows;
mod source_map;
pub mod srgb;
mod star_cells;
mod stars;
mod sun;
mod target;
mod timer;
mod tints;
mod view_colours;

pub use error::RenderError;
pub use frame_uniforms::FrameUniforms;
pub use legend::Legend;
pub use motion_resolution::MotionResolution;
pub use place_cells::{MOST_SIDE, MOST_SUN_SIDE, PlaceCells};
pub use plugin::{GroundMesh, Light, RenderPlugin, StillScene, Waves};
pub use ramp::Ramp;
pub use render_mode::{RenderMode, RenderModes};
pub use renderer::Renderer;
pub use shading::ShadingPath;
pub use shading_textures::LINEAR_FORMAT;
pub use sun::{Sky, SunMode};
pub use target::FrameTarget;
pub use timer::{AuxiliaryPass, FrameTimer, GpuTimes};
pub use view_colours::layer_colour;
