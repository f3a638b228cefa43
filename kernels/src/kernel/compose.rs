//! Which WGSL runs the items of a kernel? An entry point that knows which item an invocation has, and the combination of totals,
//! around the function that `#[kernel]` wrote.

use super::{Description, LoopKernel, ReductionText};
use crate::{KernelError, Kernels, Variant, wgsl::shuffled};
use shaders::Composer;

/// The entry points of kernel `name`.
pub(super) struct Entries {
    /// Does the items.
    pub items: String,
    /// Joins the totals of workgroups.
    pub totals: String,
    /// Empties the list.
    pub begin: String,
}

impl Entries {
    pub fn of(name: &str) -> Self {
        Self { items: format!("{name}_items"), totals: format!("{name}_totals"), begin: format!("{name}_begin") }
    }
}

/// The module that all entry points are in.
pub(super) const MODULE: &str = "device/kernel/entry";
/// The module of the function and what it needs.
const FUNCTION: &str = "device/kernel/function";
/// The module of variables.
const VARIABLES: &str = "device/kernel/variables";

/// Whether all loops of a segment end: those of the library do, and those that `#[kernel]` and `#[device]` write for `for`,
/// which count towards a bound that does not change. `while` loops are the user's.
pub(super) fn loops_end(segment: &shaders::Segment, function: &str) -> bool {
    let generated = [MODULE, FUNCTION, VARIABLES].contains(&segment.module.as_str());
    let counts = |line: &str| !["while ", "loop "].iter().any(|word| line.trim_start().starts_with(word));
    segment.loops_end || generated && function.lines().all(counts)
}

/// A composer with the modules of `K`, workgroups of these sizes, and the form of totals; `variant` must be resolved.
pub(super) fn composer<K: LoopKernel>(
    kernels: &Kernels,
    workgroup: [u32; 3],
    variant: Variant,
) -> Result<Composer, KernelError> {
    let description = K::DESCRIPTION;
    let Description { name, bindings, list, .. } = description;
    let mut composer = crate::composer();
    composer.bind(FUNCTION, &format!("{name} (kernel)"), K::WGSL);
    // The turns of whole tiles.
    for turns in 2..=64 {
        composer.unroll(&format!("{turns}u"), turns);
    }
    let [x, y, z] = workgroup;
    let sizes = format!(
        "const WORKGROUP_X: u32 = {x}u;\nconst WORKGROUP_Y: u32 = {y}u;\nconst WORKGROUP_Z: u32 = {z}u;\n\
         const WORKGROUP: u32 = {}u;\n\n",
        x * y * z
    );
    let mut variables = String::new();
    if let Some(list) = list {
        variables.push_str("//!import kernels/append_place\n");
        kernels.bind_append(&mut composer);
        let counter = format!("{}_counter", list.name);
        composer.bind(
            "kernels/append_counter",
            "counter of a list",
            &format!(
                "fn append_add(items: u32) -> u32 {{ return atomicAdd(&{counter}[0], items); }}\n\
                 fn append_overflow() {{ atomicStore(&{counter}[1], 1u); }}\n"
            ),
        );
    }
    variables.push_str(&format!("{sizes}{bindings}"));
    composer.bind(VARIABLES, &format!("{name} (variables)"), &variables);
    let mut text = format!("//!import {VARIABLES}\n//!import {FUNCTION}\n");
    if variant == Variant::Subgroup {
        text.insert_str(0, "//!requires subgroups\n");
    }
    if description.totals.is_empty() {
        text.push_str(&items(description));
    } else {
        let max_subgroups = workgroup.iter().product::<u32>() / kernels.caps().subgroups.map_or(4, |s| s.min.max(1));
        text.push_str(&lane(variant));
        for total in description.totals {
            text.push_str(&of_workgroup(total, variant, max_subgroups.max(1))?);
        }
        text.push_str(&items_with_totals(description));
    }
    if let Some(list) = list.as_ref().filter(|list| list.is_cleared) {
        text.push_str(&format!(
            "\n@compute @workgroup_size(1)\nfn {}() {{\n    atomicStore(&{1}_counter[0], 0u);\n    \
             atomicStore(&{1}_counter[1], 0u);\n}}\n",
            Entries::of(name).begin,
            list.name
        ));
    }
    composer.bind(MODULE, &format!("{name} (entry points)"), &text);
    Ok(composer)
}

/// Indices of an item in the order of the loops.
const INDICES: [&str; 3] = ["x", "y, x", "z, y, x"];

/// The end of the innermost loop now.
fn end_x(description: &Description) -> String {
    description.count.map_or("arguments.space.end.x".to_owned(), |count| format!("{count}_now()"))
}

/// `let x = …;` and so on: the item of an invocation of workgroup `number`, of `columns` and `rows` of workgroups.
fn places(dimensions: u32, columns: &str, rows: &str, local: &str) -> Vec<String> {
    let numbers = match dimensions {
        1 => vec!["number".to_owned()],
        2 => vec![format!("number % {columns}"), format!("number / {columns}")],
        _ => vec![
            format!("number % {columns}"),
            format!("number / {columns} % {rows}"),
            format!("number / {columns} / {rows}"),
        ],
    };
    let place = |(axis, number): (&str, String)| {
        let size = axis.to_ascii_uppercase();
        format!("let {axis} = arguments.space.first.{axis} + {number} * WORKGROUP_{size} + {local}.{axis};")
    };
    ["x", "y", "z"].into_iter().zip(numbers).map(place).collect()
}

/// Whether an item is one.
fn inside(description: &Description) -> String {
    let outer = ["y", "z"].into_iter().take(description.dimensions as usize - 1);
    let outer = outer.map(|axis| format!(" && {axis} < arguments.space.end.{axis}"));
    format!("x < {}{}", end_x(description), outer.collect::<String>())
}

/// One invocation for each item.
fn items(description: &Description) -> String {
    let Description { name, dimensions, is_tiled, .. } = description;
    let entry = Entries::of(name).items;
    let indices = INDICES[*dimensions as usize - 1];
    let mut lines = vec!["let number = workgroup.y * workgroups.x + workgroup.x;".to_owned()];
    lines.extend(places(*dimensions, "arguments.space.columns", "arguments.space.rows", "local"));
    let inside = inside(description);
    let mut builtins =
        "    @builtin(workgroup_id) workgroup: vec3u,\n    @builtin(num_workgroups) workgroups: vec3u,\n    \
                        @builtin(local_invocation_id) local: vec3u,\n"
            .to_owned();
    if *is_tiled {
        builtins.push_str("    @builtin(local_invocation_index) rank: u32,\n");
        lines.push(format!("{name}({indices}, {inside}, local, rank);"));
    } else {
        lines.push(format!("if {inside} {{\n        {name}({indices});\n    }}"));
    }
    format!(
        "\n@compute @workgroup_size(WORKGROUP_X, WORKGROUP_Y, WORKGROUP_Z)\nfn {entry}(\n{builtins}) {{\n    {}\n}}\n",
        lines.join("\n    ")
    )
}

/// What an invocation knows of its place in the workgroup, and what all of them know: apart, because WGSL takes a parameter for
/// uniform as a whole or not at all.
fn lane(variant: Variant) -> String {
    let (lane, group) = match variant {
        Variant::Subgroup => (
            "    @builtin(subgroup_invocation_id) lane: u32,\n    @builtin(subgroup_id) subgroup: u32,\n",
            "    @builtin(subgroup_size) size: u32,\n    @builtin(num_subgroups) subgroups: u32,\n",
        ),
        _ => ("", ""),
    };
    format!(
        "\nstruct KernelLane {{\n    @builtin(local_invocation_index) rank: u32,\n{lane}}}\n\n\
         struct KernelGroup {{\n    @builtin(workgroup_id) workgroup: vec3u,\n    @builtin(num_workgroups) workgroups: vec3u,\n{group}}}\n"
    )
}

/// `NAME_combined` of two values and `NAME_of_workgroup` of all invocations. Both commute operands.
fn of_workgroup(total: &ReductionText, variant: Variant, max_subgroups: u32) -> Result<String, KernelError> {
    let ReductionText { name, ty, declaration, identity, combined, subgroup, .. } = total;
    let head = format!("\nfn {name}_combined(a: {ty}, b: {ty}) -> {ty} {{\n    return {combined};\n}}\n\n");
    if variant != Variant::Subgroup {
        return Ok(format!(
            "{head}var<workgroup> {name}_shared: array<{ty}, WORKGROUP>;\n\n\
             fn {name}_of_workgroup(value: {ty}, lane: KernelLane, group: KernelGroup) -> {ty} {{\n    \
             {name}_shared[lane.rank] = value;\n    \
             for (var half = WORKGROUP / 2u; half > 0u; half /= 2u) {{\n        \
             workgroupBarrier();\n        \
             if lane.rank < half {{\n            \
             {name}_shared[lane.rank] = {name}_combined({name}_shared[lane.rank], {name}_shared[lane.rank + half]);\n        \
             }}\n    }}\n    workgroupBarrier();\n    return {name}_shared[0];\n}}\n"
        ));
    }
    let of_subgroup = if subgroup.is_empty() {
        let exchanged = shuffled(ty, declaration, "subgroupShuffleXor", "distance")?.unwrap_or_default();
        format!(
            "fn {name}_exchanged(value: {ty}, distance: u32) -> {ty} {{\n    return {exchanged};\n}}\n\n\
             fn {name}_of_subgroup(value: {ty}, lane: KernelLane, group: KernelGroup) -> {ty} {{\n    var sum = value;\n    \
             for (var distance = 1u; distance < group.size; distance *= 2u) {{\n        \
             sum = {name}_combined(sum, {name}_exchanged(sum, distance));\n    }}\n    return sum;\n}}\n\n"
        )
    } else {
        format!(
            "fn {name}_of_subgroup(value: {ty}, lane: KernelLane, group: KernelGroup) -> {ty} {{\n    return {subgroup}(value);\n}}\n\n"
        )
    };
    Ok(format!(
        "{head}{of_subgroup}var<workgroup> {name}_shared: array<{ty}, {max_subgroups}>;\n\n\
         fn {name}_of_workgroup(value: {ty}, lane: KernelLane, group: KernelGroup) -> {ty} {{\n    \
         let sum = {name}_of_subgroup(value, lane, group);\n    \
         if lane.lane == 0u {{\n        {name}_shared[lane.subgroup] = sum;\n    }}\n    workgroupBarrier();\n    \
         var all = {identity};\n    \
         for (var other = lane.lane; other < group.subgroups; other += group.size) {{\n        \
         all = {name}_combined(all, {name}_shared[other]);\n    }}\n    \
         return {name}_of_subgroup(all, lane, group);\n}}\n"
    ))
}

/// A fixed number of workgroups take items in turn; a second entry point joins what they reduced.
fn items_with_totals(description: &Description) -> String {
    let Description { name, totals, .. } = description;
    let entries = Entries::of(name);
    let end = match description.count {
        Some(_) => format!("vec3u({}, 1u, 1u)", end_x(description)),
        None => "arguments.space.end - arguments.space.first".to_owned(),
    };
    let turns = if description.is_tiled { turns_of_workgroups(description) } else { turns_of_items(description) };
    let each = |write: &dyn Fn(&ReductionText) -> String| totals.iter().map(write).collect::<Vec<_>>().concat();
    let begin = each(&|total| format!("    {} = {};\n", total.name, total.identity));
    let parts = each(&|ReductionText { name, .. }| {
        format!(
            "    let {name}_sum = {name}_of_workgroup({name}, lane, group);\n    \
             if lane.rank == 0u {{\n        {name}_parts[group.workgroup.x] = {name}_sum;\n    }}\n"
        )
    });
    let joined = each(&|ReductionText { name, has_start, .. }| {
        let start = if *has_start { format!("{name}_start()") } else { format!("{name}_out[0]") };
        format!(
            "    for (var part = lane.rank; part < arguments.space.columns; part += WORKGROUP) {{\n        \
             {name} = {name}_combined({name}, {name}_parts[part]);\n    }}\n    \
             let {name}_sum = {name}_of_workgroup({name}, lane, group);\n    \
             if lane.rank == 0u {{\n        {name}_out[0] = {name}_combined({start}, {name}_sum);\n    }}\n"
        )
    });
    format!(
        "\n@compute @workgroup_size(WORKGROUP)\nfn {}(lane: KernelLane, group: KernelGroup) {{\n{begin}    \
         let end = {end};\n{turns}{parts}}}\n\n\
         @compute @workgroup_size(WORKGROUP)\nfn {}(lane: KernelLane, group: KernelGroup) {{\n{begin}{joined}}}\n",
        entries.items, entries.totals,
    )
}

/// Each invocation takes items of its own in turn.
fn turns_of_items(description: &Description) -> String {
    let Description { name, dimensions, .. } = description;
    let (size, item) = match dimensions {
        1 => ("end.x", vec!["let x = arguments.space.first.x + item;"]),
        2 => (
            "end.x * end.y",
            vec!["let x = arguments.space.first.x + item % end.x;", "let y = arguments.space.first.y + item / end.x;"],
        ),
        _ => (
            "end.x * end.y * end.z",
            vec![
                "let x = arguments.space.first.x + item % end.x;",
                "let y = arguments.space.first.y + item / end.x % end.y;",
                "let z = arguments.space.first.z + item / end.x / end.y;",
            ],
        ),
    };
    format!(
        "    let stride = group.workgroups.x * WORKGROUP;\n    \
         for (var item = group.workgroup.x * WORKGROUP + lane.rank; item < {size}; item += stride) {{\n        {}\n        \
         {name}({});\n    }}\n",
        item.join("\n        "),
        INDICES[*dimensions as usize - 1],
    )
}

/// All invocations of a workgroup take a block of items together, in turn: they wait for each other at tiles. WGSL has
/// subgroups in workgroups of one dimension alone.
fn turns_of_workgroups(description: &Description) -> String {
    let Description { name, dimensions, .. } = description;
    let number = ["blocks.x", "blocks.x * blocks.y", "blocks.x * blocks.y * blocks.z"][*dimensions as usize - 1];
    format!(
        "    let local = vec3u(lane.rank % WORKGROUP_X, lane.rank / WORKGROUP_X % WORKGROUP_Y, lane.rank / (WORKGROUP_X * WORKGROUP_Y));\n    \
         let blocks = (end + vec3u(WORKGROUP_X, WORKGROUP_Y, WORKGROUP_Z) - 1u) / vec3u(WORKGROUP_X, WORKGROUP_Y, WORKGROUP_Z);\n    \
         for (var number = group.workgroup.x; number < {number}; number += group.workgroups.x) {{\n        {}\n        \
         {name}({}, {}, local, lane.rank);\n    }}\n",
        places(*dimensions, "blocks.x", "blocks.y", "local").join("\n        "),
        INDICES[*dimensions as usize - 1],
        inside(description),
    )
}
