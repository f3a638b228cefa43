//! What is lost by a mesh of a pack that lacks a vertex, and so all that would follow it? The error of each vertex against everything
//! that the pack holds, told from the finest level to the coarsest.
//!
//! The error of a vertex is the largest of its own and those of the four vertices that its split makes possible. An axis
//! vertex is followed by the diagonal vertices of the next level around it, a diagonal vertex by the axis vertices of its
//! own level. So a tile's errors follow from its heights and from the diagonal vertices of the tiles one level finer that
//! touch it, also across the edges of the cube. Tiles of a level need nothing of each other, and are made in parallel.
//! Where nothing finer is there, a share of the errors nearby stands for what the surface does between its vertices.
//!
//! A shard tells the errors of its tiles but of those for which finer ones are missing that touch them: a seam along its edge, one tile
//! wide on each level. The rest is left to who joins the shards.

use std::{
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

use glam::DVec3;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    error_inputs::ErrorInputs,
    progress::{ProgressReporter, Step},
};
use crate::{
    cube::{CubePoint, FACES, ONE},
    geodesy::Ellipsoid,
    height::root_errors,
    pack::{Pack, PackError, error_codec, format::ErrorsHeader},
    tile::{TILE_QUADS, TILE_VERTICES, TileId, decode_error_m, encode_error},
    tile_build::{EXPECTED, Errors, sagitta_m},
};

/// Down to here the curvature under an edge is computed for each vertex; below it is the same all over a tile.
pub(super) const EXACT_LEVEL: u32 = 5;
/// Tiles whose heights are kept: a quarter of a megabyte each.
const HEIGHTS_KEPT: usize = 256;
/// Tiles whose diagonal vertices are kept: 16 kB each.
const DIAGONALS_KEPT: usize = 2048;
/// Tiles of a batch for each thread.
const BATCH_PER_THREAD: usize = 8;
/// The same where shards have told most of them: few are left to be told, which threads would wait for.
const TOLD_PER_THREAD: usize = 64;
/// Quads along a side of a child: the diagonal vertices that it has.
const HALF: u32 = TILE_QUADS / 2;
const N: usize = TILE_VERTICES;

/// A log that errors are appended to, in which those of an earlier run may lie.
pub(super) trait ErrorLog {
    /// The header of the errors that lie next in it and where they lie, if they are those of a tile; if not, nothing is left.
    fn next_errors(&mut self, id: TileId) -> Result<Option<(ErrorsHeader, u64)>, PackError>;

    /// Appends errors of tiles, and says where they lie.
    fn append_errors(&mut self, errors: &[(ErrorsHeader, Vec<u8>)]) -> Result<Vec<u64>, PackError>;

    /// Its length in bytes.
    fn length(&self) -> u64;
}

/// Appends the errors of the tiles of an unfinished pack to its log: by level, the finest first, in the order of the tiles. Those
/// that need tiles of other shards are left out.
pub(super) fn append_errors(
    pack: &mut Pack,
    inputs: &ErrorInputs<'_>,
    log: &mut dyn ErrorLog,
    reporter: &mut ProgressReporter<'_>,
) -> Result<(), PackError> {
    let mut done = 0;
    let heights = LruMap::new(HEIGHTS_KEPT);
    let diagonals = LruMap::new(DIAGONALS_KEPT);
    let per_thread = if matches!(inputs, ErrorInputs::FromShards(_)) { TOLD_PER_THREAD } else { BATCH_PER_THREAD };
    for level in (0..=pack.manifest().max_level).rev() {
        let all: Vec<(usize, TileId)> = pack.ids().enumerate().filter(|(_, id)| id.level == level).collect();
        // The six roots together, as they share vertices of all scales.
        let batch = if level == 0 { all.len().max(1) } else { per_thread * rayon::current_num_threads() };
        for batch in all.chunks(batch) {
            let finer = ErrorBuilder { pack, inputs, heights: &heights, diagonals: &diagonals };
            let tiles: Vec<(usize, TileId)> = batch.iter().filter(|(_, id)| finer.is_known(*id)).copied().collect();
            let mut found = Vec::new();
            for (_, id) in &tiles {
                let Some(errors) = log.next_errors(*id)? else { break };
                found.push(errors);
            }
            let made: Vec<(ErrorsHeader, Vec<u8>)> = if level > 0 {
                inputs.prefetch(tiles[found.len()..].iter().map(|(k, _)| *k));
                tiles[found.len()..].par_iter().map(|tile| finer.errors(*tile)).collect::<Result<_, _>>()?
            } else if found.len() < tiles.len() {
                let ids: Vec<TileId> = tiles.iter().map(|(_, id)| *id).collect();
                let codes = finer.roots(&ids)?.into_iter().zip(ids).skip(found.len());
                codes.map(|(codes, id)| finer.encode_errors(id, &codes)).collect::<Result<_, _>>()?
            } else {
                Vec::new()
            };
            let places = log.append_errors(&made)?;
            found.extend(made.into_iter().map(|(header, _)| header).zip(places));
            for ((_, id), (header, offset)) in tiles.iter().zip(found) {
                pack.set_errors(*id, header, offset);
            }
            done += batch.len() as u64;
            reporter.report(Step::Errors, done, log.length())?;
        }
    }
    Ok(())
}

/// Computes the errors of a level of an unfinished pack whose finer levels have theirs.
struct ErrorBuilder<'a> {
    pack: &'a Pack,
    inputs: &'a ErrorInputs<'a>,
    heights: &'a LruMap<TileId, Vec<u32>>,
    diagonals: &'a LruMap<TileId, Vec<u8>>,
}

impl ErrorBuilder<'_> {
    /// Whether all is known that the errors of a tile follow from.
    fn is_known(&self, id: TileId) -> bool {
        let Some(others) = self.inputs.other_shards() else { return true };
        let is_told =
            |finer| if self.pack.contains(finer) { self.pack.has_errors(finer) } else { !others.contains(finer) };
        id.level > 0 && (id.level == self.pack.manifest().max_level || finer_around(id).all(is_told))
    }

    /// The errors of a tile that has a parent, as they lie in a pack.
    fn errors(&self, (k, id): (usize, TileId)) -> Result<(ErrorsHeader, Vec<u8>), PackError> {
        match self.inputs.known_errors(k)? {
            Some(errors) => Ok(errors),
            None => self.encode_errors(id, &self.codes(id)?),
        }
    }

    fn encode_errors(&self, id: TileId, codes: &[u8]) -> Result<(ErrorsHeader, Vec<u8>), PackError> {
        let payload =
            error_codec::encode(codes, id.level == 0).map_err(PackError::io(self.pack.path(), "squeeze errors"))?;
        let largest = codes.iter().copied().max().unwrap_or(0);
        Ok((ErrorsHeader::new(id, largest, &payload), payload))
    }

    /// Heights of a tile in steps.
    fn steps(&self, id: TileId) -> Result<Arc<Vec<u32>>, PackError> {
        if let Some(steps) = self.inputs.other_shards().and_then(|others| others.tops.get(&id)) {
            return Ok(steps.clone());
        }
        if let Some(steps) = self.heights.get(id) {
            return Ok(steps);
        }
        let parent = id.parent().map(|parent| self.steps(parent)).transpose()?;
        let parent = parent.as_ref().map(|steps| |x: usize, y: usize| steps[y * N + x]);
        let steps = self.pack.steps(id, parent.as_ref().map(|steps| steps as crate::pack::codec::Parent<'_>))?;
        Ok(self.heights.put(id, steps))
    }

    fn heights_m(&self, id: TileId) -> Result<Vec<f64>, PackError> {
        Ok(self.steps(id)?.iter().map(|steps| self.pack.height_m(*steps)).collect())
    }

    /// Codes of the diagonal vertices of a tile, row by row; `None` if it is not there.
    fn diagonals(&self, id: TileId) -> Result<Option<Arc<Vec<u8>>>, PackError> {
        if !self.pack.contains(id) {
            return Ok(None);
        }
        if let Some(codes) = self.diagonals.get(id) {
            return Ok(Some(codes));
        }
        let all = self.pack.codes(id)?;
        let rows = all.chunks_exact(N).skip(1).step_by(2);
        let codes = rows.flat_map(|row| row.iter().skip(1).step_by(2)).copied().collect();
        Ok(Some(self.diagonals.put(id, codes)))
    }

    /// The largest code of the diagonal vertices that follow an axis vertex, and whether all of them are there.
    fn descendant_code(&self, id: TileId, x: u32, y: u32) -> Result<(u8, bool), PackError> {
        let (point, spacing) = (id.place(x, y).point(), id.spacing());
        let (mut largest, mut all) = (0, true);
        for (face, u, v) in quads_around(point, spacing) {
            let (i, j) = (u / spacing, v / spacing);
            let child = TileId { face, level: id.level + 1, i: i / HALF, j: j / HALF };
            match self.diagonals(child)? {
                Some(codes) => largest = largest.max(codes[(j % HALF * HALF + i % HALF) as usize]),
                None => all = false,
            }
        }
        Ok((largest, all))
    }

    /// Raises the axis vertices on a tile to the diagonal ones that follow them; `expected` stands for those that are not there.
    fn raise_axes(&self, id: TileId, errors: &mut [f32], expected: &[f32]) -> Result<(), PackError> {
        let children = id.children().map(|children| children.map(|child| self.diagonals(child)));
        let mut quarters: [Option<Arc<Vec<u8>>>; 4] = [const { None }; 4];
        for (quarter, child) in quarters.iter_mut().zip(children.into_iter().flatten()) {
            *quarter = child?;
        }
        let last = TILE_QUADS;
        for y in 0..=last {
            for x in ((y + 1) % 2..=last).step_by(2) {
                let at = y as usize * N + x as usize;
                let inner = x > 0 && y > 0 && x < last && y < last;
                let (code, all) = if inner {
                    let mut found = (0, true);
                    for (i, j) in [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)] {
                        match &quarters[(i / HALF + 2 * (j / HALF)) as usize] {
                            Some(codes) => found.0 = found.0.max(codes[(j % HALF * HALF + i % HALF) as usize]),
                            None => found.1 = false,
                        }
                    }
                    found
                } else {
                    self.descendant_code(id, x, y)?
                };
                let after = if code > 0 { decode_error_m(code) as f32 } else { 0.0 };
                errors[at] = errors[at].max(after).max(if all { 0.0 } else { expected[at] });
            }
        }
        Ok(())
    }

    /// Codes of a tile that has a parent.
    fn codes(&self, id: TileId) -> Result<Vec<u8>, PackError> {
        let heights_m = self.heights_m(id)?;
        let ellipsoid = self.pack.manifest().ellipsoid;
        let mut errors = Errors::own(&heights_m, sagitta_m(ellipsoid, id));
        let place = |(x, y): (usize, usize)| {
            let n = id.place(x as u32, y as u32).point().normal();
            (n, ellipsoid.ecef(n, heights_m[y * N + x]))
        };
        // Each is the end of several edges.
        let all = if id.level <= EXACT_LEVEL { N * N } else { 0 };
        let places: Vec<(DVec3, DVec3)> = (0..all).map(|k| place((k % N, k / N))).collect();
        let at = |(x, y): (usize, usize)| places.get(y * N + x).copied().unwrap_or_else(|| place((x, y)));
        let exact = |x: usize, y: usize| {
            let (ends, (n, middle)) = (ends(x, y), at((x, y)));
            n.dot(middle - 0.5 * (at(ends.0).1 + at(ends.1).1)).abs() as f32
        };
        for y in 0..N {
            for x in (0..N).filter(|x| (x | y) & 1 == 1) {
                // Two tiles have to agree about the vertices on a side.
                let side = x == 0 || y == 0 || x == N - 1 || y == N - 1;
                if side || id.level <= EXACT_LEVEL {
                    errors[y * N + x] = exact(x, y);
                }
            }
        }
        let expected = expected(&errors);
        self.raise_axes(id, &mut errors, &expected)?;
        Ok(Errors::saturated(errors).codes(id))
    }

    /// Codes of the six tiles that have none.
    fn roots(&self, ids: &[TileId]) -> Result<Vec<Vec<u8>>, PackError> {
        let heights = ids.iter().map(|id| self.heights_m(*id)).collect::<Result<Vec<_>, _>>()?;
        let mut failed = None;
        let errors = root_errors(self.pack.manifest().ellipsoid, &heights, &mut |face, errors, expected| {
            if let Err(error) = self.raise_axes(ids[face], errors, expected) {
                failed = Some(error);
            }
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(errors.iter().map(|e| e.iter().map(|e| encode_error(f64::from(*e))).collect()).collect()),
        }
    }
}

/// About the codes that a tile will have, from its heights alone: what follows its axis vertices is expected, not known.
pub(super) fn expected_codes(ellipsoid: Ellipsoid, id: TileId, heights_m: &[f64]) -> Vec<u8> {
    let own = Errors::own(heights_m, sagitta_m(ellipsoid, id));
    let raised = own.iter().zip(expected(&own)).map(|(own, expected)| own.max(expected)).collect();
    Errors::saturated(raised).codes(id)
}

/// What stands for the diagonal vertices after each axis vertex where they are not there: a share of the largest own error nearby,
/// on a side of the tile only along it, so that both tiles there say the same.
fn expected(own: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; N * N];
    for y in 0..N {
        for x in ((y + 1) % 2..N).step_by(2) {
            let (on_column, on_row) = (x == 0 || x == N - 1, y == 0 || y == N - 1);
            let near = |k: usize, reach: usize| k.saturating_sub(reach)..=(k + reach).min(N - 1);
            let (columns, rows) = match (on_column, on_row) {
                (true, _) => (x..=x, near(y, 2)),
                (_, true) => (near(x, 2), y..=y),
                _ => (near(x, 1), near(y, 1)),
            };
            let largest = rows.flat_map(|y| own[y * N..][columns.clone()].iter()).copied().fold(0.0, f32::max);
            out[y * N + x] = EXPECTED * largest;
        }
    }
    out
}

/// Ends of the edge that a vertex born in a tile halves.
fn ends(x: usize, y: usize) -> ((usize, usize), (usize, usize)) {
    match (x & 1, y & 1) {
        (1, 0) => ((x - 1, y), (x + 1, y)),
        (0, _) => ((x, y - 1), (x, y + 1)),
        // Diagonals alternate like a chessboard, as in `bisection::bisected_edge`.
        _ if ((x ^ y) >> 1) & 1 == 0 => ((x - 1, y - 1), (x + 1, y + 1)),
        _ => ((x - 1, y + 1), (x + 1, y - 1)),
    }
}

/// The places of tiles one level finer that vertices on a tile are of, or are beside.
fn finer_around(id: TileId) -> impl Iterator<Item = TileId> {
    let (first, last) = (1, TILE_QUADS - 1);
    let sides = [first, last].into_iter().flat_map(|k| [(k, 0), (k, TILE_QUADS), (0, k), (TILE_QUADS, k)]);
    let spacing = id.spacing();
    sides.flat_map(move |(x, y)| quads_around(id.place(x, y).point(), spacing)).map(move |(face, u, v)| {
        let (i, j) = (u / spacing, v / spacing);
        TileId { face, level: id.level + 1, i: i / HALF, j: j / HALF }
    })
}

/// The quads of a side's length that touch a point, by face and lower corner, on all faces that have it.
fn quads_around(point: CubePoint, side: u32) -> impl Iterator<Item = (u32, u32, u32)> {
    (0..FACES).filter_map(move |face| point.on(face)).flat_map(move |p| {
        let along = move |c: u32| [c.checked_sub(side), (c < ONE).then_some(c)].into_iter().flatten();
        along(p.u).flat_map(move |u| along(p.v).map(move |v| (p.face, u, v)))
    })
}

/// The values used last, by key, up to a number of them.
struct LruMap<K, V> {
    state: Mutex<State<K, V>>,
    most: usize,
}

/// Values with the time of their last use, and the time now.
type State<K, V> = (FxHashMap<K, (Arc<V>, u64)>, u64);

impl<K: Copy + Eq + Hash, V> LruMap<K, V> {
    fn new(most: usize) -> Self {
        Self { state: Mutex::default(), most }
    }

    fn get(&self, key: K) -> Option<Arc<V>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (values, clock) = &mut *state;
        *clock += 1;
        let (value, used) = values.get_mut(&key)?;
        *used = *clock;
        Some(value.clone())
    }

    fn put(&self, key: K, value: V) -> Arc<V> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (values, clock) = &mut *state;
        *clock += 1;
        if values.len() >= self.most {
            let mut used: Vec<u64> = values.values().map(|(_, used)| *used).collect();
            let (_, &mut oldest, _) = used.select_nth_unstable(self.most / 4);
            values.retain(|_, (_, used)| *used > oldest);
        }
        values.entry(key).or_insert((Arc::new(value), *clock)).0.clone()
    }
}
