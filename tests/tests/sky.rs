//! Is the sky the sky? Pictures of it at noon, at dusk and from space, with what everyone has seen as the answer.

use image::RgbImage;
use tempfile::TempDir;
use tests::{program, program::run};

fn render(folder: &TempDir, words: &[&str]) -> RgbImage {
    let out = folder.path().join("a.png");
    let fixed =
        ["render", "--software", "--size", "160x120", "--samples", "1", "--overwrite", "-o", out.to_str().unwrap()];
    run(program!(), &[&fixed[..], words].concat()).expect_code(0);
    image::open(&out).unwrap().to_rgb8()
}

/// Mean colour of a row, of 255.
fn row(picture: &RgbImage, y: u32) -> [f64; 3] {
    let sum = (0..picture.width()).fold([0.0; 3], |sum, x| {
        let pixel = picture.get_pixel(x, y).0;
        [0, 1, 2].map(|c| sum[c] + f64::from(pixel[c]))
    });
    sum.map(|s| s / f64::from(picture.width()))
}

fn sum(colour: [f64; 3]) -> f64 {
    colour.iter().sum()
}

#[test]
fn the_sky_over_the_sea_is_blue_at_noon_and_brighter_towards_the_horizon() {
    let folder = tempfile::tempdir().unwrap();
    let sky = render(&folder, &["--at", "0,-30,100", "--look", "0,20", "--sun", "180,60"]);
    let (top, low) = (row(&sky, 2), row(&sky, 100));
    assert!(top[2] > 1.4 * top[0] && top[2] > 1.1 * top[1], "{top:?}");
    assert!(sum(low) > 1.2 * sum(top), "{low:?} {top:?}");
    // No row is darker than the one above it by more than rounding: no seam, no band, down to the sea.
    for y in 1..100 {
        assert!(sum(row(&sky, y)) > sum(row(&sky, y - 1)) - 1.5, "row {y}");
    }
}

#[test]
fn a_setting_sun_is_red_and_the_night_is_dark() {
    let folder = tempfile::tempdir().unwrap();
    let view = ["--at", "0,-30,100", "--look", "270,8"];
    let dusk = render(&folder, &[&view[..], &["--sun", "270,0"]].concat());
    let horizon = row(&dusk, 78);
    assert!(horizon[0] > 1.3 * horizon[2], "{horizon:?}");
    let night = render(&folder, &[&view[..], &["--sun", "270,-30"]].concat());
    assert!(sum(row(&night, 20)) < 30.0, "{:?}", row(&night, 20));
}

#[test]
fn from_orbit_the_air_is_a_thin_blue_line_on_the_day_side() {
    let folder = tempfile::tempdir().unwrap();
    // The horizon is 19.8 degrees down from 400 km, and the middle of the picture with it; a pixel sees 0.05 degrees, 2 km.
    let view = ["--at", "0,-30,400000", "--look", "0,-19.8", "--fov", "6"];
    let day = render(&folder, &[&view[..], &["--sun", "180,50"]].concat());
    let bright = |y: u32| sum(row(&day, y));
    // 100 km of air end 44 pixels above the limb.
    assert!(bright(10) < 6.0, "space is black: {}", bright(10));
    let limb = (20..58).map(|y| row(&day, y)).max_by(|a, b| a[2].total_cmp(&b[2])).unwrap();
    assert!(limb[2] > 100.0 && limb[2] > 1.15 * limb[0], "{limb:?}");
    for y in 1..56 {
        assert!(bright(y) > bright(y - 1) - 2.0, "the air thins out upwards: row {y}");
    }
    // Not lilac: where the air is bright, green is nearer to blue than a fourth of the way up from red.
    for [r, g, b] in (0..120).map(|y| row(&day, y)).filter(|colour| sum(*colour) > 150.0) {
        assert!(g - r > 0.25 * (b - r), "{r} {g} {b}");
    }
    let night = render(&folder, &[&view[..], &["--sun", "180,-60"]].concat());
    assert!((0..58).all(|y| sum(row(&night, y)) < 6.0), "no light of the air at midnight");
}

/// Law: at night towns are lit where they are, warmer than white, and no other ground is; by day lights change nothing.
#[test]
fn towns_have_lights_at_night() {
    let folder = tempfile::tempdir().unwrap();
    // Straight down on Cairo; a pixel sees 2 km, and the middle of the left edge is desert.
    let view = ["--at", "30.05,31.25,300000", "--look", "0,-90"];
    let lit = ["--overlays", "lights"];
    let night = render(&folder, &[&view[..], &lit, &["--sun", "180,-40"]].concat());
    let mean = |left: u32| {
        let rows: Vec<[u8; 3]> = (56..64)
            .flat_map(|y| (left..left + 8).map(move |x| (x, y)))
            .map(|(x, y)| night.get_pixel(x, y).0)
            .collect();
        [0, 1, 2].map(|c| rows.iter().map(|pixel| f64::from(pixel[c])).sum::<f64>() / rows.len() as f64)
    };
    let (town, desert) = (mean(76), mean(0));
    assert!(town[0] > 150.0 && town[0] > town[1] && town[1] > town[2], "{town:?}");
    assert!(sum(desert) < 0.25 * sum(town) && desert[2] > desert[0], "{desert:?} {town:?}");
    let day = ["--sun", "180,40"];
    assert!(render(&folder, &[&view[..], &lit, &day].concat()) == render(&folder, &[&view[..], &day].concat()));
}

/// Law: by both ways to shade the moon stands where the almanac has it, as large, and its lit side towards the sun; beside a sun without a
/// time there is none.
#[test]
fn the_moon_is_where_it_stands_and_its_phase_is_the_sun_s() {
    let folder = tempfile::tempdir().unwrap();
    // On 12 November 2026, 17:00 UTC, three days after the new moon, PyEphem has it here, of a radius of 0.2465 degrees and lit by 10.7 %.
    let view = ["--at", "45,8,2000", "--look", "220.448,4.905", "--fov", "2"];
    let draw = |words: &[&str]| render(&folder, &[&view[..], words].concat());
    let lit = |picture: &RgbImage| -> Vec<[f64; 2]> {
        let bright = picture.enumerate_pixels().filter(|(.., pixel)| pixel.0[0] > 90);
        bright.map(|(x, y, _)| [f64::from(x) - 79.5, f64::from(y) - 59.5]).collect()
    };
    for shading in ["forward", "deferred"] {
        let lit = lit(&draw(&["--time", "2026-11-12T17:00:00Z", "--shading", shading]));
        let radius = 0.2465 * 60.0;
        let share = lit.len() as f64 / (std::f64::consts::PI * radius * radius);
        assert!((share - 0.107).abs() < 0.04, "{share} is lit");
        let apart = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let pairs = lit.iter().flat_map(|a| lit.iter().map(move |b| (a, b)));
        let (a, b) = pairs.max_by(|(a, b), (c, d)| apart(a, b).total_cmp(&apart(c, d))).unwrap();
        assert!((apart(a, b) - 2.0 * radius).abs() < 3.0, "{} pixels from horn to horn", apart(a, b));
        // Half-way between the horns is the middle of the disc.
        let middle = [0, 1].map(|k| 0.5 * (a[k] + b[k]));
        assert!(middle[0].hypot(middle[1]) < 0.3 * 60.0, "{middle:?}");
        let mean = [0, 1].map(|k| lit.iter().map(|at| at[k]).sum::<f64>() / lit.len() as f64 - middle[k]);
        // The sun is 34.7 degrees further right and 15.3 lower.
        let towards_sun = (mean[1] / mean[0] - 15.3 / 34.7).abs();
        assert!(mean[0] > 0.5 * radius && towards_sun < 0.2, "{mean:?}");
    }
    assert!(lit(&draw(&["--sun", "255,-10.4"])).is_empty());
}

/// Law: a star stands where the almanac has it, by both ways to shade; by day none is seen, nor without being asked for.
#[test]
fn stars_are_where_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    // Sirius in 2026: right ascension 101.573, declination -16.744. Greenwich has 100.661 at that time: Sirius is at the zenith of this place.
    let view = ["--at", "-16.744,0.912,3000", "--look", "0,89", "--fov", "8"];
    let draw = |words: &[&str]| render(&folder, &[&view[..], words].concat());
    let sum = |picture: &RgbImage, x: u32, y: u32| picture.get_pixel(x, y).0.iter().map(|c| u32::from(*c)).sum::<u32>();
    let night = ["--time", "2026-01-01T00:00:00Z"];
    let dark = draw(&night);
    for shading in ["forward", "deferred"] {
        let stars = draw(&[&night[..], &["--overlays", "stars", "--shading", shading]].concat());
        let brightest = stars.enumerate_pixels().max_by_key(|(x, y, _)| sum(&stars, *x, *y)).unwrap();
        // Looking up at 89 degrees to the north, the zenith is a degree above the middle: 15 of 120 pixels are a degree.
        let (x, y) = (f64::from(brightest.0) + 0.5, f64::from(brightest.1) + 0.5);
        assert!((x - 80.0).hypot(y - 45.0) < 2.0, "{x} {y}");
        assert!(sum(&stars, brightest.0, brightest.1) > 500 && sum(&dark, brightest.0, brightest.1) < 60);
    }
    let noon = ["--time", "2026-01-01T12:00:00Z"];
    assert_eq!(draw(&noon), draw(&[&noon[..], &["--overlays", "stars"]].concat()));
}
