//! Is the sea a surface at 0 m? Pictures with and without it, and with the sun on it.

use image::RgbImage;
use tempfile::TempDir;
use tests::{image_comparison::compare, program, program::run};

fn render(folder: &TempDir, words: &[&str]) -> RgbImage {
    let out = folder.path().join("a.png");
    let fixed =
        ["render", "--software", "--size", "160x120", "--samples", "1", "--overwrite", "-o", out.to_str().unwrap()];
    run(program!(), &[&fixed[..], words].concat()).expect_code(0);
    image::open(&out).unwrap().to_rgb8()
}

fn both(folder: &TempDir, words: &[&str]) -> [RgbImage; 2] {
    ["on", "off"].map(|water| render(folder, &[words, &["--water", water]].concat()))
}

/// How much of the middle of a picture is blue.
fn blue(picture: &RgbImage) -> f64 {
    let [r, g, b] = picture.get_pixel(80, 60).0.map(f64::from);
    b / (r + g + b)
}

fn bright(picture: &RgbImage, x: u32, y: u32) -> u32 {
    picture.get_pixel(x, y).0.iter().map(|&c| u32::from(c)).sum()
}

/// Law: the sun is seen in the water half-way, by angle, between the point below it and the point below the eye, as in any
/// mirror; and only in water.
#[test]
fn the_sun_glints_where_a_mirror_would_show_it() {
    let folder = tempfile::tempdir().unwrap();
    // 3000 km above the Pacific, the sun 40 degrees from the zenith in the east. On a sphere of radius 1 the mirror lies at
    // an angle x from the eye's nadir where the angles to sun and eye are the same: 40 - x = x + atan(sin x / (1 + h - cos x)).
    let [wet, dry] = both(&folder, &["--at", "0,-150,3000000", "--look", "0,-90", "--sun", "90,50"]);
    let h = 3_000_000.0 / 6_378_137.0;
    let seen = |x: f64| (x.sin()).atan2(1.0 + h - x.cos());
    let mut x = 0.0f64;
    while x + seen(x) < 40f64.to_radians() - x {
        x += 1e-4;
    }
    let column = 80.0 + 60.0 / (22.5f64.to_radians().tan()) * seen(x).tan();
    let row: Vec<u32> = (0..160).map(|x| (55..65).map(|y| bright(&wet, x, y)).sum()).collect();
    let brightest = (0..160).max_by_key(|&x| row[x]).unwrap() as f64;
    assert!((brightest - column).abs() < 8.0, "the glint is at column {brightest}, not {column}");
    let at = column as u32;
    assert!(bright(&wet, at, 60) > bright(&dry, at, 60) + 100, "no glint without water");
}

/// Law: the path of a low sun glows: it is brightest in the middle and fades to both sides all the way, without a level top.
#[test]
fn the_path_of_a_low_sun_glows() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dusk.png");
    let words =
        ["render", "--software", "--size", "160x100", "--at", "36,15,300", "--look", "300,4", "--sun", "300,3", "-o"];
    run(program!(), &[&words[..], &[out.to_str().unwrap()]].concat()).expect_code(0);
    let picture = image::open(&out).unwrap().to_rgb8();
    let green = |x: u32| f64::from(picture.get_pixel(x, 82).0[1]);
    for away in 0..14 {
        assert!(
            green(80 + away) + 2.0 >= green(81 + away) && green(79 - away) + 2.0 >= green(78 - away),
            "{away} away"
        );
    }
    let part = green(88) / green(80);
    assert!((0.6..0.88).contains(&part), "{part} of the middle's, a fifth of the path away from it");
}

#[test]
fn land_is_the_same_with_the_sea_and_without() {
    let folder = tempfile::tempdir().unwrap();
    let [wet, dry] = both(&folder, &["--at", "23,10,500000", "--look", "0,-90"]);
    assert_eq!(compare(&wet, &dry).unwrap().mean, 0.0, "the Sahara");
    // Land below 0 m that no sea reaches.
    let [wet, dry] = both(&folder, &["--at", "29.7,27.2,150000", "--look", "0,-90"]);
    assert_eq!(compare(&wet, &dry).unwrap().mean, 0.0, "Qattara");
    let [wet, dry] = both(&folder, &["--at", "43,34,150000", "--look", "0,-90"]);
    assert!(compare(&wet, &dry).unwrap().mean > 1.0, "the Black Sea");
}

/// Law: a lake is water at whatever height it lies, and ground around it is not; without water it is ground.
#[test]
fn lakes_are_water_above_the_sea_and_below_it() {
    let folder = tempfile::tempdir().unwrap();
    // The floor of the Caspian is tinted as a sea's.
    for (name, at) in
        [("Victoria", "-1.0,33.2,400000"), ("the Caspian", "42,50.7,400000"), ("Baikal", "53.3,108.0,30000")]
    {
        let [wet, dry] = both(&folder, &["--at", at, "--look", "0,-90"]);
        assert!(blue(&wet) > 0.4, "{name}: {}", blue(&wet));
        if name != "the Caspian" {
            assert!(blue(&dry) < 0.4, "{name}: {}", blue(&dry));
        }
    }
}

/// Law: a lake in a file is drawn and answered; a file that is none is told, and nothing is drawn.
#[test]
fn lakes_of_a_file_are_drawn_and_answered() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lake.geojson");
    let ring = "[[30.0,25.0],[31.0,25.0],[31.0,26.0],[30.0,26.0],[30.0,25.0]]";
    let lake = format!(
        r#"{{"type":"Feature","properties":{{"name":"Mirage","level_m":120}},"geometry":{{"type":"Polygon","coordinates":[{ring}]}}}}"#
    );
    std::fs::write(&file, lake).unwrap();
    let path = file.to_str().unwrap();
    let answered = run(program!(), &["query", "height", "--water", path, "--at", "25.5,30.5"]).expect_code(0);
    assert!(answered.stdout.contains(",lake,Mirage,120.0,"), "{}", answered.stdout);
    let view = ["--at", "25.5,30.5,60000", "--look", "0,-90", "--water"];
    let [wet, dry] = [path, "on"].map(|water| render(&folder, &[&view[..], &[water]].concat()));
    assert!(blue(&wet) > 0.4 && blue(&dry) < 0.35, "{} {}", blue(&wet), blue(&dry));

    // Land of a region alone makes sea of Qattara, far from it: that is told, and lakes alone are not.
    assert!(!answered.stderr.contains("all coasts"), "{}", answered.stderr);
    let land = folder.path().join("land.geojson");
    let features = format!(
        r#"{{"type":"Feature","properties":{{"cover":"land"}},"geometry":{{"type":"Polygon","coordinates":[{ring}]}}}}"#
    );
    std::fs::write(&land, features).unwrap();
    for verb in [vec!["height", "--at", "29.7,27.2"], vec!["horizon", "--at", "29.7,27.2", "--directions", "2"]] {
        let told =
            run(program!(), &[&["query"], &verb[..], &["--water", land.to_str().unwrap()]].concat()).expect_code(0);
        assert!(
            told.stderr.contains("its land takes the place of all coasts: outside longitudes 30.00 to 31.00"),
            "{}",
            told.stderr
        );
    }

    let out = folder.path().join("none.png");
    let words = ["render", "--software", "--at", "0,0,1e6", "--water", "onn", "-o", out.to_str().unwrap()];
    let refused = run(program!(), &words).expect_code(1);
    assert!(refused.stderr.contains("onn: no such file"), "{}", refused.stderr);
    assert!(!out.exists());
}

#[test]
fn a_low_eye_floats_and_sees_one_horizon() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("b.png");
    let words = ["render", "--software", "--size", "64x48", "--at", "0,-150,-2000", "--look", "0,0", "-o"];
    let drawn = run(program!(), &[&words[..], &[out.to_str().unwrap()]].concat()).expect_code(0);
    assert!(drawn.stderr.contains("raised by 2002 m"), "{}", drawn.stderr);
    // From 200 m the horizon is 0.45 degrees down, over a floor 5 km deep: what is below it is water at once.
    let view = ["--at", "0,-150,200", "--look", "0,-0.45", "--fov", "4", "--sun", "180,50"];
    let sea = render(&folder, &view);
    let mean = |y: u32| (0..160).map(|x| f64::from(bright(&sea, x, y))).sum::<f64>() / 160.0;
    let steps: Vec<f64> = (1..120).map(|y| mean(y) - mean(y - 1)).collect();
    let edge = (0..steps.len()).min_by(|&a, &b| steps[a].total_cmp(&steps[b])).unwrap();
    assert!((57..=62).contains(&edge), "the horizon is at row {edge}");
    let others = steps.iter().enumerate().filter(|(y, _)| y.abs_diff(edge) > 1);
    let most = others.map(|(_, step)| step.abs()).fold(0.0, f64::max);
    assert!(most < 8.0, "another edge of {most}, beside that of {}", steps[edge]);
}

/// Law: land behind the sea's horizon is hidden by the sea. Corsica is 180 km from the sea off Antibes: from 3 m none of it is seen.
#[test]
fn land_behind_the_horizon_is_not_seen_through_the_sea() {
    let folder = tempfile::tempdir().unwrap();
    let look =
        |water: &str| render(&folder, &["--at", "43.40,7.15,3", "--look", "131,0", "--fov", "20", "--water", water]);
    // Rows in which something is redder than the sea and the sky are.
    let land = |picture: &RgbImage| -> Vec<u32> {
        let is_land = |x: u32, y: u32| picture.get_pixel(x, y).0[0] > picture.get_pixel(x, y).0[2];
        (0..120).filter(|&y| (0..160).any(|x| is_land(x, y))).collect()
    };
    assert!(!land(&look("off")).is_empty(), "without water it is there");
    assert_eq!(land(&look("on")), Vec::<u32>::new());
}
