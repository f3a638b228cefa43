//! A type and an operator of one's own: the box around many boxes. `cargo run -p kernels --example bounding_box`

use kernels::{
    Count, Element, GpuSlice, Kernels, Operator, Plain, Scratch, gpu::Gpu, laws::check_operator, reduce, transfer,
};

/// An axis-aligned box; `vec4f`, because three floats are aligned to four in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
struct Aabb {
    low: [f32; 4],
    high: [f32; 4],
}

impl Element for Aabb {
    const TYPE: &'static str = "Aabb";
    const DECLARATION: &'static str = "struct Aabb { low: vec4f, high: vec4f }";
}

struct Union;

impl Operator for Union {
    type Item = Aabb;
    const NAME: &'static str = "box union";
    const COMMUTATIVE: bool = true;
    const WGSL: &'static str = "
fn op_identity() -> Elem { return Elem(vec4f(3.4028234663852886e38), vec4f(-3.4028234663852886e38)); }
fn op_combine(left: Elem, right: Elem) -> Elem { return Elem(min(left.low, right.low), max(left.high, right.high)); }";

    fn identity() -> Aabb {
        Aabb { low: [f32::MAX; 4], high: [f32::MIN; 4] }
    }

    fn combine(left: Aabb, right: Aabb) -> Aabb {
        Aabb {
            low: std::array::from_fn(|i| left.low[i].min(right.low[i])),
            high: std::array::from_fn(|i| left.high[i].max(right.high[i])),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::new(&Default::default())?;
    let n = 100_000u32;
    let boxes: Vec<Aabb> = (0..n)
        .map(|i| {
            let angle = i as f32 * 0.01;
            let low = [angle.sin() * i as f32, angle.cos() * i as f32, i as f32, 0.0];
            Aabb { low, high: low.map(|x| x + 1.0) }
        })
        .collect();

    // Are the Rust and the WGSL meaning one, and is it an operator at all?
    check_operator::<Union>(&gpu, &boxes[..4], |a, b| a == b)?;

    let union = Kernels::new(&gpu.device)?.reduce::<Union>()?;
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
