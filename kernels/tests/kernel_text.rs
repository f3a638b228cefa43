//! Is generated WGSL what it was, readable, and can a part of it be replaced by hand?

#![cfg(feature = "gpu")]

mod common;

use common::{Words, benches};
use glam::Vec2;
use gpu::{Gpu, transfer};
use kernels::{GpuSlice, Kernels, LoopKernel, Variant, device, kernel};
use std::path::PathBuf;

/// Steps until a point leaves.
#[device]
fn steps(c: Vec2) -> u32 {
    let mut z = Vec2::ZERO;
    for step in 0u32..64 {
        if z.length_squared() > 4.0 {
            return step;
        }
        z = Vec2::new(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    }
    64
}

/// A picture of the Mandelbrot set, and how many points are inside.
#[kernel(workgroup(16, 8))]
fn mandelbrot(width: u32, height: u32, scale: f32, picture: &mut [u32], inside: &mut u32) {
    let middle = Vec2::new(width as f32, height as f32) * 0.5;
    *inside = 0;
    for y in 0..height {
        for x in 0..width {
            let at = Vec2::new(x as f32, y as f32) - middle;
            let found = steps(at * scale);
            picture[(y * width + x) as usize] = found;
            if found == 64 {
                *inside += 1;
            }
        }
    }
}

/// C = A B
#[kernel(workgroup(16, 16))]
fn product(n: u32, a: &[f32], b: &[f32], c: &mut [f32]) {
    for row in 0..n {
        for column in 0..n {
            let mut sum = 0.0f32;
            #[tile(16)]
            for k in 0..n {
                sum += a[(row * n + k) as usize] * b[(k * n + column) as usize];
            }
            c[(row * n + column) as usize] = sum;
        }
    }
}

/// Compares with a file, or writes it anew with `OROGEN_BLESS`.
fn golden<K: LoopKernel>(kernels: &Kernels, name: &str) {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernel_text")).join(format!("{name}.wgsl"));
    let plan = kernels.plan::<K>().unwrap();
    device::check_generated(path, &format!("// {name}, as `KernelPlan::wgsl` gives it."), plan.wgsl())
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_text_of_kernels_is_that_of_the_files() {
    let gpu = &benches()[0].gpu;
    let kernels = Kernels::new(&gpu.device);
    golden::<mandelbrot>(&kernels.clone().with_variant(Variant::Portable), "mandelbrot-portable");
    golden::<product>(&kernels.clone().with_variant(Variant::Portable), "product");
    if gpu.caps.subgroups.is_some_and(|sizes| sizes.min == 8) {
        golden::<mandelbrot>(&kernels.with_variant(Variant::Subgroup), "mandelbrot-subgroup");
    }
}

fn product_on(kernels: &Kernels, gpu: &Gpu, n: u32, a: &[f32], b: &[f32]) -> Vec<f32> {
    let (a, b) = (transfer::upload(&gpu.device, "a", a), transfer::upload(&gpu.device, "b", b));
    let c = transfer::storage::<f32>(&gpu.device, "c", n * n);
    let plan = kernels.plan::<product>().unwrap();
    let bound = plan.bind((n, GpuSlice::whole(&a), GpuSlice::whole(&b), GpuSlice::whole(&c))).unwrap();
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    gpu.queue.submit([encoder.finish()]);
    transfer::download(gpu, &c).unwrap()
}

#[test]
fn a_kernel_by_hand_agrees_with_the_loops() {
    // No tiles: for devices whose caches do as well.
    let by_hand = "fn product(row: u32, column: u32, inside: bool, local: vec3u, rank: u32) {
    if !inside { return; }
    var sums = vec4f();
    let n = arguments.n;
    for (var k = 0u; k < n; k += 4u) {
        let a4 = vec4f(a[row * n + k], a[row * n + k + 1u], a[row * n + k + 2u], a[row * n + k + 3u]);
        let b4 = vec4f(b[k * n + column], b[(k + 1u) * n + column], b[(k + 2u) * n + column], b[(k + 3u) * n + column]);
        sums = fma(a4, b4, sums);
    }
    c[row * n + column] = dot(sums, vec4f(1.0));
}";
    let n = 36;
    let a = Words::take(1, (n * n) as usize, |word| (word % 32) as f32);
    let b = Words::take(2, (n * n) as usize, |word| (word % 32) as f32);
    let mut expected = vec![0.0; a.len()];
    product(n, &a, &b, &mut expected);
    for bench in benches() {
        let replaced = bench.kernels.clone().with_replacement::<product>(by_hand);
        assert!(replaced.plan::<product>().unwrap().wgsl().contains("var sums = vec4f();"));
        assert_eq!(product_on(&replaced, &bench.gpu, n, &a, &b), expected, "{} by hand", bench.name);
        assert_eq!(product_on(&bench.kernels, &bench.gpu, n, &a, &b), expected, "{}", bench.name);
        // What is wrong by hand is told where it is wrong.
        let wrong = bench.kernels.clone().with_replacement::<product>("fn product(row: u32) { c[row] = true; }");
        let error = wrong.plan::<product>().unwrap_err().to_string();
        assert!(error.contains("product (replacement):1"), "{error}");
    }
}

#[test]
fn the_picture_is_the_same_everywhere() {
    let (width, height) = (90, 61);
    let (mut picture, mut inside) = (vec![0; (width * height) as usize], 7);
    mandelbrot(width, height, 0.03, &mut picture, &mut inside);
    assert!(inside > 500 && picture.iter().filter(|steps| **steps == 64).count() as u32 == inside);
    for bench in benches() {
        let gpu = &bench.gpu;
        let out = transfer::storage::<u32>(&gpu.device, "picture", width * height);
        let total = transfer::upload(&gpu.device, "inside", &[9u32]);
        let plan = bench.kernels.plan::<mandelbrot>().unwrap();
        bench.run(&plan.bind((width, height, 0.03, GpuSlice::whole(&out), GpuSlice::whole(&total))).unwrap(), 2);
        let found: Vec<u32> = transfer::download(gpu, &out).unwrap();
        // Near the edge rounding decides.
        let same = found.iter().zip(&picture).filter(|(a, b)| a == b).count();
        assert!(same * 100 > picture.len() * 99, "{}: {same}", bench.name);
        let counted = found.iter().filter(|steps| **steps == 64).count() as u32;
        assert_eq!(transfer::download::<u32>(gpu, &total).unwrap(), [counted], "{}", bench.name);
    }
}
