//! Do the modules of each crate depend on each other one way? Circles among the modules at the root of a crate, from the paths that
//! their files name.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use tests::CRATES;

/// Circles that are there today. One that goes is taken from this list; none may be added.
const KNOWN: [(&str, &[&str]); 1] = [
    // A trait and its iterators.
    ("cbt", &["leaves", "par_leaves", "tree", "update"]),
];

type Graph = BTreeMap<String, BTreeSet<String>>;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src")
}

/// Files of Rust in a folder and below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The code of a file without comments and without its tests.
fn code(text: &str) -> String {
    // Those in a file of their own end with their line, those in this one with it.
    let mut pieces = text.split("#[cfg(test)]\n");
    let mut without_tests = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (line, rest) = piece.split_once('\n').unwrap_or((piece, ""));
        if line.contains("mod ") && !line.ends_with(';') {
            break;
        }
        without_tests += if line.ends_with(';') { rest } else { piece };
    }
    without_tests.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// What the text after `crate::` begins with: a name, or names in braces.
fn heads(rest: &str) -> Vec<String> {
    let name =
        |text: &str| -> String { text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let Some(inner) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inner.chars() {
        match c {
            '}' if depth == 0 => break,
            ',' if depth == 0 => parts.push(String::new()),
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                parts.last_mut().expect("a part").push(c);
            }
        }
    }
    parts.iter().map(|part| name(part)).collect()
}

/// Modules at the root of a crate, with those that their files name.
fn graph(name: &str) -> Graph {
    let folder = source(name);
    let modules: BTreeSet<String> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .filter(|module| !["lib", "main"].contains(&module.as_str()))
        .collect();
    // What the root re-exports stands for its module.
    let root = code(&fs::read_to_string(folder.join("lib.rs")).expect("lib.rs"));
    let exported: BTreeMap<String, String> = root
        .split(';')
        .filter_map(|item| {
            let path = item.rsplit("use ").next()?;
            path.strip_prefix("crate::").unwrap_or(path).split_once("::").filter(|_| item.contains("pub"))
        })
        .filter(|(module, _)| modules.contains(*module))
        .flat_map(|(module, names)| {
            let names = names.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty());
            names.map(|name| (name.to_owned(), module.to_owned())).collect::<Vec<_>>()
        })
        .collect();
    let mut graph = Graph::new();
    for file in files(&folder) {
        let below = file.strip_prefix(&folder).expect("below").with_extension("");
        let mut place: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if place.last().is_some_and(|last| last == "mod") {
            place.pop();
        }
        if ["lib", "main"].contains(&place[0].as_str()) || place.last().is_some_and(|last| last == "tests") {
            continue;
        }
        let text = code(&fs::read_to_string(&file).expect("Rust"));
        // As many `super` as lead to the root.
        let up = "super::".repeat(place.len());
        let named = text.split("crate::").skip(1).chain(text.split(&up).skip(1)).flat_map(heads);
        let named = named.map(|name| exported.get(&name).cloned().unwrap_or(name));
        let others = named.filter(|name| modules.contains(name) && *name != place[0]);
        graph.entry(place[0].clone()).or_default().extend(others);
    }
    graph
}

/// Everything that can be reached from a module.
fn reached(graph: &Graph, from: &str) -> BTreeSet<String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
    while let Some(module) = open.pop() {
        for next in graph.get(&module).into_iter().flatten() {
            if found.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    found
}

/// Modules that reach each other, in groups.
fn circles(graph: &Graph) -> BTreeSet<Vec<String>> {
    let all: BTreeMap<&String, BTreeSet<String>> =
        graph.keys().map(|module| (module, reached(graph, module))).collect();
    let circle = |module: &&String| {
        let others = all[*module].iter().filter(|other| all.get(other).is_some_and(|back| back.contains(*module)));
        others.cloned().collect::<Vec<_>>()
    };
    graph.keys().map(|module| circle(&module)).filter(|circle| circle.len() > 1).collect()
}

/// Law: no circle among the modules of a crate is there but those that are known, and those are all there.
#[test]
fn modules_depend_one_way() {
    let found: BTreeSet<(&str, Vec<String>)> =
        CRATES.iter().flat_map(|name| circles(&graph(name)).into_iter().map(move |circle| (*name, circle))).collect();
    let known = KNOWN.iter().map(|(name, circle)| (*name, circle.iter().map(|module| module.to_string()).collect()));
    let known: BTreeSet<(&str, Vec<String>)> = known.collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "new circles of modules: {new:?}");
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(gone.is_empty(), "circles that are no more: {gone:?}; take them from the list");
}

#[test]
fn circles_are_found() {
    let graph: Graph = [("a", "b"), ("b", "c"), ("c", "b"), ("d", "a")]
        .into_iter()
        .map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])))
        .collect();
    assert_eq!(circles(&graph), BTreeSet::from([vec!["b".to_owned(), "c".to_owned()]]));
    assert_eq!(heads("{a::{b, c}, d::e, self}::x"), ["a", "d", "self"]);
    assert_eq!(heads("view::Frame"), ["view"]);
}
