//! Does a timed run give the same result, and times that add up?

use super::common::{Words, benches};
use gpu::{Timestamps, timing::Clock, timing::timed_run, transfer};
use kernels::{Count, GpuSlice, ScanIo, ScanKind, Sum};

#[test]
fn the_parts_of_a_run_are_named_and_add_up() {
    for bench in benches() {
        let n = 100_000u32;
        let items = Words::take(1, n as usize, |word| word);
        let scan = bench.kernels.scan::<Sum<u32>>().unwrap();
        let device = &bench.gpu.device;
        let (input, output) = (transfer::storage::<u32>(device, "in", n), transfer::storage::<u32>(device, "out", n));
        let scratch = bench.dirty_scratch(scan.scratch(n));
        let io = ScanIo { input: GpuSlice::whole(&input), output: GpuSlice::whole(&output), total: None };
        let bound = scan.bind(io, ScanKind::Inclusive, Count::Fixed(n), &scratch).unwrap();
        let started = std::time::Instant::now();
        let (timings, results) =
            timed_run(&bench.gpu, &[(&input, bytemuck::cast_slice(&items))], &bound, &[&output]).unwrap();
        let elapsed = started.elapsed();

        let sum = items.iter().fold(0u32, |sum, item| sum.wrapping_add(*item));
        assert_eq!(results[0].last(), Some(&sum));
        assert_eq!((timings.bytes_up, timings.bytes_down), (4 * u64::from(n), 4 * u64::from(n)));
        assert!(timings.total() <= elapsed, "{timings} of {elapsed:?}");
        let has_clock = bench.gpu.caps.timestamps > Timestamps::None;
        assert_eq!(timings.clock == Clock::Device, has_clock);
        if bench.gpu.caps.timestamps == Timestamps::InsidePasses {
            let labels: Vec<_> = timings.spans.iter().map(|span| span.label).collect();
            let expected: &[&str] = match bench.kernels.wanted_variant() {
                kernels::Variant::LookBack => &["clear posts", "scan tiles"],
                _ => &["scan reduce", "scan sums", "scan"],
            };
            assert_eq!(labels, expected);
            let parts: std::time::Duration = timings.spans.iter().map(|span| span.time).sum();
            assert!(parts <= timings.execution + std::time::Duration::from_micros(1), "{timings}");
        }
    }
}
