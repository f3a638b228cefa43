//! `orogen query`: heights, profiles, lines of sight, rays, viewsheds, horizons and sunlight of the surface that is drawn, as CSV or JSON.

pub(super) mod answer_writer;
mod args;
mod cells;
mod data;
mod engine;
mod horizon;
mod line;
mod output;
mod plot;
mod points;
mod sightlines;
mod sunlight;
mod viewshed;

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;
use terrain::geodesy::Geodetic;
use terrain::height::{LayerInfo, SourceAt};
use terrain::surface::{Ground, Hit, Provenance, SlopeRule, Surface};
use terrain::water::Cover;

use super::progress::TaskProgress;
use super::values::{self, GeoPosition, ViewDirection, WaterChoice};
use super::{CliError, print_remark};
use crate::camera::Camera;
use crate::camera::place::Place;
use crate::terrain::{REACH_M, surely_land_m};
use answer_writer::{AnswerWriter, FieldValue};
pub use args::QueryVerb;
use args::{HeightArgs, ProfileArgs, RayArgs, SightArgs};
use data::warn_of_lake_bed;
use points::LineParser;

/// Answers a query on stdout.
pub fn run(query: &QueryVerb) -> Result<(), CliError> {
    match query {
        QueryVerb::Height(args) => height(args),
        QueryVerb::Profile(args) => profile(args),
        QueryVerb::Sight(args) => sight(args),
        QueryVerb::Ray(args) => ray(args),
        QueryVerb::Viewshed(args) => viewshed::run(args),
        QueryVerb::Horizon(args) => horizon::run(args),
        QueryVerb::Horizons(args) => cells::horizons(args),
        QueryVerb::Skyview(args) => cells::skyview(args),
        QueryVerb::Insolation(args) => cells::insolation(args),
        QueryVerb::Sightlines(args) => sightlines::run(args),
        QueryVerb::Sunlight(args) => sunlight::run(args),
    }
}

const HEIGHT: &str = "lat_deg,lon_deg,height_m,slope_deg,aspect_deg,posting_m,level,layer,datum,source_datum,source,share,blended_with,filled,\
                      water,water_name,water_level_m,depth_m";

fn height(args: &HeightArgs) -> Result<(), CliError> {
    let (surface, outlines) = args.data.open_with_water(&args.water)?;
    let ellipsoid = surface.relief().ellipsoid();
    args.at.iter().try_for_each(|at| values::check_body(at, ellipsoid))?;
    let mut answers = AnswerWriter::new(&args.data, &surface, HEIGHT);
    let is_water_asked = !matches!(args.water.water, Some(WaterChoice::Off));
    let rule = if args.horn { SlopeRule::Horn } else { SlopeRule::Central };
    let format = answers.format();
    let files = args.data.answering_files(&surface);
    let answer = |at: Place, out: &mut String| {
        let n = geodetic(at, 0.0).normal();
        let Ground { height_m, slope_rad, aspect_rad, provenance, .. } = surface.ground_by(rule, n);
        files.note(|| provenance.layer);
        let source = HeightOrigin::of(&surface, n, provenance);
        let mut fields = vec![
            ("lat_deg", FieldValue::Exact(at.lat_deg)),
            ("lon_deg", FieldValue::Exact(at.lon_deg)),
            ("height_m", FieldValue::Rounded(height_m, 3)),
            ("slope_deg", FieldValue::Rounded(slope_rad.to_degrees(), 2)),
            // Level ground faces nowhere.
            (
                "aspect_deg",
                if slope_rad > 0.0 { FieldValue::Rounded(aspect_rad.to_degrees(), 1) } else { FieldValue::Nothing },
            ),
            ("slope_rule", FieldValue::Aside(rule.name())),
        ];
        fields.extend(source.fields());
        let cover = seen_cover(outlines.at(n), (height_m, source.data.datum), source.provenance.posting_m);
        fields.extend(water(is_water_asked.then_some(cover), (height_m, source.data.datum)));
        format.write(&fields, out);
    };
    let mut answered = Ok(());
    if args.at.is_empty() {
        answered = points::answer_stdin(&LineParser::places(ellipsoid), &mut answers, answer);
    }
    for &at in &args.at {
        let mut text = String::new();
        answer(at, &mut text);
        answers.add_written(&text)?;
    }
    files.warn();
    // What has been answered stands, and so do the reasons why other answers are missing.
    answers.finish()?;
    Ok(answered?)
}

const PROFILE: &str =
    "distance_m,lat_deg,lon_deg,height_m,posting_m,level,layer,datum,source_datum,source,share,blended_with,filled";

fn profile(args: &ProfileArgs) -> Result<(), CliError> {
    let surface = args.data.open()?;
    let ellipsoid = surface.relief().ellipsoid();
    [args.from, args.to].iter().try_for_each(|at| values::check_body(at, ellipsoid))?;
    let _working = TaskProgress::begin("sampling the profile", 0);
    let mut answers = AnswerWriter::new(&args.data, &surface, PROFILE);
    let files = args.data.answering_files(&surface);
    for point in surface.profile(geodetic(args.from, 0.0), geodetic(args.to, 0.0), args.samples as usize) {
        files.note(|| point.provenance.layer);
        let mut fields = vec![("distance_m", FieldValue::Rounded(point.distance_m, 2))];
        fields.extend(place(&point.place));
        let source = HeightOrigin::of(&surface, point.place.normal(), point.provenance);
        fields.extend(source.fields());
        answers.add(&fields)?;
    }
    files.warn();
    answers.finish()
}

const SIGHT: &str = "visible,distance_m,obstacle_m,lat_deg,lon_deg,height_m,posting_m,level,layer,datum,source_datum,source,share,blended_with,filled";

/// Places along a line of sight of which one may lie on a file.
const WAY_PLACES: usize = 64;

fn sight(args: &SightArgs) -> Result<(), CliError> {
    let surface = args.data.open_seen(&args.water)?;
    let ellipsoid = surface.relief().ellipsoid();
    [args.from, args.to].iter().try_for_each(|at| values::check_body(at, ellipsoid))?;
    let _working = TaskProgress::begin("looking along the line of sight", 0);
    let standing = |at: Place, above_m: f64| {
        let ground_m = surface.height_m(geodetic(at, 0.0).normal());
        geodetic(at, ground_m + above_m)
    };
    let (eye, target) = (standing(args.from, args.line.eye_height), standing(args.to, args.line.target_height));
    let files = args.data.answering_files(&surface);
    surface.profile(eye, target, WAY_PLACES).iter().for_each(|point| files.note(|| point.provenance.layer));
    files.warn();
    warn_of_lake_bed(&surface, &[eye.normal(), target.normal()]);
    let obstacle = surface.line_of_sight_refracted(eye, target, args.line.refraction)?;
    let distance_m = eye.to_ecef(ellipsoid).distance(target.to_ecef(ellipsoid));
    let mut answers = AnswerWriter::new(&args.data, &surface, SIGHT);
    let mut fields =
        vec![("visible", FieldValue::Truth(obstacle.is_none())), ("distance_m", FieldValue::Rounded(distance_m, 2))];
    let source = obstacle.map(|hit| HeightOrigin::of(&surface, hit.place.normal(), hit.provenance));
    fields.extend(hit(obstacle.zip(source.as_ref()), "obstacle_m"));
    answers.add(&fields)?;
    answers.finish()
}

const RAY: &str =
    "hit,distance_m,lat_deg,lon_deg,height_m,posting_m,level,layer,datum,source_datum,source,share,blended_with,filled";

fn ray(args: &RayArgs) -> Result<(), CliError> {
    let surface = args.data.open_seen(&args.water)?;
    let mut answers = AnswerWriter::new(&args.data, &surface, RAY);
    let format = answers.format();
    let (files, under_ground) = (args.data.answering_files(&surface), AtomicUsize::new(0));
    let answer = |at: &GeoPosition, look: ViewDirection, out: &mut String| {
        let ellipsoid = surface.relief().ellipsoid();
        let camera = Camera::on(ellipsoid, &values::pose(ellipsoid, at, Some(look)));
        let (met, refused) = match surface.ray(camera.eye_m, camera.forward(), REACH_M) {
            Ok(met) => {
                if met.as_ref().is_some_and(|hit| hit.distance_m == 0.0) {
                    under_ground.fetch_add(1, Ordering::Relaxed);
                }
                (met, None)
            }
            Err(refused) => (None, Some(refused)),
        };
        // A ray from above a file may end beside it.
        files.note(|| {
            let below_eye = surface.relief().sample(camera.normal()).layer;
            met.as_ref().map_or(below_eye, |hit| hit.provenance.layer.min(below_eye))
        });
        let mut fields =
            vec![("hit", refused.as_ref().map_or(FieldValue::Truth(met.is_some()), |_| FieldValue::Nothing))];
        let source = met.map(|hit| HeightOrigin::of(&surface, hit.place.normal(), hit.provenance));
        fields.extend(hit(met.zip(source.as_ref()), "distance_m"));
        format.write(&fields, out);
        refused
    };
    if let Some((at, look)) = args.at.as_ref().zip(args.look) {
        let _working = TaskProgress::begin("following the ray", 0);
        let mut text = String::new();
        answer(at, look, &mut text).map_or(Ok(()), Err)?;
        answers.add_written(&text)?;
        remark_on_ground(under_ground.into_inner());
        files.warn();
        return answers.finish();
    }
    let refused = AtomicUsize::new(0);
    let answered = points::answer_stdin(&LineParser::RAYS, &mut answers, |(at, look), out| {
        if answer(&at, look, out).is_some() {
            refused.fetch_add(1, Ordering::Relaxed);
        }
    });
    remark_on_ground(under_ground.into_inner());
    files.warn();
    answers.finish()?;
    answered?;
    match refused.into_inner() {
        0 => Ok(()),
        count => Err(anyhow::anyhow!("{count} rays are too long for data so fine: their column hit is empty").into()),
    }
}

/// Tells of rays whose eyes are in the ground.
fn remark_on_ground(count: usize) {
    match count {
        0 => {}
        1 => print_remark("the eye of a ray is under the ground or the sea, which it meets at once"),
        _ => {
            print_remark(&format!("the eyes of {count} rays are under the ground or the sea, which they meet at once"))
        }
    }
}

/// Remarks on all layers, each with the name of its layer.
fn remarks(surface: &Surface) -> Vec<String> {
    let relief = surface.relief();
    let of_layer = |(k, layer): (usize, &LayerInfo)| -> Vec<String> {
        relief.remarks(k).iter().map(|remark| format!("{}: {remark}", layer.name)).collect()
    };
    relief.layers().iter().enumerate().flat_map(of_layer).collect()
}

fn geodetic(place: Place, height_m: f64) -> Geodetic {
    Geodetic::from_degrees(place.lat_deg, place.lon_deg, height_m)
}

type Field<'a> = (&'static str, FieldValue<'a>);

fn place<'a>(place: &Geodetic) -> [Field<'a>; 3] {
    [
        ("lat_deg", FieldValue::Rounded(place.lat_rad.to_degrees(), 7)),
        ("lon_deg", FieldValue::Rounded(place.lon_rad.to_degrees(), 7)),
        ("height_m", FieldValue::Rounded(place.height_m, 3)),
    ]
}

/// What a height comes from.
struct HeightOrigin<'a> {
    provenance: Provenance,
    layer: &'a LayerInfo,
    /// The data within the layer, blended with those of another or with another layer.
    data: SourceAt<'a>,
    /// On the layer.
    remarks: Vec<String>,
}

impl<'a> HeightOrigin<'a> {
    fn of(surface: &'a Surface, n: DVec3, provenance: Provenance) -> Self {
        let layers = surface.relief().layers();
        let data = surface.relief().source_at(provenance.layer, n);
        let other = provenance.blended_with.map(|layer| layers[layer].name.clone());
        let data = SourceAt { blended_with: other.or(data.blended_with), ..data };
        let remarks = surface.relief().remarks(provenance.layer);
        Self { provenance, layer: &layers[provenance.layer], data, remarks }
    }

    /// Values of the columns in [`SOURCE`].
    fn fields(&self) -> [Field<'_>; 10] {
        let Provenance { posting_m, level, share, filled, .. } = self.provenance;
        let values = [
            FieldValue::Rounded(posting_m, 1),
            FieldValue::Whole(level.into()),
            FieldValue::Text(&self.layer.name),
            FieldValue::Text(self.data.datum),
            FieldValue::Text(self.data.source_datum),
            FieldValue::Text(&self.data.name),
            FieldValue::Rounded(share, 3),
            self.data.blended_with.as_deref().map_or(FieldValue::Nothing, FieldValue::Text),
            FieldValue::Truth(filled),
            FieldValue::Texts(&self.remarks),
        ];
        std::array::from_fn(|k| (SOURCE[k], values[k]))
    }
}

/// What is drawn where outlines have water: land where data of some posting are surely above the sea.
fn seen_cover<'a>(cover: Cover<'a>, (height_m, datum): (f64, &str), posting_m: f64) -> Cover<'a> {
    let is_land = cover == Cover::Sea && !datum.contains("ellipsoid") && height_m > surely_land_m(posting_m);
    if is_land { Cover::Land } else { cover }
}

/// What covers the ground at a height above a datum, if that is asked: the level of water where it is known, and the depth below it. Levels are above the sea's, which
/// is no ellipsoid.
fn water<'a>(cover: Option<Cover<'a>>, (height_m, datum): (f64, &str)) -> [Field<'a>; 4] {
    // Levels are above the sea, heights above an ellipsoid are not.
    let is_level = !datum.contains("ellipsoid");
    let (kind, name, level_m) = match cover {
        None => ("", "", None),
        Some(Cover::Land) => ("land", "", None),
        Some(Cover::Sea) => ("sea", "", Some(0.0)),
        Some(Cover::Lake(lake)) => ("lake", lake.name.as_str(), lake.level_m),
    };
    let text = |text: &'a str| if text.is_empty() { FieldValue::Nothing } else { FieldValue::Text(text) };
    let metres = |value: Option<f64>| value.map_or(FieldValue::Nothing, |m| FieldValue::Rounded(m, 1));
    [
        ("water", text(kind)),
        ("water_name", text(name)),
        ("water_level_m", metres(level_m.filter(|_| is_level))),
        ("depth_m", metres(level_m.filter(|_| is_level).map(|level_m| (level_m - height_m).max(0.0)))),
    ]
}

/// Columns on what a height comes from; the last is in JSON alone.
const SOURCE: [&str; 10] =
    ["posting_m", "level", "layer", "datum", "source_datum", "source", "share", "blended_with", "filled", "remarks"];

/// Where the ground was met, under the given name for the distance; nothing where it was not.
fn hit<'a>(hit: Option<(Hit, &'a HeightOrigin<'_>)>, distance: &'static str) -> Vec<Field<'a>> {
    match hit {
        Some((hit, source)) => [(distance, FieldValue::Rounded(hit.distance_m, 2))]
            .into_iter()
            .chain(place(&hit.place))
            .chain(source.fields())
            .collect(),
        None => [distance, "lat_deg", "lon_deg", "height_m"]
            .into_iter()
            .chain(SOURCE)
            .map(|name| (name, if name == "remarks" { FieldValue::Texts(&[]) } else { FieldValue::Nothing }))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: outlines of the sea decide where data are coarse, up to 200 m; over fine data, heights do. Heights above an ellipsoid tell nothing.
    #[test]
    fn land_is_what_is_drawn_as_land() {
        for (height_m, posting_m, datum, is_land) in [
            (1_600.0, 111.0, "not stated", true),
            (0.5, 30.0, "mean sea level", true),
            (-0.5, 30.0, "mean sea level", false),
            (150.0, 9_266.0, "mean sea level", false),
            (300.0, 9_266.0, "mean sea level", true),
            (300.0, 30.0, "ellipsoid", false),
        ] {
            let cover = seen_cover(Cover::Sea, (height_m, datum), posting_m);
            assert_eq!(cover == Cover::Land, is_land, "{height_m} m at {posting_m} m above {datum}");
        }
    }
}
