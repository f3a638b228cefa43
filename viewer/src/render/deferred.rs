//! The pipelines of a picture in two steps: the ground into a G-buffer, then a compute pass that shades each pixel,
//! for one number of samples.

use gpu::pipeline::{ComputeKernel, ComputeOptions, PipelineError, RenderKernel};
use shaders::Composer;

use super::copy::CopyPipeline;
use super::error::RenderError;
use super::forward::{PassOptions, pass};
use super::resources::Resources;
use super::shading_textures::GBUFFER_FORMAT;
use super::target::FrameTarget;
use super::timer::DeferredTimestamps;

/// Pipelines and their bindings.
#[derive(Debug)]
pub(super) struct DeferredPipelines {
    gbuffer: RenderKernel,
    gbuffer_bindings: wgpu::BindGroup,
    shade: ComputeKernel,
    shade_bindings: wgpu::BindGroup,
    /// Each with its number.
    tiles: Vec<(u32, wgpu::BindGroup)>,
}

impl DeferredPipelines {
    /// Compiles the pipelines that draw a set of things on the ground.
    pub fn new(
        device: &wgpu::Device,
        composer: &Composer,
        samples: u32,
        resources: &Resources<'_>,
    ) -> Result<DeferredPipelines, RenderError> {
        let gbuffer = pass(
            device,
            &composer.compose("viewer/gbuffer_pass")?,
            GBUFFER_FORMAT,
            samples,
            &PassOptions {
                vertex: "gbuffer_vertex",
                fragment: "gbuffer_fragment",
                buffers: &[Some(terrain::TerrainVertex::LAYOUT)],
                cull: Some(wgpu::Face::Back),
                write_depth: true,
                compare: wgpu::CompareFunction::Greater,
                edges: false,
            },
        )?;
        let variant = if samples == 1 { "one" } else { "four" };
        let shader = composer.compose_variant("viewer/deferred", variant)?;
        let options = ComputeOptions::default().with_workgroup_memory_uncleared(true);
        let shade = ComputeKernel::with_embedded_loops(device, &shader, "shade", &options)?;
        let gbuffer_bindings = gbuffer.bind_group(device, 0, &[resources.frame()])?;
        let shade_bindings = shade.bind_group(device, 0, &resources.ground_and_sky())?;
        let tiles = bind_tiles(device, &shade, resources)?;
        Ok(DeferredPipelines { gbuffer, gbuffer_bindings, shade, shade_bindings, tiles })
    }

    /// Draws with other maps or other tiles of pictures from now on.
    pub fn rebind(&mut self, device: &wgpu::Device, resources: &Resources<'_>) -> Result<(), PipelineError> {
        self.tiles = bind_tiles(device, &self.shade, resources)?;
        self.shade_bindings = self.shade.bind_group(device, 0, &resources.ground_and_sky())?;
        Ok(())
    }

    /// Records the passes of a picture by a target for deferred shading, and nothing by another; `mesh` sets the vertex and index
    /// buffers and draws the ground.
    pub fn draw(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        (target, colour, copy): (&mut FrameTarget, &wgpu::TextureView, &CopyPipeline),
        mesh: impl Fn(&mut wgpu::RenderPass<'_>),
        marks: Option<&DeferredTimestamps>,
    ) -> Result<(), PipelineError> {
        let (width, height) = target.size_px();
        let Some(gbuffer) = target.gbuffer() else { return Ok(()) };
        let mut pass = gbuffer.begin_pass(encoder, marks.map(DeferredTimestamps::ground));
        pass.set_pipeline(self.gbuffer.pipeline());
        pass.set_bind_group(0, &self.gbuffer_bindings, &[]);
        mesh(&mut pass);
        drop(pass);

        let output = gbuffer.bind(&self.shade, device, colour, copy)?;
        let copied = output.copied.as_ref();
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("shading"),
            timestamp_writes: marks.filter(|_| copied.is_none()).map(DeferredTimestamps::shading),
        });
        pass.set_pipeline(self.shade.pipeline());
        pass.set_bind_group(0, &self.shade_bindings, &[]);
        pass.set_bind_group(1, &output.bindings, &[]);
        for (group, tiles) in &self.tiles {
            pass.set_bind_group(*group, tiles, &[]);
        }
        let [x, y, _] = self.shade.workgroup_size();
        pass.dispatch_workgroups(width.div_ceil(x), height.div_ceil(y), 1);
        drop(pass);

        if let Some(bindings) = copied {
            copy.draw(encoder, bindings, colour, marks.map(DeferredTimestamps::copy));
        }
        Ok(())
    }
}

fn bind_tiles(
    device: &wgpu::Device,
    shade: &ComputeKernel,
    resources: &Resources<'_>,
) -> Result<Vec<(u32, wgpu::BindGroup)>, PipelineError> {
    resources.bind_tiles(|group, named| shade.layouts().bind_used(device, group, named))
}

#[cfg(test)]
mod tests {
    use gpu::{Gpu, GpuOptions};
    use image::RgbImage;

    use crate::app::App;
    use crate::camera::{Camera, Pose};
    use crate::capture::CaptureRequests;
    use crate::frame::{Context, Viewport};
    use crate::overlays::Overlays;
    use crate::plugin;
    use crate::render::{RenderMode, RenderModes, Renderer, ShadingPath};
    use crate::scene::{Scene, SceneOptions};
    use crate::terrain::{Pace, hills};
    use shaders::EditedModules;
    use terrain::Backend;

    fn app(format: wgpu::TextureFormat, samples: u32) -> App {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
        let options = SceneOptions::default()
            .with_relief(Some(hills()))
            .with_pixel_error(Some(2.0))
            .with_triangles(Some(1 << 11))
            .with_mesh(Some(Backend::Cpu));
        let samplings = RenderModes::only(RenderMode { samples, shading: ShadingPath::Deferred });
        let scene = Scene::load(&gpu, &options, format, samplings).expect("a scene");
        let pose = Pose { lat_deg: 20.0, lon_deg: 80.0, height_m: 90_000.0, ..Pose::HOME };
        let mut app = scene.into_app(gpu, Camera::from_pose(&pose), viewport(90, 60));
        plugin::headless(&mut app, Pace::Settled);
        app
    }

    fn viewport(width: u32, height: u32) -> Viewport {
        Viewport { size_px: (width, height), pixels_per_point: 1.0 }
    }

    fn picture(app: &mut App) -> RgbImage {
        app.world.resource_mut::<CaptureRequests>().request();
        app.frame(0.0).expect("a frame");
        app.world.resource_mut::<CaptureRequests>().take().expect("a picture")
    }

    /// Law: an edited shader is drawn with from then on; a wrong one is refused, and the last good one stays.
    #[test]
    fn edits_are_drawn_and_errors_leave_the_last_good_one() {
        let mut app = app(wgpu::TextureFormat::Rgba8Unorm, 1);
        let plain = picture(&mut app);
        let device = app.world.resource::<Context>().0.device.clone();
        let text = crate::WGSL.module("viewer/deferred").expect("a module").text;
        let reload = |app: &mut App, text: String| {
            let shade = *app.world.resource::<Overlays>();
            let mut renderer = app.world.resource_mut::<Renderer>();
            renderer.reload(&device, shade, EditedModules::of("viewer/deferred", text))
        };
        let dark = text.replace("vec4f(colour, 1.0)", "vec4f(0.5 * colour, 1.0)");
        assert_ne!(dark, text);
        reload(&mut app, dark).expect("a good shader");
        let halved = picture(&mut app);
        assert!(halved != plain);
        let error = reload(&mut app, format!("{text}fn wrong() -> u32 {{ return 1 }}\n")).expect_err("a wrong shader");
        let line = text.lines().count() + 1;
        assert!(error.to_string().starts_with(&format!("shaders/viewer/deferred.wgsl:{line}:")), "{error}");
        assert!(picture(&mut app) == halved);
    }

    /// Law: a picture that no compute shader can write is the one that it can.
    #[test]
    fn a_copy_is_the_picture() {
        for samples in [1, 4] {
            let [written, copied] = [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Bgra8Unorm]
                .map(|format| picture(&mut app(format, samples)));
            assert!(written == copied, "{samples} samples");
            assert!(written.pixels().any(|pixel| pixel.0 != written.get_pixel(0, 0).0), "it shows something");
        }
    }

    /// Law: whatever was drawn between, at whatever size, the same view is the same picture; the smallest window has one pixel,
    /// and what shows triangles is drawn by them.
    #[test]
    fn a_picture_comes_back() {
        for format in [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Bgra8Unorm] {
            let mut app = app(format, 4);
            let first = picture(&mut app);
            for (width, height) in [(1, 1), (131, 7), (8, 8), (90, 60)] {
                app.world.insert_resource(viewport(width, height));
                assert_eq!(picture(&mut app).dimensions(), (width, height));
            }
            let plain = *app.world.resource::<Overlays>();
            for other in [Overlays::WIREFRAME, Overlays::LOD, Overlays::SLOPE] {
                app.world.insert_resource(plain.toggled(other));
                assert!(picture(&mut app) != first, "{} changes the picture", other.name());
            }
            app.world.insert_resource(plain);
            assert!(picture(&mut app) == first, "{format:?}");
        }
    }
}
