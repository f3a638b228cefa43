//! Which features are seen at a place? Lines and points that are drawn within some pixels of it, and areas that it is in.

use glam::{DMat2, DVec2, DVec3};

use super::{Area, Features, Part, half_px};
use crate::{
    cube::{face_of, warp_of},
    geodesy::east_north_up,
    outlines::{Axes, before},
};

/// Ground that is seen from the side is taken for so steep at least: lines are drawn on it, as narrow as it looks.
const LEAST_OF_LARGEST: f64 = 0.05;
/// Boxes around a place are so much larger than what is looked for: the map of a face is no plane.
const SLACK: f64 = 1.5;

impl Features {
    /// Numbers of those that are drawn within `aside_px` of a place, the one on top first: lines and points, then areas.
    ///
    /// `place` is the unit geodetic normal; the columns of `px_a_rad` say how many pixels on screen a radian of the ground goes to the east and
    /// to the north.
    ///
    /// ```
    /// use elevation::{features::{Feature, Features, Shape, Style}, geodesy::n_vector};
    /// use glam::DMat2;
    /// let path = Shape::Line(vec![[7.0, 46.0], [8.0, 46.0]]);
    /// let features = Features::new([Feature { shape: path, style: Style::default(), label: None, attributes: None }]);
    /// let place = |lat: f64| n_vector(lat.to_radians(), 7.5_f64.to_radians());
    /// // Ten metres a pixel, from above.
    /// let px_a_rad = 6_378_137.0 * DMat2::from_diagonal(glam::dvec2(0.1, 0.1));
    /// assert_eq!(features.pick(place(46.0003), px_a_rad, 4.0), [0]);
    /// assert!(features.pick(place(46.01), px_a_rad, 4.0).is_empty());
    /// ```
    pub fn pick(&self, place: DVec3, px_a_rad: DMat2, aside_px: f64) -> Vec<u32> {
        let Some(near) = PickProjection::new(place, px_a_rad) else { return Vec::new() };
        let (face, ..) = face_of(place);
        let reach_rad = (self.half_px + aside_px) / near.least_px_a_rad * SLACK;
        let axes = Axes::of(face);
        let sides = [near.east, -near.east, near.north, -near.north];
        let corners = sides.map(|side| DVec2::from(axes.warped(place + side * reach_rad.min(0.5))));
        let (low, high) = (corners.into_iter().reduce(DVec2::min), corners.into_iter().reduce(DVec2::max));
        let mut found: Vec<u32> = low
            .zip(high)
            .into_iter()
            .flat_map(|(low, high)| self.faces[face as usize].within(low, high))
            .filter(|part| {
                let style = self.styles[part.feature as usize];
                let half_px = half_px(style, part.corners.len() == 1);
                style.width_px > 0.0 && near.distance_px(part, &axes).is_some_and(|px| px <= half_px + aside_px)
            })
            .map(|part| part.feature)
            .collect();
        found.reverse();
        // Areas lie below all lines, as they are drawn.
        found.extend(self.areas.iter().rev().filter(|area| is_in(area, &near)).map(|area| area.feature));
        let mut seen = rustc_hash::FxHashSet::default();
        found.retain(|feature| seen.insert(*feature));
        found
    }
}

/// The ground around a place, and how it is seen.
struct PickProjection {
    place: DVec3,
    east: DVec3,
    north: DVec3,
    px_a_rad: DMat2,
    /// Pixels of a radian in the direction in which it is seen as the shortest.
    least_px_a_rad: f64,
}

impl PickProjection {
    /// None where nothing can be told apart.
    fn new(place: DVec3, px_a_rad: DMat2) -> Option<Self> {
        let (east, north, _) = east_north_up(place);
        let [a, b] = [px_a_rad.x_axis, px_a_rad.y_axis];
        // Squares of the greatest and the least length that a unit vector becomes.
        let (sum, difference) = (a.dot(a) + b.dot(b), (a.dot(a) - b.dot(b)).hypot(2.0 * a.dot(b)));
        let [most, least] = [0.5 * (sum + difference), 0.5 * (sum - difference)].map(|square| square.max(0.0).sqrt());
        let is_usable = place.is_finite() && most.is_finite() && most > 0.0;
        let least_px_a_rad = least.max(LEAST_OF_LARGEST * most);
        is_usable.then_some(Self { place, east, north, px_a_rad, least_px_a_rad })
    }

    /// On the plane that touches the sphere of normals, radians to the east and to the north; great circles are straight there.
    fn on_plane(&self, n: DVec3) -> Option<DVec2> {
        let ahead = n.dot(self.place);
        (ahead > 0.0).then(|| DVec2::new(n.dot(self.east), n.dot(self.north)) / ahead)
    }

    /// How far a part is from the place on screen, as far as it is on this side of the Earth.
    fn distance_px(&self, part: &Part, axes: &Axes) -> Option<f64> {
        let corner = |at: &[f64; 2]| {
            let [s, t] = at.map(warp_of);
            Some(self.px_a_rad * self.on_plane(axes.own + axes.across * s + axes.down * t)?)
        };
        let corners: Vec<DVec2> = part.corners.iter().map(corner).collect::<Option<_>>()?;
        match corners[..] {
            [place] => Some(place.length()),
            _ => corners.windows(2).map(|ends| to_segment(ends[0], ends[1])).reduce(f64::min),
        }
    }
}

/// From the origin to a straight line between two places.
fn to_segment(from: DVec2, to: DVec2) -> f64 {
    let along = to - from;
    let part = (-from.dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (from + along * part).length()
}

/// Whether a place is inside an odd number of an area's rings, as it is filled.
fn is_in(area: &Area, near: &PickProjection) -> bool {
    if area.middle.distance(near.place) > area.radius {
        return false;
    }
    let crossings = area.rings.iter().map(|ring| {
        // Edges that go to the east of the place from one side of its parallel to the other.
        let corners = before(ring, near.place);
        let flat = |n: DVec3| (n.dot(near.east), n.dot(near.north));
        let edges = (0..corners.len()).map(|k| (flat(corners[k]), flat(corners[(k + 1) % corners.len()])));
        edges
            .filter(|((ax, ay), (bx, by))| (*ay < 0.0) != (*by < 0.0) && ((ax * by - bx * ay) / (by - ay) > 0.0))
            .count()
    });
    crossings.sum::<usize>() % 2 == 1
}

#[cfg(test)]
mod tests {
    use rand::{Rng, rngs::StdRng};

    use super::*;
    use crate::{
        features::{Feature, LonLat, Shape, Style},
        geodesy::n_vector,
        outlines::normal,
        random,
    };

    /// A view of the ground from anywhere: turned, and from the side.
    fn view(rng: &mut StdRng) -> DMat2 {
        let turned = DMat2::from_angle(rng.random_range(0.0..std::f64::consts::TAU));
        let px_a_rad = 6.4e6 * 10f64.powf(rng.random_range(-3.0..0.5));
        let lower = rng.random_range(0.2..1.0);
        turned
            * DMat2::from_diagonal(DVec2::new(px_a_rad, px_a_rad * lower))
            * DMat2::from_angle(rng.random_range(0.0..6.0))
    }

    /// Pixels from a place to another, by the radians of a small sphere.
    fn to_px(from: DVec3, px_a_rad: DMat2, [lon, lat]: LonLat) -> DVec2 {
        let east = DVec3::Z.cross(from).normalize();
        let n = n_vector(lat.to_radians(), lon.to_radians());
        px_a_rad * DVec2::new(n.dot(east), n.dot(from.cross(east)))
    }

    /// Law: picked are the lines and points whose drawn width comes within some pixels of the place, measured at thousands of places along
    /// them. So are the areas that hold it, by a count of crossings in degrees. Those on top are first, areas last.
    #[test]
    fn what_is_drawn_near_a_place_is_picked() {
        let mut rng = random::rng();
        let (mut found, mut missed) = (0, 0);
        for _ in 0..300 {
            let (lat, lon) = (rng.random_range(-80.0..80.0), rng.random_range(-170.0..170.0));
            let (place, px_a_rad) = (normal([lon, lat]), view(&mut rng));
            // Some tens of pixels around the place.
            let spread = 60.0 / px_a_rad.determinant().abs().sqrt() * 57.3;
            let wide = f64::to_radians(lat).cos().recip();
            let mut corner = || -> LonLat {
                [lon + wide * rng.random_range(-spread..spread), lat + rng.random_range(-spread..spread)]
            };
            let shapes = [
                Shape::Point(corner()),
                Shape::Line((0..4).map(|_| corner()).collect()),
                Shape::Area(vec![(0..5).map(|_| corner()).collect()]),
                Shape::Area(vec![(0..3).map(|_| corner()).collect(), (0..3).map(|_| corner()).collect()]),
            ];
            let style = Style { width_px: 3.0, ..Style::default() };
            let feature = |shape: &Shape| Feature { shape: shape.clone(), style, label: None, attributes: None };
            let features = Features::new(shapes.iter().map(feature));
            let aside_px = 4.0;
            let picked = features.pick(place, px_a_rad, aside_px);
            let lines: Vec<Vec<LonLat>> = shapes
                .iter()
                .map(|shape| match shape {
                    Shape::Point(at) => vec![*at],
                    Shape::Line(line) => line.clone(),
                    Shape::Area(_) => Vec::new(),
                })
                .collect();
            let rings = |shape: &Shape| if let Shape::Area(rings) = shape { rings.clone() } else { Vec::new() };
            let edges = |line: &[LonLat], is_ring: bool| -> Vec<[LonLat; 2]> {
                let mut edges: Vec<[LonLat; 2]> = line.windows(2).map(|two| [two[0], two[1]]).collect();
                edges.extend(line.first().zip(line.last()).filter(|_| is_ring).map(|(first, last)| [*last, *first]));
                edges
            };
            let mut touched = Vec::new();
            for (number, shape) in shapes.iter().enumerate() {
                let mut of_shape = edges(&lines[number], false);
                rings(shape).iter().for_each(|ring| of_shape.extend(edges(ring, true)));
                let along = |[from, to]: &[LonLat; 2]| {
                    let (from, to) = (DVec2::from(*from), DVec2::from(*to));
                    (0..=2_000).map(move |k| from.lerp(to, f64::from(k) / 2_000.0).into())
                };
                let mut places: Vec<LonLat> = of_shape.iter().flat_map(along).collect();
                places.extend(lines[number].first());
                let nearest = places.iter().map(|at| to_px(place, px_a_rad, *at).length()).fold(f64::MAX, f64::min);
                let outline: Vec<[LonLat; 2]> = rings(shape).iter().flat_map(|ring| edges(ring, true)).collect();
                let inside = outline.iter().filter(|[[ax, ay], [bx, by]]| {
                    (*ay < lat) != (*by < lat) && ax + (lat - ay) / (by - ay) * (bx - ax) > lon
                });
                let half = half_px(style, matches!(shape, Shape::Point(_))) + aside_px;
                let is_inside = inside.count() % 2 == 1;
                // Where samples of the line tell.
                if (nearest - half).abs() > 0.2 && nearest > 0.01 {
                    touched.push((number as u32, nearest < half, is_inside));
                }
            }
            for (number, is_near, is_inside) in touched {
                assert_eq!(picked.contains(&number), is_near || is_inside, "{number} of {shapes:?} at {lat} {lon}");
                (found, missed) = (found + i32::from(is_near), missed + i32::from(!is_near));
            }
            let [point, line] = [0, 1].map(|number| picked.iter().position(|other| *other == number));
            assert!(point.is_none() || line.is_none() || line < point, "the last one is on top: {picked:?}");
        }
        assert!(found > 100 && missed > 100, "{found} {missed}");
    }

    /// Law: an area around a pole holds the pole and what is near it, and nothing on the other side of the Earth.
    #[test]
    fn areas_around_poles_hold_them() {
        // As files have it, along the edges of a map.
        let mut ring: Vec<LonLat> = (0..=36).map(|k| [f64::from(k) * 10.0 - 180.0, -65.0]).collect();
        ring.extend([[180.0, -90.0], [-180.0, -90.0]]);
        let style = Style { width_px: 0.0, ..Style::default() };
        let features =
            Features::new([Feature { shape: Shape::Area(vec![ring]), style, label: None, attributes: None }]);
        let is_in = |lat: f64, lon: f64| !features.pick(normal([lon, lat]), DMat2::IDENTITY, 4.0).is_empty();
        let places = [(-89.9, 20.0), (-70.0, 33.0), (-66.0, -120.0), (90.0, 0.0), (0.0, 33.0), (-64.0, -120.0)];
        let held: Vec<(f64, f64)> = places.into_iter().filter(|(lat, lon)| is_in(*lat, *lon)).collect();
        assert_eq!(held, places[..3]);
    }

    /// Law: views that show nothing, and places that are none, pick nothing.
    #[test]
    fn nothing_is_picked_where_nothing_is_seen() {
        let shape = Shape::Line(vec![[0.0, 0.0], [1.0, 0.0]]);
        let features = Features::new([Feature { shape, style: Style::default(), label: None, attributes: None }]);
        for (place, px_a_rad) in [
            (normal([0.5, 0.0]), DMat2::ZERO),
            (normal([0.5, 0.0]), DMat2::from_diagonal(DVec2::splat(f64::NAN))),
            (DVec3::splat(f64::NAN), DMat2::IDENTITY),
        ] {
            assert!(features.pick(place, px_a_rad, 4.0).is_empty());
        }
        assert!(Features::default().pick(normal([0.5, 0.0]), DMat2::IDENTITY, 4.0).is_empty());
    }
}
