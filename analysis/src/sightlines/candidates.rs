//! Which lines of a raster may be among the longest? A bounded number of them.

use std::collections::HashMap;

use super::separated_lines::{Ends, SeparatedLines, cube};

/// Lines far enough from each other that are kept for each one that is wanted: some of a raster are none of the ground.
const SPARE: usize = 4;
/// Lines that are kept at most: so many, and so many more for each that is wanted.
const MOST: (usize, usize) = (1 << 14, 64);

/// A line that is seen in a raster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Where eye and target are.
    pub ends: Ends,
    /// Its length.
    pub distance_m: f64,
    /// Along it, how far its end may be from where the ground is seen.
    pub step_m: f64,
}

type Cubes = [[i32; 3]; 2];

/// The longest lines so far: one for each pair of cubes so small that lines between them are beside each other.
pub struct Candidates {
    separation_m: f64,
    wanted: usize,
    longest: HashMap<Cubes, Candidate>,
    least_m: f64,
    /// How many there may be before short ones are dropped.
    room: usize,
}

impl Candidates {
    /// None yet, for so many lines whose ends are to be so far apart.
    pub fn new(wanted: usize, separation_m: f64) -> Self {
        Self { separation_m, wanted, longest: HashMap::new(), least_m: 0.0, room: MOST.0 / 4 }
    }

    /// Shorter lines are of no use.
    pub fn least_m(&self) -> f64 {
        self.least_m
    }

    /// Adds lines.
    pub fn add(&mut self, lines: impl IntoIterator<Item = Candidate>) {
        for line in lines {
            // The diagonal of a cube is less than the distance.
            let mut cubes = line.ends.map(|end| cube(end, 0.5 * self.separation_m));
            cubes.sort_unstable();
            let kept = self.longest.entry(cubes).or_insert(line);
            if line.distance_m > kept.distance_m {
                *kept = line;
            }
            if self.longest.len() > MOST.0 + 2 * MOST.1 * self.wanted {
                self.prune();
            }
        }
        if self.longest.len() > self.room {
            self.prune();
        }
    }

    /// Drops what is shorter than enough others.
    fn prune(&mut self) {
        let mut sorted: Vec<(Cubes, Candidate)> = self.longest.drain().collect();
        sorted.sort_unstable_by(longest_first);
        let most = MOST.0 / 2 + MOST.1 * self.wanted;
        let mut separated_lines = SeparatedLines::new(self.separation_m);
        let enough = sorted
            .iter()
            .find(|(_, line)| separated_lines.add(line.ends) && separated_lines.len() == SPARE * self.wanted);
        let shortest = enough.into_iter().chain(sorted.get(most)).map(|(_, line)| line.distance_m);
        self.least_m = shortest.fold(self.least_m, f64::max);
        // Many may be as long as each other.
        self.longest = sorted.into_iter().take(most).filter(|(_, line)| line.distance_m >= self.least_m).collect();
        self.room = 2 * self.longest.len() + MOST.0 / 4;
    }

    /// All of them, the longest first.
    pub fn into_sorted(self) -> Vec<Candidate> {
        let mut sorted: Vec<(Cubes, Candidate)> = self.longest.into_iter().collect();
        sorted.sort_unstable_by(longest_first);
        sorted.into_iter().map(|(_, line)| line).collect()
    }
}

/// The same order whatever order they come in.
fn longest_first((a, x): &(Cubes, Candidate), (b, y): &(Cubes, Candidate)) -> std::cmp::Ordering {
    y.distance_m.total_cmp(&x.distance_m).then(a.cmp(b))
}
