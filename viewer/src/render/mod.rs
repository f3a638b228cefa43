//! The renderer: pictures of the planet into any texture. It knows no window; window, headless modes and
//! tests use it unchanged.

mod air;
mod composer;
mod copy;
mod deferred;
mod error;
mod exposure;
mod frame_uniforms;
mod gbuffer;
mod legend;
mod maps;
mod passes;
mod place_cells;
mod plugin;
mod ramp;
mod renderer;
mod resources;
mod sampling;
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
pub use place_cells::{MOST_SIDE, MOST_SUN_SIDE, PlaceCells};
pub use plugin::{GroundMesh, Light, RenderPlugin, Waves};
pub use ramp::Ramp;
pub use renderer::Renderer;
pub use sampling::{Sampling, Samplings};
pub use shading::ShadingPath;
pub use sun::{Sky, Sun};
pub use target::Target;
pub use timer::{Beside, FrameTimer, GpuTimes};
pub use view_colours::layer_colour;
