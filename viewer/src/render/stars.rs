//! Which stars are near a ray into the sky? A cube of cells around the Earth, each with the brightest ones in it and around it, and the list of
//! stars, as one texture. `shaders/viewer/star_cells.wgsl` is generated from this file, which a test compares.

use glam::{DVec3, UVec2, Vec3};
use half::f16;
use kernels::device;
use orogen_data::STARS_CSV;
use terrain::geodesy::n_vector;

/// Cells along the side of a face of the cube; columns of the texture.
#[device]
const STAR_CELLS: u32 = 128;
/// Stars of a cell.
#[device]
const STARS_OF_CELL: u32 = 4;
/// How far from a star its light is drawn, radians: half of a cell in the middle of a face.
#[device]
const STAR_REACH_RAD: f32 = 0.006;

/// Rows of cells: below them is the list of stars.
const CELL_ROWS: u32 = 6 * STAR_CELLS;

/// The texel of the cell around a direction: faces are below each other, those of +x, -x, +y, -y, +z, -z.
#[device]
fn star_cell(n: Vec3) -> UVec2 {
    let a = n.abs();
    let mut face: u32 = if n.x < 0.0 { 1 } else { 0 };
    let mut turned = Vec3::new(a.x, n.y, n.z);
    if a.y > a.x && a.y >= a.z {
        face = if n.y < 0.0 { 3 } else { 2 };
        turned = Vec3::new(a.y, n.z, n.x);
    } else if a.z > a.x && a.z > a.y {
        face = if n.z < 0.0 { 5 } else { 4 };
        turned = Vec3::new(a.z, n.x, n.y);
    }
    let side = STAR_CELLS as f32;
    let across = (side * (0.5 + 0.5 * turned.y / turned.x)).clamp(0.0, side - 1.0);
    let down = (side * (0.5 + 0.5 * turned.z / turned.x)).clamp(0.0, side - 1.0);
    UVec2::new(across as u32, down as u32 + STAR_CELLS * face)
}

/// A star: unit direction by equator and equinox of J2000, magnitude, and colour index B-V.
#[derive(Debug, Clone, Copy)]
struct Star {
    toward: DVec3,
    magnitude: f32,
    colour_index: f32,
}

impl Star {
    /// As the shader reads it.
    fn texel(&self) -> [u32; 4] {
        let [x, y, z] = self.toward.as_vec3().to_array().map(f32::to_bits);
        let half = |value: f32| u32::from(f16::from_f32(value).to_bits());
        [x, y, z, half(self.magnitude) | half(self.colour_index) << 16]
    }
}

/// The stars that ship with the program, the brightest first.
fn catalogue() -> impl Iterator<Item = Star> {
    STARS_CSV.lines().skip(1).filter_map(|line| {
        let mut values = line.split(',').map_while(|word| word.parse::<f64>().ok());
        let (ra, dec) = (values.next()?.to_radians(), values.next()?.to_radians());
        let (magnitude, colour_index) = (values.next()? as f32, values.next()? as f32);
        Some(Star { toward: n_vector(dec, ra), magnitude, colour_index })
    })
}

/// The texels of cells and stars, and how many rows. A cell holds numbers of texels of stars, then zeros.
fn texels(stars: &[Star]) -> (Vec<[u32; 4]>, u32) {
    let rows = CELL_ROWS + (stars.len() as u32).div_ceil(STAR_CELLS);
    let mut texels = vec![[0; 4]; (STAR_CELLS * rows) as usize];
    let first = STAR_CELLS * CELL_ROWS;
    for (star, number) in stars.iter().zip(first..) {
        texels[number as usize] = star.texel();
        // Points around it as close as cells are to each other: none that its light reaches is between them.
        let (across, down) = star.toward.any_orthonormal_pair();
        for k in 0..81 {
            let step = |k: i32| f64::from(k - 4) / 4.0 * f64::from(STAR_REACH_RAD) * 1.05;
            let place = (star.toward + across * step(k % 9) + down * step(k / 9)).normalize();
            let cell = star_cell(place.as_vec3());
            let found = &mut texels[(cell.y * STAR_CELLS + cell.x) as usize];
            if !found.contains(&number)
                && let Some(free) = found.iter_mut().find(|number| **number == 0)
            {
                *free = number;
            }
        }
    }
    (texels, rows)
}

/// The texture that the sky's shader reads.
#[derive(Debug)]
pub(super) struct Stars {
    pub view: wgpu::TextureView,
}

impl Stars {
    /// Uploads it.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Stars {
        let (texels, rows) = texels(&catalogue().collect::<Vec<_>>());
        let size = wgpu::Extent3d { width: STAR_CELLS, height: rows, depth_or_array_layers: 1 };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("stars"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba32Uint,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        queue.write_texture(
            texture.as_image_copy(),
            bytemuck::cast_slice(&texels),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(16 * STAR_CELLS), rows_per_image: Some(rows) },
            size,
        );
        Stars { view: texture.create_view(&wgpu::TextureViewDescriptor::default()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const CELLS: &str = device::module!(STAR_CELLS, STARS_OF_CELL, STAR_REACH_RAD, star_cell);
        let header = "// Which cell of stars is around a direction?\n\
                      // Generated from viewer/src/render/stars.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/star_cells.wgsl");
        device::check_generated(path, header, CELLS).unwrap();
    }

    /// Law: wherever the light of a star reaches, the cell has it, or four that are brighter.
    #[test]
    fn cells_have_the_stars_around_them() {
        let stars: Vec<Star> = catalogue().collect();
        assert_eq!(stars.len(), 5044);
        assert!(stars.is_sorted_by_key(|star| star.magnitude));
        let (texels, rows) = texels(&stars);
        assert_eq!(texels.len() as u32, rows * STAR_CELLS);
        let mut left_out = 0;
        for (star, number) in stars.iter().zip(STAR_CELLS * CELL_ROWS..) {
            let (across, down) = star.toward.any_orthonormal_pair();
            for k in 0..64 {
                let (sin, cos) = (f64::from(k) * 0.7).sin_cos();
                let apart = f64::from(STAR_REACH_RAD) * f64::from(k) / 64.0;
                let cell = star_cell((star.toward + (across * cos + down * sin) * apart).normalize().as_vec3());
                let found = texels[(cell.y * STAR_CELLS + cell.x) as usize];
                assert!(found.contains(&number) || found.iter().all(|other| *other != 0 && *other < number));
                left_out += usize::from(!found.contains(&number));
            }
        }
        assert!(left_out < 64 * stars.len() / 200, "{left_out}");
    }

    #[test]
    fn known_stars_are_where_they_stand() {
        let near = |ra: f64, dec: f64| {
            let place = n_vector(f64::to_radians(dec), f64::to_radians(ra));
            catalogue().find(|star| star.toward.distance(place) < 1e-3).map(|star| star.magnitude)
        };
        // Sirius, Polaris, and Mizar with Alcor.
        assert!(near(101.287, -16.716).is_some_and(|magnitude| magnitude < -1.4));
        assert!(near(37.955, 89.264).is_some_and(|magnitude| (1.9..2.1).contains(&magnitude)));
        assert!(near(200.981, 54.925).is_some() && near(201.306, 54.988).is_some());
    }
}
