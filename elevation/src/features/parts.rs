//! Which parts of features are in a square of a face? A tree of boxes around them tells.

use glam::DVec2;
use kernels::lbvh::{Aabb, Lbvh, OverlapOptions, overlap};

/// A part of a feature on a face, in its warped coordinates.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its number.
    pub feature: u32,
    /// Some corners of a line; one is a point.
    pub corners: Vec<[f64; 2]>,
    low: DVec2,
    high: DVec2,
}

impl Part {
    /// The part of a feature between some corners.
    pub fn new(feature: u32, corners: Vec<[f64; 2]>) -> Self {
        let fold = |with: fn(DVec2, DVec2) -> DVec2| {
            corners.iter().map(|place| DVec2::from(*place)).reduce(with).unwrap_or_default()
        };
        Self { feature, low: fold(DVec2::min), high: fold(DVec2::max), corners }
    }

    fn is_in(&self, low: DVec2, high: DVec2) -> bool {
        self.high.cmpge(low).all() && self.low.cmple(high).all()
    }
}

/// The parts on a face, those of features on top last.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    parts: Vec<Part>,
    /// Over their boxes; none where there is no part, or more than a tree can hold.
    tree: Option<Lbvh>,
}

impl Parts {
    /// These, in their order.
    pub fn new(parts: Vec<Part>) -> Self {
        let boxes: Vec<Aabb> = parts.iter().map(|part| outward(part.low, part.high)).collect();
        let tree = if boxes.is_empty() { None } else { Lbvh::build_wide(&boxes).ok() };
        Self { parts, tree }
    }

    /// Those whose boxes touch another box, in their order.
    pub fn within(&self, low: DVec2, high: DVec2) -> impl Iterator<Item = &Part> {
        let numbers = self.numbers(low, high, OverlapOptions::ALL);
        numbers.into_iter().map(|number| &self.parts[number as usize]).filter(move |part| part.is_in(low, high))
    }

    /// Whether there are any.
    pub fn are_within(&self, low: DVec2, high: DVec2) -> bool {
        // Boxes of the tree are a little larger: what it finds may be beside.
        let one = self.numbers(low, high, OverlapOptions::ANY);
        match one[..] {
            [number] if self.parts[number as usize].is_in(low, high) => true,
            [] => false,
            _ => self.within(low, high).next().is_some(),
        }
    }

    fn numbers(&self, low: DVec2, high: DVec2, options: OverlapOptions) -> Vec<u32> {
        let found = self.tree.as_ref().and_then(|tree| overlap(tree, &[outward(low, high)], options).pop().flatten());
        let mut found = found.unwrap_or_else(|| (0..self.parts.len() as u32).collect());
        found.sort_unstable();
        found
    }
}

/// A box in 32 bits that holds another.
fn outward(low: DVec2, high: DVec2) -> Aabb {
    let [low, high] = [low, high].map(|corner| corner.as_vec2().extend(0.0).to_array());
    Aabb { low: low.map(f32::next_down), high: high.map(f32::next_up) }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::random;

    /// Law: what is within a box are all parts whose boxes touch it, in their order, and nothing else.
    #[test]
    fn parts_within_a_box_are_found_in_their_order() {
        let mut rng = random::rng();
        for count in [0, 1, 2, 700] {
            let mut corner = |spread: f64| [rng.random_range(-spread..spread), rng.random_range(-spread..spread)];
            let parts: Vec<Part> = (0..count)
                .map(|feature| {
                    let (place, aside) = (corner(1.2), corner(0.02));
                    let corners = if feature % 3 == 0 {
                        vec![place]
                    } else {
                        vec![place, [place[0] + aside[0], place[1] + aside[1]]]
                    };
                    Part::new(feature, corners)
                })
                .collect();
            let all = Parts::new(parts.clone());
            for number in 0..200 {
                let (from, to) = (DVec2::from(corner(1.3)), DVec2::from(corner(0.2)));
                // Beside a corner of a part, by less than 32 bits tell.
                let from = parts.get(number).map_or(from, |part| part.high + 1e-12);
                let (low, high) = (from.min(from + to), from.max(from + to));
                let expected: Vec<u32> =
                    parts.iter().filter(|part| part.is_in(low, high)).map(|part| part.feature).collect();
                assert_eq!(all.within(low, high).map(|part| part.feature).collect::<Vec<_>>(), expected);
                assert_eq!(all.are_within(low, high), !expected.is_empty());
            }
        }
    }
}
