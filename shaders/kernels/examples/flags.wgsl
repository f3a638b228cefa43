// Which items are kept? Those that are not zero; stands in for other predicates where a shader is validated by itself.
//!import kernels/params
//!import kernels/element
//!import kernels/stored

@group(0) @binding(2) var<storage, read> input: array<Stored>;

fn source_map(stored: Stored, item: u32) -> Elem {
    return select(0u, 1u, stored != 0.0);
}

fn source_load(item: u32) -> Elem {
    return source_map(input[params.input_first + item], item);
}

@group(0) @binding(8) var<storage, read> input4: array<vec4<Stored>>;

fn source_stored4(item: u32) -> array<Stored, 4> {
    let four = input4[(params.input_first + item) / 4u];
    return array<Stored, 4>(four.x, four.y, four.z, four.w);
}

fn source_is_aligned() -> bool {
    return params.input_first % 4u == 0u;
}
