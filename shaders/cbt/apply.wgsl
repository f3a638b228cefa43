// How do leaves that were decoded into a list get what they ask for? As in `cbt::Tree::update`: a leaf that asks to split does,
// unless it is on the deepest level; two sibling leaves merge if both ask for it.
//
// Twin: cbt/src/update.rs. The list and the wishes speak of the same reduction, so the result does not depend on any order.

//!import cbt/edit
//!variant classic cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/read_write
//!variant compact cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_write

const CBT_KEEP: u32 = 0u;
const CBT_SPLIT: u32 = 1u;
const CBT_MERGE: u32 = 2u;

struct CbtApply {
    // Leaves that the list has room for.
    capacity: u32,
}

@group(0) @binding(0) var<uniform> cbt_apply: CbtApply;
@group(0) @binding(1) var<storage, read> cbt_list: array<u32>;
@group(0) @binding(2) var<storage, read> cbt_wishes: array<u32>;

@compute @workgroup_size(256)
fn apply_edits(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = id.x + id.y * groups.x * 256u;
    if index >= min(cbt_apply.capacity, cbt_leaf_count()) {
        return;
    }
    let leaf = cbt_list[index];
    let wish = cbt_wishes[index];
    if wish == CBT_SPLIT {
        cbt_split(leaf);
    } else if wish == CBT_MERGE && cbt_is_right_child(leaf) && index > 0u {
        if cbt_list[index - 1u] == cbt_sibling(leaf) && cbt_wishes[index - 1u] == CBT_MERGE {
            cbt_merge(cbt_parent(leaf));
        }
    }
}
