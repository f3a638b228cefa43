//! Does deferred shading draw what forward shading draws? The same cameras both ways, pixel by pixel.

use std::sync::Arc;

use gpu::{Gpu, GpuOptions};
use image::RgbImage;
use terrain::height::{OpenOptions, Relief};
use viewer::{
    camera::{Camera, Pose},
    headless::OffscreenRenderer,
    overlays::Overlays,
    render::{ShadingPath, SunMode},
    scene::{SceneOptions, open_relief},
};

const SIZE: (u32, u32) = (480, 300);
/// What rounding and the packing of slopes may do to a colour, of 255.
const ROUNDING: u8 = 2;
/// What nobody sees in one pixel among others.
const LITTLE: u8 = 16;

const ORBIT: Pose = Pose { lat_deg: 15.0, lon_deg: 60.0, height_m: 12_500_000.0, heading_deg: 0.0, pitch_deg: -90.0 };
const EVEREST: Pose = Pose { lat_deg: 27.7, lon_deg: 86.9, height_m: 9_500.0, heading_deg: 0.0, pitch_deg: -8.0 };
const COAST: Pose = Pose { lat_deg: 43.2, lon_deg: 6.5, height_m: 3_000.0, heading_deg: 90.0, pitch_deg: -15.0 };
const POLE: Pose = Pose { lat_deg: 82.0, lon_deg: -30.0, height_m: 2_500_000.0, heading_deg: 0.0, pitch_deg: -75.0 };
const STRAIT: Pose = Pose { lat_deg: 36.0, lon_deg: -5.5, height_m: 2_500.0, heading_deg: 270.0, pitch_deg: -4.0 };
const ALPS: Pose = Pose { lat_deg: 46.0, lon_deg: 7.5, height_m: 20_000.0, heading_deg: 180.0, pitch_deg: -15.0 };
const JORDAN: Pose = Pose { lat_deg: 30.0, lon_deg: 35.0, height_m: 800_000.0, heading_deg: 0.0, pitch_deg: -50.0 };

const CUMBERLAND: Pose =
    Pose { lat_deg: 36.3, lon_deg: -84.25, height_m: 40_000.0, heading_deg: 0.0, pitch_deg: -70.0 };
const VALLEY: Pose = Pose { lat_deg: 36.3, lon_deg: -84.2, height_m: 1_500.0, heading_deg: 60.0, pitch_deg: -12.0 };

/// The same pictures of a scene, drawn one way.
fn pictures(scene: &SceneOptions, shading: ShadingPath, cameras: &[Pose]) -> Vec<RgbImage> {
    let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
    let options = scene.clone().with_shading(Some(shading));
    let mut renderer = OffscreenRenderer::new(gpu, &options, SIZE).unwrap();
    cameras.iter().map(|pose| renderer.render(Camera::from_pose(pose)).unwrap().0).collect()
}

/// The part of the pixels of which a channel differs by more than `by`.
fn differing(a: &RgbImage, b: &RgbImage, by: u8) -> f64 {
    let off = |(a, b): (&image::Rgb<u8>, &image::Rgb<u8>)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > by);
    a.pixels().zip(b.pixels()).filter(|pair| off(*pair)).count() as f64 / f64::from(a.width() * a.height())
}

/// Draws a scene both ways. All but a `part` of the pixels are the same but for rounding, and all but a fifth of that nearly so:
/// the others lie on silhouettes, where forward shading looks at places beyond the edges of triangles, and on coasts and lines
/// that are a pixel wide.
fn agree(scene: &SceneOptions, cameras: &[Pose], part: f64) {
    let [forward, deferred] = [ShadingPath::Forward, ShadingPath::Deferred].map(|way| pictures(scene, way, cameras));
    for ((forward, deferred), pose) in forward.iter().zip(&deferred).zip(cameras) {
        let (off, far) = (differing(forward, deferred, ROUNDING), differing(forward, deferred, LITTLE));
        assert!(
            off <= part && far <= 0.2 * part,
            "{off:.5} and {far:.5} of the pixels of {pose:?}, {:?} samples",
            scene.samples
        );
    }
}

fn scene(relief: &Arc<Relief>, samples: u32) -> SceneOptions {
    SceneOptions::default().with_relief(Some(relief.clone())).with_samples(Some(samples))
}

fn globe() -> Arc<Relief> {
    Arc::new(open_relief(&[], &OpenOptions::default()).unwrap())
}

/// Law: both ways draw the same picture, from orbit to the mountains, over land, sea and ice, with one sample and with four.
#[test]
fn deferred_pictures_are_forward_pictures() {
    let relief = globe();
    for samples in [1, 4] {
        agree(&scene(&relief, samples), &[ORBIT, EVEREST, COAST, POLE], 8e-3);
    }
}

/// Law: so do they at dusk, with heights drawn five times as high, and under a picture of the Earth.
#[test]
fn deferred_looks_are_forward_looks() {
    let relief = globe();
    // An hour before the sun sets in the Strait of Gibraltar.
    let dusk = scene(&relief, 4).with_sun(SunMode::At { unix_s: 1_782_070_800.0 });
    agree(&dusk, &[STRAIT], 5e-3);
    agree(&scene(&relief, 4).with_exaggeration(5.0), &[ALPS], 6e-3);
    let pictured = scene(&relief, 4);
    let overlays = pictured.overlays;
    agree(&pictured.with_overlays(overlays.with(Overlays::IMAGERY, true)), &[JORDAN], 5e-3);
}

/// Law: so do they over data that are finer than the maps, in the air and near the ground.
#[test]
fn deferred_relief_is_forward_relief_over_fine_data() {
    let file = tests::reference_data::data_file("jacksboro.tif");
    let relief = Arc::new(open_relief(&[file], &OpenOptions::default()).unwrap());
    agree(&scene(&relief, 1), &[CUMBERLAND, VALLEY], 1e-2);
}

/// Law: lines of a pixel's width are as wide, but for two pixels in a hundred, where ground is seen edge-on and dissolves them.
#[test]
fn deferred_lines_are_forward_lines() {
    let plain = scene(&globe(), 1);
    let lines = Overlays::CONTOURS.with(Overlays::GRATICULE, true);
    let overlays = plain.overlays;
    agree(&plain.with_overlays(overlays.with(lines, true)), &[ALPS], 2e-2);
}

/// Law: so do they over ground that is steeper than its triangles are long, and at its silhouettes, against the sky and against valleys below
/// the sea.
#[test]
fn deferred_relief_is_forward_relief_where_it_is_steep() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("steep.tif");
    // Waves of 1.7 km on which the ground slopes by up to 70 degrees, and tilts as a whole.
    let height = |lon: f64, lat: f64| {
        let [x, y] = [lon - 10.0, lat - 46.0].map(|along| along * 400.0);
        500.0 + 700.0 * x.sin() * (1.4 * y).sin()
    };
    tests::raster::write(&file, (9.9, 46.1), (400, 400), 0.0005, height);
    let relief = Arc::new(open_relief(&[file], &OpenOptions::default()).unwrap());
    let pose =
        |height_m, heading_deg, pitch_deg| Pose { lat_deg: 46.0, lon_deg: 10.0, height_m, heading_deg, pitch_deg };
    let cameras = [pose(1_300.0, 30.0, -5.0), pose(2_500.0, 250.0, -25.0)];
    let dry = scene(&relief, 4).with_overlays(Overlays::SHADOWS);
    agree(&dry, &cameras, 1e-2);
    agree(&scene(&relief, 4), &cameras, 1e-2);
}
