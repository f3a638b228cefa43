//! Does the program answer horizons, sky view and sunlight as the library does, in files that other programs read?

use std::{f64::consts::TAU, path::Path, sync::Arc};

use gdal::Dataset;
use rand::Rng;
use terrain::{
    geodesy::{Ellipsoid, Geodetic},
    height::{OpenOptions, Relief},
    surface::Surface,
};
use tests::{
    program,
    program::{Run, run},
    random::rng,
    reference_data::data_file,
};

const PLACE: &str = "36.3301,-84.1838";

fn orogen(words: &[&str]) -> Run {
    run(program!(), words)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn json(words: &[&str]) -> serde_json::Value {
    let answer = orogen(&[words, &["--json"]].concat()).expect_code(0);
    assert_eq!(answer.stderr, "");
    serde_json::from_str(&answer.stdout).unwrap()
}

/// Law: the place that forms the horizon at an azimuth is seen, and what stands 0.01 degrees lower there is not seen farther on: a
/// ray just above the horizon is free, one just below it hits.
#[test]
fn horizons_are_where_rays_end() {
    let (folder, file) = (tempfile::tempdir().unwrap(), data_file("jacksboro.tif"));
    let plot = folder.path().join("a.svg");
    let words = ["query", "horizon", "--at", PLACE, "--directions", "24", "-o", text(&plot), text(&file)];
    let answer = json(&words);
    let points = answer.as_array().unwrap();
    assert_eq!(points.len(), 24);
    assert!(std::fs::read_to_string(&plot).unwrap().contains("Horizon of 36.33010"));
    let surface = Surface::new(Arc::new(Relief::open(&[file], &OpenOptions::default()).unwrap()));
    let ground = Geodetic::from_degrees(36.3301, -84.1838, 0.0);
    let eye = Geodetic { height_m: surface.height_m(ground.normal()) + 2.0, ..ground };
    let (east, north, up) = terrain::geodesy::east_north_up(eye.normal());
    for point in points {
        let number = |name: &str| point[name].as_f64().unwrap();
        let (azimuth, elevation) = (number("azimuth_deg").to_radians(), number("elevation_deg").to_radians());
        let hits = |off: f64| {
            let (sin, cos) = (elevation + off).sin_cos();
            let direction = (east * azimuth.sin() + north * azimuth.cos()) * cos + up * sin;
            surface.ray(eye.to_ecef(Ellipsoid::WGS84), direction, 1e6).unwrap().is_some()
        };
        assert!(hits(-5e-5) && !hits(5e-5), "{point}");
    }
}

/// Law: a raster of horizons has a band a direction, each near the exact horizon of the cell; flat cells see all of the sky, and no
/// cell more.
#[test]
fn rasters_are_georeferenced_and_right() {
    let (folder, file) = (tempfile::tempdir().unwrap(), data_file("jacksboro.tif"));
    let out = folder.path().join("horizons.tif");
    let area = ["--at", PLACE, "--radius", "1500", "--cell", "30", "--directions", "8"];
    let words = [&["query", "horizons"][..], &area, &["--eye-height", "10", "-o", text(&out), text(&file)]].concat();
    let answer = json(&words);
    assert_eq!((answer[0]["columns"].as_u64(), answer[0]["directions"].as_u64()), (Some(101), Some(8)));
    assert!(answer[0]["convergence_deg"].as_f64().unwrap() < 0.02);
    let dataset = Dataset::open(&out).unwrap();
    assert_eq!((dataset.raster_size(), dataset.raster_count()), ((101, 101), 8));
    let surface = Surface::new(Arc::new(Relief::open(std::slice::from_ref(&file), &OpenOptions::default()).unwrap()));
    let grid = analysis::Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(36.3301, -84.1838, 0.0), 1_500.0, 30.0)
        .unwrap();
    let bands: Vec<_> =
        (1..=8).map(|k| dataset.rasterband(k).unwrap().read_band_as::<f32>().unwrap().data().to_vec()).collect();
    let mut rng = rng();
    let mut off = Vec::new();
    for _ in 0..200 {
        let (column, row, k) = (rng.random_range(0..101), rng.random_range(0..101), rng.random_range(0..8));
        let place = grid.place(column, row);
        let eye = Geodetic { height_m: surface.height_m(place.normal()) + 10.0, ..place };
        let azimuth = grid.true_azimuth_rad(column, row, TAU * k as f64 / 8.0);
        let exact = analysis::Horizon::at_azimuth(&surface, eye, azimuth, 0.0).unwrap();
        off.push((f64::from(bands[k][row * 101 + column]) - exact.elevation_rad.to_degrees()).abs());
    }
    // Cells are a third of the postings: what the ground bends between them is seen from 10 m above it.
    off.sort_by(f64::total_cmp);
    assert!(off[100] < 0.05 && off[190] < 0.5, "median {} of {off:?}", off[100]);

    // A graphics device finds the same.
    let again = folder.path().join("again.tif");
    let words = [
        &["query", "horizons", "--engine", "gpu"][..],
        &area,
        &["--eye-height", "10", "-o", text(&again), text(&file)],
    ];
    let found = json(&words.concat());
    assert!(answer[0]["engine"] == "cpu" && found[0]["engine"] != "cpu", "{found}");
    assert_eq!(found[0]["highest_deg"].as_f64(), answer[0]["highest_deg"].as_f64());
    let dataset = Dataset::open(&again).unwrap();
    for (k, band) in bands.iter().enumerate() {
        let found = dataset.rasterband(k + 1).unwrap().read_band_as::<f32>().unwrap().data().to_vec();
        let most_deg = found.iter().zip(band).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(most_deg < 0.001, "{most_deg} in direction {k}");
    }

    let sky = folder.path().join("sky.tif");
    let mean = json(&[&["query", "skyview"][..], &area, &["-o", text(&sky), text(&file)]].concat())[0]["mean"].as_f64();
    assert!((0.8..1.0).contains(&mean.unwrap()), "{mean:?}");
    let factors = Dataset::open(&sky).unwrap().rasterband(1).unwrap().read_band_as::<f32>().unwrap().data().to_vec();
    assert!(factors.iter().all(|factor| (0.0..=1.0001).contains(factor)));
    let light = folder.path().join("light.tif");
    let span = ["--from", "2026-06-21T04:00Z", "--to", "2026-06-22T04:00Z", "-o", text(&light), text(&file)];
    let light = json(&[&["query", "insolation"][..], &area, &span].concat());
    let direct = light[0]["direct_kwh_m2"].as_f64().unwrap();
    assert!((5.0..9.0).contains(&direct), "{light}");
}

/// Law: a year has its days, in each the sun shines no longer than over a level horizon.
#[test]
fn a_year_of_sun() {
    let (folder, file) = (tempfile::tempdir().unwrap(), data_file("jacksboro.tif"));
    let plot = folder.path().join("sun.png");
    let answer = json(&["query", "sunlight", "--at", PLACE, "--year", "2028", "-o", text(&plot), text(&file)]);
    let days = answer.as_array().unwrap();
    assert_eq!((days.len(), days[59]["date"].as_str()), (366, Some("2028-02-29")));
    for day in days {
        let hours = |name: &str| day[name].as_f64().unwrap();
        assert!(hours("sun_hours") <= hours("level_hours") + 0.05 && hours("sun_hours") > 5.0, "{day}");
        assert!(day["sunrise"].as_str() < day["sunset"].as_str(), "{day}");
    }
    assert_eq!(image::open(&plot).unwrap().to_rgb8().dimensions(), (1920, 840));
}

/// Law: each of the lines that are told is one by `query sight`, the longest first, and their number is that which was asked for at most.
#[test]
fn longest_lines_of_sight() {
    let file = data_file("jacksboro.tif");
    let area = ["--bbox", "-84.25,36.25,-84.1,36.4", "--cell", "300", "--directions", "36", "--lines", "8"];
    let answer = json(
        &[&["query", "sightlines", "--eye-height", "5", "--separation", "1000"][..], &area, &[text(&file)]].concat(),
    );
    let lines = answer.as_array().unwrap();
    assert!(!lines.is_empty() && lines.len() <= 8, "{answer}");
    let length = |line: &serde_json::Value| line["distance_m"].as_f64().unwrap();
    assert!(lines.is_sorted_by(|a, b| length(a) >= length(b)) && length(&lines[0]) > 10_000.0, "{answer}");
    for line in lines {
        let place = |lat: &str, lon: &str| format!("{},{}", line[lat], line[lon]);
        let (eye, target) = (place("lat_deg", "lon_deg"), place("target_lat_deg", "target_lon_deg"));
        // What places are rounded to is less than a centimetre of height.
        let heights = ["--eye-height", "5.02", "--target-height", "0.02"];
        let sight = json(&[&["query", "sight", &eye, &target][..], &heights, &[text(&file)]].concat());
        assert_eq!(sight[0]["visible"], true, "{line}");
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.tif");
    let ask = |verb: &str, words: &[&str]| orogen(&[&["query", verb], words].concat());
    ask("horizon", &["--at", "91,0"]).expect_refusal(2, &["91"]);
    ask("horizon", &["--at", "1,2", "--directions", "0"]).expect_refusal(2, &["directions"]);
    ask("horizon", &["--at", "1,2", "-o", "a.gif"]).expect_refusal(2, &["a.gif", ".svg"]);
    ask("horizons", &["-o", text(&out)]).expect_refusal(2, &["--bbox"]);
    ask("horizons", &["--at", "1,2", "-o", text(&out)]).expect_refusal(2, &["--radius"]);
    ask("horizons", &["--bbox", "1,2,3", "-o", text(&out)]).expect_refusal(2, &["bbox"]);
    ask("horizons", &["--bbox", "1,2,3,1", "-o", text(&out)]).expect_refusal(2, &["southern edge"]);
    ask("skyview", &["--bbox", "1,2,3,4", "--cell", "1", "-o", text(&out)]).expect_refusal(2, &["larger cells"]);
    ask("skyview", &["--bbox", "1,2,3,4", "-o", "a.png"]).expect_refusal(2, &["a.png", ".tif"]);
    let later = ["--at", "1,2", "--radius", "1000", "--to", "2026-01-01T00:00Z", "--from", "2026-01-02T00:00Z"];
    ask("insolation", &[&later[..], &["-o", text(&out)]].concat()).expect_refusal(2, &["--from"]);
    ask("sightlines", &[]).expect_refusal(2, &["--bbox"]);
    ask("sightlines", &["--bbox", "1,2,3,1"]).expect_refusal(2, &["southern edge"]);
    ask("sightlines", &["--bbox", "1,2,3,4", text(&data_file("jacksboro.tif"))])
        .expect_refusal(1, &["outside of the data"]);
    ask("sunlight", &["--at", "1,2", "--year", "0"]).expect_refusal(2, &["year"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
}
