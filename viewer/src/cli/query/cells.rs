//! `orogen query horizons`, `skyview`, `insolation`: answers for each cell of a raster.

use std::path::{Path, PathBuf};

use analysis::{
    DeviceHorizonGround, Grid, HorizonGround, Horizons, HorizonsOptions, Insolation, InsolationOptions, SkyView,
};
use anyhow::Context as _;
use clap::Args;
use terrain::surface::Surface;

use super::super::overwrite::OverwriteArgs;
use super::super::progress::{bar, bar_style};
use super::super::{CliError, values};
use super::answer_writer::{AnswerWriter, FieldValue};
use super::data::{DataArgs, WaterArgs};
use super::engine::Engine;
use super::output;
use crate::camera::place::Place;
use crate::capture::AtomicFile;

/// Horizons, and what found them.
struct HorizonResult {
    horizons: Horizons,
    engine: String,
}

/// Which cells.
#[derive(Args, Debug)]
pub struct CellsArgs {
    /// The area, in degrees
    #[arg(long, value_name = "W,S,E,N", value_parser = values::bbox, allow_hyphen_values = true, required_unless_present = "at")]
    pub bbox: Option<[f64; 4]>,
    /// The middle of a square, instead
    #[arg(long, value_name = "LAT,LON", value_parser = values::place, allow_hyphen_values = true, requires = "radius", conflicts_with = "bbox")]
    pub at: Option<Place>,
    /// Half of the square's side in metres
    #[arg(long, value_name = "M", value_parser = values::radius_m, allow_hyphen_values = true, requires = "at")]
    pub radius: Option<f64>,
    /// Side of a cell in metres [default: the posting of the data in the middle]
    #[arg(long, value_name = "M", value_parser = values::cell_m, allow_hyphen_values = true)]
    pub cell: Option<f64>,
    /// Number of directions, evenly round the compass from north clockwise
    #[arg(long, value_name = "N", value_parser = values::integer::<u32>(4..=1024), allow_negative_numbers = true, default_value = "64")]
    pub directions: u32,
    /// Curvature of light over that of the Earth: 0.13 is usual by day
    #[arg(long, value_name = "K", value_parser = refraction, allow_hyphen_values = true, default_value = "0")]
    pub refraction: f64,
    /// How far beyond the area ground counts, in metres [default: as far as any can rise into sight]
    #[arg(long, value_name = "M", value_parser = values::radius_m, allow_hyphen_values = true)]
    pub reach: Option<f64>,
    /// What finds the horizons; two differ by 0.003 degrees at most where cells are 30 m
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: Engine,
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

/// `orogen query horizons`.
#[derive(Args, Debug)]
pub struct HorizonsArgs {
    /// Height of the eyes above the ground in metres
    #[arg(long, value_name = "M", value_parser = eye_height_m, allow_negative_numbers = true, default_value = "0")]
    pub eye_height: f64,
    /// Where the raster goes: a GeoTIFF with a band a direction, degrees above level
    #[arg(short, long, value_name = "TIF")]
    pub out: PathBuf,
    /// Cells.
    #[command(flatten)]
    pub cells: CellsArgs,
}

/// `orogen query skyview`.
#[derive(Args, Debug)]
pub struct SkyviewArgs {
    /// Where the raster goes: a GeoTIFF, 0 to 1
    #[arg(short, long, value_name = "TIF")]
    pub out: PathBuf,
    /// Cells.
    #[command(flatten)]
    pub cells: CellsArgs,
}

/// `orogen query insolation`.
#[derive(Args, Debug)]
pub struct InsolationArgs {
    /// Begin, in UTC; a date alone is its midnight
    #[arg(long, value_name = "TIME", value_parser = unix_s, allow_hyphen_values = true)]
    pub from: f64,
    /// End, in UTC
    #[arg(long, value_name = "TIME", value_parser = unix_s, allow_hyphen_values = true)]
    pub to: f64,
    /// Minutes between places of the sun
    #[arg(long, value_name = "MIN", value_parser = values::integer::<u32>(1..=60), allow_negative_numbers = true, default_value = "10")]
    pub step: u32,
    /// Linke turbidity of the air: 2 very clear, 3 clear, 5 hazy
    #[arg(long, value_name = "T", value_parser = turbidity, allow_negative_numbers = true, default_value = "3")]
    pub turbidity: f64,
    /// Where the raster goes: a GeoTIFF with bands of all light, that of the sun, that of the sky (kWh/m2), hours of sun
    #[arg(short, long, value_name = "TIF")]
    pub out: PathBuf,
    /// Cells.
    #[command(flatten)]
    pub cells: CellsArgs,
}

fn ranged(text: &str, what: &str, from: f64, to: f64) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| (from..=to).contains(value));
    value.ok_or_else(|| format!("expected {what} from {from} to {to}"))
}

fn eye_height_m(text: &str) -> Result<f64, String> {
    ranged(text, "a height above ground", 0.0, 1e5)
}

fn refraction(text: &str) -> Result<f64, String> {
    ranged(text, "a refraction", -1.0, 0.9)
}

fn turbidity(text: &str) -> Result<f64, String> {
    ranged(text, "a turbidity", 1.0, 20.0)
}

fn unix_s(text: &str) -> Result<f64, String> {
    // A date begins at midnight.
    let is_date = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let midnight = if is_date { "T00:00Z" } else { "" };
    match values::time(&format!("{text}{midnight}"))? {
        crate::render::SunMode::At { unix_s } => Ok(unix_s),
        crate::render::SunMode::Follow { .. } => Err(String::from("expected a time like 2026-06-21T12:00:00Z")),
    }
}

/// Horizons of all cells, and their file.
pub fn horizons(args: &HorizonsArgs) -> Result<(), CliError> {
    let file = output::raster(&args.out, args.cells.overwrite, &args.cells.data.files)?;
    let surface = args.cells.data.open_seen(&args.cells.water)?;
    let HorizonResult { horizons, engine } = args.cells.horizons(&surface, args.eye_height)?;
    #[cfg(feature = "gdal")]
    horizons.write_geotiff(file.temporary_path()).map_err(output::naming(&file, &args.out))?;
    let cells = horizons.bands.iter().flatten();
    let highest = cells.copied().fold(f32::NEG_INFINITY, f32::max).to_degrees();
    let facts = [
        ("directions", FieldValue::Whole(horizons.bands.len() as u64)),
        ("highest_deg", FieldValue::Rounded(f64::from(highest), 3)),
    ];
    let header = "lat_deg,lon_deg,cell_m,columns,rows,convergence_deg,engine,directions,highest_deg,file";
    answer(&args.cells, &surface, (&horizons.grid, &engine), header, &facts, (file, &args.out))
}

/// Sky view factors of all cells.
pub fn skyview(args: &SkyviewArgs) -> Result<(), CliError> {
    let file = output::raster(&args.out, args.cells.overwrite, &args.cells.data.files)?;
    let surface = args.cells.data.open_seen(&args.cells.water)?;
    let HorizonResult { horizons, engine } = args.cells.horizons(&surface, 0.0)?;
    let view = SkyView::new(&surface, &horizons);
    #[cfg(feature = "gdal")]
    view.write_geotiff(file.temporary_path()).map_err(output::naming(&file, &args.out))?;
    let facts = [("mean", FieldValue::Rounded(mean(&view.factors), 4))];
    let header = "lat_deg,lon_deg,cell_m,columns,rows,convergence_deg,engine,mean,file";
    answer(&args.cells, &surface, (&view.grid, &engine), header, &facts, (file, &args.out))
}

/// Light on all cells.
pub fn insolation(args: &InsolationArgs) -> Result<(), CliError> {
    if args.to <= args.from {
        return Err(CliError::Usage(String::from("--to is not after --from: give the begin first")));
    }
    let file = output::raster(&args.out, args.cells.overwrite, &args.cells.data.files)?;
    let surface = args.cells.data.open_seen(&args.cells.water)?;
    let HorizonResult { horizons, engine } = args.cells.horizons(&surface, 0.0)?;
    let options = InsolationOptions::between(args.from, args.to)
        .with_step_s(60.0 * f64::from(args.step))
        .with_linke_turbidity(args.turbidity);
    let light = Insolation::new(&surface, &horizons, &options).map_err(anyhow::Error::from)?;
    #[cfg(feature = "gdal")]
    light.write_geotiff(file.temporary_path()).map_err(output::naming(&file, &args.out))?;
    let facts = [
        ("direct_kwh_m2", FieldValue::Rounded(mean(&light.direct_kwh_m2), 3)),
        ("diffuse_kwh_m2", FieldValue::Rounded(mean(&light.diffuse_kwh_m2), 3)),
        ("sun_hours", FieldValue::Rounded(mean(&light.sun_hours), 2)),
    ];
    let header =
        "lat_deg,lon_deg,cell_m,columns,rows,convergence_deg,engine,direct_kwh_m2,diffuse_kwh_m2,sun_hours,file";
    answer(&args.cells, &surface, (&light.grid, &engine), header, &facts, (file, &args.out))
}

impl CellsArgs {
    /// The horizons of the cells, with progress where stderr is a terminal.
    fn horizons(&self, surface: &Surface, eye_height_m: f64) -> anyhow::Result<HorizonResult> {
        let ellipsoid = surface.relief().ellipsoid();
        self.at.iter().try_for_each(|at| values::check_body(at, ellipsoid))?;
        match (self.bbox, self.at) {
            (Some(bbox_deg), _) => self.data.warn_if_box_is_beside(surface, bbox_deg),
            (_, at) => self.data.warn_if_beside(surface, at.map(|at| super::geodetic(at, 0.0).normal())),
        }
        let grid = |cell_m: f64| match (self.bbox, self.at, self.radius) {
            (None, Some(at), Some(radius)) => Grid::around(ellipsoid, super::geodetic(at, 0.0), radius, cell_m),
            // Without a box a place and a radius are required.
            (bbox, ..) => Grid::covering(ellipsoid, bbox.unwrap_or_default(), cell_m),
        };
        let cell_m = match self.cell {
            Some(cell_m) => cell_m,
            // A raster of few cells tells where the middle is.
            None => surface.relief().posting_m(grid(1e5)?.middle.normal()),
        };
        let grid = grid(cell_m)?;
        let options = HorizonsOptions::default()
            .with_directions(self.directions as usize)
            .with_eye_height_m(eye_height_m)
            .with_refraction(self.refraction)
            .with_reach_m(self.reach);
        options.check(&grid)?;
        let _working = super::TaskProgress::without_terminal("looking to the horizon of each cell", 0);
        let bar = bar(u64::from(self.directions)).with_style(bar_style("{bar:30} {pos}/{len} directions, {eta} left"));
        let ground = HorizonGround::new(surface, &grid, &options, &|| true)?;
        let mut bands = Vec::new();
        let mut take = |direction: usize, band| {
            // One that goes on in another's place begins again.
            bands.truncate(direction);
            bands.push(band);
            bar.set_position(direction as u64 + 1);
        };
        let by_device = match self.engine.device(grid.cells() as f64 * options.directions as f64)? {
            Some(gpu) => {
                let found = DeviceHorizonGround::new(&gpu, &ground);
                let found = found.and_then(|found| found.each(&grid, &|| true, &mut take));
                self.engine.fall_back_to_cpu(found, &gpu, ("horizons", &bar))?.map(|()| gpu.caps.adapter)
            }
            None => None,
        };
        let engine = match by_device {
            Some(adapter) => adapter,
            None => {
                ground.each(&grid, &|| true, &mut take)?;
                String::from("cpu")
            }
        };
        bar.finish_and_clear();
        Ok(HorizonResult { horizons: Horizons { grid, bands }, engine })
    }
}

fn mean(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value)).sum::<f64>() / values.len() as f64
}

/// Where the raster is, and what is in it.
fn answer(
    args: &CellsArgs,
    surface: &Surface,
    (grid, engine): (&Grid, &str),
    header: &'static str,
    facts: &[(&'static str, FieldValue<'_>)],
    (file, out): (AtomicFile, &Path),
) -> Result<(), CliError> {
    surface.relief().check()?;
    file.commit().with_context(|| format!("cannot write {}", out.display()))?;
    let north_deg = |column: usize, row: usize| {
        let turn_deg = grid.true_azimuth_rad(column, row, 0.0).to_degrees();
        turn_deg.min(360.0 - turn_deg)
    };
    let (last_column, last_row) = (grid.columns - 1, grid.rows - 1);
    let corners = [(0, 0), (last_column, 0), (0, last_row), (last_column, last_row)];
    let convergence_deg = corners.into_iter().map(|(column, row)| north_deg(column, row)).fold(0.0, f64::max);
    let remarks = super::remarks(surface);
    let name = out.to_string_lossy();
    let mut fields = vec![
        ("lat_deg", FieldValue::Rounded(grid.middle.lat_rad.to_degrees(), 7)),
        ("lon_deg", FieldValue::Rounded(grid.middle.lon_rad.to_degrees(), 7)),
        ("cell_m", FieldValue::Rounded(grid.cell_m, 3)),
        ("columns", FieldValue::Whole(grid.columns as u64)),
        ("rows", FieldValue::Whole(grid.rows as u64)),
        ("convergence_deg", FieldValue::Rounded(convergence_deg, 4)),
        ("engine", FieldValue::Text(engine)),
    ];
    fields.extend_from_slice(facts);
    fields.push(("file", FieldValue::Text(&name)));
    fields.push(("remarks", FieldValue::Texts(&remarks)));
    let mut answers = AnswerWriter::new(&args.data, surface, header);
    answers.add(&fields)?;
    answers.finish()
}
