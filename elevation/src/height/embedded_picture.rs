//! How is the picture that ships with the program read? A tile of its TIFF at a time; what is seen from afar as means, made once.
//!
//! No GDAL is needed, so every build has it.

use std::{
    num::NonZeroUsize,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use lru::LruCache;
use orogen_data::BLUE_MARBLE;
use rayon::prelude::*;
use tiff::decoder::DecodingResult;

use super::{
    embedded,
    error::HeightError,
    imagery_layer::{Colours, ImageryLayer, Part, Reader},
};

const NAME: &str = "Blue Marble (embedded)";
/// Columns and rows, from 180 W and 90 N.
const SIZE: [usize; 2] = [5400, 2700];
const STEP_DEG: f64 = 360.0 / 5400.0;
/// Columns and rows of a tile of the TIFF.
const TILE_SIDE: usize = 512;
/// Tiles in memory, 0.8 MB each.
const MOST_TILES: NonZeroUsize = NonZeroUsize::new(24).unwrap();
/// Levels of means, each of half of the columns and rows of the one before.
const LEVELS: usize = 4;

/// Red, green and blue, row by row.
#[derive(Debug)]
struct Texels {
    columns: usize,
    rows: usize,
    texels: Vec<[u8; 3]>,
}

/// NASA's Blue Marble.
#[derive(Debug)]
struct EmbeddedPicture {
    /// Those used last, by their number in the TIFF.
    tiles: Mutex<LruCache<usize, Arc<Texels>>>,
    means: OnceLock<Result<Vec<Texels>, HeightError>>,
}

impl ImageryLayer {
    /// The picture of the whole Earth that ships with the program: NASA's Blue Marble, 7 km a texel.
    ///
    /// ```
    /// use elevation::height::{Location, ImageryLayer};
    /// let marble = ImageryLayer::embedded()?;
    /// assert!(marble.size().0 == 2 * marble.size().1 && (marble.posting_m() - 7_000.0).abs() < 1_000.0);
    /// let (column, row) = marble.texel(Location::at(0.0, 0.0).normal); // the middle
    /// assert!((column - marble.size().0 as f64 / 2.0).abs() < 1.0 && (row - marble.size().1 as f64 / 2.0).abs() < 1.0);
    /// let marble = marble.with_attribution("NASA").with_opacity(0.5);
    /// assert_eq!((marble.attribution(), marble.opacity()), ("NASA", 0.5));
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    ///
    /// # Errors
    /// [`HeightError::Read`] if it cannot be placed.
    pub fn embedded() -> Result<ImageryLayer, HeightError> {
        let place = embedded::georeference([-180.0, STEP_DEG, 0.0, 90.0, 0.0, -STEP_DEG], SIZE).map_err(unreadable)?;
        Ok(ImageryLayer::new((SIZE[0], SIZE[1]), place, Arc::new(EmbeddedPicture::default())))
    }
}

fn unreadable(reason: impl ToString) -> HeightError {
    HeightError::Read { file: PathBuf::from(NAME), reason: reason.to_string() }
}

/// A tile by its number.
fn decode(number: usize) -> Result<Texels, HeightError> {
    let ([columns, rows], DecodingResult::U8(bytes)) = embedded::decoded(BLUE_MARBLE, number).map_err(unreadable)?
    else {
        return Err(unreadable("its colours are not of 8 bits"));
    };
    let texels = bytes.chunks_exact(3).map(|texel| rgb([texel[0], texel[1], texel[2]])).collect();
    Ok(Texels { columns, rows, texels })
}

/// A colour of a JPEG, brightness and two differences from it, as red, green and blue (JFIF).
fn rgb(texel: [u8; 3]) -> [u8; 3] {
    let [y, blue, red] = texel.map(f32::from);
    let (blue, red) = (blue - 128.0, red - 128.0);
    [y + 1.402 * red, y - 0.344_136 * blue - 0.714_136 * red, y + 1.772 * blue].map(|v| v.round() as u8)
}

impl Texels {
    fn row(&self, row: usize) -> &[[u8; 3]] {
        &self.texels[row * self.columns..(row + 1) * self.columns]
    }

    /// Means of two by two; of what there is in the last column and row.
    fn halved(&self) -> Self {
        let (columns, rows) = (self.columns.div_ceil(2), self.rows.div_ceil(2));
        let mean = |column: usize, row: usize| {
            let (right, below) = ((2 * column + 1).min(self.columns - 1), (2 * row + 1).min(self.rows - 1));
            let four = [(2 * column, 2 * row), (right, 2 * row), (2 * column, below), (right, below)];
            let four = four.map(|(x, y)| self.row(y)[x]);
            [0, 1, 2].map(|k| (four.iter().map(|texel| u32::from(texel[k])).sum::<u32>().div_ceil(2) / 2) as u8)
        };
        let texels = (0..rows).flat_map(|row| (0..columns).map(move |column| mean(column, row))).collect();
        Self { columns, rows, texels }
    }

    /// Puts a part in the place of what is there.
    fn put(&mut self, part: &Self, [column, row]: [usize; 2]) {
        for k in 0..part.rows {
            let at = (row + k) * self.columns + column;
            self.texels[at..at + part.columns].copy_from_slice(part.row(k));
        }
    }
}

impl Default for EmbeddedPicture {
    fn default() -> Self {
        Self { tiles: Mutex::new(LruCache::new(MOST_TILES)), means: OnceLock::new() }
    }
}

impl EmbeddedPicture {
    /// A tile, which stays for the next time.
    fn tile(&self, number: usize) -> Result<Arc<Texels>, HeightError> {
        let kept = || self.tiles.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tile) = kept().get(&number) {
            return Ok(tile.clone());
        }
        let tile = Arc::new(decode(number)?);
        kept().put(number, tile.clone());
        Ok(tile)
    }

    /// Means, from those of two by two texels on.
    fn means(&self) -> Result<&[Texels], HeightError> {
        let build = || {
            let across = SIZE[0].div_ceil(TILE_SIDE);
            let tiles = (0..across * SIZE[1].div_ceil(TILE_SIDE)).into_par_iter();
            let parts = tiles.map(|number| decode(number).map(|tile| tile.halved()));
            let parts: Vec<Texels> = parts.collect::<Result<_, _>>()?;
            let [columns, rows] = SIZE.map(|count| count.div_ceil(2));
            let mut first = Texels { columns, rows, texels: vec![[0; 3]; columns * rows] };
            for (number, part) in parts.iter().enumerate() {
                first.put(part, [number % across, number / across].map(|k| k * TILE_SIDE / 2));
            }
            let mut levels = vec![first];
            while levels.len() < LEVELS {
                levels.extend(levels.last().map(Texels::halved));
            }
            Ok(levels)
        };
        self.means.get_or_init(|| embedded::in_own_pool(build)).as_deref().map_err(Clone::clone)
    }

    /// Texels of a rectangle of columns and rows from one to another.
    fn window(&self, [left, right]: [usize; 2], [top, bottom]: [usize; 2]) -> Result<Texels, HeightError> {
        let (columns, rows) = (right - left, bottom - top);
        let mut window = Texels { columns, rows, texels: vec![[0; 3]; columns * rows] };
        let across = SIZE[0].div_ceil(TILE_SIDE);
        for row in top / TILE_SIDE..bottom.div_ceil(TILE_SIDE) {
            for column in left / TILE_SIDE..right.div_ceil(TILE_SIDE) {
                let tile = self.tile(row * across + column)?;
                let (x, y) = (column * TILE_SIDE, row * TILE_SIDE);
                let (from, to) = (x.max(left), (x + TILE_SIDE).min(right));
                for k in y.max(top)..(y + TILE_SIDE).min(bottom) {
                    let at = (k - top) * columns + from - left;
                    window.texels[at..at + to - from].copy_from_slice(&tile.row(k - y)[from - x..to - x]);
                }
            }
        }
        Ok(window)
    }
}

/// The texels under each of some equal lengths from one place to another, and how much of each counts.
fn shares([from, to]: [f64; 2], count: usize, texels: usize) -> Vec<(usize, Vec<f32>)> {
    let at = |k: usize| from + (to - from) * k as f64 / count as f64;
    let share = |k: usize| {
        let (from, to) = (at(k), at(k + 1));
        let first = (from as usize).min(texels - 1);
        let last = (to.ceil() as usize).clamp(first + 1, texels);
        let part = |texel: usize| (to.min((texel + 1) as f64) - from.max(texel as f64)).max(0.0);
        let sum: f64 = (first..last).map(part).sum::<f64>().max(f64::MIN_POSITIVE);
        (first, (first..last).map(|texel| (part(texel) / sum) as f32).collect())
    };
    (0..count).map(share).collect()
}

/// Means of a rectangle of texels on a grid of columns and rows.
fn averaged(texels: &Texels, across: &[(usize, Vec<f32>)], down: &[(usize, Vec<f32>)]) -> Vec<[u8; 4]> {
    let sum = |parts: &mut dyn Iterator<Item = ([f32; 3], f32)>| {
        parts.fold([0.0; 3], |sum, (texel, share)| [0, 1, 2].map(|k| sum[k] + share * texel[k]))
    };
    let line = |row: usize| -> Vec<[f32; 3]> {
        let row = texels.row(row);
        let mean = |(first, shares): &(usize, Vec<f32>)| {
            sum(&mut row[*first..].iter().map(|texel| texel.map(f32::from)).zip(shares.iter().copied()))
        };
        across.iter().map(mean).collect()
    };
    let (top, bottom) = (down[0].0, down.iter().map(|(first, shares)| first + shares.len()).max().unwrap_or_default());
    let lines: Vec<Vec<[f32; 3]>> = (top..bottom).map(line).collect();
    let mean = |(first, shares): &(usize, Vec<f32>), column: usize| {
        let [red, green, blue] =
            sum(&mut lines[first - top..].iter().map(|line| line[column]).zip(shares.iter().copied()));
        [red.round() as u8, green.round() as u8, blue.round() as u8, u8::MAX]
    };
    down.iter().flat_map(|row| (0..across.len()).map(move |column| mean(row, column))).collect()
}

impl Reader for EmbeddedPicture {
    fn read(&self, part: Part, (columns, rows): (usize, usize)) -> Result<Colours, HeightError> {
        let (columns, rows) = (columns.clamp(1, part.columns.max(1)), rows.clamp(1, part.rows.max(1)));
        let factor = (part.columns as f64 / columns as f64).min(part.rows as f64 / rows as f64);
        // Of texels that are no larger than what is asked for.
        let level = (1.01 * factor).log2().clamp(0.0, LEVELS as f64) as usize;
        let along = |first: usize, count: usize| [first, first + count].map(|at| at as f64 / f64::from(1u32 << level));
        let (x, y) = (along(part.column, part.columns), along(part.row, part.rows));
        let window;
        let (texels, corner) = if level == 0 {
            let [left, right, top, bottom] = [part.column, part.column + part.columns, part.row, part.row + part.rows];
            window = self.window([left, right], [top, bottom])?;
            (&window, [left, top])
        } else {
            (&self.means()?[level - 1], [0, 0])
        };
        let within = |ends: [f64; 2], first: usize| ends.map(|end| end - first as f64);
        let across = shares(within(x, corner[0]), columns, texels.columns);
        let down = shares(within(y, corner[1]), rows, texels.rows);
        Ok(Colours { columns, rows, texels: averaged(texels, &across, &down) })
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;

    use super::*;
    use crate::random;

    /// A part, and a grid of as many or fewer columns and rows.
    fn question(rng: &mut impl rand::Rng) -> (Part, (usize, usize)) {
        let [(column, columns), (row, rows)] = SIZE.map(|size| {
            let most = if rng.random() { size } else { 300 };
            let count = rng.random_range(1..=most);
            (rng.random_range(0..=size - count), count)
        });
        let grid = (rng.random_range(1..=columns.min(300)), rng.random_range(1..=rows.min(300)));
        (Part { column, row, columns, rows }, grid)
    }

    /// Law: what is read is the mean of the texels under it: exact where these are read one by one, to one step on the average from levels of
    /// means.
    #[test]
    fn parts_are_means_of_their_texels() {
        let (picture, mut rng) = (EmbeddedPicture::default(), random::rng());
        let (mut off, mut seen) = (0.0, 0u32);
        let all = picture.window([0, SIZE[0]], [0, SIZE[1]]).unwrap();
        for _ in 0..40 {
            let (part, grid) = question(&mut rng);
            let found = picture.read(part, grid).unwrap();
            assert_eq!((found.columns, found.rows, found.texels.len()), (grid.0, grid.1, grid.0 * grid.1));
            for _ in 0..20 {
                let (x, y) = (rng.random_range(0..grid.0), rng.random_range(0..grid.1));
                let ends = |first: usize, count: usize, k: usize, of: usize| {
                    let at = |k: usize| first as f64 + count as f64 * k as f64 / of as f64;
                    (at(k), at(k + 1))
                };
                let (across, down) = (ends(part.column, part.columns, x, grid.0), ends(part.row, part.rows, y, grid.1));
                let (mut sum, mut area) = ([0.0; 3], 0.0);
                for row in down.0 as usize..(down.1.ceil() as usize).min(SIZE[1]) {
                    for column in across.0 as usize..(across.1.ceil() as usize).min(SIZE[0]) {
                        let share = |(from, to): (f64, f64), k: usize| to.min(k as f64 + 1.0) - from.max(k as f64);
                        let share = share(across, column) * share(down, row);
                        area += share;
                        let texel = all.row(row)[column];
                        sum = [0, 1, 2].map(|k| sum[k] + share * f64::from(texel[k]));
                    }
                }
                let texel = found.texels[y * grid.0 + x];
                // Texels of a level lie partly beyond the edge of what is asked for: there a part of one counts as the whole.
                let is_exact = part.columns.div_ceil(grid.0).min(part.rows.div_ceil(grid.1)) < 2;
                let most = if is_exact { 0.5 + 1e-3 } else { 40.0 };
                for k in 0..3 {
                    let difference = (f64::from(texel[k]) - sum[k] / area).abs();
                    assert!(difference <= most, "{part:?} {grid:?} {x} {y}: {difference}");
                    (off, seen) = (off + difference, seen + 1);
                }
            }
        }
        assert!(off / f64::from(seen) < 1.0, "{off} of {seen}");
    }

    /// Law: GDAL reads the same colours, but for the rounding of both, and on the average the same means of whole squares of texels: it may
    /// take those from what the JPEG holds of its own squares.
    #[cfg(feature = "gdal")]
    #[test]
    fn gdal_reads_the_same() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/bluemarble.tif");
        let (ours, theirs) = (ImageryLayer::embedded().unwrap(), ImageryLayer::open(file.as_ref()).unwrap());
        assert_eq!((ours.size(), ours.turn(), ours.bbox_deg()), (theirs.size(), theirs.turn(), theirs.bbox_deg()));
        let mut rng = random::rng();
        for factor in [1, 1, 1, 2, 4, 8] {
            let [(column, columns), (row, rows)] = SIZE.map(|size| {
                let count = rng.random_range(1..=200.min(size / factor));
                (rng.random_range(0..=size / factor - count), count)
            });
            let [column, row] = [column * factor, row * factor];
            let part = Part { column, row, columns: columns * factor, rows: rows * factor };
            let read = |layer: &ImageryLayer| layer.read(part, (columns, rows)).unwrap();
            let (ours, theirs) = (read(&ours), read(&theirs));
            assert_eq!((ours.columns, ours.rows), (theirs.columns, theirs.rows));
            let pairs = ours.texels.iter().flatten().zip(theirs.texels.iter().flatten());
            let differences: Vec<u8> = pairs.map(|(a, b)| a.abs_diff(*b)).collect();
            let mean = differences.iter().map(|d| f64::from(*d)).sum::<f64>() / differences.len() as f64;
            let worst = differences.iter().max();
            let is_same = if factor == 1 { mean < 0.5 && worst <= Some(&8) } else { mean < 3.0 };
            assert!(is_same, "{part:?}, {factor}: {mean} on the average, {worst:?} at most");
        }
    }
}
