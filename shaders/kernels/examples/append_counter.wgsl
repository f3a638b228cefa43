// What counts the items of a list? Two words; stands in for a caller's where a shader is validated by itself.

@group(0) @binding(0) var<storage, read_write> append_counter: array<atomic<u32>, 2>;

fn append_add(items: u32) -> u32 {
    return atomicAdd(&append_counter[0], items);
}

fn append_overflow() {
    atomicStore(&append_counter[1], 1u);
}
