//! What do the programs that time whole frames fly over, and how? Rough synthetic ground, and a descent.

use std::f64::consts::FRAC_PI_3;

use anyhow::Result;
use glam::DVec3;
use rayon::prelude::*;
use terrain::{
    View,
    geodesy::{Ellipsoid, Geodetic},
    height::{GlobalGrid, Registration, Relief},
};

/// Mountains everywhere: eight octaves of sine waves in turned directions, at 7 km between postings.
///
/// # Errors
/// None: the grid is sound.
pub fn rough_relief() -> Result<Relief> {
    let (columns, rows) = (5_400, 2_701);
    let octaves: Vec<(DVec3, f64, f64)> = (0..8)
        .map(|octave| {
            let turn = 2.4 * f64::from(octave);
            let axis = DVec3::new(turn.cos(), turn.sin(), (1.7 * turn).sin()).normalize();
            (axis, 12.0 * 2.1f64.powi(octave), 2_400.0 * 0.62f64.powi(octave))
        })
        .collect();
    let height_m = |lon_deg: f64, lat_deg: f64| -> f64 {
        let n = Geodetic::from_degrees(lat_deg, lon_deg, 0.0).normal();
        let wave = |&(axis, frequency, height_m): &(DVec3, f64, f64)| {
            let across = DVec3::new(axis.y, axis.z, axis.x);
            height_m * (frequency * n.dot(axis)).sin() * (frequency * n.dot(across)).cos()
        };
        octaves.iter().map(wave).sum()
    };
    let values: Vec<f64> = (0..rows)
        .into_par_iter()
        .flat_map_iter(|row| {
            let lat = 90.0 - 180.0 * f64::from(row) / f64::from(rows - 1);
            (0..columns).map(move |column| (360.0 * f64::from(column) / f64::from(columns) - 180.0, lat))
        })
        .map(|(lon, lat)| height_m(lon, lat))
        .collect();
    let index = |lon_deg: f64, lat_deg: f64| {
        let column = ((lon_deg + 180.0) / 360.0 * f64::from(columns)).round() as usize % columns as usize;
        let row = ((90.0 - lat_deg) / 180.0 * f64::from(rows - 1)).round() as usize;
        values[row.min(rows as usize - 1) * columns as usize + column]
    };
    Ok(Relief::from_grid(GlobalGrid::from_fn(columns as usize, rows as usize, Registration::Node, index))?)
}

/// From 400 km down to 9 km and 300 km on, at a steady rate in the logarithm of the height.
pub fn view(t: f64, size_px: (u32, u32)) -> View {
    let height_m = 400_000.0 * (9_000.0f64 / 400_000.0).powf(t);
    let at = Geodetic::from_degrees(30.0 + 2.0 * t, 80.0 + 2.5 * t, height_m);
    let up = at.normal();
    let east = DVec3::Z.cross(up).normalize();
    View::perspective(at.to_ecef(Ellipsoid::WGS84), east - 0.35 * up, up, FRAC_PI_3, size_px)
}
