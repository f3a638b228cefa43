//! What do the texels of a block of the shading map hold? Heights and slopes of the relief, and what they are of: land, sea, or near a shore.

use std::sync::{Arc, OnceLock};

use glam::DVec3;
use terrain::height::{Relief, ShadeBlock, ShadeCube, ShadeTexel};
use terrain::pack::{WaitPolicy, with_wait_policy};
use terrain::water::Water;

use super::channel;
use super::fine::{FineData, Square};
use super::shores::{WaterClass, halved, shores};

/// Texels along a face.
pub const SIZE: u32 = ShadeCube::DEFAULT_SIZE;

/// What blocks are made from, for any number of threads.
pub struct BlockBuilder {
    pub cube: ShadeCube,
    relief: Arc<Relief>,
    water: Arc<Water>,
    fine: FineData,
    /// What is at each texel of a face, once one of its blocks was made.
    shores: [OnceLock<Vec<WaterClass>>; 6],
    /// Blocks with fine data, once one was asked for.
    with_fine_data: OnceLock<Vec<ShadeBlock>>,
}

/// A block with the levels that it has for itself, the finest first.
pub struct BuiltBlock {
    pub block: ShadeBlock,
    pub mips: Vec<Vec<ShadeTexel>>,
    /// Marks of the last level.
    pub last_marks: Vec<WaterClass>,
}

impl BlockBuilder {
    /// For a relief and water on it.
    pub fn new(relief: Arc<Relief>, water: Arc<Water>) -> BlockBuilder {
        let (cube, fine) = (ShadeCube::new(relief.clone(), SIZE), FineData::of(&relief, SIZE as usize));
        BlockBuilder { cube, relief, water, fine, shores: Default::default(), with_fine_data: OnceLock::new() }
    }

    /// Whether a block may hold data that are finer than the map: their files have to be read for it.
    pub fn has_fine_data(&self, block: ShadeBlock) -> bool {
        let all = || ShadeBlock::all().filter(|block| self.fine.touches(square(*block))).collect();
        self.with_fine_data.get_or_init(all).contains(&block)
    }

    /// Makes a block.
    pub fn build(&self, block: ShadeBlock) -> BuiltBlock {
        // It stays: what is elsewhere is waited for.
        let mut mips = with_wait_policy(WaitPolicy::Retry, || self.cube.block(block));
        let Square { at: (column, row), side, .. } = square(block);
        let face = self.shores[block.layer].get_or_init(|| shores(&self.water, block.layer, SIZE as usize));
        let rows = (row..row + side).map(|row| row * SIZE as usize + column);
        let mut marks: Vec<WaterClass> = rows.flat_map(|first| face[first..first + side].iter().copied()).collect();
        // Seen from so far that coarser levels are, a texel is no larger than a pixel, and finer data show no more.
        let is_fine = self.fine.near(&self.relief, square(block));
        let mut side = side;
        for (mip, texels) in mips.iter_mut().enumerate() {
            if mip > 0 {
                marks = halved(&marks, side);
                side /= 2;
            }
            marked(texels, &marks, (mip == 0).then_some(&is_fine));
        }
        BuiltBlock { block, mips, last_marks: marks }
    }
}

/// Tells texels what they are of.
pub fn marked(texels: &mut [ShadeTexel], marks: &[WaterClass], is_fine: Option<&Vec<bool>>) {
    for (at, (texel, mark)) in texels.iter_mut().zip(marks).enumerate() {
        texel[3] = channel(*mark, is_fine.is_some_and(|is_fine| is_fine[at]));
    }
}

/// The texels of a block.
fn square(block: ShadeBlock) -> Square {
    let side = SIZE as usize / ShadeCube::BLOCKS;
    Square { layer: block.layer, at: (block.column * side, block.row * side), side }
}

/// A cap that holds a block: its middle, and its radius in radians.
pub fn cap(block: ShadeBlock) -> (DVec3, f64) {
    square(block).cap(SIZE as usize)
}
