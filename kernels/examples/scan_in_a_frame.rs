//! A scan among one's own passes, with a count that only the device knows: `cargo run -p orogen-kernels --example scan_in_a_frame`
//!
//! A kernel of ours writes sizes and how many there are; the scan turns sizes into places, in the same pass.

use gpu::{Gpu, pipeline::ComputeKernel, transfer};
use kernels::{Count, GpuSlice, Kernels, ScanIo, ScanKind, Scratch, Sum};

const SIZES: &str = "
@group(0) @binding(0) var<storage, read_write> sizes: array<u32>;
@group(0) @binding(1) var<storage, read_write> how_many: array<u32>;

@compute @workgroup_size(64)
fn write_sizes(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&sizes) { sizes[id.x] = id.x % 5u; }
    if id.x == 0u { how_many[0] = 12u; }
}";

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::new(&gpu::GpuOptions::from_env())?;
    let capacity = 1000u32;
    let sizes = transfer::storage::<u32>(&gpu.device, "sizes", capacity);
    let how_many = transfer::storage::<u32>(&gpu.device, "how many", 1);
    let places = transfer::storage::<u32>(&gpu.device, "places", capacity);
    let total = transfer::storage::<u32>(&gpu.device, "total", 1);

    let mut composer = kernels::composer();
    composer.bind("sizes", "sizes.wgsl", SIZES);
    let writer = ComputeKernel::new(&gpu.device, &composer.compose("sizes")?, "write_sizes", &Default::default())?;
    let resources = [("sizes", sizes.as_entire_binding()), ("how_many", how_many.as_entire_binding())];
    let writer_group = writer.bind_group(&gpu.device, 0, &resources)?;

    let scan = Kernels::new(&gpu.device).scan::<Sum<u32>>()?;
    let scratch = Scratch::new(&gpu.device, scan.scratch(capacity));
    let io = ScanIo {
        input: GpuSlice::whole(&sizes),
        output: GpuSlice::whole(&places),
        total: Some(GpuSlice::whole(&total)),
    };
    let count = Count::Gpu { buffer: &how_many, index: 0, capacity };
    let bound = scan.bind(io, ScanKind::Exclusive, count, &scratch)?;

    // One encoder, one pass, one submission: the frame is the caller's.
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(writer.pipeline());
    pass.set_bind_group(0, &writer_group, &[]);
    pass.dispatch_workgroups(capacity.div_ceil(64), 1, 1);
    bound.encode(&mut pass);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);

    println!("places {:?}", &transfer::download::<u32>(&gpu, &places)?[..12]);
    println!("total  {:?}", transfer::download::<u32>(&gpu, &total)?[0]);
    Ok(())
}
