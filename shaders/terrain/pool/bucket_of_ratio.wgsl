// How urgent is a vertex whose error is `ratio` times what is tolerated? Twin of `bucket_of_ratio` in terrain/src/pool/key.rs:
// four buckets an octave from 2 on, 1 to stay as it is, 0 to merge.

fn bucket_of_ratio(ratio: f32) -> u32 {
    // Written so that what is not a number asks for nothing.
    if !(ratio >= 0.95) {
        return 0u;
    }
    if ratio < 1.0 {
        return 1u;
    }
    return u32(min(2.0 + floor(4.0 * log2(ratio)), 255.0));
}
