//! Where on the Earth is a raster of a geotransform and a coordinate reference system?
//!
//! Longitude-latitude rasters on WGS84 (or on a datum that differs by less than a fiftieth of a texel) are placed by their
//! geotransform alone; others by a table of what PROJ answers. Who asks PROJ is no matter: GDAL of a file, Python of an array.

use glam::DVec3;

#[cfg(feature = "gdal")]
use super::layer_info::LayerInfo;
use super::{
    diagnostics::Diagnostics,
    layer::{PlacedRaster, metres_per_degree, wrap},
    placement::{Affine, Placement, invert},
    raster::{NoBorder, Raster},
    vertical_axis::Datum,
    warp_table::{OUTERMOST, Transform, WORST_TEXELS, WarpTable, nearest_turn, outline},
};
use crate::geodesy::{Ellipsoid, n_vector};

/// Shift in texels below which a geographic datum counts as WGS84.
const SAME_DATUM_TEXELS: f64 = 0.02;

/// Points along each side of a raster at which two systems are compared.
const RIM_POINTS: usize = 17;

/// Texels within which two rasters lie on one lattice.
#[cfg(feature = "gdal")]
const SAME_LATTICE_TEXELS: f64 = 0.01;

/// A coordinate reference system, x east and y north, by what it transforms.
pub(crate) struct CoordinateSystem<'a> {
    pub name: &'a str,
    /// What it is on.
    pub ellipsoid: Ellipsoid,
    /// What heights in it are measured from.
    pub datum: Datum,
    /// Whether its axes are longitude and latitude of its datum, in degrees.
    pub is_geographic: bool,
    /// To longitude and latitude on WGS84, or on the ellipsoid of another planet.
    pub to_wgs84: &'a Transform<'a>,
    /// Makes the inverse.
    pub from_wgs84: &'a dyn Fn() -> Result<Box<Transform<'a>>, String>,
}

/// A raster's place, before its heights are read.
#[derive(Debug)]
pub(crate) struct Georeference {
    pub crs: String,
    /// What it is on.
    pub ellipsoid: Ellipsoid,
    /// What heights are measured from.
    pub datum: Datum,
    pub posting_m: f64,
    /// Of the raster.
    pub bbox_deg: [f64; 4],
    /// Texels over which it goes over to what lies below, beyond its sides.
    pub feather: u32,
    /// Of the raster and its feather.
    pub reach_deg: [f64; 4],
    geo_transform: [f64; 6],
    /// Maps places to texels.
    pub placement: Placement,
    /// Middle and cosine of the radius of a cap that holds the raster and its feather.
    pub cap: Option<(DVec3, f64)>,
    /// Longitude and latitude in degrees of points one texel beyond the top, bottom, left and right side; NaN off the Earth.
    #[cfg_attr(not(feature = "gdal"), allow(dead_code))]
    rim: [[(f64, f64); RIM_POINTS]; 4],
}

impl Georeference {
    /// The place of a raster of `grid` texels. `feather` says over how many texels one of some posting goes over to what lies below.
    /// The error says in words why it has none.
    pub fn of(
        g: [f64; 6],
        grid: (usize, usize),
        system: CoordinateSystem<'_>,
        feather: impl Fn(f64) -> u32,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, String> {
        let degenerate = || "its geotransform is degenerate".to_owned();
        let inverse = invert(g).ok_or_else(degenerate)?;
        let to_lon_lat = |x: &mut [f64], y: &mut [f64]| {
            to_own_coordinates(g, x, y);
            (system.to_wgs84)(x, y);
        };
        let goes_around = wrap(g, grid.0, grid.1).is_some();
        let shift = if system.is_geographic { shift_texels(g, inverse, grid, system.to_wgs84) } else { f64::INFINITY };
        if system.is_geographic && goes_around && shift >= SAME_DATUM_TEXELS {
            diagnostics
                .notes
                .push(format!("goes around the Earth on another datum: its shift of {shift:.2} texels is ignored"));
        }
        let plain = system.is_geographic && (goes_around || shift < SAME_DATUM_TEXELS);
        let posting_m = posting_m(system.ellipsoid, grid, &to_lon_lat);
        if posting_m < LEAST_POSTING_M {
            return Err(format!("{posting_m:e} m from one height to the next is less than places are told apart by"));
        }
        let feather = feather(posting_m);
        let beyond = f64::from(feather) + 1.0;
        let (placement, area, poles) = if plain {
            let affine = |x: &mut [f64], y: &mut [f64]| {
                to_own_coordinates(g, x, y);
                y.iter_mut().for_each(|y| *y = y.clamp(-90.0, 90.0));
            };
            let placement = Affine::from_geo_transform(g, grid.0, grid.1).ok_or_else(degenerate)?;
            let area = [OUTERMOST, beyond].map(|beyond| outline(grid, beyond, &affine));
            // Corners say how far it goes.
            (Placement::Geographic(placement), area, [[false; 2]; 2])
        } else {
            let from_wgs84 = (system.from_wgs84)()?;
            let to_texel = |x: &mut [f64], y: &mut [f64]| {
                from_wgs84(x, y);
                for (x, y) in x.iter_mut().zip(y.iter_mut()) {
                    let (p, l) = (
                        inverse[0] + inverse[1] * *x + inverse[2] * *y,
                        inverse[3] + inverse[4] * *x + inverse[5] * *y,
                    );
                    (*x, *y) = (p - 0.5, l - 0.5);
                }
            };
            let turn = turn_texels(grid, beyond, &to_lon_lat, &to_texel);
            let middle = [grid.0, grid.1].map(|size| 0.5 * size as f64 - 0.5);
            let to_texel = |x: &mut [f64], y: &mut [f64]| {
                to_texel(x, y);
                if let Some(turn) = turn {
                    x.iter_mut().zip(y).for_each(|(x, y)| [*x, *y] = nearest_turn([*x, *y], middle, turn));
                }
            };
            let fit = WarpTable::fit(grid, (beyond, turn), &to_lon_lat, &to_texel);
            let (table, error) = fit.ok_or("no part of the raster is on the Earth")?;
            if error > WORST_TEXELS {
                return Err(format!("it is placed only to {error:.1} texels"));
            }
            let area = [OUTERMOST, beyond].map(|beyond| outline(grid, beyond, &to_lon_lat));
            (Placement::Table(table), area, [OUTERMOST, beyond].map(|beyond| poles_within(grid, beyond, &to_texel)))
        };
        let [area, reach] = area;
        let bbox_deg = if plain { corner_bounds(g, grid) } else { bounds(&area, poles[0]) };
        let reach_deg =
            if plain { widened(bbox_deg, [g[1], g[2], g[4], g[5]], beyond) } else { bounds(&reach, poles[1]) };
        if plain && (g[3] + g[4] * grid.0 as f64 + g[5] * grid.1 as f64).abs().max(g[3].abs()) > 91.0 {
            diagnostics.remarks.push("latitudes beyond 90 degrees: the axes may be in the wrong order".to_owned());
        }
        Ok(Self {
            ellipsoid: system.ellipsoid,
            datum: system.datum,
            posting_m,
            bbox_deg,
            feather,
            reach_deg,
            geo_transform: g,
            placement,
            rim: if plain { rim(grid, &|x, y| to_own_coordinates(g, x, y)) } else { rim(grid, &to_lon_lat) },
            cap: cap(&reach),
            crs: system.name.to_owned(),
        })
    }

    /// Columns and rows of this raster at which another one begins, if its texels lie where those of this one would go on: one for each
    /// turn round the Earth at which it does. Both are given with their columns and rows.
    #[cfg(feature = "gdal")]
    pub fn offsets_of(&self, grid: [usize; 2], (other, other_grid): (&Self, [usize; 2])) -> Vec<[i64; 2]> {
        let in_degrees = self.geographic().is_some();
        let Some(inverse) = invert(self.geo_transform) else { return Vec::new() };
        if in_degrees != other.geographic().is_some() || (!in_degrees && self.crs != other.crs) {
            return Vec::new();
        }
        let [w, h] = other_grid.map(|n| n as f64);
        let turns: &[f64] = if in_degrees { &[-360.0, 0.0, 360.0] } else { &[0.0] };
        let offset = |turn: &f64| {
            let o = other.geo_transform;
            // From a corner of its texels to columns and rows of this raster, as far from its first corner.
            let corner = |[p, l]: [f64; 2]| {
                let (x, y) = (o[0] + turn + o[1] * p + o[2] * l, o[3] + o[4] * p + o[5] * l);
                [inverse[0] + inverse[1] * x + inverse[2] * y - p, inverse[3] + inverse[4] * x + inverse[5] * y - l]
            };
            let first = corner([0.0, 0.0]).map(f64::round);
            let is_there = |corner: [f64; 2]| (0..2).all(|k| (corner[k] - first[k]).abs() < SAME_LATTICE_TEXELS);
            let found = [[0.0, 0.0], [w, 0.0], [0.0, h], [w, h]].into_iter().all(|at| is_there(corner(at)));
            (found && (in_degrees || self.agrees(grid, other, other_grid, first)))
                .then(|| first.map(|offset| offset as i64))
        };
        turns.iter().filter_map(offset).collect()
    }

    /// Whether places around another raster lie here where an offset of columns and rows has them: systems of one name may be two.
    #[cfg(feature = "gdal")]
    fn agrees(&self, grid: [usize; 2], other: &Self, other_grid: [usize; 2], offset: [f64; 2]) -> bool {
        let mut seen = 0;
        let all = rim_texels((other_grid[0], other_grid[1])).into_iter().flatten().zip(other.rim.iter().flatten());
        for ((column, row), (lon_deg, lat_deg)) in all {
            let expected = [offset[0] + column, offset[1] + row];
            if !(0..2).all(|k| (-1.5..=grid[k] as f64 + 0.5).contains(&expected[k])) {
                continue;
            }
            let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
            let (x, y) = self.placement.texel(n, *lon_deg, *lat_deg);
            // Written so that NaN fails.
            if !((x - expected[0]).abs() < WORST_TEXELS && (y - expected[1]).abs() < WORST_TEXELS) {
                return false;
            }
            seen += 1;
        }
        seen > 0
    }

    /// The geotransform of a raster whose axes are longitude and latitude.
    pub fn geographic(&self) -> Option<[f64; 6]> {
        matches!(self.placement, Placement::Geographic(_)).then_some(self.geo_transform)
    }

    /// The place of a raster whose axes are longitude and latitude, by what is known of it.
    #[cfg(feature = "gdal")]
    pub fn geographic_of(
        info: &LayerInfo,
        cap: Option<(DVec3, f64)>,
        (feather, reach_deg): (u32, [f64; 4]),
        geo_transform: [f64; 6],
    ) -> Option<Self> {
        let [columns, rows] = info.grid;
        Some(Self {
            crs: info.crs.clone(),
            ellipsoid: info.ellipsoid,
            datum: Datum::default(),
            posting_m: info.posting_m,
            bbox_deg: info.bbox_deg,
            feather,
            reach_deg,
            geo_transform,
            placement: Placement::Geographic(Affine::from_geo_transform(geo_transform, columns, rows)?),
            cap,
            rim: rim((columns, rows), &|x, y| to_own_coordinates(geo_transform, x, y)),
        })
    }

    /// Puts heights of `grid` texels there, of which those between two are believed.
    pub fn with_heights(self, values: Vec<f32>, [columns, rows]: [usize; 2], believed_m: (f64, f64)) -> PlacedRaster {
        let around = self.geographic().and_then(|g| wrap(g, columns, rows));
        let raster = Raster::joined(columns, rows, values, around, (self.feather, believed_m), &NoBorder);
        let Self { placement, cap, reach_deg: bbox_deg, posting_m, .. } = self;
        PlacedRaster { raster, placement, cap, bbox_deg, posting_m }
    }
}

/// From columns and rows to the raster's own coordinates.
fn to_own_coordinates(g: [f64; 6], x: &mut [f64], y: &mut [f64]) {
    for (x, y) in x.iter_mut().zip(y.iter_mut()) {
        let (p, l) = (*x + 0.5, *y + 0.5);
        (*x, *y) = (g[0] + g[1] * p + g[2] * l, g[3] + g[4] * p + g[5] * l);
    }
}

/// Columns and rows that a turn round the Earth is, if some of a raster or of a table of it, so many texels `beyond` its sides, lies across
/// the meridian where coordinates of its system begin anew: there PROJ answers with those on the other side.
fn turn_texels(grid: (usize, usize), beyond: f64, to_lon_lat: &Transform, to_texel: &Transform) -> Option<[f64; 2]> {
    const SIDE: usize = 17;
    // A table reaches a little farther than the outline that it is made for.
    let at = |i: usize, size: usize| {
        let reach = beyond + 0.05 * (size as f64 + 2.0 * beyond);
        (size as f64 + 2.0 * reach) * i as f64 / (SIDE - 1) as f64 - 0.5 - reach
    };
    let texels = (0..SIDE * SIDE).map(|i| (at(i % SIDE, grid.0), at(i / SIDE, grid.1)));
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = texels.clone().unzip();
    to_lon_lat(&mut x, &mut y);
    to_texel(&mut x, &mut y);
    let off = texels.zip(x.into_iter().zip(y)).map(|(at, (x, y))| (at, [at.0 - x, at.1 - y]));
    let far: Vec<((f64, f64), [f64; 2])> = off.filter(|(_, [x, y])| x.hypot(*y) > 1.0).collect();
    let (place, turn) = *far.first()?;
    // Half of it is on the other side of the Earth: what is not is an error of PROJ's, or another sheet of a projection.
    let (mut x, mut y) = ([place.0, place.0 - 0.5 * turn[0]], [place.1, place.1 - 0.5 * turn[1]]);
    to_lon_lat(&mut x, &mut y);
    let is_opposite = (x[1] - x[0]).to_radians().cos() < -0.5;
    let is_turn = |[x, y]: &[f64; 2]| {
        let sign = (x * turn[0] + y * turn[1]).signum();
        (sign * x - turn[0]).hypot(sign * y - turn[1]) < 1.0
    };
    (is_opposite && far.iter().all(|(_, off)| is_turn(off))).then_some(turn)
}

/// Largest distance, in texels, between a geographic raster's own coordinates and WGS84.
fn shift_texels(g: [f64; 6], inverse: [f64; 6], grid: (usize, usize), to_wgs84: &Transform) -> f64 {
    let points = (0..9).map(|i| (grid.0 as f64 * f64::from(i % 3) / 2.0, grid.1 as f64 * f64::from(i / 3) / 2.0));
    let (own_x, own_y): (Vec<f64>, Vec<f64>) =
        points.map(|(p, l)| (g[0] + g[1] * p + g[2] * l, (g[3] + g[4] * p + g[5] * l).clamp(-89.0, 89.0))).unzip();
    let (mut x, mut y) = (own_x.clone(), own_y.clone());
    to_wgs84(&mut x, &mut y);
    (0..x.len())
        .map(|i| {
            let dx = x[i] - own_x[i];
            let (dx, dy) = (dx - 360.0 * (dx / 360.0).round(), y[i] - own_y[i]);
            let shift = (inverse[1] * dx + inverse[2] * dy).hypot(inverse[4] * dx + inverse[5] * dy);
            if shift.is_nan() { f64::INFINITY } else { shift }
        })
        .fold(0.0, f64::max)
}

/// Postings are as far apart at least, metres: longitudes and latitudes are told apart by a nanometre.
const LEAST_POSTING_M: f64 = 1e-6;

/// Distance of postings in the middle of the raster, the longer axis, in metres.
fn posting_m(ellipsoid: Ellipsoid, grid: (usize, usize), to_lon_lat: &Transform) -> f64 {
    let (cx, cy) = ((grid.0 as f64 - 1.0) / 2.0, (grid.1 as f64 - 1.0) / 2.0);
    let (mut x, mut y) = ([cx, cx + 1.0, cx], [cy, cy, cy + 1.0]);
    to_lon_lat(&mut x, &mut y);
    let n = [0, 1, 2].map(|i| n_vector(y[i].to_radians(), x[i].to_radians()));
    let longer = (n[1] - n[0]).length().max((n[2] - n[0]).length());
    longer.to_degrees() * metres_per_degree(ellipsoid)
}

/// West, south, east, north of a longitude-latitude raster's edges in degrees, at most one turn.
fn corner_bounds(g: [f64; 6], grid: (usize, usize)) -> [f64; 4] {
    let (w, h) = (grid.0 as f64, grid.1 as f64);
    let span = |origin: f64, dp: f64, dl: f64| {
        let ends = [0.0, dp * w, dl * h, dp * w + dl * h];
        let low = ends.into_iter().fold(f64::INFINITY, f64::min);
        (origin + low, origin + ends.into_iter().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((west, east), (south, north)) = (span(g[0], g[1], g[2]), span(g[3], g[4], g[5]));
    let turns = 360.0 * ((west + 180.5) / 360.0).floor();
    [west - turns, south.max(-90.0), (east - turns).min(west - turns + 360.0), north.min(90.0)]
}

/// A box in degrees with so many texels more around it, for the steps of a geotransform.
fn widened([west, south, east, north]: [f64; 4], [ap, al, bp, bl]: [f64; 4], texels: f64) -> [f64; 4] {
    let (dx, dy) = (texels * (ap.abs() + al.abs()), texels * (bp.abs() + bl.abs()));
    let (west, width) = (west - dx, (east - west + 2.0 * dx).min(360.0));
    [west, (south - dy).max(-90.0), west + width, (north + dy).min(90.0)]
}

/// Whether the south and the north pole are points within a raster and so many texels `beyond` its outermost ones: where they are not, as in
/// cylindrical systems, places round a pole lie far apart.
fn poles_within((columns, rows): (usize, usize), beyond: f64, to_texel: &Transform) -> [bool; 2] {
    /// Degrees from the pole: a centimetre on the Earth.
    const BESIDE: f64 = 1e-7;
    [-90.0 + BESIDE, 90.0 - BESIDE].map(|lat| {
        let mut x: [f64; 8] = std::array::from_fn(|k| 45.0 * k as f64 - 180.0);
        let mut y = [lat; 8];
        to_texel(&mut x, &mut y);
        let is_within = |at: f64, size: usize| at > -beyond && at < size as f64 - 1.0 + beyond;
        let is_one_place = |at: &[f64; 8]| at.iter().all(|a| (a - at[0]).abs() < 1.0);
        x.iter().all(|x| is_within(*x, columns))
            && y.iter().all(|y| is_within(*y, rows))
            && is_one_place(&x)
            && is_one_place(&y)
    })
}

/// West, south, east, north of points in degrees, east beyond 180 where they cross the antimeridian. Around a pole that is among them lie all
/// longitudes.
fn bounds(area: &[(f64, f64)], [has_south_pole, has_north_pole]: [bool; 2]) -> [f64; 4] {
    let Some(&(mid, _)) = area.get(area.len() / 2) else { return [0.0; 4] };
    let mut b = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    for &(lon, lat) in area {
        let lon = mid + (lon - mid - 360.0 * ((lon - mid) / 360.0).round());
        b = [b[0].min(lon), b[1].min(lat), b[2].max(lon), b[3].max(lat)];
    }
    if has_south_pole || has_north_pole {
        return [-180.0, if has_south_pole { -90.0 } else { b[1] }, 180.0, if has_north_pole { 90.0 } else { b[3] }];
    }
    let turns = 360.0 * ((b[0] + 180.0) / 360.0).floor();
    [b[0] - turns, b[1], b[2] - turns, b[3]]
}

/// Longitudes and latitudes of places one texel beyond the sides of a raster.
fn rim(grid: (usize, usize), to_lon_lat: &Transform) -> [[(f64, f64); RIM_POINTS]; 4] {
    rim_texels(grid).map(|side| {
        let (mut x, mut y): (Vec<f64>, Vec<f64>) = side.into_iter().unzip();
        to_lon_lat(&mut x, &mut y);
        std::array::from_fn(|k| (x[k], y[k]))
    })
}

/// Columns and rows of places one texel beyond the sides of a raster: top, bottom, left, right.
fn rim_texels(grid: (usize, usize)) -> [[(f64, f64); RIM_POINTS]; 4] {
    let (columns, rows) = (grid.0 as f64, grid.1 as f64);
    let along = |k: usize, size: f64| (size - 1.0) * k as f64 / (RIM_POINTS - 1) as f64;
    [
        std::array::from_fn(|k| (along(k, columns), -1.0)),
        std::array::from_fn(|k| (along(k, columns), rows)),
        std::array::from_fn(|k| (-1.0, along(k, rows))),
        std::array::from_fn(|k| (columns, along(k, rows))),
    ]
}

/// Middle and cosine of the radius of a cap that holds the points with some room; `None` if it would hold half the Earth.
fn cap(area: &[(f64, f64)]) -> Option<(DVec3, f64)> {
    let normals: Vec<DVec3> = area.iter().map(|(lon, lat)| n_vector(lat.to_radians(), lon.to_radians())).collect();
    let middle = normals.iter().sum::<DVec3>().try_normalize()?;
    // The chord is accurate for small rasters, the dot product is not.
    let chord = normals.iter().map(|n| (*n - middle).length()).fold(0.0, f64::max);
    let radius = 2.0 * (0.5 * chord).min(1.0).asin() * 1.05 + 1e-6;
    (radius < 1.5).then(|| (middle, radius.cos()))
}
