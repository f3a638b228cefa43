//! A type and an operator of one's own: the box around many boxes. `cargo run -p orogen-kernels --example bounding_box`

use glam::Vec4;
use gpu::{Gpu, transfer};
use kernels::{Count, GpuSlice, Kernels, Operator, Plain, Scratch, device, reduce, testing::check_operator};

/// An axis-aligned box; `Vec4`, because three floats are aligned to four in WGSL.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
struct Aabb {
    low: Vec4,
    high: Vec4,
}

struct Union;

#[device]
impl Operator for Union {
    type Item = Aabb;
    const NAME: &'static str = "box union";
    const COMMUTATIVE: bool = true;

    fn identity() -> Aabb {
        Aabb { low: Vec4::splat(f32::MAX), high: Vec4::splat(f32::MIN) }
    }

    fn combine(left: Aabb, right: Aabb) -> Aabb {
        Aabb { low: left.low.min(right.low), high: left.high.max(right.high) }
    }
}

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::new(&gpu::GpuOptions::from_env())?;
    let n = 100_000u32;
    let boxes: Vec<Aabb> = (0..n)
        .map(|i| {
            let angle = i as f32 * 0.01;
            let low = Vec4::new(angle.sin() * i as f32, angle.cos() * i as f32, i as f32, 0.0);
            Aabb { low, high: low + 1.0 }
        })
        .collect();

    // Are the Rust and the WGSL meaning one, and is it an operator at all?
    check_operator::<Union>(&gpu, &boxes[..4], |a, b| a == b)?;

    let union = Kernels::new(&gpu.device).reduce::<Union>()?;
    let input = transfer::upload(&gpu.device, "boxes", &boxes);
    let output = transfer::storage::<Aabb>(&gpu.device, "box", 1);
    let scratch = Scratch::new(&gpu.device, union.scratch(n));
    let bound = union.bind(GpuSlice::whole(&input), GpuSlice::whole(&output), Count::Fixed(n), &scratch)?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    gpu.queue.submit([encoder.finish()]);

    let found = transfer::download::<Aabb>(&gpu, &output)?[0];
    println!("device: {found:?}");
    println!("CPU:    {:?}", reduce::<Union, Plain<Aabb>>(&boxes));
    Ok(())
}
