//! How long is a line of a file of vector data, and what does an area surround? Both are measured as paths of markers. Of more corners than
//! those may have, the ones that matter most are kept: those farthest from what is left without them (D. Douglas and T. Peucker, 1973).

use std::path::PathBuf;

use glam::DVec3;
use terrain::features::Shape;
use terrain::geodesy::{Geodetic, n_vector};

use super::markers::{MOST_MARKERS, Markers};
use crate::terrain::Planet;

/// Measures a line or an area of a file of vector data, by its number there; what there is to say.
pub fn measure_feature((file, number): &(PathBuf, u32), planet: &Planet, markers: &mut Markers) -> Option<String> {
    let layer = planet.imagery().vectors_shown().iter().find(|layer| layer.file.path == *file)?;
    let (corners, holes) = match layer.shape(*number) {
        Ok(Shape::Point(_)) => return None,
        Ok(Shape::Line(corners)) => (corners, None),
        Ok(Shape::Area(rings)) => {
            let holes = rings.len().saturating_sub(1);
            (rings.into_iter().next()?, Some(holes))
        }
        Err(why) => return Some(why.to_string()),
    };
    let is_area = holes.is_some();
    let normals: Vec<DVec3> = corners.iter().map(|[lon, lat]| n_vector(lat.to_radians(), lon.to_radians())).collect();
    // A ring ends where it begins.
    let ring_end = usize::from(is_area && normals.first() == normals.last());
    let kept = thin_corners(&normals, MOST_MARKERS + ring_end);
    let places: Vec<Geodetic> = kept[..kept.len() - ring_end]
        .iter()
        .map(|corner| {
            let [lon, lat] = corners[*corner];
            Geodetic::from_degrees(lat, lon, planet.ground().height_m(normals[*corner]))
        })
        .collect();
    markers.replace_with(&places, is_area, planet);
    let own = layer.features.attributes(*number);
    let beside = [number.checked_sub(1), number.checked_add(1)].into_iter().flatten();
    let has_parts = own.is_some() && beside.into_iter().any(|other| layer.features.attributes(other) == own);
    let is_thinned = places.len() == MOST_MARKERS && kept.len() < corners.len();
    let told = [
        is_thinned.then(|| format!("of {} corners the {MOST_MARKERS} that matter most are measured", corners.len())),
        holes.filter(|holes| *holes > 0).map(|holes| format!("holes ({holes}) are not taken away")),
        has_parts.then(|| String::from("this part alone is measured")),
    ];
    Some(told.into_iter().flatten().collect::<Vec<_>>().join("; ")).filter(|told| !told.is_empty())
}

/// Corners so near to a line are on it: some micrometres.
const STRAIGHT_RAD: f64 = 1e-12;

/// Corners between two that are kept.
struct Span {
    ends: (usize, usize),
    /// The one farthest from the straight line between the ends, and how far it is.
    farthest: Option<(usize, f64)>,
}

impl Span {
    fn between(corners: &[DVec3], from: usize, to: usize) -> Span {
        let apart = |at: usize| (at, from_segment(corners[at], corners[from], corners[to]));
        let farthest = (from + 1..to).map(apart).max_by(|a, b| a.1.total_cmp(&b.1));
        Span { ends: (from, to), farthest }
    }
}

/// Numbers of at most so many corners, in their order: both ends, and of the others always the one that is farthest from the line so far.
/// Corners on that line are left out.
fn thin_corners(corners: &[DVec3], most: usize) -> Vec<usize> {
    let Some(last) = corners.len().checked_sub(1) else { return Vec::new() };
    let mut spans = vec![Span::between(corners, 0, last)];
    let mut kept = if last == 0 { vec![0] } else { vec![0, last] };
    while kept.len() < most {
        let worst = spans.iter().enumerate().filter_map(|(at, span)| Some((at, span.farthest?)));
        let Some((at, (corner, apart))) = worst.max_by(|a, b| a.1.1.total_cmp(&b.1.1)) else { break };
        if apart <= STRAIGHT_RAD {
            break;
        }
        let (from, to) = spans[at].ends;
        spans[at] = Span::between(corners, from, corner);
        spans.push(Span::between(corners, corner, to));
        kept.push(corner);
    }
    kept.sort_unstable();
    kept
}

/// How far a place is from a straight line between two others.
fn from_segment(place: DVec3, from: DVec3, to: DVec3) -> f64 {
    let (along, aside) = (to - from, place - from);
    let part = (aside.dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    aside.distance(along * part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Law: there are no more than asked for, both ends among them, in their order; those that are left out where all may stay lie on the
        /// line; where one more may stay, all that stayed before do.
        #[test]
        fn the_corners_that_matter_stay(
            places in prop::collection::vec((-1.0..1.0, -1.0..1.0, -1.0..1.0), 0..60),
            most in 2_usize..70,
        ) {
            let corners: Vec<DVec3> = places.into_iter().map(DVec3::from).collect();
            let kept = thin_corners(&corners, most);
            prop_assert!(kept.len() <= most && kept.is_sorted_by(|a, b| a < b));
            prop_assert_eq!(kept.first().copied(), (!corners.is_empty()).then_some(0));
            prop_assert_eq!(kept.last().copied(), corners.len().checked_sub(1));
            let off = |kept: &[usize]| {
                let spans = kept.windows(2).map(|two| Span::between(&corners, two[0], two[1]));
                spans.filter_map(|span| span.farthest).map(|(_, apart)| apart).fold(0.0, f64::max)
            };
            if most >= corners.len() {
                prop_assert!(off(&kept) <= STRAIGHT_RAD);
            }
            let more = thin_corners(&corners, most + 1);
            prop_assert!(kept.iter().all(|corner| more.contains(corner)) && more.len() <= kept.len() + 1);
        }
    }

    /// Law: of a line with one bend among many corners the bend stays.
    #[test]
    fn a_bend_stays() {
        let straight = |k: usize| DVec3::new(k.min(70) as f64, k.saturating_sub(70) as f64, 0.0);
        let corners: Vec<DVec3> = (0..100).map(straight).collect();
        assert_eq!(thin_corners(&corners, 50), [0, 70, 99]);
        assert_eq!(thin_corners(&corners[..1], 50), [0]);
    }
}
