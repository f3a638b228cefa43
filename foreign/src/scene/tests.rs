//! Is what a scene says read as it stands there, written as it is read, and refused in words?

use super::*;

fn read(text: &str) -> Result<Scene, String> {
    Scene::from_json(text.as_bytes(), &|_| false)
}

fn with(members: &str) -> Result<Scene, String> {
    read(&format!("{{\"orogen\": \"scene\", \"version\": 1, {members}}}"))
}

/// A scene that says all there is to say.
fn full() -> Scene {
    let raster = RasterOptions {
        band: Some(2),
        nodata: Some(-9999.0),
        crs: Some(String::from("EPSG:4326+5773")),
        unit_m: Some(0.3048),
        feather: Some(4),
        valid_range_m: Some((-500.0, 9000.5)),
        vdatum: Some(VerticalDatum::NAVD88),
    };
    let mut lines = VectorOptions { label: Some(String::from("ele")), ..VectorOptions::default() };
    lines.style.color = Some([213, 94, 0, 255]);
    lines.style.fill = Some([1, 2, 3, 4]);
    lines.style.width_px = Some(2.5);
    lines.hidden = true;
    Scene {
        elevation: vec![
            SceneFile { name: String::from("a,band=3.tif"), options: raster },
            SceneFile { name: String::from("ü \"b\"\n.tif"), options: RasterOptions::default() },
        ],
        vdatum: Some(VerticalDatum::Ellipsoid),
        body: Some(String::from("3396190,3376200")),
        imagery: vec![
            SceneFile {
                name: String::from("p.tif"),
                options: PictureOptions { opacity: 0.25, colours: [1.5, 0.5, 0.0], hidden: true },
            },
            SceneFile { name: String::from("q.tif"), options: PictureOptions::default() },
        ],
        vectors: vec![
            SceneFile { name: String::from("t.gpx"), options: lines },
            SceneFile { name: String::from("u.gpx"), options: VectorOptions::default() },
        ],
        water: Some(WaterSetting::File(String::from("lakes.gpkg"))),
        ramp: Some(String::from("viridis")),
        exaggeration: Some(1.5),
        overlays: Some(vec![String::from("names"), String::from("contours")]),
        shadows: Some(false),
        detail: Some(String::from("off")),
        sun: Some(SunSetting::At { unix_s: 1_782_043_200.0 }),
        fov_deg: Some(60.0),
        view: Some(Pose { lat_deg: -45.9, lon_deg: 7.123_456_789_012, ..Pose::HOME }),
    }
}

/// Law: what is written is read, whatever is said and whatever not.
#[test]
fn what_is_written_is_read() {
    let follow = SunSetting::Follow { azimuth_deg: -10.5, elevation_deg: 42.0 };
    let none_said = SceneFile { name: String::from("n.tif"), options: RasterOptions::default() };
    let odd = RasterOptions { nodata: Some(f64::NEG_INFINITY), ..RasterOptions::default() };
    for scene in [
        Scene::default(),
        full(),
        Scene { sun: Some(follow), water: Some(WaterSetting::Off), ..full() },
        Scene { elevation: vec![none_said.clone()], overlays: Some(Vec::new()), ..Scene::default() },
        Scene { elevation: vec![SceneFile { options: odd, ..none_said }], ..Scene::default() },
    ] {
        let json = scene.to_json();
        assert!(is_scene(json.as_bytes()));
        assert_eq!(read(&json).as_ref(), Ok(&scene), "{json}");
    }
    let far = Scene { sun: Some(SunSetting::At { unix_s: 1e10 }), ..Scene::default() };
    assert_eq!(read(&far.to_json()), Ok(Scene::default()));
}

/// Law: a file that is a text is read like a word of the command line, with all options that stand behind it there.
#[test]
fn texts_are_words_of_the_command_line() {
    let scene = with(
        r#""elevation": ["dem.tif,band=2,unit=ft"], "imagery": ["p.tif,opacity=0.5"], "vectors": ["t.gpx,width=3"]"#,
    )
    .expect("a scene");
    assert_eq!((scene.elevation[0].name.as_str(), scene.elevation[0].options.band), ("dem.tif", Some(2)));
    assert_eq!((scene.imagery[0].name.as_str(), scene.imagery[0].options.opacity), ("p.tif", 0.5));
    assert_eq!((scene.vectors[0].name.as_str(), scene.vectors[0].options.style.width_px), ("t.gpx", Some(3.0)));
    let there = Scene::from_json(br#"{"orogen":"scene","version":1,"elevation":["a,band=2"]}"#, &|_| true);
    assert_eq!(there.expect("a scene").elevation[0].name, "a,band=2");
}

/// Law: what is no scene of this version is refused with where it is wrong, what is expected, and the name that may be meant.
#[test]
fn refusals_tell_what_is_wrong() {
    for (members, told) in [
        (r#""elevatoin": []"#, "\"elevatoin\" is unknown: did you mean elevation?"),
        (
            r#""elevation": [{"file": "a"}, {"file": "a.tif", "bnad": 1}]"#,
            "elevation: 2: \"bnad\" is unknown: did you mean band?",
        ),
        (r#""elevation": [{"file": "a.tif", "valid_range": [0, 1]}]"#, "did you mean valid-range?"),
        (r#""elevation": [{"band": 1}]"#, "elevation: 1: expected a file"),
        (r#""elevation": [{"file": "a.tif", "band": 0}]"#, "elevation: 1: band: expected a whole number"),
        (r#""elevation": [{"file": "a.tif", "band": true}]"#, "band: expected a whole number"),
        (r#""elevation": [{"file": "a.tif", "band": null}]"#, "band: expected a text, a number, true or false"),
        (r#""imagery": [{"file": "a.tif", "contrast": 5}]"#, "a factor 5 is not in [0, 4]"),
        (r#""imagery": [{"file": "a.tif", "hidden": "maybe"}]"#, "is none of true, false"),
        (r#""elevation": "a.tif""#, "elevation: expected a list"),
        (r#""elevation": [""]"#, "expected the name of a file"),
        (r#""imagery": [{"file": "a.tif", "opacity": 2}]"#, "opacity 2 is not in [0, 1]"),
        (r#""vectors": [{"file": "a", "colour": "red"}]"#, "did you mean color?"),
        (r#""water": 3"#, "water: expected true, false or a file"),
        (r#""exaggeration": 100"#, "exaggeration 100 is not in"),
        (r#""shadows": "on""#, "shadows: expected true or false"),
        (r#""time": "noon""#, "time: \"noon\" is not a time"),
        (r#""sun": {"azimuth_deg": 3}"#, "sun: elevation_deg is missing"),
        (r#""sun": {"azimuth_deg": 3, "elevation_deg": 4}, "time": "2026-06-21T12:00:00Z""#, "leave one of them out"),
        (r#""view": {"lat_deg": 95, "lon_deg": 0, "height_m": 1}"#, "view: lat_deg 95 is not in"),
        (r#""view": {"lat": 95}"#, "view: \"lat\" is unknown"),
        (r#""view": {"lat_deg": 9}"#, "view: missing field `lon_deg`"),
        (r#""\u001b[2J": 1"#, "\"\\u{1b}[2J\" is unknown; there are orogen"),
    ] {
        let said = with(members).expect_err(members);
        assert!(said.contains(told) && !said.contains(char::is_control), "{members}: {said}");
    }
    for (text, told) in [
        ("[]", "expected an object"),
        ("{\"orogen\": \"scene\"}", "\"version\": 1"),
        ("{\"orogen\": \"path\", \"version\": 1}", "\"orogen\": \"scene\""),
        ("{\"orogen\": \"scene\", \"version\": 2}", "version 2, this program reads version 1"),
        ("{\"orogen\": \"scene\",", "line 1"),
    ] {
        assert!(read(text).is_err_and(|said| said.contains(told)), "{text}");
    }
}

/// Law: GeoJSON, other JSON and binary files are no scenes, whatever they hold inside.
#[test]
fn other_files_are_no_scenes() {
    for bytes in [
        &b"II*\0"[..],
        b"",
        b"{",
        br#"{"type": "FeatureCollection", "features": []}"#,
        br#"{"type": "Feature", "properties": {"orogen": "scene"}"#,
        br#"["orogen"]"#,
    ] {
        assert!(!is_scene(bytes), "{bytes:?}");
    }
    assert!(is_scene("\u{feff}{\"orogen\": 1}".as_bytes()));
}

/// Law: every key of the schema is one that is read, and the other way round; its examples are scenes.
#[test]
fn the_schema_says_what_is_read() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scene.schema.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(&path).expect("the schema")).expect("JSON");
    let keys = |of: &Value| {
        assert_eq!(of["additionalProperties"], false);
        let mut keys: Vec<String> = of["properties"].as_object().expect("members").keys().cloned().collect();
        keys.sort();
        keys
    };
    let sorted = |known: &[&str]| {
        let mut known: Vec<String> = known.iter().map(|key| (*key).to_owned()).collect();
        known.sort();
        known
    };
    let file = |options: &[&str]| sorted(&[&[FILE], options].concat());
    assert_eq!(keys(&schema), sorted(&MEMBERS));
    assert_eq!(keys(&schema["$defs"]["elevation"]), file(&RasterOptions::KEYS));
    assert_eq!(keys(&schema["$defs"]["picture"]), file(&PictureOptions::KEYS));
    assert_eq!(keys(&schema["$defs"]["vector"]), file(&VectorOptions::KEYS));
    assert_eq!(keys(&schema["properties"]["view"]), sorted(&VIEW));
    assert_eq!(keys(&schema["properties"]["sun"]), sorted(&SUN));
    let examples = schema["examples"].as_array().expect("examples");
    assert!(examples.len() >= 2);
    for example in examples {
        read(&example.to_string()).expect("a scene");
    }
    // So is what the guide shows.
    let guide = path.with_file_name("../viewer/guide/scenes.md");
    let guide = std::fs::read_to_string(guide).expect("the page");
    let shown = guide.split("```json").nth(1).and_then(|rest| rest.split("```").next()).expect("a scene");
    assert!(read(shown).expect("a scene").view.is_some());
    // All that is written has a key of its own.
    let written: Value = serde_json::from_str(&full().to_json()).expect("JSON");
    let members: Vec<&String> = written.as_object().expect("members").keys().collect();
    assert_eq!(members.len(), MEMBERS.len() - 1, "all but sun, which time stands for: {members:?}");
    assert_eq!(written["elevation"][0].as_object().expect("members").len(), 1 + RasterOptions::KEYS.len());
    assert_eq!(written["vectors"][0].as_object().expect("members").len(), 1 + VectorOptions::KEYS.len());
}
