//! Parallel primitives with one meaning on the CPU (rayon) and the GPU (WGSL).
//!
//! - [`Kernels`] creates the primitives of a device: [`Reduce`], [`Scan`], [`Pyramid`], [`Compaction`], [`Append`], [`Histogram`],
//!   [`SortKeys`], [`SortPairs`], [`Argsort`], [`RunLengths`], [`PrepareIndirect`]. Each is bound to its arguments once and encoded into the caller's
//!   compute pass every frame. The crate submits, maps and writes nothing by itself.
//! - Functions of the same names, such as [`reduce`] and [`sort_pairs`], are the CPU forms, parallel through rayon.
//! - [`lbvh`]: linear bounding volume hierarchies over boxes, with ray and box queries.
//! - [`scene`]: rays through triangles by interchangeable engines: CPU, device, ray query hardware.
//! - [`device`](mod@device): Rust functions translated to WGSL, for all of the above.
//! - [`kernel`](mod@kernel): kernels from loops in Rust, for one core, all cores and the device. [`DualBuffer`]: arrays
//!   with a copy on host and device.
//! - [`testing`] tests a user's operator; [`gpu::timing`] divides the time of a run into execution, transfers and overhead.
//!
//! Feature `gpu`, on by default: all that runs on a device. Without it: the CPU forms, [`lbvh`] on the CPU, and what
//! [`device`](mod@device) and [`kernel`](mod@kernel) make for the CPU. No wgpu is compiled then.
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
//! let kernels = Kernels::new(&gpu.device);
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

// Whether types that hold a buffer of wgpu may go between threads is asked of more than 128 types in it.
#![recursion_limit = "256"]
// What only passes on a device ask for.
#![cfg_attr(not(feature = "gpu"), allow(dead_code))]

// The code that `#[device]` generates names this crate by its name.
extern crate self as kernels;

pub mod device;
pub mod kernel;
pub mod lbvh;
#[cfg(feature = "gpu")]
pub mod scene;
pub mod testing;

#[cfg(feature = "gpu")]
#[macro_use]
mod plan;

mod append;
#[cfg(feature = "gpu")]
mod arguments;
#[cfg(feature = "gpu")]
mod bound;
mod compact;
#[cfg(feature = "gpu")]
mod context;
#[cfg(feature = "gpu")]
mod dual_buffer;
mod element;
#[cfg(feature = "gpu")]
mod emit;
#[cfg(feature = "gpu")]
mod engine;
mod error;
mod histogram;
mod indirect;
#[cfg(feature = "gpu")]
mod library;
mod list;
#[cfg(feature = "gpu")]
mod look_back;
mod operator;
mod predicate;
mod pyramid;
mod reduce;
mod run_lengths;
mod scan;
#[cfg(feature = "gpu")]
mod scratch;
#[cfg(feature = "gpu")]
mod slice;
mod sort;
mod source;
#[cfg(feature = "gpu")]
mod tuning;
#[cfg(feature = "gpu")]
mod variant;
#[cfg(feature = "gpu")]
mod wgsl;

pub use append::{AppendCounter, append};
pub use compact::{compact, compact_indices};
pub use element::Element;
pub use error::KernelError;
pub use histogram::{Binning, histogram};
pub use indirect::{IndirectRequest, indirect_arguments};
pub use kernel::LoopKernel;
pub use kernels_device::{device, kernel};
pub use list::List;
pub use operator::{Max, Min, Operator, Sum};
pub use predicate::Predicate;
pub use pyramid::{PyramidShape, pyramid};
pub use reduce::reduce;
pub use run_lengths::run_lengths;
pub use scan::{ScanKind, scan};
pub use sort::{Order, RadixKey, argsort, sort_keys, sort_pairs};
pub use source::{Plain, PopCount, Source};

/// What runs on a device.
#[cfg(feature = "gpu")]
mod on_device {
    pub use crate::append::Append;
    pub use crate::bound::BoundKernel;
    pub use crate::compact::Compaction;
    pub use crate::context::Kernels;
    pub use crate::dual_buffer::{DualBuffer, DualBufferError, DualBufferList, Traffic};
    pub use crate::engine::{Engine, EngineError};
    pub use crate::histogram::Histogram;
    pub use crate::indirect::PrepareIndirect;
    pub use crate::kernel::{KernelPlan, TuneError, Tuned, Tuner};
    pub use crate::library::{WGSL, composer};
    pub use crate::list::GpuList;
    pub use crate::look_back::Form;
    pub use crate::pyramid::Pyramid;
    pub use crate::reduce::Reduce;
    pub use crate::run_lengths::{RunLengths, RunLengthsOut};
    pub use crate::scan::{Scan, ScanIo};
    pub use crate::scratch::{Scratch, ScratchLayout};
    pub use crate::slice::{Count, GpuSlice};
    pub use crate::sort::{Argsort, SortKeys, SortPairs, SortPairsIo};
    pub use crate::tuning::{LookBackOptions, OnesweepConfig, SilentTiles, Tuning};
    pub use crate::variant::{Variant, VariantError};
    pub use crate::wgsl::bind_group_functions;
}
#[cfg(feature = "gpu")]
pub use on_device::*;

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
