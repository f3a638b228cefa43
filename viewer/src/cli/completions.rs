//! `orogen completions`: what the shell completes, from the same definition as `--help`.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, ValueHint};
use clap_complete::Shell;
#[cfg(feature = "gdal")]
use sources::{Catalogue, Kind};

use super::CliError;
use crate::overlays::Overlays;
use crate::render::Ramp;

const EXAMPLES: &str = "\
Examples:
  orogen completions bash > ~/.local/share/bash-completion/completions/orogen
  orogen completions zsh > ~/.zfunc/_orogen
  orogen completions fish > ~/.config/fish/completions/orogen.fish";

/// `orogen completions`.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

/// Prints the script of a shell.
pub fn run(args: &CompletionsArgs) -> Result<(), CliError> {
    Ok(super::print(&script(args.shell))?)
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_words(super::command()), "orogen", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// A command whose values are completed by words where there are few, and by files only where they are files.
fn with_words(command: Command) -> Command {
    command.mut_args(with_words_of).mut_subcommands(with_words)
}

fn with_words_of(arg: Arg) -> Arg {
    if !arg.get_action().takes_values() || !arg.get_possible_values().is_empty() {
        return arg;
    }
    let value: String = arg.get_value_names().unwrap_or_default().iter().map(|name| name.as_str()).collect();
    let is_word =
        |word: &str| !word.is_empty() && word.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit());
    let words: Vec<String> = match arg.get_id().as_str() {
        "ramp" => Ramp::NAMED.iter().map(|(name, _)| (*name).to_owned()).collect(),
        "overlays" => Overlays::named().map(|(name, _)| name.to_owned()).collect(),
        "body" => ["earth", "moon", "mars"].map(str::to_owned).into(),
        #[cfg(feature = "gdal")]
        "source" => sources(|_| true),
        #[cfg(feature = "gdal")]
        "elevation" => sources(|kind| kind != Kind::Imagery),
        _ if value.split('|').all(is_word) => value.split('|').map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    if !words.is_empty() {
        return arg.value_parser(PossibleValuesParser::new(words));
    }
    let is_file = FILES.iter().any(|name| value.contains(name));
    if is_file { arg } else { arg.value_hint(ValueHint::Other) }
}

/// What names of values have that are files or folders.
const FILES: [&str; 8] = ["FILE", "TIF", "PACK", "DIR", "FOLDER", "OUT", "PLOT", "PATH"];

/// Names of the sources that ship, of some kinds.
#[cfg(feature = "gdal")]
fn sources(is_wanted: impl Fn(Kind) -> bool) -> Vec<String> {
    let catalogue = Catalogue::shipped();
    catalogue.iter().filter(|source| is_wanted(source.kind)).map(|source| source.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    /// Law: every shell completes every verb, and every long option of it.
    #[test]
    fn every_verb_and_option_is_completed() {
        let mut command = crate::cli::command();
        command.build();
        for shell in Shell::value_variants() {
            let script = script(*shell);
            for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
                assert!(script.contains(verb.get_name()), "{shell}: {}", verb.get_name());
                for option in verb.get_opts().filter_map(Arg::get_long) {
                    // fish writes `-l option`.
                    assert!(script.contains(option), "{shell}: {} --{option}", verb.get_name());
                }
            }
        }
    }

    /// Law: what has few values offers them, what is no file offers no files, and files are offered as before.
    #[test]
    fn values_are_completed_by_what_they_are() {
        let mut command = with_words(crate::cli::command());
        command.build();
        let of = |verb: &str, option: &str| {
            let verb = command.find_subcommand(verb).expect("a verb");
            let arg = verb.get_arguments().find(|arg| arg.get_id() == option).expect("an option");
            let words: Vec<String> = arg.get_possible_values().iter().map(|word| word.get_name().to_owned()).collect();
            (words, arg.get_value_hint())
        };
        assert!(of("render", "ramp").0.contains(&String::from("viridis")));
        assert!(of("view", "overlays").0.contains(&String::from("contours")));
        #[cfg(feature = "gdal")]
        {
            assert!(of("fetch", "source").0.contains(&String::from("blue-marble")));
            let elevation = of("view", "elevation").0;
            assert!(
                elevation.contains(&String::from("terrain-tiles")) && !elevation.contains(&String::from("blue-marble"))
            );
        }
        assert_ne!(of("render", "imagery").1, ValueHint::Other);
        assert_eq!(of("render", "at"), (Vec::new(), ValueHint::Other));
        assert_ne!(of("render", "path").1, ValueHint::Other);
        assert_ne!(of("render", "files").1, ValueHint::Other);
        assert_ne!(of("render", "water").1, ValueHint::Other);
    }
}
