//! Does the device find what outlines say of a pixel?

use gpu::Gpu;
use rand::Rng;

use glam::{DVec3, Vec2};

use super::*;
use crate::{
    geodesy::{Geodetic, ecef, from_ecef},
    height::{GlobalGrid, Registration},
    pixel_tiles::tests::{PIXEL_RAD, ask, eye_and_ground, somewhere_below, straight_down},
    random,
    water::Cover,
};

const ANSWER: &str = "
//!import terrain/water_tiles
alias Found = vec2f;
fn answer(position_m: vec3f, n: vec3f) -> Found {
    let water = water_at(pixel_place(position_m, n, water_view), water_view.deepest, true);
    return vec2f(water.sea, water.lake);
}
";

/// Law: at every place of a view a pixel is sea or lake as outlines say, but for those within some pixels of a shore, from orbit to the
/// ground, on every face.
#[test]
fn pixels_are_told_what_outlines_say() {
    let gpu = Gpu::new(&Default::default()).unwrap();
    let mut rng = random::rng();
    let flat = GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 0.0);
    let relief = Arc::new(Relief::from_grid(flat).unwrap());
    let water = Water::earth();
    let mut seen = [0; 3];
    for case in 0..12 {
        let mut tiles = WaterTiles::new(&gpu.device, water, &relief);
        // Where there is something to see: near Lake Superior, Stockholm, the Aegean, and anywhere.
        let place = match case % 4 {
            0 => Geodetic::from_degrees(47.0, -86.0, 0.0),
            1 => Geodetic::from_degrees(59.4, 18.0, 0.0),
            2 => Geodetic::from_degrees(37.0, 25.2, 0.0),
            _ => from_ecef(eye_and_ground(&mut rng, 0.0).0),
        };
        let eye_m = Geodetic { height_m: 10f64.powf(rng.random_range(2.0..6.5)), ..place }.to_ecef();
        tiles.update_complete(&straight_down(eye_m), &gpu.queue).unwrap();
        assert!(tiles.is_complete() && tiles.counts().wanted <= tiles.counts().budget);
        let normals = std::iter::repeat_with(|| somewhere_below(&mut rng, eye_m)).take(800);
        let places: Vec<(DVec3, DVec3)> = normals.map(|n| (ecef(n, 0.0) - eye_m, n)).collect();
        let found: Vec<Vec2> = ask(&gpu, &tiles, ANSWER, &places);
        for ((position_m, n), found) in places.iter().zip(found) {
            // Texels are at least 76 m wide.
            let around_m = (1.5 * position_m.length() * PIXEL_RAD).max(120.0);
            let (east, north, _) = crate::geodesy::east_north_up(*n);
            let covers: Vec<Cover<'_>> = (0..48)
                .map(|k| {
                    let (sin, cos) = (std::f64::consts::FRAC_PI_8 * f64::from(k % 16)).sin_cos();
                    let away_m = around_m * f64::from(k / 16 + 1) / 3.0;
                    water.at((*n + (east * cos + north * sin) * (away_m / 6.4e6)).normalize())
                })
                .collect();
            let here = water.at(*n);
            if covers.iter().any(|cover| *cover != here) {
                continue;
            }
            let (kind, expected) = match here {
                Cover::Land => (0, Vec2::ZERO),
                Cover::Sea => (1, Vec2::X),
                Cover::Lake(_) => (2, Vec2::Y),
            };
            seen[kind] += 1;
            let off = (found - expected).abs().max_element();
            // What is smaller than a pixel is a part of it.
            assert!(off < 0.35, "case {case}: {found} where {here:?}, {} m away", position_m.length());
        }
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}
