//! Small fine layers amid coarse data: no ray steps over them.

use std::sync::Arc;

use elevation::{
    geodesy::{Ellipsoid, Geodetic},
    height::{OpenOptions, Relief},
    surface::Surface,
};
use tempfile::TempDir;

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
        let direction = middle.to_ecef(Ellipsoid::WGS84) - from.to_ecef(Ellipsoid::WGS84);
        let hit =
            surface.ray(from.to_ecef(Ellipsoid::WGS84), direction, 1e6).unwrap().expect("the plateau is in the way");
        let away_m =
            Ellipsoid::WGS84.ecef(hit.place.normal(), 0.0).distance(Ellipsoid::WGS84.ecef(middle.normal(), 0.0));
        assert!(away_m < 150.0, "ray {i} hits {away_m} m from the middle of the plateau");
        // The line on to the other side as well.
        let beyond = Ellipsoid::WGS84.geodetic(from.to_ecef(Ellipsoid::WGS84) + 1.5 * direction);
        let obstacle = surface.line_of_sight(from, beyond).unwrap();
        assert_eq!(obstacle.map(|hit| hit.place.height_m > 0.0), Some(true), "sight {i}");
    }
}
