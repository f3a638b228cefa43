//! How do shaders find a tile? A texture with a layer a tile, and a hash table of pages (`shaders/terrain/find_page.wgsl`).

use glam::UVec2;
use rustc_hash::FxHashMap;

use super::{
    TileKind, TileStore, TileTexture,
    page::{EMPTY, PAGES, page_key, page_of},
};
use crate::tile::TileId;

/// Most tiles that the table serves well.
const MOST_TILES: u32 = PAGES / 2;

/// Tiles that a queue holds at most until it is given a submission; a frame brings fewer.
const SUBMITTED: usize = 16;

/// The tiles of a kind.
pub(crate) struct Atlas<K: TileKind> {
    device: wgpu::Device,
    /// Tiles that there may be; the texture has layers for those that there were.
    budget: u32,
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
    /// An atlas of `budget` tiles, or as many as the device takes, on a texture that stays the same.
    pub fn new(device: &wgpu::Device, budget: u32) -> Self {
        Self::of(device, budget, budget)
    }

    /// The same on a texture that [grows](Self::tiles) with the tiles that there are.
    pub fn growing(device: &wgpu::Device, budget: u32) -> Self {
        Self::of(device, budget, super::MIN_TILES)
    }

    fn of(device: &wgpu::Device, budget: u32, layers: u32) -> Self {
        let budget = budget.clamp(super::MIN_TILES, MOST_TILES).min(device.limits().max_texture_array_layers);
        let (texture, view) = tiles_texture::<K>(device, layers.min(budget));
        // Not a uniform: drivers copy these for each fragment that reads one by a number.
        let pages = new_texture(device, "tile pages", [PAGES, 1, 1], 1, wgpu::TextureFormat::Rgba32Uint);
        let pages_view = pages.create_view(&Default::default());
        Self {
            device: device.clone(),
            budget,
            texture,
            view,
            pages,
            pages_view,
            entries: FxHashMap::default(),
            arrived: Vec::new(),
            changed: true,
        }
    }

    /// Makes room for so many layers, in steps.
    fn grow(&mut self, queue: &wgpu::Queue, layers: u32) {
        let had = self.texture.depth_or_array_layers();
        let (texture, view) =
            tiles_texture::<K>(&self.device, layers.next_multiple_of(super::MIN_TILES).min(self.budget));
        let mut encoder = self.device.create_command_encoder(&Default::default());
        for mip_level in 0..K::TEXTURE.levels {
            let side = K::TEXTURE.side >> mip_level;
            encoder.copy_texture_to_texture(
                wgpu::TexelCopyTextureInfo { mip_level, ..self.texture.as_image_copy() },
                wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
                wgpu::Extent3d { width: side, height: side, depth_or_array_layers: had },
            );
        }
        queue.submit([encoder.finish()]);
        (self.texture, self.view) = (texture, view);
    }

    /// The tiles that are there, with their layers.
    pub fn resident(&self) -> impl Iterator<Item = (TileId, u32)> {
        self.entries.iter().map(|(id, (layer, _))| (*id, *layer))
    }

    /// Layers of the texture.
    pub fn texture_layers(&self) -> u32 {
        self.texture.depth_or_array_layers()
    }

    /// The texels, as of the last upload: another texture where one grew.
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
        self.budget
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
        let layers = self.arrived.iter().map(|(layer, _)| layer + 1).max().unwrap_or(0);
        if layers > self.texture_layers() {
            self.grow(queue, layers);
        }
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

/// A texture of so many tiles.
fn tiles_texture<K: TileKind>(device: &wgpu::Device, layers: u32) -> (wgpu::Texture, wgpu::TextureView) {
    let TileTexture { label, side, levels, format, .. } = K::TEXTURE;
    let tiles = new_texture(device, label, [side, side, layers], levels, format);
    let view = tiles.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    });
    (tiles, view)
}

fn new_texture(
    device: &wgpu::Device,
    label: &str,
    [width, height, depth_or_array_layers]: [u32; 3],
    mip_level_count: u32,
    format: wgpu::TextureFormat,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers },
        mip_level_count,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
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
