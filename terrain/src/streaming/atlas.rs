//! How do shaders find a tile? A texture with a layer a tile, and a hash table of pages (`shaders/terrain/find_page.wgsl`).

use glam::UVec2;
use rustc_hash::FxHashMap;

use super::{
    TileKind, TileStore,
    page::{EMPTY, PAGES, page_key, page_of},
};
use crate::tile::TileId;

/// Most tiles that the table serves well.
const MOST_TILES: u32 = PAGES / 2;

/// Tiles that a queue holds at most until it is given a submission; a frame brings fewer.
const SUBMITTED: usize = 16;

/// The tiles of a kind.
pub(crate) struct Atlas<K: TileKind> {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    pages: wgpu::Texture,
    pages_view: wgpu::TextureView,
    /// Layer of each tile, and its mark.
    entries: FxHashMap<TileId, (u32, u32)>,
    /// Tiles put since the last upload, by layer.
    arrived: Vec<(u32, K::Texels)>,
    changed: bool,
}

impl<K: TileKind> Atlas<K> {
    /// An atlas of `budget` tiles, or as many as the device takes.
    pub fn new(device: &wgpu::Device, budget: u32) -> Self {
        let layers = budget.clamp(super::MIN_TILES, MOST_TILES).min(device.limits().max_texture_array_layers);
        let texture = |label, [width, height, depth_or_array_layers]: [u32; 3], mip_level_count, format| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers },
                mip_level_count,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            })
        };
        let shape = K::TEXTURE;
        let tiles = texture(shape.label, [shape.side, shape.side, layers], shape.levels, shape.format);
        let view = tiles.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        // Not a uniform: drivers copy these for each fragment that reads one by a number.
        let pages = texture("tile pages", [PAGES, 1, 1], 1, wgpu::TextureFormat::Rgba32Uint);
        let pages_view = pages.create_view(&Default::default());
        Self {
            texture: tiles,
            view,
            pages,
            pages_view,
            entries: FxHashMap::default(),
            arrived: Vec::new(),
            changed: true,
        }
    }

    /// The tiles that are there, with their layers.
    pub fn resident(&self) -> impl Iterator<Item = (TileId, u32)> {
        self.entries.iter().map(|(id, (layer, _))| (*id, *layer))
    }

    /// The texels.
    pub fn tiles(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// The table.
    pub fn pages(&self) -> &wgpu::TextureView {
        &self.pages_view
    }
}

impl<K: TileKind> TileStore<K> for Atlas<K> {
    type Target<'a> = &'a wgpu::Queue;

    fn layers(&self) -> u32 {
        self.texture.depth_or_array_layers()
    }

    fn deepest(&self) -> u32 {
        self.entries.keys().map(|id| id.level).max().unwrap_or(0)
    }

    fn put(&mut self, id: TileId, layer: u32, texels: K::Texels, mark: u32) {
        self.entries.insert(id, (layer, mark));
        self.arrived.retain(|(other, _)| *other != layer);
        self.arrived.push((layer, texels));
        self.changed = true;
    }

    fn release(&mut self, id: TileId) {
        self.entries.remove(&id);
        self.changed = true;
    }

    /// With the next submission of the queue, or before it.
    fn publish(&mut self, queue: &wgpu::Queue) -> bool {
        for (count, (layer, texels)) in (1..).zip(self.arrived.drain(..)) {
            for (level, bytes) in (0..).zip(K::levels(&texels)) {
                write(queue, (&self.texture, level, layer), bytes, K::TEXTURE.side >> level, K::TEXTURE.texel_bytes);
            }
            // What a queue was given to write it keeps until a submission.
            if count % SUBMITTED == 0 {
                queue.submit([]);
            }
        }
        if self.changed {
            let table = page_table(&self.entries);
            let row =
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(16 * PAGES), rows_per_image: Some(1) };
            queue.write_texture(self.pages.as_image_copy(), bytemuck::cast_slice(&table), row, self.pages.size());
        }
        std::mem::take(&mut self.changed)
    }
}

/// Writes a level of a tile.
fn write(
    queue: &wgpu::Queue,
    (texture, level, layer): (&wgpu::Texture, u32, u32),
    bytes: &[u8],
    side: u32,
    texel_bytes: u32,
) {
    queue.write_texture(
        wgpu::TexelCopyTextureInfo {
            mip_level: level,
            origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
            ..texture.as_image_copy()
        },
        bytes,
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(texel_bytes * side), rows_per_image: Some(side) },
        wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
    );
}

/// Open addressing, one step further on a collision.
fn page_table(entries: &FxHashMap<TileId, (u32, u32)>) -> Vec<[u32; 4]> {
    let mut table = vec![[EMPTY, 0, 0, 0]; PAGES as usize];
    for (id, &(layer, mark)) in entries {
        let key = page_key(id.face, id.level, UVec2::new(id.i, id.j));
        let mut pages = (0..PAGES).map(|probe| page_of(key, probe) as usize);
        let at = pages.find(|&at| table[at][0] == EMPTY).expect("there are twice as many pages as tiles");
        table[at] = [key.x, key.y, layer, mark];
    }
    table
}
