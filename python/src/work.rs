//! How does a call use all cores while Python goes on? On threads of its own pool, without Python's lock; the thread that called
//! looks after signals and progress meanwhile.

use std::{
    convert::Infallible,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    time::Duration,
};

use pyo3::{exceptions::PyRuntimeError, prelude::*};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How often the caller looks after signals.
const TICK: Duration = Duration::from_millis(50);

/// Progress and cancellation of a call, shared by its workers and the thread that waits.
#[derive(Default)]
pub struct CallMonitor {
    stopped: Arc<AtomicBool>,
    done: AtomicUsize,
}

impl CallMonitor {
    /// Notes that so much more is done; false if the rest is not wanted any more.
    pub fn advance(&self, by: usize) -> bool {
        self.done.fetch_add(by, Ordering::Relaxed);
        self.should_continue()
    }

    /// What is set when the rest is not wanted any more.
    #[cfg(feature = "picture")]
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.stopped.clone()
    }

    /// Whether the rest is still wanted.
    pub fn should_continue(&self) -> bool {
        !self.stopped.load(Ordering::Relaxed)
    }
}

/// The threads of this process. A fork has none of its parent's, so it gets its own.
pub fn pool() -> PyResult<Arc<ThreadPool>> {
    static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    match &*pool {
        Some((owner, threads)) if *owner == process => Ok(threads.clone()),
        _ => {
            let threads = ThreadPoolBuilder::new().thread_name(|k| format!("orogen {k}")).build();
            let threads = threads.map_err(|e| PyRuntimeError::new_err(format!("no threads to work on: {e}")))?;
            let threads = Arc::new(threads);
            // Of a parent's pool nothing may be waited for.
            std::mem::forget(pool.replace((process, threads.clone())));
            Ok(threads)
        }
    }
}

/// Runs short work, without progress or cancellation.
pub fn run_short<T: Send>(py: Python<'_>, work: impl FnOnce(&CallMonitor) -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    let caught = py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.install(|| work(&CallMonitor::default())))));
    caught.map_err(panic_error)
}

/// Runs long work: Ctrl-C cancels it, and `progress` is called with what is done and the total.
pub fn run_long<T: Send>(
    py: Python<'_>,
    total: usize,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&CallMonitor) -> T + Send,
) -> PyResult<T> {
    run_with_requests(py, (total, progress), |_, asked: Infallible| match asked {}, |watch, _| work(watch))
}

/// A message to the waiting thread: the result, or a request that only Python's thread can answer.
enum Message<T, Q> {
    Done(std::thread::Result<T>),
    Request(Q),
}

/// The same for work that sends requests to the waiting thread, by a function that it is given.
pub fn run_with_requests<T: Send, Q: Send>(
    py: Python<'_>,
    (total, progress): (usize, Option<&Bound<'_, PyAny>>),
    mut answer: impl FnMut(Python<'_>, Q),
    work: impl FnOnce(&CallMonitor, &(dyn Fn(Q) + Sync)) -> T + Send,
) -> PyResult<T> {
    let (pool, watch) = (pool()?, CallMonitor::default());
    let (sender, mut receiver) = mpsc::channel();
    let (result, interruption) = std::thread::scope(|scope| {
        let (watch, pool) = (&watch, &pool);
        scope.spawn(move || {
            // Who waits does so until the work is done.
            let ask = |asked| drop(sender.send(Message::Request(asked)));
            let caught = catch_unwind(AssertUnwindSafe(|| pool.install(|| work(watch, &ask))));
            drop(sender.send(Message::Done(caught)));
        });
        let (mut told, mut interruption) = (0, None);
        loop {
            let receiver = &mut receiver;
            let received = py.detach(move || receiver.recv_timeout(TICK));
            if interruption.is_none() {
                let done = watch.done.load(Ordering::Relaxed);
                let is_over = matches!(received, Ok(Message::Done(_)));
                let tell = progress.filter(|_| done > told || is_over);
                told = done;
                let heard = py.check_signals().and_then(|()| tell.map_or(Ok(()), |f| f.call1((done, total)).map(drop)));
                if let Err(error) = heard {
                    watch.stopped.store(true, Ordering::Relaxed);
                    interruption = Some(error);
                }
            }
            match received {
                Ok(Message::Done(result)) => break (Some(result), interruption),
                Ok(Message::Request(asked)) => answer(py, asked),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break (None, interruption),
            }
        }
    });
    if let Some(error) = interruption {
        return Err(error);
    }
    let lost = || PyRuntimeError::new_err("the thread of a call was lost");
    result.ok_or_else(lost)?.map_err(panic_error)
}

/// A fault of the library's own is an exception, not the end of the interpreter.
fn panic_error(panic: Box<dyn std::any::Any + Send>) -> PyErr {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    PyRuntimeError::new_err(format!("a fault of orogen, please report it: {text}"))
}
