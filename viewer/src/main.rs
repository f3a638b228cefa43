//! The `orogen` program.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

#[global_allocator]
static ALLOCATOR: viewer::out_of_memory::Allocator = viewer::out_of_memory::Allocator;

/// Whether there was a stdout when the process began.
static HAS_STDOUT: AtomicBool = AtomicBool::new(true);

/// Looks before Rust's runtime opens /dev/null in the place of a closed stdout, where answers would be lost without a word.
#[cfg(target_os = "linux")]
extern "C" fn look_at_stdout() {
    // Without /proc there is no saying.
    let closed =
        std::fs::symlink_metadata("/proc/self/fd/1").is_err() && std::path::Path::new("/proc/self/fd").exists();
    HAS_STDOUT.store(!closed, Ordering::Relaxed);
}

// SAFETY: the C runtime calls what stands in this section, functions without arguments, before `main`. This one asks the file
// system, which needs nothing of Rust's runtime, and does not panic.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = look_at_stdout;

/// Mesa's device-select layer complains on stderr where XDG_RUNTIME_DIR is empty or missing, as in containers; nothing is
/// lost without it there.
fn quiet_mesa() {
    let missing = std::env::var_os("XDG_RUNTIME_DIR").is_none_or(|folder| folder.is_empty());
    if missing && std::env::var_os("NODEVICE_SELECT").is_none() {
        // SAFETY: no other thread has been started yet, so nobody reads the environment meanwhile.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

fn main() -> ExitCode {
    viewer::out_of_memory::install_abort_handler();
    quiet_mesa();
    viewer::allocator::set_mmap_threshold();
    viewer::cli::main(HAS_STDOUT.load(Ordering::Relaxed))
}
