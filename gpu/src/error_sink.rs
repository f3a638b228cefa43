//! Where do errors go that no error scope catches? Into a list that callers can check and tests must find empty.

use crate::GpuError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
struct RecordedErrors {
    /// The first errors, in order.
    first: Vec<String>,
    count: usize,
    lost: Option<String>,
}

/// Uncaptured errors and the loss of a device, recorded from the moment the device was made. Clones share one list.
///
/// Each error is also logged at level `error` when it comes.
///
/// ```
/// use gpu::{Gpu, GpuOptions};
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// // A buffer that can be neither mapped nor bound, read as one that can.
/// let usage = wgpu::BufferUsages::COPY_DST;
/// let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size: 4, usage, mapped_at_creation: false });
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// encoder.copy_buffer_to_buffer(&buffer, 0, &buffer, 0, 4);
/// let _commands = encoder.finish();
/// assert!(gpu.errors.lost().is_none() && !gpu.errors.take().is_empty());
/// # Ok::<(), gpu::GpuError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ErrorSink(Arc<Mutex<RecordedErrors>>);

impl ErrorSink {
    /// Texts kept; beyond, errors are only counted.
    const KEPT: usize = 16;

    /// Records the errors of `device` from now on, in place of wgpu's default handler, which panics.
    ///
    /// ```
    /// use gpu::{ErrorSink, Gpu, GpuError, GpuOptions};
    /// let gpu = Gpu::new(&GpuOptions::default())?;
    /// // A device that was not made by `Gpu`.
    /// let (device, _queue) = pollster::block_on(gpu.adapter.request_device(&Default::default()))?;
    /// let errors = ErrorSink::install(&device);
    /// // A copy out of a buffer that was not made for it.
    /// let usage = wgpu::BufferUsages::COPY_DST;
    /// let buffer = device.create_buffer(&wgpu::BufferDescriptor { label: None, size: 4, usage, mapped_at_creation: false });
    /// let mut encoder = device.create_command_encoder(&Default::default());
    /// encoder.copy_buffer_to_buffer(&buffer, 0, &buffer, 0, 4);
    /// let _commands = encoder.finish();
    /// assert!(matches!(errors.check(), Err(GpuError::Uncaptured { .. })));
    /// assert!(gpu.errors.check().is_ok(), "the other device has met none");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn install(device: &wgpu::Device) -> Self {
        let sink = Self::default();
        let uncaptured = sink.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| uncaptured.record(error.to_string())));
        let lost = sink.clone();
        device.set_device_lost_callback(move |reason, message| {
            let why = match reason {
                wgpu::DeviceLostReason::Destroyed => "it was destroyed",
                _ if message.trim().is_empty() => "the driver gives no reason",
                _ => message.trim(),
            };
            tracing::error!("graphics device lost: {why}");
            lost.lock().lost = Some(why.to_owned());
        });
        sink
    }

    /// Adds an error, as the device's handler does.
    pub fn record(&self, message: String) {
        tracing::error!("{message}");
        let mut recorded = self.lock();
        recorded.count += 1;
        if recorded.first.len() < Self::KEPT {
            recorded.first.push(message);
        }
    }

    /// The loss of the device, from when wgpu told it; a device that was destroyed tells it at the next poll.
    pub fn lost(&self) -> Option<GpuError> {
        self.lock().lost.clone().map(|reason| GpuError::Lost { reason })
    }

    /// An error if any was recorded since the last call, or if the device is lost.
    ///
    /// ```
    /// let sink = gpu::ErrorSink::default();
    /// sink.record("buffer too small".to_owned());
    /// assert!(sink.check().is_err());
    /// assert!(sink.check().is_ok());
    /// ```
    pub fn check(&self) -> Result<(), GpuError> {
        if let Some(lost) = self.lost() {
            return Err(lost);
        }
        let mut recorded = self.lock();
        let count = std::mem::take(&mut recorded.count);
        let first = std::mem::take(&mut recorded.first).into_iter().next();
        match first {
            Some(first) => Err(GpuError::Uncaptured { first, count }),
            None => Ok(()),
        }
    }

    /// Takes the texts recorded since the last check, at most the first 16.
    pub fn take(&self) -> Vec<String> {
        let mut recorded = self.lock();
        recorded.count = 0;
        std::mem::take(&mut recorded.first)
    }

    fn lock(&self) -> MutexGuard<'_, RecordedErrors> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
