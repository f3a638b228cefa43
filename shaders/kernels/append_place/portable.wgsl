// Where does this invocation's item go in a list that all append to? One atomic addition an item.
//
// Import `kernels/append_place`; it stands for this module or for its twin with subgroups. Bind the virtual module
// `kernels/append_counter`: `append_add(items: u32) -> u32` adds to the counter and returns what it was, `append_overflow()`
// notes that an item found no room.

//!import kernels/append_counter

const APPEND_NONE: u32 = 0xffffffffu;

// A place of its own for the item of each invocation that wants one, below `room`, or APPEND_NONE.
fn append_place(wanted: bool, room: u32) -> u32 {
    if !wanted {
        return APPEND_NONE;
    }
    let place = append_add(1u);
    if place >= room {
        append_overflow();
        return APPEND_NONE;
    }
    return place;
}
