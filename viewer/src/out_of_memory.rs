//! What becomes of the program where the system gives no more memory? One line on stderr, and exit code 1.
//!
//! Rust aborts where a piece of memory is refused, C++ libraries and drivers do, and threads that cannot be started panic in
//! the midst of others that wait for them. None of it can be mended there; it can be told.

use std::alloc::{GlobalAlloc, Layout, System};

/// Pieces up to so many bytes end the program where they are refused. Larger ones may come from what a file says of itself,
/// and whoever asks for them may take a refusal.
const ESSENTIAL_BYTES: usize = 64 << 20;

/// The system's allocator; the program ends with one line where it refuses an essential piece.
pub struct Allocator;

// SAFETY: all is handed on to the system's allocator, and what it returns is returned, or nothing is.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.realloc(at, layout, bytes) }, bytes)
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[inline]
fn checked(at: *mut u8, bytes: usize) -> *mut u8 {
    if at.is_null() && bytes <= ESSENTIAL_BYTES {
        exit_out_of_memory(bytes);
    }
    at
}

#[cold]
fn exit_out_of_memory(bytes: usize) -> ! {
    // Without an allocation: decimal digits, from the last one on.
    let (mut digits, mut first, mut rest) = ([0u8; 20], 20, bytes);
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    end(&[b"out of memory: the system refuses ", &digits[first..], b" bytes more"])
}

/// Whether a panic says that the system starts no more threads, as each takes memory for its stack, and a little for that of its signals.
pub fn lacks_threads(panic: &str) -> bool {
    let is_refused = panic.contains("spawn") || panic.contains("ThreadPoolBuildError");
    panic.contains("kind: WouldBlock") && is_refused || panic.contains("failed to allocate an alternative stack")
}

/// Ends the program, as threads that wait for those that were not started would wait for ever.
pub fn end_without_threads() -> ! {
    end(&[b"out of memory: the system starts no more threads"])
}

/// Whether a panic says that a driver of Vulkan was refused memory of the system: wgpu panics where it asks for a list.
pub fn lacks_host_memory(panic: &str) -> bool {
    panic.contains("ERROR_OUT_OF_HOST_MEMORY")
}

/// Ends the program, as what a driver could not do is not done by anybody.
pub fn end_without_host_memory() -> ! {
    end(&[b"out of memory: the graphics driver is refused what it asks for"])
}

/// Has aborts of libraries told, and end with exit code 1; under a limit of memory faults of drivers too, which use what they
/// were not given. A debugger still sees the signals.
pub fn install_abort_handler() {
    #[cfg(unix)]
    {
        let mut signals = vec![libc::SIGABRT];
        if limit_bytes().is_some() {
            signals.extend([libc::SIGSEGV, libc::SIGBUS]);
        }
        for signal in signals {
            // SAFETY: all zero is no flag, an empty mask and the default handler, which is replaced by one that calls what is safe
            // in it alone: `write` and `_exit`. It runs on the stack that threads of Rust have for an overflow of theirs.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = aborted as extern "C" fn(libc::c_int) as libc::sighandler_t;
                action.sa_flags = libc::SA_ONSTACK;
                libc::sigaction(signal, &raw const action, std::ptr::null_mut());
            }
        }
    }
}

#[cfg(unix)]
extern "C" fn aborted(signal: libc::c_int) {
    let what: &[u8] = if signal == libc::SIGABRT { b"aborted" } else { b"a fault in a library" };
    end(&[what, b", most likely out of memory"])
}

/// Bytes of address space that the process may have, if that is limited.
pub fn limit_bytes() -> Option<u64> {
    #[cfg(unix)]
    {
        let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
        // SAFETY: it writes the limit.
        let told = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
        (told == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
    }
    #[cfg(not(unix))]
    None
}

/// One line, and the end of the process at once: nothing that needs memory or a lock is run.
fn end(parts: &[&[u8]]) -> ! {
    #[cfg(unix)]
    {
        use std::sync::atomic::{AtomicBool, Ordering};
        static ENDED: AtomicBool = AtomicBool::new(false);
        if !ENDED.swap(true, Ordering::Relaxed) {
            // What a library or another thread has begun to write ends before it.
            let (head, tail): (&[u8], &[u8]) =
                (b"\norogen: ", b"; raise the limit (`ulimit -v`), end other programs, or ask for less\n");
            let mut line = [0u8; 200];
            let mut length = 0;
            for part in std::iter::once(&head).chain(parts).chain(std::iter::once(&tail)) {
                let fits = part.len().min(line.len() - length);
                line[length..length + fits].copy_from_slice(&part[..fits]);
                length += fits;
            }
            // SAFETY: `write` reads the first bytes of the line; `_exit` ends the process without running anything of it.
            unsafe {
                libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), length);
                libc::_exit(1)
            }
        }
        loop {
            // Another thread is ending the process.
            std::hint::spin_loop();
        }
    }
    #[cfg(not(unix))]
    {
        let _ = parts;
        std::process::exit(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: of what panics say, it is the want of threads alone.
    #[test]
    fn want_of_threads_is_recognised() {
        let refused = std::io::Error::from_raw_os_error(11);
        assert!(lacks_threads(&format!("failed to spawn thread: {refused:?}")) || cfg!(not(target_os = "linux")));
        let refused = std::io::Error::from_raw_os_error(12);
        assert!(lacks_threads(&format!("failed to allocate an alternative stack: {refused}")));
        assert!(!lacks_threads("called `Option::unwrap()` on a `None` value"));
        assert!(!lacks_threads("cannot spawn: kind: NotFound"));
    }

    /// Law: a driver that is refused memory of the system is told from other panics.
    #[test]
    fn want_of_host_memory_is_recognised() {
        let unwrapped = |error: &str| format!("called `Result::unwrap()` on an `Err` value: {error}");
        assert!(lacks_host_memory(&unwrapped("ERROR_OUT_OF_HOST_MEMORY")));
        assert!(!lacks_host_memory(&unwrapped("ERROR_DEVICE_LOST")));
    }
}
