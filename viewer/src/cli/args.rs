//! Verbs and options, as clap reads them and `--help` shows them.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::bake::{BakeArgs, PackVerb};
use super::common::CommonArgs;
use super::completions::CompletionsArgs;
use super::elevation::RasterArgs;
#[cfg(feature = "gdal")]
use super::fetch::{FetchArgs, SourcesArgs};
use super::man::ManArgs;
use super::overwrite::OverwriteArgs;
use super::pages::{BENCH, BENCH_EXAMPLES, RENDER_EXAMPLES};
use super::place::PlaceArgs;
use super::query::QueryVerb;
use super::source::{self, Source};
use super::values::{self, Fit, Size, ViewDirection, Viewpoint, WaterChoice};
use super::verify::VerifyArgs;
use crate::overlays::Overlays;
use crate::render::{Ramp, SunMode};
use crate::terrain::{ImageryFile, VectorFile};

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
    /// Options of every verb.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Fly elevation rasters of your own, the first one on top, the embedded globe below them
    View(ViewArgs),
    /// Draw a picture or a film without a window
    Render(RenderArgs),
    /// Fly a path and measure the frames
    Bench(BenchArgs),
    /// Ask the surface: heights, profiles, lines of sight, rays, viewsheds, horizons, sunlight
    #[command(subcommand)]
    Query(QueryVerb),
    /// Find places by name: kind, latitude, longitude
    Place(PlaceArgs),
    /// Show the graphics adapter, its limits and the elevation data
    Info(InfoArgs),
    /// Prepare elevation as a pack of tiles: one file, read as needed by any build
    Bake(BakeArgs),
    /// Work with packs
    #[command(subcommand)]
    Pack(PackVerb),
    /// Check a pack: every checksum, every tile, every shared edge
    Verify(VerifyArgs),
    /// List public elevation and pictures that can be fetched
    #[cfg(feature = "gdal")]
    Sources(SourcesArgs),
    /// Make one file of a place from a server of tiles
    #[cfg(feature = "gdal")]
    Fetch(FetchArgs),
    /// Print the manual page, or write those of all verbs
    Man(ManArgs),
    /// Print what a shell needs to complete verbs and options
    Completions(CompletionsArgs),
}

/// `orogen view`.
#[derive(Args, Debug)]
pub struct ViewArgs {
    /// Elevation in any format that GDAL reads, folders or @lists of such files, or packs, also on servers: https://example.org/x.pack, s3://bucket/x.pack
    #[cfg_attr(feature = "gdal", arg(required_unless_present = "elevation"))]
    #[cfg_attr(not(feature = "gdal"), arg(required = true))]
    #[arg(value_parser = source::source())]
    pub files: Vec<Source>,
    /// Flying.
    #[command(flatten)]
    pub fly: FlyArgs,
}

/// Which view is shown; without any of them that of the first file as a whole, or of the globe.
#[derive(Args, Debug)]
pub struct PoseArgs {
    /// Where the eye is: latitude and longitude in degrees, metres above sea level, never under the ground. Without a height, or with the
    /// name of a place, a UTM or MGRS reference or a plus code, what is looked at: from a distance that shows it
    #[arg(long, value_name = "LAT,LON[,ALT]|NAME", value_parser = values::viewpoint, allow_hyphen_values = true)]
    pub at: Option<Viewpoint>,
    /// Show all between these meridians and parallels, or all of a raster
    #[arg(long, visible_alias = "bbox", value_name = "W,S,E,N|FILE", value_parser = values::fit(), allow_hyphen_values = true, conflicts_with = "at")]
    pub fit: Option<Fit>,
    /// Where it looks: degrees clockwise from north, degrees up [default: as it shows the place; with a height down from space, ahead near the
    /// ground]
    #[arg(long, value_name = "HEADING,PITCH", value_parser = values::view_direction, allow_hyphen_values = true)]
    pub look: Option<ViewDirection>,
    /// Ground around the place of --at or --fit from a source of heights that `orogen sources` lists, or from terrarium: or terrain-rgb: and an
    /// address of tiles with {z}, {x} and {y}: finer towards the place, below files. It is downloaded once, about 20 MB a place, and kept
    /// beside the tiles (--cache-dir, --cache-size)
    #[cfg(feature = "gdal")]
    #[arg(long, value_name = "SOURCE", conflicts_with = "no_cache")]
    pub elevation: Option<String>,
    /// A file of more sources for --elevation and --imagery: JSON, as `orogen sources --json` prints
    #[cfg(feature = "gdal")]
    #[arg(long, value_name = "FILE")]
    pub catalogue: Option<PathBuf>,
}

/// Options of the window.
#[derive(Args, Debug)]
pub struct FlyArgs {
    /// First view.
    #[command(flatten)]
    pub view: PoseArgs,
    /// Fly along a path first, from its start unless --at is given: a JSON file, or the built-in everest, andes or poles
    #[arg(long, value_name = "PATH")]
    pub path: Option<PathBuf>,
    /// Size of the window in pixels
    #[arg(long, value_name = "WxH", value_parser = values::size, default_value = "1280x720")]
    pub size: Size,
    /// Let the error grow, up to 8 times, while frames take longer; 0 never [default: 50, with --pixel-error 0]
    #[arg(long, value_name = "MS", value_parser = values::frame_ms, allow_negative_numbers = true)]
    pub frame_ms: Option<f64>,
    /// Frames in motion.
    #[command(flatten)]
    pub motion: MotionArgs,
    /// End after this many frames
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub frames: Option<u64>,
    /// Save the last frame to this PNG file
    #[arg(long, value_name = "FILE", requires = "frames")]
    pub screenshot: Option<PathBuf>,
    /// Overwriting of output files.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
    /// Scene.
    #[command(flatten)]
    pub scene: SceneArgs,
}

/// `orogen render`.
#[derive(Args, Debug)]
#[command(after_long_help = RENDER_EXAMPLES)]
pub struct RenderArgs {
    /// The view.
    #[command(flatten)]
    pub view: PoseArgs,
    /// Fly along a path: a JSON file, or the built-in everest, andes or poles
    #[arg(long, value_name = "PATH", conflicts_with_all = ["at", "fit", "look"])]
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
    /// Make it a map: title, legend, scale bar, north and whose data are seen
    #[arg(long)]
    pub map: bool,
    /// What stands above the map; without it the place in its middle
    #[arg(long, value_name = "TEXT", requires = "map")]
    pub title: Option<String>,
    /// Where the picture goes: a.png, .jpg or .webp. a.exr holds linear light before the tone curve (OpenEXR, half floats), a.tif is a
    /// GeoTIFF of the ground straight down, north up in longitude and latitude (EPSG:4326). For a path frame-%05d.png, a.gif, or by way of ffmpeg a.mp4 or .webm. With - to standard output: a PNG, or for a path
    /// the bare pixels, three bytes each. ffmpeg reads those with -f rawvideo -pixel_format rgb24
    #[arg(short, long, value_name = "OUT")]
    pub out: PathBuf,
    /// Print what was drawn as JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Overwriting of output files.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
    /// Elevation rasters, the first one on top; none draws the embedded globe
    #[arg(value_parser = source::source())]
    pub files: Vec<Source>,
    /// Scene.
    #[command(flatten)]
    pub scene: SceneArgs,
}

/// `orogen bench`.
#[derive(Args, Debug)]
#[command(long_about = BENCH, after_long_help = BENCH_EXAMPLES)]
pub struct BenchArgs {
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
    /// Frames at the start of the path that do not count; with 0 the first one after loading does. Without it, those until the mesh
    /// has settled
    #[arg(long, value_name = "N", value_parser = values::integer::<u32>(0..=10_000), allow_negative_numbers = true)]
    pub warm_up: Option<u32>,
    /// Frames in motion.
    #[command(flatten)]
    pub motion: MotionArgs,
    /// Print JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Elevation rasters, the first one on top; none flies the embedded globe
    #[arg(value_parser = source::source())]
    pub files: Vec<Source>,
    /// Scene.
    #[command(flatten)]
    pub scene: SceneArgs,
}

/// `orogen info`.
#[derive(Args, Debug)]
pub struct InfoArgs {
    /// Elevation to describe: rasters, the first one on top, or a pack
    #[arg(value_parser = source::source())]
    pub files: Vec<Source>,
    /// Print JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Use the software rasteriser
    #[arg(long)]
    pub software: bool,
    /// Rasters.
    #[command(flatten)]
    pub rasters: RasterArgs,
}

/// Frames of a view that moves.
#[derive(Args, Debug)]
pub struct MotionArgs {
    /// Percent of the pixels along each side that frames have while the view moves, 25 to 100 [default: 100; by a software rasteriser as
    /// many as the cores shade in about 30 ms]
    #[arg(long, value_name = "PERCENT", value_parser = values::integer::<u32>(25..=100), allow_negative_numbers = true)]
    pub motion_resolution: Option<u32>,
}

/// Options of everything that draws.
#[derive(Args, Debug)]
#[command(next_help_heading = "Drawing")]
pub struct SceneArgs {
    /// Tolerated geometric error on screen in pixels [default: 0.5]
    #[arg(long, value_name = "PX", value_parser = values::pixel_error, allow_negative_numbers = true)]
    pub pixel_error: Option<f64>,
    /// Most triangles, rounded up to a power of two [default: 262144, software rasteriser 131072]
    #[arg(long, value_name = "N", value_parser = values::integer::<u32>(64..=1_048_576), allow_negative_numbers = true)]
    pub triangles: Option<u32>,
    /// Where the mesh lives [default: gpu, beside a software rasteriser cpu]
    #[arg(long, value_name = "WHERE", value_parser = values::backend())]
    pub mesh: Option<terrain::Backend>,
    /// Use the software rasteriser
    #[arg(long)]
    pub software: bool,
    /// Vertical field of view in degrees [default: 45]
    #[arg(long, value_name = "DEG", value_parser = values::fov_deg, allow_negative_numbers = true)]
    pub fov: Option<f64>,
    /// Sun in the sky of the place below the eye, in degrees [default: 315,42]
    #[arg(long, value_name = "AZIMUTH,ELEVATION", value_parser = values::sun, allow_hyphen_values = true, conflicts_with = "time")]
    pub sun: Option<SunMode>,
    /// Sun and stars where they stand at this time: now, or one in UTC (Z) or in a zone (+02:00)
    #[arg(long, value_name = "YYYY-MM-DDThh:mm[:ss]Z|now", value_parser = values::time)]
    pub time: Option<SunMode>,
    #[arg(long, value_name = "LIST", value_parser = Overlays::parse, help = Overlays::help())]
    pub overlays: Option<Overlays>,
    /// Colours of heights: atlas, terra, viridis, cividis, grey, dust or rust [default: atlas; dust on the Moon, rust on Mars]
    #[arg(long, value_name = "NAME", value_parser = Ramp::parse)]
    pub ramp: Option<Ramp>,
    /// Draw heights this many times as high, 0.5 to 10; figures and lines stay those of the data. A mesh on the GPU holds -16384 to
    /// 16383 m as drawn, 1.5 times with the deepest sea: beyond, a graphics card keeps it on the CPU, and --mesh gpu is refused [default: 1]
    #[arg(long, value_name = "FACTOR", value_parser = values::exaggeration, allow_negative_numbers = true)]
    pub exaggerate: Option<f64>,
    /// Picture to lay on the ground, as often as needed, the last one on top: any raster of 8-bit colours that GDAL reads, of any size,
    /// with overviews at best (gdaladdo), a folder or @list of such files, of which the last by name, or in the list, is on top, or a source of
    /// pictures that `orogen sources` lists, as for --elevation; 0 to 1 of what lies below
    /// it is hidden, and its colours are so many times as bright, of so many times the contrast or saturation, 0 to 4; `hidden=true` has it in
    /// the list of layers alone
    #[arg(
        long,
        value_name = "FILE|FOLDER|@LIST|SOURCE[,opacity=X][,brightness=X][,contrast=X][,saturation=X]",
        value_parser = source::picture()
    )]
    pub imagery: Vec<ImageryFile>,
    /// Points, lines and areas to draw on the ground, as often as needed, the last one on top: a GeoPackage, shapefile, GeoJSON, KML, GPX or
    /// alike, as it says how it is drawn (style strings, fields like `stroke` and `fill`) or as is said behind its name: colours as
    /// #rrggbb, #rrggbbaa or a name, width in pixels; and beside each feature the text of a field, by default of points their `name`;
    /// `label=` writes none
    #[arg(long, value_name = "FILE[,color=C][,width=PX][,fill=C][,label=FIELD]", value_parser = source::vector())]
    pub vector: Vec<VectorFile>,
    /// Sea and lakes, or their dry floor; or a file of water of your own: polygons of a GeoPackage, shapefile, GeoJSON or alike, which are
    /// lakes, or land where their field `cover` says so; with fields `name` and `level_m`. Lakes take the place of those that ship and
    /// lie in them, land that of all coasts [default: on]
    #[arg(long, value_name = "on|off|FILE", value_parser = values::water())]
    pub water: Option<WaterChoice>,
    /// Shadows of mountains, by a sun at a time or one of --sun that stands below 35 degrees [default: on]
    #[arg(long, value_name = "on|off", value_enum, hide_possible_values = true)]
    pub shadows: Option<values::Switch>,
    /// Ground finer than the data, made up and marked so: relief where data are coarser than a kilometre, or all, roughness in the light of
    /// any data besides [default: relief in a window with the mesh on a graphics card, off elsewhere; all without a word]
    #[arg(long, value_name = "off|relief|all", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "all", hide_possible_values = true)]
    pub detail: Option<values::Detail>,
    /// Samples a pixel: 4 smooths edges [default: 4; 1 in motion by a software rasteriser, or over 6 million pixels]
    #[arg(long, value_name = "1|4", value_parser = values::samples)]
    pub samples: Option<u32>,
    /// Where pixels are shaded: with the triangles, or once each after them [default: forward; on a graphics card deferred for 1 sample,
    /// and in motion]
    #[arg(long, value_name = "WAY", value_enum)]
    pub shading: Option<crate::render::ShadingPath>,
    /// Elevation.
    #[command(flatten)]
    pub data: ElevationArgs,
}

/// How elevation is read and kept.
#[derive(Args, Debug)]
#[command(next_help_heading = "Elevation")]
pub struct ElevationArgs {
    /// Rasters.
    #[command(flatten)]
    pub rasters: RasterArgs,
    /// Most memory for the heights of one layer, in MiB; larger ones are read in windows [default: 256]
    #[arg(long, value_name = "MIB", value_parser = values::integer::<u64>(8..=1_048_576), allow_negative_numbers = true)]
    pub memory: Option<u64>,
    /// Most memory for elevation tiles, in MiB, half of it for those of the mesh and half for those that shade, on the GPU, a third with --imagery [default: 253, and 124 for pictures]
    #[arg(long, value_name = "MIB", value_parser = values::integer::<u64>(42..=1_048_576), allow_negative_numbers = true)]
    pub gpu_memory: Option<u64>,
    /// Where tiles made from rasters or read from servers, and errors of coarse triangles, are kept for the next flight [default: orogen in XDG_CACHE_HOME or ~/.cache]
    #[arg(long, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Most disk space for those tiles, in MiB
    #[arg(long, value_name = "MIB", value_parser = values::integer::<u64>(1..=16_777_216), allow_negative_numbers = true, default_value = "2048")]
    pub cache_size: u64,
    /// Neither read nor keep tiles on disk
    #[arg(long, conflicts_with_all = ["cache_dir"])]
    pub no_cache: bool,
}
