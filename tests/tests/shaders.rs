//! Is every module of every crate a valid shader, in every variant it declares? And one that WebGPU takes?

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use shaders::{BindingKind, Composed, Extension};
use tests::files_below;
use viewer::composer;

/// Modules that need more than WebGPU has, and what.
const NATIVE: [(&str, Extension); 2] = [
    // Ray queries are wgpu's own; `kernels::scene::RayEngine` has two others.
    ("kernels/lbvh/query_rays", Extension::RayQuery),
    // WGSL has no subgroupBarrier(); where a device has none, the sort has its portable form.
    ("kernels/sort/one_sweep/sweep", Extension::SubgroupBarrier),
];

fn compositions() -> Vec<Composed> {
    let all = composer().every_composition();
    all.into_iter().map(|(name, result)| result.unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

#[test]
fn every_entry_point_validates_in_every_variant() {
    let mut failures = Vec::new();
    for (name, result) in composer().every_composition() {
        match result {
            Ok(composed) => assert!(!composed.entry_points().is_empty(), "{name}"),
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn all_but_a_few_is_wgsl_as_the_standard_has_it() {
    for composed in compositions() {
        let native = NATIVE.iter().find(|(module, _)| *module == composed.label());
        let lacking = native.map(|(_, extension)| format!("requires {}", extension.name()));
        match (composed.standard(), lacking) {
            (Ok(text), None) => assert_eq!(text.lines().count(), composed.source().lines().count()),
            (Err(error), Some(lacking)) => assert!(error.to_string().contains(&lacking), "{error}"),
            (result, _) => panic!("{}: {:?}", composed.label(), result.err()),
        }
    }
}

/// WebGPU promises eight storage buffers a stage. Layouts are made of what an entry point uses, whatever else is declared.
#[test]
fn no_entry_point_uses_more_than_eight_storage_buffers() {
    for composed in compositions() {
        for entry in composed.entry_points() {
            let is_storage = |name: &&String| {
                let kind = &composed.binding(name).expect("it is used").kind;
                matches!(kind, BindingKind::StorageRead | BindingKind::StorageReadWrite)
            };
            let buffers: Vec<_> = entry.uses.iter().filter(is_storage).collect();
            assert!(buffers.len() <= 8, "{}: {} uses {buffers:?}", composed.label(), entry.name);
        }
    }
}

/// Law: every file of `shaders/<crate>/` is embedded, once, under the name of its path.
#[test]
fn every_file_is_a_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = ["kernels", "cbt", "terrain", "viewer"];
    let files = crates.iter().flat_map(|name| files_below(&root.join("shaders").join(name)));
    let files: BTreeSet<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "wgsl")).collect();
    let modules: Vec<_> = composer().modules().collect();
    assert_eq!(modules.len(), files.len());
    let embedded: BTreeSet<PathBuf> = modules.iter().map(|module| root.join(module.file)).collect();
    assert_eq!(embedded, files);
    for module in modules {
        assert_eq!(module.file, format!("shaders/{}.wgsl", module.name));
    }
}

/// Law: a shader that is generated from Rust has the name of its source: of the file, of the file and its folder, or of a function in it.
#[test]
fn generated_shaders_have_the_names_of_their_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // Plurals aside: `shadows/inputs.rs` and `shadow_inputs.wgsl`.
    let plain = |name: &str| -> String { name.split(['_', '/']).map(|word| word.trim_end_matches('s')).collect() };
    let mut seen = 0;
    for shader in
        files_below(&root.join("shaders")).into_iter().filter(|file| file.extension().is_some_and(|end| end == "wgsl"))
    {
        let text = fs::read_to_string(&shader).expect("WGSL");
        let Some((source, _)) = text.split_once("// Generated from ").and_then(|(_, rest)| rest.split_once(".rs"))
        else {
            continue;
        };
        seen += 1;
        assert!(root.join(format!("{source}.rs")).is_file(), "{} names no file: {source}.rs", shader.display());
        let name = shader.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut parts = source.rsplit('/');
        let (file, folder) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let functions: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("fn ")?.split('(').next()).collect();
        let names = [file.to_owned(), format!("{folder}/{file}")];
        assert!(
            names.iter().any(|one| plain(one) == plain(&name)) || functions.contains(&name.as_str()),
            "{} is generated from {source}.rs: give both one name",
            shader.display()
        );
    }
    assert!(seen > 30, "{seen}");
}
