//! Does a picture lie where it belongs? Flags of four colours on the open sea, and the Earth from space.

use std::path::Path;

use gdal::{DriverManager, raster::Buffer, spatial_ref::SpatialRef};
use image::RgbImage;
use tempfile::TempDir;
use tests::{picture::compare, program, program::run};

fn render(folder: &TempDir, words: &[&str]) -> RgbImage {
    let out = folder.path().join("a.png");
    let fixed = ["render", "--software", "--size", "160x120", "--samples", "1", "-o", out.to_str().unwrap()];
    run(program!(), &[&fixed[..], words].concat()).expect_code(0);
    image::open(&out).unwrap().to_rgb8()
}

/// 400 x 200 km round 0 N 150 W in Web Mercator: red, green, blue and, if it has alpha, nothing in the south-east.
fn flag(path: &Path, alpha: bool) {
    let (columns, rows) = (80, 40);
    let bands = if alpha { 4 } else { 3 };
    let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
    let mut dataset = driver.create_with_band_type::<u8, _>(path, columns, rows, bands).unwrap();
    dataset.set_spatial_ref(&SpatialRef::from_epsg(3857).unwrap()).unwrap();
    let middle = -150f64.to_radians() * 6_378_137.0;
    dataset.set_geo_transform(&[middle - 200_000.0, 5_000.0, 0.0, 100_000.0, 0.0, -5_000.0]).unwrap();
    for band in 1..=bands {
        let value = |i: usize| {
            let quarter = usize::from(i % columns >= columns / 2) + 2 * usize::from(i / columns >= rows / 2);
            match band {
                4 if quarter == 3 => 0,
                4 => 255,
                _ => 220 * u8::from(quarter + 1 == band),
            }
        };
        let values: Vec<u8> = (0..columns * rows).map(value).collect();
        dataset
            .rasterband(band)
            .unwrap()
            .write((0, 0), (columns, rows), &mut Buffer::new((columns, rows), values))
            .unwrap();
    }
}

/// Law: each quarter shows its colour and nothing else does; outside, and where alpha is 0, the ground is as without it.
#[test]
fn a_picture_in_another_projection_lies_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flag.tif");
    flag(&file, true);
    // 500 km up, 120 pixels are 414 km: the flag reaches 58 pixels to the sides of the middle and 29 up and down.
    let view = ["--at", "0,-150,500000", "--look", "0,-90", "--water", "off"];
    let plain = render(&folder, &view);
    let flagged = render(&folder, &[&view[..], &["--drape", file.to_str().unwrap()]].concat());
    for (x, y, strongest) in [(50, 45, 0), (110, 45, 1), (50, 75, 2)] {
        for (dx, dy) in [(0, 0), (-25, -10), (24, 10), (-25, 10), (24, -10)] {
            let pixel = flagged.get_pixel((x + dx) as u32, (y + dy) as u32).0;
            let others = (0..3).filter(|&c| c != strongest).map(|c| pixel[c]).max().unwrap();
            assert!(pixel[strongest] > others + 40, "{:?} at {x} {dx}, {y} {dy}", pixel);
        }
    }
    for (x, y) in [(10, 60), (150, 60), (80, 20), (80, 100), (110, 75), (90, 65)] {
        assert_eq!(flagged.get_pixel(x, y), plain.get_pixel(x, y), "{x} {y}");
    }
}

#[test]
fn the_earth_from_space_looks_like_it() {
    let folder = tempfile::tempdir().unwrap();
    let sahara = render(&folder, &["--at", "20,20,9000000", "--look", "0,-90", "--overlays", "imagery"]);
    let [r, _, b] = sahara.get_pixel(80, 55).0;
    assert!(r > b + 30, "desert");
    // What is switched on by name is what a file says that holds the same picture.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/bluemarble.tif");
    let draped = render(&folder, &["--at", "20,20,9000000", "--look", "0,-90", "--drape", file]);
    assert!(compare(&sahara, &draped).unwrap().mean < 0.5);
}

#[test]
fn what_is_no_picture_is_refused_in_one_line() {
    let elevation = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/jacksboro.tif");
    for (file, said) in [(elevation, "not colours of 8 bits"), ("gone.tif", "no such file")] {
        let words = ["render", "--software", "--at", "0,0,1e6", "-o", "/nonexistent/a.png", "--drape", file];
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a.png");
        let words: Vec<&str> =
            words.iter().map(|w| if w.ends_with("a.png") { out.to_str().unwrap() } else { w }).collect();
        run(program!(), &words).expect_refusal(1, &[file, said]);
    }
}
