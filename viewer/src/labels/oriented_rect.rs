//! Do two tilted boxes of text overlap?

use glam::DVec2;

/// A rectangle at an angle, in points of the screen, y down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OrientedRect {
    /// Its middle.
    pub centre: DVec2,
    /// Unit vector along its text.
    pub along: DVec2,
    /// Half its width and height.
    pub half: DVec2,
}

impl OrientedRect {
    /// With a margin on all sides.
    pub fn grown(self, margin: f64) -> OrientedRect {
        OrientedRect { half: self.half + DVec2::splat(margin), ..self }
    }

    /// How far it reaches from its middle along a unit vector.
    fn reach(&self, axis: DVec2) -> f64 {
        self.half.x * self.along.dot(axis).abs() + self.half.y * self.along.perp().dot(axis).abs()
    }

    /// Whether it has a point in common with another: no side of either one separates them.
    pub fn overlaps(&self, other: &OrientedRect) -> bool {
        let between = other.centre - self.centre;
        [self.along, self.along.perp(), other.along, other.along.perp()]
            .into_iter()
            .all(|axis| between.dot(axis).abs() <= self.reach(axis) + other.reach(axis))
    }

    /// Whether all of it lies between the origin and `size`.
    pub fn inside(&self, size: DVec2) -> bool {
        let reach = DVec2::new(self.reach(DVec2::X), self.reach(DVec2::Y));
        (self.centre - reach).min_element() >= 0.0 && (size - self.centre - reach).min_element() >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tilted(x: f64, y: f64, degrees: f64) -> OrientedRect {
        OrientedRect {
            centre: DVec2::new(x, y),
            along: DVec2::from_angle(degrees.to_radians()),
            half: DVec2::new(20.0, 5.0),
        }
    }

    /// Law: they overlap where a point of a fine raster lies in both.
    #[test]
    fn boxes_overlap_where_they_have_a_point_in_common() {
        let holds = |one: &OrientedRect, p: DVec2| {
            let from = p - one.centre;
            from.dot(one.along).abs() <= one.half.x && from.dot(one.along.perp()).abs() <= one.half.y
        };
        let raster = || (-60..=60).flat_map(|x| (-60..=60).map(move |y| 0.5 * DVec2::new(f64::from(x), f64::from(y))));
        let (mut apart, mut together) = (0, 0);
        for step in 0..400 {
            let turn = f64::from(step);
            let (a, b) = (tilted(0.0, 0.0, 7.0 * turn), tilted((0.9 * turn) % 40.0, (2.3 * turn) % 30.0, 31.0 * turn));
            if raster().any(|p| holds(&a, p) && holds(&b, p)) {
                assert!(a.overlaps(&b) && b.overlaps(&a), "{a:?} {b:?}");
                together += 1;
            } else {
                // A raster may miss a corner's overlap.
                assert!(!a.grown(-0.75).overlaps(&b.grown(-0.75)), "{a:?} {b:?}");
                apart += 1;
            }
        }
        assert!(apart > 50 && together > 50, "{apart} {together}");
    }

    #[test]
    fn a_box_at_the_edge_is_not_inside() {
        let size = DVec2::new(100.0, 100.0);
        assert!(tilted(50.0, 50.0, 45.0).inside(size) && tilted(21.0, 50.0, 0.0).inside(size));
        assert!(!tilted(19.0, 50.0, 0.0).inside(size) && !tilted(21.0, 15.0, 90.0).inside(size));
    }
}
