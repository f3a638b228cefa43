//! `orogen render`: a picture, or a film along a path, without a window.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use gpu::Gpu;
use indicatif::ProgressDrawTarget;
use serde_json::{Value, json};

use super::args::RenderArgs;
use super::overwrite::{check_inputs, in_folders};
use super::progress::{LibraryProgress, TaskProgress, bar, bar_style, interruptions, note};
use super::source::paths;
use super::values::WaterChoice;
use super::view::{Optics, ViewSubject};
use super::{CliError, shown_path};
use crate::app::Interrupted;
use crate::camera::ground::{Ground as _, above_ground};
use crate::camera::path::{BUILT_IN, CameraPath};
use crate::camera::{Camera, Lens, Pose};
use crate::capture::{Film, FrameImage, Orthoimage, OutputName, WorldFile};
use crate::headless::{LEAST_CLEARANCE_M, OffscreenRenderer};

/// Draws what the arguments ask for.
pub fn run(args: &RenderArgs) -> Result<(), CliError> {
    let film_fps = args.path.as_ref().map(|_| args.fps);
    let name = OutputName::parse(&args.out, film_fps).map_err(|e| CliError::Usage(e.to_string()))?;
    if args.world_file && matches!(name, OutputName::Standard { .. }) {
        return Err(CliError::Usage(String::from("--world-file stands beside a picture: give -o a name, like a.png")));
    }
    if args.json && matches!(name, OutputName::Standard { .. }) {
        return Err(CliError::Usage(String::from(
            "--json prints where -o - puts the picture: give -o a name, like a.png",
        )));
    }
    let is_geotiff = matches!(name, OutputName::Map(_));
    if is_geotiff && (args.map || args.world_file) {
        return Err(CliError::Usage(String::from(NO_SHEET)));
    }
    if name.is_linear() && args.map {
        return Err(CliError::Usage(String::from(
            "an EXR holds light and no map: leave out --map, or name the picture like a.png",
        )));
    }
    let path = args.path.as_deref().map(open_path).transpose()?;
    let times = path.as_ref().map(|path| path.frame_times_s(args.fps)).transpose();
    let times = times.map_err(|e| CliError::Usage(e.to_string()))?;
    let files = match (&name, &times) {
        // A path has fewer than 2^32 frames.
        (OutputName::Numbered(..), Some(times)) => times.len() as u32,
        _ => 1,
    };
    let outputs: Vec<_> = (0..files).filter_map(|frame| name.file(frame)).collect();
    args.overwrite.check(&outputs)?;
    let scene = &args.scene;
    let water = scene.water.iter().filter_map(WaterChoice::file);
    let vectors = scene.vector.iter().map(|lines| lines.path.as_path());
    let pictures = || scene.imagery.iter().map(|picture| picture.path.as_path());
    let drawn = pictures().chain(vectors).chain(water).map(Path::to_path_buf);
    let inputs: Vec<_> = paths(&args.files).into_iter().chain(drawn).chain(in_folders(&outputs, pictures())).collect();
    check_inputs(&outputs, inputs)?;
    if args.world_file {
        args.overwrite.check([WorldFile::path_for(&args.out)])?;
    }
    let started = Instant::now();
    // Everything that can be refused is refused before anything is drawn.
    let waiting = LibraryProgress::begin();
    let relief = Arc::new(args.scene.open(&args.files)?);
    let mut options = args.scene.scene(&args.files)?;
    tracing::info!("{} layers of heights opened in {:.1} s", relief.layers().len(), started.elapsed().as_secs_f64());
    let subject = ViewSubject { relief: &relief, options: &options, has_files: !args.files.is_empty() };
    let orthoimage = if is_geotiff { Some(orthoimage(args, subject)?) } else { None };
    let size_px = orthoimage.map_or(args.size, |map| map.size_px);
    let cameras: Box<dyn ExactSizeIterator<Item = (f64, Camera)>> = match (path, times, &orthoimage) {
        (Some(path), Some(times), _) => {
            let path = path.on(relief.ellipsoid());
            Box::new(times.map(move |t| (t, path.camera(t))))
        }
        (_, _, Some(map)) => Box::new(std::iter::once((0.0, map.camera))),
        _ => {
            let optics = Optics::new(options.fov_deg, args.size);
            let camera = Camera::on(relief.ellipsoid(), &args.view.pose(&args.scene, subject, &optics)?);
            if args.world_file {
                has_world_file(args, subject, camera, &optics)?;
            }
            Box::new(std::iter::once((0.0, camera)))
        }
    };
    let mut cameras = cameras.peekable();
    let (count, first_view) = (cameras.len(), cameras.peek().map(|(_, camera)| camera.pose()));
    let gpu = Gpu::new(&args.scene.gpu())?;
    tracing::info!("drawn by {}", foreign::escaped(&gpu.caps.adapter));
    let mut film = Film::create(&name, args.fps, orthoimage.map(|map| map.grid))?;
    if let Some(map) = &orthoimage {
        options.fov_deg = map.fov_y_rad.to_degrees();
    }
    let scene = options.with_relief(Some(relief.clone())).with_first_view(first_view);
    let mut renderer = match name.is_linear() {
        true => OffscreenRenderer::linear(gpu, &scene, size_px)?,
        false => OffscreenRenderer::new(gpu, &scene, size_px)?,
    };
    if args.map {
        renderer = renderer.with_map(args.title.as_deref().map(|title| foreign::sanitized(title).to_string()));
    }
    drop(waiting);
    // From now on the film that is being written is taken away.
    let interrupted = interruptions()?;
    tracing::info!("scene loaded after {:.1} s", started.elapsed().as_secs_f64());
    let progress = bar(count as u64).with_style(bar_style("{bar:30} {pos}/{len} pictures, {elapsed} gone"));
    // Lines of -v would run into it.
    if count == 1 || tracing::enabled!(tracing::Level::INFO) {
        progress.set_draw_target(ProgressDrawTarget::hidden());
    }
    let working = if count > 1 {
        // Time goes on while a picture takes long.
        progress.enable_steady_tick(Duration::from_secs(1));
        TaskProgress::without_terminal("drawing pictures", count as u64)
    } else {
        Some(TaskProgress::begin("drawing the picture", 0))
    };
    renderer.world_mut().insert_resource(Interrupted(interrupted.clone()));
    let mut last = None;
    film.note(renderer.note());
    for (index, (t_s, camera)) in cameras.enumerate() {
        renderer.set_time_s(t_s);
        if let (0, (_, raised_m)) = (index, renderer.above_ground(camera))
            && raised_m > 0.0
        {
            let line =
                format!("the eye is under the ground: raised by {raised_m:.0} m to {LEAST_CLEARANCE_M} m above it");
            progress.suspend(|| note(&line));
        }
        let world = args.world_file.then(|| renderer.world_file(camera).ok_or_else(no_world_file)).transpose()?;
        let drawn = renderer.render_frame(camera);
        if interrupted.load(Ordering::Relaxed) {
            progress.finish_and_clear();
            return Err(CliError::Interrupted(format!("interrupted after {index} of {count} pictures")));
        }
        let (image, report) = drawn?;
        let image = match (&orthoimage, image) {
            (Some(map), FrameImage::Srgb(image)) => map.resampled(&image, |n| renderer.ground().height_m(n)).into(),
            (_, image) => image,
        };
        last = Some(DrawnFrame {
            size_px: image.size_px(),
            view: renderer.above_ground(camera).0.pose(),
            triangles: report.triangles,
            error_px: renderer.error_px(),
            settled: report.settled,
        });
        let path = film.add(image)?;
        if let Some(world) = world {
            world.write_beside(&path).with_context(|| unwritten_world_file(&path))?;
        }
        tracing::info!(
            "picture {} of {count}: {} triangles, after {:.1} s",
            index + 1,
            report.triangles,
            started.elapsed().as_secs_f64()
        );
        if index == 0 {
            // How long one takes is known.
            progress.set_style(bar_style("{bar:30} {pos}/{len} pictures, {elapsed} gone, {eta} left"));
        }
        progress.inc(1);
        working.iter().filter(|_| count > 1).for_each(|working| working.done(index as u64 + 1));
    }
    progress.finish_and_clear();
    drop(working);
    film.finish()?;
    let (width, height) = args.size;
    let triangles = last.map_or(0, |frame: DrawnFrame| frame.triangles);
    let pictures = if count == 1 { String::new() } else { format!("{count} pictures, ") };
    note(&format!(
        "wrote {}: {pictures}{width}x{height}, {triangles} triangles, {:.1} s",
        shown_path(&args.out),
        started.elapsed().as_secs_f64()
    ));
    args.scene.data.rasters.warn_suspect_heights(&relief.read_remarks());
    // What could not be read was drawn coarser.
    if let Some(error) = relief.failure() {
        return Err(error.into());
    }
    if let Some(frame) = last.filter(|_| args.json) {
        super::print(&format!("{:#}\n", frame.json(&args.out, count, started.elapsed())))?;
    }
    Ok(())
}

/// What is answered of a picture, or of the last one of a film.
#[derive(Debug, Clone, Copy)]
struct DrawnFrame {
    size_px: (u32, u32),
    view: Pose,
    triangles: u32,
    error_px: Option<f64>,
    settled: bool,
}

impl DrawnFrame {
    /// As JSON: with the name of the output and how many pictures went there.
    fn json(&self, out: &Path, pictures: usize, elapsed: Duration) -> Value {
        let DrawnFrame { size_px: (width, height), view, triangles, error_px, settled } = *self;
        json!({
            "file": out.display().to_string(),
            "pictures": pictures,
            "width": width,
            "height": height,
            "view": view,
            "triangles": triangles,
            "error_px": error_px,
            "settled": settled,
            "seconds": elapsed.as_secs_f64(),
        })
    }
}

/// Refuses a view that has no world file, and one that cannot be written.
fn has_world_file(
    args: &RenderArgs,
    subject: ViewSubject<'_>,
    camera: Camera,
    optics: &Optics,
) -> Result<(), CliError> {
    let world = subject.options.over_ground(subject.relief, |ground| {
        let (camera, ground_m) = (above_ground(camera, ground), ground.height_m(camera.normal()));
        WorldFile::of(&camera, optics.lens.fov_y_rad, args.size, ground_m)
    })?;
    if world.is_none() {
        return Err(no_world_file());
    }
    Ok(WorldFile::check_beside(&args.out).with_context(|| unwritten_world_file(&args.out))?)
}

fn no_world_file() -> CliError {
    CliError::Usage(String::from(
        "--world-file needs a view straight down, like --look 0,-90, that is narrow enough for the Earth to be flat to a pixel: go lower, \
        or lower --fov",
    ))
}

fn unwritten_world_file(picture: &Path) -> String {
    format!("cannot write the world file of {}", picture.display())
}

/// The picture of which a GeoTIFF is made.
fn orthoimage(args: &RenderArgs, subject: ViewSubject<'_>) -> Result<Orthoimage, CliError> {
    let lens = Lens { fov_y_rad: subject.options.fov_deg.to_radians() };
    subject.options.over_ground(subject.relief, |ground| {
        let grid = args.view.pixel_grid(&args.scene, subject, ground, lens, args.size)?;
        Orthoimage::new(grid, |n| ground.height_m(n)).map_err(|error| CliError::Usage(error.to_string()))
    })?
}

const NO_SHEET: &str = "a GeoTIFF has neither --map nor --world-file: leave them out, set OROGEN_MAP=off and OROGEN_WORLD_FILE=off \
    where a file of defaults says them, or write a picture, like a.png";

/// Most bytes of a path file: a day of keys, several a second.
const MOST_PATH_BYTES: u64 = 64 << 20;

/// A path by the name of a built-in one, or from a file.
pub(super) fn open_path(path: &Path) -> anyhow::Result<CameraPath> {
    let shown = path.display();
    if let Some((_, text)) = BUILT_IN.iter().find(|(name, _)| path == Path::new(name)) {
        return CameraPath::from_json(text).with_context(|| format!("built-in path {shown}"));
    }
    let text = foreign::read_small_text(path, MOST_PATH_BYTES).map_err(|error| {
        let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
        anyhow::anyhow!(
            "cannot read the path {shown}: {error}; give a JSON file or a built-in path ({})",
            names.join(", ")
        )
    })?;
    CameraPath::from_json(&text).with_context(|| format!("{shown}"))
}
