//! Options of lines of sight.

use clap::Args;

use super::super::values;

/// What stands at both ends of a line of sight, and how light goes along it.
#[derive(Args, Debug)]
pub struct LineArgs {
    /// Height of the eye above the ground in metres
    #[arg(long, value_name = "M", value_parser = values::above_ground_m, allow_negative_numbers = true, default_value = "2")]
    pub eye_height: f64,
    /// Height of the target above the ground in metres
    #[arg(long, value_name = "M", value_parser = values::above_ground_m, allow_negative_numbers = true, default_value = "0")]
    pub target_height: f64,
    /// Curvature of light over that of the Earth: 0.13 is usual by day
    #[arg(long, value_name = "K", value_parser = values::refraction, allow_hyphen_values = true, default_value = "0")]
    pub refraction: f64,
}
