//! Laws of a terrain whose device is lost: it goes on without a panic and without waiting, draws nothing that matters, and one made
//! on another device has the same mesh.

use glam::DVec3;
use gpu::{Gpu, GpuError, GpuOptions, transfer};
use terrain::{
    CpuTerrain, GpuTerrain, MeshRays, Options, UpdateReport, View,
    geodesy::{Ellipsoid, Geodetic},
};

use super::reliefs::SWELLS;

const TILES: u32 = 64;

fn software() -> Gpu {
    Gpu::new(&GpuOptions::default().with_software(true)).expect("apt install mesa-vulkan-drivers")
}

fn options() -> Options {
    Options::default().with_pool_slots(1 << 11)
}

fn view(lon_deg: f64) -> View {
    let at = Geodetic::from_degrees(30.0, lon_deg, 80_000.0);
    let up = at.normal();
    View::perspective(at.to_ecef(Ellipsoid::WGS84), DVec3::Z.cross(up) - up, up, 0.9, (320, 200))
}

/// Updates, submits and waits as a frame does.
fn step(
    gpu: &Gpu,
    update: impl FnOnce(&mut wgpu::CommandEncoder) -> UpdateReport,
) -> (UpdateReport, Result<(), GpuError>) {
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let report = update(&mut encoder);
    gpu.queue.submit([encoder.finish()]);
    (report, gpu.wait())
}

fn is_lost(result: &Result<(), GpuError>) -> bool {
    matches!(result, Err(GpuError::Lost { .. }))
}

fn settled(gpu: &Gpu, terrain: &mut GpuTerrain, view: &View) -> Vec<u32> {
    for _ in 0..300 {
        let (report, waited) =
            step(gpu, |encoder| terrain.update_complete(view, &gpu.queue, encoder).expect("a sound view"));
        waited.expect("a device");
        if report.settled {
            return transfer::download(gpu, &terrain.pool().buffers().heap).expect("a device");
        }
    }
    panic!("it did not settle: {:?}", terrain.report());
}

#[test]
fn a_terrain_on_the_gpu_outlives_its_device_and_is_the_same_on_another() {
    let gpu = software();
    let mut terrain = GpuTerrain::new(&gpu.device, SWELLS.clone(), options().with_tiles(TILES)).expect("it fits");
    let before = settled(&gpu, &mut terrain, &view(60.0));
    let rays = MeshRays::new(&gpu.device, &terrain, 64).expect("it fits");
    gpu.device.destroy();
    for frame in 0..5 {
        let view = view(60.0 + f64::from(frame));
        let (report, waited) = step(&gpu, |encoder| {
            let report = if frame % 2 == 0 {
                terrain.update(&view, &gpu.queue, encoder)
            } else {
                terrain.update_complete(&view, &gpu.queue, encoder)
            };
            let mut pass = encoder.begin_compute_pass(&Default::default());
            rays.encode_build(&mut pass);
            rays.encode_trace(&mut pass);
            report.expect("a sound view")
        });
        assert!(is_lost(&waited), "{waited:?}");
        // Counters of before the loss may still come in; nothing settles that was not looked at.
        assert!(frame == 0 || !report.settled, "{report:?}");
    }
    assert!(transfer::download::<u32>(&gpu, terrain.vertices()).is_err());

    let other = software();
    let mut again =
        GpuTerrain::new(&other.device, terrain.relief().clone(), options().with_tiles(TILES)).expect("it fits");
    assert!(settled(&other, &mut again, &view(60.0)) == before, "the same view, another mesh");
}

#[test]
fn a_terrain_on_the_cpu_outlives_its_device() {
    let gpu = software();
    let mut terrain = CpuTerrain::new(&gpu.device, SWELLS.clone(), options()).expect("it fits");
    // Staging memory of before the loss is used up first.
    for frame in 0..20 {
        if frame == 3 {
            gpu.device.destroy();
        }
        let view = view(60.0 + f64::from(frame));
        let (report, waited) = step(&gpu, |encoder| terrain.update(&view, encoder).expect("a sound view"));
        assert_eq!(is_lost(&waited), frame >= 3, "{waited:?}");
        assert!(report.triangles >= 12);
    }
}

#[test]
fn a_terrain_made_on_a_lost_device_does_nothing() {
    let gpu = software();
    gpu.device.destroy();
    let mut terrain = GpuTerrain::new(&gpu.device, SWELLS.clone(), options().with_tiles(TILES))
        .expect("nothing was asked of the device");
    MeshRays::new(&gpu.device, &terrain, 64).expect("nothing was asked of the device");
    let mut on_cpu = CpuTerrain::new(&gpu.device, SWELLS.clone(), options()).expect("nothing was asked of the device");
    for _ in 0..2 {
        let (report, waited) = step(&gpu, |encoder| {
            on_cpu.update(&view(10.0), encoder).expect("a sound view");
            terrain.update(&view(10.0), &gpu.queue, encoder).expect("a sound view")
        });
        assert!(is_lost(&waited) && !report.settled);
    }
}
