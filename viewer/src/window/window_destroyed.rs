//! Has another program destroyed the window? winit counts on nobody doing so: on X11 it panics when the server answers that there
//! is no such window, before it tells of the end.

use std::any::Any;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};

/// What X servers answer to who asks for a window that is gone, in the words of Xlib and of x11rb.
const ANSWERS: [&str; 4] = ["BadWindow", "BadDrawable", "error_kind: Window", "error_kind: Drawable"];

/// Why a flight without a window is over.
#[derive(Debug, thiserror::Error)]
#[error("the window was destroyed by another program")]
pub(super) struct WindowDestroyed;

/// Whether a panic at a place of a source file means that the window was destroyed. It is caught in the event loop, so
/// no other handler has to report it.
pub fn is_window_destroyed(place: Option<&Location<'_>>, what: &str) -> bool {
    // The file of a crate is below a folder of its name and version.
    let by_winit = |place: &Location<'_>| place.file().split(['/', '\\']).any(|folder| folder.starts_with("winit-"));
    place.is_some_and(by_winit) && names_missing_window(what)
}

fn names_missing_window(what: &str) -> bool {
    ANSWERS.iter().any(|answer| what.contains(answer))
}

/// The result of `work`, or an error if it panicked because the window was destroyed. Other panics are resumed.
pub(super) fn catch_window_destroyed<T>(work: impl FnOnce() -> T) -> Result<T, WindowDestroyed> {
    let text = |panic: &(dyn Any + Send)| panic.downcast_ref::<String>().is_some_and(|what| names_missing_window(what));
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Ok(done),
        Err(panic) if text(&*panic) => Err(WindowDestroyed),
        Err(panic) => resume_unwind(panic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what says that a window is gone ends the work, whoever says it; any other panic goes on.
    #[test]
    fn only_a_window_that_is_gone_is_caught() {
        assert_eq!(catch_window_destroyed(|| 3).ok(), Some(3));
        let gone = "Failed to destroy input context: XError { description: \"BadWindow (invalid Window parameter)\" }";
        assert!(catch_window_destroyed::<()>(|| panic!("{gone}")).is_err());
        let index = 7;
        let other = catch_unwind(|| catch_window_destroyed::<()>(|| panic!("no place {index}")).is_ok())
            .expect_err("it goes on");
        assert_eq!(other.downcast_ref::<String>().map(String::as_str), Some("no place 7"));
        assert!(!is_window_destroyed(Some(Location::caller()), gone), "this file is not winit's");
    }
}
