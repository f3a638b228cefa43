//! What are the heights around the coarse vertices of the bisection in a file? They are read with its means, while its blocks are decoded:
//! tiles of half a continent ask for all of them, and each by itself would decode a block again.

use std::f64::consts::FRAC_PI_2;

use rustc_hash::FxHashMap;

use super::{
    super::{
        angle::lon_lat_deg,
        elevation_source::Spacing,
        gdal_read::Window,
        kernel::{Interpolation, bilinear, monotone_bicubic},
        parts::are_far,
        raster::{BORDER, RIM, RasterSample},
    },
    Mosaic,
};
use crate::{
    bisection::LATTICE_LEVEL,
    cube::{FACES, face_normal, face_of},
    geodesy::n_vector,
};

/// The lattice whose vertices count: the one whose tiles cover the most files.
const LEVEL: u32 = LATTICE_LEVEL;
/// Texels along the side of what is read around a cell: those that decide about heights in it.
const SIDE: usize = 2 * RIM + 2;
/// Texels along the side of what is kept of it: those of the kernel.
const KEPT: usize = 2 * BORDER;
/// Steps along the sides of a file by which it is found on the faces of the cube.
const STEPS: u32 = 16;

/// Texels around cells of a file, far from voids and from the file's sides.
#[derive(Debug, Default)]
pub(super) struct VertexCells(FxHashMap<[u32; 2], [f32; KEPT * KEPT]>);

impl VertexCells {
    /// Of what was read around cells.
    pub fn of(cells: &[[usize; 2]], read: &[Vec<f32>]) -> Self {
        let kept = |texels: &Vec<f32>| {
            let is_whole = texels.len() == SIDE * SIDE && texels.iter().all(|height| !height.is_nan());
            let first = RIM + 1 - BORDER;
            is_whole.then(|| std::array::from_fn(|at| texels[(first + at / KEPT) * SIDE + first + at % KEPT]))
        };
        Self(
            cells.iter().zip(read).filter_map(|(cell, texels)| Some((cell.map(|k| k as u32), kept(texels)?))).collect(),
        )
    }

    /// Column, row and texels of each cell, one after the other.
    pub fn values(&self) -> Vec<f32> {
        let cell = |(at, texels): (&[u32; 2], &[f32; KEPT * KEPT])| {
            at.map(f32::from_bits).into_iter().chain(*texels).collect::<Vec<f32>>()
        };
        self.0.iter().flat_map(cell).collect()
    }

    /// Cells of their values; `None` if some are missing.
    pub fn of_values(values: &[f32]) -> Option<Self> {
        let (cells, rest) = values.as_chunks::<{ 2 + KEPT * KEPT }>();
        let cell = |cell: &[f32; 2 + KEPT * KEPT]| {
            let texels = std::array::from_fn(|at| cell[2 + at]);
            ([cell[0].to_bits(), cell[1].to_bits()], texels)
        };
        rest.is_empty().then(|| Self(cells.iter().map(cell).collect()))
    }

    /// The height at a column and row, if it lies in one of the cells.
    pub fn sample(&self, interpolation: Interpolation, [x, y]: [f64; 2]) -> Option<RasterSample> {
        let [column, row] = [x, y].map(f64::floor);
        // Negative ones are in no cell: cells lie inside of the file.
        let texels = self.0.get(&[column as u32, row as u32])?;
        let kernel = match interpolation {
            Interpolation::Cubic => monotone_bicubic,
            Interpolation::Bilinear => bilinear,
        };
        Some(RasterSample::whole(kernel(texels, 0, KEPT, x - column, y - row)))
    }

    pub fn bytes(&self) -> usize {
        self.0.len() * size_of::<([u32; 2], [f32; KEPT * KEPT])>()
    }
}

/// What is to be read around cells.
pub(super) fn windows(cells: &[[usize; 2]]) -> Vec<Window> {
    let window =
        |[column, row]: &[usize; 2]| Window { column: column - RIM, row: row - RIM, columns: SIDE, rows: SIDE };
    cells.iter().map(window).collect()
}

impl Mosaic {
    /// Columns and rows of the cells of a member that the lattice's vertices lie in, row by row; none where so many would take more memory
    /// than the member's means, or where vertices are as close as the member's postings and all of it is read for them.
    pub(super) fn vertex_cells(&self, k: u32) -> Vec<[usize; 2]> {
        let header = &self.members[k as usize].header;
        let apart_m = self.ellipsoid().semi_major_m() * FRAC_PI_2 / f64::from(1u32 << LEVEL);
        if !are_far(Spacing::Grid(apart_m), header.info.posting_m) || !self.has_parts(k) {
            return Vec::new();
        }
        let most = self.overview * self.overview / (KEPT * KEPT);
        let extent_m = header.info.grid.map(|n| n as f64 * header.info.posting_m);
        if extent_m[0] * extent_m[1] > apart_m * apart_m * most as f64 {
            return Vec::new();
        }
        let mut cells = Vec::new();
        for (face, ranges) in (0..FACES).zip(on_faces(header.reach_deg)) {
            let Some([across, down]) = ranges else { continue };
            for v in down[0]..=down[1] {
                cells.extend((across[0]..=across[1]).filter_map(|u| self.cell_of(k, (face, u, v))));
            }
        }
        cells.sort_unstable_by_key(|[column, row]| (*row, *column));
        cells.dedup();
        cells
    }

    /// Column and row of a member's cell around a vertex of a face, if all that decides about its heights is the member's.
    fn cell_of(&self, k: u32, (face, u, v): (u32, u32, u32)) -> Option<[usize; 2]> {
        let along = |i: u32| f64::from(i) / f64::from(1u32 << (LEVEL - 1)) - 1.0;
        let n = face_normal(face, along(u), along(v));
        let (lon_deg, lat_deg) = lon_lat_deg(n);
        let (x, y) = self.texel(k, n, lon_deg, lat_deg)?;
        let within = |x: f64, size: usize| x >= RIM as f64 && x + 2.0 + RIM as f64 <= size as f64;
        let [columns, rows] = self.members[k as usize].header.info.grid;
        (within(x, columns) && within(y, rows)).then(|| [x, y].map(|k| k as usize))
    }
}

/// On each face, the first and the last column and row of vertices that may lie in a box of degrees: west, south, east, north.
fn on_faces([west, south, east, north]: [f64; 4]) -> [Option<[[u32; 2]; 2]>; FACES as usize] {
    let most = 1u32 << LEVEL;
    let mut ranges: [Option<[[u32; 2]; 2]>; FACES as usize] = [None; FACES as usize];
    for at in 0..(STEPS + 1) * (STEPS + 1) {
        let part = [at % (STEPS + 1), at / (STEPS + 1)].map(|k| f64::from(k) / f64::from(STEPS));
        let (lon, lat) = (west + (east - west) * part[0], south + (north - south) * part[1]);
        let (face, s, t) = face_of(n_vector(lat.clamp(-90.0, 90.0).to_radians(), lon.to_radians()));
        let found = [s, t].map(|s| {
            let at = (s + 1.0) / 2.0 * f64::from(most);
            // Between the steps the box may reach a little farther.
            [(at.floor() as u32).saturating_sub(1), (at.ceil() as u32 + 1).min(most)]
        });
        let range = ranges[face as usize].get_or_insert(found);
        for ([low, high], [from, to]) in range.iter_mut().zip(found) {
            (*low, *high) = ((*low).min(from), (*high).max(to));
        }
    }
    ranges
}
