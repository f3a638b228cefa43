//! `orogen query sightlines`: the longest lines of sight of an area.

use analysis::{Sightlines, SightlinesOptions};
use clap::Args;
use terrain::{geodesy::Geodetic, surface::Surface};

use super::super::progress::{bar, bar_style};
use super::super::{CliError, values};
use super::answer_writer::{AnswerWriter, FieldValue};
use super::data::{DataArgs, WaterArgs};
use super::engine::Engine;
use super::line::LineArgs;
use super::{HeightOrigin, TaskProgress};

/// `orogen query sightlines`.
#[derive(Args, Debug)]
pub struct SightlinesArgs {
    /// The area of the eyes, in degrees; targets may be anywhere
    #[arg(long, value_name = "W,S,E,N", value_parser = values::bbox, allow_hyphen_values = true)]
    pub bbox: [f64; 4],
    /// Distance between eyes in metres [default: the posting of the data in the middle]
    #[arg(long, value_name = "M", value_parser = values::cell_m, allow_hyphen_values = true)]
    pub cell: Option<f64>,
    /// Number of lines
    #[arg(long, value_name = "N", value_parser = values::integer::<u32>(1..=10_000), allow_negative_numbers = true, default_value = "100")]
    pub lines: u32,
    /// Number of directions in which each eye looks, evenly round the compass
    #[arg(long, value_name = "N", value_parser = values::integer::<u32>(1..=65_536), allow_negative_numbers = true, default_value = "360")]
    pub directions: u32,
    /// Eyes, targets and the light between them.
    #[command(flatten)]
    pub line: LineArgs,
    /// How long lines may be, in metres [default: as far as any ground can be seen]
    #[arg(long, value_name = "M", value_parser = values::radius_m, allow_hyphen_values = true)]
    pub reach: Option<f64>,
    /// Of lines both of whose ends are nearer to each other than this, only the longest is told, in metres
    #[arg(long, value_name = "M", value_parser = values::above_ground_m, allow_negative_numbers = true, default_value = "5000")]
    pub separation: f64,
    /// What looks for the lines; a graphics device takes targets on the ground only
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: Engine,
    /// Water.
    #[command(flatten)]
    pub water: WaterArgs,
    /// Data.
    #[command(flatten)]
    pub data: DataArgs,
}

const SIGHTLINES: &str = "distance_m,azimuth_deg,elevation_deg,lat_deg,lon_deg,height_m,target_lat_deg,target_lon_deg,target_height_m,\
                          posting_m,source,target_posting_m,target_source";

/// Answers line by line, the longest first.
pub fn run(args: &SightlinesArgs) -> Result<(), CliError> {
    let surface = args.data.open_seen(&args.water)?;
    let options = SightlinesOptions::default()
        .with_lines(args.lines as usize)
        .with_directions(args.directions as usize)
        .with_cell_m(args.cell)
        .with_eye_height_m(args.line.eye_height)
        .with_target_height_m(args.line.target_height)
        .with_refraction(args.line.refraction)
        .with_reach_m(args.reach)
        .with_separation_m(args.separation);
    let found = {
        let _working = TaskProgress::without_terminal("looking for the longest lines of sight", 0);
        let bar = bar(0).with_style(bar_style("{bar:30} {pos}/{len} directions, {eta} left"));
        let found = args.find(&surface, &options, &bar);
        bar.finish_and_clear();
        found?
    };
    let mut answers = AnswerWriter::new(&args.data, &surface, SIGHTLINES);
    let remarks = super::remarks(&surface);
    for line in &found.lines {
        let [eye, target] = [line.eye, line.target].map(|end| {
            let n = end.normal();
            HeightOrigin::of(&surface, n, surface.ground(n).provenance)
        });
        answers.add(&[
            ("distance_m", FieldValue::Rounded(line.distance_m, 1)),
            ("azimuth_deg", FieldValue::Rounded(line.azimuth_rad.to_degrees(), 6)),
            ("elevation_deg", FieldValue::Rounded(line.elevation_rad.to_degrees(), 6)),
            ("lat_deg", FieldValue::Rounded(line.eye.lat_rad.to_degrees(), 9)),
            ("lon_deg", FieldValue::Rounded(line.eye.lon_rad.to_degrees(), 9)),
            ("height_m", FieldValue::Rounded(line.eye.height_m, 3)),
            ("target_lat_deg", FieldValue::Rounded(line.target.lat_rad.to_degrees(), 9)),
            ("target_lon_deg", FieldValue::Rounded(line.target.lon_rad.to_degrees(), 9)),
            ("target_height_m", FieldValue::Rounded(line.target.height_m, 3)),
            ("posting_m", FieldValue::Rounded(eye.provenance.posting_m, 1)),
            ("source", FieldValue::Text(&eye.data.name)),
            ("target_posting_m", FieldValue::Rounded(target.provenance.posting_m, 1)),
            ("target_source", FieldValue::Text(&target.data.name)),
            ("remarks", FieldValue::Texts(&remarks)),
        ])?;
    }
    answers.finish()
}

impl SightlinesArgs {
    /// By a graphics device where one is to find them and can, else by the CPU.
    fn find(
        &self,
        surface: &Surface,
        options: &SightlinesOptions,
        bar: &indicatif::ProgressBar,
    ) -> anyhow::Result<Sightlines> {
        let should_continue = |part: usize, parts: usize| {
            bar.set_length(parts as u64);
            bar.set_position(part as u64);
            true
        };
        let is_for_a_device = self.engine == Engine::Gpu || options.target_height_m == 0.0;
        let gpu = if is_for_a_device { self.engine.device(self.values(surface))? } else { None };
        let by_device = match gpu {
            Some(gpu) => {
                let found = Sightlines::on_device_while(&gpu, surface, self.bbox, options, should_continue);
                self.engine.fall_back_to_cpu(found, &gpu, ("lines", bar))?
            }
            None => None,
        };
        match by_device {
            Some(found) => Ok(found),
            None => Ok(Sightlines::new_while(surface, self.bbox, options, should_continue)?),
        }
    }

    /// About how many lines are looked along.
    fn values(&self, surface: &Surface) -> f64 {
        let [west, south, east, north] = self.bbox;
        let wide_deg = if east > west { east - west } else { east - west + 360.0 };
        let middle = Geodetic::from_degrees(0.5 * (south + north), west + 0.5 * wide_deg, 0.0);
        let cell_m = self.cell.unwrap_or_else(|| surface.relief().posting_m(middle.normal()));
        let size = wide_deg.to_radians() * (north - south).to_radians() * middle.lat_rad.cos();
        let area_m2 = size * surface.relief().ellipsoid().mean_radius_m().powi(2);
        area_m2 / (cell_m * cell_m) * f64::from(self.directions)
    }
}
