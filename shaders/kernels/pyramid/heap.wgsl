// Where does the combination of a node go? A heap: the root at 1, the children of k at 2k and 2k + 1.

//!import kernels/params
//!import kernels/element

@group(0) @binding(3) var<storage, read_write> output: array<Elem>;

// The level of the items of this dispatch: there are 2^leaf_level.
fn leaf_level() -> u32 {
    return params.extra;
}

// Stores node `index` of the level `up` above the items; nodes beyond the root or beside the level do not exist.
fn heap_store(up: u32, index: u32, value: Elem) {
    if up <= leaf_level() {
        let width = 1u << (leaf_level() - up);
        if index < width {
            output[params.output_first + width + index] = value;
        }
    }
}
