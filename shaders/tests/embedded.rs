//! Is every embedded module a valid shader, in every variant it declares?

use shaders::{Composer, embedded};

/// A module that is not an entry point is validated through its importers; alone it may want a virtual module.
fn has_entry_point(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        ["@compute", "@vertex", "@fragment"].iter().any(|stage| line.starts_with(stage))
    })
}

#[test]
fn every_entry_point_validates_in_every_variant() {
    let composer = Composer::new();
    let mut failures = Vec::new();
    for module in embedded().iter().filter(|module| has_entry_point(module.text)) {
        let variants = composer.variants(module.name).unwrap_or_else(|error| panic!("{error}"));
        let results: Vec<_> = if variants.is_empty() {
            vec![composer.compose(module.name)]
        } else {
            variants.iter().map(|variant| composer.compose_variant(module.name, &variant.name)).collect()
        };
        for result in results {
            match result {
                Ok(composed) => assert!(!composed.entry_points().is_empty(), "{}", module.name),
                Err(error) => failures.push(format!("{}: {error}", module.name)),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
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
