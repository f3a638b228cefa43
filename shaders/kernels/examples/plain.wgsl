// Where do items come from? A slice of elements; stands in for other sources where a shader is validated by itself.
//!import kernels/params
//!import kernels/element

@group(0) @binding(2) var<storage, read> input: array<Elem>;

fn source_load(item: u32) -> Elem {
    return input[params.input_first + item];
}
