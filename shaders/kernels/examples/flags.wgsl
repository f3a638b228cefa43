// Which items are kept? Those that are not zero; stands in for other predicates where a shader is validated by itself.
//!import kernels/params
//!import kernels/element
//!import kernels/stored

@group(0) @binding(2) var<storage, read> input: array<Stored>;

fn source_load(item: u32) -> Elem {
    return select(0u, 1u, input[params.input_first + item] != 0.0);
}

fn source_load4(item: u32) -> array<Elem, 4> {
    return array<Elem, 4>(source_load(item), source_load(item + 1u), source_load(item + 2u), source_load(item + 3u));
}

fn source_is_aligned() -> bool {
    return true;
}
