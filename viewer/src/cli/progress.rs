//! What does a user see of work that takes longer than a second? What is being done and how far it is, on stderr; nothing of
//! work that is quick.
//!
//! On a terminal it is a second of the user's. Elsewhere it is one of the processor's, so that what a log says does not depend
//! on what else the machine does; or ten of waiting for a disk or a network.

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use terrain::progress::{self, Stage, StageProgress};

/// Time after which progress is reported.
const FIRST_REPORT: Duration = Duration::from_secs(1);
/// Time between two polls.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Time between two lines where stderr is no terminal, which keeps them all.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Whether nothing is told on stderr but errors: `--quiet`.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// From now on nothing is told but errors.
pub fn silence() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

/// Whether only errors are told.
pub fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Tells what was done, on stderr.
pub fn note(line: &str) {
    if !is_quiet() {
        // Who closed stderr wants to hear nothing.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// A bar of so many steps.
pub fn bar(steps: u64) -> ProgressBar {
    shown(ProgressBar::new(steps))
}

/// What turns while nobody knows how many steps there are.
pub fn spinner() -> ProgressBar {
    shown(ProgressBar::new_spinner())
}

fn shown(bar: ProgressBar) -> ProgressBar {
    if is_quiet() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}

/// How a bar looks.
pub fn bar_style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Reports progress of the elevation library on stderr, from a thread, until it is dropped.
pub struct LibraryProgress {
    /// Closed to end the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl LibraryProgress {
    /// From now on.
    pub fn begin() -> LibraryProgress {
        let (end, ended) = channel();
        let tell = move || {
            let mut teller = ProgressReporter { since: Instant::now(), bar: None, said: None, began: None };
            let mut pause = FIRST_REPORT;
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                pause = POLL_INTERVAL;
                if let Some(now) = progress::current() {
                    teller.report(now);
                }
            }
            teller.bar.iter().for_each(ProgressBar::finish_and_clear);
        };
        if is_quiet() {
            return LibraryProgress { end: None, thread: None };
        }
        // Without a thread nothing is said.
        let thread = std::thread::Builder::new().name(String::from("progress")).spawn(tell).ok();
        LibraryProgress { end: Some(end), thread }
    }
}

impl Drop for LibraryProgress {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _panicked = thread.join();
        }
    }
}

/// A task of the program itself, reported if it takes long, until it is dropped.
pub struct TaskProgress {
    stage: Stage,
    _waiting: LibraryProgress,
}

impl TaskProgress {
    /// From now on; of so many steps, or 0 where nobody knows.
    pub fn begin(what: &'static str, all: u64) -> Self {
        Self { stage: Stage::begin(what, all), _waiting: LibraryProgress::begin() }
    }

    /// The same for work that shows a bar of its own on a terminal.
    pub fn without_terminal(what: &'static str, all: u64) -> Option<Self> {
        (!std::io::stderr().is_terminal()).then(|| Self::begin(what, all))
    }

    /// So many steps are done.
    pub fn done(&self, steps: u64) {
        self.stage.set(steps);
    }
}

/// Decides when to report, and writes bars or lines.
struct ProgressReporter {
    since: Instant,
    /// On a terminal.
    bar: Option<ProgressBar>,
    /// When the last line was written elsewhere, and what it said.
    said: Option<(Instant, StageProgress)>,
    /// When the work under way was first seen, and how far it was.
    began: Option<(Instant, StageProgress)>,
}

impl ProgressReporter {
    fn report(&mut self, now: StageProgress) {
        if std::io::stderr().is_terminal() {
            let bar = self.bar.get_or_insert_with(ProgressBar::new_spinner);
            let template = if now.all > 0 {
                "{msg} {bar:30} {human_pos}/{human_len}, {eta} left"
            } else {
                "{spinner} {msg}, {elapsed}"
            };
            bar.set_style(bar_style(template));
            bar.set_message(now.what);
            bar.set_length(now.all);
            bar.set_position(now.done);
            bar.tick();
            return;
        }
        let (since, first) = match self.began {
            Some((since, first)) if first.what == now.what && first.all == now.all => (since, first),
            _ => *self.began.insert((Instant::now(), now)),
        };
        if self.is_due(now) {
            super::print_error_line(&line(now, remaining_s(since.elapsed(), now.done.saturating_sub(first.done), now)));
            self.said = Some((Instant::now(), now));
        }
    }

    /// Whether it is time for a line. Who waits for others to go on, with something done, says nothing new.
    fn is_due(&self, now: StageProgress) -> bool {
        match self.said {
            Some((at, said)) => at.elapsed() >= LINE_INTERVAL && (now.done == 0 || now != said),
            None => processor_time().is_none_or(|work| work >= FIRST_REPORT) || self.since.elapsed() >= LINE_INTERVAL,
        }
    }
}

/// What the process has taken of all processors, where the system tells.
fn processor_time() -> Option<Duration> {
    /// Clock ticks a second in which Linux counts, on all machines.
    const TICKS: u64 = 100;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program may hold anything but ends in the last parenthesis; two fields on is the third.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 1000 / TICKS))
}

/// Seconds that are left if it goes on as it did since so many steps ago; none where that cannot be told.
fn remaining_s(since: Duration, steps: u64, StageProgress { done, all, .. }: StageProgress) -> Option<f64> {
    (steps > 0 && all > done).then(|| since.as_secs_f64() / steps as f64 * (all - done) as f64)
}

fn line(StageProgress { what, done, all }: StageProgress, remaining_s: Option<f64>) -> String {
    let left = remaining_s.map_or_else(String::new, |seconds| format!(", {} left", format_duration(seconds)));
    match (all, done) {
        (0, 0) => format!("{what} ..."),
        (0, done) => format!("{what}: {done}"),
        (all, done) => format!("{what}: {done} of {all}{left}"),
    }
}

/// What shells expect of a program that Ctrl-C has ended.
pub const INTERRUPTED: u8 = 130;
const UNHEARD: &str = "Ctrl-C cannot be listened to";

/// Set by Ctrl-C and SIGTERM from now on: what is half done is then taken away before the program ends.
pub fn interruptions() -> anyhow::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let told = interrupted.clone();
    when_interrupted(move |signal| {
        // A second Ctrl-C means at once; of the other signal batch systems may send several together.
        if told.swap(true, Ordering::Relaxed) && signal == InterruptSignal::CtrlC {
            std::process::exit(INTERRUPTED.into());
        }
    })?;
    Ok(interrupted)
}

/// Ctrl-C and SIGTERM end the program from now on when it has removed a file that is half done.
pub fn removed_by_interruption(file: PathBuf) -> anyhow::Result<()> {
    when_interrupted(move |_| {
        let _gone = std::fs::remove_file(&file);
        std::process::exit(INTERRUPTED.into());
    })
}

/// What interrupts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum InterruptSignal {
    CtrlC,
    #[cfg(unix)]
    Terminate,
}

/// Does something at Ctrl-C, and at SIGTERM, which batch systems send. SIGHUP stays as it is: `nohup` has it ignored.
fn when_interrupted(act: impl Fn(InterruptSignal) + Send + Sync + 'static) -> anyhow::Result<()> {
    let act = Arc::new(act);
    #[cfg(unix)]
    {
        use signal_hook::{consts::SIGTERM, iterator::Signals};
        let (mut signals, act) = (Signals::new([SIGTERM]).context(UNHEARD)?, act.clone());
        std::thread::Builder::new()
            .spawn(move || signals.forever().for_each(|_| act(InterruptSignal::Terminate)))
            .context(UNHEARD)?;
    }
    ctrlc::set_handler(move || act(InterruptSignal::CtrlC)).context(UNHEARD)
}

/// A time in the unit that suits it.
pub fn format_duration(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_their_numbers() {
        let line = |what, done, all, remaining_s| line(StageProgress { what, done, all }, remaining_s);
        assert_eq!(line("reading headers", 3, 5000, None), "reading headers: 3 of 5000");
        assert_eq!(line("drawing pictures", 3, 250, Some(7410.0)), "drawing pictures: 3 of 250, 2.1 h left");
        assert_eq!(line("reading elevation", 0, 0, None), "reading elevation ...");
        assert_eq!(line("answering points", 9, 0, None), "answering points: 9");
        assert_eq!([4.25, 600.0, 36_000.0].map(format_duration), ["4.2 s", "10 min", "10.0 h"]);
    }

    /// Law: what is left takes as long a step as what was done.
    #[test]
    fn what_is_left_goes_on_as_it_began() {
        let now = |done, all| StageProgress { what: "", done, all };
        assert_eq!(remaining_s(Duration::from_secs(30), 3, now(5, 20)), Some(150.0));
        assert_eq!(remaining_s(Duration::from_secs(30), 3, now(20, 20)), None);
        assert_eq!(
            (remaining_s(Duration::from_secs(3), 0, now(5, 20)), remaining_s(Duration::from_secs(3), 2, now(5, 0))),
            (None, None)
        );
    }

    /// Law: who ends before a second has passed waits for nothing.
    #[test]
    fn quick_work_is_not_held_up() {
        let started = Instant::now();
        drop(LibraryProgress::begin());
        assert!(started.elapsed() < FIRST_REPORT);
    }
}
