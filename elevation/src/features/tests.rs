use glam::{DVec2, Vec4};
use rand::{Rng, rngs::StdRng};

use super::*;
use crate::{geodesy::n_vector, imagery_tile::IMAGERY_TEXELS, random};

const SIDE: usize = IMAGERY_TEXELS as usize;

/// Places beside edges and corners of faces, 180 degrees and a pole, and in between.
const PLACES: [LonLat; 6] = [[0.0, 0.0], [45.0, 35.2], [45.0, 1.0], [179.99, 10.0], [20.0, 70.0], [-135.0, 89.0]];

fn tile_at(place: LonLat, level: u32) -> TileId {
    TileId::at(normal(place), level)
}

/// A tile near a place, and what is so many degrees wide as it.
fn somewhere(rng: &mut StdRng) -> (TileId, LonLat, f64) {
    let level = rng.random_range(0..16);
    let place = PLACES[rng.random_range(0..PLACES.len())];
    (tile_at(place, level), place, 40.0 / f64::from(1 << level))
}

fn drawn(features: &Features, id: TileId) -> Vec<Vec4> {
    let mut texels = vec![Vec4::ZERO; SIDE * SIDE];
    features.draw(id, &mut texels);
    texels
}

/// A texel's middle, in texels from the corner.
fn middle_of(texel: usize) -> DVec2 {
    DVec2::new((texel % SIDE) as f64, (texel / SIDE) as f64) + 0.5
}

/// Where a place is in texels, if it is on the tile's side of the Earth.
fn in_texels(id: TileId, [lon, lat]: LonLat) -> Option<DVec2> {
    let n = n_vector(lat.to_radians(), lon.to_radians());
    let axes = Axes::of(id.face);
    (n.dot(axes.own) > 0.2).then(|| Square::of(id, RIM).texels_to(axes.warped(n)))
}

fn styled(shape: Shape, style: Style) -> Feature {
    Feature { shape, style, label: None, attributes: None }
}

/// Law: texels within a line's half width have its colour, those beyond its rim nothing, by the distance to places all along it.
#[test]
fn lines_are_as_wide_as_asked_where_they_are() {
    let mut rng = random::rng();
    let mut within = 0;
    for _ in 0..20 {
        let (id, [lon, lat], spread_deg) = somewhere(&mut rng);
        let wide = lat.to_radians().cos().max(0.02).recip();
        let mut corner = || {
            let aside = [rng.random_range(-spread_deg..spread_deg), rng.random_range(-spread_deg..spread_deg)];
            [lon + (aside[0] * wide).clamp(-60.0, 60.0), (lat + 0.5 * aside[1]).clamp(-89.9, 89.9)]
        };
        let mut line: Vec<LonLat> = (0..5).map(|_| corner()).collect();
        // One corner is in the tile for certain.
        line[2] = [lon, lat];
        let width_px = rng.random_range(1.0..8.0f32);
        // What a line goes around is not filled.
        let style = Style { color: [255, 0, 0, 255], fill: [0, 0, 255, 255], width_px };
        line.extend(rng.random::<bool>().then_some(line[0]));
        let features = Features::new([styled(Shape::Line(line.clone()), style)]);
        assert!(features.are_in(id), "{id:?}");
        let texels = drawn(&features, id);
        let along = |ends: &[LonLat]| {
            let [from, to] = [ends[0], ends[1]].map(DVec2::from);
            (0..=8_000).filter_map(move |k| in_texels(id, from.lerp(to, f64::from(k) / 8_000.0).into()))
        };
        let places: Vec<DVec2> = line.windows(2).flat_map(along).collect();
        // Places along a line are apart, chords a little aside of it.
        let apart = places.windows(2).map(|two| two[0].distance(two[1])).filter(|d| *d < 100.0).fold(0.0, f64::max);
        let [half, rim] = [0.5 * f64::from(width_px), 0.5 * f64::from(width_px) + RIM_PX].map(|px| px * TEXELS_A_PX);
        let near: Vec<DVec2> = places
            .into_iter()
            .filter(|p| p.cmpge(DVec2::splat(-40.0)).all() && p.cmple(DVec2::splat(300.0)).all())
            .collect();
        for _ in 0..400 {
            let texel = if near.is_empty() || rng.random() {
                rng.random_range(0..SIDE * SIDE)
            } else {
                let at = near[rng.random_range(0..near.len())]
                    + DVec2::new(rng.random_range(-9.0..9.0), rng.random_range(-9.0..9.0));
                let [x, y] = at.to_array().map(|x| x.clamp(0.0, SIDE as f64 - 1.0) as usize);
                y * SIDE + x
            };
            let nearest = near.iter().map(|p| p.distance(middle_of(texel))).fold(f64::INFINITY, f64::min);
            let [red, green, _, alpha] = texels[texel].to_array();
            if nearest < half - 1.0 {
                within += 1;
                assert!(alpha > 0.99 && red > 0.99 && green < 0.01, "{id:?} {texel}: {nearest} of {half}");
            } else if nearest > rim + 1.0 + apart {
                assert!(alpha == 0.0, "{id:?} {texel}: {nearest} of {rim}, {alpha}");
            }
        }
    }
    assert!(within > 100, "{within}");
}

/// Law: texels that an odd number of rings surrounds are filled, others are not, wherever a tile lies in the area.
#[test]
fn areas_are_filled_but_for_their_holes() {
    let mut rng = random::rng();
    let mut seen = [0; 2];
    for _ in 0..30 {
        let (id, [lon, lat], spread_deg) = somewhere(&mut rng);
        let spread_deg = spread_deg.min(30.0) * 10f64.powf(rng.random_range(-0.5..0.5));
        let lat = lat.clamp(-80.0, 80.0);
        let wide = lat.to_radians().cos().recip();
        let middle = [lon + rng.random_range(-0.5..0.5) * spread_deg, lat + rng.random_range(-0.2..0.2) * spread_deg];
        let mut ring = |part: f64| -> Vec<LonLat> {
            let corners = rng.random_range(5..12);
            let corner = |k: usize| {
                let angle = std::f64::consts::TAU * k as f64 / corners as f64;
                let r = part * spread_deg.min(35.0) * if k.is_multiple_of(2) { 1.0 } else { 0.7 };
                [middle[0] + r * angle.cos() * wide.min(2.0), (middle[1] + 0.25 * r * angle.sin()).clamp(-89.0, 89.0)]
            };
            (0..corners).map(corner).collect()
        };
        let rings = vec![ring(1.0), ring(0.4)];
        let style = Style { color: [0; 4], fill: [0, 0, 255, 255], width_px: 0.0 };
        let features = Features::new([styled(Shape::Area(rings.clone()), style)]);
        let texels = drawn(&features, id);
        let is_inside = |[x, y]: LonLat| {
            let crossings = rings.iter().flat_map(|ring| {
                (0..ring.len())
                    .map(|k| [ring[k], ring[(k + 1) % ring.len()]])
                    .filter(|[[x0, y0], [x1, y1]]| (*y0 > y) != (*y1 > y) && x < x0 + (y - y0) / (y1 - y0) * (x1 - x0))
            });
            crossings.count() % 2 == 1
        };
        // Around a place, so that one beside an edge is not judged.
        for _ in 0..300 {
            let texel = rng.random_range(0..SIDE * SIDE);
            let square = Square::of(id, RIM);
            let place = |at: DVec2| {
                let [s, t] = (DVec2::from(square.corner) + at * square.size).to_array();
                let (at_lon, at_lat) = crate::height::lon_lat_deg(crate::cube::face_normal(id.face, s, t));
                [middle[0] + (at_lon - middle[0] + 180.0).rem_euclid(360.0) - 180.0, at_lat]
            };
            // Corners may be pointed.
            let around = |k: usize| DVec2::new((k % 9) as f64, (k / 9) as f64) / 4.0 - 1.0;
            let inside: [bool; 81] = std::array::from_fn(|k| is_inside(place(middle_of(texel) + around(k))));
            if inside.iter().any(|other| *other != inside[0]) {
                continue;
            }
            seen[usize::from(inside[0])] += 1;
            let [_, _, blue, alpha] = texels[texel].to_array();
            assert_eq!(
                (alpha > 0.99, blue > 0.99),
                (inside[0], inside[0]),
                "{id:?} {texel} {:?}",
                place(middle_of(texel))
            );
        }
    }
    assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
}

/// Law: where a tile has nothing finer than its parent, half of its texels' detail is all that there is: what the parent shows there is even.
#[test]
fn tiles_without_lines_show_what_their_parents_show() {
    let mut rng = random::rng();
    let mut bare = 0;
    for _ in 0..20 {
        let (parent, [lon, lat], spread_deg) = somewhere(&mut rng);
        let lat = lat.clamp(-85.0, 85.0);
        let mut corner =
            || [lon + rng.random_range(-1.0..1.0) * spread_deg, lat + rng.random_range(-0.3..0.3) * spread_deg];
        let line = Shape::Line((0..3).map(|_| corner()).collect());
        let point = Shape::Point(corner());
        let style = Style { width_px: 3.0, ..Style::default() };
        let features = Features::new([styled(line, style), styled(point, style)]);
        let texels = drawn(&features, parent);
        for (k, child) in parent.children().into_iter().flatten().enumerate() {
            if features.are_finer_in(child) {
                continue;
            }
            bare += 1;
            let [x, y] = [child.i % 2, child.j % 2].map(|half| (half * TILE_QUADS / 2 + RIM) as usize);
            let half = TILE_QUADS as usize / 2;
            let quarter = (y..y + half).flat_map(|y| (x..x + half).map(move |x| y * SIDE + x));
            assert!(quarter.clone().all(|texel| texels[texel] == Vec4::ZERO), "{parent:?} child {k}");
        }
    }
    assert!(bare > 10, "{bare}");
}

/// Points are round, as wide as said, and have a rim.
#[test]
fn points_are_discs() {
    let (place, level) = ([7.65, 45.97], 12);
    let id = tile_at(place, level);
    let style = Style { color: [0, 255, 0, 255], fill: [0; 4], width_px: 4.0 };
    let texels = drawn(&Features::new([styled(Shape::Point(place), style)]), id);
    let at = in_texels(id, place).expect("on the tile's side");
    let radius = 4.0 * POINT_WIDTHS * TEXELS_A_PX;
    let rim = RIM_PX * TEXELS_A_PX;
    for (texel, colour) in texels.into_iter().enumerate() {
        let [_, green, _, alpha] = colour.to_array();
        let distance = middle_of(texel).distance(at);
        if distance < radius - 1.0 {
            assert!(green > 0.99, "{texel}");
        } else if distance > radius + rim + 1.0 {
            assert!(alpha == 0.0, "{texel}");
        } else if (distance - radius - 0.5 * rim).abs() < 0.1 {
            assert!(alpha > 0.2 && green < 0.7, "{texel}: {green} {alpha}");
        }
    }
}

/// Boxes go on beyond 180 degrees, and are the narrow way around; nothing has none.
#[test]
fn boxes_hold_all() {
    let of = |lines: &[&[LonLat]]| {
        let feature = |line: &&[LonLat]| styled(Shape::Line(line.to_vec()), Style::default());
        Features::new(lines.iter().map(feature)).bbox_deg()
    };
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[&[[7.0, 45.0], [8.0, 46.0]]]), Some([7.0, 45.0, 8.0, 46.0]));
    assert_eq!(of(&[&[[-170.0, 0.0], [170.0, 1.0]]]), Some([-170.0, 0.0, 170.0, 1.0]));
    let both = of(&[&[[179.0, 0.0], [179.5, 1.0]], &[[-179.0, 0.0], [-178.5, 1.0]]]).expect("a box");
    assert!(both.iter().zip([179.0, 0.0, 181.5, 1.0]).all(|(a, b)| (a - b).abs() < 1e-9), "{both:?}");
    let on = of(&[&[[179.0, 0.0], [181.0, 1.0]]]).expect("a box");
    assert!(on.iter().zip([179.0, 0.0, 181.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-9), "{on:?}");
    // What is no place is left out.
    assert_eq!(of(&[&[[f64::NAN, 0.0], [7.0, 45.0], [8.0, 91.0]]]), Some([7.0, 45.0, 7.0, 45.0]));
}
