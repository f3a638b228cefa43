//! Laws of a lost device: calls on what is left of it give a typed error or do nothing; none panics, and none waits for an
//! answer that never comes.

use gpu::{
    Gpu, GpuError, GpuOptions,
    timing::{PassTimer, timed_run},
    transfer,
};
use kernels::{BoundKernel, Count, GpuSlice, Kernels, ScanIo, ScanKind, Scratch, Sum};

const ITEMS: u32 = 5_000;

fn device() -> Gpu {
    Gpu::new(&GpuOptions::default().with_software(true)).expect("apt install mesa-vulkan-drivers")
}

/// A scan of ones, with its output.
fn scan(gpu: &Gpu) -> (BoundKernel, wgpu::Buffer) {
    let kernels = Kernels::new(&gpu.device);
    let (input, output) = (
        transfer::upload(&gpu.device, "in", &[1u32; ITEMS as usize]),
        transfer::storage::<u32>(&gpu.device, "out", ITEMS),
    );
    let scan = kernels.scan::<Sum<u32>>().expect("a scan");
    let scratch = Scratch::new(&gpu.device, scan.scratch(ITEMS));
    let io = ScanIo { input: GpuSlice::whole(&input), output: GpuSlice::whole(&output), total: None };
    (scan.bind(io, ScanKind::Inclusive, Count::Fixed(ITEMS), &scratch).expect("bound"), output)
}

fn submit(gpu: &Gpu, bound: &BoundKernel) {
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    gpu.queue.submit([encoder.finish()]);
}

#[track_caller]
fn assert_lost<T>(result: Result<T, GpuError>) {
    match result {
        Err(error @ GpuError::Lost { .. }) => assert!(!error.to_string().contains('\n'), "{error}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the device was not lost"),
    }
}

#[test]
fn a_loss_is_told_by_every_call_that_can_tell() {
    let gpu = device();
    let (bound, output) = scan(&gpu);
    submit(&gpu, &bound);
    assert!(gpu.lost().is_none() && gpu.check().is_ok());
    assert_eq!(transfer::download::<u32>(&gpu, &output).expect("a device")[ITEMS as usize - 1], ITEMS);
    let mut timer = PassTimer::new(&gpu, 8).expect("lavapipe has timestamps");

    gpu.device.destroy();
    for _ in 0..3 {
        submit(&gpu, &bound);
        assert_lost(gpu.check());
        assert_lost(gpu.wait());
        assert_lost(transfer::download::<u32>(&gpu, &output));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        timer.encode(&mut encoder, &[&bound]);
        gpu.queue.submit([encoder.finish()]);
        assert_lost(timer.read(&gpu));
        assert_lost(timed_run(&gpu, &[(&output, &[0; 4])], &bound, &[&output]));
    }
    assert!(matches!(gpu.lost(), Some(GpuError::Lost { .. })));
}

#[test]
fn what_is_made_on_a_lost_device_does_nothing() {
    let gpu = device();
    gpu.device.destroy();
    let (bound, output) = scan(&gpu);
    submit(&gpu, &bound);
    assert_lost(transfer::download::<u32>(&gpu, &output));
}

/// Law: work that was submitted before a loss is waited for no longer than it takes, and a new device does not know of it.
#[test]
fn a_loss_with_work_under_way_ends_the_wait() {
    let gpu = device();
    let (bound, output) = scan(&gpu);
    let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: output.size(),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    for _ in 0..8 {
        submit(&gpu, &bound);
    }
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(&output, 0, &staging, 0, output.size());
    gpu.queue.submit([encoder.finish()]);
    gpu.device.destroy();
    assert_lost(transfer::read::<u32>(&gpu, &staging));

    let other = device();
    let (bound, output) = scan(&other);
    submit(&other, &bound);
    assert_eq!(transfer::download::<u32>(&other, &output).expect("a device")[ITEMS as usize - 1], ITEMS);
    assert!(other.check().is_ok());
}
