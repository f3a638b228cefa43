//! How does one device find the horizons of all cells at once? The loops, each cell by itself.
//!
//! What they read is described in [`sweep`](super::super::sweep). Numbers that f32 cannot hold come in two parts: whole rows and a
//! part of one, metres and what they lack.

#![allow(clippy::manual_checked_ops, clippy::manual_div_ceil, reason = "WGSL has no such calls")]
#![allow(clippy::too_many_arguments, reason = "a kernel has a parameter for each buffer")]

use bytemuck::{Pod, Zeroable};
use glam::{UVec2, Vec2, Vec4};
use kernels::{device, kernel, kernel::List};

/// Columns whose maxima are kept.
#[device]
pub const BLOCK: u32 = 8;
/// Columns of a block of blocks.
#[device]
pub const SUPERBLOCK: u32 = 64;
/// Height where there is no ground, and slope of an eye that has met none: lower than all ground, but differences stay
/// exact in f32.
#[device]
pub const NO_GROUND: f32 = -1e30;
/// Slopes beyond this are those of nothing.
#[device]
const STEEPEST: f32 = 1e6;
/// Parts of a row that count as none.
#[device]
const ROW_TOLERANCE: f32 = 1e-6;
/// Rows by which lines of a track may be beside it by rounding.
#[device]
const TRACK_TOLERANCE: f32 = 1e-4;

/// Parameters of [`rotate_ground`]: how the raster of a level is rotated into a direction.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct RotatedLevel {
    /// Cells along and across.
    pub along: u32,
    pub across: u32,
    /// Values from one column to the next, and those before the first row.
    pub stride: u32,
    pub rim: u32,
    /// Columns of the raster.
    pub columns: u32,
    /// 1: rows of the raster lie along.
    pub by_rows: u32,
    /// 1: they are counted from the last.
    pub backwards: u32,
    /// Of the Earth, with refraction.
    pub radius_m: f32,
    /// Place of the first column.
    pub first: u32,
}

/// Where a level lies in the arrays of all levels. Each row that a line may have at u = 0 is a track, with maxima of
/// its own.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct LevelLayout {
    /// Cells along and across, and values from one column to the next.
    pub along: u32,
    pub across: u32,
    pub stride: u32,
    /// Places of the first cell's s, of the first column, of the first eye.
    pub s: u32,
    pub columns: u32,
    pub eyes: u32,
    /// Places of the maxima of blocks, and of blocks of blocks.
    pub blocks: u32,
    pub wide: u32,
    /// Tracks, and the row of the first.
    pub tracks: u32,
    pub first_track: i32,
    /// Row and column of an eye: those in the first level times the first, and these.
    pub scale: f32,
    pub row_offset: f32,
    pub column_offset: f32,
    /// Column of the next level: that of this one times 0.5, and this.
    pub next_offset: f32,
    /// Metres between columns, in the middle.
    pub step_m: f32,
    /// Greatest s in all levels farther out.
    pub beyond_m: f32,
}

/// Levels at most.
pub const MOST_LEVELS: usize = 24;

/// Parameters of [`sweep_horizons`]: which cells have eyes, and which horizons count.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SweepParams {
    /// The levels, as many as there are.
    pub of: [LevelLayout; 24],
    /// Place in the first level of the first cell of all, and how many there are.
    pub first_along: u32,
    pub first_across: u32,
    pub whole_along: u32,
    pub across: u32,
    /// Every so many columns look, the last of all too; number of the first, and how many they are.
    pub step: u32,
    pub first: u32,
    pub along: u32,
    /// Columns between those that have looked before; 0: none has.
    pub before: u32,
    /// 1: elevations are asked for, else where horizons are.
    pub is_last: u32,
    pub levels: u32,
    /// Rows a column.
    pub slope: f32,
    /// Of the Earth, with refraction.
    pub radius_m: f32,
    pub eye_height_m: f32,
    /// What rounding may hide, in metres.
    pub rounding_m: f32,
    /// By how much metres between columns differ at most.
    pub stretch: f32,
    /// Distance of the farthest ground.
    pub farthest_m: f32,
    /// Cells whose horizons are nearer than this need not find them. Ground beyond the second does not count.
    pub least_m: f32,
    pub most_m: f32,
}

/// A level and a column of it in one number: this many times the level, and the column.
#[device]
pub const COLUMNS: u32 = 1 << 26;

/// s of a level: `(h - c) / (1 + h / R)` with the drop c = R (1 / cos a - 1) of its column.
#[kernel]
pub fn rotate_ground(level: RotatedLevel, heights_m: &[f32], drops_m: &[f32], s: &mut [f32]) {
    for u in 0..level.along {
        for k in 0..level.stride {
            let mut value = NO_GROUND;
            if k >= level.rim && k - level.rim < level.across {
                let v = k - level.rim;
                let mut main = u;
                if level.backwards == 1 {
                    main = level.along - 1 - u;
                }
                let mut at = v * level.columns + main;
                if level.by_rows == 1 {
                    at = main * level.columns + v;
                }
                let height_m = heights_m[at as usize];
                let above_m = height_m - drops_m[(level.first + u) as usize];
                let share = height_m / level.radius_m;
                value = above_m - above_m * share / (1.0 + share);
            }
            s[(u * level.stride + k) as usize] = value;
        }
    }
}

/// Greatest s of each block of columns among the rows that lines of a track may meet.
#[kernel]
pub fn block_maxima(level: LevelLayout, blocks: u32, columns: &[Vec4], s: &[f32], maxima: &mut [f32]) {
    for block in 0..blocks {
        for track in 0..level.tracks {
            let mut most = NO_GROUND;
            let across: u32 = level.across;
            let end = (block * BLOCK + BLOCK).min(level.along);
            for u in block * BLOCK..end {
                let column: Vec4 = columns[(level.columns + u) as usize];
                let rows: f32 = column.z;
                let line = track as i32 + level.first_track + rows as i32;
                let low = (line + (column.w - TRACK_TOLERANCE).floor() as i32).max(0);
                let high = line + (column.w + TRACK_TOLERANCE).floor() as i32 + 3;
                let first = (level.s + u * level.stride) as i32;
                for v in low..high.min(across as i32) {
                    most = most.max(s[(first + v) as usize]);
                }
            }
            maxima[(block * level.tracks + track) as usize] = most;
        }
    }
}

/// The same of blocks of blocks, of how many blocks there are.
#[kernel]
pub fn superblock_maxima(tracks: u32, wide: u32, blocks: u32, of_blocks: &[f32], maxima: &mut [f32]) {
    for w in 0..wide {
        for track in 0..tracks {
            let mut most = NO_GROUND;
            let end = (w * (SUPERBLOCK / BLOCK) + SUPERBLOCK / BLOCK).min(blocks);
            for block in w * (SUPERBLOCK / BLOCK)..end {
                most = most.max(of_blocks[(block * tracks + track) as usize]);
            }
            maxima[(w * tracks + track) as usize] = most;
        }
    }
}

/// Greatest values of so many more blocks of blocks, farther out on the same track: twice as many as those of `from` are.
#[kernel]
pub fn doubled_maxima(tracks: u32, wide: u32, more: u32, from: &[f32], to: &mut [f32]) {
    for w in 0..wide {
        for track in 0..tracks {
            let farther = (w + more).min(wide - 1);
            to[(w * tracks + track) as usize] =
                from[(w * tracks + track) as usize].max(from[(farther * tracks + track) as usize]);
        }
    }
}

/// Maxima of blocks of blocks, and of all that the track and the levels farther out have from there on.
#[kernel]
pub fn combined_maxima(beyond_m: f32, of_wide: &[f32], of_rest: &[f32], maxima: &mut [Vec2]) {
    for k in 0..of_wide.len() as u32 {
        maxima[k as usize] = Vec2::new(of_wide[k as usize], of_rest[k as usize].max(beyond_m));
    }
}

/// Metres along the line between two columns.
#[device]
fn metres_between(from: Vec4, to: Vec4) -> f32 {
    (to.x - from.x) + (to.y - from.y)
}

/// Whether ground of at most so much above the eye, between two distances, may have a slope above the best.
#[device]
fn may_rise(above_m: f32, best: f32, near_m: f32, far_m: f32) -> bool {
    above_m > (best * near_m).min(best * far_m)
}

/// Arc tangent, to 3e-8: M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 4.4.49.
#[device]
fn arc_tangent(t: f32) -> f32 {
    let steep = t.abs() > 1.0;
    let x = std::hint::select_unpredictable(steep, 1.0 / t.abs().max(1.0), t.abs());
    let square = x * x;
    let mut sum = 0.002_866_225_7;
    sum = sum * square - 0.016_165_737;
    sum = sum * square + 0.042_909_61;
    sum = sum * square - 0.075_289_64;
    sum = sum * square + 0.106_562_64;
    sum = sum * square - 0.142_089;
    sum = sum * square + 0.199_935_5;
    sum = sum * square - 0.333_331_45;
    let angle = x + x * square * sum;
    let first = std::hint::select_unpredictable(steep, std::f32::consts::FRAC_PI_2 - angle, angle);
    std::hint::select_unpredictable(t < 0.0, -first, first)
}

/// Elevations of the horizons of cells as bits of an `f32`, or where these are. Cells of a column lie one after the other.
///
/// An eye first looks where the next one that has looked before has its horizon: little rises above that.
#[kernel(workgroup(8, 32))]
pub fn sweep_horizons(
    params: SweepParams,
    columns: &[Vec4],
    eyes: &[Vec2],
    s: &[f32],
    blocks: &[f32],
    wide: &[Vec2],
    before: &[u32],
    found: &mut [u32],
) {
    for i in 0..params.along {
        for j in 0..params.across {
            let own: LevelLayout = params.of[0];
            let column_of_all = ((params.first + i) * params.step).min(params.whole_along - 1);
            let u0 = params.first_along + column_of_all;
            let v0 = params.first_across + j;
            let here: Vec4 = columns[(own.columns + u0) as usize];
            let ground_m = s[(own.s + u0 * own.stride + v0) as usize];
            // An eye at a height e over the ground: Z = R^2 / (R - s) grows by e cos a.
            let tangent = (here.x + here.y) / params.radius_m;
            let below = 1.0 - ground_m / params.radius_m;
            let taller_m = params.eye_height_m / (1.0 + tangent * tangent).sqrt();
            let above_m = below * below * taller_m / (1.0 + taller_m * below / params.radius_m);
            let eye_m = ground_m + above_m;
            let mut best = NO_GROUND;
            // With this slope it has been asked whether anything far enough is higher.
            let mut enough = NO_GROUND;
            let mut rise_of_best_m = NO_GROUND;
            let mut away_of_best_m = 1.0;
            let above_eye_m = params.rounding_m - eye_m;
            let mut place = 0u32;
            let mut hint = 0u32;
            if params.before > 0 {
                // The next column that has looked, and the row there of the line from here.
                let ahead = (column_of_all + params.before - 1) / params.before;
                let on = (ahead * params.before).min(params.whole_along - 1) - column_of_all;
                let row = (j as f32 + params.slope * on as f32 + 0.5).floor() as i32;
                let row_there = (row.max(0) as u32).min(params.across - 1);
                hint = before[(ahead * params.across + row_there) as usize];
            }
            let mut number = 0u32;
            let mut from = u0 + 1;
            while number < params.levels {
                let level: LevelLayout = params.of[number as usize];
                // The line: v is whole + part at u = 0, and those of a column more at that.
                let eye: Vec2 = eyes[(level.eyes + u0) as usize];
                let v = v0 as f32 * level.scale + level.row_offset;
                let whole = v.floor() - eye.x;
                let part = v - v.floor() - eye.y;
                // The last column before the line leaves.
                let rows: u32 = level.across;
                let across = (rows - 1) as f32;
                let mut to = level.along - 1;
                if params.slope.abs() > 1e-9 {
                    let mut room = across;
                    if params.slope < 0.0 {
                        room = 0.0;
                    }
                    let leaves = (room - whole - part) / params.slope;
                    to = leaves.clamp(0.0, to as f32) as u32;
                    // Where rounding could decide, exact rows do.
                    if (leaves - leaves.round_ties_even()).abs() < 0.01 + 0.002 / params.slope.abs() {
                        let here_or_on = (to + 1).min(level.along - 1);
                        let last: Vec4 = columns[(level.columns + to) as usize];
                        let next: Vec4 = columns[(level.columns + here_or_on) as usize];
                        let row_of_last = (whole + last.z) + (part + last.w);
                        let row_of_next = (whole + next.z) + (part + next.w);
                        if row_of_next >= -ROW_TOLERANCE && row_of_next <= across + ROW_TOLERANCE {
                            to = here_or_on;
                        } else if to > 0 && (row_of_last < -ROW_TOLERANCE || row_of_last > across + ROW_TOLERANCE) {
                            to -= 1;
                        }
                    }
                }
                let line = (whole as i32 + part.floor() as i32 - level.first_track).max(0);
                let track = (line as u32).min(level.tracks - 1);
                // Distances are at least those in the middle, and at most stretched ones.
                let origin = u0 as f32 * level.scale + level.column_offset;
                let longest_m = level.step_m * params.stretch;
                to = to.min((origin + params.most_m / level.step_m).min((level.along - 1) as f32) as u32);
                let first_place = number * COLUMNS;
                // First the block of the guess, if it is here, then all.
                let mut hinting = hint > 0 && number == hint / COLUMNS;
                let mut going_on = true;
                while going_on {
                    let mut u = from;
                    let mut end = to;
                    if hinting {
                        u = u.max(hint % COLUMNS / BLOCK * BLOCK);
                        end = end.min(hint % COLUMNS / BLOCK * BLOCK + BLOCK - 1);
                    }
                    going_on = hinting;
                    while u <= end {
                        if !hinting && best > enough && away_of_best_m < params.least_m {
                            // Is there anything far enough that may be higher?
                            enough = best;
                            let far = (origin + params.least_m / longest_m).min(to as f32) as u32;
                            let far = far.max(u).min(to);
                            let most: Vec2 = wide[(level.wide + far / SUPERBLOCK * level.tracks + track) as usize];
                            let far_m = (far as f32 - origin) * level.step_m;
                            if !may_rise(most.y + above_eye_m, best, far_m, params.farthest_m) {
                                number = params.levels;
                                break;
                            }
                        }
                        let most: Vec2 = wide[(level.wide + u / SUPERBLOCK * level.tracks + track) as usize];
                        let near_m = (u as f32 - origin) * level.step_m;
                        if !may_rise(most.y + above_eye_m, best, near_m, params.farthest_m) {
                            // Nothing from here on is high enough, but before the block of the guess something may be.
                            if !hinting {
                                number = params.levels;
                            }
                            break;
                        }
                        let wide_end = (u / SUPERBLOCK * SUPERBLOCK + SUPERBLOCK - 1).min(end);
                        if may_rise(most.x + above_eye_m, best, near_m, (wide_end as f32 - origin) * longest_m) {
                            // Which blocks may be high enough?
                            let mut may = 0u32;
                            #[unroll]
                            for k in 0u32..8 {
                                let block = u / SUPERBLOCK * (SUPERBLOCK / BLOCK) + k;
                                let begin = u.max(block * BLOCK);
                                let block_end = wide_end.min(block * BLOCK + BLOCK - 1);
                                let is_here = begin <= block_end;
                                let known = std::hint::select_unpredictable(is_here, block, u / BLOCK);
                                let most_m = blocks[(level.blocks + known * level.tracks + track) as usize];
                                let begin_m = (begin as f32 - origin) * level.step_m;
                                let end_m = (block_end as f32 - origin) * longest_m;
                                let may_be = is_here && may_rise(most_m + above_eye_m, best, begin_m, end_m);
                                may |= u32::from(may_be) << k;
                            }
                            while may != 0 {
                                let block = u / SUPERBLOCK * (SUPERBLOCK / BLOCK) + may.trailing_zeros();
                                may &= may - 1;
                                let begin = u.max(block * BLOCK);
                                let block_end = wide_end.min(block * BLOCK + BLOCK - 1);
                                let most_m = blocks[(level.blocks + block * level.tracks + track) as usize];
                                let begin_m = (begin as f32 - origin) * level.step_m;
                                let end_m = (block_end as f32 - origin) * longest_m;
                                if may_rise(most_m + above_eye_m, best, begin_m, end_m) {
                                    // All at once: the first and the last of a part of a block count more than once.
                                    #[unroll]
                                    for k in 0u32..8 {
                                        let at = (block * BLOCK + k).clamp(begin, block_end);
                                        let column: Vec4 = columns[(level.columns + at) as usize];
                                        let beside = part + column.w;
                                        let down = (beside + ROW_TOLERANCE).floor();
                                        let rest = beside - down;
                                        let is_on_a_row = rest < 2.0 * ROW_TOLERANCE;
                                        let between = std::hint::select_unpredictable(is_on_a_row, 0.0, rest);
                                        let row = (whole + column.z + down) as i32;
                                        let place_here = (level.s + at * level.stride) as i32 + row;
                                        let low_m = s[place_here as usize];
                                        let high_m = s[(place_here + 1) as usize];
                                        let rise_m = (low_m - ground_m) + (high_m - low_m) * between - above_m;
                                        let away_m = metres_between(here, column);
                                        let is_higher = rise_m * away_of_best_m > rise_of_best_m * away_m;
                                        rise_of_best_m =
                                            std::hint::select_unpredictable(is_higher, rise_m, rise_of_best_m);
                                        away_of_best_m =
                                            std::hint::select_unpredictable(is_higher, away_m, away_of_best_m);
                                        place = std::hint::select_unpredictable(is_higher, first_place + at, place);
                                    }
                                    best = rise_of_best_m / away_of_best_m;
                                }
                            }
                        }
                        u = wide_end + 1;
                    }
                    hinting = false;
                }
                // The next level goes on where this one ends.
                from = (to as f32 * 0.5 + level.next_offset).floor() as u32 + 1;
                number += 1;
            }
            // The line of this slope has its elevation before the middle, and the eye is at an angle from it.
            let ahead = 1.0 - eye_m / params.radius_m + best * tangent;
            let mut elevation = arc_tangent(best / ahead) + arc_tangent(tangent);
            if ahead < 0.0 {
                elevation += std::hint::select_unpredictable(best < 0.0, -std::f32::consts::PI, std::f32::consts::PI);
            }
            let mut value = place;
            if best.abs() >= STEEPEST {
                value = 0;
            }
            if params.is_last == 1 {
                value = elevation.to_bits();
            }
            found[(i * params.across + j) as usize] = value;
        }
    }
}

/// Cells whose horizons are as far as is asked for, and where those are, of cells from a first one on.
#[kernel]
pub fn list_far_lines(params: SweepParams, first: u32, places: &[u32], lines: &mut List<UVec2>) {
    lines.clear();
    for k in 0..places.len() as u32 {
        let place = places[k as usize];
        let level: LevelLayout = params.of[(place / COLUMNS) as usize];
        let u0 = params.first_along + (first + k) / params.across;
        let origin = u0 as f32 * level.scale + level.column_offset;
        let away_m = ((place % COLUMNS) as f32 - origin) * level.step_m * params.stretch;
        if place > 0 && away_m >= params.least_m {
            lines.push(UVec2::new(first + k, place));
        }
    }
}

/// Parameters of [`rotate_back`].
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct RotateBackParams {
    pub columns: u32,
    pub rows: u32,
    /// 1: rows lie along.
    pub by_rows: u32,
    /// 1: they are counted from the last.
    pub backwards: u32,
}

/// Rotates results of a direction back to raster order, northernmost row first.
#[kernel]
pub fn rotate_back(params: RotateBackParams, found: &[u32], band: &mut [f32]) {
    for row in 0..params.rows {
        for column in 0..params.columns {
            let mut along = column;
            let mut last = params.columns - 1;
            let mut across = params.rows;
            let mut v = row;
            if params.by_rows == 1 {
                along = row;
                last = params.rows - 1;
                across = params.columns;
                v = column;
            }
            if params.backwards == 1 {
                along = last - along;
            }
            band[(row * params.columns + column) as usize] = f32::from_bits(found[(along * across + v) as usize]);
        }
    }
}
