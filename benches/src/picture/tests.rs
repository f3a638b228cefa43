//! Does the reference show the surface, and do the figures tell a good picture from a bad one?

use std::sync::Arc;

use benches::views::cameras::Range;
use gpu::{Gpu, GpuOptions};
use terrain::height::{GlobalGrid, Registration, Relief};
use viewer::camera::Pose;
use viewer::overlays::Overlays;
use viewer::scene::SceneOptions;

use super::meter::{Meter, PictureQuality};

/// Pictures without water of a relief, from orbit, from the air and near the ground.
fn measured(pixel_error: f64, height_m: impl Fn(f64, f64) -> f64 + Sync) -> Vec<PictureQuality> {
    let relief = Relief::from_grid(GlobalGrid::from_fn(2160, 1081, Registration::Node, height_m)).expect("a relief");
    let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
    let options = SceneOptions::default().with_pixel_error(Some(pixel_error)).with_overlays(Overlays::default());
    let place = Pose { lat_deg: 31.0, lon_deg: 47.0, ..Pose::HOME };
    let cameras = vec![
        (Range::Orbit, Pose { height_m: 2e6, heading_deg: 20.0, pitch_deg: -80.0, ..place }),
        (Range::Air, Pose { height_m: 60e3, heading_deg: 100.0, pitch_deg: -30.0, ..place }),
        (Range::Ground, Pose { height_m: 6e3, heading_deg: 200.0, pitch_deg: -5.0, ..place }),
    ];
    Meter::new(gpu, options, Arc::new(relief), (96, 54)).measure(cameras, |_| {}).expect("pictures")
}

/// Law: of a planet without relief mesh, maps and samples know everything, and the picture is the reference.
#[test]
fn the_picture_of_a_plain_planet_is_the_reference() {
    for row in measured(0.5, |_, _| 700.0) {
        let [drawn, truth] = &row.pictures;
        let apart = drawn.pixels().zip(truth.pixels()).flat_map(|(a, b)| (0..3).map(|i| a[i].abs_diff(b[i])));
        // At the limb samples of a pixel differ: the drawn ones are means of what is shown, those of the reference of light.
        let far = apart.filter(|apart| *apart > 3).count();
        assert!(far < 3 * 96, "{}: {far} differ", row.range.name());
        assert!(row.ssim > 0.98, "{}: {}", row.range.name(), row.ssim);
        // Eight bits of a coordinate are a fifth of a degree.
        let (count, of_most_deg) = (row.angles_deg.len(), row.angles_deg.get(row.angles_deg.len() * 98 / 100).copied());
        let is_level = of_most_deg.is_some_and(|deg| deg < 0.5);
        assert!(count > 500 && is_level, "{}: {of_most_deg:?} of {count}", row.range.name());
    }
}

/// Law: hills are where they are in the reference; a mesh that may be 40 px off is less like it, and the figures say so.
#[test]
fn a_coarse_mesh_is_less_like_the_reference() {
    let hills = |lon: f64, lat: f64| {
        let (lon, lat) = (lon.to_radians(), lat.to_radians());
        2_500.0 + 1_500.0 * (90.0 * lon).sin() * (110.0 * lat).cos() + 800.0 * (200.0 * lon + 170.0 * lat).sin()
    };
    let (fine, coarse) = (measured(0.5, hills), measured(40.0, hills));
    for (fine, coarse) in fine.iter().zip(&coarse) {
        assert!(fine.ssim > 0.95, "{}: {}", fine.range.name(), fine.ssim);
        assert!(fine.triangles > coarse.triangles);
    }
    let ground = |rows: &[PictureQuality]| rows.iter().map(|row| row.ssim).fold(1.0, f64::min);
    assert!(ground(&coarse) < ground(&fine) - 0.01, "{} {}", ground(&coarse), ground(&fine));
}
