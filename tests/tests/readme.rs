//! Is every command in README.md one that works? They are taken from the file as they stand.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tests::{program, program::finish};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap()
}

/// Lines of the ```sh blocks, without comments.
fn commands() -> Vec<String> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in readme().lines() {
        match line.trim() {
            "```sh" => inside = true,
            "```" => inside = false,
            command if inside => lines.push(command.split(" #").next().unwrap_or_default().trim().to_owned()),
            _ => {}
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// What `./x run` hands to the program is run, from a folder that looks like the repository, with the program in its place.
#[test]
fn every_run_of_the_program_works_as_written() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("data").canonicalize().unwrap(), folder.path().join("data")).unwrap();
    let mut run = 0;
    for command in commands() {
        let Some(arguments) = command.strip_prefix("./x run ") else { continue };
        let mut words: Vec<&str> = arguments.split_whitespace().collect();
        // Films are shown to be accepted, not drawn in full.
        if words.contains(&"--path") {
            words.extend(["--fps", "0.2"]);
        }
        let mut program = tests::program::bare(program!());
        let done = finish(program.args(&words).current_dir(folder.path()));
        done.expect_code(0);
        if let Some(out) = words.iter().position(|word| *word == "-o").map(|i| words[i + 1]) {
            assert!(folder.path().join(out).metadata().unwrap().len() > 1_000, "{command}");
        }
        run += 1;
    }
    assert!(run > 0, "README.md shows no run of the program");
}

#[test]
fn every_verb_of_the_script_exists() {
    let help = finish(Command::new("sh").arg("./x").arg("help").current_dir(root())).expect_code(0).stdout;
    let verbs: BTreeSet<String> = commands()
        .iter()
        .filter_map(|command| command.strip_prefix("./x "))
        .filter_map(|rest| rest.split_whitespace().next().map(str::to_owned))
        .collect();
    assert!(verbs.contains("run") && verbs.contains("test"));
    for verb in verbs {
        assert!(help.contains(&format!("\n  {verb} ")), "./x {verb}");
    }
}

#[test]
fn every_file_that_is_linked_exists() {
    for file in ["README.md", "data/README.md", "CHANGELOG.md"] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") {
                let path = root().join(Path::new(file).parent().unwrap()).join(target);
                assert!(path.exists(), "{file} links to {link}");
            }
        }
    }
}
