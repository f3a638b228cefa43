//! What does a wrong command line or a bad file get? One clear line, the right exit code, no backtrace.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tests::{
    program,
    program::{Run, bare, finish, run},
};

/// A folder with the files that go wrong.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("letter.tif"), "Dear reader, this is no raster.\n").unwrap();
        image::GrayImage::from_pixel(16, 16, image::Luma([7])).save(folder.path().join("nowhere.png")).unwrap();
        let whole = std::fs::read(tests::source::data_file("etopo5.tif")).unwrap();
        std::fs::write(folder.path().join("truncated.tif"), &whole[..whole.len() / 3]).unwrap();
        std::fs::write(folder.path().join("path.json"), "{ \"format\": \"orogen-path\", \"keys\": 3 }").unwrap();
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn orogen(words: &[&str]) -> Run {
    run(program!(), words)
}

/// The small, fast picture that most cases ask for; nothing of it may remain when it is refused.
fn render(at: &str, size: &str, out: &Path, more: &[&str]) -> Run {
    let out = out.to_str().unwrap();
    orogen(&[&["render", "--software", "--at", at, "--size", size, "-o", out], more].concat())
}

#[test]
fn usage_errors_are_one_line_and_exit_2() {
    let files = Files::new();
    let out = files.at("a.png");
    orogen(&["fyl"]).expect_refusal(2, &["fyl", "--help"]);
    orogen(&["--altitude"]).expect_refusal(2, &["--altitude"]);
    orogen(&["view"]).expect_refusal(2, &["FILES"]);
    orogen(&["render", "-o", "a.png"]).expect_refusal(2, &["--at"]);
    orogen(&["render", "--at", "1,2,3"]).expect_refusal(2, &["-o"]);
    for (at, names) in [
        ("91,0,1000", "91"),
        ("-90.5,0,1000", "-90.5"),
        ("north,0,1000", "north"),
        ("NaN,0,1000", "NaN"),
        ("1,2", "LAT,LON,ALT"),
    ] {
        render(at, "32x32", &out, &[]).expect_refusal(2, &[names]);
    }
    for size in ["0x0", "640x0", "0x480", "640", "640x480x2", "4000000000x2"] {
        render("1,2,3000000", size, &out, &[]).expect_refusal(2, &["--size", size]);
    }
    render("1,2,3000000", "-3x4", &out, &[]).expect_refusal(2, &["-3"]);
    render("1,2,3000000", "32x32", &out, &["--look", "0,-91"]).expect_refusal(2, &["-91"]);
    render("1,2,3000000", "32x32", &files.at("a.docx"), &[]).expect_refusal(2, &["a.docx"]);
    assert!(!out.exists());
}

#[test]
fn bad_files_are_one_line_that_names_them_and_exit_1() {
    let files = Files::new();
    let out = files.at("a.png");
    for (name, says) in [
        ("missing.tif", "no such file"),
        ("letter.tif", "GDAL"),
        ("nowhere.png", "georeference"),
        ("truncated.tif", "truncated"),
    ] {
        let path = files.at(name);
        let path = path.to_str().unwrap();
        orogen(&["info", path]).expect_refusal(1, &[name, says]);
        render("1,2,3000000", "32x32", &out, &[path]).expect_refusal(1, &[name, says]);
        orogen(&["view", path]).expect_refusal(1, &[name, says]);
    }
    assert!(!out.exists(), "a refused picture leaves no file");
}

#[test]
fn outputs_that_cannot_be_written_are_refused() {
    let files = Files::new();
    render("1,2,3000000", "32x32", &files.at("no/such/folder/a.png"), &[]).expect_refusal(1, &["no/such/folder"]);
    // A file where a folder would have to be cannot be written by anybody, root included.
    render("1,2,3000000", "32x32", &files.at("letter.tif/a.png"), &[]).expect_refusal(1, &["letter.tif/a.png"]);
    std::fs::create_dir(files.at("folder.png")).unwrap();
    render("1,2,3000000", "32x32", &files.at("folder.png"), &[]).expect_refusal(1, &["folder.png"]);
}

#[test]
fn bad_paths_are_refused() {
    let files = Files::new();
    let out = files.at("a.gif");
    let film = |path: &Path| orogen(&["render", "--path", path.to_str().unwrap(), "-o", out.to_str().unwrap()]);
    film(&files.at("missing.json")).expect_refusal(1, &["missing.json"]);
    film(&files.at("path.json")).expect_refusal(1, &["path.json"]);
    film(&files.at("letter.tif")).expect_refusal(1, &["letter.tif"]);
    assert!(!out.exists());
}

#[test]
fn without_a_display_it_says_what_works() {
    orogen(&[]).expect_refusal(1, &["display", "orogen render"]);
}

#[test]
fn help_is_on_stdout_and_names_every_verb() {
    let help = orogen(&["--help"]).expect_code(0);
    for verb in ["view", "render", "bench", "query", "info", "bake", "pack", "verify"] {
        assert!(help.stdout.contains(verb), "{help:#?}");
        let of_verb = orogen(&[verb, "--help"]).expect_code(0);
        assert!(of_verb.stdout.contains("Usage: orogen") && of_verb.stderr.is_empty(), "{of_verb:#?}");
    }
    assert!(help.stderr.is_empty());
    assert!(orogen(&["--version"]).expect_code(0).stdout.starts_with("orogen "));
}

#[test]
fn info_tells_the_data_to_people_and_machines() {
    let text = orogen(&["info", "--software"]).expect_code(0);
    for word in ["ETOPO5", "mean sea level", "4320 x 2161", "-10376"] {
        assert!(text.stdout.contains(word), "{word}: {text:#?}");
    }
    assert_eq!(text.stderr, "");
    let json = orogen(&["info", "--software", "--json"]).expect_code(0);
    let value: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(value["range_m"], serde_json::json!([-10376.0, 7833.0]));
    assert_eq!(value["layers"][0]["size"], serde_json::json!([4320, 2161]));
    assert_eq!(value["adapter"]["software"], serde_json::json!(true));
}

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
    let rows: Vec<Vec<f64>> =
        profile.stdout.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect();
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

#[test]
fn bad_queries_are_refused() {
    orogen(&["query"]).expect_refusal(2, &["height", "profile", "sight", "ray"]);
    orogen(&["query", "depth"]).expect_refusal(2, &["depth", "profile"]);
    orogen(&["query", "height", "--at", "95,0"]).expect_refusal(2, &["95"]);
    orogen(&["query", "profile", "1,2"]).expect_refusal(2, &["LAT,LON"]);
    orogen(&["query", "profile", "1,2", "3,4", "--samples", "1"]).expect_refusal(2, &["1"]);
    orogen(&["query", "height", "--at", "1,2", "missing.tif"]).expect_refusal(1, &["missing.tif"]);
}

#[test]
fn no_adapter_at_all_is_one_line() {
    let files = Files::new();
    let mut command = bare(program!());
    command.args(["render", "--at", "1,2,3000000", "--size", "32x32", "-o", files.at("a.png").to_str().unwrap()]);
    // A driver list that is empty, and no OpenGL either.
    command.env("VK_DRIVER_FILES", files.at("none.json")).env("VK_ICD_FILENAMES", files.at("none.json"));
    command.env("WGPU_BACKEND", "vulkan");
    finish(&mut command).expect_refusal(1, &["adapter"]);
}
