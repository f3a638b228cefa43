// What does the host generate to pass an element between lanes? Stands in for it where a shader is validated by itself.
//!requires subgroups
//!import kernels/element

fn elem_shuffle(value: Elem, lane: u32) -> Elem { return subgroupShuffle(value, lane); }
fn elem_shuffle_up(value: Elem, distance: u32) -> Elem { return subgroupShuffleUp(value, distance); }
fn elem_shuffle_down(value: Elem, distance: u32) -> Elem { return subgroupShuffleDown(value, distance); }
