// Where do items come from? A slice of elements; stands in for other sources where a shader is validated by itself.
//!import kernels/params
//!import kernels/element

@group(0) @binding(2) var<storage, read> input: array<Elem>;

fn source_load(item: u32) -> Elem {
    return input[params.input_first + item];
}

@group(0) @binding(8) var<storage, read> input4: array<vec4<Elem>>;

fn source_load4(item: u32) -> array<Elem, 4> {
    let four = input4[(params.input_first + item) / 4u];
    return array<Elem, 4>(four.x, four.y, four.z, four.w);
}

fn source_is_aligned() -> bool {
    return params.input_first % 4u == 0u;
}
