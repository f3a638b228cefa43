//! `orogen query viewshed`: what is seen from a place, as a georeferenced raster.

use std::path::{Path, PathBuf};

use analysis::{Viewshed, ViewshedOptions};
use anyhow::Context as _;
use clap::Args;
use terrain::surface::Surface;

use super::super::args::DataArgs;
use super::super::{CliError, values};
use super::answers::{Answers, Cell};
use crate::camera::place::Place;
use crate::capture::WholeFile;

/// `orogen query viewshed`.
#[derive(Args, Debug)]
pub struct ViewshedArgs {
    /// Where the eye stands
    #[arg(long, value_name = "LAT,LON|NAME", value_parser = values::place, allow_hyphen_values = true)]
    pub at: Place,
    /// How far it looks, in metres
    #[arg(long, value_name = "M", value_parser = values::radius_m, allow_hyphen_values = true)]
    pub radius: f64,
    /// Height of the eye above the ground in metres
    #[arg(long, value_name = "M", value_parser = values::above_ground_m, default_value = "2")]
    pub eye_height: f64,
    /// Height of the targets above the ground in metres
    #[arg(long, value_name = "M", value_parser = values::above_ground_m, default_value = "0")]
    pub target_height: f64,
    /// Side of a cell in metres [default: the posting of the data at the eye]
    #[arg(long, value_name = "M", value_parser = values::cell_m, allow_hyphen_values = true)]
    pub cell: Option<f64>,
    /// Curvature of light over that of the Earth: 0.13 is usual by day
    #[arg(long, value_name = "K", value_parser = values::refraction, allow_hyphen_values = true, default_value = "0")]
    pub refraction: f64,
    /// Where the raster goes: a GeoTIFF of bytes, 1 seen, 0 hidden, 255 beyond the radius
    #[arg(short, long, value_name = "TIF")]
    pub out: PathBuf,
    /// Data.
    #[command(flatten)]
    pub data: DataArgs,
}

const VIEWSHED: &str = "lat_deg,lon_deg,eye_m,radius_m,cell_m,cells,seen_cells,seen_km2,file";

/// Looks, writes the raster, and says how much is seen.
pub fn run(args: &ViewshedArgs) -> Result<(), CliError> {
    // Before the work, which may take minutes.
    let file = begin(&args.out)?;
    let surface = super::surface(&args.data)?;
    let options = ViewshedOptions::within(args.radius)
        .with_eye_height_m(args.eye_height)
        .with_target_height_m(args.target_height)
        .with_cell_m(args.cell)
        .with_refraction(args.refraction);
    let shed = look(&surface, args.at, &options)?;
    write(&shed, file, &args.out)?;
    let (seen, all) = shed.count();
    let mut answers = Answers::new(args.data.json, VIEWSHED);
    let layers = surface.relief().layers().iter();
    let remarks: Vec<String> =
        layers.flat_map(|layer| layer.remarks.iter().map(|remark| format!("{}: {remark}", layer.name))).collect();
    answers.add(&[
        ("lat_deg", Cell::Exact(args.at.lat_deg)),
        ("lon_deg", Cell::Exact(args.at.lon_deg)),
        ("eye_m", Cell::Rounded(shed.eye.height_m, 3)),
        ("radius_m", Cell::Exact(args.radius)),
        ("cell_m", Cell::Rounded(shed.cell_m, 3)),
        ("cells", Cell::Whole(all)),
        ("seen_cells", Cell::Whole(seen)),
        ("seen_km2", Cell::Rounded(seen as f64 * shed.cell_m * shed.cell_m * 1e-6, 3)),
        ("file", Cell::Text(&args.out.to_string_lossy())),
        ("remarks", Cell::Texts(&remarks)),
    ])?;
    answers.finish(&surface)
}

/// The viewshed, with progress where stderr is a terminal.
fn look(surface: &Surface, at: Place, options: &ViewshedOptions) -> anyhow::Result<Viewshed> {
    let bar = indicatif::ProgressBar::new(0);
    if let Ok(style) = indicatif::ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} rows, {eta} left") {
        bar.set_style(style);
    }
    let shed = Viewshed::new(surface, super::geodetic(at, 0.0), options, |_, rows| {
        bar.set_length(rows as u64);
        bar.inc(1);
    });
    bar.finish_and_clear();
    Ok(shed?)
}

/// A place for the raster, or why there is none.
#[cfg(feature = "gdal")]
fn begin(out: &Path) -> Result<WholeFile, CliError> {
    let extension = out.extension().map(|extension| extension.to_ascii_lowercase());
    if !extension.is_some_and(|extension| extension == "tif" || extension == "tiff") {
        return Err(CliError::Usage(format!("{} is no GeoTIFF: give -o a name that ends in .tif", out.display())));
    }
    Ok(WholeFile::create(out).with_context(|| format!("cannot write {}", out.display()))?)
}

/// Why there is no raster.
#[cfg(not(feature = "gdal"))]
fn begin(_: &Path) -> Result<WholeFile, CliError> {
    Err(CliError::Failed(anyhow::anyhow!(
        "a viewshed is written by GDAL, and this build is without: build with `--features gdal`"
    )))
}

fn write(shed: &Viewshed, file: WholeFile, out: &Path) -> anyhow::Result<()> {
    #[cfg(feature = "gdal")]
    shed.write_geotiff(file.beside())?;
    #[cfg(not(feature = "gdal"))]
    let _ = shed;
    file.commit().with_context(|| format!("cannot write {}", out.display()))
}
