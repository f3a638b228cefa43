//! Which plugins make up a flight, and how does its world go on with another device?

use bevy_ecs::world::{Mut, World};
use gpu::Gpu;

use crate::app::App;
use crate::bookmark_pictures::BookmarkPictures;
use crate::camera::path::CameraPath;
use crate::camera::{Camera, Flight, Pose};
use crate::capture::{CapturePlugin, CaptureRequests};
use crate::controller::CameraPlugin;
use crate::hud::{Hud, HudPlugin};
use crate::input::InputPlugin;
use crate::labels::LabelsPlugin;
use crate::measure::{Markers, MeasurePlugin};
use crate::render::RenderPlugin;
use crate::scene::Scene;
use crate::settings::SettingsPlugin;
use crate::skyline::SkylinePlugin;
use crate::sun_clock::SunClockPlugin;
use crate::sun_hours::SunHoursPlugin;
use crate::terrain::{Pace, Planet, TerrainPlugin};
use crate::viewshed::ViewshedPlugin;

/// A person flies, at first along a path if there is one.
pub fn interactive(app: &mut App, home: Pose, path: Option<CameraPath>) {
    app.add(InputPlugin)
        .add(CameraPlugin { home, path })
        .add(TerrainPlugin { pace: Pace::Frame })
        .add(MeasurePlugin)
        .add(SunClockPlugin)
        .add(RenderPlugin)
        .add(ViewshedPlugin)
        .add(SunHoursPlugin)
        .add(SkylinePlugin)
        .add(LabelsPlugin)
        .add(HudPlugin)
        .add(CapturePlugin)
        .add(SettingsPlugin);
}

/// The world of an app whose device was lost goes on with a scene on another one; see [`Scene::remove_from_device`].
pub fn rebuild_on_device(world: &mut World, gpu: Gpu, scene: Scene) {
    scene.rebuild_on_device(gpu, world);
    drape_on_ground(world);
    RenderPlugin::rebuild_on_device(world);
    LabelsPlugin::rebuild_on_device(world);
    world.resource_mut::<CaptureRequests>().rebuild_on_device();
    world.resource_mut::<BookmarkPictures>().rebuild_on_device();
}

/// Puts what stands on the ground where that is drawn now: it may be another ground, or drawn otherwise.
fn drape_on_ground(world: &mut World) {
    world.resource_scope(|world, planet: Mut<Planet>| {
        let ground = planet.ground();
        let ellipsoid = ground.ellipsoid();
        if let Some(mut camera) = world.get_resource_mut::<Camera>().filter(|camera| camera.ellipsoid != ellipsoid) {
            *camera = Camera::on(ellipsoid, &camera.pose());
            // Places of the other body are none of this one.
            world.remove_resource::<Flight>();
            if let Some(mut hud) = world.get_resource_mut::<Hud>() {
                hud.found = None;
            }
        }
        if let Some(mut markers) = world.get_resource_mut::<Markers>() {
            markers.drape_on(ground);
        }
        if let Some(found) = world.get_resource_mut::<Hud>().and_then(|hud| hud.into_inner().found.as_mut()) {
            found.position_m = ground.position_m(ellipsoid.normal_at(found.position_m));
        }
    });
}

#[cfg(test)]
mod tests {
    use gpu::{Gpu, GpuError, GpuOptions};
    use image::RgbImage;
    use terrain::geodesy::Geodetic;

    use super::*;
    use crate::app::Clock;
    use crate::capture::SMALL_PX;
    use crate::frame::{Context, Viewport};
    use crate::labels::Labels;
    use crate::overlays::Overlays;
    use crate::painter::Painter;
    use crate::render::{Light, Ramp, RenderMode, RenderModes, ShadingPath, SunMode};
    use crate::scene::SceneOptions;
    use crate::terrain::hills;
    use terrain::Backend;
    use terrain::geodesy::Ellipsoid;

    const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
    const SAMPLING: RenderMode = RenderMode { samples: 1, shading: ShadingPath::Forward };
    const POSE: Pose = Pose { lat_deg: 20.0, lon_deg: 80.0, height_m: 90_000.0, ..Pose::HOME };

    fn software() -> Gpu {
        Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)")
    }

    fn load(gpu: &Gpu, options: &SceneOptions) -> Scene {
        Scene::load(gpu, options, FORMAT, RenderModes::only(SAMPLING)).expect("a scene")
    }

    /// The settled picture without the display over it.
    fn picture(app: &mut App) -> RgbImage {
        let mut frames = 0;
        while frames < 400 {
            app.world.resource_mut::<CaptureRequests>().request_without_display();
            app.frame(0.0).expect("a frame");
            let image = app.world.resource_mut::<CaptureRequests>().take().expect("a picture");
            let planet = app.world.resource::<Planet>();
            if planet.report().settled && !app.world.resource::<Labels>().are_changing() {
                return image;
            }
            // Other threads make tiles, as fast as the machine lets them: frames that wait for one are no sign of trouble.
            frames += usize::from(planet.tiles().in_flight == 0);
        }
        panic!("it did not settle: {:?}", app.world.resource::<Planet>().report());
    }

    /// Law: a small picture shows what a large one without the display shows, some frames after it was asked for, once, and frames in
    /// between are as they were.
    #[test]
    fn small_pictures_come_while_others_are_drawn() {
        let gpu = software();
        let options = SceneOptions::default()
            .with_relief(Some(hills()))
            .with_pixel_error(Some(2.0))
            .with_triangles(Some(1 << 11))
            .with_tile_bytes(Some(64 << 20));
        let viewport = Viewport { size_px: (160, 100), pixels_per_point: 1.0 };
        let mut app = load(&gpu, &options).into_app(gpu.clone(), Camera::from_pose(&POSE), viewport);
        app.world.insert_resource(Painter::new(&gpu.device, FORMAT));
        interactive(&mut app, Pose::HOME, None);
        let large = picture(&mut app);
        app.world.resource_mut::<CaptureRequests>().request_small();
        let small = (0..100).find_map(|_| {
            assert!(app.world.resource::<CaptureRequests>().is_small_coming());
            assert!(picture(&mut app) == large);
            app.world.resource_mut::<CaptureRequests>().take_small()
        });
        let small = small.expect("a small picture");
        assert!(small.dimensions() == SMALL_PX && !app.world.resource::<CaptureRequests>().is_small_coming());
        // As much of it as has the proportions of the small one.
        let middle = image::imageops::crop_imm(&large, 0, 5, 160, 90).to_image();
        let mean = |image: &RgbImage, channel: usize| {
            let sum: f64 = image.pixels().map(|pixel| f64::from(pixel.0[channel])).sum();
            sum / f64::from(image.width() * image.height())
        };
        for channel in 0..3 {
            let (one, other) = (mean(&small, channel), mean(&middle, channel));
            assert!((one - other).abs() < 3.0 && one > 5.0, "channel {channel}: {one} {other}");
        }
    }

    /// Law: while the time of day plays, pictures follow it: after some seconds the light is another, and when it is stopped the picture
    /// stays.
    #[test]
    fn the_light_follows_the_time_that_plays() {
        use crate::input::{Devices, bindings::Action};
        let gpu = software();
        let options = SceneOptions::default()
            .with_relief(Some(hills()))
            .with_pixel_error(Some(2.0))
            .with_triangles(Some(1 << 11))
            .with_tile_bytes(Some(64 << 20))
            .with_sun(SunMode::At { unix_s: 1_782_003_600.0 });
        let viewport = Viewport { size_px: (160, 100), pixels_per_point: 1.0 };
        let mut app = load(&gpu, &options).into_app(gpu.clone(), Camera::from_pose(&POSE), viewport);
        app.world.insert_resource(Painter::new(&gpu.device, FORMAT));
        interactive(&mut app, Pose::HOME, None);
        let before = picture(&mut app);
        app.world.resource_mut::<Devices>().trigger(Action::PlayTime);
        let started_s = app.world.resource::<Clock>().t_s;
        (0..120).for_each(|_| app.frame(0.1).expect("a frame"));
        app.world.resource_mut::<Devices>().trigger(Action::PlayTime);
        let later = picture(&mut app);
        let played_s = app.world.resource::<Clock>().t_s - started_s;
        let SunMode::At { unix_s } = app.world.resource::<Light>().0 else { panic!("no time") };
        assert!((unix_s - 1_782_003_600.0 - 600.0 * played_s).abs() < 1e-3, "{unix_s} after {played_s} s");
        let off = |a: &RgbImage, b: &RgbImage| a.iter().zip(b.iter()).filter(|(a, b)| a.abs_diff(**b) > 8).count();
        assert!(off(&before, &later) > 1_000, "{}", off(&before, &later));
        (0..5).for_each(|_| app.frame(0.1).expect("a frame"));
        assert_eq!(off(&later, &picture(&mut app)), 0);
    }

    /// Law: a world whose heights are drawn otherwise keeps camera and choices, draws the picture that a start with that exaggeration draws,
    /// and its markers stand on the ground that is drawn then; what they measure stays.
    #[test]
    fn heights_are_drawn_otherwise_in_flight() {
        let gpu = software();
        let options = |exaggeration| {
            SceneOptions::default()
                .with_relief(Some(hills()))
                .with_pixel_error(Some(2.0))
                .with_triangles(Some(1 << 11))
                .with_tile_bytes(Some(64 << 20))
                .with_exaggeration(exaggeration)
        };
        let begin = |options: &SceneOptions| {
            let viewport = Viewport { size_px: (160, 100), pixels_per_point: 1.0 };
            let mut app = load(&gpu, options).into_app(gpu.clone(), Camera::from_pose(&POSE), viewport);
            app.world.insert_resource(Painter::new(&gpu.device, FORMAT));
            interactive(&mut app, Pose::HOME, None);
            app
        };
        let mut app = begin(&options(1.0));
        let place = Geodetic::from_degrees(20.3, 80.2, 0.0);
        app.world.resource_scope(|world, mut markers: Mut<Markers>| {
            let planet = world.resource::<Planet>();
            let drawn = Geodetic { height_m: planet.ground().height_m(place.normal()), ..place };
            markers.drop_at(drawn, planet);
        });
        let flat = picture(&mut app);
        let marker = app.world.resource::<Markers>().markers()[0];
        for times in [3.0, 1.0] {
            let wanted = Scene::remove_from_device(&options(times), &mut app.world);
            app.world.remove_resource::<Painter>();
            rebuild_on_device(&mut app.world, gpu.clone(), load(&gpu, &wanted));
            app.world.insert_resource(Painter::new(&gpu.device, FORMAT));
            assert!(picture(&mut app) == picture(&mut begin(&options(times))), "{times}");
            let stands = app.world.resource::<Markers>().markers()[0];
            let expected_m = Ellipsoid::WGS84.ecef(place.normal(), times * marker.place.height_m);
            assert!(stands.place == marker.place && stands.position_m.distance(expected_m) < 0.1, "{stands:?}");
        }
        assert!(picture(&mut app) == flat && marker.place.height_m.abs() > 100.0, "{marker:?}");
    }

    /// Law: a lost device is an error that says so, without a panic and without a picture; on another one the world goes on
    /// with the camera, the choices and the marks of the user, and draws the same picture.
    #[test]
    fn a_world_goes_on_with_another_device() {
        for mesh in [Backend::Cpu, Backend::Gpu] {
            let options = SceneOptions::default()
                .with_relief(Some(hills()))
                .with_pixel_error(Some(2.0))
                .with_triangles(Some(1 << 11))
                .with_tile_bytes(Some(64 << 20))
                .with_mesh(Some(mesh));
            let gpu = software();
            let viewport = Viewport { size_px: (160, 100), pixels_per_point: 1.0 };
            let mut app = load(&gpu, &options).into_app(gpu.clone(), Camera::from_pose(&POSE), viewport);
            app.world.insert_resource(Painter::new(&gpu.device, FORMAT));
            interactive(&mut app, Pose::HOME, None);
            // What the user does.
            let place = Geodetic::from_degrees(20.0, 80.0, 0.0);
            app.world.resource_scope(|world, mut markers: Mut<Markers>| {
                markers.drop_at(place, world.resource::<Planet>());
            });
            let overlays = app.world.resource::<Overlays>().toggled(Overlays::CONTOURS);
            app.world.insert_resource(overlays);
            let ramp = app.world.resource::<Ramp>().next();
            app.world.insert_resource(ramp);
            app.world.resource_mut::<Planet>().set_pixel_error(3.0);
            let before = picture(&mut app);
            assert!(!app.world.resource::<Labels>().is_empty(), "no label is drawn");

            gpu.device.destroy();
            for _ in 0..3 {
                app.world.resource_mut::<CaptureRequests>().request();
                app.world.resource_mut::<CaptureRequests>().request_small();
                let error = app.frame(0.0).expect_err("the device is lost");
                assert!(error.chain().any(|e| matches!(e.downcast_ref(), Some(GpuError::Lost { .. }))), "{error:#}");
                assert!(app.world.resource_mut::<CaptureRequests>().take().is_none());
                assert!(app.world.resource::<Context>().0.lost().is_some());
            }

            let other = software();
            let wanted = Scene::remove_from_device(&options, &mut app.world);
            app.world.remove_resource::<Painter>();
            assert_eq!((wanted.pixel_error, wanted.overlays, wanted.ramp), (Some(3.0), overlays, ramp));
            rebuild_on_device(&mut app.world, other.clone(), load(&other, &wanted));
            app.world.insert_resource(Painter::new(&other.device, FORMAT));
            assert!(!app.world.resource::<CaptureRequests>().is_small_coming());
            assert!(picture(&mut app) == before, "another picture on another device, mesh on the {}", mesh.name());
            assert_eq!(app.world.resource::<Markers>().markers().len(), 1);
            assert_eq!(app.world.resource::<Planet>().target_pixel_error(), 3.0);
        }
    }
}
