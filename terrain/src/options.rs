//! Where does a mesh live, how large is it and how good, and which wishes cannot be?

use derive_setters::Setters;
use std::{fmt, str::FromStr};

use cbt::gpu::GpuTreeError;
use gpu::{Caps, pipeline::PipelineError};
use kernels::KernelError;
use shaders::ShaderError;

use crate::{
    metric::Quality,
    pool::{PoolError, gpu::GpuPoolError},
    tile::{TILE_VERTICES, Texel},
    view::ViewError,
};

/// Elevation tiles unless asked otherwise.
pub const DEFAULT_TILES: u32 = 512;

/// Bytes of an elevation tile.
pub const TILE_BYTES: u64 = (TILE_VERTICES * TILE_VERTICES * size_of::<Texel>()) as u64;

/// Where the mesh lives.
///
/// ```
/// use terrain::Backend;
/// assert_eq!("gpu".parse::<Backend>(), Ok(Backend::Gpu));
/// assert_eq!(Backend::Cpu.to_string(), "cpu");
/// assert!(Backend::ALL.iter().all(|backend| backend.name().parse::<Backend>() == Ok(*backend)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Topology and vertices on CPU threads, uploaded every frame: best beside a software rasteriser.
    Cpu,
    /// Topology, vertices and elevation tiles on the GPU, drawn indirectly.
    Gpu,
}

impl Backend {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Cpu, Self::Gpu];

    /// `cpu` or `gpu`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }

    /// The better one for a device: passes that a CPU has to emulate cost more than the CPU's own mesh.
    ///
    /// ```
    /// use terrain::Backend;
    /// let gpu = gpu::Gpu::new(&gpu::GpuOptions::default().with_software(true))?;
    /// assert_eq!(Backend::best_for(&gpu.device), Backend::Cpu);
    /// # Ok::<(), gpu::GpuError>(())
    /// ```
    pub fn best_for(device: &wgpu::Device) -> Self {
        if Caps::of(device).is_software() { Self::Cpu } else { Self::Gpu }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|backend| backend.name() == word);
        known.ok_or_else(|| format!("{word:?} is not a place for the mesh: choose cpu or gpu"))
    }
}

/// Where the mesh lives, how large it is and how good.
///
/// ```
/// use terrain::{Backend, Options, TILE_BYTES};
/// let small = Options::default().with_backend(Some(Backend::Cpu)).with_pool_slots(1 << 14).with_tiles(128);
/// assert_eq!(u64::from(small.tiles) * TILE_BYTES, 128 * 257 * 257 * 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Options {
    /// Where the mesh lives; `None` for [`Backend::best_for`] the device, and for the CPU where the GPU is too small.
    pub backend: Option<Backend>,
    /// Most triangles that can be live: a power of two from 64 to 1 048 576. When the view needs more, the largest errors win.
    pub pool_slots: u32,
    /// Deepest bisection, at most [`MAX_DEPTH`](const@crate::bisection::MAX_DEPTH); 58 is below a centimetre.
    pub max_depth: u32,
    /// Screen-space quality.
    pub quality: Quality,
    /// Most refinement steps in one update, at least 1; each adds at most one level everywhere. The CPU stops early where a step changes
    /// nothing.
    pub steps_per_update: u32,
    /// Most elevation tiles, of [`TILE_BYTES`] each: at least [`crate::streaming::MIN_TILES`], and where the mesh is on the GPU at most 1024
    /// and the device's `max_texture_array_layers`, clamped. They are where the mesh is.
    pub tiles: u32,
}

impl Default for Options {
    /// Where it is best; 2^17 triangles, 1 pixel, two steps an update, [`DEFAULT_TILES`].
    fn default() -> Self {
        Self {
            backend: None,
            pool_slots: 1 << 17,
            max_depth: crate::bisection::MAX_DEPTH,
            quality: Quality::default(),
            steps_per_update: 2,
            tiles: DEFAULT_TILES,
        }
    }
}

/// Why a planet cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanetError {
    /// The quality or the pool cannot be.
    #[error(transparent)]
    Terrain(#[from] TerrainError),
    /// There are as many views as tiles can be shared by.
    #[error("a planet has at most {limit} views at a time: drop one first")]
    TooManyViews {
        /// Most views.
        limit: u32,
    },
    /// A shader does not compose.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// The device rejects a pipeline or bind group.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The device rejects the tree of live triangles.
    #[error(transparent)]
    Tree(#[from] GpuTreeError),
    /// The device has no form of the scans inside the passes.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The vertices of a full pool are more than a buffer of the device holds.
    #[error("{slots} triangles take a buffer of {bytes} bytes, and this device binds {limit}: ask for fewer triangles")]
    TooManyTriangles {
        /// Slots of the pool asked for.
        slots: u32,
        /// Bytes of their vertices.
        bytes: u64,
        /// `max_storage_buffer_binding_size` or `max_buffer_size`, whichever is less.
        limit: u64,
    },
}

impl From<GpuPoolError> for PlanetError {
    fn from(error: GpuPoolError) -> Self {
        match error {
            GpuPoolError::Pool(error) => TerrainError::Pool(error).into(),
            GpuPoolError::Shader(error) => error.into(),
            GpuPoolError::Pipeline(error) => error.into(),
            GpuPoolError::Tree(error) => error.into(),
            GpuPoolError::Kernel(error) => error.into(),
        }
    }
}

/// Why a terrain cannot be made or updated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TerrainError {
    /// The pool cannot be made.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The view cannot be drawn.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The tolerated error, edge floor or morph range is not a usable number.
    #[error("{what} is {value}: it must be {rule}")]
    Quality {
        /// Which setting.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it has to be.
        rule: &'static str,
    },
}

pub(crate) fn check_quality(quality: &Quality) -> Result<(), TerrainError> {
    let check = |what, value: f64, low: f64, rule| {
        if value.is_finite() && value > low { Ok(()) } else { Err(TerrainError::Quality { what, value, rule }) }
    };
    check("the pixel error", quality.pixel_error, 0.0, "above 0 pixels")?;
    check("the shortest edge", quality.min_edge_px, 0.0, "above 0 pixels")?;
    check("the end of the morph range", quality.morph_end, 1.0, "above 1")
}
