//! Does composition keep its laws: order, once each, chains in errors, places in files?

use shaders::{BindingKind, Composer, Extension, SampleType, ShaderError, Stage, TextureDimension};

fn composer(modules: &[(&str, &str)]) -> Composer {
    let mut composer = Composer::new();
    for (name, text) in modules {
        composer.bind(name, &format!("{name}.wgsl"), text);
    }
    composer
}

#[test]
fn a_diamond_of_imports_joins_each_module_once_and_depth_first() {
    let composed = composer(&[
        ("base", "const ONE = 1u;"),
        ("left", "//!import base\nfn left() -> u32 { return ONE; }"),
        ("right", "//!import base\nfn right() -> u32 { return ONE + 1u; }"),
        ("top", "//!import left\n//!import right\nfn top() -> u32 { return left() + right(); }"),
    ])
    .compose("top")
    .unwrap();
    let order: Vec<_> = composed.segments().iter().map(|s| s.module.as_str()).collect();
    assert_eq!(order, ["base", "left", "right", "top"]);
    assert_eq!(composed.source().lines().count() as u32, composed.segments().iter().map(|s| s.lines).sum());
}

#[test]
fn a_virtual_module_and_its_target_are_one_module() {
    let mut composer = composer(&[
        ("ops/sum", "fn combine(a: u32, b: u32) -> u32 { return a + b; }"),
        ("main", "//!import op\n//!import ops/sum\nfn f() -> u32 { return combine(1u, 2u); }"),
    ]);
    composer.bind_module("op", "ops/sum");
    assert_eq!(composer.compose("main").unwrap().segments().len(), 2);
}

#[test]
fn errors_name_the_chain() {
    let modules = composer(&[
        ("a", "//!import b"),
        ("b", "//!import c"),
        ("c", "//!import a"),
        ("d", "//!import b2"),
        ("b2", "//!import gone"),
    ]);
    let cycle = modules.compose("a").unwrap_err();
    assert_eq!(cycle.to_string(), "import cycle: a -> b -> c -> a");
    let unknown = modules.compose("d").unwrap_err();
    assert_eq!(unknown.to_string(), "no shader module `gone`, imported by d -> b2");
    assert_eq!(modules.compose("nowhere").unwrap_err().to_string(), "no shader module `nowhere`");
    let mut aliases = Composer::new();
    aliases.bind_module("x", "y").bind_module("y", "x");
    assert_eq!(aliases.compose("x").unwrap_err().to_string(), "import cycle: x -> y -> x");
}

#[test]
fn syntax_and_type_errors_point_into_the_module_that_is_wrong() {
    let modules = composer(&[
        ("fine", "const A = 1u;\nconst B = 2u;\n"),
        ("broken", "//!import fine\nfn f() -> u32 {\n    return A +;\n}"),
        ("mistyped", "//!import fine\n\nfn f() -> f32 {\n    return A;\n}"),
        ("top", "//!import broken"),
    ]);
    match modules.compose("top").unwrap_err() {
        ShaderError::Parse { place: Some(place), .. } => {
            assert_eq!((place.file.as_str(), place.line, place.column), ("broken.wgsl", 3, 15));
            assert_eq!(place.text, "    return A +;");
        }
        other => panic!("not a parse error: {other}"),
    }
    let message = modules.compose("mistyped").unwrap_err().to_string();
    assert!(message.starts_with("mistyped.wgsl:4:"), "{message}");
    assert!(message.contains("    return A;"), "{message}");
}

#[test]
fn directives_are_checked() {
    let modules = composer(&[
        ("two", "//!import a b"),
        ("what", "\n//!include a"),
        ("warp", "//!requires warps"),
        ("twice", "//!variant v a=b\n//!variant v"),
        ("open", "//!once a\nconst A: u32 = 1u;"),
        ("nested", "//!once a\n//!once b\n//!end"),
        ("ended", "//!end"),
    ]);
    for (module, at, why) in [
        ("two", "two.wgsl:1:1", "one module name"),
        ("what", "what.wgsl:2:1", "unknown directive `include`"),
        ("warp", "warp.wgsl:1:1", "unknown extension `warps`"),
        ("twice", "twice.wgsl:2:1", "declared twice"),
        ("open", "open.wgsl:1:1", "`a` has no //!end"),
        ("nested", "nested.wgsl:2:1", "`a` has no //!end"),
        ("ended", "ended.wgsl:1:1", "//!end without //!once"),
    ] {
        let message = modules.compose(module).unwrap_err().to_string();
        assert!(message.starts_with(at) && message.contains(why), "{message}");
    }
}

#[test]
fn an_item_of_two_modules_is_joined_once_and_lines_keep_their_numbers() {
    let item = "//!once demo::one\nfn one() -> u32 { return 1u; }\n//!end\n";
    let second = format!(
        "//!import first\n{item}fn two() -> u32 {{ return one() + one(); }}\nfn wrong() -> u32 {{ return 1f; }}"
    );
    let modules = composer(&[("first", item), ("second", &second)]);
    let message = modules.compose("second").unwrap_err().to_string();
    assert!(message.starts_with("second.wgsl:6:"), "{message}");
    let mut modules = composer(&[("first", item), ("second", &second.replace("1f", "1u"))]);
    assert_eq!(modules.compose("second").unwrap().source().matches("fn one").count(), 1);
    modules.replace("demo::one", "one.wgsl", "fn one() -> u32 { return 1f; }");
    let message = modules.compose("second").unwrap_err().to_string();
    assert!(message.starts_with("one.wgsl:1:"), "{message}");
}

#[test]
fn extensions_must_be_required_and_allowed() {
    let wide = "@compute @workgroup_size(64) fn main() { _ = subgroupAdd(1u); }";
    let required = format!("//!requires subgroups\n{wide}");
    let modules = composer(&[("silent", wide), ("open", &required)]);
    assert!(
        matches!(modules.compose("silent"), Err(ShaderError::Validation { .. })),
        "use without `requires` must fail"
    );
    assert_eq!(modules.compose("open").unwrap().requires(), [Extension::Subgroups]);

    let mut base = Composer::with_extensions(&[]);
    base.bind("open", "open.wgsl", &required);
    assert!(matches!(
        base.compose("open"),
        Err(ShaderError::ExtensionNotAllowed { extension: Extension::Subgroups, .. })
    ));
}

#[test]
fn variants_bind_by_name() {
    let modules = composer(&[
        ("one", "const N = 1u;"),
        ("two", "const N = 2u;"),
        (
            "main",
            "//!import n\n//!variant first n=one\n//!variant second n=two\n@compute @workgroup_size(N) fn main() {}",
        ),
    ]);
    for (variant, size) in [("first", 1), ("second", 2)] {
        let composed = modules.compose_variant("main", variant).unwrap();
        assert_eq!(composed.entry_point("main").unwrap().workgroup_size, [size, 1, 1]);
    }
    let message = modules.compose_variant("main", "third").unwrap_err().to_string();
    assert_eq!(message, "shader module `main` has no variant `third`, it has [first, second]");
}

#[test]
fn reflection_sees_every_kind_of_binding_and_who_uses_it() {
    let composed = composer(&[(
        "all",
        "struct U { a: vec4f, b: u32 }
@group(1) @binding(0) var<uniform> settings: U;
@group(0) @binding(2) var<storage, read> input: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> output: array<u32, 10>;
@group(0) @binding(4) var height: texture_2d_array<u32>;
@group(0) @binding(5) var depth: texture_depth_2d;
@group(0) @binding(6) var linear: sampler;
@group(0) @binding(7) var picture: texture_storage_2d<rgba8unorm, write>;
fn fetch(i: u32) -> u32 { return input[i].x; }
@compute @workgroup_size(8, 4) fn work() { output[0] = fetch(settings.b); }
@fragment fn shade() -> @location(0) vec4f { return textureSample(texture, linear, vec2f(0.5)); }
@group(0) @binding(1) var texture: texture_2d<f32>;",
    )])
    .compose("all")
    .unwrap();

    let names: Vec<_> = composed.bindings().iter().map(|b| (b.group, b.binding, b.name.as_str())).collect();
    assert_eq!(
        names,
        [
            (0, 1, "texture"),
            (0, 2, "input"),
            (0, 3, "output"),
            (0, 4, "height"),
            (0, 5, "depth"),
            (0, 6, "linear"),
            (0, 7, "picture"),
            (1, 0, "settings")
        ]
    );
    let binding = |name| composed.binding(name).unwrap();
    assert_eq!((binding("settings").kind, binding("settings").size), (BindingKind::Uniform, 32));
    assert_eq!((binding("input").kind, binding("input").size), (BindingKind::StorageRead, 8));
    assert_eq!((binding("output").kind, binding("output").size), (BindingKind::StorageReadWrite, 40));
    let texture = |dimension, sample| BindingKind::Texture { dimension, sample, multisampled: false };
    assert_eq!(binding("height").kind, texture(TextureDimension::D2Array, SampleType::Uint));
    assert_eq!(binding("depth").kind, texture(TextureDimension::D2, SampleType::Depth));
    assert_eq!(binding("linear").kind, BindingKind::Sampler { comparison: false });
    assert!(matches!(
        binding("picture").kind,
        BindingKind::StorageTexture { format: naga::StorageFormat::Rgba8Unorm, .. }
    ));

    let work = composed.entry_point("work").unwrap();
    assert_eq!((work.stage, work.workgroup_size), (Stage::Compute, [8, 4, 1]));
    assert_eq!(work.uses, ["input", "output", "settings"]);
    assert_eq!(composed.entry_point("shade").unwrap().uses, ["texture", "linear"]);
}

#[test]
fn lines_for_the_standard_are_text_there_and_comments_for_naga() {
    let text = "//!requires subgroups\n\
                //!standard @diagnostic(off, subgroup_uniformity)\n\
                fn f(a: u32) -> u32 { return subgroupAdd(a); }";
    let composed = composer(&[("main", text)]).compose("main").unwrap();
    let standard = composed.standard().unwrap();
    let lines: Vec<_> = standard.lines().collect();
    assert_eq!(lines[0], "enable subgroups; //!requires subgroups");
    assert_eq!(lines[1], "@diagnostic(off, subgroup_uniformity)");
    assert_eq!(lines[2], composed.source().lines().nth(2).unwrap());
    assert_eq!(composed.source().trim_end(), text);
}
