use glam::{DVec2, DVec3};
use rand::Rng;

use super::*;
use crate::{cube::face_normal, geodesy::n_vector, random, tile::TILE_QUADS};

/// Coordinates on a face by the definition of the warp, however far beyond its edges.
fn on_face(face: u32, n: DVec3) -> DVec2 {
    let own = face_normal(face, 0.0, 0.0);
    let axis = |s, t| (face_normal(face, s, t) * 2f64.sqrt() - own).normalize();
    let warped = |axis: DVec3| (n.dot(axis) / n.dot(own)).atan() * 4.0 / std::f64::consts::PI;
    DVec2::new(warped(axis(1.0, 0.0)), warped(axis(0.0, 1.0)))
}

/// Law: texels are told how far the nearest of all places of all lines is, inside of tiles, in their rims and beside edges of the cube.
#[test]
fn texels_know_how_far_borders_are() {
    let mut rng = random::rng();
    let mut near = 0;
    for _ in 0..12 {
        let places = [[0.0, 0.0], [45.0, 35.2], [45.0, 1.0], [-135.0, -35.2], [179.9, 10.0], [20.0, 70.0]];
        let [lon, lat] = places[rng.random_range(0..places.len())];
        let level = rng.random_range(0..8);
        let spread_deg = 45.0 / f64::from(1 << level);
        let mut corner =
            || [lon + rng.random_range(-spread_deg..spread_deg), lat + rng.random_range(-spread_deg..spread_deg) / 4.0];
        let lines: Vec<Vec<[f64; 2]>> = (0..3).map(|_| (0..4).map(|_| corner()).collect()).collect();
        let along = |ends: &[[f64; 2]]| {
            let [from, to] = [ends[0], ends[1]].map(DVec2::from);
            (0..=20_000).map(move |k| {
                let place = from.lerp(to, f64::from(k) / 20_000.0);
                n_vector(place.y.to_radians(), place.x.to_radians())
            })
        };
        let all: Vec<DVec3> = lines.iter().flat_map(|line| line.windows(2).flat_map(along)).collect();
        let id = TileId::at(all[rng.random_range(0..all.len())], level);
        let TileId { face, i, j, .. } = id;
        let borders = Borders::new(lines);
        assert!(borders.has_any(id, 2));
        let side = TILE_QUADS as usize + 4;
        let texels = borders.tile_texels(id, 2);
        assert_eq!(texels.len(), side * side);
        let size = 2.0 / f64::from(TILE_QUADS << level);
        let corner = DVec2::new(f64::from(i), f64::from(j)) * f64::from(TILE_QUADS) * size - 1.0 - 2.0 * size;
        let places: Vec<DVec2> = all
            .iter()
            .filter(|n| n.dot(face_normal(face, 0.0, 0.0)) > 0.3)
            .map(|n| (on_face(face, *n) - corner) / size)
            .collect();
        let mut try_at = |x: usize, y: usize| {
            let middle = DVec2::new(x as f64, y as f64) + 0.5;
            let nearest2 = places.iter().map(|place| place.distance_squared(middle)).fold(f64::INFINITY, f64::min);
            let expected = nearest2.sqrt().min(REACH_TEXELS);
            let told = REACH_TEXELS * (1.0 - f64::from(texels[y * side + x]) / 255.0);
            near += u32::from(expected < REACH_TEXELS);
            // Pieces that are straight on the face are a little aside of where lines are, places along lines a little apart.
            assert!((told - expected).abs() < 0.1, "{id:?} {x} {y}: {told}, not {expected}");
        };
        (0..60).for_each(|_| try_at(rng.random_range(0..side), rng.random_range(0..side)));
        // Beside lines, of which most tiles have few.
        for _ in 0..40 {
            let place = places[rng.random_range(0..places.len())]
                + DVec2::new(rng.random_range(-5.0..5.0), rng.random_range(-5.0..5.0));
            if place.cmpge(DVec2::ZERO).all() && place.cmplt(DVec2::splat(side as f64)).all() {
                try_at(place.x as usize, place.y as usize);
            }
        }
    }
    assert!(near > 100, "{near}");
}

/// Law: where countries meet there is a border, and inside of them and at sea there is none.
#[test]
fn countries_end_where_they_do() {
    let texel = |lat_deg: f64, lon_deg: f64| {
        // Texels of 4.9 km.
        let level = 3;
        let (face, s, t) = crate::cube::face_of(n_vector(lat_deg.to_radians(), lon_deg.to_radians()));
        let [x, y] = [s, t].map(|x| (x + 1.0) / 2.0 * f64::from(TILE_QUADS << level));
        let id = TileId { face, level, i: x as u32 / TILE_QUADS, j: y as u32 / TILE_QUADS };
        let texels = Borders::earth().tile_texels(id, 0);
        texels[(y as u32 % TILE_QUADS * TILE_QUADS + x as u32 % TILE_QUADS) as usize]
    };
    // Basel; 49 N between Canada and the United States; Victoria Falls; Iguazu; Mount Everest.
    let borders = [(47.58, 7.59), (49.0, -110.0), (-17.93, 25.86), (-25.69, -54.44), (27.99, 86.93)];
    for (lat, lon) in borders {
        assert!(texel(lat, lon) > 120, "{lat} {lon}: {}", texel(lat, lon));
    }
    for (lat, lon) in [(46.9, 2.5), (40.0, -100.0), (-25.0, 135.0), (0.0, 0.0), (35.0, -40.0), (80.0, 0.0)] {
        assert_eq!(texel(lat, lon), 0, "{lat} {lon}");
    }
}
