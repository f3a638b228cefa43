//! Verbs of `orogen query`, as clap reads them and `--help` shows them; options of those that have no file of their own.

use clap::{Args, Subcommand};

use super::super::pages::QUERY_EXAMPLES;
use super::super::values::{self, GeoPosition, ViewDirection};
use super::cells::{HorizonsArgs, InsolationArgs, SkyviewArgs};
use super::data::{DataArgs, WaterArgs};
use super::horizon::HorizonArgs;
use super::line::LineArgs;
use super::sightlines::SightlinesArgs;
use super::sunlight::SunlightArgs;
use super::viewshed::ViewshedArgs;
use crate::camera::place::Place;

/// `orogen query`.
#[derive(Subcommand, Debug)]
#[command(after_long_help = QUERY_EXAMPLES)]
pub enum QueryVerb {
    /// Height, slope and source at places
    Height(HeightArgs),
    /// Heights along the geodesic between two places
    Profile(ProfileArgs),
    /// Whether one place sees another, and what stands between; distances are straight
    Sight(SightArgs),
    /// Where lines of view meet the ground
    Ray(RayArgs),
    /// What is seen from a place, as a GeoTIFF
    Viewshed(ViewshedArgs),
    /// The ground against the sky round a place, azimuth by azimuth; distances are straight
    Horizon(HorizonArgs),
    /// The same from each cell of a raster, as a GeoTIFF
    Horizons(HorizonsArgs),
    /// How much of the sky the ground sees, as a GeoTIFF
    Skyview(SkyviewArgs),
    /// Light of sun and clear sky on the ground between two times, as a GeoTIFF
    Insolation(InsolationArgs),
    /// The longest lines of sight of an area; distances are along the ellipsoid
    Sightlines(SightlinesArgs),
    /// Sunrise, sunset and hours of sun of a place, day by day
    Sunlight(SunlightArgs),
}

/// `orogen query height`.
#[derive(Args, Debug)]
pub struct HeightArgs {
    /// A place, as often as needed: degrees, a UTM or MGRS reference, a plus code, a name. Without one, LAT,LON lines are read from stdin, or
    /// a table whose header names columns lat and lon, and those that are no place told by number
    #[arg(long, value_name = "LAT,LON|NAME", value_parser = values::place, allow_hyphen_values = true)]
    pub at: Vec<Place>,
    /// Slope and aspect by Horn's formula over the 3 x 3 postings around a place, as `gdaldem slope` has them; without it, of the
    /// ground that is drawn, by differences over half a posting to each side
    #[arg(long)]
    pub horn: bool,
    /// Water.
    #[command(flatten)]
    pub water: WaterArgs,
    /// Data.
    #[command(flatten)]
    pub data: DataArgs,
}

/// `orogen query profile`.
#[derive(Args, Debug)]
pub struct ProfileArgs {
    /// Where it starts
    #[arg(value_name = "LAT,LON|NAME", value_parser = values::place, allow_hyphen_values = true)]
    pub from: Place,
    /// Where it ends
    #[arg(value_name = "LAT,LON|NAME", value_parser = values::place, allow_hyphen_values = true)]
    pub to: Place,
    /// Number of evenly spaced heights, both ends counted
    #[arg(long, value_name = "N", value_parser = values::integer::<u32>(2..=1_000_000), allow_negative_numbers = true, default_value = "101")]
    pub samples: u32,
    /// Data.
    #[command(flatten)]
    pub data: DataArgs,
}

/// `orogen query sight`.
#[derive(Args, Debug)]
pub struct SightArgs {
    /// Where the eye stands
    #[arg(value_name = "LAT,LON|NAME", value_parser = values::place, allow_hyphen_values = true)]
    pub from: Place,
    /// Where the target stands
    #[arg(value_name = "LAT,LON|NAME", value_parser = values::place, allow_hyphen_values = true)]
    pub to: Place,
    /// Eye, target and the light between them.
    #[command(flatten)]
    pub line: LineArgs,
    /// Water.
    #[command(flatten)]
    pub water: WaterArgs,
    /// Data.
    #[command(flatten)]
    pub data: DataArgs,
}

/// `orogen query ray`.
#[derive(Args, Debug)]
pub struct RayArgs {
    /// Where it starts: latitude and longitude in degrees, metres above the datum, which is the sea unless --vdatum says another; without it, LAT,LON,ALT,HEADING,PITCH lines are read
    /// from stdin, and those that are no ray told by number
    #[arg(long, value_name = "LAT,LON,ALT", value_parser = values::geo_position, allow_hyphen_values = true, requires = "look")]
    pub at: Option<GeoPosition>,
    /// Its direction: degrees clockwise from north, degrees up
    #[arg(long, value_name = "HEADING,PITCH", value_parser = values::view_direction, allow_hyphen_values = true, requires = "at")]
    pub look: Option<ViewDirection>,
    /// Water.
    #[command(flatten)]
    pub water: WaterArgs,
    /// Data.
    #[command(flatten)]
    pub data: DataArgs,
}
