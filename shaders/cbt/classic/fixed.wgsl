// How is a classic tree bound where nobody edits it, in vertex and fragment shaders too? One read-only buffer, group 1.

@group(1) @binding(0) var<storage, read> cbt_heap: array<u32>;

fn cbt_heap_load(word: u32) -> u32 {
    return cbt_heap[word];
}

// D, by the size of the heap, for which no load must be waited for; trees of depth 1 to 5 have the same.
fn cbt_stored_depth() -> u32 {
    let words = arrayLength(&cbt_heap);
    if words > 4u {
        return firstLeadingBit(words) + 3u;
    }
    return firstTrailingBit(cbt_heap[0]);
}
