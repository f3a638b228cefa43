//! What does the ground look like from afar? Heights, slopes and where water is, for the whole Earth as one cube map. It is made block by block:
//! those that an eye may see before its first picture, the others behind the frames. Blocks with fine data, which may be thousands of files, wait
//! until the eye comes near.

mod block;
mod fine;
mod shores;
#[cfg(test)]
mod tests;

use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use glam::DVec3;
use half::f16;
use rayon::prelude::*;
use terrain::geodesy::Ellipsoid;
use terrain::height::{Relief, ShadeBlock, ShadeCube, ShadeTexel};
use terrain::progress::Stage;
use terrain::water::Water;

use self::block::{BlockBuilder, BuiltBlock, SIZE, marked};
use self::shores::{WaterClass, halved};
use super::pace::Pace;

/// Angle beyond all ground that may be seen, radians: shadows look 0.1 towards the sun, for an eye that may move by 0.05 meanwhile.
const BEYOND_RAD: f64 = 0.16;
/// Angle beyond that, within which blocks with fine data are made behind the frames, radians.
const AHEAD_RAD: f64 = 0.1;
/// Higher than any ground of the Earth, metres.
const HIGHEST_M: f64 = 10_000.0;
/// Blocks that are made, and handed to the device, at once.
const BATCH: usize = 16;
/// Blocks that a frame takes over at most.
const BLOCKS_PER_FRAME: usize = 4;
/// Blocks that wait for a frame at most.
const MOST_QUEUED: usize = 8;

/// The map on a device.
pub struct ShadingMap {
    /// No ground is higher, metres.
    highest_m: f64,
    ellipsoid: Ellipsoid,
    texture: wgpu::Texture,
    /// Gone when all blocks are there.
    builder: Option<Arc<BlockBuilder>>,
    missing: Vec<ShadeBlock>,
    /// The last levels that blocks have for themselves, with their marks, face by face.
    last: Vec<(Vec<ShadeTexel>, Vec<WaterClass>)>,
    /// Whether some blocks are there.
    begun: bool,
    worker: Option<Worker>,
    /// Whether a worker has made all blocks that are made unasked.
    rest_waits: bool,
    /// Whether all is there that the last eye may see.
    complete: bool,
    /// Metres of the picture a metre of height.
    exaggeration: f64,
}

/// Ground around the place below an eye.
#[derive(Clone, Copy)]
struct Surroundings {
    /// Geodetic normal below the eye.
    up: DVec3,
    reach_rad: f64,
}

impl Surroundings {
    fn overlaps(self, block: ShadeBlock) -> bool {
        let (middle, radius) = block::cap(block);
        middle.angle_between(self.up) <= radius + self.reach_rad
    }
}

/// A thread that builds missing blocks, the nearest to the eye first; it ends when there are no more.
struct Worker {
    queue: Arc<Mutex<BlockQueue>>,
    made: Mutex<Receiver<BuiltBlock>>,
}

/// Blocks that are not built yet, and the ground near the eye.
struct BlockQueue {
    near: Surroundings,
    blocks: Vec<ShadeBlock>,
}

impl BlockQueue {
    /// The nearest block that is made unasked or is near, which is left to who asks.
    fn next(&mut self, builder: &BlockBuilder) -> Option<ShadeBlock> {
        let blocks = self.blocks.iter().copied().enumerate();
        let wanted = blocks.filter(|(_, block)| !builder.has_fine_data(*block) || self.near.overlaps(*block));
        let dots = wanted.map(|(at, block)| (at, block::cap(block).0.dot(self.near.up)));
        let (nearest, _) = dots.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(self.blocks.swap_remove(nearest))
    }
}

impl Worker {
    /// `None` where there is no thread for it.
    fn start(builder: &Arc<BlockBuilder>, queue: BlockQueue) -> Option<Worker> {
        let queue = Arc::new(Mutex::new(queue));
        let (send, made) = sync_channel(MOST_QUEUED);
        let (builder, shared) = (builder.clone(), queue.clone());
        let work = move || {
            let next = || shared.lock().unwrap_or_else(PoisonError::into_inner).next(&builder);
            while let Some(block) = next() {
                // Whoever waited for it may be gone.
                if send.send(builder.build(block)).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name(String::from("shading map")).spawn(work).ok()?;
        Some(Worker { queue, made: Mutex::new(made) })
    }
}

impl ShadingMap {
    /// Texels along a face: a quarter of the equator.
    pub const TEXELS: u32 = SIZE;

    /// No block yet of a relief, drawn `exaggeration` times as high, and of water.
    pub fn new(device: &wgpu::Device, relief: Arc<Relief>, water: Arc<Water>, exaggeration: f64) -> ShadingMap {
        let (ellipsoid, highest_m) = (relief.ellipsoid(), relief.range_m().1.max(HIGHEST_M));
        let builder = BlockBuilder::new(relief, water);
        let cube = &builder.cube;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shading map"),
            size: wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 6 },
            mip_level_count: cube.mip_count(),
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba16Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let texels = (cube.size(cube.block_mips() - 1) as usize).pow(2);
        ShadingMap {
            highest_m,
            ellipsoid,
            texture,
            builder: Some(Arc::new(builder)),
            missing: ShadeBlock::all().collect(),
            last: vec![(vec![[0; 4]; texels], vec![WaterClass::NearSea; texels]); 6],
            begun: false,
            worker: None,
            rest_waits: false,
            complete: false,
            exaggeration,
        }
    }

    /// The map as a shader reads it: a cube of heights in metres, the two parts of surface gradients ([`ShadeCube`]), and where water is.
    pub fn view(&self) -> wgpu::TextureView {
        self.texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::Cube),
            ..wgpu::TextureViewDescriptor::default()
        })
    }

    /// Whether all is there that the last eye may see.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Makes all that an eye may see, on all cores.
    pub fn build_all(&mut self, queue: &wgpu::Queue, eye_m: DVec3) {
        let seen = self.seen_from(eye_m);
        let (wanted, missing): (Vec<_>, Vec<_>) = self.missing.iter().copied().partition(|block| seen.overlaps(*block));
        (self.missing, self.begun, self.complete) = (missing, true, true);
        let Some(builder) = self.builder.clone().filter(|_| !wanted.is_empty()) else { return };
        let stage = Stage::begin("shading the globe", wanted.len() as u64);
        for blocks in wanted.chunks(BATCH) {
            let make = |block: &ShadeBlock| {
                let made = builder.build(*block);
                stage.step();
                made
            };
            let made: Vec<BuiltBlock> = blocks.par_iter().map(make).collect();
            made.iter().for_each(|made| self.upload_block(queue, made));
            // What a queue was given to write it keeps until a submission.
            queue.submit([]);
        }
        for layer in 0..6 {
            if wanted.iter().any(|block| block.layer == layer) {
                self.upload_coarser_levels(queue, &builder.cube, layer);
            }
        }
        self.end_if_whole();
    }

    /// Takes over what is ready for an eye, and goes on with what is missing; at the first call, and for pictures that are to be settled, it
    /// waits for all that is seen.
    pub fn update(&mut self, queue: &wgpu::Queue, eye_m: DVec3, pace: Pace) {
        if pace == Pace::Settled || !self.begun {
            self.build_all(queue, eye_m);
        }
        let Some(builder) = self.builder.clone().filter(|_| pace != Pace::Settled) else { return };
        let seen = self.seen_from(eye_m);
        let near = Surroundings { reach_rad: seen.reach_rad + AHEAD_RAD, ..seen };
        let is_wanted = || !self.rest_waits || self.missing.iter().any(|block| near.overlaps(*block));
        if self.worker.is_none() && is_wanted() {
            self.worker = Worker::start(&builder, BlockQueue { near, blocks: self.missing.clone() });
        }
        // Without a worker, or a thread for it, what is seen is made now, if anything.
        let Some(worker) = &mut self.worker else { return self.build_all(queue, eye_m) };
        worker.queue.lock().unwrap_or_else(PoisonError::into_inner).near = near;
        let waiting = worker.made.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (mut made, mut has_ended) = (Vec::new(), false);
        while made.len() < BLOCKS_PER_FRAME && !has_ended {
            match waiting.try_recv() {
                Ok(block) => made.push(block),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => has_ended = true,
            }
        }
        if has_ended {
            (self.worker, self.rest_waits) = (None, true);
        }
        for made in &made {
            self.upload_block(queue, made);
            self.missing.retain(|block| *block != made.block);
            self.upload_coarser_levels(queue, &builder.cube, made.block.layer);
        }
        self.complete = !self.missing.iter().any(|block| seen.overlaps(*block));
        self.end_if_whole();
    }

    /// Lets go what blocks are made from.
    fn end_if_whole(&mut self) {
        if self.missing.is_empty() {
            (self.builder, self.worker) = (None, None);
        }
    }

    /// Ground that an eye may see, or that may lie between such ground and the sun.
    fn seen_from(&self, eye_m: DVec3) -> Surroundings {
        let radius_m = self.ellipsoid.semi_major_m();
        let to_horizon = |height_m: f64| (radius_m / (radius_m + height_m.max(0.0))).acos();
        let up = self.ellipsoid.normal_at(eye_m);
        let height_m = self.ellipsoid.height_along_m(eye_m, up);
        let reach_rad = to_horizon(height_m) + to_horizon(self.highest_m * self.exaggeration) + BEYOND_RAD;
        Surroundings { up, reach_rad }
    }

    /// Hands a block to the device.
    fn upload_block(&mut self, queue: &wgpu::Queue, made: &BuiltBlock) {
        let ShadeBlock { layer, column, row } = made.block;
        for (mip, texels) in made.mips.iter().enumerate() {
            let side = self.texture.width() >> mip as u32;
            let side = side / ShadeCube::BLOCKS as u32;
            self.write(queue, (layer, mip), [column as u32 * side, row as u32 * side], side, texels);
        }
        let Some(texels) = made.mips.last() else { return };
        let side = texels.len().isqrt();
        let (texels_of_face, marks_of_face) = &mut self.last[layer];
        for (y, (texels, marks)) in texels.chunks_exact(side).zip(made.last_marks.chunks_exact(side)).enumerate() {
            let first = (row * side + y) * side * ShadeCube::BLOCKS + column * side;
            texels_of_face[first..first + side].copy_from_slice(texels);
            marks_of_face[first..first + side].copy_from_slice(marks);
        }
    }

    /// Makes the levels of a face that blocks do not have for themselves.
    fn upload_coarser_levels(&self, queue: &wgpu::Queue, cube: &ShadeCube, layer: usize) {
        let (texels, marks) = &self.last[layer];
        let mut side = texels.len().isqrt();
        let mut marks = marks.clone();
        for (below, mut texels) in cube.coarser(texels).into_iter().enumerate() {
            marks = halved(&marks, side);
            side /= 2;
            marked(&mut texels, &marks, None);
            self.write(queue, (layer, cube.block_mips() as usize + below), [0, 0], side as u32, &texels);
        }
    }

    fn write(
        &self,
        queue: &wgpu::Queue,
        (layer, mip): (usize, usize),
        [x, y]: [u32; 2],
        side: u32,
        texels: &[ShadeTexel],
    ) {
        queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                mip_level: mip as u32,
                origin: wgpu::Origin3d { x, y, z: layer as u32 },
                ..self.texture.as_image_copy()
            },
            bytemuck::cast_slice(texels),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(side * size_of::<ShadeTexel>() as u32),
                rows_per_image: Some(side),
            },
            wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
        );
    }
}

/// What the fourth channel says: 1 for sea, -1 for land, 0 near a shore of the sea; half of it near lakes and finer data. So no filter makes one
/// of the other. A sample costs by its taps, not by its channels.
fn channel(mark: WaterClass, is_fine: bool) -> u16 {
    let value = match mark {
        WaterClass::Land if is_fine => -0.5,
        WaterClass::Land => -1.0,
        WaterClass::NearLake => -0.5,
        WaterClass::NearSea => 0.0,
        WaterClass::Sea if is_fine => 0.5,
        WaterClass::Sea => 1.0,
    };
    f16::from_f32(value).to_bits()
}
