//! A kernel from plain loops: on one core, on all, and on a device, chosen at run time. `cargo run -p orogen-kernels --example kernel_from_a_loop`

use gpu::Gpu;
use kernels::{DualBuffer, DualBufferList, Engine, Kernels, List, Tuner, Variant, kernel};
use std::time::Instant;

/// A step of Conway's Game of Life on a torus; cells that are born are listed, those alive are counted.
#[kernel(workgroup(16, 16))]
fn life(width: u32, height: u32, now: &[u32], next: &mut [u32], born: &mut List<u32>, alive: &mut u32) {
    born.clear();
    *alive = 0;
    for y in 0..height {
        for x in 0..width {
            let at = y * width + x;
            let mut neighbours = 0u32;
            #[unroll]
            for v in 0u32..3 {
                #[unroll]
                for u in 0u32..3 {
                    let row = (y + height + v - 1) % height;
                    let column = (x + width + u - 1) % width;
                    neighbours += now[(row * width + column) as usize];
                }
            }
            neighbours -= now[at as usize];
            let lives = neighbours == 3 || neighbours == 2 && now[at as usize] == 1;
            next[at as usize] = u32::from(lives);
            if lives {
                *alive += 1;
                if now[at as usize] == 0 {
                    born.push(at);
                }
            }
        }
    }
}

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let (width, height) = (512, 512);
    let gpu = Gpu::new(&gpu::GpuOptions::from_env())?;
    let kernels = Kernels::new(&gpu.device);
    println!("{}", kernels.plan::<life>()?.wgsl());

    let mut engines = vec![Engine::OneCore, Engine::AllCores];
    engines.push(Engine::with_kernels(&gpu, kernels.clone().with_variant(Variant::Portable)));
    engines.push(Engine::with_kernels(&gpu, kernels.clone().with_variant(Variant::Auto)));
    for engine in &engines {
        let cells = (0..width * height).map(|i: u32| i.wrapping_mul(0x9e37_79b9) >> 31).collect();
        let (mut now, mut next) = (DualBuffer::new(&gpu, "now", cells), DualBuffer::zeroed(&gpu, "next", 512 * 512));
        let mut born = DualBufferList::with_capacity(&gpu, "born", width * height);
        let mut alive = DualBuffer::zeroed(&gpu, "alive", 1);
        if let Engine::Device(_) = engine {
            now.to_device()?;
        }
        let start = Instant::now();
        for _ in 0..50 {
            engine.run::<life>((width, height, &now, &mut next, &mut born, &mut alive))?;
            std::mem::swap(&mut now, &mut next);
        }
        // On the cores there is nothing to copy.
        alive.to_host()?;
        born.to_host()?;
        let (alive, born) = (alive.host()?[0], born.host()?.items().len());
        println!("{engine:40} {alive} alive, {born} born, {:?}; {:?} of cells crossed", start.elapsed(), now.traffic());
    }

    // The fastest workgroup of this device.
    let cells = DualBuffer::<u32>::zeroed(&gpu, "cells", 512 * 512);
    let (next, alive) =
        (DualBuffer::<u32>::zeroed(&gpu, "next", 512 * 512), DualBuffer::<u32>::zeroed(&gpu, "alive", 1));
    let mut born = DualBufferList::with_capacity(&gpu, "born", width * height);
    let list = born.device_mut()?;
    let (now, next, alive) = (cells.device()?, next.device()?, alive.device()?);
    let mut tuner = Tuner::default();
    tuner.plan::<life>(&kernels, &gpu, width * height, |plan| plan.bind((width, height, now, next, list, alive)))?;
    tuner.known().for_each(|(key, tuned)| println!("{key}: {:?}, {:?}", tuned.workgroup, tuned.time));
    Ok(())
}
