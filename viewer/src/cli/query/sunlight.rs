//! `orogen query sunlight`: sunrise, sunset and hours of sun over the real horizon, through a year.

use analysis::{Sunlight, calendar};
use clap::Args;

use super::super::{CliError, values};
use super::answer_writer::{AnswerWriter, FieldValue};
use super::horizon::EyeArgs;
use super::plot::{INK, Plot};
use crate::annotations::MONTHS;

/// Azimuths of the horizon: a quarter of a degree, half of the sun's disc.
const DIRECTIONS: usize = 1_440;

/// `orogen query sunlight`.
#[derive(Args, Debug)]
pub struct SunlightArgs {
    /// The year
    #[arg(long, value_name = "YEAR", value_parser = values::integer::<u32>(1..=3_000), allow_negative_numbers = true)]
    pub year: u32,
    /// Curvature of light from the ground over that of the Earth: 0.13 is usual by day
    #[arg(long, value_name = "K", value_parser = values::refraction, allow_hyphen_values = true, default_value = "0.13")]
    pub refraction: f64,
    /// The place.
    #[command(flatten)]
    pub eye: EyeArgs,
}

const SUNLIGHT: &str = "date,sunrise,sunset,sun_hours,level_hours";

/// Answers day by day, and draws.
pub fn run(args: &SunlightArgs) -> Result<(), CliError> {
    let (file, surface) = args.eye.open()?;
    let horizon = args.eye.horizon(&surface, DIRECTIONS, args.refraction)?;
    let sunlight = Sunlight::of_year(&horizon, i64::from(args.year)).map_err(anyhow::Error::from)?;
    args.eye.write(file, &surface, || drawn(&sunlight, args))?;
    let mut answers = AnswerWriter::new(&args.eye.data, &surface, SUNLIGHT);
    let remarks = super::remarks(&surface);
    for day in &sunlight.days {
        let (year, month, of_month) = day.date;
        let date = format!("{year:04}-{month:02}-{of_month:02}");
        let [rise, set] = [day.sunrise_unix_s, day.sunset_unix_s].map(|time| time.map(calendar::written));
        answers.add(&[
            ("date", FieldValue::Text(&date)),
            ("sunrise", rise.as_deref().map_or(FieldValue::Nothing, FieldValue::Text)),
            ("sunset", set.as_deref().map_or(FieldValue::Nothing, FieldValue::Text)),
            ("sun_hours", FieldValue::Rounded(day.sun_s / 3_600.0, 3)),
            ("level_hours", FieldValue::Rounded(day.level_s / 3_600.0, 3)),
            ("remarks", FieldValue::Texts(&remarks)),
        ])?;
    }
    answers.finish()
}

/// Hours of sun a day through the year, over the level horizon and over the real one.
fn drawn(sunlight: &Sunlight, args: &SunlightArgs) -> Plot {
    let hours = |of: fn(&analysis::SunlightDay) -> f64| -> Vec<(f64, f64)> {
        sunlight.days.iter().enumerate().map(|(k, day)| (k as f64 + 0.5, of(day) / 3_600.0)).collect()
    };
    let (sun, level) = (hours(|day| day.sun_s), hours(|day| day.level_s));
    let title =
        format!("Hours of sun a day at {:.5}, {:.5} in {}", args.eye.at.lat_deg, args.eye.at.lon_deg, args.year);
    let mut plot = Plot::new(&title, (0.0, sunlight.days.len() as f64), (0.0, 24.0));
    plot.area(&level, 0.0, [226, 228, 232]);
    plot.area(&sun, 0.0, [247, 205, 98]);
    let firsts = sunlight.days.iter().enumerate().filter(|(_, day)| day.date.2 == 1);
    for ((k, _), name) in firsts.zip(MONTHS) {
        plot.tick_x(k as f64, &name[..3]);
    }
    for hours in (0..=24).step_by(4) {
        plot.tick_y(f64::from(hours), &hours.to_string());
    }
    plot.line(&sun, INK, 1.2);
    plot.caption("yellow: over the real horizon; grey: over a level one");
    plot
}
