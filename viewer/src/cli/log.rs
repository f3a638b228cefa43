//! Where does what the libraries log go? To stderr; errors of a verb that ends by itself only then, without the one that it ends
//! with.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Errors that wait for the end; `None` if none does.
static HELD: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// What of the client of servers is never logged.
const BYTES: &str = "ureq_proto::util=off";

/// What the libraries log goes to stderr from here on. That is what elevation data and their cache have to tell, like a file that vanished.
/// `verbose` 1 adds what is done, 2 what is of use to developers. `RUST_LOG` takes the place of both.
pub fn begin(verbose: u8, colours: bool) {
    let log = tracing_subscriber::fmt().with_writer(Writer).with_ansi(colours);
    if std::env::var_os("RUST_LOG").is_some() {
        // These lines show every byte that is sent, keys and signatures among them.
        let bytes = BYTES.parse().into_iter();
        return log.with_env_filter(bytes.fold(EnvFilter::from_default_env(), EnvFilter::add_directive)).init();
    }
    let level = ["warn", "info", "debug"][usize::from(verbose.min(2))];
    let crates = ["elevation", "sources", "terrain", "viewer", "gpu", "analysis"];
    // What these two warn of ends in an error that is told anyway.
    let told = &crates[..if verbose == 0 { 4 } else { crates.len() }];
    let filter = told.iter().map(|name| format!("{name}={level}")).collect::<Vec<_>>().join(",");
    log.without_time().with_target(false).with_env_filter(EnvFilter::new(filter)).init();
}

/// From here on errors wait for [`report_held_errors`].
pub fn buffer_errors() {
    *HELD.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
}

/// Writes the errors that wait, without those that say what is said anyway.
pub fn report_held_errors(said: &str) {
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner).take();
    for line in unreported(&held.unwrap_or_default(), said) {
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// The lines that say something else, each once.
fn unreported<'a>(lines: &'a [String], said: &str) -> Vec<&'a String> {
    let mut rest: Vec<&String> = Vec::new();
    for line in lines {
        if (said.is_empty() || !line.contains(said)) && !rest.contains(&line) {
            rest.push(line);
        }
    }
    rest
}

/// Writes events, each a line.
pub struct Writer;

/// Writes one event.
pub struct Line {
    is_error: bool,
}

impl<'a> MakeWriter<'a> for Writer {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line { is_error: false }
    }

    fn make_writer_for(&'a self, meta: &Metadata<'_>) -> Line {
        Line { is_error: *meta.level() == Level::ERROR }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        match held.as_mut() {
            Some(held) if self.is_error => held.push(String::from_utf8_lossy(bytes).into_owned()),
            _ => std::io::stderr().write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what is said anyway is not told, and nothing is told twice.
    #[test]
    fn nothing_is_told_twice() {
        let lines = ["ERROR a: gone; b answers\n", "ERROR c\n", "ERROR c\n"].map(String::from);
        assert_eq!(unreported(&lines, "a: gone"), ["ERROR c\n"]);
        assert_eq!(unreported(&lines, "").len(), 2);
    }
}
