//! Where do options come from that are not typed, and how much is told? Environment, `--config`, `-v`, `--color`.

use super::*;

fn orogen_in(environment: &[(&str, &Path)], words: &[&str]) -> Run {
    finish(program_command(program!()).args(words).envs(environment.iter().copied()))
}

/// Law: the environment wins over a file, what is typed over both, and who said something wrong is named.
#[test]
fn the_environment_and_a_file_give_defaults() {
    let files = Files::new();
    let config = files.at("c.json");
    let write = |text: &str| std::fs::write(&config, text).unwrap();
    write(r#"{"orogen": "config", "version": 1, "json": true, "query": {"profile": {"samples": 3}}}"#);
    let profile = ["query", "profile", "46,8", "46,9"];
    let lines = |environment: &[(&str, &Path)], words: &[&str]| {
        orogen_in(environment, &[&profile[..], words].concat()).expect_code(0).stdout.lines().count()
    };
    let named: [(&str, &Path); 1] = [("OROGEN_CONFIG", &config)];
    let json = orogen_in(&named, &profile).expect_code(0).stdout;
    assert!(json.trim_start().starts_with(['[', '{']), "{json}");
    let both = [named[0], ("OROGEN_JSON", Path::new("off"))];
    assert_eq!(lines(&both, &[]), 4, "a header and three heights");
    assert_eq!(lines(&both, &["--samples", "2"]), 3);
    let told = orogen_in(&both, &[&profile[..], &["-v"]].concat()).expect_code(0);
    assert!(told.stderr.contains("OROGEN_JSON: --json false"), "{told:?}");

    orogen_in(&[("OROGEN_UNIT", Path::new("ell"))], &profile).expect_refusal(2, &["OROGEN_UNIT", "--unit"]);
    // What is drawn with 4 samples a pixel, and from where, is no business of queries, which read stdin.
    assert_eq!(lines(&[("OROGEN_SAMPLES", Path::new("4"))], &[]), 102);
    std::fs::write(files.at("points.csv"), "1,2\n3,4\n5,6\n").unwrap();
    let points = std::fs::File::open(files.at("points.csv")).unwrap();
    let answered =
        finish(program_command(program!()).args(["query", "height"]).env("OROGEN_AT", "27.99,86.93").stdin(points));
    assert_eq!(answered.expect_code(0).stdout.lines().count(), 4);
    let words = [&profile[..], &["--config", config.to_str().unwrap()]].concat();
    for (text, says) in [
        (r#"{"orogen": "config", "version": 1, "smaples": 3}"#, "did you mean samples?"),
        (r#"{"orogen": "config", "version": 1, "query": {"profile": {"samples": "x"}}}"#, "query.profile.samples"),
        (r#"{"orogen": "scene", "version": 1}"#, "it is no configuration"),
        ("{", "c.json"),
    ] {
        write(text);
        orogen(&words).expect_refusal(2, &["c.json", says]);
    }
    std::fs::remove_file(&config).unwrap();
    orogen(&words).expect_refusal(1, &["c.json"]);
}

/// Law: a variable that gives no default is told of to who wants to know all, in one line that says why, and always if its name is unknown; what is
/// answered stays the same.
#[test]
fn variables_that_give_no_default_are_told_of() {
    let place = ["place", "matterhorn", "--limit", "1"];
    let answer = orogen(&place).expect_code(0).stdout;
    for (name, why) in [
        ("OROGEN_SAMPLES", "--samples has no default in the environment"),
        ("OROGEN_PIXEL_ERROR", "`orogen place` has no default of --pixel-error"),
        ("OROGEN_LIMIT", "gives way to --limit"),
    ] {
        let run = |more: &[&str]| orogen_in(&[(name, Path::new("4"))], &[&place[..], more].concat()).expect_code(0);
        let (quiet, told) = (run(&[]), run(&["-v"]));
        assert!(quiet.stderr.is_empty() && quiet.stdout == answer && told.stdout == answer, "{quiet:?} {told:?}");
        let lines: Vec<&str> = told.stderr.lines().filter(|line| line.contains(name)).collect();
        assert!(lines.len() == 1 && lines[0].contains(why), "{told:?}");
    }
    let typo = orogen_in(&[("OROGEN_PIXEL_EROR", Path::new("4"))], &place).expect_code(0);
    assert!(typo.stderr.lines().count() == 1 && typo.stderr.contains("did you mean OROGEN_PIXEL_ERROR?"), "{typo:?}");
    for name in ["OROGEN_SEED", "OROGEN_SETTINGS"] {
        assert!(orogen_in(&[(name, Path::new("4"))], &place).expect_code(0).stderr.is_empty(), "{name}");
    }
}

/// Law: what is no terminal gets colours where they are asked for, whatever the environment says, and else none.
#[test]
fn colours_are_for_terminals_and_for_who_asks() {
    let has =
        |words: &[&str]| orogen_in(&[("NO_COLOR", Path::new("1"))], words).expect_code(0).stdout.contains('\u{1b}');
    assert!(has(&["place", "--help", "--color", "always"]) && has(&["--color=always", "-h"]));
    assert!(!has(&["place", "--help"]) && !has(&["place", "--help", "--color", "never"]));
}
