//! The renderer: pictures of the planet into any texture. It knows no window; window, headless modes and
//! tests use it unchanged.

mod frame;
mod maps;
mod passes;
mod plugin;
mod ramp;
mod renderer;
mod sun;
mod target;

pub use frame::{FrameUniforms, Viewport};
pub use plugin::{Context, Drawing, Light, RenderPlugin};
pub use renderer::{RenderError, Renderer, Samples};
pub use sun::Sun;
pub use target::{DEPTH_FORMAT, Target};
