//! What does a pick cost, where a ray meets the ground and what is there? A picture's worth of rays from each of some views of
//! the embedded relief. `cargo bench -p benches --bench picks [FILTER]`; distributions are in the example `pick` of `terrain`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use terrain::geodesy::{Ellipsoid, Geodetic, east_north_up};
use terrain::height::Relief;
use terrain::surface::Surface;

/// Rays across and down a picture.
const RAYS: (u32, u32) = (64, 36);
const REACH_M: f64 = 1e8;

/// Directions through the middles of columns and rows of a picture, 0.8 rad high.
fn directions(forward: DVec3, up: DVec3) -> Vec<DVec3> {
    let forward = forward.normalize();
    let right = forward.cross(up).normalize();
    let (up, tan) = (right.cross(forward), 0.4f64.tan());
    let middle = |k: u32, of: u32| 2.0 * (f64::from(k) + 0.5) / f64::from(of) - 1.0;
    let direction = |k: u32| {
        let (x, y) = (middle(k % RAYS.0, RAYS.0), middle(k / RAYS.0, RAYS.1));
        (forward + right * x * tan * 16.0 / 9.0 - up * y * tan).normalize()
    };
    (0..RAYS.0 * RAYS.1).map(direction).collect()
}

fn picks(criterion: &mut Criterion) {
    let surface = Surface::new(Arc::new(Relief::embedded().expect("the embedded relief")));
    let at = Geodetic::from_degrees(27.4, 86.9, 0.0).normal();
    let (_, north, up) = east_north_up(at);
    let mut group = criterion.benchmark_group("picks x2304");
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2)).sample_size(20);
    for (name, above_m, down) in [("ground", 2.0, 0.0), ("air", 3_000.0, 0.1), ("space", 2e6, 3.0)] {
        let eye_m = Ellipsoid::WGS84.ecef(at, surface.height_m(at) + above_m);
        let rays = directions(north - down * up, up);
        let pick = |ray: &DVec3| {
            let hit = surface.ray(eye_m, *ray, REACH_M).expect("a finite ray over data 9 km apart");
            hit.map(|hit| surface.ground(hit.place.normal()))
        };
        group.bench_function(name, |b| b.iter(|| rays.iter().for_each(|ray| _ = black_box(pick(ray)))));
    }
    group.finish();
}

criterion_group!(benches, picks);
criterion_main!(benches);
