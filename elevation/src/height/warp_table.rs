//! Where is a place in a raster of any coordinate system, without asking PROJ for each sample?
//!
//! When a raster is opened, the map from the sphere of normals to texels is tabulated on a chart in which it is smooth.
//! The chart is stereographic around the raster's middle (no singularity at a pole), or longitude and latitude for
//! rasters that span the world. Between nodes it is interpolated with 4 x 4 Lagrange polynomials. The table is refined
//! until it agrees with PROJ to a thousandth of a texel, and the error that remains is reported. Looking it up is a pure
//! function.

mod bounds;

use glam::DVec3;
use multiversion::multiversion;

use super::patch::Patch;
use crate::geodesy::{lat_lon, n_vector};

/// Agreement with PROJ, in texels, at which the table is fine enough.
const GOOD_TEXELS: f64 = 1e-3;
/// A raster that is placed worse than this, in texels, is refused.
pub(crate) const WORST_TEXELS: f64 = 0.25;
/// Cells per axis of the finest table tried, where that is not worse; else twice as many.
const FINEST: usize = 512;
/// Rasters that reach further than this from their middle use the longitude and latitude chart.
const WIDEST_CAP_RAD: f64 = 1.8;

/// Degrees from the middle of a chart to a place just before its seam.
const BEFORE_SEAM: f64 = 180.0 - 1e-9;

/// Texels from the middle of an outermost texel to its side, but for so little that it is not the other end of the Earth.
pub(crate) const OUTERMOST: f64 = 0.5 - 1e-6;

/// A flat map of a part of the sphere.
#[derive(Clone, Copy, Debug)]
enum Chart {
    /// Stereographic projection from the point opposite of `middle`.
    Stereographic { middle: DVec3, east: DVec3, north: DVec3 },
    /// Longitude relative to a meridian, and latitude, in degrees.
    LonLat { lon_mid: f64 },
}

impl Chart {
    #[inline]
    fn flat(&self, n: DVec3, lon_deg: f64, lat_deg: f64) -> (f64, f64) {
        match *self {
            Self::Stereographic { middle, east, north } => {
                let scale = 1.0 / (1.0 + n.dot(middle));
                (n.dot(east) * scale, n.dot(north) * scale)
            }
            Self::LonLat { lon_mid } => {
                let lon = lon_deg - lon_mid;
                (lon - 360.0 * (lon * (1.0 / 360.0)).round(), lat_deg)
            }
        }
    }

    /// Longitude and latitude in degrees of a point of the chart.
    fn lon_lat(&self, u: f64, v: f64) -> (f64, f64) {
        match *self {
            Self::Stereographic { middle, east, north } => {
                let q = u * u + v * v;
                let (lat, lon) = lat_lon((middle * (1.0 - q) + (east * u + north * v) * 2.0) / (1.0 + q));
                (lon.to_degrees(), lat.to_degrees())
            }
            Self::LonLat { lon_mid } => (lon_mid + u, v),
        }
    }
}

/// The table: texel positions on a regular grid of the chart.
#[derive(Debug)]
pub(crate) struct WarpTable {
    chart: Chart,
    origin: [f64; 2],
    /// Nodes per chart unit.
    density: [f64; 2],
    /// Nodes per axis.
    nodes: usize,
    texels: Vec<[f64; 2]>,
}

/// A batch transformation in place; both coordinates become NaN where it fails.
pub(crate) type Transform<'a> = dyn Fn(&mut [f64], &mut [f64]) + 'a;

impl WarpTable {
    /// Tabulates `to_texel` (longitude, latitude in degrees to column, row) for a raster of `width * height` texels and so many
    /// `beyond` its sides, with `to_lon_lat` its inverse. A `turn` round the Earth is so many columns and rows, if coordinates of its system begin
    /// anew beside it. Returns the table and its largest error in texels; `None` if the raster has no place.
    pub fn fit(
        (width, height): (usize, usize),
        (beyond, turn): (f64, Option<[f64; 2]>),
        to_lon_lat: &Transform,
        to_texel: &Transform,
    ) -> Option<(Self, f64)> {
        let outline = outline((width, height), beyond, to_lon_lat);
        let normals: Vec<DVec3> =
            outline.iter().map(|&(lon, lat)| n_vector(lat.to_radians(), lon.to_radians())).collect();
        let middle = normals.iter().sum::<DVec3>().try_normalize()?;
        let reach_rad = normals.iter().map(|n| n.dot(middle).clamp(-1.0, 1.0).acos()).fold(0.0, f64::max);
        let charts = if reach_rad < WIDEST_CAP_RAD {
            let (east, north, _) = crate::geodesy::east_north_up(middle);
            vec![Chart::Stereographic { middle, east, north }]
        } else {
            // The seam of longitudes belongs where that of the projection is; the middle of places all round the Earth is a matter of rounding.
            let mut lats: Vec<f64> = outline.iter().map(|&(_, lat)| lat).collect();
            let (_, median, _) = lats.select_nth_unstable_by(outline.len() / 2, f64::total_cmp);
            let middles = [seam(*median, to_texel).map(|lon| lon + 180.0), Some(lat_lon(middle).1.to_degrees())];
            middles.into_iter().flatten().map(|lon_mid| Chart::LonLat { lon_mid }).collect()
        };
        let mut best: Option<(Self, f64)> = None;
        for chart in charts {
            let found = Self::refine((chart, turn), &outline, (width, height), to_texel);
            best = best.into_iter().chain(found).min_by(|a, b| a.1.total_cmp(&b.1));
            // Another one is not tried beside a good one: its tables are as large.
            if best.as_ref().is_some_and(|(_, error)| *error < GOOD_TEXELS) {
                break;
            }
        }
        best
    }

    /// Doubles the table until it is good or as fine as allowed.
    fn refine(
        (chart, turn): (Chart, Option<[f64; 2]>),
        outline: &[(f64, f64)],
        (width, height): (usize, usize),
        to_texel: &Transform,
    ) -> Option<(Self, f64)> {
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for &(lon, lat) in outline {
            let (u, v) = chart.flat(n_vector(lat.to_radians(), lon.to_radians()), lon, lat);
            for (axis, x) in [u, v].into_iter().enumerate() {
                low[axis] = low[axis].min(x);
                high[axis] = high[axis].max(x);
            }
        }
        // The outline is a coarse sample: a straight edge of the raster may bulge between its points.
        let margin = [0, 1].map(|axis| 0.02 * (high[axis] - low[axis]) + 1e-9);
        for axis in 0..2 {
            low[axis] -= margin[axis];
            high[axis] += margin[axis];
        }
        if let Chart::LonLat { .. } = chart {
            // Where it is known how texels go on beyond the chart's own seam, so does the table.
            if turn.is_none() {
                (low[0], high[0]) = (low[0].max(-180.0), high[0].min(180.0));
            }
            (low[1], high[1]) = (low[1].max(-90.0), high[1].min(90.0));
        }
        let mut best: Option<(Self, f64)> = None;
        let mut cells = 16;
        while cells <= FINEST {
            let table = Self::tabulate((chart, turn), [low, high], cells, to_texel)?;
            let error = table.error(width, height, to_texel)?;
            let better = best.as_ref().is_none_or(|(_, e)| error < *e);
            if better {
                best = Some((table, error));
            }
            if error < GOOD_TEXELS {
                break;
            }
            cells *= 2;
        }
        let best = best?;
        if best.1 <= WORST_TEXELS {
            return Some(best);
        }
        let judged = |table: Self| table.error(width, height, to_texel).map(|error| (table, error));
        let cut = judged(Self::tabulate((chart, turn), [low, high], FINEST, to_texel)?.without_poles());
        if cut.as_ref().is_some_and(|(_, error)| *error <= WORST_TEXELS) {
            return cut;
        }
        let finer = judged(Self::tabulate((chart, turn), [low, high], 2 * FINEST, to_texel)?);
        [Some(best), cut, finer].into_iter().flatten().min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Some projections, such as Mollweide's, turn at once at a pole, which no table follows: places beside it have no texels any more.
    fn without_poles(mut self) -> Self {
        if let Chart::LonLat { .. } = self.chart {
            let last = self.nodes - 1;
            for row in [0, last] {
                let lat = self.origin[1] + row as f64 / self.density[1];
                if lat.abs() > 90.0 - 1e-9 {
                    self.texels[row * self.nodes..][..self.nodes].fill([f64::NAN; 2]);
                }
            }
        }
        self
    }

    fn tabulate(
        (chart, turn): (Chart, Option<[f64; 2]>),
        [low, high]: [[f64; 2]; 2],
        cells: usize,
        to_texel: &Transform,
    ) -> Option<Self> {
        let nodes = cells + 1;
        let step = [0, 1].map(|axis| (high[axis] - low[axis]) / cells as f64);
        if !step.iter().all(|s| s.is_finite() && *s > 0.0) {
            return None;
        }
        let along = |k: usize, i: usize| low[k] + i as f64 * step[k];
        // Nodes on the chart's seam are those of its own side.
        let has_seam = matches!(chart, Chart::LonLat { .. }) && turn.is_none();
        let own = |u: f64| if has_seam { u.clamp(-BEFORE_SEAM, BEFORE_SEAM) } else { u };
        let (mut x, mut y): (Vec<f64>, Vec<f64>) =
            (0..nodes * nodes).map(|i| chart.lon_lat(own(along(0, i % nodes)), along(1, i / nodes))).unzip();
        to_texel(&mut x, &mut y);
        let mut texels: Vec<[f64; 2]> = x.into_iter().zip(y).map(|(x, y)| [x, y]).collect();
        if let (Chart::LonLat { .. }, Some(turn)) = (chart, turn) {
            texels.chunks_exact_mut(nodes).for_each(|row| go_on(row, turn));
        }
        Some(Self { chart, origin: low, density: step.map(|s| 1.0 / s), nodes, texels })
    }

    /// Places to try, in nodes: a lattice, and the middles of all cells along a few lines both ways, so that no seam across the table is missed.
    fn probes(&self) -> Vec<[f64; 2]> {
        const SIDE: usize = 97;
        const LINES: usize = 7;
        let cells = self.nodes - 1;
        let at = |i: usize, of: usize| (i as f64 + 0.5) / of as f64 * cells as f64;
        let lattice = (0..SIDE * SIDE).map(|i| [at(i % SIDE, SIDE), at(i / SIDE, SIDE)]);
        let lines = (0..LINES * cells).map(|i| [at(i % cells, cells), at(i / cells, LINES)]);
        lattice.chain(lines.flat_map(|[along, line]| [[along, line], [line, along]])).collect()
    }

    /// Largest disagreement with the transformation, in texels, over points inside the raster; `None` if none is inside.
    fn error(&self, width: usize, height: usize, to_texel: &Transform) -> Option<f64> {
        let probes: Vec<[f64; 2]> =
            self.probes().iter().map(|at| [0, 1].map(|k| self.origin[k] + at[k] / self.density[k])).collect();
        let (lon, lat): (Vec<f64>, Vec<f64>) = probes.iter().map(|&[u, v]| self.chart.lon_lat(u, v)).unzip();
        let (mut x, mut y) = (lon.clone(), lat.clone());
        to_texel(&mut x, &mut y);
        let mut worst = None;
        for i in 0..x.len() {
            let inside = x[i] > -0.5 && x[i] < width as f64 - 0.5 && y[i] > -0.5 && y[i] < height as f64 - 0.5;
            // Beyond the seam of the chart no place is looked up.
            let is_own = |u: f64| !matches!(self.chart, Chart::LonLat { .. }) || u.abs() <= 180.0;
            if !inside || !is_own(probes[i][0]) {
                continue;
            }
            let n = n_vector(lat[i].to_radians(), lon[i].to_radians());
            let (tx, ty) = self.texel(n, lon[i], lat[i]);
            let error = (tx - x[i]).hypot(ty - y[i]);
            // NaN: a stencil that leaves the domain of the projection; such places fall to the layer below.
            if !error.is_nan() {
                worst = Some(error.max(worst.unwrap_or(0.0)));
            }
        }
        worst
    }

    /// Column and row of a place; NaN outside the table or the projection's domain.
    #[inline]
    pub fn texel(&self, n: DVec3, lon_deg: f64, lat_deg: f64) -> (f64, f64) {
        let (u, v) = self.chart.flat(n, lon_deg, lat_deg);
        let fx = (u - self.origin[0]) * self.density[0];
        let fy = (v - self.origin[1]) * self.density[1];
        self.at(fx, fy)
    }

    /// Columns and rows of the nodes of a patch: [`texel`](Self::texel) for each, to rounding; `None` if the chart is that of longitudes.
    pub fn texels_of(&self, patch: &Patch) -> Option<(Vec<f64>, Vec<f64>)> {
        let Chart::Stereographic { middle, east, north } = self.chart else { return None };
        let columns = patch.columns();
        let (mut x, mut y) = (vec![0.0; patch.len()], vec![0.0; patch.len()]);
        let lines = x.chunks_exact_mut(columns).zip(y.chunks_exact_mut(columns));
        for (row, (x, y)) in lines.enumerate() {
            let planes = [middle, east, north].map(|normal| patch.plane_in_row(row, normal));
            on_chart(
                planes,
                patch.column_coordinates(),
                patch.row_coordinate(row),
                (self.origin, self.density),
                (x, y),
            );
            let around = |line: &[f64]| line.iter().fold((f64::MAX, f64::MIN), |(l, h), f| (l.min(*f), h.max(*f)));
            let ([low_x, high_x], [low_y, high_y]) = (around(x).into(), around(y).into());
            match (self.cell(low_x, low_y), self.cell(high_x, high_y)) {
                // Mostly a row lies in one cell of the table.
                (Some(cell), Some(other)) if cell == other => in_cell(&self.around(cell), cell, (x, y)),
                _ => x.iter_mut().zip(y).for_each(|(x, y)| (*x, *y) = self.at(*x, *y)),
            }
        }
        Some((x, y))
    }

    /// The first of the four nodes each way around a place of the table, in nodes; `None` outside.
    #[inline]
    fn cell(&self, fx: f64, fy: f64) -> Option<[usize; 2]> {
        let span = (self.nodes - 1) as f64;
        // A little slack for rounding at the ends; written so that NaN fails.
        let is_inside = fx >= -1e-6 && fx <= span + 1e-6 && fy >= -1e-6 && fy <= span + 1e-6;
        let first = |f: f64| (f as usize).saturating_sub(1).min(self.nodes - 4);
        is_inside.then(|| [first(fx), first(fy)])
    }

    /// The nodes of a cell and around it, row by row.
    #[inline]
    fn around(&self, [i, j]: [usize; 2]) -> [[[f64; 2]; 4]; 4] {
        let mut all = [[[0.0; 2]; 4]; 4];
        for (row, line) in all.iter_mut().enumerate() {
            line.copy_from_slice(&self.texels[(j + row) * self.nodes + i..][..4]);
        }
        all
    }

    /// Column and row at a place of the table, in nodes.
    #[inline]
    fn at(&self, fx: f64, fy: f64) -> (f64, f64) {
        self.cell(fx, fy).map_or((f64::NAN, f64::NAN), |cell| between(&self.around(cell), cell, fx, fy))
    }
}

/// The longitude at which texels along a parallel jump, if they do anywhere: where the projection begins anew.
fn seam(lat: f64, to_texel: &Transform) -> Option<f64> {
    const STEPS: usize = 720;
    let texels = |lon: &[f64]| {
        let (mut x, mut y) = (lon.to_vec(), vec![lat; lon.len()]);
        to_texel(&mut x, &mut y);
        x.into_iter().zip(y).collect::<Vec<_>>()
    };
    let jump = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
    // A step more than once around, for a seam at 180 degrees.
    let lon: Vec<f64> = (0..=STEPS + 1).map(|k| 360.0 * k as f64 / STEPS as f64 - 180.0).collect();
    let all = texels(&lon);
    let jumps = (0..=STEPS).map(|k| (jump(all[k], all[k + 1]), k)).filter(|(jump, _)| jump.is_finite());
    let (_, k) = jumps.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (mut west, mut east) = (lon[k], lon[k + 1]);
    while east - west > 1e-10 {
        let middle = 0.5 * (west + east);
        let at = texels(&[west, middle, east]);
        if jump(at[0], at[1]) > jump(at[1], at[2]) { east = middle } else { west = middle }
    }
    Some(0.5 * (west + east))
}

/// Lets the texels of a row of nodes go on from its middle to both ends, by turns round the Earth.
fn go_on(row: &mut [[f64; 2]], turn: [f64; 2]) {
    let middle = row.len() / 2;
    (middle + 1..row.len()).for_each(|at| row[at] = nearest_turn(row[at], row[at - 1], turn));
    (0..middle).rev().for_each(|at| row[at] = nearest_turn(row[at], row[at + 1], turn));
}

/// Of a column and row and those some turns round the Earth from them, the nearest to others. What is half a turn away, or no number, stays.
pub(crate) fn nearest_turn(at: [f64; 2], to: [f64; 2], turn: [f64; 2]) -> [f64; 2] {
    let along = (to[0] - at[0]) * turn[0] + (to[1] - at[1]) * turn[1];
    let turns = (along / (turn[0] * turn[0] + turn[1] * turn[1]) * (1.0 - 1e-6)).round();
    if turns.is_finite() { [at[0] + turns * turn[0], at[1] + turns * turn[1]] } else { at }
}

/// Places of a row of a patch on the stereographic chart, in nodes of a table of such an origin and density, by the planes of
/// [`Patch::plane_in_row`] to the chart's middle, east and north.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn on_chart(
    planes: [[f64; 2]; 3],
    across: &[f64],
    along: f64,
    (origin, density): ([f64; 2], [f64; 2]),
    (fx, fy): (&mut [f64], &mut [f64]),
) {
    let [middle, east, north] = planes;
    for ((fx, fy), a) in fx.iter_mut().zip(fy).zip(across) {
        let scale = 1.0 / ((1.0 + along * along + a * a).sqrt() + middle[0] + middle[1] * a);
        *fx = ((east[0] + east[1] * a) * scale - origin[0]) * density[0];
        *fy = ((north[0] + north[1] * a) * scale - origin[1]) * density[1];
    }
}

/// Columns and rows at places of a table, in nodes, that are all in one cell; in place.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn in_cell(around: &[[[f64; 2]; 4]; 4], cell: [usize; 2], (x, y): (&mut [f64], &mut [f64])) {
    x.iter_mut().zip(y).for_each(|(x, y)| (*x, *y) = between(around, cell, *x, *y));
}

/// Column and row between four nodes each way.
#[inline(always)]
fn between(around: &[[[f64; 2]; 4]; 4], [i, j]: [usize; 2], fx: f64, fy: f64) -> (f64, f64) {
    let (wx, wy) = (lagrange(fx - i as f64), lagrange(fy - j as f64));
    let (mut x, mut y) = (0.0, 0.0);
    for (line, w) in around.iter().zip(wy) {
        x += w * (wx[0] * line[0][0] + wx[1] * line[1][0] + wx[2] * line[2][0] + wx[3] * line[3][0]);
        y += w * (wx[0] * line[0][1] + wx[1] * line[1][1] + wx[2] * line[2][1] + wx[3] * line[3][1]);
    }
    (x, y)
}

/// Weights of the cubic through nodes 0, 1, 2, 3 at `t`.
#[inline(always)]
fn lagrange(t: f64) -> [f64; 4] {
    let (a, b, c, d) = (t, t - 1.0, t - 2.0, t - 3.0);
    [-b * c * d / 6.0, a * c * d / 2.0, -a * b * d / 2.0, a * b * c / 6.0]
}

/// Longitudes and latitudes in degrees of a sample of the area of a raster and of so many texels `beyond` its outermost ones,
/// those that have a place. The outermost ones are in it: beyond them the Earth may end.
pub(crate) fn outline((width, height): (usize, usize), beyond: f64, to_lon_lat: &Transform) -> Vec<(f64, f64)> {
    const SIDE: usize = 65;
    let along = |size: usize| {
        let last = size as f64 - 1.0;
        let mut all: Vec<f64> =
            (0..SIDE).map(|i| -beyond + (last + 2.0 * beyond) * i as f64 / (SIDE - 1) as f64).collect();
        all.extend([0.0, last, -OUTERMOST.min(beyond), last + OUTERMOST.min(beyond)]);
        all.sort_by(f64::total_cmp);
        all
    };
    let (columns, rows) = (along(width), along(height));
    let (mut x, mut y): (Vec<f64>, Vec<f64>) =
        rows.iter().flat_map(|row| columns.iter().map(move |column| (*column, *row))).unzip();
    to_lon_lat(&mut x, &mut y);
    x.into_iter().zip(y).filter(|(lon, lat)| lon.is_finite() && lat.abs() <= 90.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::height::angle::lon_lat_deg;
    use rand::{Rng, SeedableRng, rngs::StdRng};

    /// A polar azimuthal equidistant raster: 1000 x 1000 texels of 0.05 degrees around the north pole.
    #[test]
    fn polar_raster_is_smooth_through_the_pole() {
        let to_texel = |x: &mut [f64], y: &mut [f64]| {
            for (x, y) in x.iter_mut().zip(y) {
                let (lon, r) = (x.to_radians(), (90.0 - *y) / 0.05);
                (*x, *y) = (499.5 + r * lon.sin(), 499.5 + r * lon.cos());
            }
        };
        let to_lon_lat = |x: &mut [f64], y: &mut [f64]| {
            for (x, y) in x.iter_mut().zip(y) {
                let (dx, dy) = (*x - 499.5, *y - 499.5);
                (*x, *y) = (dx.atan2(dy).to_degrees(), 90.0 - 0.05 * dx.hypot(dy));
            }
        };
        let (table, error) = WarpTable::fit((1000, 1000), (1.0, None), &to_lon_lat, &to_texel).expect("on the Earth");
        assert!(error < 1e-3, "{error}");
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..10_000 {
            let (lon, lat): (f64, f64) = (rng.random_range(-180.0..180.0), rng.random_range(66.0..90.0));
            let n = n_vector(lat.to_radians(), lon.to_radians());
            let (l, p) = lon_lat_deg(n);
            let got = table.texel(n, l, p);
            let (mut x, mut y) = ([lon], [lat]);
            to_texel(&mut x, &mut y);
            assert!((got.0 - x[0]).hypot(got.1 - y[0]) < 2e-3, "{lon} {lat}");
        }
        assert!(table.texel(DVec3::X, 0.0, 0.0).0.is_nan());
        // Patches have the texels of their nodes, whatever their size, and beyond the table, too.
        for _ in 0..60 {
            let along = |rng: &mut StdRng| {
                let (first, step) = (rng.random_range(-0.5..0.4), 10f64.powf(rng.random_range(-6.0..-1.5)));
                (0..20).map(|k| first + step * f64::from(k)).collect()
            };
            let patch = Patch::new(4, along(&mut rng), along(&mut rng));
            let (x, y) = table.texels_of(&patch).expect("a stereographic chart");
            for node in 0..patch.len() {
                let n = patch.normal(node);
                let (lon_deg, lat_deg) = lon_lat_deg(n);
                let (a, b) = table.texel(n, lon_deg, lat_deg);
                assert!((x[node] - a).hypot(y[node] - b) < 1e-7 || a.is_nan() && x[node].is_nan(), "{a} {b}");
            }
        }
    }

    /// The whole Earth on a sinusoidal grid of any size and middle: places at both sides of its seam have their texels.
    #[test]
    fn whole_earth_rasters_are_right_up_to_their_seam() {
        let mut rng = crate::random::rng();
        for round in 0..24 {
            let (middle, width) = ([0.0, rng.random_range(-180.0..180.0)][round % 2], rng.random_range(300..6000));
            let (texel, height) = (360.0 / width as f64, width / 2);
            // Columns of nothing on its left.
            let more = if round % 3 == 0 { width / 20 } else { 0 };
            let around = |lon: f64| lon - 360.0 * (lon / 360.0).round();
            let to_texel = |x: &mut [f64], y: &mut [f64]| {
                for (x, y) in x.iter_mut().zip(y) {
                    *x = (180.0 + around(*x - middle) * y.to_radians().cos()) / texel - 0.5 + more as f64;
                    *y = (90.0 - *y) / texel - 0.5;
                }
            };
            let to_lon_lat = |x: &mut [f64], y: &mut [f64]| {
                for (x, y) in x.iter_mut().zip(y) {
                    *y = 90.0 - (*y + 0.5) * texel;
                    let lon = ((*x + 0.5 - more as f64) * texel - 180.0) / y.to_radians().cos();
                    *x = if lon.abs() <= 180.0 { around(middle + lon) } else { f64::NAN };
                }
            };
            let size = (width + more, height);
            let (table, error) = WarpTable::fit(size, (1.0, None), &to_lon_lat, &to_texel).expect("on the Earth");
            assert!(error < 0.01, "{width} columns round {middle}: {error}");
            for _ in 0..2_000 {
                let off = rng.random_range(0.01..10.0) * [-1.0, 1.0][rng.random_range(0..2)];
                let (lon, lat) = (around(middle + 180.0 + off), rng.random_range(-80.0..80.0f64));
                let n = n_vector(lat.to_radians(), lon.to_radians());
                let ((got_x, got_y), (mut x, mut y)) = (table.texel(n, lon, lat), ([lon], [lat]));
                to_texel(&mut x, &mut y);
                assert!((got_x - x[0]).hypot(got_y - y[0]) < 0.05, "{width} columns round {middle}: {lat} {lon}");
            }
        }
    }
}
