//! Which labels of the user's features are written, seen from some place? From afar, those that come first in their file among all that are
//! near them; and those of the file on top before others.
//!
//! The Earth is cut into the cells of a quadtree on six faces. A label belongs to the coarsest cell in which it is the first, and is written from as far
//! as a cell of that size is wide on screen as a word. A tree of boxes around labels, as large as those distances, tells which boxes hold the eye.

use foreign::style::Colour;
use glam::DVec3;
use kernels::KernelError;
use kernels::lbvh::{Aabb, Lbvh, OverlapOptions, overlap};
use terrain::cube::face_of;
use terrain::geodesy::{Ellipsoid, n_vector};

use super::VectorLayer;

/// A label is written from so many times the width of its cell: on a screen 720 points high, the cell is some 70 points wide then.
const CELLS: f64 = 12.0;
/// Levels of cells below the faces; the smallest are half a metre wide.
const LEVELS: u32 = 24;
/// Boxes are in 32 bits: what the eye may be beside them, metres.
const SLACK_M: f32 = 4.0;

/// The label of a feature.
#[derive(Debug)]
pub struct PlacedLabel {
    /// One line.
    pub text: String,
    /// Half of what is drawn at the place, pixels; 0 for a text that lies over an area.
    pub above_px: f32,
    /// The colour of a point.
    pub point: Option<Colour>,
    /// Unit geodetic normal of its place.
    pub up: DVec3,
    /// On the ellipsoid, ECEF metres.
    pub position_m: DVec3,
    /// How far away the eye may be.
    pub named_from_m: f64,
    /// Its place in the order in which labels are written where there is room for one.
    rank: u32,
}

/// The labels of all features, by their numbers.
#[derive(Debug, Default)]
pub struct FeatureLabels {
    labels: Vec<PlacedLabel>,
    /// Over boxes that hold the places from which they are written; none where there is no label.
    tree: Option<Lbvh>,
}

impl FeatureLabels {
    /// The labels of layers, the last one on top.
    ///
    /// # Errors
    /// More than a tree can hold.
    pub fn new(ellipsoid: Ellipsoid, layers: &[VectorLayer]) -> Result<FeatureLabels, KernelError> {
        let of_features = layers.iter().flat_map(|layer| layer.features.labels());
        let mut labels: Vec<PlacedLabel> = of_features
            .map(|label| {
                let up = n_vector(label.place[1].to_radians(), label.place[0].to_radians());
                let (text, above_px, point) = (label.text.clone(), label.above_px, label.point);
                let position_m = ellipsoid.ecef(up, 0.0);
                PlacedLabel { text, above_px, point, up, position_m, named_from_m: 0.0, rank: 0 }
            })
            .collect();
        // Numbers go on from layer to layer, so that they stay when one more comes on top.
        let mut end = labels.len();
        let mut by_rank: Vec<usize> = Vec::with_capacity(end);
        for layer in layers.iter().rev() {
            let first = end - layer.features.labels().len();
            by_rank.extend(first..end);
            end = first;
        }
        let levels = levels(by_rank.iter().map(|number| cell_of(labels[*number].up)).collect());
        for (rank, (number, level)) in (0..).zip(by_rank.into_iter().zip(levels)) {
            // The side of a face is a quarter of the equator.
            let cell_m = ellipsoid.semi_major_m() * std::f64::consts::FRAC_PI_2 / f64::from(1u32 << level);
            labels[number].named_from_m = CELLS * cell_m;
            labels[number].rank = rank;
        }
        let boxes: Vec<Aabb> = labels
            .iter()
            .map(|label| {
                let ends = [-1.0, 1.0].map(|way| (label.position_m + way * label.named_from_m).as_vec3().to_array());
                Aabb::around(ends)
            })
            .collect();
        let tree = if boxes.is_empty() { None } else { Some(Lbvh::build_wide(&boxes)?) };
        Ok(FeatureLabels { labels, tree })
    }

    /// One by its number.
    pub fn get(&self, number: u32) -> Option<&PlacedLabel> {
        self.labels.get(number as usize)
    }

    /// Numbers of those that may be written where the eye is, those that are seen from farthest away first.
    pub fn seen_from(&self, eye_m: DVec3) -> Vec<u32> {
        let eye = eye_m.as_vec3();
        let around = Aabb::around([(eye - SLACK_M).to_array(), (eye + SLACK_M).to_array()]);
        let found = self.tree.as_ref().and_then(|tree| overlap(tree, &[around], OverlapOptions::ALL).pop().flatten());
        let mut found = found.unwrap_or_default();
        found.retain(|number| {
            self.get(*number).is_some_and(|label| label.position_m.distance(eye_m) <= label.named_from_m)
        });
        let order = |number: &u32| self.get(*number).map(|label| (-label.named_from_m, label.rank));
        found.sort_by(|a, b| order(a).partial_cmp(&order(b)).unwrap_or(std::cmp::Ordering::Equal));
        found
    }
}

/// The finest cell at a place: its face, and the bits of its two coordinates in turn, the coarsest first.
fn cell_of(up: DVec3) -> u64 {
    let (face, s, t) = face_of(up);
    let bits = |x: f64| ((0.5 * (x + 1.0) * f64::from(1u32 << LEVELS)) as u64).min((1 << LEVELS) - 1);
    let (s, t) = (bits(s), bits(t));
    (0..LEVELS).rev().fold(u64::from(face), |cell, bit| cell << 2 | (s >> bit & 1) << 1 | t >> bit & 1)
}

/// For each of some finest cells, the coarsest level at which none before it is in the same cell; at most [`LEVELS`].
fn levels(cells: Vec<u64>) -> Vec<u32> {
    let mut levels = vec![0; cells.len()];
    let mut firsts: Vec<(u64, usize)> = cells.into_iter().zip(0..).collect();
    firsts.sort_unstable();
    for level in (0..=LEVELS).rev() {
        // Cells are sorted, and so are their parents; of those of one cell the first one goes on.
        firsts.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                levels[next.1.max(kept.1)] = (level + 1).min(LEVELS);
                kept.1 = kept.1.min(next.1);
            }
            is_same
        });
        firsts.iter_mut().for_each(|(cell, _)| *cell >>= 2);
    }
    levels
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::Rng;
    use terrain::features::{Feature, FeatureLabel, Features, Shape, Style};

    use super::*;
    use crate::terrain::VectorFile;

    /// Law: the level of a label is the coarsest at which no earlier one is in its cell, by comparison with all of them.
    #[test]
    fn labels_belong_to_the_coarsest_cell_in_which_they_are_first() {
        let mut rng = crate::random::rng();
        for _ in 0..20 {
            let spread = 10f64.powf(rng.random_range(-7.0..0.5));
            let mut place = || {
                let mut aside = || rng.random_range(-spread..spread);
                cell_of((DVec3::new(0.6, 0.6, 0.5) + DVec3::new(aside(), aside(), aside())).normalize())
            };
            let cells: Vec<u64> = (0..200).map(|_| place()).collect();
            let first_alone = |number: usize| {
                let is_first = |level: u32| {
                    let coarse = |cell: u64| cell >> (2 * (LEVELS - level));
                    cells[..number].iter().all(|other| coarse(*other) != coarse(cells[number]))
                };
                (0..LEVELS).find(|level| is_first(*level)).unwrap_or(LEVELS)
            };
            assert_eq!(levels(cells.clone()), (0..200).map(first_alone).collect::<Vec<_>>());
        }
    }

    /// Law: what is seen from a place are the labels within the distances from which they are written, and few of many.
    #[test]
    fn few_of_many_are_seen_from_anywhere() {
        let mut rng = crate::random::rng();
        let mut feature = |number: usize| {
            let place = [rng.random_range(7.0..8.0), rng.random_range(46.0..47.0)];
            let label = FeatureLabel { text: number.to_string(), place, above_px: 5.0, point: None };
            Feature { shape: Shape::Point(place), style: Style::default(), label: Some(label), attributes: None }
        };
        let features = Features::new((0..20_000).map(&mut feature));
        let layer = VectorLayer { file: VectorFile::plain("a".as_ref()), features: Arc::new(features) };
        let labels = FeatureLabels::new(Ellipsoid::WGS84, &[layer]).expect("a tree");
        for height_m in [2e7, 1e6, 1e5, 1e4, 1e3] {
            let up = n_vector(f64::to_radians(46.5), f64::to_radians(7.5));
            let eye_m = Ellipsoid::WGS84.ecef(up, height_m);
            let mut found = labels.seen_from(eye_m);
            assert!(found.len() < 2_000, "{} from {height_m} m", found.len());
            assert!(height_m < 2e4 || found.contains(&0), "the first from {height_m} m");
            let is_near = |label: &PlacedLabel| label.position_m.distance(eye_m) <= label.named_from_m;
            let all: Vec<u32> = (0..20_000).filter(|number| labels.get(*number).is_some_and(is_near)).collect();
            found.sort_unstable();
            assert_eq!(found, all);
        }
    }
}
