//! Kernels from loops: a plain Rust function that ends with its loops, and beside it the same on all cores and in WGSL.
//!
//! [`#[kernel]`](macro@crate::kernel) leaves the function as it is: it runs on one core and can be debugged. What its loops run
//! over becomes the index space of a device, guarded, in one to three dimensions.
//!
//! ```
//! use gpu::Gpu;
//! use kernels::{Engine, DualBuffer, kernel};
//!
//! /// y = a x + y, and the largest of it.
//! #[kernel]
//! fn saxpy(a: f32, x: &[f32], y: &mut [f32], most: &mut f32) {
//!     *most = f32::MIN;
//!     for i in 0..y.len() as u32 {
//!         y[i as usize] += a * x[i as usize];
//!         *most = most.max(y[i as usize]);
//!     }
//! }
//!
//! // On one core, and on all.
//! let (x, mut y, mut most) = (vec![1.0; 1000], vec![2.0; 1000], 0.0);
//! saxpy(3.0, &x, &mut y, &mut most);
//! saxpy::par(3.0, &x, &mut y, &mut most);
//! assert_eq!(most, 8.0);
//!
//! // Where it is to run is chosen when it runs; what crosses, and when, is said.
//! let gpu = Gpu::new(&Default::default())?;
//! let device = Engine::device(&gpu)?;
//! let (x, mut y) = (DualBuffer::new(&gpu, "x", x), DualBuffer::new(&gpu, "y", y));
//! let mut most = DualBuffer::new(&gpu, "most", vec![most]);
//! x.to_device()?;
//! y.to_device()?;
//! most.to_device()?;
//! device.run::<saxpy>((1.0, &x, &mut y, &mut most))?;
//! most.to_host()?;
//! assert_eq!(most.host()?[0], 9.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Inside a frame, [`Kernels::plan`](crate::Kernels::plan) compiles once, [`KernelPlan::bind`] checks and binds the arguments once, and
//! [`BoundKernel::encode`](crate::BoundKernel::encode) records dispatches among the caller's own.
//!
//! # What may be written
//!
//! | parameter | is | on a device |
//! |---|---|---|
//! | `a: f32`, `size: UVec2`, `frame: Frame` | a value: scalar, vector of glam, device struct | the value |
//! | `#[count] n: u32` | a number that may be known to the device alone: the end of the only loop | [`Count`](crate::Count); dispatched indirectly |
//! | `x: &[T]` | read anywhere | [`GpuSlice`](crate::GpuSlice) |
//! | `y: &mut [T]` | read and written at the item's own place: `y[i as usize]`, `y[(row * width + column) as usize]` | `GpuSlice` |
//! | `total: &mut T` | reduced into: `*total += x`, `*total = total.wrapping_add(x)`, `.min(x)`, `.max(x)`, `*total \|= x`, `*total = f(*total, x)` | `GpuSlice` of one element |
//! | `list: &mut List<T>` | appended to, in any order: `list.push(x)` | [`GpuList`] |
//!
//! Before the loops stand `let name = VALUE;`, `*total = START;` and `list.clear();`. Loops that are nested without anything
//! between them are the index space, the innermost along x; `#[kernel(loops(1))]` takes fewer. Their bounds are made of
//! values and lengths, `0..x.len() as u32`. The body is what [device functions](super#what-may-be-written) have, and `continue`, which ends an item.
//!
//! Items that write at their own place alone cannot meet, so the loops may run in any order. This is proved at compile time. That
//! rows are long enough is checked when arguments are bound. A slice that is written may not lie in a buffer that is read.
//!
//! Elements, values and totals are of 32 bits, vectors, device structs, or `u64`; they lie as far apart in Rust as in WGSL, or rustc
//! refuses their type.
//!
//! ```compile_fail
//! #[kernels::kernel]
//! fn turn_round(from: &[u32], to: &mut [u32]) {
//!     for i in 0..from.len() as u32 {
//!         // error: items run at once and write at their own place alone: `to[(i) as usize]`; to read elsewhere, pass another slice
//!         to[(from.len() as u32 - 1 - i) as usize] = from[i as usize];
//!     }
//! }
//! ```
//!
//! ```compile_fail
//! #[kernels::kernel]
//! fn copy(from: &[glam::Vec3], to: &mut [glam::Vec3]) { // error: use `Vec4` for `Vec3`
//!     for i in 0..to.len() as u32 {
//!         to[i as usize] = from[i as usize];
//!     }
//! }
//! ```
//!
//! An operand whose type the macro does not see must not be a `u64`, as in device functions:
//!
//! ```compile_fail
//! #[kernels::device]
//! fn wide(x: u32) -> u64 { x as u64 * 3 }
//! #[kernels::kernel]
//! fn mark(to: &mut [u32]) {
//!     for i in 0..to.len() as u32 {
//!         to[i as usize] = (wide(i) > wide(7)) as u32; // error: bind it first: `let name: u64 = …`
//!     }
//! }
//! ```
//!
//! | annotation | of | meaning on the device |
//! |---|---|---|
//! | `#[kernel(workgroup(16, 16))]` | the function | invocations of a workgroup; [`Tuner`] finds them by measuring |
//! | `#[unroll]`, `#[unroll(4)]` | a loop inside an item | written out, or four turns at a time |
//! | `#[tile]`, `#[tile(32)]` | a loop inside an item | the workgroup loads what 16 (32) turns read together into workgroup memory, once; what is written, totals among it, is used after these loops |
//!
//! # What it means
//!
//! The plain loops are the meaning. Integers are the same bit for bit everywhere. Functions and sums of floats differ by their
//! rounding: a sum of n by at most n times the rounding of the sum of absolute values. On one device (and on any number of cores)
//! it repeats bit for bit while capacity and device stay. `f` of `*total = f(*total, x)` is commutative and associative, and
//! `START` does not change its other argument. Lists are in the order of the loops on the CPU, and in any order on a device.
//! Everything else is as for [device functions](super#what-it-means): elements beyond the end are the CPU's panic, and some other
//! element on a device.
//!
//! # White box
//!
//! [`KernelPlan::wgsl`] is the text that runs: the body is a WGSL function of the kernel's name, around it stand variables of the
//! parameters' names and entry points. [`Kernels::with_replacement`](crate::Kernels::with_replacement) puts a function written by hand
//! in its place for one device; it sees the same variables.

#[cfg(feature = "gpu")]
mod arguments;
#[cfg(feature = "gpu")]
mod compose;
mod description;
mod host;
#[cfg(feature = "gpu")]
mod plan;
#[cfg(feature = "gpu")]
mod tuner;

#[cfg(feature = "gpu")]
pub use arguments::Arguments;
#[doc(hidden)]
pub use description::{Description, ListText, ReductionText};
#[doc(hidden)]
pub use host::{Length, chunks, run, split};
#[cfg(feature = "gpu")]
pub use plan::KernelPlan;
#[cfg(feature = "gpu")]
pub use tuner::{TuneError, Tuned, Tuner};

#[cfg(feature = "gpu")]
pub use crate::list::GpuList;
pub use crate::list::List;

use crate::device::DeviceItem;
#[cfg(feature = "gpu")]
use crate::{DualBufferError, KernelError};

/// A kernel made from loops, as a type of the function's name. `#[kernel]` implements it, and nothing else does.
///
/// ```
/// use kernels::{LoopKernel, kernel};
///
/// #[kernel]
/// fn double(x: &mut [u32]) {
///     for i in 0..x.len() as u32 {
///         x[i as usize] *= 2;
///     }
/// }
///
/// /// Runs a kernel that changes words in place, on one core or on all.
/// fn run<K: for<'a> LoopKernel<Host<'a> = (&'a mut [u32],)>>(words: &mut [u32], on_all: bool) {
///     if on_all { K::parallel((words,)) } else { K::serial((words,)) }
/// }
/// let mut words = [1, 2, 3];
/// run::<double>(&mut words, false);
/// run::<double>(&mut words, true);
/// assert_eq!(words, [4, 8, 12]);
/// ```
pub trait LoopKernel: DeviceItem + 'static {
    #[doc(hidden)]
    const DESCRIPTION: &'static Description;
    /// The WGSL of its body, with all that it needs.
    const WGSL: &'static str;
    /// Its arguments on a device, as a tuple.
    #[cfg(feature = "gpu")]
    type Device<'a>;
    /// Its arguments on the host, as a tuple.
    type Host<'a>;
    /// Its arguments where slices are on both sides, as a tuple.
    #[cfg(feature = "gpu")]
    type DualBuffers<'a>;
    /// The plain loops.
    fn serial(arguments: Self::Host<'_>);
    /// The same on all cores.
    fn parallel(arguments: Self::Host<'_>);
    #[cfg(feature = "gpu")]
    #[doc(hidden)]
    fn arguments<'a>(arguments: Self::Device<'a>, into: &mut Arguments<'a>) -> Result<(), KernelError>;
    #[cfg(feature = "gpu")]
    #[doc(hidden)]
    fn on_host<'a>(arguments: Self::DualBuffers<'a>) -> Result<Self::Host<'a>, DualBufferError>;
    #[cfg(feature = "gpu")]
    #[doc(hidden)]
    fn on_device<'a>(arguments: Self::DualBuffers<'a>) -> Result<Self::Device<'a>, DualBufferError>;
}

/// What `#[kernel]` writes for devices, if this crate has its feature `gpu`.
#[cfg(feature = "gpu")]
#[doc(hidden)]
#[macro_export]
macro_rules! kernel_on_device {
    ($($item:tt)*) => { $($item)* };
}

/// What `#[kernel]` writes for devices, if this crate has its feature `gpu`.
#[cfg(not(feature = "gpu"))]
#[doc(hidden)]
#[macro_export]
macro_rules! kernel_on_device {
    ($($item:tt)*) => {};
}
