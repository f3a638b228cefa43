//! Which points, lines and areas are drawn on the ground? Those of vector data, in the texels of [imagery tiles](crate::imagery_tile).
//!
//! A line is as wide as asked on screen, to a third: a texel is between half a pixel and one. Lines and points have a dark rim, so that they
//! are seen on any ground.

mod draw;
mod parts;
mod pick;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use foreign::style::Colour;
use foreign::values::WIDEST_LINE_PX;
use glam::{DVec2, DVec3};

use crate::{
    cube::{FACES, warp_of},
    geodesy::Ellipsoid,
    outlines::{Axes, Square, normal, normals},
    shading_tile::RIM,
    tile::{TILE_QUADS, TileId, posting_m},
    tile_build::{middle, reach_rad},
};
use parts::{Part, Parts};

/// A place: longitude and latitude in degrees.
pub type LonLat = [f64; 2];

/// Texels a pixel, in the middle between half a pixel a texel and one.
const TEXELS_A_PX: f64 = std::f64::consts::SQRT_2;
/// Width of the rim of lines and points on either side, in pixels.
const RIM_PX: f64 = 0.8;
/// Radius of a point, its rim excluded, at the width of usual lines; in widths.
const POINT_WIDTHS: f64 = 1.75;
/// Texels of the finest tiles are at least so large, metres: the width of a pencil's line that is seen from nearby.
const FINEST_M: f64 = 0.03;

/// Edges are straight in longitude and latitude between corners that are so close to each other: to a metre where they are stored.
const FAR_DEG: f64 = 0.05;
/// Most characters of the text of a field.
const MOST_OF_A_VALUE: usize = 200;
/// Edges of a line that are looked at together.
const EDGES: usize = 32;
/// How far beyond its edges a face goes, as the ratio of two components of a normal: farther than the widest lines on a face.
const BEYOND: f64 = 2.0;

/// The geometry of a feature. Edges are straight in longitude and latitude, the short way where longitudes go on beyond 180.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A place.
    Point(LonLat),
    /// A line by its corners.
    Line(Vec<LonLat>),
    /// What an odd number of rings surrounds: an outer one, and holes.
    Area(Vec<Vec<LonLat>>),
}

/// How a feature is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Colour of points, lines and outlines.
    pub color: Colour,
    /// Colour of what areas hold.
    pub fill: Colour,
    /// Width of lines in pixels; points are some times as wide. At 0 there are none.
    pub width_px: f32,
}

impl Default for Style {
    /// Vermilion, 3 pixels, areas a fifth filled.
    fn default() -> Self {
        Self::of_colour([213, 94, 0, 255])
    }
}

impl Style {
    /// The usual one in a colour.
    pub fn of_colour(color: Colour) -> Self {
        let [red, green, blue, _] = color;
        Self { color, fill: [red, green, blue, 51], width_px: 3.0 }
    }
}

/// A geometry, and how it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Where it is.
    pub shape: Shape,
    /// How it is drawn.
    pub style: Style,
    /// What is written beside it.
    pub label: Option<FeatureLabel>,
    /// What its file says of it.
    pub attributes: Option<Attributes>,
}

/// What a file says of a feature: fields and their texts, one line each. Copies share it.
///
/// ```
/// use elevation::features::Attributes;
/// let told = Attributes::new([("name", "Hörnli\nHut"), ("beds", "130"), ("phone", "")]);
/// assert_eq!(told.iter().collect::<Vec<_>>(), [("name", "Hörnli Hut"), ("beds", "130")]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attributes(Arc<str>);

impl Attributes {
    /// These, without those that are empty; what is longer than a line of a table is cut.
    pub fn new<N: AsRef<str>, V: AsRef<str>>(fields: impl IntoIterator<Item = (N, V)>) -> Self {
        let mut text = String::new();
        for (name, value) in fields {
            let value = one_line(value.as_ref(), MOST_OF_A_VALUE);
            if !value.is_empty() {
                text.extend([&one_line(name.as_ref(), MOST_OF_A_VALUE), "\t", &value, "\n"]);
            }
        }
        Self(text.into())
    }

    /// Names of fields and their texts, in the file's order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.lines().filter_map(|line| line.split_once('\t'))
    }
}

/// At most so many characters of the words of a text.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").chars().take(most).collect()
}

/// A text that stands beside a feature.
///
/// ```
/// use elevation::features::{Feature, FeatureLabel, Features, Shape, Style};
/// let label = FeatureLabel { text: "hut".into(), place: [7.6, 45.9], above_px: 9.0, point: Some([255, 0, 0, 255]) };
/// let hut = Feature { shape: Shape::Point([7.6, 45.9]), style: Style::default(), label: Some(label.clone()), attributes: None };
/// assert_eq!(Features::new([hut]).labels(), [label]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureLabel {
    /// One line.
    pub text: String,
    /// On the feature.
    pub place: LonLat,
    /// Half of what is drawn at the place, in pixels: above it the text stands. 0 for a text that lies over an area.
    pub above_px: f32,
    /// The colour of the point that it stands beside; none beside a line and on an area.
    pub point: Option<Colour>,
}

/// Features, the last one on top.
///
/// ```
/// use elevation::features::{Feature, Features, Shape, Style};
/// let ridge = Shape::Line(vec![[7.6, 45.9], [7.7, 46.0]]);
/// let features = Features::new([Feature { shape: ridge, style: Style::default(), label: None, attributes: None }]);
/// assert_eq!(features.bbox_deg(), Some([7.6, 45.9, 7.7, 46.0]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Features {
    styles: Vec<Style>,
    labels: Vec<FeatureLabel>,
    attributes: Vec<Option<Attributes>>,
    /// Where those are that are points.
    points: Vec<Option<LonLat>>,
    faces: [Parts; FACES as usize],
    areas: Vec<Area>,
    bbox_deg: Option<[f64; 4]>,
    cap: Option<(DVec3, f64)>,
    /// How far from its middle line one of them is drawn at most, in pixels.
    half_px: f64,
}

/// An area.
#[derive(Clone, Debug)]
struct Area {
    feature: u32,
    rings: Vec<Vec<DVec3>>,
    /// A ball that holds it.
    middle: DVec3,
    radius: f64,
}

impl Features {
    /// These, the last one on top. What is no place on the Earth is left out.
    pub fn new(features: impl IntoIterator<Item = Feature>) -> Self {
        let mut found = Self::default();
        let (mut places, mut lons, mut lats) = (Vec::new(), Vec::new(), (f64::MAX, f64::MIN));
        let mut faces: [Vec<Part>; FACES as usize] = Default::default();
        for Feature { shape, style, label, attributes } in features {
            let number = found.styles.len() as u32;
            let style = Style { width_px: style.width_px.clamp(0.0, WIDEST_LINE_PX as f32), ..style };
            found.styles.push(style);
            found.attributes.push(attributes);
            found.labels.extend(label.filter(|label| is_on_earth(&label.place)));
            let (is_point, is_area) = (matches!(shape, Shape::Point(_)), matches!(shape, Shape::Area(_)));
            found.points.push(if let Shape::Point(place) = shape { Some(place) } else { None });
            found.half_px = found.half_px.max(half_px(style, is_point));
            let (least, lines): (usize, Vec<Vec<LonLat>>) = match shape {
                Shape::Point(place) => (1, vec![vec![place]]),
                Shape::Line(corners) => (2, vec![corners]),
                Shape::Area(rings) => (2, rings.into_iter().map(closed).collect()),
            };
            let mut rings = Vec::new();
            for line in lines {
                let line: Vec<LonLat> = line.into_iter().filter(is_on_earth).collect();
                let corners = normals(&line, FAR_DEG);
                // A line needs two, else there is none.
                if corners.len() >= least {
                    add_line(&mut faces, number, &corners);
                }
                places.extend(corners.iter().copied());
                lons.extend(line_lons(&line));
                lats = line.iter().fold(lats, |(low, high), [_, lat]| (low.min(*lat), high.max(*lat)));
                rings.push(corners);
            }
            if is_area {
                let all: Vec<DVec3> = rings.iter().flatten().copied().collect();
                let (middle, radius) = ball(&all);
                found.areas.push(Area { feature: number, rings, middle, radius });
            }
        }
        found.faces = faces.map(Parts::new);
        if !places.is_empty() {
            let (west, east) = narrowest(lons);
            found.bbox_deg = Some([west, lats.0, east, lats.1]);
            found.cap = Some(ball(&places));
        }
        found
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.styles.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.styles.is_empty()
    }

    /// What is written beside them, in their order.
    pub fn labels(&self) -> &[FeatureLabel] {
        &self.labels
    }

    /// What is said of one by its number, which [`pick`](Self::pick) finds.
    pub fn attributes(&self, number: u32) -> Option<&Attributes> {
        self.attributes.get(number as usize)?.as_ref()
    }

    /// Longitude and latitude in degrees of one that is a point, by its number.
    pub fn point(&self, number: u32) -> Option<LonLat> {
        self.points.get(number as usize).copied().flatten()
    }

    /// West, south, east, north in degrees of what holds all of them, east beyond 180 where they lie on both sides of it; none of nothing.
    pub fn bbox_deg(&self) -> Option<[f64; 4]> {
        self.bbox_deg
    }

    /// How far they reach from their middle at most, metres.
    pub(crate) fn reach_m(&self) -> f64 {
        self.cap.map_or(0.0, |(_, radius)| 2.0 * (0.5 * radius).min(1.0).asin() * Ellipsoid::WGS84.semi_major_m())
    }

    /// Whether a tile shows some of them.
    pub(crate) fn are_in(&self, id: TileId) -> bool {
        self.has_edges(id) || self.areas_in(id).next().is_some()
    }

    /// Whether a tile shows more of them than its parent: lines, which are finer there, and no bare area.
    pub(crate) fn are_finer_in(&self, id: TileId) -> bool {
        posting_m(Ellipsoid::WGS84, id.level) >= FINEST_M && self.has_edges(id)
    }

    fn has_edges(&self, id: TileId) -> bool {
        let (low, high) = self.drawn_in(&Square::of(id, RIM));
        self.faces[id.face as usize].are_within(low, high)
    }

    /// Those that are drawn in a square or, twice as wide, in that of its parent.
    fn parts_in(&self, face: u32, square: &Square) -> impl Iterator<Item = &Part> {
        let (low, high) = self.drawn_in(square);
        self.faces[face as usize].within(low, high)
    }

    fn drawn_in(&self, square: &Square) -> (DVec2, DVec2) {
        let aside = 2.0 * self.half_px * TEXELS_A_PX * square.size;
        (DVec2::from(square.corner) - aside, DVec2::from(square.end()) + aside)
    }

    fn areas_in(&self, id: TileId) -> impl Iterator<Item = &Area> {
        let (of_tile, reach) = (middle(id), 1.1 * reach_rad(id));
        let is_filled = |area: &&Area| self.styles[area.feature as usize].fill[3] > 0;
        self.areas.iter().filter(is_filled).filter(move |area| area.middle.distance(of_tile) <= area.radius + reach)
    }
}

/// Adds a line of a feature, or one place, on all faces where it is.
fn add_line(faces: &mut [Vec<Part>], feature: u32, corners: &[DVec3]) {
    for (face, parts) in (0..).zip(faces) {
        let axes = Axes::of(face);
        let is_near = |corners: &[DVec3]| corners.iter().any(|corner| axes.has(*corner, BEYOND));
        // The last corner of a run is the first of the next; a place has one.
        let edges = corners.len().saturating_sub(1).max(1);
        let runs = (0..edges).step_by(EDGES).map(|from| &corners[from..(from + EDGES + 1).min(corners.len())]);
        for run in runs.filter(|run| is_near(run) && run.iter().all(|corner| corner.dot(axes.own) > 0.0)) {
            parts.push(Part::new(feature, run.iter().map(|corner| axes.warped(*corner)).collect()));
        }
    }
}

fn is_on_earth(place: &LonLat) -> bool {
    place[0].is_finite() && place[1].abs() <= 90.0
}

/// How far from its middle line, or its place, a feature is drawn, in pixels.
pub(crate) fn half_px(style: Style, is_point: bool) -> f64 {
    let half = if is_point { POINT_WIDTHS } else { 0.5 };
    half * f64::from(style.width_px) + RIM_PX
}

/// A ring that ends where it begins.
fn closed(mut ring: Vec<LonLat>) -> Vec<LonLat> {
    if let (Some(first), Some(last)) = (ring.first().copied(), ring.last())
        && first != *last
    {
        ring.push(first);
    }
    ring
}

/// Longitudes along a line, none more than a degree from the next.
fn line_lons(line: &[LonLat]) -> impl Iterator<Item = f64> {
    let between = line.windows(2).flat_map(|ends| {
        let [from, to] = [ends[0][0], ends[1][0]];
        let parts = (to - from).abs().ceil().clamp(1.0, 720.0) as u32;
        (1..=parts).map(move |k| from + (to - from) * f64::from(k) / f64::from(parts))
    });
    line.first().map(|place| place[0]).into_iter().chain(between)
}

/// West and east of the narrowest range that holds some longitudes: all but the widest gap between them.
fn narrowest(lons: Vec<f64>) -> (f64, f64) {
    let (west, east) = lons.iter().fold((f64::MAX, f64::MIN), |(low, high), lon| (low.min(*lon), high.max(*lon)));
    let is_plain = west >= -180.0 && east <= 180.0;
    let mut turned: Vec<f64> = lons.into_iter().map(|lon| (lon + 180.0).rem_euclid(360.0) - 180.0).collect();
    turned.sort_unstable_by(f64::total_cmp);
    let [first, last] = [turned.first(), turned.last()].map(|end| end.copied().unwrap_or_default());
    let gaps = turned.windows(2).map(|next| (next[1] - next[0], next[1], next[0] + 360.0));
    let around = (first + 360.0 - last, first, last);
    let (_, from, to) = gaps.fold(around, |widest, gap| if gap.0 > widest.0 { gap } else { widest });
    // Turned longitudes are rounded.
    if is_plain && to - from >= east - west - 1e-9 { (west, east) } else { (from, to) }
}

/// Middle and radius, as a chord of the unit sphere, of a ball that holds some places.
fn ball(places: &[DVec3]) -> (DVec3, f64) {
    let middle = places.iter().sum::<DVec3>().try_normalize().unwrap_or(normal([0.0, 90.0]));
    (middle, places.iter().map(|place| place.distance(middle)).fold(0.0, f64::max))
}

/// The planes through the Earth's middle between which a tile lies, with so many texels around it.
fn planes(id: TileId, texels: f64) -> [DVec3; 5] {
    let (axes, square) = (Axes::of(id.face), Square::of(id, 0));
    let at = |k: f64, corner: f64| warp_of((corner + k * square.size).clamp(-1.2, 1.2));
    let (from, to) = (-texels, f64::from(TILE_QUADS) + texels);
    let [s, t] = square.corner;
    // First the half of the Earth that it is on: what lies behind may go around the other way.
    [
        axes.own,
        axes.across - axes.own * at(from, s),
        axes.own * at(to, s) - axes.across,
        axes.down - axes.own * at(from, t),
        axes.own * at(to, t) - axes.down,
    ]
    .map(DVec3::normalize)
}
