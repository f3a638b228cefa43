//! How are tables of light kept? As grids of colours whose first and last texels lie on the ends of their axes.

use glam::Vec3;

/// Colours over the unit square.
#[derive(Debug)]
pub struct LightGrid {
    /// Texels along x and y.
    pub size: [usize; 2],
    /// Row by row.
    pub texels: Vec<Vec3>,
}

impl LightGrid {
    /// Where in the unit square a texel lies.
    pub fn place(size: [usize; 2], index: usize) -> (f32, f32) {
        let part = |i: usize, n: usize| i as f32 / (n - 1) as f32;
        (part(index % size[0], size[0]), part(index / size[0], size[1]))
    }

    /// The colour at a place, linear between texels.
    pub fn sample(&self, x: f32, y: f32) -> Vec3 {
        let split = |v: f32, n: usize| {
            let at = v.clamp(0.0, 1.0) * (n - 1) as f32;
            let low = (at as usize).min(n - 2);
            (low, at - low as f32)
        };
        let ((i, s), (j, t)) = (split(x, self.size[0]), split(y, self.size[1]));
        let row = |j: usize| {
            let at = j * self.size[0] + i;
            self.texels[at].lerp(self.texels[at + 1], s)
        };
        row(j).lerp(row(j + 1), t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_of_a_linear_function_is_that_function() {
        let size = [5, 4];
        let f = |x: f32, y: f32| Vec3::new(x, 2.0 * y, 1.0 - x + y);
        let texels = (0..20).map(|i| LightGrid::place(size, i)).map(|(x, y)| f(x, y)).collect();
        let grid = LightGrid { size, texels };
        for (x, y) in [(0.0, 0.0), (1.0, 1.0), (0.3, 0.77), (0.99, 0.01)] {
            assert!((grid.sample(x, y) - f(x, y)).abs().max_element() < 1e-6);
        }
        assert_eq!(grid.sample(-1.0, 2.0), grid.sample(0.0, 1.0));
    }
}
