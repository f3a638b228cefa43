//! Ground that tests share, so that the errors of its coarse lattice are found once.

use std::sync::{Arc, LazyLock};

use terrain::{
    geodesy::{Ellipsoid, n_vector},
    height::{GlobalGrid, Registration, Relief},
};

fn grid((columns, rows): (usize, usize), height_m: impl Fn(f64, f64) -> f64 + Sync) -> GlobalGrid {
    GlobalGrid::from_fn(columns, rows, Registration::Node, |lon_deg, lat_deg| {
        height_m(lon_deg.to_radians(), lat_deg.to_radians())
    })
}

fn relief(grid: GlobalGrid) -> Arc<Relief> {
    Arc::new(Relief::from_grid(grid).expect("a grid"))
}

/// Swells of thousands of kilometres.
pub static SWELLS: LazyLock<Arc<Relief>> =
    LazyLock::new(|| relief(grid((360, 181), |lon, lat| 2_000.0 * (7.0 * lon).sin() * (5.0 * lat).cos())));

/// Swells, and ridges of hundreds of kilometres on them.
pub static RIDGES: LazyLock<Arc<Relief>> = LazyLock::new(|| ridges_on(Ellipsoid::WGS84));

/// The same on any planet.
pub fn ridges_on(ellipsoid: Ellipsoid) -> Arc<Relief> {
    let height_m =
        |lon: f64, lat: f64| 2_500.0 * (11.0 * lon).sin() * (9.0 * lat).cos() + 900.0 * (63.0 * lat + 41.0 * lon).sin();
    Arc::new(Relief::from_grid_on(ellipsoid, grid((1440, 721), height_m)).expect("a grid"))
}

/// Hills of 500 km, and bands.
pub static HILLS: LazyLock<Arc<Relief>> = LazyLock::new(|| {
    let height_m =
        |lon: f64, lat: f64| 1_500.0 * (80.0 * lon).sin() * (50.0 * lat).cos() + 300.0 * (9.0 * lat.to_degrees()).sin();
    relief(grid((2160, 1081), height_m))
});

/// Long swells of some kilometres and a hill or a hollow at every node, 28 km apart.
pub static ROUGH: LazyLock<Arc<Relief>> = LazyLock::new(|| {
    let height_m = |lon: f64, lat: f64| {
        let n = n_vector(lat, lon);
        let swell = 3000.0 * (9.0 * n.x).sin() * (7.0 * n.y + 1.0).cos() + 1500.0 * (31.0 * n.z + 17.0 * n.x).sin();
        let noise = (43_758.5 * (12.9898 * lon.to_degrees() + 78.233 * lat.to_degrees()).sin()).fract();
        swell - 800.0 + 900.0 * lat.cos() * noise
    };
    relief(grid((1440, 721), height_m))
});
