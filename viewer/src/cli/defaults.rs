//! What does an option mean where neither the command line nor a scene says it? What the environment says, else a configuration file.
//!
//! A file is JSON: `{"orogen": "config", "version": 1, "software": true, "render": {"size": "1920x1080"}}`. Its members are long names of
//! options, of all verbs that have them, or of one in the object of that verb. What is another thing for another verb ([`OF_ONE_VERB`])
//! stands there only. In the environment `--pixel-error` is `OROGEN_PIXEL_ERROR`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Map, Value};

use super::CliError;

/// Shown by `orogen --help`.
pub const ORDER: &str = "\
An option means what the command line says, else a scene, else the environment
(OROGEN_PIXEL_ERROR for --pixel-error), else the file of --config or OROGEN_CONFIG,
else, in a window, what was chosen in it, else what --help tells as default. A file is JSON:
  { \"orogen\": \"config\", \"version\": 1, \"software\": true, \"render\": { \"size\": \"1920x1080\" } }
Its members are long names of options, of all verbs that have them or in the object of one.";

/// Bytes of a file at most.
const MOST_BYTES: u64 = 1 << 20;

/// Options that hold for one command alone, or for how it is read.
const NEVER: [&str; 6] = ["out", "config", "color", "verbose", "help", "version"];

/// Options that say where, or are another thing for another verb: their defaults stand in the object of one.
const OF_ONE_VERB: [&str; 7] = ["at", "bbox", "fit", "look", "path", "radius", "samples"];

/// What the verbs of [`takes_places`] are asked about: one of these is required, or takes the place of stdin.
const WHERE: [&str; 4] = ["at", "bbox", "look", "radius"];

/// How names of variables begin.
const PREFIX: &str = "OROGEN_";

/// Variables that begin so and are no options: of the program, of its window, and of tests and benchmarks, which start it.
const OTHERS: [&str; 12] = [
    "OROGEN_BLESS",
    "OROGEN_CALLS",
    "OROGEN_CONFIG",
    "OROGEN_DUMP_WGSL",
    "OROGEN_LEAK_RAYS",
    "OROGEN_LOSSES",
    "OROGEN_PROGRAM",
    "OROGEN_SEED",
    "OROGEN_SETTINGS",
    "OROGEN_TINT",
    "OROGEN_UPDATES",
    "OROGEN_VARIANT",
];

/// Variables whose names begin with `OROGEN_` and that are not empty.
pub type Environment = BTreeMap<String, OsString>;

/// Those of the process.
pub fn environment() -> Environment {
    let named = std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    named.filter(|(name, value)| name.starts_with(PREFIX) && !value.is_empty()).collect()
}

/// Tells of variables that no verb reads: always of those whose names are unknown, and to who wants to know all of those of options that
/// have no default there.
pub fn warn_unread_variables(command: &Command, environment: &Environment) {
    let known = long_names(command);
    for name in environment.keys().filter(|name| !OTHERS.contains(&name.as_str())) {
        let option = option_of(name);
        if !known.contains(option.as_str()) {
            super::print_error_line(&unknown_variable(name, &option, &known));
        } else if is_unread(&option) {
            tracing::info!("{name}: unused: --{option} has no default in the environment");
        }
    }
}

fn unknown_variable(name: &str, option: &str, known: &BTreeSet<&str>) -> String {
    let others = OTHERS.map(option_of);
    let read = known.iter().copied().filter(|known| !is_unread(known)).chain(others.iter().map(String::as_str));
    let read: Vec<&str> = read.collect();
    let meant = foreign::nearest(option, &read)
        .map_or_else(String::new, |meant| format!("; did you mean {}?", variable(meant)));
    format!("{} in the environment is unknown and unused{meant}", foreign::sanitized(name))
}

/// The long name of the option of a variable.
fn option_of(variable: &str) -> String {
    variable.trim_start_matches(PREFIX).to_lowercase().replace('_', "-")
}

fn variable(option: &str) -> String {
    format!("{PREFIX}{}", option.to_uppercase().replace('-', "_"))
}

/// Whether an option has no default in the environment.
fn is_unread(option: &str) -> bool {
    NEVER.contains(&option) || OF_ONE_VERB.contains(&option)
}

/// Long names of the options of a command and of the verbs below it.
fn long_names(command: &Command) -> BTreeSet<&str> {
    let own = command.get_arguments().filter_map(Arg::get_long);
    own.chain(command.get_subcommands().flat_map(long_names)).collect()
}

/// What the environment and a file say, the first of an option first.
#[derive(Debug, Default)]
pub struct Defaults(Vec<Entry>);

/// What is said of an option.
#[derive(Debug, Clone, PartialEq)]
struct Entry {
    /// Of which verb; of all that have it if this is empty.
    verb: Vec<String>,
    /// Its long name.
    option: String,
    values: Vec<OsString>,
    /// Who says so.
    origin: String,
}

impl Defaults {
    /// What is said in an environment, and in a file.
    ///
    /// # Errors
    /// A file that cannot be read, or names what there is not.
    pub fn read(command: &Command, file: Option<&Path>, environment: &Environment) -> Result<Defaults, CliError> {
        let mut entries = Vec::new();
        let mut options: Vec<&Arg> = options_below(command, None);
        options.retain(|arg| arg.get_long().is_some_and(|long| !OF_ONE_VERB.contains(&long)));
        options.sort_by_key(|arg| arg.get_long());
        options.dedup_by_key(|arg| arg.get_long());
        for arg in options {
            let option = arg.get_long().unwrap_or_default();
            let origin = variable(option);
            let Some(value) = environment.get(&origin) else { continue };
            let value = if is_flag(arg) { parse_switch(value, &origin)? } else { value.clone() };
            entries.push(Entry { verb: Vec::new(), option: option.to_owned(), values: vec![value], origin });
        }
        if let Some(file) = file {
            entries.extend(of_file(command, file)?);
        }
        Ok(Defaults(entries))
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The command with what holds for a command line as defaults of its options. What the words say, or a scene among them (`said`, by
    /// identifiers), has none, nor has what that excludes.
    pub fn applied(&self, command: Command, matches: &ArgMatches, said: &[&str]) -> Command {
        let (mut verb, mut path, mut matches) = (&command, Vec::new(), matches);
        while let Some((name, below)) = matches.subcommand() {
            let Some(named) = verb.find_subcommand(name) else { break };
            (verb, matches) = (named, below);
            path.push(name.to_owned());
        }
        // Who names no verb flies.
        let of_verb = if path.is_empty() { vec![String::from("view")] } else { path.clone() };
        let is_typed = |arg: &Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
        let mut settled: Vec<&Arg> =
            verb.get_arguments().filter(|arg| is_typed(arg) || said.contains(&arg.get_id().as_str())).collect();
        let mut taken = Vec::new();
        for Entry { verb: of, option, values, origin } in &self.0 {
            let mut may = verb.get_arguments().filter(|arg| may_have_default(arg, path.first().map(String::as_str)));
            let found = may.find(|arg| arg.get_long() == Some(option));
            if !of_verb.starts_with(of) {
                continue;
            }
            let Some(arg) = found else {
                tracing::info!("{origin}: unused: `orogen {}` has no default of --{option}", of_verb.join(" "));
                continue;
            };
            let excludes = |one: &Arg, other: &Arg| {
                verb.get_arg_conflicts_with(one).iter().any(|excluded| excluded.get_id() == other.get_id())
            };
            let nearer = |s: &&&Arg| s.get_id() == arg.get_id() || excludes(s, arg) || excludes(arg, s);
            if let Some(nearer) = settled.iter().find(nearer) {
                let nearer = nearer.get_long().unwrap_or(nearer.get_id().as_str());
                tracing::info!("{origin}: unused: it gives way to --{nearer}");
                continue;
            }
            settled.push(arg);
            tracing::info!("{origin}: --{option} {}", values.join(OsStr::new(" ")).display());
            taken.push((arg.get_id().clone(), values.clone()));
        }
        taken.into_iter().fold(command, |command, (id, values)| {
            at(command, &path, &|verb| verb.mut_arg(&id, |arg| arg.default_values(values.clone())))
        })
    }

    /// Who says the value that an error is about.
    pub fn origin(&self, error: &clap::Error) -> Option<&str> {
        let Some(ContextValue::String(of)) = error.get(ContextKind::InvalidArg) else { return None };
        let option = of.split_whitespace().next()?.strip_prefix("--")?;
        let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else { return None };
        let said = |entry: &&Entry| entry.option == option && entry.values.iter().any(|one| one == value.as_str());
        self.0.iter().find(said).map(|entry| entry.origin.as_str())
    }
}

/// Changes the verb at the end of a path.
fn at(command: Command, path: &[String], change: &dyn Fn(Command) -> Command) -> Command {
    match path.split_first() {
        Some((verb, below)) => command.mut_subcommand(verb, |verb| at(verb, below, change)),
        None => change(command),
    }
}

/// Options of a command and of the verbs below it; `verb` is the first word of its name, if it has one.
fn options_below<'a>(command: &'a Command, verb: Option<&'a str>) -> Vec<&'a Arg> {
    let own = command.get_arguments().filter(|arg| may_have_default(arg, verb));
    let below = command.get_subcommands().flat_map(|below| options_below(below, verb.or(Some(below.get_name()))));
    own.chain(below).collect()
}

/// Whether an option of a verb may have a default. clap takes no default for one that is required, also where another excuses it.
fn may_have_default(arg: &Arg, verb: Option<&str>) -> bool {
    arg.get_long().is_some_and(|long| !is_never(long, verb)) && !arg.is_required_set()
}

fn is_never(option: &str, verb: Option<&str>) -> bool {
    NEVER.contains(&option) || takes_places(verb) && WHERE.contains(&option)
}

/// Whether a verb is about places that each command names.
fn takes_places(verb: Option<&str>) -> bool {
    matches!(verb, Some("query" | "fetch"))
}

fn is_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// Whether a word switches on or off.
fn parse_switch(word: &OsStr, origin: &str) -> Result<OsString, CliError> {
    match word.to_str() {
        Some("1" | "true" | "on" | "yes") => Ok(OsString::from("true")),
        Some("0" | "false" | "off" | "no") => Ok(OsString::from("false")),
        _ => Err(CliError::Usage(format!(
            "{origin}: {} is neither on nor off",
            foreign::sanitized(&word.to_string_lossy())
        ))),
    }
}

/// What a file says, of verbs before all.
fn of_file(command: &Command, file: &Path) -> Result<Vec<Entry>, CliError> {
    let text = foreign::read_small_text(file, MOST_BYTES)
        .map_err(|error| anyhow::anyhow!("cannot read the configuration {}: {error}", file.display()))?;
    let wrong = |why: &dyn std::fmt::Display| CliError::Usage(format!("{}: {why}", file.display()));
    let mut members: Map<String, Value> = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    let heading = (members.remove("orogen"), members.remove("version"));
    if heading != (Some(Value::from("config")), Some(Value::from(1))) {
        return Err(wrong(
            &"it is no configuration of this version: \"orogen\": \"config\", \"version\": 1 stands in one",
        ));
    }
    let mut entries = Vec::new();
    read_members(command, &mut Vec::new(), &members, &file.display().to_string(), &mut entries)
        .map_err(|why| wrong(&why))?;
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.verb.len()));
    Ok(entries)
}

/// Adds what stands in the object of a verb.
fn read_members(
    command: &Command,
    verb: &mut Vec<String>,
    members: &Map<String, Value>,
    file: &str,
    entries: &mut Vec<Entry>,
) -> Result<(), String> {
    let first = verb.first().cloned();
    let options = options_below(command, first.as_deref());
    for (key, value) in members {
        let named = [verb.as_slice(), std::slice::from_ref(key)].concat().join(".");
        if let Value::Object(members) = value {
            let Some(below) = command.find_subcommand(key) else {
                return Err(unknown(&named, key, command.get_subcommands().map(Command::get_name)));
            };
            verb.push(key.clone());
            read_members(below, verb, members, file, entries)?;
            verb.pop();
            continue;
        }
        let Some(arg) = options.iter().find(|arg| arg.get_long() == Some(key)) else {
            if is_never(key, first.as_deref()) {
                return Err(format!("{named}: say it on the command line: it has no default"));
            }
            return Err(unknown(&named, key, options.iter().filter_map(|arg| arg.get_long())));
        };
        let is_own = || !verb.is_empty() && command.get_arguments().any(|arg| arg.get_long() == Some(key));
        if OF_ONE_VERB.contains(&key.as_str()) && !is_own() {
            return Err(format!("{named}: say it in the object of a verb, for each of which it is another thing"));
        }
        let values = words(value, arg).ok_or_else(|| match is_flag(arg) {
            true => format!("{named}: expected true or false"),
            false => format!("{named}: expected a text or a number, as behind --{key}"),
        })?;
        entries.push(Entry { verb: verb.clone(), option: key.clone(), values, origin: format!("{file}: {named}") });
    }
    Ok(())
}

fn unknown<'a>(named: &str, key: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let meant = foreign::nearest(key, &known).map_or_else(String::new, |meant| format!(": did you mean {meant}?"));
    format!("\"{}\" is unknown{meant}", foreign::sanitized(named))
}

/// The words of the command line that a value stands for.
fn words(value: &Value, arg: &Arg) -> Option<Vec<OsString>> {
    let word = |value: &Value| match value {
        Value::Bool(on) if is_flag(arg) => Some(OsString::from(on.to_string())),
        Value::Bool(on) => Some(OsString::from(if *on { "on" } else { "off" })),
        Value::String(text) if !is_flag(arg) => Some(OsString::from(text)),
        Value::Number(number) if !is_flag(arg) => Some(OsString::from(number.to_string())),
        _ => None,
    };
    match value {
        Value::Array(values) if matches!(arg.get_action(), ArgAction::Append) => values.iter().map(word).collect(),
        one => Some(vec![word(one)?]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    fn built() -> Command {
        let mut command = command();
        command.build();
        command
    }

    fn config(text: &str) -> Result<Defaults, CliError> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("c.json");
        std::fs::write(&file, format!("{{\"orogen\": \"config\", \"version\": 1{text}}}")).expect("written");
        Defaults::read(&built(), Some(&file), &Environment::new())
    }

    fn set(name: &str, value: &str) -> Environment {
        Environment::from([(name.to_owned(), OsString::from(value))])
    }

    /// The values of options of a line, with defaults.
    fn values(defaults: &Defaults, line: &str, said: &[&str], options: &[&str]) -> Vec<String> {
        let words = || line.split(' ');
        let matches = built().try_get_matches_from(words()).expect("a line");
        let matches = defaults.applied(command(), &matches, said).try_get_matches_from(words()).expect("defaults");
        let mut innermost = &matches;
        while let Some((_, below)) = innermost.subcommand() {
            innermost = below;
        }
        let raw = |option: &&str| {
            let values = innermost.get_raw(option).map(|values| values.map(|word| word.to_string_lossy().into_owned()));
            values.map_or_else(String::new, |values| values.collect::<Vec<_>>().join("|"))
        };
        options.iter().map(raw).collect()
    }

    /// Law: the command line wins over scenes, they over the environment, that over a file, in which the object of a verb wins.
    #[test]
    fn who_is_nearer_wins() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("c.json");
        let text = r#"{"orogen": "config", "version": 1, "size": "10x10", "fov": 30, "ramp": "grey", "software": true, "shadows": false,
            "render": {"size": "20x20", "imagery": ["a.tif", "b.tif"]}, "query": {"viewshed": {"refraction": 0.13}}}"#;
        std::fs::write(&file, text).expect("written");
        let defaults = Defaults::read(&built(), Some(&file), &set("OROGEN_FOV", "40")).expect("defaults");
        let of = |line: &str, said: &[&str], options: &[&str]| values(&defaults, line, said, options);
        let options = ["size", "fov", "ramp", "software", "shadows", "imagery"];
        assert_eq!(of("orogen render -o a.png", &[], &options), ["20x20", "40", "grey", "true", "off", "a.tif|b.tif"]);
        assert_eq!(of("orogen --ramp atlas", &["fov"], &options), ["10x10", "", "atlas", "true", "off", ""]);
        assert_eq!(of("orogen render -o a.png --size 3x3 --fov 50", &[], &options[..2]), ["3x3", "50"]);
        let shed = "orogen query viewshed --at 1,2 --radius 9 -o a.tif";
        assert_eq!(of(shed, &[], &["refraction"]), ["0.13"]);
        assert_eq!(of(&format!("{shed} --refraction 0"), &[], &["refraction"]), ["0"]);
    }

    /// Law: what excludes what is typed gives way to it.
    #[test]
    fn a_default_gives_way_to_what_excludes_it() {
        let defaults = config(r#", "sun": "10,20", "no-cache": true, "render": {"at": "1,2,3000"}"#).expect("defaults");
        let of = |line: &str| values(&defaults, line, &[], &["sun", "no_cache", "at"]);
        assert_eq!(of("orogen render -o a.png"), ["10,20", "true", "1,2,3000"]);
        assert_eq!(of("orogen render -o a.png --time now --cache-dir d --fit 1,2,3,4"), ["", "false", ""]);
    }

    /// Law: what is another thing for another verb holds for the verb in whose object it stands, and not from the environment.
    #[test]
    fn what_differs_between_verbs_is_said_of_one() {
        let text = r#", "render": {"samples": 1, "at": "1,2", "water": "off"}, "query": {"profile": {"samples": 7}}"#;
        let of = |line: &str, options: &[&str]| values(&config(text).expect("defaults"), line, &[], options);
        assert_eq!(of("orogen render -o a.png", &["samples", "at", "water"]), ["1", "1,2", "off"]);
        assert_eq!(of("orogen query profile 1,2 3,4", &["samples"]), ["7"]);
        assert_eq!(of("orogen query height", &["at", "water"]), ["", ""]);
        let all = OF_ONE_VERB.map(|option| (variable(option), OsString::from("4"))).into_iter().collect();
        let defaults = Defaults::read(&built(), None, &all).expect("none");
        assert!(defaults.is_empty(), "{defaults:?}");
    }

    #[test]
    fn what_there_is_not_is_named() {
        for (text, says) in [
            (r#", "pixel-eror": 1"#, "\"pixel-eror\" is unknown: did you mean pixel-error?"),
            (r#", "rendr": {}"#, "did you mean render?"),
            (r#", "render": {"refraction": 1}"#, "\"render.refraction\" is unknown"),
            (r#", "out": "a.png""#, "command line"),
            (r#", "query": {"height": {"at": "1,2"}}"#, "command line"),
            (r#", "fetch": {"bbox": "1,2,3,4"}"#, "command line"),
            (r#", "samples": 4"#, "object of a verb"),
            (r#", "query": {"samples": 4}"#, "object of a verb"),
            (r#", "software": "maybe""#, "expected true or false"),
            (r#", "fov": [1]"#, "expected a text or a number"),
            (r#", "fov": null"#, "expected a text or a number"),
        ] {
            match config(text) {
                Err(CliError::Usage(line)) => assert!(line.contains(says) && line.contains("c.json"), "{text}: {line}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(Defaults::read(&built(), None, &set("OROGEN_SOFTWARE", "perhaps")).is_err());
        assert!(Defaults::read(&built(), Some(Path::new("/no/such.json")), &Environment::new()).is_err());
    }

    /// Law: the variables that are no options are those of the table for contributors, and of one that is unknown the closest one that is read
    /// is named.
    #[test]
    fn variables_that_are_no_options_are_in_the_table() {
        let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../CONTRIBUTING.md");
        let table = std::fs::read_to_string(table).expect("a page");
        let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
        let names = rows
            .flat_map(|row| row.split(['`', '=', ',']))
            .filter(|word| word.starts_with(PREFIX) && !word.contains('<'));
        assert_eq!(names.collect::<BTreeSet<_>>(), BTreeSet::from(OTHERS));
        let command = built();
        let line = |name: &str| unknown_variable(name, &option_of(name), &long_names(&command));
        for (name, meant) in [("OROGEN_PIXEL_EROR", "OROGEN_PIXEL_ERROR?"), ("OROGEN_CONFG", "OROGEN_CONFIG?")] {
            assert!(line(name).contains(name) && line(name).ends_with(meant), "{}", line(name));
        }
        // Those of samples are not read.
        assert!(!line("OROGEN_SAMPELS").contains("OROGEN_SAMPLES"));
    }
}
