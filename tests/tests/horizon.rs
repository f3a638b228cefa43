//! Is the ground at the horizon as hazy as what is around it? Triangles are seen edge-on there, and cover samples of pixels whose
//! middles they do not reach.

use tests::{program, program::run};

/// Low over the ridges of Tennessee, looking at the horizon.
const PATH: &str = r#"{ "format": "orogen-path", "version": 1, "title": "Over Jacksboro", "keys": [
 { "t_s": 0, "lat_deg": 36.05, "lon_deg": -84.40, "height_m": 4000, "heading_deg": 35, "pitch_deg": -8 },
 { "t_s": 5, "lat_deg": 36.25, "lon_deg": -84.20, "height_m": 2500, "heading_deg": 80, "pitch_deg": -4 },
 { "t_s": 10, "lat_deg": 36.40, "lon_deg": -84.05, "height_m": 6000, "heading_deg": 200, "pitch_deg": -8 } ] }"#;

/// Blue of 255 that air gives to all that is as far as the horizon.
const HAZY: u8 = 165;
/// How much less blue a pixel has that lacks air.
const LESS: u8 = 8;

/// Law: no pixel lacks the air that all eight around it have.
#[test]
fn no_ground_without_its_air() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("path.json");
    std::fs::write(&path, PATH).unwrap();
    let frames = folder.path().join("%02d.png");
    let dem = tests::reference_data::data_file("jacksboro.tif");
    let words = [
        "render",
        "--software",
        "--mesh",
        "cpu",
        "--shading",
        "forward",
        "--samples",
        "4",
        "--fps",
        "0.5",
        "--size",
        "640x360",
        "--path",
        path.to_str().unwrap(),
        "-o",
        frames.to_str().unwrap(),
        dem.to_str().unwrap(),
    ];
    run(program!(), &words).expect_code(0);
    let (mut hazy, mut bare) = (0, Vec::new());
    for frame in 0..6 {
        let picture = image::open(folder.path().join(format!("{frame:02}.png"))).unwrap().to_rgb8();
        let blue = |x: u32, y: u32| picture.get_pixel(x, y).0[2];
        for (x, y) in (1..359).flat_map(|y| (1..639).map(move |x| (x, y))) {
            let around = (y - 1..=y + 1).flat_map(|v| (x - 1..=x + 1).map(move |u| (u, v))).filter(|at| *at != (x, y));
            let least = around.map(|(u, v)| blue(u, v)).min().unwrap();
            hazy += usize::from(least > HAZY);
            if least > HAZY && least > blue(x, y) + LESS {
                bare.push((frame, x, y, blue(x, y), least));
            }
        }
    }
    assert!(hazy > 10_000, "the pictures show no horizon: {hazy} pixels");
    assert!(bare.is_empty(), "frame, column, row, blue, least blue around: {bare:?}");
}
