//! Where are the lights of towns at night? A cube map of the square root of their light, so that dim ones have shades, too.

use image::ImageFormat;
use orogen_data::NIGHT_LIGHTS_PNG;
use wgpu::TextureViewDimension::Cube;

use super::ground_textures::view_as;

/// Texels along a face.
const SIDE: u32 = 1024;
/// A texel of a step of the file, which has 32.
const TEXEL_PER_STEP: u8 = 8;

/// The texture that the ground's shader reads.
#[derive(Debug)]
pub(super) struct NightLights {
    pub view: wgpu::TextureView,
    is_loaded: bool,
}

impl NightLights {
    /// None at all, until they are asked for.
    pub fn none(device: &wgpu::Device) -> NightLights {
        NightLights { view: view_as(&cube(device, 1, 1), Cube), is_loaded: false }
    }

    /// Puts them into a texture, unless they are there already: whether the view is another one now.
    pub fn load(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> bool {
        let was_loaded = std::mem::replace(&mut self.is_loaded, true);
        let Some(texels) = (!was_loaded).then(texels).flatten() else { return false };
        let texture = cube(device, SIDE, SIDE.ilog2() + 1);
        let mut level = (SIDE, texels);
        for mip_level in 0..texture.mip_level_count() {
            let (side, texels) = &level;
            queue.write_texture(
                wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
                texels,
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(*side), rows_per_image: Some(*side) },
                wgpu::Extent3d { width: *side, height: *side, depth_or_array_layers: 6 },
            );
            level = (side / 2, halved(texels, *side as usize));
        }
        self.view = view_as(&texture, Cube);
        true
    }
}

/// The texels that ship, face below face; none if they are not what they should be.
fn texels() -> Option<Vec<u8>> {
    let picture = image::load_from_memory_with_format(NIGHT_LIGHTS_PNG, ImageFormat::Png).ok()?.into_luma8();
    let steps = (picture.dimensions() == (SIDE, 6 * SIDE)).then(|| picture.into_raw())?;
    Some(steps.into_iter().map(|step| step * TEXEL_PER_STEP).collect())
}

/// The level below one whose rows have `side` texels: roots of the mean light of four.
fn halved(texels: &[u8], side: usize) -> Vec<u8> {
    let light = |texel: u8| f32::from(texel) * f32::from(texel);
    let mut half = Vec::with_capacity(texels.len() / 4);
    for rows in texels.chunks_exact(2 * side) {
        let (upper, lower) = rows.split_at(side);
        for (a, b) in upper.chunks_exact(2).zip(lower.chunks_exact(2)) {
            half.push((0.25 * (light(a[0]) + light(a[1]) + light(b[0]) + light(b[1]))).sqrt().round() as u8);
        }
    }
    half
}

fn cube(device: &wgpu::Device, side: u32, mip_level_count: u32) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("night lights"),
        size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 6 },
        mip_level_count,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

#[cfg(test)]
mod tests {
    use terrain::geodesy::n_vector;
    use terrain::height::ShadeCube;

    use super::*;

    /// The texel at a place; faces and their axes are those of the shading map.
    fn texel_at(texels: &[u8], lat_deg: f64, lon_deg: f64) -> u8 {
        let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
        let side = SIDE as usize;
        let at = |i: usize| (2 * i + 1) as f64 / side as f64 - 1.0;
        let apart = |&(layer, x, y): &(usize, usize, usize)| ShadeCube::direction(layer, at(x), at(y)).distance(n);
        // Coarsely first, then around the nearest.
        let coarse = (0..6).flat_map(|layer| (0..64 * 64).map(move |k| (layer, k % 64 * 16 + 8, k / 64 * 16 + 8)));
        let (layer, x, y) = coarse.min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap();
        let around = (0..32 * 32).map(|k| (layer, (x + k % 32).saturating_sub(16), (y + k / 32).saturating_sub(16)));
        let near = around.filter(|(_, x, y)| *x < side && *y < side);
        let (layer, x, y) = near.min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap();
        texels[(layer * side + y) * side + x]
    }

    /// Law: towns are lit where they are, on each face of the cube; oceans, deserts and ice are dark.
    #[test]
    fn towns_are_lit_and_seas_are_dark() {
        let texels = texels().expect("the lights that ship");
        let towns = [
            (51.51, -0.12),   // London
            (30.05, 31.25),   // Cairo
            (28.61, 77.21),   // Delhi
            (35.69, 139.69),  // Tokyo
            (-33.87, 151.21), // Sydney
            (41.88, -87.68),  // Chicago
            (19.43, -99.13),  // Mexico City
            (-23.55, -46.63), // Sao Paulo
            (55.75, 37.62),   // Moscow
            (60.17, 24.94),   // Helsinki
            (-26.20, 28.05),  // Johannesburg
        ];
        for (lat, lon) in towns {
            // The middle of a town is known to a texel or two.
            let nearby = [(0.0, 0.0), (0.09, 0.0), (-0.09, 0.0), (0.0, 0.09), (0.0, -0.09)];
            let brightest = nearby.map(|(north, east)| texel_at(&texels, lat + north, lon + east)).into_iter().max();
            assert!(brightest >= Some(120), "{lat} {lon}: {brightest:?}");
        }
        for (lat, lon) in [(0.0, -140.0), (-40.0, 80.0), (23.0, 10.0), (75.0, -42.0), (-85.0, 0.0), (88.0, 100.0)] {
            assert_eq!(texel_at(&texels, lat, lon), 0, "{lat} {lon}");
        }
    }

    /// Law: levels keep the mean light, to rounding.
    #[test]
    fn levels_keep_the_light() {
        let light = |texels: &[u8]| texels.iter().map(|&t| f64::from(t).powi(2)).sum::<f64>() / texels.len() as f64;
        let (mut side, mut level) = (SIDE as usize, texels().expect("the lights that ship"));
        let whole = light(&level);
        while side > 16 {
            level = halved(&level, side);
            side /= 2;
            assert_eq!(level.len(), 6 * side * side);
            assert!((light(&level) / whole - 1.0).abs() < 0.05, "{side}: {} of {whole}", light(&level));
        }
    }
}
