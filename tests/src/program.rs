//! How does a user run the program? A command and everything it left behind: exit code, stdout, stderr.

use std::{
    ffi::OsStr,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::LazyLock,
};

/// The program under test, for [`run`]: `program!()` in a test of this package.
#[macro_export]
macro_rules! program {
    () => {
        std::path::Path::new(env!("CARGO_BIN_EXE_orogen-under-test"))
    };
}

/// What a run left behind.
#[derive(Debug, Clone)]
pub struct Run {
    /// The command line, for messages.
    pub command: String,
    /// Exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// All of stdout.
    pub stdout: String,
    /// All of stderr but lines of progress, which depend on how fast the machine is.
    pub stderr: String,
}

impl Run {
    /// Panics with everything there is to know unless the exit code is the expected one.
    #[track_caller]
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Panics unless the run failed as a user wants it: this exit code, nothing on stdout, one line on stderr that names
    /// the trouble, no backtrace.
    #[track_caller]
    pub fn expect_refusal(self, code: i32, names: &[&str]) -> Self {
        let run = self.expect_code(code);
        assert_eq!(run.stdout, "", "{run:#?}");
        assert_eq!(run.stderr.trim_end().lines().count(), 1, "one line: {run:#?}");
        assert!(run.stderr.starts_with("orogen: ") && run.stderr.ends_with('\n'), "{run:#?}");
        for name in names {
            assert!(run.stderr.contains(name), "does not name {name:?}: {run:#?}");
        }
        for trouble in ["panicked", "internal error", "backtrace"] {
            assert!(!run.stderr.contains(trouble), "{run:#?}");
        }
        run
    }
}

/// Runs the program without a display and with backtraces asked for, so that one would show.
pub fn run<S: AsRef<OsStr>>(program: &Path, arguments: &[S]) -> Run {
    finish(program_command(program).args(arguments))
}

/// Caches of the programs that tests run; none yet of this process but compiled shaders.
static CACHES: LazyLock<PathBuf> = LazyLock::new(|| {
    let caches = std::env::current_exe().expect("a test knows where it is").with_file_name("caches-of-tests");
    std::fs::create_dir_all(&caches).expect("a folder beside the test");
    // An earlier process may have had the same number.
    let _ = std::fs::remove_dir_all(caches.join(std::process::id().to_string()));
    caches
});

/// The program without arguments, display or surroundings of the desktop.
pub fn program_command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET").env_remove("RUST_LOG");
    // Defaults of whoever runs the tests are not theirs.
    let is_default = |name: &OsStr| name.to_string_lossy().starts_with("OROGEN_") && name != "OROGEN_SEED";
    std::env::vars_os().filter(|(name, _)| is_default(name)).for_each(|(name, _)| _ = command.env_remove(name));
    // What the user of this machine has chosen in the window is neither read nor changed.
    command.env("RUST_BACKTRACE", "1").env("OROGEN_SETTINGS", "");
    // What a test keeps on disk lies beside it, and not among the caches of whoever runs it. Compiled shaders serve all tests.
    command.env("XDG_CACHE_HOME", CACHES.join(std::process::id().to_string()));
    command.env("MESA_SHADER_CACHE_DIR", CACHES.join("mesa"));
    command
}

/// A command of the program, and the virtual display that it has for itself as long as this is kept.
pub struct WindowedRun {
    /// The command.
    pub command: Command,
    server: Child,
}

/// A command of the program with a display of its own.
pub fn in_a_display(program: &Path, arguments: &[&str]) -> WindowedRun {
    let mut server = Command::new("Xvfb");
    // It chooses a free display and tells its number.
    server.args(["-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-noreset"]);
    let mut server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("apt install xvfb");
    let mut number = String::new();
    let told = server.stdout.as_mut().map(|out| BufReader::new(out).read_line(&mut number));
    assert!(matches!(told, Some(Ok(2..))), "Xvfb tells no display: {told:?}");
    let mut command = program_command(program);
    command.args(arguments).env("DISPLAY", format!(":{}", number.trim()));
    WindowedRun { command, server }
}

impl Drop for WindowedRun {
    fn drop(&mut self) {
        // It is gone already, or goes now.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Stderr without the lines that tell how far some work is: "orogen: reading headers: 3 of 5000, 2 s left", "orogen: reading elevation ...".
pub fn without_progress(stderr: &str) -> String {
    let is_count = |text: &str| {
        let text = text.split_once(", ").filter(|(_, rest)| rest.ends_with(" left")).map_or(text, |(count, _)| count);
        let counts = text.split_once(" of ").map(|(done, all)| [done, all].map(|count| count.parse::<u64>().is_ok()));
        counts == Some([true; 2])
    };
    let is_progress = |line: &str| {
        line.starts_with("orogen: ")
            && (line.ends_with(" ...") || line.rsplit_once(": ").is_some_and(|(_, at)| is_count(at)))
    };
    stderr.split_inclusive('\n').filter(|line| !is_progress(line.trim_end())).collect()
}

/// Copies a file to where it can be run as a program. A process of its own writes the copy: a descriptor that were open for
/// writing here would be inherited by whatever another thread starts meanwhile, and as long as anybody has one Linux refuses
/// to run the file (ETXTBSY).
///
/// # Panics
/// If it cannot be copied.
pub fn install(file: &Path, program: &Path) {
    finish(Command::new("install").args(["-m", "755"]).arg(file).arg(program)).expect_code(0);
}

/// Runs a prepared command to its end.
///
/// # Panics
/// If it cannot be started.
pub fn finish(command: &mut Command) -> Run {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ");
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| panic!("{line}: {error}"));
    Run {
        command: line,
        code: status.code(),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: without_progress(&String::from_utf8_lossy(&stderr)),
    }
}
