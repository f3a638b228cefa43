//! Which cells of a wedge round the eye are seen? Ring by ring outwards, with two horizons in each of many directions.
//!
//! The plane round the eye is four triangles of 16 wedges. In a triangle places have a *forward* coordinate k and a slope, lateral
//! over forward, -1 to 1; a wedge is cut into sectors by slope. A line of sight stays in its sector, and passes all k up to that of
//! its target. A ring is the cells of one k.
//!
//! - *Highest*: in each sector, the greatest rise that bounds of the ground allow up to a distance. What rises more is free so far.
//! - *Ridge*: in each sector, the greatest rise of a sampled height, and where. A target that rises less is most likely hidden
//!   there, which one sample on its own line proves.
//!
//! Cells near the eye are large as seen from it: there the ground is looked at in squares that halve with the distance.

use elevation::geodesy::{Ellipsoid, Geodetic};
use elevation::surface::{RayError, SightLine, Surface};
use glam::DVec3;

use super::Limits;
use super::block_bounds::{BlockBounds, of_square_m};
use super::cell_normals::CellNormals;
use super::frame::{EyeFrame, PlaceInFrame};
use super::running_maximum::RunningMaximum;

/// Wedges of a triangle.
pub const WEDGES: i64 = 16;
/// Rings of squares of one size: they are at most 2 / 24 of their distance.
const RINGS: i64 = 24;
/// Squares at the eye are no larger than this, in metres.
const FINEST_M: f64 = 0.5;
/// So far below the ground a line is hidden, in metres, though the place of the target is off by nanometres.
const HIDDEN_M: f64 = 1e-5;
/// So far above it a line is free.
const FREE_M: f64 = 1e-5;

/// Of a needed height so much may be missing, in metres.
const NEEDED_M: f64 = 8e-3;
/// Targets that need more than this are taken for hidden whatever their height, in metres.
const HIGHEST_M: f64 = 1e6;
/// Turns of a line towards a needed height at most.
const MOST_TURNS: u32 = 16;
/// And how near a height that is too low is found to one that is not, metres.
const BETWEEN_M: f64 = 1e-3;

/// Inputs that all wedges of a viewshed share.
pub struct ViewshedContext<'a> {
    pub ellipsoid: Ellipsoid,
    pub surface: &'a Surface,
    pub eye: Geodetic,
    pub places: CellNormals,
    pub block_bounds: BlockBounds,
    pub frame: EyeFrame,
    /// Cells to each side of the eye, and their side.
    pub half: i64,
    pub cell_m: f64,
    pub refraction: f64,
    pub target_height_m: f64,
    pub limits: Limits,
    /// Lines of a greater rise are free of the ground near the eye.
    pub near_clearance: NearClearance,
}

/// Up to which distance lines of sight of which rise clear the ground next to the eye.
#[derive(Clone, Copy, Debug)]
pub struct NearClearance {
    /// Horizontal distance.
    pub reach_m: f64,
    /// Lines that rise more are free up to there.
    pub rise: f64,
}

/// Cells by the test that decided them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecisionCounts {
    /// Hidden, by one sample below a ridge.
    pub by_ridge: u64,
    /// Seen, by bounds of the ground.
    pub by_bounds: u64,
    /// Either, by a ray along a part of the line.
    pub by_ray: u64,
}

impl std::ops::Add for DecisionCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            by_ridge: self.by_ridge + other.by_ridge,
            by_bounds: self.by_bounds + other.by_bounds,
            by_ray: self.by_ray + other.by_ray,
        }
    }
}

/// Directions of a sector.
#[derive(Clone, Debug, Default)]
struct Sector {
    highest: RunningMaximum,
    ridge: RunningMaximum,
}

/// A wedge on its way outwards.
pub struct Wedge<'a> {
    context: &'a ViewshedContext<'a>,
    /// 0 to 3: east, north, west, south.
    triangle: usize,
    number: i64,
    sectors: Vec<Sector>,
    /// Slope where the first begins, and sectors by slope.
    first: f64,
    per_slope: f64,
    /// Of the ring.
    normals: Vec<DVec3>,
    heights_m: Vec<f64>,
    places: Vec<PlaceInFrame>,
    pub steps: DecisionCounts,
}

impl<'a> Wedge<'a> {
    /// At the eye.
    pub fn new(context: &'a ViewshedContext<'a>, triangle: usize, number: i64) -> Self {
        let count = (4 * context.half / WEDGES).clamp(16, 4_096);
        Self {
            context,
            triangle,
            number,
            sectors: vec![Sector::default(); count as usize],
            first: 2.0 * number as f64 / WEDGES as f64 - 1.0,
            per_slope: 0.5 * (WEDGES * count) as f64,
            normals: Vec::new(),
            heights_m: Vec::new(),
            places: Vec::new(),
            steps: DecisionCounts::default(),
        }
    }

    /// Coordinates to the east and to the north of forward and lateral ones.
    fn plane<T: std::ops::Neg<Output = T>>(&self, forward: T, lateral: T) -> [T; 2] {
        match self.triangle {
            0 => [forward, lateral],
            1 => [lateral, forward],
            2 => [-forward, lateral],
            _ => [lateral, -forward],
        }
    }

    /// Looks at the ground near the eye, in squares smaller than cells. The rings of cells go on from [`Wedge::first_ring`].
    pub fn near(&mut self) {
        let context = self.context;
        let mut inner = 1;
        for halvings in (1..=halvings(context.cell_m)).rev() {
            let size = 0.5f64.powi(halvings);
            for ring in inner..=RINGS + 1 {
                let forward = ring as f64 * size;
                if forward > context.half as f64 + 1.0 {
                    return;
                }
                let [from, to] = self.across(ring);
                self.places.clear();
                self.normals.clear();
                for lateral in from..=to {
                    let [east, north] = self.plane(forward, lateral as f64 * size);
                    self.normals.push(context.places.normal(east, north));
                }
                self.sample();
                for (k, lateral) in (from..=to).enumerate() {
                    let high_m = of_square_m(context.surface, self.normals[k], size * context.cell_m);
                    self.raise(ring, lateral, size, k, high_m);
                    self.note_ridge(ring, lateral, size, k);
                }
            }
            inner = RINGS / 2 + 1;
        }
    }

    /// The first ring of cells whose ground has not been looked at in smaller squares.
    pub fn first_ring(&self) -> i64 {
        if halvings(self.context.cell_m) > 0 { RINGS / 2 + 1 } else { 1 }
    }

    /// First and last lateral coordinate of the squares of a ring that lines of the wedge may touch.
    fn across(&self, ring: i64) -> [i64; 2] {
        let [low, high] = [self.first, self.first + 2.0 / WEDGES as f64];
        let ring = ring as f64;
        let off = 0.5 + self.off(ring, 1.0);
        [
            (low * (ring + 0.5f64.copysign(-low)) - off).floor() as i64,
            (high * (ring + 0.5f64.copysign(high)) + off).ceil() as i64,
        ]
    }

    /// How far lines are off their sector at a ring of squares of a size, in squares.
    fn off(&self, ring: f64, size: f64) -> f64 {
        1.5 * ring * self.context.frame.max_deviation(1.5 * ring * size * self.context.cell_m) + 1e-9
    }

    /// Heights and rises of the places of the ring.
    fn sample(&mut self) {
        let context = self.context;
        self.heights_m.resize(self.normals.len(), 0.0);
        context.surface.relief().sample_row(&self.normals, &mut self.heights_m);
        self.places.clear();
        self.places.extend(self.normals.iter().map(|n| context.frame.place(*n)));
    }

    /// The sectors that slopes lie in.
    fn sectors_of(&self, low: f64, high: f64) -> std::ops::Range<usize> {
        let at = |slope: f64| ((slope - self.first) * self.per_slope).floor();
        let last = self.sectors.len() as f64;
        let (from, to) = (at(low).clamp(0.0, last), (at(high) + 1.0).clamp(0.0, last));
        from as usize..to as usize
    }

    /// The sectors whose lines may touch a square.
    fn touched(&self, ring: i64, lateral: i64, size: f64) -> std::ops::Range<usize> {
        let (ring, lateral) = (ring as f64, lateral as f64);
        let half = 0.5 + self.off(ring, size);
        let (low, high) = (lateral - half, lateral + half);
        let slope = |x: f64, far: bool| x / if far { ring + half } else { ring - half };
        self.sectors_of(slope(low, low > 0.0) - 1e-9, slope(high, high < 0.0) + 1e-9)
    }

    /// Takes a bound of the ground in a square into account.
    fn raise(&mut self, ring: i64, lateral: i64, size: f64, k: usize, high_m: f64) {
        let context = self.context;
        let rise = context.frame.greatest(&self.places[k], high_m, 0.5f64.sqrt() * size * context.cell_m);
        let begins = (ring as f64 - 0.5 - self.off(ring as f64, size)) * size;
        for sector in self.touched(ring, lateral, size) {
            self.sectors[sector].highest.push(begins, rise);
        }
    }

    /// Takes a sampled height into account.
    fn note_ridge(&mut self, ring: i64, lateral: i64, size: f64, k: usize) {
        let (_, _, rise) = self.context.frame.rise(&self.places[k], self.heights_m[k]);
        let slope = |x: f64| x / ring as f64;
        for sector in self.sectors_of(slope(lateral as f64 - 0.5), slope(lateral as f64 + 0.5)) {
            self.sectors[sector].ridge.push(ring as f64 * size, rise);
        }
    }

    /// Answers for the cells of a ring, and looks at their ground. `set` hears east, north and what `answer` says of a ring, a
    /// lateral coordinate and the number of the cell in the ring.
    pub fn ring<T>(
        &mut self,
        ring: i64,
        answer: impl Fn(&mut Self, i64, i64, usize) -> Result<T, RayError>,
        set: &mut impl FnMut([i64; 2], T),
    ) -> Result<(), RayError> {
        let context = self.context;
        // Cells that count, and one more.
        let widest =
            ((context.limits.farthest_m / context.cell_m + 1.5).powi(2) - (ring * ring) as f64).max(0.0).sqrt() as i64;
        let [from, to] = self.across(ring);
        let (from, to) = (from.max(-widest), to.min(widest));
        if from > to {
            return Ok(());
        }
        let [start, next] = [self.plane(ring, from), self.plane(ring, from + 1)];
        self.normals.clear();
        self.normals.resize((to - from + 1) as usize, DVec3::ZERO);
        context.places.line(start, [next[0] - start[0], next[1] - start[1]], &mut self.normals);
        self.sample();
        let [first, last] = self.own_range(ring);
        for lateral in first.max(from)..=last.min(to) {
            let cell = self.plane(ring, lateral);
            let [east_m, north_m] = cell.map(|x| x as f64 * context.cell_m);
            if context.limits.contains(east_m, north_m) {
                let said = answer(self, ring, lateral, (lateral - from) as usize)?;
                set(cell, said);
            }
        }
        if ring >= self.first_ring() {
            for (k, lateral) in (from..=to).enumerate() {
                self.add_ground(ring, lateral, k);
            }
        }
        Ok(())
    }

    /// First and last lateral coordinate of the cells of a ring that are this wedge's: no other has them.
    fn own_range(&self, ring: i64) -> [i64; 2] {
        let at = |number: i64| (2 * ring * number + WEDGES - 1) / WEDGES - ring;
        let (first, last) = (at(self.number), at(self.number + 1) - 1);
        // Cells on the diagonals are those of the triangles to the east and to the west.
        let rim = if self.triangle.is_multiple_of(2) { ring } else { ring - 1 };
        [first.max(-rim), if self.number == WEDGES - 1 { rim } else { last }]
    }

    /// Adds the ground of a cell to the horizons of its sectors.
    fn add_ground(&mut self, ring: i64, lateral: i64, k: usize) {
        let context = self.context;
        self.note_ridge(ring, lateral, 1.0, k);
        let reach_m = 0.5f64.sqrt() * context.cell_m;
        let lowest = self.sectors[self.touched(ring, lateral, 1.0)]
            .iter()
            .fold(f64::INFINITY, |least, sector| least.min(sector.highest.maximum()));
        // Most ground is lower than what stands before it.
        let block_m = context.block_bounds.of_block_m(
            context.surface,
            &context.places,
            context.cell_m,
            self.plane(ring, lateral),
        );
        if context.frame.greatest(&self.places[k], block_m, reach_m) > lowest {
            let high_m = of_square_m(context.surface, self.normals[k], context.cell_m);
            self.raise(ring, lateral, 1.0, k, high_m);
        }
    }

    /// Whether the target of a cell is seen.
    pub fn decide(&mut self, ring: i64, lateral: i64, k: usize) -> Result<bool, RayError> {
        let context = self.context;
        let target_m = self.heights_m[k] + context.target_height_m;
        let (z_m, r_m, rise) = context.frame.rise(&self.places[k], target_m);
        let Some(rise_tolerance) = context.frame.rise_tolerance(z_m, r_m) else {
            return self.ray(ring, lateral, |_| (0.0, f64::INFINITY));
        };
        let line = context.surface.sight_line(
            context.frame.eye_m,
            context.ellipsoid.ecef(self.normals[k], target_m),
            context.refraction,
        )?;
        let Some(line) = line else {
            // Too close to be hidden, or nearly so.
            return self.ray(ring, lateral, |_| (0.0, f64::INFINITY));
        };
        let forward = ring as f64;
        let whole_m = r_m.hypot(z_m);
        let slope = lateral as f64 / forward;
        let sector = self.sectors_of(slope, slope).start.min(self.sectors.len() - 1);
        let sector = &self.sectors[sector];
        if let Some((at, ridge)) = sector.ridge.greatest_before(forward - 0.75)
            && ridge > rise
        {
            let at_m = line.cut_near_m(whole_m * at / forward);
            if line.clearance_m(at_m) < -HIDDEN_M {
                self.steps.by_ridge += 1;
                return Ok(false);
            }
        }
        // Free from the near clearance up to here.
        let known = forward - 0.5 - self.off(forward, 1.0);
        let free = sector.highest.exceeds(rise - rise_tolerance).map_or(known, |begins| begins.min(known));
        let free_m = whole_m * context.frame.share((free / forward).max(0.0), z_m, r_m);
        let step_m = if rise > context.near_clearance.rise { 0.0 } else { context.near_clearance.reach_m.min(whole_m) };
        let end_m = line.end_m();
        if free_m <= step_m {
            return self.ray(ring, lateral, |_| (0.0, f64::INFINITY));
        }
        let Some(clear_m) = line.clear_from_m(free_m, end_m, FREE_M) else {
            self.steps.by_ridge += 1;
            return Ok(false);
        };
        if step_m > 0.0 && line.clear_from_m(0.0, step_m, FREE_M) != Some(0.0) {
            return self.ray(ring, lateral, |_| (0.0, f64::INFINITY));
        }
        if clear_m <= free_m {
            self.steps.by_bounds += 1;
            return Ok(true);
        }
        self.ray(ring, lateral, |_| (free_m, clear_m))
    }

    /// Height that the target of a cell needs to be seen, above the ground and above the datum, in metres.
    ///
    /// What lifts the target turns the line about the eye, and what is missing at a ground point then is less by the lift times t / L,
    /// but for a share of the order of the line's slope and angle. Less than what is missing by that share is never too
    /// much, so the target rises towards the answer from below until [`NEEDED_M`] is all that may be missing.
    pub fn needed_height(&mut self, ring: i64, lateral: i64, k: usize) -> Result<[f64; 2], RayError> {
        let context = self.context;
        let (forward, ground_m) = (ring as f64, self.heights_m[k]);
        let slope = lateral as f64 / forward;
        let sector = self.sectors_of(slope, slope).start.min(self.sectors.len() - 1);
        let ridge = self.sectors[sector].ridge.greatest_before(forward - 0.75).map_or(0.0, |(at, _)| at / forward);
        // By how much the target is to rise from some height on, as far as is told at once, and by which part of that it may.
        let lift = |needed_m: f64| {
            let target_m = ground_m + needed_m;
            let (z_m, r_m, rise) = context.frame.rise(&self.places[k], target_m);
            let whole_m = r_m.hypot(z_m);
            let target = context.ellipsoid.ecef(self.normals[k], target_m);
            let Some(line) = context.surface.sight_line(context.frame.eye_m, target, context.refraction)? else {
                return Ok([0.0, 1.0]);
            };
            let rise_tolerance = context.frame.rise_tolerance(z_m, r_m);
            let free = rise_tolerance.and_then(|rise_tolerance| {
                let known = forward - 0.5 - self.off(forward, 1.0);
                let free =
                    self.sectors[sector].highest.exceeds(rise - rise_tolerance).map_or(known, |at| at.min(known));
                let free_m = whole_m * context.frame.share((free / forward).max(0.0), z_m, r_m);
                (rise > context.near_clearance.rise).then_some(free_m)
            });
            let part_m = [free.unwrap_or(0.0).min(line.end_m()), line.end_m()];
            // What is found roughly turns the line enough to look again.
            let enough = |best: f64| best.max(0.0) * 1.02 + NEEDED_M;
            let lift_m = line.lift_m(part_m, whole_m, whole_m * ridge, enough)?;
            let (tangent, angle) = ((z_m / r_m).abs(), r_m / context.frame.radius_m);
            let part = (1.0 + 2.0 * (tangent * tangent + tangent * angle + angle * angle)).powi(-2);
            Ok::<_, RayError>([lift_m, part])
        };
        let mut needed_m = 0.0;
        let mut lift_m = 0.0;
        for _ in 0..MOST_TURNS {
            let [missing_m, part] = lift(needed_m)?;
            lift_m = missing_m;
            if lift_m <= NEEDED_M {
                return Ok([needed_m, ground_m + needed_m]);
            }
            needed_m += lift_m * part;
            if needed_m > HIGHEST_M {
                return Ok([f64::NAN; 2]);
            }
        }
        // Steep targets rise by small parts: the answer is found between one that is too low and one that is not.
        let (mut low_m, mut high_m) = (needed_m, needed_m + lift_m);
        while lift(high_m)?[0] > 0.0 {
            (low_m, high_m) = (high_m, high_m + 2.0 * (high_m - low_m));
            if high_m > HIGHEST_M {
                return Ok([f64::NAN; 2]);
            }
        }
        while high_m - low_m > BETWEEN_M {
            let middle_m = 0.5 * (low_m + high_m);
            let side = if lift(middle_m)?[0] > 0.0 { &mut low_m } else { &mut high_m };
            *side = middle_m;
        }
        Ok([high_m, ground_m + high_m])
    }

    /// Whether the target of a cell is seen, by a ray over a part of the line: that of [`Surface::sees`], bit for bit.
    fn ray(
        &mut self,
        ring: i64,
        lateral: i64,
        part_m: impl Fn(&SightLine<'_>) -> (f64, f64),
    ) -> Result<bool, RayError> {
        let context = self.context;
        self.steps.by_ray += 1;
        let [east, north] = self.plane(ring, lateral).map(|x| x as f64 * context.cell_m);
        let place = super::cell_normals::direct(context.ellipsoid, context.eye, east, north);
        let target = Geodetic { height_m: context.surface.height_m(place.normal()) + context.target_height_m, ..place };
        let line =
            context.surface.sight_line(context.frame.eye_m, target.to_ecef(context.ellipsoid), context.refraction)?;
        line.map_or(Ok(true), |line| {
            let (from_m, to_m) = part_m(&line);
            Ok(!line.is_blocked_within(from_m, to_m)?)
        })
    }
}

/// How often cells are halved near the eye.
fn halvings(cell_m: f64) -> i32 {
    (cell_m / FINEST_M).log2().ceil().clamp(0.0, 24.0) as i32
}

impl NearClearance {
    /// Of an eye above the ground with a unit normal.
    pub fn of(surface: &Surface, frame: &EyeFrame, normal: DVec3, eye_m: f64, cell_m: f64) -> Self {
        let square_m = cell_m * 0.5f64.powi(halvings(cell_m));
        // Lines leave the square of the eye within half of its diagonal, along them a little more.
        let reach_m = 0.75 * square_m;
        let high_m = of_square_m(surface, normal, 1.1 * square_m);
        let below_m = eye_m - high_m - 0.01;
        // A line that falls by less than it has is free.
        let rise = if below_m > 0.0 { -0.9 * below_m / reach_m + frame.bend_at(reach_m) } else { f64::INFINITY };
        Self { reach_m: 1.5 * reach_m, rise }
    }
}
