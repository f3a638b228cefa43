//! Which stars are near a ray into the sky? A cube of cells around the Earth, each with the stars in it and around it, as one
//! texture.

use glam::DVec3;
use orogen_data::STARS_CSV;
use terrain::geodesy::n_vector;

use super::star_cells::{STAR_CELLS, STAR_REACH_RAD, STAR_SCALE, star_cell};

/// Rows of cells: below them are the stars.
const CELL_ROWS: u32 = 6 * STAR_CELLS;

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
        // As `unpack2x16snorm` reads it.
        let share = |value: f32| u32::from((value / STAR_SCALE * f32::from(i16::MAX)).round() as i16 as u16);
        [x, y, z, share(self.magnitude) | share(self.colour_index) << 16]
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

/// Cells that the light of a star reaches.
fn cells_of(star: &Star) -> Vec<usize> {
    // Points a fifth of the reach apart, to a third beyond it: closer to each other than what a corner of a cell has within reach
    // is wide.
    const POINTS: i32 = 6;
    let (across, down) = star.toward.any_orthonormal_pair();
    let step = |k: i32| f64::from(k) / f64::from(POINTS) * 1.3 * f64::from(STAR_REACH_RAD);
    let mut cells = Vec::new();
    for (x, y) in (-POINTS..=POINTS).flat_map(|y| (-POINTS..=POINTS).map(move |x| (x, y))) {
        let place = (star.toward + across * step(x) + down * step(y)).normalize();
        let cell = star_cell(place.as_vec3());
        let index = (cell.y * STAR_CELLS + cell.x) as usize;
        if !cells.contains(&index) {
            cells.push(index);
        }
    }
    cells
}

/// The texels: of each cell the number of its first star's and how many they are; then those of stars, cell by cell.
fn texels(stars: &[Star]) -> Vec<[u32; 4]> {
    let mut found: Vec<(usize, &Star)> =
        stars.iter().flat_map(|star| cells_of(star).into_iter().map(move |cell| (cell, star))).collect();
    found.sort_by_key(|(cell, _)| *cell);
    let mut texels = vec![[0; 4]; (CELL_ROWS * STAR_CELLS) as usize];
    for of_cell in found.chunk_by(|(a, _), (b, _)| a == b) {
        texels[of_cell[0].0] = [texels.len() as u32, of_cell.len() as u32, 0, 0];
        texels.extend(of_cell.iter().map(|(_, star)| star.texel()));
    }
    texels.resize(texels.len().next_multiple_of(STAR_CELLS as usize), [0; 4]);
    texels
}

/// The texture that the sky's shader reads.
#[derive(Debug)]
pub(super) struct Stars {
    pub view: wgpu::TextureView,
}

impl Stars {
    /// Uploads it.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Stars {
        let texels = texels(&catalogue().collect::<Vec<_>>());
        let rows = texels.len() as u32 / STAR_CELLS;
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

    /// Law: wherever the light of a star reaches, the cell has it.
    #[test]
    fn cells_have_the_stars_around_them() {
        let stars: Vec<Star> = catalogue().collect();
        assert_eq!(stars.len(), 5044);
        let texels = texels(&stars);
        // Along a spiral around each star, another for each.
        let places = stars.iter().enumerate().flat_map(|(turn, star)| (0..64u32).map(move |k| (turn, star, k)));
        for (turn, star, k) in places {
            let (across, down) = star.toward.any_orthonormal_pair();
            let (sin, cos) = (2.4 * f64::from(k) + turn as f64).sin_cos();
            let apart = f64::from(STAR_REACH_RAD) * f64::sqrt((f64::from(k) + 0.5) / 64.0);
            let cell = star_cell((star.toward + (across * cos + down * sin) * apart).normalize().as_vec3());
            let [first, count, ..] = texels[(cell.y * STAR_CELLS + cell.x) as usize];
            assert!(texels[first as usize..][..count as usize].contains(&star.texel()), "{star:?}");
        }
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
