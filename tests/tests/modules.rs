//! Do the modules of each crate depend on each other one way? Circles among the modules of one parent, at the root of a crate and below
//! it, from the paths that their files name.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use tests::{CRATES, files_below};

/// Circles that are there today: crate, parent, modules. One that goes is taken from this list; none may be added.
const KNOWN: &[(&str, &str, &[&str])] = &[
    // A trait whose methods give iterators over it and update it.
    ("cbt", "", &["leaves", "par_leaves", "tree", "update"]),
    // A recursive translator: expressions hold blocks and calls, which hold expressions; its state is the function's.
    (
        "kernels/device",
        "",
        &["expression", "function", "item", "kernel", "literal", "statement", "u64_check", "u64_words"],
    ),
];

type Graph = BTreeMap<String, BTreeSet<String>>;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src")
}

/// The code of a file without comments and without its tests.
fn code(text: &str) -> String {
    // Those in a file of their own end with their line, those in this one with it.
    let is_of_tests = |line: &&str| line.trim_start().starts_with("#[cfg(all(test,");
    let plain: String =
        text.lines().flat_map(|line| [if is_of_tests(&line) { "#[cfg(test)]" } else { line }, "\n"]).collect();
    let mut pieces = plain.split("#[cfg(test)]\n");
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

/// Names of modules from the root of a crate.
type Module = Vec<String>;

/// The paths that begin with `crate`, `self` or `super`, those in braces one by one.
fn paths(code: &str) -> Vec<Module> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in code.match_indices("::") {
        let start = code[..at].rfind(|c| !is_name(c)).map_or(0, |before| before + 1);
        if ["crate", "self", "super"].contains(&&code[start..at]) && !code[..start].ends_with("::") {
            path(&code[start..], &[], &mut found);
        }
    }
    found
}

/// Adds the paths at the start of a text to those found, each behind `before`; how many bytes they are.
fn path(code: &str, before: &[String], found: &mut Vec<Module>) -> usize {
    let (mut at, mut whole) = (0, before.to_vec());
    loop {
        let rest = &code[at..];
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if !name.is_empty() {
            at += name.len();
            whole.push(name);
            if code[at..].starts_with("::") {
                at += 2;
                continue;
            }
        } else if rest.starts_with('{') && !whole.is_empty() {
            at += 1;
            while let Some(c) = code[at..].chars().next().filter(|c| *c != '}') {
                let taken = path(&code[at..], &whole, found);
                at += if taken == 0 { c.len_utf8() } else { taken };
            }
            return at + 1;
        }
        if whole.len() > before.len() {
            found.push(whole);
        }
        return at;
    }
}

/// The files of a crate: their modules and their code.
fn modules(name: &str) -> BTreeMap<Module, String> {
    let folder = source(name);
    let mut modules = BTreeMap::new();
    for file in files_below(&folder) {
        let below = file.strip_prefix(&folder).expect("below").with_extension("");
        let mut module: Module = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|last| last == "mod") || ["lib", "main"].contains(&module[0].as_str()) {
            module.pop();
        }
        if module.last().is_none_or(|last| last != "tests") {
            let text = fs::read_to_string(&file).expect("Rust");
            *modules.entry(module).or_insert_with(String::new) += &code(&text);
        }
    }
    modules
}

/// What each module re-exports, by name, and the child that it is of.
fn exports(modules: &BTreeMap<Module, String>) -> BTreeMap<(Module, String), String> {
    let mut exports = BTreeMap::new();
    for (module, code) in modules {
        for item in code.split(';') {
            let Some((public, path)) = item.rsplit_once("use ") else { continue };
            let public = public.rsplit(['}', ']']).next().unwrap_or_default().trim_start();
            let path = path.strip_prefix("crate::").unwrap_or(path);
            let Some((child, names)) = path.trim_start_matches("self::").split_once("::") else { continue };
            if public.starts_with("pub") && modules.contains_key(&[module.as_slice(), &[child.to_owned()]].concat()) {
                let names = names.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty());
                exports.extend(names.map(|name| ((module.clone(), name.to_owned()), child.to_owned())));
            }
        }
    }
    exports
}

/// For each parent its modules, with the siblings that they or what is below them name.
fn graphs(name: &str) -> BTreeMap<Module, Graph> {
    let modules = modules(name);
    let exports = exports(&modules);
    let mut graphs: BTreeMap<Module, Graph> = BTreeMap::new();
    for (module, code) in &modules {
        for path in paths(code) {
            let mut target = if path[0] == "crate" { Vec::new() } else { module.clone() };
            for name in path.into_iter().filter(|name| name != "crate" && name != "self") {
                if name == "super" {
                    target.pop();
                    continue;
                }
                let child = exports.get(&(target.clone(), name.clone())).cloned().unwrap_or(name);
                target.push(child);
                if !modules.contains_key(&target) {
                    target.pop();
                    break;
                }
            }
            let shared = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (module.get(shared), target.get(shared)) {
                let graph = graphs.entry(module[..shared].to_vec()).or_default();
                graph.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    graphs
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

/// Law: no circle among the modules of one parent is there but those that are known, and those are all there.
#[test]
fn modules_depend_one_way() {
    let mut found = BTreeSet::new();
    for name in CRATES.into_iter().chain(["kernels/device"]) {
        for (parent, graph) in graphs(name) {
            found.extend(circles(&graph).into_iter().map(|circle| (name.to_owned(), parent.join("::"), circle)));
        }
    }
    let owned = |circle: &[&str]| circle.iter().map(|module| module.to_string()).collect::<Vec<_>>();
    let known = KNOWN.iter().map(|(name, parent, circle)| (name.to_string(), parent.to_string(), owned(circle)));
    let known: BTreeSet<(String, String, Vec<String>)> = known.collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "new circles of modules: {new:#?}");
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(gone.is_empty(), "circles that are no more: {gone:#?}; take them from the list");
}

#[test]
fn circles_are_found() {
    let graph: Graph = [("a", "b"), ("b", "c"), ("c", "b"), ("d", "a")]
        .into_iter()
        .map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])))
        .collect();
    assert_eq!(circles(&graph), BTreeSet::from([vec!["b".to_owned(), "c".to_owned()]]));
    let paths: Vec<String> =
        paths("use crate::{a::{b, c}, d::E}; super::f(x); std::crate::no").iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["crate::a::b", "crate::a::c", "crate::d::E", "super::f"]);
}
