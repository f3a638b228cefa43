//! Is exaggerated ground exaggerated everywhere alike? Mesh, picks, clearance, and the lines on it.

use std::{path::PathBuf, sync::Arc};

use gpu::{Gpu, GpuOptions};
use terrain::{Backend, geodesy::n_vector, height::Relief, surface::Surface};
use tests::{program, program::run};
use viewer::{
    camera::{Camera, Pose},
    headless::OffscreenRenderer,
    scene::SceneOptions,
};

const FACTOR: f64 = 6.0;

#[test]
fn heights_ranges_and_rays_are_multiplied() {
    let plain = Relief::open(&[] as &[PathBuf], &Default::default()).unwrap();
    let tall = Arc::new(plain.exaggerated(FACTOR));
    assert_eq!(tall.exaggeration(), FACTOR);
    assert_eq!(tall.range_m().1, FACTOR * plain.range_m().1);
    for (lat, lon) in [(28.0f64, 87.0f64), (11.35, 142.2), (46.5, 8.0), (-90.0, 0.0)] {
        let n = n_vector(lat.to_radians(), lon.to_radians());
        assert_eq!(tall.sample(n).height_m, FACTOR * plain.sample(n).height_m);
        // A ray straight down meets the ground where it is drawn.
        let eye = terrain::geodesy::Ellipsoid::WGS84.ecef(n, 200_000.0);
        let hit = Surface::new(tall.clone()).ray(eye, -n, 1e7).unwrap_or_else(|e| panic!("{lat} {lon}: {e}")).unwrap();
        assert!((hit.place.height_m - tall.sample(n).height_m).abs() < 0.01);
    }
}

/// Law: an eye over Tibet at 20 km is under ground that is drawn six times as high, and is raised above it.
#[test]
fn the_eye_stays_above_the_ground_that_is_drawn() {
    let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
    let options = SceneOptions::default().with_exaggeration(FACTOR);
    let mut renderer = OffscreenRenderer::new(gpu, &options, (64, 48)).unwrap();
    let pose = Pose { lat_deg: 33.0, lon_deg: 87.0, height_m: 20_000.0, heading_deg: 0.0, pitch_deg: -10.0 };
    let (raised, by_m) = renderer.above_ground(Camera::from_pose(&pose));
    assert!((28_000.0 - 20_000.0..36_000.0 - 20_000.0).contains(&by_m), "raised by {by_m} m");
    renderer.render(raised).unwrap();
}

/// Law: ground ten times as high, four times beyond what texels hold as they are, is drawn alike by the mesh on the CPU and the one on the
/// GPU.
#[test]
fn both_meshes_draw_the_highest_ground() {
    let pose = Pose { lat_deg: 25.0, lon_deg: 87.0, height_m: 60_000.0, heading_deg: 0.0, pitch_deg: 0.0 };
    let [on_cpu, on_gpu] = Backend::ALL.map(|mesh| {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
        let options = SceneOptions::default().with_exaggeration(10.0).with_mesh(Some(mesh));
        let mut renderer = OffscreenRenderer::new(gpu, &options, (160, 90)).unwrap();
        renderer.render(Camera::from_pose(&pose)).unwrap().0
    });
    let apart = on_cpu.pixels().zip(on_gpu.pixels()).filter(|(a, b)| (0..3).any(|c| a[c].abs_diff(b[c]) > 8)).count();
    assert!(apart * 100 < 160 * 90, "{apart} pixels are apart");
}

#[test]
fn factors_that_cannot_be_are_refused() {
    for bad in ["0", "0.4", "11", "-1", "NaN", "much"] {
        let exaggerate = format!("--exaggerate={bad}");
        run(program!(), &["render", "--at", "0,0,1e6", "-o", "a.png", &exaggerate]).expect_refusal(2, &["0.5", "10"]);
    }
}
