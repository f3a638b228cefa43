//! Which waves are added to coarse ground? Three octaves of ridges, and six of gullies that run down their slopes.
//!
//! Ridges are gradient noise (K. Perlin, "An image synthesizer", 1985) folded at zero. Gullies are waves on the corners of a lattice, as in
//! Gabor noise (A. Lagae et al., 2009), with their crests along the slope of what is larger, as water cuts it. All of it is a function of the
//! place in space, so it has no seam, and the same in steps of 16 places as in one: the loops over lanes vectorise.

use multiversion::multiversion;

/// Places that are evaluated side by side.
pub const LANES: usize = 16;
type Lanes = [f32; LANES];

/// How many octaves there are, and how many of them are ridges.
pub const OCTAVES: usize = 9;
pub const RIDGES: usize = 3;
/// Octaves whose slopes the gullies of finer ones follow.
const LEADING: usize = 5;

/// Wave of the coarsest octave in metres; each next one has half of it.
pub const LONGEST_M: f64 = 14_000.0;

/// Noise at which a ridge is half as high as it gets: crests are sharper and valleys wider the less it is.
const FLAT: f32 = 0.35;

/// Smallest |slope| that turns gullies fully, about.
const LEVEL: f32 = 0.35;
/// What gullies add to the slope that finer ones follow, over that of ridges.
const GULLY_SLOPE: f32 = 0.6;

/// Wave of an octave in metres.
pub fn wave_m(octave: usize) -> f64 {
    LONGEST_M / f64::from(1 << octave)
}

/// Side of an octave's cells in metres: a wave of gradient noise is about two cells.
fn cell_m(octave: usize) -> f64 {
    if octave < RIDGES { 0.5 * wave_m(octave) } else { wave_m(octave) }
}

/// What each octave has at places: ridges from -0.43 to 1, gullies from -1 to 1.
pub type Values = [Lanes; OCTAVES];

/// Of the octaves before `octaves`, at unit normals on a sphere of `radius_m`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+avx512bw", "x86_64+avx2"))]
pub fn values(normals: &[[f64; LANES]; 3], radius_m: f64, octaves: usize) -> Values {
    let mut values = [[0.0; LANES]; OCTAVES];
    // Slope that gullies follow.
    let mut slope = [[0f32; LANES]; 3];
    let n: [Lanes; 3] = std::array::from_fn(|axis| normals[axis].map(|x| x as f32));
    let mut along = [[0f32; LANES]; 3];
    for (octave, value) in values.iter_mut().enumerate().take(octaves) {
        let cells = Cells::of(normals, radius_m / cell_m(octave), octave);
        if octave < RIDGES {
            ridges(&cells, value, &mut slope);
            continue;
        }
        if octave == RIDGES || octave == LEADING {
            along = across(&n, &slope);
        }
        let leads = octave < LEADING;
        gullies(&cells, &along, value, leads.then_some(&mut slope));
    }
    values
}

/// Where places lie in an octave's lattice.
struct Cells {
    /// Lowest corner of the cell.
    corner: [[u32; LANES]; 3],
    /// The place from there, in cells.
    part: [Lanes; 3],
    /// Share of the corners on the far side along each axis.
    far: [Lanes; 3],
    salt: u32,
}

impl Cells {
    #[inline(always)]
    fn of(normals: &[[f64; LANES]; 3], cells: f64, octave: usize) -> Self {
        let mut new = Self {
            corner: [[0; LANES]; 3],
            part: [[0.0; LANES]; 3],
            far: [[0.0; LANES]; 3],
            salt: 0x9E37_79B9u32.wrapping_mul(octave as u32 + 1),
        };
        for (axis, normals) in normals.iter().enumerate() {
            for (lane, x) in normals.iter().enumerate() {
                // Octaves' lattices do not meet at the origin.
                let at = x * cells + 0.37 * octave as f64;
                let corner = at.floor();
                let part = (at - corner) as f32;
                new.corner[axis][lane] = corner as i32 as u32;
                new.part[axis][lane] = part;
                new.far[axis][lane] = part * part * (3.0 - 2.0 * part);
            }
        }
        new
    }

    /// Bits of a corner, its weight, and the place from it.
    #[inline(always)]
    fn corner(&self, which: [u32; 3], lane: usize) -> (u32, f32, [f32; 3]) {
        let mut bits = self.salt;
        let mut weight = 1.0;
        let mut from = [0.0; 3];
        const FACTORS: [u32; 3] = [0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D];
        for axis in 0..3 {
            bits ^= (self.corner[axis][lane].wrapping_add(which[axis])).wrapping_mul(FACTORS[axis]);
            let far = self.far[axis][lane];
            weight *= if which[axis] == 1 { far } else { 1.0 - far };
            from[axis] = self.part[axis][lane] - which[axis] as f32;
        }
        bits = (bits ^ bits >> 15).wrapping_mul(0x2C1B_3C6D);
        bits = (bits ^ bits >> 12).wrapping_mul(0x297A_2D39);
        (bits ^ bits >> 15, weight, from)
    }
}

const CORNERS: [[u32; 3]; 8] = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]];

/// Gradient noise folded into ridges, and its slopes at the corners between these.
#[inline(always)]
fn ridges(cells: &Cells, value: &mut Lanes, slope: &mut [Lanes; 3]) {
    let mut noise = [0f32; LANES];
    for which in CORNERS {
        for lane in 0..LANES {
            let (bits, weight, from) = cells.corner(which, lane);
            // In a ball of radius 1.
            let component = |shift: u32| ((bits >> shift & 1023) as f32 - 511.5) * (0.577 / 511.5);
            let g = [component(0), component(10), component(20)];
            noise[lane] += weight * (g[0] * from[0] + g[1] * from[1] + g[2] * from[2]);
            for axis in 0..3 {
                slope[axis][lane] += weight * g[axis];
            }
        }
    }
    for lane in 0..LANES {
        let away = noise[lane].abs();
        value[lane] = 1.0 - 2.0 * away / (FLAT + away);
    }
}

/// The direction level with the ground across which a slope falls; shorter where there is little slope.
#[inline(always)]
fn across(n: &[Lanes; 3], slope: &[Lanes; 3]) -> [Lanes; 3] {
    let mut along = [[0f32; LANES]; 3];
    for lane in 0..LANES {
        let (n, s) = (n.map(|n| n[lane]), [slope[0][lane], slope[1][lane], slope[2][lane]]);
        let c = [n[1] * s[2] - n[2] * s[1], n[2] * s[0] - n[0] * s[2], n[0] * s[1] - n[1] * s[0]];
        let length = (c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + LEVEL * LEVEL).sqrt();
        for axis in 0..3 {
            along[axis][lane] = c[axis] / length;
        }
    }
    along
}

/// Waves along a direction, each with a phase of its own at each corner; and their slopes at the corners between these.
#[inline(always)]
fn gullies(cells: &Cells, along: &[Lanes; 3], value: &mut Lanes, mut slope: Option<&mut [Lanes; 3]>) {
    for which in CORNERS {
        for lane in 0..LANES {
            let (bits, weight, from) = cells.corner(which, lane);
            let phase = (bits >> 8) as f32 * (1.0 / (1 << 24) as f32);
            let way = along[0][lane] * from[0] + along[1][lane] * from[1] + along[2][lane] * from[2];
            value[lane] += weight * cos_turns(way + phase);
            if let Some(slope) = slope.as_deref_mut() {
                let rise = GULLY_SLOPE * weight * cos_turns(phase + 0.25);
                for axis in 0..3 {
                    slope[axis][lane] += rise * along[axis][lane];
                }
            }
        }
    }
}

/// Cosine of an angle in turns, to 1e-5; never beyond 1.
#[inline(always)]
fn cos_turns(turns: f32) -> f32 {
    // From -1/4 to 1/4 about the nearest half turn, where the cosine is 1 or -1.
    let near = turns - (turns + 0.5).floor();
    let away = 0.25 - near.abs();
    // sin(2 pi x) for |x| <= 1/4: odd, by Taylor's terms with the last ones fitted.
    let x = away * std::f32::consts::TAU;
    let z = x * x;
    let sin = x * (1.0 + z * (-1.666_665_7e-1 + z * (8.332_55e-3 + z * (-1.980_5e-4 + z * 2.6e-6))));
    sin.clamp(-1.0, 1.0)
}

/// How much the value of each octave changes at most from metre to metre.
pub fn steepest_per_m() -> [f64; OCTAVES] {
    // Weights along an axis change by at most 1.5 a cell, of which one half is what the other loses: what they weigh, numbers up to 1 or
    // vectors as long, changes by at most 3 along each axis.
    let of_weights = 3.0 * f64::sqrt(3.0);
    // Sum over the corners of weight times distance, at most, in cells.
    let reach = 0.87;
    let level = f64::from(LEVEL);
    let mut slope_per_m: f64 = (0..RIDGES).map(|octave| of_weights / cell_m(octave)).sum();
    let mut turn_per_m = 0.0;
    std::array::from_fn(|octave| {
        let cell_m = cell_m(octave);
        if octave < RIDGES {
            return 2.0 / f64::from(FLAT) * STEEPEST_NOISE / cell_m;
        }
        if octave == RIDGES || octave == LEADING {
            // With the turn of the ground's own level, which is next to nothing.
            turn_per_m = (slope_per_m + 1e-6) / level;
        }
        if octave < LEADING {
            slope_per_m += f64::from(GULLY_SLOPE) * (of_weights / cell_m + turn_per_m);
        }
        of_weights / cell_m + std::f64::consts::TAU * (1.0 / cell_m + reach * turn_per_m)
    })
}

/// How much gradient noise changes at most from cell to cell: the largest sum over the corners of what a unit gradient there gives.
const STEEPEST_NOISE: f64 = 6.0;

#[cfg(test)]
mod tests {
    use super::*;

    /// Weight of a corner at a place in a cell, and its slope.
    fn weight(which: [u32; 3], at: [f64; 3]) -> (f64, [f64; 3]) {
        let one = |axis: usize| {
            let (t, far) = (at[axis], which[axis] == 1);
            let (w, slope) = (t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t));
            if far { (w, slope) } else { (1.0 - w, -slope) }
        };
        let [x, y, z] = [one(0), one(1), one(2)];
        (x.0 * y.0 * z.0, [x.1 * y.0 * z.0, x.0 * y.1 * z.0, x.0 * y.0 * z.1])
    }

    /// Law: the constants that bounds rest on hold everywhere in a cell.
    #[test]
    fn constants_hold_in_a_cell() {
        let steps = 24;
        let (mut noise, mut reach) = (0f64, 0f64);
        for k in 0..=steps * (steps + 1) * (steps + 1) {
            let at = [k % (steps + 1), k / (steps + 1) % (steps + 1), k / (steps + 1) / (steps + 1)];
            let at = at.map(|k| f64::from(k) / f64::from(steps));
            let (mut slopes, mut far) = (0.0, 0.0);
            for which in CORNERS {
                let (w, slope) = weight(which, at);
                let from: [f64; 3] = std::array::from_fn(|axis| at[axis] - f64::from(which[axis]));
                let length = |v: [f64; 3]| v.map(|x| x * x).iter().sum::<f64>().sqrt();
                slopes += w + length(slope) * length(from);
                far += w * length(from);
            }
            (noise, reach) = (noise.max(slopes), reach.max(far));
        }
        assert!(noise < 0.97 * STEEPEST_NOISE && noise > 0.8 * STEEPEST_NOISE, "{noise}");
        assert!(reach < 0.87, "{reach}");
    }

    #[test]
    fn cosines_of_turns() {
        for k in -4000..4000 {
            let turns = k as f32 * 0.001_7;
            let expected = (f64::from(turns) * std::f64::consts::TAU).cos();
            assert!((f64::from(cos_turns(turns)) - expected).abs() < 2e-5, "{turns}");
        }
    }
}
