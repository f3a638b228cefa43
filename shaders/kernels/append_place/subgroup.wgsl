// Where does this invocation's item go in a list that all append to? One atomic addition for the invocations of a subgroup.
//
// As portable.wgsl, which says what to import and to bind. Neighbours that append together get neighbouring places.

//!requires subgroups
//!import kernels/append_counter

const APPEND_NONE: u32 = 0xffffffffu;

// A place of its own for the item of each invocation that wants one, below `room`, or APPEND_NONE. Invocations that are not
// here, because of a branch, are not waited for.
//!standard @diagnostic(off, subgroup_uniformity)
fn append_place(wanted: bool, room: u32) -> u32 {
    let one = select(0u, 1u, wanted);
    let before = subgroupExclusiveAdd(one);
    let items = subgroupAdd(one);
    var first = 0u;
    if wanted && before == 0u {
        first = append_add(items);
    }
    // Only one of them holds more than 0.
    let place = subgroupAdd(first) + before;
    if !wanted {
        return APPEND_NONE;
    }
    if place >= room {
        append_overflow();
        return APPEND_NONE;
    }
    return place;
}
