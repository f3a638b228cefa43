//! How do shaders find a tile? A texture with a layer a tile, and a hash table of pages (`shaders/terrain/tiles.wgsl`).

use glam::UVec2;
use rustc_hash::FxHashMap;

use super::page::{EMPTY, PAGES, page_key, page_of};
use crate::tile::{TILE_VERTICES, Tile, TileId};

/// Most tiles that the table serves well.
const MOST_TILES: u32 = PAGES / 2;

pub(crate) struct Atlas {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    pages: wgpu::Buffer,
    /// Layer of each tile, and whether its vertices have normals of their own.
    entries: FxHashMap<TileId, (u32, bool)>,
    /// Tiles put since the last upload, by layer.
    arrived: Vec<(u32, Tile)>,
    changed: bool,
}

impl Atlas {
    /// An atlas of `budget` tiles, or as many as the device takes.
    pub fn new(device: &wgpu::Device, budget: u32) -> Self {
        let layers = budget.clamp(super::MIN_TILES, MOST_TILES).min(device.limits().max_texture_array_layers);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("terrain tiles"),
            size: wgpu::Extent3d {
                width: TILE_VERTICES as u32,
                height: TILE_VERTICES as u32,
                depth_or_array_layers: layers,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R32Uint,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        let pages = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("terrain tile pages"),
            size: size_of::<[[u32; 4]; PAGES as usize]>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { texture, view, pages, entries: FxHashMap::default(), arrived: Vec::new(), changed: true }
    }

    /// Tiles that fit.
    pub fn layers(&self) -> u32 {
        self.texture.depth_or_array_layers()
    }

    /// The texels, for the binding `tiles`.
    pub fn tiles(&self) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::TextureView(&self.view)
    }

    /// The table, for the binding `pages`.
    pub fn pages(&self) -> wgpu::BindingResource<'_> {
        self.pages.as_entire_binding()
    }

    pub fn put(&mut self, tile: Tile, layer: u32, own_normals: bool) {
        self.entries.insert(tile.id(), (layer, own_normals));
        self.arrived.retain(|(other, _)| *other != layer);
        self.arrived.push((layer, tile));
        self.changed = true;
    }

    pub fn release(&mut self, id: TileId) {
        self.entries.remove(&id);
        self.changed = true;
    }

    /// Hands what changed to the queue, for the next submission; true if anything did.
    pub fn upload(&mut self, queue: &wgpu::Queue) -> bool {
        let side = TILE_VERTICES as u32;
        for (layer, tile) in self.arrived.drain(..) {
            queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &self.texture,
                    mip_level: 0,
                    origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
                    aspect: wgpu::TextureAspect::All,
                },
                bytemuck::cast_slice(tile.texels()),
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * side), rows_per_image: Some(side) },
                wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            );
        }
        if self.changed {
            queue.write_buffer(&self.pages, 0, bytemuck::cast_slice(&page_table(&self.entries)));
        }
        std::mem::take(&mut self.changed)
    }
}

/// Open addressing, one step further on a collision.
fn page_table(entries: &FxHashMap<TileId, (u32, bool)>) -> Vec<[u32; 4]> {
    let mut table = vec![[EMPTY, 0, 0, 0]; PAGES as usize];
    for (id, &(layer, own_normals)) in entries {
        let key = page_key(id.face, id.level, UVec2::new(id.i, id.j));
        let mut pages = (0..PAGES).map(|probe| page_of(key, probe) as usize);
        let at = pages.find(|&at| table[at][0] == EMPTY).expect("there are twice as many pages as tiles");
        table[at] = [key.x, key.y, layer, u32::from(own_normals)];
    }
    table
}
