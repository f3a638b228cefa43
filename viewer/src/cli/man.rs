//! `orogen man`: the manual pages, from the same definition as `--help`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::CliError;
use super::overwrite::OverwriteArgs;
use crate::capture::AtomicFile;

const MAN_EXAMPLES: &str = "\
Examples:
  orogen man | man -l -                      read the page
  orogen man query height | man -l -         that of a verb
  orogen man -o ~/.local/share/man/man1      install all of them";

/// `orogen man`.
#[derive(Args, Debug)]
#[command(after_long_help = MAN_EXAMPLES)]
pub struct ManArgs {
    /// The verb whose page is printed; none prints that of the program
    #[arg(value_name = "VERB", conflicts_with = "out")]
    pub verb: Vec<String>,
    /// Write the pages of the program and all its verbs into this folder
    #[arg(short, long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Overwriting of output files.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

/// Prints a page, or writes all of them.
pub fn run(args: &ManArgs) -> Result<(), CliError> {
    let mut command = super::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        render(named(&command, &args.verb)?, &mut page)?;
        return Ok(super::print(&String::from_utf8_lossy(&page))?);
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let pages = pages(&command, folder);
    args.overwrite.check(pages.iter().map(|(path, _)| path))?;
    write_all(&pages)?;
    eprintln!("wrote {} pages into {}", pages.len(), super::shown_path(folder));
    Ok(())
}

/// The command that words name, one verb below the other.
fn named<'a>(command: &'a clap::Command, words: &[String]) -> Result<&'a clap::Command, CliError> {
    words.iter().try_fold(command, |command, word| {
        let verbs = super::listed(command.get_subcommands().map(clap::Command::get_name));
        let why = || match verbs.as_str() {
            "" => format!("{} has no verb '{word}'", command.get_name()),
            verbs => format!("{} has no verb '{word}': its verbs are {verbs}", command.get_name()),
        };
        command.find_subcommand(word).ok_or_else(|| CliError::Usage(why()))
    })
}

/// The files of a command and of the verbs below it.
fn pages<'a>(command: &'a clap::Command, folder: &Path) -> Vec<(PathBuf, &'a clap::Command)> {
    let own = (folder.join(Man::new(command.clone()).get_filename()), command);
    std::iter::once(own).chain(command.get_subcommands().flat_map(|verb| pages(verb, folder))).collect()
}

fn write_all(pages: &[(PathBuf, &clap::Command)]) -> Result<(), CliError> {
    for (path, command) in pages {
        let write = || -> io::Result<()> {
            let mut out = AtomicFile::create(path)?;
            render(command, &mut out)?;
            out.commit()
        };
        write().with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// A page. What stands below the options in `--help` keeps its lines, which clap's own pages would run together.
fn render(command: &clap::Command, out: &mut dyn Write) -> io::Result<()> {
    let page = Man::new(command.clone());
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    if command.has_subcommands() {
        page.render_subcommands_section(out)?;
    }
    if let Some(more) = command.get_after_long_help() {
        let mut roff = Roff::default();
        roff.control("SH", ["NOTES"]).control("nf", []);
        more.to_string().lines().for_each(|line| {
            roff.text([roman(line)]);
        });
        roff.control("fi", []);
        roff.to_writer(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(words: &[&str]) -> Result<String, CliError> {
        let mut command = crate::cli::command().disable_help_subcommand(true);
        command.build();
        let words: Vec<String> = words.iter().map(|word| (*word).to_string()).collect();
        let mut out = Vec::new();
        render(named(&command, &words)?, &mut out)?;
        Ok(String::from_utf8(out).expect("text"))
    }

    /// Law: the manual has every key, every verb and every option that `--help` has.
    #[test]
    fn the_manual_says_what_help_says() {
        let plain = |text: &str| text.replace('\\', "");
        let main = plain(&page(&[]).expect("a page"));
        #[cfg(feature = "window")]
        for binding in crate::input::bindings::bindings() {
            assert!(main.contains(binding.does), "{}", binding.does);
        }
        let mut command = crate::cli::command();
        command.build();
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
            assert!(main.contains(verb.get_name()), "{}", verb.get_name());
            let text = plain(&page(&[verb.get_name()]).expect("a page"));
            for option in verb.get_opts().filter_map(clap::Arg::get_long) {
                assert!(text.contains(&format!("--{option}")), "{} --{option}", verb.get_name());
            }
        }
    }

    #[test]
    fn every_page_is_written_and_unknown_verbs_are_named() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut command = crate::cli::command().disable_help_subcommand(true);
        command.build();
        let pages = pages(&command, folder.path());
        write_all(&pages).expect("written");
        assert_eq!(std::fs::read_dir(folder.path()).expect("folder").count(), pages.len());
        for name in ["orogen.1", "orogen-render.1", "orogen-query-height.1"] {
            assert!(folder.path().join(name).exists(), "{name}");
        }
        let Err(CliError::Usage(line)) = page(&["query", "depth"]) else { panic!("refused") };
        assert!(line.contains("'depth'") && line.contains("profile"), "{line}");
    }
}
