//! How does a device come to its clocks before anything is timed on it? While the host prepares data or checks results hardware is
//! idle and lowers them, an H200 to a sixth. Small passes that are waited for one by one do not raise them again.

use std::time::{Duration, Instant};

use gpu::Gpu;
use gpu::pipeline::{ComputeKernel, ComputeOptions};
use gpu::transfer;
use shaders::Composer;

const FOR: Duration = Duration::from_millis(500);

/// A few milliseconds of arithmetic on all of a large chip.
const WORKGROUPS: u32 = 1 << 12;
const WORK: &str = "
@group(0) @binding(0) var<storage, read_write> result: array<u32>;
@compute @workgroup_size(256)
fn work(@builtin(global_invocation_id) id: vec3u) {
    var x = id.x;
    for (var round = 0u; round < 1u << 15u; round++) { x = (x ^ (x >> 7u)) * 747796405u + round; }
    if x == 0u { result[0] = id.x; }
}";

/// Keeps hardware busy for half a second. Software rasterisers need none of it.
///
/// # Errors
/// A device that cannot run it, or is lost.
pub fn warm_up(gpu: &Gpu) -> anyhow::Result<()> {
    if gpu.caps.is_software() {
        return Ok(());
    }
    let device = &gpu.device;
    let mut composer = Composer::new();
    composer.bind("benches/warm", "warm.rs", WORK);
    let kernel = ComputeKernel::new(device, &composer.compose("benches/warm")?, "work", &ComputeOptions::default())?;
    let result = transfer::storage::<u32>(device, "warm-up", 1);
    let group = kernel.bind_group(device, 0, &[("result", result.as_entire_binding())])?;
    let start = Instant::now();
    while start.elapsed() < FOR {
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(WORKGROUPS, 1, 1);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        gpu.wait()?;
    }
    Ok(())
}
