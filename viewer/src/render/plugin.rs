//! Render: draws the planet into every picture of the frame and submits what the frame recorded.

use std::path::Path;

use bevy_ecs::prelude::*;
use shaders::{EditedModules, SourceWatch};

use super::frame_uniforms::FrameUniforms;
use super::ramp::Ramp;
use super::render_mode::RenderMode;
use super::renderer::Renderer;
use super::shading_textures::texture;
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

/// Longest time of the clock after a movement for which a mesh that has not settled is drawn with the pixels of one in motion, seconds: they
/// leave cores of a software rasteriser to those who make tiles.
const PROVISIONAL_S: f64 = 5.0;

/// The view of the frame before, and when it last was another one; none in the first one.
#[derive(Default)]
struct PreviousView(Option<(Camera, Lens, f64)>);

impl PreviousView {
    /// Takes over the view of a frame at a time, seconds: whether it is another one, and for how long it has been the same.
    fn advance(&mut self, camera: &Camera, lens: &Lens, t_s: f64) -> (bool, f64) {
        let moves =
            self.0.is_some_and(|(camera_before, lens_before, _)| (camera_before, lens_before) != (*camera, *lens));
        let moved_s = self.0.filter(|_| !moves).map_or(t_s, |(.., moved_s)| moved_s);
        self.0 = Some((*camera, *lens, moved_s));
        (moves, t_s - moved_s)
    }
}

/// The scene of a picture that stays, so that no frame draws it again for what is written over it: a panel that opens, a pointer that moves.
/// It is kept where the world has this, as that of a window does, on a software rasteriser for which the renderer [copies](Renderer::copies).
#[derive(Resource, Default)]
pub struct StillScene(Option<(wgpu::TextureView, SceneInputs)>);

/// All that the scene of a settled planet depends on.
#[derive(Clone, Copy, PartialEq)]
struct SceneInputs {
    uniforms: FrameUniforms,
    overlays: Overlays,
    /// [`Renderer::changes`].
    changes: u64,
}

impl StillScene {
    /// What the scene of a picture at rest is drawn into, and whether it is there already; none for others, and where none is there and this
    /// frame is not `still`.
    fn picture(
        &mut self,
        (device, format): (&wgpu::Device, wgpu::TextureFormat),
        (width, height): (u32, u32),
        (inputs, still): (Option<SceneInputs>, bool),
    ) -> Option<(wgpu::TextureView, bool)> {
        let size = wgpu::Extent3d { width: width.max(1), height: height.max(1), depth_or_array_layers: 1 };
        let kept = self.0.take();
        let inputs = inputs?;
        let kept = kept.filter(|(view, _)| view.texture().size() == size && view.texture().format() == format);
        let is_there = kept.as_ref().is_some_and(|(_, drawn)| *drawn == inputs);
        if !is_there && !still {
            return None;
        }
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let view = kept.map_or_else(|| texture(device, "still scene", size, 1, format, usage), |(view, _)| view);
        self.0 = Some((view.clone(), inputs));
        Some((view, is_there))
    }
}

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
        if let Some(mut scene) = world.get_resource_mut::<StillScene>() {
            *scene = StillScene::default();
        }
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
    (mut attachments, still_scene, mut failed): (ResMut<SizedTargets>, Option<ResMut<StillScene>>, ResMut<FirstError>),
    (mut drawing, mut timer): (ResMut<FrameContext>, Option<ResMut<FrameTimer>>),
) {
    let gpu = &context.0;
    if let Err(error) = renderer.set_tiles(&gpu.device, planet.ground_tiles()) {
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
        true => planet.relief_in_view_m(&camera, &lens, viewport.aspect()),
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
    let (moves, rested_s) = view_before.advance(&camera, &lens, clock.t_s);
    let report = planet.report();
    let is_settled = report.settled && report.splits == 0 && report.merges == 0;
    let is_provisional = !drawing.still && !is_settled && rested_s < PROVISIONAL_S;
    drawing.scene_px = match (moves || is_provisional) && !drawing.is_kept {
        true => renderer.samplings().resolution.size_px(viewport.size_px),
        false => viewport.size_px,
    };
    // Enlarged to the picture, a line is as wide as in a picture that rests.
    let drawn_share = drawing.scene_px.1 as f32 / viewport.size_px.1.max(1) as f32;
    let drawn = Viewport { size_px: drawing.scene_px, pixels_per_point: drawn_share * viewport.pixels_per_point };
    let uniforms = FrameUniforms::new(&camera, &lens, &drawn, &sky, planet.mesh_eye_m(), &overlay_params);
    let (format, shown) = (drawing.format, (light.shown(*overlays), drawing.still));
    let is_at_rest = is_settled && !moves && !waves.0 && other.is_none() && shown.0.view().is_none();
    let still_scene = still_scene.filter(|_| gpu.caps.is_software() && renderer.copies()).and_then(|mut still| {
        let inputs = SceneInputs { uniforms: uniforms.at_rest(), overlays: shown.0, changes: renderer.changes() };
        still.picture((&gpu.device, format), viewport.size_px, (is_at_rest.then_some(inputs), drawing.still))
    });
    let encoder = drawing.encoder(&gpu.device);
    let mut draw_scene = || {
        let (scenes, is_there) = match &still_scene {
            Some((scene, is_there)) => (std::slice::from_ref(scene), *is_there),
            None => (&pictures[..], false),
        };
        if !is_there {
            let (to, shading) = ((&gpu.device, &gpu.queue), (planet.shading(), planet.shading_map().is_complete()));
            renderer.prepare(to, encoder, &uniforms, shown, shading, timer.as_deref_mut())?;
            let (sizes, sampling) = ((viewport.size_px, drawn.size_px), renderer.sampling_of_frame());
            let target = attachments.target(&gpu.device, sizes, format, sampling);
            let mesh = |pass: &mut wgpu::RenderPass<'_>| match &other {
                Some(other) => other.0(pass),
                None => planet.draw(pass),
            };
            let wireframe = overlays.has(Overlays::WIREFRAME);
            for scene in scenes {
                renderer.draw(&gpu.device, encoder, (target, scene), mesh, wireframe, timer.as_deref_mut())?;
            }
        }
        still_scene.iter().try_for_each(|(scene, _)| {
            pictures.iter().try_for_each(|picture| renderer.copy(&gpu.device, encoder, scene, picture))
        })
    };
    if let Err(error) = draw_scene() {
        failed.0.get_or_insert(error.into());
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
    use crate::camera::Pose;
    use crate::render::ShadingPath;

    /// Law: a scene is kept for as long as all that it depends on is the same, and is let go by a frame that is not at rest.
    #[test]
    fn scenes_are_kept_at_rest() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let uniforms = |time_s: f64, height_m: f64| {
            let pose = Pose { lat_deg: 46.0, lon_deg: 8.0, height_m, heading_deg: 0.0, pitch_deg: -20.0 };
            let camera = Camera::from_pose(&pose);
            let viewport = Viewport { size_px: (80, 50), pixels_per_point: 1.0 };
            let params = OverlayParams { time_s, ..OverlayParams::default() };
            let (lens, sky) = (Lens { fov_y_rad: 0.9 }, SunMode::default().sky(&camera));
            FrameUniforms::new(&camera, &lens, &viewport, &sky, camera.eye_m, &params).at_rest()
        };
        let inputs = |time_s, height_m, overlays, changes| {
            Some(SceneInputs { uniforms: uniforms(time_s, height_m), overlays, changes })
        };
        let (sea, slope) = (Overlays::WATER, Overlays::WATER.with(Overlays::SLOPE, true));
        let first = || ((80, 50), inputs(0.0, 900.0, sea, 7));
        let frames = [
            (first(), Some(false)),
            (first(), Some(true)),
            // Waves rest.
            (((80, 50), inputs(3.0, 900.0, sea, 7)), Some(true)),
            (((80, 50), inputs(3.0, 901.0, sea, 7)), Some(false)),
            (((80, 50), inputs(3.0, 901.0, slope, 7)), Some(false)),
            (((80, 50), inputs(3.0, 901.0, slope, 8)), Some(false)),
            (((90, 50), inputs(3.0, 901.0, slope, 8)), Some(false)),
            (((90, 50), inputs(3.0, 901.0, slope, 8)), Some(true)),
            (((90, 50), None), None),
            (((90, 50), inputs(3.0, 901.0, slope, 8)), Some(false)),
        ];
        let mut still = StillScene::default();
        for (at, ((size_px, inputs), expected)) in frames.into_iter().enumerate() {
            // A frame in motion takes over what is there.
            if expected == Some(true) {
                assert!(still.picture((&gpu.device, format), size_px, (inputs, false)).is_some_and(|(_, there)| there));
            }
            let found = still.picture((&gpu.device, format), size_px, (inputs, true));
            assert_eq!(found.as_ref().map(|(_, is_there)| *is_there), expected, "frame {at}");
            assert!(found.is_none_or(|(view, _)| (view.texture().width(), view.texture().height()) == size_px));
        }
        assert!(still.picture((&gpu.device, format), (70, 50), (inputs(0.0, 900.0, sea, 7), false)).is_none());
    }

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
