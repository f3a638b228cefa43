//! What was published? The values that ours stand beside in the plots.

use super::row::{Code, Device, Operation, OperationTime};

/// Grachev & Ushakov 2023, Fig. 11: time in seconds to decode all leaves of a perfect tree, by depth; Core i7-11700 with 1, 2, 4,
/// 8 threads, then GeForce RTX 3080.
const PAPER_DECODE: [(u32, [f64; 5]); 5] = [
    (10, [0.000_180, 0.000_073, 0.000_042, 0.000_022, 0.000_005]),
    (15, [0.006_158, 0.003_586, 0.001_915, 0.001_127, 0.000_008]),
    (20, [0.266_135, 0.131_800, 0.071_508, 0.042_104, 0.000_128]),
    (25, [9.848_790, 5.163_936, 2.845_855, 1.467_655, 0.004_327]),
    (30, [365.332_272, 187.841_708, 95.478_423, 52.341_579, 0.158_764]),
];

/// Fig. 12: one cycle at depth 17 with a quarter of the leaves on the GPU: 12 µs of reduction and 11 µs of decoding.
const PAPER_CYCLE_S: f64 = 23e-6;

/// libcbt's GLSL (OpenGL 4.5) on an NVIDIA H200, perfect trees: depth, reduction and decoding of all leaves, in microseconds.
const LIBCBT: [(u32, f64, f64); 9] = [
    (10, 21.8, 7.5),
    (15, 38.4, 9.7),
    (20, 57.3, 62.2),
    (22, 70.9, 246.0),
    (24, 112.0, 1_017.0),
    (25, 149.0, 2_102.0),
    (27, 357.0, 9_022.0),
    (28, 615.0, 18_680.0),
    (30, 2_151.0, 79_852.0),
];

/// All published values, as rows.
pub fn rows() -> Vec<OperationTime> {
    let row = |operation, code, device, depth: u32, fill_percent: u32, seconds| {
        let leaves = (1_u64 << depth) * u64::from(fill_percent) / 100;
        OperationTime::of(code, device, depth, fill_percent, leaves).with(operation, vec![seconds])
    };
    let gpu = |name: &str| Device::Gpu { name: name.into() };
    let mut rows = Vec::new();
    for (depth, times) in PAPER_DECODE {
        let devices = [1, 2, 4, 8].map(|threads| Device::Cpu { threads }).into_iter().chain([gpu("RTX 3080")]);
        rows.extend(
            devices.zip(times).map(|(device, time)| row(Operation::Decode, Code::Paper, device, depth, 100, time)),
        );
    }
    rows.push(row(Operation::Cycle, Code::Paper, gpu("RTX 3080"), 17, 25, PAPER_CYCLE_S));
    for (depth, reduce_us, decode_us) in LIBCBT {
        rows.push(row(Operation::Reduce, Code::Libcbt, gpu("H200"), depth, 100, reduce_us * 1e-6));
        rows.push(row(Operation::Decode, Code::Libcbt, gpu("H200"), depth, 100, decode_us * 1e-6));
    }
    rows
}
