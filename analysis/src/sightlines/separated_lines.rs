//! Which lines are far enough from each other to count as two?

use std::collections::HashMap;

use glam::DVec3;

/// The least side of a cube of places in metres.
const LEAST_M: f64 = 1.0;

/// The ends of a line on the ellipsoid, ECEF metres.
pub type Ends = [DVec3; 2];

/// The cube of space, of a side, that a place is in.
pub fn cube(place_m: DVec3, side_m: f64) -> [i32; 3] {
    (place_m / side_m.max(LEAST_M)).floor().as_ivec3().to_array()
}

/// Lines no two of which are beside each other: both ends within a distance, whichever way they are looked along.
pub struct SeparatedLines {
    separation_m: f64,
    lines: Vec<Ends>,
    /// Numbers of the lines that have an end in a cube.
    by_cube: HashMap<[i32; 3], Vec<u32>>,
}

impl SeparatedLines {
    /// None yet, for lines whose ends are to be so far apart.
    pub fn new(separation_m: f64) -> Self {
        Self { separation_m, lines: Vec::new(), by_cube: HashMap::new() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Adds a line unless it is beside one of them; whether it was added.
    pub fn add(&mut self, ends: Ends) -> bool {
        let is_apart = self.neighbours(ends).next().is_none();
        if is_apart {
            let number = self.lines.len() as u32;
            self.lines.push(ends);
            for end in ends {
                self.by_cube.entry(cube(end, self.separation_m)).or_default().push(number);
            }
        }
        is_apart
    }

    /// Numbers of the lines that one is beside, in the order in which they were added to each cube.
    pub fn neighbours(&self, [a, b]: Ends) -> impl Iterator<Item = usize> {
        let [x, y, z] = cube(a, self.separation_m);
        let around = (0..27).map(move |k: i32| [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1]);
        let near = |p: DVec3, q: DVec3| p.distance_squared(q) < self.separation_m * self.separation_m;
        around.filter_map(|cube| self.by_cube.get(&cube)).flatten().map(|number| *number as usize).filter(
            move |number| {
                let [c, d] = self.lines[*number];
                near(a, c) && near(b, d) || near(a, d) && near(b, c)
            },
        )
    }
}
