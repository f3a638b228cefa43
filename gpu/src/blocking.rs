//! How does a native program wait for an answer of the device? By a form without `_async`, which polls both; nothing blocks in a browser.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    thread::Thread,
    time::Duration,
};

use web_time::Instant;

use crate::{Gpu, GpuError};

/// Whether a browser runs this: it may not be kept waiting.
pub(crate) const BROWSER: bool = cfg!(target_family = "wasm");

/// Longest wait for another thread to hand over what the device has finished.
const ANSWER: Duration = Duration::from_secs(10);

/// Waits for an answer that needs no device to be polled.
pub(crate) fn block_on<T>(answer: impl Future<Output = Result<T, GpuError>>) -> Result<T, GpuError> {
    if BROWSER { Err(GpuError::Blocking) } else { pollster::block_on(answer) }
}

/// The thread that waits, and whether there is something new for it.
struct ParkedThread(Thread, AtomicBool);

impl Wake for ParkedThread {
    fn wake(self: Arc<Self>) {
        self.1.store(true, Ordering::Release);
        self.0.unpark();
    }
}

impl ParkedThread {
    /// Whether it was woken since the last call, or is within [`ANSWER`].
    fn woken(&self) -> bool {
        let until = Instant::now() + ANSWER;
        while !self.1.swap(false, Ordering::Acquire) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            std::thread::park_timeout(left);
        }
        true
    }
}

impl Gpu {
    /// What a future of this device gives, such as [`download_async`](crate::transfer::download_async): polls both until it is there.
    ///
    /// # Errors
    /// Those of the future and of [`wait`](Self::wait); [`GpuError::Wait`] if the future waits for something else than this device.
    ///
    /// ```
    /// use gpu::{Gpu, GpuOptions, transfer};
    ///
    /// let gpu = Gpu::new(&GpuOptions::default())?;
    /// let buffer = transfer::upload(&gpu.device, "numbers", &[1u32, 2, 3]);
    /// let numbers: Vec<u32> = gpu.block_on(transfer::download_async(&gpu, &buffer))?;
    /// assert_eq!(numbers, [1, 2, 3]);
    /// # Ok::<(), gpu::GpuError>(())
    /// ```
    pub fn block_on<T, E: From<GpuError>>(&self, answer: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        if BROWSER {
            return Err(GpuError::Blocking.into());
        }
        let waiting = Arc::new(ParkedThread(std::thread::current(), AtomicBool::new(false)));
        let waker = Waker::from(waiting.clone());
        let mut answer = pin!(answer);
        loop {
            if let Poll::Ready(answer) = answer.as_mut().poll(&mut Context::from_waker(&waker)) {
                // What a lost device answers says less than that it is lost: which a destroyed one is when its work is done, and polled.
                return answer.map_err(|error| match self.poll(wgpu::PollType::wait_indefinitely()) {
                    Err(lost @ GpuError::Lost { .. }) => lost.into(),
                    _ => error,
                });
            }
            self.wait()?;
            // All that was submitted is done, so the answer is there, or on its way from a thread that polled at the same time; from a
            // device that was lost meanwhile it may never come.
            if !waiting.woken() {
                return Err(GpuError::Wait { reason: "the device is idle, and no answer has come".to_owned() }.into());
            }
        }
    }
}
