//! Which ground is seen from a place, as shaders read it? A bit for each cell of a viewshed, in one uniform buffer.

use analysis::Viewshed;
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};
use terrain::geodesy::radii_m;

/// Cells that the buffer of `shaders/viewer/seen.wgsl` holds: with what stands before them 64 KiB, which every device allows.
const WORDS: usize = 4 * 4_064;
/// Most cells on a side.
pub const MOST_SIDE: usize = 721;

/// What stands before the cells.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Header {
    up: Vec3,
    half: f32,
    east: Vec3,
    radius: f32,
    north: Vec3,
    spare: f32,
}

/// The buffer, and which viewshed is in it.
#[derive(Debug)]
pub(super) struct SeenCells {
    pub buffer: wgpu::Buffer,
    /// The number of the viewshed.
    number: u64,
}

impl SeenCells {
    /// Of nothing.
    pub fn new(device: &wgpu::Device) -> SeenCells {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("seen from a place"),
            size: (size_of::<Header>() + size_of::<u32>() * WORDS) as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        SeenCells { buffer, number: 0 }
    }

    /// Takes in a viewshed of a number, which is not 0, unless it is there; one of more than [`MOST_SIDE`] cells on a side is none.
    pub fn show(&mut self, queue: &wgpu::Queue, (number, shed, radius_m): (u64, &Viewshed, f64)) {
        if self.number == number || shed.side > MOST_SIDE {
            return;
        }
        self.number = number;
        queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(&header(shed, radius_m)));
        queue.write_buffer(&self.buffer, size_of::<Header>() as u64, bytemuck::cast_slice(&words(shed)));
    }
}

/// Where its cells are. A radian of latitude and one eastwards are as long as the ellipsoid is curved there.
fn header(shed: &Viewshed, radius_m: f64) -> Header {
    let (sin, cos) = shed.eye.lat_rad.sin_cos();
    let (sin_lon, cos_lon) = shed.eye.lon_rad.sin_cos();
    let [east_m, north_m] = radii_m(sin);
    let east = DVec3::new(-sin_lon, cos_lon, 0.0) * (east_m / shed.cell_m);
    let north = DVec3::new(-sin * cos_lon, -sin * sin_lon, cos) * (north_m / shed.cell_m);
    Header {
        up: shed.eye.normal().as_vec3(),
        half: (shed.side / 2) as f32,
        east: east.as_vec3(),
        radius: (radius_m / shed.cell_m) as f32,
        north: north.as_vec3(),
        spare: 0.0,
    }
}

/// Its cells, a bit each.
fn words(shed: &Viewshed) -> Vec<u32> {
    let mut words = vec![0_u32; WORDS];
    for (number, _) in shed.cells.iter().enumerate().filter(|(_, cell)| **cell == Viewshed::SEEN) {
        if let Some(word) = words.get_mut(number / 32) {
            *word |= 1 << (number % 32);
        }
    }
    words
}
