//! Does memory stay within its budgets? A short flight of leaps over a folder of rasters; `./x bench soak` flies for an hour.
#![cfg(target_os = "linux")]

#[path = "../../benches/src/soak/rasters.rs"]
mod rasters;
#[path = "../../benches/src/soak/teleports.rs"]
mod teleports;

use gpu::{Gpu, GpuOptions};
use rasters::Square;
use teleports::{Budgets, Teleports};
use terrain::Backend;
use viewer::process_memory::ProcessMemory;

/// Places of each half of a flight, and pictures at each.
const PLACES: u32 = 8;
const PICTURES: u32 = 2;
/// What the second half may add besides heights, in bytes: less than a file in memory at each of its places, which is 55 MiB. Of 13 runs it was
/// 3 to 44 MiB.
const GROWTH: u64 = 50 << 20;
/// What the memory of a software device with a mesh on it differs by between one run and the next, in either half.
const DRIVER: u64 = 64 << 20;
/// What the program holds besides its budgets, in bytes: the globe with its coasts and lakes, the driver in software, and what both are
/// made with.
const BASE: u64 = 544 << 20;

/// Law: the process holds at most one and a half times its budgets and a base; and besides heights, which fill their budget at their
/// own pace, as much after many places as after some, wherever the mesh lives.
#[test]
fn leaps_end_flat_within_the_budgets() {
    viewer::allocator::set_mmap_threshold();
    let folder = tempfile::tempdir().unwrap();
    let square = Square { side: 4, postings: 1201 };
    let bytes = square.write(folder.path()).unwrap();
    assert_eq!(bytes >> 20, 44, "110 MiB as heights in memory");
    let gpu = Gpu::new(&GpuOptions::from_env().with_software(true)).unwrap();
    for mesh in [Backend::Cpu, Backend::Gpu] {
        // Half of the rasters, so that they come and go.
        let budgets = Budgets { memory_mib: 64, gpu_memory_mib: 16, mesh, size_px: (160, 100) };
        let mut flight = Teleports::new(gpu.clone(), folder.path(), square, budgets).unwrap();
        // The most of all, and of what is no height.
        let mut half = || {
            let leaps = (0..PLACES).map(|_| {
                flight.leap(PICTURES).unwrap();
                let all = ProcessMemory::current().expect("Linux tells").all;
                [all, all.saturating_sub(flight.heights_bytes() as u64)]
            });
            leaps.reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])]).expect("places")
        };
        let (first, second) = (half(), half());
        println!("{mesh:?}: {:?} MiB, then {:?} MiB", first.map(|bytes| bytes >> 20), second.map(|bytes| bytes >> 20));
        let driver = if mesh == Backend::Gpu { DRIVER } else { 0 };
        assert!(
            second[1] <= first[1] + GROWTH + driver,
            "{mesh:?}: {} MiB, then {} MiB",
            first[1] >> 20,
            second[1] >> 20
        );
        let bound = BASE + driver + 3 * ((budgets.memory_mib + budgets.gpu_memory_mib) << 20) / 2;
        assert!(second[0] <= bound, "{mesh:?}: {} MiB of {}", second[0] >> 20, bound >> 20);
    }
}
