//! `orogen completions`: what the shell completes, from the same definition as `--help`.

use clap::Args;
use clap_complete::Shell;

use super::CliError;

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
    clap_complete::generate(shell, &mut super::command(), "orogen", &mut script);
    String::from_utf8_lossy(&script).into_owned()
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
                for option in verb.get_opts().filter_map(clap::Arg::get_long) {
                    // fish writes `-l option`.
                    assert!(script.contains(option), "{shell}: {} --{option}", verb.get_name());
                }
            }
        }
    }
}
