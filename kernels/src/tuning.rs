//! Which sizes do kernels take instead of their own choice, to measure what another machine would like?

use crate::KernelError;
use shaders::Composer;
use std::{fmt, str::FromStr};

/// Sizes for [`Kernels::with_tuning`](crate::Kernels::with_tuning); `None` is the kernel's own choice. None of them changes a
/// result.
///
/// ```
/// use kernels::{Kernels, Tuning};
/// let gpu = gpu::Gpu::new(&Default::default())?;
/// let tuning = Tuning::default().with_sweep(Some("256x8/1".parse()?)).with_stage(Some(1024));
/// let kernels = Kernels::new(&gpu.device).with_tuning(tuning);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Tuning {
    /// Sizes of the one-sweep sort; one that the device cannot run is an error when the sort is made.
    pub sweep: Option<OnesweepConfig>,
    /// Items that a workgroup of a compaction gathers before it writes them: a multiple of 256 up to 4096, rounded if it is none.
    pub stage: Option<u32>,
}

impl Tuning {
    /// The same with other sizes of the one-sweep [`sweep`](Self::sweep).
    pub fn with_sweep(self, sweep: Option<OnesweepConfig>) -> Self {
        Self { sweep, ..self }
    }

    /// The same with another [`stage`](Self::stage).
    pub fn with_stage(self, stage: Option<u32>) -> Self {
        Self { stage, ..self }
    }
}

/// Sizes of the one-sweep sort's workgroups. None of them changes a result.
///
/// ```
/// let shape: kernels::OnesweepConfig = "512x22/2@4".parse().unwrap();
/// assert_eq!((shape.threads, shape.items, shape.phases, shape.copies), (512, 22, 2, Some(4)));
/// assert_eq!(shape.to_string(), "512x22/2@4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct OnesweepConfig {
    /// Invocations of a workgroup.
    pub threads: u32,
    /// Keys that an invocation holds: a tile has `threads * items`.
    pub items: u32,
    /// Parts in which a tile goes through workgroup memory, which needs room for one of them; a divisor of `items`.
    pub phases: u32,
    /// Counters of each digit in a workgroup that counts the totals; `None` for as many as workgroup memory has room for, up to 4.
    pub copies: Option<u32>,
}

/// `THREADSxITEMS/PHASES`, `@COPIES` if they are given: `512x22/2@4`.
impl fmt::Display for OnesweepConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}/{}", self.threads, self.items, self.phases)?;
        self.copies.map_or(Ok(()), |copies| write!(f, "@{copies}"))
    }
}

impl FromStr for OnesweepConfig {
    type Err = KernelError;

    fn from_str(text: &str) -> Result<Self, KernelError> {
        let parse = || {
            let (sizes, copies) = match text.split_once('@') {
                Some((sizes, copies)) => (sizes, Some(copies.parse().ok()?)),
                None => (text, None),
            };
            let (sizes, phases) = sizes.split_once('/').unwrap_or((sizes, "1"));
            let (threads, items) = sizes.split_once('x')?;
            let (threads, items, phases) = (threads.parse().ok()?, items.parse().ok()?, phases.parse().ok()?);
            Some(Self { threads, items, phases, copies })
        };
        parse().ok_or_else(|| KernelError::OnesweepConfig {
            given: text.to_owned(),
            why: "THREADSxITEMS/PHASES is expected, with @COPIES, such as 512x22/2@4".to_owned(),
        })
    }
}

/// Choices of [`Form::LookBack`](crate::Form::LookBack). None of them changes a result.
///
/// ```
/// use kernels::{Kernels, LookBackOptions, SilentTiles};
/// let gpu = gpu::Gpu::new(&Default::default())?;
/// // As if every third workgroup never ran: the others find its sums themselves.
/// let options = LookBackOptions::default().with_polls(1).with_silent(Some(SilentTiles { of: 3, at: 0 }));
/// let kernels = Kernels::new(&gpu.device).with_look_back(options);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LookBackOptions {
    /// How often a workgroup polls a missing tile state before it computes the value itself.
    pub polls: u32,
    /// Tiles whose workgroups never post, to test that nobody depends on them.
    pub silent: Option<SilentTiles>,
}

impl Default for LookBackOptions {
    fn default() -> Self {
        Self { polls: 4, silent: None }
    }
}

/// One tile of every `of`: tiles `at`, `at + of`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SilentTiles {
    /// Distance of silent tiles; at least 1, which silences all.
    pub of: u32,
    /// The first of them.
    pub at: u32,
}

impl LookBackOptions {
    /// The same with another [`polls`](Self::polls).
    pub fn with_polls(self, polls: u32) -> Self {
        Self { polls, ..self }
    }

    /// The same with other [`silent`](Self::silent) tiles.
    pub fn with_silent(self, silent: Option<SilentTiles>) -> Self {
        Self { silent, ..self }
    }

    /// Binds `kernels/look_back/options`.
    pub(crate) fn bind(&self, composer: &mut Composer) {
        let silent = match self.silent {
            Some(SilentTiles { of, at }) => format!("tile % {}u == {}u", of.max(1), at % of.max(1)),
            None => "false".to_owned(),
        };
        let text = format!(
            "const POLLS: u32 = {}u;\nfn is_silent(tile: u32) -> bool {{ return {silent}; }}\n",
            self.polls.min(1 << 20)
        );
        composer.bind("kernels/look_back/options", "look-back options", &text);
    }
}
