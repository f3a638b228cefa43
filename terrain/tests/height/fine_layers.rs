//! Small fine layers amid coarse data: no ray steps over them, no triangle hides them.

use std::sync::Arc;

use tempfile::TempDir;
use terrain::{
    Quality, View,
    bisection::{HeapId, MAX_DEPTH},
    cube::CubePoint,
    geodesy::{Geodetic, ecef, from_ecef},
    height::{Lattice, OpenOptions, Relief},
    mesh::Mesh,
    pool::{BUCKET_SPLIT, Order, Pool, Priority},
    surface::Surface,
};

use super::raster_files::Frame;

const PLATEAU_M: f64 = 700.0;

/// A plateau of 100 x 100 texels round a place of the Pacific, over the embedded relief.
fn plateau(folder: &TempDir, (lat_deg, lon_deg): (f64, f64), posting_deg: f64) -> Arc<Relief> {
    let path = folder.path().join("plateau.tif");
    let half_deg = 50.0 * posting_deg;
    let frame = Frame::north_up("EPSG:4326", (100, 100), lon_deg - half_deg, lat_deg + half_deg, posting_deg);
    frame.write::<f32>(&path, vec![PLATEAU_M as f32; 10_000]).close().unwrap();
    Arc::new(Relief::open(&[path], &OpenOptions::default()).unwrap())
}

/// Law: a plateau much smaller than the steps over the coarse data around it stops every ray and every line of sight, from
/// whatever distance, and is where it is.
#[test]
fn rays_do_not_step_over_a_small_plateau() {
    let folder = TempDir::new().unwrap();
    let middle = Geodetic::from_degrees(20.0, -150.0, 0.5 * PLATEAU_M);
    let surface = Surface::new(plateau(&folder, (20.0, -150.0), 2e-5));
    let fine = surface.ground(middle.normal());
    assert_eq!((fine.provenance.layer, fine.height_m), (0, PLATEAU_M));
    for i in 0..40 {
        let away_deg = 0.05 + 0.0137 * f64::from(i);
        let from = Geodetic::from_degrees(20.0, -150.0 - away_deg, 1_000.0 + 10.0 * f64::from(i));
        let direction = middle.to_ecef() - from.to_ecef();
        let hit = surface.ray(from.to_ecef(), direction, 1e6).unwrap().expect("the plateau is in the way");
        let away_m = ecef(hit.place.normal(), 0.0).distance(ecef(middle.normal(), 0.0));
        assert!(away_m < 150.0, "ray {i} hits {away_m} m from the middle of the plateau");
        // The line on to the other side as well.
        let beyond = from_ecef(from.to_ecef() + 1.5 * direction);
        let obstacle = surface.line_of_sight(from, beyond).unwrap();
        assert_eq!(obstacle.map(|hit| hit.place.height_m > 0.0), Some(true), "sight {i}");
    }
}

/// Cuts what is needed for one bisector to be live.
struct Towards(HeapId);

impl Priority for Towards {
    fn bucket(&self, _: u32, id: HeapId) -> u8 {
        let levels = self.0.depth().saturating_sub(id.depth());
        if levels > 0 && self.0.0 >> levels == id.0 { BUCKET_SPLIT + 5 } else { 1 }
    }
    fn parent_bucket(&self, _: u32, _: HeapId) -> u8 {
        1
    }
}

/// Law: a triangle that a fine layer touches is cut for what that layer holds, also if the vertex that cuts it lies on
/// coarse data.
#[test]
fn triangles_see_fine_layers_beside_their_vertex() {
    // A bisector off the lattice whose hypotenuse is shorter than the embedded relief's posting, in the Pacific.
    let near = Geodetic::from_degrees(20.0, -150.0, 0.0).normal();
    let distance = |id: HeapId| near.distance(id.triangle().midpoint().normal());
    let mut bisector = (0..12).map(HeapId::root).min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap();
    while bisector.depth() < 2 * Lattice::DEFAULT_LEVEL + 2 {
        let children = [0, 1].map(|b| bisector.child(b));
        bisector = children.into_iter().min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap();
    }
    let corners = bisector.triangle().0.map(CubePoint::normal);
    let vertex = bisector.triangle().midpoint().normal();
    let edge_m = ecef(corners[0], 0.0).distance(ecef(corners[2], 0.0));

    // The plateau lies half-way between the vertex and the apex.
    let place = from_ecef(ecef((vertex + corners[1]).normalize(), 0.0));
    let folder = TempDir::new().unwrap();
    let relief = plateau(&folder, (place.lat_rad.to_degrees(), place.lon_rad.to_degrees()), 5e-5);
    assert!(edge_m < relief.posting_m(vertex), "the vertex lies on coarse data");
    assert_eq!(relief.sample(place.normal()).layer, 0);

    let mut pool = Pool::new(1 << 12, MAX_DEPTH).unwrap();
    let mut mesh = Mesh::new(relief.clone(), Arc::new(Lattice::build(&relief, Lattice::DEFAULT_LEVEL)), 1 << 12);
    mesh.sync_with_pool(&pool);
    for _ in 0..bisector.depth() + 2 {
        pool.update(&Towards(bisector), Order::Natural);
        mesh.sync_with_pool(&pool);
    }
    let (slot, _) = pool.iter().find(|(_, id)| *id == bisector).expect("the bisector is live");
    let eye_m = ecef(vertex, 20_000.0);
    let view =
        View { eye_m, forward: -vertex, up: vertex.any_orthonormal_vector(), fov_y_rad: 1.0, size_px: (1280, 720) };
    mesh.update_priorities(&mesh.frame(&view).unwrap(), &Quality::default());
    let bucket = mesh.bucket(slot, bisector);
    assert!(bucket >= BUCKET_SPLIT + 8, "a plateau of {PLATEAU_M} m in bucket {bucket} only");
}
