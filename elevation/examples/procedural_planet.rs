//! How does a program draw ground of its own? A planet of fractal noise as an [`ElevationSource`], with proven bounds.
//!
//! `cargo run --release -p orogen-elevation --example procedural_planet --no-default-features`

use std::sync::Arc;

use elevation::height::{Elevation, ElevationSource, HeightBounds, LayerInfo, Location, Region, Relief, Spacing};
use elevation::surface::Surface;
use glam::{DVec3, IVec3};

/// Mean radius of the Earth: metres of a radian.
const RADIUS_M: f64 = 6.371e6;
/// The widest octave has a period of a radian over this, each further one of half of that.
const FIRST_FREQUENCY: f64 = 4.0;
/// Its height, in metres; each further one is 0.48 times as high.
const FIRST_HEIGHT_M: f64 = 3_000.0;
const FALL: f64 = 0.48;
/// Down to cells of a decimetre.
const OCTAVES: u32 = 24;
/// The steepest of `t t (3 - 2 t)` is 1.5 between values that differ by 2, along each of three axes.
const STEEPEST: f64 = 1.732_050_807_568_877_3 * 1.5 * 2.0;

/// Fractal value noise on the unit sphere of normals.
#[derive(Debug, Clone, Copy)]
pub struct Fractal;

impl Fractal {
    /// What is known about the layer.
    pub fn info() -> LayerInfo {
        let most_m = octaves().map(|(_, height_m)| height_m).sum::<f64>();
        LayerInfo::synthetic("fractal noise", 0.1, [-180.0, -90.0, 180.0, 90.0], (-most_m, most_m))
    }

    fn height_m(normal: DVec3, spacing_m: f64) -> f64 {
        let coarse_enough = |&(frequency, _): &(f64, f64)| RADIUS_M / frequency >= spacing_m;
        octaves().take_while(coarse_enough).map(|(frequency, height_m)| height_m * noise(normal * frequency)).sum()
    }
}

/// Frequency and height in metres of each octave.
fn octaves() -> impl Iterator<Item = (f64, f64)> {
    (0..OCTAVES as i32).map(|k| (FIRST_FREQUENCY * 2f64.powi(k), FIRST_HEIGHT_M * FALL.powi(k)))
}

/// Value noise from -1 to 1: smooth between random values at whole coordinates.
fn noise(p: DVec3) -> f64 {
    let (cell, t) = (p.floor(), p - p.floor());
    let t = t * t * (3.0 - 2.0 * t);
    let corner = |k: i32| {
        let bit = |axis: i32| k >> axis & 1;
        let weight = |t: f64, bit: i32| if bit == 1 { t } else { 1.0 - t };
        let at = cell.as_ivec3() + IVec3::new(bit(0), bit(1), bit(2));
        weight(t.x, bit(0)) * weight(t.y, bit(1)) * weight(t.z, bit(2)) * random(at)
    };
    (0..8).map(corner).sum()
}

/// A value from -1 to 1 for a cell.
fn random(cell: IVec3) -> f64 {
    let [x, y, z] = cell.as_uvec3().to_array().map(u64::from);
    let mut bits = x.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ y.wrapping_mul(0xC2B2_AE3D_27D4_EB4F) ^ z.rotate_left(40);
    for _ in 0..2 {
        bits = (bits ^ bits >> 31).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    }
    (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

impl ElevationSource for Fractal {
    fn sample(&self, at: &Location, spacing: Spacing) -> Option<Elevation> {
        // A vertex has to be where any other question finds it; views of the whole need no octave that they cannot show.
        let spacing_m = spacing.average_m();
        Some(Elevation::whole(Self::height_m(at.normal, spacing_m)))
    }

    fn bounds(&self, region: &Region) -> Option<HeightBounds> {
        let middle_m = Self::height_m(region.n, 0.0);
        // No octave moves by more than its steepest slope allows, nor by more than twice its height.
        let away = |(frequency, height_m): (f64, f64)| height_m * (STEEPEST * frequency * region.radius_rad).min(2.0);
        let away_m: f64 = octaves().map(away).sum::<f64>() + 1e-6;
        Some(HeightBounds::of((middle_m - away_m, middle_m + away_m)))
    }

    fn posting_m(&self, _: &Location) -> f64 {
        0.1
    }
}

#[allow(dead_code, reason = "a test takes the rest of this file")]
fn main() {
    let relief = Arc::new(Relief::of_source(Fractal::info(), Arc::new(Fractal)));
    let surface = Surface::new(relief.clone());
    for (lat_deg, lon_deg) in [(46.0, 7.0), (-33.9, 151.2), (90.0, 0.0)] {
        let ground = surface.ground(Location::at(lat_deg, lon_deg).normal);
        println!(
            "{lat_deg:>6} {lon_deg:>6}: {:>9.2} m, slope {:>5.1} degrees",
            ground.height_m,
            ground.slope_rad.to_degrees()
        );
    }
}
