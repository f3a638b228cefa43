//! How is a question answered while frames are drawn? One at a time, on threads of its own; nobody waits for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use rayon::ThreadPool;

/// The running job.
#[derive(Debug)]
struct Job<Q, A> {
    question: Q,
    stop: Arc<AtomicBool>,
    answer: Arc<Mutex<Option<(A, f64)>>>,
}

/// Runs one job at a time on threads of its own: each computes the answer to a question.
#[derive(Debug)]
pub struct Background<Q, A> {
    /// Of its threads.
    name: &'static str,
    job: Option<Job<Q, A>>,
    pool: Option<ThreadPool>,
}

/// The result of a finished job.
#[derive(Debug)]
pub struct JobResult<Q, A> {
    /// The question.
    pub question: Q,
    /// The answer, and the milliseconds that it took; none if its thread was lost.
    pub answer: Option<(A, f64)>,
}

impl<Q, A: Send + 'static> Background<Q, A> {
    /// Nothing is asked yet, and no thread runs.
    pub fn new(name: &'static str) -> Self {
        Self { name, job: None, pool: None }
    }

    /// What is being answered.
    pub fn question(&self) -> Option<&Q> {
        self.job.as_ref().map(|job| &job.question)
    }

    /// Cancels the running job.
    pub fn cancel(&mut self) {
        if let Some(job) = self.job.take() {
            job.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Asks in place of what is being answered; `work` hears whether the answer is still wanted. False if there are no threads for it.
    pub fn start(&mut self, question: Q, work: impl FnOnce(&AtomicBool) -> A + Send + 'static) -> bool {
        self.cancel();
        if self.pool.is_none() {
            // Frames are drawn by one of the cores at least.
            let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1));
            let name = self.name;
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            // The log has what a lost thread said; its question ends without an answer.
            let pool = pool.panic_handler(|_| ());
            self.pool = pool.thread_name(move |number| format!("{name} {number}")).build().ok();
        }
        let Some(pool) = &self.pool else { return false };
        let (stop, answer) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(None)));
        let (is_stopped, told) = (stop.clone(), answer.clone());
        pool.spawn(move || {
            let since = Instant::now();
            let found = work(&is_stopped);
            if let Ok(mut told) = told.lock() {
                *told = Some((found, since.elapsed().as_secs_f64() * 1e3));
            }
        });
        self.job = Some(Job { question, stop, answer });
        true
    }

    /// The result of the job, once it is finished.
    pub fn take_result(&mut self) -> Option<JobResult<Q, A>> {
        // One whose thread was lost is held by nobody else; what it left is looked at after that.
        let is_lost = |job: &Job<Q, A>| Arc::strong_count(&job.answer) == 1;
        let job = self.job.as_ref()?;
        let lost = is_lost(job);
        let answer = job.answer.lock().ok().and_then(|mut told| told.take());
        if answer.is_none() && !lost {
            return None;
        }
        self.job.take().map(|job| JobResult { question: job.question, answer })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn wait(background: &mut Background<u32, u32>) -> JobResult<u32, u32> {
        loop {
            if let Some(answered) = background.take_result() {
                return answered;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Law: a question has its own answer, once; one that is replaced or stopped has none, and hears of it; one whose thread is lost ends.
    #[test]
    fn questions_have_their_own_answers() {
        let mut background = Background::new("test");
        assert!(background.take_result().is_none() && background.question().is_none());
        for question in 0..20 {
            assert!(background.start(question, move |_| question * 2));
            let JobResult { question: of, answer } = wait(&mut background);
            assert_eq!((of, answer.map(|(answer, _)| answer)), (question, Some(question * 2)));
            assert!(background.take_result().is_none() && background.question().is_none());
        }
        let forever = |stop: &AtomicBool| {
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            1
        };
        assert!(
            background.start(1, forever) && background.take_result().is_none() && background.question() == Some(&1)
        );
        assert!(background.start(2, |_| 4));
        assert_eq!(wait(&mut background).question, 2);
        assert!(background.start(3, forever));
        background.cancel();
        assert!(background.take_result().is_none() && background.question().is_none());
        assert!(background.start(4, |_| panic!("a thread is lost")));
        let JobResult { question, answer } = wait(&mut background);
        assert!(question == 4 && answer.is_none());
        assert!(background.start(5, |_| 10));
        assert_eq!(wait(&mut background).answer.map(|(answer, _)| answer), Some(10));
    }
}
