//! Small fine layers amid coarse data: no triangle hides them.

use std::sync::Arc;

use tempfile::TempDir;
use terrain::{
    DEFAULT_TILES, Quality, View,
    bisection::{HeapId, MAX_DEPTH},
    cube::CubePoint,
    geodesy::{Ellipsoid, Geodetic},
    height::{CoarseErrors, OpenOptions, Relief},
    mesh::Mesh,
    pool::{BUCKET_SPLIT, Pool, Priority, VisitOrder},
};
use tests::raster;

const PLATEAU_M: f64 = 700.0;

/// A plateau of 100 x 100 texels round a place, over the embedded relief.
fn plateau(folder: &TempDir, (lat_deg, lon_deg): (f64, f64), posting_deg: f64) -> Arc<Relief> {
    let path = folder.path().join("plateau.tif");
    let half_deg = 50.0 * posting_deg;
    raster::write(&path, (lon_deg - half_deg, lat_deg + half_deg), (100, 100), posting_deg, |_, _| PLATEAU_M);
    Arc::new(Relief::open(&[path], &OpenOptions::default()).unwrap())
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
    while bisector.depth() < 2 * CoarseErrors::DEFAULT_LEVEL + 2 {
        let children = [0, 1].map(|b| bisector.child(b));
        bisector = children.into_iter().min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap();
    }
    let corners = bisector.triangle().0.map(CubePoint::normal);
    let vertex = bisector.triangle().midpoint().normal();
    let edge_m = Ellipsoid::WGS84.ecef(corners[0], 0.0).distance(Ellipsoid::WGS84.ecef(corners[2], 0.0));

    // The plateau lies half-way between the vertex and the apex.
    let place = Ellipsoid::WGS84.geodetic(Ellipsoid::WGS84.ecef((vertex + corners[1]).normalize(), 0.0));
    let folder = TempDir::new().unwrap();
    let relief = plateau(&folder, (place.lat_rad.to_degrees(), place.lon_rad.to_degrees()), 5e-5);
    assert!(edge_m < relief.posting_m(vertex), "the vertex lies on coarse data");
    assert_eq!(relief.sample(place.normal()).layer, 0);

    let mut pool = Pool::new(1 << 12, MAX_DEPTH).unwrap();
    let mut mesh = Mesh::new(relief.clone(), 1 << 12, DEFAULT_TILES);
    mesh.sync_with_pool(&pool);
    for _ in 0..bisector.depth() + 2 {
        pool.update(&Towards(bisector), VisitOrder::Natural);
        mesh.sync_with_pool(&pool);
    }
    let (slot, _) = pool.iter().find(|(_, id)| *id == bisector).expect("the bisector is live");
    let eye_m = Ellipsoid::WGS84.ecef(vertex, 20_000.0);
    let view = View::perspective(eye_m, -vertex, vertex.any_orthonormal_vector(), 1.0, (1280, 720));
    let frustum = mesh.frustum(&view).unwrap();
    mesh.update_tiles_complete(&frustum, &Quality::default());
    mesh.update_priorities(&frustum, &Quality::default());
    let bucket = mesh.bucket(slot, bisector);
    assert!(bucket >= BUCKET_SPLIT + 8, "a plateau of {PLATEAU_M} m in bucket {bucket} only");
}
