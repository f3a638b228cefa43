//! Which options does every verb have? How much is told on stderr, colours, and a file of defaults.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::{Args, ColorChoice};

/// Options of every verb.
#[derive(Args, Debug)]
#[command(next_help_heading = "Everywhere")]
pub struct CommonArgs {
    /// Log to stderr what is done, and with -vv what is of use to developers; RUST_LOG chooses by crate
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    /// Colours of messages and help [default: auto: on a terminal, unless NO_COLOR is set]
    #[arg(long, value_name = "auto|always|never", global = true, hide_possible_values = true)]
    pub color: Option<ColorChoice>,
    /// JSON file of defaults: see the end of `orogen --help` [default: OROGEN_CONFIG]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
}

/// Whether what is written to a terminal, or to something else, has colours, by the words of a command line.
pub fn has_colours<'a>(words: impl Iterator<Item = &'a OsStr>, is_terminal: bool) -> bool {
    let asked = choice(words);
    match asked.as_deref() {
        Some("always") => true,
        Some("never") => false,
        _ => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty()),
    }
}

/// The last value of `--color`, which is needed where a command line cannot be read too.
fn choice<'a>(words: impl Iterator<Item = &'a OsStr>) -> Option<String> {
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let options = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let behind = |k: usize, word: &str| match word.strip_prefix("--color") {
        Some("") => words.get(k + 1).cloned(),
        Some(value) => value.strip_prefix('=').map(str::to_owned),
        None => None,
    };
    words[..options].iter().enumerate().filter_map(|(k, word)| behind(k, word)).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_chosen_by_the_last_word_on_them() {
        let of = |line: &str| choice(line.split(' ').map(OsStr::new));
        assert_eq!(of("info --color always"), Some(String::from("always")));
        assert_eq!(of("info --color=always --color never"), Some(String::from("never")));
        assert_eq!((of("info"), of("view -- --color always")), (None, None));
    }
}
