//! The outlines on a face of the cube: pieces of edges by rows.

use glam::DVec2;

use super::clip::Ring;
use crate::outlines::Square;

/// Rows in a unit of height: some hundred pieces each. Borders between them are numbers of 32 bits, as pieces are: no place lies between a
/// border and where its pieces end.
pub(super) const ROWS_A_UNIT: f64 = 512.0;
/// Half of all rows, some of which lie beyond the face.
const HALF: usize = 528;
/// Rows of a face, and of what is kept beyond its edges.
const ROWS: usize = 2 * HALF;
/// Texels around a square in which it is told what is inside of what: more than shores reach.
const AROUND: usize = 2;
/// Texels whose changes are kept at once, a megabyte: all of a tile, some rows of a face.
const MOST_CHANGES: usize = 1 << 17;

/// A part of an edge within one row, in warped coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece {
    pub from: [f32; 2],
    pub to: [f32; 2],
    /// 0 for land, one more than its number for a lake.
    body: u32,
}

impl Piece {
    /// Whether it is a shore of land, and not of a lake.
    pub fn is_of_land(&self) -> bool {
        self.body == 0
    }

    /// Its least and greatest coordinate along an axis.
    pub fn range(&self, axis: usize) -> [f64; 2] {
        let (from, to) = (f64::from(self.from[axis]), f64::from(self.to[axis]));
        [from.min(to), from.max(to)]
    }

    /// Whether its own box does not meet another, which is given by its least and greatest coordinates.
    pub fn is_beside(&self, sides: [[f64; 2]; 2]) -> bool {
        (0..2).any(|axis| self.range(axis)[1] < sides[axis][0] || self.range(axis)[0] > sides[axis][1])
    }

    /// The middle of its part in a box, which is given by its least and greatest coordinates (Y.-D. Liang and B. Barsky, 1984); nothing if it does
    /// not come into it.
    pub fn middle_in(&self, sides: [[f64; 2]; 2]) -> Option<DVec2> {
        // As most are.
        if self.is_beside(sides) {
            return None;
        }
        let (from, to) = (DVec2::from(self.from.map(f64::from)), DVec2::from(self.to.map(f64::from)));
        let way = to - from;
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        for (axis, [low, high]) in sides.into_iter().enumerate() {
            if way[axis] == 0.0 {
                if from[axis] < low || from[axis] > high {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low - from[axis]) / way[axis], (high - from[axis]) / way[axis]);
            (enter, leave) = (enter.max(a.min(b)), leave.min(a.max(b)));
        }
        (enter <= leave).then(|| from + way * (0.5 * (enter + leave)))
    }
}

/// Pieces of a face by rows.
#[derive(Debug)]
pub(super) struct Shores {
    pieces: Vec<Piece>,
    /// The first piece of each row, and the end.
    starts: Vec<u32>,
}

/// What a place is inside of.
pub(super) struct Winding {
    pub is_land: bool,
    /// One more than the number of the lake, the first of several.
    pub lake: Option<u32>,
    /// How many lakes.
    pub lakes: i32,
}

impl Winding {
    /// By the edges that a line from a place towards lower `s` crosses, up or down.
    fn of<'a>(pieces: impl IntoIterator<Item = &'a Piece>, s: f64, t: f64) -> Self {
        let mut land = 0;
        let mut lakes: Vec<(u32, i32)> = Vec::new();
        for piece in pieces {
            let ([s0, t0], [s1, t1]) = (piece.from.map(f64::from), piece.to.map(f64::from));
            let crosses = (t0 <= t) != (t1 <= t) && s0 + (t - t0) / (t1 - t0) * (s1 - s0) < s;
            if !crosses {
                continue;
            }
            let way = if t1 > t0 { 1 } else { -1 };
            match lakes.iter_mut().find(|(body, _)| *body == piece.body) {
                _ if piece.body == 0 => land += way,
                Some((_, winding)) => *winding += way,
                None => lakes.push((piece.body, way)),
            }
        }
        lakes.retain(|(_, winding)| *winding > 0);
        let lake = lakes.iter().map(|(body, _)| *body).min();
        Winding { is_land: land > 0, lake, lakes: lakes.len() as i32 }
    }
}

/// Pieces by rows of texels of a square, and of [`AROUND`] texels around it: of fine outlines far fewer than those of a row of the face.
pub(super) struct TexelRows {
    low: f64,
    size: f64,
    rows: Vec<Vec<Piece>>,
}

impl TexelRows {
    /// What a place in the square or within [`AROUND`] texels of it is inside of.
    pub fn winding(&self, s: f64, t: f64) -> Winding {
        Winding::of(&self.rows[self.row(t)], s, t)
    }

    fn row(&self, t: f64) -> usize {
        (((t - self.low) / self.size).max(0.0) as usize).min(self.rows.len() - 1)
    }
}

impl Shores {
    /// Of all rings.
    pub fn of(face: u32, rings: &[Ring]) -> Self {
        let rings: Vec<_> = rings.iter().map(|ring| (ring.body, ring.on_face(face))).collect();
        // Each piece goes to the next place of its row, from the end on.
        let mut starts = vec![0; ROWS + 1];
        pieces_of(&rings, |row, _| starts[row] += 1);
        (0..ROWS).for_each(|row| starts[row + 1] += starts[row]);
        let mut pieces = vec![Piece::default(); starts[ROWS] as usize];
        pieces_of(&rings, |row, piece| {
            starts[row] -= 1;
            pieces[starts[row] as usize] = piece;
        });
        Self { pieces, starts }
    }

    /// What a place is inside of.
    pub fn winding(&self, s: f64, t: f64) -> Winding {
        Winding::of(self.rows(t, t), s, t)
    }

    /// A value for each texel of a square, by how much of it is land and how much lake.
    ///
    /// An edge that goes up adds its height to all that is on the side of higher `s`, one that goes down takes it away: what it adds to a
    /// texel is told to this one, less what it added to the one before, so that running sums are the areas.
    pub fn texels(&self, square: &Square, value: impl Fn([f32; 2]) -> u8) -> Vec<u8> {
        let side = square.side;
        let rows_at_once = (MOST_CHANGES / side).clamp(1, side);
        let mut changes = vec![[0.0; 2]; rows_at_once * side];
        let mut texels = Vec::with_capacity(side * side);
        for first in (0..side).step_by(rows_at_once) {
            let changes = &mut changes[..rows_at_once.min(side - first) * side];
            changes.fill([0.0; 2]);
            self.add_changes(square, first, changes);
            for row in changes.chunks_exact(side) {
                let (mut sums, mut last) = ([0.0; 2], value([0.0; 2]));
                texels.extend(row.iter().map(|change| {
                    if *change != [0.0; 2] {
                        sums = [sums[0] + change[0], sums[1] + change[1]];
                        last = value(sums);
                    }
                    last
                }));
            }
        }
        texels
    }

    /// Adds the changes of land and lakes along the rows of a square from row `first` on.
    fn add_changes(&self, square: &Square, first: usize, changes: &mut [[f32; 2]]) {
        let side = square.side;
        let rows = changes.len() / side;
        let row = |row: usize| square.corner[1] + square.size * row as f64;
        let [before, behind] = [square.corner[0], square.end()[0]].map(|s| s as f32);
        let place =
            |place: [f32; 2]| (square.texels_to(place.map(f64::from)) - DVec2::new(0.0, first as f64)).to_array();
        for piece in self.rows(row(first), row(first + rows)) {
            let (left, right) = (piece.from[0].min(piece.to[0]), piece.from[0].max(piece.to[0]));
            if left > behind {
                continue;
            }
            let (from, to) = (place(piece.from), place(piece.to));
            let kind = usize::from(piece.body != 0);
            let add = |at: usize, change: f64| changes[at][kind] += change as f32;
            if right < before {
                add_before([side, rows], from[1], to[1], add);
            } else {
                add_edge([side, rows], from, to, add);
            }
        }
    }

    /// Pieces with boxes around them that meet a square, or come within so many texels of it.
    pub fn near(&self, square: &Square, texels: f64) -> impl Iterator<Item = &Piece> {
        let aside = texels * square.size;
        let rows = self.rows(square.corner[1] - aside, square.end()[1] + aside);
        rows.filter(move |Piece { from, to, .. }| square.is_near([*from, *to], texels))
    }

    /// Its pieces, but for those behind a square, by rows of texels.
    pub fn texel_rows(&self, square: &Square) -> TexelRows {
        let around = AROUND as f64 * square.size;
        let [low, high] = [square.corner[1] - around, square.end()[1] + around];
        let mut texels = TexelRows { low, size: square.size, rows: vec![Vec::new(); square.side + 2 * AROUND] };
        let behind = square.end()[0] + around;
        for piece in self.rows(low, high).filter(|piece| f64::from(piece.from[0].min(piece.to[0])) <= behind) {
            let (from, to) = (f64::from(piece.from[1]), f64::from(piece.to[1]));
            if from.max(to) >= low && from.min(to) <= high {
                let rows = texels.row(from.min(to))..=texels.row(from.max(to));
                texels.rows[rows].iter_mut().for_each(|row| row.push(*piece));
            }
        }
        texels
    }

    /// Pieces of the rows between two heights.
    pub fn rows(&self, low: f64, high: f64) -> impl Iterator<Item = &Piece> {
        let [first, last] = [low, high].map(row_of);
        self.pieces[self.starts[first] as usize..self.starts[last + 1] as usize].iter()
    }
}

/// The row of a height, or the nearest.
fn row_of(t: f64) -> usize {
    let row = ((t * ROWS_A_UNIT + HALF as f64).max(0.0) as usize).min(ROWS - 1);
    // A height just below a border may be rounded to it.
    if row > 0 && t < border(row) { row - 1 } else { row }
}

/// Where a row begins.
fn border(row: usize) -> f64 {
    (row as f64 - HALF as f64) / ROWS_A_UNIT
}

/// The pieces of rings on a face, with their rows.
fn pieces_of(rings: &[(u32, Vec<[f64; 2]>)], mut piece: impl FnMut(usize, Piece)) {
    for (body, corners) in rings {
        let lasts = corners.last().into_iter().chain(corners);
        for (last, corner) in lasts.zip(corners) {
            cut(*last, *corner, |row, [from, to]| piece(row, Piece { from, to, body: *body }));
        }
    }
}

/// Cuts an edge at the borders of rows.
fn cut(from: [f64; 2], to: [f64; 2], mut piece: impl FnMut(usize, [[f32; 2]; 2])) {
    let (first, last) = (row_of(from[1]), row_of(to[1]));
    let narrow = |place: [f64; 2]| place.map(|x| x as f32);
    let mut begin = narrow(from);
    let mut row = first;
    while row != last {
        let t = border(if last > row { row + 1 } else { row });
        let end = narrow([from[0] + (t - from[1]) / (to[1] - from[1]) * (to[0] - from[0]), t]);
        piece(row, [begin, end]);
        begin = end;
        row = if last > row { row + 1 } else { row - 1 };
    }
    let end = narrow(to);
    if begin != end {
        piece(row, [begin, end]);
    }
}

/// Adds an edge before the first column, in texels: all of each row lies behind it.
fn add_before([side, rows]: [usize; 2], from: f64, to: f64, mut add: impl FnMut(usize, f64)) {
    let way = if to > from { 1.0 } else { -1.0 };
    let (mut y, top) = (from.min(to).max(0.0), from.max(to).min(rows as f64));
    while y < top {
        let row = y as usize;
        let end = top.min((row + 1) as f64);
        add(row * side, way * (end - y));
        y = end;
    }
}

/// Adds an edge, in texels.
fn add_edge([side, rows]: [usize; 2], from: [f64; 2], to: [f64; 2], mut add: impl FnMut(usize, f64)) {
    let way = if to[1] > from[1] { 1.0 } else { -1.0 };
    let [low, high] = if to[1] > from[1] { [from, to] } else { [to, from] };
    let slope = (high[0] - low[0]) / (high[1] - low[1]);
    let (bottom, top) = (low[1].max(0.0), high[1].min(rows as f64));
    let x_at = |y: f64| low[0] + (y - low[1]) * slope;
    let mut y = bottom;
    while y < top {
        let row = y as usize;
        let end = top.min((row + 1) as f64);
        let (x0, x1) = (x_at(y), x_at(end));
        let (left, right) = (x0.min(x1), x0.max(x1));
        let height = way * (end - y);
        // Mean over the edge of how far the left of a line at `x` goes beyond it.
        let beyond = |x: f64| match x {
            x if x <= left => 0.0,
            x if x >= right => x - 0.5 * (left + right),
            x => (x - left) * (x - left) / (2.0 * (right - left)),
        };
        let first = left.max(0.0) as usize;
        for column in (first..side).take_while(|column| *column as f64 <= right.max(0.0) + 1.0) {
            let x = column as f64;
            let before = if column == first { 0.0 } else { beyond(x) - beyond(x - 1.0) };
            add(row * side + column, height * (beyond(x + 1.0) - beyond(x) - before));
        }
        y = end;
    }
}
