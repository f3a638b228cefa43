//! `--elevation NAME` and `--imagery NAME`: what a public source has around the place of a view becomes files, before any is opened.

#[cfg(feature = "window")]
use std::sync::Arc;

use foreign::{escaped, sanitized};
use indicatif::{HumanBytes, HumanCount};
use sources::{Catalogue, Kind, Network, Progress, Source, SourceError, SurroundingRasters, Surroundings};
use terrain::geodesy::Ellipsoid;
use terrain::height::{LayerOptions, OpenOptions};

use super::args::{PoseArgs, SceneArgs};
use super::values::{Fit, Viewpoint};
use super::{CliError, fetch, source};
use crate::scene::CacheOptions;
use crate::terrain::ImageryFile;
#[cfg(feature = "window")]
use crate::window::{GroundFiles, PublicGround};

/// How far from a place ground is fine, in metres, at least and at most.
const REACH_M: [f64; 2] = [12_000.0, 300_000.0];

/// The source of finer ground in a window, where no other is named.
#[cfg(feature = "window")]
const USUAL: &str = "terrain-tiles";

/// Puts ground of a source that is named below the files of the user, and pictures of sources in the place of their names.
///
/// A window opens without what a server does not give, which is told.
///
/// # Errors
/// A name that is none, a view without a place; and where no window opens, a source that gives nothing there.
pub fn add(
    view: &PoseArgs,
    scene: &mut SceneArgs,
    files: &mut Vec<source::Source>,
    (network, in_window): (&Network, bool),
) -> Result<(), CliError> {
    let catalogue = fetch::catalogue(view.catalogue.as_ref())?;
    let or_none = |found: Result<SurroundingRasters, CliError>, source: &Source| match found {
        Err(CliError::Failed(error)) if in_window => {
            super::print_error_line(&format!("{error:#}: {} is not shown", escaped(&source.name)));
            Ok(Vec::new())
        }
        found => found.map(|found| found.files),
    };
    let named = |picture: &ImageryFile| matches!(named_picture(picture, &catalogue), Some(Ok(_)));
    let body = scene.data.rasters.body.unwrap_or_default();
    if body != Ellipsoid::WGS84 && (view.elevation.is_some() || scene.imagery.iter().any(named)) {
        let line = "public elevation and pictures are of the Earth: leave out --body, or give files";
        return Err(CliError::Usage(String::from(line)));
    }
    if let Some(word) = &view.elevation {
        let source = Source::named(word, &catalogue)?;
        if source.kind == Kind::Imagery {
            let line = format!("{}: its tiles are pictures; give it to --imagery", escaped(word));
            return Err(CliError::Usage(line));
        }
        let folder = downloads(scene)?.folder;
        let paths = match place(view) {
            Some(_) => or_none(rasters(&source, view, scene, network), &source)?,
            // What was downloaded for other places.
            None => sources::cached_rasters(&source, &folder),
        };
        if paths.is_empty() && place(view).is_none() {
            return Err(no_place(&source));
        }
        files.extend(paths.into_iter().map(|path| source::Source { path, own: written_options() }));
    }
    let mut pictures = Vec::new();
    for picture in &scene.imagery {
        match named_picture(picture, &catalogue) {
            Some(source) => {
                let source = source?;
                let files = or_none(rasters(&source, view, scene, network), &source)?;
                // The last one is on top.
                pictures.extend(files.into_iter().rev().map(|path| ImageryFile { path, ..picture.clone() }));
            }
            None => pictures.push(picture.clone()),
        }
    }
    scene.imagery = pictures;
    Ok(())
}

/// Whom a window asks for finer ground, if it may ask anybody.
#[cfg(feature = "window")]
pub fn public_ground(view: &PoseArgs, scene: &SceneArgs, network: &Network) -> Option<PublicGround> {
    if scene.data.rasters.offline {
        return None;
    }
    let cache = downloads(scene).ok()?;
    let catalogue = fetch::catalogue(view.catalogue.as_ref()).ok()?;
    let source = Source::named(view.elevation.as_deref().unwrap_or(USUAL), &catalogue).ok()?;
    let (host, network) = (source.host().to_owned(), network.clone());
    let get = move |place: [f64; 2], show: &mut dyn FnMut(u64, u64)| {
        let around = Surroundings::new(&source, place, REACH_M[0])?;
        let show = &mut |progress: Progress| show(progress.done, progress.tiles);
        let found = around.download_to(&cache.folder, cache.most_bytes, Some(&network), show)?;
        let warning = found.failure.map(|failure| coarser(&source, &failure));
        Ok(GroundFiles { files: sources::cached_rasters(&source, &cache.folder), own: written_options(), warning })
    };
    Some(PublicGround { host, get: Arc::new(get) })
}

/// How the rasters were written, whatever is said of those of the user.
fn written_options() -> LayerOptions {
    let default = OpenOptions::default();
    LayerOptions::default()
        .with_band(Some(default.band))
        .with_src_crs(Some(String::from("EPSG:3857")))
        .with_unit_m(Some(1.0))
        .with_valid_range_m(Some(OpenOptions::VALID_RANGE_M))
}

/// Where downloads are kept.
fn downloads(scene: &SceneArgs) -> Result<CacheOptions, CliError> {
    let Some(cache) = scene.data.cache() else {
        let line = "what is downloaded is kept in a folder: leave out --no-cache, or set XDG_CACHE_HOME or HOME";
        return Err(CliError::Usage(String::from(line)));
    };
    Ok(CacheOptions { folder: cache.folder.join("downloads"), ..cache })
}

fn no_place(source: &Source) -> CliError {
    let name = escaped(&source.name);
    CliError::Usage(format!("{name} is downloaded around a place: give --at PLACE or --fit W,S,E,N"))
}

fn coarser(source: &Source, failure: &SourceError) -> String {
    format!("{}: {} is coarser than it could be", sanitized(&failure.to_string()), escaped(&source.name))
}

/// The source that a picture names, if it is no file.
fn named_picture(picture: &ImageryFile, catalogue: &Catalogue) -> Option<Result<Source, CliError>> {
    let word = picture.path.to_str().filter(|_| picture.path.symlink_metadata().is_err())?;
    match Source::named(word, catalogue) {
        Ok(source) if source.kind == Kind::Imagery => Some(Ok(source)),
        Ok(_) => {
            Some(Err(CliError::Usage(format!("{}: its tiles are heights; give it to --elevation", escaped(word)))))
        }
        // A file that is not there is told as one.
        Err(SourceError::Unknown { .. }) => None,
        Err(error) => Some(Err(error.into())),
    }
}

/// Rasters of a source around the place of a view.
fn rasters(
    source: &Source,
    view: &PoseArgs,
    scene: &SceneArgs,
    network: &Network,
) -> Result<SurroundingRasters, CliError> {
    let Some((place, reach_m)) = place(view) else {
        return Err(no_place(source));
    };
    let cache = downloads(scene)?;
    let around = Surroundings::new(source, place, reach_m)?;
    let bar = fetch::bar(source, around.tiles());
    let mut now = Progress::default();
    let network = (!scene.data.rasters.offline).then_some(network);
    let found = around.download_to(&cache.folder, cache.most_bytes, network, &mut |progress| {
        now = progress;
        bar.set_position(progress.done);
    });
    bar.finish_and_clear();
    let found = found?;
    if now.bytes > 0 {
        let (name, tiles) = (escaped(&source.name), HumanCount(now.done - now.found));
        super::print_remark(&format!("{name}: {tiles} tiles, {}", HumanBytes(now.bytes)));
    }
    if let Some(failure) = &found.failure {
        super::print_error_line(&coarser(source, failure));
    }
    Ok(found)
}

/// Latitude and longitude in degrees of the place of a view, and how far it is seen finely from there.
fn place(view: &PoseArgs) -> Option<([f64; 2], f64)> {
    let (place, reach_m) = match (&view.at, &view.fit) {
        (Some(Viewpoint::Eye(at)), _) => ([at.lat_deg, at.lon_deg], at.height_m),
        (Some(Viewpoint::Place(to)), _) => ([to.place.lat_deg, to.place.lon_deg], to.reach_m()),
        (None, Some(Fit::Box([west, south, east, north]))) => {
            let width_deg = (east - west).rem_euclid(360.0);
            let lat_deg: f64 = 0.5 * (south + north);
            let lon_deg = (west + 0.5 * width_deg + 180.0).rem_euclid(360.0) - 180.0;
            let reach_deg = 0.5 * f64::max(width_deg * lat_deg.to_radians().cos(), north - south);
            ([lat_deg, lon_deg], reach_deg * sources::METRES_PER_DEGREE)
        }
        (None, Some(Fit::File(_)) | None) => return None,
    };
    Some((place, reach_m.clamp(REACH_M[0], REACH_M[1])))
}
