//! Parallel primitives with one meaning on the CPU (rayon) and the GPU (WGSL).
//!
//! - [`Kernels`] creates the primitives of a device: [`Reduce`], [`Scan`], [`Pyramid`], [`Compact`], [`Append`], [`Histogram`],
//!   [`SortKeys`], [`SortPairs`], [`Argsort`], [`RunLengths`], [`PrepareIndirect`]. Each is bound to its arguments once and encoded into the caller's
//!   compute pass every frame. The crate submits, maps and writes nothing by itself.
//! - Functions of the same names, such as [`reduce`] and [`sort_pairs`], are the CPU forms, parallel through rayon.
//! - [`lbvh`]: linear bounding volume hierarchies over boxes, with ray and box queries.
//! - [`scene`]: rays through triangles by interchangeable engines: CPU, device, ray query hardware.
//! - [`device`](mod@device): Rust functions translated to WGSL, for all of the above.
//! - [`kernel`](mod@device::kernel): kernels from loops in Rust, for one core, all cores and the device. [`Mirror`]: arrays
//!   with a copy on host and device.
//! - [`laws`] tests a user's operator; [`gpu::timing`] divides the time of a run into execution, transfers and overhead.
//!
//! Primitives are generic over an [`Element`] and an associative [`Operator`], built in ([`Sum`], [`Min`], [`Max`]) or the
//! user's own. A [`Count`] is known to the host or only to the device. The caller allocates [`Scratch`] memory of the size that
//! a primitive states, and passes it in.
//!
//! ```
//! use gpu::{Gpu, GpuOptions};
//! use kernels::{Count, GpuSlice, Kernels, Plain, ScanIo, ScanKind, Scratch, Sum};
//!
//! let gpu = Gpu::new(&GpuOptions::default())?;
//! let kernels = Kernels::new(&gpu.device)?;
//! # let buffer = |usage| gpu.device.create_buffer(&wgpu::BufferDescriptor {
//! #     label: None, size: 4000, usage: wgpu::BufferUsages::STORAGE | usage, mapped_at_creation: false });
//! # let (input, output) = (buffer(wgpu::BufferUsages::COPY_DST), buffer(wgpu::BufferUsages::COPY_SRC));
//!
//! let scan = kernels.scan::<Sum<u32>>()?;
//! let scratch = Scratch::new(&gpu.device, scan.scratch(1000));
//! let io = ScanIo { input: GpuSlice::whole(&input), output: GpuSlice::whole(&output), total: None };
//! let bound = scan.bind(io, ScanKind::Exclusive, Count::Fixed(1000), &scratch)?;
//!
//! // Every frame, among the caller's own commands:
//! let mut encoder = gpu.device.create_command_encoder(&Default::default());
//! bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
//! gpu.queue.submit([encoder.finish()]);
//! gpu.wait()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// The code that `#[device]` generates names this crate by its name.
extern crate self as kernels;

pub mod device;
pub mod laws;
pub mod lbvh;
pub mod scene;

#[macro_use]
mod plan;

mod append;
mod bound;
mod compact;
mod context;
mod element;
mod engine;
mod error;
mod histogram;
mod indirect;
mod look_back;
mod mirror;
mod operator;
mod predicate;
mod pyramid;
mod reduce;
mod runs;
mod scan;
mod scratch;
mod slice;
mod sort;
mod source;
mod tuning;
mod variant;
mod wgsl;

pub use append::{Append, AppendCounter, append};
pub use bound::Bound;
pub use compact::{Compact, compact, compact_indices};
pub use context::Kernels;
pub use device::kernel::{GpuList, KernelPlan, List, LoopKernel, TuneError, Tuned, Tuner};
pub use element::Element;
pub use engine::{Engine, EngineError};
pub use error::KernelError;
pub use histogram::{Binning, Histogram, histogram};
pub use indirect::{IndirectRequest, PrepareIndirect, indirect_arguments};
pub use kernels_device::{device, kernel};
pub use look_back::{Form, LookBackOptions, SilentTiles};
pub use mirror::{Mirror, MirrorError, MirrorList, Traffic};
pub use operator::{Max, Min, Operator, Sum};
pub use predicate::Predicate;
pub use pyramid::{Pyramid, PyramidShape, pyramid};
pub use reduce::{Reduce, reduce};
pub use runs::{RunLengths, RunsOut, run_lengths};
pub use scan::{Scan, ScanIo, ScanKind, scan};
pub use scratch::{Scratch, ScratchLayout};
pub use slice::{Count, GpuSlice};
pub use sort::{
    Argsort, Order, RadixKey, SortKeys, SortPairs, SortPairsIo, SweepShape, argsort, sort_keys, sort_pairs,
};
pub use source::{Plain, PopCount, Source};
pub use tuning::Tuning;
pub use variant::Variant;

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
