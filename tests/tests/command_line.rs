//! What does a wrong command line or a bad file get? One clear line, the right exit code, no backtrace.

#[path = "command_line/answers.rs"]
mod answers;
#[path = "command_line/defaults.rs"]
mod defaults;
#[cfg(unix)]
#[path = "command_line/interruptions.rs"]
mod interruptions;
#[path = "command_line/memory.rs"]
mod memory;
#[path = "command_line/outputs.rs"]
mod outputs;
#[path = "command_line/pictures.rs"]
mod pictures;
#[path = "command_line/rasters.rs"]
mod rasters;
#[path = "command_line/schemas.rs"]
mod schemas;

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use tests::{
    program,
    program::{Run, finish, program_command, run, without_progress},
};

/// A folder with the files that go wrong.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("letter.tif"), "Dear reader, this is no raster.\n").unwrap();
        image::GrayImage::from_pixel(16, 16, image::Luma([7])).save(folder.path().join("nowhere.png")).unwrap();
        let whole = std::fs::read(tests::reference_data::data_file("etopo5.tif")).unwrap();
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
    orogen(&["render", "--at", "1,2,3"]).expect_refusal(2, &["-o"]);
    for (at, names) in [
        ("91,0,1000", "91"),
        ("-90.5,0,1000", "-90.5"),
        ("north,0,1000", "north"),
        ("NaN,0,1000", "NaN"),
        ("-33.9S,151,1000", "33.9 S"),
        ("1,2,3,4", "1,2,3,4"),
        ("1,2,1e9", "6e7"),
        ("1,2,-6378137", "-12000"),
    ] {
        render(at, "32x32", &out, &[]).expect_refusal(2, &[names]);
    }
    for size in ["0x0", "640x0", "0x480", "640", "640x480x2", "4000000000x2"] {
        render("1,2,3000000", size, &out, &[]).expect_refusal(2, &["--size", size]);
    }
    render("1,2,3000000", "-3x4", &out, &[]).expect_refusal(2, &["-3"]);
    for [option, bad, names] in [
        ["--triangles", "0", "from 64 to 1048576"],
        ["--triangles", "63", "from 64 to 1048576"],
        ["--triangles", "2147483648", "from 64 to 1048576"],
        ["--triangles", "-5", "from 64 to 1048576"],
        ["--triangles", "many", "from 64 to 1048576"],
        ["--fov", "0", "[1, 150]"],
        ["--fov", "180", "[1, 150]"],
        ["--fov", "-1", "[1, 150]"],
        ["--fov", "NaN", "[1, 150]"],
        ["--pixel-error", "0", "[0.05, 100]"],
        ["--pixel-error", "inf", "[0.05, 100]"],
    ] {
        render("1,2,3000000", "32x32", &out, &[option, bad]).expect_refusal(2, &[option, bad, names]);
    }
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
    // A day of path: 240 frames a second would be 20 736 001 pictures.
    let key = |t_s| format!("{{ \"t_s\": {t_s}, \"lat_deg\": {}, \"lon_deg\": 7, \"height_m\": 9000 }}", t_s / 1e5);
    let long =
        format!("{{ \"format\": \"orogen-path\", \"version\": 1, \"keys\": [{}, {}] }}", key(0.0), key(86_400.0));
    std::fs::write(files.at("long.json"), long).unwrap();
    let long = files.at("long.json");
    let long = long.to_str().unwrap();
    let frames = files.at("f-%d.png");
    orogen(&["render", "--path", long, "--fps", "240", "-o", frames.to_str().unwrap()])
        .expect_refusal(2, &["20736001", "86400 s", "--fps"]);
    orogen(&["bench", "--path", long, "--fps", "240"]).expect_refusal(2, &["20736001"]);
}

/// Law: a GIF that its viewers would play at another rate is refused, and a film that fails leaves nothing behind.
#[test]
fn a_film_is_whole_or_not_there() {
    let files = Files::new();
    let out = files.at("a.gif");
    let film = |more: &[&str]| {
        let words = ["render", "--software", "--path", "everest", "--size", "16x9", "-o", out.to_str().unwrap()];
        orogen(&[&words[..], more].concat())
    };
    film(&["--fps", "60"]).expect_refusal(2, &["50", "60", "--fps"]);
    film(&[files.at("missing.tif").to_str().unwrap()]).expect_refusal(1, &["missing.tif"]);
    let left: Vec<String> =
        std::fs::read_dir(files.0.path()).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!left.iter().any(|name| name.ends_with(".gif") || name.ends_with(".part")), "{left:?}");
    film(&["--fps", "0.1"]).expect_code(0);
    assert!(image::open(&out).is_ok());
}

/// Law: a reader that goes away is no failure, whatever the verb: `orogen info | head -1` ends quietly with 0.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_failure() {
    let verbs: [&[&str]; 5] = [
        &["info", "--software"],
        &["info", "--software", "--json"],
        &["query", "profile", "1,2", "3,4"],
        &["bench", "--software", "--size", "16x9", "--fps", "0.1"],
        &["--help"],
    ];
    for words in verbs {
        // The reading end is closed before the program starts.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = program_command(program!());
        command.args(words).stdout(writer).stderr(std::process::Stdio::piped());
        let done = command.spawn().unwrap().wait_with_output().unwrap();
        assert_eq!((done.status.code(), String::from_utf8_lossy(&done.stderr).as_ref()), (Some(0), ""), "{words:?}");
    }
}

/// Law: data that cannot be written and data that cannot be read are named.
#[cfg(target_os = "linux")]
#[test]
fn full_disks_and_binary_points_are_named() {
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    for words in [&["info", "--software"][..], &["query", "height", "--at", "1,2"], &["query", "profile", "1,2", "3,4"]]
    {
        let output = program_command(program!()).args(words).stdout(full()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
        assert!(said.contains("cannot write to stdout") && said.contains("No space left"), "{said}");
    }
    let files = Files::new();
    std::fs::write(files.at("points.csv"), b"lat,lon\n1,2\n\xff\xfe\n").unwrap();
    let points = std::fs::File::open(files.at("points.csv")).unwrap();
    let answered = finish(program_command(program!()).args(["query", "height"]).stdin(points)).expect_code(1);
    assert!(
        answered.stdout.lines().count() == 2 && answered.stderr.contains("line 3 of standard input"),
        "{answered:#?}"
    );
}

#[test]
fn without_a_display_it_says_what_works() {
    orogen(&[]).expect_refusal(1, &["display", "orogen render"]);
}

#[test]
fn help_is_on_stdout_and_names_every_verb() {
    let help = orogen(&["--help"]).expect_code(0);
    for verb in ["view", "render", "bench", "query", "place", "info", "bake", "pack", "verify", "man", "completions"] {
        assert!(help.stdout.contains(verb), "{help:#?}");
        let of_verb = orogen(&[verb, "--help"]).expect_code(0);
        assert!(of_verb.stdout.contains("Usage: orogen") && of_verb.stderr.is_empty(), "{of_verb:#?}");
    }
    assert!(help.stderr.is_empty());
    let short = orogen(&["-h"]).expect_code(0).stdout;
    assert!(short.lines().count() <= 45 && short.contains("  render ") && short.contains("orogen --help"), "{short}");
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

/// Law: what drivers say of the surroundings is not the program's business: without a session, or with an empty one, stderr
/// stays empty.
#[test]
fn a_machine_without_a_session_is_no_news() {
    let orogen = || {
        let mut command = program_command(program!());
        command.env_remove("NODEVICE_SELECT").args(["info", "--software"]);
        command
    };
    assert_eq!(finish(orogen().env_remove("XDG_RUNTIME_DIR")).expect_code(0).stderr, "");
    assert_eq!(finish(orogen().env("XDG_RUNTIME_DIR", "")).expect_code(0).stderr, "");
}

/// Law: of a frame that is shaded after its triangles, triangles and shading are told apart, and add up.
#[test]
fn bench_tells_triangles_from_shading() {
    let words = ["bench", "--software", "--path", "andes", "--size", "64x48", "--fps", "1", "--json"];
    let run = orogen(&[&words[..], &["--shading", "deferred"]].concat()).expect_code(0);
    let value: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let median = |part: &str| value["gpu_ms"][part]["median"].as_f64().unwrap_or_else(|| panic!("{part}: {value}"));
    let [scene, ground, shading] = ["scene", "ground", "shading"].map(median);
    assert!(ground > 0.0 && shading > 0.0 && ground.max(shading) <= 1.01 * scene, "{value}");
    assert!(value["gpu_ms"]["sky"].is_null(), "{value}");
    assert!(value["worst"][0]["device_ms"]["shading"].is_f64(), "{value}");
}

/// Law: the parts of a frame are all told, and none is longer than the whole.
#[test]
fn bench_tells_where_the_time_goes() {
    let words = ["bench", "--software", "--path", "andes", "--size", "64x48", "--fps", "1", "--json"];
    let run = orogen(&words).expect_code(0);
    schemas::check("bench", &run.stdout);
    let value: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let median = |part: &serde_json::Value| part["median"].as_f64().unwrap_or_else(|| panic!("{value}"));
    let cpu: f64 =
        ["priorities", "topology", "vertices", "upload"].map(|phase| median(&value["mesh_ms"][phase])).iter().sum();
    assert!(cpu > 0.0 && cpu < 4.0 * median(&value["record_ms"]), "{value}");
    // Lavapipe writes timestamps, inside passes too.
    let [scene, ground, sky] = ["scene", "ground", "sky"].map(|part| median(&value["gpu_ms"][part]));
    assert!(scene > 0.0 && ground <= 1.01 * scene && sky <= 1.01 * scene, "{value}");
    assert!(median(&value["update_ms"]) > 0.0 && median(&value["draw_ms"]) > 0.0, "{value}");
    assert!(median(&value["wait_ms"]) < median(&value["frame_ms"]) && value["stalls"]["frames"].is_u64(), "{value}");
    let worst = &value["worst"][0];
    assert_eq!(worst["ms"], value["frame_ms"]["max"], "{value}");
    assert!(worst["cpu_ms"]["terrain"].is_f64() && worst["device_ms"]["ground"].is_f64(), "{value}");
    assert!(
        worst["frame"].as_u64() < value["frames"].as_u64() && value["before"]["frames"].as_u64() > Some(0),
        "{value}"
    );
    assert!(
        value["settled_frames"].as_u64() <= value["frames"].as_u64() && value["error_px"]["max"].is_f64(),
        "{value}"
    );
    let text = orogen(&words[..words.len() - 1]).expect_code(0).stdout;
    for part in
        ["mesh update", "mesh priorities ", "mesh upload", "terrain", "GPU ground", "GPU sky", "stalls", "frame "]
    {
        assert!(text.contains(part), "{text}");
    }
}

/// Law: a view straight down says where its pixels lie, with the place below the eye in the middle; another view, and a place where that
/// cannot be written, are refused before a picture is drawn.
#[test]
fn a_world_file_tells_where_the_pixels_lie() {
    let files = Files::new();
    let (out, world) = (files.at("map.png"), files.at("map.pgw"));
    render("46.5,8,20000", "64x48", &out, &["--look", "0,-90", "--world-file"]).expect_code(0);
    let text = std::fs::read_to_string(&world).unwrap();
    let numbers: Vec<f64> = text.lines().map(|line| line.parse().unwrap()).collect();
    let [a, d, b, e, c, f] = numbers[..] else { panic!("six lines: {text}") };
    let (col, row) = (31.5, 23.5);
    assert!((a * col + b * row + c - 8.0).abs() < 1e-6 && (d * col + e * row + f - 46.5).abs() < 1e-6, "{text}");
    render("46.5,8,20000", "64x48", &out, &["--look", "0,-90"]).expect_refusal(1, &["map.png", "--overwrite"]);
    std::fs::remove_file(&out).unwrap();
    render("46.5,8,20000", "64x48", &out, &["--look", "0,-90", "--world-file"]).expect_refusal(1, &["map.pgw"]);
    std::fs::remove_file(&world).unwrap();
    render("46.5,8,20000", "64x48", &out, &["--look", "0,-60", "--world-file"]).expect_refusal(2, &["--look 0,-90"]);
    render("46.5,8,9e6", "64x48", &out, &["--look", "0,-90", "--world-file"]).expect_refusal(2, &["go lower"]);
    std::fs::create_dir(&world).unwrap();
    render("46.5,8,20000", "64x48", &out, &["--look", "0,-90", "--world-file"]).expect_refusal(1, &["world file"]);
    assert!(!out.exists());
}

/// Law: a title without a map is refused; a map is written as any picture is.
#[test]
fn a_map_has_a_title() {
    let files = Files::new();
    let out = files.at("map.png");
    render("46.5,8,20000", "64x48", &out, &["--title", "The Alps"]).expect_refusal(2, &["--map"]);
    assert!(!out.exists());
    render("46.5,8,20000", "64x48", &out, &["--map", "--title", "Les Alpes\u{7}"]).expect_code(0);
    assert!(out.exists());
}

#[test]
fn manual_pages_are_printed_and_unknown_verbs_refused() {
    let page = orogen(&["man", "render"]).expect_code(0);
    assert!(page.stdout.contains(".TH orogen-render 1") && page.stderr.is_empty(), "{page:#?}");
    orogen(&["man", "rendr"]).expect_refusal(2, &["rendr", "render"]);
}

#[test]
fn bad_queries_are_refused() {
    orogen(&["query"]).expect_refusal(
        2,
        &["height", "profile", "sight", "ray", "viewshed", "horizon", "skyview", "sightlines", "sunlight"],
    );
    orogen(&["query", "depth"]).expect_refusal(2, &["depth", "profile"]);
    orogen(&["query", "height", "--at", "95,0"]).expect_refusal(2, &["95"]);
    orogen(&["query", "profile", "1,2"]).expect_refusal(2, &["LAT,LON"]);
    orogen(&["query", "profile", "1,2", "3,4", "--samples", "1"]).expect_refusal(2, &["1"]);
    orogen(&["query", "height", "--at", "1,2", "missing.tif"]).expect_refusal(1, &["missing.tif"]);
}

/// Law: a name is answered with its place, and stands wherever a query takes one; a wrong one is refused with names like it.
#[test]
fn names_stand_for_places() {
    let csv = orogen(&["place", "everst"]).expect_code(0);
    let lines: Vec<&str> = csv.stdout.lines().collect();
    assert_eq!(lines[0], "name,within,kind,rank,lat_deg,lon_deg,match");
    assert_eq!(lines[1], "Mount Everest,Nepal / China,summit,2,27.988,86.925,misspelt");
    let json = orogen(&["place", "sao", "paulo", "--json", "--limit", "1"]).expect_code(0);
    let value: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((value[0]["name"].as_str(), value.as_array().map(Vec::len)), (Some("São Paulo"), Some(1)));
    orogen(&["place", "Paris, Texas"]).expect_refusal(1, &["Paris, Texas", "Paris, France"]);
    orogen(&["place"]).expect_refusal(2, &["NAME"]);
    let height = |at: &str| orogen(&["query", "height", "--at", at]).expect_code(0).stdout;
    assert_eq!(height("Matterhorn"), height("45.976,7.658"));
    orogen(&["query", "sight", "Zermatt", "Matterhorn"]).expect_code(0);
    orogen(&["query", "height", "--at", "york"]).expect_refusal(2, &["York, United States", "York, United Kingdom"]);
    orogen(&["query", "height", "--at", "everst"]).expect_refusal(2, &["Mount Everest"]);
}

#[test]
fn no_adapter_at_all_is_one_line() {
    let files = Files::new();
    let mut command = program_command(program!());
    command.args(["render", "--at", "1,2,3000000", "--size", "32x32", "-o", files.at("a.png").to_str().unwrap()]);
    // A driver list that is empty, and no OpenGL either.
    command.env("VK_DRIVER_FILES", files.at("none.json")).env("VK_ICD_FILENAMES", files.at("none.json"));
    command.env("WGPU_BACKEND", "vulkan");
    finish(&mut command).expect_refusal(1, &["adapter"]);
}

/// Law: any bytes may be the name of a file, and no words make the program panic.
#[cfg(unix)]
#[test]
fn names_that_are_not_text() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;
    let odd = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let folder = tempfile::tempdir().unwrap();
    let dem = rasters::suspicious(folder.path(), odd(b"d\xffm.asc")).into_os_string();
    let ask: [OsString; 4] = ["query", "height", "--at", "36.3,-84.3"].map(Into::into);
    let run_with = |dem: &OsString| run(program!(), &[&ask[..], std::slice::from_ref(dem)].concat());
    assert!(run_with(&dem).expect_code(0).stdout.contains("m.asc,"));
    let in_folder = run_with(&folder.path().as_os_str().to_owned()).expect_code(0);
    assert!(in_folder.stdout.contains(&*folder.path().to_string_lossy()), "{in_folder:#?}");
    run(program!(), &[odd(b"\xffview")]).expect_refusal(2, &["--help"]);
    run(program!(), &[odd(b"view"), odd(b"\xff.tif")]).expect_refusal(1, &["no such file"]);
    run(program!(), &[odd(b"query"), odd(b"\xff")]).expect_refusal(2, &["--help"]);
}

/// Law: what cannot be written is a failure, help and version too, to a full device and to none.
#[cfg(target_os = "linux")]
#[test]
fn help_that_is_not_read_is_no_success() {
    for words in ["--help", "--version", "query height --at 1,2", "man"] {
        for stdout in ["> /dev/full", ">&-"] {
            let script = format!("'{}' {words} {stdout}", program!().display());
            finish(program_command(Path::new("sh")).args(["-c", &script]))
                .expect_refusal(1, &["cannot write to stdout"]);
        }
        let script = format!("'{}' {words} > /dev/null", program!().display());
        finish(program_command(Path::new("sh")).args(["-c", &script])).expect_code(0);
    }
}

/// Law: a message says what helps in its case.
#[test]
fn hints_fit_the_case() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let refused = |name: &str, says: &str| orogen(&["info", name]).expect_refusal(1, &[says]);
    std::fs::write(at("dem.tif.gz"), "no gzip").unwrap();
    refused(&at("dem.tif.gz"), "/vsigzip/");
    std::fs::write(at("renamed.hgt"), vec![0u8; 2 * 1201 * 1201]).unwrap();
    refused(&at("renamed.hgt"), "N46E007.hgt");
    refused("@no-such-list.txt", "list of files");
    let recursive = format!(
        "<VRTDataset rasterXSize=\"9\" rasterYSize=\"9\"><SRS>EPSG:4326</SRS><GeoTransform>1, 0.1, 0, 2, 0, -0.1</GeoTransform>\
         <VRTRasterBand dataType=\"Float32\" band=\"1\"><SimpleSource><SourceFilename>{}</SourceFilename></SimpleSource>\
         </VRTRasterBand></VRTDataset>",
        at("self.vrt")
    );
    std::fs::write(at("self.vrt"), recursive).unwrap();
    refused(&at("self.vrt"), "include itself");
    let points = "<GCPList Projection=\"EPSG:4326\"><GCP Pixel=\"0\" Line=\"0\" X=\"1\" Y=\"2\"/><GCP Pixel=\"9\" Line=\"0\" \
                  X=\"3\" Y=\"2\"/><GCP Pixel=\"0\" Line=\"9\" X=\"1\" Y=\"0\"/></GCPList>";
    let rpc = "<Metadata domain=\"RPC\"><MDI key=\"LINE_OFF\">4</MDI></Metadata>";
    for (placed_by, says) in [(points, "gdalwarp -t_srs"), (rpc, "gdalwarp -rpc"), ("", "gdal_translate -a_ullr")] {
        let text = format!(
            "<VRTDataset rasterXSize=\"9\" rasterYSize=\"9\">{placed_by}<VRTRasterBand dataType=\"Float32\" band=\"1\"/></VRTDataset>"
        );
        std::fs::write(at("placed.vrt"), text).unwrap();
        refused(&at("placed.vrt"), says);
    }
    orogen(&["query", "height", "--at", "10,95,100"])
        .expect_refusal(2, &["height of 100 m", "orogen query height --help"]);
    for place in ["1e-5,-150", "1e-09,-150"] {
        let run = orogen(&["query", "height", "--at", place]).expect_code(0);
        let printed = run.stdout.lines().nth(1).unwrap().split(',').take(2).collect::<Vec<_>>().join(",");
        let again = orogen(&["query", "height", "--at", &printed]).expect_code(0);
        assert_eq!(again.stdout, run.stdout, "{place}");
    }
}
