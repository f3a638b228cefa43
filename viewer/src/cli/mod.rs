//! The command line: verbs, one clear line for every error, and exit codes.
//!
//! 0 is success, 2 a command line that cannot be understood, 1 anything that failed. Data goes to stdout, progress and
//! errors to stderr.

mod args;
mod bake;
mod bake_answer;
mod bench;
mod common;
mod completions;
mod defaults;
mod destination;
mod drawing;
mod elevation;
#[cfg(feature = "gdal")]
mod fetch;
mod flight_frame;
mod flight_statistics;
#[cfg(feature = "window")]
mod fly;
mod info;
mod log;
mod man;
mod network;
mod overwrite;
mod pages;
mod place;
mod progress;
#[cfg(feature = "gdal")]
mod public_sources;
mod query;
mod render;
mod scene;
mod scene_files;
mod source;
mod usage;
mod values;
mod verify;
mod view;
mod worst_frames;

use std::ffi::OsString;
use std::io::{IsTerminal as _, Stdout, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use analysis::{HorizonError, InsolationError};
use anyhow::Context as _;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _};

#[cfg(feature = "window")]
use crate::input::Keymap;
use crate::out_of_memory;
#[cfg(feature = "window")]
use crate::settings::SettingsFile;
#[cfg(feature = "window")]
use crate::window;
#[cfg(any(feature = "gdal", feature = "window"))]
use args::FlyArgs;
use args::{Cli, Verb};
use defaults::Defaults;
pub use drawing::{DrawnImage, OffscreenScene};
use elevation::RasterArgs;
use overwrite::check_words;
use progress::INTERRUPTED;
use query::QueryVerb;
use query::answer_writer::LEFT_OUT;
use usage::{usage_error, usage_line};

/// Runs the program on the arguments of the process; `has_stdout` tells whether there was a stdout when it began.
pub fn main(has_stdout: bool) -> ExitCode {
    HAS_STDOUT.store(has_stdout, Ordering::Relaxed);
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|l| format!("{}:{}", l.file(), l.line())).unwrap_or_default();
        let what = panic.payload_as_str().unwrap_or("no reason given");
        // So wgpu says that the driver lost the device meanwhile; `Gpu::wait` catches it and reports the loss.
        if what.starts_with("Error in Device::poll") {
            return;
        }
        // The window's loop catches it, keeps what can be kept and says so.
        #[cfg(feature = "window")]
        if window::tells_that_a_window_is_gone(panic.location(), what) {
            return;
        }
        if out_of_memory::lacks_threads(what) {
            out_of_memory::end_without_threads();
        }
        if out_of_memory::lacks_host_memory(what) {
            out_of_memory::end_without_host_memory();
        }
        print_error_line(&format!("internal error at {place}: {what}; please report it"));
    }));
    // For eyes and for other compilers: every shader that is composed from here on.
    shaders::dump_into(std::env::var_os("OROGEN_DUMP_WGSL").filter(|folder| !folder.is_empty()).map(Into::into));
    // The hook has said what happened; what is left is an exit code that means failure.
    std::panic::catch_unwind(run).unwrap_or(ExitCode::FAILURE)
}

fn run() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let colours = |terminal: bool| common::has_colours(words.iter().map(OsString::as_os_str), terminal);
    let mut cli = match read(&words, |verbose| log::begin(verbose, colours(std::io::stderr().is_terminal()))) {
        Ok(cli) => cli,
        Err(ParseFailure::Page(page)) => {
            let text =
                if colours(std::io::stdout().is_terminal()) { page.ansi().to_string() } else { page.to_string() };
            return exit_code(print(&text).map_err(CliError::Failed));
        }
        Err(ParseFailure::Wrong(error)) => return exit_code(Err(error)),
    };
    if let Err(error) = scene_files::replace(&mut cli) {
        return exit_code(Err(error));
    }
    // The way to servers is remembered: it is closed to files in a moment.
    network::proxy_settings();
    if let Some(rasters) = rasters(&cli)
        && let Err(error) = rasters.prepare()
    {
        return exit_code(Err(CliError::Failed(error)));
    }
    #[cfg(feature = "gdal")]
    let mut fetched = Vec::new();
    #[cfg(all(feature = "window", not(feature = "gdal")))]
    let fetched = Vec::new();
    #[cfg(feature = "gdal")]
    if let Err(error) = fetch_surroundings(&mut cli, &mut fetched) {
        return exit_code(Err(error));
    }
    // What comes to its end without a user who watches tells then what it failed of.
    if let Some(Verb::Render(_) | Verb::Query(_) | Verb::Bake(_)) = cli.verb {
        log::buffer_errors();
    }
    exit_code(match cli.verb {
        #[cfg(feature = "window")]
        None => fly(&cli.fly, &fetched),
        #[cfg(feature = "window")]
        Some(Verb::View(view)) => fly(&view.fly, &view.files),
        #[cfg(not(feature = "window"))]
        None | Some(Verb::View(_)) => Err(no_window().into()),
        Some(Verb::Render(render)) => render::run(&render),
        Some(Verb::Bench(bench)) => bench::run(&bench),
        Some(Verb::Query(query)) => query::run(&query),
        Some(Verb::Place(place)) => place::run(&place),
        Some(Verb::Info(info)) => info::run(&info),
        Some(Verb::Bake(bake)) => bake::run(&bake),
        Some(Verb::Pack(pack)) => bake::run_pack(&pack),
        Some(Verb::Verify(verify)) => verify::run(&verify),
        #[cfg(feature = "gdal")]
        Some(Verb::Sources(sources)) => fetch::run_sources(&sources),
        #[cfg(feature = "gdal")]
        Some(Verb::Fetch(fetch)) => fetch::run(&fetch),
        Some(Verb::Man(man)) => man::run(&man),
        Some(Verb::Completions(completions)) => completions::run(&completions),
    })
}

/// Why the command line was not parsed.
enum ParseFailure {
    /// A page was asked for.
    Page(clap::builder::StyledStr),
    /// Something is wrong.
    Wrong(CliError),
}

/// The arguments that words and defaults make; logs are begun as soon as it is known how much they tell.
fn read(words: &[OsString], begin_log: impl Fn(u8)) -> Result<Cli, ParseFailure> {
    let usage =
        |error: &clap::Error| ParseFailure::Wrong(CliError::Usage(usage_line(error, words.iter().skip(1).cloned())));
    let matches =
        with_short_help(command_for(words)).try_get_matches_from(words).map_err(|error| match error.exit_code() {
            0 => ParseFailure::Page(error.render()),
            _ => usage(&error),
        })?;
    let mut cli = Cli::from_arg_matches(&matches).map_err(|error| usage(&error))?;
    begin_log(cli.common.verbose);
    let mut built = command();
    built.build();
    let named = || std::env::var_os("OROGEN_CONFIG").filter(|file| !file.is_empty()).map(Into::into);
    let file: Option<PathBuf> = cli.common.config.clone().or_else(named);
    let environment = defaults::environment();
    defaults::warn_unread_variables(&built, &environment);
    let defaults = Defaults::read(&built, file.as_deref(), &environment).map_err(ParseFailure::Wrong)?;
    let check_words = |matches: &ArgMatches| check_words(matches, file.as_deref()).map_err(ParseFailure::Wrong);
    if defaults.is_empty() {
        return check_words(&matches).map(|()| cli);
    }
    let said = scene_files::options_of_scenes(&mut cli).map_err(ParseFailure::Wrong)?;
    let matches = defaults.applied(command(), &matches, &said).try_get_matches_from(words);
    let read = matches.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = read.map_err(|error| match defaults.origin(&error) {
        Some(origin) => ParseFailure::Wrong(CliError::Usage(format!("{origin}: {}", usage_error(&error, &words[1..])))),
        None => usage(&error),
    })?;
    check_words(&matches).map(|()| cli)
}

/// What a build without the feature `window` answers to who wants one.
#[cfg(not(feature = "window"))]
fn no_window() -> anyhow::Error {
    anyhow::anyhow!("this build has no window: draw with `orogen render`, or build with the feature `window`")
}

/// Flies in a window.
#[cfg(feature = "window")]
fn fly(args: &FlyArgs, files: &[source::Source]) -> Result<(), CliError> {
    #[cfg(feature = "gdal")]
    let public_ground = public_sources::public_ground(&args.view, &args.scene, &network::proxy_settings());
    #[cfg(not(feature = "gdal"))]
    let public_ground = None;
    fly::run(args, files, public_ground)
}

/// Gets what a command line names of public sources; `fetched` are the files of a flight without any.
#[cfg(feature = "gdal")]
fn fetch_surroundings(cli: &mut Cli, fetched: &mut Vec<source::Source>) -> Result<(), CliError> {
    let FlyArgs { view, scene, .. } = &mut cli.fly;
    let in_window = !matches!(cli.verb, Some(Verb::Render(_)));
    let (view, scene, files) = match &mut cli.verb {
        Some(Verb::Render(args)) => (&mut args.view, &mut args.scene, &mut args.files),
        _ if cfg!(not(feature = "window")) => return Ok(()),
        None => (view, scene, fetched),
        Some(Verb::View(args)) => (&mut args.fly.view, &mut args.fly.scene, &mut args.files),
        Some(_) => return Ok(()),
    };
    public_sources::add(view, scene, files, (&network::proxy_settings(), in_window))
}

/// How the rasters of a command line are opened, if it opens any.
fn rasters(cli: &Cli) -> Option<&RasterArgs> {
    Some(match &cli.verb {
        None => &cli.fly.scene.data.rasters,
        Some(Verb::View(view)) => &view.fly.scene.data.rasters,
        Some(Verb::Render(render)) => &render.scene.data.rasters,
        Some(Verb::Bench(bench)) => &bench.scene.data.rasters,
        Some(Verb::Query(query)) => match query {
            QueryVerb::Height(args) => &args.data.rasters,
            QueryVerb::Profile(args) => &args.data.rasters,
            QueryVerb::Sight(args) => &args.data.rasters,
            QueryVerb::Ray(args) => &args.data.rasters,
            QueryVerb::Viewshed(args) => &args.data.rasters,
            QueryVerb::Horizon(args) => &args.eye.data.rasters,
            QueryVerb::Horizons(args) => &args.cells.data.rasters,
            QueryVerb::Skyview(args) => &args.cells.data.rasters,
            QueryVerb::Insolation(args) => &args.cells.data.rasters,
            QueryVerb::Sightlines(args) => &args.data.rasters,
            QueryVerb::Sunlight(args) => &args.eye.data.rasters,
        },
        Some(Verb::Info(info)) => &info.rasters,
        Some(Verb::Bake(bake)) => &bake.rasters,
        #[cfg(feature = "gdal")]
        Some(Verb::Sources(_) | Verb::Fetch(_)) => return None,
        Some(Verb::Place(_) | Verb::Pack(_) | Verb::Verify(_) | Verb::Man(_) | Verb::Completions(_)) => return None,
    })
}

/// Says what failed, if anything did.
fn exit_code(done: Result<(), CliError>) -> ExitCode {
    match done {
        Ok(()) => {
            log::report_held_errors("");
            ExitCode::SUCCESS
        }
        Err(CliError::Failed(error)) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(CliError::Usage(line)) => {
            log::report_held_errors(&line);
            print_error_line(&line);
            ExitCode::from(2)
        }
        Err(CliError::Failed(error)) => {
            let error = format!("{error:#}");
            log::report_held_errors(error.strip_prefix(LEFT_OUT).unwrap_or(&error));
            print_error_line(&format!("{error}{}", scarce_memory()));
            ExitCode::FAILURE
        }
        Err(CliError::Interrupted(line)) => {
            print_error_line(&line);
            ExitCode::from(INTERRUPTED)
        }
    }
}

/// Bytes of address space below which it may be the reason of anything that fails: a driver that cannot be loaded, a
/// transformation that is not found.
const SCARCE_BYTES: u64 = 2 << 30;

/// What may be the reason, where memory is scarce.
fn scarce_memory() -> String {
    let limit = out_of_memory::limit_bytes().filter(|bytes| *bytes < SCARCE_BYTES);
    limit.map_or_else(String::new, |bytes| format!(" (memory is limited to {} MiB by `ulimit -v`)", bytes >> 20))
}

/// What is said when data cannot be written.
const STDOUT: &str = "cannot write to stdout";

/// Whether there was a stdout when the process began: Rust puts /dev/null in the place of none.
static HAS_STDOUT: AtomicBool = AtomicBool::new(true);

/// Where data go.
fn stdout() -> anyhow::Result<Stdout> {
    anyhow::ensure!(HAS_STDOUT.load(Ordering::Relaxed), "{STDOUT}: it is closed");
    Ok(std::io::stdout())
}

/// Writes data to stdout.
fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = stdout()?;
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context(STDOUT)
}

/// Whether nobody reads stdout any more, as after `| head -1`: the reader's choice, not a failure. Files of the user's
/// have errors of their own types.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Why a verb stopped.
#[derive(Debug)]
#[non_exhaustive]
pub enum CliError {
    /// The arguments do not fit together: exit code 2.
    Usage(String),
    /// Something failed: exit code 1.
    Failed(anyhow::Error),
    /// The user stopped it: exit code 130.
    Interrupted(String),
}

impl<E: Into<anyhow::Error>> From<E> for CliError {
    fn from(error: E) -> Self {
        let error = error.into();
        if is_of_options(&error) { CliError::Usage(error.to_string()) } else { CliError::Failed(error) }
    }
}

/// Whether an analysis refuses what it was asked, and not what it found.
fn is_of_options(error: &anyhow::Error) -> bool {
    use analysis::ViewshedError::{CellBeyondRadius, Option, TooLarge};
    matches!(error.downcast_ref(), Some(HorizonError::Option(_)))
        || matches!(error.downcast_ref(), Some(Option(_) | CellBeyondRadius { .. } | TooLarge { .. }))
        || matches!(error.downcast_ref(), Some(InsolationError::Option(_)))
}

/// The command line that reads some words: where they ask for help, with the user's own keys.
#[cfg(feature = "window")]
fn command_for(words: &[OsString]) -> clap::Command {
    let asks_for_help = words.iter().any(|word| word == "--help" || word == "help");
    let kept = SettingsFile::of_user().filter(|_| asks_for_help).and_then(|file| file.peek());
    command_with(&key_page(&Keymap::of(&kept.and_then(|settings| settings.keys).unwrap_or_default()).0))
}

/// The command line that reads words.
#[cfg(not(feature = "window"))]
fn command_for(_words: &[OsString]) -> clap::Command {
    command()
}

/// The command line, with the usual keys where there is a window.
fn command() -> clap::Command {
    #[cfg(feature = "window")]
    let keys = key_page(&Keymap::default());
    #[cfg(not(feature = "window"))]
    let keys = String::new();
    command_with(&keys)
}

/// What help says of keys.
#[cfg(feature = "window")]
fn key_page(keymap: &Keymap) -> String {
    format!("\n\nKeys and mouse:\n{}", keymap.as_text())
}

/// The command line with what is only known at run time: the table of keys.
fn command_with(keys: &str) -> clap::Command {
    let fly = format!("{}\n\n{}{keys}", pages::EXAMPLES, defaults::ORDER);
    let view = format!("{}{keys}", pages::VIEW_EXAMPLES);
    let command = Cli::command().after_long_help(fly).mut_subcommand("view", |verb| verb.after_long_help(view));
    with_sources(command)
}

/// The command line whose `-h` lists the verbs and says where the rest is. `--help` stays whole, and so does the manual.
fn with_short_help(command: clap::Command) -> clap::Command {
    // What is everywhere is inherited by verbs.
    let command = command.mut_args(|arg| match arg.is_global_set() {
        true => arg,
        false => arg.hide_short_help(true),
    });
    command.after_help(pages::SHORT)
}

/// Tells wherever rasters are named how options stand behind the name of one.
fn with_sources(verb: clap::Command) -> clap::Command {
    let verb = verb.mut_args(|arg| match arg.get_id().as_str() {
        "files" => {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            arg.long_help(format!("{help}\n\n{}", elevation::SOURCES))
        }
        _ => arg,
    });
    verb.mut_subcommands(with_sources)
}

/// The path of a file that was written, as it is told: whole, and without what a terminal obeys.
fn shown_path(path: &Path) -> String {
    foreign::escaped(&path.to_string_lossy()).to_string()
}

/// One line on stderr, whatever the text.
fn print_error_line(text: &str) {
    let line: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let _ = writeln!(std::io::stderr(), "orogen: {}", foreign::escaped(&line.join("; ")));
}

/// The same for what is no error, and nothing with `--quiet`.
fn print_remark(text: &str) {
    if !progress::is_quiet() {
        print_error_line(text);
    }
}

/// `a, b and c`.
fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn help_tells_of_options_behind_names() {
        for words in [&["view"][..], &["query", "height"], &["bake"], &["info"], &["bench"]] {
            let page = words.iter().fold(command(), |verb, word| verb.find_subcommand(word).expect("a verb").clone());
            assert!(page.clone().render_long_help().to_string().contains("dem.tif,band=2"), "{words:?}");
        }
    }

    /// Law: `-h` has a line a verb, and is read at a glance; `--help` has every option, and so has `-h` of each verb.
    #[test]
    fn short_help_is_short_and_long_help_whole() {
        let mut command = with_short_help(command());
        command.build();
        let (short, long) = (command.render_help().to_string(), command.render_long_help().to_string());
        assert!(short.lines().count() <= 45 && short.contains("orogen --help"), "{short}");
        for verb in command.get_subcommands() {
            assert!(short.contains(&format!("\n  {} ", verb.get_name())), "{}", verb.get_name());
        }
        let has_all = |page: &str, verb: &clap::Command| {
            let names = verb.get_opts().filter(|option| !option.is_hide_set()).filter_map(clap::Arg::get_long);
            names.filter(|name| !page.contains(&format!("--{name}"))).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(has_all(&long, &command), Vec::<String>::new());
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
            let page = verb.clone().render_help().to_string();
            assert_eq!(has_all(&page, verb), Vec::<String>::new(), "{}", verb.get_name());
        }
    }

    #[cfg(feature = "window")]
    #[test]
    fn help_shows_every_key() {
        let help = command().render_long_help().to_string();
        for line in Keymap::default().lines() {
            assert!(help.contains(line.does), "{}", line.does);
        }
    }
}
