// What moves with a key? A word; stands in for other values where a shader is validated by itself.
//!import kernels/params

@group(0) @binding(6) var<storage, read_write> values_in: array<u32>;
@group(0) @binding(7) var<storage, read_write> values_out: array<u32>;

fn move_payload(source: u32, place: u32) {
    values_out[params.items + place] = values_in[params.aux_first + source];
}
