//!import terrain/pool/buffers
//!import terrain/mesh/buffers
// Which triangle of the drawn mesh is a live slot? The live slots before it, after `survey` has counted those of whole blocks.

fn triangle_of_slot(slot: u32) -> u32 {
    let block = slot / BLOCK;
    let own_word = slot >> 5u;
    var triangle = live_before[block];
    for (var word = block * (BLOCK / 32u); word < own_word; word++) {
        triangle += countOneBits(atomicLoad(&bits[word]));
    }
    return triangle + countOneBits(atomicLoad(&bits[own_word]) & ((1u << (slot & 31u)) - 1u));
}
