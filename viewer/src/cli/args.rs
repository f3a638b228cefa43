//! Verbs and options, as clap reads them and `--help` shows them.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use terrain::height::VerticalDatum;

use super::bake::{BakeArgs, PackVerb};
use super::man::ManArgs;
use super::query::ViewshedArgs;
use super::values::{self, At, Look, Size};
use super::verify::VerifyArgs;
use crate::camera::place::Place;
use crate::render::{Ramp, Shade, Sun};

/// Shown by `orogen --help`.
pub const EXAMPLES: &str = "\
Examples:
  orogen                                     fly the globe
  orogen --at 20,83,600000 --look 5,-30      start south of the Himalaya
  orogen --path andes                        watch a flight along the Andes
  orogen view alps.tif                       fly your own elevation data
  orogen render --at 20,83,600000 --look 5,-30 -o himalaya.png
  orogen render --path everest --size 640x360 -o everest.gif
  orogen bench                               frame times of the flight to Everest
  orogen bench fidelity                      how far the mesh is from the surface, in pixels
  orogen info                                adapter, limits, elevation data
  orogen bake alps.tif -o alps.pack          prepare large data once

Without a display, `orogen render` works; without a GPU, Mesa's software rasteriser does.";

/// Shown by `orogen view --help`.
pub const VIEW_EXAMPLES: &str = "\
Examples:
  orogen view swissalti3d.tif
  orogen view island.tif continent.vrt       the island lies on top
  orogen view srtm/                          all rasters in a folder, as one layer
  orogen view @alps.txt                      those of a list, one path a line
  orogen view /vsizip/srtm.zip/N27E086.hgt --at 27.6,86.9,9000";

const QUERY_EXAMPLES: &str = "\
Examples:
  orogen query height --at 27.988,86.925 --at -33.4,-70.5
  orogen query height --json dem.tif < points.csv
  orogen query profile 46.5,7.9 45.8,6.8 --samples 500 alps.tif > profile.csv
  orogen query sight 27.7,85.3 27.99,86.93 --eye-height 10
  orogen query ray --at 27.5,86.5,9000 --look 40,-5
  orogen query viewshed --at 36.33,-84.18 --radius 15000 --target-height 10 -o seen.tif data/jacksboro.tif

Answers are CSV with a header on stdout, or JSON. Heights are metres above the datum of the layer that answers. Rays and
lines of sight pass over no ridge of the data, however narrow; they are straight through the Earth's curvature, unless
--refraction bends them.";

const RENDER_EXAMPLES: &str = "\
Examples:
  orogen render --at 20,80,15000000 -o earth.png
  orogen render --at 20,83,600000 --look 5,-30 --size 1920x1080 -o himalaya.png
  orogen render --at 46.5,8,20000 --look 120,-20 -o alps.png alps.tif
  orogen render --at 46.5,8,300000 --shade contours,graticule -o map.png
  orogen render --at 46.5,8,300000 --shade lod -o triangles.png
  orogen render --path everest --fps 20 --size 640x360 -o everest.gif
  orogen render --path my.json -o frame-%05d.png

A path file is JSON; key P records one in the window:
  { \"format\": \"orogen-path\", \"version\": 1, \"title\": \"Over the Alps\",
    \"keys\": [
      { \"t_s\": 0, \"lat_deg\": 45.9, \"lon_deg\": 7.5, \"height_m\": 9000, \"heading_deg\": 60, \"pitch_deg\": -20 },
      { \"t_s\": 8, \"lat_deg\": 46.0, \"lon_deg\": 7.8, \"height_m\": 6000, \"heading_deg\": 90, \"pitch_deg\": -10 } ] }
Times increase; the way between keys is smooth, and starts and ends at rest.

The picture waits until the mesh has settled: the same command gives the same bytes on the same machine.";

const BENCH: &str = "\
Fly a path and measure the frames, or measure the fidelity of the mesh

Every frame is the path's next step, however long the last one took. Times in milliseconds:
  frame    from the step of the camera until the GPU is done; with --window until the next frame begins
  record   of that, until the commands are submitted
  wait     of that, the rest
  update   the phases of the mesh together, on the CPU or, with --mesh gpu, on the GPU's clock
  draw     the scene on the GPU's clock
Each with median, 95th and 99th percentile and maximum; so are triangles, and the elevation tiles of --mesh gpu. A stall is a
frame that takes more than three times the median; the longest are listed with their place on the path.";

const BENCH_EXAMPLES: &str = "\
Examples:
  orogen bench                               frame times of the flight to Everest
  orogen bench --path andes --json alps.tif
  orogen bench fidelity                      how far the mesh is from the surface";

const FIDELITY: &str = "\
Measure how far the drawn mesh is from the surface, in pixels, and what the area metric would take

Settles the mesh for random cameras and compares about 60 000 pixels of each picture with the surface itself, ray cast by
brute force from the function that `orogen query` answers from. The error of a pixel is the distance in the picture by which
a point of the ground is drawn beside its place: of the mesh's point along its vertical to the surface, and of the
surface's point along its vertical to the mesh, whichever is more. A hole is a pixel in which the mesh is seen from below,
through a gap in it or because the eye is under it; one is enough for exit code 1.

\"by area\" are the triangles that a plain screen-area metric needs for the same error in 99.9 % of the pixels. All counts are
of triangles that face the eye and reach into the picture.

\"least\" says how few any mesh of this bisection can have for that error: from a bound, below which no mesh is whose vertices lie
on the surface, to the least mesh that was found, if one was. The bound over \"by area\" is the least ratio that such a mesh
can reach. In JSON: least.bound, least.found, and ratio_bound, the bound over the triangles of the area metric.

\"at 1 px\" compares both metrics at one error, whatever that of the picture is: what each of them tolerates is looked for by
trying, until 99.9 % of the pixels are within 1 px. In JSON: at_equal_error, and ratio_at_equal_error of all pictures.";

const FIDELITY_EXAMPLES: &str = "\
Examples:
  orogen bench fidelity
  orogen bench fidelity --cameras 2 --seed 7 --size 640x360 --pixel-error 1
  orogen bench fidelity --mesh gpu --no-baseline --json alps.tif";

/// Fly over the whole Earth, or over your own elevation data, down to the ground
///
/// Without a command, the embedded globe opens in a window.
#[derive(Parser, Debug)]
#[command(name = "orogen", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Option<Verb>,
    /// Flying the embedded globe.
    #[command(flatten)]
    pub fly: FlyArgs,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Fly elevation rasters of your own, the first one on top, the embedded globe below them
    View(ViewArgs),
    /// Draw a picture or a film without a window
    Render(RenderArgs),
    /// Fly a path and measure the frames, or measure the fidelity of the mesh
    Bench(BenchArgs),
    /// Ask the surface: heights, profiles, lines of sight, rays, viewsheds
    #[command(subcommand)]
    Query(QueryVerb),
    /// Show the graphics adapter, its limits and the elevation data
    Info(InfoArgs),
    /// Prepare elevation as a pack of tiles: one file, read as needed by any build
    Bake(BakeArgs),
    /// Work with packs
    #[command(subcommand)]
    Pack(PackVerb),
    /// Check a pack: every checksum, every tile, every shared edge
    Verify(VerifyArgs),
    /// Print the manual page, or write those of all verbs
    Man(ManArgs),
}

/// `orogen query`.
#[derive(Subcommand, Debug)]
#[command(after_long_help = QUERY_EXAMPLES)]
pub enum QueryVerb {
    /// Height, slope and source at places
    Height(HeightArgs),
    /// Heights along the geodesic between two places
    Profile(ProfileArgs),
    /// Whether one place sees another, and what stands between
    Sight(SightArgs),
    /// Where a line of view meets the ground
    Ray(RayArgs),
    /// What is seen from a place, as a GeoTIFF
    Viewshed(ViewshedArgs),
}

/// What a query asks, and how it answers.
#[derive(Args, Debug)]
pub struct DataArgs {
    /// Elevation rasters, folders of them or packs, the first one on top; none asks the embedded globe
    pub files: Vec<PathBuf>,
    /// Answer in JSON, not CSV
    #[arg(long)]
    pub json: bool,
    /// Leave out damaged files of a folder or list, and say which
    #[arg(long)]
    pub skip_bad: bool,
    /// Bring all heights above this: ellipsoid or egm96 [default: each layer's own datum]
    #[arg(long, value_name = "DATUM", value_parser = values::vertical_datum)]
    pub vdatum: Option<VerticalDatum>,
}

/// `orogen query height`.
#[derive(Args, Debug)]
pub struct HeightArgs {
    /// A place, as often as needed; without one, LAT,LON lines are read from stdin, and those that are no place told by number
    #[arg(long, value_name = "LAT,LON", value_parser = values::place, allow_hyphen_values = true)]
    pub at: Vec<Place>,
    /// Data.
    #[command(flatten)]
    pub data: DataArgs,
}

/// `orogen query profile`.
#[derive(Args, Debug)]
pub struct ProfileArgs {
    /// Where it starts
    #[arg(value_name = "LAT,LON", value_parser = values::place, allow_hyphen_values = true)]
    pub from: Place,
    /// Where it ends
    #[arg(value_name = "LAT,LON", value_parser = values::place, allow_hyphen_values = true)]
    pub to: Place,
    /// Number of evenly spaced heights, both ends counted
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(2..=1_000_000), allow_negative_numbers = true, default_value = "101")]
    pub samples: u32,
    /// Data.
    #[command(flatten)]
    pub data: DataArgs,
}

/// `orogen query sight`.
#[derive(Args, Debug)]
pub struct SightArgs {
    /// Where the eye stands
    #[arg(value_name = "LAT,LON", value_parser = values::place, allow_hyphen_values = true)]
    pub from: Place,
    /// Where the target stands
    #[arg(value_name = "LAT,LON", value_parser = values::place, allow_hyphen_values = true)]
    pub to: Place,
    /// Height of the eye above the ground in metres
    #[arg(long, value_name = "M", value_parser = values::above_ground_m, allow_negative_numbers = true, default_value = "2")]
    pub eye_height: f64,
    /// Height of the target above the ground in metres
    #[arg(long, value_name = "M", value_parser = values::above_ground_m, allow_negative_numbers = true, default_value = "0")]
    pub target_height: f64,
    /// Curvature of light over that of the Earth: 0.13 is usual by day
    #[arg(long, value_name = "K", value_parser = values::refraction, allow_hyphen_values = true, default_value = "0")]
    pub refraction: f64,
    /// Data.
    #[command(flatten)]
    pub data: DataArgs,
}

/// `orogen query ray`.
#[derive(Args, Debug)]
pub struct RayArgs {
    /// Where it starts: latitude and longitude in degrees, metres above sea level
    #[arg(long, value_name = "LAT,LON,ALT", value_parser = values::at, allow_hyphen_values = true)]
    pub at: At,
    /// Its direction: degrees clockwise from north, degrees up
    #[arg(long, value_name = "HEADING,PITCH", value_parser = values::look, allow_hyphen_values = true)]
    pub look: Look,
    /// Data.
    #[command(flatten)]
    pub data: DataArgs,
}

/// `orogen view`.
#[derive(Args, Debug)]
pub struct ViewArgs {
    /// Elevation in any format that GDAL reads, folders or @lists of such files, or packs
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Flying.
    #[command(flatten)]
    pub fly: FlyArgs,
}

/// Options of the window.
#[derive(Args, Debug)]
pub struct FlyArgs {
    /// First view: latitude and longitude in degrees, metres above sea level
    #[arg(long, value_name = "LAT,LON,ALT", value_parser = values::at, allow_hyphen_values = true)]
    pub at: Option<At>,
    /// First view: degrees clockwise from north, degrees up [default: down from space, ahead near the ground]
    #[arg(long, value_name = "HEADING,PITCH", value_parser = values::look, allow_hyphen_values = true, requires = "at")]
    pub look: Option<Look>,
    /// Fly along a path first, from its start unless --at is given: a JSON file, or the built-in everest, andes or poles
    #[arg(long, value_name = "PATH")]
    pub path: Option<PathBuf>,
    /// Size of the window in pixels
    #[arg(long, value_name = "WxH", value_parser = values::size, default_value = "1280x720")]
    pub size: Size,
    /// Let the error grow, up to 8 times, while frames take longer; 0 never [default: 50, with --pixel-error 0]
    #[arg(long, value_name = "MS", value_parser = values::frame_ms, allow_negative_numbers = true)]
    pub frame_ms: Option<f64>,
    /// End after this many frames
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub frames: Option<u64>,
    /// Save the last frame to this PNG file
    #[arg(long, value_name = "FILE", requires = "frames")]
    pub screenshot: Option<PathBuf>,
    /// Scene.
    #[command(flatten)]
    pub scene: SceneArgs,
}

/// `orogen render`.
#[derive(Args, Debug)]
#[command(after_long_help = RENDER_EXAMPLES)]
#[command(group(clap::ArgGroup::new("camera").required(true).args(["at", "path"])))]
pub struct RenderArgs {
    /// Where the eye is: latitude and longitude in degrees, metres above sea level; never under the ground
    #[arg(long, value_name = "LAT,LON,ALT", value_parser = values::at, allow_hyphen_values = true)]
    pub at: Option<At>,
    /// Where it looks: degrees clockwise from north, degrees up [default: down from space, ahead near the ground]
    #[arg(long, value_name = "HEADING,PITCH", value_parser = values::look, allow_hyphen_values = true, requires = "at")]
    pub look: Option<Look>,
    /// Fly along a path: a JSON file, or the built-in everest, andes or poles
    #[arg(long, value_name = "PATH")]
    pub path: Option<PathBuf>,
    /// Pictures a second along the path
    #[arg(long, value_name = "N", value_parser = values::fps, allow_negative_numbers = true, default_value = "25", requires = "path")]
    pub fps: f64,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", value_parser = values::size, default_value = "1280x720")]
    pub size: Size,
    /// Write beside the picture where its pixels lie (a.pgw, degrees on WGS84), for a view straight down: --look 0,-90
    #[arg(long, conflicts_with = "path")]
    pub world_file: bool,
    /// Where the picture goes: a.png; for a path frame-%05d.png or a.gif
    #[arg(short, long, value_name = "OUT")]
    pub out: PathBuf,
    /// Elevation rasters, the first one on top; none draws the embedded globe
    pub files: Vec<PathBuf>,
    /// Scene.
    #[command(flatten)]
    pub scene: SceneArgs,
}

/// `orogen bench`.
#[derive(Args, Debug)]
#[command(long_about = BENCH, args_conflicts_with_subcommands = true, after_long_help = BENCH_EXAMPLES)]
pub struct BenchArgs {
    /// What else to measure.
    #[command(subcommand)]
    pub verb: Option<BenchVerb>,
    /// Path to fly: a JSON file, or the built-in everest, andes or poles
    #[arg(long, value_name = "PATH", default_value = "everest")]
    pub path: PathBuf,
    /// Fly in a window, with the display over it, but without waiting for the refresh of the screen
    #[arg(long)]
    pub window: bool,
    /// Frames a second of the path, however long they take
    #[arg(long, value_name = "N", value_parser = values::fps, allow_negative_numbers = true, default_value = "30")]
    pub fps: f64,
    /// Size of the frames in pixels
    #[arg(long, value_name = "WxH", value_parser = values::size, default_value = "1280x720")]
    pub size: Size,
    /// Frames at the start of the path that do not count; with 0 the first one after loading does
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(0..=10_000), allow_negative_numbers = true, default_value = "20")]
    pub warm_up: u32,
    /// Print JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Elevation rasters, the first one on top; none flies the embedded globe
    pub files: Vec<PathBuf>,
    /// Scene.
    #[command(flatten)]
    pub scene: SceneArgs,
}

/// `orogen bench VERB`.
#[derive(Subcommand, Debug)]
pub enum BenchVerb {
    /// Measure how far the drawn mesh is from the surface, in pixels, and what the area metric would take
    Fidelity(FidelityArgs),
}

/// `orogen bench fidelity`.
#[derive(Args, Debug)]
#[command(long_about = FIDELITY, after_long_help = FIDELITY_EXAMPLES)]
pub struct FidelityArgs {
    /// Random cameras in orbit, as many in the air, and as many on the ground
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=1000), allow_negative_numbers = true, default_value = "8")]
    pub cameras: u32,
    /// Which random cameras
    #[arg(long, value_name = "S", default_value = "1")]
    pub seed: u64,
    /// Size of the pictures in pixels
    #[arg(long, value_name = "WxH", value_parser = values::size, default_value = "1280x720")]
    pub size: Size,
    /// Vertical field of view in degrees
    #[arg(long, value_name = "DEG", value_parser = values::fov_deg, allow_negative_numbers = true, default_value = "45")]
    pub fov: f64,
    /// Tolerated geometric error on screen in pixels
    #[arg(long, value_name = "PX", value_parser = values::pixel_error, allow_negative_numbers = true, default_value = "0.5")]
    pub pixel_error: f64,
    /// Most triangles, rounded up to a power of two
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(64..=1_048_576), allow_negative_numbers = true, default_value = "262144")]
    pub triangles: u32,
    /// Where the mesh lives; cpu needs no graphics adapter
    #[arg(long, value_name = "WHERE", value_enum, default_value = "cpu")]
    pub mesh: crate::terrain::MeshOn,
    /// Use the software rasteriser's device for --mesh gpu
    #[arg(long)]
    pub software: bool,
    /// Leave out the comparison with the area metric, which takes most of the time
    #[arg(long)]
    pub no_baseline: bool,
    /// Print JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Elevation rasters, the first one on top; none measures the embedded globe
    pub files: Vec<PathBuf>,
}

/// `orogen info`.
#[derive(Args, Debug)]
pub struct InfoArgs {
    /// An elevation raster to describe
    pub file: Option<PathBuf>,
    /// Leave out damaged files of a folder or list, and say which
    #[arg(long)]
    pub skip_bad: bool,
    /// Print JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Use the software rasteriser
    #[arg(long)]
    pub software: bool,
}

/// Options of everything that draws.
#[derive(Args, Debug)]
#[command(next_help_heading = "Drawing")]
pub struct SceneArgs {
    /// Tolerated geometric error on screen in pixels [default: 0.5]
    #[arg(long, value_name = "PX", value_parser = values::pixel_error, allow_negative_numbers = true)]
    pub pixel_error: Option<f64>,
    /// Most triangles, rounded up to a power of two [default: 262144, software rasteriser 131072]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(64..=1_048_576), allow_negative_numbers = true)]
    pub triangles: Option<u32>,
    /// Where the mesh lives [default: gpu, beside a software rasteriser cpu]
    #[arg(long, value_name = "WHERE", value_enum)]
    pub mesh: Option<crate::terrain::MeshOn>,
    /// Use the software rasteriser
    #[arg(long)]
    pub software: bool,
    /// Vertical field of view in degrees [default: 45]
    #[arg(long, value_name = "DEG", value_parser = values::fov_deg, allow_negative_numbers = true)]
    pub fov: Option<f64>,
    /// Sun in the sky of the place below the eye, in degrees [default: 315,42]
    #[arg(long, value_name = "AZIMUTH,ELEVATION", value_parser = values::sun, allow_hyphen_values = true, conflicts_with = "time")]
    pub sun: Option<Sun>,
    /// Sun where it stands at this time, UTC
    #[arg(long, value_name = "YYYY-MM-DDThh:mm[:ss]Z", value_parser = values::time)]
    pub time: Option<Sun>,
    /// Drawn on the ground: slope, aspect, contours, graticule, wireframe, imagery; or the mesh: lod, tile, depth, source; several with commas
    #[arg(long, value_name = "LIST", value_parser = Shade::parse)]
    pub shade: Option<Shade>,
    /// Colours of heights: atlas, terra, viridis, cividis or grey
    #[arg(long, value_name = "NAME", value_parser = Ramp::parse, default_value = "atlas")]
    pub ramp: Ramp,
    /// Draw heights this many times as high, 0.5 to 10; figures and lines stay those of the data
    #[arg(long, value_name = "FACTOR", value_parser = values::exaggeration, allow_negative_numbers = true, default_value = "1")]
    pub exaggerate: f64,
    /// Picture to lay on the ground: any raster of 8-bit colours that GDAL reads
    #[arg(long, value_name = "FILE")]
    pub drape: Option<PathBuf>,
    /// The surface of the sea at 0 m, or its dry floor
    #[arg(long, value_name = "on|off", value_enum, default_value = "on", hide_possible_values = true)]
    pub water: OnOff,
    /// Roughness finer than the data, made up and marked so: it turns the light, and never a height
    #[arg(long)]
    pub detail: bool,
    /// Samples a pixel: 4 smooths edges [default: 4; 1 in motion by a software rasteriser, or over 6 million pixels]
    #[arg(long, value_name = "1|4", value_parser = values::samples)]
    pub samples: Option<u32>,
    /// Where pixels are shaded: with the triangles, or once each after them [default: forward; deferred for 1 sample on a graphics card]
    #[arg(long, value_name = "WAY", value_enum)]
    pub shading: Option<crate::render::Shading>,
    /// Elevation.
    #[command(flatten)]
    pub data: ElevationArgs,
}

/// How elevation is read and kept.
#[derive(Args, Debug)]
#[command(next_help_heading = "Elevation")]
pub struct ElevationArgs {
    /// Leave out damaged files of a folder or list, and say which
    #[arg(long)]
    pub skip_bad: bool,
    /// Bring all heights above this: ellipsoid or egm96 [default: each layer's own datum]
    #[arg(long, value_name = "DATUM", value_parser = values::vertical_datum)]
    pub vdatum: Option<VerticalDatum>,
    /// Most memory for the heights of one layer, in MiB; larger ones are read in windows [default: 256]
    #[arg(long, value_name = "MIB", value_parser = values::whole::<u64>(8..=1_048_576), allow_negative_numbers = true)]
    pub memory: Option<u64>,
    /// Most memory for elevation tiles on the GPU, in MiB [default: 129]
    #[arg(long, value_name = "MIB", value_parser = values::whole::<u64>(8..=1_048_576), allow_negative_numbers = true)]
    pub gpu_memory: Option<u64>,
    /// Where tiles made from rasters are kept for the next flight [default: orogen in XDG_CACHE_HOME or ~/.cache]
    #[arg(long, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Most disk space for those tiles, in MiB
    #[arg(long, value_name = "MIB", value_parser = values::whole::<u64>(1..=16_777_216), allow_negative_numbers = true, default_value = "2048")]
    pub cache_size: u64,
    /// Neither read nor keep tiles on disk
    #[arg(long, conflicts_with_all = ["cache_dir"])]
    pub no_cache: bool,
}

/// Whether something is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum OnOff {
    /// It is.
    On,
    /// It is not.
    Off,
}
