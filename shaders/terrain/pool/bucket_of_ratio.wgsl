// How urgent is a vertex whose error is `ratio` times what is tolerated? Quarter octaves.
// Generated from terrain/src/metric.rs: ./x generate

//!once terrain::metric::MERGE_BELOW
// Ratio of projected to tolerated error at which a pair stops being worth its bisection.
const MERGE_BELOW: f32 = 0.95f;
//!end

//!once terrain::key_words::BUCKET_SPLIT
// Lowest bucket that asks for a bisection.
const BUCKET_SPLIT: u32 = 2u;
//!end

//!once kernels::device::u32_from_f32
// `x as u32` as Rust has it.
fn u32_from_f32(x: f32) -> u32 {
    return select(u32(x), 0xffffffffu, x >= 4294967296.0f);
}
//!end

//!once terrain::metric::bucket_of_ratio
// Bucket of a ratio of projected to tolerated error: 0 to merge, 1 to stay as it is, from 2 on four an octave to cut.
fn bucket_of_ratio(ratio: f32) -> u32 {
    if !(ratio >= MERGE_BELOW) {
        return 0u;
    }
    if ratio < 1.0f {
        return 1u;
    }
    return BUCKET_SPLIT + u32_from_f32(min(floor(4.0f * log2(ratio)), 253.0f));
}
//!end
