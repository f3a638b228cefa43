//! Where is a pixel shaded? In the fragments of the triangles, or by a pass of its own after them.

use kernels::gpu::Gpu;

use super::shade::Shade;
use super::target::{DEPTH_FORMAT, RECORD_FORMAT, WRITTEN_FORMAT};

/// A way to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Shading {
    /// Fragment shaders shade every fragment: one pass.
    Forward,
    /// The rasteriser leaves records of what is seen, and a compute pass shades each pixel once.
    Deferred,
}

impl Shading {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Shading::Forward => "forward",
            Shading::Deferred => "deferred",
        }
    }

    /// The better one for an adapter: on a graphics card triangles of a few pixels leave most of a fragment shader's lanes idle,
    /// and some chips run few of them; a software rasteriser has no lanes to lose, and its compute shaders cost more.
    pub fn best_for(gpu: &Gpu) -> Shading {
        Shading::best(gpu.caps.is_software(), Shading::Deferred.runs_on(gpu))
    }

    fn best(software: bool, can_defer: bool) -> Shading {
        if can_defer && !software { Shading::Deferred } else { Shading::Forward }
    }

    /// Whether an adapter can draw so. All of WebGPU can; OpenGL of old may not.
    pub fn runs_on(self, gpu: &Gpu) -> bool {
        use wgpu::{TextureFormatFeatureFlags as Flags, TextureUsages as Usages};
        let can = |format, usages: Usages, flags: Flags| {
            let features = gpu.adapter.get_texture_format_features(format);
            features.allowed_usages.contains(usages) && features.flags.contains(flags)
        };
        let left = Usages::RENDER_ATTACHMENT | Usages::TEXTURE_BINDING;
        let written = Usages::STORAGE_BINDING | Usages::TEXTURE_BINDING;
        self == Shading::Forward
            || gpu.adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
                && gpu.device.limits().max_storage_textures_per_shader_stage > 0
                && can(DEPTH_FORMAT, left, Flags::MULTISAMPLE_X4)
                && can(RECORD_FORMAT, left, Flags::MULTISAMPLE_X4)
                && can(WRITTEN_FORMAT, written, Flags::STORAGE_WRITE_ONLY)
    }

    /// How a frame is drawn that shows this: edges and views of the mesh are drawn by fragments.
    pub(super) fn of_frame(self, shade: Shade) -> Shading {
        if shade.has(Shade::WIREFRAME) || shade.view().is_some() { Shading::Forward } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a device is never asked for what it cannot do, and what shows triangles is drawn by triangles.
    #[test]
    fn the_way_to_draw_follows_from_device_and_frame() {
        assert_eq!(Shading::best(false, true), Shading::Deferred);
        assert!(
            [(false, false), (true, false), (true, true)].iter().all(|d| Shading::best(d.0, d.1) == Shading::Forward)
        );
        for way in [Shading::Forward, Shading::Deferred] {
            assert_eq!(way.of_frame(Shade::WATER.with(Shade::CONTOURS, true)), way);
            assert_eq!(way.of_frame(Shade::WATER.with(Shade::WIREFRAME, true)), Shading::Forward);
            assert!(Shade::VIEWS.into_iter().all(|view| way.of_frame(view) == Shading::Forward));
        }
    }
}
