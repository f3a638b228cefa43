//! Is every command in README.md and in the guide one that works? They are taken from the files as they stand.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tests::{CRATES, image_comparison::compare, program, program::finish};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The documents of users, from the root.
fn documents() -> Vec<PathBuf> {
    let pages = fs::read_dir(root().join("viewer/guide")).unwrap().map(|page| page.unwrap().path());
    let mut pages: Vec<PathBuf> = pages.collect();
    pages.sort();
    [root().join("README.md"), root().join("viewer/GUIDE.md")].into_iter().chain(pages).collect()
}

/// The documents of developers, from the root.
fn developers() -> Vec<PathBuf> {
    let folders = ["", "docs", "docs/decisions", "docs/notes"].map(|folder| root().join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "md")).collect()
}

/// Lines of the ```sh blocks, without comments.
fn commands() -> Vec<String> {
    let mut lines = Vec::new();
    let mut inside = false;
    let text: String = documents().iter().map(|page| fs::read_to_string(page).unwrap()).collect();
    for line in text.lines() {
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

/// What `./x run` hands to the program is run with the program in its place, from a folder that looks like the repository.
/// A picture that the README shows is the one that its command draws; `OROGEN_BLESS` stores what it draws now.
#[test]
fn every_run_of_the_program_works_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::os::unix::fs::symlink(root().join("data").canonicalize().unwrap(), folder.join("data")).unwrap();
    // As `./x run` does.
    fs::create_dir(folder.join("out")).unwrap();
    let (mut pictures, mut shown) = (0, 0);
    for command in commands() {
        let Some(arguments) = command.strip_prefix("./x run ") else { continue };
        let mut words: Vec<&str> = arguments.split_whitespace().collect();
        // A film is shown to be accepted, not drawn in full; a picture is the software rasteriser's.
        if words.contains(&"--path") {
            words.extend(["--fps", "0.2"]);
        }
        let out = words.iter().position(|word| *word == "-o").map(|i| Path::new(words[i + 1]));
        let stored = out.and_then(Path::file_name).map(|name| root().join("data/pictures").join(name));
        let stored = stored.filter(|stored| stored.exists());
        if words[0] == "render" {
            words.push("--software");
            // A picture that is not shown is drawn small.
            if stored.is_none() && !words.contains(&"--size") {
                words.extend(["--size", "320x180"]);
            }
        }
        finish(program::program_command(program!()).args(&words).current_dir(folder)).expect_code(0);
        if words[0] != "render" {
            continue;
        }
        // GeoTIFFs are read where they are tested.
        let Some(out) = out.filter(|out| out.extension().is_none_or(|end| end != "tif")) else { continue };
        let drawn = image::open(folder.join(out)).unwrap().to_rgb8();
        if let Some(stored) = stored {
            if std::env::var_os("OROGEN_BLESS").is_some() {
                fs::copy(folder.join(out), &stored).unwrap();
            }
            let difference = compare(&drawn, &image::open(&stored).unwrap().to_rgb8()).expect("pictures of one size");
            assert!(difference.is_tolerable(), "{command}: {difference:?} from {}", stored.display());
            shown += 1;
        }
        pictures += 1;
    }
    assert!(pictures > shown && shown > 0, "the documents draw {pictures} pictures and show {shown}");
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
    let more = ["data/README.md", "CHANGELOG.md"].map(|file| root().join(file));
    for file in documents().into_iter().chain(more).chain(developers()) {
        let text = fs::read_to_string(&file).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") {
                let path = file.parent().unwrap().join(target);
                assert!(path.exists(), "{} links to {link}", file.display());
            }
        }
    }
}

/// Law: a file of the repository that a page for developers names is there.
#[test]
fn every_file_that_is_named_exists() {
    let folders = [&CRATES[..], &["tests", "data", "docs"]].concat();
    let mut named = 0;
    for page in developers() {
        let text = fs::read_to_string(&page).unwrap();
        for word in text.split('`').skip(1).step_by(2) {
            let is_path = word.contains('/') && !word.contains([' ', '{', '*', '<']) && !word.contains("NAME");
            let first = word.split('/').next().unwrap_or_default();
            let has_ending = [".rs", ".wgsl", ".md", "/"].iter().any(|end| word.ends_with(end));
            if is_path && has_ending && folders.contains(&first) {
                assert!(root().join(word).exists(), "{} names {word}", page.display());
                named += 1;
            }
        }
    }
    assert!(named > 150, "{named}");
}

/// Law: every page of a decision has the headings Context, Decision, Figures, Alternatives and Where, in this order, and a text below each.
#[test]
fn every_decision_has_its_headings() {
    let mut pages = 0;
    for entry in fs::read_dir(root().join("docs/decisions")).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.ends_with("README.md") {
            continue;
        }
        let text = fs::read_to_string(&entry).unwrap();
        let sections: Vec<(&str, &str)> =
            text.split("\n## ").skip(1).map(|section| section.split_once('\n').unwrap_or((section, ""))).collect();
        let mut rest = sections.iter();
        for heading in ["Context", "Decision", "Figures", "Alternatives", "Where"] {
            let body = rest.find(|section| section.0 == heading).map(|section| section.1.trim());
            assert!(body.is_some_and(|body| !body.is_empty()), "{} lacks {heading}", entry.display());
        }
        pages += 1;
    }
    assert!(pages > 70, "{pages}");
}

/// Law: the row of THIRD-PARTY.md on crates names the licences that `deny.toml` allows, those of one crate with the crate, and no others.
#[test]
fn every_licence_that_is_allowed_is_named() {
    let text = fs::read_to_string(root().join("deny.toml")).unwrap();
    let section = text.split("[licenses]").nth(1).unwrap().split("\n[").next().unwrap();
    let quoted = |list: &str| -> Vec<String> { list.split('"').skip(1).step_by(2).map(str::to_owned).collect() };
    let mut allowed = BTreeSet::new();
    for part in section.split("allow = [").skip(1) {
        allowed.extend(quoted(part.split(']').next().unwrap()).into_iter().map(|licence| (licence, None)));
    }
    for exception in section.split("crate = ").skip(1).filter_map(|part| part.split('}').next()) {
        let mut names = quoted(exception).into_iter();
        let of = names.next().unwrap();
        for licence in names {
            assert!(allowed.remove(&(licence.clone(), None)), "{licence} is of more than one crate");
            allowed.insert((licence, Some(of.clone())));
        }
    }
    let parts = fs::read_to_string(root().join("THIRD-PARTY.md")).unwrap();
    let row = parts.lines().find(|line| line.starts_with("| Rust crates |")).unwrap();
    let named = row.split('|').nth(3).unwrap().split(':').next().unwrap().split(',');
    let named: BTreeSet<(String, Option<String>)> = named
        .map(|licence| match licence.trim().split_once(" (") {
            Some((licence, of)) => (licence.to_owned(), Some(of.trim_matches(['`', ')']).to_owned())),
            None => (licence.trim().to_owned(), None),
        })
        .collect();
    assert!(allowed.len() > 8);
    assert_eq!(named, allowed, "THIRD-PARTY.md, deny.toml");
}

/// Law: every environment variable that code or tests read is in the table of CONTRIBUTING.md, and that table names no other.
#[test]
fn every_environment_variable_is_in_the_table() {
    let variables = |text: &str| -> BTreeSet<String> {
        let names = text.split("OROGEN_").skip(1);
        let names =
            names.map(|rest| rest.chars().take_while(|c| c.is_ascii_uppercase() || *c == '_').collect::<String>());
        names.filter(|name| !name.is_empty()).collect()
    };
    let table: String = fs::read_to_string(root().join("CONTRIBUTING.md"))
        .unwrap()
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split('|').nth(1).unwrap())
        .collect();
    let read = |line: &str| ["env::var", "os.environ", "${OROGEN_"].iter().any(|call| line.contains(call));
    let mut folders: Vec<PathBuf> = CRATES.iter().chain(&["tests"]).map(|name| root().join(name)).collect();
    let mut found = BTreeSet::new();
    let mut files = vec![root().join("x")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.extension().and_then(|end| end.to_str()) {
                _ if entry.is_dir() => folders.extend((!entry.ends_with("node_modules")).then_some(entry)),
                Some("rs" | "py") => files.push(entry),
                _ => {}
            }
        }
    }
    for file in files {
        let text = fs::read_to_string(file).unwrap();
        found.extend(text.lines().filter(|line| read(line)).flat_map(variables));
    }
    assert!(found.contains("BLESS") && found.contains("UPDATES"));
    let missing: Vec<_> = found.difference(&variables(&table)).cloned().collect();
    assert!(missing.is_empty(), "read, and not in CONTRIBUTING.md: OROGEN_{missing:?}");
}

/// Law: a line of the changelog is one fact of at most twenty words, and the glossary is in alphabetical order.
#[test]
fn changelog_and_glossary_are_easy_to_search() {
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let facts: Vec<&str> = changelog.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    assert!(facts.len() > 50);
    for fact in facts {
        let words = fact.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
        assert!(words <= 20, "{words} words: {fact}");
    }
    let glossary = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let terms: Vec<String> =
        glossary.lines().skip_while(|line| !line.starts_with("|---")).skip(1).map(str::to_lowercase).collect();
    assert!(terms.len() > 30 && terms.is_sorted(), "docs/glossary.md is not in order");
}
