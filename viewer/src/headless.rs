//! Pictures without a window: a camera in, the settled picture out.

use std::time::Instant;

use bevy_ecs::world::World;
use gpu::Gpu;
use image::{Rgb32FImage, RgbImage};
use terrain::UpdateReport;

use crate::annotations::MapPlugin;
use crate::app::{App, Clock, StepTimes};
use crate::camera::ground::{CLEARANCE_M, Ground, above_ground};
use crate::camera::{Camera, Lens};
use crate::capture::{CaptureRequests, FrameImage, ReadbackTexture, WorldFile};
use crate::frame::{Context, FrameContext, Viewport};
use crate::frame_time::FrameTime;
use crate::overlays::{OverlayParams, Overlays};
use crate::plugin;
use crate::render::{FrameTimer, LINEAR_FORMAT, MotionResolution, RenderModes, ShadingPath};
use crate::scene::{Scene, SceneOptions};
use crate::terrain::{Pace, Planet};

/// Colour format of pictures.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

fn ms(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Draws settled pictures of a size.
pub struct OffscreenRenderer {
    app: App,
}

impl OffscreenRenderer {
    /// Loads the scene for pictures of `size_px`.
    ///
    /// # Errors
    /// As [`Scene::load`].
    pub fn new(gpu: Gpu, options: &SceneOptions, size_px: (u32, u32)) -> anyhow::Result<OffscreenRenderer> {
        OffscreenRenderer::with_pace(gpu, options, size_px, Pace::Settled)
    }

    /// As [`new`](Self::new), with pictures that need not be settled and are drawn as those in motion.
    ///
    /// # Errors
    /// As [`Scene::load`].
    pub fn with_pace(
        gpu: Gpu,
        options: &SceneOptions,
        size_px: (u32, u32),
        pace: Pace,
    ) -> anyhow::Result<OffscreenRenderer> {
        Self::with_format(gpu, options, size_px, pace, FORMAT)
    }

    /// As [`new`](Self::new), for [linear pictures](Self::render_linear).
    ///
    /// # Errors
    /// As [`Scene::load`], and for deferred shading.
    pub fn linear(gpu: Gpu, options: &SceneOptions, size_px: (u32, u32)) -> anyhow::Result<OffscreenRenderer> {
        anyhow::ensure!(
            options.shading != Some(ShadingPath::Deferred),
            "linear light is drawn by forward shading only: leave out --shading deferred"
        );
        let options = SceneOptions { shading: Some(ShadingPath::Forward), ..options.clone() };
        Self::with_format(gpu, &options, size_px, Pace::Settled, LINEAR_FORMAT)
    }

    fn with_format(
        gpu: Gpu,
        options: &SceneOptions,
        size_px: (u32, u32),
        pace: Pace,
        format: wgpu::TextureFormat,
    ) -> anyhow::Result<OffscreenRenderer> {
        let RenderModes { moving, still, .. } = RenderModes::choose(&gpu, size_px, options.samples, options.shading);
        let samplings = match pace {
            Pace::Settled => RenderModes::only(still),
            Pace::Frame => {
                let resolution = MotionResolution::choose(&gpu, options.motion_resolution);
                RenderModes::only(moving).with_resolution(resolution)
            }
        };
        let scene = Scene::load(&gpu, options, format, samplings)?;
        let viewport = Viewport { size_px, pixels_per_point: 1.0 };
        let mut app = scene.into_app(gpu, Camera::from_pose(&crate::camera::Pose::HOME), viewport);
        plugin::headless(&mut app, pace);
        Ok(OffscreenRenderer { app })
    }

    /// Pictures are maps from now on, with title, legend, scale bar, north and sources; without a title they name the place in their middle.
    pub fn with_map(mut self, title: Option<String>) -> OffscreenRenderer {
        self.app.add(MapPlugin { title });
        self
    }

    /// What the pictures are drawn from.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.app.world
    }

    /// Draws a frame into `picture` as a flight does, without reading it back, and waits for the GPU.
    ///
    /// # Errors
    /// What the GPU or the mesh reports.
    pub fn fly(&mut self, camera: Camera, picture: &ReadbackTexture) -> anyhow::Result<(FrameTime, UpdateReport)> {
        let started = Instant::now();
        let (camera, _) = self.above_ground(camera);
        self.app.world.insert_resource(camera);
        self.app.world.resource_mut::<FrameContext>().targets.push(picture.view());
        self.app.frame(0.0)?;
        let recorded = started.elapsed();
        self.app.world.resource::<Context>().0.wait()?;
        let total = started.elapsed();
        let gpu = self.app.world.get_resource_mut::<FrameTimer>().and_then(|mut timer| timer.newest());
        let steps = *self.app.world.resource::<StepTimes>();
        let scene_px = self.app.world.resource::<FrameContext>().scene_px;
        let mut planet = self.app.world.resource_mut::<Planet>();
        planet.poll();
        let (stream, mesh, tiles) = (planet.stream_times(), planet.times(), planet.tiles());
        let time =
            FrameTime { record_ms: ms(recorded), total_ms: ms(total), steps, stream, mesh, gpu, tiles, scene_px };
        Ok((time, *planet.report()))
    }

    /// The error on screen that the last picture may have by the metric, pixels; none where the mesh is on the GPU.
    pub fn error_px(&self) -> Option<f64> {
        self.app.world.resource::<Planet>().error_px()
    }

    /// Bytes of heights in memory, of all layers that tell.
    pub fn heights_bytes(&self) -> usize {
        self.app.world.resource::<Planet>().relief().memory_use().iter().flatten().map(|held| held.bytes).sum()
    }

    /// A picture to [`fly`](Self::fly) into.
    ///
    /// # Errors
    /// If the size is beyond the device's limit.
    pub fn readback_texture(&self) -> anyhow::Result<ReadbackTexture> {
        let gpu = &self.app.world.resource::<Context>().0;
        Ok(ReadbackTexture::new(&gpu.device, self.app.world.resource::<Viewport>().size_px, FORMAT)?)
    }

    /// The camera, raised to the least clearance where it is lower; the metres say by how much.
    pub fn above_ground(&self, camera: Camera) -> (Camera, f64) {
        let raised = above_ground(camera, self.app.world.resource::<Planet>().ground());
        let by_m = raised.height_m() - camera.height_m();
        (raised, if by_m > 1e-3 { by_m } else { 0.0 })
    }

    /// The ground as pictures show it, with the sea above its floor if it is drawn.
    pub fn ground(&self) -> &dyn Ground {
        self.app.world.resource::<Planet>().ground()
    }

    /// Where the picture from a camera lies; none unless it looks straight down, on ground narrow enough.
    pub fn world_file(&self, camera: Camera) -> Option<WorldFile> {
        let (camera, _) = self.above_ground(camera);
        let world = &self.app.world;
        let ground_m = world.resource::<Planet>().ground().height_m(camera.normal());
        WorldFile::of(&camera, world.resource::<Lens>().fov_y_rad, world.resource::<Viewport>().size_px, ground_m)
    }

    /// Sets the time of what moves by itself, the waves; it stands still between two calls.
    pub fn set_time_s(&mut self, t_s: f64) {
        self.app.world.resource_mut::<Clock>().t_s = t_s;
    }

    /// What is said in the files of pictures: what is made up, and what the makers of the data want to be said; none where that is nothing.
    pub fn note(&self) -> Option<String> {
        let (world, planet) = (&self.app.world, self.app.world.resource::<Planet>());
        let params = OverlayParams {
            overlays: *world.resource::<Overlays>(),
            postings_m: planet.postings_m(),
            made_up_relief: planet.relief().has_synthetic_detail(),
            ..OverlayParams::default()
        };
        planet.file_note(params.synthetic())
    }

    /// Forgets what earlier pictures have refined: the next one is that of a studio that has drawn none.
    ///
    /// # Errors
    /// As [`terrain::Planet::reset_mesh`].
    pub fn reset_mesh(&mut self) -> anyhow::Result<()> {
        let gpu = self.app.world.resource::<Context>().0.clone();
        Ok(self.app.world.resource_mut::<Planet>().reset_mesh(&gpu.device)?)
    }

    /// The settled picture from a camera, never from under the ground. The same cameras in the same order give the
    /// same pixels on one machine.
    ///
    /// # Errors
    /// What the GPU or the mesh reports; a renderer of [linear](Self::linear) pictures.
    pub fn render(&mut self, camera: Camera) -> anyhow::Result<(RgbImage, UpdateReport)> {
        match self.render_frame(camera)? {
            (FrameImage::Srgb(image), report) => Ok((image, report)),
            (FrameImage::Linear(_), _) => Err(anyhow::anyhow!("this renderer draws linear pictures")),
        }
    }

    /// The same as linear light: Rec. 709 primaries, exposed as the picture is, before its tone curve. So 1 is light ground under a high sun,
    /// and the sun and its glitter are far above that.
    ///
    /// # Errors
    /// What the GPU or the mesh reports; a renderer that is none of [linear](Self::linear) pictures.
    pub fn render_linear(&mut self, camera: Camera) -> anyhow::Result<(Rgb32FImage, UpdateReport)> {
        match self.render_frame(camera)? {
            (FrameImage::Linear(image), report) => Ok((image, report)),
            (FrameImage::Srgb(_), _) => Err(anyhow::anyhow!("this renderer draws pictures of 8 bits")),
        }
    }

    /// The settled picture from a camera, in the format of the renderer.
    pub(crate) fn render_frame(&mut self, camera: Camera) -> anyhow::Result<(FrameImage, UpdateReport)> {
        let (camera, _) = self.above_ground(camera);
        self.app.world.insert_resource(camera);
        self.app.world.resource_mut::<CaptureRequests>().request();
        self.app.frame(0.0)?;
        let report = *self.app.world.resource::<Planet>().report();
        let image = self.app.world.resource_mut::<CaptureRequests>().take_frame();
        let image = image.ok_or_else(|| anyhow::anyhow!("the frame gave no picture"))?;
        Ok((image, report))
    }
}

/// What `above_ground` raises to, for messages.
pub const LEAST_CLEARANCE_M: f64 = CLEARANCE_M;

#[cfg(test)]
mod tests {
    use gpu::{GpuError, GpuOptions};

    use super::*;
    use crate::camera::Pose;
    use crate::terrain::hills;
    use terrain::Backend;

    /// A small scene over hills.
    fn over_hills(error_px: f64, triangles: u32) -> SceneOptions {
        SceneOptions::default()
            .with_relief(Some(hills()))
            .with_pixel_error(Some(error_px))
            .with_triangles(Some(triangles))
            .with_tile_bytes(Some(64 << 20))
            .with_samples(Some(1))
    }

    /// A frame of a flight: the size that its scene was drawn in, whether the mesh had settled, and the picture.
    fn frame(
        renderer: &mut OffscreenRenderer,
        camera: Camera,
        (gpu, picture): (&Gpu, &ReadbackTexture),
    ) -> ((u32, u32), bool, RgbImage) {
        let (time, report) = renderer.fly(camera, picture).expect("a frame");
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        picture.record_copy(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
        let FrameImage::Srgb(image) = picture.read_back(gpu).expect("an image") else { panic!("8 bits") };
        (time.scene_px, report.settled, image)
    }

    /// Mean difference of two pictures, of 255.
    fn apart(a: &RgbImage, b: &RgbImage) -> f64 {
        let sum: u64 = a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        sum as f64 / a.as_raw().len() as f64
    }

    /// Law: pictures and measured frames of a lost device are refused, in words of one line, and nothing waits.
    #[test]
    fn a_lost_device_gives_no_picture() {
        let pose = Pose { lat_deg: 20.0, lon_deg: 80.0, height_m: 90_000.0, ..Pose::HOME };
        for (mesh, pace) in [(Backend::Cpu, Pace::Settled), (Backend::Gpu, Pace::Settled), (Backend::Gpu, Pace::Frame)]
        {
            let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
            let options = over_hills(4.0, 1 << 10).with_mesh(Some(mesh));
            let mut renderer = OffscreenRenderer::with_pace(gpu.clone(), &options, (80, 50), pace).expect("a scene");
            let picture = renderer.readback_texture().expect("a picture");
            renderer.render(Camera::from_pose(&pose)).expect("a device");
            gpu.device.destroy();
            let moved = Camera::from_pose(&Pose { lat_deg: 21.0, ..pose });
            let errors =
                [renderer.render(moved).err(), renderer.fly(moved, &picture).err(), renderer.render(moved).err()];
            for error in errors.map(|error| error.expect("the device is lost")) {
                assert!(error.chain().any(|e| matches!(e.downcast_ref(), Some(GpuError::Lost { .. }))), "{error:#}");
                assert!(!format!("{error:#}").contains('\n'), "{error:#}");
            }
        }
    }

    /// Law: a frame of a view that moved has fewer pixels and shows the same; a view at rest has all of them, and so has a frame that is kept.
    #[test]
    fn frames_in_motion_have_fewer_pixels() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
        let (size_px, reduced_px) = ((161, 100), (81, 50));
        let camera = |lat_deg| Camera::from_pose(&Pose { lat_deg, lon_deg: 80.0, height_m: 90_000.0, ..Pose::HOME });
        for shading in [ShadingPath::Forward, ShadingPath::Deferred] {
            let options = over_hills(2.0, 1 << 11).with_shading(Some(shading)).with_motion_resolution(Some(50));
            let mut renderer =
                OffscreenRenderer::with_pace(gpu.clone(), &options, size_px, Pace::Frame).expect("a scene");
            let picture = renderer.readback_texture().expect("a picture");
            let mut fly = |lat_deg| frame(&mut renderer, camera(lat_deg), (&gpu, &picture));
            // The first frame has none before it.
            assert_eq!(fly(20.0).0, size_px);
            let settled = (0..400).any(|_| {
                let (scene_px, settled, _) = fly(20.0);
                assert_eq!(scene_px, size_px, "a view at rest");
                settled
            });
            assert!(settled, "the mesh does not settle");
            let (scene_px, _, moved) = fly(20.001);
            assert_eq!(scene_px, reduced_px, "a view that moved");
            let (scene_px, _, rested) = fly(20.001);
            assert_eq!(scene_px, size_px, "it rests again");
            let mirrored = image::imageops::flip_vertical(&rested);
            let (coarse, other) = (apart(&moved, &rested), apart(&mirrored, &rested));
            assert!(coarse > 0.0 && coarse < 4.0 && 4.0 * coarse < other, "{coarse} of 255; upside down {other}");
            renderer.render(camera(20.002)).expect("a picture");
            assert_eq!(renderer.world_mut().resource::<FrameContext>().scene_px, size_px, "a frame that is kept");
        }
    }

    /// Law: lines on the ground are as wide while the view moves as when it rests: they change as much of the picture.
    #[test]
    fn lines_keep_their_width_in_motion() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
        let options = over_hills(2.0, 1 << 11).with_motion_resolution(Some(50));
        let mut renderer =
            OffscreenRenderer::with_pace(gpu.clone(), &options, (320, 200), Pace::Frame).expect("a scene");
        let picture = renderer.readback_texture().expect("a picture");
        let mut fly = |overlays: Overlays, lat_deg: f64| {
            renderer.world_mut().insert_resource(overlays);
            let camera = Camera::from_pose(&Pose { lat_deg, lon_deg: 80.0, height_m: 9_000.0, ..Pose::HOME });
            frame(&mut renderer, camera, (&gpu, &picture))
        };
        let (plain, lines) = (Overlays::default(), Overlays::default().with(Overlays::CONTOURS, true));
        assert!((0..400).any(|_| fly(plain, 20.0).1), "the mesh does not settle");
        // Each picture twice: first it moves, then it rests.
        let [[moved, rested], [moved_lines, rested_lines]] = [plain, lines].map(|overlays| {
            fly(overlays, 20.0);
            [100, 200].map(|height_px| {
                let (scene_px, _, image) = fly(overlays, 20.0001);
                assert_eq!(scene_px.1, height_px);
                image
            })
        });
        let (moving, resting) = (apart(&moved, &moved_lines), apart(&rested, &rested_lines));
        assert!(resting > 0.5, "{resting} of 255: no lines");
        assert!((0.8..1.25).contains(&(moving / resting)), "{moving} and {resting} of 255");
    }

    /// Law: a picture after a fresh beginning is that of a fresh studio, whatever was drawn before, wherever the mesh lives.
    #[test]
    fn a_picture_after_a_fresh_beginning_has_no_past() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
        for mesh in Backend::ALL {
            let options = over_hills(2.0, 1 << 11).with_mesh(Some(mesh));
            let renderer = || OffscreenRenderer::new(gpu.clone(), &options, (80, 50)).expect("a scene");
            let camera = |height_m| Camera::from_pose(&Pose { lat_deg: 20.0, lon_deg: 80.0, height_m, ..Pose::HOME });
            let mut used = renderer();
            used.render(camera(30_000.0)).expect("a picture");
            used.reset_mesh().expect("another mesh");
            let (again, report) = used.render(camera(900_000.0)).expect("a picture");
            let (fresh, expected) = renderer().render(camera(900_000.0)).expect("a picture");
            assert!(again == fresh, "another picture, mesh on the {}", mesh.name());
            assert_eq!(report.triangles, expected.triangles);
        }
    }

    /// Law: linear light through the tone curve is the picture, to a step of its 8 bits and the noise that hides them; and who asks for the other
    /// kind is told.
    #[test]
    fn linear_light_is_the_picture_before_its_tone_curve() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
        let options = SceneOptions::default()
            .with_relief(Some(hills()))
            .with_pixel_error(Some(4.0))
            .with_triangles(Some(1 << 10))
            .with_samples(Some(1));
        // Half of it is sky.
        let pose = Pose { lat_deg: 20.0, lon_deg: 80.0, height_m: 9_000.0, pitch_deg: -2.0, ..Pose::HOME };
        let (camera, size_px) = (Camera::from_pose(&pose), (80, 60));
        let mut usual = OffscreenRenderer::new(gpu.clone(), &options, size_px).expect("a scene");
        let mut linear = OffscreenRenderer::linear(gpu.clone(), &options, size_px).expect("a scene");
        let picture = usual.render(camera).expect("a picture").0;
        let light = linear.render_linear(camera).expect("a picture").0;
        let curve = |x: f32| {
            let bright = 1.0 - 0.04 / (0.2 + 0.662 * (x.max(1.0) - 1.0));
            (if x > 1.0 { bright } else { x * (1.0 + 0.16 * x) / (1.0 + 0.45 * x) }).sqrt()
        };
        for (x, y, pixel) in picture.enumerate_pixels() {
            for (shown, light) in pixel.0.into_iter().zip(light.get_pixel(x, y).0) {
                let off = f32::from(shown) - 255.0 * curve(light);
                assert!(off.abs() <= 1.6, "{x}, {y}: {light} is shown as {shown}");
            }
        }
        assert!(light.pixels().any(|pixel| pixel.0.iter().any(|value| *value > 0.2)), "all is dark");
        assert!(usual.render_linear(camera).is_err() && linear.render(camera).is_err());
        let deferred = options.with_shading(Some(ShadingPath::Deferred));
        assert!(OffscreenRenderer::linear(gpu, &deferred, size_px).is_err_and(|e| e.to_string().contains("forward")));
    }

    /// Law: a map is the picture with boxes in its corners, the same ones in every picture.
    #[test]
    fn a_map_is_the_picture_with_boxes_in_its_corners() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
        let options = SceneOptions::default()
            .with_relief(Some(hills()))
            .with_pixel_error(Some(4.0))
            .with_triangles(Some(1 << 10))
            .with_mesh(Some(Backend::Cpu))
            .with_samples(Some(1));
        let camera = Camera::from_pose(&Pose { lat_deg: 20.0, lon_deg: 80.0, height_m: 90_000.0, ..Pose::HOME });
        let size_px = (640, 360);
        let renderer = || OffscreenRenderer::new(gpu.clone(), &options, size_px).expect("a scene");
        let (plain, _) = renderer().render(camera).expect("a picture");
        let mut maps = renderer().with_map(Some(String::from("Hills")));
        let [first, second] = [0, 1].map(|_| maps.render(camera).expect("a map").0);
        assert!(first == second, "boxes have moved");
        let differs = |x: u32, y: u32| first.get_pixel(x, y) != plain.get_pixel(x, y);
        for (x, y) in [(12, 14), (12, 345), (627, 345)] {
            assert!(differs(x, y), "no box at {x}, {y}");
        }
        assert!((0..360).all(|y| !differs(320, y)) && !differs(627, 14), "there is more than boxes");
    }
}
