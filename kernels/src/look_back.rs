//! When does one pass over the items do, and what does it need? Decoupled look-back with fallback, beside reduce-then-scan.
//!
//! In reduce-then-scan every item is read twice, and no workgroup waits for another. With look-back (Merrill & Garland
//! 2016) it is read once: a workgroup finds what comes before its tile in what the workgroups of earlier tiles have
//! posted. Where one is missing for long it computes the value itself (decoupled fallback, SPAA 2025). So the answer
//! is right, and there is one, even on a device that never schedules the other workgroup.

use crate::{
    KernelError, Kernels, ScratchLayout, Variant,
    arguments::Params,
    bound::{BoundCount, Dispatch, dispatch, dispatch_of_tiles},
    scratch::{Parts, ScratchPart},
};
use gpu::{Caps, pipeline::ComputeKernel};
use shaders::Composer;
use std::fmt;

/// How a primitive goes over its items. Every form gives the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// One workgroup does everything.
    OneTile,
    /// The items are read, then read again with what comes before them.
    ReduceThenScan,
    /// The items are read once; workgroups look back for what comes before them.
    LookBack,
}

impl Form {
    /// Tiles of [`Form::LookBack`] at most on a software device.
    ///
    /// Mesa's llvmpipe ends all loops of an invocation after 65 535 turns in all, without a word. Its threads start far apart in
    /// a dispatch, so that one may have to compute all tiles before its own: up to 64 turns each, of which 30 may be polls.
    pub const SOFTWARE_TILES: u32 = 1023;

    /// The form for at most `capacity` items in tiles of `tile`.
    ///
    /// `exact` says whether the operator's result is the same however it is bracketed, which look-back needs: integers of one
    /// word are taken to be, floats are not. [`Variant::LookBack`] asks for it wherever it is possible, [`Variant::Auto`] on
    /// hardware: on an H200 it was the faster form from two tiles on, at every size (benches/results/README.md). A software
    /// device takes seconds to compile a kernel, and is spared the second form; it never looks back over more than
    /// [`Form::SOFTWARE_TILES`].
    pub(crate) fn choose(variant: Variant, caps: &Caps, exact: bool, tile: u32, capacity: u32) -> Self {
        if capacity <= tile {
            Self::OneTile
        } else if Self::may_look_back(variant, caps, exact) && Self::may_walk(caps, capacity.div_ceil(tile)) {
            Self::LookBack
        } else {
            Self::ReduceThenScan
        }
    }

    /// Whether a walk back over `tiles` tiles comes to its end on the device.
    pub(crate) fn may_walk(caps: &Caps, tiles: u32) -> bool {
        !caps.is_software() || tiles <= Self::SOFTWARE_TILES
    }

    /// Whether [`Form::LookBack`] is chosen for more than one tile, as far as they are not too many.
    pub(crate) fn may_look_back(variant: Variant, caps: &Caps, exact: bool) -> bool {
        let wanted = match variant {
            Variant::LookBack => true,
            Variant::Auto => !caps.is_software(),
            Variant::Portable | Variant::Subgroup => false,
        };
        wanted && exact && caps.subgroups.is_some() && caps.storage_buffers_per_stage >= 8
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OneTile => "one tile",
            Self::ReduceThenScan => "reduce, then scan",
            Self::LookBack => "look-back",
        })
    }
}

/// The kernels of a primitive that looks back: what clears the tile states, and the pass itself.
#[derive(Clone, Debug)]
pub(crate) struct LookBack {
    clear: ComputeKernel,
    pub pass: ComputeKernel,
}

impl LookBack {
    /// With `entry` of `module` as the pass.
    pub fn new(kernels: &Kernels, composer: &Composer, module: &str, entry: &str) -> Result<Self, KernelError> {
        let mut composer = composer.clone();
        kernels.look_back().bind(&mut composer);
        let clear = kernels.kernel(&composer, "kernels/look_back/clear", "clear_tile_states")?;
        Ok(Self { clear, pass: kernels.kernel(&composer, module, entry)? })
    }

    /// The dispatches of a primitive that goes over items in tiles once.
    pub fn dispatches<'a>(
        &self,
        kernels: &Kernels,
        (label, tiling): (&'static str, Tiling),
        params: Params,
        count: &BoundCount<'_>,
        parts: &mut Parts<'a>,
        mut resources: Vec<(&str, wgpu::BindingResource<'a>)>,
    ) -> Result<Vec<Dispatch>, KernelError> {
        let words = tiling.state_words(params.capacity);
        let tile_states = parts.allocate::<u32>(words);
        resources.push(("tile_states", tile_states.resource()));
        let tiles = params.capacity.div_ceil(tiling.items);
        let pass = dispatch_of_tiles(kernels, label, &self.pass, params, count, tiles, &resources)?;
        Ok(vec![self.clear_dispatch(kernels.device(), tile_states, words)?, pass])
    }

    /// The dispatch that clears `words` words of `tile_states`.
    pub fn clear_dispatch(
        &self,
        device: &wgpu::Device,
        tile_states: ScratchPart<'_>,
        words: u32,
    ) -> Result<Dispatch, KernelError> {
        let workgroups = words.div_ceil(1024).clamp(1, Kernels::CHUNK_LIMIT);
        let params = Params { items: words, chunks: workgroups, ..Default::default() };
        let resources = [("tile_states", tile_states.resource())];
        dispatch(device, "clear posts", &self.clear, params, &BoundCount::FIXED, workgroups, &resources)
    }
}

/// Tiles of a primitive that looks back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiling {
    /// Items of a tile.
    pub items: u32,
    /// Words of a tile state: two for any word (`kernels/look_back/tile_states`), one for a count
    /// (`kernels/look_back/count_states`).
    pub state_words: u32,
}

impl Tiling {
    /// Words of the tile states of `capacity` items.
    fn state_words(self, capacity: u32) -> u32 {
        self.state_words * capacity.div_ceil(self.items)
    }

    /// Scratch of [`LookBack::steps`].
    pub fn scratch(self, capacity: u32) -> ScratchLayout {
        tile_states_scratch(self.state_words(capacity))
    }
}

/// Scratch of `words` words of tile states.
pub(crate) fn tile_states_scratch(words: u32) -> ScratchLayout {
    ScratchLayout::bytes(4 * u64::from(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::{Gpu, GpuOptions};
    use wgpu::DeviceType;

    #[test]
    fn the_form_follows_the_wish_the_device_and_the_operator() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
        let software = gpu.caps.clone();
        let hardware = software.clone().with_device_type(DeviceType::DiscreteGpu);
        let without = hardware.clone().with_subgroups(None);
        use Form::{LookBack, OneTile, ReduceThenScan};
        for (variant, caps, exact, capacity, form) in [
            (Variant::Auto, &hardware, true, 4096, OneTile),
            (Variant::Auto, &hardware, true, 4097, LookBack),
            (Variant::Auto, &hardware, false, 4097, ReduceThenScan),
            (Variant::Auto, &without, true, 4097, ReduceThenScan),
            (Variant::Auto, &software, true, 1 << 24, ReduceThenScan),
            (Variant::LookBack, &software, true, 4097, LookBack),
            (Variant::LookBack, &software, true, 4096 * Form::SOFTWARE_TILES, LookBack),
            (Variant::LookBack, &software, true, 4096 * Form::SOFTWARE_TILES + 1, ReduceThenScan),
            (Variant::LookBack, &hardware, true, 4096 * Form::SOFTWARE_TILES + 1, LookBack),
            (Variant::LookBack, &software, false, 4097, ReduceThenScan),
            (Variant::LookBack, &hardware, true, 1, OneTile),
            (Variant::Subgroup, &hardware, true, 1 << 24, ReduceThenScan),
            (Variant::Portable, &hardware, true, 1 << 24, ReduceThenScan),
        ] {
            assert_eq!(Form::choose(variant, caps, exact, 4096, capacity), form, "{variant} {exact} {capacity}");
        }
    }
}
