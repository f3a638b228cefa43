//! The sum of a million numbers, on the device and on the CPU: `cargo run -p orogen-kernels --example sum`

use gpu::{Gpu, timing::timed_run, transfer};
use kernels::{Count, GpuSlice, Kernels, Plain, Scratch, Sum, reduce};

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::new(&gpu::GpuOptions::from_env())?;
    let kernels = Kernels::new(&gpu.device);
    let n = 1_000_000u32;
    let numbers: Vec<u32> = (1..=n).collect();

    let sum = kernels.reduce::<Sum<u32>>()?;
    let input = transfer::storage::<u32>(&gpu.device, "numbers", n);
    let output = transfer::storage::<u32>(&gpu.device, "sum", 1);
    let scratch = Scratch::new(&gpu.device, sum.scratch(n));
    let bound = sum.bind(GpuSlice::whole(&input), GpuSlice::whole(&output), Count::Fixed(n), &scratch)?;
    let uploads = [(&input, bytemuck::cast_slice(&numbers))];
    let (timings, results) = timed_run(&gpu, &uploads, &bound, &[&output])?;

    // Integer sums wrap, on both sides alike.
    println!("{}: {}", gpu.caps.adapter, results[0][0]);
    println!("CPU: {}", reduce::<Sum<u32>, Plain<u32>>(&numbers));
    println!("{timings}");
    Ok(())
}
