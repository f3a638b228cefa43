//! What is known of the cells around a place, as shaders read it? Whether each is seen from there, or its hours of sun, in one uniform buffer.

use analysis::{Grid, Viewshed};
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};
use terrain::geodesy::{Ellipsoid, Geodetic};

/// Words of cells that the buffer of `shaders/viewer/place_cells.wgsl` holds: with what stands before them 64 KiB, which every device allows.
const WORDS: usize = 4 * 4_064;
/// Most cells of a viewshed on a side.
pub const MOST_SIDE: usize = 721;
/// Most cells with hours of sun on a side.
pub const MOST_SUN_SIDE: usize = 253;
/// Hours that the largest value of a cell stands for.
const HOURS: f32 = 24.0;

/// What is known of the cells around a place.
#[derive(Debug, Clone, Copy)]
pub enum PlaceCells<'a> {
    /// Whether they are seen from it, within a radius in metres.
    Seen(&'a Viewshed, f64),
    /// Hours of sun of cells of a grid, the northernmost row first, within a radius in metres; the most that the colours are for.
    SunHours(&'a Grid, &'a [f32], f64, f32),
}

/// What stands before the cells.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Header {
    up: Vec3,
    half: f32,
    east: Vec3,
    radius: f32,
    north: Vec3,
    most_hours: f32,
}

/// The buffer, and which cells are in it.
#[derive(Debug)]
pub(super) struct PlaceCellsBuffer {
    pub buffer: wgpu::Buffer,
    /// Whether they are hours of sun, and their number.
    shown: Option<(bool, u64)>,
}

impl PlaceCellsBuffer {
    /// Of nothing.
    pub fn new(device: &wgpu::Device) -> PlaceCellsBuffer {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("cells around a place"),
            size: (size_of::<Header>() + size_of::<u32>() * WORDS) as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        PlaceCellsBuffer { buffer, shown: None }
    }

    /// Takes in cells of a number unless they are there; more on a side than [`MOST_SIDE`] or [`MOST_SUN_SIDE`] are none.
    pub fn show(&mut self, queue: &wgpu::Queue, number: u64, cells: PlaceCells<'_>) -> bool {
        let shown = Some((matches!(cells, PlaceCells::SunHours(..)), number));
        if self.shown == shown {
            return false;
        }
        let (header, words) = match cells {
            PlaceCells::Seen(shed, radius_m) if shed.side <= MOST_SIDE => {
                (header(shed.ellipsoid, shed.eye, (shed.side, shed.cell_m), radius_m), bits(shed))
            }
            PlaceCells::SunHours(grid, hours, radius_m, most_hours) if grid.columns <= MOST_SUN_SIDE => {
                let header = header(grid.ellipsoid, grid.middle, (grid.columns, grid.cell_m), radius_m);
                (Header { most_hours, ..header }, bytes(hours))
            }
            _ => return false,
        };
        self.shown = shown;
        queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(&header));
        queue.write_buffer(&self.buffer, size_of::<Header>() as u64, bytemuck::cast_slice(&words));
        true
    }
}

/// Where cells around a place are. A radian of latitude and one eastwards are as long as the ellipsoid is curved there.
fn header(ellipsoid: Ellipsoid, place: Geodetic, (side, cell_m): (usize, f64), radius_m: f64) -> Header {
    let (sin, cos) = place.lat_rad.sin_cos();
    let (sin_lon, cos_lon) = place.lon_rad.sin_cos();
    let [east_m, north_m] = ellipsoid.radii_m(sin);
    let east = DVec3::new(-sin_lon, cos_lon, 0.0) * (east_m / cell_m);
    let north = DVec3::new(-sin * cos_lon, -sin * sin_lon, cos) * (north_m / cell_m);
    Header {
        up: place.normal().as_vec3(),
        half: (side / 2) as f32,
        east: east.as_vec3(),
        radius: (radius_m / cell_m) as f32,
        north: north.as_vec3(),
        most_hours: 0.0,
    }
}

/// Whether cells are seen, a bit each.
fn bits(shed: &Viewshed) -> Vec<u32> {
    let mut words = vec![0_u32; WORDS];
    for (number, _) in shed.cells.iter().enumerate().filter(|(_, cell)| **cell == Viewshed::SEEN) {
        if let Some(word) = words.get_mut(number / 32) {
            *word |= 1 << (number % 32);
        }
    }
    words
}

/// Hours of cells, a byte each.
fn bytes(hours: &[f32]) -> Vec<u32> {
    let mut words = vec![0_u32; WORDS];
    let value = |hours: &f32| (hours / HOURS * 255.0).round() as u8;
    for (word, four) in words.iter_mut().zip(hours.chunks(4)) {
        *word = four.iter().rev().fold(0, |word, hours| word << 8 | u32::from(value(hours)));
    }
    words
}
