// How is a classic tree bound where nobody edits it, in vertex and fragment shaders too? One read-only buffer, group 1.

@group(1) @binding(0) var<storage, read> cbt_heap: array<u32>;

fn cbt_heap_load(word: u32) -> u32 {
    return cbt_heap[word];
}
