//! Laws of the mesh over flights: a closed surface whose vertices are pure functions of place and view.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{
    motion::{SteppedMesh, down_and_up, measure_motion, standing},
    reliefs::ROUGH,
};
use glam::DVec3;
use rand::{Rng, SeedableRng, rngs::StdRng};
use terrain::{
    DEFAULT_TILES, Quality, TerrainVertex, View,
    bisection::bisected_edge,
    cube::CubePoint,
    geodesy::{Ellipsoid, Geodetic, n_vector},
    height::Relief,
    mesh::Mesh,
    pool::{Pool, VisitOrder, invariants},
};

struct Planet {
    relief: Arc<Relief>,
    pool: Pool,
    mesh: Mesh,
    quality: Quality,
}

impl Planet {
    fn new(slots: u32) -> Self {
        let relief = ROUGH.clone();
        let pool = Pool::new(u64::from(slots), 58).unwrap();
        let mut mesh = Mesh::new(relief.clone(), slots, DEFAULT_TILES);
        mesh.sync_with_pool(&pool);
        Self { relief, pool, mesh, quality: Quality::default() }
    }

    /// Updates the mesh once; how many bisections and merges that were.
    fn update(&mut self, view: &View) -> u32 {
        let frustum = self.mesh.frustum(view).unwrap();
        self.mesh.update_tiles_complete(&frustum, &self.quality);
        self.mesh.update_priorities(&frustum, &self.quality);
        let stats = self.pool.update(&self.mesh, VisitOrder::Parallel);
        self.mesh.sync_with_pool(&self.pool);
        self.mesh.update_priorities(&frustum, &self.quality);
        stats.splits + stats.merges
    }

    fn drawn(&self, view: &View) -> (Vec<TerrainVertex>, Vec<[u32; 3]>) {
        let (mut vertices, mut indices) = (Vec::new(), Vec::new());
        self.mesh.write_vertices(view.eye_m, &self.quality, &mut vertices);
        self.mesh.write_indices(&self.pool, &mut indices);
        (vertices, indices)
    }
}

impl SteppedMesh for Planet {
    fn step(&mut self, view: &View) {
        self.update(view);
    }

    fn settle(&mut self, view: &View) {
        let mut quiet = 0;
        for _ in 0..400 {
            quiet = if self.update(view) == 0 { quiet + 1 } else { 0 };
            if quiet == 4 {
                return;
            }
        }
        panic!("the view did not settle in 400 steps");
    }

    fn places(&self, view: &View) -> HashMap<CubePoint, DVec3> {
        let (vertices, indices) = self.drawn(view);
        // The right-angle corner comes first.
        let corners = self
            .pool
            .iter()
            .zip(indices)
            .flat_map(|((_, id), [v1, v2, v0])| id.triangle().0.into_iter().zip([v0, v1, v2]));
        corners.map(|(point, index)| (point, view.eye_m + relative_m(&vertices[index as usize]))).collect()
    }
}

fn relative_m(vertex: &TerrainVertex) -> DVec3 {
    DVec3::from_array(vertex.position_m.map(f64::from))
}

fn random_view(rng: &mut StdRng, relief: &Relief) -> View {
    let special = [(90.0, 0.0), (-90.0, 0.0), (0.0, 180.0), (35.264, 45.0), (0.0, 45.0), (-35.264, -135.0)];
    let (lat, lon) = match rng.random_range(0..2) {
        0 => (rng.random_range(-90.0..90.0), rng.random_range(-180.0..180.0)),
        _ => special[rng.random_range(0..special.len())],
    };
    let n = Geodetic::from_degrees(lat, lon, 0.0).normal();
    let eye_m = Ellipsoid::WGS84.ecef(n, relief.sample(n).height_m + 10f64.powf(rng.random_range(0.4..7.3)));
    let down = -n;
    let aside = n.any_orthonormal_vector();
    let tilt: f64 = rng.random_range(0.0..1.6);
    View::perspective(
        eye_m,
        down * tilt.cos() + aside * tilt.sin(),
        aside.cross(n),
        rng.random_range(0.3..1.5),
        (1920, 1080),
    )
}

/// Law: at random cameras the pool is conforming, and the drawn mesh is one closed sphere of exactly F/2 + 2 vertices,
/// each directed edge used once.
#[test]
fn closed_conforming_sphere_at_random_cameras() {
    let mut planet = Planet::new(1 << 15);
    let mut rng = StdRng::seed_from_u64(21);
    let mut most = 0;
    for _ in 0..25 {
        let view = random_view(&mut rng, &planet.relief);
        for _ in 0..rng.random_range(3..40) {
            planet.step(&view);
        }
        invariants::check(&planet.pool).unwrap();
        let (vertices, indices) = planet.drawn(&view);
        assert_eq!(planet.mesh.vertex_count() as u32, planet.pool.live() / 2 + 2);
        let mut edges = HashSet::new();
        for triangle in &indices {
            for e in 0..3 {
                assert!(edges.insert((triangle[e], triangle[(e + 1) % 3])), "a directed edge is drawn twice");
            }
            assert!(triangle.iter().all(|&i| vertices[i as usize].position_m.iter().all(|x| x.is_finite())));
        }
        assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))), "the surface has an open edge");
        most = most.max(indices.len());
    }
    assert!(most > 2_000, "only {most} triangles: the cameras were too easy");
}

/// Law: with morphing off, every vertex that the view asked for lies on the relief to a millimetre plus f32 rounding of its
/// distance; the others (there for conformity, or kept by hysteresis) sit on the middle of their edge.
#[test]
fn vertices_lie_on_the_relief() {
    let mut planet = Planet::new(1 << 15);
    let mut rng = StdRng::seed_from_u64(5);
    let (mut on_relief, mut on_edge) = (0, 0);
    for _ in 0..30 {
        let view = random_view(&mut rng, &planet.relief);
        planet.settle(&view);
        // Without morphing every vertex is in its place.
        planet.quality.morph_end = 1.0 + 1e-12;
        let places = planet.places(&view);
        planet.quality = Quality::default();
        for (&point, &position) in &places {
            let tolerance_m = 1e-3 + 2e-6 * position.distance(view.eye_m);
            let height_m = planet.relief.sample(point.normal()).height_m;
            if position.distance(Ellipsoid::WGS84.ecef(point.normal(), height_m)) < tolerance_m {
                on_relief += 1;
                continue;
            }
            let ends = bisected_edge(point).expect("the corners of the cube lie on the relief");
            let middle = 0.5 * (places[&ends[0]] + places[&ends[1]]);
            assert!(position.distance(middle) < tolerance_m, "{point:?} is nowhere at {view:?}");
            on_edge += 1;
        }
    }
    assert!(on_relief > on_edge && on_edge > 100, "{on_relief} on the relief, {on_edge} on the middle of their edge");
}

/// Law: the settled mesh deviates from the relief, at the middle of every triangle that the picture shows, by less than six times
/// the error that was asked for: errors of levels add up. The largest measured was 2.8 times.
#[test]
fn a_settled_mesh_is_within_six_times_the_tolerated_error() {
    let mut planet = Planet::new(1 << 16);
    let mut rng = StdRng::seed_from_u64(8);
    for _ in 0..6 {
        let view = random_view(&mut rng, &planet.relief);
        planet.settle(&view);
        let frustum = planet.mesh.frustum(&view).unwrap();
        let (vertices, indices) = planet.drawn(&view);
        let mut worst: f64 = 0.0;
        for triangle in &indices {
            let corners = triangle.map(|i| DVec3::from_array(vertices[i as usize].position_m.map(f64::from)));
            let centre = (corners[0] + corners[1] + corners[2]) / 3.0;
            // Only what the picture shows: in front, inside the frustum, facing us.
            let facing = (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(centre) < 0.0;
            let longest = (0..3).map(|e| corners[e].distance(corners[(e + 1) % 3])).fold(0.0, f64::max);
            let pixels_per_m = frustum.pixels_per_radian / centre.length();
            if !facing || !frustum.may_show(centre, 0.0) || longest * pixels_per_m < 2.0 * planet.quality.min_edge_px {
                continue;
            }
            let place = Ellipsoid::WGS84.geodetic(view.eye_m + centre);
            if frustum.beyond_horizon(centre, place.height_m, 0.0, 0.0) {
                continue;
            }
            let error_m = (place.height_m - planet.relief.sample(place.normal()).height_m).abs();
            worst = worst.max(error_m * pixels_per_m);
        }
        assert!(worst < 6.0 * planet.quality.pixel_error, "{worst} px at {view:?}");
    }
}

/// Law: nothing pops where the lattice is as fine as the data, so that no vertex has a larger error than one that must come
/// before it. Descending and climbing again by 0.4 % of the height a step, with the mesh refining and coarsening, the
/// drawn surface moves nowhere by more than a twentieth of a pixel: a vertex starts on the middle of its edge, and returns
/// there before it goes, because its weight is a function of place and view.
#[test]
fn small_steps_move_vertices_little() {
    let motion = measure_motion(&mut Planet::new(1 << 15), down_and_up(200, 0.004), 0.05);
    assert!(motion.fresh >= 100 && motion.gone >= 100, "only {} fresh vertices, {} gone", motion.fresh, motion.gone);
}

/// Law: standing on the ground does not jitter. With the eye a metre up and steps of a centimetre, at random places, the
/// poles, 180 degrees, cube edges and corners, the drawn surface moves nowhere by more than a tenth of a pixel, whether
/// the mesh changes or not.
#[test]
fn standing_on_the_ground_is_steady() {
    let mut planet = Planet::new(1 << 15);
    let mut rng = StdRng::seed_from_u64(31);
    let mut places =
        vec![(90.0, 0.0), (-90.0, 0.0), (12.0, 180.0), (0.0, 45.0), (35.264_389_7, 45.0), (27.988, 86.925)];
    places.extend((0..4).map(|_| (rng.random_range(-90.0..90.0), rng.random_range(-180.0..180.0))));
    for (lat, lon) in places {
        measure_motion(&mut planet, standing(lat, lon, 10), 0.1);
    }
}

/// Law: after a view of many triangles, one of few costs as if there had been no other: free records are forgotten.
#[test]
fn a_mesh_that_was_large_is_not_for_ever() {
    let mut planet = Planet::new(1 << 15);
    let n = n_vector(0.4, -2.0);
    let view = |height_m: f64| {
        let aside = n.any_orthonormal_vector();
        View::perspective(Ellipsoid::WGS84.ecef(n, height_m), aside - n, n, 1.0, (640, 360))
    };
    planet.quality = Quality::default().with_pixel_error(0.1);
    (0..60).for_each(|_| planet.step(&view(9_000.0)));
    let most = planet.mesh.vertex_slots();
    planet.quality = Quality::default().with_pixel_error(4.0);
    (0..60).for_each(|_| planet.step(&view(3e6)));
    let (slots, used) = (planet.mesh.vertex_slots(), planet.mesh.vertex_count());
    assert!(most > 10 * used && slots <= 4 * used + 1024, "{most} records, then {slots} for {used} vertices");
    // The mesh is that of one that was never large.
    let view = view(3e6);
    let drawn = planet.places(&view);
    let mut fresh = Mesh::new(planet.relief.clone(), 1, DEFAULT_TILES);
    fresh.sync_with_pool(&planet.pool);
    let frustum = fresh.frustum(&view).unwrap();
    fresh.update_tiles_complete(&frustum, &planet.quality);
    fresh.update_priorities(&frustum, &planet.quality);
    planet.mesh = fresh;
    assert_eq!(drawn, planet.places(&view));
}

/// Law: updates that the mesh did not follow change nothing that it does not know, and one call makes up for them.
#[test]
fn a_mesh_that_missed_updates_catches_up() {
    let mut planet = Planet::new(1 << 12);
    let n = n_vector(0.4, -2.0);
    let view = View::perspective(Ellipsoid::WGS84.ecef(n, 3e6), -n, n.any_orthonormal_vector(), 1.0, (640, 360));
    for _ in 0..3 {
        planet.step(&view);
    }
    let before = planet.pool.live();
    let frustum = planet.mesh.frustum(&view).unwrap();
    planet.mesh.update_tiles_complete(&frustum, &planet.quality);
    planet.mesh.update_priorities(&frustum, &planet.quality);
    for _ in 0..5 {
        planet.pool.update(&planet.mesh, VisitOrder::Parallel);
        invariants::check(&planet.pool).unwrap();
    }
    assert!(planet.pool.live() > before, "nothing was missed");
    let (_, stale) = planet.drawn(&view);
    assert!(stale.len() < planet.pool.live() as usize, "unknown triangles are left out");
    planet.mesh.sync_with_pool(&planet.pool);
    planet.mesh.update_priorities(&frustum, &planet.quality);
    // As if it had followed from the start.
    let mut fresh = Mesh::new(planet.relief.clone(), 1, DEFAULT_TILES);
    fresh.sync_with_pool(&planet.pool);
    fresh.update_tiles_complete(&frustum, &planet.quality);
    fresh.update_priorities(&frustum, &planet.quality);
    assert_eq!(planet.mesh.vertex_count(), fresh.vertex_count());
    let caught_up = planet.places(&view);
    planet.mesh = fresh;
    assert_eq!(caught_up, planet.places(&view));
}
