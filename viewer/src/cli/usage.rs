//! What is said of a command line that cannot be parsed? One line, with the verb whose help lists what was got wrong.

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::args::Cli;
use super::listed;

/// What is wrong with the command line, and where help is, in one line that shows no word of it at a greater length than other foreign text.
pub(super) fn usage_line(error: &clap::Error, words: impl Iterator<Item = OsString>) -> String {
    let words: Vec<OsString> = words.collect();
    let said = usage_error(error, &words);
    let parts = words.iter().filter_map(|word| word.to_str()).flat_map(|word| {
        // An option may have its value behind a sign.
        [Some(word), word.split_once('=').map(|(_, value)| value)].into_iter().flatten()
    });
    parts.fold(said, |said, part| match foreign::sanitized(part).to_string() {
        shown if shown.len() < part.len() => said.replace(part, &shown),
        _ => said,
    })
}

/// What is wrong with the command line, and where help is.
pub(super) fn usage_error(error: &clap::Error, words: &[OsString]) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(", ")),
        _ => None,
    };
    let command = Cli::command();
    // The page of the innermost verb is the one that lists what was got wrong.
    let (mut verb, mut parent) = (String::new(), &command);
    for word in words {
        let Some(named) = parent.find_subcommand(word) else { break };
        verb += &format!("{} ", named.get_name());
        parent = named;
    }
    let parent = if parent.has_subcommands() { parent } else { &command };
    let verbs = listed(parent.get_subcommands().map(clap::Command::get_name));
    match (error.kind(), context(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(word)) => {
            let path = Path::new(&word);
            let meant = match context(ContextKind::SuggestedSubcommand) {
                Some(like) => format!("did you mean {like}? The verbs are {verbs}"),
                None if verb.is_empty() && (path.exists() || path.extension().is_some()) => {
                    format!("to fly a file, `orogen view {word}`")
                }
                None => format!("the verbs are {verbs}"),
            };
            return format!("unknown verb '{word}': {meant}; `orogen {verb}--help` tells more");
        }
        (ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand, _) => {
            return format!("{verb}needs a verb of its own: {verbs}; `orogen {verb}--help` tells more");
        }
        _ => {}
    }
    if let (ErrorKind::ArgumentConflict, Some(word)) = (error.kind(), context(ContextKind::InvalidSubcommand)) {
        return format!("options stand behind the verb '{word}'; `orogen {word} --help` tells more");
    }
    let text = error.render().to_string();
    // clap's text is the error, then blocks for tips, usage and more help.
    let mut blocks = text.split("\n\n");
    let first = blocks.next().unwrap_or_default().trim_start_matches("error: ");
    let what: Vec<&str> = first.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let tips: Vec<&str> = blocks
        .flat_map(str::lines)
        .filter_map(|l| l.trim().strip_prefix("tip: "))
        .filter(|tip| !tip.starts_with("to pass"))
        .collect();
    let alone = (error.kind() == ErrorKind::MissingRequiredArgument && verb == "view ")
        .then_some("`orogen` alone flies the globe");
    // The second number of a place, say, with a blank before it.
    let is_number =
        |word: &String| word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let apart = (error.kind() == ErrorKind::UnknownArgument
        && context(ContextKind::InvalidArg).is_some_and(|word| is_number(&word)))
    .then_some("numbers of one value stand in one word, as in --at 36.3,-84.2");
    let tips: String = tips.into_iter().chain(alone).chain(apart).map(|tip| format!("; {tip}")).collect();
    format!("{}{tips}; `orogen {verb}--help` tells more", what.join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::command;
    use super::*;

    fn line(words: &[&str]) -> String {
        let error = command().try_get_matches_from(words).expect_err("must be refused");
        assert_eq!(error.exit_code(), 2, "{words:?}");
        usage_line(&error, words.iter().skip(1).map(Into::into))
    }

    #[test]
    fn every_wrong_use_is_one_line_that_names_it() {
        let cases: &[(&[&str], &str)] = &[
            (&["orogen", "fly"], "unknown verb 'fly'"),
            (&["orogen", "rendr"], "did you mean render? The verbs are view,"),
            (&["orogen", "alps.tif"], "`orogen view alps.tif`"),
            (&["orogen", "render", "--at", "91,0,1000", "-o", "a.png"], "latitude 91"),
            (&["orogen", "render", "--at", "-91,0,1000", "-o", "a.png"], "latitude -91"),
            (&["orogen", "render", "--at", "Matterhrn", "-o", "a.png"], "Matterhorn"),
            (&["orogen", "render", "--fit", "6,47,9,45", "-o", "a.png"], "south"),
            (&["orogen", "render", "--fit", "6,45,9,47", "--at", "1,2,3", "-o", "a.png"], "--fit"),
            (&["orogen", "render", "--at", "1,2,3", "--size", "0x0", "-o", "a.png"], "0x0"),
            (&["orogen", "render", "--at", "1,2,3", "--look", "0,-100", "-o", "a.png"], "pitch -100"),
            (&["orogen", "render", "--at", "1,2,3"], "-o"),
            (&["orogen", "render", "--at", "1,2,3", "--path", "everest", "-o", "a.png"], "--path"),
            (&["orogen", "--pixel-error", "0"], "--pixel-error"),
            (&["orogen", "--pixel-error", "NaN"], "--pixel-error"),
            (&["orogen", "--triangles", "3"], "--triangles"),
            (&["orogen", "--fov", "200"], "--fov"),
            (&["orogen", "--time", "yesterday"], "yesterday"),
            (&["orogen", "--samples", "3"], "--samples"),
            (&["orogen", "--shading", "sideways"], "--shading"),
            (&["orogen", "bench", "--shading"], "--shading"),
            (&["orogen", "-v", "render", "-o", "a.png"], "behind the verb 'render'"),
            (&["orogen", "info", "--color", "pink"], "pink"),
            (&["orogen", "view"], "FILES>...; `orogen` alone flies the globe; `orogen view --help`"),
            (&["orogen", "--nonsense"], "--nonsense"),
            (&["orogen", "query", "height", "--at", "95,10"], "`orogen query height --help`"),
            (&["orogen", "query", "height", "--at", "36.3", "-84.2"], "in one word, as in --at 36.3,-84.2"),
            (&["orogen", "query", "heigt"], "`orogen query --help`"),
            (&["orogen", "query", "height", "--at", "10,95,100"], "leave out the height of 100 m"),
            (&["orogen", "query", "height", "--at", "1,2", "a.tif,band=x"], "band=x"),
            (&["orogen", "info", "--offline", "--online", "a.tif"], "--online"),
            (&["orogen", "bake", "-o", "a.pack", "--unit", "degC", "a.tif"], "us-ft"),
        ];
        for (words, needle) in cases {
            let line = line(words);
            assert!(line.contains(needle), "{words:?}: {line}");
            assert!(!line.contains('\n') && line.contains("--help"), "{words:?}: {line}");
        }
    }

    /// Law: whatever is typed, the line about it is short.
    #[test]
    fn long_words_are_shown_in_short() {
        let long = "x".repeat(5_000);
        let joined = format!("--fov={long}");
        for words in [
            &["orogen", "render", "--at", &long, "-o", "a.png"][..],
            &["orogen", "--fov", &long],
            &["orogen", &joined],
            &["orogen", &long],
            &["orogen", "query", "height", "--at", "1,2", &format!("--{long}")],
        ] {
            let line = line(words);
            assert!(line.chars().count() < 600 && line.contains("xxx"), "{}", line.len());
        }
    }
}
