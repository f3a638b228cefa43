// What moves with a key? A word; stands in for other values where a shader is validated by itself.
//!import kernels/params

const HAS_VALUES: bool = true;
@group(0) @binding(6) var<storage, read_write> values_in: array<u32>;
@group(0) @binding(7) var<storage, read_write> values_out: array<u32>;

fn staged_value(item: u32) -> u32 { return values_in[params.aux_first + item]; }
fn write_value(place: u32, staged: u32) { values_out[params.items + place] = staged; }
