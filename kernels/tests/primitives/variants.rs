//! Is the choice of kernel form pure and right, and is the trap real that it plans around?

use super::common::{Words, benches, dispatch};
use gpu::{Caps, pipeline::ComputeKernel, transfer};
use kernels::{Count, GpuSlice, Plain, ScanIo, ScanKind, Sum, Variant, VariantError, scan};
use proptest::prelude::*;

fn caps(subgroups: bool) -> Caps {
    let bench = benches().iter().find(|bench| bench.gpu.caps.subgroups.is_some() == subgroups);
    bench.expect("both kinds of device are tested").gpu.caps.clone()
}

#[test]
fn words_of_the_environment_are_known_or_an_error() {
    assert_eq!(Variant::parse("").unwrap(), Variant::Auto);
    for variant in [Variant::Auto, Variant::Portable, Variant::Subgroup, Variant::LookBack] {
        assert_eq!(Variant::parse(&variant.to_string()).unwrap(), variant);
    }
    let error = Variant::parse("fast").unwrap_err();
    assert_eq!(error.to_string(), "OROGEN_VARIANT=fast is unknown: use auto, portable, subgroup or lookback");
}

#[test]
fn the_choice_follows_the_device_and_the_element() {
    let (with, without) = (caps(true), caps(false));
    for (variant, caps, shuffles, chosen) in [
        (Variant::Auto, &with, true, Some(Variant::Subgroup)),
        (Variant::Auto, &with, false, Some(Variant::Portable)),
        (Variant::Auto, &without, true, Some(Variant::Portable)),
        (Variant::Portable, &with, true, Some(Variant::Portable)),
        (Variant::Subgroup, &with, true, Some(Variant::Subgroup)),
        (Variant::Subgroup, &with, false, None),
        (Variant::Subgroup, &without, true, None),
        (Variant::LookBack, &with, true, Some(Variant::Subgroup)),
        (Variant::LookBack, &with, false, Some(Variant::Portable)),
        (Variant::LookBack, &without, true, None),
    ] {
        match (variant.choose(caps, shuffles), chosen) {
            (Ok(found), Some(chosen)) => assert_eq!(found, chosen),
            (Err(VariantError::Impossible { .. }), None) => {}
            (found, _) => panic!("{variant}, shuffles {shuffles}: {found:?}"),
        }
    }
}

/// llvmpipe ends all loops of an invocation after 65 535 iterations. Should this test fail on a newer Mesa, the limit is
/// gone, and `MAX_ITERATIONS` in `context.rs` may be relaxed once no supported Mesa has it.
#[test]
fn llvmpipe_ends_long_loops_silently() {
    let bench = &benches()[0];
    let gpu = &bench.gpu;
    if !gpu.caps.adapter.contains("llvmpipe") || !gpu.caps.driver.contains("Mesa 22") {
        return;
    }
    let mut composer = shaders::Composer::new();
    composer.bind(
        "long",
        "long.wgsl",
        "@group(0) @binding(0) var<storage, read_write> turns: array<u32>;
         @compute @workgroup_size(1) fn long() { for (var i = 0u; i < turns[1]; i += 1u) { turns[0] += 1u; } }",
    );
    let kernel =
        ComputeKernel::new(&gpu.device, &composer.compose("long").unwrap(), "long", &Default::default()).unwrap();
    let turns = transfer::upload(&gpu.device, "turns", &[0u32, 100_000]);
    dispatch(gpu, &kernel, &[("turns", &turns)], 1);
    let found = transfer::download::<u32>(gpu, &turns).unwrap()[0];
    assert!(found < 100_000, "the loop ran to its end: {found}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_part_of_any_buffer_scans_like_the_cpu(first in 0u32..3000, n in 0u32..30_000, room in 0u32..100, seed: u64) {
        let bench = &benches()[(seed % 3) as usize];
        let items = Words::take(seed, (first + n) as usize, |word| word);
        let input = transfer::upload(&bench.gpu.device, "items", &items);
        let output = transfer::upload(&bench.gpu.device, "output", &vec![9u32; (room + n + 1) as usize]);
        let plan = bench.kernels.scan::<Sum<u32>>().unwrap();
        let scratch = bench.dirty_scratch(plan.scratch(n));
        let io = ScanIo { input: GpuSlice::new(&input, first, n), output: GpuSlice::new(&output, room, n), total: None };
        bench.run(&plan.bind(io, ScanKind::Inclusive, Count::Fixed(n), &scratch).unwrap(), 1);
        let mut expected = vec![9; (room + n + 1) as usize];
        let (from, to) = (first as usize, room as usize);
        scan::<Sum<u32>, Plain<u32>>(&items[from..], &mut expected[to..to + n as usize], ScanKind::Inclusive);
        prop_assert!(transfer::download::<u32>(&bench.gpu, &output).unwrap() == expected);
    }
}
