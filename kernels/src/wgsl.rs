//! Which WGSL does the host write? The element's declaration, its shuffles, and the loader of a source.

use crate::{Element, KernelError, Operator, Source, Variant};
use gpu::Caps;
use naga::TypeInner;
use shaders::Composer;

/// Items that an invocation holds: 64 bytes of them, at least 4.
pub(crate) fn items_per_invocation<T: Element>() -> u32 {
    match size_of::<T>() {
        0..=4 => 16,
        5..=8 => 8,
        _ => 4,
    }
}

/// Items of a workgroup's tile.
pub(crate) fn tile_items<T: Element>() -> u32 {
    256 * items_per_invocation::<T>()
}

/// A source as text, so that primitives can make their own from a user's function.
#[derive(Clone, Debug)]
pub(crate) struct SourceText {
    pub name: String,
    pub stored_type: &'static str,
    pub stored_declaration: &'static str,
    /// Defines `source_map(stored: Stored, item: u32) -> Elem`.
    pub map: String,
    /// `read`, or `read_write` where the input lies in the scratch that the dispatch also writes.
    pub access: &'static str,
    /// Further modules that `map` imports: name, file, text.
    pub modules: Vec<(&'static str, String, String)>,
}

impl SourceText {
    pub fn of<S: Source>() -> Self {
        Self {
            name: S::NAME.to_owned(),
            stored_type: S::Stored::TYPE,
            stored_declaration: S::Stored::DECLARATION,
            map: S::WGSL.to_owned(),
            access: "read",
            modules: Vec::new(),
        }
    }

    /// Elements in scratch.
    pub fn scratch<T: Element>() -> Self {
        Self { access: "read_write", ..Self::of::<crate::Plain<T>>() }
    }
}

/// The value `value` of type `ty` passed between lanes by `function`, a subgroup operation of scalars and vectors, as a WGSL
/// expression; `None` where it has other parts.
pub(crate) fn shuffled(
    ty: &str,
    declaration: &str,
    function: &str,
    argument: &str,
) -> Result<Option<String>, KernelError> {
    if declaration.is_empty() {
        return Ok(Some(format!("{function}(value, {argument})")));
    }
    let mut composer = crate::composer();
    composer.bind("element", &format!("{ty} (element)"), declaration);
    let composed = composer.compose("element")?;
    let types = &composed.module().types;
    let members = types.iter().find_map(|(_, found)| match &found.inner {
        TypeInner::Struct { members, .. } if found.name.as_deref() == Some(ty) => Some(members),
        _ => None,
    });
    let parts = members.into_iter().flatten().map(|member| {
        let shuffled = matches!(types[member.ty].inner, TypeInner::Scalar(_) | TypeInner::Vector { .. });
        let name = member.name.as_deref().unwrap_or_default();
        shuffled.then(|| format!("{function}(value.{name}, {argument})"))
    });
    let parts: Option<Vec<String>> = parts.collect();
    Ok(parts.filter(|parts| !parts.is_empty()).map(|parts| format!("{ty}({})", parts.join(", "))))
}

/// Whether lanes can pass `T` to each other, and the WGSL that does. A whole subgroup calls these functions or none of it: the
/// one with id 0, say, which the analysis of uniformity does not see.
pub(crate) fn shuffles<T: Element>() -> Result<Option<String>, KernelError> {
    let mut text = "//!requires subgroups\n//!import kernels/element\n".to_owned();
    for (name, function, argument) in [
        ("elem_shuffle", "subgroupShuffle", "lane"),
        ("elem_shuffle_up", "subgroupShuffleUp", "distance"),
        ("elem_shuffle_down", "subgroupShuffleDown", "distance"),
    ] {
        let Some(body) = shuffled(T::TYPE, T::DECLARATION, function, argument)? else { return Ok(None) };
        text.push_str(&format!(
            "//!standard @diagnostic(off, subgroup_uniformity)\n\
             fn {name}(value: Elem, {argument}: u32) -> Elem {{ return {body}; }}\n"
        ));
    }
    Ok(Some(text))
}

/// A composer in which the virtual modules of a primitive over `O` and `source` are bound; `variant` must be resolved.
pub(crate) fn composer<O: Operator>(
    caps: &Caps,
    variant: Variant,
    source: &SourceText,
) -> Result<Composer, KernelError> {
    let mut composer = crate::composer();
    let item = O::Item::TYPE;
    // One access moves four items of one word.
    let vector = is_word(item) && is_word(source.stored_type);
    composer.bind_module("kernels/store", if vector { "kernels/store/vector" } else { "kernels/store/scalar" });
    bind_group::<O>(&mut composer, caps, variant, items_per_invocation::<O::Item>(), vector)?;
    bind_source(&mut composer, source, item, O::Item::DECLARATION);
    Ok(composer)
}

/// Makes `kernels/group` the functions by which the 256 invocations of a workgroup reduce and scan values with `O`, in a shader of your own.
///
/// The shader imports `kernels/group`. Its entry point, of 256 invocations, takes `lane: Lane, group: Group`; then
/// `lane_rank(lane, group)` is the place of the invocation in its workgroup, `group.workgroup` the workgroup's,
/// `group_reduce(value, lane, group)` what all values combine to, and `group_scan_one(value, lane, group)` what those of all ranks
/// before combine to, after which `sh_total` is what all do. All invocations call them together.
///
/// # Errors
/// [`KernelError::Variant`] if the device cannot run the variant.
///
/// ```
/// use gpu::{Gpu, GpuOptions};
/// use kernels::{Sum, Variant, bind_group_functions};
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let mut composer = kernels::composer();
/// bind_group_functions::<Sum<u32>>(&mut composer, &gpu.caps, Variant::Auto)?;
/// composer.bind("mine/number", "number.wgsl", "
/// //!import kernels/group
/// @group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
/// @compute @workgroup_size(256) fn number(lane: Lane, group: Group) {
///     let rank = lane_rank(lane, group);
///     numbers[rank] = group_scan_one(numbers[rank], lane, group);
/// }");
/// let shader = composer.compose("mine/number")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bind_group_functions<O: Operator>(
    composer: &mut Composer,
    caps: &Caps,
    variant: Variant,
) -> Result<(), KernelError> {
    let variant = variant.choose(caps, shuffles::<O::Item>()?.is_some())?;
    bind_group::<O>(composer, caps, variant, 1, false)
}

/// Binds `kernels/group` and what it imports, for invocations of `items` items, which are loaded four at a time where they are a `vector`;
/// `variant` must be resolved.
fn bind_group<O: Operator>(
    composer: &mut Composer,
    caps: &Caps,
    variant: Variant,
    items: u32,
    vector: bool,
) -> Result<(), KernelError> {
    let item = O::Item::TYPE;
    let max_subgroups = 256 / caps.subgroups.map_or(4, |sizes| sizes.min.clamp(4, 128));
    composer.bind(
        "kernels/element",
        &format!("{item} (element)"),
        &format!(
            "{}\nalias Elem = {item};\nconst ITEMS: u32 = {items}u;\nconst MAX_SUBGROUPS: u32 = {max_subgroups}u;\n\
             const VECTOR: bool = {vector};\n",
            O::Item::DECLARATION
        ),
    );
    composer.bind(
        "kernels/operator_flags",
        "operator flags",
        &format!("const COMMUTATIVE: bool = {};", O::COMMUTATIVE),
    );
    composer.bind(
        "kernels/operator",
        "operator",
        "//!import kernels/operator_flags\n//!import kernels/operator_text\n",
    );
    composer.bind("kernels/operator_text", &format!("{} (operator)", O::NAME), O::WGSL);
    if variant == Variant::Subgroup {
        composer.bind_module("kernels/group", "kernels/group/subgroup");
        let text = shuffles::<O::Item>()?.unwrap_or_default();
        composer.bind("kernels/element_shuffle", &format!("{item} (shuffles)"), &text);
    } else {
        composer.bind_module("kernels/group", "kernels/group/portable");
    }
    Ok(())
}

/// Whether items are integers of one word, whose combinations are exact and can be posted.
pub(crate) fn is_integer_word<T: Element>() -> bool {
    ["u32", "i32"].contains(&T::TYPE)
}

fn is_word(wgsl_type: &str) -> bool {
    ["u32", "i32", "f32"].contains(&wgsl_type)
}

/// Binds the modules `kernels/stored`, `kernels/source_map` and `kernels/source`.
fn bind_source(composer: &mut Composer, source: &SourceText, item_type: &str, item_declaration: &str) {
    let SourceText { name, stored_type, stored_declaration, map, access, modules } = source;
    for (module, file, text) in modules {
        composer.bind(module, file, text);
    }
    // One type has one declaration.
    let declaration =
        if *stored_type == item_type && *stored_declaration == item_declaration { "" } else { stored_declaration };
    composer.bind(
        "kernels/stored",
        &format!("{stored_type} (stored element)"),
        &format!("//!import kernels/element\n{declaration}\nalias Stored = {stored_type};\n"),
    );
    composer.bind("kernels/source_map", &format!("{name} (source)"), map);
    // The same memory as `input`, four elements at a time.
    let load4 = if is_word(item_type) && is_word(stored_type) {
        format!(
            "@group(0) @binding(8) var<storage, {access}> input4: array<vec4<Stored>>;\n\
             fn source_stored4(item: u32) -> array<Stored, 4> {{\n\
             let four = input4[(params.input_first + item) / 4u];\n\
             return array<Stored, 4>(four.x, four.y, four.z, four.w);\n}}\n\
             fn source_is_aligned() -> bool {{ return params.input_first % 4u == 0u; }}\n"
        )
    } else {
        "fn source_stored4(item: u32) -> array<Stored, 4> {\n\
         let at = params.input_first + item;\n\
         return array<Stored, 4>(input[at], input[at + 1u], input[at + 2u], input[at + 3u]);\n}\n\
         fn source_is_aligned() -> bool { return false; }\n"
            .to_owned()
    };
    composer.bind(
        "kernels/source",
        "source",
        &format!(
            "//!import kernels/params\n//!import kernels/element\n//!import kernels/stored\n//!import kernels/source_map\n\
             @group(0) @binding(2) var<storage, {access}> input: array<Stored>;\n\
             fn source_load(item: u32) -> Elem {{ return source_map(input[params.input_first + item], item); }}\n{load4}\
             fn source_load4(item: u32) -> array<Elem, 4> {{\n\
             let four = source_stored4(item);\n\
             return array<Elem, 4>(source_map(four[0], item), source_map(four[1], item + 1u),\n\
             source_map(four[2], item + 2u), source_map(four[3], item + 3u));\n}}\n"
        ),
    );
}
