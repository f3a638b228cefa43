// What is a primitive told of its arguments?
// Generated from kernels/src/arguments.rs: ./x generate

//!once kernels::arguments::Params
// What a primitive is told of its arguments.
struct Params {
    // Items at most; the count is clamped to it.
    capacity: u32,
    // Where the count lies in `count`.
    count_index: u32,
    // Workgroups launched.
    chunks: u32,
    // First element of each bound slice.
    input_first: u32,
    output_first: u32,
    aux_first: u32,
    // Items, where the count counts something else.
    items: u32,
    // Meaning by primitive.
    mode: u32,
    // Likewise.
    extra: u32,
}
//!end
