//! How far does the drawn surface move between two pictures, and a relief with detail everywhere to see it on.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, LazyLock},
};

use glam::DVec3;
use terrain::{
    View,
    bisection::bisected_edge,
    cube::CubePoint,
    geodesy::n_vector,
    height::{GlobalGrid, Lattice, Registration, Relief},
    view::Occluder,
};

/// Long swells of some kilometres and a hill or a hollow at every node, 28 km apart.
pub static HILLY: LazyLock<(Arc<Relief>, Arc<Lattice>)> = LazyLock::new(|| {
    let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |lon_deg, lat_deg| {
        let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
        let swell = 3000.0 * (9.0 * n.x).sin() * (7.0 * n.y + 1.0).cos() + 1500.0 * (31.0 * n.z + 17.0 * n.x).sin();
        let noise = (43_758.5 * (12.9898 * lon_deg + 78.233 * lat_deg).sin()).fract();
        swell - 800.0 + 900.0 * lat_deg.to_radians().cos() * noise
    });
    let relief = Arc::new(Relief::from_grid(grid).unwrap());
    let lattice = Arc::new(Lattice::build(&relief, 9));
    (relief, lattice)
});

/// Where the drawn surface has a vertex: its own place, or the middle of the edge that it would cut.
fn place_of(point: CubePoint, places: &HashMap<CubePoint, DVec3>) -> DVec3 {
    places.get(&point).copied().unwrap_or_else(|| {
        let ends = bisected_edge(point).expect("the corners of the cube are always drawn");
        0.5 * (place_of(ends[0], places) + place_of(ends[1], places))
    })
}

/// How far the drawn surface moves at the vertices of either of two pictures, where the later one shows them.
pub struct Motion {
    /// Farthest move in pixels.
    pub worst_px: f64,
    /// Vertices in the picture that were not there before.
    pub fresh: usize,
    /// Vertices that are not there any more.
    pub gone: usize,
}

/// The camera's own motion is no part of it: places are those on Earth.
pub fn motion(occluder: Occluder, places: [&HashMap<CubePoint, DVec3>; 2], view: &View) -> Motion {
    // Frames are widened so that a turning camera finds the ground refined: narrowed first, they are the picture.
    let narrow = View { fov_y_rad: 2.0 * ((0.5 * view.fov_y_rad).tan() / 1.15).atan(), ..*view };
    let picture = narrow.frame(occluder).unwrap();
    let pixels_per_radian = view.frame(occluder).unwrap().pixels_per_radian;
    let points: BTreeSet<CubePoint> = places.iter().flat_map(|p| p.keys().copied()).collect();
    let mut motion = Motion { worst_px: 0.0, fresh: 0, gone: 0 };
    for point in points {
        let [before, after] = places.map(|places| place_of(point, places));
        let relative_m = after - view.eye_m;
        if !picture.may_show(relative_m, 0.0) || picture.beyond_horizon(&occluder.cap(after, 0.0)) {
            continue;
        }
        let moved_px = before.distance(after) / relative_m.length().max(0.5) * pixels_per_radian;
        motion.worst_px = motion.worst_px.max(moved_px);
        motion.fresh += usize::from(!places[0].contains_key(&point));
        motion.gone += usize::from(!places[1].contains_key(&point));
    }
    motion
}
