//! `orogen query`: heights, profiles, lines of sight, rays and viewsheds of the surface that is drawn, as CSV or JSON.

mod answers;
mod points;
mod viewshed;

use std::io::IsTerminal as _;
use std::sync::Arc;

use terrain::geodesy::Geodetic;
use terrain::height::{OpenOptions, Relief};
use terrain::surface::{Ground, Hit, Provenance, Surface};

use super::Stop;
use super::args::{DataArgs, HeightArgs, ProfileArgs, QueryVerb, RayArgs, SightArgs};
use super::values;
use super::waiting::Waiting;
use crate::camera::place::Place;
use crate::camera::{Camera, Pose};
use crate::terrain::REACH_M;
use answers::{Answers, Cell};
pub use viewshed::ViewshedArgs;

/// Answers a query on stdout.
pub fn run(query: &QueryVerb) -> Result<(), Stop> {
    match query {
        QueryVerb::Height(args) => height(args),
        QueryVerb::Profile(args) => profile(args),
        QueryVerb::Sight(args) => sight(args),
        QueryVerb::Ray(args) => ray(args),
        QueryVerb::Viewshed(args) => viewshed::run(args),
    }
}

const HEIGHT: &str = "lat_deg,lon_deg,height_m,slope_deg,aspect_deg,posting_m,level,layer,datum";

fn height(args: &HeightArgs) -> Result<(), Stop> {
    let surface = surface(&args.data)?;
    let mut answers = Answers::new(args.data.json, HEIGHT);
    let format = answers.format();
    let answer = |at: Place, out: &mut String| {
        let Ground { height_m, slope_rad, aspect_rad, layer, posting_m, level, .. } =
            surface.ground(geodetic(at, 0.0).normal());
        let [posting, level, name, datum] = source(&surface, Provenance { layer, posting_m, level });
        let fields = [
            ("lat_deg", Cell::Exact(at.lat_deg)),
            ("lon_deg", Cell::Exact(at.lon_deg)),
            ("height_m", Cell::Rounded(height_m, 3)),
            ("slope_deg", Cell::Rounded(slope_rad.to_degrees(), 2)),
            ("aspect_deg", Cell::Rounded(aspect_rad.to_degrees(), 1)),
            posting,
            level,
            name,
            datum,
        ];
        format.write(&fields, out);
    };
    if args.at.is_empty() {
        if std::io::stdin().is_terminal() {
            super::say("reading LAT,LON lines; end with Ctrl-D");
        }
        let answered = points::answer_all(std::io::stdin().lock(), &mut answers, answer);
        // What has been answered stands, and so do the reasons why other answers are missing.
        answers.finish(&surface)?;
        return Ok(answered?);
    }
    for &at in &args.at {
        let mut text = String::new();
        answer(at, &mut text);
        answers.add_written(&text)?;
    }
    answers.finish(&surface)
}

const PROFILE: &str = "distance_m,lat_deg,lon_deg,height_m,posting_m,level,layer,datum";

fn profile(args: &ProfileArgs) -> Result<(), Stop> {
    let surface = surface(&args.data)?;
    let mut answers = Answers::new(args.data.json, PROFILE);
    for point in surface.profile(geodetic(args.from, 0.0), geodetic(args.to, 0.0), args.samples as usize) {
        let mut fields = vec![("distance_m", Cell::Rounded(point.distance_m, 2))];
        fields.extend(place(&point.place));
        fields.extend(source(&surface, point.provenance));
        answers.add(&fields)?;
    }
    answers.finish(&surface)
}

const SIGHT: &str = "visible,distance_m,obstacle_m,lat_deg,lon_deg,height_m,posting_m,level,layer,datum";

fn sight(args: &SightArgs) -> Result<(), Stop> {
    let surface = surface(&args.data)?;
    let standing = |at: Place, above_m: f64| {
        let ground_m = surface.height_m(geodetic(at, 0.0).normal());
        geodetic(at, ground_m + above_m)
    };
    let (eye, target) = (standing(args.from, args.eye_height), standing(args.to, args.target_height));
    let obstacle = surface.line_of_sight_refracted(eye, target, args.refraction)?;
    let distance_m = eye.to_ecef().distance(target.to_ecef());
    let mut answers = Answers::new(args.data.json, SIGHT);
    let mut fields = vec![("visible", Cell::Truth(obstacle.is_none())), ("distance_m", Cell::Rounded(distance_m, 2))];
    fields.extend(hit(&surface, obstacle, "obstacle_m"));
    answers.add(&fields)?;
    answers.finish(&surface)
}

const RAY: &str = "hit,distance_m,lat_deg,lon_deg,height_m,posting_m,level,layer,datum";

fn ray(args: &RayArgs) -> Result<(), Stop> {
    let surface = surface(&args.data)?;
    let Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg } = values::pose(&args.at, Some(args.look));
    let camera = Camera::from_pose(&Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg });
    let met = surface.ray(camera.eye_m, camera.forward(), REACH_M)?;
    let mut answers = Answers::new(args.data.json, RAY);
    let mut fields = vec![("hit", Cell::Truth(met.is_some()))];
    fields.extend(hit(&surface, met, "distance_m"));
    answers.add(&fields)?;
    answers.finish(&surface)
}

fn surface(data: &DataArgs) -> anyhow::Result<Surface> {
    let _waiting = Waiting::begin();
    let options = OpenOptions {
        vertical: data.vdatum,
        skip_bad: data.skip_bad,
        index: super::fly::cache_folder(),
        ..OpenOptions::default()
    };
    Ok(Surface::new(Arc::new(Relief::open(&data.files, &options)?)))
}

fn geodetic(place: Place, height_m: f64) -> Geodetic {
    Geodetic::from_degrees(place.lat_deg, place.lon_deg, height_m)
}

type Field<'a> = (&'static str, Cell<'a>);

fn place<'a>(place: &Geodetic) -> [Field<'a>; 3] {
    [
        ("lat_deg", Cell::Rounded(place.lat_rad.to_degrees(), 7)),
        ("lon_deg", Cell::Rounded(place.lon_rad.to_degrees(), 7)),
        ("height_m", Cell::Rounded(place.height_m, 3)),
    ]
}

/// What a height comes from.
fn source(surface: &Surface, provenance: Provenance) -> [Field<'_>; 4] {
    let layer = &surface.relief().layers()[provenance.layer];
    [
        ("posting_m", Cell::Rounded(provenance.posting_m, 1)),
        ("level", Cell::Whole(provenance.level.into())),
        ("layer", Cell::Text(&layer.name)),
        ("datum", Cell::Text(&layer.datum)),
    ]
}

/// Where the ground was met, under the given name for the distance; nothing where it was not.
fn hit<'a>(surface: &'a Surface, hit: Option<Hit>, distance: &'static str) -> Vec<Field<'a>> {
    match hit {
        Some(hit) => [(distance, Cell::Rounded(hit.distance_m, 2))]
            .into_iter()
            .chain(place(&hit.place))
            .chain(source(surface, hit.provenance))
            .collect(),
        None => [distance, "lat_deg", "lon_deg", "height_m", "posting_m", "level", "layer", "datum"]
            .map(|name| (name, Cell::Nothing))
            .to_vec(),
    }
}
