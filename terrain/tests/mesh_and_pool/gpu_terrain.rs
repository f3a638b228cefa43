//! Laws of the mesh on the device: no crack to the last bit, vertices on the relief, the same mesh again, within any budget.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use glam::{DVec3, Vec3};
use gpu::{Gpu, GpuOptions, transfer};
use shaders::EditedModules;
use terrain::{
    CpuTerrain, GpuTerrain, Options, Quality, TerrainVertex, UpdateReport, View,
    bisection::{HeapId, birth_depth},
    cube::CubePoint,
    geodesy::{Ellipsoid, Geodetic},
    height::Relief,
    streaming::MIN_TILES,
};

use super::{
    absurd,
    reliefs::{RIDGES, ridges_on},
};

/// Mars, and a body as small and as flat as one with relief may well be.
fn others() -> [Ellipsoid; 2] {
    [Ellipsoid::MARS, Ellipsoid::new(300e3, 300e3 * (1.0 - 0.0199)).unwrap()]
}

fn software() -> Gpu {
    Gpu::new(&GpuOptions::default().with_software(true)).unwrap()
}

/// A view that looks east and down from a place.
fn view(lat_deg: f64, lon_deg: f64, height_m: f64) -> View {
    view_on(Ellipsoid::WGS84, lat_deg, lon_deg, height_m)
}

fn view_on(ellipsoid: Ellipsoid, lat_deg: f64, lon_deg: f64, height_m: f64) -> View {
    let at = Geodetic::from_degrees(lat_deg, lon_deg, height_m);
    let up = at.normal();
    let east = DVec3::Z.cross(up).normalize_or(DVec3::X);
    // From high up, the ground is further down.
    let down = if height_m > 100_000.0 { 5.0 } else { 0.4 };
    View::perspective(at.to_ecef(ellipsoid), east - down * up, up, 0.9, (640, 400))
}

/// Law: edited shaders draw the same mesh from then on; wrong ones are refused with file and line, and the last good ones stay.
#[test]
fn edits_are_drawn_and_errors_leave_the_last_good_shaders() {
    let mut flight = Flight::new(1 << 11, Quality::default(), MIN_TILES);
    let view = view(47.0, 9.0, 30_000.0);
    flight.settle(&view);
    let plain = flight.triangles();
    let text = |module| terrain::WGSL.module(module).unwrap().text;
    let (evaluate, priority) = ("terrain/mesh/evaluate", "terrain/pool/priority_tiles");
    let higher = text(evaluate).replace("vertex.height_m))", "vertex.height_m + 1000.0))");
    let mut recompile = |module, text| {
        let outcome = flight.terrain.recompile(&flight.gpu.device, &EditedModules::of(module, text));
        // Vertices are made anew, by whatever shaders there are.
        flight.terrain.set_quality(Quality::default()).unwrap();
        flight.settle(&view);
        (outcome, flight.triangles())
    };
    let (good, lifted) = recompile(evaluate, higher);
    good.unwrap();
    assert_eq!(plain.len(), lifted.len());
    for ((point, vertex), (same, lifted)) in plain.iter().flatten().zip(lifted.iter().flatten()) {
        assert_eq!((point, vertex.height_m + 1000.0), (same, lifted.height_m));
    }
    for module in [evaluate, priority] {
        let (wrong, still) = recompile(module, format!("{}\nfn wrong() -> u32 {{ return 1 }}\n", text(module)));
        let error = wrong.unwrap_err().to_string();
        assert!(error.starts_with(&format!("shaders/{module}.wgsl:")), "{error}");
        assert!(still.iter().flatten().zip(lifted.iter().flatten()).all(|(a, b)| a.1.height_m == b.1.height_m));
    }
}

struct Flight {
    gpu: Gpu,
    terrain: GpuTerrain,
}

/// A live triangle: its cube points, and its corners as drawn.
type Corners = [(CubePoint, TerrainVertex); 3];

impl Flight {
    fn new(slots: u32, quality: Quality, tiles: u32) -> Self {
        Self::over(RIDGES.clone(), slots, quality, tiles)
    }

    fn over(relief: Arc<Relief>, slots: u32, quality: Quality, tiles: u32) -> Self {
        let gpu = software();
        let options = Options::default().with_pool_slots(slots).with_quality(quality);
        let terrain = GpuTerrain::new(&gpu.device, relief, options.with_tiles(tiles)).unwrap();
        Self { gpu, terrain }
    }

    fn step(&mut self, view: &View, complete: bool) -> UpdateReport {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let queue = &self.gpu.queue;
        let report = if complete {
            self.terrain.update_complete(view, queue, &mut encoder)
        } else {
            self.terrain.update(view, queue, &mut encoder)
        };
        queue.submit([encoder.finish()]);
        self.gpu.wait().unwrap();
        report.unwrap()
    }

    fn settle(&mut self, view: &View) -> UpdateReport {
        for _ in 0..300 {
            let report = self.step(view, true);
            if report.settled {
                return report;
            }
        }
        panic!("the mesh did not settle: {:?}", self.terrain.report());
    }

    fn read(&self, buffer: &wgpu::Buffer) -> Vec<u32> {
        transfer::download(&self.gpu, buffer).unwrap()
    }

    fn heap(&self) -> Vec<u32> {
        self.read(&self.terrain.pool().buffers().heap)
    }

    fn triangles(&self) -> Vec<Corners> {
        let (heap, vertices) = (self.heap(), self.read(self.terrain.vertices()));
        let drawn = self.read(self.terrain.draw_arguments())[0] as usize;
        let vertices: &[TerrainVertex] = bytemuck::cast_slice(&vertices);
        let live = heap.chunks(2).filter(|id| id != &[0, 0]);
        let triangles: Vec<Corners> = live
            .zip(vertices.chunks(3))
            .map(|(id, corners)| {
                let points = HeapId(u64::from(id[1]) << 32 | u64::from(id[0])).triangle().0;
                // The right-angle corner comes first.
                std::array::from_fn(|i| (points[i], corners[(i + 2) % 3]))
            })
            .collect();
        assert_eq!(3 * triangles.len(), drawn, "the draw shows the live triangles");
        triangles
    }
}

/// Law: triangles that share a corner draw it at the same bits; the areas of all tile the sphere, so there is no hole.
fn check_closed(triangles: &[Corners]) -> HashMap<CubePoint, TerrainVertex> {
    let mut seen: HashMap<CubePoint, TerrainVertex> = HashMap::new();
    let mut edges: HashMap<[CubePoint; 2], i32> = HashMap::new();
    for corners in triangles {
        for (point, vertex) in corners {
            let first = seen.entry(*point).or_insert(*vertex);
            assert_eq!(bytemuck::bytes_of(first), bytemuck::bytes_of(vertex), "{point:?} is drawn at two places");
            let birth_code = u32::from(vertex.surface_normal[3].unsigned_abs());
            assert_eq!(birth_code, birth_depth(*point) + 1, "{point:?}");
        }
        for i in 0..3 {
            let (a, b) = (corners[i].0, corners[(i + 1) % 3].0);
            *edges.entry([a, b]).or_default() += 1;
            *edges.entry([b, a]).or_default() -= 1;
        }
    }
    assert!(edges.values().all(|&balance| balance == 0), "an edge has a triangle on one side only");
    seen
}

fn sharp() -> Quality {
    // No morphing to speak of: a vertex is on the relief or not wanted.
    Quality::default().with_pixel_error(0.05).with_morph_end(1.0 + 1e-6)
}

#[test]
fn the_settled_mesh_is_closed_and_lies_on_the_relief() {
    let views = [(20.0, 30.0, 9_000.0), (-70.0, 179.99, 40_000.0), (89.9, 10.0, 6_000.0), (10.0, 45.0, 2e6)];
    lies_on(RIDGES.clone(), &views);
    others().into_iter().for_each(|of| lies_on(ridges_on(of), &[(20.0, 30.0, 9_000.0)]));
}

fn lies_on(relief: Arc<Relief>, views: &[(f64, f64, f64)]) {
    let mut flight = Flight::over(relief.clone(), 1 << 14, sharp(), 96);
    let ellipsoid = relief.ellipsoid();
    for &(lat, lon, height) in views {
        let view = view_on(ellipsoid, lat, lon, height);
        let report = flight.settle(&view);
        let vertices = check_closed(&flight.triangles());
        assert_eq!(report.triangles as usize / 2 + 2, vertices.len());
        let pixels_per_radian = 200.0 / (0.45f64).tan();
        let (mut near, mut on) = (0, 0);
        for (point, vertex) in &vertices {
            let n = point.normal();
            let exact = ellipsoid.ecef(n, relief.sample(n).height_m) - view.eye_m;
            let error_px = (Vec3::from_array(vertex.position_m).as_dvec3() - exact).length() / exact.length();
            let ahead = exact.normalize().dot(view.forward.normalize()) > 0.9;
            if ahead && exact.length() < 300_000.0 {
                near += 1;
                on += usize::from(error_px * pixels_per_radian < 0.02);
            }
        }
        // Some corners were inserted for their neighbours' sake, below the tolerance: those lie on their edges.
        assert!(height > 1e6 || near > 100, "only {near} vertices ahead at {lat} {lon} {height}");
        assert!(on * 10 >= near * 6, "{on} of {near} vertices are on the relief at {lat} {lon} {height}");
    }
}

/// Law: of settled meshes over the same tiles, 97 of 100 triangles are the same on CPU and GPU: ratios differ by two parts in 1000, which
/// decides about few edges.
#[test]
fn both_meshes_have_the_same_triangles() {
    have_the_same(Ellipsoid::WGS84, &[(0.0, 0.0, 12e6), (47.0, 8.0, 30_000.0), (47.0, 8.0, 8_000.0)]);
    others().into_iter().for_each(|of| have_the_same(of, &[(47.0, 8.0, 0.005 * of.semi_major_m() + 3_000.0)]));
}

fn have_the_same(ellipsoid: Ellipsoid, views: &[(f64, f64, f64)]) {
    let (relief, quality) = (ridges_on(ellipsoid), Quality::default().with_pixel_error(1.0));
    let mut flight = Flight::over(relief.clone(), 1 << 14, quality, 96);
    let options = Options::default().with_pool_slots(1 << 14).with_quality(quality);
    let mut twin = CpuTerrain::new(&flight.gpu.device, relief, options).unwrap();
    for &(lat, lon, height) in views {
        let view = view_on(ellipsoid, lat, lon, height);
        flight.settle(&view);
        let heap = flight.heap();
        let live = heap.chunks_exact(2).map(|id| u64::from(id[1]) << 32 | u64::from(id[0]));
        let on_device: HashSet<u64> = live.filter(|id| *id != 0).collect();
        loop {
            let mut encoder = flight.gpu.device.create_command_encoder(&Default::default());
            let report = twin.update_complete(&view, &mut encoder).unwrap();
            flight.gpu.queue.submit([encoder.finish()]);
            flight.gpu.wait().unwrap();
            if report.settled {
                break;
            }
        }
        let on_cpu: HashSet<u64> = twin.pool().iter().map(|(_, id)| id.0).collect();
        let shared = on_device.intersection(&on_cpu).count();
        let most = on_device.len().max(on_cpu.len());
        assert!(shared * 100 >= 97 * most, "{shared} shared of {most} triangles at {height} m");
    }
}

#[test]
fn the_same_views_give_the_same_mesh() {
    let fly = || {
        let mut flight = Flight::new(1 << 12, Quality::default(), 64);
        let views = [view(20.0, 30.0, 9_000.0), view(20.1, 30.2, 7_000.0), view(-20.0, -90.0, 300_000.0)];
        views.map(|view| {
            flight.settle(&view);
            (flight.heap(), flight.read(flight.terrain.draw_arguments()))
        })
    };
    assert!(fly() == fly());
}

#[test]
fn a_small_budget_flies_without_cracks() {
    let mut flight = Flight::new(1 << 12, Quality::default().with_pixel_error(0.1), 1);
    let frames = 80;
    for frame in 0..frames {
        let t = f64::from(frame) / f64::from(frames);
        let view = view(10.0 + 30.0 * t, 170.0 + 25.0 * t, 10f64.powf(6.5 - 3.0 * t));
        // Now and then all tiles that are wanted, so that there are too many of them on a machine that makes few in a frame too.
        flight.step(&view, frame % 8 == 0);
        let tiles = flight.terrain.tiles();
        assert!(tiles.resident <= tiles.budget && tiles.budget == MIN_TILES, "{tiles:?}");
        if frame % 8 == 7 {
            check_closed(&flight.triangles());
        }
    }
    assert!(flight.terrain.report().triangles > 100);
    assert_eq!(flight.terrain.tiles().resident, MIN_TILES, "the flight needs more tiles than fit");
}

#[test]
fn a_settled_terrain_does_nothing_until_the_view_moves() {
    let mut flight = Flight::new(1 << 10, Quality::default(), 64);
    let first = view(30.0, 60.0, 1e6);
    flight.settle(&first);
    let update = |flight: &Flight| flight.read(&flight.terrain.pool().buffers().control)[3];
    let before = update(&flight);
    assert!(flight.step(&first, false).settled);
    assert_eq!(update(&flight), before, "an idle frame ran an update");
    assert!(!flight.step(&view(30.0, 61.0, 1e6), false).settled);
    assert!(update(&flight) > before);
}

#[test]
fn absurd_views_are_refused_without_a_change_or_drawn_like_others() {
    let mut flight = Flight::new(1 << 10, Quality::default(), 64);
    let good = view(30.0, 60.0, 1e6);
    flight.settle(&good);
    let before = flight.heap();
    for bad in absurd::refused(good) {
        let mut encoder = flight.gpu.device.create_command_encoder(&Default::default());
        assert!(flight.terrain.update(&bad, &flight.gpu.queue, &mut encoder).is_err(), "{bad:?}");
    }
    assert_eq!(flight.heap(), before);
    // Far away and inside the Earth are places like others.
    for odd in absurd::odd(good) {
        for _ in 0..3 {
            flight.step(&odd, true);
        }
        // Further than f32 can tell nothing has a place, and bits of NaN are not compared.
        if odd.eye_m.length() < 1e37 {
            for vertex in check_closed(&flight.triangles()).values() {
                let finite = vertex.position_m.iter().chain([&vertex.height_m]).all(|x| x.is_finite());
                assert!(finite, "{vertex:?} of {odd:?}");
            }
        }
    }
    flight.settle(&good);
    check_closed(&flight.triangles());
    assert_eq!(flight.heap().len(), before.len());
}
