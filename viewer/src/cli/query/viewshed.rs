//! `orogen query viewshed`: what is seen from a place, as a georeferenced raster.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::{HeightReference, NeededHeights, Observer, ObserverCounts, Viewshed, ViewshedOptions, count_observers};
use anyhow::Context as _;
use clap::{Args, ValueEnum};
use foreign::points::{header, read_line};
use terrain::geodesy::Ellipsoid;
use terrain::height::Interpolation;
use terrain::surface::Surface;

use super::super::overwrite::OverwriteArgs;
use super::super::progress::{bar, bar_style};
use super::super::{CliError, values};
use super::answer_writer::{AnswerWriter, FieldValue};
use super::data::{DataArgs, WaterArgs};
use super::line::LineArgs;
use crate::camera::place::Place;

/// What is asked of each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ViewshedMode {
    /// Whether the target is seen: bytes, 1 seen, 0 hidden, 255 beyond the limits
    Visible,
    /// Metres above the ground that a target needs to be seen, to a centimetre: f32, 0 where the ground is seen, or within that
    NeededAboveGround,
    /// The same above the datum of the data
    NeededHeight,
}

/// What the ground between the postings of a raster is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GroundBetween {
    /// The smooth ground that is drawn: cubic patches
    Exact,
    /// Straight along columns and rows, as GDAL and most programs have it
    Bilinear,
}

/// `orogen query viewshed`.
#[derive(Args, Debug)]
pub struct ViewshedArgs {
    /// Where the eye stands
    #[arg(long, value_name = "LAT,LON|NAME", value_parser = values::place, allow_hyphen_values = true)]
    pub at: Place,
    /// How far it looks, in metres
    #[arg(long, value_name = "M", value_parser = values::radius_m, allow_hyphen_values = true)]
    pub radius: f64,
    /// Eye, targets and the light between them.
    #[command(flatten)]
    pub line: LineArgs,
    /// Side of a cell in metres [default: the posting of the data at the eye]
    #[arg(long, value_name = "M", value_parser = values::cell_m, allow_hyphen_values = true)]
    pub cell: Option<f64>,
    /// What is asked of each cell
    #[arg(long, value_enum, default_value = "visible")]
    pub mode: ViewshedMode,
    /// What the ground between the postings of rasters is; packs keep theirs. Cells at grazing lines depend on it: over rough
    /// 30 m data 3 of 100 that are seen
    #[arg(long, value_enum, default_value = "exact")]
    pub surface: GroundBetween,
    /// Leave out what is nearer, in metres; it hides all the same
    #[arg(long, value_name = "M", value_parser = values::above_ground_m, default_value = "0")]
    pub nearest: f64,
    /// Look from this direction clockwise to --azimuth-to alone, degrees from north
    #[arg(long, value_name = "DEG", value_parser = azimuth, allow_negative_numbers = true, requires = "azimuth_to")]
    pub azimuth_from: Option<f64>,
    /// Where the directions end
    #[arg(long, value_name = "DEG", value_parser = azimuth, allow_negative_numbers = true, requires = "azimuth_from")]
    pub azimuth_to: Option<f64>,
    /// Count who sees each cell: observers from a file, LAT,LON[,EYE HEIGHT] a line; the raster lies round --at. Each looks as far as
    /// --radius. Counts are u32, 4294967295 beyond the limits
    #[arg(long, value_name = "FILE", conflicts_with = "mode")]
    pub observers: Option<PathBuf>,
    /// Where the raster goes: a GeoTIFF
    #[arg(short, long, value_name = "TIF")]
    pub out: PathBuf,
    /// Overwriting of output files.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
    /// Water.
    #[command(flatten)]
    pub water: WaterArgs,
    /// Data.
    #[command(flatten)]
    pub data: DataArgs,
}

const VIEWSHED: &str = "lat_deg,lon_deg,eye_m,radius_m,cell_m,cells,seen_cells,seen_km2,file";

/// Looks, writes the raster, and says how much is seen.
pub fn run(args: &ViewshedArgs) -> Result<(), CliError> {
    // Before the work, which may take minutes.
    let file = super::output::raster(&args.out, args.overwrite, &args.data.files)?;
    let mut surface = args.data.open_seen(&args.water)?;
    if args.surface == GroundBetween::Bilinear {
        surface = Surface::new(Arc::new(surface.relief().interpolated(Interpolation::Bilinear)));
    }
    values::check_body(&args.at, surface.relief().ellipsoid())?;
    args.data.warn_if_beside(&surface, [super::geodetic(args.at, 0.0).normal()]);
    let _working = super::TaskProgress::without_terminal("looking all around", 0);
    let options = ViewshedOptions::within(args.radius)
        .with_eye_height_m(args.line.eye_height)
        .with_target_height_m(args.line.target_height)
        .with_cell_m(args.cell)
        .with_refraction(args.line.refraction)
        .with_nearest_m(args.nearest)
        .with_azimuths_deg(args.azimuth_from.zip(args.azimuth_to));
    let RasterOutput { eye_m, cell_m, seen, all, write } = match &args.observers {
        Some(observers) => count(
            &surface,
            args,
            &options,
            &read_observers(observers, args.line.eye_height, surface.relief().ellipsoid())?,
        )?,
        None => compute(&surface, args.at, &options, args.mode)?,
    };
    surface.relief().check()?;
    write(file.temporary_path()).map_err(super::output::naming(&file, &args.out))?;
    file.commit().with_context(|| format!("cannot write {}", args.out.display()))?;
    let mut answers = AnswerWriter::new(&args.data, &surface, VIEWSHED);
    let remarks = super::remarks(&surface);
    answers.add(&[
        ("lat_deg", FieldValue::Exact(args.at.lat_deg)),
        ("lon_deg", FieldValue::Exact(args.at.lon_deg)),
        ("eye_m", FieldValue::Rounded(eye_m, 3)),
        ("radius_m", FieldValue::Exact(args.radius)),
        ("cell_m", FieldValue::Rounded(cell_m, 3)),
        ("cells", FieldValue::Whole(all)),
        ("seen_cells", seen.map_or(FieldValue::Nothing, FieldValue::Whole)),
        (
            "seen_km2",
            seen.map_or(FieldValue::Nothing, |seen| FieldValue::Rounded(seen as f64 * cell_m * cell_m * 1e-6, 3)),
        ),
        ("file", FieldValue::Text(&args.out.to_string_lossy())),
        ("remarks", FieldValue::Texts(&remarks)),
    ])?;
    answers.finish()
}

/// Writes a raster into a file.
type Writer = Box<dyn FnOnce(&Path) -> anyhow::Result<()>>;

/// A raster that is to be written, and what is said of it.
struct RasterOutput {
    /// Height of the eye above the datum.
    eye_m: f64,
    cell_m: f64,
    /// Cells that are seen, by someone or from the ground. Above the datum a needed height does not say whether it is that of the ground.
    seen: Option<u64>,
    all: u64,
    write: Writer,
}

/// What one eye sees, with progress where stderr is a terminal.
fn compute(
    surface: &Surface,
    at: Place,
    options: &ViewshedOptions,
    mode: ViewshedMode,
) -> anyhow::Result<RasterOutput> {
    let (at, bar) = (super::geodetic(at, 0.0), WedgeProgress::new("parts"));
    let above = match mode {
        ViewshedMode::Visible => {
            let shed = Viewshed::new(surface, at, options, |_, all| bar.one_of(all))?;
            let (seen, all) = shed.count();
            let (eye_m, cell_m) = (shed.eye.height_m, shed.cell_m);
            return Ok(RasterOutput {
                eye_m,
                cell_m,
                seen: Some(seen),
                all,
                write: Box::new(move |file| write_visible(&shed, file)),
            });
        }
        ViewshedMode::NeededAboveGround => HeightReference::Ground,
        ViewshedMode::NeededHeight => HeightReference::Datum,
    };
    let needed = NeededHeights::new(surface, at, options, above, |_, all| bar.one_of(all))?;
    let all = needed.heights_m.iter().filter(|needed_m| !needed_m.is_nan()).count() as u64;
    let on_ground = || needed.heights_m.iter().filter(|needed_m| **needed_m == 0.0).count() as u64;
    let seen = (above == HeightReference::Ground).then(on_ground);
    let (eye_m, cell_m) = (needed.eye.height_m, needed.cell_m);
    Ok(RasterOutput { eye_m, cell_m, seen, all, write: Box::new(move |file| write_needed(&needed, file)) })
}

/// How many observers see each cell.
fn count(
    surface: &Surface,
    args: &ViewshedArgs,
    options: &ViewshedOptions,
    observers: &[Observer],
) -> anyhow::Result<RasterOutput> {
    let (at, bar) = (super::geodetic(args.at, 0.0), WedgeProgress::new("rows"));
    let counts = count_observers(surface, at, options, observers, args.radius, |_, all| bar.one_of(all))?;
    let all = counts.counts.iter().filter(|count| **count != u32::MAX).count() as u64;
    let seen = counts.counts.iter().filter(|count| **count != u32::MAX && **count > 0).count() as u64;
    let (eye_m, cell_m) = (counts.middle.height_m, counts.cell_m);
    Ok(RasterOutput { eye_m, cell_m, seen: Some(seen), all, write: Box::new(move |file| write_counts(&counts, file)) })
}

/// Bytes of a file of observers at most.
const MOST_BYTES: u64 = 16 << 20;

/// The observers of a file; a line that is none is told by its number.
fn read_observers(file: &Path, eye_height_m: f64, ellipsoid: Ellipsoid) -> anyhow::Result<Vec<Observer>> {
    let unreadable = || format!("cannot read {}", file.display());
    let text = foreign::read_small(file, MOST_BYTES).with_context(unreadable)?;
    let mut observers = Vec::new();
    for (k, line) in text.split(|byte| *byte == b'\n').enumerate() {
        let told = |wrong: String| anyhow::anyhow!("line {} of {}: {wrong}", k + 1, file.display());
        let Some(place) = read_line(line, k == 0).map_err(told)? else {
            let third = header(line, k == 0).and_then(|names| names.get(2).cloned());
            if let Some(name) = third.filter(|name| !is_eye_height(name)) {
                let name = foreign::sanitized(name.trim()).to_string();
                return Err(told(format!(
                    "the third column, {name}, would be the eye's height above the ground: call it height, or leave it out"
                )));
            }
            continue;
        };
        values::check_body(&place, ellipsoid).map_err(|wrong| told(wrong.to_string()))?;
        let eye_height_m = place.height_m.unwrap_or(eye_height_m);
        anyhow::ensure!(
            (0.0..=1e6).contains(&eye_height_m),
            "line {} of {}: an eye height of {eye_height_m} is not from 0 to 1 000 000 m",
            k + 1,
            file.display()
        );
        observers.push(Observer { at: super::geodetic(place, 0.0), eye_height_m });
    }
    anyhow::ensure!(!observers.is_empty(), "{} has no observers: expected LAT,LON[,HEIGHT] lines", file.display());
    Ok(observers)
}

/// Whether the name of a column, in small letters, says that it holds heights of eyes above the ground.
fn is_eye_height(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.any(|word| matches!(word, "height" | "eye" | "agl" | "h"))
}

/// A direction in degrees from north.
fn azimuth(text: &str) -> Result<f64, String> {
    let degrees = text.parse().ok().filter(|degrees| (0.0..=360.0).contains(degrees));
    degrees.ok_or_else(|| String::from("expected degrees from 0 to 360"))
}

/// Progress where stderr is a terminal.
struct WedgeProgress(indicatif::ProgressBar);

impl WedgeProgress {
    fn new(what: &str) -> Self {
        let template = format!("{{bar:30}} {{human_pos}}/{{human_len}} {what}, {{eta}} left");
        Self(bar(0).with_style(bar_style(&template)))
    }

    /// One more of so many.
    fn one_of(&self, all: usize) {
        self.0.set_length(all as u64);
        self.0.inc(1);
    }
}

impl Drop for WedgeProgress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(feature = "gdal")]
fn write_visible(shed: &Viewshed, file: &Path) -> anyhow::Result<()> {
    Ok(shed.write_geotiff(file)?)
}

#[cfg(feature = "gdal")]
fn write_needed(needed: &NeededHeights, file: &Path) -> anyhow::Result<()> {
    Ok(needed.write_geotiff(file)?)
}

#[cfg(feature = "gdal")]
fn write_counts(counts: &ObserverCounts, file: &Path) -> anyhow::Result<()> {
    Ok(counts.write_geotiff(file)?)
}

#[cfg(not(feature = "gdal"))]
fn write_visible(_: &Viewshed, _: &Path) -> anyhow::Result<()> {
    Ok(())
}

#[cfg(not(feature = "gdal"))]
fn write_needed(_: &NeededHeights, _: &Path) -> anyhow::Result<()> {
    Ok(())
}

#[cfg(not(feature = "gdal"))]
fn write_counts(_: &ObserverCounts, _: &Path) -> anyhow::Result<()> {
    Ok(())
}
