//! Is what verbs print with `--json` what docs/schemas says?

use serde_json::{Value, json};
use tests::schema::violations;

use super::*;

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas")
}

/// Panics unless what a verb printed follows its schema.
pub fn check(verb: &str, printed: &str) {
    let file = schemas().join(format!("{}.schema.json", verb.replace(' ', "-")));
    let schema: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let value: Value = serde_json::from_str(printed).unwrap_or_else(|error| panic!("{verb}: {error}: {printed}"));
    let complaints = violations(&schema, &value);
    assert!(complaints.is_empty(), "{verb}: {complaints:#?} of {value:#}");
}

/// Law: every verb prints what its schema says, also where there is nothing to say. What `bench` and verbs that write files print is checked
/// where they are tested.
#[test]
fn answers_follow_their_schemas() {
    let files = Files::new();
    let dem = tests::reference_data::data_file("jacksboro.tif");
    let (dem, pack) = (dem.to_str().unwrap(), files.at("a.pack"));
    let pack = pack.to_str().unwrap();
    let orogen = |verb: &str, words: &[&str]| {
        let words: Vec<&str> = verb.split(' ').chain(words.iter().copied()).chain(["--json"]).collect();
        check(verb, &orogen(&words).expect_code(0).stdout);
    };
    super::orogen(&["bake", "--max-level", "1", "-o", pack]).expect_code(0);
    orogen("place", &["york"]);
    orogen("sources", &[]);
    orogen("fetch", &["--estimate", "terrain-tiles", "--at", "Matterhorn"]);
    orogen("bake", &["--estimate", "--max-level", "1"]);
    orogen("verify", &[pack]);
    orogen("info", &["--software", dem]);
    orogen("info", &[pack]);
    let at = ["--at", "36.33,-84.18"];
    // On land, in the sea, on a lake.
    orogen("query height", &["--at", "36.33,-84.18", "--at", "-40,-120", "--at", "47.5,-88", dem]);
    orogen("query height", &["--horn", "--at", "90,0", pack]);
    orogen("query profile", &["36.33,-84.18", "40,-80", "--samples", "5", dem]);
    orogen("query sight", &["36.33,-84.18", "36.30,-84.18", dem]);
    orogen("query sight", &["36.33,-84.18", "36.331,-84.18", "--target-height", "500", dem]);
    orogen("query ray", &["--at", "36.33,-84.18,2000", "--look", "10,-30", dem]);
    orogen("query ray", &["--at", "36.33,-84.18,2000", "--look", "10,30", dem]);
    // Rays of a file; one that is too long for data so fine has hit nothing and missed nothing.
    std::fs::write(files.at("rays.csv"), "36.33,-84.18,2000,10,-30\n36.33,-84.18,2000,10,30\n").unwrap();
    let rays = std::fs::File::open(files.at("rays.csv")).unwrap();
    let rays =
        finish(program_command(program!()).args(["query", "ray", "--json", dem]).stdin(rays)).expect_code(0).stdout;
    check("query ray", &rays);
    check("query ray", &rays.replace("false", "null"));
    orogen("query horizon", &[&at[..], &[dem]].concat());
    orogen("query sunlight", &[&at[..], &["--year", "2026", dem]].concat());
    let area = ["--bbox", "-84.2,36.3,-84.15,36.35", "--cell", "500", "--lines", "3"];
    let directions = ["--directions", "8"];
    orogen("query sightlines", &[&area[..], &directions, &[dem]].concat());
    let times = [&directions[..], &["--from", "2026-06-21T12:00:00Z", "--to", "2026-06-21T13:00:00Z"]].concat();
    let rasters: [(&str, &[&str]); 4] =
        [("viewshed", &[]), ("horizons", &directions), ("skyview", &directions), ("insolation", &times)];
    for (what, words) in rasters {
        let out = files.at(&format!("{what}.tif"));
        let cells = [&at[..], &["--radius", "300", dem, "-o", out.to_str().unwrap()], words].concat();
        orogen(&format!("query {what}"), &cells);
    }
}

/// Law: every verb that has `--json` has a schema, and every schema is one of such a verb.
#[test]
fn every_verb_for_machines_has_a_schema() {
    let files = Files::new();
    let pages = files.at("pages");
    orogen(&["man", "-o", pages.to_str().unwrap()]).expect_code(0);
    let names = |folder: &Path, of: &dyn Fn(&str, &Path) -> Option<String>| {
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
        let mut names: Vec<String> =
            files.filter_map(|file| of(file.file_name().to_str().unwrap(), &file.path())).collect();
        names.sort();
        names
    };
    let with_json = names(&pages, &|name, page| {
        let verb = name.strip_prefix("orogen-")?.strip_suffix(".1")?;
        // Options stand in bold, examples do not.
        let text = std::fs::read_to_string(page).unwrap().replace('\\', "");
        text.contains("fB--jsonfR").then(|| verb.to_owned())
    });
    let described = names(&schemas(), &|name, _| name.strip_suffix(".schema.json").map(str::to_owned));
    assert_eq!(with_json, described);
    assert!(with_json.len() > 10);
}

/// Law: what is missing, unknown or of another kind is found, wherever it is.
#[test]
fn what_a_schema_does_not_allow_is_found() {
    let schema = json!({
        "type": "array", "maxItems": 2,
        "items": {"type": "object", "required": ["a"], "additionalProperties": false, "properties": {
            "a": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/share"}]}, "b": {"enum": ["x", "y"]},
        }},
        "$defs": {"share": {"type": "number", "minimum": 0, "maximum": 1}},
    });
    let count = |value: Value| violations(&schema, &value).len();
    assert_eq!(count(json!([{"a": 0.5}, {"a": null, "b": "x"}])), 0);
    for wrong in [json!([{}]), json!([{"a": 2}]), json!([{"a": 0, "b": "z"}]), json!([{"a": 0, "c": 1}]), json!({})] {
        assert_eq!(count(wrong.clone()), 1, "{wrong}");
    }
    assert_eq!(count(json!([{"a": 0}, {"a": 0}, {"a": "0"}])), 2);
}
