//! What is being done that takes long, and how far has it come? For programs that tell their users while they wait.
//!
//! Whoever works says so with a stage; whoever waits asks, from a thread of its own, as often as it likes.
//!
//! ```
//! // Nothing takes long here.
//! assert_eq!(elevation::progress::current(), None);
//! ```

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

/// Progress of a piece of work, in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageProgress {
    /// What is being done.
    pub what: &'static str,
    /// Steps that are done.
    pub done: u64,
    /// Steps in all; 0 where nobody knows.
    pub all: u64,
}

/// Pieces of work under way, in the order in which they began.
static STAGES: Mutex<Vec<Arc<StageState>>> = Mutex::new(Vec::new());

fn stages() -> MutexGuard<'static, Vec<Arc<StageState>>> {
    STAGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The work under way in this process that began last; `None` if there is none that says so.
pub fn current() -> Option<StageProgress> {
    let last = stages().last()?.clone();
    Some(StageProgress { what: last.what, done: last.done.load(Ordering::Relaxed), all: last.all })
}

#[derive(Debug)]
struct StageState {
    what: &'static str,
    done: AtomicU64,
    all: u64,
}

/// A piece of work, under way until it is dropped.
///
/// ```
/// use elevation::progress::{Stage, current};
/// let stage = Stage::begin("counting", 2);
/// stage.step();
/// assert_eq!(current().map(|now| (now.what, now.done, now.all)), Some(("counting", 1, 2)));
/// stage.set(2);
/// assert_eq!(current().map(|now| now.done), Some(2));
/// ```
#[derive(Debug)]
pub struct Stage(Arc<StageState>);

impl Stage {
    /// Begins work of so many steps; 0 where nobody knows.
    pub fn begin(what: &'static str, all: u64) -> Self {
        let steps = Arc::new(StageState { what, done: AtomicU64::new(0), all });
        stages().push(steps.clone());
        Self(steps)
    }

    /// So many steps are done.
    pub fn set(&self, done: u64) {
        self.0.done.store(done, Ordering::Relaxed);
    }

    /// One more step is done.
    pub fn step(&self) {
        self.0.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        stages().retain(|steps| !Arc::ptr_eq(steps, &self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: steps are counted, and what is dropped is not told any more. Other tests of the process work at the same time.
    #[test]
    fn a_stage_is_told_until_it_ends() {
        let stage = Stage::begin("a test of stages", 3);
        stage.step();
        let told =
            |what: &str| stages().iter().find(|steps| steps.what == what).map(|s| s.done.load(Ordering::Relaxed));
        assert_eq!(told("a test of stages"), Some(1));
        assert!(current().is_some());
        drop(stage);
        assert_eq!(told("a test of stages"), None);
    }
}
