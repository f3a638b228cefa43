//! What does the mesh on the CPU make of cameras, sizes and qualities that nobody means? It refuses them, typed and without a change,
//! or draws a closed mesh of finite vertices, and settles on the next sound view as ever. (On the device: `gpu_terrain.rs`.)

use glam::DVec3;
use gpu::{Gpu, GpuOptions};
use terrain::{
    CpuTerrain, DEFAULT_TILES, GpuTerrain, Options, PlanetError, Quality, TerrainError, View,
    geodesy::{Ellipsoid, Geodetic},
    mesh::Mesh,
    pool::{Pool, VisitOrder, invariants},
};

use super::{absurd, reliefs::SWELLS};

const SLOTS: u32 = 1 << 11;

fn software() -> Gpu {
    Gpu::new(&GpuOptions::default().with_software(true)).expect("apt install mesa-vulkan-drivers")
}

fn sound() -> View {
    let at = Geodetic::from_degrees(30.0, 60.0, 80_000.0);
    let up = at.normal();
    View::perspective(at.to_ecef(Ellipsoid::WGS84), DVec3::Z.cross(up) - up, up, 0.9, (320, 200))
}

/// Law: after any step through any view the pool keeps its invariants, and vertices are finite if f32 can tell them from the eye.
#[test]
fn odd_views_are_drawn_like_others() {
    let mut pool = Pool::new(u64::from(SLOTS), 58).unwrap();
    let mut mesh = Mesh::new(SWELLS.clone(), SLOTS, DEFAULT_TILES);
    mesh.sync_with_pool(&pool);
    let quality = Quality::default();
    let mut step = |view: &View| {
        let frustum = mesh.frustum(view).unwrap();
        mesh.update_tiles_complete(&frustum, &quality);
        mesh.update_priorities(&frustum, &quality);
        let stats = pool.update(&mesh, VisitOrder::Parallel);
        mesh.sync_with_pool(&pool);
        mesh.update_priorities(&frustum, &quality);
        invariants::check(&pool).unwrap_or_else(|broken| panic!("{broken}: {view:?}"));
        let (mut vertices, mut indices) = (Vec::new(), Vec::new());
        mesh.write_vertices(view.eye_m, &quality, &mut vertices);
        mesh.write_indices(&pool, &mut indices);
        assert_eq!(indices.len() as u32, pool.live());
        for vertex in indices.iter().flatten().map(|&index| &vertices[index as usize]) {
            let finite = vertex.position_m.iter().chain([&vertex.height_m]).all(|x| x.is_finite());
            assert!(finite || view.eye_m.length() > 1e37, "{vertex:?} of {view:?}");
        }
        (pool.live(), stats.splits + stats.merges)
    };
    let mut settle = |view: &View, steps: u32| (0..steps).map(|_| step(view)).last().unwrap();
    let (fresh, _) = settle(&sound(), 60);
    assert!(fresh > 200, "{fresh} triangles");
    for view in absurd::odd(sound()) {
        settle(&view, 6);
    }
    let (again, changed) = settle(&sound(), 120);
    assert_eq!(changed, 0, "it settles");
    // What is kept by hysteresis depends on the way.
    assert!(again >= fresh && again < 2 * fresh, "{fresh} triangles, later {again}");
}

/// Law: what is no view is refused, and changes nothing.
#[test]
fn what_is_no_view_is_refused() {
    let gpu = software();
    let mut terrain = CpuTerrain::new(&gpu.device, SWELLS.clone(), Options::default().with_pool_slots(SLOTS)).unwrap();
    let mut update = |view: &View| {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let updated = terrain.update(view, &mut encoder);
        gpu.queue.submit([encoder.finish()]);
        gpu.wait().unwrap();
        (updated, terrain.pool().iter().collect::<Vec<_>>())
    };
    let (_, before) = update(&sound());
    for view in absurd::refused(sound()) {
        let (refused, after) = update(&view);
        let error = refused.expect_err("a view that is none");
        assert!(matches!(error, TerrainError::View(_)) && error.to_string().lines().count() == 1, "{error}");
        assert_eq!(after, before, "{view:?}");
    }
}

/// Law: pools and qualities that cannot be are refused by both meshes before anything is made, with what can be.
#[test]
fn sizes_and_qualities_that_cannot_be_are_refused() {
    let (gpu, relief) = (software(), SWELLS.clone());
    let mut wrong: Vec<(Options, &str)> = [0, 1, 63, 65, 100, (1 << 20) + 1, 1 << 21, 1 << 31, u32::MAX]
        .map(|pool_slots| (Options::default().with_pool_slots(pool_slots), "power of two"))
        .to_vec();
    wrong.extend([61, 64, u32::MAX].map(|max_depth| (Options::default().with_max_depth(max_depth), "depth")));
    let good = Quality::default();
    for bad in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        for quality in [good.with_pixel_error(bad), good.with_min_edge_px(bad), good.with_morph_end(bad)] {
            wrong.push((Options::default().with_quality(quality), "above"));
        }
    }
    for (options, says) in wrong {
        let (cpu, device) = (
            CpuTerrain::new(&gpu.device, relief.clone(), options).map(|_| ()).unwrap_err(),
            GpuTerrain::new(&gpu.device, relief.clone(), options.with_tiles(64)).map(|_| ()).unwrap_err(),
        );
        assert!(cpu.to_string().contains(says), "{cpu}");
        assert!(device.to_string().contains(says), "{device}");
        assert!(!matches!(device, PlanetError::TooManyTriangles { .. }));
    }
    gpu.wait().unwrap();
}
