//! Which layer do heights come from, around the eye? Squares of the ground as textures of layer numbers, each three times
//! as wide as the one inside it. Each is filled from the layers themselves when the eye has moved away from its middle.
//! `shaders/viewer/source_map.wgsl` is generated from this file, which a test compares.

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};
use kernels::device;
use rayon::prelude::*;
use terrain::geodesy::east_north_up;
use terrain::height::Relief;

/// Squares.
#[device]
const SOURCE_SQUARES: u32 = 7;
/// Texels along the side of each.
#[device]
const SOURCE_TEXELS: u32 = 128;
/// Each is this many times as wide as the one inside.
const WIDER: f64 = 3.0;
/// Half the side of the finest, over the height of the eye above the ground, at most.
const FINEST: f64 = 0.8;
/// Half sides are not larger: tangent of the angle at the centre of the Earth.
const WIDEST: f64 = 5.0;
/// How far the eye may be from the middle, in half sides.
const ASTRAY: f64 = 0.2;

/// A square on the plane that touches the unit sphere at `up`.
#[device]
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
struct SourceSquare {
    /// Its axes, and half of its side.
    east: Vec3,
    half: f32,
    north: Vec3,
    /// The layer of what lies beyond all squares.
    last: f32,
    up: Vec3,
    spare: f32,
}

/// The squares, and their textures.
#[derive(Debug)]
pub(super) struct SourceMap {
    texture: wgpu::Texture,
    /// Of all squares.
    pub view: wgpu::TextureView,
    /// Where they are.
    pub places: wgpu::Buffer,
    made: [Option<(DVec3, f64)>; SOURCE_SQUARES as usize],
    squares: [SourceSquare; SOURCE_SQUARES as usize],
}

impl SourceMap {
    /// Squares that nobody has looked at yet.
    pub fn new(device: &wgpu::Device) -> SourceMap {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("layers around the eye"),
            size: wgpu::Extent3d { width: SOURCE_TEXELS, height: SOURCE_TEXELS, depth_or_array_layers: SOURCE_SQUARES },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R8Uint,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let places = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("places of layers"),
            size: size_of::<[SourceSquare; SOURCE_SQUARES as usize]>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..wgpu::TextureViewDescriptor::default()
        });
        SourceMap { texture, view, places, made: [None; SOURCE_SQUARES as usize], squares: Zeroable::zeroed() }
    }

    /// Fills the squares that the eye, above the unit normal `up` at `clearance_m` over the ground, has left.
    pub fn update(&mut self, queue: &wgpu::Queue, relief: &Relief, up: DVec3, clearance_m: f64) {
        // Of a few sizes only, so that a small climb changes none of them.
        let finest = WIDER.powf((FINEST * clearance_m.max(1.0) / relief.ellipsoid().semi_major_m()).log(WIDER).floor());
        for index in 0..SOURCE_SQUARES as usize {
            let half = (finest * WIDER.powi(index as i32)).min(WIDEST);
            let is_near = |(middle, made): (DVec3, f64)| made == half && middle.distance(up) < ASTRAY * half;
            if self.made[index].is_some_and(is_near) {
                continue;
            }
            self.made[index] = Some((up, half));
            let (east, north, _) = east_north_up(up);
            self.squares[index] = SourceSquare {
                east: east.as_vec3(),
                half: half as f32,
                north: north.as_vec3(),
                last: (relief.layers().len() - 1) as f32,
                up: up.as_vec3(),
                spare: 0.0,
            };
            let origin = wgpu::Origin3d { x: 0, y: 0, z: index as u32 };
            queue.write_texture(
                wgpu::TexelCopyTextureInfo { origin, ..self.texture.as_image_copy() },
                &layers(relief, (east, north, up), half),
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(SOURCE_TEXELS),
                    rows_per_image: Some(SOURCE_TEXELS),
                },
                wgpu::Extent3d { width: SOURCE_TEXELS, height: SOURCE_TEXELS, depth_or_array_layers: 1 },
            );
        }
        queue.write_buffer(&self.places, 0, bytemuck::cast_slice(&self.squares));
    }
}

/// Numbers of the layers in a square, in rows from south to north; the 256th and all below it count as one.
fn layers(relief: &Relief, (east, north, up): (DVec3, DVec3, DVec3), half: f64) -> Vec<u8> {
    let at = |texel: u32| ((f64::from(texel) + 0.5) * 2.0 / f64::from(SOURCE_TEXELS) - 1.0) * half;
    let texel_m = 2.0 * half * relief.ellipsoid().semi_major_m() / f64::from(SOURCE_TEXELS);
    (0..SOURCE_TEXELS * SOURCE_TEXELS)
        .into_par_iter()
        .with_min_len(SOURCE_TEXELS as usize)
        .map(|i| {
            let n = (up + east * at(i % SOURCE_TEXELS) + north * at(i / SOURCE_TEXELS)).normalize();
            relief.sample_spaced(n, texel_m).layer.min(255) as u8
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use terrain::geodesy::n_vector;
    use terrain::height::{GlobalGrid, Registration};

    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const SQUARE: &str = device::module!(SourceSquare, SOURCE_SQUARES, SOURCE_TEXELS);
        let header = "// Where are the squares around the eye, and what is there a texel of?\n\
                      // Generated from viewer/src/render/source_map.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/source_map.wgsl");
        device::check_generated(path, header, SQUARE).unwrap();
    }

    /// Law: a texel has the layer that answers at its place.
    #[cfg(feature = "gdal")]
    #[test]
    fn texels_have_the_layer_of_their_place() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jacksboro.tif");
        let relief = Relief::open(&[file], &terrain::height::OpenOptions::default()).expect("the raster");
        let up = n_vector(36.3f64.to_radians(), -84.2f64.to_radians());
        let (east, north, _) = east_north_up(up);
        let texels = layers(&relief, (east, north, up), 0.01);
        let share = texels.iter().filter(|layer| **layer == 0).count();
        assert!(share > 500 && share < texels.len() - 500, "{share}");
        for i in (0..SOURCE_TEXELS * SOURCE_TEXELS).step_by(97) {
            let at = |texel: u32| ((f64::from(texel) + 0.5) * 2.0 / f64::from(SOURCE_TEXELS) - 1.0) * 0.01;
            let n = (up + east * at(i % SOURCE_TEXELS) + north * at(i / SOURCE_TEXELS)).normalize();
            assert_eq!(usize::from(texels[i as usize]), relief.sample(n).layer);
        }
    }

    #[test]
    fn one_layer_is_everywhere() {
        let relief = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 0.0)).expect("a grid");
        let up = n_vector(0.3, 0.2);
        let (east, north, _) = east_north_up(up);
        assert!(layers(&relief, (east, north, up), WIDEST).iter().all(|layer| *layer == 0));
    }
}
