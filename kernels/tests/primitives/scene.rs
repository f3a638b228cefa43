//! Do all engines that are there find the same hits, and do they say what is wrong with a call?

use super::common;
use super::meshes::{closed, random_point, rays, soup, terrain};
use gpu::{Gpu, GpuOptions};
use kernels::{
    KernelError, Kernels,
    lbvh::{Hit, Outcome, Query, Ray, TraceOptions, Triangle},
    scene::{RayEngine, Scene, SceneError},
};
use std::sync::OnceLock;

/// The software device (or the one of `WGPU_ADAPTER_NAME`), with ray queries if it has them.
fn device() -> (&'static Gpu, &'static Kernels) {
    static DEVICE: OnceLock<(Gpu, Kernels)> = OnceLock::new();
    let make = || {
        let software = std::env::var_os("WGPU_ADAPTER_NAME").is_none();
        let gpu = Gpu::new(&GpuOptions::from_env().with_software(software).with_ray_queries(true))
            .expect("a software adapter is needed: apt install mesa-vulkan-drivers");
        let kernels = Kernels::new(&gpu.device);
        (gpu, kernels)
    };
    let (gpu, kernels) = DEVICE.get_or_init(make);
    (gpu, kernels)
}

/// The CPU's scene, and those of all other engines.
fn scenes(triangles: &[Triangle]) -> (Box<dyn Scene>, Vec<Box<dyn Scene>>) {
    let scene = |engine: RayEngine| engine.scene(Some(device()), triangles);
    let hardware = match scene(RayEngine::Hardware) {
        Err(SceneError::NoEngine { .. }) => None,
        hardware => Some(hardware.unwrap()),
    };
    (scene(RayEngine::Cpu).unwrap(), [scene(RayEngine::Device).unwrap()].into_iter().chain(hardware).collect())
}

/// Rays of every kind, and some that go back behind their origin, end behind it, or are wrong.
fn all_rays(triangles: &[Triangle]) -> Vec<Ray> {
    let mut all = rays(triangles, 1500, 4);
    all.extend(rays(triangles, 600, 5).iter().enumerate().map(|(i, ray)| match i % 4 {
        0 => Ray { t_min: -1.5, ..*ray },
        1 => Ray { t_min: f32::MIN, t_max: -0.25, ..*ray },
        2 => Ray { t_min: 0.3, t_max: 0.2, ..*ray },
        _ => Ray { t_min: 0.5, ..*ray },
    }));
    all.push(Ray { direction: [0.0; 3], ..all[0] });
    all.push(Ray { origin: [f32::NAN, 0.0, 0.0], ..all[0] });
    all
}

fn check_same(expected: &dyn Scene, scene: &dyn Scene, rays: &[Ray], name: &str) {
    let engine = scene.engine();
    let [closest, any] = [Query::Closest, Query::Any].map(TraceOptions::new);
    let (want, found) = (expected.trace(rays, closest).unwrap(), scene.trace(rays, closest).unwrap());
    assert_eq!(found.len(), rays.len());
    for ((ray, want), found) in rays.iter().zip(&want).zip(&found) {
        // A compiler of a real device may fuse: near ties may then be told apart otherwise.
        let near = (found.t - want.t).abs() <= 1e-5 * want.t.abs().max(1.0);
        let same = if device().0.caps.is_software() { found == want } else { near };
        assert!(same, "{engine}, {name}: {ray:?} meets {found:?}, not {want:?}");
    }
    for ((ray, want), found) in rays.iter().zip(&want).zip(scene.trace(rays, any).unwrap()) {
        match (want.outcome(), found.outcome()) {
            (Outcome::Hit(want), Outcome::Hit(found)) => {
                assert!(want.t <= found.t && found.t <= ray.t_max, "{engine}, {name}: {ray:?} any {found:?}");
            }
            (want, found) => assert_eq!(want, found, "{engine}, {name}: {ray:?}"),
        }
    }
}

#[test]
fn engines_find_the_same_hits() {
    for (name, triangles) in [
        ("none", soup(0, 1)),
        ("one", soup(1, 1)),
        ("soup", soup(1200, 1)),
        ("terrain", terrain(24)),
        ("closed", closed(3)),
        ("the same twice", [terrain(9), terrain(9)].concat()),
    ] {
        let (cpu, others) = scenes(&triangles);
        let rays = all_rays(&triangles);
        for scene in others {
            assert_eq!(scene.triangles(), triangles.len());
            check_same(&*cpu, &*scene, &rays, name);
        }
    }
}

#[test]
fn wrong_triangles_are_met_by_no_ray_and_hide_no_other() {
    let mut triangles = soup(300, 2);
    for (i, triangle) in triangles.iter_mut().step_by(10).enumerate() {
        triangle.b[i % 3] = f32::NAN;
    }
    let (cpu, others) = scenes(&triangles);
    let rays = all_rays(&soup(300, 2));
    let hits = cpu.trace(&rays, TraceOptions::new(Query::Closest)).unwrap();
    assert!(hits.iter().all(|hit| hit.primitive >= Hit::INVALID || hit.primitive % 10 != 0));
    for scene in others {
        check_same(&*cpu, &*scene, &rays, "wrong triangles");
    }
}

#[test]
fn refitted_scenes_are_those_of_the_moved_triangles() {
    let (before, after) = (terrain(16), soup(512, 9));
    let rays = all_rays(&after);
    let (cpu, _) = scenes(&after);
    let (mut moved, others) = scenes(&before);
    moved.refit(&after).unwrap();
    check_same(&*cpu, &*moved, &rays, "moved");
    for mut scene in others {
        scene.refit(&after).unwrap();
        check_same(&*cpu, &*scene, &rays, "moved");
        let short = scene.refit(&after[1..]).unwrap_err();
        assert!(matches!(short, SceneError::Kernel(KernelError::TooShort { slice: "triangles", .. })), "{short}");
    }
}

/// From inside towards edges and corners, where a traversal or a test that rounds carelessly lets rays out.
#[test]
fn no_ray_leaves_a_closed_surface_by_any_engine() {
    let triangles = closed(4);
    let mut words = common::Words(8);
    let to_edge = |(i, triangle): (usize, &Triangle)| {
        let origin = if i.is_multiple_of(2) { [0.0; 3] } else { random_point(&mut words).map(|x| 0.4 * x) };
        let along = [0.0, 0.5, 0.25][i % 3];
        let target: [f32; 3] = std::array::from_fn(|k| triangle.a[k] + along * (triangle.b[k] - triangle.a[k]));
        Ray::new(origin, std::array::from_fn(|k| target[k] - origin[k]))
    };
    let rays: Vec<Ray> = triangles.iter().enumerate().map(to_edge).collect();
    let (cpu, mut all) = scenes(&triangles);
    all.push(cpu);
    for scene in all {
        for query in [Query::Closest, Query::Any] {
            let hits = scene.trace(&rays, TraceOptions::new(query)).unwrap();
            let leak = rays.iter().zip(&hits).find(|(_, hit)| !matches!(hit.outcome(), Outcome::Hit(_)));
            assert!(leak.is_none(), "{}: {leak:?}", scene.engine());
        }
    }
}

#[test]
fn a_query_that_is_cut_short_says_so() {
    let triangles = soup(2000, 3);
    let across = Ray::new([-2.0, 0.01, 0.02], [1.0, 0.0, 0.0]);
    let (cpu, mut all) = scenes(&triangles);
    all.push(cpu);
    for scene in all {
        let short = TraceOptions::new(Query::Closest).with_max_steps(1);
        let hit = scene.trace(&[across], short).unwrap()[0];
        assert_eq!(hit.outcome(), Outcome::Limit, "{}", scene.engine());
    }
}

/// Law: an engine is offered where it is one of its own, the best of them is the last, and software is no device.
#[test]
fn engines_that_are_offered() {
    assert_eq!((RayEngine::available(None), RayEngine::best(None)), (vec![RayEngine::Cpu], RayEngine::Cpu));
    let offered = RayEngine::available(Some(device()));
    if device().0.caps.is_software() {
        assert_eq!((offered, RayEngine::best(Some(device()))), (vec![RayEngine::Cpu], RayEngine::Cpu));
        assert!(RayEngine::Device.scene(Some(device()), &soup(3, 1)).is_ok(), "who asks for it has it");
    } else {
        assert!(offered.starts_with(&[RayEngine::Cpu, RayEngine::Device]));
        assert_eq!(offered.last(), Some(&RayEngine::best(Some(device()))));
    }
}

#[test]
fn engines_that_are_not_there_say_why() {
    for engine in [RayEngine::Device, RayEngine::Hardware] {
        let error = engine.scene(None, &soup(3, 1)).unwrap_err();
        assert!(error.to_string().contains("give it a device"), "{error}");
    }
    let (gpu, _) = device();
    let plain = Gpu::new(&GpuOptions::default().with_software(gpu.caps.is_software())).unwrap();
    let kernels = Kernels::new(&plain.device);
    let error = RayEngine::Hardware.scene(Some((&plain, &kernels)), &soup(3, 1)).unwrap_err();
    let offered = gpu.adapter.features().contains(wgpu::Features::EXPERIMENTAL_RAY_QUERY);
    let why = if offered { "GpuOptions::ray_queries" } else { "no ray queries" };
    assert!(error.to_string().contains(why), "{error}");
    assert!(matches!(kernels.query_rays(), Err(KernelError::Pipeline(_))));
}
