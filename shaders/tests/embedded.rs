//! Is every embedded module a valid shader, in every variant it declares? And one that WebGPU takes?

use shaders::{BindingKind, Composed, Composer, Extension, embedded};

/// Modules that need more than WebGPU has, and what.
const NATIVE: [(&str, Extension); 2] = [
    // Ray queries are wgpu's own; `kernels::scene::Engine` has two others.
    ("kernels/lbvh/query_rays", Extension::RayQuery),
    // WGSL has no subgroupBarrier(); where a device has none, the sort has its portable form.
    ("kernels/sort/one_sweep/sweep", Extension::SubgroupBarrier),
];

fn compositions() -> Vec<Composed> {
    let all = Composer::new().every_composition();
    all.into_iter().map(|(name, result)| result.unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

#[test]
fn every_entry_point_validates_in_every_variant() {
    let mut failures = Vec::new();
    for (name, result) in Composer::new().every_composition() {
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

#[test]
fn names_are_paths_and_are_unique() {
    for pair in embedded().windows(2) {
        assert!(pair[0].name < pair[1].name);
    }
    for module in embedded() {
        assert_eq!(module.file, format!("shaders/{}.wgsl", module.name));
    }
}
