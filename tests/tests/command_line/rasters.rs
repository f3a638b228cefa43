//! What do elevation data get on the command line? Answers, and remarks where they look wrong.

use super::*;

/// Law: a query answers with the source's own value at a node, the same in CSV and JSON, from options and from stdin.
#[test]
fn queries_answer_from_the_data() {
    // The deepest node of ETOPO5 lies at 142.33 E 11.33 N.
    let csv = orogen(&["query", "height", "--at", "11.333333333,142.333333333"]).expect_code(0);
    assert_eq!(csv.stderr, "");
    let row: Vec<&str> = csv.stdout.lines().nth(1).unwrap().split(',').collect();
    assert!((row[2].parse::<f64>().unwrap() + 10_376.0).abs() < 0.01, "{}", csv.stdout);
    let json = orogen(&["query", "height", "--json", "--at", "11.333333333,142.333333333"]).expect_code(0);
    let value: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(value[0]["height_m"].as_f64().unwrap(), row[2].parse::<f64>().unwrap());

    let profile = orogen(&["query", "profile", "0,179", "0,-179", "--samples", "3"]).expect_code(0);
    let rows: Vec<Vec<f64>> = profile
        .stdout
        .lines()
        .skip(1)
        .map(|line| line.split(',').take(4).map(|x| x.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 3);
    assert!((rows[2][0] - 222_638.98).abs() < 0.1, "two degrees of the equator across 180: {rows:?}");
    assert!((rows[1][2].abs() - 180.0).abs() < 1e-6);

    let sees = |target: &str| {
        let sight = orogen(&["query", "sight", "30,-40", target, "--eye-height", "6000", "--json"]).expect_code(0);
        serde_json::from_str::<serde_json::Value>(&sight.stdout).unwrap()[0]["visible"].as_bool().unwrap()
    };
    assert!(sees("30.05,-40") && !sees("45,-40"));
    let ray = orogen(&["query", "ray", "--at", "11,142,1000", "--look", "0,-90", "--json"]).expect_code(0);
    let hit: serde_json::Value = serde_json::from_str(&ray.stdout).unwrap();
    let sum = hit[0]["distance_m"].as_f64().unwrap() + hit[0]["height_m"].as_f64().unwrap();
    assert!((sum - 1000.0).abs() < 0.05, "{hit}");
}

/// A raster of 40 x 40 bytes of one band around 36.3 N, 84.3 W: mostly 100 to 139, a tenth of them 0.
pub fn suspicious(folder: &Path, name: impl AsRef<std::ffi::OsStr>) -> PathBuf {
    let path = folder.join(Path::new(name.as_ref()));
    let mut text = String::from("ncols 40\nnrows 40\nxllcorner -84.5\nyllcorner 36.1\ncellsize 0.01\n");
    for row in 0..40 {
        let value = |column: usize| if (row * 40 + column).is_multiple_of(10) { 0 } else { 100 + column };
        text += &(0..40).map(|column| value(column).to_string()).collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
    std::fs::write(&path, text).unwrap();
    path
}

/// Law: what is remarkable about a layer is told once on stderr by every verb that reads it, and in JSON; `-q` silences it, and
/// the remedy that it names ends it.
#[test]
fn remarks_are_told_where_they_matter() {
    let folder = tempfile::tempdir().unwrap();
    let dem = suspicious(folder.path(), "dem.asc");
    let dem = dem.to_str().unwrap();
    let pack = folder.path().join("dem.pack");
    let picture = folder.path().join("a.png");
    let verbs: [&[&str]; 4] = [
        &["query", "height", "--at", "36.3,-84.3"],
        &["query", "profile", "36.2,-84.3", "36.4,-84.3", "--samples", "5"],
        &[
            "render",
            "--software",
            "--at",
            "36.3,-84.3,90000",
            "--size",
            "32x32",
            "--overwrite",
            "-o",
            picture.to_str().unwrap(),
        ],
        &["bake", "--max-level", "1", "-o", pack.to_str().unwrap()],
    ];
    for verb in verbs {
        let stderr = |more: &[&str]| orogen(&[verb, &[dem], more].concat()).expect_code(0).stderr;
        let told = |more: &[&str]| {
            let stderr = stderr(more);
            stderr.lines().filter(|line| line.starts_with("orogen: ") && line.contains("dem.asc: 10.0 %")).count()
        };
        assert_eq!(told(&[]), 1, "{verb:?}");
        assert_eq!(stderr(&["-q"]), "", "{verb:?}");
        assert_eq!(told(&["--nodata", "0", "--overwrite"][..if verb[0] == "bake" { 3 } else { 2 }]), 0, "{verb:?}");
    }
    let json = |words: &[&str]| -> serde_json::Value {
        let run = orogen(words).expect_code(0);
        serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {run:#?}"))
    };
    let answer = json(&["query", "height", "--json", "-q", "--at", "36.3,-84.3", dem]);
    assert!(answer[0]["remarks"][0].as_str().is_some_and(|remark| remark.contains("no data")), "{answer}");
    let answer = json(&["query", "height", "--json", "--at", "0,0", dem]);
    assert_eq!(answer[0]["remarks"], serde_json::json!([]), "of the layer that answers");
    let elsewhere = |at: &str| orogen(&["query", "height", "--at", at, dem]).expect_code(0).stderr.contains("LAT,LON");
    assert!(elsewhere("-84.3,36.3") && !elsewhere("36.3,-84.3"), "a place that is on no file");
    let estimate = json(&["bake", "--estimate", "--json", "--max-level", "1", dem]);
    assert_eq!(estimate["remarks"][0]["layer"], dem);
    // Once, whatever else it is opened for.
    let look =
        ["render", "--software", "--fit", dem, "--size", "32x32", "--overwrite", "-o", picture.to_str().unwrap(), dem];
    assert_eq!(orogen(&look).expect_code(0).stderr.matches("dem.asc: 10.0 %").count(), 1);
    for verb in [&["horizon", "--directions", "2"][..], &["sunlight", "--year", "2026"]] {
        let answer = json(&[&["query"], verb, &["--json", "-q", "--at", "36.3,-84.3", dem]].concat());
        assert!(answer[0]["remarks"][0].as_str().is_some_and(|remark| remark.contains("dem.asc: ")), "{answer}");
    }
    let info = json(&["info", "--json", dem]);
    assert_eq!(info["layers"][0]["remarks"].as_array().map(Vec::len), Some(1), "{info}");
    assert_eq!((&info["layers"][0]["range_is_bound"], &info["range_is_bound"]), (&false.into(), &false.into()));
    assert!(info["adapter"]["features"].is_array() || info["adapter"]["error"].is_string(), "{info}");
    let many = json(&["info", "--json", folder.path().to_str().unwrap()]);
    assert_eq!((&many["layers"][0]["range_is_bound"], &many["range_is_bound"]), (&true.into(), &true.into()));
    assert!(orogen(&["info", folder.path().to_str().unwrap()]).stdout.contains("m at most:"));
}

/// Law: what looks wrong in files of a folder is told in one line, when it is opened or when it is read; `-q` silences both.
#[test]
fn remarks_on_files_of_a_folder_are_told_once() {
    let folder = tempfile::tempdir().unwrap();
    suspicious(folder.path(), "a.asc");
    let at = folder.path().to_str().unwrap();
    let few = ["query", "height", "--at", "36.3,-84.3", at];
    assert_eq!(orogen(&few).expect_code(0).stderr.lines().count(), 1);
    assert_eq!(orogen(&[&few[..], &["-q"]].concat()).expect_code(0).stderr, "");
    // Of more than 64 files every second one is looked at when they are opened.
    let text = std::fs::read_to_string(folder.path().join("a.asc")).unwrap();
    std::fs::remove_file(folder.path().join("a.asc")).unwrap();
    for k in 0..66 {
        let sound = if k == 1 { text.clone() } else { text.replace(" 0 ", " 100 ").replace("\n0 ", "\n100 ") };
        let place = format!("xllcorner {}", -84.5 - f64::from(k - 1));
        std::fs::write(folder.path().join(format!("{k:02}.asc")), sound.replace("xllcorner -84.5", &place)).unwrap();
    }
    let told = orogen(&few).expect_code(0).stderr;
    assert!(told.lines().count() == 1 && told.contains("01.asc: 10.0 %"), "{told}");
    assert_eq!(orogen(&[&few[..], &["-q"]].concat()).expect_code(0).stderr, "");
}

/// Law: options stand for all layers or behind the name of one, and reach what answers.
#[test]
fn options_of_rasters_reach_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let dem = suspicious(folder.path(), "dem.asc");
    let dem = dem.to_str().unwrap();
    let height = |words: &[&str]| -> f64 {
        let run = orogen(&[&["query", "height", "-q", "--at", "36.305,-84.305"], words].concat()).expect_code(0);
        run.stdout.lines().nth(1).and_then(|line| line.split(',').nth(2)?.parse().ok()).unwrap()
    };
    let plain = height(&[dem]);
    let feet = format!("{dem},unit=ft");
    for words in [&["--unit", "ft", dem][..], &["--unit", "0.3048", dem], &[feet.as_str()], &["--unit", "m", &feet]] {
        assert!((height(words) - 0.3048 * plain).abs() < 2e-3, "{words:?}: {} {plain}", height(words));
    }
    let copy = format!("{dem},unit=ft.asc");
    std::fs::copy(dem, &copy).unwrap();
    assert_eq!(height(&[&copy]), plain, "a name that exists is a name");
    let void = format!("{dem},valid-range=5000:6000");
    assert_ne!(height(&[&void]), plain);
    assert_eq!(height(&[&void, dem]), plain, "the layer below");
    orogen(&["query", "height", "--at", "1,2", "--band", "2", dem]).expect_refusal(1, &["dem.asc", "no band 2"]);
    orogen(&["query", "height", "--at", "1,2", &format!("{dem},bnd=2")]).expect_refusal(1, &["bnd=2", "band="]);
    orogen(&["info", "--crs", "EPSG:4978", dem]).expect_refusal(1, &["dem.asc", "geocentric"]);
}
