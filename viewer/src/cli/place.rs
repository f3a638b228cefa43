//! `orogen place`: what does the gazetteer know of a name?

use clap::Args;

use super::CliError;
use super::query::answer_writer::{FieldValue, Format};
use super::values;
use crate::gazetteer::{self, MatchKind, NameError};

/// Shown by `orogen place --help`.
const EXAMPLES: &str = "\
Examples:
  orogen place matterhorn
  orogen place \"York, United Kingdom\" --json
  orogen place everst --limit 1              misspelt, and found";

const HEADER: &str = "name,within,kind,rank,lat_deg,lon_deg,match\n";

/// `orogen place`.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct PlaceArgs {
    /// Name of a place, or a part of it, with its country behind a comma where needed
    #[arg(required = true, value_name = "NAME")]
    pub name: Vec<String>,
    /// Answer in JSON, not CSV
    #[arg(long)]
    pub json: bool,
    /// Most places, the best first
    #[arg(long, value_name = "N", value_parser = values::integer::<u32>(1..=1_000), allow_negative_numbers = true, default_value = "10")]
    pub limit: u32,
}

/// Prints the places that fit a name.
pub fn run(args: &PlaceArgs) -> Result<(), CliError> {
    let name = args.name.join(" ");
    let found = gazetteer::search(&name, args.limit as usize);
    if found.is_empty() {
        let like = gazetteer::nearest(&name, 4).iter().map(|found| found.entry).collect();
        return Err(CliError::Failed(anyhow::anyhow!(NameError::Unknown(like).line(&name))));
    }
    let format = if args.json { Format::Json } else { Format::Csv };
    let mut text = String::from(if args.json { "[\n" } else { HEADER });
    for (k, found) in found.iter().enumerate() {
        if k > 0 {
            text.push_str(format.separator());
        }
        let entry = found.entry;
        let fields = [
            ("name", FieldValue::Text(entry.name)),
            ("within", FieldValue::Text(entry.within)),
            ("kind", FieldValue::Text(entry.kind.name())),
            ("rank", FieldValue::Whole(entry.rank.into())),
            ("lat_deg", FieldValue::Exact(entry.lat_deg)),
            ("lon_deg", FieldValue::Exact(entry.lon_deg)),
            ("match", FieldValue::Text(word(found.fit))),
        ];
        format.write(&fields, &mut text);
    }
    text.push_str(if args.json { "\n]\n" } else { "" });
    Ok(super::print(&text)?)
}

/// How a name fits, in a word.
fn word(fit: MatchKind) -> &'static str {
    match fit {
        MatchKind::Whole => "whole",
        MatchKind::Start => "start",
        MatchKind::Words => "words",
        MatchKind::Within => "within",
        MatchKind::Misspelt(_) => "misspelt",
    }
}
