//! Render: draws the planet into every picture of the frame and submits what the frame recorded.

use std::path::Path;

use bevy_ecs::prelude::*;
use shaders::{EditedModules, SourceWatch};

use super::frame_uniforms::FrameUniforms;
use super::ramp::Ramp;
use super::render_mode::RenderMode;
use super::renderer::Renderer;
use super::sun::SunMode;
use super::target::FrameTarget;
use super::timer::FrameTimer;
use crate::app::{App, Clock, FirstError, FrameStep, Plugin};
use crate::camera::ground::clearance_m;
use crate::camera::{Camera, Lens};
use crate::frame::{Context, FrameContext, Viewport};
use crate::overlays::{OverlayParams, Overlays};
use crate::terrain::Planet;

/// Where the light comes from.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub struct Light(pub SunMode);

impl Light {
    /// What is drawn by it.
    pub fn shown(&self, overlays: Overlays) -> Overlays {
        overlays.with(Overlays::SHADOWS, overlays.has(Overlays::SHADOWS) && self.0.casts_shadows())
    }
}

/// Whether waves move while nothing else does: the sea is near, and the device draws frames as fast as they are shown. Beside
/// a software rasteriser they rest with the eye.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Waves(pub bool);

/// What is drawn in place of the planet's mesh where it is in the world: it sets buffers of [`terrain::TerrainVertex`], relative to
/// [`Planet::mesh_eye_m`], and draws them.
#[derive(Resource)]
pub struct GroundMesh(pub Box<dyn Fn(&mut wgpu::RenderPass<'_>) + Send + Sync>);

/// Height up to which a pixel shows waves, metres.
const WAVES_SEEN_M: f64 = 3_000.0;
/// Metres of a point of text below which relief that is made up shows: a fifth of its longest waves.
const MADE_UP_SEEN_M: f64 = 3_000.0;

/// Drawing and submission, timed by a [`FrameTimer`] in the world where the device has timestamps. Needs [`Context`], [`FrameContext`], [`Renderer`], [`Light`], [`Overlays`], [`Ramp`], [`Viewport`], [`Camera`], [`Lens`]
/// and [`Planet`] in the world.
pub struct RenderPlugin;

/// The view of the frame before; none in the first one.
#[derive(Default)]
struct PreviousView(Option<(Camera, Lens)>);

/// The WGSL files that are looked at while the program runs, and what was edited when all of it compiled.
#[derive(Resource)]
struct ShaderReload(SourceWatch, EditedModules);

/// Targets for pictures of the viewport's size: those that frames in motion and at rest were drawn into last.
#[derive(Resource, Default)]
struct SizedTargets(Vec<FrameTarget>);

impl SizedTargets {
    /// The target for a frame whose scene has a size of its own; those for pictures of another size are let go.
    fn target(
        &mut self,
        device: &wgpu::Device,
        (picture_px, scene_px): ((u32, u32), (u32, u32)),
        format: wgpu::TextureFormat,
        RenderMode { samples, shading }: RenderMode,
    ) -> &mut FrameTarget {
        let SizedTargets(targets) = self;
        let [picture_px, scene_px] = [picture_px, scene_px].map(|(width, height)| (width.max(1), height.max(1)));
        targets.retain(|target| target.picture_px() == picture_px);
        let wanted = (scene_px, samples, shading);
        let fits = |target: &FrameTarget| (target.size_px(), target.samples(), target.shading()) == wanted;
        let at = targets.iter().position(fits).unwrap_or_else(|| {
            targets.truncate(1);
            let target = FrameTarget::new(device, scene_px, format, samples, shading);
            let target = if scene_px == picture_px { target } else { target.enlarged(device, picture_px, format) };
            targets.insert(0, target);
            0
        });
        &mut targets[at]
    }
}

impl Plugin for RenderPlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<OverlayParams>();
        app.world.init_resource::<Waves>();
        RenderPlugin::rebuild_on_device(&mut app.world);
        // Where the checkout is that this build is of.
        if cfg!(debug_assertions)
            && let Some(checkout) = Path::new(env!("CARGO_MANIFEST_DIR")).parent()
        {
            let watch = SourceWatch::over(checkout, crate::composer().modules());
            app.world.insert_resource(ShaderReload(watch, EditedModules::default()));
            app.systems(FrameStep::Camera, reload);
        }
        app.systems(FrameStep::Draw, draw);
        app.systems(FrameStep::Submit, submit);
    }
}

impl RenderPlugin {
    /// Puts targets and timer on the device of the world, in place of those on one that was lost.
    pub fn rebuild_on_device(world: &mut World) {
        world.insert_resource(SizedTargets::default());
        match FrameTimer::new(&world.resource::<Context>().0) {
            Some(timer) => world.insert_resource(timer),
            None => drop(world.remove_resource::<FrameTimer>()),
        }
    }
}

/// Compiles shaders that were edited since the last frame. If one is wrong the last good ones stay.
fn reload(
    context: Res<Context>,
    overlays: Res<Overlays>,
    mut watch: ResMut<ShaderReload>,
    mut renderer: ResMut<Renderer>,
    mut planet: ResMut<Planet>,
) {
    let ShaderReload(files, good) = &mut *watch;
    let Some(edited) = files.poll() else { return };
    let device = &context.0.device;
    let reloaded = renderer.reload(device, *overlays, edited.clone()).map_err(anyhow::Error::from).and_then(|()| {
        let refused = planet.recompile(device, &edited).err();
        refused.map_or(Ok(()), |error| {
            // They have compiled before.
            let _ = renderer.reload(device, *overlays, good.clone());
            Err(error.into())
        })
    });
    match reloaded {
        Ok(()) => {
            *good = edited;
            tracing::warn!("edited shaders are drawn with");
        }
        Err(error) => tracing::warn!("the last good shaders stay: {error}"),
    }
}

fn draw(
    (context, clock): (Res<Context>, Res<Clock>),
    (mut renderer, planet, other): (ResMut<Renderer>, Res<Planet>, Option<Res<GroundMesh>>),
    (camera, lens, mut view_before): (Res<Camera>, Res<Lens>, Local<PreviousView>),
    (viewport, light): (Res<Viewport>, Res<Light>),
    (overlays, ramp, mut overlay_params, mut waves): (Res<Overlays>, Res<Ramp>, ResMut<OverlayParams>, ResMut<Waves>),
    (mut attachments, mut failed): (ResMut<SizedTargets>, ResMut<FirstError>),
    (mut drawing, mut timer): (ResMut<FrameContext>, Option<ResMut<FrameTimer>>),
) {
    let gpu = &context.0;
    if let Err(error) = renderer.lay_imagery(&gpu.device, planet.imagery().bindings()) {
        failed.0.get_or_insert(error.into());
        return;
    }
    if let Err(error) = renderer.set_ramp(&gpu.device, &gpu.queue, *ramp) {
        failed.0.get_or_insert(error.into());
        return;
    }
    let pictures = std::mem::take(&mut drawing.targets);
    if pictures.is_empty() {
        return;
    }
    let sky = light.0.sky(&camera);
    // Of the ground straight below; what is further away has its lines closer together, and loses them.
    let clearance_m = clearance_m(&camera, planet.ground());
    waves.0 = !gpu.caps.is_software()
        && clearance_m < WAVES_SEEN_M
        && overlays.view().is_none()
        && planet.shows_sea(&camera, &lens, viewport.aspect());
    if overlays.has(Overlays::SOURCE) {
        renderer.look_up_sources(&gpu.queue, planet.relief(), camera.normal(), clearance_m);
    }
    let point_rad = lens.fov_y_rad / f64::from(viewport.size_px.1.max(1)) * f64::from(viewport.pixels_per_point);
    let point_m = clearance_m * point_rad;
    let relief_m = match overlays.has(Overlays::CONTOURS) {
        true => planet.heights_in_view_m(&camera, &lens, viewport.aspect()).map(|(low_m, high_m)| high_m - low_m),
        false => None,
    };
    *overlay_params = OverlayParams {
        postings_m: planet.postings_m(),
        made_up_relief: planet.relief().has_synthetic_detail() && point_m < MADE_UP_SEEN_M,
        time_s: clock.t_s,
        ..overlays.overlay_params(
            camera.ellipsoid,
            point_m,
            relief_m.unwrap_or(f64::INFINITY),
            planet.relief().exaggeration(),
        )
    };
    let moves = view_before.0.replace((*camera, *lens)).is_some_and(|before| before != (*camera, *lens));
    drawing.scene_px = match moves && !drawing.is_kept {
        true => renderer.samplings().resolution.size_px(viewport.size_px),
        false => viewport.size_px,
    };
    let drawn = Viewport { size_px: drawing.scene_px, ..*viewport };
    let uniforms = FrameUniforms::new(&camera, &lens, &drawn, &sky, planet.mesh_eye_m(), &overlay_params);
    let (format, shown) = (drawing.format, (light.shown(*overlays), drawing.still));
    let encoder = drawing.encoder(&gpu.device);
    let (to, shading) = ((&gpu.device, &gpu.queue), (planet.shading(), planet.shading_map().is_complete()));
    if let Err(error) = renderer.prepare(to, encoder, &uniforms, shown, shading, timer.as_deref_mut()) {
        failed.0.get_or_insert(error.into());
        return;
    }
    let target =
        attachments.target(&gpu.device, (viewport.size_px, drawn.size_px), format, renderer.sampling_of_frame());
    for picture in &pictures {
        let mesh = |pass: &mut wgpu::RenderPass<'_>| match &other {
            Some(other) => other.0(pass),
            None => planet.draw(pass),
        };
        let (to, wireframe) = ((&mut *target, picture), overlays.has(Overlays::WIREFRAME));
        if let Err(error) = renderer.draw(&gpu.device, encoder, to, mesh, wireframe, timer.as_deref_mut()) {
            failed.0.get_or_insert(error.into());
        }
    }
    drawing.targets = pictures;
}

/// Submits the frame, and reports what the device found wrong with it.
fn submit(
    context: Res<Context>,
    mut drawing: ResMut<FrameContext>,
    mut timer: Option<ResMut<FrameTimer>>,
    mut failed: ResMut<FirstError>,
) {
    let gpu = &context.0;
    if let (Some(timer), false) = (&mut timer, drawing.targets.is_empty()) {
        timer.record(drawing.encoder(&gpu.device));
    }
    drawing.targets.clear();
    drawing.is_kept = false;
    if let Some(commands) = drawing.finish() {
        gpu.queue.submit([commands]);
    }
    if let Some(timer) = &mut timer {
        timer.submitted();
    }
    if let Err(error) = gpu.check() {
        failed.0.get_or_insert(error.into());
    }
}

#[cfg(test)]
mod tests {
    use gpu::{Gpu, GpuOptions};

    use super::*;
    use crate::render::ShadingPath;

    /// Law: a target is for its picture, and those of a picture are kept: the whole scene of a small window is no reduced one of a large one.
    #[test]
    fn targets_are_for_their_pictures() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let (small, large) = ((80, 50), (160, 100));
        for shading in [ShadingPath::Forward, ShadingPath::Deferred] {
            let mut targets = SizedTargets::default();
            for (picture_px, scene_px) in
                [(small, small), (large, small), (large, large), (large, small), (small, small)]
            {
                let mode = RenderMode { samples: 1, shading };
                let target = targets.target(&gpu.device, (picture_px, scene_px), format, mode);
                assert_eq!((target.picture_px(), target.size_px()), (picture_px, scene_px));
                let is_reduced = shading == ShadingPath::Forward && picture_px != scene_px;
                assert_eq!(target.reduced().is_some(), is_reduced);
            }
            assert_eq!(targets.0.len(), 1, "those of another size are let go");
        }
    }
}
