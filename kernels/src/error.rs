//! What can be asked wrongly of a primitive? Known before anything is recorded, with the numbers.

#[cfg(feature = "gpu")]
use gpu::pipeline::PipelineError;
#[cfg(feature = "gpu")]
use shaders::ShaderError;

/// Why a primitive cannot be made or bound.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// A slice reaches beyond its buffer.
    #[error("`{slice}` needs bytes {first} to {end} of a buffer of {size} bytes")]
    OutOfRange {
        /// Argument.
        slice: &'static str,
        /// First byte.
        first: u64,
        /// Byte after the last.
        end: u64,
        /// Size of the buffer.
        size: u64,
    },
    /// A slice holds fewer items than the count may reach.
    #[error("`{slice}` holds {len} items, but the count may reach {wanted}")]
    TooShort {
        /// Argument.
        slice: &'static str,
        /// Its items.
        len: u32,
        /// Items needed.
        wanted: u32,
    },
    /// A slice is larger than the device can bind.
    #[error("`{slice}` is {bytes} bytes, but this device binds at most {limit} (max_storage_buffer_binding_size)")]
    BindingTooLarge {
        /// Argument.
        slice: &'static str,
        /// Its bytes.
        bytes: u64,
        /// The device's limit.
        limit: u64,
    },
    /// A count is larger than the primitive can index.
    #[error("{asked} items, but {what} takes at most {limit}")]
    TooManyItems {
        /// The primitive.
        what: &'static str,
        /// Items asked for.
        asked: u64,
        /// Its limit.
        limit: u64,
    },
    /// A buffer lacks a usage.
    #[cfg(feature = "gpu")]
    #[error("the buffer of `{slice}` lacks usage {missing:?}, it has {has:?}")]
    Usage {
        /// Argument.
        slice: &'static str,
        /// Usages it lacks.
        missing: wgpu::BufferUsages,
        /// Usages it has.
        has: wgpu::BufferUsages,
    },
    /// A buffer is read as one argument and written as another, which one dispatch may not do.
    #[error("`{read}` and `{written}` lie in the same buffer, which is read and written: use two buffers")]
    SameBuffer {
        /// Argument that is read.
        read: &'static str,
        /// Argument that is written.
        written: &'static str,
    },
    /// Two written slices overlap.
    #[error("`{a}` and `{b}` overlap")]
    Overlap {
        /// One argument.
        a: &'static str,
        /// The other.
        b: &'static str,
    },
    /// The scratch lent is too small.
    #[error("scratch of {given} bytes, {wanted} are needed")]
    Scratch {
        /// Bytes lent.
        given: u64,
        /// Bytes needed.
        wanted: u64,
    },
    /// A Rust type and its WGSL type have different sizes.
    #[error("element `{element}` is {rust} bytes in Rust, but {wgsl} bytes apart in a WGSL array")]
    ElementSize {
        /// WGSL type.
        element: &'static str,
        /// Rust size.
        rust: u64,
        /// WGSL stride.
        wgsl: u64,
    },
    /// The variant asked for is none, or not possible.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Variant(#[from] crate::VariantError),
    /// A shape of the one-sweep sort that cannot be.
    #[error("the one-sweep sort cannot take the shape {given}: {why}")]
    OnesweepConfig {
        /// The shape.
        given: String,
        /// What stands against it.
        why: String,
    },
    /// An argument is outside its range.
    #[error("{what} is {given}, but must be within {low} to {high}")]
    Argument {
        /// The argument.
        what: &'static str,
        /// Its value.
        given: u64,
        /// Smallest.
        low: u64,
        /// Largest.
        high: u64,
    },
    /// A workgroup that cannot be.
    #[error("a workgroup of {given:?} invocations is not possible: {why}")]
    Workgroup {
        /// Invocations in x, y and z.
        given: [u32; 3],
        /// What stands against it.
        why: &'static str,
    },
    /// A slice does not begin where the device can bind it.
    #[error(
        "`{slice}` begins {first} elements behind a multiple of {align} bytes: begin it at such a multiple, or use a buffer of its own"
    )]
    Unaligned {
        /// Argument.
        slice: &'static str,
        /// Elements between.
        first: u32,
        /// What offsets are multiples of, in bytes.
        align: u32,
    },
    /// The rows of what a kernel writes are shorter than its inner loop: items would meet.
    #[error(
        "`{slice}` has rows of {row} elements, but the loop along a row runs to {end}: items would write to one place"
    )]
    Rows {
        /// Argument.
        slice: &'static str,
        /// Elements of a row.
        row: u32,
        /// Where the loop ends.
        end: u32,
    },
    /// A user's WGSL is wrong.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// The device refused a pipeline or bind group.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
}
