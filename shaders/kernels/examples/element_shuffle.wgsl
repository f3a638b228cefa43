// What does the host generate to pass an element between lanes? Stands in for it where a shader is validated by itself.
//!requires subgroups
//!import kernels/element

// A whole subgroup calls these or none of it: the one with id 0, say, which the analysis of uniformity does not see.
//!standard @diagnostic(off, subgroup_uniformity)
fn elem_shuffle(value: Elem, lane: u32) -> Elem { return subgroupShuffle(value, lane); }
//!standard @diagnostic(off, subgroup_uniformity)
fn elem_shuffle_up(value: Elem, distance: u32) -> Elem { return subgroupShuffleUp(value, distance); }
//!standard @diagnostic(off, subgroup_uniformity)
fn elem_shuffle_down(value: Elem, distance: u32) -> Elem { return subgroupShuffleDown(value, distance); }
