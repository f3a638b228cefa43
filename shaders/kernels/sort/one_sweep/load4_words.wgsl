// How are four keys loaded that are neighbours? As a vector, from the buffer of keys bound a second time; for keys of one word.

//!import kernels/sort/digit

@group(0) @binding(8) var<storage, read_write> keys_in4: array<vec4<Key>>;

fn load4_is_aligned() -> bool { return params.input_first % 4u == 0u; }

fn load4(item: u32) -> array<Key, 4> {
    let four = keys_in4[(params.input_first + item) / 4u];
    return array<Key, 4>(four.x, four.y, four.z, four.w);
}
