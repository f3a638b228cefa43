//! Which texels lie beyond the sides of a file? Those of the files beside it, if they lie on the same lattice: then heights around
//! a seam are those of one file that holds both.

use super::{
    super::{
        error::HeightError,
        gdal_read::{Window, read_windows},
        raster::{BorderSource, Rectangle, Side, margin},
    },
    Member, Mosaic,
};

/// A member on the lattice of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdjacentMember {
    member: u32,
    /// Where it lies, in columns and rows of the other.
    rectangle: Rectangle,
}

/// What lies around a member that is read at full resolution.
pub(super) struct MemberBorder<'a> {
    pub mosaic: &'a Mosaic,
    pub member: u32,
}

impl BorderSource for MemberBorder<'_> {
    fn continues(&self, side: Side, at: usize) -> bool {
        let size = self.grid();
        let at = at as i64;
        let texel = match side {
            Side::Top => [at, -1],
            Side::Bottom => [at, size[1]],
            Side::Left => [-1, at],
            Side::Right => [size[0], at],
        };
        let holds = |rectangle: Rectangle| !is_empty(common(rectangle, [texel, texel.map(|k| k + 1)]));
        self.mosaic.adjacent(self.member).iter().any(|beside| holds(beside.rectangle))
    }

    fn fill_border(&self, data: &mut [f32], stride: usize, first: [i64; 2]) -> Vec<Rectangle> {
        let lines = data.len() / stride;
        let array = [first, [first[0] + stride as i64, first[1] + lines as i64]];
        let own = [[0, 0], self.grid()];
        if common(array, own) == array {
            return Vec::new();
        }
        let mut put = Vec::new();
        for beside in self.mosaic.adjacent(self.member) {
            let mut pieces = without(common(array, beside.rectangle), own);
            put.extend(pieces.iter().copied());
            // Where files overlap, the first one that has a height there counts.
            pieces.retain(|[low, high]| {
                let columns = (low[0] - first[0]) as usize..(high[0] - first[0]) as usize;
                (low[1]..high[1]).any(|row| {
                    let line = (row - first[1]) as usize * stride;
                    data[line + columns.start..line + columns.end].iter().any(|v| v.is_nan())
                })
            });
            if pieces.is_empty() {
                continue;
            }
            let read = self.mosaic.log_error(self.mosaic.texels_of(beside, &pieces));
            for ([low, high], values) in pieces.iter().zip(read.into_iter().flatten()) {
                let columns = (high[0] - low[0]) as usize;
                for (row, line) in (low[1]..high[1]).zip(values.chunks_exact(columns)) {
                    let at = (row - first[1]) as usize * stride + (low[0] - first[0]) as usize;
                    let line = data[at..at + columns].iter_mut().zip(line);
                    line.filter(|(to, _)| to.is_nan()).for_each(|(to, from)| *to = *from);
                }
            }
        }
        put
    }
}

impl MemberBorder<'_> {
    fn grid(&self) -> [i64; 2] {
        self.mosaic.members[self.member as usize].header.info.grid.map(|n| n as i64)
    }
}

impl Mosaic {
    /// Members on the lattice of a member that are close enough to decide about its heights.
    fn adjacent(&self, k: u32) -> &[AdjacentMember] {
        let member = &self.members[k as usize];
        // Not while the lock is held: see `place`.
        if member.beside.get().is_none() {
            let _first = member.beside.set(self.find_adjacent(k));
        }
        member.beside.get().map_or(&[], Vec::as_slice)
    }

    /// Whether two members lie on one lattice, and close enough to decide about each other's heights.
    pub(super) fn are_adjacent(&self, k: u32, other: u32) -> bool {
        self.adjacent(k).iter().any(|beside| beside.member == other)
    }

    fn find_adjacent(&self, k: u32) -> Vec<AdjacentMember> {
        let header = &self.members[k as usize].header;
        let Some(place) = self.place(k) else { return Vec::new() };
        let [west, south, east, north] = header.reach_deg;
        let turned = |turn: f64| self.index.touching_box([west + turn, south], [east + turn, north]);
        let mut near: Vec<u32> =
            [-360.0, 0.0, 360.0].into_iter().flat_map(turned).filter(|other| *other != k).collect();
        near.sort_unstable();
        near.dedup();
        let margin = margin(header.feather) as i64;
        let size = header.info.grid.map(|n| n as i64);
        let reach = [[-margin; 2], size.map(|n| n + margin)];
        let rectangles = |other: u32| {
            let grid = self.members[other as usize].header.info.grid;
            let offsets = self.place(other).map(|found| place.offsets_of(header.info.grid, (found, grid)));
            let rectangle = move |first: [i64; 2]| [first, [first[0] + grid[0] as i64, first[1] + grid[1] as i64]];
            offsets
                .into_iter()
                .flatten()
                .map(move |first| AdjacentMember { member: other, rectangle: rectangle(first) })
        };
        near.into_iter().flat_map(rectangles).filter(|beside| !is_empty(common(beside.rectangle, reach))).collect()
    }

    /// Heights of a member in rectangles of the lattice of the one that it is beside; NaN where void.
    fn texels_of(&self, beside: &AdjacentMember, pieces: &[Rectangle]) -> Result<Vec<Vec<f32>>, HeightError> {
        self.mark_read(beside.member);
        let Member { serial, file, header, .. } = &self.members[beside.member as usize];
        let [first, _] = beside.rectangle;
        let window = |[low, high]: &Rectangle| Window {
            column: (low[0] - first[0]) as usize,
            row: (low[1] - first[1]) as usize,
            columns: (high[0] - low[0]) as usize,
            rows: (high[1] - low[1]) as usize,
        };
        let windows: Vec<Window> = pieces.iter().map(window).collect();
        // Around the Earth, heights at a pole are one of all that the file has there.
        if self.around(beside.member).is_none()
            && let Some(raster) = self.kept.in_memory((beside.member, None))
        {
            let own = |w: &Window| raster.own_heights([w.column, w.row], [w.columns, w.rows]);
            return Ok(windows.iter().map(own).collect());
        }
        header
            .fingerprint
            .unchanged(|| read_windows(*serial, file, header.encoding, &self.options, &windows, &mut Vec::new()))
    }
}

/// What two rectangles have in common.
pub(super) fn common([a, b]: Rectangle, [c, d]: Rectangle) -> Rectangle {
    [[0, 1].map(|k| a[k].max(c[k])), [0, 1].map(|k| b[k].min(d[k]))]
}

pub(super) fn is_empty([low, high]: Rectangle) -> bool {
    low[0] >= high[0] || low[1] >= high[1]
}

/// What a rectangle has outside of another: above, below, left and right of it.
fn without(of: Rectangle, other: Rectangle) -> Vec<Rectangle> {
    let [low, high] = of;
    let (top, bottom) =
        (other[0][1].clamp(low[1], high[1].max(low[1])), other[1][1].clamp(low[1], high[1].max(low[1])));
    let pieces = [
        [low, [high[0], top]],
        [[low[0], bottom], high],
        [[low[0], top], [other[0][0].min(high[0]), bottom]],
        [[other[1][0].max(low[0]), top], [high[0], bottom]],
    ];
    pieces.into_iter().filter(|piece| !is_empty(*piece)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    /// Law: the pieces hold each texel that is in one rectangle and not in the other, once.
    #[test]
    fn pieces_outside_of_a_rectangle() {
        let mut rng = crate::random::rng();
        let mut any = || {
            let low = [rng.random_range(-4..4i64), rng.random_range(-4..4i64)];
            [low, [low[0] + rng.random_range(-1..6i64), low[1] + rng.random_range(-1..6i64)]]
        };
        for _ in 0..3_000 {
            let (of, other) = (any(), any());
            // The one that is taken away is a raster, which has texels.
            if is_empty(other) {
                continue;
            }
            let pieces = without(of, other);
            for (x, y) in (-6..12).flat_map(|x| (-6..12).map(move |y| (x, y))) {
                let within = |[low, high]: Rectangle| low[0] <= x && x < high[0] && low[1] <= y && y < high[1];
                let expected = usize::from(within(of) && !within(other));
                assert_eq!(pieces.iter().filter(|piece| within(**piece)).count(), expected, "{of:?} {other:?}");
            }
        }
    }
}
