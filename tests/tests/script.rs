//! Does `./x` tell a newcomer what is missing? The script on machines made of stubs: a PATH on which tools lie or fail.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;
use tests::program::{Run, finish, install};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Tools of the real machine that the script needs everywhere.
const TOOLS: [&str; 17] = [
    "basename", "cat", "chmod", "dirname", "env", "grep", "head", "mkdir", "mktemp", "rm", "sed", "sh", "sort", "tail",
    "touch", "tr", "uname",
];

/// A machine of stubs: nothing is on its PATH but them and [`TOOLS`].
struct Machine(TempDir);

impl Machine {
    /// A machine that has everything, with a user who may not install, and an apt-get that notes what it is asked.
    fn new() -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        fs::create_dir(machine.0.path().join("bin")).unwrap();
        for tool in TOOLS {
            let found =
                ["/bin", "/usr/bin"].map(|folder| Path::new(folder).join(tool)).into_iter().find(|p| p.exists());
            symlink(found.expect(tool), machine.0.path().join("bin").join(tool)).unwrap();
        }
        for tool in ["cc", "pkg-config", "xvfb-run", "xauth", "node", "npm", "python3"] {
            machine.stub(tool, "exit 0");
        }
        let libraries =
            ["vulkan.so.1", "xkbcommon-x11.so.0", "X11-xcb.so.1", "Xcursor.so.1", "Xi.so.6", "Xrender.so.1"];
        let libraries = libraries.map(|library| format!("echo '	lib{library} (libc6,x86-64) => /lib/lib{library}'"));
        machine.stub("ldconfig", &libraries.join("\n"));
        machine.stub("id", "echo 1000");
        machine.stub("sudo", "exit 1");
        machine.stub("apt-get", "case $* in *--simulate*) exit 1 ;; esac; echo \"apt-get $*\" >>\"$NOTES\"");
        machine.rust("9.99.0");
        fs::create_dir_all(machine.tint().join("node_modules")).unwrap();
        for place in ["package-lock.json", "node_modules/.installed-lock.json"] {
            fs::write(machine.tint().join(place), "{}\n").unwrap();
        }
        machine
    }

    /// Where the machine has Tint.
    fn tint(&self) -> PathBuf {
        self.0.path().join("tint")
    }

    fn stub(&self, tool: &str, body: &str) {
        let text = self.0.path().join("stub");
        fs::write(&text, format!("#!/bin/sh\n{body}\n")).unwrap();
        install(&text, &self.0.path().join("bin").join(tool));
    }

    /// A Rust of a version, with rustfmt and clippy.
    fn rust(&self, version: &str) {
        let sysroot = self.0.path().display();
        self.stub("rustc", &format!("case $1 in --print) echo '{sysroot}' ;; *) echo 'rustc {version}' ;; esac"));
        for tool in ["cargo", "cargo-clippy", "cargo-fmt"] {
            self.stub(tool, "echo \"cargo $*\" >>\"$NOTES\"");
        }
    }

    /// Runs `./x` there.
    fn x(&self, arguments: &[&str]) -> Run {
        finish(&mut self.command(arguments))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let at = |name: &str| self.0.path().join(name);
        let mut command = Command::new("sh");
        command.current_dir(root()).arg("./x").args(arguments).env_clear();
        command.env("PATH", at("bin")).env("NOTES", at("notes")).env("TMPDIR", self.0.path());
        command.env("OROGEN_TINT", self.tint());
        command.env("HOME", self.0.path()).env("XDG_RUNTIME_DIR", self.0.path()).env("SSL_CERT_FILE", "/dev/null");
        command
    }

    /// What the stubs were asked, a line each.
    fn notes(&self) -> Vec<String> {
        let notes = fs::read_to_string(self.0.path().join("notes")).unwrap_or_default();
        notes.lines().map(str::to_owned).collect()
    }
}

#[test]
fn an_unknown_verb_is_usage() {
    let run = Machine::new().x(&["fly"]).expect_code(2);
    assert!(run.stderr.starts_with("./x: unknown verb 'fly'\n"), "{run:#?}");
}

#[test]
fn help_names_every_verb() {
    let help = Machine::new().x(&["help"]).expect_code(0);
    for verb in ["run", "test", "bench", "fuzz", "setup", "help"] {
        assert!(help.stdout.contains(&format!("\n  {verb} ")), "{verb}");
    }
    assert_eq!(Machine::new().x(&[]).expect_code(0).stdout, help.stdout);
}

/// Law: targets are listed by their names, and what is no target or lacks its tool is said.
#[test]
fn fuzz_targets_are_named() {
    let machine = Machine::new();
    let listed = machine.x(&["fuzz"]).expect_code(0);
    let names: Vec<&str> = listed.stdout.lines().collect();
    assert_eq!(
        names,
        [
            "list",
            "notation",
            "path",
            "points",
            "raster",
            "scene",
            "settings",
            "style",
            "text",
            "values",
            "load",
            "merge",
            "pack",
            "tile",
            "tile-cache"
        ]
    );
    let run = machine.x(&["fuzz", "everything"]).expect_code(2);
    assert!(run.stderr.contains("no fuzz target 'everything'"), "{run:#?}");
    let run = machine.x(&["fuzz", "tile-cache"]).expect_code(1);
    assert!(run.stderr.contains("cargo install cargo-fuzz"), "{run:#?}");
    machine.stub("cargo-fuzz", "exit 0");
    machine.x(&["fuzz", "tile-cache", "5"]).expect_code(0);
    assert_eq!(
        machine.notes(),
        [
            "cargo fuzz run --fuzz-dir elevation/fuzz tile_cache elevation/fuzz/corpus/tile_cache elevation/fuzz/seeds/tile_cache -- -max_total_time=5"
        ]
    );
}

#[test]
fn a_machine_that_has_everything_is_left_alone_in_silence() {
    let machine = Machine::new();
    let run = machine.x(&["setup"]).expect_code(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    assert!(machine.notes().is_empty());
}

#[test]
fn who_may_not_install_gets_one_command() {
    let machine = Machine::new();
    machine.stub("pkg-config", "exit 1");
    machine.stub("ldconfig", "exit 0");
    let run = machine.x(&["setup"]).expect_code(1);
    let command = "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends libgdal-dev libvulkan1 \
                   libxkbcommon-x11-0 libx11-xcb1 libxcursor1 libxi6 libxrender1'";
    assert_eq!(run.stderr.lines().filter(|line| line.trim() == command).count(), 1, "{run:#?}");
    assert!(machine.notes().is_empty(), "nothing is tried that cannot work");
}

#[test]
fn who_may_install_is_told_first_and_gets_exactly_what_is_missing() {
    let machine = Machine::new();
    machine.stub("id", "echo 0");
    machine.stub("apt-get", "echo \"apt-get $*\" >>\"$NOTES\"; [ \"$2\" = update ] || touch \"$NOTES.installed\"");
    machine.stub("pkg-config", "[ -e \"$NOTES.installed\" ]");
    let run = machine.x(&["setup"]).expect_code(0);
    assert!(run.stderr.contains("missing packages: libgdal-dev\n"), "{run:#?}");
    assert!(run.stderr.contains("installing with apt-get: libgdal-dev\n"), "{run:#?}");
    let asked = ["apt-get -q update", "apt-get -q install -y --no-install-recommends --no-remove libgdal-dev"];
    assert_eq!(machine.notes(), asked);
}

#[test]
fn sudo_is_used_where_it_works() {
    let machine = Machine::new();
    machine.stub("sudo", "[ \"$1\" != -n ] || exit 0; echo \"sudo $1\" >>\"$NOTES\"; exec \"$@\"");
    machine.stub("apt-get", "echo \"apt-get $*\" >>\"$NOTES\"; [ \"$2\" = update ] || touch \"$NOTES.installed\"");
    machine.stub("pkg-config", "[ -e \"$NOTES.installed\" ]");
    machine.x(&["setup"]).expect_code(0);
    let notes = machine.notes();
    assert_eq!(notes.iter().filter(|line| *line == "sudo env").count(), 2, "{notes:?}");
    assert_eq!(notes.iter().filter(|line| line.starts_with("apt-get")).count(), 2, "{notes:?}");
}

#[test]
fn a_failing_apt_is_reported_in_its_own_words() {
    let machine = Machine::new();
    machine.stub("id", "echo 0");
    machine.stub("apt-get", "echo 'E: the archive is on fire' >&2; exit 100");
    machine.stub("pkg-config", "exit 1");
    let run = machine.x(&["setup"]).expect_code(1);
    assert!(run.stderr.contains("E: the archive is on fire\n./x: apt-get update failed"), "{run:#?}");
}

/// Law: what npm fetched is fetched again when the lock file says something else, and only then; `run` needs none of it.
#[test]
fn tint_is_fetched_once_for_each_lock() {
    let machine = Machine::new();
    machine.stub("npm", "echo \"npm $1\" >>\"$NOTES\"");
    fs::write(machine.tint().join("package-lock.json"), "{\"name\": \"tint\"}\n").unwrap();
    machine.x(&["run", "info"]).expect_code(0);
    assert!(machine.notes().iter().all(|line| !line.starts_with("npm")), "{:?}", machine.notes());
    let run = machine.x(&["setup"]).expect_code(0);
    assert!(run.stderr.starts_with("./x: fetching Tint"), "{run:#?}");
    assert_eq!(machine.x(&["setup"]).expect_code(0).stderr, "");
    assert_eq!(machine.notes().iter().filter(|line| *line == "npm ci").count(), 1);

    machine.stub("npm", "echo 'npm: no network' >&2; exit 1");
    fs::write(machine.tint().join("package-lock.json"), "{}\n").unwrap();
    let run = machine.x(&["setup"]).expect_code(1);
    assert!(
        run.stderr.ends_with("npm: no network\n./x: npm could not fetch Tint: check the network, then run ./x again\n")
    );
}

#[test]
fn an_old_rust_without_a_network_ends_with_what_to_do() {
    let machine = Machine::new();
    machine.rust("1.63.0");
    machine.stub("curl", "echo \"curl $*\" >>\"$NOTES\"; echo 'curl: (6) no network' >&2; exit 6");
    let run = machine.x(&["run"]).expect_code(1);
    let said =
        run.stderr.find("installing Rust with the official installer, https://sh.rustup.rs").expect("said first");
    let failed = run.stderr.find("the installer failed. Check the network").expect("what to do");
    assert!(said < failed && run.stderr.contains("(found: rustc 1.63.0)"), "{run:#?}");
    assert!(machine.notes()[0].contains("https://sh.rustup.rs"));
}

#[test]
fn rustup_with_an_old_default_gets_stable_beside_it() {
    let machine = Machine::new();
    machine.rust("1.63.0");
    machine.stub("rustup", "echo \"rustup $*\" >>\"$NOTES\"; touch \"$NOTES.stable\"");
    let body =
        "v=1.63.0; [ \"${RUSTUP_TOOLCHAIN-}\" != stable ] || [ ! -e \"$NOTES.stable\" ] || v=9.99.0; echo \"rustc $v\"";
    machine.stub("rustc", body);
    let run = machine.x(&["run", "info"]).expect_code(0);
    assert!(run.stderr.contains("fetching the stable toolchain with rustup"), "{run:#?}");
    let asked: Vec<_> =
        machine.notes().iter().map(|line| line.split(' ').take(3).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(asked, ["rustup toolchain install", "rustup default", "cargo build --release", "cargo run --release"]);
}

/// An old packaged Rust stays on PATH behind the new one, and must not be called any more.
#[test]
fn the_official_installer_is_used_at_once_although_an_old_rust_is_there() {
    let machine = Machine::new();
    machine.rust("1.63.0");
    let new = "mkdir -p \"$HOME/.cargo/bin\"; cd \"$HOME/.cargo/bin\"; \
               printf '#!/bin/sh\\necho rustc 9.99.0\\n' >rustc; printf '#!/bin/sh\\necho \"new $*\" >>\"$NOTES\"\\n' >cargo; \
               chmod +x rustc cargo";
    let fetch = format!("while [ \"$1\" != -o ]; do shift; done; cat >\"$2\" <<'EOF'\n{new}\nEOF");
    machine.stub("curl", &fetch);
    machine.x(&["run", "info"]).expect_code(0);
    let notes = machine.notes();
    assert!(!notes.is_empty() && notes.iter().all(|line| line.starts_with("new ")), "{notes:?}");
    // And it is found again, without another installation.
    assert_eq!(machine.x(&["run", "info"]).expect_code(0).stderr, "");
}

#[test]
fn without_a_display_it_renders_and_says_where() {
    let machine = Machine::new();
    let run = machine.x(&["run"]).expect_code(0);
    assert!(run.stderr.contains("no display: neither DISPLAY nor WAYLAND_DISPLAY is set"), "{run:#?}");
    for file in ["out/himalaya.png", "out/flight.gif"] {
        assert!(run.stderr.contains(file), "{run:#?}");
        assert!(machine.notes().iter().any(|line| line.contains(" render ") && line.ends_with(file)));
    }
}

#[test]
fn with_a_display_it_flies_and_where_that_fails_it_renders() {
    let machine = Machine::new();
    let run = finish(machine.command(&["run"]).env("DISPLAY", ":7")).expect_code(0);
    assert_eq!(run.stderr, "");
    assert_eq!(machine.notes().len(), 2, "built and flown: {:?}", machine.notes());

    machine.stub("cargo", "echo \"cargo $*\" >>\"$NOTES\"; case $* in *--) exit 1 ;; esac");
    let run = finish(machine.command(&["run"]).env("DISPLAY", ":7")).expect_code(0);
    assert!(run.stderr.contains("no flight in a window") && run.stderr.contains("out/himalaya.png"), "{run:#?}");

    machine.stub("cargo", "echo \"cargo $*\" >>\"$NOTES\"; exit 2");
    finish(machine.command(&["run"]).env("DISPLAY", ":7")).expect_code(2);
    finish(&mut machine.command(&["run", "--nonsense"])).expect_code(2);
}

#[test]
fn benchmarks_are_listed_and_a_wrong_name_is_usage() {
    let machine = Machine::new();
    let list = machine.x(&["bench"]).expect_code(0).stdout;
    assert!(list.lines().any(|line| line == "depth-sweep"), "{list}");
    let wrong = machine.x(&["bench", "nonsense"]).expect_code(2);
    assert!(wrong.stderr.contains("'nonsense'") && wrong.stderr.contains("depth-sweep"), "{wrong:#?}");
    machine.x(&["bench", "depth-sweep", "--depths", "10..12"]).expect_code(0);
    let asked = machine.notes().concat();
    assert!(asked.starts_with("cargo run --release"), "{asked}");
    assert!(asked.ends_with("--bin depth-sweep -- --depths 10..12"), "{asked}");
}
