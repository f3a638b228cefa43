//! `orogen query horizon`: the ground against the sky round a place.

use std::path::PathBuf;

use analysis::{Horizon, HorizonOptions};
use clap::Args;
use terrain::surface::Surface;

use super::super::overwrite::OverwriteArgs;
use super::super::{CliError, values};
use super::answer_writer::{AnswerWriter, FieldValue};
use super::data::{DataArgs, WaterArgs};
use super::output;
use super::plot::{INK, Plot};
use crate::camera::place::Place;
use crate::capture::AtomicFile;

/// An eye whose horizon is asked for, and where the answer goes.
#[derive(Args, Debug)]
pub struct EyeArgs {
    /// Where the eye stands
    #[arg(long, value_name = "LAT,LON|NAME", value_parser = values::place, allow_hyphen_values = true)]
    pub at: Place,
    /// Height of the eye above the ground in metres
    #[arg(long, value_name = "M", value_parser = values::above_ground_m, allow_negative_numbers = true, default_value = "2")]
    pub eye_height: f64,
    /// A plot of it, too: PNG or SVG, by the name
    #[arg(short, long, value_name = "PLOT")]
    pub out: Option<PathBuf>,
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

impl EyeArgs {
    /// The place of a plot, and the surface.
    pub fn open(&self) -> Result<(Option<AtomicFile>, Surface), CliError> {
        let file = self.out.as_deref().map(|out| output::plot(out, self.overwrite, &self.data.files)).transpose()?;
        let surface = self.data.open_seen(&self.water)?;
        values::check_body(&self.at, surface.relief().ellipsoid())?;
        self.data.warn_if_beside(&surface, [super::geodetic(self.at, 0.0).normal()]);
        Ok((file, surface))
    }

    /// The horizon of so many azimuths over ground where light bends so much.
    pub fn horizon(&self, surface: &Surface, directions: usize, refraction: f64) -> anyhow::Result<Horizon> {
        let _working = super::TaskProgress::begin("looking to the horizon", 0);
        let options = HorizonOptions::default()
            .with_directions(directions)
            .with_eye_height_m(self.eye_height)
            .with_refraction(refraction);
        Ok(Horizon::new(surface, super::geodetic(self.at, 0.0), &options)?)
    }

    /// Writes a plot where one was asked for.
    ///
    /// # Errors
    /// A file that cannot be written; data that could not be read.
    pub fn write(
        &self,
        file: Option<AtomicFile>,
        surface: &Surface,
        plot: impl FnOnce() -> Plot,
    ) -> anyhow::Result<()> {
        surface.relief().check()?;
        match (file, &self.out) {
            (Some(file), Some(out)) => output::write_plot(file, out, &plot()),
            _ => Ok(()),
        }
    }
}

/// `orogen query horizon`.
#[derive(Args, Debug)]
pub struct HorizonArgs {
    /// Number of azimuths, evenly round the compass from north clockwise
    #[arg(long, value_name = "N", value_parser = values::integer::<u32>(1..=1_000_000), allow_negative_numbers = true, default_value = "360")]
    pub directions: u32,
    /// Curvature of light over that of the Earth: 0.13 is usual by day
    #[arg(long, value_name = "K", value_parser = values::refraction, allow_hyphen_values = true, default_value = "0")]
    pub refraction: f64,
    /// The eye.
    #[command(flatten)]
    pub eye: EyeArgs,
}

const HORIZON: &str = "azimuth_deg,elevation_deg,distance_m,lat_deg,lon_deg,height_m";

/// Answers azimuth by azimuth, and draws.
pub fn run(args: &HorizonArgs) -> Result<(), CliError> {
    let (file, surface) = args.eye.open()?;
    let horizon = args.eye.horizon(&surface, args.directions as usize, args.refraction)?;
    args.eye.write(file, &surface, || drawn(&horizon, args.eye.at))?;
    let mut answers = AnswerWriter::new(&args.eye.data, &surface, HORIZON);
    let remarks = super::remarks(&surface);
    for point in &horizon.points {
        answers.add(&[
            ("azimuth_deg", FieldValue::Rounded(point.azimuth_rad.to_degrees(), 6)),
            ("elevation_deg", FieldValue::Rounded(point.elevation_rad.to_degrees(), 4)),
            ("distance_m", FieldValue::Rounded(point.distance_m, 1)),
            ("lat_deg", FieldValue::Rounded(point.place.lat_rad.to_degrees(), 7)),
            ("lon_deg", FieldValue::Rounded(point.place.lon_rad.to_degrees(), 7)),
            ("height_m", FieldValue::Rounded(point.place.height_m, 2)),
            ("remarks", FieldValue::Texts(&remarks)),
        ])?;
    }
    answers.finish()
}

/// Elevation over azimuth, north in the middle of neither side: from north round to north.
fn drawn(horizon: &Horizon, at: Place) -> Plot {
    let mut line: Vec<(f64, f64)> =
        horizon.points.iter().map(|p| (p.azimuth_rad.to_degrees(), p.elevation_rad.to_degrees())).collect();
    line.push((360.0, line[0].1));
    let extreme = |start: f64, pick: fn(f64, f64) -> f64| line.iter().map(|p| p.1).fold(start, pick);
    let (low, high) = (extreme(0.0, f64::min), extreme(1.0, f64::max));
    let step = [0.5, 1.0, 2.0, 5.0, 10.0, 15.0].into_iter().find(|step| (high - low) / step <= 9.0).unwrap_or(30.0);
    let (bottom, top) = ((low / step).floor() * step, (high * 1.05 / step).ceil() * step);
    let title = format!("Horizon of {:.5}, {:.5}: degrees above level", at.lat_deg, at.lon_deg);
    let mut plot = Plot::new(&title, (0.0, 360.0), (bottom, top));
    plot.area(&line, bottom, [176, 190, 170]);
    for (k, name) in ["N", "45", "E", "135", "S", "225", "W", "315", "N"].iter().enumerate() {
        plot.tick_x(45.0 * k as f64, name);
    }
    for k in 0..=((top - bottom) / step).round() as i32 {
        let value = bottom + step * f64::from(k);
        plot.tick_y(value, &format!("{value}°"));
    }
    plot.caption("azimuth, clockwise from north");
    plot.line(&line, INK, 1.2);
    plot
}
