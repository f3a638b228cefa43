//! Does the device find what outlines and borders say of a pixel?

use gpu::Gpu;
use rand::Rng;

use glam::{DVec3, Vec2, Vec4};

use super::*;
use crate::{
    geodesy::{Ellipsoid, Geodetic},
    height::{GlobalGrid, Registration},
    pixel_tiles::tests::{PIXEL_RAD, ask, eye_and_ground, somewhere_below, straight_down},
    random,
    water::Cover,
};

/// A device, and ground without heights.
fn on_flat_ground() -> (Gpu, Arc<Relief>) {
    let flat = GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 0.0);
    (Gpu::new(&Default::default()).unwrap(), Arc::new(Relief::from_grid(flat).unwrap()))
}

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
    let (gpu, relief) = on_flat_ground();
    let mut rng = random::rng();
    let water = Water::earth();
    let mut seen = [0; 3];
    for case in 0..12 {
        let mut tiles = WaterTiles::new(&gpu.device, water, Borders::earth(), &relief);
        // Where there is something to see: near Lake Superior, Stockholm, the Aegean, and anywhere.
        let place = match case % 4 {
            0 => Geodetic::from_degrees(47.0, -86.0, 0.0),
            1 => Geodetic::from_degrees(59.4, 18.0, 0.0),
            2 => Geodetic::from_degrees(37.0, 25.2, 0.0),
            _ => Ellipsoid::WGS84.geodetic(eye_and_ground(&mut rng, Ellipsoid::WGS84, 0.0).0),
        };
        let eye_m = Geodetic { height_m: 10f64.powf(rng.random_range(2.0..6.5)), ..place }.to_ecef(Ellipsoid::WGS84);
        tiles.update_complete(&straight_down(eye_m), &gpu.queue).unwrap();
        assert!(tiles.is_complete() && tiles.counts().wanted <= tiles.counts().budget);
        let normals = std::iter::repeat_with(|| somewhere_below(&mut rng, Ellipsoid::WGS84, eye_m)).take(800);
        let places: Vec<(DVec3, DVec3)> = normals.map(|n| (Ellipsoid::WGS84.ecef(n, 0.0) - eye_m, n)).collect();
        let found: Vec<Vec2> = ask(&gpu, &tiles, ANSWER, &places);
        for ((position_m, n), found) in places.iter().zip(found) {
            // Texels are at least 9.5 m wide, and tell distances: corners of shores are a little rounder.
            let around_m = (1.5 * position_m.length() * PIXEL_RAD).max(3.0);
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

const BORDERS: &str = "
//!import terrain/water_tiles
alias Found = vec4f;
fn answer(position_m: vec3f, n: vec3f) -> Found {
    // 1.2 pixels to the north: no place is farther beyond a tile than its rim.
    let along = length(position_m) * 0.0056 / 6371000.0 * normalize(vec3f(0.0, 0.0, 1.0) - n.z * n);
    let tile = water_tile(pixel_place(position_m, n, water_view), water_view.deepest, true);
    return borders_along(tile, n, along).zxyw;
}
";

/// Law: places along a pixel are told how far the next border is, as well as texels tell and as they are of one size, of which the sides
/// differ by up to 1.41. Where borders are not drawn, none but the coarsest tiles is wanted.
#[test]
fn pixels_are_told_how_far_borders_are() {
    let (gpu, relief) = on_flat_ground();
    let mut rng = random::rng();
    let no_water = Arc::new(Water::new([]));
    let mut near = 0;
    for case in 0..12 {
        let middle = Ellipsoid::WGS84.geodetic(eye_and_ground(&mut rng, Ellipsoid::WGS84, 0.0).0);
        let (lat, lon) = (middle.lat_rad.clamp(-1.4, 1.4), middle.lon_rad);
        // Along a parallel, which is no great circle.
        let ends = [-5.0, 5.0].map(|aside| [lon.to_degrees() + aside, lat.to_degrees()]);
        let borders = Arc::new(Borders::new([ends.to_vec()]));
        let mut tiles = WaterTiles::new(&gpu.device, &no_water, &borders, &relief);
        tiles.draw_borders(true);
        let eye_m = Geodetic { lat_rad: lat, lon_rad: lon, height_m: 10f64.powf(rng.random_range(2.5..5.0)) }
            .to_ecef(Ellipsoid::WGS84);
        tiles.update_complete(&straight_down(eye_m), &gpu.queue).unwrap();
        // Places beside the line, by some pixels.
        let normals = std::iter::repeat_with(|| {
            let lon = crate::geodesy::lat_lon(somewhere_below(&mut rng, Ellipsoid::WGS84, eye_m)).1;
            let pixel =
                (Ellipsoid::WGS84.ecef(crate::geodesy::n_vector(lat, lon), 0.0) - eye_m).length() * PIXEL_RAD / 6.371e6;
            crate::geodesy::n_vector(lat + rng.random_range(-4.0..4.0) * pixel, lon)
        });
        let places: Vec<(DVec3, DVec3)> =
            normals.take(400).map(|n| (Ellipsoid::WGS84.ecef(n, 0.0) - eye_m, n)).collect();
        let found: Vec<Vec4> = ask(&gpu, &tiles, BORDERS, &places);
        for ((position_m, n), found) in places.iter().zip(found) {
            let pixel_m = position_m.length() * PIXEL_RAD;
            // Texels are at least 4.8 m wide.
            let texel_m = pixel_m.max(4.8);
            let north_m = (crate::geodesy::lat_lon(*n).0 - lat) * 6.371e6;
            for (part, found) in [-0.375, -0.125, 0.125, 0.375].into_iter().zip(found.to_array()) {
                let away_m = (north_m + part * 0.0056 * position_m.length()).abs();
                let (low_m, high_m) = (0.68 * away_m - 0.6 * texel_m, 1.45 * away_m + 0.6 * texel_m);
                // Of a texel that is half of a pixel, and smaller than most, four are not much more.
                if away_m < pixel_m {
                    near += 1;
                    let found_m = f64::from(found);
                    assert!(
                        found_m > low_m && found_m < high_m,
                        "case {case}: {found} m, not {away_m}, of {pixel_m} m a pixel"
                    );
                }
                assert!(
                    away_m < 7.0 * texel_m || found > 1e8,
                    "case {case}: {found} m, not {away_m} of {texel_m} m a texel"
                );
            }
        }
        tiles.draw_borders(false);
        tiles.update_complete(&straight_down(eye_m), &gpu.queue).unwrap();
        assert_eq!(tiles.counts().wanted, crate::cube::FACES);
    }
    assert!(near > 1000, "{near}");
}
