//! Why is there no device, or why did it fail?

/// A device could not be had, or met an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The machine shows no adapter at all.
    #[error(
        "no graphics adapter found: install a GPU driver, or Mesa's software Vulkan driver \
         (Debian, Ubuntu: `apt install mesa-vulkan-drivers`; Fedora: `dnf install mesa-vulkan-drivers`)"
    )]
    NoAdapter,
    /// There are adapters, but none fits what was asked for.
    #[error(
        "no graphics adapter fits:{rejected}\nsee the environment variables WGPU_ADAPTER_NAME and WGPU_BACKEND; \
         a software adapter comes with Mesa (Debian, Ubuntu: `apt install mesa-vulkan-drivers`)"
    )]
    NoAdapterFits {
        /// Each adapter with the reason, a line each.
        rejected: String,
    },
    /// The window gave no surface, or its surface gives no frames.
    #[error("no pictures for the window: {reason}")]
    Surface {
        /// wgpu's reason, or what was asked for and cannot be had.
        reason: String,
    },
    /// The adapter gave no device.
    #[error("{adapter} gave no device: {reason}")]
    Device {
        /// Adapter name.
        adapter: String,
        /// wgpu's reason.
        reason: String,
    },
    /// Waiting for the device failed.
    #[error("waiting for the device failed: {reason}")]
    Wait {
        /// wgpu's reason.
        reason: String,
    },
    /// The call waits for the device, which nothing may in a browser: its form that ends in `_async` does not.
    #[error("nothing can wait for the graphics device in a browser: use the form of the call that ends in _async")]
    Blocking,
    /// The device is gone, and everything on it; calls on what is left of it do nothing. Another one takes its place:
    /// make a new [`Gpu`](crate::Gpu), and all that was made with the old one.
    #[error("the graphics device was lost: {reason}")]
    Lost {
        /// What the driver says.
        reason: String,
    },
    /// Errors outside any error scope: a bug in this program or in the driver, or memory ran out.
    #[error("{count} graphics error(s), the first: {first}")]
    Uncaptured {
        /// The first error's text.
        first: String,
        /// Errors since the last check.
        count: usize,
    },
}
