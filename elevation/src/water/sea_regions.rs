//! Is there sea in a region, or near it? For a surface that is the sea's where there is sea.

use std::f64::consts::FRAC_PI_4;

use glam::{DVec2, DVec3};

use super::{
    Cover, Water,
    sea_cells::SeaCells,
    shores::{Piece, Shores, Winding},
};
use crate::{
    cube::{FACES, face_normal, face_of},
    geodesy::{Overlap, turn_rad},
    outlines::Axes,
};

/// Larger regions are not looked at: some of it may be sea.
const LARGE_RAD: f64 = 0.1;
/// Beyond this cosine of the angle to its middle nothing of a face lies within [`LARGE_RAD`]: corners are at 1 / sqrt(3), 0.955 radians.
const NEAR_FACE: f64 = 0.49;
/// So far from a face its outlines are all there.
pub(crate) const FARTHEST_RAD: f64 = 0.02;
/// So far beside an edge it is asked what is there, in warped coordinates: more than two edges that are one are rounded apart.
const BESIDE: f64 = 1e-6;
/// Warped coordinates by which a region is widened for rounding.
const ROUNDING: f64 = 1e-12;

impl Water {
    /// How much of the places may be sea whose normals are within an angle of one.
    pub(crate) fn sea_within(&self, n: DVec3, radius_rad: f64) -> Overlap {
        if self.is_dry {
            return Overlap::None;
        }
        if radius_rad > LARGE_RAD {
            return Overlap::Some;
        }
        let on_faces = (0..FACES).filter_map(|face| self.sea_on_face(face, n, radius_rad));
        on_faces.reduce(|one, other| if one == other { one } else { Overlap::Some }).unwrap_or(Overlap::Some)
    }

    /// How far the sea is from a unit normal, as an angle; 0 in it. `None` if it is farther than a reach of at most [`FARTHEST_RAD`].
    pub(crate) fn sea_away_rad(&self, n: DVec3, reach_rad: f64) -> Option<f64> {
        match self.sea_within(n, reach_rad) {
            Overlap::None => return None,
            Overlap::All => return Some(0.0),
            Overlap::Some => {}
        }
        if self.at(n) == Cover::Sea {
            return Some(0.0);
        }
        let (face, ..) = face_of(n);
        let shores = self.face(face);
        let [across, down] = ranges(&Axes::of(face), n, reach_rad)?;
        let mut nearest = None;
        for piece in shores.rows(down[0], down[1]) {
            if piece.is_beside([across, down]) {
                continue;
            }
            let [from, to] = [piece.from, piece.to].map(|end| face_normal(face, end[0].into(), end[1].into()));
            let way = to - from;
            // Well within it, where its sides are its own.
            let part = ((n - from).dot(way) / way.length_squared()).clamp(0.01, 0.99);
            let away_rad = n.distance(from + way * part);
            if nearest.is_none_or(|nearest| away_rad < nearest) && self.has_sea_beside(shores, piece, part) {
                nearest = Some(away_rad);
            }
        }
        nearest.filter(|away_rad| *away_rad <= reach_rad)
    }

    /// The same of what lies on a face, if anything does.
    fn sea_on_face(&self, face: u32, n: DVec3, radius_rad: f64) -> Option<Overlap> {
        let axes = Axes::of(face);
        let own = n.dot(axes.own);
        if own < NEAR_FACE {
            return None;
        }
        let Some(sides) = ranges(&axes, n, radius_rad) else { return Some(Overlap::Some) };
        let [[left, right], [low, high]] = sides.map(|[low, high]| [low.max(-1.0), high.min(1.0)]);
        if left > right || low > high {
            return None;
        }
        let shores = self.face(face);
        let cells = self.sea_cells[face as usize].get_or_init(|| SeaCells::of(shores));
        let found = cells.share_of([[left, right], [low, high]]);
        if found != Overlap::Some {
            return Some(found);
        }
        let mut has_lakes = false;
        for piece in shores.rows(low, high) {
            if let Some(middle) = piece.middle_in([[left, right], [low, high]]) {
                if !piece.is_of_land() {
                    has_lakes = true;
                } else if !is_within_land(shores, piece, middle) {
                    return Some(Overlap::Some);
                }
            }
        }
        // Lakes on land do not make it sea.
        let winding = shores.winding(0.5 * (left + right), 0.5 * (low + high));
        Some(match winding {
            _ if winding.is_land => Overlap::None,
            _ if has_lakes => Overlap::Some,
            _ if winding.lake.is_some() => Overlap::None,
            _ => Overlap::All,
        })
    }

    /// Whether there is sea beside a part of an edge.
    fn has_sea_beside(&self, shores: &Shores, piece: &Piece, part: f64) -> bool {
        let [from, to] = [piece.from, piece.to].map(|end| DVec2::from(end.map(f64::from)));
        beside(shores, piece, from.lerp(to, part)).iter().any(|winding| self.cover(winding) == Cover::Sea)
    }
}

/// Warped coordinates on a face of places within an angle of a normal; `None` near the axes across.
fn ranges(axes: &Axes, n: DVec3, radius_rad: f64) -> Option<[[f64; 2]; 2]> {
    let own = n.dot(axes.own);
    let range = |axis| {
        let along = n.dot(axis);
        let turn_rad = turn_rad(own, along, radius_rad)?;
        let [low, high] = [-turn_rad, turn_rad].map(|turn_rad| (along.atan2(own) + turn_rad) / FRAC_PI_4);
        Some([low - ROUNDING, high + ROUNDING])
    };
    Some([range(axes.across)?, range(axes.down)?])
}

/// What is on both sides of a place on an edge.
fn beside(shores: &Shores, piece: &Piece, at: DVec2) -> [Winding; 2] {
    let way = DVec2::from(piece.to.map(f64::from)) - DVec2::from(piece.from.map(f64::from));
    let aside = BESIDE * way.perp().normalize_or_zero();
    [at - aside, at + aside].map(|place| shores.winding(place.x, place.y))
}

/// Whether there is land on both sides of a place on an edge, as along 180 degrees, where land is cut.
fn is_within_land(shores: &Shores, piece: &Piece, at: DVec2) -> bool {
    beside(shores, piece, at).iter().all(|winding| winding.is_land)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use rand::{Rng, rngs::StdRng};

    use super::*;
    use crate::{
        geodesy::n_vector,
        random::rng,
        water::{Body, Lake, Outline},
    };

    /// Shapes of random corners round places of the whole Earth, clockwise as a map shows them.
    fn outlines(rng: &mut StdRng) -> Vec<Outline> {
        let mut ring = |size_deg: f64| {
            let (lon, lat) = (rng.random_range(-180.0..180.0), rng.random_range(-80.0..80.0f64));
            let corners = rng.random_range(3..40);
            let corner = |k: u32| {
                let (sin, cos) = (-TAU * f64::from(k) / f64::from(corners)).sin_cos();
                let out = size_deg * rng.random_range(0.4..1.0);
                [lon + out * cos / lat.to_radians().cos(), (lat + out * sin).clamp(-89.0, 89.0)]
            };
            vec![(0..corners).map(corner).collect::<Vec<_>>()]
        };
        let lands =
            (0..40).map(|k| Outline { body: Body::Land, rings: ring([20.0, 2.0, 0.1][k % 3]) }).collect::<Vec<_>>();
        let lakes = (0..40).map(|k| Outline { body: Body::Lake(Lake::default()), rings: ring([5.0, 0.5][k % 2]) });
        lands.into_iter().chain(lakes).collect()
    }

    /// Law: what a region is said to have of the sea all its places have, on every face and across their edges; small regions away from
    /// shores are told to be all sea or none.
    #[test]
    fn regions_are_sea_where_their_places_are() {
        let mut rng = rng();
        let own = Water::new(outlines(&mut rng));
        let mut told = [0; 2];
        for round in 0..60_000 {
            let water: &Water = [Water::earth(), &own][round % 2];
            let n = match round % 5 {
                // At edges and corners of the cube.
                0 => DVec3::new(1.0, [1.0, -1.0][round / 5 % 2], rng.random_range(-1.0..1.0)),
                _ => n_vector(rng.random_range(-1.0..1.0f64).asin(), rng.random_range(-PI..PI)),
            };
            let n = n.normalize();
            let radius_rad = 10f64.powf(rng.random_range(-7.0..-0.5));
            let found = water.sea_within(n, radius_rad);
            let (a, b) = n.any_orthonormal_pair();
            let mut places = (0..16).map(|k| {
                let angle_rad = radius_rad * if k % 2 == 0 { 1.0 } else { rng.random::<f64>() };
                let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
                (n * angle_rad.cos() + (a * cos + b * sin) * angle_rad.sin()).normalize()
            });
            let is_sea = |place: DVec3| water.at(place) == Cover::Sea;
            match found {
                Overlap::Some => continue,
                Overlap::All => assert!(places.all(is_sea), "{radius_rad} round {n} is not all sea"),
                Overlap::None => assert!(!places.any(is_sea), "{radius_rad} round {n} has sea"),
            }
            told[usize::from(found == Overlap::All)] += 1;
        }
        assert!(told[0] > 5_000 && told[1] > 10_000, "{told:?}");
        assert_eq!(Water::none().sea_within(DVec3::X, 3.0), Overlap::None);
    }
}
