//! `orogen sources` and `orogen fetch`: public elevation and pictures, and one file of a place from them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{HumanBytes, HumanCount, ProgressBar};
use serde_json::{Value, json};
use sources::{Area, Catalogue, Fetch, Kind, Outcome, Progress, Source};

use super::overwrite::OverwriteArgs;
use super::progress::{self, bar_style};
use super::{CliError, print_remark, shown_path, values};
use crate::camera::place::Place;

const EXAMPLES: &str = "\
Examples:
  orogen fetch terrain-tiles --at Matterhorn -o matterhorn.tif
  orogen fetch terrain-tiles --bbox 6,45,9,46.5 --level 11 -o alps.tif
  orogen fetch blue-marble --bbox -12,35,30,60 -o europe.tif
  orogen fetch terrain-rgb:https://tiles.example.org/{z}/{x}/{y}.png --at 46.5,8 -o here.tif
  orogen view alps.tif --imagery europe.tif

`orogen sources` lists names, licences and what has to be said where data are shown. A run that was stopped is continued by the same
command: tiles are kept beside the file until it is whole. Four requests are in flight at most; a server that is busy is asked later.";

/// `orogen sources`.
#[derive(Args, Debug)]
pub struct SourcesArgs {
    /// A file of more of them: JSON, as --json prints
    #[arg(long, value_name = "FILE")]
    pub catalogue: Option<PathBuf>,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
}

/// `orogen fetch`.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct FetchArgs {
    /// A name that `orogen sources` lists; or terrarium:, terrain-rgb: or picture: and the address of tiles in Web Mercator, with {z}, {x}
    /// and {y}
    #[arg(value_name = "SOURCE")]
    pub source: String,
    /// A file of more sources: JSON, as `orogen sources --json` prints
    #[arg(long, value_name = "FILE")]
    pub catalogue: Option<PathBuf>,
    /// The box that is wanted, in degrees; it crosses 180 degrees where W is above E
    #[arg(long, value_name = "W,S,E,N", value_parser = values::bbox, allow_hyphen_values = true, required_unless_present = "at", conflicts_with = "at")]
    pub bbox: Option<[f64; 4]>,
    /// The place that is wanted, and what is around it
    #[arg(long, value_name = "PLACE", value_parser = values::place, allow_hyphen_values = true)]
    pub at: Option<Place>,
    /// How far around it, in metres
    #[arg(long, value_name = "M", value_parser = values::radius_m, allow_hyphen_values = true, requires = "at", default_value = "15000")]
    pub radius: f64,
    /// Level: each one is twice as fine [default: the finest with at most 256 tiles]
    #[arg(long, value_name = "N", value_parser = values::integer::<u32>(0..=24), allow_negative_numbers = true)]
    pub level: Option<u32>,
    /// Refuse to ask for more tiles than this
    #[arg(long, value_name = "N", value_parser = values::integer::<u32>(1..=1_000_000), allow_negative_numbers = true, default_value = "4096")]
    pub most_tiles: u32,
    /// Where the raster goes: a GeoTIFF
    #[arg(short, long, value_name = "TIF", required_unless_present = "estimate")]
    pub out: Option<PathBuf>,
    /// Say how many tiles it would take, and ask for none
    #[arg(long)]
    pub estimate: bool,
    /// Print the estimate, or what was made, as JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Overwriting of output files.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

/// Tiles that are asked for where no level is given.
const USUAL_TILES: u64 = 256;

/// Lists the sources.
pub fn run_sources(args: &SourcesArgs) -> Result<(), CliError> {
    let catalogue = catalogue(args.catalogue.as_ref())?;
    if args.json {
        let all: Vec<&Source> = catalogue.iter().collect();
        return Ok(super::print(&format!("{}\n", serde_json::to_string_pretty(&all).map_err(anyhow::Error::from)?))?);
    }
    let mut text = String::new();
    for source in catalogue.iter() {
        let [first, last] = source.levels;
        let [name, title, licence, attribution, terms] =
            [&source.name, &source.title, &source.licence, &source.attribution, &source.terms]
                .map(|text| foreign::escaped(text));
        let name = name.to_string();
        let kind = if source.kind == Kind::Imagery { "picture" } else { "heights" };
        let finest_m = Area::new([-0.01, -0.01, 0.01, 0.01], last)?.texel_m(256);
        text += &format!(
            "{name:<16} {kind}, levels {first} to {last}, {finest_m:.0} m at the equator\n    {title}\n    licence: {licence}\n    \
             to be said: {attribution}\n    terms: {terms}\n"
        );
    }
    Ok(super::print(&text)?)
}

/// The latitude at which Web Mercator ends, degrees.
const MERCATOR_DEG: f64 = 85.06;

/// Makes a file of a place.
pub fn run(args: &FetchArgs) -> Result<(), CliError> {
    let source = Source::named(&args.source, &catalogue(args.catalogue.as_ref())?)?;
    let bbox_deg = match (args.bbox, &args.at) {
        (Some(bbox_deg), _) => bbox_deg,
        (None, Some(place)) => sources::box_around([place.lat_deg, place.lon_deg], args.radius),
        (None, None) => return Err(CliError::Usage(String::from("where? give --bbox or --at"))),
    };
    if bbox_deg[3] > MERCATOR_DEG || bbox_deg[1] < -MERCATOR_DEG {
        print_remark("tiles of servers end at 85.05 degrees of latitude: what lies beyond is left out");
    }
    let area = match args.level {
        Some(level) => Area::new(bbox_deg, level)?,
        None => Area::finest(bbox_deg, source.levels(), USUAL_TILES.min(args.most_tiles.into()))?,
    };
    let fetch = Fetch::new(&source, area.clone())?;
    let texel_m = area.texel_m(256);
    let digits = usize::from(texel_m < 10.0);
    let what = format!("{} tiles of level {}, {texel_m:.digits$} m a texel", area.tiles(), area.level());
    if args.estimate && args.json {
        let (level, tiles) = (area.level(), area.tiles());
        let all =
            json!({ "source": source.name, "level": level, "tiles": tiles, "texel_m": texel_m, "bbox_deg": bbox_deg });
        return Ok(super::print(&format!("{all:#}\n"))?);
    }
    if args.estimate {
        return Ok(super::print(&format!("{what}\n"))?);
    }
    if area.tiles() > args.most_tiles.into() {
        let most = args.most_tiles;
        return Err(CliError::Failed(anyhow::anyhow!(
            "{what}: more than {most}; take a coarser --level, or raise --most-tiles"
        )));
    }
    let Some(out) = &args.out else { return Err(CliError::Usage(String::from("where to? give -o TIF"))) };
    if out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pack")) {
        let line = format!(
            "{}: what is fetched is a GeoTIFF: give -o a name like a.tif, and `orogen bake` makes a pack of it",
            shown_path(out)
        );
        return Err(CliError::Usage(line));
    }
    let (bar, began) = (bar(&source, area.tiles()), Instant::now());
    let outcome = fetch.run(out, args.overwrite.overwrite, &mut |progress: Progress| bar.set_position(progress.done));
    bar.finish_and_clear();
    let outcome = outcome?;
    let Outcome { progress: Progress { tiles, found, missing, bytes, .. }, size: [columns, rows] } = outcome;
    let of = |count: u64, what: &str| if count > 0 { format!(", {} {what}", HumanCount(count)) } else { String::new() };
    eprintln!(
        "wrote {}: {columns} x {rows} texels of {:.0} m, {} tiles{}{}, {}",
        shown_path(out),
        written_texel_m(&area, columns),
        HumanCount(tiles),
        of(found, "by earlier runs"),
        of(missing, "that the server does not have"),
        HumanBytes(bytes)
    );
    if !source.attribution.is_empty() {
        eprintln!("where it is shown, say: {}", foreign::escaped(&source.attribution));
    }
    if args.json {
        let all = written((out, &source), (&area, bbox_deg), outcome, began.elapsed());
        super::print(&format!("{all:#}\n"))?;
    }
    Ok(())
}

/// What was made, as JSON.
fn written(
    (out, source): (&Path, &Source),
    (area, bbox_deg): (&Area, [f64; 4]),
    outcome: Outcome,
    elapsed: Duration,
) -> Value {
    let Outcome { progress: Progress { tiles, found, missing, bytes, .. }, size: [columns, rows] } = outcome;
    json!({
        "file": out.display().to_string(),
        "source": source.name,
        "attribution": source.attribution,
        "bbox_deg": bbox_deg,
        "level": area.level(),
        "width": columns,
        "height": rows,
        "texel_m": written_texel_m(area, columns),
        "tiles": tiles,
        "found": found,
        "missing": missing,
        "downloaded_bytes": bytes,
        "bytes": std::fs::metadata(out).ok().map(|file| file.len()),
        "seconds": elapsed.as_secs_f64(),
    })
}

/// Metres of a texel on the ground in the middle of a raster of so many columns.
fn written_texel_m(area: &Area, columns: usize) -> f64 {
    area.texel_m((columns / area.size()[0] as usize) as u32)
}

/// The sources that ship, and those of a file.
pub(super) fn catalogue(file: Option<&PathBuf>) -> Result<Catalogue, CliError> {
    let shipped = Catalogue::shipped();
    Ok(match file {
        Some(file) => shipped.with_file(file)?,
        None => shipped,
    })
}

/// A bar for tiles of a source.
pub(super) fn bar(source: &Source, tiles: u64) -> ProgressBar {
    let bar = progress::bar(tiles).with_message(format!("tiles from {}", foreign::sanitized(source.host())));
    bar.with_style(bar_style("{bar:30} {pos}/{len} {msg}, {eta} left"))
}
