//! One Rust function on CPU and GPU, and its WGSL to look at. `cargo run -p orogen-kernels --example write_once`

use glam::{UVec2, Vec2};
use gpu::{Gpu, transfer};
use kernels::{Count, GpuSlice, Kernels, Scratch, Source, Sum, device, reduce, testing};

/// Iterations after which a point counts as inside.
#[device]
const LIMIT: u32 = 200;

/// The picture: what its pixels are on the complex plane.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
struct Frame {
    centre: Vec2,
    pixels: UVec2,
    scale: f32,
    _pad: f32,
}

/// Steps until z = z^2 + c leaves the circle of radius 2.
#[device]
fn escape_steps(c: Vec2) -> u32 {
    let mut z = Vec2::ZERO;
    let mut steps = 0u32;
    while steps < LIMIT && z.length_squared() <= 4.0 {
        z = Vec2::new(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        steps += 1;
    }
    steps
}

/// Steps of the pixel with this number.
#[device]
fn pixel_steps(frame: Frame, pixel: u32) -> u32 {
    let size: UVec2 = frame.pixels;
    let at = UVec2::new(pixel % size.x, pixel / size.x).as_vec2() - size.as_vec2() * 0.5;
    escape_steps(frame.centre + at * frame.scale)
}

/// 1 for each point inside.
struct Inside;

#[device]
impl Source for Inside {
    type Stored = Vec2;
    type Item = u32;
    const NAME: &'static str = "inside the Mandelbrot set";
    fn map(stored: Vec2, _item: u32) -> u32 {
        u32::from(escape_steps(stored) == LIMIT)
    }
}

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", pixel_steps::WGSL);

    // A picture on the CPU: the function is plain Rust.
    let frame = Frame { centre: Vec2::new(-0.6, 0.0), pixels: UVec2::new(72, 24), scale: 0.04, _pad: 0.0 };
    let rows: Vec<(Frame, u32)> = (0..frame.pixels.element_product()).map(|pixel| (frame, pixel)).collect();
    let shade = |steps: u32| char::from(b" .:-=+*%#@"[(steps.ilog2() as usize).min(9)]);
    let picture: String = rows.iter().map(|&(frame, pixel)| shade(pixel_steps(frame, pixel).max(1))).collect();
    for line in picture.as_bytes().chunks(frame.pixels.x as usize) {
        println!("{}", String::from_utf8_lossy(line));
    }

    // The same on the device; a point on the very edge may take another number of steps, because rounding differs.
    let gpu = Gpu::new(&gpu::GpuOptions::from_env())?;
    let kernels = Kernels::new(&gpu.device);
    let same = rows.iter().zip(testing::evaluate::<pixel_steps>(&kernels, &gpu, &rows)?);
    let same = same.filter(|&(&(frame, pixel), found)| pixel_steps(frame, pixel) == found).count();
    println!("{same} of {} pixels are equal on {}", rows.len(), kernels.caps().adapter);

    // In a primitive: rayon and WGSL from the same source.
    let n = 1 << 20;
    let points: Vec<Vec2> = (0..n).map(|i| Vec2::new((i % 1024) as f32, (i / 1024) as f32) / 256.0 - 2.0).collect();
    let count = kernels.reduce_source::<Sum<u32>, Inside>()?;
    let input = transfer::upload(&gpu.device, "points", &points);
    let output = transfer::storage::<u32>(&gpu.device, "inside", 1);
    let scratch = Scratch::new(&gpu.device, count.scratch(n));
    let bound = count.bind(GpuSlice::whole(&input), GpuSlice::whole(&output), Count::Fixed(n), &scratch)?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    gpu.queue.submit([encoder.finish()]);
    let area = |inside: u32| f64::from(inside) * 16.0 / f64::from(n);
    println!("area by CPU {:.4}", area(reduce::<Sum<u32>, Inside>(&points)));
    println!("area by GPU {:.4}", area(transfer::download::<u32>(&gpu, &output)?[0]));

    // A function written by hand takes an item's place, and is compared with the Rust.
    let by_hand = "fn escape_steps(c: vec2f) -> u32 {
    var z = vec2f();
    for (var steps = 0u; steps < LIMIT; steps++) {
        if dot(z, z) > 4.0 { return steps; }
        z = vec2f(fma(z.x, z.x, -z.y * z.y), 2.0 * z.x * z.y) + c;
    }
    return LIMIT;
}";
    let replaced = kernels.with_replacement::<escape_steps>(by_hand);
    // Far from the edge, where rounding does not matter.
    let far: Vec<(Vec2,)> = points.iter().filter(|&&c| escape_steps(c) < 6).map(|&c| (c,)).collect();
    testing::check_function::<escape_steps>(&replaced, &gpu, &far, |a, b| a.abs_diff(*b) <= 1)?;
    println!("the replacement agrees at {} points", far.len());
    Ok(())
}
