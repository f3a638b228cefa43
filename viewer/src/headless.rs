//! Pictures without a window: a camera in, the settled picture out.

use std::time::Instant;

use bevy_ecs::world::World;
use gpu::Gpu;
use image::RgbImage;
use terrain::Report;

use crate::app::{App, Clock, StepTimes};
use crate::camera::ground::{CLEARANCE_M, Ground, above_ground};
use crate::camera::{Camera, Lens};
use crate::capture::{Captures, Picture, WorldFile};
use crate::frame::{Context, FrameContext, Viewport};
use crate::frame_time::FrameTime;
use crate::hud::MapPlugin;
use crate::overlays::{OverlayParams, Overlays};
use crate::plugin;
use crate::render::{FrameTimer, Samplings};
use crate::scene::{Scene, SceneOptions};
use crate::terrain::{Pace, Planet};

/// Colour format of pictures.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

fn ms(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Draws settled pictures of a size.
pub struct Studio {
    app: App,
}

impl Studio {
    /// Loads the scene for pictures of `size_px`.
    ///
    /// # Errors
    /// As [`Scene::load`].
    pub fn new(gpu: Gpu, options: &SceneOptions, size_px: (u32, u32)) -> anyhow::Result<Studio> {
        Studio::with_pace(gpu, options, size_px, Pace::Settled)
    }

    /// As [`new`](Self::new), with pictures that need not be settled and are drawn as those in motion.
    ///
    /// # Errors
    /// As [`Scene::load`].
    pub fn with_pace(gpu: Gpu, options: &SceneOptions, size_px: (u32, u32), pace: Pace) -> anyhow::Result<Studio> {
        let Samplings { moving, still } = Samplings::choose(&gpu, size_px, options.samples, options.shading);
        let samplings = Samplings::only(if pace == Pace::Settled { still } else { moving });
        let scene = Scene::load(&gpu, options, FORMAT, samplings)?;
        let viewport = Viewport { size_px, pixels_per_point: 1.0 };
        let mut app = scene.into_app(gpu, Camera::from_pose(&crate::camera::Pose::HOME), viewport);
        plugin::headless(&mut app, pace);
        Ok(Studio { app })
    }

    /// Pictures are maps from now on, with title, legend, scale bar, north and sources; without a title they name the place in their middle.
    pub fn with_map(mut self, title: Option<String>) -> Studio {
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
    pub fn fly(&mut self, camera: Camera, picture: &Picture) -> anyhow::Result<(FrameTime, Report)> {
        let started = Instant::now();
        let (camera, _) = self.above_ground(camera);
        self.app.world.insert_resource(camera);
        self.app.world.resource_mut::<FrameContext>().pictures.push(picture.view());
        self.app.frame(0.0)?;
        let recorded = started.elapsed();
        self.app.world.resource::<Context>().0.wait()?;
        let total = started.elapsed();
        let gpu = self.app.world.get_resource_mut::<FrameTimer>().and_then(|mut timer| timer.newest());
        let steps = *self.app.world.resource::<StepTimes>();
        let mut planet = self.app.world.resource_mut::<Planet>();
        planet.poll();
        let (stream, mesh, tiles) = (planet.stream_times(), planet.times(), planet.tiles());
        let time = FrameTime { record_ms: ms(recorded), total_ms: ms(total), steps, stream, mesh, gpu, tiles };
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
    pub fn new_picture(&self) -> anyhow::Result<Picture> {
        let gpu = &self.app.world.resource::<Context>().0;
        Ok(Picture::new(&gpu.device, self.app.world.resource::<Viewport>().size_px, FORMAT)?)
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
    /// As [`terrain::Planet::begin_again`].
    pub fn begin_again(&mut self) -> anyhow::Result<()> {
        let gpu = self.app.world.resource::<Context>().0.clone();
        Ok(self.app.world.resource_mut::<Planet>().begin_again(&gpu.device)?)
    }

    /// The settled picture from a camera, never from under the ground. The same cameras in the same order give the
    /// same pixels on one machine.
    ///
    /// # Errors
    /// What the GPU or the mesh reports.
    pub fn picture(&mut self, camera: Camera) -> anyhow::Result<(RgbImage, Report)> {
        let (camera, _) = self.above_ground(camera);
        self.app.world.insert_resource(camera);
        self.app.world.resource_mut::<Captures>().want();
        self.app.frame(0.0)?;
        let report = *self.app.world.resource::<Planet>().report();
        let image = self.app.world.resource_mut::<Captures>().take();
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

    /// Law: pictures and measured frames of a lost device are refused, in words of one line, and nothing waits.
    #[test]
    fn a_lost_device_gives_no_picture() {
        let pose = Pose { lat_deg: 20.0, lon_deg: 80.0, height_m: 90_000.0, ..Pose::HOME };
        for (mesh, pace) in [(Backend::Cpu, Pace::Settled), (Backend::Gpu, Pace::Settled), (Backend::Gpu, Pace::Frame)]
        {
            let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
            let options = SceneOptions::default()
                .with_relief(Some(hills()))
                .with_pixel_error(Some(4.0))
                .with_triangles(Some(1 << 10))
                .with_tile_bytes(Some(64 << 20))
                .with_mesh(Some(mesh))
                .with_samples(Some(1));
            let mut studio = Studio::with_pace(gpu.clone(), &options, (80, 50), pace).expect("a scene");
            let picture = studio.new_picture().expect("a picture");
            studio.picture(Camera::from_pose(&pose)).expect("a device");
            gpu.device.destroy();
            let moved = Camera::from_pose(&Pose { lat_deg: 21.0, ..pose });
            let errors = [studio.picture(moved).err(), studio.fly(moved, &picture).err(), studio.picture(moved).err()];
            for error in errors.map(|error| error.expect("the device is lost")) {
                assert!(error.chain().any(|e| matches!(e.downcast_ref(), Some(GpuError::Lost { .. }))), "{error:#}");
                assert!(!format!("{error:#}").contains('\n'), "{error:#}");
            }
        }
    }

    /// Law: a picture after a fresh beginning is that of a fresh studio, whatever was drawn before, wherever the mesh lives.
    #[test]
    fn a_picture_after_a_fresh_beginning_has_no_past() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe");
        for mesh in Backend::ALL {
            let options = SceneOptions::default()
                .with_relief(Some(hills()))
                .with_pixel_error(Some(2.0))
                .with_triangles(Some(1 << 11))
                .with_tile_bytes(Some(64 << 20))
                .with_mesh(Some(mesh))
                .with_samples(Some(1));
            let studio = || Studio::new(gpu.clone(), &options, (80, 50)).expect("a scene");
            let camera = |height_m| Camera::from_pose(&Pose { lat_deg: 20.0, lon_deg: 80.0, height_m, ..Pose::HOME });
            let mut used = studio();
            used.picture(camera(30_000.0)).expect("a picture");
            used.begin_again().expect("another mesh");
            let (again, report) = used.picture(camera(900_000.0)).expect("a picture");
            let (fresh, expected) = studio().picture(camera(900_000.0)).expect("a picture");
            assert!(again == fresh, "another picture, mesh on the {}", mesh.name());
            assert_eq!(report.triangles, expected.triangles);
        }
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
        let studio = || Studio::new(gpu.clone(), &options, size_px).expect("a scene");
        let (plain, _) = studio().picture(camera).expect("a picture");
        let mut maps = studio().with_map(Some(String::from("Hills")));
        let [first, second] = [0, 1].map(|_| maps.picture(camera).expect("a map").0);
        assert!(first == second, "boxes have moved");
        let differs = |x: u32, y: u32| first.get_pixel(x, y) != plain.get_pixel(x, y);
        for (x, y) in [(12, 14), (12, 345), (627, 345)] {
            assert!(differs(x, y), "no box at {x}, {y}");
        }
        assert!((0..360).all(|y| !differs(320, y)) && !differs(627, 14), "there is more than boxes");
    }
}
