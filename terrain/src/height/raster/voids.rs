//! Where are a raster's voids, how far is each texel from one, and what does the kernel find there?

use rayon::prelude::*;

use super::{BORDER, GoesOn, Side, Wrap};

/// Chebyshev distance of each texel to the nearest void or open edge, in texels, at most `limit`; 0 on voids.
///
/// An edge is not open where the raster goes around the Earth, reaches a pole, or where other data go on.
pub(super) fn void_distance(
    values: &[f32],
    width: usize,
    height: usize,
    wrap: Option<Wrap>,
    limit: u8,
    goes_on: &GoesOn<'_>,
) -> Vec<u8> {
    let mut d: Vec<u8> = values.iter().map(|v| if v.is_nan() { 0 } else { limit }).collect();
    let beyond = |side: Side, pole: Option<f64>, length: usize| -> Vec<u8> {
        (0..length).map(|at| if pole.is_some() || goes_on(side, at) { limit } else { 0 }).collect()
    };
    let above = beyond(Side::Top, wrap.and_then(|w| w.first_pole), width);
    let below = beyond(Side::Bottom, wrap.and_then(|w| w.last_pole), width);
    let before = beyond(Side::Left, None, height);
    let after = beyond(Side::Right, None, height);
    // Columns of each row that a void or an end is near to: the rest, most of most rasters, need not be looked at.
    let mut near: Vec<Span> = (0..height)
        .map(|row| {
            let mut span = Span::below(&d[row * width..(row + 1) * width], limit);
            if before[row] < limit {
                span = span.union(Span { first: 0, end: 1 });
            }
            if after[row] < limit {
                span = span.union(Span { first: width - 1, end: width });
            }
            span
        })
        .collect();
    // A wrapped raster needs a second round to carry distances across the seam.
    for _ in 0..if wrap.is_some() { 2 } else { 1 } {
        for forward in [true, false] {
            for step in 0..height {
                let row = if forward { step } else { height - 1 - step };
                let other = match (forward, row) {
                    (true, 0) => None,
                    (false, r) if r + 1 == height => None,
                    (true, r) => Some(r - 1),
                    (false, r) => Some(r + 1),
                };
                let edge = if forward { &above } else { &below };
                let mut span = near[row].union(other.map_or_else(|| Span::below(edge, limit), |other| near[other]));
                if wrap.is_some() && !span.is_empty() {
                    span = Span { first: 0, end: width };
                }
                if span.is_empty() {
                    continue;
                }
                // Distances grow by one a column, so a void is felt so far and no further.
                let reach = usize::from(limit);
                let (first, end) = (span.first.saturating_sub(reach), (span.end + reach).min(width));
                near[row] = Span { first, end };
                let other = other.map(|other| other * width);
                for k in 0..end - first {
                    let column = if forward { first + k } else { end - 1 - k };
                    let at = row * width + column;
                    if d[at] == 0 {
                        continue;
                    }
                    let left = if column > 0 { Some(column - 1) } else { wrap.map(|_| width - 1) };
                    let right = if column + 1 < width { Some(column + 1) } else { wrap.map(|_| 0) };
                    let beside = if forward { left } else { right };
                    let end = if forward { &before } else { &after };
                    let mut nearest = beside.map_or(end[row], |c| d[row * width + c]);
                    for (c, end) in [(left, &before), (Some(column), &before), (right, &after)] {
                        let v = match (other, c) {
                            (Some(base), Some(c)) => d[base + c],
                            (None, Some(c)) => edge[c],
                            // Beyond a corner it goes on as it does beside this texel.
                            (_, None) => end[row],
                        };
                        nearest = nearest.min(v);
                    }
                    d[at] = d[at].min(nearest.saturating_add(1));
                }
                // What was not reached is not handed on to the next row.
                let line = &d[row * width..(row + 1) * width];
                near[row] = near[row].shrunk(|column| line[column] == limit);
            }
        }
    }
    d
}

/// Columns `first .. end` of a row.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: usize,
    end: usize,
}

impl Span {
    /// Around all values below a limit.
    fn below(values: &[u8], limit: u8) -> Self {
        let found = |v: &u8| *v < limit;
        let first = values.iter().position(found).unwrap_or(values.len());
        Self { first, end: values.iter().rposition(found).map_or(0, |last| last + 1) }
    }

    fn is_empty(self) -> bool {
        self.first >= self.end
    }

    fn union(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), end: self.end.max(other.end) }
    }

    /// Without the columns at both ends that are far from everything.
    fn shrunk(mut self, far: impl Fn(usize) -> bool) -> Self {
        while !self.is_empty() && far(self.first) {
            self.first += 1;
        }
        while !self.is_empty() && far(self.end - 1) {
            self.end -= 1;
        }
        self
    }
}

/// Copies distances into an array with a border: 0 where the raster ends, the neighbour's value where it goes on.
pub(super) fn padded_trust(
    distance: &[u8],
    width: usize,
    height: usize,
    wrap: Option<Wrap>,
    goes_on: &GoesOn<'_>,
) -> Vec<u8> {
    let stride = width + 2 * BORDER;
    let mut trust = vec![0; stride * (height + 2 * BORDER)];
    for (line, out) in trust.chunks_mut(stride).enumerate() {
        let row = line as isize - BORDER as isize;
        let (first, last) = (wrap.and_then(|w| w.first_pole), wrap.and_then(|w| w.last_pole));
        let source = row.clamp(0, height as isize - 1) as usize;
        let from = &distance[source * width..(source + 1) * width];
        let (side, pole) = if row < 0 { (Side::Top, first) } else { (Side::Bottom, last) };
        if row == source as isize || pole.is_some() {
            out[BORDER..BORDER + width].copy_from_slice(from);
        } else {
            let beyond = out[BORDER..BORDER + width].iter_mut().zip(from).enumerate();
            beyond.for_each(|(column, (out, d))| *out = if goes_on(side, column) { *d } else { 0 });
        }
        if wrap.is_none() {
            // Corners go on where both their sides do.
            let (first, last) = (out[BORDER], out[BORDER + width - 1]);
            if goes_on(Side::Left, source) {
                out[..BORDER].fill(first);
            }
            if goes_on(Side::Right, source) {
                out[BORDER + width..].fill(last);
            }
        }
        if wrap.is_some() && (row == source as isize || pole.is_some()) {
            for b in 0..BORDER {
                out[b] = from[(width - BORDER % width + b) % width];
                out[BORDER + width + b] = from[b % width];
            }
        }
    }
    trust
}

/// Gives each void that touches a value the mean of the values around it; `rim`: all voids are in so many outermost rows and
/// columns.
pub(super) fn continue_voids(data: &mut [f32], stride: usize, rim: Option<usize>) {
    let rows = data.len() / stride;
    let found: Vec<(usize, f32)> = (0..rows)
        .into_par_iter()
        .flat_map_iter(|row| {
            let data = &*data;
            let inner =
                rim.filter(|rim| (*rim..rows - rim).contains(&row)).map_or(stride..stride, |rim| rim..stride - rim);
            (0..inner.start).chain(inner.end..stride).filter_map(move |column| {
                let at = row * stride + column;
                if !data[at].is_nan() {
                    return None;
                }
                let (mut sum, mut count) = (0.0, 0u32);
                for r in row.saturating_sub(1)..=(row + 1).min(rows - 1) {
                    for c in column.saturating_sub(1)..=(column + 1).min(stride - 1) {
                        let v = data[r * stride + c];
                        if !v.is_nan() {
                            sum += f64::from(v);
                            count += 1;
                        }
                    }
                }
                (count > 0).then(|| (at, (sum / f64::from(count)) as f32))
            })
        })
        .collect();
    for (at, v) in found {
        data[at] = v;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Law: the distance is that to the nearest void, or to the nearest place outside where nothing goes on, found by looking
        /// at all of them.
        #[test]
        fn distances_by_brute_force(
            (width, height) in (1..30usize, 1..30usize),
            voids in prop::collection::vec((0..30usize, 0..30usize), 0..6),
            limit in 1..12u8,
            open in prop::array::uniform4(any::<bool>()),
        ) {
            let mut values = vec![1f32; width * height];
            for (x, y) in voids {
                if x < width && y < height {
                    values[y * width + x] = f32::NAN;
                }
            }
            let goes_on = |side: Side, _: usize| !open[side as usize];
            let got = void_distance(&values, width, height, None, limit, &goes_on);
            for y in 0..height {
                for x in 0..width {
                    let ends = [y + 1, height - y, x + 1, width - x].into_iter().zip(open);
                    let mut expected = ends.filter(|(_, open)| *open).map(|(d, _)| d).min().unwrap_or(usize::MAX);
                    for at in (0..width * height).filter(|at| values[*at].is_nan()) {
                        expected = expected.min((at % width).abs_diff(x).max((at / width).abs_diff(y)));
                    }
                    prop_assert_eq!(usize::from(got[y * width + x]), expected.min(usize::from(limit)), "{} {}", x, y);
                }
            }
        }
    }
}
