// What happens to a leaf that is decoded? It is written into a list, at its index less the first of the window.

@group(0) @binding(1) var<storage, read_write> cbt_list: array<u32>;

fn visit(index: u32, leaf: u32) {
    cbt_list[index - cbt_visit.first] = leaf;
}

fn visit_end(rank: u32) {
}
