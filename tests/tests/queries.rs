//! Does the program answer what is in the data? Heights against GDAL's own reading, viewsheds against lines marched by brute
//! force.

use std::{
    fmt::Write as _,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use gdal::{
    Dataset,
    spatial_ref::{AxisMappingStrategy, CoordTransform, SpatialRef},
};
use rand::Rng;
use terrain::{
    geodesy::{Ellipsoid, Geodetic},
    height::{OpenOptions, Relief},
    surface::Surface,
};
use tests::{
    program,
    program::{Run, finish, program_command, run},
    random::rng,
    reference_data::data_file,
};

fn orogen(words: &[&str]) -> Run {
    run(program!(), words)
}

/// Runs the program with a file as its stdin.
fn fed(words: &[&str], points: &Path) -> Run {
    finish(program_command(program!()).args(words).stdin(File::open(points).unwrap()))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn write(folder: &Path, name: &str, content: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

/// What `gdallocationinfo` says at places, `LON LAT` a line; `None` where it is not installed.
fn gdallocationinfo(file: &Path, places: &Path) -> Option<Vec<f64>> {
    let mut command = Command::new("gdallocationinfo");
    command.args(["-valonly", "-wgs84"]).arg(file).stdin(File::open(places).unwrap()).stderr(Stdio::null());
    let output = command.output().ok()?;
    Some(String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect())
}

/// Law: what one query prints is read by another, by the names of columns; a damaged line is told by its number.
#[test]
fn tables_of_queries_are_read_by_queries() {
    let (folder, file) = (tempfile::tempdir().unwrap(), data_file("jacksboro.tif"));
    let profile =
        orogen(&["query", "profile", "36.2,-84.3", "36.4,-84.1", "--samples", "9", text(&file)]).expect_code(0);
    let table = write(folder.path(), "profile.csv", &profile.stdout);
    let heights = fed(&["query", "height", text(&file)], &table).expect_code(0);
    let again = write(folder.path(), "heights.csv", &heights.stdout);
    assert_eq!(fed(&["query", "height", text(&file)], &again).expect_code(0).stdout, heights.stdout);
    let column = |text: &str, name: &str| -> Vec<f64> {
        let header = text.lines().next().unwrap().split(',').position(|one| one == name).unwrap();
        text.lines().skip(1).map(|line| line.split(',').nth(header).unwrap().parse().unwrap()).collect()
    };
    let [before, after] = [&profile, &heights].map(|run| column(&run.stdout, "height_m"));
    // Places of profiles are printed to 7 digits.
    assert!(before.len() == 9 && before.iter().zip(&after).all(|(a, b)| (a - b).abs() < 0.05), "{before:?} {after:?}");
    let bad = write(folder.path(), "bad.csv", "name,lat,lon\n\"a, b\",36.3,-84.2\nc,here,there\n");
    let told = fed(&["query", "height", text(&file)], &bad).expect_code(1);
    assert!(told.stdout.lines().count() == 2 && told.stderr.contains("line 3 of standard input"), "{told:#?}");
}

/// Law: a place of the Earth is none of another body, whatever query asks, and however it is written.
#[test]
fn places_of_the_earth_are_of_the_earth() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.tif");
    for place in ["Wien", "32T 380000 5090000", "32TLS8000090000", "8FVC9G8F+6X"] {
        for words in [
            &["query", "height", "--at", place][..],
            &["query", "profile", place, "1,2"],
            &["query", "sight", "1,2", place],
            &["query", "horizon", "--at", place],
            &["query", "viewshed", "--at", place, "--radius", "1000", "-o", text(&out)],
            &["render", "--software", "--at", place, "-o", text(&out)],
        ] {
            let refused = orogen(&[words, &["--body", "moon"]].concat()).expect_code(1);
            assert!(refused.stderr.contains("are of the Earth"), "{words:?}: {refused:#?}");
            assert!(!out.exists());
        }
    }
    let line = write(folder.path(), "places.txt", "32T 380000 5090000\n1,2\n");
    assert!(
        fed(&["query", "height", "--body", "moon"], &line).expect_code(1).stderr.contains("line 1 of standard input")
    );
    let on_earth = fed(&["query", "height"], &line).expect_code(0).stdout;
    assert!(on_earth.lines().nth(1).unwrap().starts_with("45.95307980"), "{on_earth}");
}

/// Law: a file of rays is answered line by line as each ray alone, up, down and along the ground; what is no ray is told by its number.
#[test]
fn rays_of_a_file_are_answered_as_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = text(&data_file("jacksboro.tif")).to_owned();
    let mut rng = rng();
    let rays: Vec<(String, String)> = (0..12)
        .map(|_| {
            let (lat, lon) = (rng.random_range(36.1..36.5), rng.random_range(-84.4..-83.9));
            let (alt, heading) = (rng.random_range(900.0..4_000.0), rng.random_range(-180.0..360.0));
            (format!("{lat},{lon},{alt}"), format!("{heading},{}", rng.random_range(-60.0..20.0)))
        })
        .collect();
    let mut lines = String::from("lat,lon,alt,heading,pitch\n");
    rays.iter().for_each(|(at, look)| writeln!(lines, "{at},{look}").unwrap());
    let answered = fed(&["query", "ray", &file], &write(folder.path(), "rays.csv", &lines)).expect_code(0);
    let (first, last) = (&rays[0], &rays[rays.len() - 1]);
    let alone = |(at, look): &(String, String)| {
        orogen(&["query", "ray", "--at", at, "--look", look, &file]).expect_code(0).stdout
    };
    let rows: Vec<&str> = answered.stdout.lines().collect();
    assert_eq!(rows.len(), rays.len() + 1);
    assert_eq!(format!("{}\n{}\n", rows[0], rows[1]), alone(first));
    assert_eq!(format!("{}\n{}\n", rows[0], rows[rows.len() - 1]), alone(last));
    assert!(rows.iter().any(|row| row.starts_with("true")), "{rows:?}");
    let wrong = "27.5,86.5,9000,40,-5\n27.5,86.5\n27.5,86.5,9000,40,-95\n";
    let wrong = fed(&["query", "ray"], &write(folder.path(), "wrong.csv", wrong)).expect_code(1);
    for words in ["line 2", "LAT,LON,ALT,HEADING,PITCH", "line 3", "pitch", "2 of 3 lines"] {
        assert!(wrong.stderr.contains(words), "{wrong:#?}");
    }
    orogen(&["query", "ray", "--at", "1,2,3"]).expect_refusal(2, &["--look"]);
}

/// Law: at the nodes of a raster the height is the raster's, for thousands of places from a file, in their order; as GDAL's
/// library reads it, and as its program prints it.
#[test]
fn heights_at_nodes_are_those_that_gdal_reads() {
    let folder = tempfile::tempdir().unwrap();
    let file = data_file("jacksboro.tif");
    let dataset = Dataset::open(&file).unwrap();
    let (columns, rows) = dataset.raster_size();
    let [west, dx, _, north, _, dy] = dataset.geo_transform().unwrap();
    let values = dataset.rasterband(1).unwrap().read_band_as::<f64>().unwrap();
    let mut rng = rng();
    // Towards its edges the raster goes over to what lies below it.
    let nodes: Vec<(usize, usize)> =
        (0..5_000).map(|_| (rng.random_range(9..columns - 9), rng.random_range(9..rows - 9))).collect();
    let (mut points, mut turned) = (String::from("lat,lon\n"), String::new());
    for (column, row) in &nodes {
        let (lon, lat) = (west + dx * (*column as f64 + 0.5), north + dy * (*row as f64 + 0.5));
        writeln!(points, "{lat:.10},{lon:.10}").unwrap();
        writeln!(turned, "{lon:.10} {lat:.10}").unwrap();
    }
    let points = write(folder.path(), "points.csv", &points);
    let answered = fed(&["query", "height", text(&file)], &points).expect_code(0);
    let heights: Vec<f64> =
        answered.stdout.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect();
    assert_eq!(heights.len(), nodes.len());
    let told = gdallocationinfo(&file, &write(folder.path(), "turned.txt", &turned));
    for (k, (column, row)) in nodes.iter().enumerate() {
        let value = values.data()[row * columns + column];
        assert!((heights[k] - value).abs() < 2e-3, "{} m, {value} m in column {column}, row {row}", heights[k]);
        if let Some(told) = &told {
            assert!((heights[k] - told[k]).abs() < 2e-3, "{} m, gdallocationinfo says {} m", heights[k], told[k]);
        }
    }
    // The same as JSON, with all that an answer has to say.
    let json = fed(&["query", "height", "--json", text(&file)], &points).expect_code(0);
    let all: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert!(all.as_array().unwrap().iter().all(|answer| answer["slope_rule"] == "central"));
    let horn = fed(&["query", "height", "--horn", "--json", text(&file)], &points).expect_code(0);
    let horn: serde_json::Value = serde_json::from_str(&horn.stdout).unwrap();
    assert!(horn.as_array().unwrap().iter().all(|answer| answer["slope_rule"] == "horn"));
    assert_eq!(all.as_array().unwrap().len(), nodes.len());
    for (answer, height_m) in all.as_array().unwrap().iter().zip(&heights) {
        assert_eq!(answer["height_m"].as_f64(), Some(*height_m));
        assert!(answer["layer"].as_str().unwrap().ends_with("jacksboro.tif") && answer["datum"] == "EGM96 height");
        // 92.7 m between samples; tiles of level 9 have 76.4 m between vertices.
        assert_eq!((answer["posting_m"].as_f64(), answer["level"].as_u64()), (Some(92.7), Some(9)));
    }
}

/// Law: an answer names the datum that was asked for and that of the data, as CSV, as JSON and by `info`; a grid that PROJ lacks is named,
/// and what is no vertical datum is refused.
#[test]
fn datums_are_named() {
    let file = data_file("jacksboro.tif");
    let place = ["--at", "36.3,-84.3", text(&file)];
    let asked = |words: &[&str]| orogen(&[words, &place].concat());
    let csv = asked(&["query", "height", "--vdatum", "ellipsoid"]).expect_code(0).stdout;
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let (names, values) = (lines.next().unwrap(), lines.next().unwrap());
    let column = |name: &str| values[names.iter().position(|n| *n == name).unwrap()];
    assert_eq!([column("datum"), column("source_datum")], ["ellipsoid", "EGM96 height"]);
    let height = |words: &[&str]| -> (serde_json::Value, f64) {
        let all: serde_json::Value = serde_json::from_str(&asked(words).expect_code(0).stdout).unwrap();
        (all[0].clone(), all[0]["height_m"].as_f64().unwrap())
    };
    let (above, high_m) = height(&["query", "height", "--json", "--vdatum", "ellipsoid"]);
    let (_, low_m) = height(&["query", "height", "--json", "--vdatum", "EPSG:5773"]);
    assert_eq!([&above["datum"], &above["source_datum"]], ["ellipsoid", "EGM96 height"]);
    // In Tennessee the geoid is 30 m below the ellipsoid.
    assert!((low_m - high_m - 30.0).abs() < 4.0, "{low_m} {high_m}");
    let info = orogen(&["info", "--json", "--vdatum", "ellipsoid", text(&file)]).expect_code(0);
    let info: serde_json::Value = serde_json::from_str(&info.stdout).unwrap();
    let of = |k: usize| [info["layers"][k]["datum"].clone(), info["layers"][k]["source_datum"].clone()];
    assert_eq!([of(0), of(1)], [["ellipsoid", "EGM96 height"], ["ellipsoid", "mean sea level"]]);
    // What is said of the file alone.
    let said = format!("{},vdatum=ellipsoid", text(&file));
    let info = orogen(&["info", "--json", &said]).expect_code(0).stdout;
    assert_eq!(serde_json::from_str::<serde_json::Value>(&info).unwrap()["layers"][0]["datum"], "ellipsoid");
    // Only where the grid is not installed.
    let missing = asked(&["query", "height", "--vdatum", "egm2008"]);
    if missing.code != Some(0) {
        missing.expect_refusal(
            1,
            &["jacksboro.tif", "EGM96 height", "EGM2008 height", "us_nga_egm08_25.tif", "PROJ_DATA"],
        );
    }
    asked(&["query", "height", "--vdatum", "EPSG:4326"]).expect_refusal(1, &["EPSG:4326", "WGS 84"]);
    asked(&["query", "height", "--vdatum", "sea"]).expect_refusal(2, &["expected ellipsoid, egm96"]);
}

/// Law: lines that are no place are told by their number, all others answered in their order; the program then ends with 1.
#[test]
fn bad_lines_are_told_by_number() {
    let folder = tempfile::tempdir().unwrap();
    let points = write(folder.path(), "a.csv", "lat,lon\n10,20\nnowhere\n# a remark\n\n-33.9S,151\n-10,-20\n91,0\n");
    let answered = fed(&["query", "height"], &points).expect_code(1);
    let places: Vec<&str> = answered.stdout.lines().map(|line| line.get(..8).unwrap_or(line)).collect();
    assert_eq!(places, ["lat_deg,", "10.0,20.", "-10.0,-2"]);
    let told: Vec<&str> = answered.stderr.lines().collect();
    assert_eq!(told.len(), 4, "{answered:#?}");
    for (line, words) in told.iter().zip(["line 3 ", "line 6 ", "line 8 ", "3 of 5 lines"]) {
        assert!(line.starts_with("orogen: ") && line.contains(words), "{line}");
    }
    let swapped = write(folder.path(), "b.csv", "lon,lat\n20,10\n");
    let answered = fed(&["query", "height"], &swapped).expect_code(0);
    assert!(answered.stdout.lines().nth(1).is_some_and(|line| line.starts_with("10.0,20.0,")), "{answered:#?}");
    let nameless = write(folder.path(), "d.csv", "x,y\n20,10\n");
    let refused = fed(&["query", "height"], &nameless).expect_code(1);
    assert!(refused.stderr.contains("names columns lat and lon") && !refused.stdout.contains('1'), "{refused:#?}");
    let empty = write(folder.path(), "c.csv", "");
    assert_eq!(fed(&["query", "height", "--json"], &empty).expect_code(0).stdout, "[]\n");
}

/// Law: who exchanges latitude and longitude is told that no place lies on the file, by every verb; who does not is not.
#[test]
fn places_beside_the_file_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let (dem, out) = (data_file("jacksboro.tif"), folder.path().join("a.tif"));
    let pair = |a: &str, b: &str, right: bool| if right { format!("{a},{b}") } else { format!("{b},{a}") };
    for right in [true, false] {
        // Both are latitudes, and there is land in both.
        let [from, to] = [("36.33", "-84.18"), ("36.34", "-84.17")].map(|(lat, lon)| pair(lat, lon, right));
        let bbox = if right { "-84.19,36.33,-84.18,36.34" } else { "36.33,-84.19,36.34,-84.18" };
        let cells = ["--bbox", bbox, "--cell", "500", "--overwrite", "-o", text(&out)];
        let eye = format!("{from},2000");
        let verbs: [&[&str]; 8] = [
            &["height", "--at", &from],
            &["profile", "--samples", "3", &from, &to],
            &["sight", &from, &to],
            &["ray", "--at", &eye, "--look", "0,-80"],
            &["horizon", "--at", &from, "--directions", "2"],
            &["sunlight", "--at", &from, "--year", "2026"],
            &["viewshed", "--at", &from, "--radius", "400", "--cell", "200", "--overwrite", "-o", text(&out)],
            &[&["skyview", "--directions", "4"], &cells[..]].concat(),
        ];
        for words in verbs {
            let told = orogen(&[&["query"], words, &[text(&dem)]].concat()).expect_code(0).stderr;
            assert_eq!(told.contains("no place lies on the given files"), !right, "{words:?}: {told}");
        }
    }
}

/// Law: what would be lost is kept: a file that is read, though outputs are replaced, and one that is there, where the disk is full.
#[test]
fn outputs_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (dem, link, out) = (folder.path().join("dem.tif"), folder.path().join("link.tif"), folder.path().join("a.tif"));
    fs::copy(data_file("jacksboro.tif"), &dem).unwrap();
    std::os::unix::fs::symlink(&dem, &link).unwrap();
    let before = fs::read(&dem).unwrap();
    let virtual_of = |source: &str| {
        format!(
            "<VRTDataset rasterXSize=\"9\" rasterYSize=\"9\"><VRTRasterBand dataType=\"Float32\" band=\"1\"><SimpleSource>\
             <SourceFilename relativeToVRT=\"1\">{source}</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>"
        )
    };
    let virtual_raster = write(folder.path(), "a.vrt", &virtual_of("dem.tif"));
    let apart = folder.path().join("apart");
    fs::create_dir(&apart).unwrap();
    write(&apart, "b.vrt", &virtual_of("../dem.tif"));
    let place = ["--at", "36.33,-84.18", "--radius", "500"];
    let skyview = |(out, data): (&Path, &Path)| {
        let words = ["query", "skyview", "--cell", "100", "--directions", "4", "--overwrite", "-o"];
        orogen(&[&words[..], &[text(out)], &place[..], &[text(data)]].concat())
    };
    let inputs: [&Path; 5] = [&dem, &link, folder.path(), &virtual_raster, &apart];
    for files in [&*dem, &*link].into_iter().flat_map(|output| inputs.map(|input| (output, input))) {
        skyview(files).expect_refusal(1, &["among the files that are read"]);
    }
    let render = ["render", "--software", "--size", "48x32", "--overwrite", "-o", text(&dem), "--fit", text(&dem)];
    orogen(&[&render[..], &[text(&dem)]].concat()).expect_refusal(1, &["among the files that are read"]);
    orogen(&["bake", "--overwrite", "-o", text(&dem), text(&dem)])
        .expect_refusal(1, &["among the files that are read"]);
    // Nor is lost what else a command line names.
    let scene = write(folder.path(), "scene.json", r#"{"orogen": "scene", "version": 1, "elevation": ["dem.tif"]}"#);
    let config = write(folder.path(), "config.json", r#"{"orogen": "config", "version": 1}"#);
    let list = write(folder.path(), "observers.csv", "36.33,-84.18\n");
    let [scene, config, list] = [&scene, &config, &list].map(|file| text(file));
    let viewshed = ["query", "viewshed", "--at", "36.33,-84.18", "--radius", "500", "--observers", list, "-o", list];
    let bake = ["bake", "--max-level", "0", "-o"];
    for words in
        [&[&bake[..], &[scene, scene]].concat()[..], &[&bake[..], &[config, "--config", config]].concat(), &viewshed]
    {
        orogen(&[words, &["--overwrite", text(&dem)]].concat()).expect_refusal(1, &["among the files that are read"]);
    }
    assert!([scene, config, list].iter().all(|file| fs::read(file).unwrap().len() < 100));
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    orogen(&["bake", "--overwrite", "--max-level", "0", "-o", text(&pipe)]).expect_refusal(1, &["regular file"]);
    assert!(fs::read(&dem).unwrap() == before);

    // A limit on the size of files stands in for the end of the disk; the signal that comes with it is ignored.
    fs::write(&out, "precious").unwrap();
    let words = ["query", "skyview", "--cell", "20", "--directions", "4", "--overwrite", "-o", text(&out)];
    for kib in ["0", "8", "64"] {
        let mut limited = program_command(Path::new("bash"));
        limited.args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"", kib, text(program!())]);
        let words = [&words[..], &["--at", "36.33,-84.30", "--radius", "5000", text(&dem)]].concat();
        finish(limited.args(words)).expect_refusal(1, &["cannot write", "a.tif"]);
        assert_eq!(fs::read(&out).unwrap(), b"precious");
    }
}

/// Law: a viewshed is a raster that GDAL places where the eye is, and each of its cells is the line of sight to the ground there,
/// marched by brute force.
#[test]
fn viewsheds_are_georeferenced_and_right() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (data_file("jacksboro.tif"), folder.path().join("seen.tif"));
    let words = ["query", "viewshed", "--at", "36.3301,-84.1838", "--radius", "7000", "--eye-height", "20"];
    let more = ["--target-height", "4", "--refraction", "0.13", "--json", "-o", text(&out), text(&file)];
    let answer = orogen(&[&words[..], &more[..]].concat()).expect_code(0);
    assert_eq!(answer.stderr, "");
    let answer: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    let answer = &answer[0];

    let dataset = Dataset::open(&out).unwrap();
    let (columns, rows) = dataset.raster_size();
    let [west, dx, _, north, _, dy] = dataset.geo_transform().unwrap();
    assert_eq!((columns, rows, dx), (151, 151, -dy));
    assert!((dx - 92.66).abs() < 0.01 && dataset.rasterband(1).unwrap().no_data_value() == Some(255.0));
    let band = dataset.rasterband(1).unwrap().read_band_as::<u8>().unwrap();
    let count = |value: u8| band.data().iter().filter(|cell| **cell == value).count() as u64;
    assert_eq!(answer["seen_cells"].as_u64(), Some(count(1)));
    assert_eq!(answer["cells"].as_u64(), Some(count(0) + count(1)));
    assert!(count(1) > 500 && count(0) > 500 && count(255) > 1_000);

    let mut geographic = SpatialRef::from_epsg(4326).unwrap();
    geographic.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
    let to_degrees = CoordTransform::new(&dataset.spatial_ref().unwrap(), &geographic).unwrap();
    let surface = Surface::new(Arc::new(Relief::open(&[file], &OpenOptions::default()).unwrap()));
    let standing = |lat_deg: f64, lon_deg: f64, above_m: f64| {
        let place = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
        Geodetic { height_m: surface.height_m(place.normal()) + above_m, ..place }
    };
    let eye = standing(36.3301, -84.1838, 20.0);
    assert!((answer["eye_m"].as_f64().unwrap() - eye.height_m).abs() < 1e-3);
    let mut rng = rng();
    let (mut seen, mut hidden) = (0, 0);
    for _ in 0..400 {
        let (column, row) = (rng.random_range(0..columns), rng.random_range(0..rows));
        let (mut x, mut y) = ([west + dx * (column as f64 + 0.5)], [north + dy * (row as f64 + 0.5)]);
        let cell = band.data()[row * columns + column];
        if x[0].hypot(y[0]) > 7_000.0 {
            assert_eq!(cell, 255);
            continue;
        }
        to_degrees.transform_coords(&mut x, &mut y, &mut []).unwrap();
        let (start, end) = (eye.to_ecef(Ellipsoid::WGS84), standing(y[0], x[0], 4.0).to_ecef(Ellipsoid::WGS84));
        let distance_m = start.distance(end);
        let steps = (distance_m / 2.0).ceil() as usize;
        let clearance = |k: usize| {
            let t = k as f64 / steps as f64;
            let place = Ellipsoid::WGS84.geodetic(start.lerp(end, t));
            let bulge_m = 0.13 / (2.0 * 6_371_008.8) * t * (1.0 - t) * distance_m * distance_m;
            place.height_m + bulge_m - surface.height_m(place.normal())
        };
        let worst_m = (1..steps).map(clearance).fold(f64::INFINITY, f64::min);
        match cell {
            1 => {
                seen += 1;
                assert!(worst_m > -0.01, "seen {} m under the ground", -worst_m);
            }
            _ => {
                hidden += 1;
                assert!(worst_m < 0.1, "hidden though free by {worst_m} m");
            }
        }
    }
    assert!(seen > 30 && hidden > 30, "{seen} seen, {hidden} hidden");
}

#[test]
fn what_cannot_be_seen_or_written_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.tif");
    let shed = |at: &str, radius: &str, out: &Path, more: &[&str]| {
        orogen(&[&["query", "viewshed", "--at", at, "--radius", radius, "-o", text(out)], more].concat())
    };
    shed("1,2", "-5", &out, &[]).expect_refusal(2, &["--radius"]);
    shed("1,2", "nan", &out, &[]).expect_refusal(2, &["radius"]);
    shed("91,2", "50000", &out, &[]).expect_refusal(2, &["91"]);
    shed("1,2", "50000", &out, &["--refraction", "2"]).expect_refusal(2, &["refraction 2"]);
    shed("1,2", "1e6", &out, &["--cell", "1"]).expect_refusal(2, &["4000004000001", "larger cells"]);
    shed("1,2", "50000", &folder.path().join("a.png"), &[]).expect_refusal(2, &["a.png", ".tif"]);
    shed("1,2", "50000", &folder.path().join("none/a.tif"), &[]).expect_refusal(1, &["none/a.tif"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
}

/// Law: light that bends sees farther; a place sees itself.
#[test]
fn sight_takes_refraction() {
    let sees = |target: &str, height: &str, refraction: &str| {
        let words = ["query", "sight", "30,-40", target, "--eye-height", height, "--target-height", height, "--json"];
        let answer = orogen(&[&words[..], &["--refraction", refraction]].concat()).expect_code(0);
        let value: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
        value[0]["visible"].as_bool().unwrap()
    };
    assert!(sees("30,-40", "0", "0"));
    // From 20 km over the sea floor the horizon is half a thousand kilometres away, and there are mountains on it.
    let far = ["30,-44", "30,-46", "30,-48", "30,-50", "30,-52", "30,-54", "30,-56"];
    let farthest = |refraction: &str| far.iter().take_while(|target| sees(target, "20000", refraction)).count();
    let (straight, bent) = (farthest("0"), farthest("0.4"));
    assert!(0 < straight && straight < bent, "{straight} {bent}");
    orogen(&["query", "sight", "1,2", "3,4", "--refraction", "x"]).expect_refusal(2, &["--refraction"]);
}
