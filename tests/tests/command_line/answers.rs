//! What do verbs that write files answer with `--json`? What they wrote, on stdout alone.

use serde_json::{Value, json};

use super::{schemas::check, *};

/// The answer of a run, which has to follow the schema of its verb.
fn answer(verb: &str, run: Run) -> Value {
    let run = run.expect_code(0);
    check(verb, &run.stdout);
    assert!(!run.stderr.contains('{'), "words alone: {run:#?}");
    serde_json::from_str(&run.stdout).unwrap()
}

/// Law: the answer tells the size, the view and the triangles of the picture, or of the last one of a film, and how many there are.
#[test]
fn render_answers_what_it_drew() {
    let files = Files::new();
    let out = files.at("a.png");
    let drawn = answer("render", render("20,80,9000000", "64x48", &out, &["--look", "10,-80", "--json"]));
    assert_eq!(drawn["file"], json!(out.to_str().unwrap()));
    let [pictures, width, height, settled] = ["pictures", "width", "height", "settled"].map(|name| &drawn[name]);
    assert_eq!([pictures, width, height, settled], [&json!(1), &json!(64), &json!(48), &json!(true)]);
    let of_view = |name: &str| drawn["view"][name].as_f64().unwrap();
    let view = ["lat_deg", "lon_deg", "heading_deg", "pitch_deg"].map(of_view);
    assert!(view.iter().zip([20.0, 80.0, 10.0, -80.0]).all(|(found, asked)| (found - asked).abs() < 1e-6), "{view:?}");
    assert!(drawn["triangles"].as_u64() > Some(0) && drawn["error_px"].is_number(), "{drawn}");

    let frames = files.at("frame-%02d.png");
    let film = ["render", "--software", "--path", "everest", "--fps", "0.1", "--size", "32x24", "--json", "-o"];
    let film = answer("render", orogen(&[&film[..], &[frames.to_str().unwrap()]].concat()));
    let written = std::fs::read_dir(files.at("")).unwrap();
    let written = written.filter(|file| file.as_ref().unwrap().file_name().to_str().unwrap().starts_with("frame-"));
    assert_eq!(film["pictures"], json!(written.count()));
    let standard = ["render", "--software", "--at", "20,80,9000000", "-o", "-", "--json"];
    orogen(&standard).expect_refusal(2, &["--json", "-o -"]);
}

/// Law: the answer tells the file and its tiles, also of a pack that was there already, and that it was.
#[test]
fn bake_answers_what_it_made() {
    let files = Files::new();
    let out = files.at("a.pack");
    let bake = || answer("bake", orogen(&["bake", "--max-level", "1", "--json", "-o", out.to_str().unwrap()]));
    let (made, again) = (bake(), bake());
    let bytes = std::fs::metadata(&out).unwrap().len();
    for (answer, written) in [(&made, true), (&again, false)] {
        assert_eq!((&answer["pack"], &answer["written"]), (&json!(out.to_str().unwrap()), &json!(written)));
        let tiles: u64 =
            answer["levels"].as_array().unwrap().iter().map(|level| level["tiles"].as_u64().unwrap()).sum();
        assert_eq!((&answer["bytes"], &answer["tiles"]), (&json!(bytes), &json!(tiles)));
    }
    assert_eq!((&made["found"], &again["found"]), (&json!(0), &again["tiles"]));
}
