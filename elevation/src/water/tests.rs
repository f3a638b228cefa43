use rand::{Rng, rngs::StdRng};

use super::*;
use crate::{
    cube::face_normal,
    geodesy::{Ellipsoid, lat_lon, n_vector},
    random,
};

fn at(lat_deg: f64, lon_deg: f64) -> Cover<'static> {
    Water::earth().at(n_vector(lat_deg.to_radians(), lon_deg.to_radians()))
}

/// A star of some corners around a place, clockwise, and a hole in it.
fn star(rng: &mut StdRng, [lon, lat]: [f64; 2], radius_deg: f64) -> Vec<Vec<[f64; 2]>> {
    let mut ring = |scale: f64, way: f64| {
        // So many that the hole lies inside.
        let count = rng.random_range(8..40);
        let corner = |k: usize| {
            let (sin, cos) = (way * std::f64::consts::TAU * k as f64 / count as f64).sin_cos();
            let r = scale * radius_deg * rng.random_range(0.5..1.0);
            [lon + r * cos / lat.to_radians().cos(), lat + r * sin]
        };
        (0..count).map(corner).collect::<Vec<_>>()
    };
    vec![ring(1.0, -1.0), ring(0.4, 1.0)]
}

/// Some bodies that lie over each other, on edges and corners of the cube as well.
fn stars(rng: &mut StdRng) -> Vec<Outline> {
    let places = [[0.0, 0.0], [45.0, 35.2], [45.0, 0.0], [-135.0, -35.2], [179.9, 10.0], [20.0, 70.0]];
    let place = places[rng.random_range(0..places.len())];
    let lake = |name: &str| Body::Lake(Lake { name: name.to_owned(), level_m: None });
    [Body::Land, Body::Land, lake("a"), lake("b")]
        .map(|body| {
            let aside = [rng.random_range(-4.0..4.0), rng.random_range(-4.0..4.0)];
            let radius_deg = 10f64.powf(rng.random_range(-0.5..0.9));
            Outline { body, rings: star(rng, [place[0] + aside[0], place[1] + aside[1]], radius_deg) }
        })
        .to_vec()
}

/// How often rings go around a place, clockwise, in the plane that touches the Earth there: great circles are lines in it.
fn turns(rings: &[Vec<[f64; 2]>], n: DVec3) -> f64 {
    let (east, north, _) = crate::geodesy::east_north_up(n);
    let angle = |[lon, lat]: [f64; 2]| {
        let corner = n_vector(lat.to_radians(), lon.to_radians());
        corner.dot(north).atan2(corner.dot(east))
    };
    let turn = |a: f64, b: f64| {
        let by = (a - b).rem_euclid(std::f64::consts::TAU);
        if by > std::f64::consts::PI { by - std::f64::consts::TAU } else { by }
    };
    let of_ring = |ring: &Vec<[f64; 2]>| {
        let angles: Vec<f64> = ring.iter().map(|corner| angle(*corner)).collect();
        (0..angles.len()).map(|k| turn(angles[k], angles[(k + 1) % angles.len()])).sum::<f64>()
    };
    rings.iter().map(of_ring).sum::<f64>() / std::f64::consts::TAU
}

/// Law: a place that is not within metres of an edge is inside of what goes around it, on every face of the cube and over its edges.
#[test]
fn places_are_inside_of_what_goes_around_them() {
    let mut rng = random::rng();
    let mut seen = [0; 3];
    for _ in 0..60 {
        let outlines = stars(&mut rng);
        let water = Water::new(outlines.clone());
        let [lon, lat] = outlines[0].rings[0][0];
        for _ in 0..300 {
            let (lat, lon) = (lat + rng.random_range(-9.0..9.0), lon + rng.random_range(-9.0..9.0));
            let n = n_vector(f64::to_radians(lat), f64::to_radians(lon));
            let inside_at =
                |n: DVec3| outlines.iter().map(|outline| turns(&outline.rings, n) > 0.5).collect::<Vec<_>>();
            let inside = inside_at(n);
            // Between the places that edges are stored by they are 10 m off at most.
            let (east, north, _) = crate::geodesy::east_north_up(n);
            if [east, -east, north, -north].into_iter().any(|way| inside_at((n + 4e-6 * way).normalize()) != inside) {
                continue;
            }
            match water.at(n) {
                Cover::Lake(lake) => {
                    let number = if lake.name == "a" { 2 } else { 3 };
                    assert!(
                        inside[number],
                        "{lat} {lon} {number} {:?} {:?}",
                        turns(&outlines[number].rings, n),
                        outlines[number]
                    );
                    seen[0] += 1;
                }
                other => {
                    assert!(!inside[2] && !inside[3]);
                    // Two lands that overlap are one, and the hole of one is no hole of the other.
                    let rings = [&outlines[0].rings[..], &outlines[1].rings[..]].concat();
                    let is_land = turns(&rings, n) > 0.5;
                    assert_eq!(other == Cover::Land, is_land, "{lat} {lon}");
                    seen[1 + usize::from(is_land)] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 200), "{seen:?}");
}

/// Law: a texel tells how much of it is what: as many of some hundred places in it as that.
#[test]
fn texels_are_the_areas_in_them() {
    let mut rng = random::rng();
    let mut mixed = 0;
    for _ in 0..40 {
        // One land and one lake: what overlaps counts twice in areas.
        let outlines: Vec<Outline> = stars(&mut rng).into_iter().step_by(2).collect();
        let water = Water::new(outlines.clone());
        let [lon, lat] = outlines[rng.random_range(0..2)].rings[0][0];
        let (face, s, t) = face_of(n_vector(lat.to_radians(), lon.to_radians()));
        let size = 10f64.powf(rng.random_range(-3.5..-1.5));
        let corner = [s, t].map(|x| (x - 4.0 * size).clamp(-1.0, 1.0 - 8.0 * size));
        let texels = water.texels(face, corner, size, 8);
        for (k, texel) in texels.into_iter().enumerate() {
            const SIDE: usize = 20;
            let (mut sea, mut lake) = (0.0, 0.0);
            for place in 0..SIDE * SIDE {
                let mut part = |k: usize| (k as f64 + rng.random::<f64>()) / SIDE as f64;
                let (x, y) = (part(place % SIDE) + (k % 8) as f64, part(place / SIDE) + (k / 8) as f64);
                let n = face_normal(face, corner[0] + x * size, corner[1] + y * size);
                // Sea may lie below a lake.
                sea += f64::from(turns(&outlines[0].rings, n) < 0.5) / (SIDE * SIDE) as f64;
                lake += f64::from(matches!(water.at(n), Cover::Lake(_))) / (SIDE * SIDE) as f64;
            }
            let told = (f64::from(texel) - f64::from(LAND)) / 100.0;
            // Edges cross few of the places' cells, each of which is wrong by less than all of it.
            let allowed = 0.06;
            assert!((told + sea).abs() < allowed || (told - lake).abs() < allowed, "{told}: {sea} sea, {lake} lake");
            mixed += usize::from(texel != SEA && texel != LAND && texel != LAKE);
        }
    }
    assert!(mixed > 100, "{mixed}");
}

/// Law: tiles agree where they overlap, and one without a shore is all the same.
#[test]
fn tiles_agree_on_their_rims_and_those_without_a_shore_are_all_the_same() {
    let (water, mut rng) = (Water::earth(), random::rng());
    let mut alike = 0;
    let shores: Vec<DVec3> = water.lake_shores().map(|[from, _]| from).collect();
    for k in 0..100 {
        let (level, place) = match k % 2 {
            0 => (rng.random_range(1..9), n_vector(rng.random_range(-1.3..1.4), rng.random_range(-3.1..3.1))),
            _ => (FINEST_LEVEL, shores[rng.random_range(0..shores.len())]),
        };
        let at = TileId::at(place, level);
        let last = (1 << level) - 1;
        let id = TileId { i: at.i.min(last - 1), j: at.j.min(last - 1), ..at };
        let [left, right] = [id, TileId { i: id.i + 1, ..id }].map(|id| water.tile_texels(id, 2));
        for y in 0..260 {
            assert_eq!(left[y * 260 + 256..][..4], right[y * 260..][..4], "{id:?}");
        }
        if !water.has_shore(id, 2) {
            assert!(left.iter().all(|texel| *texel == left[0]), "{id:?}");
            alike += 1;
        }
    }
    assert!(alike > 10, "{alike}");
}

/// Law: finest texels tell what their middle is, and how far the next place is that is something else, as circles of places around it find.
#[test]
fn finest_texels_tell_how_far_the_next_shore_is() {
    let mut rng = random::rng();
    let mut seen = [0; 3];
    for case in 0..60 {
        // Edges of lands that overlap are none.
        let mut outlines = stars(&mut rng);
        outlines.remove(3);
        let water = Water { is_dry: case % 4 == 0, ..Water::new(outlines.clone()) };
        let ring = &outlines[rng.random_range(0..3)].rings[rng.random_range(0..2)];
        let corner = rng.random_range(0..ring.len());
        let [from, to] = [0, 1]
            .map(|k| ring[(corner + k) % ring.len()])
            .map(|[lon, lat]| n_vector(lat.to_radians(), lon.to_radians()));
        let id = TileId::at(from.lerp(to, [0.0, rng.random()][case % 2]).normalize(), FINEST_LEVEL);
        let square = Square::of(id, 2);
        let texels = water.tile_texels(id, 2);
        for _ in 0..3000 {
            let (x, y) = (rng.random_range(0..square.side), rng.random_range(0..square.side));
            let told = (f64::from(texels[y * square.side + x]) - f64::from(LAND)) / 100.0;
            if told.abs() == 1.0 || told == 0.0 {
                continue;
            }
            let cover = |away: f64, turn: f64| {
                let place = |axis: usize, k: usize, part: f64| {
                    square.corner[axis] + square.size * (k as f64 + 0.5 + away * part)
                };
                match water.at(face_normal(id.face, place(0, x, turn.cos()), place(1, y, turn.sin()))) {
                    Cover::Land => 0,
                    Cover::Sea => 1,
                    Cover::Lake(_) => 2,
                }
            };
            let here = cover(0.0, 0.0);
            let on_circle = |away: f64| (0..120).map(move |k| (away, std::f64::consts::TAU * f64::from(k) / 120.0));
            let beside = |(away, turn): (f64, f64)| cover(away, turn);
            // What is told is of one shore: where two meet, either may be.
            let mut kinds = [0.0, 2.5, 5.0, 10.0].into_iter().flat_map(on_circle).map(beside).collect::<Vec<_>>();
            kinds.sort_unstable();
            kinds.dedup();
            let circles = (0..64).map(|k| 0.025 * f64::from(k));
            let Some(away) = circles.clone().find(|away| on_circle(*away).map(beside).any(|other| other != here))
            else {
                panic!("case {case}: {told} where all is {here}")
            };
            if kinds.len() > 2 {
                continue;
            }
            let other = kinds[usize::from(kinds[0] == here)];
            let part = (away / (2.0 * SHORE_REACH)).min(0.5);
            let expected = match (here, other) {
                (0, 1) => part - 0.5,
                (0, _) => 0.5 - part,
                (1, _) => -0.5 - part,
                _ => 0.5 + part,
            };
            assert!(
                (told - expected).abs() < 0.05,
                "case {case}: {told}, not {expected}, {away} texels from {here} to {other}"
            );
            seen[here as usize] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 30), "{seen:?}");
}

/// Law: where land is cut, along 180 degrees or between neighbours, no shore is told.
#[test]
fn cuts_of_land_are_no_shores() {
    for lat in [66.5, 67.5, -84.5, -88.0] {
        let id = TileId::at(n_vector(f64::to_radians(lat), std::f64::consts::PI), FINEST_LEVEL);
        let texels = Water::earth().tile_texels(id, 2);
        assert!(texels.iter().all(|texel| *texel == LAND), "{lat}: {:?}", texels.iter().min());
    }
    let land = |west: f64| Outline {
        body: Body::Land,
        rings: vec![vec![[west, -1.0], [west, 1.0], [west + 1.0, 1.0], [west + 1.0, -1.0]]],
    };
    let two = Water::new([land(0.3), land(1.3)]);
    let id = TileId::at(n_vector(0.01, 1.3_f64.to_radians()), FINEST_LEVEL);
    assert!(two.has_shore(id, 0) && two.tile_texels(id, 2).iter().all(|texel| *texel == LAND));
}

#[test]
fn the_earth_is_wet_and_dry_where_it_is() {
    let sea = [
        (43.0, 34.0),
        (36.0, 18.0),
        (20.0, 38.0),
        (58.0, 20.0),
        (46.0, 36.8),
        (26.5, 52.0),
        (60.0, -85.0),
        (89.9, 0.0),
        (0.0, 0.0),
        (0.0, 0.001),
        (-80.0, 180.0),
    ];
    let land = [
        (36.25, -116.83),
        (29.7, 27.2),
        (52.45, 5.5),
        (40.7, -100.0),
        (-89.9, 30.0),
        (66.0, 179.99),
        (67.5, 180.0),
        (67.5, -180.0),
        (-88.0, 180.0),
        (66.0, -179.99),
    ];
    for (lat, lon) in sea {
        assert_eq!(at(lat, lon), Cover::Sea, "{lat} {lon}");
    }
    for (lat, lon) in land {
        assert_eq!(at(lat, lon), Cover::Land, "{lat} {lon}");
    }
    let lakes = [
        (47.7, -87.5, "Lake Superior", 183.0),
        (-1.0, 33.0, "Lake Victoria", 1134.0),
        (53.5, 108.0, "Lake Baikal", 456.0),
        (42.0, 50.5, "Caspian Sea", -28.0),
        (45.0, 49.5, "Caspian Sea", -28.0),
    ];
    for (lat, lon, name, level_m) in lakes {
        let Cover::Lake(lake) = at(lat, lon) else { panic!("{name} is no lake") };
        assert!(lake.name == name && lake.level_m.is_some_and(|m| (m - level_m).abs() < 2.0), "{lake:?}");
    }
}

/// Law: areas are those that atlases have.
#[test]
fn land_and_lakes_are_as_large_as_they_are() {
    let water = Water::earth();
    let (side, mut land_km2, mut lakes_km2) = (512, 0.0, 0.0);
    let size = 2.0 / side as f64;
    for face in 0..FACES {
        for (at, texel) in water.texels(face, [-1.0; 2], size, side).into_iter().enumerate() {
            let edge = |k: usize| k as f64 * size - 1.0;
            let corner = |x: usize, y: usize| face_normal(face, edge(at % side + x), edge(at / side + y));
            let (across, down) = (corner(1, 0) - corner(0, 0), corner(0, 1) - corner(0, 0));
            let km2 = across.cross(down).length() * (Ellipsoid::WGS84.semi_major_m() / 1e3).powi(2);
            let part = (f64::from(texel) - 100.0) / 100.0;
            land_km2 += (1.0 - (-part).max(0.0)) * km2;
            lakes_km2 += part.max(0.0) * km2;
        }
    }
    // Land as such, with its lakes and the ice of Antarctica, in millions.
    assert!((147.0..151.0).contains(&(land_km2 / 1e6)), "{land_km2}");
    assert!((1.5..2.0).contains(&(lakes_km2 / 1e6)), "{lakes_km2}");
}

/// Law: places on and beside the borders between rows of pieces are told as those around them.
#[test]
fn places_between_rows_are_told() {
    let land = |half_deg: f64| {
        let ring = vec![[-half_deg, -half_deg], [-half_deg, half_deg], [half_deg, half_deg], [half_deg, -half_deg]];
        Water::new([Outline { body: Body::Land, rings: vec![ring] }])
    };
    let water = land(20.0);
    for row in -150..=150 {
        for aside in [-1e-8, -1e-9, 0.0, 1e-9, 1e-8] {
            let n = face_normal(0, 0.1, f64::from(row) / 512.0 + aside);
            assert_eq!(water.at(n), Cover::Land, "{row} {aside}");
        }
    }
}

#[test]
fn a_place_is_told_fast() {
    // Not a timed test: as many places as a viewshed has, which a search through all edges would take minutes for.
    let mut rng = random::rng();
    let wet = (0..1_000_000).filter(|_| {
        let n = n_vector(f64::asin(rng.random_range(-1.0..1.0)), rng.random_range(-3.1..3.1));
        assert!(lat_lon(n).0.is_finite());
        Water::earth().at(n) == Cover::Sea
    });
    let share = wet.count() as f64 / 1e6;
    assert!((0.69..0.73).contains(&share), "{share}");
}
