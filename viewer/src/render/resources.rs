//! What do the shaders of ground and sky read besides the mesh?

use super::air::ViewTable;
use super::ground_textures::GroundTextures;
use super::night_lights::NightLights;
use super::shadows::Shadows;
use super::source_map::SourceMap;
use super::stars::Stars;
use crate::terrain::GroundTiles;

/// Maps, tables and uniforms, which all pipelines share.
#[derive(Clone, Copy)]
pub(super) struct Resources<'a> {
    /// Heights, slopes and tints.
    pub maps: &'a GroundTextures,
    /// Light of the air.
    pub air: &'a ViewTable,
    /// Which layers answer where.
    pub sources: &'a SourceMap,
    /// In the sky.
    pub stars: &'a Stars,
    /// On the ground.
    pub shadows: &'a Shadows,
    /// Of towns.
    pub night_lights: &'a NightLights,
    /// What is known around a place.
    pub place_cells: &'a wgpu::Buffer,
    /// On the ground.
    pub tiles: &'a GroundTiles,
    /// Of the frame.
    pub uniforms: &'a wgpu::Buffer,
}

/// A binding by the name that the shader has for it.
pub(super) type NamedBinding<'a> = (&'static str, wgpu::BindingResource<'a>);

impl<'a> Resources<'a> {
    /// The uniforms of the frame.
    pub fn frame(&self) -> NamedBinding<'a> {
        ("frame", self.uniforms.as_entire_binding())
    }

    /// What the sky is made of.
    pub fn sky(&self) -> [NamedBinding<'a>; 5] {
        let [frame, sampler, view_light, ground_light] = self.air();
        [frame, sampler, view_light, ground_light, self.stars()]
    }

    fn stars(&self) -> NamedBinding<'a> {
        ("stars", wgpu::BindingResource::TextureView(&self.stars.view))
    }

    /// What the air is made of.
    fn air(&self) -> [NamedBinding<'a>; 4] {
        let texture = wgpu::BindingResource::TextureView;
        [
            self.frame(),
            ("smooth_sampler", wgpu::BindingResource::Sampler(&self.maps.sampler)),
            ("view_light", texture(self.air.light())),
            ("ground_light", texture(self.air.ground_light())),
        ]
    }

    /// What the ground is made of; it is seen through the same air.
    pub fn ground(&self) -> [NamedBinding<'a>; 10] {
        let texture = wgpu::BindingResource::TextureView;
        let [frame, sampler, view_light, ground_light] = self.air();
        let [shadow_map, shadow_tiles] = self.shadows.named();
        [
            frame,
            ("relief", texture(&self.maps.relief)),
            ("ramp", texture(&self.maps.ramp)),
            sampler,
            view_light,
            ground_light,
            shadow_map,
            shadow_tiles,
            ("place_cells", self.place_cells.as_entire_binding()),
            ("night_lights", texture(&self.night_lights.view)),
        ]
    }

    /// What both are made of.
    pub fn ground_and_sky(&self) -> Vec<NamedBinding<'a>> {
        self.ground().into_iter().chain([self.stars()]).collect()
    }

    /// Bind groups of the tiles, each with its number; of what a group has, `bind` takes what its shader reads.
    pub fn bind_tiles<E>(
        &self,
        bind: impl Fn(u32, &[NamedBinding<'_>]) -> Result<wgpu::BindGroup, E>,
    ) -> Result<Vec<(u32, wgpu::BindGroup)>, E> {
        let mut groups: Vec<(u32, Vec<NamedBinding<'_>>)> = Vec::new();
        let GroundTiles { shading, water, imagery } = self.tiles;
        for tiles in shading.iter().chain([water]).chain(imagery) {
            match groups.iter_mut().find(|(group, _)| *group == tiles.group()) {
                Some((_, named)) => named.extend(tiles.named()),
                None => groups.push((tiles.group(), tiles.named().to_vec())),
            }
        }
        groups.into_iter().map(|(group, named)| Ok((group, bind(group, &named)?))).collect()
    }

    /// What views of the mesh read.
    pub fn view(&self) -> [NamedBinding<'a>; 3] {
        [
            self.frame(),
            ("source_layers", wgpu::BindingResource::TextureView(&self.sources.view)),
            ("source_squares", self.sources.places.as_entire_binding()),
        ]
    }
}
