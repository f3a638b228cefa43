// Which bin does an item belong to? Stands in for other binnings where a shader is validated by itself.
//!import kernels/params
//!import kernels/stored

@group(0) @binding(2) var<storage, read> input: array<Stored>;

const BINS: u32 = 256u;
const COPIES: u32 = 4u;
const IN_WORKGROUP: bool = true;
fn bin_of(stored: Stored, item: u32) -> u32 { return u32(stored) & 255u; }
