//! Where is a pixel shaded? In the fragments of the triangles, or by a pass of its own after them.

use gpu::Gpu;
use gpu::pipeline::RenderTarget;

use super::shading_textures::{GBUFFER_FORMAT, OUTPUT_FORMAT};
use crate::overlays::Overlays;

/// A way to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ShadingPath {
    /// Fragment shaders shade every fragment: one pass.
    Forward,
    /// The rasteriser fills a G-buffer, and a compute pass shades each pixel once: for chips that have few fragment
    /// units for their size, and triangles of a few pixels, which leave most of a fragment shader's lanes idle.
    Deferred,
}

impl ShadingPath {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ShadingPath::Forward => "forward",
            ShadingPath::Deferred => "deferred",
        }
    }

    /// Whether an adapter can draw so. All of WebGPU can; OpenGL of old may not.
    pub fn is_supported_by(self, gpu: &Gpu) -> bool {
        use wgpu::{TextureFormatFeatureFlags as Flags, TextureUsages as Usages};
        let can = |format, usages: Usages, flags: Flags| {
            let features = gpu.adapter.get_texture_format_features(format);
            features.allowed_usages.contains(usages) && features.flags.contains(flags)
        };
        let left = Usages::RENDER_ATTACHMENT | Usages::TEXTURE_BINDING;
        let written = Usages::STORAGE_BINDING | Usages::TEXTURE_BINDING;
        self == ShadingPath::Forward
            || gpu.adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
                && gpu.device.limits().max_storage_textures_per_shader_stage > 0
                && can(RenderTarget::DEPTH_FORMAT, left, Flags::MULTISAMPLE_X4)
                && can(GBUFFER_FORMAT, left, Flags::MULTISAMPLE_X4)
                && can(OUTPUT_FORMAT, written, Flags::STORAGE_WRITE_ONLY)
    }

    /// How a frame is drawn that shows this: edges and views of the mesh are drawn by fragments.
    pub(super) fn of_frame(self, overlays: Overlays) -> ShadingPath {
        if overlays.has(Overlays::WIREFRAME) || overlays.view().is_some() { ShadingPath::Forward } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what shows triangles is drawn by triangles.
    #[test]
    fn the_way_to_draw_follows_from_the_frame() {
        for way in [ShadingPath::Forward, ShadingPath::Deferred] {
            assert_eq!(way.of_frame(Overlays::WATER.with(Overlays::CONTOURS, true)), way);
            assert_eq!(way.of_frame(Overlays::WATER.with(Overlays::WIREFRAME, true)), ShadingPath::Forward);
            assert!(Overlays::VIEWS.into_iter().all(|view| way.of_frame(view) == ShadingPath::Forward));
        }
    }
}
