//! `orogen query`: heights, profiles, lines of sight and rays of the surface that is drawn, as CSV or JSON.

use std::io::{BufRead as _, IsTerminal as _, LineWriter, Stdout, Write as _};
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::{Value, json};
use terrain::geodesy::Geodetic;
use terrain::height::{OpenOptions, Relief};
use terrain::surface::{Hit, Surface};

use super::args::{DataArgs, HeightArgs, ProfileArgs, QueryVerb, RayArgs, SightArgs};
use super::values;
use super::{STDOUT, Stop};
use crate::camera::place::{self, Place};
use crate::camera::{Camera, Pose};
use crate::terrain::REACH_M;

/// Answers a query on stdout.
pub fn run(query: &QueryVerb) -> Result<(), Stop> {
    match query {
        QueryVerb::Height(args) => height(args),
        QueryVerb::Profile(args) => profile(args),
        QueryVerb::Sight(args) => sight(args),
        QueryVerb::Ray(args) => ray(args),
    }
}

fn height(args: &HeightArgs) -> Result<(), Stop> {
    let surface = surface(&args.data)?;
    let mut answers =
        Answers::new(args.data.json, "lat_deg,lon_deg,height_m,slope_deg,aspect_deg,posting_m,layer,datum");
    let mut answer = |at: Place| {
        let ground = surface.ground(geodetic(at, 0.0).normal());
        let layer = &surface.relief().layers()[ground.layer];
        answers.add(&[
            ("lat_deg", json!(at.lat_deg)),
            ("lon_deg", json!(at.lon_deg)),
            ("height_m", rounded(ground.height_m, 3)),
            ("slope_deg", rounded(ground.slope_rad.to_degrees(), 2)),
            ("aspect_deg", rounded(ground.aspect_rad.to_degrees(), 1)),
            ("posting_m", rounded(ground.posting_m, 1)),
            ("layer", json!(layer.name)),
            ("datum", json!(layer.datum)),
        ])
    };
    if !args.at.is_empty() {
        args.at.iter().try_for_each(|&at| answer(at))?;
        return answers.finish(&surface);
    }
    if std::io::stdin().is_terminal() {
        super::say("reading LAT,LON lines; end with Ctrl-D");
    }
    for (index, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.with_context(|| format!("line {} of the points cannot be read", index + 1))?;
        let text = line.trim();
        // A header and comments are what people's files have.
        if text.is_empty() || text.starts_with('#') || (index == 0 && !text.contains(|c: char| c.is_ascii_digit())) {
            continue;
        }
        let at = place::parse(text).map_err(|error| anyhow::anyhow!("line {} of the points: {error}", index + 1))?;
        answer(at)?;
    }
    answers.finish(&surface)
}

fn profile(args: &ProfileArgs) -> Result<(), Stop> {
    let surface = surface(&args.data)?;
    let mut answers = Answers::new(args.data.json, "distance_m,lat_deg,lon_deg,height_m");
    for point in surface.profile(geodetic(args.from, 0.0), geodetic(args.to, 0.0), args.samples as usize) {
        let mut fields = vec![("distance_m", rounded(point.distance_m, 2))];
        fields.extend(place_fields(&point.place));
        answers.add(&fields)?;
    }
    answers.finish(&surface)
}

fn sight(args: &SightArgs) -> Result<(), Stop> {
    let surface = surface(&args.data)?;
    let standing = |at: Place, above_m: f64| {
        let ground_m = surface.ground(geodetic(at, 0.0).normal()).height_m;
        geodetic(at, ground_m + above_m)
    };
    let (eye, target) = (standing(args.from, args.eye_height), standing(args.to, args.target_height));
    let obstacle = surface.line_of_sight(eye, target)?;
    let distance_m = eye.to_ecef().distance(target.to_ecef());
    let mut answers = Answers::new(args.data.json, SIGHT);
    let mut fields = vec![("visible", json!(obstacle.is_none())), ("distance_m", rounded(distance_m, 2))];
    fields.extend(hit_fields(obstacle, "obstacle_m"));
    answers.add(&fields)?;
    answers.finish(&surface)
}

const SIGHT: &str = "visible,distance_m,obstacle_m,lat_deg,lon_deg,height_m";

fn ray(args: &RayArgs) -> Result<(), Stop> {
    let surface = surface(&args.data)?;
    let Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg } = values::pose(&args.at, Some(args.look));
    let camera = Camera::from_pose(&Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg });
    let hit = surface.ray(camera.eye_m, camera.forward(), REACH_M)?;
    let mut answers = Answers::new(args.data.json, "hit,distance_m,lat_deg,lon_deg,height_m");
    let mut fields = vec![("hit", json!(hit.is_some()))];
    fields.extend(hit_fields(hit, "distance_m"));
    answers.add(&fields)?;
    answers.finish(&surface)
}

fn surface(data: &DataArgs) -> anyhow::Result<Surface> {
    let options = OpenOptions { vertical: data.vdatum, ..OpenOptions::default() };
    Ok(Surface::new(Arc::new(Relief::open(&data.files, &options)?)))
}

fn geodetic(place: Place, height_m: f64) -> Geodetic {
    Geodetic::from_degrees(place.lat_deg, place.lon_deg, height_m)
}

fn place_fields(place: &Geodetic) -> [(&'static str, Value); 3] {
    [
        ("lat_deg", rounded(place.lat_rad.to_degrees(), 7)),
        ("lon_deg", rounded(place.lon_rad.to_degrees(), 7)),
        ("height_m", rounded(place.height_m, 3)),
    ]
}

/// Where the ground was met, under the given name for the distance; nulls where it was not.
fn hit_fields(hit: Option<Hit>, distance: &'static str) -> Vec<(&'static str, Value)> {
    match hit {
        Some(hit) => [(distance, rounded(hit.distance_m, 2))].into_iter().chain(place_fields(&hit.place)).collect(),
        None => [distance, "lat_deg", "lon_deg", "height_m"].map(|name| (name, Value::Null)).to_vec(),
    }
}

fn rounded(value: f64, digits: i32) -> Value {
    let scale = 10f64.powi(digits);
    json!((value * scale).round() / scale)
}

/// Answers on stdout: CSV with a header as they come, or one JSON array.
struct Answers {
    json: Option<Vec<Value>>,
    out: LineWriter<Stdout>,
    header: &'static str,
}

impl Answers {
    fn new(as_json: bool, header: &'static str) -> Self {
        Self { json: as_json.then(Vec::new), out: LineWriter::new(std::io::stdout()), header }
    }

    fn add(&mut self, fields: &[(&'static str, Value)]) -> anyhow::Result<()> {
        if let Some(all) = &mut self.json {
            all.push(fields.iter().map(|(name, value)| (name.to_string(), value.clone())).collect());
            return Ok(());
        }
        if !self.header.is_empty() {
            writeln!(self.out, "{}", std::mem::take(&mut self.header)).context(STDOUT)?;
        }
        let cells: Vec<String> = fields.iter().map(|(_, value)| csv_cell(value)).collect();
        writeln!(self.out, "{}", cells.join(",")).context(STDOUT)
    }

    /// Ends the answers; fails if a part of the data could not be read while they were given.
    fn finish(mut self, surface: &Surface) -> Result<(), Stop> {
        if let Some(all) = &self.json {
            writeln!(self.out, "{}", serde_json::to_string_pretty(all)?).context(STDOUT)?;
        }
        self.out.flush().context(STDOUT)?;
        surface.relief().failure().map_or(Ok(()), |error| Err(error.into()))
    }
}

/// A value as RFC 4180 has it: nothing for null, quotes where a text needs them.
fn csv_cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.contains([',', '"', '\n']) => format!("\"{}\"", text.replace('"', "\"\"")),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        assert_eq!(csv_cell(&json!("a,\"b\"")), "\"a,\"\"b\"\"\"");
        assert_eq!([json!(null), json!(2.5), json!("plain")].map(|v| csv_cell(&v)), ["", "2.5", "plain"]);
    }
}
