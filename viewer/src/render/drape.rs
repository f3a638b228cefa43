//! Pictures on the ground, as textures: one of the whole Earth as a cube, one of a part of it as a plane.
//!
//! A part of the Earth is seen from its centre through a window: gnomonic, so that a place in the window is a quotient of
//! dot products of the geodetic normal, without poles and without trigonometry.

use bytemuck::{Pod, Zeroable};
use glam::Vec4;
use kernels::device;
#[cfg(feature = "gdal")]
use {
    glam::DVec3,
    rayon::prelude::*,
    terrain::{
        geodesy::{SEMI_MAJOR_M, east_north_up},
        height::{Imagery, ShadeCube},
    },
};

/// Where the picture of a part is: right and down in it are n.u / n.w and n.v / n.w of a normal n, in [0, 1].
#[device]
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct DrapePlace {
    u: Vec4,
    v: Vec4,
    w: Vec4,
}

/// What the ground shader reads.
#[derive(Debug)]
pub(super) struct Drape {
    /// Colours of the whole Earth; one empty texel a face where there are none.
    pub cube: wgpu::TextureView,
    /// Colours of a part; one empty texel where there are none.
    pub plane: wgpu::TextureView,
    /// Where the part is.
    pub place: wgpu::Buffer,
}

/// Bytes of a picture that are read from a file.
#[cfg(feature = "gdal")]
pub const BYTES: usize = 64 << 20;
/// Most texels along a side of the window.
#[cfg(feature = "gdal")]
const LARGEST_PLANE: f64 = 4096.0;
/// Most texels along a side of the cube: 5 km.
#[cfg(feature = "gdal")]
const LARGEST_CUBE: f64 = 2048.0;
/// What is seen further from the middle than this (cosine) is draped on the cube.
#[cfg(feature = "gdal")]
const WIDEST_COS: f64 = 0.5;

impl Drape {
    /// Nothing on the ground.
    pub fn none(device: &wgpu::Device, queue: &wgpu::Queue) -> Drape {
        let place = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("place of the drape"),
            size: size_of::<DrapePlace>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let empty = |layers| texture(device, queue, (1, 1, layers), &[vec![[0; 4]; layers as usize]]);
        Drape { cube: empty(6), plane: empty(1), place }
    }

    /// Puts a picture on the ground, in place of another one on its cube or in its window; `true` if on the cube.
    #[cfg(feature = "gdal")]
    pub fn put(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, imagery: &Imagery) -> bool {
        let most = f64::from(device.limits().max_texture_dimension_2d);
        let Some(window) = Window::of(imagery, most.min(LARGEST_PLANE)) else {
            let quarter_m = SEMI_MAJOR_M * std::f64::consts::FRAC_PI_2;
            let size = (quarter_m / imagery.posting_m()).clamp(16.0, most.min(LARGEST_CUBE)) as usize;
            self.cube = texture(device, queue, (size as u32, size as u32, 6), &cube(imagery, size));
            return true;
        };
        queue.write_buffer(&self.place, 0, bytemuck::bytes_of(&window.place()));
        let (width, height) = window.size;
        let texels = window.texels(imagery);
        self.plane = texture(device, queue, (width as u32, height as u32, 1), &levels(vec![texels], window.size));
        false
    }
}

/// A rectangle in the plane that touches the unit sphere at a middle.
#[cfg(feature = "gdal")]
struct Window {
    /// East, north and up there.
    axes: [DVec3; 3],
    /// West, south, east, north in the plane.
    bounds: [f64; 4],
    size: (usize, usize),
}

#[cfg(feature = "gdal")]
impl Window {
    /// That of a picture, at its own posting where that is not too many texels; none where it reaches too far.
    fn of(imagery: &Imagery, most_texels: f64) -> Option<Window> {
        let rim = imagery.rim()?;
        let up = rim.iter().sum::<DVec3>().try_normalize()?;
        let (east, north, _) = east_north_up(up);
        let mut bounds = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        for n in rim {
            let away = n.dot(up);
            if away < WIDEST_COS {
                return None;
            }
            let (x, y) = (n.dot(east) / away, n.dot(north) / away);
            bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
        }
        let (width, height) = (bounds[2] - bounds[0], bounds[3] - bounds[1]);
        let texel = imagery.posting_m() / SEMI_MAJOR_M;
        let count = |length: f64| (length / texel).ceil().clamp(1.0, most_texels) as usize;
        Some(Window { axes: [east, north, up], bounds, size: (count(width), count(height)) })
    }

    fn place(&self) -> DrapePlace {
        let [east, north, up] = self.axes;
        let [west, south, right, top] = self.bounds;
        let u = (east - up * west) / (right - west);
        let v = (up * top - north) / (top - south);
        let row = |a: DVec3| a.extend(0.0).as_vec4();
        DrapePlace { u: row(u), v: row(v), w: row(up) }
    }

    fn texels(&self, imagery: &Imagery) -> Vec<[u8; 4]> {
        let [east, north, up] = self.axes;
        let [west, south, right, top] = self.bounds;
        let (width, height) = self.size;
        let part = |i: usize, n: usize| (i as f64 + 0.5) / n as f64;
        (0..width * height)
            .into_par_iter()
            .map(|i| {
                let x = west + (right - west) * part(i % width, width);
                let y = top - (top - south) * part(i / width, height);
                imagery.sample((up + east * x + north * y).normalize()).map(|c| c.round() as u8)
            })
            .collect()
    }
}

/// All levels of the six faces.
#[cfg(feature = "gdal")]
fn cube(imagery: &Imagery, size: usize) -> Vec<Vec<[u8; 4]>> {
    let at = |i: usize| (2 * i + 1) as f64 / size as f64 - 1.0;
    let face = |layer: usize| -> Vec<[u8; 4]> {
        let texel = |i: usize| {
            let n = ShadeCube::direction(layer, at(i % size), at(i / size));
            imagery.sample(n).map(|c| c.round() as u8)
        };
        (0..size * size).into_par_iter().map(texel).collect()
    };
    levels((0..6).map(face).collect(), (size, size))
}

/// Level by level all layers, each half the size of the one before, by means of four texels.
#[cfg(feature = "gdal")]
fn levels(mut layers: Vec<Vec<[u8; 4]>>, (mut width, mut height): (usize, usize)) -> Vec<Vec<[u8; 4]>> {
    let mut levels = vec![layers.concat()];
    while width > 1 || height > 1 {
        let (w, h) = ((width / 2).max(1), (height / 2).max(1));
        layers = layers
            .par_iter()
            .map(|from| {
                let texel = |x: usize, y: usize| from[y.min(height - 1) * width + x.min(width - 1)].map(u16::from);
                (0..w * h)
                    .map(|i| {
                        let (x, y) = (2 * (i % w), 2 * (i / w));
                        let four = [texel(x, y), texel(x + 1, y), texel(x, y + 1), texel(x + 1, y + 1)];
                        std::array::from_fn(|k| ((four.iter().map(|t| t[k]).sum::<u16>() + 2) / 4) as u8)
                    })
                    .collect()
            })
            .collect();
        levels.push(layers.concat());
        (width, height) = (w, h);
    }
    levels
}

/// A texture of levels; six layers are a cube.
fn texture(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    (width, height, layers): (u32, u32, u32),
    levels: &[Vec<[u8; 4]>],
) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("drape"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: layers },
        mip_level_count: levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (mip, texels) in levels.iter().enumerate() {
        let (width, height) = ((width >> mip).max(1), (height >> mip).max(1));
        queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level: mip as u32, ..texture.as_image_copy() },
            bytemuck::cast_slice(texels),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: Some(height) },
            wgpu::Extent3d { width, height, depth_or_array_layers: layers },
        );
    }
    let dimension = if layers == 6 { wgpu::TextureViewDimension::Cube } else { wgpu::TextureViewDimension::D2 };
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(dimension),
        ..wgpu::TextureViewDescriptor::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const PLACE: &str = device::module!(DrapePlace);
        let header = "// Where is the picture of a part of the Earth?\n\
                      // Generated from viewer/src/render/drape.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/drape_place.wgsl");
        device::check_generated(path, header, PLACE).unwrap();
    }

    #[test]
    #[cfg(feature = "gdal")]
    fn levels_halve_and_keep_the_mean() {
        let checks: Vec<[u8; 4]> = (0..12).map(|i| [if i % 2 == 0 { 200 } else { 100 }, 7, 0, 255]).collect();
        let levels = levels(vec![checks], (4, 3));
        assert_eq!(levels.iter().map(Vec::len).collect::<Vec<_>>(), [12, 2, 1]);
        assert!(levels[1..].iter().flatten().all(|texel| *texel == [150, 7, 0, 255]));
    }

    #[test]
    #[cfg(feature = "gdal")]
    fn a_window_finds_its_corners() {
        let up = terrain::geodesy::n_vector(1.2, -0.4);
        let (east, north, _) = east_north_up(up);
        let window = Window { axes: [east, north, up], bounds: [-0.1, -0.2, 0.3, 0.05], size: (4, 4) };
        let place = window.place();
        let at = |x: f64, y: f64| {
            let n = (up + east * x + north * y).normalize();
            let dot = |a: Vec4| n.dot(a.truncate().as_dvec3());
            (dot(place.u) / dot(place.w), dot(place.v) / dot(place.w))
        };
        let near = |(u, v): (f64, f64), (s, t): (f64, f64)| (u - s).abs() < 1e-5 && (v - t).abs() < 1e-5;
        assert!(near(at(-0.1, 0.05), (0.0, 0.0)) && near(at(0.3, -0.2), (1.0, 1.0)));
        assert!(near(at(0.1, -0.075), (0.5, 0.5)));
    }
}
