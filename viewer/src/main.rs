//! The `orogen` program.

use std::process::ExitCode;

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
    quiet_mesa();
    viewer::allocator::give_back_large_pieces();
    viewer::cli::main()
}
