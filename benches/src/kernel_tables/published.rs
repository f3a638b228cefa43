//! What does CUB, NVIDIA's own primitives, reach in the same rows on an H200?

/// CUB of CUDA 13 on an NVIDIA H200 (driver 580.159), device timestamps, median of 10 after 2 untimed runs: its algorithms,
/// and of each number of u32 the times in microseconds in the same order.
const CUB_ALGORITHMS: [(&str, &str); 6] = [
    ("copy", "copy"),
    ("reduce sum u32", "reduce"),
    ("scan exclusive u32", "exclusive scan"),
    ("sort keys u32", "sort keys"),
    ("sort pairs u32", "sort pairs"),
    ("compact half u32", "select-if"),
];
const CUB_TIMES_US: [(u32, [f64; 6]); 9] = [
    (1 << 10, [6.4, 7.1, 12.8, 15.2, 16.5, 12.4]),
    (1 << 14, [6.6, 12.0, 13.3, 55.3, 58.2, 14.1]),
    (1 << 16, [6.8, 12.1, 14.0, 63.4, 67.9, 15.8]),
    (1 << 18, [6.9, 10.7, 14.1, 70.2, 74.9, 14.8]),
    (1 << 20, [8.1, 12.3, 18.1, 87.1, 99.9, 16.0]),
    (1 << 22, [11.4, 12.2, 22.6, 174.0, 221.0, 21.5]),
    (1 << 24, [38.4, 25.4, 59.7, 425.0, 618.0, 52.1]),
    (1 << 26, [132.0, 69.5, 186.0, 1_420.0, 2_200.0, 164.0]),
    (1 << 28, [514.0, 245.0, 704.0, 5_450.0, 8_562.0, 601.0]),
];

/// CUB's algorithm for a primitive, with its times in microseconds by number of items; none for primitives that CUB was not
/// timed for.
pub fn cub(primitive: &str) -> Option<(&'static str, impl Iterator<Item = (u32, f64)> + use<>)> {
    let column = CUB_ALGORITHMS.iter().position(|(ours, _)| *ours == primitive)?;
    Some((CUB_ALGORITHMS[column].1, CUB_TIMES_US.into_iter().map(move |(n, times)| (n, times[column]))))
}
