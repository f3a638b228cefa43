//! Cities by population, largest first, on the device: `cargo run -p orogen-kernels --example sort_by_key`

use gpu::{Gpu, transfer};
use kernels::{Count, GpuSlice, Kernels, Order, Scratch, SortPairsIo};

const CITIES: [(&str, f32); 6] = [
    ("Kathmandu", 1.44e6),
    ("La Paz", 0.82e6),
    ("Lhasa", 0.87e6),
    ("Innsbruck", 0.13e6),
    ("Denver", 0.72e6),
    ("Addis Ababa", 3.04e6),
];

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::new(&gpu::GpuOptions::from_env())?;
    let n = CITIES.len() as u32;
    let populations: Vec<f32> = CITIES.iter().map(|city| city.1).collect();
    let numbers: Vec<u32> = (0..n).collect();

    // Keys are f32, the values that travel with them are city numbers.
    let sort = Kernels::new(&gpu.device).sort_pairs::<f32, u32>(Order::Descending)?;
    let keys = transfer::upload(&gpu.device, "populations", &populations);
    let values = transfer::upload(&gpu.device, "numbers", &numbers);
    let sorted_keys = transfer::storage::<f32>(&gpu.device, "sorted populations", n);
    let sorted_values = transfer::storage::<u32>(&gpu.device, "sorted numbers", n);
    let scratch = Scratch::new(&gpu.device, sort.scratch(n));
    let io = SortPairsIo {
        keys_in: GpuSlice::whole(&keys),
        values_in: GpuSlice::whole(&values),
        keys_out: GpuSlice::whole(&sorted_keys),
        values_out: GpuSlice::whole(&sorted_values),
    };
    let bound = sort.bind(io, Count::Fixed(n), 32, &scratch)?;

    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    gpu.queue.submit([encoder.finish()]);
    for number in transfer::download::<u32>(&gpu, &sorted_values)? {
        let (name, population) = CITIES[number as usize];
        println!("{name:12} {population:9.0}");
    }
    Ok(())
}
